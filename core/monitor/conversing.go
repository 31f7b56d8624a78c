package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
)

// Surfaces on which a model acts.
const (
	SurfaceText  = "text"  // the model writes the states' prompts
	SurfaceTools = "tools" // the model uses the endpoint's tool calls
)

// DefaultToolsTemplate is the template of the instructions on the surface "tools", if the
// settings have none.
const DefaultToolsTemplate = `Work on the task with the tools that you are given, and give the answer alone when you have it. It is enforced what may come after what: a call that may not be made now is answered with an error that says what may.`

// maxRefusals is the number of consecutive rejections that end a run. A model that has
// ignored that many is unlikely to change.
const maxRefusals = 8

// conversing is the phase of a run on the surface "tools": texts and calls are mapped to
// the states of the same specification, and a rejected call is answered with an error
// instead of a result.
type conversing struct {
	*runner
	m        *mapper
	known    []string // the tools' names
	refusals int      // in a row
	reason   string   // of the last refusal
	unheard  *string  // result of the last call, if no state has it yet
}

// converse enters the phase [conversing].
func (r *runner) converse() error {
	if err := checkMapping(r.a, r.settings.Mapping); err != nil {
		return err
	}
	if e := r.settings.Model.Endpoint; r.settings.Model.Kind == llm.KindPerson || r.settings.Model.Kind == llm.KindEndpoint && e != nil && !e.Known().Tools {
		return source.NewError("monitor.settings", "this model does not support tool calls; choose the surface \"text\"")
	}
	template := r.settings.Template
	if template == "" {
		template = DefaultToolsTemplate
	}
	if r.setup.Instructions != "" {
		template += "\n\n" + r.setup.Instructions
	}
	question := r.settings.Question
	if question == "" {
		question = "Begin."
	}
	r.messages = []llm.Message{{Role: "system", Content: template}, {Role: "user", Content: question}}
	n := &conversing{runner: r, m: newMapper(r.a, r.settings.Mapping, r.settings.Roles)}
	n.m.know(n.toolNames())
	switch r.settings.Model.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler, llm.KindScripted:
		r.model = &caller{n: n, spec: r.settings.Model}
	}
	r.phase = n
	return nil
}

// turn asks the model once, or fills a state that has no alternative.
func (n *conversing) turn(*runner) error {
	allowed := n.allowed()
	switch {
	case len(allowed) == 0, n.full():
		n.phase = ended{}
		return nil
	case len(allowed) == 1 && n.a.States[allowed[0]].EnvInput && !n.run.Complete():
		return n.hear(allowed[0])
	case len(allowed) == 1 && n.a.States[allowed[0]].Empty && !n.run.Complete():
		n.segment(allowed[0], "", "correction")
		return nil
	}
	calls, answers := n.may()
	if !calls && !answers {
		return source.NewError("monitor.mapping", fmt.Sprintf("no call and no answer is mapped to %s, the only allowed states; add it to the mapping", list(n.names(allowed))))
	}
	request := llm.Request{Messages: n.messages, MaxTokens: n.settings.MaxTokens + n.repeats.more, Temperature: n.settings.Temperature, Sample: n.sample}
	switch {
	case calls && !answers:
		request.Tools, request.ToolChoice = n.offered(n.callable()), "required"
	case calls:
		request.Tools = n.offered(n.callable())
	case n.m.action >= 0 || n.m.input >= 0:
		// Earlier messages mention the tools, so the request has to define them.
		request.Tools, request.ToolChoice = n.offered(n.toolNames()), "none"
	}
	if err := n.spend(n.settings.Budget, &n.stats.Calls, request); err != nil {
		return err
	}
	n.env.Emit(CallEvent{Kind: "monitor.call", Sample: n.sample, Call: n.stats.Calls, Length: len(n.text), Stop: []string{}})
	reply, err := n.model.Generate(n.env, request, func(delta string) bool {
		n.env.Emit(DeltaEvent{Kind: "monitor.delta", Sample: n.sample, Text: delta})
		return true
	})
	n.received(reply)
	if err == nil {
		err = n.repeated(request, reply)
	}
	if err != nil {
		return err
	}
	return n.take(reply)
}

// take maps a message of the model.
func (n *conversing) take(reply llm.Reply) error {
	before := n.refusals
	text := strings.TrimSpace(reply.Text)
	n.messages = append(n.messages, llm.Message{Role: "assistant", Content: reply.Text, ToolCalls: reply.ToolCalls, Opaque: reply.Opaque})
	n.written += len([]rune(text))
	for _, c := range reply.ToolCalls {
		n.written += len([]rune(c.Name + c.Arguments))
	}
	if len(reply.ToolCalls) == 0 {
		err := n.say(text)
		if n.over() && len(n.segments) > 0 {
			n.reportCut(reply)
		}
		return err
	}
	if err := n.said(text); err != nil {
		return err
	}
	if text != "" {
		if states := n.m.states(n.run, PartText, "", false); len(states) > 0 {
			if fault := n.fault(states, []string{text}); fault == nil {
				n.put(states, []string{text}, "model")
			}
		}
	}
	if err := n.calls(reply.ToolCalls); err != nil {
		return err
	}
	if n.refusals == before {
		n.refusals = 0
	}
	return n.patience()
}

