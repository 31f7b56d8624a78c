package llm

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// chatBody is a request for a chat completion, with the fields that vLLM,
// llama.cpp and Mistral add.
type chatBody struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages,omitempty"`
	Prompt              *string         `json:"prompt,omitempty"` // of completions
	Stop                []string        `json:"stop,omitempty"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	Stream              bool            `json:"stream"`
	StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
	Logprobs            json.RawMessage `json:"logprobs,omitempty"` // true; of completions, a number
	TopLogprobs         int             `json:"top_logprobs,omitempty"`
	Tools               []chatTool      `json:"tools,omitempty"`
	ToolChoice          json.RawMessage `json:"tool_choice,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	Reasoning           json.RawMessage `json:"reasoning,omitempty"` // OpenRouter
	Thinking            *thinkingField  `json:"thinking,omitempty"`  // DeepSeek
	ChatTemplateKwargs  json.RawMessage `json:"chat_template_kwargs,omitempty"`

	Grammar              string             `json:"grammar,omitempty"`            // llama.cpp
	StructuredOutputs    *structuredOutputs `json:"structured_outputs,omitempty"` // vLLM
	ContinueFinalMessage bool               `json:"continue_final_message,omitempty"`
	AddGenerationPrompt  *bool              `json:"add_generation_prompt,omitempty"`
}

