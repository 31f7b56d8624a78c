package export

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// maxPatternRules limits the rules of one regular expression.
const maxPatternRules = 500

// Expand replaces regular expressions with rules of characters, for notations without
// regular expressions. The error has code "export.pattern" for an unsupported expression.
func (r Rules) Expand(m *meter.Meter) (Rules, error) {
	out := Rules{List: append([]Rule{}, r.List...)}
	made := map[Part]int{}
	for i, rule := range r.List {
		var alternatives [][]Part
		for _, parts := range rule.Alternatives {
			copied := append([]Part{}, parts...)
			for k, p := range copied {
				if p.Pattern == "" {
					continue
				}
				at, ok := made[p]
				if !ok {
					var err error
					if at, err = out.addPattern(p, m); err != nil {
						return Rules{}, err
					}
					made[p] = at
				}
				copied[k] = Part{Rule: at}
			}
			alternatives = append(alternatives, copied)
		}
		out.List[i].Alternatives = alternatives
	}
	return out, nil
}

// addPattern adds the rules of a regular expression and returns the first.
func (r *Rules) addPattern(p Part, m *meter.Meter) (int, error) {
	refuse := func(reason string) error {
		return source.NewError("export.pattern", fmt.Sprintf("the regular expression /%s/%s cannot be written as rules: %s", p.Pattern, p.Flags, reason))
	}
	pattern := p.Pattern
	fold := false
	for _, flag := range p.Flags {
		switch flag {
		case 'i':
			fold = true
		case 's':
			pattern = dotAll(pattern)
		case 'u': // the default
		default:
			return 0, refuse(fmt.Sprintf("flag %q is not supported", flag))
		}
	}
	c, err := agent.PatternAutomaton(pattern, m)
	if err != nil {
		return 0, refuse(err.Error())
	}
	if c.DFA.NumStates() > maxPatternRules {
		return 0, refuse(fmt.Sprintf("it takes more than %d rules", maxPatternRules))
	}
	return r.addCharacters("pattern", c, fold), nil
}

// dotAll replaces the dots of an expression, which exclude line breaks, with classes of all
// characters.
func dotAll(pattern string) string {
	var b strings.Builder
	inClass := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '.' && !inClass:
			b.WriteString(`[\s\S]`)
			continue
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

// addCharacters adds rules for an automaton over characters, one for each live state, and
// returns that of the start.
func (r *Rules) addCharacters(name string, c agent.Characters, fold bool) int {
	first := len(r.List)
	distance := c.DFA.Distances()
	number := map[int]int{}
	var states []int
	rule := func(q int) int {
		n, ok := number[q]
		if !ok {
			n = len(r.List)
			number[q] = n
			states = append(states, q)
			label := name
			if n > first {
				label = fmt.Sprintf("%s-%d", name, q)
			}
			r.List = append(r.List, Rule{Name: label})
		}
		return n
	}
	rule(c.DFA.Start())
	for i := 0; i < len(states); i++ {
		q := states[i]
		var alternatives [][]Part
		if c.DFA.Accepting(q) {
			alternatives = append(alternatives, nil)
		}
		classes := map[int]*Class{}
		var targets []int
		for letter := range c.From {
			to := c.DFA.Next(q, letter)
			ranges := letterRanges(c.From, letter, fold)
			if distance[to] < 0 || len(ranges) == 0 {
				continue
			}
			if classes[to] == nil {
				classes[to] = &Class{}
				targets = append(targets, to)
			}
			classes[to].Ranges = append(classes[to].Ranges, ranges...)
		}
		for _, to := range targets {
			alternatives = append(alternatives, []Part{classes[to].part(), {Rule: rule(to)}})
		}
		if len(alternatives) == 0 { // the empty language: a rule that derives no text
			alternatives = [][]Part{{{Rule: number[q]}}}
		}
		r.List[number[q]].Alternatives = alternatives
	}
	return first
}

// letterRanges returns the characters of a letter, without surrogates.
func letterRanges(from []rune, letter int, fold bool) []Range {
	last := rune(utf8.MaxRune)
	if letter+1 < len(from) {
		last = from[letter+1] - 1
	}
	var out []Range
	for _, i := range []Range{{from[letter], min(last, 0xD7FF)}, {max(from[letter], 0xE000), last}} {
		if i.First > i.Last {
			continue
		}
		if fold {
			out = append(out, folded(i)...)
		} else {
			out = append(out, i)
		}
	}
	return out
}

// part returns the class as a part, with its ranges or their complement, whichever is
// shorter. One character is a text.
func (c *Class) part() Part {
	ranges := merged(c.Ranges)
	if len(ranges) == 1 && ranges[0].First == ranges[0].Last {
		return Part{Text: string(ranges[0].First)}
	}
	if n := len(ranges); n > 0 && ranges[n-1].Last == utf8.MaxRune {
		var others []Range
		next := rune(0)
		for _, i := range ranges {
			if i.First > next {
				others = append(others, Range{next, i.First - 1})
			}
			next = i.Last + 1
		}
		return Part{Class: &Class{Not: true, Ranges: others}}
	}
	return Part{Class: &Class{Ranges: ranges}}
}

// merged returns sorted ranges with adjacent ones joined. Surrogates do not separate ranges.
func merged(list []Range) []Range {
	sorted := append([]Range{}, list...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].First < sorted[j].First })
	var out []Range
	for _, i := range sorted {
		if n := len(out); n > 0 && (i.First <= out[n-1].Last+1 || out[n-1].Last == 0xD7FF && i.First == 0xE000) {
			out[n-1].Last = max(out[n-1].Last, i.Last)
			continue
		}
		out = append(out, i)
	}
	return out
}
