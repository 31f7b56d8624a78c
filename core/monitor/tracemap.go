package monitor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Mapping says which states a part of a conversation stands for, one after the other;
// none: it is passed over. Of a call the first of two states has the tool's name and
// the second its arguments. Where a tool is named it is of that tool's calls or
// results only.
type Mapping struct {
	Part   string   `json:"part"` // one of the Part constants
	Tool   string   `json:"tool,omitempty"`
	States []string `json:"states"`
}

// checkMapping returns an error with code "monitor.mapping" for a mapping that names
// what there is not.
func checkMapping(a *agent.Agent, mapping []Mapping) error {
	for _, m := range mapping {
		if !slices.Contains(partNames, m.Part) {
			return source.NewError("monitor.mapping", fmt.Sprintf("a conversation has no part %q; there is %s", m.Part, list(partNames)))
		}
		for _, name := range m.States {
			if message := noState(a, name); message != "" {
				return source.NewError("monitor.mapping", message)
			}
		}
	}
	return nil
}

// noState says that an agent has no state of a name, or "".
func noState(a *agent.Agent, name string) string {
	if a.Index(name) >= 0 {
		return ""
	}
	message := fmt.Sprintf("%s has no state %q", a.Name, name)
	var names []string
	for _, s := range a.States {
		names = append(names, s.Name)
	}
	if near := source.Nearest(name, names); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return message
}

// mapper turns parts of a conversation into states.
type mapper struct {
	a       *agent.Agent
	mapping []Mapping
	roles   Roles

	question, observation int // states, -1 where there is none
	action, input         int
	answers               []int // the last is that of the end
	kinds                 []stateKind
}

// stateKind is what the model does in a state, as far as [mapper.know] found out.
type stateKind struct{ thinks, free bool }

func newMapper(a *agent.Agent, mapping []Mapping, roles Roles) *mapper {
	m := &mapper{a: a, mapping: mapping, roles: roles, question: -1, observation: -1, action: -1, input: -1}
	for i, s := range a.States {
		text := strings.ToLower(s.Text)
		role := roles.role(s)
		switch {
		case s.EnvInput && m.observation < 0 && WayOf(s) != agent.FromPerson && WayOf(s) != agent.FromEvaluator:
			m.observation = i
		case s.EnvInput && m.question < 0 && WayOf(s) == agent.FromPerson:
			m.question = i
		case role == "action" && m.action < 0:
			m.action = i
		case role == "input" && m.input < 0:
			m.input = i
		case role == "" && !s.EnvInput && (strings.Contains(text, "answer") || strings.Contains(text, "response")):
			m.answers = append(m.answers, i)
		}
	}
	if q, ok := questionState(a); ok {
		m.question = q
	}
	if n := len(a.Final); len(m.answers) == 0 && n > 0 && !a.States[a.Final[n-1]].EnvInput {
		m.answers = []int{a.Final[n-1]}
	}
	m.know(nil)
	return m
}

// know finds out what the states are for where there are tools of these names: one
// that is called as a tool is stands for its calls.
func (m *mapper) know(tools []string) {
	called := map[string]bool{}
	for _, tool := range tools {
		called[plain(tool)] = true
	}
	delete(called, "") // which says nothing
	m.kinds = make([]stateKind, len(m.a.States))
	for i, s := range m.a.States {
		m.kinds[i].free = !called[plain(s.Name)] && !called[plain(s.Text)] &&
			!s.EnvInput && i != m.question && !slices.Contains(m.answers, i) && m.roles.role(s) == ""
		text := strings.ToLower(s.Text + " " + s.Name)
		for _, word := range thoughtWords {
			m.kinds[i].thinks = m.kinds[i].thinks || m.kinds[i].free && strings.Contains(text, word)
		}
	}
}

// said returns what the mapping says of a part.
func (m *mapper) said(kind, tool string) ([]int, bool) {
	found := -1
	for i, entry := range m.mapping {
		if entry.Part == kind && (entry.Tool == tool && tool != "" || entry.Tool == "" && found < 0) {
			found = i
		}
	}
	if found < 0 {
		return nil, false
	}
	var states []int
	for _, name := range m.mapping[found].States {
		states = append(states, m.a.Index(name))
	}
	return states, true
}

// states returns what a part stands for after a run. final says that it is the last
// text of the model.
func (m *mapper) states(run agent.Run, kind, tool string, final bool) []int {
	if final {
		if states, ok := m.said(PartFinal, ""); ok {
			return states
		}
	}
	if states, ok := m.said(kind, tool); ok {
		return states
	}
	only := func(state int) []int {
		if state < 0 {
			return nil
		}
		return []int{state}
	}
	switch kind {
	case PartUser:
		return only(m.question)
	case PartResult:
		return only(m.observation)
	case PartCall:
		if state, ok := m.named(tool); ok {
			return only(state)
		}
		if m.action >= 0 && m.input >= 0 {
			return []int{m.action, m.input}
		}
		return only(max(m.action, m.input))
	case PartText:
		if final && len(m.answers) > 0 {
			return only(m.answer(run))
		}
		return only(m.thought(run))
	}
	return nil
}

