package flow

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// MaxAnyOrder is the maximum number of questions in any order: there is a state for each set of
// remaining questions.
const MaxAnyOrder = 10

// MaxSome is the maximum number of answers of a question that may be combined.
const MaxSome = 12

// enoughName is the answer that ends a combination of answers.
const enoughName = "enough"

// stopName is the name of the end that need not be declared.
const stopName = "stop"

// nextName is the target of answers that continue a block.
const nextName = "next"

// Compile makes a flowchart of a text. It is nil if there is no question; with errors it contains
// the valid part.
func Compile(s *Syntax) (*Flow, []source.Diagnostic) {
	if len(s.File.Check()) > 0 {
		return nil, nil
	}
	c := &compiler{f: &Flow{Values: map[string]string{}}, index: map[string]int{}, declared: map[string]lines.Token{}}
	c.declare(s)
	if len(c.first.Text) == 0 {
		if len(s.statements) == 0 {
			c.errorAt(source.Span{}, "flow.empty", `no questions yet; add one, such as ask name "Is it?" yes -> good no -> stop, and accept good "It is."`)
		}
		return nil, c.found
	}
	for _, st := range s.statements {
		switch st := st.(type) {
		case question:
			c.ask(st.name.Text, st, func(a answer) int { return c.target(a.to) })
		case block:
			c.block(st)
		}
	}
	f := c.f
	f.Start = c.target(c.first)
	c.check(s)
	return f, c.found
}

type compiler struct {
	f        *Flow
	index    map[string]int // of states by name
	declared map[string]lines.Token
	first    lines.Token
	found    []source.Diagnostic
}

func (c *compiler) errorAt(span source.Span, code, message string, notes ...source.Note) {
	if len(c.found) < maxFound {
		c.found = append(c.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
	}
}

func (c *compiler) warnAt(span source.Span, code, message string) {
	if len(c.found) < maxFound {
		c.found = append(c.found, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message})
	}
}

// declare gives all names a state, so that answers may lead to later definitions.
func (c *compiler) declare(s *Syntax) {
	var started *startLine
	name := func(t lines.Token, state State) {
		if first, twice := c.declared[t.Text]; twice {
			c.errorAt(t.Span, "flow.twice", fmt.Sprintf("duplicate name %q", t.Text), source.Note{Span: first.Span, Message: "first definition"})
			return
		}
		if t.Text == nextName {
			c.errorAt(t.Span, "flow.next", `"next" is reserved and cannot be a name`)
			return
		}
		if t.Text == stopName && state.Kind != Stop {
			c.warnAt(t.Span, "flow.stop", `this "stop" replaces the predefined end; use another name`)
		}
		c.declared[t.Text] = t
		state.Name, state.Span = t.Text, t.Span
		c.state(state)
	}
	for _, st := range s.statements {
		switch st := st.(type) {
		case letLine:
			if _, twice := c.f.Values[st.name.Text]; twice {
				c.warnAt(st.name.Span, "flow.let-twice", fmt.Sprintf("duplicate variable %q; the last value applies", st.name.Text))
			}
			c.f.Values[st.name.Text] = st.text.Text
		case startLine:
			if started != nil {
				c.errorAt(st.name.Span, "flow.start-twice", "duplicate start (ignored); the first one applies")
				continue
			}
			started = &st
		case question:
			if c.first.Text == "" {
				c.first = st.name
			}
			name(st.name, State{Question: st.text.Text})
		case block:
			if c.first.Text == "" {
				c.first = st.name
			}
			for _, q := range st.questions {
				if first, twice := c.declared[q.name.Text]; twice {
					c.errorAt(q.name.Span, "flow.twice", fmt.Sprintf("duplicate name %q", q.name.Text), source.Note{Span: first.Span, Message: "first definition"})
				}
				c.declared[q.name.Text] = q.name
			}
			name(st.name, State{Kind: Choose})
		case end:
			kind := Stop
			if st.accepts {
				kind = Accept
			}
			name(st.name, State{Kind: kind, Question: st.text})
		}
	}
	if started != nil && c.first.Text != "" {
		c.first = started.name
	}
}

// state adds a state and returns its number.
func (c *compiler) state(s State) int {
	n, ok := c.index[s.Name]
	if !ok {
		n = len(c.f.States)
		c.index[s.Name] = n
		c.f.States = append(c.f.States, s)
	}
	return n
}

// target returns the state that a name leads to.
func (c *compiler) target(t lines.Token) int {
	if n, ok := c.index[t.Text]; ok {
		return n
	}
	if t.Text != stopName {
		var names []string
		for _, s := range c.f.States {
			names = append(names, s.Name)
		}
		d := source.Diagnostic{Code: "flow.unknown", Span: t.Span, Message: fmt.Sprintf("unknown question or end %q", t.Text)}
		switch {
		case t.Text == nextName:
			d.Message = `unexpected "next" outside a block`
		default:
			if near := source.Nearest(t.Text, names); near != "" {
				d.Message += fmt.Sprintf("; did you mean %q?", near)
				d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: t.Span, Text: near}}}}
			}
		}
		if len(c.found) < maxFound {
			c.found = append(c.found, d)
		}
	}
	return c.state(State{Name: stopName, Kind: Stop, Span: t.Span})
}

