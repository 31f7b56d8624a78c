package ltl

import (
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// Automaton is an automaton over the steps of traces.
type Automaton struct {
	*automaton.Symbolic
	Alphabet *Alphabet

	names     []string // of the variables: propositions as the formula has them, then the others
	mentioned int      // how many the formula has
	variables map[string]int
}

// automaton returns the automaton of a formula but for the automaton: its
// variables are asked for in the order in which the formula speaks of them, which
// keeps together what belongs together.
func (a *Alphabet) automaton(f *Formula) *Automaton {
	out := &Automaton{Alphabet: a, variables: map[string]int{}}
	add := func(name string) {
		_, have := a.index[name]
		if _, known := out.variables[name]; have && !known {
			out.variables[name] = len(out.names)
			out.names = append(out.names, name)
		}
	}
	f.eachProp(add)
	out.mentioned = len(out.names)
	for _, p := range a.Props {
		add(p)
	}
	return out
}

// letters returns the alphabet of the symbolic automaton.
func (d *Automaton) letters() automaton.Letters {
	return automaton.Letters{
		Variables: len(d.names),
		Exclusive: d.Alphabet.Letters == OneHot,
		Closed:    d.mentioned == len(d.names),
	}
}

// Name returns the proposition of a variable of the symbolic automaton.
func (d *Automaton) Name(variable int) string { return d.names[variable] }

// Names returns the propositions of all variables, in their order.
func (d *Automaton) Names() []string { return slices.Clone(d.names) }

// Step returns where a state goes with a step: the propositions that hold. The
// error says what the alphabet does not allow.
func (d *Automaton) Step(state int, step []string) (int, error) {
	if err := d.Alphabet.Check(step); err != nil {
		return 0, err
	}
	return d.Next(state, func(v int) bool { return slices.Contains(step, d.names[v]) }), nil
}

// Explicit returns the automaton with a row for each state. In a one-hot alphabet
// the letter i is the i-th proposition; in a powerset alphabet the letter's bit i
// says whether the i-th proposition holds. The error has code "limit.letters"
// above [MaxPowerset] propositions of the latter.
func (d *Automaton) Explicit() (*automaton.DFA, error) {
	n, err := d.Alphabet.Len()
	if err != nil {
		return nil, err
	}
	place := make([]int, len(d.names)) // by variable: the proposition's index
	for v, name := range d.names {
		place[v] = slices.Index(d.Alphabet.Props, name)
	}
	return d.Symbolic.Explicit(n, func(letter, variable int) bool {
		return d.Alphabet.holds(letter, place[variable])
	})
}

// Constant reports whether the formula holds on every trace, or on none.
func (d *Automaton) Constant() (holds, constant bool) {
	switch d.NumStates() {
	case 1:
		return false, true // the empty trace is rejected
	case 2:
	default:
		return true, false
	}
	next, ok := d.Transitions(d.Start(), nil)
	return true, ok && len(next) == 1 && d.Accepting(next[0].To)
}

// Guard is where a state leads and with what steps: those on which a formula
// without temporal operators holds.
type Guard struct {
	To      int
	Formula *Formula
}

// Guards returns where a state leads, and how many conjunctions the formulas have
// together: -1 for too many to write, or for more than the meter holds.
func (d *Automaton) Guards(state int, m *meter.Meter) (guards []Guard, cubes int) {
	transitions, ok := d.Transitions(state, m)
	if !ok {
		return nil, -1
	}
	for _, t := range transitions {
		cubes += len(t.Guard)
		guards = append(guards, Guard{To: t.To, Formula: d.guard(t.Guard)})
	}
	return guards, cubes
}

func (d *Automaton) guard(cubes []automaton.Cube) *Formula {
	var or *Formula
	for i := len(cubes) - 1; i >= 0; i-- {
		var and *Formula
		for j := len(cubes[i]) - 1; j >= 0; j-- {
			literal := NewProp(d.names[cubes[i][j].Variable])
			if cubes[i][j].Negated {
				literal = New(Not, literal)
			}
			and = joined(And, literal, and)
		}
		if and == nil {
			and = New(True)
		}
		or = joined(Or, and, or)
	}
	return or
}

func joined(op Op, f, rest *Formula) *Formula {
	if rest == nil {
		return f
	}
	return New(op, f, rest)
}

// Trace writes a word of the symbolic automaton as a trace: for each step the
// propositions that hold, sorted.
func (d *Automaton) Trace(word [][]int) [][]string {
	out := make([][]string, len(word))
	for i, letter := range word {
		out[i] = []string{}
		for _, v := range letter {
			out[i] = append(out[i], d.names[v])
		}
		if len(letter) == 0 && d.Alphabet.Letters == OneHot {
			// Any proposition that the formula does not speak of.
			out[i] = append(out[i], d.names[len(d.names)-1])
		}
		sort.Slice(out[i], func(a, b int) bool { return out[i][a] < out[i][b] })
	}
	return out
}

// Verdict is what can be said of a formula after a part of a trace (RV-LTL:
// Bauer, Leucker and Schallhart 2010, read for finite traces).
type Verdict string

// The verdicts.
const (
	Satisfied          Verdict = "satisfied"           // it holds, however the trace goes on
	Violated           Verdict = "violated"            // it does not hold, however the trace goes on
	CurrentlySatisfied Verdict = "currently-satisfied" // it holds if the trace ends here
	CurrentlyViolated  Verdict = "currently-violated"  // it does not hold if the trace ends here
)

// Verdicts returns the verdict of every state.
func (d *Automaton) Verdicts() []Verdict {
	good, bad := d.Distances(), d.Complement().Distances()
	out := make([]Verdict, d.NumStates())
	for s := range out {
		switch {
		case bad[s] < 0:
			out[s] = Satisfied
		case good[s] < 0:
			out[s] = Violated
		case d.Accepting(s):
			out[s] = CurrentlySatisfied
		default:
			out[s] = CurrentlyViolated
		}
	}
	return out
}