// named returns the state that is called as a tool is, in an agent whose states are
// tools.
func (m *mapper) named(tool string) (int, bool) {
	for i, s := range m.a.States {
		if tool != "" && !s.EnvInput && (plain(s.Name) == plain(tool) || plain(s.Text) == plain(tool)) {
			return i, true
		}
	}
	return -1, false
}

// plain is what names that are meant alike have in common.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// thoughtWords are the words of prompts of states in which a model thinks.
var thoughtWords = []string{"thought", "think", "plan", "reason", "reflect", "consider"}

// thinks reports whether a state is one in which the model only thinks. Endpoints
// often hide thoughts or leave them out, so that one may be taken as thought; nothing
// else may.
func (m *mapper) thinks(state int) bool { return m.kinds[state].thinks }

// free reports whether the model writes a state freely, and it is neither question
// nor answer nor a tool.
func (m *mapper) free(state int) bool { return m.kinds[state].free }

// thought returns the state for what the model says while it works, one that may come
// if there is one.
func (m *mapper) thought(run agent.Run) int {
	for _, state := range run.Next() {
		if m.thinks(state) {
			return state
		}
	}
	for state := range m.a.States {
		if m.thinks(state) {
			return state
		}
	}
	for _, state := range run.Next() {
		if m.free(state) {
			return state
		}
	}
	return m.answer(run)
}

// answer returns the state for the model's last word: of those that may come, the one
// nearest to the end; -1 where there is none.
func (m *mapper) answer(run agent.Run) int {
	for i := len(m.answers) - 1; i >= 0; i-- {
		after := run
		for _, s := range m.way(run, m.answers[i]) {
			after, _ = after.Step(s)
		}
		if _, ok := after.Step(m.answers[i]); ok {
			return m.answers[i]
		}
	}
	if n := len(m.answers); n > 0 {
		return m.answers[n-1]
	}
	return -1
}

// way returns the thoughts that have to come before a state may: conversations over
// an endpoint's own calls often leave them out. There are at most three.
func (m *mapper) way(run agent.Run, state int) []int {
	type place struct {
		run agent.Run
		way []int
	}
	queue := []place{{run, nil}}
	for i := 0; i < len(queue) && len(queue[i].way) <= 3; i++ {
		p := queue[i]
		if _, ok := p.run.Step(state); ok {
			return p.way
		}
		for _, s := range p.run.Next() {
			if m.thinks(s) && m.a.Content(s) == nil {
				after, _ := p.run.Step(s)
				queue = append(queue, place{after, append(slices.Clone(p.way), s)})
			}
		}
	}
	return nil
}

// Mapped is a state that a part of a conversation stands for.
type Mapped struct {
	Segment
	Part    int   // index of the part
	Joined  []int // parts after it whose texts are part of its content, too
	Implied bool  // no part says it, but the behaviour wants it there
}

// FinalPart returns the index of the part that is [PartFinal] in a mapping: the last
// that the model says, if no call comes after it; -1 where there is none.
func FinalPart(parts []Part) int {
	for i := len(parts) - 1; i >= 0; i-- {
		switch parts[i].Kind {
		case PartText:
			return i
		case PartCall:
			return -1
		}
	}
	return -1
}

// MapTrace turns a conversation into the states of an agent, and reports whether they
// are a run. Spans are those of the parts. Calls that are issued together may be a step
// each, with its result, in the order of issue: conversations are read so where the
// order of the parts is no run. The error is that of the mapping, or of the agent's
// contents.
func MapTrace(a *agent.Agent, parts []Part, mapping []Mapping, roles Roles) ([]Mapped, Report, error) {
	if err := checkMapping(a, mapping); err != nil {
		return nil, Report{}, err
	}
	if err := roles.check(a); err != nil {
		return nil, Report{}, err
	}
	if err := a.Contents(); err != nil {
		return nil, Report{}, err
	}
	m, p := newMapper(a, mapping, roles), newPrompts(a)
	var tools []string
	known := map[string]bool{}
	for _, p := range parts {
		if p.Kind == PartCall && !known[p.Tool] {
			known[p.Tool] = true
			tools = append(tools, p.Tool)
		}
	}
	m.know(tools)
	mapped, report := mapParts(m, p, parts, nil)
	if v := report.Violation; v != nil {
		if order := callOrder(parts); order != nil {
			again, other := mapParts(m, p, parts, order)
			if w := other.Violation; w == nil || w.Index > v.Index {
				return again, other, nil
			}
		}
	}
	return mapped, report, nil
}

// mapParts maps the parts of a conversation in an order, nil for their own.
func mapParts(m *mapper, p prompts, parts []Part, order []int) ([]Mapped, Report) {
	t := &tracer{mapper: m, prompts: p, run: m.a.Begin()}
	final := FinalPart(parts)
	for i := range parts {
		if order != nil {
			i = order[i]
		}
		t.part(i, parts[i], i == final)
	}
	t.join()
	return t.mapped, t.report()
}

