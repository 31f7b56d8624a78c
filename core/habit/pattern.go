package habit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pattern is a regular expression with a part of Go's syntax: characters, escapes with \, the
// classes . \w \s \S \d \b and [a-z], groups (x) and (?:x), alternatives, and * + ? with their lazy
// forms. ^ and $ match at the ends of lines; . does not match a line break. It needs a few hundred
// lines less than package regexp.
type Pattern struct {
	root   *node
	groups int
	first  []*node // classes of the first character of a match; nil: a match may be empty
}

type node struct {
	op    byte // 'c' a class, 's' a sequence, '|' alternatives, '*' a repetition, '(' a group, or one of "b^$"
	of    []*node
	set   []rune // of a class: pairs of bounds
	not   bool
	least int // of a repetition
	most  int
	lazy  bool
	group int
}

// NewPattern reads a pattern of a table. An invalid pattern is a programming error.
func NewPattern(text string) *Pattern {
	p := &reader{text: text}
	root := p.either()
	out := &Pattern{root: root, groups: p.groups}
	if first, some := root.first(); some {
		out.first = first
	}
	return out
}

// first returns the classes of the first character of a match, and whether every match has a character.
func (n *node) first() (classes []*node, some bool) {
	switch n.op {
	case 'c':
		return []*node{n}, true
	case '|':
		some = true
		for _, o := range n.of {
			of, has := o.first()
			classes, some = append(classes, of...), some && has
		}
		return classes, some
	case 's', '*', '(':
		for _, o := range n.of {
			of, has := o.first()
			if classes = append(classes, of...); has {
				return classes, n.op != '*' || n.least > 0
			}
		}
	}
	return classes, false // "b", "^" and "$" have no character
}

