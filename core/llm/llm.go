// Package llm is what the core knows of language models: what is asked of one,
// what it replies, the wire formats of endpoints as pure codecs, what each server
// is known to be able to do, and simulated models that need no endpoint.
//
// A [Model] runs inside a process: an endpoint's model yields HTTP effects, a
// person's yields questions, a simulated one yields nothing and draws from the
// run's seed.
//
// An endpoint is asked again only where nothing of an answer came, since what
// came has been paid for (see retry.go), and every failure has a stable code and
// says what to do (see fault.go). How far an answer can be bound beforehand is
// decided by [Constraint.Enforce].
package llm

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Message is a turn of a conversation.
type Message struct {
	Role       string     `json:"role"` // "system", "user", "assistant" or "tool"
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"toolCalls,omitempty"`  // that the assistant wants made
	ToolCallID string     `json:"toolCallId,omitempty"` // of role "tool": the call whose result this is
}

// Tool is something that a model may ask to be called.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // a JSON schema of an object; empty: nothing is taken
}

// ToolCall is a call that a model asks for. The arguments are as it wrote them: a
// JSON object, unless it made a mistake.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Request asks a model to go on.
type Request struct {
	Messages    []Message
	Prefix      string   // of the assistant's turn: what it has written already
	Stop        []string // the model stops before it writes one of these
	MaxTokens   int      // 0: as many as the model likes
	Temperature float64
	Choices     int // 1 to Choices is asked for; 0 where free text is
	Tools       []Tool
	ToolChoice  string      // "": as the model likes; "none", "required", or the name of a tool
	TopLogprobs int         // how many alternatives of each token are wanted with their log-probabilities; 0: none
	Constraint  *Constraint // what the answer must be; nil: anything
}

// Reasons why a model stopped.
const (
	StopEnd     = "end"     // it was done, or the endpoint does not tell
	StopText    = "stop"    // a stop text came up
	StopLength  = "length"  // MaxTokens were written
	StopTools   = "tools"   // it wants tools called
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
	Text         string
	Reason       string // one of the Stop constants
	Stop         string // the stop text that came up, where that is known
	Usage        Usage
	ToolCalls    []ToolCall
	Logprobs     []TokenLogprob // of each token, where they were asked for and are to be had
	Milliseconds int            // from asking to the end, as the host measured; 0 where nobody did
	Constrained  bool           // the server saw to it that the Constraint holds
	Cost         float64        // in dollars; 0 where no price is known
}

// TokenLogprob is a token with its log-probability and the likeliest tokens in
// its place, likeliest first.
type TokenLogprob struct {
	Token   string         `json:"token"`
	Logprob float64        `json:"logprob"`
	Top     []TokenLogprob `json:"top,omitempty"`
}

// Model generates text. It hands each piece to yield as it comes; when yield
// returns false the model stops at once, and the reply has what was handed over.
// An error comes with what had been written until then.
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
	Kind        string    `json:"kind"`
	Script      []string  `json:"script,omitempty"`      // scripted: an answer each
	ErrorRate   float64   `json:"errorRate,omitempty"`   // rambler: from 0 to 1
	Constrained bool      `json:"constrained,omitempty"` // uniform, first, rambler: as if a server enforced the Constraint
	Endpoint    *Endpoint `json:"endpoint,omitempty"`
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
		return s.Endpoint.Check()
	default:
		return unknownName("llm.spec", "there is no model of kind", s.Kind, kinds)
	}
	return nil
}

// unknownName reports a name that is not in a list.
func unknownName(code, what, name string, list []string) error {
	message := fmt.Sprintf("%s %q", what, name)
	if near := source.Nearest(name, list); near != "" {
		message += "; did you mean " + near + "?"
	}
	return source.NewError(code, message+" (there is "+strings.Join(list, ", ")+")")
}

// New returns the model of a spec, for a task in which it chooses among numbered
// choices. The error is that of [Spec.Check].
func New(s Spec) (Model, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	switch s.Kind {
	case KindUniform, KindFirst, KindRambler:
		return newChooser(s), nil
	case KindScripted:
		return &scripted{script: s.Script}, nil
	case KindPerson:
		return person{}, nil
	default:
		return newEndpointModel(*s.Endpoint), nil
	}
}

// spendCall takes a call and the tokens of its prompt from the run's budget.
func spendCall(env *process.Env, r Request) error {
	if err := env.Meter().Spend(meter.Calls, 1); err != nil {
		return err
	}
	return env.Meter().Spend(meter.Tokens, int64(r.promptTokens()))
}
