package learn

import (
	"slices"

	"github.com/stile-playground/stile/core/grammar"
)

// Features are what a policy knows when it chooses: what the task says, and what was
// chosen before. None of them counts what is still to come, so that a policy without
// the automaton has to learn itself when a plan is whole, as a language model has to.
//
//	always               holds at every choice
//	gives i              the task gives the input i
//	gives i grey         … which is marked grey
//	wants caption        the result is to be marked so, or to be of such a type
//	without grey         the result is not to be marked so
//	after a1, at first   the letter before, or that there is none
//	has a1               the letter was chosen before
//	at 3                 so many letters were chosen; 8 stands for all that are more
type Features struct {
	names []string
	known map[string]int
}

// longestCounted is how many letters the features tell apart.
const longestCounted = 8

// Names are the features' names, in their order.
func (f *Features) Names() []string { return slices.Clone(f.names) }

// number returns a feature's number; a name that is new gets the next.
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

// ofTask returns the features that hold at every choice of a task.
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

// follows calls f with each pair of terminals that may stand side by side in a word that
// the grammar's rules allow, limits aside; before is -1 at a word's beginning, and after
// at its end.
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
