package apibank

import (
	"strings"
	"unicode"
)

// Rouge is the ROUGE-L score (Lin 2004) of a text against a reference.
type Rouge struct {
	Precision float64 `json:"precision"` // LCS / tokens of the candidate
	Recall    float64 `json:"recall"`    // LCS / tokens of the reference
	F         float64 `json:"f"`
}

// maxTokens bounds the quadratic work of [RougeL].
const maxTokens = 5_000

// RougeL returns the ROUGE-L score of a candidate from the longest common subsequence
// of tokens: F = (1+β²)PR / (R+β²P) with β = 1, that is F = 2PR / (P+R); 0 if there is
// none. White space and full stops separate tokens; case and other punctuation matter.
//
// The benchmark's evaluation uses the Python package rouge. It has the same β and
// tokens, adds 10⁻⁸ to the denominator, and counts each word of a sentence once; the
// scores are equal for sentences without repeated words. RougeL uses at most 5,000
// tokens of each text.
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

// longestCommon returns the length of the longest common subsequence, computed row by row.
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
