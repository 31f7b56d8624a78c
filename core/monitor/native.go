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
	SurfaceText  = "text"  // it writes the states' prompts
	SurfaceTools = "tools" // it calls tools in the endpoint's own way
)

// DefaultToolsTemplate is what a model is told that calls tools in the endpoint's own
// way, where the settings have no template.
const DefaultToolsTemplate = `Work on the task with the tools that you are given, and give the answer alone when you have it. It is enforced what may come after what: a call that may not be made now is answered with an error that says what may.`

// maxRefusals is how many refusals in a row a run bears before it gives up: a model
// that does not listen that often will not listen the next time.
const maxRefusals = 8

// native is a run over an endpoint's own tool calls: texts and calls are mapped to the
// states of the same specification, and what may not come is answered with an error
// in the place of a result.
type native struct {
	*runner
	m        *mapper
	known    []string // the tools' names
	refusals int      // in a row
}

// native lets the model act by calling tools.
func (r *runner) native() (*Transcript, error) {
	if err := checkMapping(r.a, r.settings.Mapping); err != nil {
		return nil, err
	}
	if e := r.settings.Model.Endpoint; r.settings.Model.Kind == llm.KindPerson || r.settings.Model.Kind == llm.KindEndpoint && e != nil && !e.Known().Tools {
		return nil, source.NewError("monitor.settings", "this model cannot call tools in a way of its own; choose the surface \"text\"")
	}
	template := r.settings.Template
	if template == "" {
		template = DefaultToolsTemplate
	}
	if r.setup.Told != "" {
		template += "\n\n" + r.setup.Told
	}
	question := r.settings.Question
	if question == "" {
		question = "Begin."
	}
	r.messages = []llm.Message{{Role: "system", Content: template}, {Role: "user", Content: question}}
	n := &native{runner: r, m: newMapper(r.a, r.settings.Mapping, r.settings.Roles)}
	n.m.know(n.toolNames())
	switch r.settings.Model.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler, llm.KindScripted:
		r.model = &caller{n: n, spec: r.settings.Model}
	}
	r.ask()
	for !r.done {
		if err := n.turn(); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// turn asks the model once.
func (n *native) turn() error {
	if err := n.env.Meter().Step(100); err != nil {
		return err
	}
	allowed := n.allowed()
	switch {
	case len(allowed) == 0, n.run.Complete() && len(n.segments) >= n.settings.MaxSteps:
		n.done = true
		return nil
	case len(allowed) == 1 && n.a.States[allowed[0]].EnvInput && !n.run.Complete():
		return n.hear(allowed[0])
	case len(allowed) == 1 && n.a.States[allowed[0]].Empty && !n.run.Complete():
		n.segment(allowed[0], "", "correction")
		return nil
	}
	calls, answers := n.may()
	if !calls && !answers {
		return source.NewError("monitor.mapping", fmt.Sprintf("nothing that a model can call or answer stands for %s, which may come; say in the mapping what does", list(n.names(allowed))))
	}
	request := llm.Request{Messages: n.messages, MaxTokens: n.settings.MaxTokens, Temperature: n.settings.Temperature}
	switch {
	case calls && !answers:
		request.Tools, request.ToolChoice = n.offered(n.callable()), "required"
	case calls:
		request.Tools = n.offered(n.callable())
	case n.m.action >= 0 || n.m.input >= 0:
		// What was called before is spoken of, so it has to be known.
		request.Tools, request.ToolChoice = n.offered(n.toolNames()), "none"
	}
	if err := n.spend(&n.stats.Calls, request); err != nil {
		return err
	}
	n.env.Emit(CallEvent{Kind: "monitor.call", Sample: n.sample, Call: n.stats.Calls, Length: len(n.text), Stop: []string{}})
	reply, err := n.model.Generate(n.env, request, func(delta string) bool {
		n.env.Emit(DeltaEvent{Kind: "monitor.delta", Sample: n.sample, Text: delta})
		return true
	})
	n.stats.PromptTokens += reply.Usage.Prompt
	n.stats.CompletionTokens += reply.Usage.Completion
	if err != nil {
		return err
	}
	return n.take(reply)
}

// take reads a message of the model.
func (n *native) take(reply llm.Reply) error {
	before := n.refusals
	text := strings.TrimSpace(reply.Text)
	n.messages = append(n.messages, llm.Message{Role: "assistant", Content: reply.Text, ToolCalls: reply.ToolCalls})
	n.written += len([]rune(text))
	for _, c := range reply.ToolCalls {
		n.written += len([]rune(c.Name + c.Arguments))
	}
	if len(reply.ToolCalls) == 0 {
		err := n.say(text)
		if n.done && len(n.segments) > 0 {
			n.cutOff(reply)
		}
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

// say takes a message without calls, which is the model's last word.
func (n *native) say(text string) error {
	states := n.lastWord()
	var refused *refusal
	switch {
	case text == "" && n.run.Complete():
		n.done = true
		return nil
	case text == "":
		refused = &refusal{state: "", reason: "nothing was said or called, but the run is not complete"}
	default:
		contents := make([]string, len(states))
		if len(states) > 0 {
			contents[len(states)-1] = text
		}
		if refused = n.fault(states, contents); refused == nil {
			n.put(states, contents, "model")
			n.refusals = 0
			n.done = n.run.Complete()
			return nil
		}
	}
	n.refuse(refused, text)
	n.messages = append(n.messages, llm.Message{Role: "user", Content: "(That may not come now: " + refused.said(n) + ")"})
	return n.patience()
}

// calls makes the calls of a message. Where the results are summed up those that may
// come one after the other are made at the same time.
func (n *native) calls(calls []llm.ToolCall) error {
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
			if n.m.observation < 0 || WayOf(n.a.States[n.m.observation]) != agent.FromSummary {
				break
			}
		}
		if len(group) == 0 {
			continue
		}
		if err := n.performNative(group); err != nil {
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
			if _, ok := n.run.Step(n.m.observation); ok {
				n.last = n.m.observation // whose content is fitted
				fitted, err := n.fit(n.a.States[n.m.observation], content)
				if err != nil {
					return err
				}
				n.put([]int{n.m.observation}, []string{fitted}, "environment")
			}
		}
	}
	return nil
}

// enterCall takes the states of a call, or says why they may not come.
func (n *native) enterCall(c llm.ToolCall) *refusal {
	states := n.m.states(n.run, PartCall, c.Name, false)
	contents := make([]string, len(states))
	for k := range states {
		contents[k] = onlyValue(c.Arguments)
		if len(states) > 1 && k == 0 {
			contents[k] = c.Name
		}
	}
	if !slices.Contains(n.toolNames(), c.Name) {
		return &refusal{reason: fmt.Sprintf("there is no tool %q; there is %s", c.Name, list(n.toolNames()))}
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Arguments), &object) != nil {
		return &refusal{reason: "the arguments are no JSON object"}
	}
	if refused := n.fault(states, contents); refused != nil {
		return refused
	}
	n.put(states, contents, "model")
	return nil
}

