package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// workOn does a sub-task: the supervisor makes it precise, and the executor tries until a
// result meets the constraints or no attempt is left. An error ends the run.
func (r *run) workOn(env *process.Env, w *work) error {
	env.Tag("subtask", w.sub.ID)
	if err := env.Until(func() bool { return r.mayStart(w) }); err != nil {
		return err
	}
	w.state = StateRunning
	r.running++
	if err := r.started(env, w); err != nil {
		return err
	}
	if err := r.supervise(env, w); err != nil {
		return err
	}
	for tries := 0; ; tries++ {
		fault, err := r.try(env, w)
		if err != nil {
			return err
		}
		if fault == "" {
			w.state, w.reason, w.trouble = StateDone, "", ""
			r.running--
			r.record(w.event(EventDone))
			r.emitState(env, w)
			r.notify(env, w, nil)
			return nil
		}
		w.reason, w.trouble = fault, fault
		r.record(w.event(EventFailed))
		if tries < r.retries {
			if err := r.started(env, w); err != nil {
				return err
			}
			continue
		}
		goOn, err := r.otherwise(env, w)
		if err != nil || !goOn {
			return err
		}
		tries = -1
	}
}

// started begins an attempt.
func (r *run) started(env *process.Env, w *work) error {
	w.attempts++
	w.broken = nil
	r.record(w.event(EventStarted))
	r.emitState(env, w)
	return r.yieldToChange(env)
}

// notify emits a message with the result of a sub-task to every dependent that did not
// receive it under the previous graph.
func (r *run) notify(env *process.Env, w *work, before *Graph) {
	var notified []string
	if before != nil {
		notified = before.recipients(w.sub.ID)
	}
	for _, to := range r.graph.recipients(w.sub.ID) {
		if !slices.Contains(notified, to) {
			env.Emit(MessageEvent{Kind: "team.message", From: w.sub.ID, To: to, Text: w.text})
		}
	}
}

const supervisorSchema = `{"type":"object","properties":{"task":{"type":"string"}},"required":["task"],"additionalProperties":false}`

// supervise rewrites a sub-task with the results of its direct predecessors. Without a
// valid answer the sub-task stays unchanged.
func (r *run) supervise(env *process.Env, w *work) error {
	w.task = w.sub.Task
	if len(w.sub.Needs) == 0 || r.settings.Supervisor == SupervisorPass {
		return nil
	}
	task := ""
	_, err := r.conversation(env, Supervisor, w, r.supervisorPrompt(w), supervisorSchema, func(text string) ([]string, error) {
		task = ""
		n, _, ok := json.Find(text)
		if ok && n.Kind == '{' {
			task = strings.TrimSpace(n.TextOf("task"))
		} else if ok && n.Kind == '"' {
			task = strings.TrimSpace(n.Text)
		} else if !strings.ContainsAny(text, "{}") {
			task = strings.TrimSpace(text) // the supervisor answered in prose
		}
		if task == "" {
			return []string{`missing "task" in the answer, a text that describes the work`}, nil
		}
		return nil, nil
	})
	if err != nil && ends(err) {
		return err
	}
	if err == nil && task != "" {
		w.task = task
	}
	env.Emit(MessageEvent{Kind: "team.message", From: Supervisor, To: w.sub.ID, Text: w.task})
	r.emitState(env, w)
	return r.yieldToChange(env)
}

// try makes one attempt at a sub-task. fault explains why there is no result, or which
// constraint the result violates.
func (r *run) try(env *process.Env, w *work) (fault string, err error) {
	local, err := properties(w.constraints(r.spec), env.Meter())
	if err != nil {
		return "", err
	}
	event := w.event("")
	record(local, event.of(EventStarted))
	trouble := ""
	if w.trouble != "" {
		trouble = "Your last result could not be used: " + w.trouble + "."
		if w.text != "" {
			trouble += "\nIt was: " + w.text
		}
		trouble += "\nDo better this time.\n"
	}
	t, err := r.execute(env, w, local, trouble)
	if err != nil {
		if ends(err) {
			return "", err
		}
		w.text = ""
		return "the executor returned no result: " + err.Error(), nil
	}
	w.text = strings.TrimSpace(t.Answer)
	if w.text == "" {
		return "the executor's answer is empty", nil
	}
	if t.Verdict == agent.VerdictIncomplete {
		return "the executor's answer is cut off", nil
	}
	for _, p := range local {
		if !p.ends(event.of(EventDone)) {
			return r.violated(env, Violation{Constraint: p.constraint.String(), Reason: "its steps are not in the required order", Subtask: w.sub.ID, Local: true}), nil
		}
	}
	if p := forbids(r.rules, event.of(EventDone)); p != nil {
		return r.violated(env, Violation{Constraint: p.constraint.String(), Reason: "other required sub-tasks must be done before it", Subtask: w.sub.ID}), nil
	}
	if broken := r.brokenChecks(w); len(broken) > 0 {
		return r.violated(env, broken[0]), nil
	}
	for _, p := range t.Properties {
		if v := (Violation{Constraint: p.Name, Reason: p.Fault, Subtask: w.sub.ID, Local: true}); !p.Holds && w.executor.Agent.Name != "" {
			if v.Reason == "" {
				v.Reason = p.Reason
			}
			r.violated(env, v)
			w.broken = append(w.broken, v)
		}
	}
	return "", nil
}

