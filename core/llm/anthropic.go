package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// messagesBody is a request of Anthropic's format.
type messagesBody struct {
	Model         string           `json:"model"`
	MaxTokens     int              `json:"max_tokens"`
	System        string           `json:"system,omitempty"`
	Messages      []anthropicTurn  `json:"messages"`
	StopSequences []string         `json:"stop_sequences,omitempty"`
	Temperature   *float64         `json:"temperature,omitempty"`
	Stream        bool             `json:"stream"`
	Tools         []anthropicTool  `json:"tools,omitempty"`
	ToolChoice    *anthropicChoice `json:"tool_choice,omitempty"`
	OutputConfig  *outputConfig    `json:"output_config,omitempty"`
	Thinking      *thinkingField   `json:"thinking,omitempty"`
}

type anthropicTurn struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // of type anthropicBlock, or json.RawMessage
}

// anthropicBlock is a part of a turn or of an answer: {"type": "text"}, "tool_use",
// "tool_result", "thinking" or "redacted_thinking".
type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	Thinking  *string         `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	Data      string          `json:"data,omitempty"` // of redacted thoughts
}

func (b anthropicBlock) thought() string {
	if b.Thinking == nil {
		return ""
	}
	return *b.Thinking
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type anthropicChoice struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
}

type outputConfig struct {
	Format *outputFormat `json:"format,omitempty"`
	Effort string        `json:"effort,omitempty"`
}

type outputFormat struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

// anthropicTokens is the default limit of tokens, which the format requires.
const anthropicTokens = 8192

// messages returns the body of a request in Anthropic's format.
func (e Endpoint) messages(w wire) messagesBody {
	body := messagesBody{
		Model: e.Model, MaxTokens: w.MaxTokens, Temperature: w.temperature(), Stream: true,
	}
	if body.MaxTokens == 0 {
		body.MaxTokens = anthropicTokens
	}
	for _, s := range w.Stop {
		if strings.TrimSpace(s) != "" { // the API refuses stop texts of space only; they are detected in the answer
			body.StopSequences = append(body.StopSequences, s)
		}
	}
	for _, m := range w.turns() {
		if m.Role == "system" {
			if body.System != "" {
				body.System += "\n\n"
			}
			body.System += m.Content
			continue
		}
		turn := anthropicTurnOf(m, w.without.opaque)
		if last := len(body.Messages) - 1; last >= 0 && body.Messages[last].Role == turn.Role {
			body.Messages[last].Content = append(body.Messages[last].Content, turn.Content...)
			continue
		}
		body.Messages = append(body.Messages, turn)
	}
	for _, t := range w.Tools {
		body.Tools = append(body.Tools, anthropicTool{t.Name, t.Description, t.schema()})
	}
	switch w.ToolChoice {
	case "":
	case "none":
		body.ToolChoice = &anthropicChoice{Type: "none"}
	case "required":
		body.ToolChoice = &anthropicChoice{Type: "any"}
	default:
		body.ToolChoice = &anthropicChoice{"tool", w.ToolChoice}
	}
	if len(w.enforcement.Schema) > 0 {
		body.OutputConfig = &outputConfig{Format: &outputFormat{"json_schema", w.enforcement.Schema}}
	}
	body.think(e, w)
	return body
}

// anthropicTurnOf converts a message to blocks. The API refuses empty texts, so an empty
// text that is required is replaced with a remark.
func anthropicTurnOf(m Message, clear bool) anthropicTurn {
	if m.Role == "tool" {
		return anthropicTurn{"user", []any{anthropicBlock{Type: "tool_result", ToolUseID: m.ToolCallID, Content: m.Content}}}
	}
	turn := anthropicTurn{Role: m.Role}
	if blocks := m.Opaque.blocks(); len(blocks) > 0 && !clear {
		for _, block := range blocks {
			turn.Content = append(turn.Content, block)
		}
		return turn
	}
	switch {
	case strings.TrimSpace(m.Content) != "":
		turn.Content = append(turn.Content, anthropicBlock{Type: "text", Text: m.Content})
	case len(m.ToolCalls) == 0:
		turn.Content = append(turn.Content, anthropicBlock{Type: "text", Text: "(nothing)"})
	}
	for _, c := range m.ToolCalls {
		turn.Content = append(turn.Content, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: c.object()})
	}
	return turn
}

// anthropicReader reads the events of a stream, or a complete message.
type anthropicReader struct {
	prompt int   // tokens of the prompt, reported at the start
	calls  []int // blocks that are tool calls, by their number
	blocks []anthropicBlock
}

type anthropicUsage struct {
	Input         int `json:"input_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
	Output        int `json:"output_tokens"`
}

