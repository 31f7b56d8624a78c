package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

func TestATeamLooksUpTripsInTheRecordsOfItsWorkspace(t *testing.T) {
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
