// Package monitor runs a language model as an agent and corrects it at the first token
// that leaves the agent's behaviour: the decoding monitor of Crouse et al. (2024, §2.2),
// with the forced prompts of its first version (2023, §3.3) as an option. It also judges
// recorded traces; see [JudgeTrace].
//
// The text that streams in is split at the prompts of the agent's states, and the automaton
// takes a step at each. At the first state that is not allowed the stream is aborted. The
// valid text is kept, and the model continues from the longest common prefix of the allowed
// prompts: from "[Action" if "[Action]" and "[Action Input]" are allowed. Constraints on
// contents (:one-of, :matches, :max-tokens) are enforced in the same way, at the first
// character that makes the content invalid.
//
// The model never writes states of the environment. They are filled by tools, by a
// person, or by a model that summarises, solves or judges.
//
// Every run ends with a conforming trace, whatever the model writes: after a few failed
// corrections a prompt is forced, and a long run is led to its end by the shortest way.
//
// A run is in one of a few phases, each of which is a type with its own data and
// transitions.
//
// Why not one call for each state, as eager enforcement does: each call sends the
// complete context again. [Cost] compares both.
package monitor

import (
	"fmt"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/choice"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// Defaults of [Settings].
const (
	DefaultMaxSteps       = 40
	DefaultMaxCorrections = 3
	DefaultMaxTokens      = 512
	DefaultChunk          = 128 // for endpoints without stop texts
	DefaultAlpha          = 0.3 // from the code released with the paper
	DefaultTemperature    = 0.7 // for samples, as in Crouse et al. (2024, §A.2)
)

// Maxima of [Settings].
const (
	MaxSamples = 100
	MaxLoops   = 1_000
)

// maxContinuations limits the length of one content, in multiples of the token limit of a
// call.
const maxContinuations = 4

// Ways to fill the states of the environment.
const (
	EnvironmentSimulated = "simulated" // simulated results
	EnvironmentPerson    = "person"    // a person answers
	EnvironmentTools     = "tools"     // tools, or the way that each state names; see [WayOf]
)

// Settings of a run.
type Settings struct {
	Question       string       `json:"question,omitempty"`
	Model          llm.Spec     `json:"model"`
	Environment    string       `json:"environment,omitempty"`    // "": simulated
	Forced         bool         `json:"forced,omitempty"`         // correct with a complete prompt at once
	Eager          bool         `json:"eager,omitempty"`          // the baseline: one call for each state; the monitor writes the prompts
	MaxSteps       int          `json:"maxSteps,omitempty"`       // number of states after which only the shortest way to the end is allowed; 0: DefaultMaxSteps
	MaxLoops       int          `json:"maxLoops,omitempty"`       // maximum of visits to each state; 0: no limit
	MaxCorrections int          `json:"maxCorrections,omitempty"` // at one place, before a complete prompt is forced; 0: DefaultMaxCorrections
	MaxTokens      int          `json:"maxTokens,omitempty"`      // of a call; 0: DefaultMaxTokens
	Chunk          int          `json:"chunk,omitempty"`          // number of tokens after which the model is asked to continue; 0: only if the endpoint needs it
	Temperature    float64      `json:"temperature,omitempty"`
	Budget         meter.Budget `json:"budget,omitzero"`

	Template  string  `json:"template,omitempty"`  // of the instructions; "": the agent's own, or DefaultTemplate
	Reference string  `json:"reference,omitempty"` // correct answer for the exact evaluator
	Evaluator string  `json:"evaluator,omitempty"` // one of the Evaluator constants; "": exact if there is a Reference, else the model
	Keep      string  `json:"keep,omitempty"`      // summary or its results: one of the Keep constants; "": the likelier
	Alpha     float64 `json:"alpha,omitempty"`     // length normalisation of the comparison for Keep; 0: DefaultAlpha
	Roles     Roles   `json:"roles,omitzero"`
	// Rehearsal is the knowledge of simulated models and a simulated environment about the
	// question.
	Rehearsal *Rehearsal `json:"rehearsal,omitempty"`

	Surface string    `json:"surface,omitempty"` // one of the Surface constants; "": text
	Mapping []Mapping `json:"mapping,omitempty"` // states of the parts of messages and tool calls; none: guessed
	// Aliases are texts that count as prompts at the start of a line. With Markdown, the usual forms of each
	// prompt are aliases, such as "**Thought:**" and "Thought:" for "[Thought]".
	Aliases  []Alias `json:"aliases,omitempty"`
	Markdown bool    `json:"markdown,omitempty"`

	Samples int    `json:"samples,omitempty"` // number of runs that vote on the answer; 0: one
	Then    string `json:"then,omitempty"`    // file of the agent that runs if no two answers agree
	// Without lists the properties that are left out because they cannot be judged.
	Without []string `json:"without,omitempty"`
	// Rules is the text of a .rules file. A call that would violate one of its rules is not made.
	Rules string `json:"rules,omitempty"`
	// RulesObserved makes also the calls that violate a rule; the result has the violations.
	RulesObserved bool `json:"rulesObserved,omitempty"`
}

// Setup connects a run with its workspace. The zero value has no tools and no files.
type Setup struct {
	Tools        func() *tool.Registry                    // returns the tools of one run; nil: no tools
	File         func(name string) (text string, ok bool) // a file of the workspace
	Agent        func(name string) (*agent.Agent, error)  // an agent of the workspace
	Instructions string                                   // further instructions for the model
	Model        func(made llm.Model) llm.Model           // replaces the model of the settings; nil: no replacement
	// Judge judges properties of a finished run, given the names of its states; nil: no properties.
	Judge func(a *agent.Agent, states []string) ([]Property, error)
	// Rules are enforced on the calls of the run; nil: none.
	Rules *enforce.Policy
	// Within is the enforcement for the team of agents that this run belongs to; nil: none.
	// It replaces Rules. Member is the name of this run's agent. If Guarded is set, the
	// tools already enforce Within.
	Within  *enforce.Run
	Member  string
	Guarded bool
}

// Property is the verdict of a property on a run. Fault is the reason why it, or one of
// its conjuncts, could not be judged.
type Property struct {
	Name   string `json:"name"`
	Holds  bool   `json:"holds"`
	Reason string `json:"reason,omitempty"`
	Fault  string `json:"fault,omitempty"`
}

// Check returns an error with code "monitor.settings" or "llm.spec" for settings
// that are out of range or contradictory.
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
			return source.NewError("monitor.settings", fmt.Sprintf("unknown %s %q; expected %s", c.what, c.value, list(c.names)))
		}
	}
	switch {
	case s.Samples < 0 || s.Samples > MaxSamples:
		return source.NewError("monitor.settings", fmt.Sprintf("samples must be from 1 to %d, not %d", MaxSamples, s.Samples))
	case s.MaxLoops < 0 || s.MaxLoops > MaxLoops:
		return source.NewError("monitor.settings", fmt.Sprintf("maxLoops must be from 1 to %d, not %d", MaxLoops, s.MaxLoops))
	case s.Temperature < 0 || s.Temperature > 2:
		return source.NewError("monitor.settings", fmt.Sprintf("the temperature must be from 0 to 2, not %v", s.Temperature))
	case s.Budget.Negative():
		return source.NewError("monitor.settings", "a budget cannot be negative")
	case s.Alpha < 0 || s.Alpha > 10:
		return source.NewError("monitor.settings", fmt.Sprintf("alpha must be from 0 to 10, not %v", s.Alpha))
	}
	if err := checkTemplate(s.Template); err != nil {
		return err
	}
	return s.Model.Check()
}

