package learn

import (
	"slices"

	"github.com/stile-playground/stile/core/grammar"
)

// Features are the inputs of a policy: properties of the task and of the earlier
// choices. No feature depends on the steps that remain, so that a policy without the
// automaton has to learn when a plan is complete, as a language model has to.
//
//	always               every choice
//	gives i              the task has the input i
//	gives i grey         … with the mark grey
//	wants caption        the mark or type that the result must have
//	without grey         the mark that the result must not have
//	after a1, at first   the preceding letter, or none
//	has a1               the letter was chosen before
//	at 3                 the number of letters chosen, at most 8
type Features struct {
	names []string
	known map[string]int
}

// longestCounted is the greatest number of chosen letters that has a feature.
const longestCounted = 8

// number returns the number of a feature. A new name gets the next number.
func (f *Features) number(name string) int {
	if n, ok := f.known[name]; ok {
		return n
	}
	if f.known == nil {
		f.known = map[string]int{}
	}
	n := len(f.names)
	f.names, f.known[name] = append(f.names, name), n
	return n
}

// ofTask returns the features of a task, which hold at every choice.
func (f *Features) ofTask(t Task) []int {
	out := []int{f.number("always")}
	add := func(name string) {
		if n := f.number(name); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for _, symbol := range t.Given {
		add("gives " + symbol)
		for _, mark := range t.Inputs[symbol].Marks {
			add("gives " + symbol + " " + mark)
		}
	}
	add("wants " + t.Goal.Type)
	for _, mark := range t.Goal.Marks {
		add("wants " + mark)
	}
	for _, mark := range t.Goal.Without {
		add("without " + mark)
	}
	return out
}

// follows calls f with each pair of adjacent terminals in the words of the grammar,
// regardless of limits. before is -1 at the beginning of a word, after at its end.
func follows(g *grammar.Grammar, f func(before, after grammar.Symbol)) {
	look := g.Lookahead()
	for _, t := range look.First[g.Start] {
		f(-1, t)
	}
	if look.Nullable[g.Start] {
		f(-1, -1)
	}
	for _, p := range g.Productions {
		for i, s := range p.Right {
			if !g.IsTerminal(s) {
				continue
			}
			rest := p.Right[i+1:]
			for len(rest) > 0 {
				for _, t := range look.First[rest[0]] {
					f(s, t)
				}
				if !look.Nullable[rest[0]] {
					break
				}
				rest = rest[1:]
			}
			if len(rest) > 0 {
				continue
			}
			for _, t := range look.Follow[p.Left] {
				f(s, t)
			}
			if look.AtEnd[p.Left] {
				f(s, -1)
			}
		}
	}
}
