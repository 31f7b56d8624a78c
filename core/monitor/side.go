package monitor

import (
	"fmt"
	"math"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// What models are told that write for the environment, where the agent names no
// file. {question} is the task, {goal} what the agent meant to do, {results} what
// came of its calls, {proposal} the answer it proposes, {text} all it has written.
const (
	DefaultSummary = `Say in one or two sentences what the statements tell about the goal and the question. Use nothing that they do not say.

Statements:
{results}

Question: {question}
Goal: {goal}
Summary:`
	DefaultSolver = `Answer the question from the plan and what came of its steps. Write the answer alone, without a sentence around it.

{results}

Question: {question}
Answer:`
	DefaultEvaluator = `Is the proposed answer to the question right? Begin with "correct" or "incorrect" and say in a sentence why.

{text}

Question: {question}
Proposed answer: {proposal}
Judgement:`
)

// Who judges a proposed answer.
const (
	EvaluatorExact  = "exact"  // it is compared with the reference
	EvaluatorModel  = "model"  // the model does
	EvaluatorPerson = "person" // a person does
)

// What is kept of a summary and the results that it sums up.
const (
	KeepLikelier = "likelier" // what the model itself would rather have written
	KeepSummary  = "summary"
	KeepResults  = "results"
)

// side lets the model write for the environment.
func (r *runner) side(state agent.State, way, usual string, values map[string]string) (string, error) {
	template := usual
	if state.Prompt.Name != "" {
		text, err := r.setup.open(state.Prompt.Name)
		if err != nil {
			return "", err
		}
		if template = text; len(CheckTemplate(text, true)) > 0 {
			return "", source.NewError("monitor.template", state.Prompt.Name+": "+CheckTemplate(text, true)[0].Message)
		}
	}
	values["question"], values["goal"] = r.question(), r.goal()
	prompt := strings.TrimSpace(fill(template, values))
	request := llm.Request{Messages: []llm.Message{{Role: "user", Content: prompt}}, MaxTokens: r.settings.MaxTokens}
	if err := r.spend(&r.stats.SideCalls, request); err != nil {
		return "", err
	}
	model := r.model
	switch r.settings.Model.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler: // they only know how to act
		model = simulatedSide(way, values)
	}
	reply, err := model.Generate(r.env, request, func(string) bool { return true })
	r.stats.SideTokens += reply.Usage.Prompt + reply.Usage.Completion
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(reply.Text)
	r.env.Emit(SideEvent{Kind: "monitor.side", Sample: r.sample, State: state.Name, Way: way, Prompt: prompt, Text: text})
	return text, nil
}

// simulatedSide is a model that sums up, solves or judges without a thought.
func simulatedSide(way string, values map[string]string) llm.Model {
	return llm.Simulate(func(*process.Env, llm.Request) (string, error) {
		switch way {
		case agent.FromEvaluator:
			return "correct", nil
		default:
			first, _, _ := strings.Cut(values["results"], "\n")
			return "In short: " + shorten(first), nil
		}
	})
}

// question returns the task.
func (r *runner) question() string {
	if r.settings.Question == "" && len(r.segments) > 0 {
		return r.segments[0].Text
	}
	return r.settings.Question
}

// goal returns what the agent wrote last that is no part of a call.
func (r *runner) goal() string {
	for i := len(r.segments) - 2; i >= 0; i-- {
		state := r.a.States[r.a.Index(r.segments[i].State)]
		if !state.EnvInput && !r.segments[i].task && r.settings.Roles.role(state) == "" {
			return r.segments[i].Text
		}
	}
	return ""
}

// summary makes the calls at the same time and sums up what came of them (Crouse
// et al. 2024, §3). Of the summary and the bare results it returns the one that
// the model would rather have written itself.
func (r *runner) summary(state agent.State) (string, error) {
	actions := r.actions()
	if len(actions) == 0 {
		return "Nothing was asked for.", nil
	}
	if err := r.perform(state, actions); err != nil {
		return "", err
	}
	results := numbered(actions)
	if r.settings.Keep == KeepResults {
		r.kept(state, KeepEvent{Kept: "results", How: "setting", Reason: "nothing is to be summed up"})
		return results, nil
	}
	summary, err := r.side(state, agent.FromSummary, DefaultSummary, map[string]string{"results": results, "text": string(r.text)})
	if err != nil {
		return "", err
	}
	e := KeepEvent{Kept: "summary", How: "setting", Reason: "the summary is to be kept"}
	if r.settings.Keep != KeepSummary {
		if e, err = r.weigh(summary, results); err != nil {
			return "", err
		}
	}
	r.kept(state, e)
	if e.Kept == "results" {
		return results, nil
	}
	return summary, nil
}

func (r *runner) kept(state agent.State, e KeepEvent) {
	e.Kind, e.Sample, e.State = "monitor.keep", r.sample, state.Name
	r.env.Emit(e)
}

