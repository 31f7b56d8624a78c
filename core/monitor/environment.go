package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

// observe lets the environment fill the open state.
func (r *runner) observe() error {
	state := r.a.States[r.last]
	var content string
	if r.settings.Environment == EnvironmentPerson {
		var err error
		content, err = llm.Ask(r.env, process.Question{
			Prompt: r.text, Multiline: len(state.OneOf) == 0, Choices: state.OneOf,
		})
		if err != nil {
			return err
		}
		content = pick(state.OneOf, content)
	} else {
		content = r.simulated()
	}
	content = r.prompts.disguise(strings.TrimSpace(content))
	if content == "" {
		content = "(nothing)"
	}
	r.write(" " + content)
	r.closeSegment("environment")
	r.newLine()
	return nil
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

// simulated answers in the place of a tool, with what was asked for in it.
func (r *runner) simulated() string {
	state := r.a.States[r.last]
	if len(state.OneOf) > 0 {
		return state.OneOf[r.env.Rand().IntN(len(state.OneOf))]
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
