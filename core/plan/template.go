package plan

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/plan/prompt"
	"github.com/stile-playground/stile/core/plan/space"
)

// DefaultTemplate is the prompt of a choice, in the structure of Formal-LLM's appendix A.3:
// the task, the progress in backward order, the item and the step that takes it, the
// numbered choices, and the form of the answer. [Settings.Template] replaces it.
const DefaultTemplate = `{direction} for this task: {task}

{progress}
{wanted} {from}
{choices}
{trouble}{answer}`

// placeholders are the names that a template can use.
var placeholders = []string{"direction", "task", "progress", "wanted", "from", "choices", "trouble", "answer", "item", "for", "number"}

// CheckTemplate returns an error with code "plan.template" for a template with an
// unknown placeholder, or without {choices}. An empty template means the default.
func CheckTemplate(template string) error {
	return prompt.Check("plan.template", template, placeholders, "choices")
}

// prompt returns the prompt of an offer.
func (p *planner) prompt(now space.Config, e OfferEvent) string {
	text := prompt.Expand(p.settings.Template, func(name string) string {
		switch name {
		case "direction":
			if p.space.Backwards() {
				return "We are making a plan, from its last step backwards,"
			}
			return "We are making a plan, step by step,"
		case "task":
			if p.settings.Task == "" {
				return "make a valid plan"
			}
			return p.settings.Task
		case "progress":
			return p.progress(now)
		case "wanted":
			return p.wanted(e)
		case "from":
			return p.from(e)
		case "choices":
			return choiceList(e)
		case "trouble":
			if len(p.trouble) == 0 {
				return ""
			}
			return "Keep in mind: " + strings.Join(p.trouble, "; ") + ".\n"
		case "answer":
			return p.answerWith(e)
		case "item":
			return e.Item
		case "for":
			return e.For
		default: // "number"
			return fmt.Sprint(len(e.Choices))
		}
	})
	return strings.TrimSpace(text)
}

// progress lists the decisions made so far, backwards if the plan is made backwards.
func (p *planner) progress(now space.Config) string {
	decided := p.space.Report(now)
	if len(decided) == 0 {
		return "Nothing is decided yet.\n"
	}
	var b strings.Builder
	b.WriteString("Decided so far:\n")
	for i, text := range decided {
		fmt.Fprintf(&b, "Step %s: %s\n", p.stepName(i), text)
	}
	if !p.space.Asks(now) {
		fmt.Fprintf(&b, "Step %s: ?\n", p.stepName(len(decided)))
	}
	return b.String()
}

func (p *planner) stepName(i int) string {
	switch {
	case !p.space.Backwards():
		return fmt.Sprint(i + 1)
	case i == 0:
		return "n"
	default:
		return fmt.Sprintf("(n-%d)", i)
	}
}

func (p *planner) wanted(e OfferEvent) string {
	switch {
	case e.Question:
		return e.Item
	case e.For != "":
		return fmt.Sprintf("The next thing wanted is: %s, for %q.", e.Item, e.For)
	case !p.space.Derives():
		return "What comes next?"
	default:
		return fmt.Sprintf("The result is to be: %s.", e.Item)
	}
}

func (p *planner) from(e OfferEvent) string {
	switch {
	case e.Multiple && e.Question:
		return "Several of these may be taken together, where more than one is right:"
	case e.Multiple:
		return "Any of these may go into it, one or more:"
	case p.space.Derives():
		return "It can come from:"
	default:
		return "The choices are:"
	}
}

func choiceList(e OfferEvent) string {
	var b strings.Builder
	for i, c := range e.Choices {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d: %s", c.N, c.Label)
		if len(c.Pushes) > 0 && c.Symbol != "" {
			b.WriteString(" (needs " + strings.Join(c.Pushes, " and ") + ")")
		}
	}
	return b.String() + "\n"
}

func (p *planner) answerWith(e OfferEvent) string {
	switch {
	case e.Multiple:
		return fmt.Sprintf("Answer with the numbers of all that you want, from 1 to %d, with commas between them, and nothing else.", len(e.Choices))
	case p.settings.Reading == ReadLabel:
		return "Answer with one of the choices, word for word and without its number, and nothing else."
	default:
		return fmt.Sprintf("Answer with one integer from 1 to %d and nothing else.", len(e.Choices))
	}
}
