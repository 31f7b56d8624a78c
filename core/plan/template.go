package plan

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// DefaultTemplate is the prompt of a choice, in the structure of Formal-LLM's
// appendix A.3: the task, the progress in backward order, what is wanted and for
// which step, the numbered choices, and how to answer. A person may write another.
const DefaultTemplate = `{direction} for this task: {task}

{progress}
{wanted} {from}
{choices}
{trouble}{answer}`

// placeholders are what a template may name.
var placeholders = []string{"direction", "task", "progress", "wanted", "from", "choices", "trouble", "answer", "item", "for", "number"}

// CheckTemplate returns an error with code "plan.template" and the place of a
// placeholder that there is not. An empty template stands for the default.
func CheckTemplate(template string) error {
	var fault error
	expand(template, func(name string, at int) string {
		for _, known := range placeholders {
			if name == known {
				return ""
			}
		}
		if fault == nil {
			line := 1 + strings.Count(template[:at], "\n")
			message := fmt.Sprintf("line %d of the prompt names {%s}, which there is not", line, name)
			if near := source.Nearest(name, placeholders); near != "" {
				message += fmt.Sprintf("; did you mean {%s}?", near)
			}
			fault = source.NewError("plan.template", message+" (there is {"+strings.Join(placeholders, "}, {")+"})")
		}
		return ""
	})
	if fault == nil && template != "" && !strings.Contains(template, "{choices}") {
		fault = source.NewError("plan.template", "the prompt does not show the {choices}, so that nobody could choose")
	}
	return fault
}

// Expand puts values in the place of {names}, as templates of prompts have them; braces
// around anything else stay.
func Expand(template string, value func(name string) string) string {
	return expand(template, func(name string, _ int) string { return value(name) })
}

// expand puts values in the place of {names}; braces around anything else stay.
func expand(template string, value func(name string, at int) string) string {
	var b strings.Builder
	for at := 0; at < len(template); {
		open := strings.IndexByte(template[at:], '{')
		if open < 0 {
			b.WriteString(template[at:])
			break
		}
		open += at
		end := open + 1
		for end < len(template) && template[end] >= 'a' && template[end] <= 'z' {
			end++
		}
		b.WriteString(template[at:open])
		if end == open+1 || end == len(template) || template[end] != '}' {
			b.WriteString(template[open:end])
			at = end
			continue
		}
		b.WriteString(value(template[open+1:end], open))
		at = end + 1
	}
	return b.String()
}

// prompt writes what the model reads.
func (p *planner) prompt(now config, e OfferEvent) string {
	text := expand(p.settings.Template, func(name string, _ int) string {
		switch name {
		case "direction":
			if p.space.backwards() {
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

// progress lists what is decided, backwards where the plan is made backwards.
func (p *planner) progress(now config) string {
	decided := p.space.report(now)
	if len(decided) == 0 {
		return "Nothing is decided yet.\n"
	}
	var b strings.Builder
	b.WriteString("Decided so far:\n")
	for i, text := range decided {
		fmt.Fprintf(&b, "Step %s: %s\n", p.stepName(i), text)
	}
	if !p.space.asks(now) {
		fmt.Fprintf(&b, "Step %s: ?\n", p.stepName(len(decided)))
	}
	return b.String()
}

func (p *planner) stepName(i int) string {
	switch {
	case !p.space.backwards():
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
	case !p.space.derives():
		return "What comes next?"
	default:
		return fmt.Sprintf("The result is to be: %s.", e.Item)
	}
}

func (p *planner) from(e OfferEvent) string {
	switch {
	case e.Many && e.Question:
		return "Several of these may be taken together, where more than one is right:"
	case e.Many:
		return "Any of these may go into it, one or more:"
	case p.space.derives():
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
	case e.Many:
		return fmt.Sprintf("Answer with the numbers of all that you want, from 1 to %d, with commas between them, and nothing else.", len(e.Choices))
	case p.settings.Reading == ReadLabel:
		return "Answer with one of the choices, word for word and without its number, and nothing else."
	default:
		return fmt.Sprintf("Answer with one integer from 1 to %d and nothing else.", len(e.Choices))
	}
}
