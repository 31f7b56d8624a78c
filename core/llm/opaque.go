package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Opaque are the fields of an answer that its provider wants back unchanged with the calls of the
// answer, for example signed thoughts. They are never shown.
type Opaque struct {
	ReasoningContent *string         `json:"reasoningContent,omitempty"` // DeepSeek and others
	ReasoningDetails json.RawMessage `json:"reasoningDetails,omitempty"` // OpenRouter: a list
	// Content is a list: the blocks of an answer of Anthropic or Bedrock, or the items of a response,
	// if thoughts are among them; or the parts of an answer of Gemini, if one is signed.
	Content json.RawMessage `json:"content,omitempty"`
}

// OpaqueCall are the fields of a call that its provider wants back unchanged.
type OpaqueCall struct {
	ExtraContent     json.RawMessage `json:"extraContent,omitempty"`     // Gemini's signature of the thoughts before the call
	ThoughtSignature json.RawMessage `json:"thoughtSignature,omitempty"` // of gateways
}

// isNothing reports whether no field is set.
func (o *OpaqueCall) isNothing() bool {
	return o == nil || !present(o.ExtraContent) && !present(o.ThoughtSignature)
}

// opaqueDelta is a piece of the opaque fields of an answer.
type opaqueDelta struct {
	reasoning *string
	details   []reasoningDetail
	content   json.RawMessage
}

// reasoningDetail is a part of OpenRouter's reasoning_details.
type reasoningDetail struct {
	Type      string `json:"type"`
	Text      string `json:"text,omitempty"`
	Summary   string `json:"summary,omitempty"`
	Data      string `json:"data,omitempty"`
	Signature string `json:"signature,omitempty"`
	ID        string `json:"id,omitempty"`
	Format    string `json:"format,omitempty"`
	Index     int    `json:"index"`
}

// opaqueParts joins the opaque fields of an answer.
type opaqueParts struct {
	reasoned  bool
	reasoning strings.Builder
	details   []reasoningDetail
	content   json.RawMessage
	size      int
}

func (p *opaqueParts) add(d *opaqueDelta) {
	if d == nil || p.size > maxAnswer {
		return
	}
	if d.reasoning != nil {
		p.reasoned = true
		p.reasoning.WriteString(*d.reasoning)
		p.size += len(*d.reasoning)
	}
	for _, next := range d.details {
		p.size += len(next.Text) + len(next.Summary) + len(next.Data)
		if n := len(p.details); n > 0 && next.Data == "" && p.details[n-1].Type == next.Type && p.details[n-1].Index == next.Index {
			last := &p.details[n-1] // the next piece of a text
			last.Text += next.Text
			last.Summary += next.Summary
			last.Signature += next.Signature
			continue
		}
		p.details = append(p.details, next)
	}
	if d.content != nil {
		p.content = d.content
	}
}

// value returns the joined fields, or nil if there are none.
func (p *opaqueParts) value() *Opaque {
	if !p.reasoned && p.details == nil && p.content == nil || p.size > maxAnswer {
		return nil
	}
	o := &Opaque{Content: p.content}
	if p.reasoned {
		text := p.reasoning.String()
		o.ReasoningContent = &text
	}
	if p.details != nil {
		o.ReasoningDetails, _ = json.Marshal(p.details) // strings and numbers
	}
	return o
}

// blocks returns the blocks, items or parts of an answer.
func (o *Opaque) blocks() (out []json.RawMessage) {
	if o == nil || len(o.Content) == 0 || json.Unmarshal(o.Content, &out) != nil {
		return nil
	}
	return out
}

// wholeContent returns the blocks of an answer if thoughts are among them, otherwise nil: the
// API accepts signed thoughts only at their place among the other blocks. It leaves out empty
// texts, which the API refuses in requests.
func wholeContent(blocks []anthropicBlock) *opaqueDelta {
	thought := false
	var kept []anthropicBlock
	for _, b := range blocks {
		thought = thought || b.Thinking != nil || b.Data != ""
		if b.Type == "tool_use" {
			b.Input = ToolCall{Arguments: string(b.Input)}.object()
		}
		if b.Type != "text" || strings.TrimSpace(b.Text) != "" {
			kept = append(kept, b)
		}
	}
	if !thought {
		return nil
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return &opaqueDelta{content: raw}
}
