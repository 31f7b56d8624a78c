package plan

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// OfferEvent is a choice put to the model.
type OfferEvent struct {
	Kind     string     `json:"kind"`  // "plan.offer"
	Offer    int        `json:"offer"` // counts the offers, from 1
	At       int        `json:"at"`    // the answers given so far: where the run can be forked to choose otherwise
	Step     int        `json:"step"`
	Item     string     `json:"item"`     // what is wanted
	Question bool       `json:"question"` // the item is a question, of a flowchart
	For      string     `json:"for"`      // the tool or the step that takes it; "" for the plan's result
	Reason   string     `json:"reason"`   // "an image for “Image Super Resolution”"
	Prompt   string     `json:"prompt"`
	Many     bool       `json:"many"` // several choices may be taken
	Choices  []Choice   `json:"choices"`
	Withheld []Withheld `json:"withheld"` // what the spec has there, but is not offered
	Stack    []string   `json:"stack"`    // top first
	Word     []string   `json:"word"`     // chosen so far, or the end of it
}

// Choice is one of the numbered choices.
type Choice struct {
	N      int      `json:"n"`
	Symbol string   `json:"symbol"` // the terminal it begins with, or ""
	Label  string   `json:"label"`
	Pushes []string `json:"pushes"` // what it then needs
}

// Why a move is withheld.
const (
	WithheldLimit     = "limit"     // a use limit is used up
	WithheldLookahead = "lookahead" // the plan could not be finished within the limits
	WithheldProperty  = "property"  // a property would not be satisfied
	WithheldFailed    = "failed"    // it was tried
)

// Withheld is a move that is not offered.
type Withheld struct {
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
	Why    string `json:"why"`    // one of the Withheld constants
	Reason string `json:"reason"` // what a person reads
}

// DeltaEvent is a piece of an answer as it streams in.
type DeltaEvent struct {
	Kind    string `json:"kind"` // "plan.delta"
	Offer   int    `json:"offer"`
	Attempt int    `json:"attempt"`
	Text    string `json:"text"`
}

// ReplyEvent is what the model answered, and what the run has spent by then.
type ReplyEvent struct {
	Kind    string  `json:"kind"` // "plan.reply"
	Offer   int     `json:"offer"`
	Step    int     `json:"step"`
	Attempt int     `json:"attempt"` // from 1
	Text    string  `json:"text"`
	Choice  int     `json:"choice"` // the first chosen; 0 where it could not be read
	Chosen  []int   `json:"chosen"`
	How     string  `json:"how"` // it was read: one of the Read constants
	Fault   string  `json:"fault,omitempty"`
	Calls   int     `json:"calls"`
	Tokens  int     `json:"tokens"`
	Money   float64 `json:"money"`
}

// Who took a move.
const (
	ByModel     = "model"
	ByPerson    = "person"
	ByForce     = "forced"    // there was nothing to choose
	ByOtherwise = "otherwise" // the model's answers could not be read
)

// TakeEvent is a move that was made.
type TakeEvent struct {
	Kind   string   `json:"kind"` // "plan.take"
	Step   int      `json:"step"`
	Offer  int      `json:"offer"` // that it answers; 0 where there was none
	N      int      `json:"n"`
	Label  string   `json:"label"`
	Symbol string   `json:"symbol"`
	By     string   `json:"by"`
	Stack  []string `json:"stack"`
	Word   []string `json:"word"`
	Grows  []Growth `json:"grows"` // how the tree grows
}

// Growth is a node of the tree that gets children. The root is node 0.
type Growth struct {
	Node     int    `json:"node"`
	Label    string `json:"label,omitempty"` // of the production, where it has one
	Children []Leaf `json:"children"`
}

// Leaf is a new node.
type Leaf struct {
	ID       int    `json:"id"`
	Symbol   string `json:"symbol"`
	Label    string `json:"label"`
	Terminal bool   `json:"terminal"`
}

// BackEvent is a return to an earlier choice.
type BackEvent struct {
	Kind    string   `json:"kind"` // "plan.back"
	Word    []string `json:"word"`
	Choices int      `json:"choices"` // left to try there
	Why     string   `json:"why"`
	Nodes   int      `json:"nodes"` // how many nodes of the tree are left
}

