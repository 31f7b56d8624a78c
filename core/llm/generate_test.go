package llm

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// charged runs one Generate and returns the meter after it.
func charged(t *testing.T, m Model, r Request, answers func(process.Effect) []process.Answer) (Reply, *meter.Meter, error) {
	t.Helper()
	var reply Reply
	var spent *meter.Meter
	p := process.New(func(env *process.Env) (any, error) {
		var err error
		reply, err = m.Generate(env, r, func(string) bool { return true })
		spent = env.Meter()
		return nil, err
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		given = nil
		for _, e := range out.Effects {
			given = append(given, answers(e)...)
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return reply, spent, out.Err
		}
	}
}

// An answer is charged with the tokens that the endpoint reports, or with an estimate, and
// the prompt is charged once.
func TestAnAnswerIsChargedOnce(t *testing.T) {
	r := Request{Messages: user(strings.Repeat("x", 36)), Prefix: "abcd"} // 9 + 1 tokens
	for _, c := range []struct {
		name, body string
		usage      Usage
		tokens     int64
	}{
		{"reported", textEvent("hello") + event(`{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":7}}`) + event("[DONE]"), Usage{12, 7}, 19},
		{"reported below the estimate", textEvent("hello") + event(`{"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":7}}`) + event("[DONE]"), Usage{4, 7}, 17},
		{"not reported", textEvent(strings.Repeat("y", 20)) + event("[DONE]"), Usage{10, 5}, 15},
		{"thoughts", event(`{"choices":[{"delta":{"reasoning":"12345678"}}]}`) + textEvent("abcd") + event("[DONE]"), Usage{10, 3}, 13},
	} {
		e := *endpoint.Endpoint
		e.Price = &Price{Prompt: 1, Completion: 10}
		m, err := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		if err != nil {
			t.Fatal(err)
		}
		reply, spent, err := charged(t, m, r, func(e process.Effect) []process.Answer { return chunks(e.ID, 200, c.body) })
		micro := int64(c.usage.Prompt + 10*c.usage.Completion)
		if err != nil || reply.Usage != c.usage || reply.Cost != float64(micro)/1e6 {
			t.Errorf("%s: %+v %v", c.name, reply, err)
		}
		if spent.Spent(meter.Calls) != 1 || spent.Spent(meter.Tokens) != c.tokens || spent.Spent(meter.Money) != micro {
			t.Errorf("%s: %d calls, %d tokens, %d micro-dollars", c.name, spent.Spent(meter.Calls), spent.Spent(meter.Tokens), spent.Spent(meter.Money))
		}
	}
}

// A cut answer is charged with at least an estimate of its text.
func TestACutAnswerIsCharged(t *testing.T) {
	m, _ := New(endpoint)
	body := event(`{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}`) + textEvent(strings.Repeat("y", 40))
	reply, spent, err := charged(t, m, Request{}, func(e process.Effect) []process.Answer { return chunks(e.ID, 200, body) })
	if err == nil || reply.Usage != (Usage{3, 10}) || spent.Spent(meter.Tokens) != 13 || !strings.Contains(err.Error(), "after 40 characters") {
		t.Errorf("%+v, %d tokens, %v", reply, spent.Spent(meter.Tokens), err)
	}
}

// A server may or may not repeat the forced beginning; the answer has it in neither case
// if it is the caller's, and exactly once if it is the constraint's.
func TestAForcedBeginningIsHandedOverOnce(t *testing.T) {
	choices := &Constraint{Choices: []string{"Paris", "Parma"}}
	tools := []Tool{look}
	for _, c := range []struct {
		name, server string
		r            Request
		says, want   string
	}{
		{"an echo of Mistral", "mistral", Request{Prefix: "[A"}, "[Act", "ct"},
		{"no echo", "mistral", Request{Prefix: "[A"}, "x[A", "x[A"},
		{"an echo of llama.cpp", "llamacpp", Request{Prefix: "[Act"}, "[Act one", " one"},
		{"a short repetition of llama.cpp", "llamacpp", Request{Prefix: "aaa"}, "aaab", "aaab"},
		{"vLLM has no echo", "vllm", Request{Prefix: "[Act"}, "[Act one", "[Act one"},
		{"the start of an echo", "mistral", Request{Prefix: "[Act"}, "[A", "[A"},
	} {
		e := *endpoint.Endpoint
		e.Server = c.server
		m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		var pieces []string
		for _, letter := range c.says {
			pieces = append(pieces, textEvent(string(letter)))
		}
		reply, handed, _, err := ask(t, m, c.r, 0, func(e process.Effect) []process.Answer {
			return chunks(e.ID, 200, append(pieces, event("[DONE]"))...)
		})
		if err != nil || reply.Text != c.want || handed != c.want {
			t.Errorf("%s: %q, handed over %q, %v", c.name, reply.Text, handed, err)
		}
	}
	// Only the beginning that all choices share is forced, and not where tools are offered,
	// because a call has no text.
	for _, c := range []struct {
		r    Request
		says string
		want string
	}{
		{Request{Constraint: choices}, "is", "Paris"},
		{Request{Constraint: choices, Tools: tools}, "is", "is"},
		{Request{Constraint: choices, Prefix: "In "}, "is", "is"},
	} {
		e := *endpoint.Endpoint
		e.Capabilities = &Capabilities{Prefix: PrefixContinue, Tools: true}
		m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		reply, handed, _, err := ask(t, m, c.r, 0, func(e process.Effect) []process.Answer {
			forced := strings.Contains(e.HTTP.Body, `"content":"Par"`)
			if want := c.want == "Paris"; forced != want {
				t.Errorf("%+v: %s", c.r, e.HTTP.Body)
			}
			return chunks(e.ID, 200, textEvent(c.says)+event("[DONE]"))
		})
		if err != nil || reply.Text != c.want || handed != c.want || reply.Constrained {
			t.Errorf("%+v: %+v, handed over %q, %v", c.r, reply, handed, err)
		}
	}
}

// Constrained is true only for an enforced answer that satisfies the constraint.
func TestAnEnforcedAnswerIsChecked(t *testing.T) {
	for _, c := range []struct {
		caps       Capabilities
		constraint Constraint
		says, want string
		holds      bool
	}{
		{Capabilities{Choice: ChoiceSchema}, Constraint{Choices: []string{"a", "b"}}, `{"choice":"b"}`, "b", true},
		{Capabilities{Choice: ChoiceSchema}, Constraint{Choices: []string{"a", "b"}}, `{"choice":"c"}`, "c", false},
		{Capabilities{Choice: ChoiceSchema}, Constraint{Choices: []string{"a", "b"}}, `{"choise":"b"}`, `{"choise":"b"}`, false},
		{Capabilities{Choice: ChoiceSchema}, Constraint{Choices: []string{"a", "b"}}, `a`, "a", true},
		{Capabilities{Choice: ChoiceStructured}, Constraint{Choices: []string{"a", "b"}}, `b`, "b", true},
		{Capabilities{}, Constraint{Choices: []string{"a", "b"}}, `b`, "b", false},
		{Capabilities{Schema: true}, Constraint{Schema: []byte(`{}`)}, `{"x":1}`, `{"x":1}`, true},
		{Capabilities{Schema: true}, Constraint{Schema: []byte(`{}`)}, `{"x":`, `{"x":`, false},
		{Capabilities{Choice: ChoiceStructured}, Constraint{Regex: "a*"}, `aa`, "aa", true},
		{Capabilities{Choice: ChoiceGrammar}, Constraint{Regex: "a*"}, `aa`, "aa", false},
		{Capabilities{Choice: ChoiceGrammar}, Constraint{Grammar: "root ::= \"a\""}, `a`, "a", true},
	} {
		e := *endpoint.Endpoint
		e.Capabilities = &c.caps
		m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		reply, handed, _, err := ask(t, m, Request{Constraint: &c.constraint}, 0, func(e process.Effect) []process.Answer {
			return chunks(e.ID, 200, textEvent(c.says)+event("[DONE]"))
		})
		if err != nil || reply.Text != c.want || handed != c.want || reply.Constrained != c.holds {
			t.Errorf("%+v %q: %+v, handed over %q, %v", c.constraint, c.says, reply, handed, err)
		}
	}
	if c := (&Constraint{Regex: "a*"}); c.holds(Reply{Text: "a", Reason: StopLength}) || !c.holds(Reply{Text: "a", Reason: StopEnd}) {
		t.Error("an answer that was cut at its limit satisfies an expression")
	}
}

func TestSharedBeginningsAreCompleteCharacters(t *testing.T) {
	for _, c := range []struct {
		list []string
		want string
	}{
		{nil, ""}, {[]string{"abc"}, "abc"}, {[]string{"abc", "abd"}, "ab"}, {[]string{"ab", "abc"}, "ab"}, {[]string{"abc", "ab"}, "ab"},
		{[]string{"abc", "x"}, ""}, {[]string{"é", "è"}, ""}, {[]string{"aé", "aè"}, "a"}, {[]string{"éa", "éb"}, "é"}, {[]string{"a", ""}, ""},
		{[]string{"abcd", "abxx", "abcx"}, "ab"},
	} {
		if got := sharedPrefix(c.list); got != c.want {
			t.Errorf("%q: %q, want %q", c.list, got, c.want)
		}
	}
	grammar := choiceGrammar([]string{"a\"\\", "\n\r\t"})
	if want := `root ::= "a\"\\" | "\n\r\t"`; grammar != want {
		t.Errorf("%s, want %s", grammar, want)
	}
}

// Calls come in pieces; a piece outside the known numbers begins a call.
func TestCallsAreJoined(t *testing.T) {
	for _, c := range []struct {
		pieces []ToolCallDelta
		want   []ToolCall
	}{
		{[]ToolCallDelta{{0, "a", "x", "", nil}, {0, "", "", "1", nil}, {0, "a", "", "2", nil}}, []ToolCall{{"a", "x", "12", nil}}},
		{[]ToolCallDelta{{-1, "a", "x", "1", nil}, {5, "b", "y", "2", nil}}, []ToolCall{{"a", "x", "1", nil}, {"b", "y", "2", nil}}},
		{[]ToolCallDelta{{0, "", "x", "1", nil}, {0, "a", "", "2", nil}}, []ToolCall{{"a", "x", "12", nil}}},
		{[]ToolCallDelta{{0, "a", "x", "1", nil}, {1, "b", "y", "2", nil}, {0, "", "", "3", nil}}, []ToolCall{{"a", "x", "13", nil}, {"b", "y", "2", nil}}},
	} {
		a := &attempt{}
		a.takeCalls(c.pieces)
		if !slices.Equal(a.reply.ToolCalls, c.want) {
			t.Errorf("%v: %v", c.pieces, a.reply.ToolCalls)
		}
	}
}

// An answer without an end is ended at its bound, however it is wrapped in events.
func TestAnEndlessAnswerIsEnded(t *testing.T) {
	m, _ := New(endpoint)
	piece := textEvent(strings.Repeat("a", 1<<20))
	reply, _, cancelled, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
		return chunks(e.ID, 200, slices.Repeat([]string{piece}, 20)...)
	})
	coded, ok := err.(interface{ Code() string })
	if !ok || coded.Code() != CodeLong || len(reply.Text) != maxAnswer+1<<20 || len(cancelled) != 1 || !strings.Contains(err.Error(), "8 megabytes") {
		t.Errorf("%d bytes, %v", len(reply.Text), err)
	}
	if reply, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
		return chunks(e.ID, 200, append(slices.Repeat([]string{piece}, maxAnswer>>20), event("[DONE]"))...)
	}); err != nil || len(reply.Text) != maxAnswer {
		t.Errorf("%d bytes, %v", len(reply.Text), err)
	}
	for _, format := range []string{FormatOpenAI, FormatOllama} {
		for _, first := range []string{"{", "data: "} {
			d, n := NewDecoder(format), 0
			var out []Delta
			for d.Write(first); len(out) == 0 && n < 100<<20; n += 1 << 20 {
				out = d.Write(strings.Repeat("a", 1<<20))
			}
			if n != maxEvent || len(out) != 1 || out[0].Fault == nil || out[0].Fault.Kind != FaultLong || !out[0].Done {
				t.Errorf("%s %q: after %d bytes %+v", format, first, n, out)
			}
			if more := append(d.Write("a"), d.End()...); more != nil {
				t.Errorf("%s %q: after the end %+v", format, first, more)
			}
		}
	}
}

