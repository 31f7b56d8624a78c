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

// Steps of a construction before another construction is tried. If all fail, each gets four
// times as many steps. Chosen from the times measured on random formulas, chains and nested untils.
const (
	progressSteps         = 1 << 14 // of progression alone, before arguments are translated
	progressStepsOfPart   = 1 << 10 // additional ones for each part of an outermost formula, as chains have many parts
	progressStepsOfStates = 1 << 10 // of progression after that, for each state of the arguments
	temporalSteps         = 1 << 18
	productSteps          = 1 << 21 // most products succeed
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
	steps := int64(progressSteps)
	if t.enclosing == 0 {
		steps += progressStepsOfPart * t.parts(f)
	}
	d, enough, err := t.progressWithin(f, steps)
	if enough || err != nil {
		return d, err
	}
	// The arguments are translated before the race: within it their steps would count
	// against the budget of one construction, again in each round.
	t.enclosing++
	left, right, err := t.arguments(f, forward)
	t.enclosing--
	if err != nil {
		return nil, err
	}
	// Arguments with many states take long to compose.
	if more := progressStepsOfStates * int64(left.NumStates()+right.NumStates()); more > steps {
		d, enough, err := t.progressWithin(f, more)
		if enough || err != nil {
			return d, err
		}
	}
	return t.race(f, temporalSteps, t.composed, t.progress, t.reversed)
}

// progressWithin translates a formula by progression, if a number of steps is enough.
func (t *translator) progressWithin(f *Formula, steps int64) (d *automaton.Symbolic, enough bool, err error) {
	enough, err = t.m.Within(steps, func(*meter.Meter) (err error) {
		d, err = t.progress(f)
		return err
	})
	return d, enough, err
}

// parts returns the number of a formula's occurrences of operators and propositions.
func (t *translator) parts(f *Formula) (n int64) {
	if f == nil {
		return 0
	}
	spine := f.spine()
	t.pay(len(spine))
	for _, g := range spine {
		n += 1 + t.parts(g.Left)
	}
	return n
}
