package llm

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// converse returns the body of a request of Bedrock's Converse. ConverseStream is not used: its
// answer is binary, and a host delivers text.
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
		if fields, budgeted = e.family(); budgeted { // thoughts exclude a temperature and a forced call
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

// family returns the effort in the field of the model's family, and whether it is a budget of tokens.
func (e Endpoint) family() (field string, budgeted bool) {
	thinks := e.Effort != EffortNone
	switch model := strings.ToLower(e.Model); {
	case has(model, "anthropic", "claude"):
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

// converseAnswer reads an answer of Converse. If thoughts are among its blocks, all blocks are sent
// back with the results of its calls.
func converseAnswer(data string) []Delta {
	answer, _ := json.Tree(data)
	reason := answer.TextOf("stopReason")
	if reason == "" {
		return []Delta{garbage(data)}
	}
	u := at(answer, "usage")
	d := Delta{Done: true, Usage: &Usage{Prompt: sum(u, "inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"), Completion: sum(u, "outputTokens")}}
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
	switch reason {
	case "guardrail_intervened", "content_filtered", anthropicRefusal:
		d.Reason, d.Refused = StopEnd, true
	case "malformed_model_output", "malformed_tool_use":
		d.Fault = &Fault{reason, "the answer ended with " + reason}
	default:
		d.Reason = anthropicReason(reason)
	}
	return []Delta{d}
}
