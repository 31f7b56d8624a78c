package monitor

import (
	"fmt"
	"math"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Default prompts of models that write for the environment. {question} is the task, {goal}
// the agent's last text that is not part of a call, {results} the results of its calls,
// {proposal} the answer that the agent proposes, {text} the complete text.
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

// Evaluators of a proposed answer.
const (
	EvaluatorExact  = "exact"  // a comparison with the reference
	EvaluatorModel  = "model"  // the model
	EvaluatorPerson = "person" // a person
)

// Choices between a summary and its results.
const (
	KeepLikelier = "likelier" // the text to which the model gives the higher probability
	KeepSummary  = "summary"
	KeepResults  = "results"
)

// side lets the model write for the environment. fallback is the prompt for states that
// name no file.
func (e environment) side(state agent.State, origin, fallback string, values map[string]string) (string, error) {
	template := fallback
	if state.Prompt.Name != "" {
		text, err := e.setup.open(state.Prompt.Name)
		if err != nil {
			return "", err
		}
		if template = text; len(CheckTemplate(text, true)) > 0 {
			return "", source.NewError("monitor.template", state.Prompt.Name+": "+CheckTemplate(text, true)[0].Message)
		}
	}
	values["question"], values["goal"] = e.question(), e.goal()
	prompt := strings.TrimSpace(fill(template, values))
	request := llm.Request{Messages: []llm.Message{{Role: "user", Content: prompt}}, MaxTokens: e.settings.MaxTokens, Sample: e.sample}
	if err := e.spend(e.settings.Budget, &e.stats.SideCalls, request); err != nil {
		return "", err
	}
	model := e.model
	switch e.settings.Model.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler: // these can only act as agents
		model = e.simulatedSide(origin, values)
	}
	reply, err := model.Generate(e.env, request, func(string) bool { return true })
	e.receivedSide(reply)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(reply.Text)
	e.env.Emit(SideEvent{Kind: "monitor.side", Sample: e.sample, State: state.Name, Source: origin, Prompt: prompt, Text: text})
	return text, nil
}

// unjudged is the judgement of a simulated judge that has nothing to compare an answer with. Runs that
// were recorded before it existed keep their invented judgements.
const unjudged = "not judged: a simulated judge needs rehearsal.json or the right answer"

// admitsUnjudged reports whether a simulated judge may say so, and records it in the log.
func (e environment) admitsUnjudged() bool {
	return e.env.Decide(true, json.RawMessage(`"unjudged"`)) != nil
}

// simulatedSide returns a model that summarises and solves by a fixed rule, and judges by the right answer.
func (e environment) simulatedSide(origin string, values map[string]string) llm.Model {
	return llm.Simulate(func(*process.Env, llm.Request) (string, error) {
		switch origin {
		case agent.FromEvaluator:
			switch {
			case !e.admitsUnjudged():
				return "correct", nil
			case e.settings.Rehearsal != nil:
				return e.compared(e.settings.Rehearsal.Answer), nil
			case e.settings.Reference != "":
				return e.compared(e.settings.Reference), nil
			}
			return unjudged, nil
		default:
			first, _, _ := strings.Cut(values["results"], "\n")
			return "In short: " + shorten(first), nil
		}
	})
}

// question returns the task.
func (e environment) question() string {
	if e.settings.Question == "" && len(e.segments) > 0 {
		return e.segments[0].Text
	}
	return e.settings.Question
}

// goal returns the agent's last text that is not part of a call.
func (e environment) goal() string {
	for i := len(e.segments) - 2; i >= 0; i-- {
		state := e.a.States[e.a.Index(e.segments[i].State)]
		if !state.EnvInput && !e.segments[i].task && e.settings.Roles.role(state) == "" {
			return e.segments[i].Text
		}
	}
	return ""
}

// summary makes the calls concurrently and summarises their results (Crouse et al. 2024,
// §3). It returns the summary or the plain results, whichever the settings or the model's
// probabilities prefer.
func (e environment) summary(state agent.State) (string, error) {
	actions := e.actions()
	if len(actions) == 0 {
		return "Nothing was asked for.", nil
	}
	if err := e.perform(state, actions); err != nil {
		return "", err
	}
	results := numbered(actions)
	if e.settings.Keep == KeepResults {
		e.kept(state, KeepEvent{Kept: "results", How: "setting", Reason: "the setting keeps the results"})
		return results, nil
	}
	summary, err := e.side(state, agent.FromSummary, DefaultSummary, map[string]string{"results": results, "text": string(e.text)})
	if err != nil {
		return "", err
	}
	event := KeepEvent{Kept: "summary", How: "setting", Reason: "the setting keeps the summary"}
	if e.settings.Keep != KeepSummary {
		if event, err = e.weigh(summary, results); err != nil {
			return "", err
		}
	}
	e.kept(state, event)
	if event.Kept == "results" {
		return results, nil
	}
	return summary, nil
}

