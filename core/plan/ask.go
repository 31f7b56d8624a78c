package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/choice"
	"github.com/stile-playground/stile/core/plan/prompt"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// OfferEvent is a choice put to the model.
type OfferEvent struct {
	Kind     string           `json:"kind"`  // "plan.offer"
	Offer    int              `json:"offer"` // counts the offers, from 1
	At       int              `json:"at"`    // the number of answers delivered so far: the point at which the run can be forked
	Step     int              `json:"step"`
	Item     string           `json:"item"`     // the item to decide
	Question bool             `json:"question"` // the item is a question of a flowchart
	For      string           `json:"for"`      // the tool or step that takes the item; "" for the plan's result
	Reason   string           `json:"reason"`   // "an image for “Image Super Resolution”"
	Prompt   string           `json:"prompt"`
	Multiple bool             `json:"many"` // several choices may be taken
	Choices  []space.Choice   `json:"choices"`
	Withheld []space.Withheld `json:"withheld"` // moves of the spec that are not offered
	Stack    []string         `json:"stack"`    // top first
	Word     []string         `json:"word"`     // chosen so far, or the end of it
}

// DeltaEvent is a piece of an answer as it streams in.
type DeltaEvent struct {
	Kind    string `json:"kind"` // "plan.delta"
	Offer   int    `json:"offer"`
	Attempt int    `json:"attempt"`
	Text    string `json:"text"`
}

// ReplyEvent is the model's answer and the run's cost so far.
type ReplyEvent struct {
	Kind    string  `json:"kind"` // "plan.reply"
	Offer   int     `json:"offer"`
	Step    int     `json:"step"`
	Attempt int     `json:"attempt"` // from 1
	Text    string  `json:"text"`
	Choice  int     `json:"choice"` // the first one chosen; 0 if the answer cannot be read
	Chosen  []int   `json:"chosen"`
	How     string  `json:"how"` // how it was read: one of the Read constants
	Fault   string  `json:"fault,omitempty"`
	Calls   int     `json:"calls"`
	Tokens  int     `json:"tokens"`
	Money   float64 `json:"money"`
}

// The chooser of a move.
const (
	ByModel     = "model"
	ByPerson    = "person"
	ByForce     = "forced"    // the only move
	ByBeam      = "beam"      // it belongs to the most probable plan of the beam
	ByOtherwise = "otherwise" // the model's answers could not be read
)

// TakeEvent is a move that was made.
type TakeEvent struct {
	Kind   string         `json:"kind"` // "plan.take"
	Step   int            `json:"step"`
	Offer  int            `json:"offer"` // the offer that the move answers; 0 if none was made
	N      int            `json:"n"`
	Label  string         `json:"label"`
	Symbol string         `json:"symbol"`
	By     string         `json:"by"`
	Stack  []string       `json:"stack"`
	Word   []string       `json:"word"`
	Grows  []space.Growth `json:"grows"` // the nodes added to the tree
}

// BackEvent is a return to an earlier choice.
type BackEvent struct {
	Kind    string   `json:"kind"` // "plan.back"
	Word    []string `json:"word"`
	Choices int      `json:"choices"` // still untried
	Why     string   `json:"why"`
	Nodes   int      `json:"nodes"` // the number of remaining nodes of the tree
}

// ask lets the model choose, or applies a person's choice. n is the number of the first
// choice.
func (p *planner) ask(now space.Config, untried choices) (m space.Move, n int, by string, err error) {
	p.offers++
	if err := p.change(); err != nil {
		return m, 0, "", err
	}
	offer, err := p.offer(now, untried)
	if err != nil {
		return m, 0, "", err
	}
	p.env.Emit(offer)
	for _, t := range p.settings.Take {
		if t.Offer != p.offers {
			continue
		}
		m, fault := p.chosen(now, untried, t.Choice)
		if fault != "" {
			return m, 0, "", settingsError(fmt.Sprintf("the choice taken at offer %d cannot be used: %s", t.Offer, fault))
		}
		return m, t.Choice[0], ByPerson, nil
	}
	request := llm.Request{
		Messages: []llm.Message{{Role: "user", Content: offer.Prompt}},
		Choices:  len(untried.Moves), MaxTokens: p.answerTokens(len(untried.Moves)), Temperature: p.settings.Temperature,
	}
	p.constrain(&request, offer)
	fault, last := "", "" // of the last answer
	refused := false      // twice in the same words
	most, attempt := p.settings.Attempts, 1
	for ; attempt <= most; attempt++ {
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
		read := p.readAnswer(reply, offer)
		if read.fault == "" {
			m, read.fault = p.chosen(now, untried, read.chosen)
		}
		cut := p.cutOff(reply, read)
		read.fault = cmp.Or(cut, read.fault)
		e := ReplyEvent{
			Kind: "plan.reply", Offer: p.offers, Step: offer.Step, Attempt: attempt, Text: reply.Text, Chosen: read.chosen, How: read.how, Fault: read.fault,
			Calls: p.plan.Calls, Tokens: p.plan.Usage.Prompt + p.plan.Usage.Completion, Money: p.plan.Money,
		}
		if read.fault != "" {
			e.Chosen = []int{}
		} else {
			e.Choice = read.chosen[0]
		}
		p.env.Emit(e)
		if read.fault == "" {
			return m, read.chosen[0], ByModel, nil
		}
		if cut != "" {
			if p.raise(&request, attempt, reply) {
				most = max(most, attempt+1)
				continue
			}
			fault = cut
			attempt++
			break
		}
		if refused = reply.Text == last && choice.Refuses(last) && !p.env.Earlier(); refused {
			p.env.Revise()
			break
		}
		fault, last = read.fault, reply.Text
		request.Messages = append(llm.BeforeFault(p.env, request.Messages),
			llm.Message{Role: "assistant", Content: reply.Text},
			llm.Message{Role: "user", Content: fmt.Sprintf("The answer is invalid: %s. %s", cmp.Or(read.report, read.fault), p.answerWith(offer))})
		request.Temperature = min(request.Temperature+0.1, llm.MaxTemperature)
	}
	switch p.settings.Otherwise {
	case OtherwiseFirst:
		p.plan.Otherwise++
		return untried.Moves[0], 1, ByOtherwise, nil
	case OtherwisePerson:
		return p.askPerson(now, untried, offer)
	}
	if refused {
		return m, 0, "", source.NewError("plan.refused", fmt.Sprintf("the model refused twice in the same words at step %d: %.200q", offer.Step, last))
	}
	return m, 0, "", source.NewError("plan.unreadable", fmt.Sprintf("the model did not answer with a choice in %s at step %d: %s", numberOfTries(attempt-1), offer.Step, fault))
}

