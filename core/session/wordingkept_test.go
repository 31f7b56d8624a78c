package session

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/grammars/experiments"
)

// Experiments that were recorded without a wording keep their cells, with all prompts: the stamps are those
// of 2026-11-27.
func TestExperimentsWithoutAWordingKeepTheirCells(t *testing.T) {
	for name, want := range map[string]string{"pmc-1": "ecaccfc1e3e5b58a", "pmc-4": "eaff6fef5f11fc39", "llmfp-2": "90a60559db07ec72"} {
		w, err := experiments.Workspace(name)
		if err != nil {
			t.Fatal(err)
		}
		x, err := openLab(New().project(w.Files), name+".lab")
		if err != nil {
			t.Fatal(err)
		}
		for _, wording := range []string{lab.WordingEarlier, lab.WordingCurrent} {
			cells, _, err := x.Cells(w.Files, lab.Settings{Wording: wording})
			if err != nil {
				t.Fatal(err)
			}
			h := fnv.New64a()
			for _, c := range cells {
				h.Write([]byte(c.Outcome.Stamp))
			}
			if got := fmt.Sprintf("%x", h.Sum64()); (got == want) != (wording == lab.WordingEarlier) {
				t.Errorf("%s, wording %s: the cells have the hash %s, those of earlier versions %s", name, wording, got, want)
			}
			// A result opens with the prompts that it had.
			last := cells[len(cells)-1].Outcome
			opened := result[LabOpenResult](t, New(), "lab.open", LabOpenParams{Files: w.Files, Name: name + ".lab", Key: last.Key, Stamp: last.Stamp})
			if has := wordingOf(opened.Log.Settings) != ""; has != (wording == lab.WordingCurrent) {
				t.Errorf("%s, wording %s: the opened cell has the settings %s", name, wording, opened.Log.Settings)
			}
		}
	}
}

// A new experiment has the current wording; a recorded one without a wording replays with its own, to
// the same results.
func TestRecordedExperimentsReplayTheirWording(t *testing.T) {
	files := append(recordsOf(t, "apibank"), File{Name: "x.lab", Text: `(experiment x (:tasks (benchmark apibank (:pick 0 10))) (:methods (benchmark team)) (:models (simulated rambler 0.3)) (:seeds 1) (:measures score tokens))`})
	files[0].Name = "apibank/level3.jsonl"
	s := New()
	replay := func(p RunStartParams) (string, RunLog) {
		number := result[RunStartResult](t, s, "run.start", p).Run
		out := RunResumeResult{State: process.StateWorking}
		for out.State == process.StateWorking {
			out = result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
		}
		if out.State != process.StateDone {
			t.Fatalf("%s: %+v", out.State, out.Error)
		}
		return string(out.Result), result[RunLogResult](t, s, "run.log", RunLogParams{Run: number}).Log
	}
	w := RunWorkspace{Files: files, Name: "x.lab"}
	made, log := replay(RunStartParams{Workspace: w, Seed: 1})
	if wordingOf(log.Settings) != lab.WordingCurrent {
		t.Errorf("%s", log.Settings)
	}
	if again, _ := replay(RunStartParams{Workspace: w, Log: &log}); again != made {
		t.Errorf("%s\n%s", again, made)
	}
	log.Settings = []byte(`{}`)
	earlier, _ := replay(RunStartParams{Workspace: w, Log: &log})
	again, kept := replay(RunStartParams{Workspace: w, Log: &log})
	if earlier == made || again != earlier || wordingOf(kept.Settings) != "" {
		t.Errorf("%s\n%s\n%s", earlier, again, kept.Settings)
	}
	if _, fault := call(t, s, "run.start", RunStartParams{Workspace: w, Settings: []byte(`{"wording":"new"}`)}); fault == nil || fault.Code != "lab.settings" {
		t.Errorf("%+v", fault)
	}
}

// The manager of a new benchmark run reads neither the hints nor examples of the benchmark's constraints.
// A recorded run without a wording keeps its prompts.
func TestManagersOfBenchmarksReadNoHints(t *testing.T) {
	const hint = "Nobody eats twice at the same place."
	settings := []byte(`{"tasks":[0],"methods":["team"],"bare":true,"hints":["` + hint + `"],"model":{"kind":"person"}}`)
	w := RunWorkspace{Files: recordsOf(t, "travelplanner")}
	for _, c := range []struct {
		params RunStartParams
		hinted bool
	}{
		{RunStartParams{Kind: RunBenchmark, Workspace: w, Settings: settings}, false},
		{RunStartParams{Workspace: w, Log: &RunLog{Version: 2, Kind: RunBenchmark, Settings: settings}}, true},
	} {
		s := New()
		number := result[RunStartResult](t, s, "run.start", c.params).Run
		out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
		if len(out.Effects) != 1 {
			t.Fatalf("%+v", out)
		}
		prompt := out.Effects[0].Question.Prompt
		for _, text := range []string{hint, "minimum stay", "such as a budget"} {
			if strings.Contains(prompt, text) != c.hinted {
				t.Errorf("recorded: %v: %q in the manager's prompt: %s", c.hinted, text, prompt)
			}
		}
	}
	if _, fault := call(t, New(), "run.start", RunStartParams{Kind: RunBenchmark, Workspace: w, Settings: []byte(`{"wording":"new"}`)}); fault == nil || fault.Code != "benchmark.settings" {
		t.Errorf("%+v", fault)
	}
	// The tokens of a recorded run are those of 2026-11-27.
	s := New()
	log := RunLog{Version: 2, Kind: RunBenchmark, Seed: 2, Settings: []byte(`{"tasks":[0],"methods":["team","react","sole"],"slips":0.3,"hints":["Keep to the budget."]}`)}
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: w, Log: &log}).Run
	out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	for method, tokens := range map[string]int{"team": 10720, "react": 11729, "sole": 1978} {
		if !strings.Contains(string(out.Result), fmt.Sprintf(`"promptTokens":%d`, tokens)) {
			t.Errorf("%s has other tokens than %d: %s", method, tokens, out.Result)
		}
	}
}
