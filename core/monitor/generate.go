package monitor

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/llm"
)

// generate asks the model to continue the text, and reads the reply while it streams in.
func (r *runner) generate() error {
	request := llm.Request{
		Messages: r.messages, Prefix: string(r.text), Stop: r.stops(), MaxTokens: r.settings.MaxTokens + r.repeats.more, Temperature: r.settings.Temperature, Sample: r.sample,
	}
	if chunk := r.chunk(); chunk > 0 {
		request.MaxTokens = min(request.MaxTokens, chunk)
	}
	if r.attempts.reason != "" && !r.continues() {
		request.Messages = withNote(request.Messages, r.attempts.reason)
	}
	r.attempts.reason = ""
	if err := r.spend(r.settings.Budget, &r.stats.Calls, request); err != nil {
		return err
	}
	r.env.Emit(CallEvent{Kind: "monitor.call", Sample: r.sample, Call: r.stats.Calls, Length: len(r.text), Stop: request.Stop})
	var failure error
	stopped := false
	r.aliases.begin()
	take := func(delta string) bool {
		r.env.Emit(DeltaEvent{Kind: "monitor.delta", Sample: r.sample, Text: delta})
		r.written += utf8.RuneCountInString(delta)
		if r.prompting() && bytes.HasSuffix(r.text, []byte("\n")) {
			length := len(delta)
			delta = strings.TrimLeft(delta, "\r\n") // the line has begun
			r.discarded += length - len(delta)
		}
		r.write(byModel, delta)
		stopped, failure = r.progress(false)
		return failure == nil && !stopped
	}
	reply, err := r.model.Generate(r.env, request, func(delta string) bool {
		delta = r.aliases.write(delta, false)
		return delta == "" || take(delta)
	})
	if held := r.aliases.write("", true); held != "" && failure == nil && !stopped {
		take(held)
	}
	r.received(reply)
	if err == nil {
		err = failure
	}
	if err == nil {
		err = r.repeated(request, reply)
	}
	if err != nil || stopped {
		return err
	}
	return r.replied(reply)
}

// replied continues after the model has ended its reply.
func (r *runner) replied(reply llm.Reply) error {
	if p, ok := r.phase.(reading); ok && reply.Reason == llm.StopText && reply.Stop != "" {
		p.stopped(r, reply.Stop)
	}
	// A reply that was cut off may end within a prompt.
	if reply.Reason == llm.StopLength && r.attempts.continued < maxContinuations*r.settings.MaxTokens {
		r.attempts.continued += max(llm.EstimateTokens(reply.Text), 1)
		return nil
	}
	if stop, err := r.progress(true); err != nil || stop {
		return err
	}
	switch p := r.phase.(type) {
	case *writing:
		next, ok := p.end(r)
		if !ok {
			return nil
		}
		r.reportCut(reply)
		return next.replied(r, reply)
	case *prompting:
		return p.replied(r, reply)
	}
	return nil
}

// reportCut reports the last content if the limit of tokens has cut it off.
func (r *runner) reportCut(reply llm.Reply) {
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

func (r *runner) prompting() bool {
	_, ok := r.phase.(*prompting)
	return ok
}

// chunk returns the number of tokens after which the model is asked to continue, or 0 for
// no such limit. Such a limit is needed for an endpoint that supports fewer stop texts than
// the environment has states.
func (t *task) chunk() int {
	if t.settings.Chunk > 0 {
		return t.settings.Chunk
	}
	if e := t.settings.Model.Endpoint; e != nil && t.settings.Model.Kind == llm.KindEndpoint {
		if caps := e.Known(); !caps.Stop || caps.MaxStops > 0 && caps.MaxStops < t.environmentStates() {
			return DefaultChunk
		}
	}
	return 0
}

// environmentStates counts the states that the environment fills.
func (t *task) environmentStates() int {
	n := 0
	for _, s := range t.a.States {
		if s.EnvInput {
			n++
		}
	}
	return n
}

// continues reports whether the model continues a given text as its own.
func (t *task) continues() bool {
	e := t.settings.Model.Endpoint
	return t.settings.Model.Kind != llm.KindEndpoint || e == nil || e.Known().Prefix != llm.PrefixNone
}

// withNote adds to the last message why the model was stopped.
func withNote(messages []llm.Message, why string) []llm.Message {
	out := append([]llm.Message{}, messages...)
	last := &out[len(out)-1]
	last.Content += "\n\n(You were stopped here, and what was wrong is gone from your text: " + why + ".)"
	return out
}

// stops returns the stop texts of a call: the prompts of the environment's states, or all
// prompts if no state may follow or the run is eager.
func (r *runner) stops() []string {
	all := r.settings.Eager || !r.prompting() && len(r.run.Next()) == 0
	stops := []string{}
	for _, s := range r.a.States {
		if s.EnvInput || all {
			stops = append(stops, s.Text)
		}
	}
	return stops
}