// callOrder returns the order of parts in which the result of each of the calls that
// are issued together follows its call, nil where it is their own order.
func callOrder(parts []Part) []int {
	order, moved := make([]int, 0, len(parts)), false
	for i := 0; i < len(parts); {
		from := i
		for i < len(parts) && parts[i].Kind == PartCall {
			i++
		}
		calls := i
		results := map[string]int{}
		for calls-from > 1 && i < len(parts) && parts[i].Kind == PartResult {
			key := cmp.Or(parts[i].ID, " "+parts[i].Tool)
			if _, twice := results[key]; twice {
				break
			}
			results[key] = i
			i++
		}
		taken := 0
		for k := from; k < calls && taken+len(results) > 0; k++ {
			order = append(order, k)
			for _, key := range []string{parts[k].ID, " " + parts[k].Tool} {
				if r, ok := results[key]; ok {
					order = append(order, r)
					delete(results, key)
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
			if r, left := results[cmp.Or(parts[k].ID, " "+parts[k].Tool)]; left && r == k {
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
	more      strings.Builder // of the last content: what is to be added to it
	turn      int             // of the text that the last state is, from 1
	unread    []Unread
}

func (t *tracer) part(i int, p Part, final bool) {
	if p.Kind == PartText {
		if _, segments := t.prompts.split(p.Text); len(segments) > 0 { // the model writes the prompts
			if strings.TrimSpace(p.Text[:segments[0].Span.Start]) != "" {
				t.unread = append(t.unread, Unread{Span: p.Span, Reason: "text before the first prompt"})
			}
			for _, s := range segments {
				t.enter(t.a.Index(s.State), s.Text, i, p.Span, false)
				t.written(t.a.Index(s.State), s.Text, p.Span)
			}
			return
		}
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
		if n := len(t.mapped); !final && len(states) == 1 && n > 0 && t.turn == p.Turn+1 && t.mapped[n-1].State == t.a.States[state].Name {
			if _, again := t.run.Step(state); !again { // thoughts of one message
				t.more.WriteString("\n" + strings.TrimSpace(p.Text))
				t.mapped[n-1].Joined = append(t.mapped[n-1].Joined, i)
				return
			}
		}
	}
	answers := t.open > 0
	switch p.Kind {
	case PartCall:
		t.open++
	case PartResult:
		t.open = max(t.open-1, 0)
	}
	if n := len(t.mapped); p.Kind == PartResult && answers && len(states) == 1 && n > 0 && t.mapped[n-1].State == t.a.States[states[0]].Name {
		if _, again := t.run.Step(states[0]); !again { // results of calls at the same time
			t.more.WriteString("\n" + strings.TrimSpace(p.Text))
			t.mapped[n-1].Joined = append(t.mapped[n-1].Joined, i)
			return
		}
	}
	for k, state := range states {
		content := p.Text
		switch {
		case p.Kind == PartCall && len(states) > 1 && k == 0:
			content = p.Tool
		case p.Kind == PartCall:
			content = onlyValue(p.Text)
		case k < len(states)-1:
			content = ""
		}
		t.enter(state, content, i, p.Span, content == "" && k < len(states)-1 && p.Kind != PartCall)
	}
	if p.Kind == PartText && len(states) > 0 {
		t.turn = p.Turn + 1
	}
}

// written notes a text of the model in which it seems to have written out a call,
// unless the state is one for calls.
func (t *tracer) written(state int, text string, at source.Span) {
	if (state < 0 || t.roles.role(t.a.States[state]) == "" && !t.a.States[state].EnvInput) && callText(text) {
		t.unread = append(t.unread, Unread{Span: at, Reason: "text that looks like a call"})
	}
}

// enter takes a state, with the thoughts that it needs before it.
func (t *tracer) enter(state int, content string, part int, at source.Span, implied bool) {
	for _, s := range t.way(t.run, state) {
		t.take(s, "", part, source.Span{Start: at.Start, End: at.Start}, true)
	}
	t.take(state, content, part, at, implied)
}

func (t *tracer) take(state int, content string, part int, at source.Span, implied bool) {
	t.join()
	t.turn = 0
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
	if fault := wholeFault(t.a, state, content); fault != "" {
		t.violation = &Violation{Index: index, State: s.Name, Reason: fault, Allowed: append([]string{}, s.OneOf...), Span: at, Content: true}
	}
}

// join adds to the last content what came to it, all at once.
func (t *tracer) join() {
	if t.more.Len() > 0 {
		t.mapped[len(t.mapped)-1].Text += t.more.String()
		t.more.Reset()
	}
}

func (t *tracer) report() Report {
	r := Report{Violation: t.violation, Verdict: agent.VerdictIncomplete, Unread: t.unread}
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

// onlyValue returns the value of arguments that have just one, a text; others are as
// they are.
func onlyValue(arguments string) string {
	var values map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &values) != nil || len(values) != 1 {
		return arguments
	}
	for _, raw := range values {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return text
		}
		return string(raw)
	}
	return arguments
}
