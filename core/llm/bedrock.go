package llm

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// converse returns the body of a request of Bedrock's Converse and ConverseStream.
func (e Endpoint) converse(w wire) json.RawMessage {
	called := false
	for _, m := range w.Messages {
		called = called || len(m.ToolCalls) > 0
	}
	tools, choice := "", ""
	// Converse has no choice "none". A conversation with calls requires the tools.
	if w.ToolChoice != "none" || called {
		for _, t := range w.Tools {
			tools += `{"toolSpec":` + object(toolMembers(t)+`"inputSchema":{"json":`+string(t.schema())+`}`) + "},"
		}
		switch w.ToolChoice {
		case "", "none":
		case "required":
			choice = `{"any":{}}`
		default:
			choice = `{"tool":{"name":` + encoded(w.ToolChoice) + `}}`
		}
	}
	output := ""
	if schema := w.enforcement.Schema; len(schema) > 0 {
		output = `{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"answer","schema":` + encoded(string(schema)) + `}}}}`
	}
	fields, think := "", e.Effort != "" && !w.without.effort
	temperature := w.temperature()
	if think {
		budgeted := false
		if fields, budgeted = e.family(w); budgeted { // thoughts with a budget exclude a temperature and a forced call
			temperature, choice = nil, ""
			w.MaxTokens = e.withBudget(w)
		}
	}
	toolConfig := ""
	if tools != "" {
		toolConfig = object(member("tools", array(tools)) + member("toolChoice", choice))
	}
	system, turns := w.conversation(partFormat{"assistant", "content", converseCall, converseResult})
	return json.RawMessage(object(member("messages", "["+turns+"]") + member("system", array(system)) +
		`"inferenceConfig":` + object(member("maxTokens", limit(w.MaxTokens))+member("temperature", encoded(temperature))+member("stopSequences", encoded(w.Stop))) + "," +
		member("toolConfig", toolConfig) + member("outputConfig", output) + member("additionalModelRequestFields", object(fields))))
}

func converseCall(c ToolCall) string {
	return `{"toolUse":{"toolUseId":` + encoded(c.ID) + `,"name":` + encoded(c.Name) + `,"input":` + string(c.object()) + `}}`
}

func converseResult(m Message, _ string) string {
	return `{"toolResult":{"toolUseId":` + encoded(m.ToolCallID) + `,"content":[` + textPart(m.Content) + `]}}`
}

// family returns the fields with the effort that the model's family expects, and whether the thoughts need a higher limit of tokens.
func (e Endpoint) family(w wire) (fields string, budgeted bool) {
	thinks := e.Effort != EffortNone
	switch model := strings.ToLower(e.Model); {
	case has(model, "anthropic", "claude"):
		if thinks && w.without.adaptive {
			fields = `"thinking":` + encoded(w.adaptive())
			if level := e.level(w); level != "" {
				fields += `,"output_config":{"effort":"` + level + `"}`
			}
			return fields, true
		}
		if thinks {
			return `"thinking":{"type":"enabled","budget_tokens":` + strconv.Itoa(e.budget()) + `}`, true
		}
		return `"thinking":{"type":"disabled"}`, false
	case has(model, "nova"):
		level := "medium" // Nova allows no limit of tokens with "high"
		if e.Effort == "minimal" || e.Effort == "low" {
			level = "low"
		}
		if thinks {
			return `"reasoningConfig":{"type":"enabled","maxReasoningEffort":"` + level + `"}`, false
		}
		return `"reasoningConfig":{"type":"disabled"}`, false
	}
	return `"reasoning_effort":"` + e.Effort + `"`, false
}

// converseReader reads the events of ConverseStream, or an answer of Converse. The stream is binary;
// hosts write each message as the data of an event: {"contentBlockDelta":{…}}.
type converseReader struct {
	blocks []converseBlock
	calls  int
}

// converseBlock is a block of a stream so far. Only one of its texts is set.
type converseBlock struct {
	index                      int
	call                       int // number of the call, from 1; 0: another block
	text, thinking, redacted   strings.Builder
	signature, id, name, input string
}

func (r *converseReader) event(data string) []Delta {
	event, _ := json.Tree(data)
	if event.TextOf("stopReason") != "" {
		return converseAnswer(data)
	}
	if event == nil || len(event.Members) != 1 || event.Members[0].Value.Kind != '{' {
		return []Delta{garbage(data)}
	}
	name, value := event.Members[0].Key, event.Members[0].Value
	switch name {
	case "contentBlockStart":
		b := r.block(value)
		if call, ok := at(value, "start").Get("toolUse"); ok {
			r.calls++
			b.call, b.id, b.name = r.calls, call.TextOf("toolUseId"), call.TextOf("name")
			return []Delta{{ToolCalls: []ToolCallDelta{{Index: b.call - 1, ID: b.id, Name: b.name}}}}
		}
	case "contentBlockDelta":
		return r.block(value).extend(at(value, "delta"))
	case "messageStop":
		d := Delta{Done: true, opaque: r.opaque()}
		d.stopped(value.TextOf("stopReason"))
		return []Delta{d}
	case "metadata":
		if u, ok := value.Get("usage"); ok {
			return []Delta{{Usage: converseUsage(u)}}
		}
	case "messageStart", "contentBlockStop":
	case "error":
		return []Delta{{Fault: &Fault{value.TextOf("code"), value.TextOf("message")}, Done: true}}
	default:
		if strings.HasSuffix(name, "Exception") {
			return []Delta{{Fault: &Fault{name, value.TextOf("message")}, Done: true}}
		}
	}
	return nil // and future events
}

