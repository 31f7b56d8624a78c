package agent

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// expression is a parsed pattern. A pattern uses the common notation, and has
// to match the complete content:
//
//	a \. \n        a character       .  any but a line break
//	[a-z_] [^,]    a class           \d \w \s  a digit, a letter, digit or _, a space
//	x y, x | y     one after the other, one or the other; (x) groups
//	x* x+ x?       any number, one or more, one or none
//	x{2} x{2,} x{2,5}
//
// White space at the ends of a content is ignored. There are no lookaround assertions or back
// references, so the first character at which a text can no longer match is known. ^ at the
// beginning and $ at the end have no effect.
type expression struct {
	op       byte // one of the op constants
	of       []expression
	class    []interval
	min, max int // of opRepeat; max < 0: any number
}

const (
	opClass byte = iota
	opSequence
	opEither
	opRepeat
)

// interval is a range of characters, inclusive at both ends.
type interval struct{ first, last rune }

// Limits of a pattern.
const (
	maxRepeat       = 1_000
	maxPatternDepth = 100
)

type patternParser struct {
	text  string
	at    int
	depth int
}

// patternFault is a fault of a pattern and its position.
type patternFault struct {
	at      int
	message string
}

func parsePattern(text string) (e *expression, fault *patternFault) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(patternFault)
			if !ok {
				panic(r)
			}
			e, fault = nil, &f
		}
	}()
	p := &patternParser{text: text}
	p.mark('^')
	out := p.either()
	if p.mark('$'); p.at < len(text) {
		p.fail("unmatched )")
	}
	return &out, nil
}

// fail panics with a fault; parsePattern recovers it.
func (p *patternParser) fail(format string, of ...any) {
	panic(patternFault{min(p.at, len(p.text)), fmt.Sprintf(format, of...)})
}

func (p *patternParser) mark(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *patternParser) either() expression {
	if p.depth++; p.depth > maxPatternDepth {
		p.fail("the pattern is nested too deeply")
	}
	e := expression{op: opEither}
	for {
		e.of = append(e.of, p.sequence())
		if !p.mark('|') {
			break
		}
	}
	p.depth--
	if len(e.of) == 1 {
		return e.of[0]
	}
	return e
}

func (p *patternParser) sequence() expression {
	e := expression{op: opSequence}
	for p.at < len(p.text) && p.text[p.at] != '|' && p.text[p.at] != ')' {
		if p.text[p.at] == '$' && p.at == len(p.text)-1 {
			break
		}
		e.of = append(e.of, p.repeated())
	}
	return e
}

func (p *patternParser) repeated() expression {
	e := p.atom()
	if p.at == len(p.text) {
		return e
	}
	least, most := 0, -1
	switch p.text[p.at] {
	case '*':
	case '+':
		least = 1
	case '?':
		most = 1
	case '{':
		least, most = p.bounds()
	default:
		return e
	}
	p.at++
	p.mark('?') // a lazy repetition matches the same texts
	if p.at < len(p.text) && strings.IndexByte("*+?{", p.text[p.at]) >= 0 {
		p.fail("%q cannot follow another repetition; add parentheses", p.text[p.at])
	}
	return expression{op: opRepeat, of: []expression{e}, min: least, max: most}
}

// bounds reads {2}, {2,} or {2,5} up to its last brace.
func (p *patternParser) bounds() (least, most int) {
	inner, _, closed := strings.Cut(p.text[p.at+1:], "}")
	low, high, comma := strings.Cut(inner, ",")
	least, err := strconv.Atoi(low)
	most = least
	if comma && high == "" {
		most = -1
	} else if comma && err == nil {
		most, err = strconv.Atoi(high)
	}
	if !closed || err != nil || least < 0 || most >= 0 && most < least || max(least, most) > maxRepeat {
		p.fail("invalid repetition; write {2}, {2,} or {2,5} up to %d, or \\{", maxRepeat)
	}
	p.at += 1 + len(inner)
	return least, most
}

func (p *patternParser) atom() expression {
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	switch c {
	case '(':
		p.at++
		if rest, ok := strings.CutPrefix(p.text[p.at:], "?"); ok {
			if !strings.HasPrefix(rest, ":") {
				p.fail("unsupported group; only (?: is supported, not lookahead or lookbehind")
			}
			p.at += 2
		}
		e := p.either()
		if !p.mark(')') {
			p.fail("missing )")
		}
		return e
	case '[':
		p.at++
		return p.class()
	case '*', '+', '?', '{':
		p.fail("nothing to repeat before %q; write \\%c for the character", c, c)
	case '^', '$':
		p.fail("%q is only allowed at an end of the pattern; write \\%c for the character", c, c)
	case '.':
		p.at++
		return expression{op: opClass, class: []interval{{0, '\n' - 1}, {'\n' + 1, utf8.MaxRune}}}
	case '\\':
		return expression{op: opClass, class: p.escape()}
	}
	p.at += size
	return expression{op: opClass, class: []interval{{c, c}}}
}

var (
	digits = []interval{{'0', '9'}}
	words  = []interval{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	spaces = []interval{{'\t', '\n'}, {'\r', '\r'}, {' ', ' '}}
)

func (p *patternParser) escape() []interval {
	p.at++
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	if size == 0 {
		p.fail("missing character after \\")
	}
	p.at += size
	switch c {
	case 'd':
		return digits
	case 'D':
		return complement(digits)
	case 'w':
		return words
	case 'W':
		return complement(words)
	case 's':
		return spaces
	case 'S':
		return complement(spaces)
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	default:
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			p.at -= size
			p.fail("unknown escape \\%c (expected \\d \\w \\s \\n, or \\ before punctuation)", c)
		}
	}
	return []interval{{c, c}}
}

