package checker

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/verify"
)

// nearest returns the valid plan with the fewest edits; nil if there is none.
func (c *Checker) nearest(v *Verdict, p *given, m *meter.Meter) (*NearPlan, error) {
	t := p.stepGrammar
	near, err := verify.NearestWithSilent(t.g, t.caps(c.rules.Caps), t.automaton(c.rules.Automaton), t.silent, p.listed, m)
	if err != nil || near == nil {
		return nil, err
	}
	word := t.word(near.Word)
	out := &NearPlan{Word: space.Names(c.g, word), Distance: near.Distance, Edits: []PlanEdit{}}
	for _, e := range near.Edits {
		out.Edits = append(out.Edits, c.edit(v, p, e))
	}
	if t.reversed {
		slices.Reverse(out.Edits)
	}
	out.Function, out.Steps, err = c.render(word, m)
	return out, err
}

func (c *Checker) edit(v *Verdict, p *given, e verify.Edit) PlanEdit {
	out := PlanEdit{Op: e.Op, At: len(v.Found)}
	place := e.At
	if p.stepGrammar.reversed && v.Form == FormSteps && e.Op == verify.EditInsert {
		place-- // the list is reversed
	}
	if place >= 0 && place < len(p.at) {
		out.At = p.at[place]
	}
	if e.Symbol >= 0 {
		if letter := p.stepGrammar.letter[e.Symbol]; letter >= 0 {
			out.Symbol, out.Label = c.g.Names[letter], c.labels[letter]
		} else {
			out.Label = p.stepGrammar.g.Names[e.Symbol]
		}
	}
	where := "at the end"
	if out.At < len(v.Found) {
		where = "in front of " + c.called(v, out.At)
	}
	switch e.Op {
	case verify.EditInsert:
		out.Text = fmt.Sprintf("insert %s %s", out.Label, where)
	case verify.EditDelete:
		out.Text = "leave out " + c.called(v, out.At)
	default:
		out.Text = fmt.Sprintf("%s instead of %s", out.Label, c.called(v, out.At))
	}
	return out
}
