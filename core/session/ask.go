package session

import (
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
)

// RunAsk is the kind of run in which a model answers one request without a spec, to try out an
// endpoint or a prompt.
const RunAsk = "ask"

// AskSettings are a model and a request.
type AskSettings struct {
	Model       llm.Spec        `json:"model"`
	Messages    []llm.Message   `json:"messages"`
	Prefix      string          `json:"prefix,omitempty"`
	Stop        []string        `json:"stop,omitempty"`
	MaxTokens   int             `json:"maxTokens,omitempty"`
	Temperature float64         `json:"temperature,omitempty"`
	Tools       []llm.Tool      `json:"tools,omitempty"`
	ToolChoice  string          `json:"toolChoice,omitempty"`
	TopLogprobs int             `json:"topLogprobs,omitempty"`
	Constraint  *llm.Constraint `json:"constraint,omitempty"`
	StopAfter   int             `json:"stopAfter,omitempty"` // stop after this many pieces of the answer; 0: no limit
}

// AskDelta is the event of a piece of the answer.
type AskDelta struct {
	Kind string `json:"kind"` // "ask.delta"
	Text string `json:"text"`
}

// AskResult is the answer. If the model fails during the answer, the events contain the part
// received so far.
type AskResult struct {
	Text         string             `json:"text"`
	Reason       string             `json:"reason"`
	Stop         string             `json:"stop"`
	Usage        llm.Usage          `json:"usage"`
	ToolCalls    []llm.ToolCall     `json:"toolCalls"`
	Opaque       *llm.Opaque        `json:"opaque,omitempty"` // to send back with ToolCalls
	Logprobs     []llm.TokenLogprob `json:"logprobs"`
	Constrained  bool               `json:"constrained"`
	Milliseconds int                `json:"milliseconds"`
	Cost         float64            `json:"cost"`
}

func askBody(_ project, _ workspace.File, raw json.RawMessage) (process.Func, error) {
	var s AskSettings
	if err := decodeParams(raw, &s); err != nil {
		return nil, err
	}
	model, err := llm.New(s.Model)
	if err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) {
		pieces := 0
		reply, err := model.Generate(env, llm.Request{
			Messages: s.Messages, Prefix: s.Prefix, Stop: s.Stop, MaxTokens: s.MaxTokens, Temperature: s.Temperature,
			Tools: s.Tools, ToolChoice: s.ToolChoice, TopLogprobs: s.TopLogprobs, Constraint: s.Constraint,
		}, func(delta string) bool {
			env.Emit(AskDelta{Kind: "ask.delta", Text: delta})
			pieces++
			return pieces != s.StopAfter
		})
		if err != nil {
			return nil, err
		}
		return AskResult{
			Text: reply.Text, Reason: reply.Reason, Stop: reply.Stop, Usage: reply.Usage, ToolCalls: orEmpty(reply.ToolCalls), Opaque: reply.Opaque,
			Logprobs: orEmpty(reply.Logprobs), Constrained: reply.Constrained, Milliseconds: reply.Milliseconds, Cost: reply.Cost,
		}, nil
	}, nil
}
