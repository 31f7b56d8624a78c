package monitor

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// runner is the state of a run. Its text is all that is kept so far, its
// segments closed but for the last. Where expecting is set, a state's prompt has
// to begin at the text's place at, and nothing else may stand there; elsewhere
// what comes is the content of the last state until a prompt is found.
type runner struct {
	env      *process.Env
	a        *agent.Agent
	prompts  *prompts
	settings Settings
	setup    Setup
	tools    *tool.Registry
	sample   int
	model    llm.Model
	messages []llm.Message // what the model is told before its own text

	run       agent.Run
	last      int // the state of the open segment, or -1
	segments  []Segment
	content   int // where the open segment's content begins
	contents  *contents
	text      []byte
	at        int // up to here the text was read
	expecting bool
	given     string // what a correction began the expected prompt with
	led       bool   // an eager run has begun the expected prompt
	gave      bool   // the open segment's prompt was written for the model
	done      bool
	why       string // the model was stopped last

	tries  int // corrections at this place
	goneOn int // tokens of this content beyond the first call
	stats  Stats

	passages    []passage // of the text, in order
	written     int       // characters that the model wrote, whatever became of them
	discarded   int       // of those, the ones that were thrown away
	regenerated int       // characters that stand where others were thrown away
	redo        int       // from this place on such characters come; -1: none do
}

// passage is where a text begins that one author wrote.
type passage struct {
	from int
	by   author
}

type author byte

const (
	byOthers  author = iota // the environment, or whoever set the task
	byModel                 // the model
	byMonitor               // the monitor, correcting
)

// newRunner fills in the settings' defaults.
func newRunner(env *process.Env, a *agent.Agent, model llm.Model, setup Setup, s Settings, sample int) (*runner, error) {
	for _, d := range []struct {
		value   *int
		usually int
	}{{&s.MaxSteps, DefaultMaxSteps}, {&s.MaxCorrections, DefaultMaxCorrections}, {&s.MaxTokens, DefaultMaxTokens}} {
		if *d.value <= 0 {
			*d.value = d.usually
		}
	}
	if s.Environment == "" {
		s.Environment = EnvironmentSimulated
	}
	if err := a.Contents(); err != nil {
		return nil, err
	}
	if s.MaxLoops > 0 {
		capped, err := a.Capped(s.MaxLoops, env.Meter())
		if err != nil {
			return nil, err
		}
		a = capped
	}
	p := newPrompts(a)
	r := &runner{env: env, a: a, prompts: &p, settings: s, setup: setup, sample: sample, model: model, run: a.Begin(), last: -1, redo: -1}
	if err := r.connect(); err != nil {
		return nil, err
	}
	var err error
	r.messages, err = instructions(a, setup, r.tools.List(), s)
	return r, err
}

// connect asks for the tools. A server that cannot be asked is told; the others do.
func (r *runner) connect() error {
	r.tools = &tool.Registry{}
	if r.setup.Tools == nil || r.settings.Environment != EnvironmentTools {
		return nil
	}
	r.tools = r.setup.Tools()
	faults, err := r.tools.Connect(r.env)
	for _, f := range faults {
		r.env.Emit(ToolEvent{Kind: "monitor.tool", Sample: r.sample, Output: f.Message, Fault: f.Code})
	}
	return err
}

// ask writes the question where the agent's first state is made for it.
func (r *runner) ask() {
	r.expecting = true
	first, ok := questionState(r.a)
	if !ok || r.settings.Question == "" {
		return
	}
	r.write(byOthers, r.prompts.apart(first))
	r.at = len(r.text)
	r.enter(first, 0)
	r.write(byOthers, " "+r.prompts.disguise(strings.Join(strings.Fields(r.settings.Question), " ")))
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
	for _, word := range []string{"question", "problem", "task", "user", "query", "claim"} {
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
		case len(allowed) == 1 && !r.run.Complete() && len(bytes.TrimSpace(r.text[r.at:])) == 0: // no model is needed to say so
			r.newLine()
			r.write(byMonitor, r.prompts.apart(allowed[0]))
			err := r.read(true)
			r.gave = true
			return err
		case r.settings.Eager && !r.led && !r.run.Complete():
			r.lead(allowed)
			return nil
		}
	}
	if r.last >= 0 && !r.expecting && r.a.States[r.last].EnvInput {
		return r.observe()
	}
	return r.call()
}

// lead writes what the prompts of the states that may come begin with.
func (r *runner) lead(allowed []int) {
	texts := make([]string, len(allowed))
	for i, s := range allowed {
		texts[i] = r.a.States[s].Text
	}
	r.given, r.led = commonPrefix(texts), true
	r.newLine()
	r.write(byMonitor, r.given)
}