// refusal says why something may not come.
type refusal struct {
	state, reason string
	allowed       []string
}

// said is a refusal in words for the model, which knows of no states.
func (f *refusal) said(n *native) string {
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
	return f.reason + "; what may come is " + may
}

// fault says why states with contents may not come next, or nil. Thoughts that have
// to stand before the first are taken as thought.
func (n *native) fault(states []int, contents []string) *refusal {
	if len(states) == 0 {
		return &refusal{reason: "nothing stands for it in this agent"}
	}
	run := n.run
	for k, state := range states {
		if n.late(run, state) {
			return &refusal{state: n.a.States[state].Name, reason: "the run is long and has to come to its end"}
		}
		for _, s := range n.m.way(run, state) {
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

// late reports whether a long run would be led further from its end by a state.
func (n *native) late(run agent.Run, state int) bool {
	if len(n.segments) < n.settings.MaxSteps {
		return false
	}
	distance := n.a.Distance(run.State())
	for _, s := range append(n.m.way(run, state), state) {
		after, ok := run.Step(s)
		if !ok {
			return false // said elsewhere
		}
		run = after
		distance--
	}
	return n.a.Distance(run.State()) > max(distance, 0)
}

// put writes states with their contents, with the thoughts that have to stand before.
func (n *native) put(states []int, contents []string, by string) {
	for k, state := range states {
		for _, s := range n.m.way(n.run, state) {
			n.segment(s, "", by)
		}
		n.segment(state, contents[k], by)
	}
}

// segment writes a state whole.
func (n *native) segment(state int, content, by string) {
	n.newLine()
	start := len(n.text)
	author := byModel
	if by != "model" {
		author = byOthers
	}
	n.write(byMonitor, n.prompts.apart(state))
	n.at = start + len(n.a.States[state].Text)
	n.enter(state, start)
	if content = strings.TrimSpace(content); content != "" {
		n.write(author, " "+n.prompts.disguise(content))
	}
	n.at = len(n.text)
	n.closeSegment(by)
}

// refuse reports what was refused.
func (n *native) refuse(f *refusal, what string) {
	n.refusals++
	n.stats.Violations++
	n.stats.Corrections++
	n.discarded += len([]rune(what))
	n.env.Emit(ViolationEvent{
		Kind: "monitor.violation", Sample: n.sample, Index: len(n.segments), State: f.state, Reason: f.reason,
		Allowed: append([]string{}, f.allowed...), Discarded: strings.TrimSpace(what),
	})
	n.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: n.sample, Text: f.said(n), Allowed: append([]string{}, f.allowed...)})
}

func (n *native) patience() error {
	if n.refusals >= maxRefusals {
		return source.NewError("monitor.refused", fmt.Sprintf("the model was told %d times in a row that what it does may not come, and does it still; a stronger model or the surface \"text\" may help", n.refusals))
	}
	return nil
}

// result answers a call.
func (n *native) result(c llm.ToolCall, text string) {
	n.messages = append(n.messages, llm.Message{Role: "tool", ToolCallID: c.ID, Content: text})
}

func refusalText(said string) string {
	text, _ := json.Marshal(map[string]string{"error": said})
	return string(text)
}

// hear lets the environment speak where no call asked it to.
func (n *native) hear(state int) error {
	n.newLine()
	n.write(byMonitor, n.prompts.apart(state))
	n.at = len(n.text)
	n.enter(state, n.at-len(n.prompts.apart(state)))
	n.content = int(n.segments[len(n.segments)-1].Span.Start) + len(n.a.States[state].Text)
	s := n.a.States[state]
	content, err := n.answer(s)
	if err != nil {
		return err
	}
	silent := strings.TrimSpace(content) == ""
	if content, err = n.fit(s, content); err != nil {
		return err
	}
	n.write(byOthers, " "+content)
	n.closeSegment("environment")
	n.messages = append(n.messages, llm.Message{Role: "user", Content: s.Text + " " + content})
	if silent && WayOf(s) == agent.FromPerson && n.run.Complete() {
		n.done = true
	}
	return nil
}

// performNative makes calls that may be made, at the same time.
func (n *native) performNative(group []*action) error {
	state := agent.State{}
	if n.m.observation >= 0 {
		state = n.a.States[n.m.observation]
	}
	switch n.settings.Environment {
	case EnvironmentTools:
		return n.together(state, group)
	case EnvironmentPerson:
		for _, a := range group {
			answer, err := n.person(state)
			if err != nil {
				return err
			}
			a.output, a.done = answer, true
		}
		return nil
	}
	n.last = max(n.m.observation, 0)
	for _, a := range group {
		a.output, a.done = n.simulate(state), true
	}
	return nil
}
