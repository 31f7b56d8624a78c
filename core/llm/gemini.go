package llm

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// maxGeminiBudget is the largest budget for thoughts that every model of Gemini 2.5 accepts.
const maxGeminiBudget = 24576

// unnamedCall begins the identifier of a call that has none in the answer. It is not sent: a result
// has an identifier only if its call has one.
const unnamedCall = "call-without-id-"

// gemini returns the body of a request in Gemini's own format.
func (e Endpoint) gemini(w wire) json.RawMessage {
	kind := ""
	if len(w.enforcement.Schema) > 0 {
		kind = `"application/json"`
	}
	tools, mode := "", ""
	for _, t := range w.Tools {
		tools += object(toolMembers(t)+`"parametersJsonSchema":`+string(t.schema())) + ","
	}
	if tools != "" {
		tools = `[{"functionDeclarations":` + array(tools) + "}]"
	}
	switch w.ToolChoice {
	case "":
	case "none":
		mode = `"NONE"`
	case "required":
		mode = `"ANY"`
	default:
		mode = `"ANY","allowedFunctionNames":[` + encoded(w.ToolChoice) + `]`
	}
	system, turns := w.conversation(partFormat{"model", "parts", geminiCall, geminiResult})
	if system != "" {
		system = `{"parts":` + array(system) + "}"
	}
	config := member("maxOutputTokens", limit(w.MaxTokens)) + member("temperature", encoded(w.temperature())) + member("stopSequences", encoded(w.Stop)) +
		member("responseMimeType", kind) + member("responseJsonSchema", string(w.enforcement.Schema)) + member("thinkingConfig", e.geminiThinking(w))
	return json.RawMessage(object(member("contents", "["+turns+"]") + member("systemInstruction", system) + `"generationConfig":` + object(config) + "," +
		member("tools", tools) + member("toolConfig", object(member("functionCallingConfig", object(member("mode", mode)))))))
}

// geminiThinking returns the field for the effort and the thinking tokens: a budget for Gemini 2,
// a level for later models, or "" to keep the model's default. Later models than Gemini 2 always
// think; their lowest level is "minimal".
func (e Endpoint) geminiThinking(w wire) string {
	if w.without.effort || e.Effort == "" && e.Thinking == 0 {
		return ""
	}
	thoughts, older := `"includeThoughts":true,`, strings.Contains(e.Model, "gemini-2")
	level := e.Effort
	switch level {
	case EffortNone:
		if older {
			return `{"thinkingBudget":0}`
		}
		thoughts, level = "", "minimal"
	case "xhigh":
		level = "high"
	}
	if older || e.Thinking > 0 && e.Effort != EffortNone {
		return "{" + thoughts + `"thinkingBudget":` + strconv.Itoa(min(e.thinkingTokens(0), maxGeminiBudget)) + "}"
	}
	return "{" + thoughts + `"thinkingLevel":"` + level + `"}`
}

// sentID returns the identifier of a call, "" if the answer has none.
func sentID(id string) string {
	if id == "" || strings.HasPrefix(id, unnamedCall) {
		return ""
	}
	return encoded(id)
}

func geminiCall(c ToolCall) string {
	return `{"functionCall":` + object(member("id", sentID(c.ID))+member("name", encoded(c.Name))+`"args":`+string(c.object())) + "}"
}

func geminiResult(m Message, tool string) string {
	return `{"functionResponse":` + object(member("id", sentID(m.ToolCallID))+member("name", encoded(tool))+`"response":{"output":`+encoded(m.Content)+"}") + "}"
}

// geminiReader reads the events of a stream, or a complete answer.
type geminiReader struct {
	calls  int
	done   bool
	parts  []string        // of the answer, to send back
	text   strings.Builder // text of the unfinished part that follows parts
	signed bool            // a part has a signature
}

func (r *geminiReader) event(data string) (out []Delta) {
	event, _ := json.Tree(data)
	if event == nil || event.Kind != '{' && event.Kind != '[' {
		return []Delta{garbage(data)}
	}
	for _, item := range event.Items { // a server that ignores alt=sse sends a list
		out = append(out, r.value(item)...)
	}
	return append(out, r.value(event)...)
}

// value reads an object of an answer.
func (r *geminiReader) value(event *json.Node) []Delta {
	if e, ok := event.Get("error"); ok && e.Kind != 'n' {
		return []Delta{{Fault: providerFault(event.Text), Done: true}}
	}
	var d Delta
	if u, ok := event.Get("usageMetadata"); ok { // the prompt includes cached tokens
		d.Usage = &Usage{Prompt: sum(u, "promptTokenCount", "toolUsePromptTokenCount"), Completion: sum(u, "candidatesTokenCount", "thoughtsTokenCount")}
	}
	if at(event, "promptFeedback").TextOf("blockReason") != "" {
		d.Refused, d.Done = true, true
	}
	if list := at(event, "candidates").Items; len(list) > 0 {
		for _, part := range at(list[0], "content", "parts").Items {
			r.part(part, &d)
		}
		r.finish(list[0].TextOf("finishReason"), list[0].TextOf("finishMessage"), &d)
	}
	if r.done = r.done || d.Done; r.done {
		d.opaque = r.opaque() // a signature may follow the reason
	}
	if d.isNothing() {
		return nil
	}
	return []Delta{d}
}

// part reads a part. Thoughts are sent back only with a signature.
func (r *geminiReader) part(p *json.Node, d *Delta) {
	text, thought := p.TextOf("text"), at(p, "thought").Kind == 't'
	call, calls := p.Get("functionCall")
	signed := p.TextOf("thoughtSignature") != ""
	if thought {
		d.Thinking += text
	} else {
		d.Text += text
	}
	if calls || signed {
		r.endText()
		r.parts = append(r.parts, p.Text)
		r.signed = r.signed || signed
	} else if !thought {
		r.text.WriteString(text)
	}
	if calls {
		r.calls++
		id, arguments := call.TextOf("id"), at(call, "args")
		if id == "" {
			id = unnamedCall + strconv.Itoa(r.calls)
		}
		if arguments.Kind != '{' {
			arguments.Text = "{}"
		}
		d.ToolCalls = append(d.ToolCalls, ToolCallDelta{r.calls - 1, id, call.TextOf("name"), arguments.Text, nil})
	}
}

// endText ends the part with the text so far, which has no signature, unless the text is empty.
func (r *geminiReader) endText() {
	if text := r.text.String(); strings.TrimSpace(text) != "" {
		r.parts = append(r.parts, textPart(text))
	}
	r.text.Reset()
}

// opaque returns the parts of the answer if one of them is signed, otherwise nil. A signature is
// valid only in its own part.
func (r *geminiReader) opaque() *opaqueDelta {
	r.endText()
	if !r.signed {
		return nil
	}
	return kept(r.parts)
}

// finish reads the reason why an answer ends. All reasons without a case of their own are
// failures: the answer has no valid part, for example because the model wrote a malformed call.
func (r *geminiReader) finish(reason, message string, d *Delta) {
	switch reason {
	case "", "FINISH_REASON_UNSPECIFIED":
		return
	case "STOP": // both a stop text and the end
		d.Reason = StopEnd
	case "MAX_TOKENS":
		d.Reason = StopLength
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII":
		d.Reason, d.Refused = StopEnd, true
	default:
		d.Fault = &Fault{reason, withDetail("the answer ended with "+reason, message)}
	}
	d.Done = true
}
