package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// runner is one run of an agent. Its phase determines the next turn; the other parts hold
// the data that every phase reads.
type runner struct {
	task
	draft
	ledger
	attempts attempts
	phase    phase
}

// task is the part of a run that does not change once the run has begun.
type task struct {
	env      *process.Env
	a        *agent.Agent
	prompts  *prompts
	aliases  *aliases // nil: none
	settings Settings
	setup    Setup
	tools    *tool.Registry
	sample   int // number of the run among those that vote, from 1; 0: no vote
	model    llm.Model
	rules    *enforce.Run // nil: none
	owner    bool         // the run ends the rules, because no other agents share them
}

// attempts are counts since the last prompt was read. Entering a state resets them.
type attempts struct {
	corrections int
	continued   int    // tokens of the content that later calls than the first generated
	reason      string // of the last violation; "" once the model has been asked again
}

// newRunner returns a run that has not begun. It fills in the settings' defaults.
func newRunner(env *process.Env, a *agent.Agent, model llm.Model, setup Setup, s Settings, sample int) (*runner, error) {
	for _, d := range []struct {
		value    *int
		fallback int
	}{{&s.MaxSteps, DefaultMaxSteps}, {&s.MaxCorrections, DefaultMaxCorrections}, {&s.MaxTokens, DefaultMaxTokens}} {
		if *d.value <= 0 {
			*d.value = d.fallback
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
	also, err := newAliases(a, s)
	if err != nil {
		return nil, err
	}
	r := &runner{
		task:   task{env: env, a: a, prompts: &p, aliases: also, settings: s, setup: setup, sample: sample, model: model},
		draft:  draft{run: a.Begin()},
		ledger: ledger{redo: -1},
	}
	if r.setup.Member == "" { // otherwise rules with @agent would match no call
		r.setup.Member = a.Name
	}
	r.rules = setup.Within
	if r.rules == nil && setup.Rules != nil {
		r.rules, r.owner = setup.Rules.Begin(sample), true
	}
	if err := r.connect(); err != nil {
		return nil, err
	}
	r.messages, err = instructions(a, setup, newMapper(a, s.Mapping, s.Roles).nameable(r.tools.List()), s)
	return r, err
}

// begin sets the first phase and writes the question.
func (r *runner) begin() error {
	r.phase = &prompting{}
	if r.settings.Surface == SurfaceTools {
		if err := r.converse(); err != nil {
			return err
		}
	}
	r.writeQuestion()
	if r.settings.Question == "" || !r.owner {
		return nil
	}
	return r.rules.Message(r.env, "user", r.settings.Question, "")
}

// connect lists the tools of all servers. An unreachable server is reported as an event;
// the tools of the others are used.
func (t *task) connect() error {
	t.tools = &tool.Registry{}
	if t.setup.Tools == nil || t.settings.Environment != EnvironmentTools {
		return nil
	}
	t.tools = t.setup.Tools()
	if t.rules != nil && !t.setup.Guarded {
		t.tools = t.rules.Guard(t.tools, t.setup.Member)
	}
	faults, err := t.tools.Connect(t.env)
	for _, f := range faults {
		t.env.Emit(ToolEvent{Kind: "monitor.tool", Sample: t.sample, Output: f.Message, Fault: f.Code})
	}
	return err
}

func (t *task) names(states []int) []string {
	out := []string{}
	for _, s := range states {
		out = append(out, t.a.States[s].Name)
	}
	return out
}

// writeQuestion fills the agent's first state with the question if that state is for one.
func (r *runner) writeQuestion() {
	first, ok := questionState(r.a)
	if !ok || r.settings.Question == "" {
		return
	}
	r.write(byOthers, r.prompts.apart(first))
	r.at = len(r.text)
	o := r.open(first, 0)
	r.write(byOthers, " "+r.prompts.disguise(strings.Join(strings.Fields(r.settings.Question), " ")))
	r.close(o, "task")
	r.newLine()
}

// questionState returns the only state that can begin a run, if the environment fills it
// or its prompt mentions a question.
func questionState(a *agent.Agent) (int, bool) {
	if len(a.Start) != 1 {
		return 0, false
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
	return 0, false
}

// play takes turns until the run has ended.
func (r *runner) play() (*Transcript, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	for !r.over() {
		if err := r.env.Meter().Step(100); err != nil {
			return nil, err
		}
		if err := r.phase.turn(r); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// opened is the segment that is being filled. It is the last of the draft's segments.
type opened struct {
	state int
	start int // of the content in the text
}

// open enters a state whose prompt begins at start and ends at the read position.
func (r *runner) open(state, start int) opened {
	r.run, _ = r.run.Step(state)
	r.attempts = attempts{}
	r.segments = append(r.segments, Segment{State: r.a.States[state].Name, Span: source.Span{Start: source.Pos(start)}})
	return opened{state, r.at}
}

// close ends a segment at the read position or, if the author was not the model,
// at the end of the text.
func (r *runner) close(o opened, author string) {
	if author != "model" {
		r.at = len(r.text)
	}
	segment := &r.segments[len(r.segments)-1]
	content := string(r.text[o.start:r.at])
	segment.Text = strings.TrimSpace(content)
	segment.Span.End = source.Pos(o.start + len(strings.TrimRight(content, " \t\r\n")))
	segment.task = author == "task"
	r.countRewritten()
	r.env.Emit(SegmentEvent{
		Kind: "monitor.segment", Sample: r.sample, Index: len(r.segments) - 1, State: segment.State, Text: segment.Text, Source: author,
	})
}

// finish checks the complete trace again and returns the transcript.
func (r *runner) finish() (*Transcript, error) {
	r.discard(r.at) // unread text does not belong to the run
	t := &Transcript{Agent: r.a.Name, Segments: r.segments, Text: strings.TrimRight(string(r.text), " \t\r\n"), Stats: r.stats}
	sequence := make([]string, len(r.segments))
	for i, s := range r.segments {
		sequence[i] = s.State
	}
	t.Verdict, _, _ = r.a.Verdict(sequence)
	if t.Verdict != agent.VerdictValid {
		return nil, source.NewError("internal", fmt.Sprintf("the monitor accepted a trace that is %s", t.Verdict))
	}
	for _, s := range r.segments {
		if s.Cut {
			t.Verdict = agent.VerdictIncomplete
		}
	}
	t.Answer = answerOf(r.a, r.segments)
	r.total(&t.Stats)
	return t, r.judgeRules(t)
}

// full reports whether the run is complete and as long as it may be.
func (r *runner) full() bool { return r.run.Complete() && len(r.segments) >= r.settings.MaxSteps }

// chooses reports whether the model has a choice of the next state.
func (r *runner) chooses() bool { return len(r.allowed()) > 1 || r.run.Complete() }

// allowed returns the states that may come next: in a run of MaxSteps or more, only those
// on a shortest way to the end.
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
