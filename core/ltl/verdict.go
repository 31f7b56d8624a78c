package ltl

import "github.com/stile-playground/stile/core/automaton"

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

// Verdicts returns the verdict of every state of a formula's smallest automaton.
func Verdicts(d *automaton.DFA) []Verdict {
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
