package standin

import (
	"encoding/json"
	"errors"
	"strings"
)

// bedrock is Bedrock's Converse, without a stream. Its path has the model.
type bedrock struct{ model string }

// bedrockOf returns the format of a path, or nil.
func bedrockOf(path string) format {
	rest, ok := strings.CutPrefix(path, "/model/")
	model, method, _ := strings.Cut(rest, "/")
	if !ok || method != "converse" {
		return nil
	}
	return bedrock{model}
}

func (f bedrock) read(body []byte) (ask, error) {
	type block struct {
		Text    *string
		ToolUse *struct {
			ToolUseID, Name string
			Input           map[string]any
		}
		ToolResult *struct {
			ToolUseID string
			Content   []struct{ Text string }
		}
		ReasoningContent json.RawMessage
	}
	var r struct {
		Messages []struct {
			Role    string
			Content []block
		}
		System          []block
		InferenceConfig struct {
			MaxTokens     int
			Temperature   *float64
			StopSequences []string
		}
		ToolConfig struct {
			Tools []struct {
				ToolSpec struct {
					Name        string
					InputSchema struct{ JSON json.RawMessage }
				}
			}
			ToolChoice struct {
				Any  *struct{}
				Tool struct{ Name string }
			}
		}
		OutputConfig struct {
			TextFormat struct {
				Structure struct{ JSONSchema struct{ Schema string } }
			}
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return ask{}, err
	}
	a := ask{model: f.model, stops: r.InferenceConfig.StopSequences, maxTokens: r.InferenceConfig.MaxTokens, wantsUsage: true}
	a.schema = json.RawMessage(r.OutputConfig.TextFormat.Structure.JSONSchema.Schema)
	for _, b := range r.System {
		if b.Text == nil || strings.TrimSpace(*b.Text) == "" {
			return a, errors.New("the text field in the ContentBlock object at system is blank")
		}
		a.turns = append(a.turns, turn{"system", *b.Text})
	}
	called, before := false, ""
	for _, m := range r.Messages {
		if m.Role == before {
			return a, errors.New("a conversation must alternate between user and assistant roles")
		}
		before = m.Role
		for _, b := range m.Content {
			switch {
			case b.ToolUse != nil:
				called = true
			case b.ToolResult != nil:
				text := ""
				for _, part := range b.ToolResult.Content {
					text += part.Text
				}
				a.turns = append(a.turns, turn{"tool", text})
			case b.Text != nil && strings.TrimSpace(*b.Text) == "":
				return a, errors.New("the text field in the ContentBlock object at messages is blank")
			case b.Text != nil:
				a.turns = append(a.turns, turn{m.Role, *b.Text})
			}
		}
	}
	if called && len(r.ToolConfig.Tools) == 0 {
		return a, errors.New("the toolConfig field must be defined when using toolUse and toolResult content blocks")
	}
	for _, t := range r.ToolConfig.Tools {
		a.tools = append(a.tools, tool{t.ToolSpec.Name, t.ToolSpec.InputSchema.JSON})
	}
	if r.ToolConfig.ToolChoice.Any != nil {
		a.toolChoice = "required"
	} else {
		a.toolChoice = r.ToolConfig.ToolChoice.Tool.Name
	}
	return a, nil
}

func (bedrock) contentType() string { return "application/json" }

func (bedrock) complete(_ ask, out answer) any {
	content := []object{}
	if out.thinking != "" {
		content = append(content, object{"reasoningContent": object{"reasoningText": object{"text": out.thinking, "signature": "c2lnbmVk"}}})
	}
	if len(out.tokens) > 0 {
		content = append(content, object{"text": out.text()})
	}
	for _, c := range out.calls {
		content = append(content, object{"toolUse": object{"toolUseId": c.id, "name": c.name, "input": json.RawMessage(c.arguments)}})
	}
	return object{
		"metrics": object{"latencyMs": 250}, "output": object{"message": object{"role": "assistant", "content": content}}, "stopReason": anthropicReasons[out.reason],
		"usage": object{"inputTokens": out.prompt, "outputTokens": out.completion, "totalTokens": out.prompt + out.completion},
	}
}

// events returns the parts of a value that breaks off.
func (f bedrock) events(a ask, out answer) []string {
	value := marshal(f.complete(a, out))
	return []string{value[:len(value)-20], value[len(value)-20:]}
}

func (bedrock) failure(r refusal) any {
	message := r.message
	if r.kind == "context_length_exceeded" {
		message = "Input is too long for requested model."
	}
	if r.kind == "insufficient_quota" {
		message = "insufficient_quota: " + message
	}
	return object{"message": message}
}

func (f bedrock) failureEvent(r refusal) string { return marshal(f.failure(r)) }

func (bedrock) garbage() string { return "garbage" }

func (bedrock) noModel(string) refusal {
	return refusal{400, "", "The provided model identifier is invalid."}
}

func (bedrock) models(*exchange, []string) any { return nil }