// block returns the block of an event. A block of text has no event at its start.
func (r *converseReader) block(event *json.Node) *converseBlock {
	index, _ := strconv.Atoi(at(event, "contentBlockIndex").Text)
	for i := range r.blocks {
		if r.blocks[i].index == index {
			return &r.blocks[i]
		}
	}
	r.blocks = append(r.blocks, converseBlock{index: index})
	return &r.blocks[len(r.blocks)-1]
}

// extend adds the next piece of a block.
func (b *converseBlock) extend(piece *json.Node) []Delta {
	if text, ok := piece.Get("text"); ok {
		b.text.WriteString(text.Text)
		return []Delta{{Text: text.Text}}
	}
	if call, ok := piece.Get("toolUse"); ok && b.call > 0 {
		input := call.TextOf("input")
		b.input += input
		return []Delta{{ToolCalls: []ToolCallDelta{{Index: b.call - 1, Arguments: input}}}}
	}
	if thought, ok := piece.Get("reasoningContent"); ok {
		b.signature += thought.TextOf("signature")
		b.redacted.WriteString(thought.TextOf("redactedContent"))
		if text := thought.TextOf("text"); text != "" {
			b.thinking.WriteString(text)
			return []Delta{{Thinking: text}}
		}
	}
	return nil
}

// opaque returns the blocks to send back, or nil if no thoughts are among them.
func (r *converseReader) opaque() *opaqueDelta {
	var blocks []string
	thought := false
	for i := range r.blocks {
		switch b := &r.blocks[i]; {
		case b.redacted.Len() > 0:
			thought = true
			blocks = append(blocks, `{"reasoningContent":{"redactedContent":`+encoded(b.redacted.String())+`}}`)
		case b.thinking.Len() > 0 || b.signature != "":
			thought = true
			blocks = append(blocks, `{"reasoningContent":{"reasoningText":`+object(`"text":`+encoded(b.thinking.String())+`,`+member("signature", encoded(b.signature)))+`}}`)
		case b.call > 0:
			blocks = append(blocks, converseCall(ToolCall{ID: b.id, Name: b.name, Arguments: b.input}))
		case strings.TrimSpace(b.text.String()) != "":
			blocks = append(blocks, `{"text":`+encoded(b.text.String())+`}`)
		}
	}
	if !thought {
		return nil
	}
	return kept(blocks)
}

// stopped sets the fields of a delta for the reason that Converse states for the end of an answer.
func (d *Delta) stopped(reason string) {
	switch reason {
	case "guardrail_intervened", "content_filtered", anthropicRefusal:
		d.Reason, d.Refused = StopEnd, true
	case "malformed_model_output", "malformed_tool_use":
		d.Fault = &Fault{reason, "the answer ended with " + reason}
	default:
		d.Reason = anthropicReason(reason)
	}
}

func converseUsage(u *json.Node) *Usage {
	return &Usage{Prompt: sum(u, "inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"), Completion: sum(u, "outputTokens")}
}

// converseAnswer reads an answer of Converse. If thoughts are among its blocks, all blocks are sent
// back with the results of its calls.
func converseAnswer(data string) []Delta {
	answer, _ := json.Tree(data)
	reason := answer.TextOf("stopReason")
	if reason == "" {
		return []Delta{garbage(data)}
	}
	d := Delta{Done: true, Usage: converseUsage(at(answer, "usage"))}
	var blocks []string
	thought := false
	for _, b := range at(answer, "output", "message", "content").Items {
		text := b.TextOf("text")
		d.Text += text
		if r, ok := b.Get("reasoningContent"); ok {
			thought = true
			d.Thinking += at(r, "reasoningText").TextOf("text")
		}
		if c, ok := b.Get("toolUse"); ok {
			d.ToolCalls = append(d.ToolCalls, ToolCallDelta{len(d.ToolCalls), c.TextOf("toolUseId"), c.TextOf("name"), at(c, "input").Text, nil})
		}
		if at(b, "text").Kind == 0 || strings.TrimSpace(text) != "" {
			blocks = append(blocks, b.Text)
		}
	}
	if thought {
		d.opaque = kept(blocks)
	}
	d.stopped(reason)
	return []Delta{d}
}
