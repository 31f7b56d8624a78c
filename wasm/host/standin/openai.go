package standin

import (
	"encoding/json"
	"fmt"
	"strings"
)

// created is the timestamp of every answer.
const created = 1_700_000_000

// chat is OpenAI's format of chat completions, with the fields of vLLM, llama.cpp
// and Mistral.
type chat struct{}

// openAIRequest is a request in either OpenAI format.
type openAIRequest struct {
	Model    string
	Messages []struct {
		Role    string
		Content *text
		Prefix  bool
	}
	Prompt        text
	Stream        bool
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Stop                stops
	MaxTokens           int `json:"max_tokens"`
	MaxCompletionTokens int `json:"max_completion_tokens"`
	Logprobs            json.RawMessage
	TopLogprobs         int `json:"top_logprobs"`
	Tools               []struct {
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
	ToolChoice     json.RawMessage `json:"tool_choice"`
	ResponseFormat struct {
		Type       string
		JSONSchema struct{ Schema json.RawMessage } `json:"json_schema"`
	} `json:"response_format"`
	Grammar           string
	StructuredOutputs struct {
		Choice         []string
		Regex, Grammar string
	} `json:"structured_outputs"`
	ContinueFinalMessage bool `json:"continue_final_message"`
}

// stops is one text or several.
type stops []string

// UnmarshalJSON implements [json.Unmarshaler].
func (s *stops) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*s = stops{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(s))
}

func (r openAIRequest) ask(body []byte) ask {
	a := ask{
		model: r.Model, stream: r.Stream, stops: r.Stop, maxTokens: max(r.MaxTokens, r.MaxCompletionTokens),
		wantsUsage: r.StreamOptions.IncludeUsage, schema: r.ResponseFormat.JSONSchema.Schema, regex: r.StructuredOutputs.Regex,
		fields: fieldsOf(body),
	}
	switch {
	case len(r.StructuredOutputs.Choice) > 0:
		a.choices = r.StructuredOutputs.Choice
	case r.Grammar != "":
		a.choices = alternativesOf(r.Grammar)
	case r.StructuredOutputs.Grammar != "":
		a.choices = alternativesOf(r.StructuredOutputs.Grammar)
	}
	return a
}

func (chat) read(body []byte) (ask, error) {
	var r openAIRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return ask{}, err
	}
	a := r.ask(body)
	for i, m := range r.Messages {
		content := ""
		if m.Content != nil {
			content = string(*m.Content)
		}
		if i == len(r.Messages)-1 && m.Role == "assistant" {
			a.prefix, a.echo = content, m.Prefix
			if m.Prefix {
				a.fields = append(a.fields, "prefix")
			}
			continue
		}
		a.turns = append(a.turns, turn{m.Role, content})
	}
	if string(r.Logprobs) == "true" {
		a.logprobs = max(r.TopLogprobs, 1)
	}
	for _, t := range r.Tools {
		a.tools = append(a.tools, tool{t.Function.Name, t.Function.Parameters})
	}
	if len(r.ToolChoice) > 0 && json.Unmarshal(r.ToolChoice, &a.toolChoice) != nil {
		var named struct{ Function struct{ Name string } }
		if err := json.Unmarshal(r.ToolChoice, &named); err != nil {
			return a, err
		}
		a.toolChoice = named.Function.Name
	}
	if a.toolChoice == "auto" {
		a.toolChoice = ""
	}
	return a, nil
}

func (chat) contentType() string { return "text/event-stream" }

var openAIReasons = map[string]string{"stop": "stop", "sequence": "stop", "length": "length", "tools": "tool_calls"}

func (chat) logprobs(a ask, tokens []token) any {
	if a.logprobs == 0 || len(tokens) == 0 {
		return nil
	}
	content := []object{}
	for _, t := range tokens {
		top := []object{}
		for _, o := range t.top {
			top = append(top, object{"token": o.text, "logprob": o.logprob, "bytes": octets(o.text)})
		}
		content = append(content, object{"token": t.text, "logprob": t.logprob, "bytes": octets(t.text), "top_logprobs": top})
	}
	return object{"content": content, "refusal": nil}
}

func octets(s string) []int {
	out := []int{}
	for _, b := range []byte(s) {
		out = append(out, int(b))
	}
	return out
}

func openAIUsage(out answer) object {
	return object{"prompt_tokens": out.prompt, "completion_tokens": out.completion, "total_tokens": out.prompt + out.completion}
}

func (f chat) complete(a ask, out answer) any {
	message := object{"role": "assistant", "content": out.text(), "refusal": nil}
	if out.thinking != "" {
		message["reasoning_content"] = out.thinking
	}
	if len(out.calls) > 0 {
		message["content"] = nil
		calls := []object{}
		for _, c := range out.calls {
			calls = append(calls, object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.arguments}})
		}
		message["tool_calls"] = calls
	}
	choice := object{"index": 0, "message": message, "finish_reason": openAIReasons[out.reason], "logprobs": f.logprobs(a, out.tokens)}
	if out.sequence != "" {
		choice["stop_reason"] = out.sequence
	}
	return object{"id": "chatcmpl-1", "object": "chat.completion", "created": created, "model": a.model, "choices": []object{choice}, "usage": openAIUsage(out)}
}

