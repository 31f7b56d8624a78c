package standin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Provider simulates one provider: a server that answers in the provider's wire format, supports its
// own fields, and refuses the requests that the provider refuses. The option provider=ID
// selects a provider. The simulated model is cooperative: see [exchange.act].
type Provider struct {
	Name   string // in the table of providers
	ID     string // value of the option
	Format string // of package llm
	Server string // of package llm; "": unknown
	Base   string // the path below which its requests go
	Model  string
	Note   string // the simulated behaviour, for the table

	KeyHeader string // instead of Authorization
	Thinks    int    // tokens of thoughts before each answer, which the limit of tokens includes
	Thoughts  string // one of the constants below
	Wants     string // field of an answer with calls that later requests must repeat
	Refuses   []RefusedField
	Ignores   []string // request fields that have no effect
	Usage     string   // one of the usage constants
	Beside    bool     // the count of an answer's tokens excludes its thoughts; only the total includes them
	Effort    string   // effort of the endpoint in the table; "": none
	Calls     int      // most calls in one answer; 0: two
	Finish    string   // reason of a complete answer, instead of "stop"
	Comments  string   // comment between events
	First     string   // event before the others
	IDs       string   // pattern of the identifiers of calls: "%d" is the number
	ListError bool     // errors are in a list
	TextError bool     // errors are a text
}

// RefusedField is a field of requests that a provider refuses with the message Says and status 400. A number
// at the start of Says replaces the status.
type RefusedField struct {
	Field string
	Says  string
	// Only limits the refusal to some values: "not 1" to values other than 1, any other text to values that
	// contain it, such as "json_schema"; "" refuses every value.
	Only string
}

// The parts of an answer that can contain the model's thoughts.
const (
	ThoughtsHidden  = ""                  // only counted
	ThoughtsContent = "reasoning_content" // DeepSeek, xAI, vLLM, llama.cpp
	ThoughtsField   = "reasoning"         // Groq, Cerebras
	ThoughtsDetails = "reasoning_details" // OpenRouter
	ThoughtsInline  = "inline"            // <think>…</think> in the text
	ThoughtsParts   = "parts"             // Mistral: the content is a list of parts
	ThoughtsBlocks  = "blocks"            // Anthropic and Ollama: those of the format
)

// Ways to report usage.
const (
	UsageAsked   = ""        // in an event at the end, if requested
	UsageAlways  = "always"  // in the last event with a choice
	UsageRunning = "running" // in every event
	UsageMissing = "missing"
)

// limits returns the refusal of a field that OpenAI's reasoning models do not support; instead names the
// field to use, or is "".
func limits(field, instead string) RefusedField {
	says := fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model.", field)
	if instead != "" {
		says += fmt.Sprintf(" Use '%s' instead.", instead)
	}
	return RefusedField{Field: field, Says: says}
}

var onlyDefaultTemperature = RefusedField{
	Field: "temperature", Only: "not 1",
	Says: "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
}

const strictFilter = `{"hate":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}`

