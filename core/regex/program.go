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
	candidates := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	all := false // the characters with more than one case are candidates
	for _, part := range distinctParts(sets) {
		candidates = part.bounds(candidates)
		switch few := part.few(); {
		case !part.fold || all:
		case few == nil:
			all = true
			for _, r := range cased() {
				candidates = append(candidates, r, r+1)
			}
		default:
			for _, r := range few {
				for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
					candidates = append(candidates, other, other+1)
				}
			}
		}
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	return slices.DeleteFunc(candidates, func(r rune) bool { return r < 0 || r > unicode.MaxRune })
}

// distinctParts returns the parts of sets without duplicates.
func distinctParts(sets []*runeSet) (out []runePart) {
	seen := map[runePart]bool{}
	for _, s := range sets {
		for _, part := range s.parts {
			if !seen[part] {
				seen[part] = true
				out = append(out, part)
			}
		}
	}
	return out
}

// few returns the characters of the ranges of a part, or nil if it has many or a table.
func (p *runePart) few() (out []rune) {
	low := rune(-1)
	for _, bound := range p.ranges {
		if low < 0 {
			low = bound
			continue
		}
		if int(bound-low)+len(out) > 256 || p.table != nil {
			return nil
		}
		for r := low; r <= bound; r++ {
			out = append(out, r)
		}
		low = -1
	}
	return out
}
