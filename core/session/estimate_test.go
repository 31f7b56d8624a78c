package session

import (
	"encoding/json"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/compare"
	"github.com/stile-playground/stile/grammars/experiments"
)

// TestEstimateEqualsASimulatedRun compares the estimate with the calls of a complete comparison by a
// simulated model.
func TestEstimateEqualsASimulatedRun(t *testing.T) {
	files := []File{{Name: "plan.cfg", Text: "S -> look S | answer\n"}}
	settings := compare.Settings{Task: "Answer.", Tries: 8, Methods: []string{"zero-shot", "few-shot", "grammar", "formal"}}
	settings.Model = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{URL: "https://models.test/v1", Model: "m"}}
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	got := result[RunEstimateResult](t, s, "run.estimate", RunEstimateParams{Kind: RunCompare, Workspace: RunWorkspace{Files: files}, Settings: raw, Seed: 3})
	if got.Runs != 32 || got.Tried != 8 {
		t.Errorf("the estimate is of %d runs, from %d", got.Runs, got.Tried)
	}
	settings.Model = llm.Spec{Kind: llm.KindUniform}
	if raw, err = json.Marshal(settings); err != nil {
		t.Fatal(err)
	}
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunCompare, Workspace: RunWorkspace{Files: files}, Settings: raw, Seed: 3}).Run
	end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	var table compare.Result
	if err := json.Unmarshal(end.Result, &table); err != nil {
		t.Fatal(err)
	}
	calls, tokens := 0, 0
	for _, r := range table.Rows {
		calls += r.Calls
		tokens += r.PromptTokens + r.CompletionTokens
	}
	if got.Calls < 24 || got.Calls > 2*calls || 2*got.Calls < calls || got.Tokens > 2*tokens || 2*got.Tokens < tokens {
		t.Errorf("the estimate is %+v; the comparison made %d calls with %d tokens", got, calls, tokens)
	}
}

// TestEstimatesOfBenchmarks has a call for each task and method at least, also where a simulated model says
// nothing about the score.
func TestEstimatesOfBenchmarks(t *testing.T) {
	for _, name := range []string{"apibank", "travelplanner"} {
		settings := `{"methods":["team","react","cot","sole"],"tasks":[0,1,2,3,4],"wording":"neutral","model":{"kind":"endpoint","endpoint":{"url":"https://models.test/v1","model":"m"}},"budget":{"calls":1}}`
		got := result[RunEstimateResult](t, New(), "run.estimate", RunEstimateParams{Kind: RunBenchmark, Workspace: RunWorkspace{Files: recordsOf(t, name)}, Settings: []byte(settings)})
		if got.Runs != 20 || got.Tried != 8 || got.Calls < 20 || got.Tokens < 100*got.Calls {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestEstimatesAreRefusedWithAReason(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{"kind":"team","workspace":{"files":[]}}`, `run.estimate: no estimate of runs of the kind "team" (expected compare, benchmark or lab)`},
		{`{"kind":"benchmark","workspace":{"files":[]},"settings":{}}`, "run.estimate: an estimate needs the tasks"},
		{`{"kind":"compare","workspace":{"files":[{"name":"a.cfg","text":"S a"}]},"settings":{}}`, "source.invalid"},
		{`{"kind":"compare","workspace":{"files":[{"name":"a.cfg","text":"S -> a"}]},"settings":{"tries":-1}}`, "plan.settings: tries must be from 1 to 1000, not -1"},
	} {
		if got := replied(t, "run.estimate", c.params); len(got) < len(c.want) || got[:len(c.want)] != c.want {
			t.Errorf("%s: %s", c.params, got)
		}
	}
}

// labEstimate estimates an experiment of the papers with an endpoint.
func labEstimate(t *testing.T, name string) RunEstimateResult {
	t.Helper()
	w, err := experiments.Workspace(name)
	if err != nil {
		t.Fatal(err)
	}
	var files []File
	for _, f := range w.Files {
		files = append(files, File(f))
	}
	settings := `{"models":[{"name":"m","spec":{"kind":"endpoint","endpoint":{"url":"https://models.test/v1","model":"m"}}}]}`
	return result[RunEstimateResult](t, New(), "run.estimate", RunEstimateParams{Kind: RunLab, Workspace: RunWorkspace{Files: files, Name: name + ".lab"}, Settings: []byte(settings)})
}

// TestEstimatesOfExperiments estimates every experiment of the papers with an endpoint.
func TestEstimatesOfExperiments(t *testing.T) {
	list, err := experiments.All()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(list); i += effort.SampleStep(3, 6) {
		name := list[i].Name
		got := labEstimate(t, name)
		if len(got.Without) > 0 || got.Runs == 0 || got.Calls < got.Runs || got.Tokens < 20*got.Calls {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestEstimateOfWideGrammarsIsBounded has steps in any order, of which the nearest valid plan has millions of neighbours.
func TestEstimateOfWideGrammarsIsBounded(t *testing.T) {
	files := []File{{Name: "a.cfg", Text: "S -> A A A A A\nA -> x0 | x1 | x2 | x3 | x4 | x5 | x6 | x7 | x8 | x9\n"}}
	settings := `{"task":"x","tries":5,"methods":["zero-shot","few-shot","formal"],"model":{"kind":"endpoint","endpoint":{"url":"https://models.test/v1","model":"m"}}}`
	got := result[RunEstimateResult](t, New(), "run.estimate", RunEstimateParams{Kind: RunCompare, Workspace: RunWorkspace{Files: files}, Settings: []byte(settings)})
	if len(got.Without) > 0 || got.Runs != 15 || got.Calls < 30 {
		t.Errorf("%+v", got)
	}
	s := New()
	w := s.project(files)
	file, _ := w.File("a.cfg")
	spec, err := openPlannable(w, file, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	m := meter.New(meter.Budget{Steps: 60_000_000, States: 10_000_000})
	c, err := spec.checker(m)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Check("- **Use x2**\n- **Use x2**\n- **Use x3**\n- **Use x7**\n- **Use x1**", m)
	if err != nil || v.Valid {
		t.Errorf("%+v, %v after %d steps", v, err, m.Spent(meter.Steps))
	}
}

// TestSolversOfEstimatesReachTheirLimit calls no model again for a solver that did not run.
func TestSolversOfEstimatesReachTheirLimit(t *testing.T) {
	got := labEstimate(t, "llmfp-1")
	if len(got.Without) > 0 || got.Calls < got.Runs || got.Calls > 5*got.Runs {
		t.Errorf("%+v", got)
	}
}
