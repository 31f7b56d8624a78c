package guard

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// property is a formula over an agent's states, compiled.
type property struct {
	name      string
	automaton *ltl.Automaton
	verdicts  []ltl.Verdict // by state
}

// openProperties compiles formulas. A formula that cannot be judged is an error.
func openProperties(a *agent.Agent, names []string, text string, m *meter.Meter) ([]property, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	file := source.NewFile("properties.ltl", text)
	list, found := ltl.Parse(file)
	if source.HasErrors(found) {
		return nil, faulty("guard.property", "a property", file, found)
	}
	alphabet, err := ltl.NewAlphabet(names, ltl.OneHot)
	if err != nil {
		return nil, err
	}
	var out []property
	for _, n := range list {
		p := property{name: cmp.Or(n.Name, n.Formula.String())}
		unfit := func(fault string) error {
			return source.NewError("guard.property", fmt.Sprintf("the property %q cannot be judged: %s", p.name, fault))
		}
		for _, name := range n.Formula.Props() {
			if a.Index(name) >= 0 {
				continue
			}
			fault := fmt.Sprintf("unknown state %q", name)
			if near := source.Nearest(name, names); near != "" {
				fault += fmt.Sprintf("; did you mean %q?", near)
			}
			return nil, unfit(fault)
		}
		if p.automaton, err = ltl.Translate(n.Formula, alphabet, m); err != nil {
			return nil, unfit(err.Error())
		}
		p.verdicts = p.automaton.Verdicts()
		out = append(out, p)
	}
	return out, nil
}

// stepProperties returns the properties' states after a step, or the first property
// that the step violates: in every continuation or, if last is set, because the run
// ends there.
func (s *Spec) stepProperties(at []int, state string, last bool) (next []int, broken *property) {
	next = make([]int, len(at))
	for i := range s.properties {
		p := &s.properties[i]
		q, err := p.automaton.Step(at[i], []string{state})
		if err != nil || p.verdicts[q] == ltl.Violated || last && !p.automaton.Accepting(q) {
			return nil, p
		}
		next[i] = q
	}
	return next, nil
}
