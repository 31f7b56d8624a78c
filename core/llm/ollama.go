package llm

import (
	"strconv"

	"github.com/stile-playground/stile/core/json"
)

// ollamaBody is the body of a request in either of Ollama's formats.
type ollamaBody struct {
	Model       string          `json:"model"`
	Messages    []chatMessage   `json:"messages,omitempty"` // of chat
	Prompt      *string         `json:"prompt,omitempty"`   // of generate
	System      string          `json:"system,omitempty"`
	Raw         bool            `json:"raw,omitempty"`
	Stream      bool            `json:"stream"`
	Format      json.RawMessage `json:"format,omitempty"` // a JSON schema
	Tools       []chatTool      `json:"tools,omitempty"`
	Logprobs    bool            `json:"logprobs,omitempty"`
	TopLogprobs int             `json:"top_logprobs,omitempty"`
	Think       json.RawMessage `json:"think,omitempty"` // false, or a level
	Options     ollamaOptions   `json:"options"`
}

type ollamaOptions struct {
	Temperature *float64 `json:"temperature,omitempty"`
	NumPredict  int      `json:"num_predict,omitempty"`
	Stop        []string `json:"stop,omitempty"`
}

func (e Endpoint) ollama(w wire) ollamaBody {
	return ollamaBody{
		Model: e.Model, Stream: true, Format: w.enforcement.Schema,
		Logprobs: w.TopLogprobs > 0, TopLogprobs: w.TopLogprobs,
		Think:   e.ollamaThink(w),
		Options: ollamaOptions{w.temperature(), w.MaxTokens, w.Stop},
	}
}

// ollamaChat returns the body of a chat request. Ollama identifies the result of a call by
// the tool's name. It has no tool choice, so the request offers only the tools that the
// choice allows.
func (e Endpoint) ollamaChat(w wire) ollamaBody {
	body := e.ollama(w)
	names := map[string]string{}
	for _, m := range w.Messages {
		out := chatMessage{Role: m.Role, Content: m.Content}
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Name
			out.ToolCalls = append(out.ToolCalls, chatToolCall{Function: chatFunction{c.Name, c.object()}})
		}
		if m.Role == "tool" {
			out.ToolName = names[m.ToolCallID]
		}
		body.Messages = append(body.Messages, out)
	}
	if w.Prefix != "" {
		body.Messages = append(body.Messages,
			chatMessage{Role: "assistant", Content: w.Prefix}, chatMessage{Role: "user", Content: goOn})
	}
	switch w.ToolChoice {
	case "", "required":
		body.Tools = chatTools(w.Tools)
	case "none":
	default:
		for _, t := range w.Tools {
			if t.Name == w.ToolChoice {
				body.Tools = chatTools([]Tool{t})
			}
		}
	}
	return body
}

// ollamaGenerate returns the body of a completion request. A prefix is continued in raw
// mode, in which the model receives the prompt unchanged.
func (e Endpoint) ollamaGenerate(w wire) ollamaBody {
	body := e.ollama(w)
	messages := w.Messages
	body.Raw = w.Prefix != "" && w.caps.Prefix == PrefixRaw
	if !body.Raw {
		for len(messages) > 0 && messages[0].Role == "system" {
			if body.System != "" {
				body.System += "\n\n"
			}
			body.System += messages[0].Content
			messages = messages[1:]
		}
	}
	prompt := plainPrompt(messages, w.Prefix)
	body.Prompt = &prompt
	return body
}

// ollamaReader reads the lines of an answer in either format.
type ollamaReader struct{ calls int }

func (r *ollamaReader) line(text string) []Delta {
	var line struct {
		Response string
		Thinking string
		Message  struct {
			Content   string
			Thinking  string
			ToolCalls []struct {
				ID       string
				Function struct {
					Name      string
					Arguments json.RawMessage
				}
			} `json:"tool_calls"`
		}
		Logprobs        []openAILogprob
		Done            bool
		DoneReason      string `json:"done_reason"`
		PromptEvalCount int    `json:"prompt_eval_count"`
		EvalCount       int    `json:"eval_count"`
		Error           json.RawMessage
	}
	if json.Unmarshal([]byte(text), &line) != nil {
		return []Delta{garbage(text)}
	}
	if present(line.Error) {
		return []Delta{{Fault: providerFault(text), Done: true}}
	}
	d := Delta{
		Text: line.Response + line.Message.Content, Thinking: line.Thinking + line.Message.Thinking,
		Logprobs: logprobsOf(line.Logprobs), Done: line.Done,
	}
	for _, c := range line.Message.ToolCalls { // each is complete
		index := r.calls
		r.calls++
		if c.ID == "" {
			c.ID = "call_" + strconv.Itoa(r.calls)
		}
		d.ToolCalls = append(d.ToolCalls, ToolCallDelta{index, c.ID, c.Function.Name, string(c.Function.Arguments), nil})
	}
	if line.Done {
		d.Reason = StopEnd
		if line.DoneReason == "length" {
			d.Reason = StopLength
		}
		d.Usage = &Usage{Prompt: line.PromptEvalCount, Completion: line.EvalCount}
	}
	if d.isNothing() {
		return nil
	}
	return []Delta{d}
}
