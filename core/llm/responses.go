package llm

import (
	"cmp"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// responsesBody is a request of OpenAI's format "responses". The server stores nothing, so
// thoughts come encrypted and are sent back.
type responsesBody struct {
	Model             string            `json:"model"`
	Instructions      string            `json:"instructions,omitempty"`
	Input             []json.RawMessage `json:"input"`
	MaxOutputTokens   int               `json:"max_output_tokens,omitempty"`
	Temperature       *float64          `json:"temperature,omitempty"`
	Stream            bool              `json:"stream"`
	Store             bool              `json:"store"`
	Include           []string          `json:"include,omitempty"`
	Reasoning         json.RawMessage   `json:"reasoning,omitempty"`
	Text              json.RawMessage   `json:"text,omitempty"`
	Tools             []any             `json:"tools,omitempty"` // of type responsesTool, or json.RawMessage
	ToolChoice        json.RawMessage   `json:"tool_choice,omitempty"`
	ParallelToolCalls *bool             `json:"parallel_tool_calls,omitempty"`
	TopLogprobs       int               `json:"top_logprobs,omitempty"`
}

// responsesItem is a part of an answer: {"type": "message"}, "function_call", "custom_tool_call"
// or "reasoning".
type responsesItem struct {
	Type             string
	ID               string
	Content          json.RawMessage // a list of parts
	CallID           string          `json:"call_id"`
	Name             string
	Arguments        json.RawMessage
	Input            json.RawMessage // of a custom tool
	Summary          json.RawMessage
	EncryptedContent json.RawMessage `json:"encrypted_content"`
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"` // true by default, which refuses most schemas
}

// answerTool is the name of the custom tool whose input is the answer to a request with a grammar.
const answerTool = "answer"

// minOutput is the smallest limit of tokens that OpenAI accepts.
const minOutput = 16

// responses returns the body of a request in the format "responses", which has no stop texts.
func (e Endpoint) responses(w wire) responsesBody {
	body := responsesBody{Model: e.Model, Input: []json.RawMessage{}, MaxOutputTokens: w.MaxTokens, Temperature: w.temperature(), Stream: !w.without.stream}
	if e.ofOpenAI() && w.MaxTokens > 0 {
		body.MaxOutputTokens = max(w.MaxTokens, minOutput)
	}
	for _, m := range w.turns() {
		if m.Role == "system" && len(body.Input) == 0 {
			if body.Instructions != "" {
				body.Instructions += "\n\n"
			}
			body.Instructions += m.Content
			continue
		}
		body.Input = append(body.Input, responsesItems(m, w.without.opaque)...)
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

// offer sets the tools: those of the request, or the custom tool that carries the grammar of the answer.
func (b *responsesBody) offer(w wire) {
	for _, t := range w.Tools {
		b.Tools = append(b.Tools, responsesTool{"function", t.Name, t.Description, t.schema(), false})
	}
	if len(w.Tools) > 0 && !w.without.opaque {
		b.Include = append(b.Include, "reasoning.encrypted_content")
	}
	switch w.ToolChoice {
	case "":
	case "none", "required":
		b.ToolChoice = json.RawMessage(`"` + w.ToolChoice + `"`)
	default:
		b.ToolChoice = textsOf("type", "function", "name", w.ToolChoice)
	}
	if f := w.enforcement; f.Syntax != "" {
		format := textsOf("type", "grammar", "syntax", f.Syntax, "definition", f.Definition)
		b.Tools = []any{json.RawMessage(`{"type":"custom","name":"` + answerTool + `","description":"Takes the complete answer.","format":` + string(format) + `}`)}
		b.ToolChoice, b.ParallelToolCalls = textsOf("type", "custom", "name", answerTool), new(bool)
	}
}

// responsesItems converts a message to items. An answer with thoughts is sent back as its own
// items, because the API accepts thoughts only before the item to which they led.
func responsesItems(m Message, clear bool) (out []json.RawMessage) {
	if m.Role == "tool" {
		return []json.RawMessage{textsOf("type", "function_call_output", "call_id", m.ToolCallID, "output", m.Content)}
	}
	if items := m.Opaque.blocks(); len(items) > 0 && !clear {
		return items
	}
	if m.Content != "" || len(m.ToolCalls) == 0 {
		out = append(out, textsOf("role", m.Role, "content", m.Content))
	}
	for _, c := range m.ToolCalls {
		out = append(out, textsOf("type", "function_call", "call_id", c.ID, "name", c.Name, "arguments", c.Arguments))
	}
	return out
}

// responsesReader reads the events of a stream, or a complete answer.
type responsesReader struct {
	items   map[int]*itemState // by their place in the answer
	calls   int
	customs int
	part    *[3]int // place of the last thought; nil: there was none
	kept    []string
	opaque  bool // thoughts are among the kept items
}

type itemState struct {
	call   int  // number of the call, from 1
	custom int  // number of the call of a custom tool, from 1
	named  bool // the name of the function was read
	begun  bool // a piece of the text or the arguments was read
	over   bool // the complete item was read
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
	case "response.output_item.added", "response.output_item.done":
		return r.item(e.OutputIndex, e.Item, e.Type == "response.output_item.done")
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		return r.end(e.Response)
	case "":
		return r.end([]byte(data))
	case "error":
		fault := &Fault{textOf(e.Code), e.Message}
		if present(e.Error) {
			fault = providerFault(data)
		}
		return []Delta{{Fault: fault, Done: true}}
	}
	piece := piece{text: textOf(e.Delta), logprobs: logprobsOf(e.Logprobs)}
	switch e.Type {
	case "response.output_text.delta":
	case "response.refusal.delta":
		piece.refused = true
	case "response.reasoning_summary_text.delta":
		piece.thought = &[3]int{e.OutputIndex, 0, e.SummaryIndex}
	case "response.reasoning_text.delta":
		piece.thought = &[3]int{e.OutputIndex, 1, e.ContentIndex}
	case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
		piece.input = true
	default:
		return nil // progress, and future events
	}
	return r.add(nil, r.state(e.OutputIndex), piece)
}

func (r *responsesReader) state(index int) *itemState {
	if r.items == nil {
		r.items = map[int]*itemState{}
	}
	if r.items[index] == nil {
		r.items[index] = &itemState{}
	}
	return r.items[index]
}

// piece is a piece of an item, or all of it.
type piece struct {
	text     string
	logprobs []TokenLogprob
	refused  bool
	input    bool    // of a call
	thought  *[3]int // of a thought: the numbers of its item, kind and part
}

// add appends the delta of a piece. An empty line separates the parts of thoughts.
func (r *responsesReader) add(out []Delta, s *itemState, p piece) []Delta {
	s.begun = s.begun || p.text != ""
	d := Delta{Text: p.text, Logprobs: p.logprobs, Refused: p.refused}
	switch {
	case p.thought != nil:
		d.Text, d.Thinking = "", p.text
		if r.part != nil && *r.part != *p.thought {
			d.Thinking = "\n\n" + p.text
		}
		r.part = p.thought
	case p.input && s.call > 0:
		d.Text, d.ToolCalls = "", []ToolCallDelta{{Index: s.call - 1, Arguments: p.text}}
	case p.input:
		if d.custom = s.custom; d.custom == 0 {
			s.begun = false
			return out // its beginning is missing, but the complete item follows
		}
	}
	return append(out, d)
}

// item reads the beginning of an item, or, if whole is true, the complete item. A server that
// does not stream the pieces of an item sends only the complete item.
func (r *responsesReader) item(index int, raw json.RawMessage, whole bool) (out []Delta) {
	var item responsesItem
	if json.Unmarshal(raw, &item) != nil {
		return []Delta{garbage(string(raw))}
	}
	s := r.state(index)
	if s.over { // a gateway gives every item the same place
		*s = itemState{}
	}
	var d Delta // the beginning of a call
	var pieces []piece
	switch item.Type {
	case "function_call":
		if s.call == 0 {
			r.calls++
			s.call = r.calls
		}
		if !s.named && item.Name != "" {
			s.named = true
			d.ToolCalls = []ToolCallDelta{{Index: s.call - 1, ID: cmp.Or(item.CallID, item.ID), Name: item.Name}}
		}
		pieces = []piece{{text: textOf(item.Arguments), input: true}}
	case "custom_tool_call":
		if s.custom == 0 {
			r.customs++
			s.custom = r.customs
			d.custom = s.custom
		}
		pieces = []piece{{text: textOf(item.Input), input: true}}
	case "message":
		for _, p := range partsOf(item.Content) {
			pieces = append(pieces, piece{text: p.Text + p.Refusal, refused: p.Refusal != "", logprobs: logprobsOf(p.Logprobs)})
		}
	case "reasoning":
		for kind, raw := range []json.RawMessage{item.Summary, item.Content} {
			for i, p := range partsOf(raw) {
				pieces = append(pieces, piece{text: p.Text, thought: &[3]int{index, kind, i}})
			}
		}
	default:
		return nil // the server's own tools
	}
	if d.isAnswer() {
		out = append(out, d)
	}
	if streamed := s.begun; whole {
		for _, p := range pieces {
			if !streamed && p.text != "" {
				out = r.add(out, s, p)
			}
		}
		s.over = true
		r.keep(item, raw)
	}
	return out
}

// keep keeps an item to send it back. It leaves out thoughts without their content, because
// only a server that stores answers knows them.
func (r *responsesReader) keep(item responsesItem, raw json.RawMessage) {
	if item.Type == "reasoning" {
		if !present(item.EncryptedContent) && len(partsOf(item.Content)) == 0 {
			return
		}
		r.opaque = true
	}
	r.kept = append(r.kept, string(raw))
}

// responsesPart is a part of a message or of thoughts.
type responsesPart struct {
	Text, Refusal string
	Logprobs      []openAILogprob
}

func partsOf(raw json.RawMessage) (parts []responsesPart) {
	if present(raw) && json.Unmarshal(raw, &parts) != nil {
		return nil
	}
	return parts
}

// end reads the complete answer, which ends the stream. Its items are read only if none was streamed.
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
		d.opaque = kept(r.kept)
	}
	return append(out, d)
}
