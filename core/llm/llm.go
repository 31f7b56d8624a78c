// Package llm is what the core knows of language models: what is asked of one,
// what it replies, the wire format of endpoints as a pure codec, and simulated
// models that need no endpoint.
//
// A [Model] runs inside a process: an endpoint's model yields HTTP effects, a
// person's yields questions, a simulated one yields nothing and draws from the
// run's seed.
package llm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Message is a turn of a conversation.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// Request asks a model to go on.
type Request struct {
	Messages    []Message
	Prefix      string   // of the assistant's turn: what it has written already
	Stop        []string // the model stops before it writes one of these
	MaxTokens   int      // 0: as many as the model likes
	Temperature float64
	Choices     int // 1 to Choices is asked for; 0 where free text is
}

// Reasons why a model stopped.
const (
	StopEnd     = "end"     // it was done, or the endpoint does not tell
	StopText    = "stop"    // a stop text came up
	StopLength  = "length"  // MaxTokens were written
	StopAborted = "aborted" // whoever read the stream wanted no more
)

// Usage counts tokens. Where an endpoint does not count, they are estimated by
// [EstimateTokens].
type Usage struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
}

// Reply is what a model wrote, without the stop text.
type Reply struct {
	Text   string
	Reason string // one of the Stop constants
	Stop   string // the stop text that came up, where that is known
	Usage  Usage
}

// Model generates text. It hands each piece to yield as it comes; when yield
// returns false the model stops at once, and the reply has what was handed over.
type Model interface {
	Generate(env *process.Env, r Request, yield func(delta string) bool) (Reply, error)
}

// EstimateTokens returns about how many tokens a text has: four characters
// each, as is usual for English.
func EstimateTokens(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// promptTokens estimates the tokens of what is sent.
func (r Request) promptTokens() int {
	n := EstimateTokens(r.Prefix)
	for _, m := range r.Messages {
		n += EstimateTokens(m.Content)
	}
	return n
}

// Kinds of models that a [Spec] names.
const (
	KindUniform  = "uniform"  // chooses at random among what is right
	KindFirst    = "first"    // chooses the first of what is right
	KindScripted = "scripted" // says what a script says
	KindRambler  = "rambler"  // answers badly as often as its error rate says
	KindPerson   = "person"   // asks a person
	KindEndpoint = "endpoint" // asks an endpoint
)

// Spec says which model to use.
type Spec struct {
	Kind      string    `json:"kind"`
	Script    []string  `json:"script,omitempty"`    // scripted: an answer each
	ErrorRate float64   `json:"errorRate,omitempty"` // rambler: from 0 to 1
	Endpoint  *Endpoint `json:"endpoint,omitempty"`
}

// Check returns an error with code "llm.spec" for a spec that names no model.
func (s Spec) Check() error {
	kinds := []string{KindUniform, KindFirst, KindScripted, KindRambler, KindPerson, KindEndpoint}
	switch s.Kind {
	case KindUniform, KindFirst, KindPerson:
	case KindScripted:
		if len(s.Script) == 0 {
			return source.NewError("llm.spec", "a scripted model needs a script: a list of answers")
		}
	case KindRambler:
		if s.ErrorRate < 0 || s.ErrorRate > 1 {
			return source.NewError("llm.spec", fmt.Sprintf("the error rate %v is not between 0 and 1", s.ErrorRate))
		}
	case KindEndpoint:
		return s.Endpoint.check()
	default:
		message := fmt.Sprintf("there is no model of kind %q", s.Kind)
		if near := source.Nearest(s.Kind, kinds); near != "" {
			message += "; did you mean " + near + "?"
		}
		return source.NewError("llm.spec", message+" (there is "+strings.Join(kinds, ", ")+")")
	}
	return nil
}

// New returns the model of a spec, for a task in which it chooses among numbered
// choices. The error is that of [Spec.Check].
func New(s Spec) (Model, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	switch s.Kind {
	case KindUniform:
		return chooser(func(env *process.Env, r Request) string { return strconv.Itoa(1 + env.Rand().IntN(max(r.Choices, 1))) }), nil
	case KindFirst:
		return chooser(func(*process.Env, Request) string { return "1" }), nil
	case KindRambler:
		return chooser(rambling(s.ErrorRate)), nil
	case KindScripted:
		return &scripted{script: s.Script}, nil
	case KindPerson:
		return person{}, nil
	default:
		return endpointModel{*s.Endpoint}, nil
	}
}

// spendCall takes a call and the tokens of its prompt from the run's budget.
func spendCall(env *process.Env, r Request) error {
	if err := env.Meter().Spend(meter.Calls, 1); err != nil {
		return err
	}
	return env.Meter().Spend(meter.Tokens, int64(r.promptTokens()))
}
