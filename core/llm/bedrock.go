package llm

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// converseBody is a request of Bedrock's Converse.
type converseBody struct {
	Messages        []anthropicTurn `json:"messages"` // whose blocks are of type converseBlock, or json.RawMessage
	System          []converseBlock `json:"system,omitempty"`
	InferenceConfig struct {
		MaxTokens     int      `json:"maxTokens,omitempty"`
		Temperature   *float64 `json:"temperature,omitempty"`
		StopSequences []string `json:"stopSequences,omitempty"`
	} `json:"inferenceConfig"`
	ToolConfig   *converseTools  `json:"toolConfig,omitempty"`
	OutputConfig json.RawMessage `json:"outputConfig,omitempty"`
	// AdditionalModelRequestFields are those of the model's own format.
	AdditionalModelRequestFields json.RawMessage `json:"additionalModelRequestFields,omitempty"`
}

// converseBlock is a part of a turn or of an answer, with one of the fields.
type converseBlock struct {
	Text             string             `json:"text,omitempty"`
	ToolUse          *converseCall      `json:"toolUse,omitempty"`
	ToolResult       *converseResult    `json:"toolResult,omitempty"`
	ReasoningContent *converseReasoning `json:"reasoningContent,omitempty"`
}

type converseCall struct {
	ToolUseID string          `json:"toolUseId"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
}

type converseResult struct {
	ToolUseID string          `json:"toolUseId"`
	Content   []converseBlock `json:"content"`
}

type converseReasoning struct {
	ReasoningText struct{ Text string }
}

type converseTools struct {
	Tools      []converseTool  `json:"tools"`
	ToolChoice json.RawMessage `json:"toolChoice,omitempty"`
}

type converseTool struct {
	ToolSpec struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		InputSchema struct {
			JSON json.RawMessage `json:"json"`
		} `json:"inputSchema"`
	} `json:"toolSpec"`
}

// converse returns the body of a request of Bedrock's Converse. ConverseStream is not used: its
// answer is binary, and a host delivers text.
func (e Endpoint) converse(w wire) converseBody {
	var body converseBody
	config := &body.InferenceConfig
	config.MaxTokens, config.Temperature, config.StopSequences = w.MaxTokens, w.temperature(), w.Stop
	called := false
	for _, m := range w.turns() {
		if m.Role == "system" {
			body.System = append(body.System, converseBlock{Text: written(m.Content)})
			continue
		}
		called = called || m.Role == "tool" || len(m.ToolCalls) > 0
		turn := converseTurnOf(m, w.without.opaque)
		if last := len(body.Messages) - 1; last >= 0 && body.Messages[last].Role == turn.Role {
			body.Messages[last].Content = append(body.Messages[last].Content, turn.Content...)
			continue
		}
		body.Messages = append(body.Messages, turn)
	}
	// Converse has no choice "none". A conversation with calls requires the tools.
	if len(w.Tools) > 0 && (w.ToolChoice != "none" || called) {
		body.ToolConfig = &converseTools{}
		for _, t := range w.Tools {
			var tool converseTool
			tool.ToolSpec.Name, tool.ToolSpec.Description, tool.ToolSpec.InputSchema.JSON = t.Name, t.Description, t.schema()
			body.ToolConfig.Tools = append(body.ToolConfig.Tools, tool)
		}
		switch w.ToolChoice {
		case "", "none":
		case "required":
			body.ToolConfig.ToolChoice = json.RawMessage(`{"any":{}}`)
		default:
			body.ToolConfig.ToolChoice = json.RawMessage(`{"tool":{"name":` + string(quoted(w.ToolChoice)) + `}}`)
		}
	}
	if schema := w.enforcement.Schema; len(schema) > 0 {
		body.OutputConfig = json.RawMessage(`{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"answer","schema":` + string(quoted(string(schema))) + `}}}}`)
	}
	body.think(e, w)
	return body
}

// written returns a text, or a remark for an empty one, which Converse refuses.
func written(text string) string {
	if strings.TrimSpace(text) == "" {
		return "(nothing)"
	}
	return text
}

// think sets the effort in the field of the model's family.
func (b *converseBody) think(e Endpoint, w wire) {
	if e.Effort == "" || w.without.effort {
		return
	}
	thinks, field := e.Effort != EffortNone, ""
	switch model := strings.ToLower(e.Model); {
	case has(model, "anthropic", "claude"):
		field = `"thinking":{"type":"disabled"}`
		if thinks { // with neither a temperature nor a forced call
			budget := e.budget()
			field = fmt.Sprintf(`"thinking":{"type":"enabled","budget_tokens":%d}`, budget)
			config := &b.InferenceConfig
			config.Temperature = nil
			if config.MaxTokens == 0 {
				config.MaxTokens = anthropicTokens
			}
			if config.MaxTokens <= budget || w.MaxTokens == 0 {
				config.MaxTokens += budget
			}
			if b.ToolConfig != nil {
				b.ToolConfig.ToolChoice = nil
			}
		}
	case has(model, "nova"):
		level := "medium" // Nova allows no limit of tokens with "high"
		if e.Effort == "minimal" || e.Effort == "low" {
			level = "low"
		}
		field = `"reasoningConfig":{"type":"disabled"}`
		if thinks {
			field = `"reasoningConfig":{"type":"enabled","maxReasoningEffort":"` + level + `"}`
		}
	default:
		field = `"reasoning_effort":"` + e.Effort + `"`
	}
	b.AdditionalModelRequestFields = json.RawMessage("{" + field + "}")
}

// converseTurnOf converts a message to blocks.
func converseTurnOf(m Message, clear bool) anthropicTurn {
	if m.Role == "tool" {
		result := converseResult{m.ToolCallID, []converseBlock{{Text: written(m.Content)}}}
		return anthropicTurn{"user", []any{converseBlock{ToolResult: &result}}}
	}
	turn := anthropicTurn{Role: m.Role}
	if blocks := m.Opaque.blocks(); len(blocks) > 0 && !clear {
		for _, block := range blocks {
			turn.Content = append(turn.Content, block)
		}
		return turn
	}
	if strings.TrimSpace(m.Content) != "" || len(m.ToolCalls) == 0 {
		turn.Content = append(turn.Content, converseBlock{Text: written(m.Content)})
	}
	for _, c := range m.ToolCalls {
		turn.Content = append(turn.Content, converseBlock{ToolUse: &converseCall{c.ID, c.Name, c.object()}})
	}
	return turn
}

// converseAnswer reads an answer of Converse. If thoughts are among its blocks, all blocks are sent
// back with the results of its calls.
func converseAnswer(data string) []Delta {
	var answer struct {
		Output struct {
			Message struct{ Content []json.RawMessage }
		}
		StopReason string
		Usage      struct {
			InputTokens, OutputTokens, CacheReadInputTokens, CacheWriteInputTokens int
		}
	}
	if json.Unmarshal([]byte(data), &answer) != nil || answer.StopReason == "" {
		return []Delta{garbage(data)}
	}
	u := answer.Usage
	d := Delta{Done: true, Usage: &Usage{Prompt: u.InputTokens + u.CacheReadInputTokens + u.CacheWriteInputTokens, Completion: u.OutputTokens}}
	var kept []json.RawMessage
	thought := false
	for _, raw := range answer.Output.Message.Content {
		var b converseBlock
		if json.Unmarshal(raw, &b) != nil {
			continue
		}
		d.Text += b.Text
		if b.ReasoningContent != nil {
			thought = true
			d.Thinking += b.ReasoningContent.ReasoningText.Text
		}
		if c := b.ToolUse; c != nil {
			d.ToolCalls = append(d.ToolCalls, ToolCallDelta{len(d.ToolCalls), c.ToolUseID, c.Name, string(c.Input), nil})
		}
		if b.ReasoningContent != nil || b.ToolUse != nil || strings.TrimSpace(b.Text) != "" {
			kept = append(kept, raw)
		}
	}
	if thought {
		if raw, err := json.Marshal(kept); err == nil {
			d.opaque = &opaqueDelta{content: raw}
		}
	}
	switch answer.StopReason {
	case "guardrail_intervened", "content_filtered", "refusal":
		d.Reason, d.Refused = StopEnd, true
	case "malformed_model_output", "malformed_tool_use":
		d.Fault = &Fault{answer.StopReason, "the answer ended with " + answer.StopReason}
	default:
		d.Reason = anthropicReason(answer.StopReason)
	}
	return []Delta{d}
}
