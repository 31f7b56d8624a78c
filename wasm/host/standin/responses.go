package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// responses is OpenAI's format of responses.
type responses struct{ chat }

func (responses) read(body []byte) (ask, error) {
	var r struct {
		Model           string
		Instructions    string
		Input           responsesInput
		MaxOutputTokens int `json:"max_output_tokens"`
		Stream          bool
		Store           *bool
		Include         []string
		TopLogprobs     int `json:"top_logprobs"`
		Text            struct {
			Format struct{ Schema json.RawMessage }
		}
		Tools []struct {
			Type, Name string
			Parameters json.RawMessage
			Format     struct{ Type, Syntax, Definition string }
		}
		ToolChoice json.RawMessage `json:"tool_choice"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return ask{}, err
	}
	a := ask{model: r.Model, stream: r.Stream, maxTokens: r.MaxOutputTokens, schema: r.Text.Format.Schema, logprobs: r.TopLogprobs, fields: fieldsOf(body)}
	if r.Instructions != "" {
		a.turns = append(a.turns, turn{"system", r.Instructions})
	}
	for i, item := range r.Input {
		if item.Type == "reasoning" && item.EncryptedContent == "" && r.Store != nil && !*r.Store {
			return a, fmt.Errorf("input[%d]: item %q not found; items are not persisted when `store` is set to false", i, item.ID)
		}
		if t, ok := item.turn(); ok {
			a.turns = append(a.turns, t)
		}
	}
	for _, t := range r.Tools {
		switch t.Type {
		case "function":
			a.tools = append(a.tools, tool{t.Name, t.Parameters})
		case "custom":
			a.custom = t.Name
			if err := a.within(t.Format.Syntax, t.Format.Definition); err != nil {
				return a, err
			}
		default:
			return a, fmt.Errorf("tools[0].type: invalid value: %q", t.Type)
		}
	}
	if len(r.ToolChoice) > 0 && json.Unmarshal(r.ToolChoice, &a.toolChoice) != nil {
		var named struct{ Name string }
		if err := json.Unmarshal(r.ToolChoice, &named); err != nil {
			return a, err
		}
		a.toolChoice = named.Name
	}
	if a.toolChoice == "auto" {
		a.toolChoice = ""
	}
	return a, nil
}

// responsesInput is a list of items, or the text of a message.
type responsesInput []responsesItem

// UnmarshalJSON implements [json.Unmarshaler].
func (l *responsesInput) UnmarshalJSON(raw []byte) error {
	var one text
	if json.Unmarshal(raw, (*string)(&one)) == nil {
		*l = responsesInput{{Role: "user", Content: one}}
		return nil
	}
	return json.Unmarshal(raw, (*[]responsesItem)(l))
}

// responsesItem is an item of a conversation.
type responsesItem struct {
	ID, Type, Role   string
	Content          text
	Output           text
	EncryptedContent string `json:"encrypted_content"`
}

// turn converts an item into a turn. It returns false for an item that is neither a message nor the result of a call.
func (i responsesItem) turn() (turn, bool) {
	switch i.Type {
	case "", "message":
		return turn{i.Role, string(i.Content)}, true
	case "function_call_output":
		return turn{"tool", string(i.Output)}, true
	}
	return turn{}, false
}

// within restricts the input of the custom tool to a grammar.
func (a *ask) within(syntax, definition string) error {
	switch syntax {
	case "regex":
		a.regex = definition
		return nil
	case "lark":
	default:
		return fmt.Errorf("invalid grammar: unknown syntax %q", syntax)
	}
	text, found := export.ReadLark(source.NewFile("grammar.lark", definition))
	if source.HasErrors(found) {
		return errors.New("invalid grammar: " + found[0].Message)
	}
	g, found := language.CompileGrammar(source.NewFile("grammar.cfg", text), "")
	if source.HasErrors(found) {
		return errors.New("invalid grammar: " + found[0].Message)
	}
	words, random := counting.LanguageOf(g, nil), rand.New(rand.NewPCG(uint64(a.number()), 1))
	for length := range maxLetters {
		word, ok, err := words.Sample(length, random, meter.New(meter.Budget{Steps: 1_000_000}))
		if err != nil {
			return fmt.Errorf("invalid grammar: too complex: %w", err)
		}
		if ok {
			a.choices = []string{spelled(word, random)}
			return nil
		}
	}
	return errors.New("invalid grammar: it has no short text")
}

// maxLetters bounds the search for the shortest word of a grammar: longer words are not tried.
const maxLetters = 60

// spelled returns a text for a word of an imported grammar. Each letter is a text or a class of characters, from
// which random picks one.
func spelled(word []string, random *rand.Rand) string {
	text := ""
	for _, letter := range word {
		p := export.Unspell(letter)
		if text += p.Text; p.Class != nil {
			text += string(p.Class.Pick(random.IntN))
		}
	}
	return text
}

func (f responses) items(a ask, out answer) []object {
	items := []object{}
	if out.thinking != "" {
		items = append(items, object{"id": "rs_1", "type": "reasoning", "status": "completed", "summary": []object{{"type": "summary_text", "text": out.thinking}}, "encrypted_content": "c2VjcmV0"})
	}
	switch {
	case a.custom != "":
		items = append(items, object{"id": "ctc_1", "type": "custom_tool_call", "status": "completed", "call_id": "call_1", "name": a.custom, "input": out.text()})
	case len(out.tokens) > 0:
		part := object{"type": "output_text", "text": out.text(), "annotations": []object{}, "logprobs": f.tokens(a, out.tokens)}
		items = append(items, object{"id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": []object{part}})
	}
	for _, c := range out.calls {
		items = append(items, object{"id": "fc_" + c.id, "type": "function_call", "status": "completed", "call_id": c.id, "name": c.name, "arguments": c.arguments})
	}
	return items
}

// tokens returns the log-probabilities of tokens.
func (f responses) tokens(a ask, tokens []token) any {
	if all, ok := f.logprobs(a, tokens).(object); ok {
		return all["content"]
	}
	return []object{}
}

func (f responses) response(a ask, out answer, items []object) object {
	o := object{
		"id": "resp_1", "object": "response", "created_at": created, "status": "completed", "error": nil, "incomplete_details": nil,
		"instructions": nil, "metadata": object{}, "model": a.model, "output": items, "parallel_tool_calls": true, "store": false,
		"temperature": 1, "tool_choice": "auto", "tools": []object{}, "top_p": 1,
		"usage": object{
			"input_tokens": out.prompt, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": out.completion,
			"output_tokens_details": object{"reasoning_tokens": len(strings.Fields(out.thinking))}, "total_tokens": out.prompt + out.completion,
		},
	}
	if out.reason == "length" {
		o["status"], o["incomplete_details"] = "incomplete", object{"reason": "max_output_tokens"}
	}
	return o
}

func (f responses) complete(a ask, out answer) any { return f.response(a, out, f.items(a, out)) }

func (f responses) events(a ask, out answer) []string {
	var events []string
	add := func(kind string, value object) {
		value["type"], value["sequence_number"] = kind, len(events)
		events = append(events, "event: "+kind+"\n"+sse(value))
	}
	begun := f.response(a, out, []object{})
	begun["status"], begun["usage"], begun["incomplete_details"] = "in_progress", nil, nil
	add("response.created", object{"response": begun})
	add("response.in_progress", object{"response": begun})
	items := f.items(a, out)
	for i, item := range items {
		at := func(more object) object {
			more["item_id"], more["output_index"] = item["id"], i
			return more
		}
		first := maps.Clone(item)
		first["status"] = "in_progress"
		for _, key := range []string{"content", "summary"} {
			if _, ok := item[key]; ok {
				first[key] = []object{}
			}
		}
		for _, key := range []string{"arguments", "input"} {
			if _, ok := item[key]; ok {
				first[key] = ""
			}
		}
		add("response.output_item.added", object{"output_index": i, "item": first})
		switch item["type"] {
		case "reasoning":
			add("response.reasoning_summary_part.added", at(object{"summary_index": 0, "part": object{"type": "summary_text", "text": ""}}))
			for _, part := range halves(out.thinking) {
				add("response.reasoning_summary_text.delta", at(object{"summary_index": 0, "delta": part}))
			}
			add("response.reasoning_summary_text.done", at(object{"summary_index": 0, "text": out.thinking}))
			add("response.reasoning_summary_part.done", at(object{"summary_index": 0, "part": object{"type": "summary_text", "text": out.thinking}}))
		case "message":
			add("response.content_part.added", at(object{"content_index": 0, "part": object{"type": "output_text", "text": "", "annotations": []object{}, "logprobs": []object{}}}))
			for _, t := range out.tokens {
				add("response.output_text.delta", at(object{"content_index": 0, "delta": t.text, "logprobs": f.tokens(a, []token{t})}))
			}
			add("response.output_text.done", at(object{"content_index": 0, "text": out.text(), "logprobs": f.tokens(a, out.tokens)}))
			add("response.content_part.done", at(object{"content_index": 0, "part": item["content"].([]object)[0]}))
		case "custom_tool_call":
			for _, t := range out.tokens {
				add("response.custom_tool_call_input.delta", at(object{"delta": t.text}))
			}
			add("response.custom_tool_call_input.done", at(object{"input": out.text()}))
		case "function_call":
			for _, part := range halves(item["arguments"].(string)) {
				add("response.function_call_arguments.delta", at(object{"delta": part}))
			}
			add("response.function_call_arguments.done", at(object{"name": item["name"], "arguments": item["arguments"]}))
		}
		add("response.output_item.done", object{"output_index": i, "item": item})
	}
	end := f.response(a, out, items)
	add("response."+end["status"].(string), object{"response": end})
	return events
}

func (f responses) failureEvent(r refusal) string {
	return "event: error\n" + sse(object{"type": "error", "code": r.kind, "message": r.message, "param": nil, "sequence_number": 9})
}

func (responses) garbage() string {
	return "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\": garbage\n\n"
}
