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
	if len(said) > 0 || source.HasErrors(c.found) {
		return
	}
	if w, err := c.p.Words(meter.New(meter.Budget{Steps: 1_000_000, States: 100_000})); err == nil && w.Grammar.Empty() {
		c.noWord(w)
	} else if err == nil {
		c.checkEnds(w)
	}
}

// noWord reports an automaton without words: at the transition that cannot fire if there is only one, or at
// an accepting state that no path reaches.
func (c *compiler) noWord(w *Words) {
	at, message := c.start.state.Span, "the automaton accepts no word"
	fires, visited := w.fires()
	blocked := -1
	for i, t := range c.p.Transitions {
		switch {
		case fires[i] || !visited[t.From]:
		case blocked >= 0 || t.Pop == "" || c.member[t.From]:
			blocked = len(fires)
		default:
			blocked = i
		}
	}
	reach := c.p.reachable()
	switch {
	case len(c.p.Accept) == 1 && !c.p.AcceptEmpty && !reach[c.p.Accept[0]]:
		q := c.p.Accept[0]
		at, message = c.p.spans[q], fmt.Sprintf("accepting state %q is never reached: the automaton accepts no word", c.p.States[q])
	case blocked >= 0 && blocked < len(fires):
		t := c.p.Transitions[blocked]
		at, message = t.Span, fmt.Sprintf("no word is accepted: %q is never on top of the stack in %q", t.Pop, c.p.States[t.From])
	case c.p.AcceptEmpty && len(c.p.Accept) == 0:
		at, message = c.empty, "no run empties the stack: the automaton accepts no word"
	}
	c.warnAt(at, "pda.no-word", message)
}

// fires reports for each transition whether some run takes it, and for each state whether some run reaches it.
func (w *Words) fires() (transitions, states []bool) {
	transitions, states = make([]bool, len(w.PDA.Transitions)), make([]bool, len(w.PDA.States)+1)
	for h := range w.summaries.has {
		states[h.state] = true
		for _, r := range w.summaries.rules[h] {
			if r.transition >= 0 {
				transitions[r.transition] = true
			}
		}
	}
	return transitions, states
}

// checkEnds reports states and transitions that no accepting run contains. Of a family, it is enough that
// one transition of a label is part of such a run.
func (c *compiler) checkEnds(w *Words) {
	p := c.p
	useful, alive := map[source.Span]bool{}, make([]bool, len(p.States))
	alive[p.Start] = true
	for _, i := range w.Transitions {
		if i >= 0 {
			t := p.Transitions[i]
			useful[t.Span], alive[t.From], alive[t.To] = true, true, true
		}
	}
	fires, _ := w.fires()
	fired := map[source.Span]bool{}
	for i, t := range p.Transitions {
		fired[t.Span] = fired[t.Span] || fires[i]
	}
	for _, t := range p.Transitions {
		switch {
		case useful[t.Span] || !alive[t.From] || c.member[t.From]:
			continue // states of a family are often dead ends
		case !alive[t.To] && !c.member[t.To]:
			c.warnAt(p.spans[t.To], "pda.dead-end", fmt.Sprintf("dead end: state %q leads to no accepting state", p.States[t.To]))
		case !fired[t.Span] && t.Pop != "":
			c.warnAt(t.Span, "pda.dead-end", fmt.Sprintf("unreachable transition: %q is never on top of the stack in %q", t.Pop, p.States[t.From]))
		default:
			c.warnAt(t.Span, "pda.dead-end", "dead end: no accepting run uses this transition")
		}
		useful[t.Span] = true // reported
	}
}

// maxCompared bounds the number of transitions that are compared.
const maxCompared = 10_000

// checkDuplicates reports transitions that occur twice. Of a family, all transitions of a label must occur
// elsewhere.
func (c *compiler) checkDuplicates() {
	if len(c.p.Transitions) > maxCompared {
		return
	}
	type transition struct {
		from, to       int
		notation, text string
	}
	first, fresh := map[transition]source.Span{}, map[source.Span]bool{}
	for _, t := range c.p.Transitions {
		key := transition{t.From, t.To, t.Notation(), t.Label}
		if at, known := first[key]; !known {
			first[key], fresh[t.Span] = t.Span, true
		} else if at == t.Span {
			fresh[t.Span] = true // two values of a family
		}
	}
	for _, t := range c.p.Transitions {
		if fresh[t.Span] {
			continue
		}
		at, ok := c.whole[t.Span]
		if !ok {
			at = t.Span
		}
		c.warnAt(at, "pda.duplicate", "duplicate transition (ignored)")
	}
}

// checkStates reports states that no path of transitions from the start reaches, except the states
// of a family, some of which are usually unreachable.
func (c *compiler) checkStates(said map[source.Span]bool) {
	p := c.p
	mentioned := map[int]bool{p.Start: true}
	for _, t := range p.Transitions {
		mentioned[t.From], mentioned[t.To] = true, true
	}
	states := []string{"empty"}
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
			d.Message = fmt.Sprintf("unknown state %q, which no transition reaches; did you mean %q?", p.States[q], near)
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
