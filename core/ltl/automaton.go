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

	names     []string // by variable: propositions in the order of the formula, then the others
	mentioned int      // number of propositions in the formula
	variables map[string]int
}

// automaton returns an Automaton for a formula, without its Symbolic. Variables have the
// order in which the formula mentions them, so related ones are close and diagrams small.
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

// OfDFA returns an automaton whose start is state 0 as one over steps. Each letter but the last is a
// proposition of the alphabet, the first of those that hold at a step; the last letter is a step at
// which none of them holds, and the last proposition of a one-hot alphabet.
func OfDFA(d *automaton.DFA, alphabet *Alphabet) *Automaton {
	out := &Automaton{Alphabet: alphabet, names: alphabet.Props, mentioned: d.NumLetters() - 1, variables: alphabet.index}
	variables := make([]int, out.mentioned)
	for i := range variables {
		variables[i] = i
	}
	out.Symbolic = d.Symbolic(out.letters(), variables)
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

// Step returns the successor of a state for a step, given as the propositions that hold.
// The error is that of [Alphabet.Check].
func (d *Automaton) Step(state int, step []string) (int, error) {
	if err := d.Alphabet.Check(step); err != nil {
		return 0, err
	}
	return d.Next(state, func(v int) bool { return slices.Contains(step, d.names[v]) }), nil
}

// Explicit returns the automaton with a row for each state. In a one-hot alphabet
// the letter i is the i-th proposition; in a powerset alphabet the letter's bit i is set
// if the i-th proposition holds. The error has code "limit.letters" for a powerset
// alphabet of more than [MaxPowerset] propositions.
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

// Guard is a transition to a state on all steps that satisfy a formula without temporal
// operators.
type Guard struct {
	To      int
	Formula *Formula
}

// Guards returns the transitions of a state and the total number of conjunctions in their
// formulas: -1 if there are more than [automaton.MaxCubes] or a limit of the meter was
// reached.
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
			// Any proposition that the formula does not mention.
			out[i] = append(out[i], d.names[len(d.names)-1])
		}
		sort.Slice(out[i], func(a, b int) bool { return out[i][a] < out[i][b] })
	}
	return out
}

// Verdict is the verdict on a formula after a prefix of a trace (RV-LTL: Bauer, Leucker
// and Schallhart 2010, for finite traces).
type Verdict string

// The verdicts.
const (
	Satisfied          Verdict = "satisfied"           // it holds on every continuation
	Violated           Verdict = "violated"            // it holds on no continuation
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