// call lets the model write until it stops or is stopped.
func (r *runner) call() error {
	request := llm.Request{
		Messages: r.messages, Prefix: string(r.text), Stop: r.stops(), MaxTokens: r.settings.MaxTokens, Temperature: r.settings.Temperature,
	}
	if chunk := r.chunk(); chunk > 0 {
		request.MaxTokens = min(request.MaxTokens, chunk)
	}
	if r.why != "" && !r.continues() {
		request.Messages = withNote(request.Messages, r.why)
	}
	r.why = ""
	if err := r.spend(&r.stats.Calls, request); err != nil {
		return err
	}
	r.env.Emit(CallEvent{Kind: "monitor.call", Sample: r.sample, Call: r.stats.Calls, Length: len(r.text), Stop: request.Stop})
	var failure error
	stopped := false
	reply, err := r.model.Generate(r.env, request, func(delta string) bool {
		r.env.Emit(DeltaEvent{Kind: "monitor.delta", Sample: r.sample, Text: delta})
		r.written += utf8.RuneCountInString(delta)
		if r.expecting && bytes.HasSuffix(r.text, []byte("\n")) {
			whole := len(delta)
			delta = strings.TrimLeft(delta, "\r\n") // the line has begun
			r.discarded += whole - len(delta)
		}
		r.write(byModel, delta)
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

// spend counts a call of the model and refuses it where the budget is used up.
func (r *runner) spend(calls *int, request llm.Request) error {
	prompt := llm.EstimateTokens(request.Prefix)
	for _, m := range request.Messages {
		prompt += llm.EstimateTokens(m.Content)
	}
	b, s := r.settings.Budget, &r.stats
	if b.Calls > 0 && s.Calls+s.SideCalls >= b.Calls {
		return source.NewError("limit.calls", fmt.Sprintf("the budget of %d calls is used up; raise it or lower what the run may ask", b.Calls))
	}
	if spent := s.PromptTokens + s.CompletionTokens + s.SideTokens; b.Tokens > 0 && spent+prompt > b.Tokens {
		return source.NewError("limit.tokens", fmt.Sprintf("the budget of %d tokens is used up: %d are spent, and the next call sends %d", b.Tokens, spent, prompt))
	}
	*calls++
	if calls == &s.Calls {
		s.Cost.Prompt += prompt
	}
	return nil
}

// chunk returns after how many tokens the model is to be asked to go on, 0 where
// it need not be.
func (r *runner) chunk() int {
	if r.settings.Chunk > 0 {
		return r.settings.Chunk
	}
	if e := r.settings.Model.Endpoint; e != nil && r.settings.Model.Kind == llm.KindEndpoint {
		if caps := e.Known(); !caps.Stop || caps.MaxStops > 0 && caps.MaxStops < r.environments() {
			return DefaultChunk
		}
	}
	return 0
}

// environments counts the states that the environment answers.
func (r *runner) environments() int {
	n := 0
	for _, s := range r.a.States {
		if s.EnvInput {
			n++
		}
	}
	return n
}

// continues reports whether the model goes on from a text that was begun, as if it
// had written it.
func (r *runner) continues() bool {
	e := r.settings.Model.Endpoint
	return r.settings.Model.Kind != llm.KindEndpoint || e == nil || e.Known().Prefix != llm.PrefixNone
}

// withNote adds to the last of the messages why the model was stopped.
func withNote(messages []llm.Message, why string) []llm.Message {
	out := append([]llm.Message{}, messages...)
	last := &out[len(out)-1]
	last.Content += "\n\n(You were stopped here, and what was wrong is gone from your text: " + why + ".)"
	return out
}

// stops returns the texts at which the model is to stop: the prompts of the
// environment's states; all where nothing may follow, or where each state is a call.
func (r *runner) stops() []string {
	all := r.settings.Eager || !r.expecting && len(r.run.Next()) == 0
	stops := []string{}
	for _, s := range r.a.States {
		if s.EnvInput || all {
			stops = append(stops, s.Text)
		}
	}
	return stops
}

// ended goes on after the model stopped by itself.
func (r *runner) ended(reply llm.Reply) error {
	if reply.Reason == llm.StopText && reply.Stop != "" && (r.expecting || !r.settings.Eager) {
		r.stopped(reply.Stop)
	}
	// A text cut by its length may be cut amid a prompt.
	if reply.Reason == llm.StopLength && r.goneOn < maxContinuations*r.settings.MaxTokens {
		r.goneOn += max(llm.EstimateTokens(reply.Text), 1)
		return nil
	}
	if stopped, err := r.progress(true); err != nil || stopped {
		return err
	}
	if !r.expecting {
		if !r.closeContent() {
			return nil
		}
		r.cutOff(reply)
	}
	if r.run.Complete() {
		r.done = !r.settings.Eager || reply.Reason != llm.StopText // which wants to go on
		return nil
	}
	if r.expecting && len(r.allowed()) == 1 || r.settings.Eager && r.expecting && !r.led {
		return nil // the next turn begins with a prompt that is given
	}
	// The model says no more, but the behaviour goes on.
	return r.correct(violation{reason: "the model stopped, but the run is not complete", at: len(r.text), silent: true})
}

// cutOff reports that the last content was cut off.
func (r *runner) cutOff(reply llm.Reply) {
	if reply.Reason != llm.StopLength {
		return
	}
	i := len(r.segments) - 1
	s := &r.segments[i]
	s.Cut = true
	r.env.Emit(ViolationEvent{
		Kind: "monitor.violation", Sample: r.sample, Index: i, State: s.State,
		Reason: fmt.Sprintf("the content of %q was cut off by the limit of tokens", s.State), Allowed: []string{},
	})
}

// stopped writes the stop text that the model has come to, which it would have
// written next.
func (r *runner) stopped(stop string) {
	if !r.expecting && len(r.run.Next()) == 0 {
		return // nothing may follow
	}
	if r.expecting && r.given != "" && strings.TrimSpace(string(r.text[r.at:])) == r.given {
		r.cut(r.at) // it began anew
	}
	r.newLine()
	r.write(byMonitor, stop)
}

// finish checks the trace once more as a whole.
func (r *runner) finish() (*Transcript, error) {
	if r.expecting { // what was not read is no part of the run
		r.discard(r.at)
	}
	t := &Transcript{Agent: r.a.Name, Segments: r.segments, Text: strings.TrimRight(string(r.text), " \t\r\n"), Stats: r.stats}
	sequence := make([]string, len(r.segments))
	for i, s := range r.segments {
		sequence[i] = s.State
	}
	t.Verdict, _, _ = r.a.Verdict(sequence)
	if t.Verdict != agent.VerdictValid {
		return nil, source.NewError("internal", fmt.Sprintf("the monitor let a trace through that is %s", t.Verdict))
	}
	for _, s := range r.segments {
		if s.Cut {
			t.Verdict = agent.VerdictIncomplete
		}
	}
	t.Answer = answerOf(r.a, r.segments)
	s := &t.Stats
	s.TokensKept, s.TokensGiven = charactersTokens(r.characters(0, byModel)), charactersTokens(r.characters(0, byMonitor))
	s.TokensDiscarded, s.TokensRegenerated = charactersTokens(r.discarded), charactersTokens(r.regenerated)
	s.Cost.Completion = charactersTokens(r.written)
	if r.settings.Surface != SurfaceTools {
		r.eager(&s.Cost)
	}
	return t, nil
}

func charactersTokens(n int) int { return (max(n, 0) + charactersPerToken - 1) / charactersPerToken }

// eager reckons what a call for each state would have taken: all that stands
// before the state's content goes there, and the content comes back, with the
// prompt where it was a choice.
func (r *runner) eager(c *Cost) {
	told := r.told()
	run, characters, at := r.a.Begin(), 0, 0
	for i, s := range r.segments {
		state := r.a.States[r.a.Index(s.State)]
		choice := len(run.Next()) > 1 || run.Complete()
		run, _ = run.Step(r.a.Index(s.State))
		begin := int(s.Span.Start) + len(state.Text)
		characters += utf8.RuneCount(r.text[at:begin])
		at = begin
		if state.EnvInput || i == 0 && s.task {
			continue
		}
		c.EagerCalls++
		c.EagerPrompt += told + charactersTokens(characters)
		c.EagerCompletion += llm.EstimateTokens(s.Text)
		if choice {
			c.EagerCompletion += llm.EstimateTokens(state.Text)
		}
	}
	if len(run.Next()) > 0 { // it has to be asked whether it goes on
		c.EagerCalls++
		c.EagerPrompt += told + charactersTokens(characters+utf8.RuneCount(r.text[at:]))
	}
}

// eagerAgain reckons what asking once more would have taken for what stands between
// two places.
func (r *runner) eagerAgain(from, to int) {
	c := &r.stats.Cost
	c.EagerCalls++
	c.EagerPrompt += r.told() + charactersTokens(utf8.RuneCount(r.text[:from]))
	c.EagerCompletion += charactersTokens(utf8.RuneCount(r.text[from:max(from, to)]))
}

// chooses reports whether the model has a choice of what comes next.
func (r *runner) chooses() bool { return len(r.allowed()) > 1 || r.run.Complete() }

// told returns the tokens of what the model is told before its text.
func (r *runner) told() int {
	told := 0
	for _, m := range r.messages {
		told += llm.EstimateTokens(m.Content)
	}
	return told
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

func (r *runner) write(by author, text string) {
	if n := len(r.passages); text != "" && (n == 0 || r.passages[n-1].by != by) {
		r.passages = append(r.passages, passage{len(r.text), by})
	}
	r.text = append(r.text, text...)
}

// cut takes off the text's end.
func (r *runner) cut(at int) {
	r.text = r.text[:at]
	for n := len(r.passages); n > 0 && r.passages[n-1].from >= at; n-- {
		r.passages = r.passages[:n-1]
	}
	r.at = min(r.at, at)
}

// characters counts what an author wrote of the text, from a place on.
func (r *runner) characters(at int, by author) int {
	n, end := 0, len(r.text)
	for i := len(r.passages) - 1; i >= 0 && end > at; i-- {
		p := r.passages[i]
		if p.by == by {
			n += utf8.RuneCount(r.text[max(p.from, at):end])
		}
		end = p.from
	}
	return n
}

// newLine begins a line for a prompt, for models and people to read.
func (r *runner) newLine() {
	if len(r.text) > 0 && r.text[len(r.text)-1] != '\n' {
		r.write(byOthers, "\n")
	}
}
