// Package enforce judges the calls of a run by rules about data before they are made. A call that
// would violate a rule is not made: the model reads the reason and the tools that it may call.
//
// The events of a run are its calls, their results and errors, and messages, in the order in which
// they are issued. If a rule depends on times, each event has the time at which the host answered
// an effect, so that a replay of the log has the same times and the same decisions.
package enforce

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// CodeDenied is the code of a fault of a call that a rule denies.
const CodeDenied = "rules.denied"

// Policy is a file of rules without errors. It is immutable.
type Policy struct {
	file    *rules.File
	timed   bool
	observe bool
	tools   []string // that the rules name
}

// Observed returns the same rules for runs whose calls are all made: a call that violates a rule is
// an event of the run, and a violation of its report.
func (p *Policy) Observed() *Policy {
	out := *p
	out.observe = true
	return &out
}

// New returns the rules of a text. It is nil if the diagnostics have errors: a rule that cannot be
// judged would deny every call.
func New(file *source.File) (*Policy, []source.Diagnostic) {
	p := &Policy{file: rules.Parse(file)}
	found := p.file.Diagnostics
	if len(p.file.Rules) == 0 && !source.HasErrors(found) {
		found = append(found, source.Diagnostic{Code: "rules.empty", Message: "the text has no rule to enforce"})
	}
	if source.HasErrors(found) {
		return nil, found
	}
	seen := map[string]bool{}
	for _, r := range p.file.Rules {
		uses := r.Uses()
		p.timed = p.timed || uses.Time
		for _, name := range uses.Tools {
			if !seen[name] {
				p.tools = append(p.tools, name)
			}
			seen[name] = true
		}
	}
	return p, found
}

// Event is an event of a run that the rules judged.
type Event struct {
	Kind   string         `json:"kind"`             // "rules.event"
	Sample int            `json:"sample,omitempty"` // number of the run among several, from 1
	Event  rules.RawEvent `json:"event"`
	// Denied reports that the call was not made. The event is then not part of the run.
	Denied  bool     `json:"denied,omitempty"`
	Rules   []string `json:"rules,omitempty"`   // the rules that are violated or cannot be judged
	Reason  string   `json:"reason,omitempty"`  // a sentence about the first of them
	Allowed []string `json:"allowed,omitempty"` // tools that can be called without violating a rule
}

