package monitor

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/llm"
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
	names := offered(p.last)
	choice := fmt.Sprint(p.last["tool_choice"], strings.ToLower(fmt.Sprint(p.last["toolConfig"])))
	thought, text := "", ""
	if p.random.IntN(2) == 0 {
		thought = fmt.Sprintf("thought %d", p.random.IntN(9))
	}
	count := 0
	if len(names) > 0 && !strings.Contains(choice, "none") && (p.random.IntN(4) > 0 || strings.Contains(choice, "required") || strings.Contains(choice, "any")) {
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
	case llm.FormatGemini:
		var parts []any
		if thought != "" {
			parts = append(parts, map[string]any{"text": thought, "thought": true})
		}
		if text != "" {
			parts = append(parts, map[string]any{"text": text})
		}
		for i, c := range calls {
			function := map[string]any{"name": c.name, "args": c.input}
			if p.random.IntN(2) == 0 {
				function["id"] = c.id
			}
			part := map[string]any{"functionCall": function}
			if i == 0 { // only the first of parallel calls is signed
				part["thoughtSignature"] = "c2ln"
			}
			parts = append(parts, part)
		}
		p.said = map[string]any{"role": "model", "parts": parts}
		answer = map[string]any{"candidates": []any{map[string]any{"content": p.said, "finishReason": "STOP"}}}
	case llm.FormatBedrock:
		var blocks []any
		if thought != "" {
			blocks = append(blocks, map[string]any{"reasoningContent": map[string]any{"reasoningText": map[string]any{"text": thought, "signature": "c2ln"}}})
		}
		if text != "" {
			blocks = append(blocks, map[string]any{"text": text})
		}
		for _, c := range calls {
			blocks = append(blocks, map[string]any{"toolUse": map[string]any{"toolUseId": c.id, "name": c.name, "input": c.input}})
		}
		p.said = map[string]any{"role": "assistant", "content": blocks}
		answer = map[string]any{"output": map[string]any{"message": p.said}, "stopReason": "end_turn"}
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

// offered returns the names of the tools of a request.
func offered(request map[string]any) (names []string) {
	tools, _ := request["tools"].([]any)
	if config, ok := request["toolConfig"].(map[string]any); ok && tools == nil {
		tools, _ = config["tools"].([]any)
	}
	for _, tool := range tools {
		fields := tool.(map[string]any)
		if list, ok := fields["functionDeclarations"].([]any); ok {
			for _, f := range list {
				names = append(names, f.(map[string]any)["name"].(string))
			}
			continue
		}
		for _, key := range []string{"function", "toolSpec"} {
			if f, ok := fields[key].(map[string]any); ok {
				fields = f
			}
		}
		names = append(names, fields["name"].(string))
	}
	return names
}

// trace returns the conversation as an application records it.
func (p *parallelCaller) trace() string {
	if p.format == llm.FormatResponses {
		raw, _ := json.MarshalIndent(map[string]any{"instructions": p.last["instructions"], "input": p.last["input"], "output": p.items}, "", " ")
		return string(raw)
	}
	key := "messages"
	if p.format == llm.FormatGemini {
		key = "contents"
	}
	messages, _ := p.last[key].([]any)
	raw, _ := json.MarshalIndent(map[string]any{key: append(messages, p.said)}, "", " ")
	return string(raw)
}

var wireFormats = []string{llm.FormatOpenAI, llm.FormatResponses, llm.FormatAnthropic, llm.FormatOllama, llm.FormatGemini, llm.FormatBedrock}

// A run on the surface "tools" has the verdict and the states of its own recorded conversation.
func TestLiveVerdictIsThatOfTheTrace(t *testing.T) {
	runs, compared := effort.Sample(2100, 900), map[string]int{}
	silent := shipped{agent: compile(t, `(define silent
	  (:states (task (:text "Task:") (:flags :env-input) (:from person)) (find (:text "Find:")) (list (:text "List:")) (found (:text "Found:") (:flags :env-input)) (answer (:text "Answer:")))
	  (:behavior (next task (until (next (or find list) found) answer))))`)}
	silent.setup = silent.setup.with(replayed{"find", nil}, replayed{"list", nil})
	// A text next to calls may lack the form of the only state that it could belong to.
	formed := shipped{agent: compile(t, `(define formed
	  (:states (task (:text "Task:") (:flags :env-input) (:from person)) (note (:text "Note:") (:matches "text [0-4]")) (find (:text "Find:")) (found (:text "Found:") (:flags :env-input)) (answer (:text "Answer:")))
	  (:behavior (next task (until (or note (next find found)) answer))))`)}
	formed.setup = formed.setup.with(replayed{"find", nil})
	agents := map[string]shipped{"silent": silent, "formed": formed}
	for _, name := range []string{"react/react.agent", "pass/pass.agent", "direct/direct.agent", "cot/react.agent", "payment/payment.agent"} {
		agents[name] = find(t, name)
	}
	for name, s := range agents {
		for _, format := range wireFormats {
			for seed := range runs / (len(agents) * len(wireFormats)) {
				if live, trace, ok := liveAndTrace(t, s, format, uint64(seed)); ok {
					compared[format]++
					if live != trace {
						t.Fatalf("%s, %s, seed %d: live\n%s\nin the trace\n%s", name, format, seed, live, trace)
					}
				}
			}
		}
	}
	total := 0
	for _, format := range wireFormats {
		total += compared[format]
		if compared[format] < runs/len(wireFormats)/4 {
			t.Errorf("%s: only %d of %d runs had no refusal", format, compared[format], runs/len(wireFormats))
		}
	}
	t.Logf("%d runs are compared", total)
	if effort.Long() && total < 1000 {
		t.Errorf("only %d runs had no refusal", total)
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
	transcript, events, err := perform(t, s.agent, s.setup, settings, seed, func(e process.Effect) []process.Answer {
		if e.HTTP == nil {
			t.Fatalf("%+v", e)
		}
		body := model.answer(t, e.HTTP.Body)
		value, _ := json.Marshal(process.HTTPValue{Status: 200})
		return []process.Answer{{Effect: e.ID, Chunk: &body}, {Effect: e.ID, Value: value}}
	})
	if err != nil {
		t.Log(err)
	}
	if err != nil || slices.ContainsFunc(events, func(e string) bool { return strings.Contains(e, `"monitor.violation"`) }) {
		return "", "", false
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
