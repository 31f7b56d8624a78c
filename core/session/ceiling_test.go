package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// spend runs a workspace with settings and a log, answers each request with a text, and returns the
// number of requests, the last output and the log.
func spend(t *testing.T, files []File, settings string, log *RunLog, answer func(n int) string) (requests int, out RunResumeResult, recorded RunLog) {
	t.Helper()
	s := New()
	run, err := s.runStart(RunStartParams{Workspace: RunWorkspace{Files: files}, Settings: json.RawMessage(settings), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	var answers []process.Answer
	for {
		if out, err = s.runResume(RunResumeParams{Run: run.Run, Answers: answers}); err != nil {
			t.Fatal(err)
		}
		answers = nil
		if out.State == process.StateDone || out.State == process.StateFailed {
			kept, err := s.runLog(RunLogParams{Run: run.Run})
			if err != nil {
				t.Fatal(err)
			}
			return requests, out, kept.Log
		}
		for _, e := range out.Effects {
			if requests++; requests > 5_000 {
				t.Fatal("the run does not end")
			}
			value, _ := json.Marshal(process.HTTPValue{Status: 200, Body: answer(requests)})
			answers = append(answers, process.Answer{Effect: e.ID, Value: value})
		}
	}
}

// completion is a chat completion.
func completion(text string, prompt, written int) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"choices":[{"message":{"content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, quoted, prompt, written)
}

const (
	endless      = "S -> a S | b\n"
	pricedModel  = `{"kind":"endpoint","endpoint":{"name":"e","url":"https://x.test/v1","model":"gpt-4.1","server":"openai"}}`
	unknownModel = `{"kind":"endpoint","endpoint":{"name":"e","url":"https://x.test/v1","model":"unheard-of"}}`
)

func TestRunsWithEndpointsEndAtTheCeiling(t *testing.T) {
	files := []File{{Name: "p.cfg", Text: endless}}
	for _, c := range []struct {
		name, settings  string
		prompt, written int
		code            string
		least, most     int
	}{
		{"calls", `{"model":` + pricedModel + `}`, 100, 1, "limit.calls", 200, 200},
		{"tokens", `{"model":` + unknownModel + `}`, 60_000, 1, "limit.tokens", 17, 17},
		{"dollars", `{"model":` + pricedModel + `}`, 0, 10_000, "limit.money", 25, 26},
		{"calls of a budget", `{"model":` + pricedModel + `,"budget":{"calls":7}}`, 100, 1, "limit.calls", 7, 7},
		{"a larger budget of calls", `{"model":` + pricedModel + `,"budget":{"calls":300}}`, 100, 1, "limit.calls", 300, 300},
		{"a larger budget of tokens leaves the ceiling of calls", `{"model":` + unknownModel + `,"budget":{"tokens":9000000}}`, 30_000, 1, "limit.calls", 200, 200},
	} {
		requests, out, log := spend(t, files, c.settings, nil, func(n int) string {
			return completion([]string{"?", "1"}[n%2], c.prompt, c.written) // every second answer is no choice
		})
		if out.Error == nil || out.Error.Code != c.code || requests < c.least || requests > c.most {
			t.Errorf("%s: %d requests, %+v", c.name, requests, out.Error)
			continue
		}
		again, replayed, _ := spend(t, files, c.settings, &log, func(int) string { t.Error("a replay sends a request"); return "" })
		if again != 0 || replayed.Error == nil || replayed.Error.Message != out.Error.Message {
			t.Errorf("%s, replayed: %d requests, %+v", c.name, again, replayed.Error)
		}
	}
}

func TestCallersSetTheCeiling(t *testing.T) {
	files := []File{{Name: "p.cfg", Text: endless}}
	s := New()
	settings := json.RawMessage(`{"model":` + pricedModel + `}`)
	if _, err := s.runStart(RunStartParams{Workspace: RunWorkspace{Files: files}, Settings: settings, Ceiling: meter.Budget{Calls: -1}}); err == nil || wireError(err).Code != "run.ceiling" {
		t.Errorf("%v", err)
	}
	for given, want := range map[meter.Budget]meter.Budget{
		{}:                      runCeiling,
		{Calls: 3}:              {Calls: 3, Tokens: runCeiling.Tokens, Money: runCeiling.Money},
		{Tokens: 5, Money: 1e3}: {Calls: runCeiling.Calls, Tokens: 5, Money: 1e3},
	} {
		if got := ceilingFor(RunPlan, settings, given); got != want {
			t.Errorf("%+v: %+v, not %+v", given, got, want)
		}
	}
	if got := ceilingFor(RunCompare, json.RawMessage(`{"budget":{"tokens":1}}`), meter.Budget{}); got != (meter.Budget{Calls: manyCeiling.Calls, Money: manyCeiling.Money}) {
		t.Errorf("%+v", got)
	}
}

// A run that was recorded before there was a ceiling replays to its end.
func TestEarlierRunsHaveNoCeiling(t *testing.T) {
	files := []File{{Name: "p.cfg", Text: endless}}
	settings := `{"model":` + pricedModel + `,"budget":{"calls":1000}}`
	_, out, log := spend(t, files, settings, nil, func(n int) string { return completion([]string{"?", "1", "?", "2"}[n/260*2+n%2], 100, 1) })
	if out.State != process.StateDone {
		t.Fatalf("%+v", out.Error)
	}
	log.Settings = json.RawMessage(`{"model":` + pricedModel + `}`)
	requests, out, _ := spend(t, files, "", &log, func(int) string { return "" })
	if out.State != process.StateDone || requests != 0 {
		t.Errorf("%d requests, %+v", requests, out.Error)
	}
}

// Attempts that break off before their answers begin are calls of a budget, too.
func TestBrokenAttemptsAreCallsOfTheBudget(t *testing.T) {
	for kind, settings := range map[string]string{"default": `{"model":` + pricedModel + `}`, "budget": `{"model":` + pricedModel + `,"budget":{"calls":7}}`} {
		want := map[string]int{"default": 200, "budget": 7}[kind]
		sent := 0
		_, out, _ := spend(t, []File{{Name: "p.cfg", Text: endless}}, settings, nil, func(n int) string {
			if n%3 == 1 { // then a timer
				sent++
				return ""
			}
			if n%3 == 0 {
				sent++
			}
			return completion("1", 100, 1)
		})
		if out.Error == nil || out.Error.Code != "limit.calls" || sent < want-1 || sent > want {
			t.Errorf("%s: %d requests, %+v", kind, sent, out.Error)
		}
	}
}

func TestDollarsOfUnknownPricesAreRefused(t *testing.T) {
	s := New()
	files := []File{{Name: "p.cfg", Text: endless}, {Name: "x.lab", Text: "(experiment\n  (:tasks (workspace))\n  (:methods (plan \"p\"))\n  (:models (endpoint \"e\"))\n  (:budget (money 1)))\n"}}
	for settings, refused := range map[string]bool{
		`{"model":` + unknownModel + `,"budget":{"money":1}}`:                                                                               true,
		`{"model":` + unknownModel + `,"budget":{"calls":1}}`:                                                                               false,
		`{"model":` + pricedModel + `,"budget":{"money":1}}`:                                                                                false,
		`{"model":` + strings.Replace(unknownModel, "https://x.test", "http://localhost:1", 1) + `,"budget":{"money":1}}`:                   false,
		`{"model":` + strings.Replace(unknownModel, `"model"`, `"price":{"prompt":1,"completion":2},"model"`, 1) + `,"budget":{"money":1}}`: false,
	} {
		_, err := s.runStart(RunStartParams{Workspace: RunWorkspace{Files: files, Name: "p.cfg"}, Settings: json.RawMessage(settings)})
		if got := err != nil && wireError(err).Code == "run.price"; got != refused || err != nil && !refused {
			t.Errorf("%s: %v", settings, err)
		}
	}
}

func TestExperimentsWithEndpointsHaveACeiling(t *testing.T) {
	s := New()
	check := func(budget, model string) LabCheckResult {
		t.Helper()
		files := []File{
			{Name: "t/p.cfg", Text: "S -> a | b\n"}, {Name: "t/tasks.json", Text: `{"tasks":[{"id":0,"text":"Plan.","spec":"p.cfg"}]}`},
			{Name: "x.lab", Text: "(experiment x\n  (:tasks (plans \"t\"))\n  (:methods (plan))\n  (:models " + model + ")\n" + budget + ")\n"},
		}
		out, err := s.labCheck(LabCheckParams{Files: files, Name: "x.lab", Settings: lab.Settings{Endpoints: []llm.Endpoint{{Name: "e", URL: "https://x.test/v1", Model: "unheard-of"}}}})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	all := LabCheckBudget{lab.DefaultCeiling.Calls, lab.DefaultCeiling.Tokens, lab.DefaultCeiling.Money}
	if out := check("", `(endpoint "e")`); out.Ceiling != all || out.Fault != "" {
		t.Errorf("%+v", out)
	}
	if out := check("  (:budget (calls 9000))", `(endpoint "e")`); out.Ceiling != (LabCheckBudget{0, all.Tokens, all.Money}) {
		t.Errorf("%+v", out.Ceiling)
	}
	if out := check("", `(simulated first)`); out.Ceiling != (LabCheckBudget{}) {
		t.Errorf("%+v", out.Ceiling)
	}
	if out := check("  (:budget (money 1))", `(endpoint "e")`); !strings.Contains(out.Fault, "unknown price") {
		t.Errorf("%+v", out.Fault)
	}
}

// An experiment ends an answer that exceeds its bounds, and the cell has no result.
func TestAnswersOfExperimentsEndAtTheBudget(t *testing.T) {
	s := New()
	files := []File{
		{Name: "t/p.cfg", Text: "S -> a | b\n"}, {Name: "t/tasks.json", Text: `{"tasks":[{"id":0,"text":"Plan.","spec":"p.cfg"}]}`},
		{Name: "x.lab", Text: "(experiment x\n  (:tasks (plans \"t\"))\n  (:methods (plan))\n  (:models (endpoint \"e\"))\n  (:budget (tokens 5000)))\n"},
	}
	settings := `{"endpoints":[{"name":"e","url":"https://x.test/v1","model":"unheard-of"}]}`
	run, err := s.runStart(RunStartParams{Workspace: RunWorkspace{Files: files, Name: "x.lab"}, Kind: RunLab, Settings: json.RawMessage(settings)})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.runResume(RunResumeParams{Run: run.Run})
	if err != nil || len(out.Effects) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	chunk, sent := `data: {"choices":[{"delta":{"content":"`+strings.Repeat("x", 400)+"\"}}]}\n\n", 0
	for id := out.Effects[0].ID; out.State == process.StateWaiting && sent < 100; sent++ {
		if out, err = s.runResume(RunResumeParams{Run: run.Run, Answers: []process.Answer{{Effect: id, Chunk: &chunk}}}); err != nil {
			t.Fatal(err)
		}
	}
	var result lab.Result
	if json.Unmarshal(out.Result, &result); sent < 45 || sent > 51 || len(result.Outcomes) != 0 || !strings.Contains(result.Stopped, "ceiling of 5000 tokens") {
		t.Errorf("%d chunks, %s %+v, %s", sent, out.State, out.Error, out.Result)
	}
}

// A ceiling of the caller bounds dollars, too, and a recorded run is checked at its first new request.
func TestDollarsOfUnknownPricesAreRefusedInEveryRun(t *testing.T) {
	files := []File{{Name: "p.cfg", Text: endless}}
	start := func(kind, settings string, log *RunLog, money float64) (*Session, RunStartResult, string) {
		s := New()
		run, err := s.runStart(RunStartParams{Kind: kind, Workspace: RunWorkspace{Files: files, Name: "p.cfg"}, Settings: json.RawMessage(settings), Log: log, Ceiling: meter.Budget{Money: money}})
		if err != nil {
			return s, run, wireError(err).Code
		}
		return s, run, ""
	}
	compare := `{"methods":["grammar"],"tries":1,"model":%s}`
	for _, c := range []struct {
		kind, settings string
		money          float64
		want           string
	}{
		{RunPlan, `{"model":` + unknownModel + `}`, 0.01, "run.price"},
		{RunPlan, `{"model":` + unknownModel + `}`, 0, ""},
		{RunPlan, `{"model":` + pricedModel + `}`, 0.01, ""},
		{RunCompare, fmt.Sprintf(compare, unknownModel), 0.01, "run.price"},
		{RunCompare, fmt.Sprintf(compare, pricedModel), 0.01, ""},
	} {
		if _, _, got := start(c.kind, c.settings, nil, c.money); got != c.want {
			t.Errorf("%s %s: %q", c.kind, c.settings, got)
		}
	}
	log := &RunLog{Version: 2, Kind: RunPlan, Name: "p.cfg", Settings: json.RawMessage(`{"model":` + unknownModel + `,"budget":{"money":1}}`)}
	if _, _, got := start("", "", log, 0); got != "run.price" {
		t.Errorf("an empty log: %q", got)
	}
	_, _, whole := spend(t, files, `{"model":`+unknownModel+`}`, nil, func(n int) string { return completion([]string{"2", "1"}[min(1, 3/n-1)%2], 1, 1) })
	whole.Settings = log.Settings
	if _, out, _ := spend(t, files, "", &whole, func(int) string { return "" }); out.State != process.StateDone {
		t.Errorf("a complete log: %s %+v", out.State, out.Error)
	}
	whole.Answers = whole.Answers[:1]
	s, run, got := start("", "", &whole, 0)
	out, err := s.runResume(RunResumeParams{Run: run.Run})
	if got != "" || err != nil || out.State != process.StateFailed || len(out.Effects) != 0 || out.Error == nil || out.Error.Code != "run.price" {
		t.Errorf("%q %v %+v", got, err, out)
	}
	if out, err = s.runResume(RunResumeParams{Run: run.Run}); err == nil && len(out.Effects) > 0 {
		t.Errorf("it continues: %+v", out)
	}
}

// The second refusal in the same words ends a plan, except in a recording of an earlier version.
func TestSameRefusalEndsThePlan(t *testing.T) {
	files := []File{{Name: "p.cfg", Text: endless}}
	const sorry = "I'm sorry, but I can't help with that."
	for name, c := range map[string]struct {
		answers  []string
		requests int
		code     string
	}{
		"the same":  {[]string{sorry}, 2, "plan.refused"},
		"different": {[]string{sorry, "I cannot help with this request.", sorry, "I cannot help with this request.", "I'm sorry, but I won't.", "no idea"}, 6, "plan.unreadable"},
		"unclear":   {[]string{"no idea"}, 6, "plan.unreadable"},
	} {
		requests, out, log := spend(t, files, `{"model":`+pricedModel+`}`, nil, func(n int) string { return completion(c.answers[min(n, len(c.answers))-1], 1, 1) })
		if requests != c.requests || out.Error == nil || out.Error.Code != c.code {
			t.Errorf("%s: %d requests, %+v", name, requests, out.Error)
		}
		again, replayed, _ := spend(t, files, "", &log, func(int) string { return "" })
		if again != 0 || replayed.Error == nil || replayed.Error.Message != out.Error.Message {
			t.Errorf("%s, replayed: %+v", name, replayed.Error)
		}
	}
	requests, out, _ := spend(t, files, `{"model":`+pricedModel+`,"otherwise":"first"}`, nil, func(n int) string { return completion(sorry, 1, 1) })
	if out.Error == nil && requests%2 != 0 || out.Error != nil && out.Error.Code != "limit.calls" && out.Error.Code != "plan.steps" {
		t.Errorf("with a choice otherwise: %d requests, %+v", requests, out.Error)
	}
}