func (f chat) events(a ask, out answer) []string {
	var events []string
	add := func(delta object, reason any, logprobs any) {
		choice := object{"index": 0, "delta": delta, "finish_reason": reason}
		if logprobs != nil {
			choice["logprobs"] = logprobs
		}
		if reason != nil && out.sequence != "" {
			choice["stop_reason"] = out.sequence
		}
		events = append(events, sse(object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": created, "model": a.model, "choices": []object{choice}}))
	}
	add(object{"role": "assistant", "content": ""}, nil, nil)
	if out.thinking != "" {
		add(object{"reasoning_content": out.thinking}, nil, nil)
	}
	for _, t := range out.tokens {
		add(object{"content": t.text}, nil, f.logprobs(a, []token{t}))
	}
	for i, c := range out.calls {
		add(object{"tool_calls": []object{{"index": i, "id": c.id, "type": "function", "function": object{"name": c.name, "arguments": ""}}}}, nil, nil)
		for _, part := range halves(c.arguments) {
			add(object{"tool_calls": []object{{"index": i, "function": object{"arguments": part}}}}, nil, nil)
		}
	}
	add(object{}, openAIReasons[out.reason], nil)
	if a.wantsUsage {
		events = append(events, sse(object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": created, "model": a.model, "choices": []object{}, "usage": openAIUsage(out)}))
	}
	return append(events, ": a comment\n\n", "data: [DONE]\n\n")
}

// halves splits a text in two between characters.
func halves(s string) []string {
	r := []rune(s)
	return []string{string(r[:len(r)/2]), string(r[len(r)/2:])}
}

func (chat) failure(r refusal) any {
	return object{"error": object{"message": r.message, "type": r.kind, "code": r.kind, "param": nil}}
}

func (f chat) failureEvent(r refusal) string { return sse(f.failure(r)) }

func (chat) garbage() string { return "data: {\"choices\": [{\"delta\": garbage\n\n" }

func (chat) noModel(name string) refusal {
	return refusal{404, "model_not_found", fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", name)}
}

func (chat) models(x *exchange, names []string) any {
	owner := map[string]string{"vllm": "vllm", "llamacpp": "llamacpp", "mistral": "mistralai"}[x.options["server"]]
	if owner == "" {
		owner = "standin"
	}
	data := []object{}
	for _, n := range names {
		data = append(data, object{
			"id": n, "object": "model", "created": created, "owned_by": owner, // OpenAI
			"type": "model", "display_name": strings.ToUpper(n[:1]) + n[1:], "created_at": "2023-11-14T22:13:20Z", // Anthropic
		})
	}
	out := object{"object": "list", "data": data, "has_more": false, "first_id": nil, "last_id": nil}
	if len(names) > 0 {
		out["first_id"], out["last_id"] = names[0], names[len(names)-1]
	}
	return out
}

// completions is OpenAI's format of completions of plain text. The prompt ends with the beginning
// of the answer.
type completions struct{ chat }

func (completions) read(body []byte) (ask, error) {
	var r openAIRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return ask{}, err
	}
	a := r.ask(body)
	a.turns, a.prefix = splitPrompt(string(r.Prompt))
	if len(r.Logprobs) > 0 {
		if err := json.Unmarshal(r.Logprobs, &a.logprobs); err != nil {
			return a, err
		}
	}
	return a, nil
}

// splitPrompt splits off the last paragraph of a prompt, which in prompts for completions is the
// beginning of the answer.
func splitPrompt(prompt string) (turns []turn, prefix string) {
	if i := strings.LastIndex(prompt, "\n\n"); i >= 0 {
		prompt, prefix = prompt[:i], prompt[i+2:]
	}
	return []turn{{"user", prompt}}, strings.TrimPrefix(prefix, "Assistant: ")
}

func (completions) logprobs(a ask, tokens []token) any {
	if a.logprobs == 0 {
		return nil
	}
	texts, values, tops, offsets := []string{}, []float64{}, []object{}, []int{}
	for _, t := range tokens {
		top := object{}
		for _, o := range t.top {
			top[o.text] = o.logprob
		}
		texts, values, tops, offsets = append(texts, t.text), append(values, t.logprob), append(tops, top), append(offsets, 0)
	}
	return object{"tokens": texts, "token_logprobs": values, "top_logprobs": tops, "text_offset": offsets}
}

func (f completions) choice(a ask, tokens []token, reason any) object {
	text := ""
	for _, t := range tokens {
		text += t.text
	}
	return object{"id": "cmpl-1", "object": "text_completion", "created": created, "model": a.model,
		"choices": []object{{"index": 0, "text": text, "logprobs": f.logprobs(a, tokens), "finish_reason": reason}}}
}

func (f completions) complete(a ask, out answer) any {
	o := f.choice(a, out.tokens, openAIReasons[out.reason])
	o["usage"] = openAIUsage(out)
	return o
}

func (f completions) events(a ask, out answer) []string {
	var events []string
	for _, t := range out.tokens {
		events = append(events, sse(f.choice(a, []token{t}, nil)))
	}
	events = append(events, sse(f.choice(a, nil, openAIReasons[out.reason])))
	if a.wantsUsage {
		events = append(events, sse(object{"id": "cmpl-1", "object": "text_completion", "created": created, "model": a.model, "choices": []object{}, "usage": openAIUsage(out)}))
	}
	return append(events, "data: [DONE]\n\n")
}
