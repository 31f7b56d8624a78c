package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
)

// recordsOf returns the workspace of a benchmark.
func recordsOf(t *testing.T, name string) []File {
	t.Helper()
	if name == "apibank" {
		return []File{{Name: apibankFile, Text: records(t, "apibank/level3.jsonl")}}
	}
	return []File{{Name: travelFile, Text: records(t, "travelplanner/data.json")}, {Name: travelQueriesFile, Text: records(t, "travelplanner/queries.json")}}
}

// contestOf runs a benchmark and returns its table.
func contestOf(t *testing.T, name, settings string, seed uint64) (rows map[string]BenchmarkRow, end RunResumeResult) {
	t.Helper()
	s := New()
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunBenchmark, Seed: seed, Workspace: RunWorkspace{Files: recordsOf(t, name)}, Settings: []byte(settings)}).Run
	end = result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	if end.State != process.StateDone {
		t.Fatalf("%s: %+v", end.State, end.Error)
	}
	var done BenchmarkDone
	if err := json.Unmarshal(end.Result, &done); err != nil {
		t.Fatal(err)
	}
	rows = map[string]BenchmarkRow{}
	for _, r := range done.Rows {
		rows[r.Method] = r
	}
	return rows, end
}

func scoreOf(t *testing.T, r BenchmarkRow, name string) float64 {
	t.Helper()
	for _, s := range r.Scores {
		if s.Name == name {
			return s.Value
		}
	}
	t.Fatalf("%s has no score %q: %+v", r.Method, name, r.Scores)
	return 0
}

func TestFlawlessModelPassesEveryTaskByMethodsWithTools(t *testing.T) {
	for _, c := range []struct {
		name, all, tasks string
		full             []string
	}{
		{"travelplanner", "Final pass", "[0,4,8,11]", []string{"team", "react", "sole"}},
		{"apibank", "Completeness", "[0,10,20,28,30,35]", []string{"team", "react"}},
	} {
		rows, end := contestOf(t, c.name, `{"tasks":`+c.tasks+`}`, 1)
		for _, m := range c.full {
			if r := rows[m]; scoreOf(t, r, c.all) != 1 || r.Calls == 0 || r.PromptTokens == 0 || (m != "sole") != (r.ToolCalls > 0) {
				t.Errorf("%s, %s: %+v", c.name, m, r)
			}
		}
		if len(rows) != len(c.full) {
			t.Errorf("%s has rows of other methods, about which a simulated model says nothing: %+v", c.name, rows)
		}
		for _, e := range end.Events {
			if text := string(e); !strings.Contains(text, `"kind":"benchmark.`) || !strings.Contains(text, `"simulated":true`) {
				t.Fatalf("%.200s", text)
			}
		}
	}
}

func TestChecksReduceTheEffectOfMistakes(t *testing.T) {
	team, react := 0.0, 0.0
	for seed := range uint64(3) {
		rows, _ := contestOf(t, "travelplanner", `{"methods":["team","react"],"slips":0.25}`, seed+1)
		team += scoreOf(t, rows["team"], "Final pass")
		react += scoreOf(t, rows["react"], "Final pass")
	}
	if team < 1.5*react || team > 2.99 {
		t.Errorf("final pass %.2f by the team, %.2f by ReAct", team/3, react/3)
	}
	t.Logf("final pass %.2f by the team, %.2f by ReAct", team/3, react/3)
	bare := 0.0
	for seed := range uint64(3) {
		rows, _ := contestOf(t, "travelplanner", `{"methods":["team"],"slips":0.25,"bare":true}`, seed+1)
		bare += scoreOf(t, rows["team"], "Final pass")
	}
	if bare >= team {
		t.Errorf("final pass %.2f without constraints, %.2f with them", bare/3, team/3)
	}
	// API-Bank's team has no constraints, because only the gold calls could give them.
	rows, _ := contestOf(t, "apibank", `{"methods":["team","react"],"slips":0.25}`, 1)
	for _, name := range []string{"Correctness", "Completeness"} {
		if with, without := scoreOf(t, rows["team"], name), scoreOf(t, rows["react"], name); with-without > 0.1 || without-with > 0.1 {
			t.Errorf("%s: %.2f by the team, %.2f by ReAct", name, with, without)
		}
	}
}

