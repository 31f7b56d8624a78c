package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
)

// OfferEvent is a choice put to the model.
type OfferEvent struct {
	Kind    string   `json:"kind"` // "plan.offer"
	Step    int      `json:"step"`
	Item    string   `json:"item"` // what is wanted
	For     string   `json:"for"`  // the tool that takes it; "" for the plan's result
	Prompt  string   `json:"prompt"`
	Choices []Choice `json:"choices"`
	Stack   []string `json:"stack"` // top first
	Word    []string `json:"word"`  // chosen so far, or the end of it
}

// Choice is one of the numbered choices.
type Choice struct {
	N      int      `json:"n"`
	Symbol string   `json:"symbol"` // the terminal it begins with, or ""
	Label  string   `json:"label"`
	Pushes []string `json:"pushes"` // what it then needs
}

// ReplyEvent is what the model answered.
type ReplyEvent struct {
	Kind    string `json:"kind"` // "plan.reply"
	Step    int    `json:"step"`
	Attempt int    `json:"attempt"` // from 1
	Text    string `json:"text"`
	Choice  int    `json:"choice"` // 0 where it could not be read
	Fault   string `json:"fault,omitempty"`
}

// TakeEvent is a move that was made.
type TakeEvent struct {
	Kind   string   `json:"kind"` // "plan.take"
	Step   int      `json:"step"`
	N      int      `json:"n"`
	Label  string   `json:"label"`
	Symbol string   `json:"symbol"`
	Forced bool     `json:"forced"` // there was nothing to choose
	Stack  []string `json:"stack"`
	Word   []string `json:"word"`
}

// BackEvent is a return to an earlier choice.
type BackEvent struct {
	Kind    string   `json:"kind"` // "plan.back"
	Word    []string `json:"word"`
	Choices int      `json:"choices"` // left to try there
}

// ask lets the model choose and returns the index of its choice.
func (p *planner) ask(now state, moves []move) (int, error) {
	offer := p.offer(now, moves)
	p.env.Emit(offer)
	request := llm.Request{
		Messages: []llm.Message{{Role: "user", Content: offer.Prompt}},
		Choices:  len(moves), MaxTokens: answerTokens,
	}
	for attempt := 1; attempt <= p.settings.Attempts; attempt++ {
		reply, err := p.model.Generate(p.env, request, func(string) bool { return true })
		if err != nil {
			return 0, err
		}
		p.plan.Calls++
		p.plan.Usage.Prompt += reply.Usage.Prompt
		p.plan.Usage.Completion += reply.Usage.Completion
		n, fault := ReadChoice(reply.Text, len(moves))
		p.env.Emit(ReplyEvent{Kind: "plan.reply", Step: offer.Step, Attempt: attempt, Text: reply.Text, Choice: n, Fault: fault})
		if fault == "" {
			return n - 1, nil
		}
		request.Messages = append(request.Messages,
			llm.Message{Role: "assistant", Content: reply.Text},
			llm.Message{Role: "user", Content: fmt.Sprintf("That cannot be used: %s. Answer with one integer from 1 to %d and nothing else.", fault, len(moves))})
		request.Temperature += 0.1
	}
	return 0, source.NewError("plan.unreadable", fmt.Sprintf("the model did not answer with a choice in %d tries at step %d", p.settings.Attempts, offer.Step))
}

// answerTokens is more than a number needs, for models that talk first.
const answerTokens = 64

