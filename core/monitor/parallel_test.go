package monitor

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// parallelCaller plays a model with parallel calls, thoughts and texts, in one of the wire formats.
type parallelCaller struct {
	format string
	random *rand.Rand
	calls  int
	last   map[string]any // the last request
	said   map[string]any // the last answer, as a message
	items  []any          // the last answer, as items of responses
}

// answer returns the body of an answer to a request.
func (p *parallelCaller) answer(t *testing.T, body string) string {
	p.last = nil
	if err := json.Unmarshal([]byte(body), &p.last); err != nil {
		t.Fatal(err)
	}
	var names []string
	tools, _ := p.last["tools"].([]any)
	for _, tool := range tools {
		fields := tool.(map[string]any)
		if f, ok := fields["function"].(map[string]any); ok {
			fields = f
		}
		names = append(names, fields["name"].(string))
	}
	choice := fmt.Sprint(p.last["tool_choice"])
	thought, text := "", ""
	if p.random.IntN(2) == 0 {
		thought = fmt.Sprintf("thought %d", p.random.IntN(9))
	}
	count := 0
	if len(names) > 0 && !strings.Contains(choice, "none") && (p.random.IntN(4) > 0 || choice == "required" || strings.Contains(choice, "any")) {
		count = 1 + p.random.IntN(3)
	}
	if count == 0 || p.random.IntN(2) == 0 {
		text = fmt.Sprintf("text %d", p.random.IntN(9))
	}
	type call struct {
		id, name string
		input    map[string]any
	}
	var calls []call
	for range count {
		p.calls++
		calls = append(calls, call{fmt.Sprintf("c%d", p.calls), names[p.random.IntN(len(names))], map[string]any{"text": fmt.Sprintf("w%d", p.random.IntN(9))}})
	}
	var answer map[string]any
	switch p.format {
	case llm.FormatAnthropic:
		var blocks []any
		if thought != "" {
			blocks = append(blocks, map[string]any{"type": "thinking", "thinking": thought, "signature": "c2ln"})
		}
		if text != "" {
			blocks = append(blocks, map[string]any{"type": "text", "text": text})
		}
		for _, c := range calls {
			blocks = append(blocks, map[string]any{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input})
		}
		p.said = map[string]any{"role": "assistant", "content": blocks}
		answer = map[string]any{"type": "message", "content": blocks, "stop_reason": "end_turn", "usage": map[string]any{"output_tokens": 1}}
	case llm.FormatResponses:
		p.items = nil
		if thought != "" {
			p.items = append(p.items, map[string]any{"id": "rs", "type": "reasoning", "summary": []any{map[string]any{"type": "summary_text", "text": thought}}, "encrypted_content": "c2ln"})
		}
		if text != "" {
			p.items = append(p.items, map[string]any{"id": "msg", "type": "message", "role": "assistant", "status": "completed", "content": []any{map[string]any{"type": "output_text", "text": text, "annotations": []any{}}}})
		}
		for _, c := range calls {
			arguments, _ := json.Marshal(c.input)
			p.items = append(p.items, map[string]any{"id": "f" + c.id, "type": "function_call", "status": "completed", "call_id": c.id, "name": c.name, "arguments": string(arguments)})
		}
		answer = map[string]any{"object": "response", "status": "completed", "output": p.items}
	case llm.FormatOllama:
		p.said = map[string]any{"role": "assistant", "content": text}
		if thought != "" {
			p.said["thinking"] = thought
		}
		var list []any
		for _, c := range calls {
			list = append(list, map[string]any{"function": map[string]any{"name": c.name, "arguments": c.input}})
		}
		if list != nil {
			p.said["tool_calls"] = list
		}
		answer = map[string]any{"message": p.said, "done": true}
	default:
		p.said = map[string]any{"role": "assistant", "content": text}
		if thought != "" {
			p.said["reasoning_content"] = thought
		}
		var list []any
		for _, c := range calls {
			arguments, _ := json.Marshal(c.input)
			list = append(list, map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": string(arguments)}, "extra_content": map[string]any{"google": map[string]any{"thought_signature": "c2ln"}}})
		}
		if list != nil {
			p.said["tool_calls"] = list
		}
		answer = map[string]any{"choices": []any{map[string]any{"message": p.said, "finish_reason": "stop"}}}
	}
	raw, _ := json.Marshal(answer)
	return string(raw)
}

// trace returns the conversation as an application records it.
func (p *parallelCaller) trace() string {
	if p.format == llm.FormatResponses {
		raw, _ := json.MarshalIndent(map[string]any{"instructions": p.last["instructions"], "input": p.last["input"], "output": p.items}, "", " ")
		return string(raw)
	}
	messages, _ := p.last["messages"].([]any)
	raw, _ := json.MarshalIndent(map[string]any{"messages": append(messages, p.said)}, "", " ")
	return string(raw)
}

// A run on the surface "tools" has the verdict and the states of its own recorded conversation.
func TestLiveVerdictIsThatOfTheTrace(t *testing.T) {
	runs, compared := effort.Sample(1400, 600), 0
	silent := shipped{agent: compile(t, `(define silent
	  (:states (task (:text "Task:") (:flags :env-input) (:from person)) (find (:text "Find:")) (list (:text "List:")) (found (:text "Found:") (:flags :env-input)) (answer (:text "Answer:")))
	  (:behavior (next task (until (next (or find list) found) answer))))`)}
	silent.setup = silent.setup.with(replayed{"find", nil}, replayed{"list", nil})
	agents := map[string]shipped{"silent": silent}
	for _, name := range []string{"react/react.agent", "pass/pass.agent", "direct/direct.agent", "cot/react.agent"} {
		agents[name] = find(t, name)
	}
	formats := []string{llm.FormatOpenAI, llm.FormatResponses, llm.FormatAnthropic, llm.FormatOllama}
	for name, s := range agents {
		for _, format := range formats {
			for seed := range runs / (len(agents) * len(formats)) {
				if live, trace, ok := liveAndTrace(t, s, format, uint64(seed)); ok {
					compared++
					if live != trace {
						t.Fatalf("%s, %s, seed %d: live\n%s\nin the trace\n%s", name, format, seed, live, trace)
					}
				}
			}
		}
	}
	if compared < runs/4 {
		t.Errorf("only %d of %d runs had no refusal", compared, runs)
	}
}

// liveAndTrace returns the states of a run and of its recorded conversation with the verdicts, or
// false for a run with a refusal, which a trace shows as a call like others.
func liveAndTrace(t *testing.T, s shipped, format string, seed uint64) (live, trace string, ok bool) {
	e := &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Format: format}
	if format == llm.FormatOpenAI {
		e.Server = "deepseek"
	}
	settings := Settings{Question: "q", Surface: SurfaceTools, MaxLoops: 6, Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: e}}
	model := &parallelCaller{format: format, random: rand.New(rand.NewPCG(seed, 7))}
	p := process.New(func(env *process.Env) (any, error) { return Run(env, s.agent, s.setup, settings) }, seed, meter.Budget{}, nil)
	defer p.Stop()
	var answers []process.Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range out.Events {
			if strings.Contains(string(raw), `"monitor.violation"`) {
				return "", "", false
			}
		}
		if out.State == process.StateFailed {
			t.Logf("%v", out.Err)
			return "", "", false
		}
		if out.State == process.StateDone {
			var transcript Transcript
			if err := json.Unmarshal(out.Result, &transcript); err != nil {
				t.Fatal(err)
			}
			report := Check(s.agent, transcript.Text)
			j, err := JudgeTrace(s.agent, source.NewFile("trace.json", model.trace()), "", settings.Mapping, settings.Roles)
			if err != nil || len(j.Conversations) != 1 {
				t.Fatal(err, model.trace())
			}
			live, trace = states(s.agent, report.Segments, report.Verdict), states(s.agent, j.Conversations[0].Report.Segments, j.Verdict)
			if live != trace {
				trace += "\n" + model.trace() + fmt.Sprintf("\n%+v %+v", j.Unread, j.Conversations[0].Report.Violation)
			}
			return live, trace, true
		}
		answers = nil
		for _, effect := range out.Effects {
			if effect.HTTP == nil {
				t.Fatalf("%+v", effect)
			}
			body := model.answer(t, effect.HTTP.Body)
			value, _ := json.Marshal(process.HTTPValue{Status: 200})
			answers = append(answers, process.Answer{Effect: effect.ID, Chunk: &body}, process.Answer{Effect: effect.ID, Value: value})
		}
	}
}

// states lists the states of segments with a verdict, without optional thoughts: live runs do not
// write reasoning.
func states(a *agent.Agent, segments []Segment, verdict agent.Verdict) string {
	var names []string
	m := newMapper(a, nil, Roles{})
	for _, s := range segments {
		if !m.thinks(a.Index(s.State)) {
			names = append(names, s.State)
		}
	}
	return string(verdict) + ": " + strings.Join(names, " ")
}
