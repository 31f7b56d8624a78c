package llm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Simulate is a [Model] defined by a function that returns the complete text. It streams
// the text in pieces of random lengths drawn from the run's seed, and observes stop texts
// and the limit of tokens like an endpoint.
type Simulate func(env *process.Env, r Request) (string, error)

// Generate implements [Model].
func (f Simulate) Generate(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	if err := spendCall(env, r); err != nil {
		return Reply{}, err
	}
	text, err := f(env, r)
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Reason: StopEnd}
	if at, stop := firstStop(text, r.Stop); at >= 0 {
		text, reply.Reason, reply.Stop = text[:at], StopText, stop
	}
	if cut := cutTokens(text, r.MaxTokens); len(cut) < len(text) {
		text, reply.Reason, reply.Stop = cut, StopLength, ""
	}
	done := 0
	for done < len(text) {
		size := 1 + env.Rand().IntN(12)
		end := min(done+size, len(text))
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		piece := text[done:end]
		done = end
		if !yield(piece) {
			reply.Reason, reply.Stop = StopAborted, ""
			break
		}
	}
	reply.Text = text[:done]
	reply.Usage = Usage{Prompt: r.promptTokens(), Completion: EstimateTokens(reply.Text)}
	return reply, env.Meter().Spend(meter.Tokens, int64(reply.Usage.Completion))
}

// firstStop returns the stop text that is complete first, as a server that checks after
// every character finds it, and its offset, or -1. Among stop texts that end at the same
// offset, it returns the longest.
func firstStop(text string, stops []string) (at int, stop string) {
	at = -1
	for _, s := range stops {
		i := strings.Index(text, s)
		if s == "" || i < 0 {
			continue
		}
		if end, best := i+len(s), at+len(stop); at < 0 || end < best || end == best && i < at {
			at, stop = i, s
		}
	}
	return at, stop
}

// cutTokens returns the longest prefix of a text with at most n tokens.
func cutTokens(text string, n int) string {
	if n <= 0 {
		return text
	}
	runes := 0
	for i := range text {
		if runes == 4*n {
			return text[:i]
		}
		runes++
	}
	return text
}

// chooser is a simulated model that chooses among numbered choices.
type chooser struct {
	say         Simulate
	constrained bool // simulates a server that enforces the constraint
	first       bool
	errorRate   float64
}

func newChooser(s Spec) chooser {
	c := chooser{constrained: s.Constrained, first: s.Kind == KindFirst, errorRate: s.ErrorRate}
	switch s.Kind {
	case KindFirst:
		c.say = func(*process.Env, Request) (string, error) { return "1", nil }
	case KindRambler:
		choose := rambling(s.ErrorRate)
		c.say = func(env *process.Env, r Request) (string, error) { return choose(env, r), nil }
	default:
		c.say = func(env *process.Env, r Request) (string, error) {
			return strconv.Itoa(1 + env.Rand().IntN(max(r.Choices, 1))), nil
		}
	}
	return c
}

// Generate implements [Model]. With an enforced constraint all choices are equally
// likely, and the log-probabilities show that.
func (c chooser) Generate(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	if r.Scores > 0 {
		return c.score(env, r, yield)
	}
	if !c.constrained || r.Constraint == nil || len(r.Constraint.Choices) == 0 {
		return c.say.Generate(env, r, yield)
	}
	choices := r.Constraint.Choices
	enforced := Simulate(func(env *process.Env, _ Request) (string, error) {
		if c.first {
			return choices[0], nil
		}
		return choices[env.Rand().IntN(len(choices))], nil
	})
	reply, err := enforced.Generate(env, r, yield)
	if err != nil {
		return reply, err
	}
	reply.Constrained = r.Constraint.holds(reply)
	if r.TopLogprobs > 0 {
		token := TokenLogprob{Token: reply.Text, Logprob: -math.Log1p(float64(len(choices) - 1))} // Log differs between machines
		for _, choice := range choices[:min(len(choices), r.TopLogprobs)] {
			token.Top = append(token.Top, TokenLogprob{Token: choice, Logprob: token.Logprob})
		}
		reply.Logprobs = []TokenLogprob{token}
	}
	return reply, nil
}