// ask lets the model choose, or takes what a person has chosen. n is the number of
// the first choice.
func (p *planner) ask(now config, seen look) (m move, n int, by string, err error) {
	p.offers++
	if err := p.change(); err != nil {
		return m, 0, "", err
	}
	offer, err := p.offer(now, seen)
	if err != nil {
		return m, 0, "", err
	}
	p.env.Emit(offer)
	for _, t := range p.settings.Take {
		if t.Offer != p.offers {
			continue
		}
		m, fault := p.chosen(now, seen, t.Choice)
		if fault != "" {
			return m, 0, "", settingsError(fmt.Sprintf("the choice taken at offer %d cannot be used: %s", t.Offer, fault))
		}
		return m, t.Choice[0], ByPerson, nil
	}
	request := llm.Request{
		Messages: []llm.Message{{Role: "user", Content: offer.Prompt}},
		Choices:  len(seen.moves), MaxTokens: answerTokens + 4*len(seen.moves),
	}
	p.constrain(&request, offer)
	for attempt := 1; attempt <= p.settings.Attempts; attempt++ {
		if err := p.afford(); err != nil {
			return m, 0, "", err
		}
		reply, err := p.model.Generate(p.env, request, func(delta string) bool {
			p.env.Emit(DeltaEvent{Kind: "plan.delta", Offer: p.offers, Attempt: attempt, Text: delta})
			return true
		})
		p.count(reply)
		if err != nil {
			return m, 0, "", err
		}
		chosen, how, fault := p.readAnswer(reply, offer)
		if fault == "" {
			m, fault = p.chosen(now, seen, chosen)
		}
		e := ReplyEvent{
			Kind: "plan.reply", Offer: p.offers, Step: offer.Step, Attempt: attempt, Text: reply.Text, Chosen: chosen, How: how, Fault: fault,
			Calls: p.plan.Calls, Tokens: p.plan.Usage.Prompt + p.plan.Usage.Completion, Money: p.plan.Money,
		}
		if fault != "" {
			e.Chosen = []int{}
		} else {
			e.Choice = chosen[0]
		}
		p.env.Emit(e)
		if fault == "" {
			return m, chosen[0], ByModel, nil
		}
		request.Messages = append(request.Messages,
			llm.Message{Role: "assistant", Content: reply.Text},
			llm.Message{Role: "user", Content: fmt.Sprintf("That cannot be used: %s. %s", fault, p.answerWith(offer))})
		request.Temperature += 0.1
	}
	switch p.settings.Otherwise {
	case OtherwiseFirst:
		return seen.moves[0], 1, ByOtherwise, nil
	case OtherwisePerson:
		return p.askPerson(now, seen, offer)
	}
	return m, 0, "", source.NewError("plan.unreadable", fmt.Sprintf("the model did not answer with a choice in %d tries at step %d", p.settings.Attempts, offer.Step))
}

// askPerson puts a choice to a person until the answer can be used.
func (p *planner) askPerson(now config, seen look, offer OfferEvent) (m move, n int, by string, err error) {
	question := process.Question{Prompt: offer.Prompt}
	for _, c := range offer.Choices {
		question.Choices = append(question.Choices, c.Label)
	}
	for {
		text, err := llm.Ask(p.env, question)
		if err != nil {
			return m, 0, "", err
		}
		chosen, _, fault := p.readAnswer(llm.Reply{Text: text}, offer)
		if fault == "" {
			m, fault = p.chosen(now, seen, chosen)
		}
		if fault == "" {
			return m, chosen[0], ByPerson, nil
		}
		question.Prompt = "That cannot be used: " + fault + ".\n\n" + offer.Prompt
	}
}

// answerTokens is more than a number needs, for models that talk first.
const answerTokens = 64

// afford reports an error where the budget is used up.
func (p *planner) afford() error {
	return p.settings.Budget.Afford(p.plan.Calls, p.plan.Usage.Prompt+p.plan.Usage.Completion, p.plan.Money)
}

// Afford returns an error with code "limit.calls", "limit.tokens" or "limit.money" where
// what is spent uses the budget up.
func (b Budget) Afford(calls, tokens int, money float64) error {
	switch {
	case b.Calls > 0 && calls >= b.Calls:
		return source.NewError("limit.calls", fmt.Sprintf("the budget of %d calls is used up", b.Calls))
	case b.Tokens > 0 && tokens >= b.Tokens:
		return source.NewError("limit.tokens", fmt.Sprintf("the budget of %d tokens is used up", b.Tokens))
	case b.Money > 0 && money >= b.Money:
		return source.NewError("limit.money", fmt.Sprintf("the budget of $%.2f is used up", b.Money))
	}
	return nil
}

func (p *planner) count(reply llm.Reply) {
	p.plan.Calls++
	p.plan.Usage.Prompt += reply.Usage.Prompt
	p.plan.Usage.Completion += reply.Usage.Completion
	p.plan.Money += reply.Cost
	p.plan.Seconds += float64(reply.Milliseconds) / 1000
}

