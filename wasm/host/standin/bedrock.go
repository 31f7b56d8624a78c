package standin

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"strings"
)

// bedrock is Bedrock's Converse and ConverseStream. Its path has the model.
type bedrock struct {
	model  string
	stream bool
}

// bedrockOf returns the format of a path, or nil.
func bedrockOf(path string) format {
	rest, ok := strings.CutPrefix(path, "/model/")
	model, method, _ := strings.Cut(rest, "/")
	if !ok || method != "converse" && method != "converse-stream" {
		return nil
	}
	return bedrock{model, method == "converse-stream"}
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
	a := ask{model: f.model, stops: r.InferenceConfig.StopSequences, maxTokens: r.InferenceConfig.MaxTokens, wantsUsage: true, stream: f.stream}
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

func (bedrock) contentType() string { return "application/vnd.amazon.eventstream" }

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

// events returns the binary frames of a stream.
func (bedrock) events(_ ask, out answer) (events []string) {
	add := func(name string, value object) { events = append(events, frame("event", name, marshal(value))) }
	block := func(i int, delta object) { add("contentBlockDelta", object{"contentBlockIndex": i, "delta": delta}) }
	end := func(i int) { add("contentBlockStop", object{"contentBlockIndex": i}) }
	add("messageStart", object{"role": "assistant", "p": "abcdefg"})
	i := 0
	if out.thinking != "" {
		block(i, object{"reasoningContent": object{"text": out.thinking}})
		block(i, object{"reasoningContent": object{"signature": "c2lnbmVk"}})
		end(i)
		i++
	}
	for _, t := range out.tokens {
		block(i, object{"text": t.text})
	}
	if len(out.tokens) > 0 {
		end(i)
		i++
	}
	for _, c := range out.calls {
		add("contentBlockStart", object{"contentBlockIndex": i, "start": object{"toolUse": object{"toolUseId": c.id, "name": c.name}}})
		for from := 0; from < len(c.arguments); from += 4 {
			block(i, object{"toolUse": object{"input": c.arguments[from:min(from+4, len(c.arguments))]}})
		}
		end(i)
		i++
	}
	add("messageStop", object{"stopReason": anthropicReasons[out.reason]})
	add("metadata", object{"metrics": object{"latencyMs": 250}, "usage": object{"inputTokens": out.prompt, "outputTokens": out.completion, "totalTokens": out.prompt + out.completion}})
	return events
}

// frame returns a frame of AWS's event streams: lengths, their checksum, headers of texts, a payload
// and the checksum of all.
func frame(kind, name, payload string) string {
	var headers []byte
	for _, h := range [][2]string{{":" + kind + "-type", name}, {":content-type", "application/json"}, {":message-type", kind}} {
		headers = append(append(headers, byte(len(h[0]))), h[0]...)
		headers = append(binary.BigEndian.AppendUint16(append(headers, 7), uint16(len(h[1]))), h[1]...)
	}
	out := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(headers)))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
	out = append(append(out, headers...), payload...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out)))
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

func (f bedrock) failureEvent(r refusal) string {
	return frame("exception", "serviceUnavailableException", marshal(f.failure(r)))
}

func (bedrock) garbage() string { return frame("event", "contentBlockDelta", `{"delta": garbage`) }

func (bedrock) noModel(string) refusal {
	return refusal{400, "", "The provided model identifier is invalid."}
}

func (bedrock) models(*exchange, []string) any { return nil }
