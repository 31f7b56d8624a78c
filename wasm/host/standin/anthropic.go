package standin

import (
	"encoding/json"
	"errors"
	"strings"
)

// anthropic is Anthropic's format of messages.
type anthropic struct{}

func (anthropic) read(body []byte) (ask, error) {
	var r struct {
		Model     string
		MaxTokens int `json:"max_tokens"`
		System    text
		Messages  []struct {
			Role    string
			Content json.RawMessage
		}
		StopSequences []string `json:"stop_sequences"`
		Stream        bool
		Tools         []struct {
			Name        string
			InputSchema json.RawMessage `json:"input_schema"`
		}
		ToolChoice   struct{ Type, Name string } `json:"tool_choice"`
		OutputConfig struct {
			Format struct{ Schema json.RawMessage }
		} `json:"output_config"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return ask{}, err
	}
	if r.MaxTokens <= 0 {
		return ask{}, errors.New("max_tokens: Field required")
	}
	a := ask{model: r.Model, stream: r.Stream, stops: r.StopSequences, maxTokens: r.MaxTokens, schema: r.OutputConfig.Format.Schema}
	for _, s := range r.StopSequences {
		if strings.TrimSpace(s) == "" {
			return a, errors.New("stop_sequences: each stop sequence must contain non-whitespace")
		}
	}
	if r.System != "" {
		a.turns = append(a.turns, turn{"system", string(r.System)})
	}
	for i, m := range r.Messages {
		var blocks []struct {
			Type    string
			Text    string
			Content text
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			var plain string
			if err := json.Unmarshal(m.Content, &plain); err != nil {
				return a, err
			}
			a.turns = append(a.turns, turn{m.Role, plain})
			continue
		}
		for _, b := range blocks {
			switch {
			case b.Type == "tool_result":
				a.turns = append(a.turns, turn{"tool", string(b.Content)})
			case b.Type == "text" && b.Text == "":
				return a, errors.New("messages: text content blocks must be non-empty")
			case b.Type == "text" && i == len(r.Messages)-1 && m.Role == "assistant":
				a.prefix = b.Text
			case b.Type == "text":
				a.turns = append(a.turns, turn{m.Role, b.Text})
			}
		}
	}
	for _, t := range r.Tools {
		a.tools = append(a.tools, tool{t.Name, t.InputSchema})
	}
	switch r.ToolChoice.Type {
	case "any":
		a.toolChoice = "required"
	case "none":
		a.toolChoice = "none"
	case "tool":
		a.toolChoice = r.ToolChoice.Name
	}
	return a, nil
}

func (anthropic) contentType() string { return "text/event-stream; charset=utf-8" }

var anthropicReasons = map[string]string{"stop": "end_turn", "sequence": "stop_sequence", "length": "max_tokens", "tools": "tool_use"}

func anthropicUsage(prompt, completion int) object {
	return object{"input_tokens": prompt, "output_tokens": completion, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (anthropic) complete(a ask, out answer) any {
	content := []object{}
	if out.thinking != "" {
		content = append(content, object{"type": "thinking", "thinking": out.thinking, "signature": "c2lnbmVk"})
	}
	if len(out.tokens) > 0 {
		content = append(content, object{"type": "text", "text": out.text(), "citations": nil})
	}
	for _, c := range out.calls {
		content = append(content, object{"type": "tool_use", "id": c.id, "name": c.name, "input": json.RawMessage(c.arguments)})
	}
	return object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": a.model, "content": content,
		"stop_reason": anthropicReasons[out.reason], "stop_sequence": nullable(out.sequence), "usage": anthropicUsage(out.prompt, out.completion),
	}
}

func (anthropic) events(a ask, out answer) []string {
	var events []string
	add := func(value object) {
		events = append(events, "event: "+value["type"].(string)+"\n"+sse(value))
	}
	add(object{"type": "message_start", "message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": a.model, "content": []object{},
		"stop_reason": nil, "stop_sequence": nil, "usage": anthropicUsage(out.prompt, 1),
	}})
	index := 0
	block := func(start object, deltas ...object) {
		add(object{"type": "content_block_start", "index": index, "content_block": start})
		if index == 0 {
			add(object{"type": "ping"})
		}
		for _, d := range deltas {
			add(object{"type": "content_block_delta", "index": index, "delta": d})
		}
		add(object{"type": "content_block_stop", "index": index})
		index++
	}
	if out.thinking != "" {
		block(object{"type": "thinking", "thinking": "", "signature": ""},
			object{"type": "thinking_delta", "thinking": out.thinking}, object{"type": "signature_delta", "signature": "c2lnbmVk"})
	}
	var texts []object
	for _, t := range out.tokens {
		texts = append(texts, object{"type": "text_delta", "text": t.text})
	}
	if len(texts) > 0 {
		block(object{"type": "text", "text": ""}, texts...)
	}
	for _, c := range out.calls {
		parts := halves(c.arguments)
		block(object{"type": "tool_use", "id": c.id, "name": c.name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": ""}, object{"type": "input_json_delta", "partial_json": parts[0]}, object{"type": "input_json_delta", "partial_json": parts[1]})
	}
	add(object{"type": "message_delta", "delta": object{"stop_reason": anthropicReasons[out.reason], "stop_sequence": nullable(out.sequence)}, "usage": object{"output_tokens": out.completion}})
	add(object{"type": "message_stop"})
	return events
}

func (anthropic) failure(r refusal) any {
	kind := map[int]string{401: "authentication_error", 403: "permission_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"}[r.status]
	if kind == "" {
		kind = "invalid_request_error"
	}
	message := r.message
	if r.kind == "context_length_exceeded" {
		message = "prompt is too long: 5000 tokens > 4096 maximum"
	}
	if r.kind == "insufficient_quota" {
		message = "insufficient_quota: " + message
	}
	return object{"type": "error", "error": object{"type": kind, "message": message}, "request_id": "req_1"}
}

func (f anthropic) failureEvent(r refusal) string { return "event: error\n" + sse(f.failure(r)) }

func (anthropic) garbage() string {
	return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\": garbage\n\n"
}

func (anthropic) noModel(name string) refusal {
	return refusal{404, "not_found_error", "model: " + name}
}

func (anthropic) models(x *exchange, names []string) any { return chat{}.models(x, names) }
