package infer

import (
	"strings"

	"github.com/stile-playground/stile/core/meter"
)

// Held counts passing runs that were held back from learning, and how many of them the automaton of
// the other runs accepts.
type Held struct{ Accepted, Of int }

// folds is the number of parts of which each is held back once.
const folds = 5

// fitness is the part of the held-back runs that an automaton has to accept.
const fitness = 0.96

// bounds are the numbers of states that are tried, in this order.
var bounds = []int{50, 30, 20, 14, 10, 8, 6, 5, 4, 3, 2, 1}

// choose lowers the bound of states until the automaton accepts enough held-back runs: a larger
// automaton only repeats the runs instead of generalising their order. With too few runs to hold
// back, choose keeps the bound.
func (o *Options) choose(runs []Run, m *meter.Meter) (Held, error) {
	best, most := Held{}, o.States
	given := *o
	for i, n := range append([]int{o.States}, bounds...) {
		if i > 0 && n >= given.States {
			continue
		}
		try := given
		try.States = n
		h, err := try.hold(runs, m)
		if err != nil || h.Of == 0 {
			return h, err
		}
		if i == 0 || h.Accepted > best.Accepted {
			best, most = h, n
		}
		if float64(h.Accepted) >= fitness*float64(h.Of) {
			break
		}
	}
	o.States = most
	return best, nil
}

// hold counts the held-back runs that the automata of the other runs accept.
func (o Options) hold(runs []Run, m *meter.Meter) (h Held, err error) {
	passing := 0
	decided := map[string]bool{}
	for _, steps := range o.Refuse {
		decided[strings.Join(steps, " ")] = true
	}
	counts := func(r Run) bool {
		return !r.Failed && len(r.Steps) > 0 && !decided[strings.Join(r.Steps, " ")]
	}
	for _, r := range runs {
		if counts(r) {
			passing++
		}
	}
	if passing < 2*folds {
		return h, nil
	}
	for part := range folds {
		var train, back []Run
		n := 0
		for _, r := range runs {
			if !counts(r) {
				train = append(train, r)
				continue
			}
			if n%folds == part {
				back = append(back, r)
			} else {
				train = append(train, r)
			}
			n++
		}
		a, err := Spec(train, o, m)
		if err != nil {
			return h, err
		}
		h.Of += len(back)
		for _, r := range back {
			if a.Accepts(r.Steps) {
				h.Accepted++
			}
		}
	}
	return h, nil
}