// brokenChecks returns the checks that a sub-task's result violates.
func (r *run) brokenChecks(w *work) (broken []Violation) {
	for _, c := range w.constraints(r.spec) {
		if c.Check == nil {
			continue
		}
		if o := c.Check.Decide(r.localScope(w)); !o.Holds {
			broken = append(broken, Violation{Constraint: c.String(), Reason: o.Reason, Subtask: w.sub.ID, Local: true})
		}
	}
	return broken
}

// violated emits a violation and returns its description.
func (r *run) violated(env *process.Env, v Violation) string {
	env.Emit(ViolationEvent{"team.violation", v})
	return fmt.Sprintf("it does not meet “%s”: %s", v.Constraint, v.Reason)
}

// localScope returns the values of a sub-task's checks.
func (r *run) localScope(w *work) Scope {
	s := Scope{Values: map[string]Value{"text": textValue(w.text), "given": listOf(r.before(w))}, Missing: map[string]string{}}
	structured(&s, "result", w.text, "the result")
	return s
}

// structured adds the JSON in a text to a scope.
func structured(s *Scope, name, text, what string) {
	v, ok := ReadValue(text)
	if !ok {
		s.Missing[name] = what + " contains no JSON"
		return
	}
	s.Values[name] = v
}

// listOf returns a list of works as a value for checks.
func listOf(list []*work) Value {
	out := Value{Kind: '['}
	for _, w := range list {
		o := Value{Kind: '{', Members: []Member{
			{"id", textValue(w.sub.ID)}, {"executor", textValue(w.executor.Name)}, {"task", textValue(w.task)}, {"text", textValue(w.text)},
		}}
		if before := w.before(); len(before) > 0 {
			list := Value{Kind: '['}
			for _, name := range before {
				list.Items = append(list.Items, textValue(name))
			}
			o.Members = append(o.Members, Member{"instead", list})
		}
		if v, ok := ReadValue(w.text); ok {
			o.Members = append(o.Members, Member{"result", v})
		}
		out.Items = append(out.Items, o)
	}
	return out
}

// execute runs the executor's agent.
func (r *run) execute(env *process.Env, w *work, local []*property, trouble string) (*monitor.Transcript, error) {
	steps := w.executor.Steps
	if steps == 0 {
		steps = r.spec.Limits.Steps
	}
	if r.settings.Steps > 0 {
		steps = r.settings.Steps
	}
	names := make([]string, len(w.executor.Tools))
	for i, t := range w.executor.Tools {
		names[i] = t.Name
	}
	a, err := r.agent(w.executor.Agent.Name, names)
	if err != nil {
		return nil, err
	}
	prompt := r.executorPrompt(w, trouble)
	env.Emit(PromptEvent{Kind: "team.prompt", Role: "executor", Attempt: w.attempts, Prompt: prompt})
	return r.act(env, a, assignment{
		work: w, tools: names, local: local, steps: steps, question: w.task, prompt: prompt,
		models: []string{"task " + w.sub.ID, "executor " + w.executor.Name, "executors"},
	})
}

// assignment is the work of an agent: a sub-task, or the complete task.
type assignment struct {
	work             *work
	tools            []string    // their names
	local            []*property // formulas about the work
	steps            int         // maximum number of calls
	question, prompt string
	models           []string // roles in the settings; the first one that has a model applies
}

