// Package monitor lets a language model write as it likes and keeps it inside an
// agent's behaviour: the decoding monitor of Crouse et al. (2024, §3.3), with
// the forced prompts of its first version (2023) as an option.
//
// While the model's text streams in it is split at the prompts of the agent's
// states, and the automaton takes a step at each. At the first state that may
// not come the stream is aborted; what was right is kept, and the model goes on
// from the longest beginning that the prompts of all permitted states have in
// common: from "[Action" where "[Action]" and "[Action Input]" may come. States
// of the environment are answered by a tool or a person, never by the model, and
// the contents that :one-of lists are kept to in the same way.
//
// Every run ends with a conforming trace, whatever the model writes: what cannot
// be corrected in a few tries is forced, and a run that grows long is led out by
// the shortest way.
package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Defaults of [Settings].
const (
	DefaultMaxSteps       = 40
	DefaultMaxCorrections = 3
	DefaultMaxTokens      = 512
)

// maxContinuations is how often a content is gone on with that the model could
// not finish in one call.
const maxContinuations = 4

// Environments that answer the states of the environment.
const (
	EnvironmentSimulated = "simulated"
	EnvironmentPerson    = "person"
)

// Settings of a run.
type Settings struct {
	Question       string   `json:"question,omitempty"`
	Model          llm.Spec `json:"model"`
	Environment    string   `json:"environment,omitempty"`    // "": simulated
	Forced         bool     `json:"forced,omitempty"`         // correct with a whole prompt at once
	MaxSteps       int      `json:"maxSteps,omitempty"`       // states after which the shortest way out is taken; 0: DefaultMaxSteps
	MaxCorrections int      `json:"maxCorrections,omitempty"` // at one place, before a whole prompt is forced; 0: DefaultMaxCorrections
	MaxTokens      int      `json:"maxTokens,omitempty"`      // of a call; 0: DefaultMaxTokens
}

// Check returns an error with code "monitor.settings" or "llm.spec" for settings
// that make no sense.
func (s Settings) Check() error {
	switch s.Environment {
	case "", EnvironmentSimulated, EnvironmentPerson:
		return s.Model.Check()
	}
	return source.NewError("monitor.settings", fmt.Sprintf("there is no environment %q; there is %q and %q", s.Environment, EnvironmentSimulated, EnvironmentPerson))
}

// Stats count what a run took. Tokens are counted by the endpoint where it does,
// and else estimated; kept and discarded ones are always estimates.
type Stats struct {
	Calls            int `json:"calls"`
	PromptTokens     int `json:"promptTokens"`
	CompletionTokens int `json:"completionTokens"`
	TokensKept       int `json:"tokensKept"`
	TokensDiscarded  int `json:"tokensDiscarded"`
	Violations       int `json:"violations"`
	Corrections      int `json:"corrections"`
	Forced           int `json:"forced"` // corrections that gave a whole prompt or content
}

// Transcript is a finished run. Its text, split at the prompts, is its segments,
// and they conform to the agent.
type Transcript struct {
	Segments []Segment     `json:"segments"`
	Verdict  agent.Verdict `json:"verdict"`
	Text     string        `json:"text"`
	Stats    Stats         `json:"stats"`
}

