package llm

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// probed tests an endpoint against a server and returns the steps as "name state".
func probed(t *testing.T, s ProbeSettings, serve func(h *process.HTTP) (status int, body string)) (*ProbeResult, []ProbeEvent, error) {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	run, err := ProbeRun(raw)
	if err != nil {
		t.Fatal(err)
	}
	var result *ProbeResult
	p := process.New(func(env *process.Env) (any, error) {
		out, err := run(env)
		if err == nil {
			result = out.(*ProbeResult)
		}
		return nil, err
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	var given []process.Answer
	var steps []ProbeEvent
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		given = nil
		for _, e := range out.Effects {
			if e.HTTP == nil {
				t.Fatalf("a probe waits: %+v", e)
			}
			status, body := serve(e.HTTP)
			value, _ := json.Marshal(process.HTTPValue{Status: status, Body: body, Milliseconds: 5})
			given = append(given, process.Answer{Effect: e.ID, Value: value})
		}
		for _, e := range out.Events {
			var step ProbeEvent
			if err := json.Unmarshal(e, &step); err != nil {
				t.Fatal(err)
			}
			if step.Kind == "probe.step" {
				steps = append(steps, step)
			}
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return result, steps, out.Err
		}
	}
}

func stepsOf(events []ProbeEvent) string {
	var out []string
	for _, e := range events {
		out = append(out, e.Name+" "+e.State)
	}
	return strings.Join(out, ", ")
}

func says(text string) string {
	quoted, _ := json.Marshal(text)
	return `{"choices":[{"message":{"content":` + string(quoted) + `},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
}

const twoModels = `{"data":[{"id":"small","owned_by":"me"},{"id":"models/large","owned_by":"you"}]}`

// A capability is reported if and only if the server shows it.
func TestProbeReportsTheCapabilitiesOfTheServer(t *testing.T) {
	unknown := Endpoint{Name: "mine", URL: "https://models.example/v1", Model: "small"}
	// able is a server with some of the capabilities.
	able := func(logprobs, tools bool, choice, prefix string) func(h *process.HTTP) (int, string) {
		return func(h *process.HTTP) (int, string) {
			var body struct {
				Logprobs   any
				Tools      []any
				Format     any `json:"response_format"`
				Structured any `json:"structured_outputs"`
				Grammar    any
				Continue   bool `json:"continue_final_message"`
				Messages   []struct {
					Role, Content string
					Prefix        bool
				}
			}
			if h.Method == "GET" {
				return 200, twoModels
			}
			if err := json.Unmarshal([]byte(h.Body), &body); err != nil {
				t.Fatal(err)
			}
			last := body.Messages[len(body.Messages)-1]
			way := ""
			if last.Role == "assistant" {
				way = PrefixPrefill
				if last.Prefix {
					way = PrefixMistral
				} else if body.Continue {
					way = PrefixContinue
				}
			}
			switch {
			case body.Logprobs != nil && logprobs:
				return 200, `{"choices":[{"message":{"content":"ready"},"logprobs":{"content":[{"token":"ready","logprob":-1}]},"finish_reason":"stop"}]}`
			case body.Logprobs != nil, body.Tools != nil && !tools, way != "" && way != prefix:
				return 200, says("ready")
			case body.Tools != nil:
				return 200, `{"choices":[{"message":{"tool_calls":[{"id":"c","function":{"name":"report","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`
			case body.Format != nil && choice == ChoiceSchema:
				return 200, says(`{"choice":"apple"}`)
			case body.Structured != nil && choice == ChoiceStructured, body.Grammar != nil && choice == ChoiceGrammar:
				return 200, says("cherry")
			case body.Format != nil || body.Structured != nil || body.Grammar != nil:
				return 200, says("banana")
			case way != "":
				return 200, says(" 5 6 7 8 9")
			}
			return 200, says("ready")
		}
	}
	state := func(ok bool) string { return map[bool]string{true: ProbeOK, false: ProbeFailed}[ok] }
	for _, logprobs := range []bool{true, false} {
		for _, tools := range []bool{true, false} {
			for _, choice := range []string{ChoiceNone, ChoiceSchema, ChoiceStructured, ChoiceGrammar} {
				for _, prefix := range []string{PrefixNone, PrefixContinue, PrefixMistral, PrefixPrefill} {
					asked := 0
					serve := able(logprobs, tools, choice, prefix)
					result, events, err := probed(t, ProbeSettings{Endpoint: unknown}, func(h *process.HTTP) (int, string) { asked++; return serve(h) })
					if err != nil {
						t.Fatal(err)
					}
					want := "models ok, model ok, chat ok, logprobs " + state(logprobs) + ", tools " + state(tools) + ", choice " + state(choice != ChoiceNone) + ", prefix " + state(prefix != PrefixNone)
					caps := result.Capabilities
					if got := stepsOf(events); got != want || caps.Logprobs != logprobs || caps.Tools != tools || caps.Choice != choice || caps.Prefix != prefix || caps.Schema != (choice != ChoiceNone) {
						t.Fatalf("%v %v %q %q: %s, %+v", logprobs, tools, choice, prefix, got, caps)
					}
					if result.Reply != "ready" || result.Milliseconds != 5 || !slices.Equal(result.Models, []string{"small", "large"}) || result.Server != "" {
						t.Fatalf("%+v", result)
					}
					if result.Usage.Prompt < 3*(asked-2-3) || result.Usage.Completion < 2*(asked-4) {
						t.Fatalf("%d requests have the usage %+v", asked, result.Usage)
					}
				}
			}
		}
	}
}

func TestProbeSkipsKnownCapabilities(t *testing.T) {
	always := func(h *process.HTTP) (int, string) {
		if h.Method == "GET" {
			return 200, twoModels
		}
		return 200, says("")
	}
	for _, c := range []struct {
		name  string
		e     Endpoint
		serve func(h *process.HTTP) (int, string)
		want  string
	}{
		{"declared", Endpoint{URL: "https://x/v1", Model: "small", Capabilities: &Capabilities{}}, always, "models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped"},
		{"a known server", Endpoint{URL: "https://x/v1", Model: "tiny", Server: "vllm"}, always, "models ok, model skipped, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped"},
		{"a known address", Endpoint{URL: "https://api.groq.com/v1", Model: "small"}, always, "models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped"},
		{"no model", Endpoint{URL: "https://x/v1"}, always, "models ok, chat skipped"},
		{"completions", Endpoint{URL: "https://x/v1", Model: "small", Format: FormatCompletions}, func(h *process.HTTP) (int, string) {
			if h.Method == "GET" {
				return 200, twoModels
			}
			return 200, `{"choices":[{"text":"ready","finish_reason":"stop"}]}`
		}, "models ok, model ok, chat ok, logprobs failed, tools skipped, choice failed, prefix skipped"},
	} {
		result, events, err := probed(t, ProbeSettings{Endpoint: c.e}, c.serve)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(events); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
		for _, e := range events {
			if e.Name == "chat" && e.State == ProbeOK && strings.Contains(e.Message, "gave an empty answer") != (result.Reply == "") {
				t.Errorf("%s: %+v of the reply %q", c.name, e, result.Reply)
			}
		}
		if c.e.Model != "" && c.e.Capabilities != nil && result.Capabilities != *c.e.Capabilities {
			t.Errorf("%s: %+v", c.name, result)
		}
	}
}

// Only a failure that affects every request ends the test at the list of models.
func TestAListOfModelsMayBeMissing(t *testing.T) {
	e := Endpoint{URL: "https://x/v1", Model: "small", Server: "vllm"}
	for _, c := range []struct {
		status int
		body   string
		want   string
		fails  bool
	}{
		{200, `[{"id":"small"}]`, "models ok, model ok, chat ok", false},
		{200, `{"models":[{"name":"small:latest"}]}`, "models ok, model ok, chat ok", false},
		{200, `{"models":[{"model":"other"}]}`, "models ok, model skipped, chat ok", false},
		{299, `{"data":[]}`, "models ok, model skipped, chat ok", false},
		{300, `{"data":[]}`, "models skipped, chat ok", false},
		{404, ``, "models skipped, chat ok", false},
		{500, ``, "models failed, chat ok", false},
		{200, `<html>`, "models failed, chat ok", false},
		{200, `{"x":1}`, "models failed, chat ok", false},
		{401, ``, "models failed", true},
		{402, ``, "models failed", true},
	} {
		_, events, err := probed(t, ProbeSettings{Endpoint: e}, func(h *process.HTTP) (int, string) {
			if h.Method == "GET" {
				return c.status, c.body
			}
			return 200, says("ready")
		})
		got, _, _ := strings.Cut(stepsOf(events), ", logprobs")
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%d %s: %s, %v", c.status, c.body, got, err)
		}
	}
	_, events, err := probed(t, ProbeSettings{Endpoint: e, Origin: "https://page"}, func(h *process.HTTP) (int, string) {
		if h.Method == "GET" {
			return 200, twoModels
		}
		return 404, "no such model"
	})
	last := events[len(events)-1]
	if err == nil || last.Name != "chat" || last.State != ProbeFailed || last.Fix == "" || strings.Contains(last.Message, last.Fix) {
		t.Errorf("%+v %v", events, err)
	}
}

func TestTheOwnerOfAllModelsNamesTheServer(t *testing.T) {
	for _, c := range []struct{ body, server string }{
		{`{"data":[{"id":"a","owned_by":"vllm"},{"id":"b","owned_by":"vllm"}]}`, "vllm"},
		{`{"data":[{"id":"a","owned_by":"vllm"},{"id":"b","owned_by":"me"}]}`, ""},
		{`{"data":[{"id":"a","owned_by":"me"},{"id":"b","owned_by":"vllm"}]}`, ""},
		{`{"data":[{"id":"a","owned_by":"llamacpp"}]}`, "llamacpp"},
		{`{"data":[]}`, ""},
	} {
		result, _, err := probed(t, ProbeSettings{Endpoint: Endpoint{URL: "https://x/v1"}}, func(*process.HTTP) (int, string) { return 200, c.body })
		if err != nil || result.Server != c.server {
			t.Errorf("%s: %+v %v", c.body, result, err)
		}
	}
}

func TestSettingsOfAProbeAreChecked(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"endpoint":{"url":"https://x","model":"m","name":"n"}}`: true, `{"endpoint":{"url":"https://x","name":"n","model":""}}`: true,
		`{"endpoint":{"url":"x","model":"m","name":"n"}}`: false, `{"endpoint":{},"more":1}`: false, `7`: false,
	} {
		if _, err := ProbeRun([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
