package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
)

// MaxBeam is the maximum width of a beam. A round asks the model once for each kept prefix.
const MaxBeam = 16

// The sources of the probabilities in a beam.
const (
	ScoreLogprobs = "logprobs" // the log-probabilities of the choices' numbers
	ScoreGrades   = "grades"   // grades from 0 to 10, which the model writes; their sum is probability 1
)

// ScoreEvent is the scoring of the choices that extend a prefix.
type ScoreEvent struct {
	Kind    string   `json:"kind"`  // "plan.score"
	Round   int      `json:"round"` // from 1
	Prefix  int      `json:"prefix"`
	Reason  string   `json:"reason"` // the item to decide, as in [OfferEvent]
	Prompt  string   `json:"prompt"`
	Attempt int      `json:"attempt"` // from 1
	Text    string   `json:"text"`
	How     string   `json:"how"` // one of the Score constants
	Fault   string   `json:"fault,omitempty"`
	Choices []Scored `json:"choices"`
	Calls   int      `json:"calls"`
	Tokens  int      `json:"tokens"`
	Money   float64  `json:"money"`
}

// Scored is a choice with its probability among the valid choices.
type Scored struct {
	N           int     `json:"n"`
	Label       string  `json:"label"`
	Probability float64 `json:"probability"` // to four decimals; 0 if it was not reported
}

// BeamEvent is the end of a round of a beam search.
type BeamEvent struct {
	Kind    string       `json:"kind"` // "plan.beam"
	Round   int          `json:"round"`
	Kept    []BeamPrefix `json:"kept"`    // the best first
	Dropped []BeamPrefix `json:"dropped"` // the best first; at most maxDropped
	Omitted int          `json:"omitted"` // further dropped prefixes
}

// maxDropped bounds the dropped prefixes in a [BeamEvent].
const maxDropped = 32

// BeamPrefix is the beginning of a plan. The empty prefix has the number 0 and no event.
type BeamPrefix struct {
	Prefix int      `json:"prefix"`
	Parent int      `json:"parent"` // the prefix that it extends; itself if it was complete before this round
	Label  string   `json:"label"`  // of the last decision
	Word   []string `json:"word"`   // the last letters
	Score  float64  `json:"score"`  // logarithm of the product of its choices' probabilities, to four decimals
	Done   bool     `json:"done"`   // it is a complete plan
}

// prefix is a node of the search tree.
type prefix struct {
	id, parent int
	before     *prefix
	config     space.Config
	label      string
	score      float64
	done       bool
	untried    choices    // the next decision, unless done
	made       []beamMove // the decision that led here, and the forced moves after it
}

type beamMove struct {
	from   space.Config
	move   space.Move
	others []space.Move // for backtracking
	take   TakeEvent
}

// checkBeam returns an error for settings of a beam that cannot be run.
func (s Settings) checkBeam() error {
	switch {
	case s.Score != "" && s.Beam == 0:
		return settingsError("score requires a beam; set the width of the beam")
	case s.Beam == 0:
		return nil
	case s.Beam < 0 || s.Beam > MaxBeam:
		return settingsError(fmt.Sprintf("the width of the beam must be from 1 to %d, not %d", MaxBeam, s.Beam))
	case s.Score != "" && s.Score != ScoreLogprobs && s.Score != ScoreGrades:
		return settingsError(fmt.Sprintf("unknown score %q (expected %s or %s)", s.Score, ScoreLogprobs, ScoreGrades))
	case s.Naive:
		return settingsError("a beam requires look-ahead; remove \"naive\"")
	case len(s.Take)+len(s.Changes) > 0:
		return settingsError("a beam does not support changes during the run; remove \"take\" and \"changes\", or \"beam\"")
	case s.Otherwise == OtherwisePerson:
		return settingsError("a beam cannot ask a person; remove \"otherwise\" or \"beam\"")
	case s.Score == ScoreLogprobs && !s.hasLogprobs():
		return settingsError("log-probabilities are not reported by this model; set score to " + ScoreGrades)
	}
	return nil
}

