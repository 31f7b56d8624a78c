package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/plan"
)

// The settings of a new run get the wording of the paper, unless they have a template or a wording.
func TestNewRunsHaveTheWording(t *testing.T) {
	for _, c := range []struct{ kind, raw, want string }{
		{RunPlan, ``, `{"wording":"paper"}`},
		{RunPlan, `null`, `{"wording":"paper"}`},
		{RunPlan, ` { } `, `{"wording":"paper"}`},
		{RunCompare, `{"model":{"kind":"first"}}`, `{"wording":"paper","model":{"kind":"first"}}`},
		{RunPlan, `{"template":"{choices}"}`, `{"template":"{choices}"}`},
		{RunPlan, `{"wording":"paper"}`, `{"wording":"paper"}`},
		{RunPlan, `{"template":1}`, `{"template":1}`},
		{RunPlan, `[]`, `[]`},
		{RunMonitor, `{}`, `{}`},
	} {
		got := string(withWording(c.kind, json.RawMessage(c.raw)))
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.raw, got, c.want)
		}
	}
}

// A new run has today's prompts, and its log the wording; a recorded run without a wording keeps its prompts.
func TestRecordedRunsKeepTheirWording(t *testing.T) {
	s := New()
	w := RunWorkspace{Files: []File{{Name: "a.cfg", Text: "S -> a\nS -> b\n"}}}
	settings := json.RawMessage(`{"task":"Do it.","model":{"kind":"person"}}`)
	for _, c := range []struct {
		params RunStartParams
		fork   bool
		today  bool
	}{
		{RunStartParams{Workspace: w, Settings: settings}, false, true},
		{RunStartParams{Workspace: w, Settings: settings}, true, true},
		{RunStartParams{Workspace: w, Log: &RunLog{Version: 2, Kind: RunPlan, Name: "a.cfg", Settings: settings}}, false, false},
		{RunStartParams{Workspace: w, Log: &RunLog{Version: 2, Kind: RunPlan, Name: "a.cfg", Settings: settings}}, true, false},
	} {
		started, err := s.runStart(c.params)
		if err != nil {
			t.Fatal(err)
		}
		if c.fork {
			if started, err = s.runFork(RunForkParams{Run: started.Run, Settings: settings}); err != nil {
				t.Fatal(err)
			}
		}
		log, err := s.runLog(RunLogParams{Run: started.Run})
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(log.Log.Settings), plan.WordingPaper); has != c.today {
			t.Errorf("fork %v: the log has the settings %s", c.fork, log.Log.Settings)
		}
	}
}
