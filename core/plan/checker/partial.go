package checker

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
)

const (
	maxReadings = 20  // maximum number of different plans that are counted
	maxFound    = 400 // readings of a list that are tried
)

// read returns the word of a valid plan and, if the list of steps is a partial order, its
// reading; nil if the plan is not valid.
func (c *Checker) read(v *Verdict, p *given, m *meter.Meter) (word []grammar.Symbol, steps *made, err error) {
	if p.word != nil || !c.partial(v, p) {
		if word, err = c.wordOf(p, m); word != nil || err != nil || !c.partial(v, p) {
			return word, nil, err
		}
	}
	if slices.Contains(p.listed, -1) {
		return nil, nil, nil
	}
	wants := c.wants(v)
	found, more, err := c.readings(p.listed, wants, m)
	if err != nil {
		return nil, nil, err
	}
	if len(found) == 0 {
		return c.literally(p, wants, m)
	}
	best := found[0]
	for _, r := range found[1:] {
		if c.agreement(r.made, wants) > c.agreement(best.made, wants) {
			best = r
		}
	}
	if len(found) > 1 {
		count := fmt.Sprint(len(found))
		if more {
			count = "more than " + count
		}
		v.Notes = append(v.Notes, count+" readings fit; shown: "+c.functionOf(best))
	}
	return best.word, best.made, nil
}

// partial reports whether a plan is read as a partial order of steps.
func (c *Checker) partial(v *Verdict, p *given) bool {
	return v.Form == FormSteps && c.table != nil && p.stepGrammar == c.stepGrammar
}

// literally returns the word of a list that spells a word instead of naming tools, or nil. A list
// that is a plan only if its references are ignored is rejected.
func (c *Checker) literally(p *given, wants []want, m *meter.Meter) ([]grammar.Symbol, *made, error) {
	if p.word != nil {
		return nil, nil, nil
	}
	if slices.ContainsFunc(wants, want.strict) {
		found, _, err := c.readings(p.listed, nil, m)
		if err != nil || len(found) > 0 {
			return nil, nil, err
		}
	}
	word, err := c.exactly(p, c.rules.Caps, true, m)
	return word, nil, err
}

// readPlan is a valid plan with the reading of its list of steps.
type readPlan struct {
	word []grammar.Symbol
	made *made
}

// readings returns the plans that a list of steps can mean. Readings in which each step continues
// the preceding one come first. more reports that there may be further plans.
func (c *Checker) readings(listed []grammar.Symbol, wants []want, m *meter.Meter) (found []readPlan, more bool, err error) {
	o, err := newOrder(c.stepGrammar, c.rules, true, m)
	if err != nil {
		return nil, false, err
	}
	looked := 0
	var fault error
	_, err = o.list(listed, wants).search(func(n *made) bool {
		word := n.word(c.stepGrammar, []grammar.Symbol{})
		known := slices.ContainsFunc(found, func(r readPlan) bool { return slices.Equal(r.word, word) })
		if looked++; !known {
			ok, err := c.table.Valid(word, m)
			if err != nil {
				fault = err
				return false
			}
			if ok && len(found) == maxReadings {
				more = true
				return false
			}
			if ok {
				found = append(found, readPlan{word, n})
			}
		}
		more = looked == maxFound
		return !more
	})
	if err == nil {
		err = fault
	}
	return found, more, err
}

// strict reports whether a step names its arguments.
func (w want) strict() bool { return len(w.steps)+len(w.inputs) > 0 }

// wants returns the arguments that the steps name.
func (c *Checker) wants(v *Verdict) []want {
	wants := make([]want, len(v.Found))
	for i, f := range v.Found {
		wants[i].kinds = f.kinds
		for _, a := range f.args {
			if a.step >= 0 {
				wants[i].steps = append(wants[i].steps, a.step)
			} else {
				wants[i].inputs = append(wants[i].inputs, a.input)
			}
		}
		if i > 0 && f.chosen && v.Found[i-1].chosen && f.Step == v.Found[i-1].Step {
			wants[i].with = i
		}
	}
	return wants
}

// agreement counts the hints of the text that a reading follows: arguments in the order
// they are named, and of the kinds that are named.
func (c *Checker) agreement(plan *made, wants []want) int {
	n := 0
	plan.walk(func(s *made) {
		w := wants[s.at]
		var order []int
		var kinds []string
		for _, p := range s.parts {
			if p.made == nil {
				continue
			}
			if i := slices.Index(w.steps, p.made.at); i >= 0 {
				order = append(order, i)
			}
			if p.made.rule != nil {
				kinds = append(kinds, c.stepGrammar.g.Names[p.made.rule.left])
			}
		}
		if slices.IsSorted(order) {
			n += len(order)
		}
		for _, kind := range w.kinds {
			if i := slices.Index(kinds, c.g.Names[kind]); i >= 0 {
				kinds = slices.Delete(kinds, i, i+1)
				n++
			}
		}
	})
	return n
}

func (c *Checker) functionOf(r readPlan) string {
	function, _, _ := c.renderAs(r, nil)
	return function
}

// renderAs returns a plan in function form and as steps in the listed order.
func (c *Checker) renderAs(r readPlan, m *meter.Meter) (function string, steps []space.Step, err error) {
	var first *space.Node
	steps = []space.Step{}
	err = c.trees(r.word, m, func(drawn *space.Node) bool {
		if first == nil {
			first = drawn
		}
		root := c.table.Call(drawn)
		at := c.places(root, r.made)
		if at == nil {
			return true
		}
		c.table.Collect(root, &steps, at)
		slices.SortFunc(steps, func(a, b space.Step) int { return cmp.Compare(a.N, b.N) })
		function = space.FunctionForm(root)
		return false
	})
	if function == "" && first != nil {
		function, steps = space.FunctionForm(c.table.Call(first)), c.table.StepsOf(first)
	}
	return function, steps, err
}

// places returns the step number of each call in a tree; nil if the tree is not the one that was
// read.
func (c *Checker) places(root *space.Call, plan *made) map[*space.Call]int {
	var read []*made
	var ats []int
	plan.walk(func(n *made) { read, ats = append(read, n), append(ats, n.at) })
	slices.Sort(ats)
	at := map[*space.Call]int{}
	same := space.ToolsOnly(root)
	var walk func(*space.Call)
	walk = func(c2 *space.Call) {
		if len(c2.Args) == 0 && !c2.Described {
			return
		}
		if len(read) == 0 || !c.isStep(c2, read[0]) {
			same = false
			return
		}
		number, _ := slices.BinarySearch(ats, read[0].at)
		at[c2] = number + 1
		read = read[1:]
		if !c2.Subset {
			for _, a := range c2.Args {
				walk(a)
			}
		}
	}
	if same {
		walk(root)
	}
	if !same || len(read) > 0 || len(at) == 0 {
		return nil
	}
	return at
}

// isStep reports whether a call of a tree is the step n.
func (c *Checker) isStep(s *space.Call, n *made) bool {
	if s.Subset || n.subset != nil {
		return s.Subset && n.subset != nil && c.g.Names[n.subset.Left] == s.Name
	}
	if listed, sentence := c.stepGrammar.sentences[s.Label]; s.Described && sentence && listed == n.rule.visible {
		return true
	}
	letter, ok := c.g.Lookup(s.Name)
	return ok && c.stepGrammar.letter[n.rule.visible] == letter
}