// The text of a refusal may come in pieces before its status.
func TestARefusalsTextIsCollected(t *testing.T) {
	m, _ := New(endpoint)
	_, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
		return chunks(e.ID, 404, `{"error":{"message":"no such`, ` model small"}}`)
	})
	if err == nil || !strings.Contains(err.Error(), "no such model small") {
		t.Error(err)
	}
}

// The first stop text that is complete ends the text; of several that end together, the
// longest. The oracle checks every beginning of the text.
func TestTheFirstCompleteStopIsFound(t *testing.T) {
	stops := []string{"", "a", "ab", "b", "bb", "ba", "aab"}
	for n := range 1 << 6 {
		text := ""
		for i := range 6 {
			text += string("ab"[n>>i&1])
		}
		for set := range 1 << len(stops) {
			var list []string
			for i, s := range stops {
				if set>>i&1 == 1 {
					list = append(list, s)
				}
			}
			wantAt, want := -1, ""
			for end := 1; end <= len(text) && wantAt < 0; end++ {
				for _, s := range list {
					if s != "" && strings.HasSuffix(text[:end], s) && len(s) > len(want) {
						wantAt, want = end-len(s), s
					}
				}
			}
			if at, stop := firstStop(text, list); at != wantAt || stop != want {
				t.Fatalf("%q %q: %d %q, want %d %q", text, list, at, stop, wantAt, want)
			}
		}
	}
}

