package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// caller is a simulated model that calls tools. A scripted caller replies with the entries of
// its script: a text, or an object {"text": …, "calls": [{"name": …, "arguments": {…}}]}.
// Callers of other kinds draw from the valid calls and answers, and make mistakes at the error
// rate of their spec: unknown tools, invalid arguments, early answers and empty replies.
type caller struct {
	n     *conversing
	spec  llm.Spec
	said  int
	calls int
}

// Generate implements [llm.Model].
func (c *caller) Generate(env *process.Env, r llm.Request, yield func(string) bool) (llm.Reply, error) {
	var calls []llm.ToolCall
	model := llm.Simulate(func(env *process.Env, r llm.Request) (string, error) {
		text, more, err := c.say(env, r)
		calls = more
		return text, err
	})
	reply, err := model.Generate(env, r, yield)
	if len(calls) > 0 && reply.Reason == llm.StopEnd {
		reply.Reason = llm.StopTools
	}
	for i := range calls {
		c.calls++
		calls[i].ID = fmt.Sprintf("call_%d", c.calls)
		reply.Usage.Completion += llm.EstimateTokens(calls[i].Name + calls[i].Arguments)
	}
	reply.ToolCalls = calls
	return reply, err
}

func (c *caller) say(env *process.Env, r llm.Request) (string, []llm.ToolCall, error) {
	if c.spec.Kind == llm.KindScripted {
		return c.script()
	}
	random := env.Rand()
	errs := func() bool { return c.spec.ErrorRate > 0 && random.Float64() < c.spec.ErrorRate }
	called, answers := c.n.may()
	names := c.n.callable()
	if errs() {
		switch random.IntN(4) {
		case 0:
			return "", []llm.ToolCall{{Name: "no_such_tool", Arguments: "{}"}}, nil
		case 1:
			name := c.n.toolNames()[random.IntN(len(c.n.toolNames()))]
			return "", []llm.ToolCall{{Name: name, Arguments: "input"}}, nil
		case 2:
			return "", nil, nil
		default: // any call or answer, valid or not
			called, answers, names = true, true, c.n.toolNames()
		}
	}
	long := len(c.n.segments) >= longEnough
	again := c.spec.Kind == llm.KindFirst && c.n.stats.ToolCalls+c.calls == 0
	if called && len(names) > 0 && (!answers || again || c.spec.Kind != llm.KindFirst && !long && random.IntN(2) == 0) {
		var calls []llm.ToolCall
		for range 1 + random.IntN(2) {
			input := filler[random.IntN(len(filler))]
			if c.n.m.input >= 0 && c.n.a.Content(c.n.m.input) != nil {
				input = c.n.a.Content(c.n.m.input).Begin().Shortest()
			}
			arguments, _ := json.Marshal(map[string]string{"input": input})
			calls = append(calls, llm.ToolCall{Name: names[random.IntN(len(names))], Arguments: string(arguments)})
		}
		return []string{"", "I look that up."}[random.IntN(2)], calls, nil
	}
	return filler[random.IntN(len(filler))], nil, nil
}

func (c *caller) script() (string, []llm.ToolCall, error) {
	if c.said == len(c.spec.Script) {
		return "", nil, source.NewError("llm.script", fmt.Sprintf("the script has %d answers, and the run asks for one more", len(c.spec.Script)))
	}
	text := c.spec.Script[c.said]
	c.said++
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text, nil, nil
	}
	var message struct {
		Text  string `json:"text"`
		Calls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"calls"`
	}
	if err := json.Unmarshal([]byte(text), &message); err != nil {
		return text, nil, nil
	}
	var calls []llm.ToolCall
	for _, call := range message.Calls {
		calls = append(calls, llm.ToolCall{Name: call.Name, Arguments: string(call.Arguments)})
	}
	return message.Text, calls, nil
}
