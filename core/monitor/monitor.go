// Package monitor lets a language model write as it likes and keeps it inside an
// agent's behaviour: the decoding monitor of Crouse et al. (2024, §2.2), with
// the forced prompts of its first version (2023, §3.3) as an option.
//
// While the model's text streams in it is split at the prompts of the agent's
// states, and the automaton takes a step at each. At the first state that may
// not come the stream is aborted; what was right is kept, and the model goes on
// from the longest beginning that the prompts of all permitted states have in
// common: from "[Action" where "[Action]" and "[Action Input]" may come. What
// states say of their contents (:one-of, :matches, :max-tokens) is kept to in the
// same way, at the first character that rules the content out.
//
// States of the environment are never written by the model: tools answer them, a
// person, or a model that sums up, solves or judges (see environment.go).
//
// Every run ends with a conforming trace, whatever the model writes: what cannot
// be corrected in a few tries is forced, and a run that grows long is led out by
// the shortest way.
//
// Why not a call for each state, as eager enforcement does: each call sends all of
// the context again. What that would have cost stands in [Stats] beside what the
// run did cost.
package monitor

import (
	"fmt"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// Defaults of [Settings].
const (
	DefaultMaxSteps       = 40
	DefaultMaxCorrections = 3
	DefaultMaxTokens      = 512
	DefaultChunk          = 128 // of an endpoint that knows no stop texts
	DefaultAlpha          = 0.3 // of the code that was released with the paper
	DefaultTemperature    = 0.7 // of samples, as in Crouse et al. (2024, §A.2)
)

// Most of what [Settings] may ask for.
const (
	MaxSamples = 100
	MaxLoops   = 1_000
)

// maxContinuations is how often as many tokens as a call may have are written on in
// one content.
const maxContinuations = 4

// Environments that answer the states of the environment.
const (
	EnvironmentSimulated = "simulated" // with made-up results
	EnvironmentPerson    = "person"    // by asking a person
	EnvironmentTools     = "tools"     // by calling tools, each state in the way of its own
)

// Settings of a run.
type Settings struct {
	Question       string   `json:"question,omitempty"`
	Model          llm.Spec `json:"model"`
	Environment    string   `json:"environment,omitempty"`    // "": simulated
	Forced         bool     `json:"forced,omitempty"`         // correct with a whole prompt at once
	Eager          bool     `json:"eager,omitempty"`          // the baseline: a call for each state, with its prompt written for the model
	MaxSteps       int      `json:"maxSteps,omitempty"`       // states after which the shortest way out is taken; 0: DefaultMaxSteps
	MaxLoops       int      `json:"maxLoops,omitempty"`       // how often each state may come; 0: as often as the behaviour lets it
	MaxCorrections int      `json:"maxCorrections,omitempty"` // at one place, before a whole prompt is forced; 0: DefaultMaxCorrections
	MaxTokens      int      `json:"maxTokens,omitempty"`      // of a call; 0: DefaultMaxTokens
	Chunk          int      `json:"chunk,omitempty"`          // tokens after which the model is asked to go on; 0: only where it has to be
	Temperature    float64  `json:"temperature,omitempty"`
	Budget         Budget   `json:"budget,omitzero"`

	Template  string  `json:"template,omitempty"`  // of what the model is told; "": the agent's own, or DefaultTemplate
	Reference string  `json:"reference,omitempty"` // the right answer, where an evaluator compares
	Evaluator string  `json:"evaluator,omitempty"` // who judges: one of the Evaluator constants; "": exact where there is a Reference, else the model
	Keep      string  `json:"keep,omitempty"`      // of a summary and what it sums up: one of the Keep constants; "": the likelier
	Alpha     float64 `json:"alpha,omitempty"`     // how much long texts are favoured when that is weighed; 0: DefaultAlpha
	Roles     Roles   `json:"roles,omitzero"`
	// Rehearsal is what simulated models and a simulated environment know of the question.
	Rehearsal *Rehearsal `json:"rehearsal,omitempty"`

	Surface string    `json:"surface,omitempty"` // "": text; "tools": the endpoint's own tool calls
	Mapping []Mapping `json:"mapping,omitempty"` // which states the parts of such messages are; none: guessed

	Samples int    `json:"samples,omitempty"` // how many runs vote on the answer; 0: one
	Then    string `json:"then,omitempty"`    // the file of the agent that is run where no answer comes twice
	// Without names the properties that cannot be judged, and are left out.
	Without []string `json:"without,omitempty"`
}

// Budget bounds what a run may spend on a model; 0 stands for no bound.
type Budget struct {
	Calls  int `json:"calls,omitempty"`
	Tokens int `json:"tokens,omitempty"`
}

// Setup is what a run is made with besides its agent. Its zero value has no tools
// and no files.
type Setup struct {
	Tools func() *tool.Registry                    // for a run of its own; nil: there are none
	File  func(name string) (text string, ok bool) // a file of the workspace
	Agent func(name string) (*agent.Agent, error)  // an agent of the workspace
	Told  string                                   // what the model is told besides
	Model func(made llm.Model) llm.Model           // in the place of the model that the settings name; nil: that one
	// Judge judges properties by the names of a finished run's states; nil: there are none.
	Judge func(a *agent.Agent, states []string) ([]Property, error)
}

// Property says whether a property holds of a run, and why not. Fault says why it, or a
// conjunct of it, could not be judged.
type Property struct {
	Name   string `json:"name"`
	Holds  bool   `json:"holds"`
	Reason string `json:"reason,omitempty"`
	Fault  string `json:"fault,omitempty"`
}

// Check returns an error with code "monitor.settings" or "llm.spec" for settings
// that make no sense.
func (s Settings) Check() error {
	for _, c := range []struct {
		what, value string
		names       []string
	}{
		{"environment", s.Environment, []string{EnvironmentSimulated, EnvironmentPerson, EnvironmentTools}},
		{"evaluator", s.Evaluator, []string{EvaluatorExact, EvaluatorModel, EvaluatorPerson}},
		{"choice between a summary and its sources", s.Keep, []string{KeepLikelier, KeepSummary, KeepResults}},
		{"surface", s.Surface, []string{SurfaceText, SurfaceTools}},
	} {
		known := c.value == ""
		for _, name := range c.names {
			known = known || c.value == name
		}
		if !known {
			return source.NewError("monitor.settings", fmt.Sprintf("there is no %s %q; there is %s", c.what, c.value, list(c.names)))
		}
	}
	switch {
	case s.Samples < 0 || s.Samples > MaxSamples:
		return source.NewError("monitor.settings", fmt.Sprintf("samples is from 1 to %d, not %d", MaxSamples, s.Samples))
	case s.MaxLoops < 0 || s.MaxLoops > MaxLoops:
		return source.NewError("monitor.settings", fmt.Sprintf("maxLoops is from 1 to %d, not %d", MaxLoops, s.MaxLoops))
	case s.Temperature < 0 || s.Temperature > 2:
		return source.NewError("monitor.settings", fmt.Sprintf("the temperature is from 0 to 2, not %v", s.Temperature))
	case s.Alpha < 0 || s.Alpha > 10:
		return source.NewError("monitor.settings", fmt.Sprintf("alpha is from 0 to 10, not %v", s.Alpha))
	}
	if err := checkTemplate(s.Template); err != nil {
		return err
	}
	return s.Model.Check()
}

// Stats count what a run took. PromptTokens and CompletionTokens are counted by
// the endpoint where it does; all other tokens are estimates, so that they can be
// compared with each other.
type Stats struct {
	Calls            int `json:"calls"`
	PromptTokens     int `json:"promptTokens"`
	CompletionTokens int `json:"completionTokens"`

	TokensKept        int `json:"tokensKept"`        // that the model wrote and are in the text
	TokensDiscarded   int `json:"tokensDiscarded"`   // that it wrote and were thrown away
	TokensRegenerated int `json:"tokensRegenerated"` // of those kept: written in the place of others
	TokensGiven       int `json:"tokensGiven"`       // of the text: prompts and contents that the monitor wrote

	Violations  int `json:"violations"`
	Corrections int `json:"corrections"`
	Forced      int `json:"forced"` // corrections that gave a whole prompt or content

	ToolCalls  int `json:"toolCalls"`  // of the environment
	SideCalls  int `json:"sideCalls"`  // of models that sum up, solve, judge or weigh
	SideTokens int `json:"sideTokens"` // that those took, both ways

	Cost Cost `json:"cost"`
}

// Cost compares what the run's calls took with what eager enforcement (as that of
// Beurer-Kellner et al. 2023) would have: a call for each state that the model
// wrote, and one more for each content and each choice of a state that was wrong,
// each with all of the context before it. Where one state alone may come it is never
// wrong there, for its prompt is given.
type Cost struct {
	Prompt          int `json:"prompt"`
	Completion      int `json:"completion"`
	EagerCalls      int `json:"eagerCalls"`
	EagerPrompt     int `json:"eagerPrompt"`
	EagerCompletion int `json:"eagerCompletion"`
}

func (c *Cost) add(d Cost) {
	c.Prompt += d.Prompt
	c.Completion += d.Completion
	c.EagerCalls += d.EagerCalls
	c.EagerPrompt += d.EagerPrompt
	c.EagerCompletion += d.EagerCompletion
}

func (s *Stats) add(d Stats) {
	s.Calls += d.Calls
	s.PromptTokens += d.PromptTokens
	s.CompletionTokens += d.CompletionTokens
	s.TokensKept += d.TokensKept
	s.TokensDiscarded += d.TokensDiscarded
	s.TokensRegenerated += d.TokensRegenerated
	s.TokensGiven += d.TokensGiven
	s.Violations += d.Violations
	s.Corrections += d.Corrections
	s.Forced += d.Forced
	s.ToolCalls += d.ToolCalls
	s.SideCalls += d.SideCalls
	s.SideTokens += d.SideTokens
	s.Cost.add(d.Cost)
}

// Transcript is a finished run. Its text, split at the prompts, is its segments,
// and they conform to the agent. The verdict is the worst of the states and the
// properties.
type Transcript struct {
	Agent    string        `json:"agent,omitempty"`
	Segments []Segment     `json:"segments"`
	Verdict  agent.Verdict `json:"verdict"`
	Text     string        `json:"text"`
	Answer   string        `json:"answer"` // the content of the last state
	Stats    Stats         `json:"stats"`  // of all samples together
	Samples  []Sample      `json:"samples,omitempty"`
	Votes    []Vote        `json:"votes,omitempty"`
	Tied     int           `json:"tied,omitempty"`     // how many answers share the most votes; the first was taken
	FellBack bool          `json:"fellBack,omitempty"` // no answer came twice, and another agent gave it

	Properties []Property `json:"properties,omitempty"`
}

// Run lets a model act as an agent. The error has code "monitor.settings" for
// settings that make no sense; all else is the model's, the meter's or the
// host's.
func Run(env *process.Env, a *agent.Agent, s Settings) (*Transcript, error) {
	return RunWith(env, a, Setup{}, s)
}

// RunWith is Run with tools and files.
func RunWith(env *process.Env, a *agent.Agent, setup Setup, s Settings) (*Transcript, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.Then == "" { // else they may be those of the other agent
		if err := s.Roles.check(a); err != nil {
			return nil, err
		}
	}
	t, err := vote(env, a, setup, s)
	if err == nil && setup.Judge != nil {
		err = t.judge(a, setup, s)
	}
	if err != nil {
		return nil, err
	}
	env.Emit(DoneEvent{Kind: "monitor.done", Transcript: *t})
	return t, nil
}

// judge judges the properties of the agent that gave the answer.
func (t *Transcript) judge(a *agent.Agent, setup Setup, s Settings) (err error) {
	if t.FellBack {
		if a, err = setup.Agent(s.Then); err != nil {
			return err
		}
	}
	states := make([]string, len(t.Segments))
	for i, segment := range t.Segments {
		states[i] = segment.State
	}
	t.Properties, err = setup.Judge(a, states)
	for _, p := range t.Properties {
		if !p.Holds {
			t.Verdict = Worse(t.Verdict, VerdictViolated)
		}
		if p.Fault != "" {
			t.Verdict = Worse(t.Verdict, VerdictFault)
		}
	}
	return err
}

// runOne is one run of one agent.
func runOne(env *process.Env, a *agent.Agent, model llm.Model, setup Setup, s Settings, sample int) (*Transcript, error) {
	r, err := newRunner(env, a, model, setup, s, sample)
	if err != nil {
		return nil, err
	}
	defer r.tools.Close(env)
	if s.Surface == SurfaceTools {
		return r.native()
	}
	r.ask()
	for !r.done {
		if err := r.turn(); err != nil {
			return nil, err
		}
	}
	return r.finish()
}