func TestTokensAreCut(t *testing.T) {
	for _, text := range []string{"", "abc", "abcd", "abcde", "éééééééé", "ééééééééé"} {
		for n := -1; n < 5; n++ {
			got := cutTokens(text, n)
			want := text
			if runes := []rune(text); n > 0 && len(runes) > 4*n {
				want = string(runes[:4*n])
			}
			if got != want {
				t.Errorf("%q to %d: %q", text, n, got)
			}
		}
	}
}

// Simulated models draw only valid choices, all of them, and a rambler errs at its rate.
func TestSimulatedModelsDrawFromTheirRange(t *testing.T) {
	numbers := func(spec Spec, r Request) map[string]int {
		seen := map[string]int{}
		for seed := range uint64(400) {
			m, err := New(spec)
			if err != nil {
				t.Fatal(err)
			}
			reply, _, _, err := askSeeded(t, seed, m, r, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			seen[reply.Text]++
		}
		return seen
	}
	if seen := numbers(Spec{Kind: KindUniform}, Request{Choices: 3}); len(seen) != 3 || seen["1"] < 80 || seen["2"] < 80 || seen["3"] < 80 {
		t.Errorf("uniform: %v", seen)
	}
	if seen := numbers(Spec{Kind: KindUniform}, Request{}); seen["1"] != 400 {
		t.Errorf("uniform without choices: %v", seen)
	}
	if seen := numbers(Spec{Kind: KindFirst}, Request{Choices: 3}); seen["1"] != 400 {
		t.Errorf("first: %v", seen)
	}
	good := []string{"1", "2", "I would go for 1.", "I would go for 2.", "Choice: 1\n", "Choice: 2\n"}
	for rate, bounds := range map[float64][2]int{0: {400, 400}, 0.5: {160, 240}, 1: {0, 0}} {
		seen := numbers(Spec{Kind: KindRambler, ErrorRate: rate}, Request{Choices: 2})
		valid := 0
		for _, text := range good {
			valid += seen[text]
			if rate == 0 && seen[text] == 0 {
				t.Errorf("no rambler says %q", text)
			}
		}
		if valid < bounds[0] || valid > bounds[1] {
			t.Errorf("a rambler with the rate %v answers %d of 400 well: %v", rate, valid, seen)
		}
		if rate < 1 {
			continue
		}
		for _, text := range []string{"", "1.5", "2.5", "Either 3 or 4, I think."} {
			if seen[text] == 0 {
				t.Errorf("no rambler says %q", text)
			}
		}
	}
}

// The probabilities of equal choices sum to one.
func TestEqualChoicesHaveEqualProbabilities(t *testing.T) {
	for n := 1; n < 5; n++ {
		c := &Constraint{Choices: strings.Split("a b c d", " ")[:n]}
		for top := range 6 {
			m, _ := New(Spec{Kind: KindUniform, Constrained: true})
			reply, _, _, err := ask(t, m, Request{Constraint: c, TopLogprobs: top}, 0, nil)
			if err != nil || top == 0 && reply.Logprobs != nil || top > 0 && len(reply.Logprobs) != 1 {
				t.Fatalf("%+v %v", reply, err)
			}
			if top == 0 {
				continue
			}
			if got := reply.Logprobs[0]; math.Abs(math.Exp(got.Logprob)*float64(n)-1) > 1e-9 || len(got.Top) != min(n, top) || got.Top[0].Logprob != got.Logprob || got.Token != reply.Text {
				t.Errorf("%d choices: %+v", n, got)
			}
		}
	}
}

func TestAScriptEnds(t *testing.T) {
	m, _ := New(Spec{Kind: KindScripted, Script: []string{"one", "two"}})
	for _, want := range []string{"one", "two", ""} {
		reply, _, _, err := ask(t, m, Request{}, 0, nil)
		if reply.Text != want || (err == nil) != (want != "") {
			t.Errorf("%+v %v", reply, err)
		}
	}
}

func TestAPersonIsAskedWithThePrompt(t *testing.T) {
	for _, c := range []struct {
		r         Request
		after     int
		says      string
		multiline bool
		want      Reply
	}{
		{Request{Messages: user("hi"), Prefix: "so "}, 0, "be it", true, Reply{Text: "be it", Reason: StopEnd}},
		{Request{Messages: user("hi"), Choices: 3}, 0, "2", false, Reply{Text: "2", Reason: StopEnd}},
		{Request{Stop: []string{"it"}}, 0, "be it", true, Reply{Text: "be ", Reason: StopText, Stop: "it"}},
		{Request{}, 1, "be it", true, Reply{Text: "be it", Reason: StopAborted}},
	} {
		m, _ := New(Spec{Kind: KindPerson})
		reply, handed, _, err := ask(t, m, c.r, c.after, func(e process.Effect) []process.Answer {
			if len(c.r.Messages) > 0 && (!strings.HasPrefix(e.Question.Prompt, "hi") || !strings.HasSuffix("hi\n\n"+c.r.Prefix, strings.TrimPrefix(e.Question.Prompt, "hi")+strings.TrimPrefix(c.r.Prefix, strings.TrimSpace(c.r.Prefix)))) || e.Question.Multiline != c.multiline {
				t.Errorf("%+v: %+v", c.r, e.Question)
			}
			value, _ := json.Marshal(c.says)
			return []process.Answer{{Effect: e.ID, Value: value}}
		})
		if err != nil || reply.Text != c.want.Text || reply.Reason != c.want.Reason || reply.Stop != c.want.Stop || handed != c.want.Text {
			t.Errorf("%+v: %+v %q %v", c.r, reply, handed, err)
		}
	}
	m, _ := New(Spec{Kind: KindPerson})
	_, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
		return []process.Answer{{Effect: e.ID, Value: []byte("7")}}
	})
	if fault, ok := err.(*source.Error); !ok || fault.Code() != "llm.answer" {
		t.Error(err)
	}
}