func (e environment) kept(state agent.State, event KeepEvent) {
	event.Kind, event.Sample, event.State = "monitor.keep", e.sample, state.Name
	e.env.Emit(event)
}

// weigh compares a summary with its results by their log-probability after the text so far,
// divided by ((5+n)/6)^α for n tokens (Wu et al. 2016). If the endpoint does not report
// log-probabilities, the shorter text is kept: a summary that is not shorter only loses
// detail.
func (e environment) weigh(summary, results string) (KeepEvent, error) {
	event := KeepEvent{Kept: "summary", How: "logprobs", Reason: "higher log-probability, normalised by length"}
	for _, c := range []struct {
		text string
		into *float64
	}{{summary, &event.Summary}, {results, &event.Results}} {
		score, why, err := e.score(c.text)
		if err != nil {
			return event, err
		}
		if why != "" {
			event = KeepEvent{Kept: "summary", How: "rule", Reason: why + ", so the shorter text is kept"}
			if len(results) <= len(summary) {
				event.Kept = "results"
			}
			return event, nil
		}
		*c.into = score
	}
	if event.Results > event.Summary {
		event.Kept = "results"
	}
	return event, nil
}

// score returns the length-normalised log-probability of a text after the text so far, or
// the reason why it is unknown. It asks a server that supports constraints to generate
// exactly this text, and adds up the log-probabilities of its tokens.
func (e environment) score(text string) (score float64, why string, err error) {
	endpoint := e.settings.Model.Endpoint
	if e.settings.Model.Kind != llm.KindEndpoint || endpoint == nil {
		return 0, "this kind of model reports no log-probabilities", nil
	}
	caps := endpoint.Known()
	if !caps.Logprobs || caps.Prefix == llm.PrefixNone || caps.Choice != llm.ChoiceStructured && caps.Choice != llm.ChoiceGrammar {
		return 0, "the endpoint does not report the log-probability of a given text", nil
	}
	request := llm.Request{
		Messages: e.messages, Prefix: string(e.text) + " ", Constraint: &llm.Constraint{Choices: []string{text}},
		TopLogprobs: 1, MaxTokens: 2*llm.EstimateTokens(text) + 64,
	}
	if err := e.spend(e.settings.Budget, &e.stats.SideCalls, request); err != nil {
		return 0, "", err
	}
	reply, err := e.model.Generate(e.env, request, func(string) bool { return true })
	e.receivedSide(reply)
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
		return 0, "the endpoint did not report the log-probability of each token", nil
	case n > 1 && sum > -1e-9:
		return 0, "the endpoint reports log-probabilities only after applying the constraint", nil
	}
	alpha := e.settings.Alpha
	if alpha == 0 {
		alpha = DefaultAlpha
	}
	// Rounded so that recorded events do not depend on the platform's floating point.
	return math.Round(1e6*sum/math.Pow(float64(5+n)/6, alpha)) / 1e6, "", nil
}

// solve makes the planned calls in an order that respects their labels, and lets the
// model answer from the results (Xu et al. 2023).
func (e environment) solve(state agent.State) (string, error) {
	actions := e.actions()
	if err := e.perform(state, actions); err != nil {
		return "", err
	}
	var b strings.Builder
	step := 0
	for _, s := range e.segments[:len(e.segments)-1] {
		st := e.a.States[e.a.Index(s.State)]
		switch role := e.settings.Roles.role(st); {
		case role == "action":
			a := actions[step]
			step++
			fmt.Fprintf(&b, "%s %s[%s]: %s\n", reference(a.label), a.tool, a.input, a.output)
		case role == "" && !st.EnvInput && !s.task:
			fmt.Fprintf(&b, "Plan: %s\n", s.Text)
		}
	}
	return e.side(state, agent.FromSolver, DefaultSolver, map[string]string{"results": strings.TrimSpace(b.String()), "text": string(e.text)})
}

// evaluate judges the last proposed answer (Shinn et al. 2023).
func (e environment) evaluate(state agent.State) (string, error) {
	proposal := e.proposal()
	evaluator := e.settings.Evaluator
	if evaluator == "" {
		evaluator = EvaluatorModel
		if e.settings.Reference != "" {
			evaluator = EvaluatorExact
		}
	}
	switch {
	case evaluator == EvaluatorPerson:
		return e.person(state)
	case evaluator == EvaluatorModel:
		return e.side(state, agent.FromEvaluator, DefaultEvaluator, map[string]string{"proposal": proposal, "text": string(e.text)})
	default:
		return e.compared(e.settings.Reference), nil
	}
}

// proposal returns the last proposed answer.
func (e environment) proposal() string {
	if n := len(e.segments); n > 1 {
		return e.segments[n-2].Text
	}
	return ""
}

// compared judges the last proposed answer by a reference, which needs no model.
func (e environment) compared(reference string) string {
	if SameAnswer(e.proposal(), reference) {
		return "correct"
	}
	return "incorrect"
}
