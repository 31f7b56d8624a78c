package checker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/prompt"
)

// maxLayer bounds the states per step in the search for a fault.
const maxLayer = 3000

// noOrder is the fault of steps whose first fault is unknown.
const noOrder = "the steps are not a plan in any order of the branches"

// stalled finds the first step of a partial order that cannot be carried out, whichever inputs the
// steps before it take. steps is the number of steps before the fault. f is nil if limits or
// properties are violated instead.
func (c *Checker) stalled(v *Verdict, p *given, m *meter.Meter) (f *fault, steps int, err error) {
	o, err := newOrder(c.stepGrammar, c.rules, false, m)
	if err != nil {
		return nil, 0, err
	}
	l := o.list(p.listed, c.wants(v))
	layer := [][]result{nil}
	left := slices.Clone(c.rules.Caps)
	for k, visible := range p.listed {
		after, err := l.layer(layer, k, visible)
		if err != nil {
			return nil, k, err
		}
		switch {
		case len(after) > maxLayer:
			return &fault{at: k, text: fmt.Sprintf("%s; the search for the first fault ended at %s after %d states", noOrder, c.called(v, k), maxLayer)}, k, nil
		case len(after) == 0:
			f := &fault{at: k}
			if visible < 0 {
				f.text = c.unreadStep(v.Found[k])
			} else {
				f.text = c.missing(v, l, layer, k)
			}
			f.expected, err = l.possible(layer, k, left)
			return f, k, err
		}
		if letter := c.stepGrammar.letter[visible]; letter >= 0 && left[letter] > 0 {
			left[letter]--
		}
		layer = after
	}
	for _, results := range layer {
		if len(results) == 1 && o.accepts(results[0]) {
			return nil, len(p.listed), nil
		}
	}
	f = c.unfinished(v, l, layer)
	f.expected, err = l.possible(layer, len(p.listed), left)
	return f, len(p.listed), err
}

// unreadStep returns the message for a step that was not read.
func (c *Checker) unreadStep(f Found) string {
	return fmt.Sprintf("step %d, “%s”, %s", f.Step, f.Label, f.Note)
}

// layer returns the states after a step.
func (l *stepList) layer(before [][]result, k int, visible grammar.Symbol) ([][]result, error) {
	var out [][]result
	known := map[string]bool{}
	for _, results := range before {
		err := l.next(results, k, visible, func(after []result) (bool, error) {
			if key := l.state(k, after); !known[key] {
				known[key], out = true, append(out, after)
			}
			return len(out) <= maxLayer, l.meter.Step(len(after))
		})
		if err != nil || len(out) > maxLayer {
			return out, err
		}
	}
	return out, nil
}

// possible returns the letters of the steps that can follow the states of a layer. At the end of
// the list it returns only those that complete the plan, if there are any.
func (l *stepList) possible(layer [][]result, k int, left []int64) (expected []grammar.Symbol, err error) {
	free := l.order.list(nil, nil)
	var finish []grammar.Symbol
	for visible := range grammar.Symbol(l.t.g.NumTerminals) {
		letter := l.t.letter[visible]
		if len(l.steps[visible])+len(l.items[visible]) == 0 || letter < 0 || left[letter] == 0 || slices.Contains(expected, letter) {
			continue
		}
		fits, ends := false, false
		for _, results := range layer {
			for i := range results {
				results[i].step = -1
			}
			err := free.next(results, len(l.listed), visible, func(after []result) (bool, error) {
				fits = true
				ends = ends || len(after) == 1 && l.accepts(after[0])
				return !ends, l.meter.Step(1)
			})
			if err != nil {
				return nil, err
			}
			if ends {
				break
			}
		}
		if fits {
			expected = append(expected, letter)
		}
		if ends {
			finish = append(finish, letter)
		}
	}
	if k == len(l.listed) && len(finish) > 0 {
		return finish, nil
	}
	return expected, nil
}

// missing returns the reason why no state allows a step.
func (c *Checker) missing(v *Verdict, l *stepList, layer [][]result, k int) string {
	subject := c.called(v, k)
	rules := l.steps[l.listed[k]]
	if len(rules) == 0 {
		return subject + " is not valid at this position"
	}
	if text := c.refuses(v, l, layer, k); text != "" {
		return subject + text
	}
	takes := ""
	if takes = c.takes(v.Found[k].letter); takes != "" {
		takes = "it takes " + takes + ", and "
	}
	var lacks []string
	fewest := 1 << 30
	for _, rule := range rules {
		var names []string
		count := 0
		for _, s := range rule.right {
			if !l.t.g.IsTerminal(s) && !l.available(layer, s) {
				count++
				if kind := c.kindOf(s); kind != "" && !slices.Contains(names, kind) {
					names = append(names, kind)
				}
			}
		}
		if count < fewest {
			fewest, lacks = count, names
		}
	}
	switch {
	case fewest > 0 && len(lacks) > 0:
		return fmt.Sprintf("%s is not valid at this position: %sno step before it makes %s", subject, takes, strings.Join(lacks, " or "))
	case takes != "":
		return fmt.Sprintf("%s is not valid at this position: %ssome of these results are used already", subject, takes)
	default:
		return fmt.Sprintf("%s is not valid at this position: a result that it takes is missing", subject)
	}
}

