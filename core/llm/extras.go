package llm

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// EffortNone asks a model not to think.
const EffortNone = "none"

// efforts are the values of [Endpoint.Effort] with the tokens that they allow for thoughts.
var efforts = []struct {
	name   string
	tokens int
}{{EffortNone, 0}, {"minimal", 1024}, {"low", 2048}, {"medium", 8192}, {"high", 16384}, {"xhigh", 32768}}

// minBudget is the smallest budget for thoughts that Anthropic accepts.
const minBudget = 1024

// maxThinking bounds [Endpoint.Thinking].
const maxThinking = 1_000_000

// maxExtraBody bounds [Endpoint.Body] in bytes.
const maxExtraBody = 64 << 10

// ReservedFields returns the fields that [Endpoint.Body] must not contain, because a run sets
// them.
func ReservedFields() []string {
	return []string{
		"contents", "input", "instructions", "messages", "model", "n", "prompt", "raw", "stream", "system", "systemInstruction", "system_instruction",
		"toolConfig", "tool_choice", "tool_config", "tools",
	}
}

// checkExtras checks the settings that are added to each request.
func (e *Endpoint) checkExtras() error {
	if e.Effort != "" {
		var names []string
		for _, x := range efforts {
			names = append(names, x.name)
		}
		if !contains(names, e.Effort) {
			return unknownName("llm.spec", "unknown effort", e.Effort, names)
		}
	}
	if e.Thinking < 0 || e.Thinking > maxThinking {
		return source.NewError("llm.spec", fmt.Sprintf("%d thinking tokens are out of range (expected 0 to %d)", e.Thinking, maxThinking))
	}
	if len(e.Body) == 0 {
		return nil
	}
	if len(e.Body) > maxExtraBody {
		return source.NewError("llm.spec", fmt.Sprintf("the extra body has %d bytes; the maximum is %d", len(e.Body), maxExtraBody))
	}
	tree, fault := json.Tree(string(e.Body))
	if fault != nil || tree.Kind != '{' {
		return source.NewError("llm.spec", "the extra body is not a JSON object")
	}
	for _, m := range tree.Members {
		if contains(ReservedFields(), m.Key) {
			before := string(e.Body[:m.At.Start])
			return source.NewError("llm.spec", fmt.Sprintf("line %d, column %d of the extra body: the run sets %q itself; remove it", strings.Count(before, "\n")+1, m.At.Start-strings.LastIndex(before, "\n"), m.Key))
		}
	}
	return nil
}

// thinkingTokens returns the number of thinking tokens: the endpoint's own number, or else
// the larger of the server's usual number and the number for the effort.
func (e Endpoint) thinkingTokens(usual int) int {
	if e.Thinking > 0 {
		return e.Thinking
	}
	return max(usual, e.effortTokens())
}

func (e Endpoint) effortTokens() int {
	for _, x := range efforts {
		if x.name == e.Effort {
			return x.tokens
		}
	}
	return 0
}

// thinkingField is the effort of DeepSeek and Anthropic.
type thinkingField struct {
	Type         string `json:"type"`
	BudgetTokens int    `json:"budget_tokens,omitempty"` // Anthropic
	Display      string `json:"display,omitempty"`       // Anthropic
}

// think sets the effort of a chat completion, in the field that the server expects.
func (b *chatBody) think(e Endpoint, w wire) {
	if e.Effort == "" || w.without.effort {
		return
	}
	thinks := e.Effort != EffortNone
	switch e.Server {
	case "openrouter":
		b.Reasoning = json.RawMessage(`{"effort":"` + e.Effort + `"}`)
	case "deepseek":
		b.Thinking = &thinkingField{Type: enabled(thinks)}
	case "vllm", "llamacpp":
		b.ChatTemplateKwargs = json.RawMessage(`{"enable_thinking":false}`)
		if thinks {
			b.ChatTemplateKwargs = json.RawMessage(`{"enable_thinking":true,"reasoning_effort":"` + e.Effort + `"}`)
		}
	default:
		b.ReasoningEffort = e.Effort
	}
}

