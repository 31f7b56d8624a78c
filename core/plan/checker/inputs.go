package checker

import (
	"cmp"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// misplacedInputs returns the fault of the lines that consist only of the name of an input, or ""
// if there is none. Such lines are valid if, together with the steps, they spell the word of a
// plan, or if each precedes the step that takes it, in the order of the arguments of that step.
func (c *Checker) misplacedInputs(r reading, read readPlan, p *given, m *meter.Meter) (fault string, err error) {
	inputs := slices.DeleteFunc(slices.Clone(r.alone), func(f Found) bool { return !f.bare })
	if len(inputs) == 0 || read.made == nil {
		return "", nil
	}
	lines := append(slices.Clone(inputs), r.found...)
	slices.SortFunc(lines, func(a, b Found) int { return cmp.Compare(a.Start, b.Start) })
	spelled := &given{word: []grammar.Symbol{}}
	for _, f := range lines {
		spelled.word = append(spelled.word, f.letter)
	}
	if word, err := c.wordOf(spelled, m); word != nil || err != nil {
		return "", err
	}
	left := map[grammar.Symbol]int{} // lines that no step has taken
	for _, f := range inputs {
		left[f.letter]++
	}
	ordered := true
	read.made.walk(func(n *made) {
		before := -1
		for _, t := range n.inputs(c.stepGrammar) {
			left[t]--
			i := slices.IndexFunc(inputs, func(f Found) bool { return f.letter == t })
			if i < 0 {
				continue
			}
			ordered = ordered && i >= before && inputs[i].Start < r.found[p.at[n.at]].Start
			before = i
		}
	})
	for _, f := range inputs {
		if left[f.letter] > 0 {
			return "no step takes " + f.Label, nil
		}
	}
	if !ordered {
		return "the inputs are not in the order of " + c.functionOf(read), nil
	}
	return "", nil
}

// inputs returns the letters that a step takes, in the order of the word.
func (n *made) inputs(t *stepGrammar) (out []grammar.Symbol) {
	if n.subset != nil {
		return nil
	}
	next := 0
	for i, s := range n.rule.right {
		switch {
		case !t.g.IsTerminal(s):
			out = append(out, n.parts[next].word...)
			next++
		case i > 0:
			out = append(out, t.letter[s])
		}
	}
	return out
}