// The figures of the page about PMC are those of runs at a rate of one in five with seed 1.
func TestDocumentedComparisons(t *testing.T) {
	for _, c := range []struct{ benchmark, method, score, of string }{
		{"travelplanner", "team", "Final pass", "11 of 12"}, {"travelplanner", "react", "Final pass", "3 of 12"},
		{"apibank", "team", "Completeness", "224 of 245"}, {"apibank", "react", "Completeness", "236 of 245"},
	} {
		rows, _ := contestOf(t, c.benchmark, `{"methods":["team","react"],"slips":0.2}`, 1)
		for _, s := range rows[c.method].Scores {
			if s.Name == c.score && s.Of != c.of {
				t.Errorf("%s of %s on %s is %s, not %s", c.score, c.method, c.benchmark, s.Of, c.of)
			}
		}
	}
}

// A run that was recorded without a wording keeps the rows of all its methods.
func TestRecordedBenchmarksKeepTheirMethods(t *testing.T) {
	s := New()
	log := RunLog{Version: 2, Kind: RunBenchmark, Seed: 1, Settings: []byte(`{"tasks":[0]}`)}
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: recordsOf(t, "apibank")}, Log: &log}).Run
	end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	var done BenchmarkDone
	if err := json.Unmarshal(end.Result, &done); err != nil || len(done.Rows) != 4 {
		t.Errorf("%s, %v", end.Result, err)
	}
}

// A limit of all steps counts planning and execution: a trip that needs more has no plan.
func TestStepsOfAllMembersAreLimited(t *testing.T) {
	for steps, delivered := range map[int]float64{4: 0, 30: 1} {
		rows, _ := contestOf(t, "travelplanner", fmt.Sprintf(`{"tasks":[0],"methods":["team","react"],"steps":%d}`, steps), 1)
		for method, r := range rows {
			if got := scoreOf(t, r, "Delivered"); got != delivered {
				t.Errorf("%s with %d steps: delivered %v", method, steps, got)
			}
		}
	}
}