type chatMessage struct {
	Role       string         `json:"role"`
	Content    string         `json:"content"`
	ToolCalls  []chatToolCall `json:"tool_calls,omitempty"`
	ToolCallID string         `json:"tool_call_id,omitempty"`
	ToolName   string         `json:"tool_name,omitempty"` // Ollama
	Prefix     bool           `json:"prefix,omitempty"`    // Mistral

	ReasoningContent *string         `json:"reasoning_content,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
}

type chatToolCall struct {
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function chatFunction `json:"function"`

	ExtraContent     json.RawMessage `json:"extra_content,omitempty"`
	ThoughtSignature json.RawMessage `json:"thought_signature,omitempty"`
}

type chatFunction struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a string; for Ollama, an object
}

type chatTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type responseFormat struct {
	Type       string `json:"type"`
	JSONSchema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

type structuredOutputs struct {
	Choice  []string `json:"choice,omitempty"`
	Regex   string   `json:"regex,omitempty"`
	Grammar string   `json:"grammar,omitempty"`
}

// chat is the body of a request for a chat completion.
func (e Endpoint) chat(w wire) chatBody {
	body := e.openAI(w)
	body.think(e, w)
	for _, m := range w.Messages {
		body.Messages = append(body.Messages, chatMessageOf(m, w.without.opaque))
	}
	if w.Prefix != "" {
		begun := chatMessage{Role: "assistant", Content: w.Prefix}
		switch w.caps.Prefix {
		case PrefixMistral:
			begun.Prefix = true
			body.Messages = append(body.Messages, begun)
		case PrefixContinue:
			body.ContinueFinalMessage, body.AddGenerationPrompt = true, new(bool)
			body.Messages = append(body.Messages, begun)
		case PrefixPrefill:
			body.Messages = append(body.Messages, begun)
		default:
			body.Messages = append(body.Messages, begun, chatMessage{Role: "user", Content: goOn})
		}
	}
	if w.TopLogprobs > 0 {
		body.Logprobs, body.TopLogprobs = json.RawMessage("true"), w.TopLogprobs
	}
	body.Tools = chatTools(w.Tools)
	switch w.ToolChoice {
	case "":
	case "none", "required":
		body.ToolChoice, _ = json.Marshal(w.ToolChoice)
	default:
		name, _ := json.Marshal(w.ToolChoice)
		body.ToolChoice = json.RawMessage(`{"type":"function","function":{"name":` + string(name) + `}}`)
	}
	return body
}

// completions is the body of a request for a completion of plain text.
func (e Endpoint) completions(w wire) chatBody {
	body := e.openAI(w)
	prompt := plainPrompt(w.Messages, w.Prefix)
	body.Prompt = &prompt
	if w.TopLogprobs > 0 {
		body.Logprobs, _ = json.Marshal(w.TopLogprobs)
	}
	return body
}

// openAI returns a body with the fields that chat completions and completions of plain text have in common.
func (e Endpoint) openAI(w wire) chatBody {
	body := chatBody{
		Model: e.Model, Stop: w.Stop, Temperature: w.temperature(), Stream: !w.without.stream,
		Grammar: w.enforcement.Grammar,
	}
	if !w.without.streamOptions && body.Stream && e.Server != "mistral" { // Mistral counts tokens by default
		body.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if (e.ofOpenAI() && e.format() == FormatOpenAI) != w.without.maxTokens {
		body.MaxCompletionTokens = w.MaxTokens
	} else {
		body.MaxTokens = w.MaxTokens
	}
	if f := w.enforcement; w.caps.Choice == ChoiceStructured && (len(f.Choices) > 0 || f.Regex != "" || f.Grammar != "") {
		body.StructuredOutputs, body.Grammar = &structuredOutputs{f.Choices, f.Regex, f.Grammar}, ""
	}
	if schema := w.enforcement.Schema; len(schema) > 0 {
		format := responseFormat{Type: "json_schema"}
		format.JSONSchema.Name, format.JSONSchema.Strict, format.JSONSchema.Schema = "answer", true, schema
		body.ResponseFormat = &format
	}
	return body
}

func chatMessageOf(m Message, clear bool) chatMessage {
	out := chatMessage{Role: m.Role, Content: m.Content, ToolCallID: m.ToolCallID}
	for _, c := range m.ToolCalls {
		arguments, _ := json.Marshal(c.Arguments)
		call := chatToolCall{ID: c.ID, Type: "function", Function: chatFunction{c.Name, arguments}}
		if c.Opaque != nil && !clear {
			call.ExtraContent, call.ThoughtSignature = c.Opaque.ExtraContent, c.Opaque.ThoughtSignature
		}
		out.ToolCalls = append(out.ToolCalls, call)
	}
	if m.Opaque != nil && !clear {
		out.ReasoningContent, out.ReasoningDetails = m.Opaque.ReasoningContent, m.Opaque.ReasoningDetails
	}
	return out
}

func chatTools(tools []Tool) []chatTool {
	var out []chatTool
	for _, t := range tools {
		tool := chatTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.schema()
		out = append(out, tool)
	}
	return out
}

// schema returns the schema of a tool's parameters, by default that of an empty object.
func (t Tool) schema() json.RawMessage {
	if len(t.Parameters) > 0 {
		return t.Parameters
	}
	return json.RawMessage(`{"type":"object","properties":{}}`)
}

// object returns the arguments of a call as a JSON object, which is empty if the model did
// not write an object.
func (c ToolCall) object() json.RawMessage {
	text := strings.TrimSpace(c.Arguments)
	if strings.HasPrefix(text, "{") && isJSON(text) {
		return json.RawMessage(text)
	}
	return json.RawMessage("{}")
}

// openAIChunk is an event of a stream, or a complete answer.
type openAIChunk struct {
	Choices []struct {
		Delta        openAIMessage
		Message      openAIMessage
		Text         string
		FinishReason string          `json:"finish_reason"`
		StopReason   json.RawMessage `json:"stop_reason"` // vLLM: the stop text, or a token's number
		Logprobs     struct {
			Content       []openAILogprob
			Tokens        []string             // of completions
			TokenLogprobs []float64            `json:"token_logprobs"`
			TopLogprobs   []map[string]float64 `json:"top_logprobs"`
		}
	}
	Usage json.RawMessage
	Error json.RawMessage
}

type openAIMessage struct {
	Content          json.RawMessage // a text, or a list of parts
	Refusal          string
	ReasoningContent *string           `json:"reasoning_content"` // vLLM, llama.cpp, DeepSeek
	Reasoning        string            // OpenRouter, Groq
	ReasoningDetails []reasoningDetail `json:"reasoning_details"` // OpenRouter
	ToolCalls        []struct {
		Index    int
		ID       string
		Function struct {
			Name      string
			Arguments json.RawMessage
		}
		ExtraContent     json.RawMessage `json:"extra_content"`
		ThoughtSignature json.RawMessage `json:"thought_signature"`
	} `json:"tool_calls"`
}

type openAILogprob struct {
	Token       string
	Logprob     float64
	TopLogprobs []openAILogprob `json:"top_logprobs"`
}

// openAIEvent reads an event of a stream of either of OpenAI's formats, or a complete
// answer.
func openAIEvent(data string) []Delta {
	if strings.HasPrefix(data, "[DONE]") {
		return []Delta{{Done: true}}
	}
	var event openAIChunk
	if json.Unmarshal([]byte(data), &event) != nil {
		return []Delta{garbage(data)}
	}
	if present(event.Error) {
		return []Delta{{Fault: providerFault(data), Done: true}}
	}
	var d Delta
	d.count(event.Usage)
	if len(event.Choices) > 0 {
		choice := event.Choices[0]
		d.Text = choice.Text
		for i, m := range []openAIMessage{choice.Delta, choice.Message} {
			text, thought := contentOf(m.Content)
			d.Text += text + m.Refusal
			d.Refused = d.Refused || m.Refusal != ""
			d.think(thought, m)
			for n, c := range m.ToolCalls {
				if i == 1 { // a complete answer numbers none
					c.Index = n
				}
				arguments := textOf(c.Function.Arguments)
				if arguments == "" && present(c.Function.Arguments) && c.Function.Arguments[0] == '{' {
					arguments = string(c.Function.Arguments)
				}
				d.ToolCalls = append(d.ToolCalls, ToolCallDelta{c.Index, c.ID, c.Function.Name, arguments, opaqueCall(c.ExtraContent, c.ThoughtSignature)})
			}
		}
		d.Logprobs = logprobsOf(choice.Logprobs.Content)
		for i, token := range choice.Logprobs.Tokens {
			t := TokenLogprob{Token: token}
			if i < len(choice.Logprobs.TokenLogprobs) {
				t.Logprob = choice.Logprobs.TokenLogprobs[i]
			}
			if i < len(choice.Logprobs.TopLogprobs) {
				t.Top = sortedLogprobs(choice.Logprobs.TopLogprobs[i])
			}
			d.Logprobs = append(d.Logprobs, t)
		}
		if choice.FinishReason != "" {
			d.Reason, d.Done = openAIReason(choice.FinishReason), true
			d.Refused = d.Refused || choice.FinishReason == "content_filter"
			if d.Stop = textOf(choice.StopReason); d.Stop != "" {
				d.Reason = StopText
			}
		}
	}
	if d.isNothing() {
		return nil
	}
	return []Delta{d}
}

// count sets the usage. Some providers report the tokens of thoughts next to those of the answer, so
// that only the total contains both: xAI and Gemini's compatible endpoint.
func (d *Delta) count(raw json.RawMessage) {
	var usage struct {
		Prompt     int             `json:"prompt_tokens"`
		Completion int             `json:"completion_tokens"`
		Total      json.RawMessage `json:"total_tokens"`
	}
	if !present(raw) || json.Unmarshal(raw, &usage) != nil { // then the usage is estimated
		return
	}
	d.Usage = &Usage{Prompt: usage.Prompt, Completion: usage.Completion}
	total := 0
	if present(usage.Total) && json.Unmarshal(usage.Total, &total) == nil && usage.Prompt > 0 {
		d.hidden = max(min(total, maxUsage)-usage.Prompt-max(usage.Completion, 0), 0)
	}
}

// think adds the thoughts of a message, and the fields to send back.
func (d *Delta) think(thought string, m openAIMessage) {
	d.Thinking += thought
	if m.ReasoningContent != nil {
		d.Thinking += *m.ReasoningContent
	}
	d.Thinking += m.Reasoning
	if m.ReasoningContent != nil || m.ReasoningDetails != nil {
		d.opaque = &opaqueDelta{reasoning: m.ReasoningContent, details: m.ReasoningDetails}
	}
}

func opaqueCall(extra, signature json.RawMessage) *OpaqueCall {
	if o := (&OpaqueCall{extra, signature}); !o.isNothing() {
		return o
	}
	return nil
}

func openAIReason(name string) string {
	switch name {
	case "length":
		return StopLength
	case "tool_calls", "function_call":
		return StopTools
	}
	return StopEnd // "stop" is both a stop text and the end
}

// contentOf reads a text, or a list of parts some of which are thoughts.
func contentOf(raw json.RawMessage) (text, thought string) {
	if !present(raw) || raw[0] == '"' {
		return textOf(raw), ""
	}
	var parts []struct {
		Type     string
		Text     string
		Thinking json.RawMessage // a text, or a list of parts
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", ""
	}
	for _, p := range parts {
		text += p.Text
		inner, _ := contentOf(p.Thinking)
		thought += inner
	}
	return text, thought
}

func logprobsOf(list []openAILogprob) []TokenLogprob {
	var out []TokenLogprob
	for _, l := range list {
		out = append(out, TokenLogprob{l.Token, l.Logprob, logprobsOf(l.TopLogprobs)})
	}
	return out
}

// sortedLogprobs lists the tokens of a map, likeliest first.
func sortedLogprobs(m map[string]float64) []TokenLogprob {
	var out []TokenLogprob
	for token, p := range m {
		out = append(out, TokenLogprob{Token: token, Logprob: p})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Logprob != out[j].Logprob {
			return out[i].Logprob > out[j].Logprob
		}
		return out[i].Token < out[j].Token
	})
	return out
}
