package monitor

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	wire "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

func nativeScript(texts ...string) Settings {
	return Settings{Question: "q", Environment: EnvironmentTools, Surface: SurfaceTools, Model: llm.Spec{Kind: llm.KindScripted, Script: texts}}
}

func TestToolCallsFollowTheSpecification(t *testing.T) {
	react := find(t, "react/react.agent")
	react.setup = react.setup.with(replayed{"Search", map[string]string{"a": "about a", "b": "about b"}}, replayed{"Lookup", nil})
	pass := find(t, "pass/pass.agent")
	pass.setup = pass.setup.with(replayed{"Search", map[string]string{"a": "about a", "b": "about b"}})
	call := func(name, text string) string {
		return `{"name":"` + name + `","arguments":{"text":"` + text + `"}}`
	}
	for _, c := range []struct {
		name   string
		agent  shipped
		script []string
		want   string
		faults []string
	}{
		{"a call and an answer", react, []string{`{"text":"I look.","calls":[` + call("Search", "a") + `]}`, "A"},
			"[Question] q\n[Thought] I look.\n[Action] Search\n[Action Input] a\n[Observation] about a\n[Final Thought]\n[Answer] A", nil},
		{"two calls at once, one after the other in the behaviour", react, []string{`{"calls":[` + call("Search", "a") + `,` + call("Search", "b") + `]}`, "A"},
			"[Question] q\n[Thought]\n[Action] Search\n[Action Input] a\n[Observation] about a\n[Thought]\n[Action] Search\n[Action Input] b\n[Observation] about b\n[Final Thought]\n[Answer] A", nil},
		{"calls at the same time are summed up", pass, []string{`{"text":"plan","calls":[` + call("Search", "a") + `,` + call("Search", "b") + `]}`, "A"},
			"[Question] q\n[Thought] plan\n[Action] Search\n[Action Input] a\n[Action] Search\n[Action Input] b\n[Summary] 1. about a\n2. about b\n[Final Thought]\n[Answer] A", nil},
		{"a tool that there is not", react, []string{`{"calls":[` + call("Delete", "a") + `]}`, "A"},
			"[Question] q\n[Final Thought]\n[Answer] A", []string{`unknown tool \"Delete\"`}},
		{"arguments that are none", react, []string{`{"calls":[{"name":"Search","arguments":"a"}]}`, "A"},
			"[Question] q\n[Final Thought]\n[Answer] A", []string{"not a JSON object"}},
		{"a call that fails is no violation", react, []string{`{"calls":[` + call("Lookup", "a") + `]}`, "A"},
			"[Question] q\n[Thought]\n[Action] Lookup\n[Action Input] a\n[Observation] Error: Lookup was not asked for \"a\"\n[Final Thought]\n[Answer] A", nil},
		{"nothing at all", react, []string{"", "A"}, "[Question] q\n[Final Thought]\n[Answer] A", []string{"empty answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings := nativeScript(c.script...)
			transcript, events, err := play(t, c.agent, settings)
			if err != nil {
				t.Fatalf("%v\n%s", err, strings.Join(events, "\n"))
			}
			conforms(t, c.agent.agent, transcript)
			if transcript.Text != c.want {
				t.Errorf("%s\n%s", transcript.Text, strings.Join(events, "\n"))
			}
			faults := only(events, "monitor.violation")
			if len(faults) != len(c.faults) {
				t.Fatalf("%v", faults)
			}
			for i, f := range c.faults {
				if !strings.Contains(faults[i], f) {
					t.Errorf("%s", faults[i])
				}
			}
		})
	}
}

func TestForbiddenCallsGetErrorResults(t *testing.T) {
	s := shipped{agent: compile(t, `(define shop
	  (:states (task (:text "Task:")) (find (:text "Find:")) (pay (:text "Pay:")) (done (:text "Done:")))
	  (:behavior (next task (until find pay) done)))`)}
	s.setup = s.setup.with(replayed{"find", map[string]string{"book": "found"}}, replayed{"pay", map[string]string{"book": "paid"}})
	settings := nativeScript(`{"calls":[{"name":"pay","arguments":{"text":"book"}},{"name":"find","arguments":{"text":"book"}}]}`, "bought")
	transcript, events, err := play(t, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Task: q\nPay: book\nDone: bought"; transcript.Text != want {
		t.Errorf("%s\n%s", transcript.Text, strings.Join(events, "\n"))
	}
	said := only(events, "monitor.correction")
	if len(said) != 1 || !strings.Contains(said[0], `\"find\" is not allowed here; expected \"done\"; allowed now: the answer`) {
		t.Errorf("%v", said)
	}
	settings = nativeScript("at once", "at once", "at once", "at once", "at once", "at once", "at once", "at once", "at once")
	_, _, err = play(t, s, settings)
	if coded, _ := err.(*source.Error); coded == nil || coded.Code() != "monitor.refused" {
		t.Errorf("%v", err)
	}
}

