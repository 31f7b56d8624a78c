package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Decoder reads the body of an answer. The body may be cut anywhere: the deltas
// depend on its bytes alone.
type Decoder interface {
	// Write takes the next piece of the body and returns what it completes.
	Write(piece string) []Delta
	// End says that the body is over and returns what only then can be read: an
	// answer that came as one JSON value, although a stream was asked for.
	End() []Delta
}

// Delta is a step of an answer.
type Delta struct {
	Text      string
	Thinking  string // what the model writes for itself
	ToolCalls []ToolCallDelta
	Logprobs  []TokenLogprob
	Reason    string // one of the Stop constants, once it is known
	Stop      string // the stop text that came up, where the server tells
	Usage     *Usage // replaces what was told before, but for zeros
	Done      bool   // this was the answer's end
	Fault     *Fault // the answer ends in failure
}

// ToolCallDelta is a piece of a call: the arguments come in parts.
type ToolCallDelta struct {
	Index     int // of the call in the answer
	ID, Name  string
	Arguments string
}

// Fault is a failure that a body reports or is.
type Fault struct {
	Kind    string // as the provider names it, or one of the Fault constants
	Message string
}

// Kinds of a [Fault] that no provider names.
const (
	FaultGarbage = "garbage" // the body is not of the format
	FaultLong    = "long"    // the body is longer than anybody can want
)

// isNothing reports whether there is nothing in a delta.
func (d Delta) isNothing() bool {
	return d.Text == "" && d.Thinking == "" && len(d.ToolCalls) == 0 && len(d.Logprobs) == 0 &&
		d.Reason == "" && d.Stop == "" && d.Usage == nil && !d.Done && d.Fault == nil
}

// isAnswer reports whether a delta has something of an answer, which was paid for.
func (d Delta) isAnswer() bool { return d.Text != "" || d.Thinking != "" || len(d.ToolCalls) > 0 }

// maxEvent bounds one event of a stream, or a body that is none: more than the
// longest answer takes, with its escapes.
const maxEvent = 32 << 20

// garbage is the delta of a text that is not of the format.
func garbage(text string) Delta {
	return Delta{Fault: &Fault{FaultGarbage, strings.TrimSpace(cutTokens(text, 30))}, Done: true}
}

// providerFault finds what an error's body says, in any of the usual shapes; nil
// where it has none of them.
func providerFault(body string) *Fault {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Object  string          `json:"object"`
	}
	if json.Unmarshal([]byte(body), &shape) != nil {
		var list []json.RawMessage // Gemini answers with a list of one
		if json.Unmarshal([]byte(body), &list) == nil && len(list) > 0 {
			return providerFault(string(list[0]))
		}
		return nil
	}
	var inner struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"` // a text or a number
	}
	switch {
	case present(shape.Error) && textOf(shape.Error) != "":
		return &Fault{Message: textOf(shape.Error)}
	case present(shape.Error) && json.Unmarshal(shape.Error, &inner) == nil:
		kind := textOf(inner.Code)
		if kind == "" {
			kind = inner.Type
		}
		if inner.Message == "" {
			inner.Message = string(shape.Error)
		}
		return &Fault{Kind: kind, Message: inner.Message}
	case present(shape.Error):
		return &Fault{Message: string(shape.Error)}
	case textOf(shape.Detail) != "":
		return &Fault{Message: textOf(shape.Detail)}
	case present(shape.Detail):
		return &Fault{Message: string(shape.Detail)}
	case textOf(shape.Message) != "":
		return &Fault{Kind: shape.Object, Message: textOf(shape.Message)}
	}
	return nil
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// textOf returns a JSON string's text, "" for what is none.
func textOf(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}