// ReadChoice finds the number from 1 to n that an answer names. It is strict
// where guessing could be wrong: an answer with two different numbers, or a
// number that is not whole, names none, and fault says why.
func ReadChoice(answer string, n int) (choice int, fault string) {
	found := map[string]bool{}
	first := ""
	for i := 0; i < len(answer); {
		if !digit(answer[i]) {
			i++
			continue
		}
		start := i
		for i < len(answer) && (digit(answer[i]) || (answer[i] == '.' || answer[i] == ',') && i+1 < len(answer) && digit(answer[i+1])) {
			i++
		}
		if start > 0 && answer[start-1] == '-' && (start == 1 || !alphanumeric(answer[start-2])) {
			start--
		}
		number := answer[start:i]
		if !found[number] {
			found[number] = true
			if first == "" {
				first = number
			}
		}
	}
	switch {
	case len(found) == 0:
		return 0, "there is no number in it"
	case len(found) > 1:
		return 0, "there is more than one number in it"
	}
	value, err := strconv.Atoi(first)
	switch {
	case err != nil && strings.ContainsAny(first, ".,"):
		return 0, first + " is not a whole number"
	case err != nil || value < 1 || value > n:
		return 0, fmt.Sprintf("%s is not between 1 and %d", first, n)
	}
	return value, ""
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func alphanumeric(c byte) bool {
	return digit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// offer describes a choice.
func (p *planner) offer(now state, moves []move) OfferEvent {
	e := OfferEvent{
		Kind: "plan.offer", Step: now.derivation.len() + 1, Item: p.g.Label(now.stack.symbol),
		Stack: p.stackNames(now.stack), Word: p.wordNames(now),
	}
	if now.stack.tool >= 0 {
		e.For = p.g.Label(now.stack.tool)
	}
	for i, m := range moves {
		e.Choices = append(e.Choices, p.choice(m, i+1))
	}
	e.Prompt = p.prompt(now, e)
	return e
}

func (p *planner) choice(m move, n int) Choice {
	production := p.g.Productions[m.production]
	c := Choice{N: n, Label: production.Label, Pushes: []string{}}
	right := production.Right
	if head := p.head(m); head >= 0 {
		c.Symbol = p.g.Names[head]
		if c.Label == "" {
			c.Label = p.g.Label(head)
		}
		right = right[1:]
	}
	for _, s := range right {
		c.Pushes = append(c.Pushes, p.g.Label(s))
	}
	if c.Label == "" {
		c.Label = strings.Join(c.Pushes, ", then ")
	}
	if c.Label == "" {
		c.Label = "nothing"
	}
	return c
}

// prompt writes what the model reads: the task, the progress so far in backward
// order, what is wanted and for which step, and the numbered choices, in the
// structure of Formal-LLM's appendix A.3.
func (p *planner) prompt(now state, e OfferEvent) string {
	var b strings.Builder
	task := p.settings.Task
	if task == "" {
		task = "make a valid plan"
	}
	fmt.Fprintf(&b, "We are making a plan, from its last step backwards, for this task: %s\n\n", task)
	word := now.word.all()
	if len(word) == 0 {
		b.WriteString("Nothing is decided yet.\n")
	} else {
		b.WriteString("Decided so far:\n")
		for i, t := range word {
			fmt.Fprintf(&b, "Step %s: %s\n", stepName(i), p.g.Label(t))
		}
		fmt.Fprintf(&b, "Step %s: ?\n", stepName(len(word)))
	}
	if e.For == "" {
		fmt.Fprintf(&b, "\nThe result is to be: %s. It can come from:\n", e.Item)
	} else {
		fmt.Fprintf(&b, "\nThe next thing wanted is: %s, which %q takes. It can come from:\n", e.Item, e.For)
	}
	for _, c := range e.Choices {
		fmt.Fprintf(&b, "%d: %s", c.N, c.Label)
		if len(c.Pushes) > 0 && c.Symbol != "" {
			b.WriteString(" (needs " + strings.Join(c.Pushes, " and ") + ")")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nAnswer with one integer from 1 to %d and nothing else.", len(e.Choices))
	return b.String()
}

func stepName(back int) string {
	if back == 0 {
		return "n"
	}
	return fmt.Sprintf("(n-%d)", back)
}

func (p *planner) taken(before, after state, m move, n int, forced bool) TakeEvent {
	c := p.choice(m, n+1)
	return TakeEvent{
		Kind: "plan.take", Step: before.derivation.len() + 1, N: c.N, Label: c.Label, Symbol: c.Symbol, Forced: forced,
		Stack: p.stackNames(after.stack), Word: p.wordNames(after),
	}
}

// maxStackShown bounds the stack in an event.
const maxStackShown = 50

func (p *planner) stackNames(f *frame) []string {
	out := []string{}
	for ; f != nil && len(out) < maxStackShown; f = f.next {
		out = append(out, p.g.Names[f.symbol])
	}
	return out
}
