package ltl

import (
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// constructions holds the code that uses the constructions other than products and
// progression. The translator calls it through this table only, so the linker leaves it
// out of the core module, which uses [TranslatePlain].
type constructions struct {
	connective func(t *translator, f *Formula) (*automaton.Symbolic, error) // a boolean connective at the top
	temporal   func(t *translator, f *Formula) (*automaton.Symbolic, error) // a temporal operator at the top
	backward   func(t *translator, f *Formula) (*automaton.Symbolic, error) // no connective at the top, read backward
}

func allConstructions() *constructions {
	return &constructions{(*translator).raceConnective, (*translator).raceTemporal, (*translator).recur}
}

// Steps of a construction before another one is tried; when all fail, each gets four
// times as many. Chosen by the times of random formulas: most products succeed within
// some hundred thousand steps.
const (
	progressSteps = 1 << 14 // of progression alone, before arguments are translated
	temporalSteps = 1 << 18
	productSteps  = 1 << 19
)

// construction translates a formula to its smallest automaton.
type construction func(f *Formula) (*automaton.Symbolic, error)

// race returns the automaton of the first construction that succeeds within its budget of
// steps, which grows from round to round.
func (t *translator) race(f *Formula, steps int64, list ...construction) (d *automaton.Symbolic, err error) {
	for ; ; steps *= 4 {
		for _, translate := range list {
			enough, err := t.m.Within(steps, func(m *meter.Meter) error {
				d, err = translate(f)
				return err
			})
			if enough || err != nil {
				return d, err
			}
		}
	}
}

func (t *translator) raceConnective(f *Formula) (*automaton.Symbolic, error) {
	return t.race(f, productSteps, func(f *Formula) (*automaton.Symbolic, error) { return t.combined(f, forward) }, t.reversed)
}

func (t *translator) raceTemporal(f *Formula) (*automaton.Symbolic, error) {
	var d *automaton.Symbolic
	enough, err := t.m.Within(progressSteps, func(*meter.Meter) (err error) {
		d, err = t.progress(f)
		return err
	})
	if enough || err != nil {
		return d, err
	}
	// The arguments are translated before the race: within it their steps would count
	// against the budget of one construction, again in each round.
	if _, _, err := t.arguments(f, forward); err != nil {
		return nil, err
	}
	return t.race(f, temporalSteps, t.composed, t.progress, t.reversed)
}