// Sole planning and the members of a team receive nothing that depends on the reference plan or on
// the gold calls.
func TestStagesDoNotDependOnSolutions(t *testing.T) {
	w := func(name string) workspace.Workspace {
		var out workspace.Workspace
		for _, f := range recordsOf(t, name) {
			out.Files = append(out.Files, workspace.File(f))
		}
		return out
	}
	c, err := openContest(w("apibank"), false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.count() {
		a, _ := c.stage(0, "sole")
		b, _ := c.stage(i, "sole")
		if a.text != b.text || a.rehearsal.Known != b.rehearsal.Known || strings.Contains(a.text, "QueryMeeting") {
			t.Fatalf("task %d has another team", i)
		}
	}
	c, err = openContest(w("travelplanner"), true)
	if err != nil {
		t.Fatal(err)
	}
	trips := c.(*travelContest)
	for i := range trips.trips {
		st, _ := c.stage(i, "sole")
		trip := trips.trips[i]
		for _, mode := range []string{"Flight Number: ", "Self-driving, from ", "Taxi, from "} {
			if i == 10 && mode == "Flight Number: " || (i == 0 || i == 4) && mode != "Flight Number: " {
				continue // the records have none
			}
			if !strings.Contains(st.rehearsal.Known, mode) {
				t.Errorf("task %d is not told of: %s", i, mode)
			}
		}
		// Another plan changes nothing.
		if trips.db.Rehearsal(trip.Query, trip.Plan[:1]).Known != st.rehearsal.Known {
			t.Errorf("task %d: the records depend on the plan", i)
		}
		for _, said := range []string{"twice", "least nights", "budget covers", "three meals"} {
			if strings.Contains(st.text, said) {
				t.Errorf("the bare team contains %q", said)
			}
		}
	}
}

// An agent without thoughts calls the same tools as one with them.
func TestAgentWithoutThoughtsCallsTools(t *testing.T) {
	rows, _ := contestOf(t, "apibank", `{"tasks":[0,10,20],"methods":["act"]}`, 1)
	if r := rows["act"]; scoreOf(t, r, "Completeness") != 1 || r.ToolCalls == 0 {
		t.Errorf("%+v", r)
	}
}

func TestBenchmarkIsDeterministic(t *testing.T) {
	table := func(seed uint64) string {
		rows, _ := contestOf(t, "travelplanner", `{"tasks":[0,1,2],"slips":0.5}`, seed)
		return fmt.Sprintf("%+v", rows)
	}
	if one := table(7); one != table(7) || one == table(8) {
		t.Error("the seed does not decide")
	}
}

// The tokens of a request and of its answer count towards the budget, and a team without a
// result reports those of its task alone.
func TestTokensOfBenchmarks(t *testing.T) {
	rows, _ := contestOf(t, "travelplanner", `{"tasks":[0],"methods":["sole"]}`, 1)
	r := rows["sole"]
	if r.PromptTokens == 0 || r.CompletionTokens == 0 {
		t.Fatalf("%+v", r)
	}
	for budget, code := range map[int]string{r.PromptTokens + r.CompletionTokens: "limit.tokens", r.PromptTokens + r.CompletionTokens + 1: ""} {
		params := RunStartParams{Kind: RunBenchmark, Seed: 1, Workspace: RunWorkspace{Files: recordsOf(t, "travelplanner")}, Settings: fmt.Appendf(nil, `{"tasks":[0,0],"methods":["sole"],"budget":{"tokens":%d}}`, budget)}
		s := New()
		end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: result[RunStartResult](t, s, "run.start", params).Run, Slice: 1 << 40})
		got := ""
		if end.Error != nil {
			got = end.Error.Code
		}
		if got != code {
			t.Errorf("%d tokens: %+v", budget, end.Error)
		}
	}
	rows, end := contestOf(t, "travelplanner", `{"tasks":[0,0],"methods":["team"],"model":{"kind":"rambler","errorRate":1}}`, 1)
	var first BenchmarkEvent
	if err := json.Unmarshal(end.Events[0], &first); err != nil || first.Row.PromptTokens == 0 {
		t.Fatalf("%s, %v", end.Events[0], err)
	}
	if all := rows["team"].PromptTokens; all <= first.Row.PromptTokens || all >= 3*first.Row.PromptTokens {
		t.Errorf("%d tokens of both tasks, %d of the first", all, first.Row.PromptTokens)
	}
}

func TestInvalidBenchmarksAreRejected(t *testing.T) {
	s := New()
	for _, c := range []struct{ settings, code string }{
		{`{"methods":["guess"]}`, "benchmark.settings"}, {`{"slips":2}`, "benchmark.settings"}, {`{"tasks":[50]}`, "benchmark.settings"}, {`{"tasks":[-1]}`, "benchmark.settings"},
		{`{"model":{"kind":"nobody"}}`, "llm.spec"}, {`{"methods":["cot"]}`, "benchmark.settings"}, {`{"methods":["team","sole"]}`, "benchmark.settings"},
	} {
		if _, fault := call(t, s, "run.start", RunStartParams{Kind: RunBenchmark, Workspace: RunWorkspace{Files: recordsOf(t, "apibank")}, Settings: []byte(c.settings)}); fault == nil || fault.Code != c.code {
			t.Errorf("%s: %+v", c.settings, fault)
		}
	}
	if _, fault := call(t, s, "run.start", RunStartParams{Kind: RunBenchmark, Workspace: RunWorkspace{Files: []File{{Name: "a.md"}}}, Settings: []byte("{}")}); fault == nil || fault.Code != "benchmark.records" {
		t.Errorf("%+v", fault)
	}
	// A model whose answers are useless, and one whose budget is used up.
	rows, _ := contestOf(t, "travelplanner", `{"tasks":[0],"methods":["team","cot"],"model":{"kind":"rambler","errorRate":1}}`, 1)
	if r := rows["team"]; r.Tasks != 1 || scoreOf(t, r, "Delivered") != 0 || r.Calls == 0 {
		t.Errorf("%+v", r)
	}
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunBenchmark, Workspace: RunWorkspace{Files: recordsOf(t, "apibank")}, Settings: []byte(`{"budget":{"calls":3}}`)}).Run
	if end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40}); end.Error == nil || end.Error.Code != "limit.calls" {
		t.Errorf("%+v", end.Error)
	}
}