// hasLogprobs reports whether the model can report log-probabilities, as far as the settings show.
func (s Settings) hasLogprobs() bool {
	switch s.Model.Kind {
	case llm.KindEndpoint:
		return s.Model.Endpoint != nil && s.Model.Endpoint.Known().Logprobs
	case llm.KindScripted, llm.KindPerson:
		return false
	}
	return true
}

// score returns the source of the probabilities.
func (s Settings) score() string {
	if s.Score == "" && !s.hasLogprobs() {
		return ScoreGrades
	}
	return cmp.Or(s.Score, ScoreLogprobs)
}

// search finds a plan by a beam search: of all prefixes with equally many decisions it keeps the
// most probable ones, as many as the beam is wide. The probability of a prefix is the product of
// the probabilities of its choices among the valid choices; forced moves have probability 1. So it
// never increases, and a complete plan that is first among the kept prefixes ends the search. Ties
// keep the order of the prefixes, then of the choices. Width 1 makes the most probable choice each
// time.
func (p *planner) search(start space.Config) (space.Config, error) {
	root := &prefix{config: start}
	if alive, err := p.proceed(root); err != nil || !alive {
		return start, cmp.Or(err, errNoPrefix)
	}
	kept, id := []*prefix{root}, 0
	for round := 1; ; round++ {
		if kept[0].done {
			return p.follow(kept[0])
		}
		var all []*prefix
		for _, x := range kept {
			if x.done {
				x.parent = x.id
				all = append(all, x)
				continue
			}
			more, err := p.extend(x, round, &id)
			if err != nil {
				return start, err
			}
			all = append(all, more...)
		}
		if len(all) == 0 {
			return start, errNoPrefix
		}
		slices.SortStableFunc(all, func(a, b *prefix) int { return cmp.Compare(b.score, a.score) })
		kept = all[:min(len(all), p.settings.Beam)]
		e := BeamEvent{Kind: "plan.beam", Round: round, Kept: p.shownPrefixes(kept), Dropped: []BeamPrefix{}}
		dropped := all[len(kept):]
		e.Omitted = max(len(dropped)-maxDropped, 0)
		e.Dropped = p.shownPrefixes(dropped[:len(dropped)-e.Omitted])
		p.env.Emit(e)
	}
}

var errNoPrefix error = source.NewError("plan.none", "no plan is left: every prefix of the beam is a dead end")

func (p *planner) shownPrefixes(list []*prefix) []BeamPrefix {
	out := make([]BeamPrefix, len(list))
	for i, x := range list {
		out[i] = BeamPrefix{Prefix: x.id, Parent: x.parent, Label: x.label, Word: p.wordNames(x.config), Score: fourDecimals(x.score), Done: x.done}
	}
	return out
}

func fourDecimals(x float64) float64 { return math.Round(x*10_000) / 10_000 }

// proceed makes the moves of a prefix that need no decision. It reports whether the prefix can
// still become a plan.
func (p *planner) proceed(x *prefix) (alive bool, err error) {
	for {
		if p.steps++; p.steps > hardStop {
			return false, source.NewError("plan.steps", fmt.Sprintf("no plan was found in %d steps", p.steps-1))
		}
		if err := p.env.Meter().Step(10); err != nil {
			return false, err
		}
		next, status, err := p.space.Step(x.config)
		if err != nil {
			return false, err
		}
		switch status {
		case space.Dead:
			p.plan.DeadEnds++
			return false, nil
		case space.Finished:
			x.done = true
			return true, nil
		case space.Advanced:
			x.config = next
			continue
		}
		if x.untried.Look, err = p.space.Look(x.config); err != nil {
			return false, err
		}
		switch len(x.untried.Moves) {
		case 0:
			p.plan.DeadEnds++
			return false, nil
		case 1:
			if err := p.extendBy(x, x.untried, x.untried.Moves[0], TakeEvent{N: 1, By: ByForce}); err != nil {
				return false, err
			}
		default:
			return true, nil
		}
	}
}

