package rules

import (
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Order reports whether a rule refers to the order of calls only: to tools and the end of the run. Such
// a rule is a regular language of tools.
func (r *Rule) Order() bool {
	if r.Fault || r.Formula == nil {
		return false
	}
	data, _ := r.Data()
	return data == ""
}

// Data returns the first part of a rule without a fault that refers to more than the order of calls: to
// fields, results, errors, messages, times or numbers. It returns "" if there is none.
func (r *Rule) Data() (part string, at source.Span) {
	eachFormula(r.Formula, func(f *Formula) {
		if text, span := f.data(); text != "" && (part == "" || span.Start < at.Start) {
			part, at = text, span
		}
	})
	return part, at
}

func (f *Formula) data() (string, source.Span) {
	switch a := f.Atom; {
	case f.Window != nil:
		return "a window of time", f.Window.Span
	case f.Op == OpCompare:
		return "a comparison of values", f.Span
	case a == nil || a.Kind == "end":
	case a.Kind == "call" && len(a.Patterns) > 0:
		return "the field " + strings.Join(a.Patterns[0].Path, "."), a.Patterns[0].Span
	case a.Kind != "call":
		return a.Kind + "s", a.Span
	}
	return "", source.Span{}
}

// Automaton returns an automaton for the complete runs, as words of tool names, that a rule permits: the
// rule holds at each call and at the end of the run. [Rule.Order] must be true for the rule. letters are
// the names of the tools. The states are the truth values of the rule's temporal parts after the last
// event (Havelund and Roşu 2002), so that their number is at most exponential in the number of these
// parts; the meter bounds it.
func (r *Rule) Automaton(letters []string, m *meter.Meter) (*automaton.DFA, error) {
	p := &past{}
	p.add(r.Formula)
	first := p.start()
	numbers := map[string]int{string(first): 0}
	states := [][]byte{first}
	var next [][]int
	var accept []bool
	dead := -1
	for q := 0; q < len(states); q++ {
		row := make([]int, len(letters))
		for i, letter := range letters {
			if err := m.Step(len(p.nodes)); err != nil {
				return nil, err
			}
			after, holds := p.step(states[q], "call", letter)
			key := string(after)
			if !holds || states[q] == nil {
				after, key = nil, "-"
			}
			to, ok := numbers[key]
			if !ok {
				if err := m.Spend(meter.States, 1); err != nil {
					return nil, err
				}
				to = len(states)
				numbers[key] = to
				states = append(states, after)
				if after == nil {
					dead = to
				}
			}
			row[i] = to
		}
		next = append(next, row)
		holds := false
		if q != dead {
			_, holds = p.step(states[q], "end", "")
		}
		accept = append(accept, holds)
	}
	return automaton.NewDFA(next, accept).Minimize(m)
}

// past evaluates a formula event by event from the values of its parts at the event before.
type past struct {
	nodes []*Formula // inner ones first
	at    map[*Formula]int
}

func (p *past) add(f *Formula) {
	if p.at == nil {
		p.at = map[*Formula]int{}
	}
	for _, k := range f.Kids {
		p.add(k)
	}
	p.at[f] = len(p.nodes)
	p.nodes = append(p.nodes, f)
}

// The values of a part: false, true, and before the first event.
const (
	pastFalse = iota
	pastTrue
	pastNone
)

func (p *past) start() []byte {
	out := make([]byte, len(p.nodes))
	for i := range out {
		out[i] = pastNone
	}
	return out
}

// step returns the values at an event of those parts that the next event depends on, and whether the
// formula holds.
func (p *past) step(before []byte, kind, name string) (after []byte, holds bool) {
	if before == nil {
		return nil, false
	}
	after = make([]byte, len(p.nodes))
	truth := func(f *Formula) bool { return after[p.at[f]] == pastTrue }
	for i, f := range p.nodes {
		was := before[i] == pastTrue
		value := false
		switch f.Op {
		case OpAtom:
			value = f.Atom.Kind == kind && (f.Atom.Any || f.Atom.Name == name)
		case OpNot:
			value = !truth(f.Kids[0])
		case OpAnd:
			value = true
			for _, k := range f.Kids {
				value = value && truth(k)
			}
		case OpOr:
			value = truth(f.Kids[0]) || truth(f.Kids[1])
		case OpImplies:
			value = !truth(f.Kids[0]) || truth(f.Kids[1])
		case OpOnce:
			value = was || truth(f.Kids[0])
		case OpHistorically:
			value = before[i] != pastFalse && truth(f.Kids[0])
		case OpPrevious:
			value = before[p.at[f.Kids[0]]] == pastTrue
		case OpSince:
			value = truth(f.Kids[1]) || was && truth(f.Kids[0])
		}
		if value {
			after[i] = pastTrue
		}
	}
	return p.state(after), after[len(after)-1] == pastTrue
}

// state returns a copy of values in which those that no later event depends on are cleared.
func (p *past) state(values []byte) []byte {
	out := make([]byte, len(values))
	for i, f := range p.nodes {
		switch f.Op {
		case OpOnce, OpHistorically, OpSince:
			out[i] = values[i]
		case OpPrevious:
			at := p.at[f.Kids[0]]
			out[at] = values[at]
		}
	}
	return out
}
