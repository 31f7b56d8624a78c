package plan

import (
	"cmp"
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

// PaperTemplate is the prompt of a choice as in Formal-LLM's appendix A.3: it names the modality of
// the wanted result, distinguishes the inputs of a tool with equal types, asks for the step before
// the last one of a plan that is made backwards, and shows neither numbers of steps, which a plan
// made backwards does not have yet, nor the consequences of a flowchart's answers.
const PaperTemplate = `{direction} for this task: {task}

{decided}
{needed}
{options}
{trouble}{answer}`

// placeholders are the names that a template can use.
var placeholders = []string{"direction", "task", "progress", "wanted", "from", "choices", "trouble", "answer", "item", "for", "number", "decided", "needed", "options"}

// CheckTemplate returns an error with code "plan.template" for a template with an
// unknown placeholder, or without {choices}. An empty template means the default.
func CheckTemplate(template string) error {
	needed := "choices"
	if strings.Contains(template, "{options}") {
		needed = "options"
	}
	return prompt.Check("plan.template", template, placeholders, needed)
}

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
		case "decided":
			return p.decided(now)
		case "needed":
			return p.needed(now, e)
		case "options":
			return p.options(e)
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
		return "No step is decided yet.\n"
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
		return fmt.Sprintf("Next, decide: %s, for %q.", e.Item, e.For)
	case !p.space.Derives():
		return "Which step comes next?"
	default:
		return fmt.Sprintf("The result must be: %s.", e.Item)
	}
}

func (p *planner) from(e OfferEvent) string {
	switch {
	case e.Multiple && e.Question:
		return "Choose one or more of these:"
	case e.Multiple:
		return "It can contain one or more of these:"
	case p.space.Derives():
		return "It can come from:"
	default:
		return "The choices are:"
	}
}

// decided lists the decisions so far without numbers.
func (p *planner) decided(now space.Config) string {
	list := p.space.Report(now)
	switch {
	case len(list) == 0:
		return "No step is decided yet.\n"
	case p.space.Backwards():
		return "Decided so far, from the last step backwards:\n- " + strings.Join(list, "\n- ") + "\n"
	}
	return "Decided so far:\n- " + strings.Join(list, "\n- ") + "\n"
}

// needed asks for the item to decide, with its modality and its place among the inputs of a tool.
func (p *planner) needed(now space.Config, e OfferEvent) string {
	switch {
	case e.Question:
		return e.Item + "\n" + strings.TrimSuffix(p.from(e), ":") + ":"
	case !p.space.Derives() && p.space.Backwards():
		if list := p.space.Report(now); len(list) > 0 {
			return fmt.Sprintf("Which step comes directly before %q? The choices are:", list[len(list)-1])
		}
		return "Which step comes last? The choices are:"
	case !p.space.Derives():
		return "Which step comes next? The choices are:"
	case e.Multiple:
		return fmt.Sprintf("To get the %s, any of these may be used, one or more:", e.Item)
	case e.For != "":
		return fmt.Sprintf("To get the %s of %q, we have these choices:", p.input(now, e), e.For)
	}
	return fmt.Sprintf("To get the final %s, we have these choices:", p.result(e))
}

// result names the modality of the result: that of the goal, or else the type that all offered
// tools give, or else the item.
func (p *planner) result(e OfferEvent) string {
	if goal := p.settings.Goal; goal != nil && goal.Type != "" {
		return goal.Type
	}
	if p.tools == nil {
		return e.Item
	}
	gives := ""
	for _, c := range e.Choices {
		if given, ok := p.tools.Gives(c.Symbol); !ok || gives != "" && given != gives {
			return e.Item
		} else {
			gives = given
		}
	}
	return cmp.Or(gives, e.Item)
}

// input names an input of a tool: "input image", or "first input text" where the tool has another
// input of its type.
func (p *planner) input(now space.Config, e OfferEvent) string {
	if p.tools == nil {
		return "input " + e.Item
	}
	// The word is in prefix order: each tool is followed by its inputs.
	type call struct {
		takes []string
		given int
	}
	var open []call
	for _, symbol := range space.Names(p.space.Grammar(), now.Word()) {
		takes, _ := p.tools.Takes(symbol)
		open = append(open, call{takes: takes})
		for len(open) > 0 && open[len(open)-1].given == len(open[len(open)-1].takes) {
			if open = open[:len(open)-1]; len(open) > 0 {
				open[len(open)-1].given++
			}
		}
	}
	if len(open) == 0 {
		return "input " + e.Item
	}
	last := open[len(open)-1]
	same, at := 0, 0
	for i, t := range last.takes {
		if t == last.takes[last.given] {
			if same++; i < last.given {
				at++
			}
		}
	}
	if ordinals := []string{"first", "second", "third", "fourth"}; same > 1 && at < len(ordinals) {
		return ordinals[at] + " input " + e.Item
	}
	return "input " + e.Item
}

// shown returns the label of a choice in a prompt. If the template has {options} and the settings
// do not show consequences, it omits the consequence of an answer to a question: a model that is
// shown which finding ends the run may avoid it.
func (p *planner) shown(e OfferEvent, c space.Choice) string {
	if !e.Question || p.settings.Consequences || !strings.Contains(p.settings.Template, "{options}") {
		return c.Label
	}
	answer, _, _ := strings.Cut(c.Label, ": ")
	return answer
}

// options lists the choices: the outputs of tools in a derivation, and the answers to a question.
func (p *planner) options(e OfferEvent) string {
	var b strings.Builder
	for _, c := range e.Choices {
		label := p.shown(e, c)
		if p.space.Derives() && p.settings.Reading != ReadLabel && len(c.Pushes) > 0 && c.Symbol != "" {
			label = "the output of " + label
		}
		fmt.Fprintf(&b, "%d: %s\n", c.N, label)
	}
	return b.String()
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
		return fmt.Sprintf("Answer only with the numbers of your choices, from 1 to %d, separated by commas.", len(e.Choices))
	case p.settings.Reading == ReadLabel:
		return "Answer only with the exact text of one choice, without its number."
	default:
		return fmt.Sprintf("Answer only with one integer from 1 to %d.", len(e.Choices))
	}
}