// act runs an agent on an assignment.
func (r *run) act(env *process.Env, a *agent.Agent, of assignment) (*monitor.Transcript, error) {
	w := of.work
	key, spec := r.settings.modelFor(of.models...)
	script, err := r.script(key, spec)
	if err != nil {
		return nil, err
	}
	if play := r.play(of.models[0]); play != nil {
		script = play
	}
	setup := r.setup.Setup
	setup.Instructions = of.prompt
	setup.Model = func(made llm.Model) llm.Model {
		if script != nil {
			made = script
		}
		return counted{r, w, made}
	}
	calls := 0
	setup.Within, setup.Guarded, setup.Member = r.enforced, true, w.executor.Name
	if open := setup.Tools; open != nil {
		setup.Tools = func() *tool.Registry {
			all := open()
			if r.enforced != nil { // below the limits, so that a call that they reject is no event
				all = r.enforced.Guard(all, setup.Member)
			}
			return all.Restricted(of.tools, func(c tool.Callable) tool.Callable {
				return &guarded{Callable: c, r: r, w: w, local: of.local, calls: &calls, most: of.steps}
			})
		}
	}
	t, err := monitor.Run(env, a, setup, monitor.Settings{
		Question: of.question, Model: spec, Environment: r.settings.Environment, MaxSteps: statesPerStep*of.steps + 1,
		MaxTokens: r.settings.MaxTokens, Temperature: r.settings.Temperature,
	})
	if err != nil {
		return nil, err
	}
	return t, r.step()
}

// statesPerStep is the number of states in a step: thought, action, input and observation.
const statesPerStep = 4

// guarded is a tool of a sub-task that counts calls and rejects those that a formula
// forbids.
type guarded struct {
	tool.Callable
	r     *run
	w     *work
	local []*property
	calls *int
	most  int
}

// Call implements [tool.Callable].
func (g *guarded) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	e := g.w.event(EventCalled)
	e.Tool = g.Name()
	if *g.calls == g.most {
		return "", &tool.CallFault{Code: "team.steps", Message: fmt.Sprintf("this sub-task has reached its limit of %d steps; answer with the results so far", g.most)}
	}
	for _, list := range [][]*property{g.local, g.r.rules} {
		if p := forbids(list, e); p != nil {
			return "", &tool.CallFault{Code: "team.property", Message: fmt.Sprintf("%s may not be called now, because “%s” must hold; choose another step first", g.Name(), p.constraint)}
		}
	}
	*g.calls++
	if err := g.r.step(); err != nil {
		return "", err
	}
	record(g.local, e)
	g.r.record(e)
	counted{g.r, g.w, nil}.count(Spent{ToolCalls: 1})
	return g.Callable.Call(env, arguments)
}

// agent returns the agent of a file or, if the name is "", ReAct with the given tools.
func (r *run) agent(name string, tools []string) (*agent.Agent, error) {
	if name != "" {
		if r.setup.Agent == nil {
			return nil, source.NewError("team.agent", fmt.Sprintf("unknown agent %q", name))
		}
		return r.setup.Agent(name)
	}
	text := ReAct(tools)
	if open := r.setup.Tools; open != nil && open().HasHidden() {
		text = strings.Replace(text, " (:one-of "+quotedNames(tools)+")", "", 1) // a search finds more tools
	}
	if r.settings.Method == MethodAct {
		text = withoutThoughts(text)
	}
	spec, found := agent.Parse(source.NewFile("react.agent", text))
	a, more := agent.Compile(spec, r.env.Meter())
	if source.HasErrors(append(found, more...)) {
		return nil, source.NewError("internal", "the built-in agent cannot be made for these tools: "+append(found, more...)[0].Message)
	}
	return a, nil
}

// ReAct returns the source of the default agent of executors (Yao et al. 2023): it repeats
// a thought, a tool call and an observation, and then answers. Without tools it thinks and
// answers.
func ReAct(tools []string) string {
	if len(tools) == 0 {
		return `(define cot-agent
  (:states (Ques (:text "[Question]")) (Tht (:text "[Thought]")) (Ans (:text "[Answer]")))
  (:behavior (next Ques Tht Ans)))
`
	}
	return `(define react-agent
  (:states
    (Ques (:text "[Question]"))
    (Tht (:text "[Thought]"))
    (Act (:text "[Action]") (:one-of ` + quotedNames(tools) + `))
    (Act-Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Final-Tht (:text "[Final Thought]"))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next Tht Act Act-Inp Obs) Final-Tht) Ans)))
`
}