// enabled returns the Type of a thinkingField for a model that thinks or does not think.
func enabled(thinks bool) string {
	if thinks {
		return "enabled"
	}
	return "disabled"
}

// think sets the effort of a request in Anthropic's format. A model that thinks accepts neither a
// temperature nor a forced call.
func (b *messagesBody) think(e Endpoint, w wire) {
	if e.Effort == "" || w.without.effort {
		return
	}
	b.Thinking = &thinkingField{Type: enabled(e.Effort != EffortNone)}
	if e.Effort == EffortNone {
		return
	}
	if b.Thinking.BudgetTokens = e.budget(); w.without.adaptive {
		b.Thinking = w.adaptive()
		if level := e.level(w); level != "" {
			if b.OutputConfig == nil {
				b.OutputConfig = &outputConfig{}
			}
			b.OutputConfig.Effort = level
		}
	}
	b.MaxTokens = e.withBudget(w)
	b.Temperature = nil
	if b.ToolChoice != nil && b.ToolChoice.Type != "none" {
		b.ToolChoice = nil
	}
}

// budget returns the number of tokens that an Anthropic model may use for thoughts.
func (e Endpoint) budget() int {
	if e.Thinking > 0 {
		return max(e.Thinking, minBudget)
	}
	return max(e.effortTokens(), minBudget)
}

// withBudget returns the limit of tokens for a request, raised if it does not exceed the budget for thoughts.
func (e Endpoint) withBudget(w wire) int {
	limit, budget := w.MaxTokens, e.budget()
	if limit == 0 {
		limit = anthropicTokens
	}
	if limit <= budget || w.MaxTokens == 0 {
		limit += budget
	}
	return limit
}

// ollamaThink returns Ollama's field for the effort: false, or one of three levels.
func (e Endpoint) ollamaThink(w wire) json.RawMessage {
	level := e.Effort
	switch {
	case w.without.effort:
		return nil
	case level == EffortNone:
		return json.RawMessage("false")
	case level == "minimal":
		level = "low"
	case level == "xhigh":
		level = "high"
	case level == "":
		return nil
	}
	return json.RawMessage(`"` + level + `"`)
}

// withExtraBody merges the extra body into a request, without the fields that the endpoint
// refused.
func (e Endpoint) withExtraBody(body []byte, refused []string) ([]byte, error) {
	var fields map[string]json.RawMessage
	if len(e.Body) == 0 {
		return body, nil
	}
	if err := json.Unmarshal(e.Body, &fields); err != nil {
		return nil, err
	}
	for _, name := range append(ReservedFields(), refused...) {
		delete(fields, name)
	}
	if len(fields) == 0 {
		return body, nil
	}
	extra, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return merged(body, extra), nil
}

// merged returns base with extra merged into it. Objects are merged field by field; any other
// value of extra replaces that of base.
func merged(base, extra json.RawMessage) json.RawMessage {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(base, &a) != nil || json.Unmarshal(extra, &b) != nil || a == nil || b == nil {
		return extra
	}
	for name, value := range b {
		if under, ok := a[name]; ok {
			value = merged(under, value)
		}
		a[name] = value
	}
	out, _ := json.Marshal(a) // a map of valid JSON
	return out
}

// concedeExtra records a refused field of the extra body and returns its name, or "".
func (c *concessions) concedeExtra(low string, extra json.RawMessage) string {
	if tree, fault := json.Tree(string(extra)); fault == nil {
		for _, m := range tree.Members {
			if len(m.Key) > 1 && !contains(c.extra, m.Key) && strings.Contains(low, strings.ToLower(m.Key)) {
				c.extra = append(c.extra[:len(c.extra):len(c.extra)], m.Key)
				return fmt.Sprintf("%q of the extra body", m.Key)
			}
		}
	}
	return ""
}
