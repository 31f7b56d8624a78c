package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Decoder reads the body of an answer. The body may be cut anywhere: the deltas depend
// only on its bytes.
type Decoder interface {
	// Write reads the next piece of the body and returns the completed deltas.
	Write(piece string) []Delta
	// End ends the body and returns the remaining deltas, for example of an answer that
	// is one JSON value although a stream was requested.
	End() []Delta
}

// Delta is a step of an answer.
type Delta struct {
	Text      string
	Thinking  string // the model's reasoning
	ToolCalls []ToolCallDelta
	Logprobs  []TokenLogprob
	Reason    string // one of the Stop constants, once known
	Stop      string // the stop text that occurred, if the server reports it
	Usage     *Usage // replaces earlier counts, except zeros
	Done      bool   // the end of the answer
	Refused   bool   // the model refused, or a filter of the provider removed the answer
	Fault     *Fault // the answer ends with a failure
	// hidden is the number of tokens that only the total of the usage contains, such as thoughts.
	hidden int
	opaque *opaqueDelta
	custom int // number of the call of the answerTool that the text is input of; 0: the text is not input
}

// ToolCallDelta is a piece of a call, whose arguments come in parts.
type ToolCallDelta struct {
	Index     int // number of the call in the answer
	ID, Name  string
	Arguments string
	Opaque    *OpaqueCall
}

// Fault is a failure that a body reports, or a malformed body.
type Fault struct {
	Kind    string // as the provider names it, or one of the Fault constants
	Message string
}

// Kinds of a [Fault] that are not a provider's.
const (
	FaultGarbage = "garbage" // the body has an unexpected format
	FaultLong    = "long"    // the body exceeds the maximum
)

// isNothing reports whether a delta is empty.
func (d Delta) isNothing() bool {
	return d.Text == "" && d.Thinking == "" && len(d.ToolCalls) == 0 && len(d.Logprobs) == 0 &&
		d.Reason == "" && d.Stop == "" && d.Usage == nil && !d.Done && d.Fault == nil && d.opaque == nil
}

// isAnswer reports whether a delta contains a part of an answer, which was paid for.
func (d Delta) isAnswer() bool {
	return d.Text != "" || d.Thinking != "" || len(d.ToolCalls) > 0 || d.custom > 0
}

// maxEvent bounds one event of a stream, or a body without events. It exceeds the longest
// answer with its escapes.
const maxEvent = 32 << 20

// garbage returns a delta that reports a text in an unexpected format.
func garbage(text string) Delta {
	return Delta{Fault: &Fault{FaultGarbage, strings.TrimSpace(cutTokens(text, 30))}, Done: true}
}

// providerFault returns the failure in the body of an error, in any of the usual formats,
// or nil.
func providerFault(body string) *Fault {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage // Bedrock writes "Message", too
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
		Status  json.RawMessage `json:"status"` // Gemini: a text; Azure: a number
		Code    json.RawMessage `json:"code"`   // a text or a number
	}
	switch {
	case present(shape.Error) && textOf(shape.Error) != "":
		return &Fault{Message: textOf(shape.Error)}
	case present(shape.Error) && json.Unmarshal(shape.Error, &inner) == nil:
		kind := textOf(inner.Code)
		if kind == "" {
			kind = inner.Type
		}
		if kind == "" {
			kind = textOf(inner.Status)
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

// textOf returns the text of a JSON string, "" for another value.
func textOf(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}