// withoutThoughts removes the thoughts from [ReAct].
func withoutThoughts(text string) string {
	return strings.NewReplacer("\n    (Tht (:text \"[Thought]\"))", "", "\n    (Final-Tht (:text \"[Final Thought]\"))", "",
		"(until (next Tht Act Act-Inp Obs) Final-Tht) Ans", "(until (next Act Act-Inp Obs) Ans)", " (Tht (:text \"[Thought]\"))", "", "Ques Tht Ans", "Ques Ans").Replace(text)
}

// otherwise handles a sub-task after its last failed attempt: another executor takes over,
// a person decides, or the run continues without it. It reports whether the sub-task is
// tried again. An error with code "team.failed" ends the run.
func (r *run) otherwise(env *process.Env, w *work) (again bool, err error) {
	w.tried = append(w.tried, w.executor.Name)
	next := r.able(w)
	if r.settings.Otherwise == OtherwisePerson {
		return r.askPerson(env, w, next)
	}
	if next != nil {
		return true, r.reassign(env, w, next)
	}
	w.state = StateFailed
	r.running--
	r.emitState(env, w)
	if r.settings.Otherwise == OtherwiseStop {
		return false, source.NewError("team.failed", fmt.Sprintf("the sub-task %s failed: %s", w.sub.ID, w.reason))
	}
	return false, nil
}

// able returns the next executor that can take over, or nil. It must have all tools of the
// executors that failed. If these have no tools, it must have none either, and the same
// agent and form of results as the current executor, unless a person decides.
func (r *run) able(w *work) *Executor {
	var tools []Tool
	for _, e := range w.given {
		tools = append(tools, e.Tools...)
	}
	fits := func(e *Executor) bool {
		if len(tools) == 0 && r.settings.Otherwise != OtherwisePerson {
			return len(e.Tools) == 0 && e.Agent.Name == w.executor.Agent.Name && e.Gives == w.executor.Gives
		}
		return !slices.ContainsFunc(tools, func(t Tool) bool {
			return !slices.ContainsFunc(e.Tools, func(o Tool) bool { return strings.EqualFold(o.Name, t.Name) })
		})
	}
	for i := range r.spec.Executors {
		e := &r.spec.Executors[i]
		if slices.Contains(w.tried, e.Name) || !fits(e) {
			continue
		}
		after := *w
		after.assign(e)
		if forbids(r.rules, after.event(EventStarted)) == nil {
			return e
		}
	}
	return nil
}

func (r *run) reassign(env *process.Env, w *work, e *Executor) error {
	env.Emit(MessageEvent{Kind: "team.message", From: Manager, To: w.sub.ID, Text: fmt.Sprintf("%s takes over from %s: %s", e.Name, w.executor.Name, w.reason)})
	w.assign(e)
	w.trouble, w.text = "", ""
	return r.started(env, w)
}

// askPerson asks a person about a failed sub-task.
func (r *run) askPerson(env *process.Env, w *work, next *Executor) (again bool, err error) {
	question := process.Question{
		Prompt:  fmt.Sprintf("The sub-task %s failed: %s\n\n%s\n\nDecide, or write its result.", w.sub.ID, w.reason, w.task),
		Choices: []string{"Try again", "Continue without it", "Stop"},
	}
	if next != nil {
		question.Choices = append(question.Choices, "Give it to "+next.Name)
	}
	text, err := llm.Ask(env, question)
	if err != nil {
		return false, err
	}
	switch text = strings.TrimSpace(text); {
	case text == "1":
		return true, r.started(env, w)
	case text == "4" && next != nil:
		return true, r.reassign(env, w, next)
	case text == "3":
		return false, source.NewError("team.failed", fmt.Sprintf("the sub-task %s failed, and a person has stopped the run: %s", w.sub.ID, w.reason))
	case text == "2" || text == "":
		w.state = StateFailed
	default: // a person's result; violated constraints are reported
		w.state, w.text, w.reason = StateDone, text, ""
		w.broken = r.brokenChecks(w)
		for _, v := range w.broken {
			r.violated(env, v)
		}
		r.record(w.event(EventStarted))
		r.record(w.event(EventDone))
	}
	r.running--
	r.emitState(env, w)
	if w.state == StateDone {
		r.notify(env, w, nil)
	}
	return false, nil
}
