package llm

import (
	"cmp"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// responsesBody is a request of OpenAI's format "responses". The server stores nothing, so
// thoughts come encrypted and are sent back.
type responsesBody struct {
	Model             string          `json:"model"`
	Instructions      string          `json:"instructions,omitempty"`
	Input             []any           `json:"input"` // of type responsesItem, or json.RawMessage
	MaxOutputTokens   int             `json:"max_output_tokens,omitempty"`
	Temperature       *float64        `json:"temperature,omitempty"`
	Stream            bool            `json:"stream"`
	Store             bool            `json:"store"`
	Include           []string        `json:"include,omitempty"`
	Reasoning         json.RawMessage `json:"reasoning,omitempty"`
	Text              json.RawMessage `json:"text,omitempty"`
	Tools             []responsesTool `json:"tools,omitempty"`
	ToolChoice        json.RawMessage `json:"tool_choice,omitempty"`
	ParallelToolCalls *bool           `json:"parallel_tool_calls,omitempty"`
	TopLogprobs       int             `json:"top_logprobs,omitempty"`
}

// responsesItem is a part of a conversation or of an answer: {"type": "message"},
// "function_call", "function_call_output", "custom_tool_call" or "reasoning".
type responsesItem struct {
	Type             string          `json:"type,omitempty"`
	ID               string          `json:"id,omitempty"`
	Role             string          `json:"role,omitempty"`
	Content          json.RawMessage `json:"content,omitempty"` // a text, or a list of parts
	CallID           string          `json:"call_id,omitempty"`
	Name             string          `json:"name,omitempty"`
	Arguments        json.RawMessage `json:"arguments,omitempty"`
	Input            json.RawMessage `json:"input,omitempty"` // of a custom tool
	Output           json.RawMessage `json:"output,omitempty"`
	Summary          json.RawMessage `json:"summary,omitempty"`
	EncryptedContent json.RawMessage `json:"encrypted_content,omitempty"`
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      *bool           `json:"strict,omitempty"` // true by default, which refuses most schemas
	Format      *grammarFormat  `json:"format,omitempty"` // of a custom tool
}

type grammarFormat struct {
	Type       string `json:"type"`
	Syntax     string `json:"syntax"` // "lark" or "regex"
	Definition string `json:"definition"`
}

// answerTool is the name of the custom tool whose input is the answer to a request with a grammar.
const answerTool = "answer"

// minOutput is the smallest limit of tokens that OpenAI accepts.
const minOutput = 16

// responses returns the body of a request in the format "responses", which has no stop texts.
func (e Endpoint) responses(w wire) responsesBody {
	body := responsesBody{Model: e.Model, Input: []any{}, MaxOutputTokens: w.MaxTokens, Temperature: w.temperature(), Stream: !w.without.stream}
	if e.Server == "openai" && w.MaxTokens > 0 {
		body.MaxOutputTokens = max(w.MaxTokens, minOutput)
	}
	for _, m := range w.Messages {
		if m.Role == "system" && len(body.Input) == 0 {
			if body.Instructions != "" {
				body.Instructions += "\n\n"
			}
			body.Instructions += m.Content
			continue
		}
		body.Input = append(body.Input, responsesItems(m, w.without.opaque)...)
	}
	if w.Prefix != "" {
		body.Input = append(body.Input, responsesItem{Role: "assistant", Content: quoted(w.Prefix)}, responsesItem{Role: "user", Content: quoted(goOn)})
	}
	if w.TopLogprobs > 0 {
		body.Include, body.TopLogprobs = append(body.Include, "message.output_text.logprobs"), w.TopLogprobs
	}
	if e.Effort != "" && !w.without.effort {
		summary := `,"summary":"auto"`
		if e.Effort == EffortNone || w.without.summary {
			summary = ""
		}
		body.Reasoning = json.RawMessage(`{"effort":"` + e.Effort + `"` + summary + `}`)
	}
	if schema := w.enforcement.Schema; len(schema) > 0 {
		body.Text = json.RawMessage(`{"format":{"type":"json_schema","name":"answer","strict":true,"schema":` + string(schema) + `}}`)
	}
	body.offer(w)
	return body
}

// offer sets the tools: those of the request, or the one that carries the grammar of the answer.
func (b *responsesBody) offer(w wire) {
	for _, t := range w.Tools {
		b.Tools = append(b.Tools, responsesTool{Type: "function", Name: t.Name, Description: t.Description, Parameters: t.schema(), Strict: new(bool)})
	}
	if len(w.Tools) > 0 && !w.without.opaque {
		b.Include = append(b.Include, "reasoning.encrypted_content")
	}
	switch w.ToolChoice {
	case "":
	case "none", "required":
		b.ToolChoice = quoted(w.ToolChoice)
	default:
		b.ToolChoice = json.RawMessage(`{"type":"function","name":` + string(quoted(w.ToolChoice)) + `}`)
	}
	if f := w.enforcement; f.Syntax != "" {
		b.Tools = []responsesTool{{Type: "custom", Name: answerTool, Description: "Takes the complete answer.", Format: &grammarFormat{"grammar", f.Syntax, f.Definition}}}
		b.ToolChoice, b.ParallelToolCalls = json.RawMessage(`{"type":"custom","name":"`+answerTool+`"}`), new(bool)
	}
}

// quoted returns a text as a JSON string.
func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // strings always marshal
	return raw
}