func TestRequestsOfferAllowedToolsAndReturnResults(t *testing.T) {
	s := find(t, "react/react.agent")
	s.setup = s.setup.with(replayed{"Search", map[string]string{"a": "about a"}}, replayed{"Lookup", nil})
	settings := Settings{
		Question: "q", Environment: EnvironmentTools, Surface: SurfaceTools, MaxLoops: 1,
		Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Server: "openai"}},
	}
	stream := func(delta string) string {
		return "data: {\"choices\":[{\"delta\":" + delta + "}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	}
	replies := []string{
		stream(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"Drop","arguments":"{}"}}]}`),
		stream(`{"reasoning_content":"hm","content":"I look.","tool_calls":[{"index":0,"id":"c2","function":{"name":"Search","arguments":"{\"text\":\"a\"}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}`),
		stream(`{"content":"A"}`),
	}
	var bodies []string
	_, _, err := perform(t, s.agent, s.setup, settings, 1, func(e process.Effect) []process.Answer {
		bodies = append(bodies, e.HTTP.Body)
		value, _ := json.Marshal(process.HTTPValue{Status: 200})
		return []process.Answer{{Effect: e.ID, Chunk: &replies[len(bodies)-1]}, {Effect: e.ID, Value: value}}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(bodies) != 3 {
		t.Fatalf("%d requests", len(bodies))
	}
	for i, parts := range [][]string{
		{`"name":"Search"`, `"name":"Lookup"`},
		{`"tool_call_id":"c1"`, `unknown tool \\\"Drop\\\"`},
		{`"content":"about a"`, `"tool_call_id":"c2"`, `"tool_choice":"none"`, // the loop is used up
			`"reasoning_content":"hm"`, `"extra_content":{"google":{"thought_signature":"c2ln"}}`},
	} {
		for _, part := range parts {
			if !strings.Contains(bodies[i], part) {
				t.Errorf("request %d lacks %s:\n%s", i+1, part, bodies[i])
			}
		}
	}
}

func TestRamblersWithToolCallsConform(t *testing.T) {
	for _, s := range gallery(t) {
		if strings.HasSuffix(s.name, "/rewoo.agent") {
			continue // it makes no call before it has planned all
		}
		if example, _, _ := strings.Cut(s.name, "/"); slices.Contains([]string{"sql", "coder", "citations", "payment", "oncall", "retries", "chatpolicy"}, example) {
			continue // they have more states than a call, a result and an answer
		}
		for _, rate := range []float64{0, 0.2, 0.5} {
			for seed := range uint64(effort.Of(40)) {
				settings := Settings{Question: "who?", Surface: SurfaceTools, Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: rate}}
				p := process.New(func(env *process.Env) (any, error) {
					transcript, err := Run(env, s.agent, s.setup, settings)
					if err == nil {
						conforms(t, s.agent, transcript)
					}
					return nil, err
				}, seed, meter.Budget{}, nil)
				out, err := p.Resume(nil, 1<<40)
				if err != nil {
					t.Fatal(err)
				}
				coded, _ := out.Err.(*source.Error)
				if out.State != process.StateDone && (coded == nil || coded.Code() != "monitor.refused" || rate == 0) {
					t.Fatalf("%s at %v, seed %d: %v", s.name, rate, seed, out.Err)
				}
			}
		}
	}
	s := find(t, "rewoo/rewoo.agent")
	_, _, err := play(t, s, Settings{Question: "q", Surface: SurfaceTools, Model: llm.Spec{Kind: llm.KindFirst}})
	if coded, _ := err.(*source.Error); coded == nil || coded.Code() != "monitor.mapping" {
		t.Errorf("%v", err)
	}
}

// The requests of an agent without calls define no tools.
func TestRequestsWithoutCallsDefineNoTools(t *testing.T) {
	s := find(t, "cot/cot.agent")
	s.setup = s.setup.with(replayed{"Search", nil})
	_, bodies, _ := served(t, s, Settings{
		Question: "q", Environment: EnvironmentTools, Surface: SurfaceTools,
		Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Server: "openai"}},
	}, scored("42", -0.1))
	if len(bodies) != 1 || strings.Contains(bodies[0], `"tools":`) {
		t.Errorf("%q", bodies)
	}
}

// counted is a tool that counts its calls.
type counted struct {
	replayed
	calls *int
}

func (c counted) Call(env *process.Env, arguments wire.RawMessage) (string, error) {
	*c.calls++
	return c.replayed.Call(env, arguments)
}

// The environment fills two states. A call is made once, whichever of them has its result.
func TestCallsAreMadeOnceNextToATaskOfTheEnvironment(t *testing.T) {
	const states = `(:states (task (:text "Task:") (:flags :env-input)) (act (:text "Action:")) (inp (:text "Input:")) (obs (:text "Seen:") (:flags :env-input)) (done (:text "Done:")))`
	for _, c := range []struct {
		behavior string
		mapping  []Mapping
		want     string
	}{
		{"(next task (until (next act inp obs) done))", nil, "Task: q\nAction: find\nInput: book\nSeen: found\nDone: ok"},
		{"(next task (until (next act inp obs) done))", []Mapping{{Part: PartResult, States: []string{"obs"}}}, "Task: q\nAction: find\nInput: book\nSeen: found\nDone: ok"},
		{"(next task (until (next act inp obs) done))", []Mapping{{Part: PartResult, States: []string{"task"}}}, "Task: q\nAction: find\nInput: book\nSeen: found\nDone: ok"},
		{"(next task (until (next act inp obs) done))", []Mapping{{Part: PartResult}}, "Task: q\nAction: find\nInput: book\nSeen: found\nDone: ok"},
		{"(next obs (until (next act inp task) done))", []Mapping{{Part: PartResult, States: []string{"task"}}}, "Seen: q\nAction: find\nInput: book\nTask: found\nDone: ok"},
		{"(next task (until (next act inp task) done))", nil, "Task: q\nAction: find\nInput: book\nTask: found\nDone: ok"},
	} {
		s := shipped{agent: compile(t, "(define shop "+states+"(:behavior "+c.behavior+"))")}
		calls := 0
		s.setup = s.setup.with(counted{replayed{"find", map[string]string{"book": "found"}}, &calls})
		settings := nativeScript(`{"calls":[{"name":"find","arguments":{"text":"book"}}]}`, "ok")
		settings.Mapping = c.mapping
		transcript, events, err := play(t, s, settings)
		if err != nil {
			t.Fatalf("%s %v: %v", c.behavior, c.mapping, err)
		}
		if transcript.Text != c.want || calls != 1 {
			t.Errorf("%s %v: %d calls, %q, want 1 call, %q\n%s", c.behavior, c.mapping, calls, transcript.Text, c.want, strings.Join(events, "\n"))
		}
	}
}

// The flagship offers and names the tools that its agent may call, although its file of tools declares a
// calculator, too, for another agent.
func TestFlagshipNamesOnlyToolsThatMayBeCalled(t *testing.T) {
	for _, surface := range []string{SurfaceText, SurfaceTools} {
		s := find(t, "react/react.agent")
		s.setup = s.setup.with(replayed{"Calculator", nil}, replayed{"Search", nil}, replayed{"Lookup", nil})
		settings := Settings{
			Question: "q", Environment: EnvironmentTools, Surface: surface,
			Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Server: "openai"}},
		}
		body := ""
		_, _, _ = perform(t, s.agent, s.setup, settings, 1, func(e process.Effect) []process.Answer {
			body = e.HTTP.Body
			value, _ := json.Marshal(process.HTTPValue{Status: 401})
			return []process.Answer{{Effect: e.ID, Value: value}}
		})
		for text, want := range map[string]bool{"Search": true, "Lookup": true, "Calculator": false} {
			if strings.Contains(body, text) != want {
				t.Errorf("%q: a request with %s is %v:\n%s", surface, text, !want, body)
			}
		}
		if n := strings.Count(body, "tools can be called"); n > 1 {
			t.Errorf("%q: the request introduces the tools %d times:\n%s", surface, n, body)
		}
	}
}

