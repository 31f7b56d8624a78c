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
func (o *Options) choose(parts []part, m *meter.Meter) (Held, error) {
	if len(parts) == 0 {
		return Held{}, nil
	}
	best, most := Held{}, o.States
	for i, n := range append([]int{o.States}, bounds...) {
		if i > 0 && n >= o.States {
			continue
		}
		h, err := hold(parts, n, m)
		if err != nil {
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

// part has the prefix tree of some runs, and the letters of those that were held back. Letters are nil for a run with a
// symbol that the others lack.
type part struct {
	tree *tree
	back [][]int
}

// parts holds each fifth of the passing runs back once. There are none if the runs are too few.
func (o *Options) parts(runs []Run, m *meter.Meter) ([]part, error) {
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
		return nil, nil
	}
	out := make([]part, folds)
	for i := range out {
		var train, back []Run
		n := 0
		for _, r := range runs {
			if !counts(r) {
				train = append(train, r)
				continue
			}
			if n%folds == i {
				back = append(back, r)
			} else {
				train = append(train, r)
			}
			n++
		}
		s, err := o.sample(train)
		if err != nil {
			return nil, err
		}
		out[i].tree = o.tree(s, m)
		for _, r := range back {
			out[i].back = append(out[i].back, s.letters(r.Steps))
		}
	}
	return out, nil
}

// hold counts the held-back runs that the automata of the other runs accept.
func hold(parts []part, most int, m *meter.Meter) (h Held, err error) {
	for _, p := range parts {
		dfa, _, err := p.tree.clone().automaton(most, m)
		if err != nil {
			return h, err
		}
		h.Of += len(p.back)
		for _, letters := range p.back {
			if letters != nil && dfa.Accepts(letters) {
				h.Accepted++
			}
		}
	}
	return h, nil
}