var providers = []Provider{
	{Name: "OpenAI", ID: "openai", Format: "openai", Server: "openai", Base: "/v1", Model: "gpt-6-luna",
		Note: "thinks out of sight; refuses `max_tokens`, `temperature`, `stop`", Thinks: 256,
		Refuses: []RefusedField{limits("max_tokens", "max_completion_tokens"), onlyDefaultTemperature, limits("stop", ""), limits("logprobs", "")}, IDs: "call_5bGc9Rr1XnQ2Lw%d"},
	{Name: "OpenAI (Responses)", ID: "responses", Format: "responses", Server: "openai", Base: "/v1", Model: "gpt-6-luna",
		Note: "reasoning items, must be returned with their calls; refuses `temperature`; no stop texts", Thinks: 256, Thoughts: ThoughtsBlocks, Wants: "reasoning",
		Refuses: []RefusedField{{Field: "temperature", Only: "not 1", Says: "Unsupported parameter: 'temperature' is not supported with this model."}}, IDs: "call_f8Qm%d"},
	{Name: "Azure OpenAI", ID: "azure", Format: "openai", Server: "azure", Base: "/openai/v1", Model: "gpt-6-luna",
		Note: "key in the header `api-key`; an event without choices first; filter results", KeyHeader: "Api-Key",
		First: `{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + strictFilter + `}]}`, IDs: "call_8FhQ0x%d"},
	{Name: "Anthropic", ID: "anthropic", Format: "anthropic", Server: "anthropic", Base: "/v1", Model: "claude-sonnet-5",
		Note: "thinking blocks with signatures, must be returned; no prefill", Thinks: 256, Thoughts: ThoughtsBlocks, Wants: "thinking",
		Refuses: []RefusedField{{Field: "temperature", Only: "not 1", Says: "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode."}}, IDs: "toolu_01A09q90qw90lq91781%d"},
	{Name: "Anthropic (adaptive thinking)", ID: "anthropic-adaptive", Format: "anthropic", Server: "anthropic", Base: "/v1", Model: "claude-opus-4-7", Effort: "high",
		Note: "refuses a budget for thoughts, at effort `high`; thinking blocks with signatures, must be returned; no prefill", Thinks: 256, Thoughts: ThoughtsBlocks, Wants: "thinking",
		Refuses: []RefusedField{
			{Field: "thinking", Only: `"enabled"`, Says: `"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`},
			{Field: "temperature", Only: "not 1", Says: "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode."},
		}, IDs: "toolu_01B19q90qw90lq91781%d"},
	{Name: "Gemini (OpenAI-compatible)", ID: "gemini-openai", Format: "openai", Server: "gemini", Base: "/v1beta/openai", Model: "gemini-3-pro-preview",
		Note: "signature of thoughts in `extra_content`, must be returned; only the total counts the thoughts; errors in a list", Thinks: 512, Wants: "extra_content", Usage: UsageRunning, Beside: true, ListError: true,
		Refuses: []RefusedField{{Field: "logprobs", Says: "Invalid JSON payload received. Unknown name \"logprobs\": Cannot find field."}}, IDs: "function-call-%d"},
	{Name: "Gemini", ID: "gemini", Format: "gemini", Server: "gemini", Base: "/v1beta", Model: "gemini-3-pro-preview",
		Note: "parts with `thoughtSignature`, must be returned; refuses unknown fields; calls without identifiers", Thinks: 512, Thoughts: ThoughtsBlocks, Wants: "thoughtSignature"},
	{Name: "Amazon Bedrock (gateway)", ID: "bedrock", Format: "bedrock", Base: "/model", Model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
		Note: "ConverseStream, in binary frames; signed `reasoningContent`, must be returned; roles alternate", Thinks: 256, Thoughts: ThoughtsBlocks, Wants: "reasoningContent", IDs: "tooluse_kZJMlvQm%d"},
	{Name: "DeepSeek", ID: "deepseek", Format: "openai", Server: "deepseek", Base: "/v1", Model: "deepseek-reasoner",
		Note: "`reasoning_content`, must be returned; keep-alive comments; refuses JSON Schema", Thinks: 800, Thoughts: ThoughtsContent, Wants: "reasoning_content", Usage: UsageAlways, Comments: ": keep-alive\n\n",
		Refuses: []RefusedField{{Field: "response_format", Only: "json_schema", Says: "This response_format type is unavailable now, it is not supported"}}, IDs: "call_00_Vb%d"},
	{Name: "xAI", ID: "xai", Format: "openai", Server: "xai", Base: "/v1", Model: "grok-4",
		Note: "`reasoning_content`; refuses `stop`; usage in every event, only the total counts the thoughts", Thinks: 300, Thoughts: ThoughtsContent, Usage: UsageRunning, Beside: true,
		Refuses: []RefusedField{{Field: "stop", Says: "Argument not supported on this model: stop"}, {Field: "logprobs", Says: "Argument not supported on this model: logprobs"}}, IDs: "call_4217%d"},
	{Name: "Mistral", ID: "mistral", Format: "openai", Server: "mistral", Base: "/v1", Model: "magistral-medium-latest",
		Note: "thoughts as parts of the content; refuses unknown fields; identifiers of nine letters", Thinks: 400, Thoughts: ThoughtsParts, Usage: UsageAlways,
		Refuses: []RefusedField{
			{Field: "stream_options", Says: "422 body.stream_options: Extra inputs are not permitted"},
			{Field: "logprobs", Says: "422 body.logprobs: Extra inputs are not permitted"},
		}, IDs: "D681PevK%d"},
	{Name: "Groq", ID: "groq", Format: "openai", Server: "groq", Base: "/openai/v1", Model: "llama-3.3-70b-versatile",
		Note: "`reasoning`; one call a turn; refuses JSON Schema", Thinks: 128, Thoughts: ThoughtsField, Calls: 1,
		Refuses: []RefusedField{{Field: "response_format", Only: "json_schema", Says: "This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models"}}, IDs: "call_d5wg%d"},
	{Name: "OpenRouter", ID: "openrouter", Format: "openai", Server: "openrouter", Base: "/api/v1", Model: "anthropic/claude-sonnet-5",
		Note: "`reasoning_details`, must be returned; comments while it waits", Thinks: 300, Thoughts: ThoughtsDetails, Wants: "reasoning_details", Comments: ": OPENROUTER PROCESSING\n\n", Usage: UsageAlways, IDs: "toolu_vrtx_%d"},
	{Name: "Together", ID: "together", Format: "openai", Server: "together", Base: "/v1", Model: "deepseek-ai/DeepSeek-R1",
		Note: "thoughts in the text, between tags; reason `eos`", Thinks: 300, Thoughts: ThoughtsInline, Usage: UsageAlways, Finish: "eos", IDs: "call_ygj%d"},
	{Name: "Fireworks", ID: "fireworks", Format: "openai", Server: "fireworks", Base: "/inference/v1", Model: "accounts/fireworks/models/qwen3-235b-a22b",
		Note: "`reasoning_content` and a small limit; usage at the end", Thinks: 200, Thoughts: ThoughtsContent, Usage: UsageAlways, IDs: "call_fw%d"},
	{Name: "Cerebras", ID: "cerebras", Format: "openai", Server: "cerebras", Base: "/v1", Model: "gpt-oss-120b",
		Note: "`reasoning`; refuses JSON Schema in a stream", Thinks: 64, Thoughts: ThoughtsField,
		Refuses: []RefusedField{{Field: "response_format", Only: "json_schema", Says: "422 response_format of type json_schema is not supported with stream"}}, IDs: "6b8e1%d"},
	{Name: "Hugging Face router", ID: "huggingface", Format: "openai", Server: "huggingface", Base: "/v1", Model: "meta-llama/Llama-3.3-70B-Instruct",
		Note: "no usage; one call a turn; errors as a text", Usage: UsageMissing, Calls: 1, TextError: true,
		Refuses: []RefusedField{{Field: "stream_options", Says: "422 unknown field `stream_options`"}}, IDs: "0%d"},
	{Name: "Ollama", ID: "ollama", Format: "ollama", Server: "ollama", Base: "/api", Model: "qwen3:8b",
		Note: "a line of JSON for each piece; thoughts in `thinking`; calls without identifiers", Thinks: 400, Thoughts: ThoughtsBlocks},
	{Name: "llama.cpp", ID: "llamacpp", Format: "openai", Server: "llamacpp", Base: "/v1", Model: "default",
		Note: "enforces grammars; continues a begun answer; `reasoning_content`", Thinks: 100, Thoughts: ThoughtsContent, Usage: UsageAlways, IDs: "Fq2a%d"},
	{Name: "llama.cpp without `--jinja`", ID: "llamacpp-plain", Format: "openai", Server: "llamacpp", Base: "/v1", Model: "default",
		Note: "thoughts in the text, between tags; no tools", Thinks: 100, Thoughts: ThoughtsInline, Usage: UsageAlways,
		Refuses: []RefusedField{{Field: "tools", Says: "500 tools param requires --jinja flag"}}},
	{Name: "vLLM", ID: "vllm", Format: "openai", Server: "vllm", Base: "/v1", Model: "Qwen/Qwen3-8B",
		Note: "enforces choices and grammars; continues a begun answer; `reasoning_content`", Thinks: 300, Thoughts: ThoughtsContent, IDs: "chatcmpl-tool-%d"},
	{Name: "vLLM without parsers", ID: "vllm-plain", Format: "openai", Server: "vllm", Base: "/v1", Model: "Qwen/Qwen3-8B",
		Note: "thoughts in the text, between tags; tools need a parser", Thinks: 300, Thoughts: ThoughtsInline,
		Refuses: []RefusedField{{Field: "tools", Says: "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}}},
	{Name: "LM Studio", ID: "lmstudio", Format: "openai", Server: "lmstudio", Base: "/v1", Model: "qwen/qwen3-8b",
		Note: "thoughts in the text, between tags; no usage", Thinks: 300, Thoughts: ThoughtsInline, Usage: UsageMissing, IDs: "36510%d"},
	{Name: "vLLM, completions", ID: "completions", Format: "completions", Server: "vllm", Base: "/v1", Model: "base",
		Note: "continues plain text; no tools"},
}

// Providers returns the table of providers.
func Providers() []Provider { return slices.Clone(providers) }

// provider returns the provider that the request's options select, or nil.
func (x *exchange) provider() *Provider {
	i := slices.IndexFunc(providers, func(p Provider) bool { return p.ID == x.options["provider"] })
	if i < 0 {
		return nil
	}
	return &providers[i]
}

// path maps the path of a request to the provider to the path that this package serves. It returns "" for a
// path that is not below the provider's base path.
func (p *Provider) path(path string) string {
	rest, ok := strings.CutPrefix(path, p.Base+"/")
	switch {
	case !ok:
		return ""
	case slices.Contains([]string{"openai", "completions", "responses", "anthropic"}, p.Format):
		return "/v1/" + rest
	}
	return path
}

// formatOf returns the provider's wire format for a path, or nil.
func (p *Provider) formatOf(path string) format {
	switch f := formatOf(p.path(path)).(type) {
	case chat:
		return providerChat{chat: f, p: p}
	case anyModels:
		if p.Format == "anthropic" {
			return anthropic{}
		}
		return providerChat{chat: f.chat, p: p}
	default:
		return f
	}
}

// refuse returns the provider's refusal of a request, or nil.
func (p *Provider) refuse(body []byte) *refusal {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return nil
	}
	for _, r := range p.Refuses {
		value, sent := fields[r.Field]
		if !sent || r.Only == "not 1" && string(value) == "1" || r.Only != "" && r.Only != "not 1" && !strings.Contains(string(value), r.Only) {
			continue
		}
		status, says := 400, r.Says
		if n, err := fmt.Sscanf(says, "%d ", &status); n == 1 && err == nil {
			_, says, _ = strings.Cut(says, " ")
		}
		return &refusal{status, "invalid_request_error", says}
	}
	if r := p.refuseParts(fields); r != nil {
		return r
	}
	return p.refuseConversation(fields)
}

// refuseParts is [Provider.refuseConversation] for formats other than messages.
func (p *Provider) refuseParts(fields map[string]json.RawMessage) *refusal {
	// part is an item of Responses, a part of Gemini's turn, or a block of Bedrock's message.
	type part struct {
		Type, ID         string
		ToolUse          json.RawMessage
		ReasoningContent json.RawMessage
		FunctionCall     json.RawMessage
		ThoughtSignature string
	}
	var turns []struct {
		part
		Role           string
		Parts, Content json.RawMessage
	}
	list := map[string]string{"responses": "input", "gemini": "contents", "bedrock": "messages"}[p.Format]
	if json.Unmarshal(fields[list], &turns) != nil {
		return nil
	}
	says, reasoned := "", false
	for i, t := range turns {
		var parts []part
		_ = json.Unmarshal(t.Parts, &parts)
		_ = json.Unmarshal(t.Content, &parts) // a text has no parts
		first := slices.IndexFunc(parts, func(p part) bool { return len(p.FunctionCall)+len(p.ToolUse) > 0 })
		switch {
		case p.Format == "responses" && t.Type == "function_call" && !reasoned:
			says = fmt.Sprintf("Item '%s' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.", t.ID)
		case p.Format == "gemini" && first >= 0 && parts[first].ThoughtSignature != signature:
			says = "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly."
		case p.Format == "bedrock" && first >= 0 && !strings.Contains(string(parts[0].ReasoningContent), signature):
			says = fmt.Sprintf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.", i)
		}
		if says != "" {
			return &refusal{400, "invalid_request_error", says}
		}
		reasoned = t.Type == "reasoning" || reasoned && t.Role == "" && t.Type != "function_call_output"
	}
	return nil
}

// refuseConversation returns the refusal of chat messages that lack a field which the provider requires back,
// or that contain a field which it does not accept.
func (p *Provider) refuseConversation(fields map[string]json.RawMessage) *refusal {
	var messages []struct {
		Role             string
		Content          json.RawMessage
		ReasoningContent *string         `json:"reasoning_content"`
		ReasoningDetails json.RawMessage `json:"reasoning_details"`
		ToolCalls        []struct {
			ID           string
			ExtraContent struct {
				Google struct {
					ThoughtSignature string `json:"thought_signature"`
				}
			} `json:"extra_content"`
		} `json:"tool_calls"`
	}
	if json.Unmarshal(fields["messages"], &messages) != nil {
		return nil
	}
	says := ""
	for i, m := range messages {
		calls := len(m.ToolCalls) > 0
		switch {
		case p.Format == "anthropic" && m.Role == "assistant" && i == len(messages)-1:
			says = "This model does not support assistant message prefill. The conversation must end with a user message."
		case p.Wants == "thinking" && m.Role == "assistant" && strings.Contains(string(m.Content), `"tool_use"`) && !strings.Contains(string(m.Content), `"signature":"c2lnbmVk"`):
			says = fmt.Sprintf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.", i)
		case p.Wants == "reasoning_content" && calls && m.ReasoningContent == nil:
			says = fmt.Sprintf("Missing `reasoning_content` field in the assistant message at message index %d.", i)
		case p.Wants == "reasoning_details" && calls && !strings.Contains(string(m.ReasoningDetails), `"signature":"c2lnbmVk"`):
			says = "reasoning_details are required for tool use"
		case p.Wants == "extra_content" && calls && m.ToolCalls[0].ExtraContent.Google.ThoughtSignature != "c2lnbmVk":
			says = "Function call is missing a thought_signature in functionCall parts."
		case p.ID == "mistral" && calls && len(m.ToolCalls[0].ID) != 9:
			says = fmt.Sprintf("Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9.", m.ToolCalls[0].ID)
		}
		if says != "" {
			return &refusal{400, "invalid_request_error", says}
		}
	}
	return nil
}
