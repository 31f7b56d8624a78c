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

// observe lets the environment fill the open state.
func (r *runner) observe() error {
	state := r.a.States[r.last]
	content, err := r.answer(state)
	if err != nil {
		return err
	}
	silent := strings.TrimSpace(content) == ""
	if content, err = r.fit(state, content); err != nil {
		return err
	}
	r.write(byOthers, " "+content)
	r.closeSegment("environment")
	r.newLine()
	if silent && WayOf(state) == agent.FromPerson && r.run.Complete() {
		r.done = true // who says nothing more has ended it
	}
	return nil
}

// answer returns what the environment says, as it came.
func (r *runner) answer(state agent.State) (string, error) {
	switch r.settings.Environment {
	case EnvironmentPerson:
		return r.person(state)
	case EnvironmentSimulated:
		return r.simulate(state), nil
	}
	switch WayOf(state) {
	case agent.FromPerson:
		return r.person(state)
	case agent.FromSummary:
		return r.summary(state)
	case agent.FromSolver:
		return r.solve(state)
	case agent.FromEvaluator:
		return r.evaluate(state)
	}
	return r.observeTools(state)
}

// WayOf returns how the environment comes by a state's content. Where the agent
// does not say, the prompt's words do.
func WayOf(state agent.State) string {
	if state.From != "" {
		return state.From
	}
	text := strings.ToLower(state.Text)
	for _, c := range []struct{ word, way string }{
		{"summar", agent.FromSummary}, {"evaluat", agent.FromEvaluator}, {"user", agent.FromPerson}, {"human", agent.FromPerson},
		{"answer", agent.FromSolver}, {"solve", agent.FromSolver}, {"solution", agent.FromSolver},
	} {
		if strings.Contains(text, c.word) {
			return c.way
		}
	}
	return agent.FromTools
}

// Ways returns the ways in which an agent's environment comes by contents, each once,
// in the order of the states.
func Ways(a *agent.Agent) []string {
	var ways []string
	for _, s := range a.States {
		if way := WayOf(s); s.EnvInput && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return ways
}

// fit makes of what the environment said a content of the state.
func (r *runner) fit(state agent.State, content string) (string, error) {
	content = r.prompts.disguise(strings.TrimSpace(content))
	if content == "" {
		content = "(nothing)"
	}
	if n := state.MaxTokens * charactersPerToken; n > 0 {
		content = cutCharacters(content, n)
	}
	allowed := r.a.Content(r.last)
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
		c := newContents(r.a, r.last)
		fault := c.read(content)
		if fault == "" {
			fault = c.end()
		}
		return "", source.NewError("monitor.environment", "the environment said what may not stand there: "+fault)
	}
	return best, nil
}

// cutCharacters cuts a text at the last space before so many characters.
func cutCharacters(text string, n int) string {
	seen := 0
	for i := range text {
		if seen++; seen > n {
			if at := strings.LastIndexAny(text[:i], " \n"); at > 0 {
				i = at
			}
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

func (r *runner) person(state agent.State) (string, error) {
	answer, err := llm.Ask(r.env, process.Question{Prompt: string(r.text), Multiline: len(state.OneOf) == 0, Choices: state.OneOf})
	return pick(state.OneOf, answer), err
}

// pick reads the answer to a question with choices: the number of one, or its
// text. Where it is neither, the first is taken.
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

// simulate answers in the place of a tool, with what was asked for in it.
func (r *runner) simulate(state agent.State) string {
	if r.settings.Rehearsal != nil {
		return r.rehearsed(state)
	}
	if len(state.OneOf) > 0 {
		return state.OneOf[r.env.Rand().IntN(len(state.OneOf))]
	}
	if allowed := r.a.Content(r.last); allowed != nil {
		return allowed.Begin().Shortest()
	}
	asked := "the question"
	if n := len(r.segments); n > 1 && r.segments[n-2].Text != "" {
		asked = "“" + shorten(r.segments[n-2].Text) + "”"
	}
	found := []string{
		"Found one page about %s. It names a year and two people.",
		"%s has no page of its own; two similar titles were found.",
		"About %s: the first sentence says what it is, the second where.",
		"Nothing was found for %s.",
	}
	return fmt.Sprintf(found[r.env.Rand().IntN(len(found))], asked)
}
