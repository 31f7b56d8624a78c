package monitor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// Mapped is a state with the part of a conversation that was mapped to it.
type Mapped struct {
	Segment
	Part    int   // index of the part
	Joined  []int // later parts whose texts were added to the content
	Implied bool  // no part was mapped to it, but the behaviour requires it
}

// FinalPart returns the index of the part that is [PartFinal] in a mapping: the last text
// of the model, unless a call follows it. It returns -1 if there is none.
func FinalPart(parts []Part) int {
	for i := len(parts) - 1; i >= 0; i-- {
		switch parts[i].Kind {
		case PartText:
			if !parts[i].Thought {
				return i
			}
		case PartCall:
			return -1
		}
	}
	return -1
}

// MapTrace maps a conversation to states of an agent and reports whether they are a run.
// The spans in the result are those of the parts. If the parts in their order are not a
// run, the result of each of several concurrent calls is moved after its call, and the run
// is judged again. The error is that of the mapping, of the roles, or of the agent's
// contents.
func MapTrace(a *agent.Agent, parts []Part, mapping []Mapping, roles Roles) ([]Mapped, Report, error) {
	j := NewJudge(a, mapping, roles)
	if j.err != nil {
		return nil, Report{}, j.err
	}
	mapped, report := j.mapTrace(parts)
	return mapped, report, nil
}

// Judge judges conversations by an agent. It never changes, and may be shared by goroutines.
type Judge struct {
	mapper  *mapper
	prompts prompts
	err     error // of the mapping, of the roles, or of the agent's contents
}

// NewJudge returns a judge for the conversations that are mapped to the states of an agent as in
// [MapTrace].
func NewJudge(a *agent.Agent, mapping []Mapping, roles Roles) *Judge {
	err := checkMapping(a, mapping)
	if err == nil {
		err = roles.check(a)
	}
	if err == nil {
		err = a.Contents()
	}
	return &Judge{mapper: newMapper(a, mapping, roles), prompts: newPrompts(a), err: err}
}

func (j *Judge) mapTrace(parts []Part) ([]Mapped, Report) {
	m := *j.mapper
	var tools []string
	for _, p := range parts {
		if p.Kind == PartCall && !slices.Contains(tools, p.Tool) {
			tools = append(tools, p.Tool)
		}
	}
	m.know(tools)
	mapped, report := mapParts(&m, j.prompts, parts, nil)
	if v := report.Violation; v != nil {
		if order := callOrder(parts); order != nil {
			again, other := mapParts(&m, j.prompts, parts, order)
			if w := other.Violation; w == nil || w.Index > v.Index {
				return again, other
			}
		}
	}
	return mapped, report
}

// mapParts maps the parts of a conversation in an order, a list of their indices; nil keeps their own order.
func mapParts(m *mapper, p prompts, parts []Part, order []int) ([]Mapped, Report) {
	t := &tracer{mapper: m, prompts: p, run: m.a.Begin(), mapped: make([]Mapped, 0, 2*len(parts))}
	final := FinalPart(parts)
	at := func(k int) int {
		if order != nil {
			return order[k]
		}
		return k
	}
	_, said := t.said(PartText, "")
	for k := range parts {
		i := at(k)
		if !parts[i].Thought || said {
			if p := parts[i]; said || p.Kind != PartText || i == final || !besideCall(parts[i+1:], p.Turn) || !t.remark(p) {
				t.part(i, p, i == final)
			}
			continue
		}
		next := -1 // the state that follows the thought
		for k++; next < 0 && k < len(parts) && (parts[at(k)].Kind == PartText || parts[at(k)].Kind == PartCall); k++ {
			if p := parts[at(k)]; p.Kind == PartCall || at(k) == final {
				if states := t.states(t.run, p.Kind, p.Tool, at(k) == final); len(states) > 0 {
					next = states[0]
				}
				break
			}
		}
		t.thoughts(i, parts[i], next)
	}
	t.join()
	if len(t.mapped) == 0 {
		t.mapped = nil
	}
	return t.mapped, t.report()
}

// besideCall reports whether the parts after a text include a call in the same message, whose number is turn.
func besideCall(after []Part, turn int) bool {
	return slices.ContainsFunc(after, func(p Part) bool { return p.Turn == turn && p.Kind == PartCall })
}