// say maps a message without calls, which ends the model's turn.
func (n *conversing) say(text string) error {
	states := n.lastWord()
	var refused *refusal
	switch {
	case text == "" && n.run.Complete():
		n.phase = ended{}
		return nil
	case text == "":
		refused = &refusal{state: "", reason: "empty answer, but the run is not complete"}
	default:
		contents := make([]string, len(states))
		if len(states) > 0 {
			contents[len(states)-1] = text
		}
		if refused = n.fault(states, contents); refused == nil {
			if err := n.said(text); err != nil {
				return err
			}
			n.put(states, contents, "model")
			n.refusals = 0
			if n.run.Complete() {
				n.phase = ended{}
			}
			return nil
		}
	}
	n.refuse(refused, text)
	n.messages = append(n.messages, llm.Message{Role: "user", Content: "(Not allowed now: " + refused.said(n) + ")"})
	return n.patience()
}

// calls makes the calls of a message. If their results are summarised, calls that may
// follow each other are made concurrently.
func (n *conversing) calls(calls []llm.ToolCall) error {
	for i := 0; i < len(calls); {
		var group []*action
		first := i
		for i < len(calls) {
			refused := n.enterCall(calls[i])
			if refused != nil && i == first {
				n.refuse(refused, calls[i].Name+" "+calls[i].Arguments)
				n.result(calls[i], refusalText(refused.said(n)))
				i++
				break
			}
			if refused != nil {
				break
			}
			group = append(group, &action{number: len(group) + 1, tool: calls[i].Name, arguments: json.RawMessage(calls[i].Arguments)})
			i++
			if n.m.observation < 0 || SourceOf(n.a.States[n.m.observation]) != agent.FromSummary {
				break
			}
		}
		if len(group) == 0 {
			continue
		}
		if err := n.perform(group); err != nil {
			return err
		}
		for k, a := range group {
			n.result(calls[first+k], a.output)
		}
		if n.m.observation >= 0 {
			content := group[0].output
			if len(group) > 1 {
				content = numbered(group)
			}
			n.unheard = &content
			if _, ok := n.run.Step(n.m.observation); ok {
				if err := n.observe(n.m.observation); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// observe fills a state with the result of the last call.
func (n *conversing) observe(state int) error {
	fitted, err := n.environment().fit(state, *n.unheard)
	if err != nil {
		return err
	}
	n.unheard = nil
	n.put([]int{state}, []string{fitted}, "environment")
	return nil
}

// enterCall enters the states of a call, or returns the reason why they are not
// allowed.
func (n *conversing) enterCall(c llm.ToolCall) *refusal {
	states := n.m.states(n.run, PartCall, c.Name, false)
	contents := make([]string, len(states))
	for k := range states {
		contents[k] = onlyValue(c.Arguments)
		if len(states) > 1 && k == 0 {
			contents[k] = c.Name
		}
	}
	if !slices.Contains(n.toolNames(), c.Name) {
		return &refusal{reason: fmt.Sprintf("unknown tool %q (expected %s)", c.Name, list(n.toolNames()))}
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Arguments), &object) != nil {
		return &refusal{reason: "the arguments are not a JSON object"}
	}
	if refused := n.fault(states, contents); refused != nil {
		return refused
	}
	n.put(states, contents, "model")
	return nil
}

// refusal explains why a text or a call is not allowed.
type refusal struct {
	state, reason string
	allowed       []string
}

// said explains the refusal to the model, which does not know the states: it lists the
// tools that may be called, and whether an answer is allowed.
func (f *refusal) said(n *conversing) string {
	calls, answers := n.may()
	may := "nothing more"
	switch {
	case calls && answers:
		may = "a call of " + list(n.callable()) + ", or the answer"
	case calls:
		may = "a call of " + list(n.callable())
	case answers:
		may = "the answer"
	}
	return f.reason + "; allowed now: " + may
}

// fault returns the reason why states with contents are not allowed next, or nil. Thoughts
// that a state requires before it are implied.
func (n *conversing) fault(states []int, contents []string) *refusal {
	if len(states) == 0 {
		return &refusal{reason: "no state of the agent represents it"}
	}
	run := n.run
	for k, state := range states {
		if n.late(run, state) {
			return &refusal{state: n.a.States[state].Name, reason: "the run has reached its maximum number of states and must end"}
		}
		for _, s := range n.m.impliedThoughts(run, state) {
			run, _ = run.Step(s)
		}
		after, ok := run.Step(state)
		if !ok {
			allowed := []string{}
			for _, next := range run.Next() {
				allowed = append(allowed, n.a.States[next].Name)
			}
			return &refusal{n.a.States[state].Name, StateReason(n.a.States[state].Name, allowed), allowed}
		}
		run = after
		c := newContents(n.a, state)
		reason := c.read(contents[k])
		if reason == "" && (contents[k] != "" || !n.m.thinks(state)) {
			reason = c.end()
		}
		if reason != "" {
			return &refusal{n.a.States[state].Name, reason, append([]string{}, n.a.States[state].OneOf...)}
		}
	}
	return nil
}

// late reports whether a state would lead a long run away from its end.
func (n *conversing) late(run agent.Run, state int) bool {
	if len(n.segments) < n.settings.MaxSteps {
		return false
	}
	distance := n.a.Distance(run.State())
	for _, s := range append(n.m.impliedThoughts(run, state), state) {
		after, ok := run.Step(s)
		if !ok {
			return false // reported by fault
		}
		run = after
		distance--
	}
	return n.a.Distance(run.State()) > max(distance, 0)
}

// put writes states with their contents, preceded by the thoughts that they require.
func (n *conversing) put(states []int, contents []string, by string) {
	for k, state := range states {
		for _, s := range n.m.impliedThoughts(n.run, state) {
			n.segment(s, "", by)
		}
		n.segment(state, contents[k], by)
	}
}

// segment writes a state with its content.
func (n *conversing) segment(state int, content, by string) {
	n.newLine()
	start := len(n.text)
	author := byModel
	if by != "model" {
		author = byOthers
	}
	n.write(byMonitor, n.prompts.apart(state))
	n.at = start + len(n.a.States[state].Text)
	o := n.open(state, start)
	if content = strings.TrimSpace(content); content != "" {
		n.write(author, " "+n.prompts.disguise(content))
	}
	n.at = len(n.text)
	n.close(o, by)
}

// refuse reports a refused text or call.
func (n *conversing) refuse(f *refusal, refused string) {
	n.refusals++
	n.reason = f.reason
	n.stats.Violations++
	n.stats.Corrections++
	n.discarded += len([]rune(refused))
	n.env.Emit(ViolationEvent{
		Kind: "monitor.violation", Sample: n.sample, Index: len(n.segments), State: f.state, Reason: f.reason,
		Allowed: append([]string{}, f.allowed...), Discarded: strings.TrimSpace(refused),
	})
	n.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: n.sample, Text: f.said(n), Allowed: append([]string{}, f.allowed...)})
}

func (n *conversing) patience() error {
	if n.refusals >= maxRefusals {
		return source.NewError("monitor.refused", fmt.Sprintf("the model ignored %d refusals in a row, the last one because of: %s; try a stronger model or the surface \"text\"", n.refusals, n.reason))
	}
	return nil
}

// result appends the result of a call to the conversation.
func (n *conversing) result(c llm.ToolCall, text string) {
	n.messages = append(n.messages, llm.Message{Role: "tool", ToolCallID: c.ID, Content: text})
}

func refusalText(said string) string {
	text, _ := json.Marshal(map[string]string{"error": said})
	return string(text)
}

// hear lets the environment fill a state for which the model made no call. If no state has the result
// of the last call yet, the state is filled with it: the call is not made again.
func (n *conversing) hear(state int) error {
	if source := SourceOf(n.a.States[state]); n.unheard != nil && (source == agent.FromTools || source == agent.FromSummary) {
		return n.observe(state)
	}
	n.newLine()
	start := len(n.text)
	n.write(byMonitor, n.prompts.apart(state))
	n.at = start + len(n.a.States[state].Text)
	o := n.open(state, start)
	content, last, err := n.environment().fill(state)
	if err != nil {
		return err
	}
	n.write(byOthers, " "+content)
	n.close(o, "environment")
	n.messages = append(n.messages, llm.Message{Role: "user", Content: n.a.States[state].Text + " " + content})
	if last && n.run.Complete() {
		n.phase = ended{}
	}
	return nil
}

// perform makes allowed calls, concurrently.
func (n *conversing) perform(group []*action) error {
	state, e := agent.State{}, n.environment()
	if n.m.observation >= 0 {
		state = n.a.States[n.m.observation]
	}
	switch n.settings.Environment {
	case EnvironmentTools:
		return e.together(state, group)
	case EnvironmentPerson:
		for _, a := range group {
			if err := e.allow(a, func() (string, error) { return e.person(state) }); err != nil {
				return err
			}
		}
		return nil
	}
	for _, a := range group {
		if err := e.allow(a, func() (string, error) { return e.simulate(max(n.m.observation, 0), state), nil }); err != nil {
			return err
		}
	}
	return nil
}