// The expense of a request is an event, also where its answer broke off.
func TestExpensesAreEvents(t *testing.T) {
	usage := event(`{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":7}}`)
	for name, answers := range map[string]func(id string) []process.Answer{
		"complete": func(id string) []process.Answer { return chunks(id, 200, textEvent("hello")+usage+event("[DONE]")) },
		"broken off": func(id string) []process.Answer {
			part := textEvent("hello") + usage
			return []process.Answer{{Effect: id, Chunk: &part}, {Effect: id, Error: &process.EffectError{Code: "network", Message: "reset"}}}
		},
	} {
		e := *endpoint.Endpoint
		e.Price = &Price{Prompt: 1, Completion: 10}
		m, err := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		if err != nil {
			t.Fatal(err)
		}
		p := process.New(func(env *process.Env) (any, error) {
			_, err := m.Generate(env, Request{Messages: user("?")}, func(string) bool { return true })
			return nil, err
		}, 1, meter.Budget{}, nil)
		out, err := p.Resume(nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		out, err = p.Resume(answers(out.Effects[0].ID), 0)
		if err != nil {
			t.Fatal(err)
		}
		p.Stop()
		want := `"calls":1,"tokens":19,"money":0.000082}`
		if len(out.Events) != 1 || !strings.HasSuffix(string(out.Events[0]), want) {
			t.Errorf("%s: %s", name, out.Events)
		}
	}
}