// remark reports whether a text next to calls has no place in the behaviour: it would be an
// answer where none is allowed, or its form is not valid for the guessed state. A live run
// does not write such a text into the trace either.
func (t *tracer) remark(p Part) bool {
	if _, segments := t.prompts.split(p.Text); len(segments) > 0 {
		return false
	}
	states := t.states(t.run, PartText, "", false)
	if len(states) != 1 {
		return false
	}
	state := states[0]
	_, allowed := t.run.Step(state)
	switch {
	case allowed && (t.thinks(state) || !t.free(state) || t.a.States[state].Empty || contentFault(t.a, state, strings.TrimSpace(p.Text)) == ""):
		return false
	case !allowed && (!slices.Contains(t.answers, state) || len(t.impliedThoughts(t.run, state)) > 0):
		return false
	}
	t.written(-1, p.Text, p.Span)
	return true
}

// thoughts maps reasoning to a state for thoughts that the next state may follow. If there is
// no such state, reasoning is not part of the behaviour: a live run also
// omits it from its trace.
func (t *tracer) thoughts(i int, p Part, next int) {
	t.written(-1, p.Text, p.Span)
	if t.reasoned && t.joins(i, p, t.a.Index(t.mapped[len(t.mapped)-1].State)) {
		return
	}
	for _, state := range t.run.Next() {
		if !t.thinks(state) {
			continue
		}
		after, _ := t.run.Step(state)
		if _, ok := after.Step(max(next, 0)); next < 0 || ok || len(t.impliedThoughts(after, next)) > 0 {
			t.take(state, p.Text, i, p.Span, false)
			t.reasoned = true
			return
		}
	}
}

// callOrder returns the order of parts in which the result of each of several concurrent
// calls follows its call, or nil if that is the order of the parts.
func callOrder(parts []Part) []int {
	order, moved := make([]int, 0, len(parts)), false
	for i := 0; i < len(parts); {
		from := i
		for i < len(parts) && parts[i].Kind == PartCall {
			i++
		}
		calls := i
		results := map[string][]int{} // those without an identifier are in the order of the calls
		for calls-from > 1 && i < len(parts) && parts[i].Kind == PartResult {
			key := cmp.Or(parts[i].ID, " "+parts[i].Tool)
			if parts[i].ID != "" && len(results[key]) > 0 {
				break
			}
			results[key] = append(results[key], i)
			i++
		}
		taken := 0
		for k := from; k < calls && taken+len(results) > 0; k++ {
			order = append(order, k)
			for _, key := range []string{parts[k].ID, " " + parts[k].Tool} {
				if r := results[key]; len(r) > 0 {
					order = append(order, r[0])
					results[key] = r[1:]
					taken++
					break
				}
			}
		}
		if taken == 0 {
			order = order[:from]
			i = max(calls, from+1)
			for k := from; k < i; k++ {
				order = append(order, k)
			}
			continue
		}
		moved = true
		for k := calls; k < i; k++ {
			if slices.Contains(results[cmp.Or(parts[k].ID, " "+parts[k].Tool)], k) {
				order = append(order, k)
			}
		}
	}
	if !moved {
		return nil
	}
	return order
}

// tracer maps a conversation.
type tracer struct {
	*mapper
	prompts   prompts
	run       agent.Run
	mapped    []Mapped
	violation *Violation
	open      int             // calls without a result
	more      strings.Builder // text to be added to the last content
	turn      int             // of the text in the last state, from 1
	reasoned  bool            // the last state is reasoning
	unread    []Unread
}

// part maps a part. final reports that it is the last text of the model.
func (t *tracer) part(i int, p Part, final bool) {
	if p.Kind == PartText && t.prompted(i, p) {
		return
	}
	states := t.states(t.run, p.Kind, p.Tool, final)
	if _, mapped := t.said(p.Kind, p.Tool); p.Kind == PartCall && len(states) == 0 && !mapped {
		t.unread = append(t.unread, Unread{Span: p.Span, Reason: fmt.Sprintf("no state for a call of %q", shorten(p.Tool))})
	}
	if p.Kind == PartText {
		state := -1
		if len(states) > 0 {
			state = states[len(states)-1]
		}
		t.written(state, p.Text, p.Span)
		// Several thoughts of one answer are one content.
		if !final && len(states) == 1 && (t.turn == p.Turn+1 || t.reasoned) && t.joins(i, p, states[0]) {
			return
		}
	}
	answers := t.open > 0
	switch p.Kind {
	case PartCall:
		t.open++
	case PartResult:
		t.open = max(t.open-1, 0)
	}
	// The results of concurrent calls are one content, too.
	if p.Kind == PartResult && answers && len(states) == 1 && t.joins(i, p, states[0]) {
		return
	}
	for k, state := range states {
		content := p.content(k, len(states))
		t.enter(state, content, i, p.Span, content == "" && k < len(states)-1 && p.Kind != PartCall)
	}
	if p.Kind == PartText && len(states) > 0 {
		t.turn = p.Turn + 1
	}
}