// weigh compares a summary and the results that it sums up by their
// log-probability after the text so far, divided by ((5+n)/6)^α for n tokens (Wu
// et al. 2016). Where the endpoint does not tell it, the shorter is kept: a summary
// that is no shorter than what it sums up has only lost something.
func (r *runner) weigh(summary, results string) (KeepEvent, error) {
	e := KeepEvent{Kept: "summary", How: "logprobs", Reason: "it is the likelier text after this one, by its length"}
	for _, c := range []struct {
		text string
		into *float64
	}{{summary, &e.Summary}, {results, &e.Results}} {
		score, why, err := r.score(c.text)
		if err != nil {
			return e, err
		}
		if why != "" {
			e = KeepEvent{Kept: "summary", How: "rule", Reason: why + ", so the shorter of the two is kept"}
			if len(results) <= len(summary) {
				e.Kept = "results"
			}
			return e, nil
		}
		*c.into = score
	}
	if e.Results > e.Summary {
		e.Kept = "results"
	}
	return e, nil
}

// score returns the length-normalised log-probability of a text after what stands
// there, or why it is not known. A server that can be told to write nothing but one
// text tells it: with each token comes what the model thought of it.
func (r *runner) score(text string) (score float64, why string, err error) {
	endpoint := r.settings.Model.Endpoint
	if r.settings.Model.Kind != llm.KindEndpoint || endpoint == nil {
		return 0, "a model of this kind tells no log-probabilities", nil
	}
	caps := endpoint.Known()
	if !caps.Logprobs || caps.Prefix == llm.PrefixNone || caps.Choice != llm.ChoiceStructured && caps.Choice != llm.ChoiceGrammar {
		return 0, "the endpoint does not tell the log-probability of a given text", nil
	}
	request := llm.Request{
		Messages: r.messages, Prefix: string(r.text) + " ", Constraint: &llm.Constraint{Choices: []string{text}},
		TopLogprobs: 1, MaxTokens: 2*llm.EstimateTokens(text) + 64,
	}
	if err := r.spend(&r.stats.SideCalls, request); err != nil {
		return 0, "", err
	}
	reply, err := r.model.Generate(r.env, request, func(string) bool { return true })
	r.stats.SideTokens += reply.Usage.Prompt + reply.Usage.Completion
	if err != nil {
		return 0, "", err
	}
	sum, written := 0.0, ""
	for _, token := range reply.Logprobs {
		sum += token.Logprob
		written += token.Token
	}
	n := len(reply.Logprobs)
	switch {
	case !reply.Constrained || n == 0 || strings.TrimSpace(written) != strings.TrimSpace(text):
		return 0, "the endpoint did not tell the log-probability of each token", nil
	case n > 1 && sum > -1e-9:
		return 0, "the endpoint tells log-probabilities only after it has left a single choice", nil
	}
	alpha := r.settings.Alpha
	if alpha == 0 {
		alpha = DefaultAlpha
	}
	// Rounded, for no machine's last bit should be in a recorded event.
	return math.Round(1e6*sum/math.Pow(float64(5+n)/6, alpha)) / 1e6, "", nil
}

// solve makes the planned calls in the order that their labels ask for, and lets
// the model answer from what came of them (Xu et al. 2023).
func (r *runner) solve(state agent.State) (string, error) {
	actions := r.actions()
	if err := r.perform(state, actions); err != nil {
		return "", err
	}
	var b strings.Builder
	step := 0
	for _, s := range r.segments[:len(r.segments)-1] {
		st := r.a.States[r.a.Index(s.State)]
		switch role := r.settings.Roles.role(st); {
		case role == "action":
			a := actions[step]
			step++
			fmt.Fprintf(&b, "%s %s[%s]: %s\n", reference(a.label), a.tool, a.input, a.output)
		case role == "" && !st.EnvInput && !s.task:
			fmt.Fprintf(&b, "Plan: %s\n", s.Text)
		}
	}
	return r.side(state, agent.FromSolver, DefaultSolver, map[string]string{"results": strings.TrimSpace(b.String()), "text": string(r.text)})
}

// evaluate judges the answer that was proposed last (Shinn et al. 2023).
func (r *runner) evaluate(state agent.State) (string, error) {
	proposal := ""
	if n := len(r.segments); n > 1 {
		proposal = r.segments[n-2].Text
	}
	evaluator := r.settings.Evaluator
	if evaluator == "" {
		evaluator = EvaluatorModel
		if r.settings.Reference != "" {
			evaluator = EvaluatorExact
		}
	}
	switch {
	case evaluator == EvaluatorPerson:
		return r.person(state)
	case evaluator == EvaluatorModel:
		return r.side(state, agent.FromEvaluator, DefaultEvaluator, map[string]string{"proposal": proposal, "text": string(r.text)})
	case SameAnswer(proposal, r.settings.Reference):
		return "correct", nil
	default:
		return "incorrect", nil
	}
}