// score answers with grades from 0 to 10, or with log-probabilities in proportion to them: random
// ones or, if the first choice is always taken, falling ones. At the error rate it answers without.
func (c chooser) score(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	grades, total, best := make([]int, r.Scores), 0, 0
	for i := range grades {
		if grades[i] = max(10-i, 1); !c.first {
			grades[i] = env.Rand().IntN(11)
		}
		if total += grades[i]; grades[i] > grades[best] {
			best = i
		}
	}
	text := strconv.Itoa(best + 1)
	if r.TopLogprobs == 0 {
		list, _ := json.Marshal(grades) // integers always marshal
		text = `{"grades":` + string(list) + `}`
	}
	rambles := env.Rand().Float64() < c.errorRate
	if rambles {
		text = "That depends on what you want to do with it."
	}
	reply, err := Simulate(func(*process.Env, Request) (string, error) { return text, nil }).Generate(env, r, yield)
	if err != nil || r.TopLogprobs == 0 {
		return reply, err
	}
	token := TokenLogprob{Token: reply.Text}
	for i, grade := range grades {
		if grade == 0 || rambles {
			continue
		}
		logprob := math.Log1p(float64(grade)/float64(total) - 1) // Log differs between machines
		token.Top = append(token.Top, TokenLogprob{Token: strconv.Itoa(i + 1), Logprob: logprob})
		if i == best {
			token.Logprob = logprob
		}
	}
	slices.SortStableFunc(token.Top, func(a, b TokenLogprob) int { return cmp.Compare(b.Logprob, a.Logprob) })
	token.Top = token.Top[:min(len(token.Top), r.TopLogprobs)]
	reply.Logprobs = []TokenLogprob{token}
	return reply, nil
}

// rambling answers with a random choice or, at the error rate, with a text that names no
// choice.
func rambling(rate float64) func(*process.Env, Request) string {
	return func(env *process.Env, r Request) string {
		random := env.Rand()
		n := 1 + random.IntN(max(r.Choices, 1))
		if random.Float64() >= rate {
			switch random.IntN(3) {
			case 0:
				return strconv.Itoa(n)
			case 1:
				return fmt.Sprintf("I would go for %d.", n)
			default:
				return fmt.Sprintf("Choice: %d\n", n)
			}
		}
		switch random.IntN(5) {
		case 0:
			return ""
		case 1:
			return "That depends on what you want to do with it."
		case 2:
			return strconv.Itoa(r.Choices + 1 + random.IntN(90))
		case 3:
			return fmt.Sprintf("Either %d or %d, I think.", r.Choices+1, r.Choices+2)
		default:
			return fmt.Sprintf("%d.5", n)
		}
	}
}

type scripted struct {
	script []string
	next   int
}

// Generate implements [Model]: each call returns the next text of the script.
func (s *scripted) Generate(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	if s.next == len(s.script) {
		return Reply{}, source.NewError("llm.script", fmt.Sprintf("the script has %d answers, but another one is requested", len(s.script)))
	}
	text := s.script[s.next]
	s.next++
	return Simulate(func(*process.Env, Request) (string, error) { return text, nil }).Generate(env, r, yield)
}

type person struct{}

// Generate implements [Model]: a person sees the prompt of the model.
func (person) Generate(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	if err := env.Meter().Spend(meter.Calls, 1); err != nil {
		return Reply{}, err
	}
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content + "\n\n")
	}
	b.WriteString(r.Prefix)
	text, err := Ask(env, process.Question{Prompt: strings.TrimSpace(b.String()), Multiline: r.Choices == 0})
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Text: text, Reason: StopEnd}
	if at, stop := firstStop(text, r.Stop); at >= 0 {
		reply.Text, reply.Reason, reply.Stop = text[:at], StopText, stop
	}
	if !yield(reply.Text) {
		reply.Reason = StopAborted
	}
	return reply, nil
}

// Ask asks a person and returns the answer.
func Ask(env *process.Env, q process.Question) (string, error) {
	raw, err := env.Start(process.Request{Question: &q}).Value()
	if err != nil {
		return "", err
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", source.NewError("llm.answer", "the answer of a person is a JSON string, not "+string(raw))
	}
	return text, nil
}
