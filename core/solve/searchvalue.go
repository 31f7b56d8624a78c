package solve

import (
	"math/big"
	"strings"
)

// evaluator returns an evaluator for a result's model.
func (s *Search) evaluator(r *Result) *evaluator {
	e := &evaluator{defs: s.p.defs, sorts: s.sorts, model: map[string]*definition{}}
	if r.model == nil {
		return e
	}
	for i := range r.model.items {
		d := &r.model.items[i]
		if (d.head() == "define-fun" || d.head() == "define-fun-rec") && len(d.items) == 5 {
			def := &definition{body: &d.items[4]}
			for j := range d.items[2].items {
				if p := &d.items[2].items[j]; len(p.items) == 2 {
					def.params = append(def.params, p.items[0].text)
				}
			}
			e.model[d.items[1].text] = def
		}
	}
	return e
}

// measure sets the objectives to their values in the model.
func (s *Search) measure() {
	r := &s.result
	s.value = s.evaluate(r)
	r.Objectives = s.without()
	for i := range s.value {
		r.Objectives[i].Value = s.value[i].String()
		r.Objectives[i].Shown = r.Objectives[i].Value
	}
}

// evaluate returns the values of all objectives in a model, or nil if one of them has no
// value.
func (s *Search) evaluate(r *Result) []number {
	if r.model == nil {
		return nil
	}
	e := s.evaluator(r)
	var out []number
	for _, g := range s.p.goals {
		n, ok := e.goal(g)
		if !ok {
			return nil
		}
		out = append(out, n)
	}
	return out
}

func (e *evaluator) goal(g goal) (number, bool) {
	if g.term != nil {
		v, ok := e.term(g.term, nil)
		return v.number, ok && v.lo != nil
	}
	sum := exactly(new(big.Rat))
	for _, w := range g.soft {
		v, ok := e.term(w.term, nil)
		weight, known := new(big.Rat).SetString(w.weight)
		if !ok || v.lo == nil || !known {
			return number{}, false
		}
		if v.lo.Sign() == 0 {
			sum = combine(sum, exactly(weight), (*big.Rat).Add)
		}
	}
	return sum, true
}

// The results of [Search.holds].
const (
	holdsUnknown = iota
	holdsAll
	holdsNot
)

// holds evaluates the assertions of the text in a model.
func (s *Search) holds(r *Result) int {
	if r.model == nil || len(s.file.Text) > 1<<20 || s.p.scoped {
		return holdsUnknown
	}
	e := s.evaluator(r)
	reader := smtReader{text: blanked(s.file.Text, s.p.prints), found: &faults{}, quiet: true}
	all := holdsAll
	for {
		form, ok := reader.next()
		if !ok {
			return all
		}
		if form.head() != "assert" || len(form.items) != 2 || s.p.Checks > 0 && form.span.Start > s.p.last.Start {
			continue
		}
		v, ok := e.term(&form.items[1], nil)
		switch {
		case !ok || v.lo == nil:
			all = holdsUnknown
		case v.lo.Sign() == 0:
			return holdsNot
		}
	}
}

// numberOf reads a value as [rational] writes it.
func numberOf(text string) (*big.Rat, bool) {
	if strings.ContainsAny(text, "?eE() ") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