// A run that resumes from its recorded answers sends the opaque fields back that its model has sent.
func TestResumedRunsSendOpaqueFieldsBack(t *testing.T) {
	s := find(t, "react/react.agent")
	s.setup = s.setup.with(replayed{"Search", map[string]string{"a": "about a"}}, replayed{"Lookup", nil})
	settings := Settings{
		Question: "q", Environment: EnvironmentTools, Surface: SurfaceTools,
		Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Server: "deepseek"}},
	}
	start := func() *process.Process {
		return process.New(func(env *process.Env) (any, error) { return Run(env, s.agent, s.setup, settings) }, 1, meter.Budget{}, nil)
	}
	resume := func(p *process.Process, answers []process.Answer) process.Effect {
		out, err := p.Resume(answers, 0)
		if err != nil || len(out.Effects) != 1 {
			t.Fatalf("%+v %v", out, err)
		}
		return out.Effects[0]
	}
	live := start()
	defer live.Stop()
	first := resume(live, nil)
	body := "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\",\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"Search\",\"arguments\":\"{\\\"text\\\":\\\"a\\\"}\"},\"extra_content\":{\"google\":{\"thought_signature\":\"c2ln\"}}}]}}]}\n\ndata: [DONE]\n\n"
	value, _ := json.Marshal(process.HTTPValue{Status: 200})
	answers := []process.Answer{{Effect: first.ID, Chunk: &body}, {Effect: first.ID, Value: value}}
	want := resume(live, answers)
	again := start()
	defer again.Stop()
	got := resume(again, nil)
	if got = resume(again, answers); got.HTTP.Body != want.HTTP.Body {
		t.Errorf("%s\nresumed %s", want.HTTP.Body, got.HTTP.Body)
	}
	for _, part := range []string{`"reasoning_content":"hm"`, `"extra_content":{"google":{"thought_signature":"c2ln"}}`} {
		if !strings.Contains(got.HTTP.Body, part) {
			t.Errorf("the request lacks %s:\n%s", part, got.HTTP.Body)
		}
	}
}