// ask gives the state of a question its edges.
func (c *compiler) ask(name string, q question, to func(answer) int) {
	at := c.state(State{Name: name, Question: q.text.Text, Span: q.name.Span})
	if len(c.f.States[at].Edges) > 0 {
		return // the second question with this name
	}
	if len(q.answers) == 0 {
		c.errorAt(q.name.Span, "flow.no-answer", fmt.Sprintf("question %q has no answer; add one, such as yes -> name", q.name.Text))
	}
	said := map[string]bool{}
	fresh := func(t lines.Token) bool {
		was := said[t.Text]
		if said[t.Text] = true; was {
			c.errorAt(t.Span, "flow.answer-twice", fmt.Sprintf("duplicate answer in %q: %q", q.name.Text, t.Text))
		}
		return !was
	}
	for group, a := range q.answers {
		if len(a.some) > 0 {
			c.some(name, group+1, q, a, to, fresh)
			continue
		}
		if !fresh(a.name) {
			continue
		}
		target := to(a) // may add states
		c.f.States[at].Edges = append(c.f.States[at].Edges, Edge{Answer: a.name.Text, To: target, Text: a.text, Span: a.span})
	}
}

// some adds the answers that may be combined to the state of a question, and a state after each of
// them except the last. In such a state, a later answer or "enough" may follow.
func (c *compiler) some(name string, group int, q question, a answer, to func(answer) int, fresh func(lines.Token) bool) {
	at := c.index[name]
	var items []item
	for _, i := range a.some {
		switch {
		case len(items) == MaxSome:
			c.errorAt(i.name.Span, "limit.some", fmt.Sprintf("too many answers after \"some\" (maximum %d)", MaxSome))
			return
		case i.name.Text == enoughName:
			c.errorAt(i.name.Span, "flow.enough", `"enough" is reserved and cannot be an answer of "some"`)
		case fresh(i.name):
			items = append(items, i)
		}
	}
	target := to(a) // may add states
	then := make([]int, len(items))
	for k, i := range items {
		then[k] = target
		if k < len(items)-1 {
			then[k] = c.state(State{Name: name + "{then " + i.name.Text + "}", Question: q.text.Text + " Anything else?", Span: i.name.Span})
		}
	}
	edges := func(state, from int) {
		s := &c.f.States[state]
		for k := from; k < len(items); k++ {
			text := items[k].text
			if k == len(items)-1 {
				text = strings.TrimSpace(text + " " + a.text)
			}
			s.Edges = append(s.Edges, Edge{Answer: items[k].name.Text, To: then[k], Text: text, Span: items[k].name.Span, Group: group})
		}
	}
	edges(at, 0)
	for k := range max(len(items)-1, 0) {
		edges(then[k], k+1)
		s := &c.f.States[then[k]]
		s.Edges = append(s.Edges, Edge{Answer: enoughName, To: target, Text: a.text, Span: a.span})
	}
}

// block expands the questions of a block: it adds a state for each set of remaining questions, and
// one for each pair of a question and the set that remains after it.
func (c *compiler) block(b block) {
	if len(b.questions) == 0 {
		c.errorAt(b.name.Span, "flow.block", "a block needs at least one question")
		return
	}
	if len(b.questions) > MaxAnyOrder {
		c.errorAt(b.name.Span, "limit.any-order", fmt.Sprintf("too many questions in any order (maximum %d): %d", MaxAnyOrder, len(b.questions)))
		return
	}
	all := 1<<len(b.questions) - 1
	after := c.target(b.to)
	choose := func(left int) int {
		switch left {
		case 0:
			return after
		case all:
			return c.index[b.name.Text]
		}
		return c.state(State{Name: b.name.Text + rest(b.questions, left), Kind: Choose, Span: b.name.Span})
	}
	for left := all; left > 0; left-- {
		at := choose(left)
		for i, q := range b.questions {
			if left>>i&1 == 0 {
				continue
			}
			remaining := left &^ (1 << i)
			name := q.name.Text + rest(b.questions, remaining)
			c.ask(name, q, func(a answer) int {
				if a.to.Text == nextName {
					return choose(remaining)
				}
				return c.target(a.to)
			})
			c.f.States[at].Edges = append(c.f.States[at].Edges, Edge{Answer: q.name.Text, To: c.index[name], Span: q.name.Span})
		}
	}
}

// rest formats the remaining questions.
func rest(questions []question, left int) string {
	if left == 0 {
		return ""
	}
	var names []string
	for i, q := range questions {
		if left>>i&1 == 1 {
			names = append(names, q.name.Text)
		}
	}
	return "{" + strings.Join(names, ",") + "}"
}
