package plan

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/verify"
)

// maxNear is the number of states in which a nearer plan is looked for.
const maxNear = 1000

// variant is a list of steps with some edits, as far as it is read.
type variant struct {
	at      int // of the list
	results []result
	used    []int64 // by letter: limited letters of the steps
	steps   int     // taken
	before  *variant
	edit    *verify.Edit // that led here; nil for a step as it is
}

// nearer returns the valid plan in any order of its branches that has fewer edits than
// a distance; nil where there is none, or none was found in maxNear states.
func (c *Checker) nearer(told []grammar.Symbol, distance int, m *meter.Meter) (*readPlan, []verify.Edit, error) {
	o, err := newOrder(c.telling, c.rules, true, m)
	if err != nil {
		return nil, nil, err
	}
	s := nearSearch{stepList: o.list(nil, nil), list: told, levels: make([][]*variant, distance+1), known: map[string]bool{}}
	for heard := range grammar.Symbol(o.t.g.NumTerminals) {
		if len(o.steps[heard])+len(o.items[heard]) > 0 {
			s.heard = append(s.heard, heard)
		}
	}
	s.levels[0] = []*variant{{used: make([]int64, len(o.caps))}}
	for d := 0; d < distance; d++ {
		for len(s.levels[d]) > 0 {
			last := len(s.levels[d]) - 1
			v := s.levels[d][last]
			s.levels[d] = s.levels[d][:last]
			if v.at == len(told) && len(v.results) == 1 && o.accepts(v.results[0]) {
				word := v.results[0].made.word(c.telling, []grammar.Symbol{})
				if ok, err := c.table.Valid(word, m); err != nil || ok {
					return &readPlan{word, v.results[0].made}, v.edits(), err
				}
			}
			if len(s.known) > maxNear {
				return nil, nil, nil
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
	heard  []grammar.Symbol
	levels [][]*variant // by the number of edits
	known  map[string]bool
}

// expand adds the variants after the next step of the list, or after an edit. The last
// to be added is the first to be expanded.
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
	for _, heard := range s.heard {
		if err := s.take(v, heard, v.at, d+1, &verify.Edit{Op: verify.EditInsert, At: v.at, Symbol: heard}); err != nil {
			return err
		}
	}
	if v.at == len(s.list) {
		return nil
	}
	s.levels[d+1] = append(s.levels[d+1], &variant{at: v.at + 1, results: v.results, used: v.used, steps: v.steps, before: v, edit: &verify.Edit{Op: verify.EditDelete, At: v.at, Symbol: -1}})
	for _, heard := range s.heard {
		if heard == s.list[v.at] {
			continue
		}
		if err := s.take(v, heard, v.at+1, d+1, &verify.Edit{Op: verify.EditSubstitute, At: v.at, Symbol: heard}); err != nil {
			return err
		}
	}
	return s.take(v, s.list[v.at], v.at+1, d, nil)
}

// take adds the variants after a step.
func (s *nearSearch) take(v *variant, heard grammar.Symbol, at, d int, edit *verify.Edit) error {
	if heard < 0 || d >= len(s.levels) {
		return nil
	}
	used := v.used
	if letter := s.t.letter[heard]; letter >= 0 && s.caps[letter] >= 0 {
		used = slices.Clone(used)
		if used[letter]++; used[letter] > s.caps[letter] {
			return nil
		}
	}
	return s.next(v.results, v.steps, heard, func(after []result) (bool, error) {
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

// nearestPlan returns the valid plan with the fewest edits; nil where there is none.
// Of a list of steps it keeps the order in which they are listed.
func (c *Checker) nearestPlan(v *Verdict, p *given, m *meter.Meter) (*NearPlan, error) {
	near, err := c.nearest(v, p, m)
	if near == nil || err != nil || !c.partial(v, p) || near.Distance == 0 {
		return near, err
	}
	better, edits, err := c.nearer(p.told, near.Distance, m)
	var limit *meter.LimitError
	if better == nil || errors.As(err, &limit) {
		return near, nil
	}
	if err != nil {
		return nil, err
	}
	out := &NearPlan{Word: names(c.g, better.word), Distance: len(edits), Edits: []PlanEdit{}}
	for _, e := range edits {
		out.Edits = append(out.Edits, c.edit(v, p, e))
	}
	out.Function, out.Steps, err = c.renderAs(*better, m)
	return out, err
}
