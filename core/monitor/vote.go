package monitor

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// DefaultSamples is the number of runs that vote before another agent is asked.
const DefaultSamples = 5

// Sample is a run that votes on the answer.
type Sample struct {
	Agent    string    `json:"agent"`
	Answer   string    `json:"answer"`
	Segments []Segment `json:"segments"`
	Stats    Stats     `json:"stats"`
	Fault    string    `json:"fault,omitempty"` // the reason why the run has no vote
}

// Vote is an answer with the number of its samples.
type Vote struct {
	Answer string `json:"answer"`
	Count  int    `json:"count"`
}

// vote runs an agent several times and returns a run with the most frequent answer
// (self-consistency: Wang et al. 2023). If no two answers agree and the settings name
// another agent, that agent answers (Crouse et al. 2024, §4).
func vote(env *process.Env, a *agent.Agent, setup Setup, s Settings) (*Transcript, error) {
	model, err := setup.model(a, s.Model, s.Rehearsal)
	if err != nil {
		return nil, err
	}
	if s.Samples <= 1 && s.Then == "" {
		return runOne(env, a, model, setup, s, 0)
	}
	var then *agent.Agent
	if s.Then != "" {
		if setup.Agent == nil {
			return nil, source.NewError("monitor.settings", fmt.Sprintf("unknown agent %q to fall back to", s.Then))
		}
		if then, err = setup.Agent(s.Then); err != nil {
			return nil, err
		}
	}
	if s.Samples == 0 {
		s.Samples = DefaultSamples
	}
	once := s
	if once.Temperature == 0 {
		once.Temperature = DefaultTemperature
	}
	runs, faults, err := sampleRuns(env, a, model, setup, once)
	if err != nil {
		return nil, err
	}
	out, votes, tied := count(runs)
	var stats Stats
	var samples []Sample
	for i, t := range runs {
		if t == nil {
			samples = append(samples, Sample{Agent: a.Name, Fault: faults[i].Error(), Segments: []Segment{}})
			continue
		}
		stats.add(t.Stats)
		samples = append(samples, Sample{Agent: t.Agent, Answer: t.Answer, Segments: t.Segments, Stats: t.Stats, Fault: withoutVote(t)})
	}
	fellBack := then != nil && (len(votes) == 0 || votes[0].Count < 2)
	if fellBack {
		if s.Model.Kind != llm.KindScripted { // a script continues
			if model, err = setup.model(then, s.Model, s.Rehearsal); err != nil {
				return nil, err
			}
		}
		if out, err = runOne(env, then, model, setup, s, s.Samples+1); err != nil {
			return nil, err
		}
		env.Emit(SampleEvent{Kind: "monitor.sample", Sample: s.Samples + 1, Agent: out.Agent, Answer: out.Answer})
		stats.add(out.Stats)
	}
	if out == nil {
		for _, fault := range faults {
			if fault != nil {
				return nil, fault
			}
		}
		return nil, source.NewError("monitor.vote", fmt.Sprintf("no answer to vote on: all %d are empty or cut off", len(runs)))
	}
	if fellBack {
		tied = 0
	}
	result := *out
	result.Stats, result.Samples, result.Votes, result.Tied, result.FellBack = stats, samples, votes, tied, fellBack
	return &result, nil
}

// withoutVote returns the reason why a finished run has no vote, or "".
func withoutVote(t *Transcript) string {
	if strings.TrimSpace(t.Answer) == "" {
		return "the answer is empty"
	}
	if t.Verdict == agent.VerdictIncomplete {
		return "the answer is cut off"
	}
	return ""
}

// sampleRuns runs the samples: concurrently, unless they share a script or a person. A run
// that fails has no vote. Only an error that ends all runs is returned.
func sampleRuns(env *process.Env, a *agent.Agent, model llm.Model, setup Setup, s Settings) ([]*Transcript, []error, error) {
	runs, faults := make([]*Transcript, s.Samples), make([]error, s.Samples)
	one := func(env *process.Env, i int) error {
		t, err := runOne(env, a, model, setup, s, i+1)
		runs[i], faults[i] = t, err
		var limit *meter.LimitError
		if errors.Is(err, meter.ErrCancelled) || errors.As(err, &limit) {
			return err
		}
		e := SampleEvent{Kind: "monitor.sample", Sample: i + 1, Agent: a.Name}
		if err != nil {
			e.Fault = err.Error()
		} else {
			e.Answer, e.Fault = t.Answer, withoutVote(t)
		}
		env.Emit(e)
		return nil
	}
	switch {
	case s.Model.Kind == llm.KindScripted, s.Model.Kind == llm.KindPerson, s.Environment == EnvironmentPerson:
		for i := range s.Samples {
			if err := one(env, i); err != nil {
				return nil, nil, err
			}
		}
		return runs, faults, nil
	}
	tasks := make([]*process.Task, s.Samples)
	for i := range tasks {
		tasks[i] = env.Go(func(env *process.Env) error { return one(env, i) })
	}
	var first error
	for _, t := range tasks {
		if err := t.Wait(); err != nil && first == nil {
			first = err
		}
	}
	return runs, faults, first
}

// count returns the first run with the most frequent answer (the earliest of equally
// frequent answers), all answers with their votes in descending order, and the number of
// answers that share the most votes, 0 if only one has them. An empty answer has no vote.
func count(runs []*Transcript) (winner *Transcript, votes []Vote, tied int) {
	var first []*Transcript
	index := map[string]int{}
	for _, t := range runs {
		if t == nil || withoutVote(t) != "" {
			continue
		}
		key := normalAnswer(t.Answer)
		i, ok := index[key]
		if !ok {
			i = len(votes)
			index[key] = i
			votes, first = append(votes, Vote{Answer: t.Answer}), append(first, t)
		}
		votes[i].Count++
	}
	if len(votes) == 0 {
		return nil, nil, 0
	}
	best := 0
	for i, v := range votes {
		switch {
		case v.Count > votes[best].Count:
			best, tied = i, 1
		case v.Count == votes[best].Count:
			tied++
		}
	}
	if tied == 1 {
		tied = 0
	}
	winner = first[best]
	sort.SliceStable(votes, func(i, j int) bool { return votes[i].Count > votes[j].Count })
	return winner, votes, tied
}
