// Package guard enforces an agent's specification and its properties on a run that
// happens elsewhere: state by state, each with its content, before the agent acts.
//
// It fails closed. A specification or a property that cannot be judged opens no guard.
// A rejected step closes the run until [Run.Retract] reports that the step was not taken.
// No step may follow the end.
//
// The verdict of a step is that of monitor.check on the run so far: order, contents
// (:one-of, :matches, :max-tokens, :empty) and :require from the specification, and
// each formula of the properties. A formula refuses the first step after which it is
// violated however the run continues, and a last step after which it does not hold. A
// formula that does not hold yet refuses the end.
package guard

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// budget bounds the compilation of a specification and its properties.
var budget = meter.Budget{Steps: 20_000_000, States: 500_000}

// Spec is a compiled specification with its properties. It is immutable and may be
// shared by any number of runs.
type Spec struct {
	Agent *agent.Agent

	sum        string // of both texts
	names      []string
	contents   *monitor.ContentCheck
	properties []property
}

// Open compiles an agent in .agent notation and properties in .ltl notation over its
// states; "" means that there are none. The error has code "guard.spec" for a
// specification with errors, "guard.property" for a property that cannot be judged.
func Open(spec, properties string) (*Spec, error) {
	file := source.NewFile("guard.agent", spec)
	m := meter.New(budget)
	parsed, found := agent.Parse(file)
	a, more := agent.Compile(parsed, m)
	found = append(append(found, more...), agent.CheckContents(parsed)...)
	if a == nil || source.HasErrors(found) {
		return nil, faulty("guard.spec", "the specification", file, found)
	}
	s := &Spec{Agent: a, sum: sum(spec, properties)}
	for _, state := range a.States {
		s.names = append(s.names, state.Name)
	}
	var err error
	if s.contents, err = monitor.NewContentCheck(a); err != nil {
		return nil, err
	}
	s.properties, err = openProperties(a, s.names, properties, m)
	return s, err
}

// faulty returns the error of a text that has errors: the first of them, with its line.
func faulty(code, name string, file *source.File, found []source.Diagnostic) error {
	message := name + " has errors"
	for _, d := range found {
		if d.Severity == source.SeverityError {
			message = fmt.Sprintf("%s has errors: line %d: %s", name, file.Locate(d.Span.Start).Line, d.Message)
			break
		}
	}
	return &source.Error{ID: code, Message: message, File: file, Diagnostics: found}
}

