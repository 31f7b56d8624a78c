package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// separated returns the text and the thoughts of an answer that comes in pieces of a length.
func separated(r Request, answer string, length int) (text, thoughts string) {
	f := newInlineThoughts(r, func() bool { return true })
	add := func(more, thought string) {
		text += more
		thoughts += thought
	}
	for len(answer) > 0 {
		n := min(length, len(answer))
		add(f.write(answer[:n]))
		answer = answer[n:]
	}
	add(f.close(false))
	return text, thoughts
}

func TestInlineThoughtsAreNoText(t *testing.T) {
	asked := Request{Messages: user("Write <think> before you think.")}
	for _, c := range []struct {
		request                Request
		answer, text, thoughts string
	}{
		{Request{}, "<think>1 or 2?</think>\n\n3", "3", "1 or 2?"},
		{Request{}, "\n <think>\n\n</think>\n3 <think>4</think>", "3 <think>4</think>", "\n\n"},
		{Request{}, "<think>a</think><thinking>b</thinking> c", "c", "ab"},
		{Request{}, "<think>1 or 2, and then", "", "1 or 2, and then"},
		{Request{}, "<think>cut in the end</thi", "", "cut in the end</thi"},
		{Request{}, "<thin", "<thin", ""},
		{Request{}, "<this> is text", "<this> is text", ""},
		{Request{}, "  indented", "  indented", ""},
		{Request{}, " \n", " \n", ""},
		{Request{}, "[THINK]x[/THINK]y", "y", "x"},
		{Request{}, "◁think▷x◁/think▷y", "y", "x"},
		{Request{}, "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>y", "y", "x"},
		{asked, "<think>x</think>y", "<think>x</think>y", ""},
		{Request{Prefix: "<think>"}, "<think>x</think>y", "<think>x</think>y", ""},
		{Request{Stop: []string{"<think>"}}, "<think>x</think>y", "<think>x</think>y", ""},
		{asked, "<thinking>x</thinking>y", "y", "x"},
	} {
		for length := 1; length <= len(c.answer); length++ {
			if text, thoughts := separated(c.request, c.answer, length); text != c.text || thoughts != c.thoughts {
				t.Fatalf("%q in pieces of %d: %q and %q, not %q and %q", c.answer, length, text, thoughts, c.text, c.thoughts)
			}
		}
	}
}

// An answer that ends at any byte has no thought in its text.
func TestThoughtsCutAtEachByteAreNoText(t *testing.T) {
	const thought, answer = "<think>1 or 2? No.</think>", "3 it is"
	for end := range len(thought + "\n\n" + answer) {
		cut := (thought + "\n\n" + answer)[:end]
		text, _ := separated(Request{}, cut, 1)
		want := ""
		switch {
		case end < len("<think>"):
			want = cut
		case end > len(thought):
			want = strings.TrimLeft(cut[len(thought):], "\n")
		}
		if text != want {
			t.Errorf("%q has the text %q, want %q", cut, text, want)
		}
	}
}

func FuzzThoughtsDependOnNoPieces(f *testing.F) {
	f.Add("<think>a</think> b", uint8(3))
	f.Add(" ◁think▷", uint8(1))
	f.Fuzz(func(t *testing.T, answer string, length uint8) {
		text, thoughts := separated(Request{}, answer, int(length)+1)
		if whole, all := separated(Request{}, answer, len(answer)+1); text != whole || thoughts != all {
			t.Fatalf("%q: %q and %q, in pieces %q and %q", answer, whole, all, text, thoughts)
		}
		if !strings.HasSuffix(answer, text) && text != "" {
			t.Fatalf("%q is not the end of %q", text, answer)
		}
	})
}

