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
	Content          json.RawMessage `json:"content,omitempty"`          // Anthropic: all blocks of the answer, if thoughts are among them
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
	details   []json.RawMessage
	content   json.RawMessage
}

// opaqueParts joins the opaque fields of an answer.
type opaqueParts struct {
	reasoned  bool
	reasoning strings.Builder
	details   []map[string]json.RawMessage
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
	for _, raw := range d.details {
		var detail map[string]json.RawMessage
		if json.Unmarshal(raw, &detail) == nil && detail != nil {
			p.addDetail(detail)
			p.size += len(raw)
		}
	}
	if d.content != nil {
		p.content = d.content
	}
}

// addDetail appends a detail. Pieces of a text come as details of their own.
func (p *opaqueParts) addDetail(next map[string]json.RawMessage) {
	if n := len(p.details); n > 0 && continues(p.details[n-1], next) {
		last := p.details[n-1]
		for name, value := range next {
			before := textOf(last[name])
			if name == "text" || name == "summary" || name == "data" {
				value, _ = json.Marshal(before + textOf(value)) // a string
			}
			if present(value) {
				last[name] = value
			}
		}
		return
	}
	p.details = append(p.details, next)
}

// continues reports whether a detail is the next piece of the last one.
func continues(last, next map[string]json.RawMessage) bool {
	kind := textOf(next["type"])
	if kind != textOf(last["type"]) || kind != "reasoning.text" && kind != "reasoning.summary" {
		return false
	}
	return string(last["index"]) == string(next["index"]) && (!present(next["id"]) || !present(last["id"]) || string(last["id"]) == string(next["id"]))
}

// value returns the fields, nil if there are none.
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
		o.ReasoningDetails, _ = json.Marshal(p.details) // maps of valid JSON
	}
	return o
}

// withoutOpaque returns messages without the opaque fields.
func withoutOpaque(messages []Message) []Message {
	out := append([]Message{}, messages...)
	for i := range out {
		out[i].Opaque = nil
		out[i].ToolCalls = append([]ToolCall{}, out[i].ToolCalls...)
		for k := range out[i].ToolCalls {
			out[i].ToolCalls[k].Opaque = nil
		}
	}
	return out
}

// blocks returns the blocks of an answer in Anthropic's format.
func (o *Opaque) blocks() (out []json.RawMessage) {
	if o == nil || len(o.Content) == 0 || json.Unmarshal(o.Content, &out) != nil {
		return nil
	}
	return out
}

// anthropicBlocks collects the blocks of a streamed answer in Anthropic's format, because signed
// thoughts are accepted only at their place among the unchanged other blocks.
type anthropicBlocks struct {
	blocks  []map[string]json.RawMessage
	texts   []map[string]*strings.Builder // of the last pieces: "text", "thinking", "signature", "input"
	thought bool
	broken  bool // the blocks came out of order
}

func (b *anthropicBlocks) start(index int, raw json.RawMessage) {
	var block map[string]json.RawMessage
	if index != len(b.blocks) || json.Unmarshal(raw, &block) != nil || block == nil {
		b.broken = true
		return
	}
	b.thought = b.thought || isThought(block)
	b.blocks = append(b.blocks, block)
	b.texts = append(b.texts, map[string]*strings.Builder{})
}

// isThought reports whether a block has to be sent back.
func isThought(block map[string]json.RawMessage) bool {
	kind := textOf(block["type"])
	return kind == "thinking" || kind == "redacted_thinking"
}

func (b *anthropicBlocks) add(index int, name, piece string) {
	if piece == "" || index < 0 || index >= len(b.blocks) {
		return
	}
	text := b.texts[index][name]
	if text == nil {
		text = &strings.Builder{}
		if name != "input" {
			text.WriteString(textOf(b.blocks[index][name]))
		}
		b.texts[index][name] = text
	}
	text.WriteString(piece)
}

// end returns the blocks as one list, nil without thoughts.
func (b *anthropicBlocks) end() *opaqueDelta {
	if b.broken || !b.thought {
		return nil
	}
	for i, block := range b.blocks {
		for name, text := range b.texts[i] {
			if name == "input" {
				block[name] = ToolCall{Arguments: text.String()}.object()
			} else {
				block[name], _ = json.Marshal(text.String()) // a string
			}
		}
	}
	return wholeContent(b.blocks)
}

// wholeContent returns the blocks of an answer with thoughts, without empty texts, which are
// refused in requests.
func wholeContent(blocks []map[string]json.RawMessage) *opaqueDelta {
	thought := false
	var kept []map[string]json.RawMessage
	for _, block := range blocks {
		thought = thought || isThought(block)
		if textOf(block["type"]) != "text" || strings.TrimSpace(textOf(block["text"])) != "" {
			kept = append(kept, block)
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