func sum(texts ...string) string {
	h := fnv.New64a()
	for _, text := range texts {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// Violation is the refusal of a step, of the end, or of a whole recorded run.
type Violation struct {
	Index    int      `json:"index"` // of the state in the run, from 0
	State    string   `json:"state"` // "" at the end
	Reason   string   `json:"reason"`
	Content  bool     `json:"content,omitempty"`  // the content is refused, not the state
	Property string   `json:"property,omitempty"` // the violated property
	Allowed  []string `json:"allowed"`            // states that may come here
	Contents []string `json:"contents,omitempty"` // the contents that the state may have, if it lists them
}

// Error returns the reason with the place.
func (v *Violation) Error() string {
	if v.State == "" {
		return v.Reason
	}
	return fmt.Sprintf("state %d: %s", v.Index+1, v.Reason)
}

// Saved is the state of a run that is stored as JSON, to be resumed later or elsewhere.
type Saved struct {
	Spec       string `json:"spec"`  // checksum of specification and properties
	Index      int    `json:"index"` // number of states entered
	State      int    `json:"state"`
	Properties []int  `json:"properties"`
	Refused    string `json:"refused,omitempty"` // reason of the refusal that closed the run
	Ended      bool   `json:"ended,omitempty"`
}

// Run follows one run of the agent. It is not safe for use by several goroutines.
type Run struct {
	spec *Spec
	run  agent.Run
	at   Saved
}

// Begin returns a run without states.
func (s *Spec) Begin() *Run {
	r := &Run{spec: s, run: s.Agent.Begin(), at: Saved{Spec: s.sum, Properties: []int{}}}
	r.at.State = r.run.State()
	for _, p := range s.properties {
		r.at.Properties = append(r.at.Properties, p.automaton.Start())
	}
	return r
}

// Resume returns a run that was saved. The error has code "guard.run" for a run of
// another specification or a damaged one.
func (s *Spec) Resume(saved Saved) (*Run, error) {
	fits := saved.Spec == s.sum && saved.Index >= 0 && len(saved.Properties) == len(s.properties)
	for i := 0; fits && i < len(s.properties); i++ {
		q := saved.Properties[i]
		fits = q >= 0 && q < s.properties[i].automaton.NumStates()
	}
	if fits {
		if run, ok := s.Agent.At(saved.State); ok {
			saved.Properties = append([]int{}, saved.Properties...)
			return &Run{spec: s, run: run, at: saved}, nil
		}
	}
	return nil, source.NewError("guard.run", "the saved run does not belong to this specification and its properties; begin another run")
}

// Save returns the run for [Spec.Resume].
func (r *Run) Save() Saved {
	saved := r.at
	saved.Properties = append([]int{}, saved.Properties...)
	return saved
}

// Enter enters the next state with its content. A state or a content that is not allowed
// is rejected with a [*Violation] and closes the run.
func (r *Run) Enter(state, content string) error { return r.enter(state, &content) }

// EnterUnknown refuses a state whose content is not known.
func (r *Run) EnterUnknown(state string) error { return r.enter(state, nil) }

func (r *Run) enter(state string, content *string) error {
	if v := r.closed(); v != nil {
		v.State = state
		return v
	}
	after, properties, v := r.judge(state, content)
	if v != nil {
		v.Index, v.State = r.at.Index, state
		v.Allowed = r.allowed()
		r.at.Refused = v.Reason
		return v
	}
	r.run = after
	r.at.State, r.at.Properties = after.State(), properties
	r.at.Index++
	return nil
}

// closed returns the refusal of a run that takes no states, or nil.
func (r *Run) closed() *Violation {
	v := &Violation{Index: r.at.Index, Allowed: []string{}}
	switch {
	case r.at.Ended:
		v.Reason = "the run has ended; begin another run"
	case r.at.Refused != "":
		v.Reason = fmt.Sprintf("state %d was refused (%s); retract it before the run continues", r.at.Index+1, r.at.Refused)
	default:
		return nil
	}
	return v
}

// judge returns the run and the properties' states after a step, or the reason for its refusal.
func (r *Run) judge(state string, content *string) (agent.Run, []int, *Violation) {
	refuse := func(format string, of ...any) (agent.Run, []int, *Violation) {
		return r.run, nil, &Violation{Reason: fmt.Sprintf(format, of...)}
	}
	letter := r.spec.Agent.Index(state)
	if letter < 0 {
		if near := source.Nearest(state, r.spec.names); near != "" {
			return refuse("unknown state %q; did you mean %q?", state, near)
		}
		return refuse("unknown state %q", state)
	}
	after, ok := r.run.Step(letter)
	if !ok {
		return refuse("%s", monitor.StateReason(state, r.names()))
	}
	if content == nil {
		return refuse("missing content of %q; pass its text, \"\" where it is empty", state)
	}
	if fault := r.spec.contents.Fault(letter, *content); fault != "" {
		_, _, v := refuse("%s", fault)
		v.Content, v.Contents = true, r.spec.Agent.States[letter].OneOf
		return r.run, nil, v
	}
	last := len(after.Next()) == 0
	next, broken := r.spec.stepProperties(r.at.Properties, state, last)
	if broken != nil {
		how := "however the run continues"
		if last {
			how = "because the run ends with it"
		}
		_, _, v := refuse("%q violates the property %q, %s", state, broken.name, how)
		v.Property = broken.name
		return r.run, nil, v
	}
	return after, next, nil
}

// names returns the states that the behaviour allows next.
func (r *Run) names() []string {
	out := []string{}
	for _, s := range r.run.Next() {
		out = append(out, r.spec.names[s])
	}
	return out
}

// Next returns the states that may come next, without those that violate a property. done reports
// whether [Run.End] would return nil here.
func (r *Run) Next() (allowed []string, done bool) {
	if r.at.Ended {
		return []string{}, false
	}
	return r.allowed(), r.at.Refused == "" && r.unfinished() == nil
}

func (r *Run) allowed() []string {
	out := []string{}
	for _, s := range r.run.Next() {
		after, _ := r.run.Step(s)
		if _, broken := r.spec.stepProperties(r.at.Properties, r.spec.names[s], len(after.Next()) == 0); broken == nil {
			out = append(out, r.spec.names[s])
		}
	}
	return out
}

// Retract reports to the guard that the last rejected state was not entered, so that the
// run continues from before it. It returns false if no state was rejected.
func (r *Run) Retract() bool {
	refused := r.at.Refused != "" && !r.at.Ended
	if refused {
		r.at.Refused = ""
	}
	return refused
}

// End ends the run. It returns nil for a complete run in which every property holds, and
// otherwise a [*Violation] that names the missing part.
func (r *Run) End() error {
	v := r.closed()
	if v == nil {
		v = r.unfinished()
	}
	r.at.Ended = true
	if v != nil {
		return v
	}
	return nil
}

// unfinished returns the reason why a run may not end here, or nil.
func (r *Run) unfinished() *Violation {
	v := &Violation{Index: r.at.Index, Allowed: r.allowed()}
	if !r.run.Complete() {
		v.Reason = "the run is not complete"
		if len(v.Allowed) > 0 {
			v.Reason += "; expected " + strings.Join(v.Allowed, " or ")
		}
		return v
	}
	for i, p := range r.spec.properties {
		if !p.automaton.Accepting(r.at.Properties[i]) {
			v.Property = p.name
			v.Reason = fmt.Sprintf("the property %q does not hold if the run ends here", p.name)
			return v
		}
	}
	return nil
}
