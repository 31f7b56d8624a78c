package standin

import (
	"encoding/json"
	"fmt"
	"strings"
)

// providerChat is the format of chat completions with the fields of a provider.
type providerChat struct {
	chat
	p *Provider
}

// signature is the signature of all thoughts.
const signature = "c2lnbmVk"

// thoughtPieces splits thoughts into chunks of a stream, between characters.
func thoughtPieces(text string) []string {
	var out []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(len(runes), 120)
		out, runes = append(out, string(runes[:n])), runes[n:]
	}
	return out
}

// thought returns the fields of a piece of thoughts.
func (f providerChat) thought(text string) object {
	switch f.p.Thoughts {
	case ThoughtsContent, ThoughtsField:
		return object{f.p.Thoughts: text}
	case ThoughtsDetails:
		return object{"reasoning": text, "reasoning_details": []object{{"type": "reasoning.text", "text": text, "format": "anthropic-claude-v1", "index": 0}}}
	case ThoughtsParts:
		return object{"content": []object{{"type": "thinking", "thinking": []object{{"type": "text", "text": text}}}}}
	case ThoughtsInline:
		return object{"content": text}
	}
	return nil
}

// inlined returns the thoughts, within tags if the provider sends thoughts in the text. If cut is true, the
// thoughts are incomplete and the closing tag is missing.
func (f providerChat) inlined(thinking string, cut bool) string {
	switch {
	case f.p.Thoughts != ThoughtsInline || thinking == "":
		return thinking
	case cut:
		return "<think>\n" + thinking
	}
	return "<think>\n" + thinking + "\n</think>\n\n"
}

// call returns a call, complete or without its arguments.
func (f providerChat) call(c call, arguments string) object {
	out := object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": arguments}}
	if f.p.Wants == "extra_content" {
		out["extra_content"] = object{"google": object{"thought_signature": signature}}
	}
	return out
}

func (f providerChat) usage(out answer) object {
	usage := openAIUsage(out)
	if f.p.Thinks > 0 {
		thoughts := min(f.p.Thinks, out.completion)
		usage["completion_tokens_details"] = object{"reasoning_tokens": thoughts}
		if f.p.Beside {
			usage["completion_tokens"] = out.completion - thoughts
		}
	}
	return usage
}

func (f providerChat) reason(out answer) string {
	if f.p.Finish != "" && out.reason == "stop" {
		return f.p.Finish
	}
	return openAIReasons[out.reason]
}

func (f providerChat) complete(a ask, out answer) any {
	value := f.chat.complete(a, out).(object)
	choice := value["choices"].([]object)[0]
	message := choice["message"].(object)
	delete(message, "reasoning_content")
	cut := len(out.tokens)+len(out.calls) == 0
	if thinking := f.inlined(out.thinking, cut); thinking != "" {
		for key, field := range f.thought(thinking) {
			message[key] = field
		}
		switch f.p.Thoughts {
		case ThoughtsInline:
			message["content"] = thinking + out.text()
		case ThoughtsParts:
			message["content"] = append(message["content"].([]object), object{"type": "text", "text": out.text()})
		case ThoughtsDetails:
			message["reasoning_details"].([]object)[0]["signature"] = signature
		}
	}
	var calls []object
	for _, c := range out.calls {
		calls = append(calls, f.call(c, c.arguments))
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	choice["finish_reason"] = f.reason(out)
	if value["usage"] = f.usage(out); f.p.Usage == UsageMissing {
		delete(value, "usage")
	}
	return value
}

func (f providerChat) events(a ask, out answer) []string {
	var events []string
	chunk := func(choices []object, usage bool) {
		value := object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": created, "model": a.model, "choices": choices}
		if usage || f.p.Usage == UsageRunning {
			value["usage"] = f.usage(out)
		}
		events = append(events, sse(value))
	}
	add := func(delta object) {
		if len(events)%20 == 2 {
			events = append(events, f.p.Comments)
		}
		chunk([]object{{"index": 0, "delta": delta, "finish_reason": nil}}, false)
	}
	if f.p.First != "" {
		events = append(events, "data: "+f.p.First+"\n\n")
	}
	add(object{"role": "assistant", "content": ""})
	if f.p.Thoughts != ThoughtsHidden {
		for _, piece := range thoughtPieces(f.inlined(out.thinking, len(out.tokens)+len(out.calls) == 0)) {
			add(f.thought(piece))
		}
	}
	if f.p.Thoughts == ThoughtsDetails && out.thinking != "" {
		add(object{"reasoning_details": []object{{"type": "reasoning.text", "signature": signature, "format": "anthropic-claude-v1", "index": 0}}})
	}
	for _, t := range out.tokens {
		add(object{"content": t.text})
	}
	for i, c := range out.calls {
		begun := f.call(c, "")
		begun["index"] = i
		add(object{"tool_calls": []object{begun}})
		for _, part := range halves(c.arguments) {
			add(object{"tool_calls": []object{{"index": i, "function": object{"arguments": part}}}})
		}
	}
	choice := object{"index": 0, "delta": object{}, "finish_reason": f.reason(out)}
	if f.p.First != "" {
		choice["content_filter_results"] = json.RawMessage(strictFilter)
	}
	chunk([]object{choice}, f.p.Usage == UsageAlways)
	if f.p.Usage == UsageAsked && a.wantsUsage {
		chunk([]object{}, true)
	}
	return append(events, "data: [DONE]\n\n")
}

func (f providerChat) failure(r refusal) any {
	switch value := f.chat.failure(r); {
	case f.p.ListError:
		return []any{object{"error": object{"code": r.status, "message": r.message, "status": "INVALID_ARGUMENT"}}}
	case f.p.TextError:
		return object{"error": r.message}
	default:
		return value
	}
}

func (f providerChat) models(_ *exchange, _ []string) any {
	owner := map[string]string{"mistral": "mistralai", "lmstudio": "organization_owner"}[f.p.Server]
	if owner == "" {
		owner = f.p.Server
	}
	return object{"object": "list", "data": []object{{"id": f.p.Model, "object": "model", "created": created, "owned_by": owner}}}
}

// limited applies the limit of tokens to an answer of a provider that thinks first: the limit
// includes the thoughts.
func (p *Provider) limited(a ask, text string) answer {
	out := answer{reason: "stop"}
	if most := a.maxTokens; p.Thinks > 0 && most > 0 && most <= p.Thinks {
		out.thinking, out.reason, out.completion = musings(most), "length", most
		return out
	}
	if p.Thinks > 0 {
		out.thinking = musings(p.Thinks)
		if a.maxTokens > 0 {
			a.maxTokens -= p.Thinks
		}
	}
	if strings.HasPrefix(text, "{") { // the object that the schema asks for
		a.schema = nil
	}
	said := a.say(text)
	out.tokens, out.reason, out.sequence = said.tokens, said.reason, said.sequence
	out.completion = p.Thinks + len(out.tokens)
	return out
}

// musings returns thoughts of about a number of tokens. Their numbers are no choice, and their
// marks no states.
func musings(tokens int) string {
	const about = "Is it 1 or 2? I look at [Answer] again… "
	return strings.TrimSpace(strings.Repeat(about, max(1, tokens*4/len(about))))
}

func (p *Provider) callID(n int) string {
	if p.IDs == "" {
		return fmt.Sprintf("call_%d", n)
	}
	return fmt.Sprintf(p.IDs, n)
}