// begins reports whether a match may begin with the character at a position.
func (p *Pattern) begins(text string, at int) bool {
	if p.first == nil {
		return true
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	for _, class := range p.first {
		if size > 0 && class.contains(r) {
			return true
		}
	}
	return false
}

// Match returns the submatches of a pattern at the beginning of a text, or nil.
func Match(pattern, text string) []string {
	at := NewPattern(pattern).at(text, 0)
	if at == nil {
		return nil
	}
	out := make([]string, len(at)/2)
	for i := range out {
		if at[2*i] >= 0 {
			out[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	return out
}

// Find returns the bounds of the first match from a position on, followed by the bounds of its
// groups, which are -1 for a group that is not part of the match. Without a match it returns nil.
func (p *Pattern) Find(text string, from int) []int {
	for i := from; i <= len(text); i++ {
		if i < len(text) && !utf8.RuneStart(text[i]) {
			continue
		}
		if !p.begins(text, i) {
			continue
		}
		if at := p.at(text, i); at != nil {
			return at
		}
	}
	return nil
}

// maxSteps bounds the work of one attempt, because repetitions in repetitions can backtrack
// exponentially.
const maxSteps = 20_000

// maxNesting is the maximum number of repetitions that are open at the same time. Each of them is a
// call, and a browser's stack holds some thousand. A text that needs more has no match.
const maxNesting = 800

func (p *Pattern) at(text string, start int) []int {
	m := &matcher{text: text, groups: make([]int, 2*p.groups+2), steps: maxSteps}
	for i := range m.groups {
		m.groups[i] = -1
	}
	found := m.match(p.root, start, func(end int) bool { m.groups[0], m.groups[1] = start, end; return true })
	if !found || m.steps <= 0 {
		return nil
	}
	return m.groups
}

type matcher struct {
	text    string
	groups  []int
	steps   int
	nesting int // of calls of repeat
}

// match calls then with each end of a match until it returns true.
func (m *matcher) match(n *node, i int, then func(int) bool) bool {
	if m.steps--; m.steps < 0 {
		return false
	}
	switch n.op {
	case 'c':
		r, size := utf8.DecodeRuneInString(m.text[i:])
		return size > 0 && n.contains(r) && then(i+size)
	case 's':
		return m.sequence(n.of, i, then)
	case '|':
		for _, o := range n.of {
			if m.match(o, i, then) {
				return true
			}
		}
		return false
	case '*':
		return m.repeat(n, 0, i, -1, then)
	case '(':
		old := [2]int{m.groups[2*n.group], m.groups[2*n.group+1]}
		if m.match(n.of[0], i, func(end int) bool {
			m.groups[2*n.group], m.groups[2*n.group+1] = i, end
			return then(end)
		}) {
			return true
		}
		m.groups[2*n.group], m.groups[2*n.group+1] = old[0], old[1]
		return false
	case '^':
		return (i == 0 || m.text[i-1] == '\n') && then(i)
	case '$':
		return (i == len(m.text) || m.text[i] == '\n') && then(i)
	default:
		before, _ := utf8.DecodeLastRuneInString(m.text[:i])
		after, _ := utf8.DecodeRuneInString(m.text[i:])
		return isWord(before) != isWord(after) && then(i)
	}
}

func (m *matcher) sequence(of []*node, i int, then func(int) bool) bool {
	if len(of) == 0 {
		return then(i)
	}
	return m.match(of[0], i, func(end int) bool { return m.sequence(of[1:], end, then) })
}

func (m *matcher) repeat(n *node, count, i, last int, then func(int) bool) bool {
	if m.nesting++; m.nesting > maxNesting {
		m.steps = 0
		return false
	}
	defer func() { m.nesting-- }()
	more := func() bool {
		return count < n.most && i != last && m.match(n.of[0], i, func(end int) bool { return m.repeat(n, count+1, end, i, then) })
	}
	switch {
	case count < n.least:
		return more()
	case n.lazy:
		return then(i) || more()
	}
	return more() || then(i)
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) && r != utf8.RuneError || unicode.IsDigit(r)
}

// Classes that are written with a letter are private characters in a set.
const (
	anyWord = utf8.MaxRune + 1 + iota
	anySpace
	anyDigit
	anyButSpace
)

func (n *node) contains(r rune) bool {
	for i := 0; i < len(n.set); i += 2 {
		is := false
		switch n.set[i] {
		case anyWord:
			is = isWord(r)
		case anySpace:
			is = unicode.IsSpace(r)
		case anyDigit:
			is = r >= '0' && r <= '9'
		case anyButSpace:
			is = !unicode.IsSpace(r)
		default:
			is = n.set[i] <= r && r <= n.set[i+1]
		}
		if is {
			return !n.not
		}
	}
	return n.not
}

type reader struct {
	text   string
	at     int
	groups int
}

func (p *reader) more() bool { return p.at < len(p.text) }

func (p *reader) mark(c byte) bool {
	if p.more() && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *reader) either() *node {
	out := &node{op: '|'}
	for {
		n := &node{op: 's'}
		for p.more() && p.text[p.at] != '|' && p.text[p.at] != ')' {
			n.of = append(n.of, p.repeated())
		}
		out.of = append(out.of, n)
		if !p.mark('|') {
			return out
		}
	}
}

func (p *reader) repeated() *node {
	n := p.atom()
	for {
		r := &node{op: '*', of: []*node{n}, most: 1 << 30}
		switch {
		case p.mark('*'):
		case p.mark('+'):
			r.least = 1
		case p.mark('?'):
			r.most = 1
		default:
			return n
		}
		r.lazy = p.mark('?')
		n = r
	}
}

func (p *reader) atom() *node {
	switch {
	case p.mark('('):
		group := 0
		if strings.HasPrefix(p.text[p.at:], "?:") {
			p.at += 2
		} else {
			p.groups++
			group = p.groups
		}
		n := p.either()
		p.at++
		if group > 0 {
			n = &node{op: '(', of: []*node{n}, group: group}
		}
		return n
	case p.mark('['):
		n := &node{op: 'c', not: p.mark('^')}
		for first := true; first || !p.mark(']'); first = false {
			low := p.character()
			high := low
			if p.at+1 < len(p.text) && p.text[p.at] == '-' && p.text[p.at+1] != ']' {
				p.at++
				high = p.character()
			}
			n.set = append(n.set, low, high)
		}
		return n
	case p.mark('.'):
		return &node{op: 'c', not: true, set: []rune{'\n', '\n'}}
	case p.mark('^'):
		return &node{op: '^'}
	case p.mark('$'):
		return &node{op: '$'}
	case strings.HasPrefix(p.text[p.at:], `\b`):
		p.at += 2
		return &node{op: 'b'}
	}
	c := p.character()
	return &node{op: 'c', set: []rune{c, c}}
}

func (p *reader) character() rune {
	escaped := p.mark('\\')
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	if escaped {
		switch r {
		case 'w':
			return anyWord
		case 's':
			return anySpace
		case 'S':
			return anyButSpace
		case 'd':
			return anyDigit
		case 'n':
			return '\n'
		case 't':
			return '\t'
		}
	}
	return r
}
