package llm

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// geminiBody is a request of Gemini's own format.
type geminiBody struct {
	Contents          []geminiTurn `json:"contents"`
	SystemInstruction *geminiTurn  `json:"systemInstruction,omitempty"`
	GenerationConfig  struct {
		MaxOutputTokens    int             `json:"maxOutputTokens,omitempty"`
		Temperature        *float64        `json:"temperature,omitempty"`
		StopSequences      []string        `json:"stopSequences,omitempty"`
		ResponseMimeType   string          `json:"responseMimeType,omitempty"`
		ResponseJSONSchema json.RawMessage `json:"responseJsonSchema,omitempty"`
		ThinkingConfig     *geminiThinking `json:"thinkingConfig,omitempty"`
	} `json:"generationConfig"`
	Tools      []geminiTools   `json:"tools,omitempty"`
	ToolConfig json.RawMessage `json:"toolConfig,omitempty"`
}

type geminiTurn struct {
	Role  string `json:"role,omitempty"`
	Parts []any  `json:"parts"` // of type geminiPart, or json.RawMessage
}

// geminiPart is a part of a turn or of an answer.
type geminiPart struct {
	Text             string          `json:"text,omitempty"`
	Thought          bool            `json:"thought,omitempty"`
	ThoughtSignature string          `json:"thoughtSignature,omitempty"`
	FunctionCall     *geminiFunction `json:"functionCall,omitempty"`
	FunctionResponse *geminiFunction `json:"functionResponse,omitempty"`
}

