// Package regex compiles the regular expressions of RE2 to programs, searches texts for them, and
// divides texts into classes that the same expressions match.
package regex

import (
	"unicode"
	"unicode/utf8"
)

const (
	// maxRegexDepth bounds the recursion over groups.
	maxRegexDepth = 200
	// maxRegexCode bounds the program of an expression, whose size times the text is the work of a
	// search.
	maxRegexCode = 100_000
	// maxRepeat is the bound that RE2 has for the count of a repetition and for the product
	// of the counts of nested repetitions.
	maxRepeat = 1000
)

// Expression is a program for the regular expressions of RE2, in Go's syntax. It replaces package regexp,
// which is 70 KB larger, and takes linear time as well: it follows all alternatives at once (Pike 1987,
// Cox 2010).
type Expression []instruction

type instruction struct {
	op   operator
	x, y int // the next instructions
	set  *runeSet
}

type operator uint8

const (
	opSet operator = iota
	opSplit
	opBegin // assertions
	opEnd
	opLineBegin
	opLineEnd
	opBoundary
	opNoBoundary
	opMatch
)

// runeSet is a character class: the union of its parts, or its complement.
type runeSet struct {
	parts []runePart
	not   bool
}

// runePart is ranges or a table of characters, or its complement. With fold it also
// contains the characters that differ from its members only in case.
type runePart struct {
	ranges string // pairs of bounds
	table  *unicode.RangeTable
	not    bool
	fold   bool
}

func (s *runeSet) has(r rune) bool {
	for i := range s.parts {
		if s.parts[i].has(r) {
			return !s.not
		}
	}
	return s.not
}

func (p *runePart) has(r rune) bool {
	found := p.contains(r)
	if p.fold {
		for other := unicode.SimpleFold(r); other != r && !found; other = unicode.SimpleFold(other) {
			found = p.contains(other)
		}
	}
	return found != p.not
}

func (p *runePart) contains(r rune) bool {
	if p.table != nil {
		return unicode.Is(p.table, r)
	}
	low := rune(-1)
	for _, bound := range p.ranges {
		if low < 0 {
			low = bound
			continue
		}
		if low <= r && r <= bound {
			return true
		}
		low = -1
	}
	return false
}

// MatchString reports whether a part of the text matches.
func (p Expression) MatchString(text string) bool {
	now, next := newThreads(len(p)), newThreads(len(p))
	before := rune(-1)
	for at := 0; ; {
		r, size := rune(-1), 0
		if at < len(text) {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		// A match may begin at each character.
		if p.follow(now, 0, before, r) {
			return true
		}
		if size == 0 {
			return false
		}
		next.n = 0
		after := rune(-1)
		if at+size < len(text) {
			after, _ = utf8.DecodeRuneInString(text[at+size:])
		}
		for _, i := range now.list[:now.n] {
			if in := &p[i]; in.op == opSet && in.set.has(r) && p.follow(next, in.x, r, after) {
				return true
			}
		}
		now, next = next, now
		before = r
		at += size
	}
}

// threads is a set of instructions.
type threads struct {
	list  []int
	where []int
	n     int
	stack []int
}

func newThreads(size int) *threads {
	return &threads{list: make([]int, size), where: make([]int, size)}
}

// follow adds an instruction and the instructions that it leads to without reading a character.
// It reports whether one of them is a match.
func (p Expression) follow(t *threads, from int, before, after rune) bool {
	t.stack = append(t.stack[:0], from)
	for len(t.stack) > 0 {
		i := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if w := t.where[i]; w < t.n && t.list[w] == i {
			continue
		}
		t.where[i], t.list[t.n] = t.n, i
		t.n++
		in := &p[i]
		switch in.op {
		case opMatch:
			return true
		case opSet:
		case opSplit:
			t.stack = append(t.stack, in.y, in.x)
		default:
			if in.op.holds(before, after) {
				t.stack = append(t.stack, in.x)
			}
		}
	}
	return false
}

// holds evaluates an assertion between two characters, -1 at the ends of the text.
func (op operator) holds(before, after rune) bool {
	switch op {
	case opBegin:
		return before < 0
	case opEnd:
		return after < 0
	case opLineBegin:
		return before < 0 || before == '\n'
	case opLineEnd:
		return after < 0 || after == '\n'
	}
	return (isWord(before) != isWord(after)) == (op == opBoundary)
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// writer writes the program of an expression.
type writer struct{ code Expression }

func (w *writer) add(in instruction) int {
	w.code = append(w.code, in)
	return len(w.code) - 1
}

// write writes the instructions of a part; after the part, the program continues with the next instruction.
func (w *writer) write(n *node) {
	if len(w.code) >= maxRegexCode {
		return
	}
	next := len(w.code) + 1
	switch n.op {
	case 'c':
		w.add(instruction{op: opSet, set: n.set, x: next})
	case 'a':
		w.add(instruction{op: n.assert, x: next})
	case '.':
		for _, k := range n.kids {
			w.write(k)
		}
	case '|':
		var ends []int
		for i, k := range n.kids {
			if i == len(n.kids)-1 {
				w.write(k)
				break
			}
			split := w.add(instruction{op: opSplit, x: len(w.code) + 1})
			w.write(k)
			ends = append(ends, w.add(instruction{op: opSplit}))
			w.code[split].y = len(w.code)
		}
		for _, end := range ends {
			w.code[end].x, w.code[end].y = len(w.code), len(w.code)
		}
	case '*':
		w.repeat(n)
	}
}

func (w *writer) repeat(n *node) {
	for range n.min {
		w.write(n.kids[0])
	}
	if n.max < 0 {
		split := w.add(instruction{op: opSplit, x: len(w.code) + 1})
		w.write(n.kids[0])
		w.add(instruction{op: opSplit, x: split, y: split})
		w.code[split].y = len(w.code)
		return
	}
	var splits []int
	for range n.max - n.min {
		splits = append(splits, w.add(instruction{op: opSplit, x: len(w.code) + 1}))
		w.write(n.kids[0])
	}
	for _, split := range splits {
		w.code[split].y = len(w.code)
	}
}