func (p *patternParser) class() expression {
	not := p.mark('^')
	var list []interval
	for first := true; ; first = false {
		if p.at >= len(p.text) {
			p.fail("missing ]")
		}
		if p.text[p.at] == ']' && !first {
			p.at++
			break
		}
		low := p.member()
		if len(low) == 1 && low[0].first == low[0].last && strings.HasPrefix(p.text[p.at:], "-") && !strings.HasPrefix(p.text[p.at:], "-]") {
			p.at++
			if p.at >= len(p.text) {
				p.fail("missing ]")
			}
			high := p.member()
			if len(high) != 1 || high[0].first != high[0].last || high[0].first < low[0].first {
				p.fail("invalid range; write it in ascending order, such as a-z")
			}
			low = []interval{{low[0].first, high[0].last}}
		}
		list = append(list, low...)
	}
	if not {
		list = complement(list)
	}
	return expression{op: opClass, class: list}
}

// member reads a character of a class.
func (p *patternParser) member() []interval {
	if p.text[p.at] == '\\' {
		return p.escape()
	}
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return []interval{{c, c}}
}

// complement returns the intervals of the characters outside a list of intervals.
func complement(list []interval) []interval {
	sorted := append([]interval{}, list...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].first < sorted[j].first })
	out := []interval{}
	next := rune(0)
	for _, i := range sorted {
		if i.first > next {
			out = append(out, interval{next, i.first - 1})
		}
		next = max(next, i.last+1)
	}
	if next <= utf8.MaxRune {
		out = append(out, interval{next, utf8.MaxRune})
	}
	return out
}

// automaton returns the automaton of the pattern. Its letters are the fewest classes of characters
// from which the classes of the pattern, and white space, can be composed.
func (e *expression) automaton(m *meter.Meter) (*automaton.DFA, *pattern, error) {
	p := &pattern{from: []rune{0}}
	bounds := []rune{'\t', '\n' + 1, '\r', '\r' + 1, ' ', ' ' + 1}
	e.collect(&bounds)
	sort.Slice(bounds, func(i, j int) bool { return bounds[i] < bounds[j] })
	for _, b := range bounds {
		if b <= utf8.MaxRune && b > p.from[len(p.from)-1] {
			p.from = append(p.from, b)
		}
	}
	b := patternBuilder{p: p, nfa: &automaton.NFA{Letters: len(p.from)}, m: m}
	start := b.nfa.State()
	end, err := b.add(e, start)
	if err != nil {
		return nil, nil, err
	}
	b.nfa.Accept(end)
	d, err := b.nfa.Determinize(start, m)
	return d, p, err
}

// compile returns the pattern's smallest automaton.
func (e *expression) compile(m *meter.Meter) (*pattern, error) {
	d, p, err := e.automaton(m)
	if err != nil {
		return nil, err
	}
	// Surrounding white space is not part of a content.
	trimmed := make([][]int, 4)
	for class := range p.from {
		after := []int{1, 1, 1, 3}
		if strings.ContainsRune(" \t\r\n", p.from[class]) {
			after = []int{3, 2, 2, 3}
		}
		for q := range trimmed {
			trimmed[q] = append(trimmed[q], after[q])
		}
	}
	both := func(a, b bool) bool { return a && b }
	if d, err = automaton.Product(d, automaton.NewDFA(trimmed, []bool{true, true, false, false}), both, m); err != nil {
		return nil, err
	}
	if p.dfa, err = d.Minimize(m); err != nil {
		return nil, err
	}
	p.distance = p.dfa.Distances()
	return p, nil
}

// collect appends the bounds of each interval in the pattern: its first character, and the one
// after its last.
func (e *expression) collect(bounds *[]rune) {
	for _, i := range e.class {
		*bounds = append(*bounds, i.first, i.last+1)
	}
	for i := range e.of {
		e.of[i].collect(bounds)
	}
}

type patternBuilder struct {
	p   *pattern
	nfa *automaton.NFA
	m   *meter.Meter
}

// add adds the automaton of an expression (Thompson 1968) and returns its final state. The
// automaton begins in start, and never enters this state again.
func (b *patternBuilder) add(e *expression, start int) (int, error) {
	if err := b.m.Spend(meter.States, 1); err != nil {
		return 0, err
	}
	end := start
	var err error
	switch e.op {
	case opClass:
		end = b.nfa.State()
		for class, from := range b.p.from {
			for _, i := range e.class {
				if i.first <= from && from <= i.last {
					b.nfa.Edge(start, class, end)
					break
				}
			}
		}
	case opSequence:
		for i := range e.of {
			if end, err = b.add(&e.of[i], end); err != nil {
				return 0, err
			}
		}
	case opEither:
		end = b.nfa.State()
		for i := range e.of {
			begin := b.nfa.State()
			b.nfa.Free(start, begin)
			inner, err := b.add(&e.of[i], begin)
			if err != nil {
				return 0, err
			}
			b.nfa.Free(inner, end)
		}
	case opRepeat:
		return b.repeat(e, start)
	}
	return end, nil
}

func (b *patternBuilder) repeat(e *expression, start int) (int, error) {
	after := b.nfa.State()
	for i := 0; i < e.max || e.max < 0 && i <= e.min; i++ {
		if i >= e.min {
			b.nfa.Free(start, after)
		}
		again := b.nfa.State()
		b.nfa.Free(start, again)
		end, err := b.add(&e.of[0], again)
		if err != nil {
			return 0, err
		}
		start = end
		if e.max < 0 && i == e.min {
			b.nfa.Free(end, again)
		}
	}
	b.nfa.Free(start, after)
	return after, nil
}