// responsesItems converts a message to items. An answer with thoughts is sent back as its own
// items, because thoughts are accepted only before the item that they led to.
func responsesItems(m Message, clear bool) (out []any) {
	if m.Role == "tool" {
		return []any{responsesItem{Type: "function_call_output", CallID: m.ToolCallID, Output: quoted(m.Content)}}
	}
	if items := m.Opaque.blocks(); len(items) > 0 && !clear {
		for _, item := range items {
			out = append(out, item)
		}
		return out
	}
	if m.Content != "" || len(m.ToolCalls) == 0 {
		out = append(out, responsesItem{Role: m.Role, Content: quoted(m.Content)})
	}
	for _, c := range m.ToolCalls {
		out = append(out, responsesItem{Type: "function_call", CallID: c.ID, Name: c.Name, Arguments: quoted(c.Arguments)})
	}
	return out
}

// responsesReader reads the events of a stream, or a complete answer.
type responsesReader struct {
	items   map[int]*itemState // by their place in the answer
	calls   int
	customs int
	part    [3]int // place of the last thought: item, kind and part
	thought bool   // a thought was read
	kept    []string
	opaque  bool // thoughts are among the kept items
}

// itemState is the progress of an item.
type itemState struct {
	call   int  // number of the call, from 1
	custom int  // number of the call of a custom tool, from 1
	named  bool // the name of the function was read
	begun  bool // a piece of the text or the arguments was read
	over   bool // the item was read as a whole
}

type responsesEvent struct {
	Type         string
	OutputIndex  int `json:"output_index"`
	SummaryIndex int `json:"summary_index"`
	ContentIndex int `json:"content_index"`
	Delta        json.RawMessage
	Item         json.RawMessage
	Response     json.RawMessage
	Logprobs     []openAILogprob
	Error        json.RawMessage
	Code         json.RawMessage
	Message      string
}

// responsesAnswer is a complete answer, or the one that the last event of a stream contains.
type responsesAnswer struct {
	Object            string
	Status            string
	Output            []json.RawMessage
	IncompleteDetails struct{ Reason string } `json:"incomplete_details"`
	Usage             *struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"` // with those for thoughts
	}
}

func (r *responsesReader) event(data string) []Delta {
	if strings.HasPrefix(data, "[DONE]") { // of gateways, after the last event
		return nil
	}
	var e responsesEvent
	if json.Unmarshal([]byte(data), &e) != nil {
		return []Delta{garbage(data)}
	}
	switch e.Type {
	case "response.output_item.added":
		return r.item(e.OutputIndex, e.Item, false)
	case "response.output_item.done":
		return r.item(e.OutputIndex, e.Item, true)
	case "response.output_text.delta":
		r.state(e.OutputIndex).begun = true
		return []Delta{{Text: textOf(e.Delta), Logprobs: logprobsOf(e.Logprobs)}}
	case "response.refusal.delta":
		r.state(e.OutputIndex).begun = true
		return []Delta{{Text: textOf(e.Delta), Refused: true}}
	case "response.reasoning_summary_text.delta":
		return r.think([3]int{e.OutputIndex, 0, e.SummaryIndex}, textOf(e.Delta))
	case "response.reasoning_text.delta":
		return r.think([3]int{e.OutputIndex, 1, e.ContentIndex}, textOf(e.Delta))
	case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
		return r.write(r.state(e.OutputIndex), textOf(e.Delta))
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		return r.end(e.Response)
	case "error":
		if !present(e.Error) {
			return []Delta{{Fault: &Fault{textOf(e.Code), e.Message}, Done: true}}
		}
		return []Delta{{Fault: providerFault(data), Done: true}}
	case "":
		return r.end([]byte(data))
	}
	return nil // progress, and future events
}

// state returns the state of an item.
func (r *responsesReader) state(index int) *itemState {
	if r.items == nil {
		r.items = map[int]*itemState{}
	}
	if r.items[index] == nil {
		r.items[index] = &itemState{}
	}
	return r.items[index]
}

// think reads a piece of a thought. An empty line separates the parts of thoughts.
func (r *responsesReader) think(part [3]int, text string) []Delta {
	r.state(part[0]).begun = true
	if r.thought && part != r.part {
		text = "\n\n" + text
	}
	r.part, r.thought = part, true
	return []Delta{{Thinking: text}}
}

