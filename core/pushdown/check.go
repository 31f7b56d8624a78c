package pushdown

import (
	"fmt"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// check reports warnings about an automaton that compiles.
func (c *compiler) check() {
	said := map[source.Span]bool{} // declarations and transitions that are unreachable
	c.checkStates(said)
	c.checkStack()
	c.checkPushed(said)
	c.checkLetters()
	if len(said) == 0 && !source.HasErrors(c.found) {
		if g, err := c.p.Grammar(meter.New(meter.Budget{Steps: 1_000_000, States: 100_000})); err == nil && g.Empty() {
			c.noWord()
		}
	}
}

// noWord reports an automaton without words: at its accepting state, if it has one that no path reaches.
func (c *compiler) noWord() {
	at, message := c.start.state.Span, "the automaton accepts no word"
	if reach := c.p.reachable(); len(c.p.Accept) == 1 && !c.p.AcceptEmpty && !reach[c.p.Accept[0]] {
		q := c.p.Accept[0]
		at, message = c.p.spans[q], fmt.Sprintf("accepting state %q is never reached: the automaton accepts no word", c.p.States[q])
	}
	c.warnAt(at, "pda.no-word", message)
}

// checkStates reports states that no path of transitions from the start reaches, except the states
// of a family, some of which are usually unreachable.
func (c *compiler) checkStates(said map[source.Span]bool) {
	p := c.p
	mentioned := map[int]bool{p.Start: true}
	for _, t := range p.Transitions {
		mentioned[t.From], mentioned[t.To] = true, true
	}
	var states []string
	for q, name := range p.States {
		if mentioned[q] {
			states = append(states, name)
		}
	}
	for q, is := range p.reachable() {
		if is || c.member[q] {
			continue
		}
		said[p.spans[q]] = true
		if mentioned[q] {
			c.warnAt(p.spans[q], "pda.unreachable", fmt.Sprintf("unreachable state %q", p.States[q]))
			continue
		}
		d := source.Diagnostic{Code: "pda.unknown", Severity: source.SeverityWarning, Span: p.spans[q], Message: fmt.Sprintf("unknown state %q: no transition uses it", p.States[q])}
		if near := c.like(p.States[q], states); near != "" {
			d.Message = fmt.Sprintf("unknown state %q; did you mean %q?", p.States[q], near)
			d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: p.spans[q], Text: near}}}}
		}
		c.report(d)
	}
}

// reachable reports for each state whether a path of transitions leads to it from the start,
// whatever the stack is.
func (p *PDA) reachable() []bool {
	reach := make([]bool, len(p.States))
	reach[p.Start] = true
	queue := []int{p.Start}
	out := make([][]int, len(p.States))
	for _, t := range p.Transitions {
		out[t.From] = append(out[t.From], t.To)
	}
	for len(queue) > 0 {
		q := queue[0]
		queue = queue[1:]
		for _, to := range out[q] {
			if !reach[to] {
				reach[to] = true
				queue = append(queue, to)
			}
		}
	}
	return reach
}

// checkStack reports an initial stack that is empty although a transition of the start pops.
func (c *compiler) checkStack() {
	p := c.p
	if p.StackStart != "" {
		return
	}
	for _, t := range p.Transitions {
		if t.From == p.Start && t.Pop != "" {
			end := c.start.state.Span.End
			c.report(source.Diagnostic{
				Code: "pda.stack-empty", Severity: source.SeverityWarning, Span: c.start.state.Span, Message: fmt.Sprintf("the initial stack is empty; write start %s %s", p.States[p.Start], t.Pop),
				Fixes: []source.Fix{{Title: "Add " + t.Pop, Edits: []source.Edit{{Span: source.Span{Start: end, End: end}, Text: " " + t.Pop}}}},
			})
			return
		}
	}
}

// checkPushed reports transitions that pop a symbol that is never on the stack.
func (c *compiler) checkPushed(said map[source.Span]bool) {
	pushed := map[string]bool{c.p.StackStart: true}
	for _, t := range c.p.Transitions {
		for _, s := range t.Push {
			pushed[s] = true
		}
	}
	for _, t := range c.p.Transitions {
		if t.Pop != "" && !pushed[t.Pop] && !said[t.Span] {
			said[t.Span] = true
			c.warnAt(t.Span, "pda.never-pushed", fmt.Sprintf("unreachable transition: no transition pushes %q", t.Pop))
		}
	}
}

// checkLetters reports a transition that reads any letter of an automaton without letters.
func (c *compiler) checkLetters() {
	if len(c.p.Letters()) > 0 {
		return
	}
	for _, t := range c.p.Transitions {
		if t.ReadAny {
			c.errorAt(t.Span, "pda.any", "* matches any letter, but no transition names a letter")
			return
		}
	}
}
