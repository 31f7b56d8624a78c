package checker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/verify"
)

// maxNear bounds the states of the search for a nearer plan.
const maxNear = 1000

// variant is a prefix of a list of steps with some edits.
type variant struct {
	at      int // position in the list
	results []result
	used    []int64 // uses of limited letters, by letter
	steps   int     // the number of steps
	before  *variant
	edit    *verify.Edit // the last edit; nil for an unchanged step
}

// maxNearSteps bounds its work: a state may have millions of successors.
const maxNearSteps = 5_000_000

// errNearLimit reports a search for a nearer plan that ended after maxNear states or maxNearSteps.
var errNearLimit = fmt.Errorf("the search ended after %d states or %d work steps", maxNear, maxNearSteps)

// nearer returns a valid plan, with its branches in any order, that is fewer edits from the listed
// steps than distance; nil if there is none. The error is errNearLimit if the search finds none
// within maxNear states and maxNearSteps.
func (c *Checker) nearer(listed []grammar.Symbol, distance int, m *meter.Meter) (made *readPlan, edits []verify.Edit, err error) {
	enough, err := m.Within(maxNearSteps, func(m *meter.Meter) (err error) {
		made, edits, err = c.searchNearer(listed, distance, m)
		return err
	})
	if !enough && err == nil {
		err = errNearLimit
	}
	return made, edits, err
}

func (c *Checker) searchNearer(listed []grammar.Symbol, distance int, m *meter.Meter) (*readPlan, []verify.Edit, error) {
	o, err := newOrder(c.stepGrammar, c.rules, true, m)
	if err != nil {
		return nil, nil, err
	}
	s := nearSearch{stepList: o.list(nil, nil), list: listed, levels: make([][]*variant, distance+1), known: map[string]bool{}}
	s.levels[0] = []*variant{{used: make([]int64, len(o.caps))}}
	for d := 0; d < distance; d++ {
		for len(s.levels[d]) > 0 {
			last := len(s.levels[d]) - 1
			v := s.levels[d][last]
			s.levels[d] = s.levels[d][:last]
			if v.at == len(listed) && len(v.results) == 1 && o.accepts(v.results[0]) {
				word := v.results[0].made.word(c.stepGrammar, []grammar.Symbol{})
				if ok, err := c.table.Valid(word, m); err != nil || ok {
					return &readPlan{word, v.results[0].made}, v.edits(), err
				}
			}
			if len(s.known) > maxNear {
				return nil, nil, errNearLimit
			}
			if err := s.expand(v, d); err != nil {
				return nil, nil, err
			}
		}
	}
	return nil, nil, nil
}

type nearSearch struct {
	*stepList
	list   []grammar.Symbol
	levels [][]*variant // by the number of edits
	known  map[string]bool
}

// expand adds the variants after the next step, or after an edit. The variant added last is
// expanded first.
func (s *nearSearch) expand(v *variant, d int) error {
	key := s.state(v.at, v.results)
	for _, n := range v.used {
		key = string(binary.AppendUvarint([]byte(key), uint64(n)))
	}
	if s.known[key] {
		return nil
	}
	s.known[key] = true
	if err := s.meter.Spend(meter.States, int64(2+len(v.results))); err != nil {
		return err
	}
	for visible := range grammar.Symbol(s.t.g.NumTerminals) {
		if err := s.take(v, visible, v.at, d+1, &verify.Edit{Op: verify.EditInsert, At: v.at, Symbol: visible}); err != nil {
			return err
		}
	}
	if v.at == len(s.list) {
		return nil
	}
	s.levels[d+1] = append(s.levels[d+1], &variant{at: v.at + 1, results: v.results, used: v.used, steps: v.steps, before: v, edit: &verify.Edit{Op: verify.EditDelete, At: v.at, Symbol: -1}})
	for visible := range grammar.Symbol(s.t.g.NumTerminals) {
		if visible == s.list[v.at] {
			continue
		}
		if err := s.take(v, visible, v.at+1, d+1, &verify.Edit{Op: verify.EditSubstitute, At: v.at, Symbol: visible}); err != nil {
			return err
		}
	}
	return s.take(v, s.list[v.at], v.at+1, d, nil)
}

// take adds the variants after a step.
func (s *nearSearch) take(v *variant, visible grammar.Symbol, at, d int, edit *verify.Edit) error {
	if visible < 0 {
		return nil
	}
	used := v.used
	if letter := s.t.letter[visible]; letter >= 0 && s.caps[letter] >= 0 {
		used = slices.Clone(used)
		if used[letter]++; used[letter] > s.caps[letter] {
			return nil
		}
	}
	return s.next(v.results, v.steps, visible, func(after []result) (bool, error) {
		s.levels[d] = append(s.levels[d], &variant{at: at, results: after, used: used, steps: v.steps + 1, before: v, edit: edit})
		return true, s.meter.Step(len(after))
	})
}

func (v *variant) edits() []verify.Edit {
	out := []verify.Edit{}
	for ; v != nil; v = v.before {
		if v.edit != nil {
			out = append(out, *v.edit)
		}
	}
	slices.Reverse(out)
	return out
}

// nearestPlan returns the valid plan with the fewest edits; nil if there is none. It keeps
// the order of listed steps. If the search for a nearer plan in another order of the
// branches ends at its limit, a note says so.
func (c *Checker) nearestPlan(v *Verdict, p *given, m *meter.Meter) (*NearPlan, error) {
	near, err := c.nearest(v, p, m)
	if near == nil || err != nil || !c.partial(v, p) || near.Distance == 0 {
		return near, err
	}
	better, edits, err := c.nearer(p.listed, near.Distance, m)
	var limit *meter.LimitError
	switch {
	case errors.Is(err, errNearLimit) || errors.As(err, &limit):
		v.Notes = append(v.Notes, "a nearer plan in another order of the branches may exist: "+err.Error())
		return near, nil
	case err != nil || better == nil:
		return near, err
	}
	out := &NearPlan{Word: space.Names(c.g, better.word), Distance: len(edits), Edits: []PlanEdit{}}
	for _, e := range edits {
		out.Edits = append(out.Edits, c.edit(v, p, e))
	}
	out.Function, out.Steps, err = c.renderAs(*better, m)
	return out, err
}
