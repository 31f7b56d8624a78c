package regex

import (
	"slices"
	"unicode"
)

// Program is the program of a regular expression (Pike 1987). An instruction is an operator and two
// operands: 0 reads a character in the set y, 1 continues at x and y, 2 to 7 are the assertions of the
// beginning and end of the text and of the line, a word boundary and its complement, 8 matches. Interval i of code points begins with From[i]
// and belongs to the class Class[i]; a set lists its classes.
type Program struct {
	Code  [][]int `json:"code"`
	From  []int   `json:"from"`
	Class []int   `json:"class"`
	Word  []int   `json:"word"` // the classes of word characters
	Line  int     `json:"line"` // the class of "\n"
	Sets  [][]int `json:"sets"`
}

// Program returns the program for runtimes without a compiler.
func (p Expression) Program() *Program {
	out := &Program{Word: []int{}, Sets: [][]int{}}
	sets, numbers := []*runeSet{}, map[*runeSet]int{}
	for _, in := range p {
		if in.set == nil {
			out.Code = append(out.Code, []int{int(in.op), in.x, in.y})
			continue
		}
		i, ok := numbers[in.set]
		if !ok {
			i = len(sets)
			numbers[in.set] = i
			sets, out.Sets = append(sets, in.set), append(out.Sets, []int{})
		}
		out.Code = append(out.Code, []int{int(in.op), in.x, i})
	}
	classes := map[string]int{}
	signature := make([]byte, len(sets)+2)
	for _, r := range boundaries(sets) {
		for i, s := range sets {
			signature[i] = bit(s.has(r))
		}
		signature[len(sets)], signature[len(sets)+1] = bit(isWord(r)), bit(r == '\n')
		class, ok := classes[string(signature)]
		if !ok {
			class = len(classes)
			classes[string(signature)] = class
			for i := range sets {
				if signature[i] == 1 {
					out.Sets[i] = append(out.Sets[i], class)
				}
			}
			if isWord(r) {
				out.Word = append(out.Word, class)
			}
			if r == '\n' {
				out.Line = class
			}
		}
		if n := len(out.Class); n == 0 || out.Class[n-1] != class {
			out.From, out.Class = append(out.From, int(r)), append(out.Class, class)
		}
	}
	return out
}

// boundaries returns the characters at which membership in a set may change, in order.
func boundaries(sets []*runeSet) []rune {
	bounds, folding := changes(sets)
	candidates := append([]rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}, bounds...)
	for _, r := range folding {
		candidates = append(candidates, r, r+1)
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	return slices.DeleteFunc(candidates, func(r rune) bool { return r < 0 || r > unicode.MaxRune })
}
