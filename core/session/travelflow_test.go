package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/travel"
)

func TestEveryQueryIsAFlowWhosePlansKeepToCommonSenseAndToItsWishes(t *testing.T) {
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
			report := db.Check(trip.Query, tripOf(t, trip.Query, made.Files, plan.Word, texts))
			for _, c := range append(report.Commonsense, report.Hard...) {
				// Only of money neither the automaton nor the wishes know anything.
				if c.Verdict != travel.Pass && c.Asked && c.Constraint != travel.Budget {
					t.Errorf("%s: %s: %s %s: %v", name, c.Constraint, c.Verdict, c.Reason, texts)
				}
			}
		}
		s = New()
	}
}

// tripOf is the word of a flow as the benchmark writes plans.
func tripOf(t *testing.T, q travel.Query, files []File, word, texts []string) travel.Plan {
	t.Helper()
	var records map[string]json.RawMessage
	for _, f := range files {
		if f.Name == "records.json" {
			if err := json.Unmarshal([]byte(f.Text), &records); err != nil {
				t.Fatal(err)
			}
		}
	}
	days := make([]travel.Day, q.Days)
	for i := range days {
		days[i] = travel.Day{Transportation: "-", Breakfast: "-", Attraction: "-", Lunch: "-", Dinner: "-", Accommodation: "-"}
	}
	here := q.Org
	for i, letter := range word {
		var number int
		var what string
		if _, err := fmt.Sscanf(texts[i], "Day %d: %s", &number, &what); err != nil {
			t.Fatalf("%q: %v", texts[i], err)
		}
		day := &days[number-1]
		if day.City == "" {
			day.City = here
		}
		kind, rest, _ := strings.Cut(letter, ".")
		if kind == "again" {
			letter = "sleep." + rest
		}
		var r struct{ Name, City, Number, Origin, Destination, Departs, Arrives string }
		if err := json.Unmarshal(records[letter], &r); err != nil {
			t.Fatalf("%s: %v", letter, err)
		}
		place := r.Name + ", " + r.City
		switch kind {
		case "fly", "taxi", "drive":
			how := map[string]string{"fly": "Flight Number: " + r.Number, "taxi": "Taxi", "drive": "Self-driving"}[kind]
			day.City, here = fmt.Sprintf("from %s to %s", r.Origin, r.Destination), r.Destination
			day.Transportation = fmt.Sprintf("%s, from %s to %s", how, r.Origin, r.Destination)
			if kind == "fly" {
				day.Transportation += fmt.Sprintf(", Departure Time: %s, Arrival Time: %s", r.Departs, r.Arrives)
			}
		case "sleep", "again":
			day.Accommodation = place
		case "see":
			day.Attraction = strings.TrimPrefix(day.Attraction, "-") + place + ";"
		case "eat":
			switch {
			case strings.Contains(texts[i], ": have breakfast at "):
				day.Breakfast = place
			case strings.Contains(texts[i], ": have lunch at "):
				day.Lunch = place
			default:
				day.Dinner = place
			}
		}
	}
	return days
}

func TestAQueryWithoutARouteHasNoFlow(t *testing.T) {
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