// extendBy makes a move of a prefix without an event; [planner.follow] repeats the moves of the
// best prefix.
func (p *planner) extendBy(x *prefix, untried choices, m space.Move, e TakeEvent) error {
	next, _, err := p.space.Apply(x.config, m)
	if err != nil {
		return err
	}
	step := beamMove{from: x.config, move: m, take: e}
	if _, together := m.(space.Items); !together {
		step.others = append(slices.Delete(slices.Clone(untried.Moves), e.N-1, e.N), untried.Longer...)
	}
	x.made, x.config = append(x.made, step), next
	return nil
}

// extend returns a prefix for each choice of a prefix that the model finds possible. If several
// choices may be made together, the model makes them as in a run without a beam, with probability 1.
func (p *planner) extend(x *prefix, round int, id *int) ([]*prefix, error) {
	var out []*prefix
	child := func(m space.Move, n int, by string, offer int, probability float64) error {
		*id++
		y := &prefix{id: *id, parent: x.id, before: x, config: x.config, score: x.score + logarithm(probability), label: p.space.Choice(x.config, m).Label}
		if err := p.extendBy(y, x.untried, m, TakeEvent{N: n, By: by, Offer: offer}); err != nil {
			return err
		}
		alive, err := p.proceed(y)
		if alive {
			out = append(out, y)
		}
		return err
	}
	if x.untried.Multiple {
		m, n, by, err := p.ask(x.config, x.untried)
		if err == nil {
			err = child(m, n, by, p.offers, 1)
		}
		return out, err
	}
	weights, err := p.weigh(x, round)
	if err != nil {
		return nil, err
	}
	for i, m := range x.untried.Moves {
		if weights[i] > 0 {
			if err := child(m, i+1, ByBeam, 0, weights[i]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// logarithm returns the natural logarithm. Unlike math.Log, math.Log1p has equal results on all
// machines.
func logarithm(x float64) float64 { return math.Log1p(x - 1) }

// weigh asks the model for the probabilities of the choices of a prefix.
func (p *planner) weigh(x *prefix, round int) ([]float64, error) {
	offer, err := p.offer(x.config, x.untried)
	if err != nil {
		return nil, err
	}
	n := len(x.untried.Moves)
	how, instruction := p.settings.score(), p.answerWith(offer)
	request := llm.Request{Choices: n, Scores: n, Temperature: p.settings.Temperature}
	if how == ScoreGrades {
		plain := instruction
		instruction = fmt.Sprintf(`Answer with {"grades": […]}, a list of %d integers from 0 to 10, one for each choice in this order, and nothing else: 10 if the choice leads to the best plan, 0 if it leads to no good plan.`, n)
		offer.Prompt = replaceLast(offer.Prompt, plain, instruction)
		request.MaxTokens = p.answerTokens(n)
		request.Constraint = &llm.Constraint{Schema: json.RawMessage(gradesSchema)}
	} else {
		request.TopLogprobs, request.MaxTokens = 20, 4
	}
	request.Messages = []llm.Message{{Role: "user", Content: offer.Prompt}}
	fault := ""
	for attempt := 1; attempt <= p.settings.Attempts; attempt++ {
		if err := p.afford(); err != nil {
			return nil, err
		}
		reply, err := p.model.Generate(p.env, request, func(string) bool { return true })
		p.count(reply)
		if err != nil {
			return nil, err
		}
		var weights []float64
		if how == ScoreGrades {
			weights, fault = grades(reply.Text, n)
		} else {
			weights, fault = probabilities(reply.Logprobs, n)
		}
		p.emitScores(ScoreEvent{
			Round: round, Prefix: x.id, Reason: offer.Reason, Prompt: offer.Prompt, Attempt: attempt, Text: reply.Text, How: how, Fault: fault,
		}, offer.Choices, weights)
		if fault == "" {
			return weights, nil
		}
		if how == ScoreLogprobs && len(reply.Logprobs) == 0 {
			return nil, source.NewError("plan.logprobs", "the endpoint reported no log-probabilities; set score to "+ScoreGrades)
		}
		request.Messages = append(request.Messages[:1:1], llm.Message{Role: "assistant", Content: reply.Text},
			llm.Message{Role: "user", Content: fmt.Sprintf("The answer is invalid: %s. %s", fault, instruction)})
		request.Temperature = min(request.Temperature+0.1, llm.MaxTemperature)
	}
	if p.settings.Otherwise == OtherwiseFirst {
		p.plan.Otherwise++
		first := make([]float64, n)
		first[0] = 1
		return first, nil
	}
	return nil, source.NewError("plan.unreadable", fmt.Sprintf("the model did not score the choices in %d tries at step %d: %s", p.settings.Attempts, offer.Step, fault))
}

// emitScores emits an event with the probabilities of the choices and the cost so far.
func (p *planner) emitScores(e ScoreEvent, choices []space.Choice, weights []float64) {
	e.Kind, e.Choices = "plan.score", []Scored{}
	e.Calls, e.Tokens, e.Money = p.plan.Calls, p.plan.Usage.Prompt+p.plan.Usage.Completion, p.plan.Money
	for i, w := range weights {
		e.Choices = append(e.Choices, Scored{N: i + 1, Label: choices[i].Label, Probability: fourDecimals(w)})
	}
	p.env.Emit(e)
}

const gradesSchema = `{"type":"object","properties":{"grades":{"type":"array","items":{"type":"integer"}}},"required":["grades"],"additionalProperties":false}`

func replaceLast(text, old, by string) string {
	if at := strings.LastIndex(text, old); at >= 0 {
		return text[:at] + by + text[at+len(old):]
	}
	return text + "\n" + by
}

// grades reads n grades and divides each by their sum. If all are 0, all choices are equally
// probable.
func grades(text string, n int) (weights []float64, fault string) {
	tree, _, ok := json.Find(text)
	if ok && tree.Kind == '{' {
		tree, ok = tree.Get("grades")
	}
	switch {
	case !ok || tree.Kind != '[':
		return nil, "missing list of grades"
	case len(tree.Items) != n:
		return nil, fmt.Sprintf("%d grades for %d choices", len(tree.Items), n)
	}
	total := 0
	for _, item := range tree.Items {
		grade, err := strconv.Atoi(item.Text)
		if err != nil || grade < 0 || grade > 10 {
			return nil, item.Text + " is not an integer from 0 to 10"
		}
		weights, total = append(weights, float64(grade)), total+grade
	}
	for i := range weights {
		if total == 0 {
			weights[i] = 1 / float64(n)
		} else {
			weights[i] /= float64(total)
		}
	}
	return weights, ""
}

// probabilities returns those of the numbers 1 to n where the model first writes a number, relative
// to their sum. A number that is not among the reported alternatives has probability 0.
func probabilities(tokens []llm.TokenLogprob, n int) (weights []float64, fault string) {
	for i, token := range tokens {
		weights = make([]float64, n)
		total := 0.0
		seen := map[string]bool{}
		for _, other := range append([]llm.TokenLogprob{token}, token.Top...) {
			value, err := strconv.Atoi(strings.TrimSpace(other.Token))
			if err != nil || value < 1 || value > n || seen[other.Token] {
				continue
			}
			seen[other.Token] = true
			// Unlike math.Exp, math.Expm1 has equal results on all machines.
			probability := math.Expm1(min(other.Logprob, 0)) + 1
			weights[value-1] += probability
			total += probability
		}
		switch {
		case total <= 0:
			continue
		case n > 9 && i+1 < len(tokens) && tokens[i+1].Token != "" && digit(tokens[i+1].Token[0]):
			return nil, "the model's tokens split numbers, so that numbers above 9 have no probability"
		}
		for j := range weights {
			weights[j] /= total
		}
		return weights, ""
	}
	return nil, "no number with a log-probability was found"
}

// follow makes the moves of a prefix, as a run without a beam makes them.
func (p *planner) follow(best *prefix) (now space.Config, err error) {
	var path []*prefix
	for x := best; x != nil; x = x.before {
		path = append(path, x)
	}
	slices.Reverse(path)
	now = best.config
	for _, x := range path {
		for _, step := range x.made {
			if step.take.By == ByForce {
				p.plan.Forced++
			} else {
				p.plan.Choices++
			}
			if len(step.others) > 0 {
				p.points = append(p.points, choicePoint{config: step.from, moves: step.others})
			}
			if _, err := p.apply(step.from, step.move, step.take); err != nil {
				return now, err
			}
		}
	}
	return now, nil
}
