package standin

import (
	"encoding/json"
	"fmt"
)

// ollama is Ollama's format of chats, or of completions.
type ollama struct{ generate bool }

func (f ollama) read(body []byte) (ask, error) {
	var r struct {
		Model    string
		Messages []struct {
			Role, Content string
		}
		Prompt, System string
		Raw            bool
		Stream         *bool
		Format         json.RawMessage
		Tools          []struct {
			Function struct {
				Name       string
				Parameters json.RawMessage
			}
		}
		Logprobs    bool
		TopLogprobs int `json:"top_logprobs"`
		Options     struct {
			NumPredict int `json:"num_predict"`
			Stop       stops
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return ask{}, err
	}
	a := ask{
		model: r.Model, stream: r.Stream == nil || *r.Stream, stops: r.Options.Stop, maxTokens: max(r.Options.NumPredict, 0),
		wantsUsage: true, fields: fieldsOf(body),
	}
	if len(r.Format) > 0 && r.Format[0] == '{' {
		a.schema = r.Format
	}
	if r.Logprobs {
		a.logprobs = max(r.TopLogprobs, 1)
	}
	if f.generate {
		if r.System != "" {
			a.turns = append(a.turns, turn{"system", r.System})
		}
		if r.Raw {
			a.turns, a.prefix = splitPrompt(r.Prompt)
			a.fields = append(a.fields, "raw")
		} else {
			a.turns = append(a.turns, turn{"user", r.Prompt})
		}
		return a, nil
	}
	for _, m := range r.Messages {
		a.turns = append(a.turns, turn{m.Role, m.Content})
	}
	for _, t := range r.Tools {
		a.tools = append(a.tools, tool{t.Function.Name, t.Function.Parameters})
	}
	return a, nil
}

func (ollama) contentType() string { return "application/x-ndjson" }

// line is one value of a reply.
func (f ollama) line(a ask, thinking, text string, calls []call, tokens []token) object {
	o := object{"model": a.model, "created_at": "2023-11-14T22:13:20.5Z", "done": false}
	if f.generate {
		o["response"] = text
		if thinking != "" {
			o["thinking"] = thinking
		}
	} else {
		message := object{"role": "assistant", "content": text}
		if thinking != "" {
			message["thinking"] = thinking
		}
		var wanted []object
		for _, c := range calls {
			wanted = append(wanted, object{"function": object{"name": c.name, "arguments": json.RawMessage(c.arguments)}})
		}
		if len(wanted) > 0 {
			message["tool_calls"] = wanted
		}
		o["message"] = message
	}
	if a.logprobs > 0 && len(tokens) > 0 {
		content := []object{}
		for _, t := range tokens {
			top := []object{}
			for _, other := range t.top {
				top = append(top, object{"token": other.text, "logprob": other.logprob, "bytes": octets(other.text)})
			}
			content = append(content, object{"token": t.text, "logprob": t.logprob, "bytes": octets(t.text), "top_logprobs": top})
		}
		o["logprobs"] = content
	}
	return o
}

func (ollama) finish(o object, out answer) object {
	o["done"] = true
	o["done_reason"] = map[bool]string{true: "length", false: "stop"}[out.reason == "length"]
	o["prompt_eval_count"], o["eval_count"] = out.prompt, out.completion
	for _, name := range []string{"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"} {
		o[name] = 1_000_000
	}
	return o
}

func (f ollama) complete(a ask, out answer) any {
	return f.finish(f.line(a, out.thinking, out.text(), out.calls, out.tokens), out)
}

func (f ollama) events(a ask, out answer) []string {
	var events []string
	add := func(o object) { events = append(events, marshal(o)+"\n") }
	if out.thinking != "" {
		add(f.line(a, out.thinking, "", nil, nil))
	}
	for _, t := range out.tokens {
		add(f.line(a, "", t.text, nil, []token{t}))
	}
	for _, c := range out.calls {
		add(f.line(a, "", "", []call{c}, nil))
	}
	add(f.finish(f.line(a, "", "", nil, nil), out))
	return events
}

func (ollama) failure(r refusal) any {
	message := r.message
	if r.kind == "insufficient_quota" {
		message = "insufficient_quota: " + message
	}
	return object{"error": message}
}

func (f ollama) failureEvent(r refusal) string { return marshal(f.failure(r)) + "\n" }

func (ollama) garbage() string { return "{\"message\": garbage\n" }

func (ollama) noModel(name string) refusal {
	return refusal{404, "", fmt.Sprintf("model %q not found, try pulling it first", name)}
}

func (ollama) models(_ *exchange, names []string) any {
	models := []object{}
	for _, n := range names {
		models = append(models, object{
			"name": n, "model": n, "modified_at": "2023-11-14T22:13:20.5Z", "size": 1000, "digest": "0",
			"details": object{"format": "gguf", "family": "standin", "parameter_size": "1B", "quantization_level": "Q4_0"},
		})
	}
	return object{"models": models}
}