// Stats are the expenses of a run. PromptTokens and CompletionTokens are the endpoint's
// counts if it reports them. All other token counts are estimates by one method, so that
// they can be compared.
type Stats struct {
	Calls            int `json:"calls"`
	PromptTokens     int `json:"promptTokens"`
	CompletionTokens int `json:"completionTokens"`

	TokensKept        int `json:"tokensKept"`        // written by the model and in the text
	TokensDiscarded   int `json:"tokensDiscarded"`   // written by the model and discarded
	TokensRegenerated int `json:"tokensRegenerated"` // kept tokens that replace discarded ones
	TokensGiven       int `json:"tokensGiven"`       // prompts and contents that the monitor wrote into the text

	Violations  int `json:"violations"`
	Corrections int `json:"corrections"`
	Forced      int `json:"forced"` // corrections with a complete prompt or content

	ToolCalls  int `json:"toolCalls"`  // of the environment
	SideCalls  int `json:"sideCalls"`  // calls of models that summarise, solve, judge or score
	SideTokens int `json:"sideTokens"` // of those calls, input and output

	Cost Cost `json:"cost"`
}

// Cost compares the tokens of the run's calls with an estimate for eager enforcement
// (Beurer-Kellner et al. 2023): one call for each state that the model wrote, and one for
// each rejected content and each rejected choice of a state, each with the complete
// context. Where only one state is allowed no choice is counted as rejected, as eager
// enforcement writes that prompt itself.
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

// Transcript is a finished run. Splitting its text at the prompts yields its segments,
// which conform to the agent. The verdict is the worst of the verdicts on the states, the
// properties and the rules.
type Transcript struct {
	Agent    string        `json:"agent,omitempty"`
	Segments []Segment     `json:"segments"`
	Verdict  agent.Verdict `json:"verdict"`
	Text     string        `json:"text"`
	Answer   string        `json:"answer"`            // the content of the last answer state; see answerOf
	Refusal  bool          `json:"refusal,omitempty"` // the answer of an endpoint reads like a refusal
	Stats    Stats         `json:"stats"`             // of all samples together
	Samples  []Sample      `json:"samples,omitempty"`
	Votes    []Vote        `json:"votes,omitempty"`
	Tied     int           `json:"tied,omitempty"`     // number of answers that share the most votes; the first one wins
	FellBack bool          `json:"fellBack,omitempty"` // no two answers agreed, and another agent answered

	Properties []Property       `json:"properties,omitempty"`
	Rules      []enforce.Report `json:"rules,omitempty"` // of the answering sample
}

// Run lets a model act as an agent. The error has code "monitor.settings" for settings
// that cannot be run; other errors are those of the model, the meter or the host.
func Run(env *process.Env, a *agent.Agent, setup Setup, s Settings) (*Transcript, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.Then == "" { // otherwise they may belong to the other agent
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
	t.Refusal = s.Model.Kind == llm.KindEndpoint && choice.Refuses(t.Answer)
	env.Emit(DoneEvent{Kind: "monitor.done", Transcript: *t})
	return t, nil
}

// judge judges the properties of the agent that answered.
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

// runOne runs one agent once.
func runOne(env *process.Env, a *agent.Agent, model llm.Model, setup Setup, s Settings, sample int) (*Transcript, error) {
	r, err := newRunner(env, a, model, setup, s, sample)
	if err != nil {
		return nil, err
	}
	defer r.tools.Close(env)
	return r.play()
}