// geminiFunction is a call or its result.
type geminiFunction struct {
	ID       string          `json:"id,omitempty"`
	Name     string          `json:"name"`
	Args     json.RawMessage `json:"args,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
}

type geminiTools struct {
	FunctionDeclarations []geminiTool `json:"functionDeclarations"`
}

type geminiTool struct {
	Name                 string          `json:"name"`
	Description          string          `json:"description,omitempty"`
	ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
}

// geminiThinking sets a budget of tokens for Gemini 2, a level for later models.
type geminiThinking struct {
	IncludeThoughts bool   `json:"includeThoughts,omitempty"`
	ThinkingBudget  *int   `json:"thinkingBudget,omitempty"`
	ThinkingLevel   string `json:"thinkingLevel,omitempty"`
}

// maxGeminiBudget is the largest budget for thoughts that every model of Gemini 2.5 accepts.
const maxGeminiBudget = 24576

// unnamedCall begins the identifier of a call that has none in the answer. It is not sent: a result
// has an identifier only if its call has one.
const unnamedCall = "call-without-id-"

// gemini returns the body of a request in Gemini's own format.
func (e Endpoint) gemini(w wire) geminiBody {
	var body geminiBody
	config := &body.GenerationConfig
	config.MaxOutputTokens, config.Temperature, config.StopSequences = w.MaxTokens, w.temperature(), w.Stop
	config.ThinkingConfig = e.geminiThinking(w)
	if len(w.enforcement.Schema) > 0 {
		config.ResponseMimeType, config.ResponseJSONSchema = "application/json", w.enforcement.Schema
	}
	names := map[string]string{}
	for _, m := range w.turns() {
		if m.Role == "system" {
			if body.SystemInstruction == nil {
				body.SystemInstruction = &geminiTurn{}
			}
			body.SystemInstruction.Parts = append(body.SystemInstruction.Parts, geminiPart{Text: m.Content})
			continue
		}
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Name
		}
		turn := geminiTurnOf(m, names, w.without.opaque)
		// The results of parallel calls are one turn.
		if last := len(body.Contents) - 1; last >= 0 && body.Contents[last].Role == turn.Role {
			body.Contents[last].Parts = append(body.Contents[last].Parts, turn.Parts...)
			continue
		}
		body.Contents = append(body.Contents, turn)
	}
	if len(w.Tools) > 0 {
		var list []geminiTool
		for _, t := range w.Tools {
			list = append(list, geminiTool{t.Name, t.Description, t.schema()})
		}
		body.Tools = []geminiTools{{list}}
	}
	mode := `"ANY"`
	switch w.ToolChoice {
	case "":
		return body
	case "none":
		mode = `"NONE"`
	case "required":
	default:
		mode += `,"allowedFunctionNames":[` + string(quoted(w.ToolChoice)) + `]`
	}
	body.ToolConfig = json.RawMessage(`{"functionCallingConfig":{"mode":` + mode + `}}`)
	return body
}

// geminiThinking returns the field for the effort and the tokens for thoughts, nil for the default
// of the model. Later models than Gemini 2 always think; their lowest level is "minimal".
func (e Endpoint) geminiThinking(w wire) *geminiThinking {
	if w.without.effort || e.Effort == "" && e.Thinking == 0 {
		return nil
	}
	t := &geminiThinking{IncludeThoughts: e.Effort != EffortNone}
	older := strings.Contains(e.Model, "gemini-2")
	switch {
	case older && e.Effort == EffortNone:
		t.ThinkingBudget = new(int)
	case older || e.Thinking > 0 && e.Effort != EffortNone:
		budget := min(e.thinkingTokens(0), maxGeminiBudget)
		t.ThinkingBudget = &budget
	case e.Effort == EffortNone:
		t.ThinkingLevel = "minimal"
	case e.Effort == "xhigh":
		t.ThinkingLevel = "high"
	default:
		t.ThinkingLevel = e.Effort
	}
	return t
}

// geminiTurnOf converts a message to parts. names are those of the calls so far.
func geminiTurnOf(m Message, names map[string]string, clear bool) geminiTurn {
	sent := func(id string) string {
		if strings.HasPrefix(id, unnamedCall) {
			return ""
		}
		return id
	}
	if m.Role == "tool" {
		result := geminiFunction{ID: sent(m.ToolCallID), Name: names[m.ToolCallID], Response: json.RawMessage(`{"output":` + string(quoted(m.Content)) + `}`)}
		return geminiTurn{"user", []any{geminiPart{FunctionResponse: &result}}}
	}
	turn := geminiTurn{Role: "user"}
	if m.Role == "assistant" {
		turn.Role = "model"
	}
	if parts := m.Opaque.blocks(); len(parts) > 0 && !clear {
		for _, part := range parts {
			turn.Parts = append(turn.Parts, part)
		}
		return turn
	}
	switch {
	case strings.TrimSpace(m.Content) != "":
		turn.Parts = append(turn.Parts, geminiPart{Text: m.Content})
	case len(m.ToolCalls) == 0:
		turn.Parts = append(turn.Parts, geminiPart{Text: "(nothing)"})
	}
	for _, c := range m.ToolCalls {
		turn.Parts = append(turn.Parts, geminiPart{FunctionCall: &geminiFunction{ID: sent(c.ID), Name: c.Name, Args: c.object()}})
	}
	return turn
}

// geminiReader reads the events of a stream, or a complete answer.
type geminiReader struct {
	calls  int
	done   bool
	parts  []json.RawMessage // of the answer, to send back
	text   strings.Builder   // of the part that follows them
	signed bool              // a part has a signature
}

func (r *geminiReader) event(data string) []Delta {
	if strings.HasPrefix(data, "[") { // a server that ignores alt=sse sends a list
		var list []json.RawMessage
		if json.Unmarshal([]byte(data), &list) != nil {
			return []Delta{garbage(data)}
		}
		var out []Delta
		for _, item := range list {
			out = append(out, r.event(string(item))...)
		}
		return out
	}
	var event struct {
		Candidates []struct {
			Content       struct{ Parts []json.RawMessage }
			FinishReason  string
			FinishMessage string
		}
		PromptFeedback struct{ BlockReason string }
		UsageMetadata  *struct {
			PromptTokenCount, ToolUsePromptTokenCount, CandidatesTokenCount, ThoughtsTokenCount int
		}
		Error json.RawMessage
	}
	if json.Unmarshal([]byte(data), &event) != nil {
		return []Delta{garbage(data)}
	}
	if present(event.Error) {
		return []Delta{{Fault: providerFault(data), Done: true}}
	}
	var d Delta
	if u := event.UsageMetadata; u != nil { // the prompt includes cached tokens
		d.Usage = &Usage{Prompt: u.PromptTokenCount + u.ToolUsePromptTokenCount, Completion: u.CandidatesTokenCount + u.ThoughtsTokenCount}
	}
	if event.PromptFeedback.BlockReason != "" {
		d.Refused, d.Done = true, true
	}
	if len(event.Candidates) > 0 {
		c := event.Candidates[0]
		for _, part := range c.Content.Parts {
			r.part(part, &d)
		}
		r.finish(c.FinishReason, c.FinishMessage, &d)
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
func (r *geminiReader) part(raw json.RawMessage, d *Delta) {
	var p geminiPart
	if json.Unmarshal(raw, &p) != nil {
		return
	}
	if p.FunctionCall == nil && p.ThoughtSignature == "" {
		if p.Thought {
			d.Thinking += p.Text
		} else {
			d.Text += p.Text
			r.text.WriteString(p.Text)
		}
		return
	}
	r.endText()
	r.parts = append(r.parts, raw)
	r.signed = r.signed || p.ThoughtSignature != ""
	if p.Thought {
		d.Thinking += p.Text
	} else {
		d.Text += p.Text
	}
	if call := p.FunctionCall; call != nil {
		r.calls++
		if call.ID == "" {
			call.ID = unnamedCall + strconv.Itoa(r.calls)
		}
		if !present(call.Args) {
			call.Args = json.RawMessage("{}")
		}
		d.ToolCalls = append(d.ToolCalls, ToolCallDelta{r.calls - 1, call.ID, call.Name, string(call.Args), nil})
	}
}

// endText ends the part of the text without a signature.
func (r *geminiReader) endText() {
	if text := r.text.String(); strings.TrimSpace(text) != "" {
		raw, _ := json.Marshal(geminiPart{Text: text}) // a string
		r.parts = append(r.parts, raw)
	}
	r.text.Reset()
}

// opaque returns the parts of the answer if one is signed: a signature is valid only on its part.
func (r *geminiReader) opaque() *opaqueDelta {
	r.endText()
	if !r.signed {
		return nil
	}
	raw, err := json.Marshal(r.parts)
	if err != nil {
		return nil
	}
	return &opaqueDelta{content: raw}
}

// finish reads the reason why an answer ends. All other reasons are failures: the answer has no
// valid part, for example because the model wrote a malformed call.
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
		d.Fault = &Fault{reason, saying("the answer ended with "+reason, message)}
	}
	d.Done = true
}