// content returns the content of the k-th of n states that a part is mapped to.
func (p Part) content(k, n int) string {
	switch {
	case p.Kind == PartCall && n > 1 && k == 0:
		return p.Tool
	case p.Kind == PartCall:
		return onlyValue(p.Text)
	case k < n-1:
		return ""
	}
	return p.Text
}

// prompted maps a text in which the model writes the states' prompts, and reports whether
// it is one.
func (t *tracer) prompted(i int, p Part) bool {
	_, segments := t.prompts.split(p.Text)
	if len(segments) == 0 {
		return false
	}
	if strings.TrimSpace(p.Text[:segments[0].Span.Start]) != "" {
		t.unread = append(t.unread, Unread{Span: p.Span, Reason: "text before the first prompt"})
	}
	for _, s := range segments {
		t.enter(t.a.Index(s.State), s.Text, i, p.Span, false)
		t.written(t.a.Index(s.State), s.Text, p.Span)
	}
	return true
}

// joins adds a part to the last content if that belongs to the same state and the state is
// not allowed next.
func (t *tracer) joins(i int, p Part, state int) bool {
	last := len(t.mapped) - 1
	if last < 0 || t.mapped[last].State != t.a.States[state].Name {
		return false
	}
	if _, again := t.run.Step(state); again {
		return false
	}
	t.more.WriteString("\n" + strings.TrimSpace(p.Text))
	t.mapped[last].Joined = append(t.mapped[last].Joined, i)
	return true
}

// written records a text of the model that looks like a call, unless its state is for
// calls.
func (t *tracer) written(state int, text string, at source.Span) {
	if (state < 0 || t.of[state].role == "" && !t.a.States[state].EnvInput) && trace.CallText(text) {
		t.unread = append(t.unread, Unread{Span: at, Reason: "text that looks like a call"})
	}
}

// enter takes a state, after the thoughts that it requires.
func (t *tracer) enter(state int, content string, part int, at source.Span, implied bool) {
	for _, s := range t.impliedThoughts(t.run, state) {
		t.take(s, "", part, source.Span{Start: at.Start, End: at.Start}, true)
	}
	t.take(state, content, part, at, implied)
}

func (t *tracer) take(state int, content string, part int, at source.Span, implied bool) {
	t.join()
	t.turn, t.reasoned = 0, false
	s := t.a.States[state]
	content = strings.TrimSpace(content)
	index := len(t.mapped)
	t.mapped = append(t.mapped, Mapped{Segment: Segment{State: s.Name, Text: content, Span: at}, Part: part, Implied: implied})
	if t.violation != nil {
		return
	}
	after, ok := t.run.Step(state)
	if !ok {
		allowed := []string{}
		for _, next := range t.run.Next() {
			allowed = append(allowed, t.a.States[next].Name)
		}
		t.violation = &Violation{Index: index, State: s.Name, Reason: StateReason(s.Name, allowed), Allowed: allowed, Span: at}
		return
	}
	t.run = after
	if fault := contentFault(t.a, state, content); fault != "" {
		t.violation = &Violation{Index: index, State: s.Name, Reason: fault, Allowed: append([]string{}, s.OneOf...), Span: at, Content: true}
	}
}

// join adds the collected texts to the last content.
func (t *tracer) join() {
	if t.more.Len() > 0 {
		t.mapped[len(t.mapped)-1].Text += t.more.String()
		t.more.Reset()
	}
}

func (t *tracer) report() Report {
	r := Report{Violation: t.violation, Verdict: agent.VerdictIncomplete, Unread: t.unread, Segments: slices.Grow([]Segment(nil), len(t.mapped))}
	for _, m := range t.mapped {
		r.Segments = append(r.Segments, m.Segment)
	}
	switch {
	case t.violation != nil:
		r.Verdict = agent.VerdictInvalid
	case t.run.Complete():
		r.Verdict = agent.VerdictValid
	}
	if t.violation == nil {
		for _, next := range t.run.Next() {
			r.Next = append(r.Next, t.a.States[next].Name)
		}
	}
	return r
}
