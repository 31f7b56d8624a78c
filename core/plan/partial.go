package plan

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

const (
	maxReadings = 20  // different plans that are counted
	maxFound    = 400 // ways to read a list that are looked at for them
)

// read returns the word of a valid plan, and the steps as it takes them where the
// list of steps is a partial order; nil where the plan is not valid.
func (c *Checker) read(v *Verdict, p *given, m *meter.Meter) (word []grammar.Symbol, steps *made, err error) {
	if p.word != nil || !c.partial(v, p) {
		if word, err = c.wordOf(p, m); word != nil || err != nil || !c.partial(v, p) {
			return word, nil, err
		}
	}
	if slices.Contains(p.told, -1) {
		return nil, nil, nil
	}
	wants := c.wants(v)
	found, more, err := c.readings(p.told, wants, m)
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

// partial reports whether a plan is a list of steps that are a partial order.
func (c *Checker) partial(v *Verdict, p *given) bool {
	return v.Form == FormSteps && c.table != nil && p.telling == c.telling
}

// literally returns the word of a list that is no partial order of tools but the
// word itself. A list that would be a plan without its references is none.
func (c *Checker) literally(p *given, wants []want, m *meter.Meter) ([]grammar.Symbol, *made, error) {
	if p.word != nil {
		return nil, nil, nil
	}
	if slices.ContainsFunc(wants, want.strict) {
		found, _, err := c.readings(p.told, nil, m)
		if err != nil || len(found) > 0 {
			return nil, nil, err
		}
	}
	word, err := c.exactly(p, c.rules.caps, true, m)
	return word, nil, err
}

// readPlan is a valid plan as a list of steps is read.
type readPlan struct {
	word []grammar.Symbol
	made *made
}

// readings returns the different plans that a list of steps may be, the one in which
// each step goes on from the step before it first. more reports that there are others.
func (c *Checker) readings(told []grammar.Symbol, wants []want, m *meter.Meter) (found []readPlan, more bool, err error) {
	o, err := newOrder(c.telling, c.rules, true, m)
	if err != nil {
		return nil, false, err
	}
	looked := 0
	var fault error
	_, err = o.list(told, wants).search(func(n *made) bool {
		word := n.word(c.telling, []grammar.Symbol{})
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
	return found, more && len(found) > 1, err
}

// strict reports whether a step says what it takes.
func (w want) strict() bool { return len(w.steps)+len(w.inputs) > 0 }

// wants returns what the steps say about their arguments.
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

// agreement counts the preferences of the text that a reading follows: arguments in
// the order in which they are named, and of the kinds that are named.
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
				kinds = append(kinds, c.telling.g.Names[p.made.rule.left])
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

// renderAs returns a plan as a function and as steps in the order in which they are
// listed.
func (c *Checker) renderAs(r readPlan, m *meter.Meter) (function string, steps []Step, err error) {
	var first *Node
	steps = []Step{}
	err = c.trees(r.word, m, func(drawn *Node) bool {
		if first == nil {
			first = drawn
		}
		root := c.table.call(drawn)
		at := c.places(root, r.made)
		if at == nil {
			return true
		}
		c.table.collect(root, &steps, at)
		slices.SortFunc(steps, func(a, b Step) int { return a.N - b.N })
		function = functionForm(root)
		return false
	})
	if function == "" && first != nil {
		function, steps = functionForm(c.table.call(first)), c.table.stepsOf(first)
	}
	return function, steps, err
}

// places returns the numbers of the steps of a tree, where it is the one that was
// read; nil where it is another.
func (c *Checker) places(root *call, plan *made) map[*call]int {
	var read []*made
	var ats []int
	plan.walk(func(n *made) { read, ats = append(read, n), append(ats, n.at) })
	slices.Sort(ats)
	at := map[*call]int{}
	same := toolsOnly(root)
	var walk func(*call)
	walk = func(c2 *call) {
		if len(c2.args) == 0 && !c2.described {
			return
		}
		if len(read) == 0 || !c.isStep(c2, read[0]) {
			same = false
			return
		}
		number, _ := slices.BinarySearch(ats, read[0].at)
		at[c2] = number + 1
		read = read[1:]
		if !c2.subset {
			for _, a := range c2.args {
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

// isStep reports whether a step of a tree is one that was read.
func (c *Checker) isStep(s *call, n *made) bool {
	if s.subset || n.subset != nil {
		return s.subset && n.subset != nil && c.g.Names[n.subset.Left] == s.name
	}
	if told, sentence := c.telling.sentences[s.label]; s.described && sentence && told == n.rule.heard {
		return true
	}
	letter, ok := c.g.Lookup(s.name)
	return ok && c.telling.letter[n.rule.heard] == letter
}
