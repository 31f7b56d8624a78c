package session

import (
	"encoding/json"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/travel"
)

func TestFlowsOfEveryQuerySatisfyTheConstraints(t *testing.T) {
	s, data := New(), records(t, "travelplanner/data.json")
	db, err := travel.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, trip := range trips(t) {
		name := trip.Query.Org + " to " + trip.Query.Dest
		made := result[TravelFlowResult](t, s, "travel.flow", TravelFlowParams{Data: []string{data}, Query: trip.Query, Tools: records(t, "travel/tools.json")})
		for _, f := range made.Files {
			check := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: made.Files, Name: f.Name})
			for _, d := range check.Diagnostics {
				if d.Severity == "error" || d.Severity == "warning" && d.Code != "ltl.violated" {
					t.Errorf("%s: %s: %+v", name, f.Name, d)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("%.3000s", made.Files[0].Text)
		}
		for seed := range uint64(2) {
			number := result[RunStartResult](t, s, "run.start", RunStartParams{Seed: seed, Workspace: RunWorkspace{Files: made.Files, Name: made.Name}, Settings: []byte(`{"model":{"kind":"uniform"},"execute":true}`)}).Run
			end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
			if end.State != process.StateDone {
				t.Fatalf("%s: %s %+v", name, end.State, end.Error)
			}
			var plan struct {
				Word  []string `json:"word"`
				Steps []struct{ Text string }
			}
			if err := json.Unmarshal(end.Result, &plan); err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, step := range plan.Steps {
				texts = append(texts, step.Text)
			}
			flow, err := db.Flow(trip.Query)
			if err != nil {
				t.Fatal(err)
			}
			planned, err := flow.TripOf(trip.Query, plan.Word, texts)
			if err != nil {
				t.Fatal(err)
			}
			report := db.Check(trip.Query, planned)
			for _, c := range append(report.Commonsense, report.Hard...) {
				// Neither the automaton nor the formulas cover the budget.
				if c.Verdict != travel.Pass && c.Asked && c.Constraint != travel.Budget {
					t.Errorf("%s: %s: %s %s: %v", name, c.Constraint, c.Verdict, c.Reason, texts)
				}
			}
		}
		s = New()
	}
}

func TestQueryWithoutARouteHasNoFlow(t *testing.T) {
	s, data := New(), records(t, "travelplanner/data.json")
	q := trips(t)[0].Query
	for _, change := range []func(q *travel.Query){func(q *travel.Query) { q.Days, q.Cities = 4, 2 }, func(q *travel.Query) { q.Dest = "Moab" }, func(q *travel.Query) { q.Date = nil }} {
		other := q
		change(&other)
		if _, fault := call(t, s, "travel.flow", TravelFlowParams{Data: []string{data}, Query: other, Tools: "{}"}); fault == nil || fault.Code != travel.CodeQuery {
			t.Errorf("%+v", fault)
		}
	}
}
