package checker

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
)

// maxTrees bounds the derivations of an ambiguous word that are compared with the steps
// of a list.
const maxTrees = 100

// render returns a word in function form and as steps.
func (c *Checker) render(word []grammar.Symbol, m *meter.Meter) (function string, steps []space.Step, err error) {
	if c.walk != nil {
		written := space.Names(c.g, word)
		steps, err = c.walk.Steps(written, m)
		return strings.Join(written, " "), steps, err
	}
	var first *space.Node
	err = c.trees(word, m, func(drawn *space.Node) bool {
		first = drawn
		return false
	})
	if err != nil || first == nil {
		return "", []space.Step{}, err
	}
	return space.FunctionForm(c.table.Call(first)), c.table.StepsOf(first), nil
}

// drawn returns the tree of a derivation.
func (c *Checker) drawn(tree *earley.Tree) *space.Node {
	var derivation []int
	for open := []*earley.Tree{tree}; len(open) > 0; {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if c.g.IsTerminal(n.Symbol) {
			continue
		}
		derivation = append(derivation, n.Production)
		for i := len(n.Children) - 1; i >= 0; i-- {
			open = append(open, n.Children[i])
		}
	}
	return c.table.Tree(derivation)
}

// called names an element of Found.
func (c *Checker) called(v *Verdict, at int) string {
	f := v.Found[at]
	if v.Form == FormSteps {
		return fmt.Sprintf("step %d (%s)", f.Step, f.Label)
	}
	twice := 0
	before := 1
	for i, o := range v.Found {
		if o.Label == f.Label {
			twice++
			if i < at {
				before++
			}
		}
	}
	if twice > 1 {
		return fmt.Sprintf("%s (the %s)", f.Label, ordinal(before))
	}
	return f.Label
}

func ordinal(n int) string {
	switch {
	case n == 1:
		return "first"
	case n == 2:
		return "second"
	case n == 3:
		return "third"
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	default:
		return fmt.Sprintf("%dth", n)
	}
}