// Report is the verdict of a rule on a run.
type Report struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`          // as in "rules.check"
	Reason  string `json:"reason,omitempty"` // of the first violation, or of the fault
	Denied  int    `json:"denied"`           // number of calls that the rule denied
	// Violations is the number of events that violate the rule.
	Violations int `json:"violations,omitempty"`
}

// Run judges the events of one run. Tasks of a process may share it.
type Run struct {
	policy  *Policy
	sample  int
	monitor *rules.Monitor
	last    *rules.Event
	events  int
	calls   int
	denied  []int
	broken  []int    // events that violate a rule, by rule
	reasons []string // of the first violations, by rule
	ended   bool
}

// Begin returns a run without events. Sample is its number among several, or 0.
func (p *Policy) Begin(sample int) *Run {
	n := len(p.file.Rules)
	return &Run{policy: p, sample: sample, monitor: rules.NewMonitor(p.file), denied: make([]int, n), broken: make([]int, n), reasons: make([]string, n)}
}

// event returns an event at the present time. If the rules depend on times, it waits until the host
// reports the time.
func (r *Run) event(env *process.Env, kind, name string, fields *rules.Value, agent string) (*rules.Event, error) {
	var at json.RawMessage
	if r.policy.timed {
		var err error
		if at, err = env.Start(process.Request{Clock: &process.Clock{}}).Value(); err != nil {
			return nil, err
		}
	}
	e, err := rules.ReadEvent(rules.RawEvent{Kind: &kind, Name: name, Time: at}, r.events)
	if err != nil {
		return nil, source.NewError("rules.run", "the host returned no time: "+err.Error())
	}
	e.Fields = fields
	if agent != "" {
		e.Agent = rules.Text(agent)
	}
	if r.last != nil && e.Compare(r.last) < 0 {
		e.Time = r.last.Time // the clock of the host was set back
	}
	return e, nil
}

func (r *Run) add(env *process.Env, e *rules.Event) {
	shown := Event{Kind: "rules.event", Sample: r.sample, Event: e.Raw()}
	for _, v := range r.monitor.Step(e) {
		if r.reasons[v.Rule] == "" {
			r.reasons[v.Rule] = fmt.Sprintf("%s violates %s", e.Describe(), r.explain(v))
		}
		if shown.add(r.name(v.Rule)) {
			r.broken[v.Rule]++
		}
		if shown.Reason == "" {
			shown.Reason = r.reasons[v.Rule]
		}
	}
	r.events, r.last = r.events+1, e
	env.Emit(shown)
}

// add adds a rule, unless it is the last one: the violations of a rule follow each other.
func (e *Event) add(rule string) (added bool) {
	if n := len(e.Rules); n > 0 && e.Rules[n-1] == rule {
		return false
	}
	e.Rules = append(e.Rules, rule)
	return true
}

func (r *Run) name(rule int) string { return r.policy.file.Rules[rule].Name }

// explain returns the rule of a violation and its requirement.
func (r *Run) explain(v rules.Violation) string {
	return fmt.Sprintf("the rule %q, which requires %s", r.name(v.Rule), shorten(r.monitor.Requirement(v)))
}

// longest is the maximum length of a requirement in a message, in bytes.
const longest = 300

func shorten(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// Call is a call that an agent is about to make.
type Call struct {
	Agent  string // "" if the run has one agent
	Tool   string
	Fields *rules.Value // the arguments
	Tools  []string     // the tools of the agent; nil: those that the rules name
}

// Made is a call that was allowed. Its result or its error is the next step.
type Made struct {
	run  *Run
	call Call
	id   *rules.Value
}

// Call judges a call. If no rule denies it, or the rules only observe, it becomes an event of the run. Otherwise the result is
// nil, and reason is a sentence for the model. The error is a limit of the process.
func (r *Run) Call(env *process.Env, c Call) (made *Made, reason string, err error) {
	e, err := r.event(env, "call", c.Tool, c.Fields, c.Agent)
	if err != nil {
		return nil, "", err
	}
	r.calls++
	e.ID = rules.Text(fmt.Sprintf("call_%d", r.calls))
	trial := r.monitor.Try(e)
	if trial.Allowed() || r.policy.observe {
		r.add(env, e)
		return &Made{r, c, e.ID}, "", nil
	}
	shown := Event{Kind: "rules.event", Sample: r.sample, Event: e.Raw(), Denied: true, Allowed: r.allowed(e, c.Tools)}
	for _, v := range trial.Violations {
		if shown.add(r.name(v.Rule)) {
			r.denied[v.Rule]++
		}
		if shown.Reason == "" {
			shown.Reason = c.Tool + " was not called because it violates " + r.explain(v)
		}
	}
	for _, i := range trial.Faults {
		r.denied[i]++
		if shown.add(r.name(i)); shown.Reason == "" {
			shown.Reason = fmt.Sprintf("%s was not called because the rule %q cannot be judged: %s", c.Tool, r.name(i), r.fault(i))
		}
	}
	if shown.Reason == "" {
		shown.Reason = c.Tool + " was not called because the rules cannot be judged: " + trial.Err.Error()
	}
	env.Emit(shown)
	return nil, shown.Reason + mayCall(shown.Allowed), nil
}

// fault returns the reason why a rule cannot be judged. A limit that was reached while trying a
// call is not recorded in the monitor.
func (r *Run) fault(rule int) string {
	if err := r.monitor.Limit(rule); err != nil {
		return err.Error()
	}
	return "its evaluation exceeds the limit of state or of steps"
}

// allowed returns the tools, except the tool of a denied call, that could be called without
// arguments at the time of that call. Rules about the arguments cannot be judged before the call is
// made.
func (r *Run) allowed(denied *rules.Event, tools []string) []string {
	if tools == nil {
		tools = r.policy.tools
	}
	var out []string
	for _, name := range tools {
		next := *denied
		next.Name, next.Fields = name, nil
		if name != denied.Name && r.monitor.Try(&next).Allowed() {
			out = append(out, name)
		}
	}
	return out
}

// mayCall ends a sentence for the model with the tools that it may call.
func mayCall(tools []string) string {
	const most = 20
	switch {
	case len(tools) == 0:
		return "."
	case len(tools) > most:
		return fmt.Sprintf("; allowed tools: %s and %d more.", strings.Join(tools[:most], ", "), len(tools)-most)
	}
	return "; allowed tools: " + strings.Join(tools, ", ") + "."
}

// Result adds the result of the call. A text that is not a JSON object becomes the field "value".
func (m *Made) Result(env *process.Env, text string) error {
	return m.after(env, "result", rules.Fields(text, m.call.Fields))
}

// Error records that the call failed with this message.
func (m *Made) Error(env *process.Env, text string) error {
	return m.after(env, "error", rules.Fields(textObject(text), m.call.Fields))
}

func (m *Made) after(env *process.Env, kind string, fields *rules.Value) error {
	e, err := m.run.event(env, kind, m.call.Tool, fields, m.call.Agent)
	if err != nil {
		return err
	}
	e.ID = m.id
	m.run.add(env, e)
	return nil
}

func textObject(text string) string {
	quoted, _ := json.Marshal(text) // cannot fail
	return `{"text":` + string(quoted) + `}`
}

// Message adds a message of a role: user, assistant or system.
func (r *Run) Message(env *process.Env, role, text, agent string) error {
	e, err := r.event(env, "message", role, rules.Fields(textObject(text), nil), agent)
	if err == nil {
		r.add(env, e)
	}
	return err
}

// End ends the run, unless it has ended, and returns the verdict of each rule.
func (r *Run) End(env *process.Env) ([]Report, error) {
	if !r.ended {
		e, err := r.event(env, "end", "", nil, "")
		if err != nil {
			return nil, err
		}
		r.ended = true
		r.add(env, e)
	}
	out := make([]Report, len(r.denied))
	for i := range out {
		out[i] = Report{Name: r.name(i), Verdict: string(r.monitor.Verdict(i)), Reason: r.reasons[i], Denied: r.denied[i], Violations: r.broken[i]}
		if err := r.monitor.Limit(i); err != nil {
			out[i].Reason = err.Error()
		} else if err := r.monitor.Err(); err != nil {
			out[i].Reason = err.Error()
		}
	}
	return out, nil
}
