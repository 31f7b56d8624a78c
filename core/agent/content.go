package agent

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/automaton"
)

// Content is the compiled set of texts that a state may have: a list of texts, or the texts that a
// pattern matches. It is immutable and may be shared.
type Content struct {
	options []string // sorted; nil if a pattern defines the texts
	pattern *pattern
}

// pattern is an automaton over classes of characters: class i begins with the
// character from[i] and ends before from[i+1].
type pattern struct {
	dfa      *automaton.DFA
	from     []rune
	distance []int
}

// ContentRun is a partly read content. It is a value, so a copy is a snapshot.
type ContentRun struct {
	c       *Content
	lo, hi  int // the remaining options are options[lo:hi]
	depth   int // number of bytes read
	pattern int // the automaton's state
}

// Begin returns the content before its first character.
func (c *Content) Begin() ContentRun { return ContentRun{c: c, hi: len(c.options)} }

// Step returns the content after another character, and true. If no permitted text begins with the
// characters up to this one, it returns the content unchanged, and false.
func (r ContentRun) Step(char rune) (ContentRun, bool) {
	if p := r.c.pattern; p != nil {
		class := sort.Search(len(p.from), func(i int) bool { return p.from[i] > char }) - 1
		q := p.dfa.Next(r.pattern, class)
		if p.distance[q] < 0 {
			return r, false
		}
		r.pattern = q
		return r, true
	}
	next := r
	text := string(char)
	begins := func(i int) bool {
		return strings.HasPrefix(r.c.options[i][min(r.depth, len(r.c.options[i])):], text)
	}
	for next.lo < next.hi && !begins(next.lo) {
		next.lo++
	}
	for next.hi > next.lo && !begins(next.hi-1) {
		next.hi--
	}
	if next.lo == next.hi {
		return r, false
	}
	next.depth += len(text)
	return next, true
}

// Complete reports whether the content may end here.
func (r ContentRun) Complete() bool {
	if p := r.c.pattern; p != nil {
		return p.dfa.Accepting(r.pattern)
	}
	return r.lo < r.hi && len(r.c.options[r.lo]) == r.depth // the shortest comes first
}

// Goes reports whether the content may continue here.
func (r ContentRun) Goes() bool {
	if p := r.c.pattern; p != nil {
		for class := range p.from {
			if p.distance[p.dfa.Next(r.pattern, class)] >= 0 {
				return true
			}
		}
		return false
	}
	return r.lo < r.hi && len(r.c.options[r.hi-1]) > r.depth
}

// maxForced is the maximum length of a forced text, in characters.
const maxForced = 1_000

// Forced returns the longest text that every permitted continuation begins with, up to a position
// where the content may end or has a choice.
func (r ContentRun) Forced() string {
	var b strings.Builder
	for range maxForced {
		char, ok := r.only()
		if !ok {
			break
		}
		b.WriteRune(char)
		r, _ = r.Step(char)
	}
	return b.String()
}

// only returns the one character that can come next, if there is no choice.
func (r ContentRun) only() (rune, bool) {
	if r.Complete() {
		return 0, false
	}
	p := r.c.pattern
	if p == nil {
		if r.lo == r.hi {
			return 0, false
		}
		char, _ := utf8.DecodeRuneInString(r.c.options[r.lo][r.depth:])
		next, _ := r.Step(char)
		return char, next.lo == r.lo && next.hi == r.hi
	}
	found := rune(-1)
	for class := range p.from {
		if p.distance[p.dfa.Next(r.pattern, class)] < 0 {
			continue
		}
		if found >= 0 || p.last(class) != p.from[class] {
			return 0, false
		}
		found = p.from[class]
	}
	return found, found >= 0
}

// Shortest returns a shortest text that completes the content.
func (r ContentRun) Shortest() string {
	p := r.c.pattern
	if p == nil {
		best := ""
		for i := r.lo; i < r.hi; i++ {
			if rest := r.c.options[i][r.depth:]; i == r.lo || len(rest) < len(best) {
				best = rest
			}
		}
		return best
	}
	var b strings.Builder
	for q := r.pattern; p.distance[q] > 0; {
		best, char := -1, rune(-1)
		for class := range p.from {
			to := p.dfa.Next(q, class)
			if p.distance[to] != p.distance[q]-1 {
				continue
			}
			if c := p.readable(class); best < 0 || plain(c) > plain(char) {
				best, char = to, c
			}
		}
		b.WriteRune(char)
		q = best
	}
	return b.String()
}

// last returns the last character of a class.
func (p *pattern) last(class int) rune {
	if class+1 < len(p.from) {
		return p.from[class+1] - 1
	}
	return utf8.MaxRune
}

// plain ranks a character by readability, from 3 for an ASCII letter or digit to 0 for a control
// character.
func plain(c rune) int {
	switch {
	case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return 3
	case c > ' ' && c < 0x7F:
		return 2
	case c >= ' ':
		return 1
	}
	return 0
}

// readable returns a character of a class that a person can read, if it has one.
func (p *pattern) readable(class int) rune {
	for _, r := range "0aAx" {
		if p.from[class] <= r && r <= p.last(class) {
			return r
		}
	}
	if p.from[class] >= 0xD800 && p.from[class] < 0xE000 { // surrogates are not characters
		return min(0xE000, p.last(class))
	}
	return p.from[class]
}

// Fits reports whether a text is permitted, ignoring surrounding white space.
func (c *Content) Fits(text string) bool {
	r := c.Begin()
	for _, char := range strings.TrimSpace(text) {
		var ok bool
		if r, ok = r.Step(char); !ok {
			return false
		}
	}
	return r.Complete()
}
