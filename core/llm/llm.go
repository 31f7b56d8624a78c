// Package llm defines the port to language models, and provides the codecs of providers' wire
// formats and simulated models that need no endpoint.
//
// A [Model] runs inside a process: an endpoint's model starts HTTP effects, a person's model
// asks questions, and a simulated one has no effects and draws from the run's seed.
//
// A request to an endpoint is repeated only if no part of the answer arrived, because a
// part that arrived has been paid for (see retry.go). Every failure has a stable code and a
// fix (see fault.go). [Constraint.Enforce] decides how far an answer can be constrained.
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
	ToolCalls  []ToolCall `json:"toolCalls,omitempty"`  // the calls that the assistant requests
	ToolCallID string     `json:"toolCallId,omitempty"` // of role "tool": identifier of the call whose result this is
	Opaque     *Opaque    `json:"opaque,omitempty"`     // of an answer with calls
}

// Tool is a tool that a model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // a JSON schema of an object; empty: no arguments
}

// ToolCall is a call that a model requests. The arguments are the model's text, which may be
// invalid JSON.
type ToolCall struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Arguments string      `json:"arguments"`
	Opaque    *OpaqueCall `json:"opaque,omitempty"`
}

// Request is a request for the next turn of a conversation.
type Request struct {
	Messages    []Message
	Prefix      string   // the beginning of the assistant's turn
	Stop        []string // the model stops before it writes one of these
	MaxTokens   int      // 0: unbounded
	Temperature float64
	Choices     int // the answer is a number from 1 to Choices; 0: free text
	Tools       []Tool
	ToolChoice  string      // "": any; "none", "required", or the name of a tool
	TopLogprobs int         // number of alternatives of each token to return with log-probabilities
	Constraint  *Constraint // a requirement for the answer; nil: none
	Sample      int         // the number of the run among several, for events; 0: a single run
	Scores      int         // simulated models: score that many choices, as log-probabilities if TopLogprobs > 0, or else as grades
}

// Reasons why a model stopped.
const (
	StopEnd     = "end"     // the answer is complete, or the reason is unknown
	StopText    = "stop"    // a stop text occurred
	StopLength  = "length"  // MaxTokens was reached
	StopTools   = "tools"   // it requests tool calls
	StopAborted = "aborted" // the caller aborted the stream
)

// Usage counts tokens. If an endpoint does not report them, [EstimateTokens] estimates them.
type Usage struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
}

// Reply is the answer of a model, without the stop text.
type Reply struct {
	Text         string
	Reason       string // one of the Stop constants
	Stop         string // the stop text that occurred, if known
	Usage        Usage
	ToolCalls    []ToolCall
	Opaque       *Opaque        // to send back with ToolCalls
	Logprobs     []TokenLogprob // of each token, if requested and supported
	Milliseconds int            // duration as measured by the host; 0: unknown
	Constrained  bool           // the server enforced the Constraint
	Cost         float64        // in dollars; 0: unknown
}

// TokenLogprob is a token with its log-probability and its alternatives, likeliest first.
type TokenLogprob struct {
	Token   string         `json:"token"`
	Logprob float64        `json:"logprob"`
	Top     []TokenLogprob `json:"top,omitempty"`
}

// Model generates text. It passes each piece to yield; if yield returns false the model stops
// at once, and the reply contains the pieces so far. With an error, the reply contains the
// pieces that were generated before the error.
type Model interface {
	Generate(env *process.Env, r Request, yield func(delta string) bool) (Reply, error)
}

// EstimateTokens estimates the number of tokens of a text at four characters each, the usual
// ratio for English.
func EstimateTokens(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// MaxTemperature is the highest temperature that providers accept.
const MaxTemperature = 2

// CheckSampling returns an error for a limit of tokens or a temperature that no provider accepts.
func CheckSampling(maxTokens int, temperature float64) error {
	if maxTokens < 0 {
		return fmt.Errorf("maxTokens is %d (expected a positive number, or 0 for the default)", maxTokens)
	}
	if !(temperature >= 0 && temperature <= MaxTemperature) {
		return fmt.Errorf("the temperature is %g (expected 0 to %d)", temperature, MaxTemperature)
	}
	return nil
}

// promptTokens estimates the tokens of the prompt.
func (r Request) promptTokens() int {
	n := EstimateTokens(r.Prefix)
	for _, m := range r.Messages {
		n += EstimateTokens(m.Content)
	}
	return n
}

// Kinds of models that a [Spec] names.
const (
	KindUniform  = "uniform"  // chooses at random among the valid choices
	KindFirst    = "first"    // chooses the first valid choice
	KindScripted = "scripted" // returns the texts of a script
	KindRambler  = "rambler"  // answers badly at its error rate
	KindPerson   = "person"   // asks a person
	KindEndpoint = "endpoint" // asks an endpoint
)

// Spec selects a model.
type Spec struct {
	Kind        string    `json:"kind"`
	Script      []string  `json:"script,omitempty"`      // scripted: one text per answer
	ErrorRate   float64   `json:"errorRate,omitempty"`   // rambler: from 0 to 1
	Constrained bool      `json:"constrained,omitempty"` // uniform, first, rambler: simulate a server that enforces the Constraint
	Endpoint    *Endpoint `json:"endpoint,omitempty"`
}

// Check returns an error with the code "llm.spec" for an invalid spec.
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
		return unknownName("llm.spec", "unknown kind of model", s.Kind, kinds)
	}
	return nil
}

// unknownName reports a name that is not in a list.
func unknownName(code, what, name string, list []string) error {
	message := fmt.Sprintf("%s %q", what, name)
	if near := source.Nearest(name, list); near != "" {
		message += "; did you mean " + near + "?"
	}
	return source.NewError(code, message+" (expected "+strings.Join(list, ", ")+")")
}

// New returns the model of a spec. Simulated models choose among numbered choices. The error
// is that of [Spec.Check].
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

// spendEndpointCall is [spendCall] for a request to an endpoint, which the ceiling of the run
// bounds. Replays of runs that were recorded before there was a ceiling have none.
func spendEndpointCall(env *process.Env, r Request) error {
	if err := env.Ceiling().Afford(); err != nil && !env.Earlier() {
		env.Revise()
		return err
	}
	env.Ceiling().Add(1, 0, 0)
	return spendCall(env, r)
}

// spendCall charges a call and the tokens of its prompt to the run's budget.
func spendCall(env *process.Env, r Request) error {
	if err := env.Meter().Spend(meter.Calls, 1); err != nil {
		return err
	}
	return env.Meter().Spend(meter.Tokens, int64(r.promptTokens()))
}
