package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// environment fills the states that the model does not write. It reads the draft and
// spends from the ledger of a run, but has no part in its phases.
type environment struct {
	*task
	*draft
	*ledger
}

func (r *runner) environment() environment { return environment{&r.task, &r.draft, &r.ledger} }

// fill returns the content of a state. last reports that a person answered with an empty
// text, which ends the run if it is complete.
func (e environment) fill(state int) (content string, last bool, err error) {
	s := e.a.States[state]
	if content, err = e.answer(state); err != nil {
		return "", false, err
	}
	last = strings.TrimSpace(content) == "" && SourceOf(s) == agent.FromPerson
	content, err = e.fit(state, content)
	return content, last, err
}

// answer returns the unchecked content of a state.
func (e environment) answer(index int) (string, error) {
	state := e.a.States[index]
	switch e.settings.Environment {
	case EnvironmentPerson:
		return e.judged(state, func() (string, error) { return e.person(state) })
	case EnvironmentSimulated:
		return e.judged(state, func() (string, error) { return e.simulate(index, state), nil })
	}
	switch SourceOf(state) {
	case agent.FromPerson:
		return e.judged(state, func() (string, error) { return e.person(state) })
	case agent.FromSummary:
		return e.summary(state)
	case agent.FromSolver:
		return e.solve(state)
	case agent.FromEvaluator:
		return e.evaluate(state)
	}
	return e.observeTools(state)
}

// SourceOf returns the way in which the environment fills a state: one of the From constants
// of package agent. A way that the agent does not name is guessed from the prompt's words.
func SourceOf(state agent.State) string {
	if state.From != "" {
		return state.From
	}
	text := strings.ToLower(state.Text)
	for _, c := range []struct{ word, source string }{
		{"summar", agent.FromSummary}, {"evaluat", agent.FromEvaluator}, {"user", agent.FromPerson}, {"human", agent.FromPerson},
		{"answer", agent.FromSolver}, {"solve", agent.FromSolver}, {"solution", agent.FromSolver},
	} {
		if strings.Contains(text, c.word) {
			return c.source
		}
	}
	return agent.FromTools
}

// Sources returns the ways in which an agent's environment fills its states, without
// duplicates, in the order of the states.
func Sources(a *agent.Agent) []string {
	var sources []string
	for _, s := range a.States {
		if source := SourceOf(s); s.EnvInput && !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
	}
	return sources
}

// fit turns a text of the environment into a valid content of a state: it disguises
// prompts, cuts a text that is too long, and replaces an invalid text with the option that
// it mentions. The error has code "monitor.environment" if no option fits.
func (e environment) fit(index int, content string) (string, error) {
	state := e.a.States[index]
	content = e.prompts.disguise(strings.TrimSpace(content))
	if content == "" {
		content = "(nothing)"
	}
	if n := state.MaxTokens * charactersPerToken; n > 0 {
		content = cutCharacters(content, n)
	}
	allowed := e.a.Content(index)
	if allowed == nil || allowed.Fits(content) {
		return content, nil
	}
	best := ""
	for _, o := range state.OneOf {
		o = strings.TrimSpace(o)
		if strings.EqualFold(o, content) {
			return o, nil
		}
		if len(o) > len(best) && strings.Contains(strings.ToLower(content), strings.ToLower(o)) {
			best = o
		}
	}
	if best == "" {
		c := newContents(e.a, index)
		fault := c.read(content)
		if fault == "" {
			fault = c.end()
		}
		return "", source.NewError("monitor.environment", "invalid content from the environment: "+fault)
	}
	return best, nil
}

// cutCharacters cuts a text at the last space within its first n characters.
func cutCharacters(text string, n int) string {
	count := 0
	for i := range text {
		if count++; count > n {
			if at := strings.LastIndexAny(text[:i], " \n"); at > 0 {
				i = at
			}
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

func (e environment) person(state agent.State) (string, error) {
	answer, err := llm.Ask(e.env, process.Question{Prompt: string(e.text), Multiline: len(state.OneOf) == 0, Choices: state.OneOf})
	return pick(state.OneOf, answer), err
}

// pick returns the option that an answer names by its number or its text, or the first
// option if the answer names none. Without options it returns the answer.
func pick(options []string, answer string) string {
	if len(options) == 0 {
		return answer
	}
	for i, o := range options {
		if answer == o || strings.TrimSpace(answer) == fmt.Sprint(i+1) {
			return o
		}
	}
	return options[0]
}

// simulate returns an invented result that quotes the last content, or a suitable content
// if there is a rehearsal, a reference for an evaluator, or a constraint of the state.
func (e environment) simulate(index int, state agent.State) string {
	if e.settings.Rehearsal != nil {
		return e.rehearsed(state)
	}
	if SourceOf(state) == agent.FromEvaluator && e.settings.Reference != "" && e.settings.Evaluator != EvaluatorModel {
		return e.compared(e.settings.Reference)
	}
	if len(state.OneOf) > 0 {
		return state.OneOf[e.env.Rand().IntN(len(state.OneOf))]
	}
	if allowed := e.a.Content(index); allowed != nil {
		return allowed.Begin().Shortest()
	}
	if SourceOf(state) == agent.FromEvaluator && e.admitsUnjudged() {
		return unjudged
	}
	asked := "the question"
	if n := len(e.segments); n > 1 && e.segments[n-2].Text != "" {
		asked = "“" + shorten(e.segments[n-2].Text) + "”"
	}
	found := []string{
		"Found one page about %s. It names a year and two people.",
		"%s has no page of its own; two similar titles were found.",
		"About %s: the first sentence says what it is, the second where.",
		"Nothing was found for %s.",
	}
	return fmt.Sprintf(found[e.env.Rand().IntN(len(found))], asked)
}