func (u anthropicUsage) prompt() int { return u.Input + u.CacheCreation + u.CacheRead }

type anthropicMessage struct {
	Type         string
	Content      []anthropicBlock
	StopReason   string `json:"stop_reason"`
	StopSequence string `json:"stop_sequence"`
	Usage        anthropicUsage
}

func (r *anthropicReader) event(data string) []Delta {
	var event struct {
		Type         string
		Index        int
		Message      anthropicMessage
		ContentBlock anthropicBlock `json:"content_block"`
		Delta        struct {
			Type         string
			Text         string
			Thinking     string
			Signature    string
			PartialJSON  string `json:"partial_json"`
			StopReason   string `json:"stop_reason"`
			StopSequence string `json:"stop_sequence"`
		}
		Usage anthropicUsage
		Error json.RawMessage
	}
	if json.Unmarshal([]byte(data), &event) != nil {
		return []Delta{garbage(data)}
	}
	switch event.Type {
	case "message": // not a stream
		return r.message(data)
	case "message_start":
		r.prompt = event.Message.Usage.prompt()
		return []Delta{{Usage: &Usage{Prompt: r.prompt, Completion: event.Message.Usage.Output}}}
	case "content_block_start":
		b := event.ContentBlock
		r.blocks = append(r.blocks, b)
		if b.Type == "tool_use" {
			r.calls = append(r.calls, event.Index)
			return []Delta{{ToolCalls: []ToolCallDelta{{Index: len(r.calls) - 1, ID: b.ID, Name: b.Name}}}}
		}
		if b.Text+b.thought() != "" {
			return []Delta{{Text: b.Text, Thinking: b.thought()}}
		}
	case "content_block_delta":
		r.extend(event.Delta.Text, event.Delta.Thinking, event.Delta.Signature, event.Delta.PartialJSON)
		switch d := event.Delta; d.Type {
		case "text_delta":
			return []Delta{{Text: d.Text}}
		case "thinking_delta":
			return []Delta{{Thinking: d.Thinking}}
		case "input_json_delta":
			for i, block := range r.calls {
				if block == event.Index {
					return []Delta{{ToolCalls: []ToolCallDelta{{Index: i, Arguments: d.PartialJSON}}}}
				}
			}
		}
	case "message_delta":
		d := Delta{Usage: &Usage{Prompt: max(event.Usage.prompt(), r.prompt), Completion: event.Usage.Output}}
		d.Reason, d.Stop = anthropicReason(event.Delta.StopReason), event.Delta.StopSequence
		d.Refused = event.Delta.StopReason == anthropicRefusal
		return []Delta{d}
	case "message_stop":
		return []Delta{{Done: true, opaque: wholeContent(r.blocks)}}
	case "error":
		return []Delta{{Fault: providerFault(data), Done: true}}
	case "":
		return []Delta{garbage(data)}
	}
	return nil // "ping", and future events
}

// extend adds the next piece to the last block, because a stream sends one block after the other.
func (r *anthropicReader) extend(text, thinking, signature, input string) {
	if len(r.blocks) == 0 {
		return
	}
	b := &r.blocks[len(r.blocks)-1]
	b.Text += text
	if thinking != "" {
		thinking = b.thought() + thinking
		b.Thinking = &thinking
	}
	b.Signature += signature
	if input != "" {
		if string(b.Input) == "{}" {
			b.Input = nil
		}
		b.Input = append(b.Input, input...)
	}
}

func (r *anthropicReader) message(data string) []Delta {
	var m anthropicMessage
	if json.Unmarshal([]byte(data), &m) != nil {
		return []Delta{garbage(data)}
	}
	d := Delta{
		Reason: anthropicReason(m.StopReason), Stop: m.StopSequence, Done: true, Refused: m.StopReason == anthropicRefusal,
		Usage: &Usage{Prompt: m.Usage.prompt(), Completion: m.Usage.Output},
	}
	d.opaque = wholeContent(m.Content)
	for _, b := range m.Content {
		d.Text += b.Text
		d.Thinking += b.thought()
		if b.Type == "tool_use" {
			d.ToolCalls = append(d.ToolCalls, ToolCallDelta{len(d.ToolCalls), b.ID, b.Name, string(b.Input), nil})
		}
	}
	return []Delta{d}
}

// anthropicRefusal is the stop reason of an answer that the provider withholds.
const anthropicRefusal = "refusal"

func anthropicReason(name string) string {
	switch name {
	case "":
		return ""
	case "max_tokens", "model_context_window_exceeded":
		return StopLength
	case "stop_sequence":
		return StopText
	case "tool_use":
		return StopTools
	}
	return StopEnd
}