// refuses returns the fault of a step that cannot take the argument it names, or "".
func (c *Checker) refuses(v *Verdict, l *stepList, layer [][]result, k int) string {
	rules := l.steps[l.listed[k]]
	w := l.wants[k]
	for _, s := range w.steps {
		var found *result
		fits := false
		for _, results := range layer {
			for i, r := range results {
				if r.step != s {
					continue
				}
				found = &results[i]
				for _, rule := range rules {
					fits = fits || slices.ContainsFunc(rule.right, func(s grammar.Symbol) bool { return l.covers[[2]grammar.Symbol{s, r.left}] })
				}
			}
		}
		if found != nil && !fits {
			text := " cannot take the result of " + c.called(v, s)
			if kind := c.kindOf(found.left); kind != "" {
				text += ", which is " + kind
			}
			return text
		}
	}
	for _, t := range w.inputs {
		fits := false
		for _, rule := range rules {
			for i, s := range rule.right {
				fits = fits || i > 0 && s == t || slices.ContainsFunc(l.silent[s], func(f filler) bool { return len(f.word) == 1 && f.word[0] == t })
			}
		}
		if !fits {
			return " cannot take " + c.labels[t]
		}
	}
	return ""
}

// available reports whether some state has a result for an argument.
func (l *stepList) available(layer [][]result, s grammar.Symbol) bool {
	if len(l.silent[s]) > 0 {
		return true
	}
	for _, results := range layer {
		for _, r := range results {
			if l.covers[[2]grammar.Symbol{s, r.left}] {
				return true
			}
		}
	}
	return false
}

// unfinished returns the fault of steps that can be carried out but do not form a plan.
func (c *Checker) unfinished(v *Verdict, l *stepList, layer [][]result) *fault {
	best := layer[0]
	for _, results := range layer {
		if len(results) < len(best) {
			best = results
		}
	}
	end := len(v.Found)
	needed := c.kindOf(l.t.g.Start)
	if needed == "" {
		needed = "more"
	}
	if len(best) < 2 {
		f := &fault{at: end, text: fmt.Sprintf("the plan ends too early: %s is still needed", needed)}
		if len(best) == 1 {
			if kind := c.kindOf(best[0].left); kind != "" && kind != needed {
				f.text += "; the result is " + kind
			}
		}
		return f
	}
	var unused []result
	for _, r := range best {
		if !l.accepts(r) {
			unused = append(unused, r)
		}
	}
	if len(unused) == len(best)-1 {
		step := unused[0].made.at
		return &fault{at: step, text: "no step takes the result of " + c.called(v, step)}
	}
	names := make([]string, len(best))
	for i, r := range best {
		names[i] = c.called(v, r.made.at)
	}
	return &fault{at: end, text: fmt.Sprintf("the plan ends too early: no step uses the results of %s", strings.Join(names, " and "))}
}

// kindOf returns the label of a nonterminal of the step grammar, or else of one that it derives by
// unit productions; "" if none has a label.
func (c *Checker) kindOf(s grammar.Symbol) string {
	seen := map[grammar.Symbol]bool{}
	for open := []grammar.Symbol{s}; len(open) > 0; open = open[1:] {
		if seen[open[0]] || c.stepGrammar.g.IsTerminal(open[0]) {
			continue
		}
		seen[open[0]] = true
		if n, ok := c.g.Lookup(c.stepGrammar.g.Names[open[0]]); ok && c.g.Label(n) != c.g.Names[n] {
			return prompt.Article(c.g.Label(n))
		}
		for _, p := range c.stepGrammar.g.ByLeft(open[0]) {
			if right := c.stepGrammar.g.Productions[p].Right; len(right) == 1 {
				open = append(open, right[0])
			}
		}
	}
	return ""
}

// maxFault bounds the work of the search for the first fault.
const maxFault = 5_000_000

// misfitSteps is misfit for a partial order of steps. The word is that of a reading without
// limits and properties.
func (c *Checker) misfitSteps(v *Verdict, p *given, m *meter.Meter) (f *fault, word []grammar.Symbol, err error) {
	enough, err := m.Within(maxFault, func(m *meter.Meter) (err error) {
		f, word, err = c.firstMisfit(v, p, m)
		return err
	})
	if !enough && err == nil {
		return &fault{at: -1, text: fmt.Sprintf("%s; the search for the first fault ended after %d work steps", noOrder, maxFault)}, nil, nil
	}
	return f, word, err
}

func (c *Checker) firstMisfit(v *Verdict, p *given, m *meter.Meter) (*fault, []grammar.Symbol, error) {
	f, steps, err := c.stalled(v, p, m)
	if err != nil {
		return nil, nil, err
	}
	if f == nil {
		word, err := c.unruled(v, p, m)
		return nil, word, err
	}
	if c.stepGrammar.inFull && p.word == nil {
		// The grammar may spell the word instead.
		literal, word, err := c.misfit(v, p, m)
		if err != nil || literal == nil {
			return nil, word, err
		}
		if literal.at > steps {
			return literal, nil, nil
		}
	}
	return f, nil, nil
}

// unruled returns the word of a list of steps regardless of limits and properties, or nil.
func (c *Checker) unruled(v *Verdict, p *given, m *meter.Meter) ([]grammar.Symbol, error) {
	o, err := newOrder(c.stepGrammar, c.rules, false, m)
	if err != nil {
		return nil, err
	}
	var word []grammar.Symbol
	_, err = o.list(p.listed, c.wants(v)).search(func(n *made) bool {
		word = n.word(c.stepGrammar, []grammar.Symbol{})
		return false
	})
	if word == nil || err != nil {
		return nil, err
	}
	ok, err := earley.New(c.g).Recognize(word, m)
	if !ok {
		word = nil
	}
	return word, err
}
