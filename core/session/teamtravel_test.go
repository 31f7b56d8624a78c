package session

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

func TestTeamSearchesTripsInTheRecords(t *testing.T) {
	files := []File{
		{Name: "trip.team", Text: `(define a (:executors (guide (:does "Finds food.") (:tools "RestaurantSearch"))))`},
		{Name: travelFile, Text: records(t, "travelplanner/data.json")},
	}
	s := New()
	check := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "trip.team"})
	if len(check.Diagnostics) > 0 || check.Team == nil || !strings.Contains(strings.Join(check.Team.Tools, " "), "RestaurantSearch") {
		t.Errorf("%+v %+v", check, check.Team)
	}
	settings := []byte(`{"model": {"kind": "first"}, "environment": "tools", "graph": {"subtasks": [{"id": "t1", "task": "eat", "executor": "guide", "needs": [], "local": []}], "global": []}, "models": {
		"task t1": {"kind": "scripted", "script": ["[Thought] look\n[Action] RestaurantSearch\n[Action Input] {\"city\": \"Rockford\"}", "[Final Thought] enough\n[Answer] Coco Bambu"]}}}`)
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: files, Name: "trip.team"}, Settings: settings}).Run
	end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	var all strings.Builder
	for _, e := range end.Events {
		all.Write(e)
	}
	if end.State != process.StateDone || !strings.Contains(all.String(), "Coco Bambu, Rockford") && !strings.Contains(all.String(), "Flying Mango") {
		t.Errorf("%+v\n%s", end.Error, all.String())
	}
	files[1].Text = "{"
	if _, err := s.runStart(RunStartParams{Workspace: RunWorkspace{Files: files, Name: "trip.team"}, Settings: settings}); err == nil {
		t.Error("records that cannot be read are taken")
	}
}

// tripTeam is the workspace of a trip's team, its script as settings, and the team's task.
func tripTeam(t *testing.T, s *Session, data string, trip TravelTrip) (files []File, script map[string][]string, task string) {
	t.Helper()
	made := result[BenchmarkTeamResult](t, s, "travel.team", TravelPlanParams{Data: []string{data}, Query: trip.Query, Plan: trip.Plan})
	return append(made.Files, File{Name: travelFile, Text: data}), scriptOf(t, made), made.Task
}

// scriptOf is the script of a transcript without faults.
func scriptOf(t *testing.T, made BenchmarkTeamResult) (script map[string][]string) {
	t.Helper()
	if len(made.Diagnostics) > 0 {
		t.Fatalf("%+v", made.Diagnostics)
	}
	for _, f := range made.Files {
		if f.Name == teamScriptFile {
			if err := json.Unmarshal([]byte(f.Text), &script); err != nil {
				t.Fatal(err)
			}
		}
	}
	return script
}

// playTranscript runs the team in the first of some files by a script; only its tools have
// effects.
func playTranscript(t *testing.T, s *Session, files []File, script map[string][]string, task string) (end RunResumeResult, delivered string, valid bool) {
	t.Helper()
	models := map[string]any{}
	for key, lines := range script {
		models[key] = map[string]any{"kind": "scripted", "script": lines}
	}
	settings, err := json.Marshal(map[string]any{"task": task, "model": map[string]any{"kind": "first"}, "environment": "tools", "models": models})
	if err != nil {
		t.Fatal(err)
	}
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: files, Name: files[0].Name}, Settings: settings}).Run
	end = result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	if end.State != process.StateDone {
		t.Fatalf("%s: %+v", end.State, end.Error)
	}
	var out struct {
		Answer string `json:"answer"`
		Valid  bool   `json:"valid"`
	}
	if err := json.Unmarshal(end.Result, &out); err != nil {
		t.Fatal(err)
	}
	return end, out.Answer, out.Valid
}

// eventsOf returns the events of a kind.
func eventsOf(end RunResumeResult, kind string) []string {
	var out []string
	for _, e := range end.Events {
		if strings.Contains(string(e), `"kind":"`+kind+`"`) {
			out = append(out, string(e))
		}
	}
	return out
}

func TestScriptedTripsPassAllConstraints(t *testing.T) {
	s, data := New(), records(t, "travelplanner/data.json")
	var delivered []TravelTrip
	for _, trip := range trips(t) {
		files, script, task := tripTeam(t, s, data, trip)
		for _, f := range files {
			if f.Name == "trip.team" {
				if check := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: f.Name}); len(check.Diagnostics) > 0 {
					t.Fatalf("%+v", check.Diagnostics)
				}
			}
		}
		_, answer, valid := playTranscript(t, s, files, script, task)
		if !valid {
			t.Errorf("%s to %s: not all is met", trip.Query.Org, trip.Query.Dest)
		}
		delivered = append(delivered, TravelTrip{trip.Query, answer})
	}
	got := result[TravelScoreResult](t, s, "travel.score", TravelScoreParams{Data: []string{data}, Trips: delivered})
	if got.Scores.Final.Share != 1 || got.Scores.Delivery.Share != 1 {
		t.Errorf("%+v", got.Scores)
	}
}

// Only the executor receives a result that violates its constraints: the prompts of
// supervisor and deliverer never contain it.
func TestWrongTripResultReachesOnlyItsExecutor(t *testing.T) {
	s, data := New(), records(t, "travelplanner/data.json")
	for _, c := range []struct{ task, wrong, reason string }{
		{"task t1", `{"legs": [{"from": "Nowhere", "to": "Elsewhere-7", "by": "F1", "cost": 1}, {"from": "Elsewhere-7", "to": "Astray-9", "by": "F2", "cost": 1}]}`, "lead back"},
		{"task t1", `{"legs": [{"from": "Astray-9", "to": "Astray-9", "by": "F1"}]}`, "the cost of each connection"},
		{"task t2", `{"rooms": [{"name": "Astray-9", "city": "Elsewhere-7", "nights": 0, "cost": 10}]}`, "has a price and nights"},
		{"task t4", `{"total": 987654, "budget": 1}`, "budget covers it"},
	} {
		for i, trip := range trips(t) {
			if i%4 != 0 {
				continue
			}
			files, script, task := tripTeam(t, s, data, trip)
			lines := script[c.task]
			script[c.task] = slices.Concat(lines[:len(lines)-1], []string{"[Final Thought] That is enough.\n[Answer] " + c.wrong}, lines)
			end, answer, valid := playTranscript(t, s, files, script, task)
			if !valid {
				t.Errorf("%s: the second try was not taken", c.wrong)
			}
			if report := result[TravelCheckResult](t, s, "travel.check", TravelCheckParams{Data: []string{data}, Query: trip.Query, Plan: answer}).Report; !report.Final {
				t.Errorf("%s: %+v", c.wrong, report)
			}
			if violations := strings.Join(eventsOf(end, "team.violation"), "\n"); !strings.Contains(violations, c.reason) {
				t.Errorf("%s: %q is not said in %s", c.wrong, c.reason, violations)
			}
			seen := 0
			for _, e := range eventsOf(end, "team.prompt") {
				if strings.Contains(e, `"role":"supervisor"`) || strings.Contains(e, `"role":"deliverer"`) {
					seen++
					if strings.Contains(e, "Astray-9") || strings.Contains(e, "987654") {
						t.Errorf("%s is shown: %s", c.wrong, e)
					}
				}
			}
			if seen < 2 {
				t.Errorf("%d questions to supervisor and deliverer were looked at", seen)
			}
		}
	}
}