// Run lets a model act as an agent. The error has code "monitor.settings" for
// settings that make no sense; all else is the model's, the meter's or the
// host's.
func Run(env *process.Env, a *agent.Agent, s Settings) (*Transcript, error) {
	r := &runner{env: env, a: a, prompts: newPrompts(a), settings: s, run: a.Begin(), last: -1}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	r.ask()
	for !r.done {
		if err := r.turn(); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// runner is the state of a run. Its text is all that is kept so far, its
// segments closed but for the last. Where expecting is set, a state's prompt has
// to begin at the text's place at, and nothing else may stand there; elsewhere
// what comes is the content of the last state until a prompt is found.
type runner struct {
	env      *process.Env
	a        *agent.Agent
	prompts  prompts
	settings Settings
	model    llm.Model
	messages []llm.Message // what the model is told before its own text

	run       agent.Run
	last      int // the state of the open segment, or -1
	segments  []Segment
	content   int // where the open segment's content begins
	text      string
	at        int // up to here the text was read
	expecting bool
	given     string // what a correction began the expected prompt with
	done      bool

	tries         int // corrections at this place
	continuations int
	stats         Stats
}

// prepare fills in the settings' defaults and makes the model.
func (r *runner) prepare() error {
	s := &r.settings
	for _, d := range []struct {
		value   *int
		usually int
	}{{&s.MaxSteps, DefaultMaxSteps}, {&s.MaxCorrections, DefaultMaxCorrections}, {&s.MaxTokens, DefaultMaxTokens}} {
		if *d.value <= 0 {
			*d.value = d.usually
		}
	}
	err := s.Check()
	if err != nil {
		return err
	}
	r.messages = instructions(r.a, s.Question)
	r.model, err = newModel(r.a, s.Model)
	return err
}

// ask writes the question where the agent's first state is made for it.
func (r *runner) ask() {
	r.expecting = true
	first, ok := questionState(r.a)
	if !ok || r.settings.Question == "" {
		return
	}
	r.text = r.prompts.apart(first)
	r.at = len(r.text)
	r.enter(first, 0)
	r.write(" " + r.prompts.disguise(strings.Join(strings.Fields(r.settings.Question), " ")))
	r.closeSegment("task")
	r.newLine()
}

// questionState returns the only state that a run can begin with, where its
// prompt speaks of a question or the environment fills it.
func questionState(a *agent.Agent) (int, bool) {
	if len(a.Start) != 1 {
		return -1, false
	}
	first := a.States[a.Start[0]]
	if first.EnvInput {
		return a.Start[0], true
	}
	for _, word := range []string{"question", "problem", "task", "user", "query"} {
		if strings.Contains(strings.ToLower(first.Text), word) {
			return a.Start[0], true
		}
	}
	return -1, false
}

// turn lets the environment or the model write, whoever is next.
func (r *runner) turn() error {
	if err := r.env.Meter().Step(100); err != nil {
		return err
	}
	if r.expecting {
		allowed := r.allowed()
		switch {
		case len(allowed) == 0, r.run.Complete() && len(r.segments) >= r.settings.MaxSteps:
			r.done = true
			return nil
		case r.environmentNext(): // no model is needed to say so
			r.newLine()
			r.write(r.prompts.apart(allowed[0]))
			return r.read(true)
		}
	}
	if r.last >= 0 && !r.expecting && r.a.States[r.last].EnvInput {
		return r.observe()
	}
	return r.call()
}

// call lets the model write until it stops or is stopped.
func (r *runner) call() error {
	request := llm.Request{
		Messages: r.messages, Prefix: r.text, Stop: r.stops(), MaxTokens: r.settings.MaxTokens,
	}
	r.stats.Calls++
	r.env.Emit(CallEvent{Kind: "monitor.call", Call: r.stats.Calls, Length: len(r.text), Stop: request.Stop})
	var failure error
	stopped := false
	reply, err := r.model.Generate(r.env, request, func(delta string) bool {
		r.env.Emit(DeltaEvent{Kind: "monitor.delta", Text: delta})
		if r.expecting && strings.HasSuffix(r.text, "\n") {
			delta = strings.TrimLeft(delta, "\r\n") // the line has begun
		}
		r.write(delta)
		stopped, failure = r.progress(false)
		return failure == nil && !stopped
	})
	r.stats.PromptTokens += reply.Usage.Prompt
	r.stats.CompletionTokens += reply.Usage.Completion
	if err == nil {
		err = failure
	}
	if err != nil || stopped {
		return err
	}
	return r.ended(reply)
}

// environmentNext reports that nothing but one state of the environment can come.
func (r *runner) environmentNext() bool {
	allowed := r.allowed()
	return len(allowed) == 1 && r.a.States[allowed[0]].EnvInput && !r.run.Complete() && strings.TrimSpace(r.text[r.at:]) == ""
}

// stops returns the prompts of the environment's states.
func (r *runner) stops() []string {
	stops := []string{}
	for _, s := range r.a.States {
		if s.EnvInput {
			stops = append(stops, s.Text)
		}
	}
	return stops
}

// ended goes on after the model stopped by itself.
func (r *runner) ended(reply llm.Reply) error {
	if reply.Reason == llm.StopText && reply.Stop != "" {
		r.newLine()
		r.write(reply.Stop)
	}
	// A text cut by its length may be cut amid a prompt.
	if reply.Reason == llm.StopLength && r.continuations < maxContinuations {
		r.continuations++
		return nil
	}
	if stopped, err := r.progress(true); err != nil || stopped {
		return err
	}
	if !r.expecting {
		if !r.closeContent() {
			return nil
		}
	}
	if r.run.Complete() {
		r.done = true
		return nil
	}
	if r.environmentNext() {
		return nil
	}
	// The model says no more, but the behaviour goes on.
	return r.correct(violation{reason: "the model stopped, but the run is not complete", at: len(r.text), silent: true})
}

// finish checks the trace once more as a whole.
func (r *runner) finish() (*Transcript, error) {
	t := &Transcript{Segments: r.segments, Text: strings.TrimRight(r.text, " \t\r\n"), Stats: r.stats}
	sequence := make([]string, len(r.segments))
	for i, s := range r.segments {
		sequence[i] = s.State
		t.Stats.TokensKept += llm.EstimateTokens(s.Text)
	}
	t.Verdict, _, _ = r.a.Verdict(sequence)
	if t.Verdict != agent.VerdictValid {
		return nil, source.NewError("internal", fmt.Sprintf("the monitor let a trace through that is %s", t.Verdict))
	}
	r.env.Emit(DoneEvent{Kind: "monitor.done", Transcript: *t})
	return t, nil
}

// allowed returns the states that may come next: once the run is long, only
// those on a shortest way out.
func (r *runner) allowed() []int {
	next := r.run.Next()
	if len(r.segments) < r.settings.MaxSteps {
		return next
	}
	var out []int
	best := -1
	for _, s := range next {
		after, _ := r.run.Step(s)
		d := r.a.Distance(after.State())
		if best < 0 || d < best {
			out, best = nil, d
		}
		if d == best {
			out = append(out, s)
		}
	}
	return out
}

func (r *runner) names(states []int) []string {
	out := []string{}
	for _, s := range states {
		out = append(out, r.a.States[s].Name)
	}
	return out
}

func (r *runner) write(text string) { r.text += text }

// newLine begins a line for a prompt, for models and people to read.
func (r *runner) newLine() {
	if r.text != "" && !strings.HasSuffix(r.text, "\n") {
		r.write("\n")
	}
}