// thinks answers each request after a number of reasoning tokens, or with none of its text if
// the limit is lower.
func thinks(t *testing.T, tokens int, limits *[]int) func(process.Effect) []process.Answer {
	return func(e process.Effect) []process.Answer {
		var body struct {
			MaxTokens int `json:"max_tokens"`
		}
		if err := json.Unmarshal([]byte(e.HTTP.Body), &body); err != nil {
			t.Fatal(err)
		}
		*limits = append(*limits, body.MaxTokens)
		end := func(written int, reason string) string {
			return event(fmt.Sprintf(`{"choices":[{"delta":{},"finish_reason":%q}],"usage":{"prompt_tokens":5,"completion_tokens":%d}}`, reason, written)) + event("[DONE]")
		}
		thought := event(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`)
		if body.MaxTokens <= tokens {
			return chunks(e.ID, 200, thought+end(body.MaxTokens, "length"))
		}
		return chunks(e.ID, 200, thought+textEvent("3")+end(tokens+1, "stop"))
	}
}

func TestLimitIsRaisedOnceForThoughts(t *testing.T) {
	m, _ := New(endpoint)
	var limits []int
	r := Request{Messages: user("1, 2 or 3?"), MaxTokens: 100}
	reply, spent, err := charged(t, m, r, thinks(t, 800, &limits))
	if err != nil || reply.Text != "3" || reply.Usage != (Usage{10, 901}) || spent.Spent(meter.Calls) != 2 {
		t.Errorf("%+v, %v, %d calls", reply, err, spent.Spent(meter.Calls))
	}
	// The limit stays raised.
	if reply, spent, err = charged(t, m, r, thinks(t, 800, &limits)); err != nil || reply.Text != "3" || spent.Spent(meter.Calls) != 1 {
		t.Errorf("%+v, %v, %d calls", reply, err, spent.Spent(meter.Calls))
	}
	if got := fmt.Sprint(limits); got != "[100 4196 4196]" {
		t.Error(got)
	}
}

func TestModelThatThinksWithoutEndCostsTwoCalls(t *testing.T) {
	for _, c := range []struct {
		server string
		limits string
	}{{"", "[100 4196]"}, {"groq", "[4196 8292]"}} {
		e := *endpoint.Endpoint
		e.Server = c.server
		m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		var limits []int
		_, spent, err := charged(t, m, Request{Messages: user("1, 2 or 3?"), MaxTokens: 100}, thinks(t, 1<<30, &limits))
		var coded *source.Error
		if !errors.As(err, &coded) || coded.ID != CodeThinking || !strings.Contains(err.Error(), "tokens and wrote nothing") || spent.Spent(meter.Calls) != 2 {
			t.Errorf("%s: %v, %d calls", c.server, err, spent.Spent(meter.Calls))
		}
		if got := fmt.Sprint(limits); got != c.limits {
			t.Errorf("%s: %s", c.server, got)
		}
	}
}

func TestProbeFindsAThinkingModel(t *testing.T) {
	serve := func(enough int) func(h *process.HTTP) (int, string) {
		return func(h *process.HTTP) (int, string) {
			var body struct {
				MaxTokens int `json:"max_tokens"`
			}
			if h.Method == "GET" {
				return 404, ""
			}
			if err := json.Unmarshal([]byte(h.Body), &body); err != nil {
				t.Fatal(err)
			}
			if body.MaxTokens <= enough {
				return 200, `{"choices":[{"message":{"content":"","reasoning_content":"hm"},"finish_reason":"length"}]}`
			}
			return 200, `{"choices":[{"message":{"content":"ready","reasoning_content":"hm"},"finish_reason":"stop"}]}`
		}
	}
	result, steps, err := probed(t, ProbeSettings{Endpoint: *endpoint.Endpoint}, serve(900))
	if err != nil || result.Capabilities.Thinking != MoreTokens || !slices.ContainsFunc(steps, func(e ProbeEvent) bool { return strings.Contains(e.Message, "it thinks before it answers") }) {
		t.Errorf("%+v, %+v, %v", result, steps, err)
	}
	_, steps, _ = probed(t, ProbeSettings{Endpoint: *endpoint.Endpoint}, serve(1<<30))
	if last := steps[len(steps)-1]; last.Name != "chat" || last.State != ProbeFailed || !strings.Contains(last.Message, "wrote nothing") {
		t.Errorf("%+v", steps)
	}
}

// Thoughts are events as they arrive, before the text. Pieces are separated by "|".
func TestThoughtsAreEventsBeforeTheText(t *testing.T) {
	think := func(text string) string {
		return event(`{"choices":[{"delta":{"reasoning_content":"` + text + `"}}]}`)
	}
	cut := event(`{"choices":[{"delta":{},"finish_reason":"length"}]}`)
	reasoner := endpoint
	e := *endpoint.Endpoint
	e.Model = "qwen3-thinking"
	reasoner.Endpoint = &e
	for _, c := range []struct {
		spec         Spec
		body, events string
	}{
		{endpoint, think("one, ") + think("two"), "thought one, two (2)"},
		{endpoint, think("one, ") + "|" + think("two"), "thought one, (2); thought +two (2)"},
		{endpoint, textEvent("<thi") + textEvent("nk>one, ") + "|" + textEvent("two</think>\n"), "thought one, (2); thought +two (2)"},
		// A thought without an opening tag, and a text that is taken for one.
		{reasoner, textEvent("one, </th") + "|" + textEvent("ink>\n"), "thought one, (2)"},
		{reasoner, textEvent("one, ") + "|" + textEvent("two</think>"), "thought one, (2); thought +two (2)"},
		{reasoner, textEvent("1") + "|" + textEvent("2"), "thought 1 (1); thought +2 (1); thought +3 (1); withdrawn; text 12"},
		{reasoner, textEvent("1") + "|" + think("one"), "thought 1 (1); withdrawn; text 1; thought one (1)"},
		{reasoner, textEvent("<thi") + "|" + textEvent("nk>one</think>"), "thought one (1)"},
	} {
		for _, end := range []string{"text", "cut"} {
			tail, want := textEvent("3")+event("[DONE]"), c.events+"; text 3"
			if end == "cut" {
				if strings.Contains(c.events, "withdrawn") || strings.Contains(c.body, "</th") {
					continue
				}
				tail, want = cut+event("[DONE]"), c.events
			}
			if strings.HasSuffix(c.events, "text 12") {
				want = c.events + "3"
			}
			if got := shownThoughts(t, c.spec, strings.Split(c.body+"|"+tail, "|")); got != want {
				t.Errorf("%s %q: %q, expected %q", c.spec.Endpoint.Model, c.body, got, want)
			}
		}
	}
}

// shownThoughts returns the thoughts and texts of the first answer, whose body arrives in pieces.
func shownThoughts(t *testing.T, spec Spec, pieces []string) string {
	m, _ := New(spec)
	p := process.New(func(env *process.Env) (any, error) {
		_, err := m.Generate(env, Request{Messages: user("?"), MaxTokens: 9}, func(text string) bool {
			env.Emit(RetryEvent{Kind: "text", Why: text})
			return true
		})
		return nil, err
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	var got []string
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range out.Events {
			var e struct {
				Kind, Text, Why string
				Tokens          int
				More, Withdrawn bool
			}
			if err := json.Unmarshal(raw, &e); err != nil {
				t.Fatal(err)
			}
			switch {
			case e.Kind == "text":
				got = append(got, "text "+e.Why)
			case e.Withdrawn:
				got = append(got, "withdrawn")
			case e.Kind == "llm.thought":
				got = append(got, fmt.Sprintf("thought %s%s (%d)", map[bool]string{true: "+"}[e.More], strings.TrimSpace(e.Text), e.Tokens))
			case e.Kind == "llm.retry":
				return strings.Join(got, "; ")
			}
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return strings.Join(got, "; ")
		}
		given = nil
		for _, e := range out.Effects {
			given = append(given, chunks(e.ID, 200, pieces...)...)
		}
	}
}