// write reads a piece of the arguments of a call, or of the input of the custom tool.
func (r *responsesReader) write(s *itemState, text string) []Delta {
	s.begun = s.begun || text != ""
	switch {
	case s.custom > 0:
		return []Delta{{Text: text, custom: s.custom}}
	case s.call > 0:
		return []Delta{{ToolCalls: []ToolCallDelta{{Index: s.call - 1, Arguments: text}}}}
	}
	return nil // its beginning is missing: the item follows as a whole
}

// item reads the beginning or the whole of an item. A server that streams no pieces of it sends
// only the whole.
func (r *responsesReader) item(index int, raw json.RawMessage, whole bool) (out []Delta) {
	var item responsesItem
	if json.Unmarshal(raw, &item) != nil {
		return []Delta{garbage(string(raw))}
	}
	s := r.state(index)
	if s.over { // a gateway gives every item the same place
		*s = itemState{}
	}
	streamed := !whole || s.begun
	switch item.Type {
	case "function_call":
		if s.call == 0 {
			r.calls++
			s.call, s.begun = r.calls, false
		}
		if !s.named && item.Name != "" {
			s.named = true
			out = []Delta{{ToolCalls: []ToolCallDelta{{Index: s.call - 1, ID: cmp.Or(item.CallID, item.ID), Name: item.Name}}}}
		}
		if whole && !s.begun {
			out = append(out, r.write(s, textOf(item.Arguments))...)
		}
	case "custom_tool_call":
		if s.custom == 0 {
			r.customs++
			s.custom, s.begun = r.customs, false
			out = []Delta{{custom: s.custom}}
		}
		if whole && !s.begun {
			out = append(out, r.write(s, textOf(item.Input))...)
		}
	case "message":
		if text, refusal := partsOf(item.Content); !streamed && len(text)+len(refusal) > 0 {
			out = []Delta{{Text: strings.Join(text, "") + strings.Join(refusal, ""), Refused: len(refusal) > 0, Logprobs: partLogprobs(item.Content)}}
		}
	case "reasoning":
		for kind, raw := range []json.RawMessage{item.Summary, item.Content} {
			parts, _ := partsOf(raw)
			for i, text := range parts {
				if !streamed {
					out = append(out, r.think([3]int{index, kind, i}, text)...)
				}
			}
		}
	default:
		return nil // the server's own tools
	}
	if s.over = whole; whole {
		r.keep(item, raw)
	}
	return out
}

// keep keeps an item to send it back. Thoughts without their content are known only to a server
// that stores answers.
func (r *responsesReader) keep(item responsesItem, raw json.RawMessage) {
	if item.Type == "reasoning" {
		if text, _ := partsOf(item.Content); !present(item.EncryptedContent) && len(text) == 0 {
			return
		}
		r.opaque = true
	}
	r.kept = append(r.kept, string(raw))
}

// partsOf returns the texts of a list of parts, and those that are refusals.
func partsOf(raw json.RawMessage) (texts, refusals []string) {
	var parts []struct{ Text, Refusal string }
	if present(raw) && json.Unmarshal(raw, &parts) == nil {
		for _, p := range parts {
			if p.Refusal != "" {
				refusals = append(refusals, p.Refusal)
			} else if p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
	}
	return texts, refusals
}

// partLogprobs returns the log-probabilities of the tokens in a list of parts.
func partLogprobs(raw json.RawMessage) (out []TokenLogprob) {
	var parts []struct{ Logprobs []openAILogprob }
	if json.Unmarshal(raw, &parts) == nil {
		for _, p := range parts {
			out = append(out, logprobsOf(p.Logprobs)...)
		}
	}
	return out
}

// end reads the answer as a whole, which ends it. Its items count if none was streamed.
func (r *responsesReader) end(raw json.RawMessage) (out []Delta) {
	var a responsesAnswer
	if json.Unmarshal(raw, &a) != nil || a.Status == "" && a.Object != "response" {
		if fault := providerFault(string(raw)); fault != nil {
			return []Delta{{Fault: fault, Done: true}}
		}
		return []Delta{garbage(string(raw))}
	}
	if r.items == nil {
		for i, item := range a.Output {
			out = append(out, r.item(i, item, true)...)
		}
	}
	d := Delta{Reason: StopEnd, Done: true}
	if a.Usage != nil {
		d.Usage = &Usage{Prompt: a.Usage.Input, Completion: a.Usage.Output}
	}
	switch {
	case a.Status == "incomplete" && a.IncompleteDetails.Reason == "content_filter":
		d.Refused = true
	case a.Status == "incomplete":
		d.Reason = StopLength
	case a.Status != "completed":
		if d.Fault = providerFault(string(raw)); d.Fault == nil {
			d.Fault = &Fault{Kind: a.Status, Message: "the status of the answer is " + a.Status}
		}
	case r.calls > 0:
		d.Reason = StopTools
	}
	if r.opaque {
		d.opaque = &opaqueDelta{content: json.RawMessage("[" + strings.Join(r.kept, ",") + "]")}
	}
	return append(out, d)
}