// askPerson asks a person until the answer can be used.
func (p *planner) askPerson(now space.Config, untried choices, offer OfferEvent) (m space.Move, n int, by string, err error) {
	question := process.Question{Prompt: offer.Prompt}
	for _, c := range offer.Choices {
		question.Choices = append(question.Choices, c.Label)
	}
	for {
		text, err := llm.Ask(p.env, question)
		if err != nil {
			return m, 0, "", err
		}
		read := p.readAnswer(llm.Reply{Text: text}, offer)
		if read.fault == "" {
			m, read.fault = p.chosen(now, untried, read.chosen)
		}
		if read.fault == "" {
			return m, read.chosen[0], ByPerson, nil
		}
		question.Prompt = "The answer is invalid: " + read.fault + ".\n\n" + offer.Prompt
	}
}

// answerTokens returns the limit of an answer about n choices. The default leaves room for models that
// write text before the number.
func (p *planner) answerTokens(n int) int { return cmp.Or(p.settings.MaxTokens, 64+4*n) + p.more }

// afford returns an error if the budget is spent.
func (p *planner) afford() error {
	return p.settings.Budget.Afford(p.plan.Calls, p.plan.Usage.Prompt+p.plan.Usage.Completion, p.plan.Money)
}

func (p *planner) count(reply llm.Reply) {
	p.plan.Calls++
	p.plan.Usage.Prompt += reply.Usage.Prompt
	p.plan.Usage.Completion += reply.Usage.Completion
	p.plan.Money += reply.Cost
	p.plan.Seconds += float64(reply.Milliseconds) / 1000
}

// constrain restricts the reply to the choices, if the endpoint supports that.
func (p *planner) constrain(r *llm.Request, offer OfferEvent) {
	if offer.Multiple {
		return
	}
	words := make([]string, len(offer.Choices))
	for i, c := range offer.Choices {
		if words[i] = strconv.Itoa(c.N); p.settings.Reading == ReadLabel {
			words[i] = p.shown(offer, c)
		}
	}
	if p.settings.Reading == ReadLogprobs {
		r.TopLogprobs, r.MaxTokens = 20, 4
		return
	}
	r.Constraint = &llm.Constraint{Choices: words}
}

// chosen returns the move for the chosen numbers, or the reason why it cannot be made.
func (p *planner) chosen(now space.Config, untried choices, numbers []int) (m space.Move, fault string) {
	if len(numbers) == 0 || len(numbers) > 1 && !untried.Multiple {
		return nil, "expected one choice"
	}
	var all space.Items
	for _, n := range numbers {
		if n < 1 || n > len(untried.Moves) {
			return nil, fmt.Sprintf("%d is not between 1 and %d", n, len(untried.Moves))
		}
		items, ok := untried.Moves[n-1].(space.Items)
		switch {
		case !ok && len(numbers) == 1:
			return untried.Moves[n-1], ""
		case !ok:
			fault = cmp.Or(fault, fmt.Sprintf("%d cannot be combined with another choice", n))
		}
		all = append(all, items...)
	}
	if fault != "" {
		return nil, fault
	}
	slices.Sort(all)
	all = slices.Compact(all)
	_, _, err := p.space.Apply(now, all)
	var no space.ChoiceError
	if errors.As(err, &no) {
		return nil, no.Reason
	}
	return all, ""
}

// offer describes a choice.
func (p *planner) offer(now space.Config, untried choices) (OfferEvent, error) {
	item, purpose := p.space.Item(now)
	e := OfferEvent{
		Kind: "plan.offer", Offer: p.offers, At: p.env.Delivered(), Step: p.stepOf(now), Item: item, Question: p.space.Asks(now), For: purpose,
		Multiple: untried.Multiple, Withheld: []space.Withheld{},
		Stack: p.space.StackNames(now), Word: p.wordNames(now),
	}
	withhold := func(m space.Move, why, reason string) {
		c := p.space.Choice(now, m)
		e.Withheld = append(e.Withheld, space.Withheld{Symbol: c.Symbol, Label: c.Label, Why: why, Reason: reason})
	}
	for _, m := range untried.Withheld {
		why, reason, err := p.space.Refusal(now, m)
		if err != nil {
			return e, err
		}
		withhold(m, why, reason)
	}
	for _, m := range untried.tried {
		withhold(m, space.WithheldFailed, "it was tried and failed")
	}
	switch {
	case e.Question || !p.space.Derives():
		e.Reason = item
	case purpose != "":
		e.Reason = prompt.Article(item) + " for “" + purpose + "”"
	default:
		e.Reason = prompt.Article(item) + " as the result"
	}
	for i, m := range untried.Moves {
		c := p.space.Choice(now, m)
		c.N = i + 1
		e.Choices = append(e.Choices, c)
	}
	e.Prompt = p.prompt(now, e)
	return e, nil
}
