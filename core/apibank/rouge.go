package apibank

import (
	"strings"
	"unicode"
)

// Rouge is the ROUGE-L score (Lin 2004) of a text against a reference.
type Rouge struct {
	Precision float64 `json:"precision"` // matched words / words of the candidate
	Recall    float64 `json:"recall"`    // matched words / words of the reference
	F         float64 `json:"f"`
}

// maxTokens bounds the quadratic work of [RougeL].
const maxTokens = 2_000

// RougeL returns the ROUGE-L score of a candidate as the benchmark's evaluation computes it, with
// the Python package rouge 1.0.1: F = 2PR / (P+R+10⁻⁸) at the level of summaries. A full stop ends
// a sentence, white space separates words, and a sentence of white space alone is an empty word.
// The matched words are the union, over all pairs of sentences, of a longest common subsequence. A
// word that occurs several times counts once, among the matched words and in each text. The score
// is 0 if a text has no sentence, for which the package returns an error. RougeL uses at most 2,000
// words of each text.
func RougeL(reference, candidate string) Rouge {
	a, b := sentences(reference), sentences(candidate)
	if len(a) == 0 || len(b) == 0 {
		return Rouge{}
	}
	matched := map[string]bool{}
	for _, x := range a {
		for _, y := range b {
			addCommon(x, y, matched)
		}
	}
	common := float64(len(matched))
	r := Rouge{Precision: common / distinct(b), Recall: common / distinct(a)}
	r.F = 2 * (r.Precision * r.Recall / (r.Precision + r.Recall + 1e-8))
	return r
}

// sentences divides a text into sentences and words.
func sentences(text string) (out [][]string) {
	remaining := maxTokens
	for _, sentence := range strings.Split(text, ".") {
		if sentence == "" {
			continue
		}
		// Python's white space has four separators that Unicode does not list.
		words := strings.FieldsFunc(sentence, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
		if len(words) == 0 {
			words = []string{""}
		}
		words = words[:min(len(words), remaining)]
		if remaining -= len(words); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// distinct counts the different words of sentences.
func distinct(sentences [][]string) float64 {
	words := map[string]bool{}
	for _, s := range sentences {
		for _, word := range s {
			words[word] = true
		}
	}
	return float64(len(words))
}

// Directions in the table of a longest common subsequence.
const (
	left = iota
	up
	diagonal
)

// addCommon adds the words of a longest common subsequence, the one that the package finds.
func addCommon(a, b []string, matched map[string]bool) {
	row := make([]int, len(b)+1)
	from := make([]byte, len(a)*len(b))
	for i, x := range a {
		before := 0 // the value above and to the left
		for j, y := range b {
			above := row[j+1]
			switch {
			case x == y:
				row[j+1], from[i*len(b)+j] = before+1, diagonal
			case above > row[j]:
				from[i*len(b)+j] = up
			default:
				row[j+1] = row[j]
			}
			before = above
		}
	}
	for i, j := len(a), len(b); i > 0 && j > 0; {
		switch from[(i-1)*len(b)+j-1] {
		case diagonal:
			i, j = i-1, j-1
			matched[a[i]] = true
		case up:
			i--
		default:
			j--
		}
	}
}
