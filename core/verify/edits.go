package verify

import (
	"slices"

	"github.com/stile-playground/stile/core/grammar"
)

// The kinds of edits.
const (
	EditInsert     = "insert"
	EditDelete     = "delete"
	EditSubstitute = "substitute"
)

// Edit changes a word at one position: it inserts a symbol before the symbol with index
// At, deletes that symbol, or substitutes another for it. Positions are those in the
// original word.
type Edit struct {
	Op     string
	At     int
	Symbol grammar.Symbol // inserted or substituted; -1 for a deletion
}

// align returns a shortest list of edits that turn one word into another. Among several
// shortest lists, it chooses the list that keeps or substitutes symbols as early as possible.
func align(from, to []grammar.Symbol) []Edit {
	// least[i][j] is the distance of the suffixes from i and from j.
	least := make([][]int, len(from)+1)
	for i := len(from); i >= 0; i-- {
		least[i] = make([]int, len(to)+1)
		for j := len(to); j >= 0; j-- {
			switch {
			case i == len(from):
				least[i][j] = len(to) - j
			case j == len(to):
				least[i][j] = len(from) - i
			default:
				best := least[i+1][j+1]
				if from[i] != to[j] {
					best++
				}
				least[i][j] = min(best, 1+least[i+1][j], 1+least[i][j+1])
			}
		}
	}
	edits := []Edit{}
	for i, j := 0, 0; i < len(from) || j < len(to); {
		switch {
		case i < len(from) && j < len(to) && from[i] == to[j] && least[i][j] == least[i+1][j+1]:
			i, j = i+1, j+1
		case i < len(from) && j < len(to) && least[i][j] == 1+least[i+1][j+1]:
			edits = append(edits, Edit{Op: EditSubstitute, At: i, Symbol: to[j]})
			i, j = i+1, j+1
		case i < len(from) && least[i][j] == 1+least[i+1][j]:
			edits = append(edits, Edit{Op: EditDelete, At: i, Symbol: -1})
			i++
		default:
			edits = append(edits, Edit{Op: EditInsert, At: i, Symbol: to[j]})
			j++
		}
	}
	return slices.Clip(edits)
}