// constrain asks the endpoint to allow nothing but the choices, where it can.
func (p *planner) constrain(r *llm.Request, offer OfferEvent) {
	if offer.Many {
		return
	}
	words := make([]string, len(offer.Choices))
	for i, c := range offer.Choices {
		if words[i] = strconv.Itoa(c.N); p.settings.Reading == ReadLabel {
			words[i] = c.Label
		}
	}
	if p.settings.Reading == ReadLogprobs {
		r.TopLogprobs, r.MaxTokens = 20, 4
		return
	}
	r.Constraint = &llm.Constraint{Choices: words}
}

// readAnswer finds which choices an answer names.
func (p *planner) readAnswer(reply llm.Reply, offer OfferEvent) (chosen []int, how, fault string) {
	if offer.Many {
		chosen, fault = ReadChoices(reply.Text, len(offer.Choices))
		return chosen, ReadInteger, fault
	}
	switch p.settings.Reading {
	case ReadLogprobs:
		if n := likeliest(reply.Logprobs, len(offer.Choices)); n > 0 {
			return []int{n}, ReadLogprobs, ""
		}
	case ReadLabel:
		n, fault := ReadChoiceLabel(reply.Text, offer.Choices)
		if fault == "" {
			return []int{n}, ReadLabel, ""
		}
		if m, no := ReadChoice(reply.Text, len(offer.Choices)); no == "" {
			return []int{m}, ReadInteger, ""
		}
		return nil, ReadLabel, fault
	}
	n, fault := ReadChoice(reply.Text, len(offer.Choices))
	return []int{n}, ReadInteger, fault
}

// chosen returns the move of the choices taken, or why it cannot be made.
func (p *planner) chosen(now config, seen look, numbers []int) (m move, fault string) {
	if len(numbers) == 0 || len(numbers) > 1 && !seen.many {
		return m, "one choice is to be taken"
	}
	for _, n := range numbers {
		if n < 1 || n > len(seen.moves) {
			return m, fmt.Sprintf("%d is not between 1 and %d", n, len(seen.moves))
		}
	}
	m = seen.moves[numbers[0]-1]
	if m.items == nil && len(numbers) == 1 {
		return m, ""
	}
	m.items = nil
	for _, n := range numbers {
		one := seen.moves[n-1]
		if one.items == nil {
			return m, fmt.Sprintf("%d goes with no other", n)
		}
		m.items = append(m.items, one.items[0])
	}
	slices.Sort(m.items)
	m.items = slices.Compact(m.items)
	_, _, err := p.space.apply(now, m)
	var no errChoice
	if errors.As(err, &no) {
		return m, no.why
	}
	return m, ""
}

// offer describes a choice.
func (p *planner) offer(now config, seen look) (OfferEvent, error) {
	item, purpose := p.space.item(now)
	e := OfferEvent{
		Kind: "plan.offer", Offer: p.offers, At: p.env.Delivered(), Step: p.stepOf(now), Item: item, Question: p.space.asks(now), For: purpose,
		Many: seen.many, Withheld: []Withheld{},
		Stack: p.space.stackNames(now), Word: p.wordNames(now),
	}
	withhold := func(m move, why, reason string) {
		c := p.space.choice(now, m)
		e.Withheld = append(e.Withheld, Withheld{Symbol: c.Symbol, Label: c.Label, Why: why, Reason: reason})
	}
	for _, m := range seen.withheld {
		why, reason, err := p.space.refusal(now, m)
		if err != nil {
			return e, err
		}
		withhold(m, why, reason)
	}
	for _, m := range seen.tried {
		withhold(m, WithheldFailed, "it was tried and led nowhere")
	}
	switch {
	case e.Question || !p.space.derives():
		e.Reason = item
	case purpose != "":
		e.Reason = article(item) + " for “" + purpose + "”"
	default:
		e.Reason = article(item) + " as the result"
	}
	for i, m := range seen.moves {
		c := p.space.choice(now, m)
		c.N = i + 1
		e.Choices = append(e.Choices, c)
	}
	e.Prompt = p.prompt(now, e)
	return e, nil
}

// article puts "a" or "an" before a name that has neither article nor number.
func article(name string) string {
	for _, has := range []string{"a ", "an ", "the ", "some ", "any "} {
		if strings.HasPrefix(strings.ToLower(name), has) {
			return name
		}
	}
	if name == "" || !letter(name[0]) || len(name) == 1 {
		return name
	}
	if strings.IndexByte("aeiouAEIOU", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
