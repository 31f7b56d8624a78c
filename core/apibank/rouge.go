package apibank

import (
	"strings"
	"unicode"
)

// Rouge is ROUGE-L (Lin 2004) of a text held against a reference.
type Rouge struct {
	Precision float64 `json:"precision"` // LCS / tokens of the candidate
	Recall    float64 `json:"recall"`    // LCS / tokens of the reference
	F         float64 `json:"f"`
}

// maxTokens bounds the work of [RougeL], which grows with the square.
const maxTokens = 5_000

// RougeL returns ROUGE-L of a candidate: with the longest common subsequence of both
// sequences of tokens, F = (1+β²)PR / (R+β²P), where β = 1, so that F = 2PR / (P+R);
// 0 where they have nothing in common. Tokens are what stands between white space and
// full stops; case counts, and so does other punctuation.
//
// The benchmark's evaluation uses the Python package rouge, which has the same β and
// tokens, adds 10⁻⁸ to the denominator, and goes through the sentences counting each
// word once; for a sentence in which no word comes twice both are the same. Of either
// text at most 5,000 tokens are taken.
func RougeL(reference, candidate string) Rouge {
	a, b := tokens(reference), tokens(candidate)
	if len(a) == 0 || len(b) == 0 {
		return Rouge{}
	}
	common := float64(longestCommon(a, b))
	if common == 0 {
		return Rouge{}
	}
	r := Rouge{Precision: common / float64(len(b)), Recall: common / float64(len(a))}
	r.F = 2 * r.Precision * r.Recall / (r.Precision + r.Recall)
	return r
}

func tokens(text string) []string {
	out := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
	return out[:min(len(out), maxTokens)]
}

// longestCommon is the length of the longest common subsequence, row by row.
func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			switch {
			case x == y:
				row[j+1] = diagonal + 1
			case row[j] > above:
				row[j+1] = row[j]
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
