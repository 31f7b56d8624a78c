package monitor

import (
	"fmt"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// ledger counts the expenses of a run.
type ledger struct {
	stats Stats
	money float64 // dollars that the endpoint's calls have cost

	written     int // characters that the model wrote, kept or not
	discarded   int // number of those characters that were discarded
	regenerated int // characters that replace discarded ones
	redo        int // offset from which on characters replace discarded ones; -1: none do
	repeats     repeats
}

// spend counts a call of the model in calls, a field of stats. The error has code
// "limit.calls", "limit.tokens" or "limit.money" if the budget is used up.
func (l *ledger) spend(b meter.Budget, calls *int, request llm.Request) error {
	prompt := llm.EstimateTokens(request.Prefix) + messageTokens(request.Messages)
	s := &l.stats
	if b.Calls > 0 && s.Calls+s.SideCalls >= b.Calls {
		return source.NewError("limit.calls", fmt.Sprintf("the budget of %d calls is used up; raise it or shorten the run", b.Calls))
	}
	if spent := s.PromptTokens + s.CompletionTokens + s.SideTokens; b.Tokens > 0 && spent+prompt > b.Tokens {
		return source.NewError("limit.tokens", fmt.Sprintf("the budget of %d tokens is used up: %d are spent, and the next call sends %d", b.Tokens, spent, prompt))
	}
	if err := (meter.Budget{Money: b.Money}).Afford(0, 0, l.money); err != nil {
		return err
	}
	*calls++
	if calls == &s.Calls {
		s.Cost.Prompt += prompt
	}
	return nil
}

// received counts a reply to the model's own call.
func (l *ledger) received(reply llm.Reply) {
	l.stats.PromptTokens += reply.Usage.Prompt
	l.stats.CompletionTokens += reply.Usage.Completion
	l.money += reply.Cost
}

// receivedSide counts a reply to a call of a model that writes for the environment.
func (l *ledger) receivedSide(reply llm.Reply) {
	l.stats.SideTokens += reply.Usage.Prompt + reply.Usage.Completion
	l.money += reply.Cost
}

// corrected counts a correction.
func (r *runner) corrected(forced bool) {
	r.attempts.corrections++
	r.stats.Corrections++
	if forced {
		r.stats.Forced++
	}
}

// discard removes the text from offset at on and counts the model's characters in the removed text.
func (r *runner) discard(at int) {
	r.discarded += r.characters(at, byModel)
	r.cut(at)
}

// countRewritten counts the characters that were read since the last correction as regenerated.
func (r *runner) countRewritten() {
	if r.redo >= 0 {
		r.regenerated += utf8.RuneCount(r.text[min(r.redo, r.at):r.at])
		r.redo = -1
	}
}

// total fills in the statistics of a finished run.
func (r *runner) total(s *Stats) {
	s.TokensKept, s.TokensGiven = charactersTokens(r.characters(0, byModel)), charactersTokens(r.characters(0, byMonitor))
	s.TokensDiscarded, s.TokensRegenerated = charactersTokens(r.discarded), charactersTokens(r.regenerated)
	s.Cost.Completion = charactersTokens(r.written)
	if r.settings.Surface != SurfaceTools {
		r.eager(&s.Cost)
	}
}

func charactersTokens(n int) int { return (max(n, 0) + charactersPerToken - 1) / charactersPerToken }

// eager estimates the cost of one call for each state: the call sends all text before the
// state's content and returns the content, and also the prompt if the model had a choice of
// states.
func (r *runner) eager(c *Cost) {
	tokens := messageTokens(r.messages)
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
		c.EagerPrompt += tokens + charactersTokens(characters)
		c.EagerCompletion += llm.EstimateTokens(s.Text)
		if choice {
			c.EagerCompletion += llm.EstimateTokens(state.Text)
		}
	}
	if len(run.Next()) > 0 { // a last call asks whether the run continues
		c.EagerCalls++
		c.EagerPrompt += tokens + charactersTokens(characters+utf8.RuneCount(r.text[at:]))
	}
}

// eagerAgain adds the estimated cost of another call, which generates the text between two offsets.
func (r *runner) eagerAgain(from, to int) {
	c := &r.stats.Cost
	c.EagerCalls++
	c.EagerPrompt += messageTokens(r.messages) + charactersTokens(utf8.RuneCount(r.text[:from]))
	c.EagerCompletion += charactersTokens(utf8.RuneCount(r.text[from:max(from, to)]))
}

func messageTokens(messages []llm.Message) int {
	n := 0
	for _, m := range messages {
		n += llm.EstimateTokens(m.Content)
	}
	return n
}
