package session

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/process"
)

// recordedFreeText is a run of a simulated model that writes plans in free text, recorded before such a
// model was given no valid plans (2026-11-27). Its log has none of the texts.
type recordedFreeText struct {
	Spec  string   `json:"spec"` // of a.cfg; of an experiment, all files as JSON
	Log   RunLog   `json:"log"`
	Texts []string `json:"texts"` // of an experiment: the key, the share of valid plans and the stamp of each cell
}

// replayFreeText runs or replays a run and returns its texts and its log.
func replayFreeText(t *testing.T, p RunStartParams) (texts []string, log RunLog) {
	t.Helper()
	s := New()
	number := result[RunStartResult](t, s, "run.start", p).Run
	for {
		out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
		for _, raw := range out.Events {
			var e struct {
				Kind, Text string
				Outcome    lab.Outcome
			}
			if err := json.Unmarshal(raw, &e); err != nil {
				t.Fatal(err)
			}
			switch {
			case e.Kind == "baseline.done", e.Kind == "compare.row":
				texts = append(texts, e.Text)
			case e.Kind == "lab.cell" && e.Outcome.State == lab.StateDone:
				texts = append(texts, fmt.Sprint(e.Outcome.Key, " ", e.Outcome.Measures[0].Count))
			}
		}
		if out.State != "working" {
			return texts, result[RunLogResult](t, s, "run.log", RunLogParams{Run: number}).Log
		}
	}
}

// A recording replays to its texts, also one that was made by earlier rules; a new run follows the
// current rules, records it, and replays to its own texts.
func TestRecordedFreeTextReplaysToTheSameText(t *testing.T) {
	text, err := os.ReadFile("testdata/free-text-recordings.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []recordedFreeText
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 8 {
		t.Fatal(len(list), err)
	}
	differ := ""
	for _, r := range list {
		w := RunWorkspace{Files: []File{{Name: "a.cfg", Text: r.Spec}}, Name: r.Log.Name}
		want := r.Texts
		if r.Log.Kind == "lab" {
			if err := json.Unmarshal([]byte(r.Spec), &w.Files); err != nil {
				t.Fatal(err)
			}
			want = nil
			for _, cell := range r.Texts {
				want = append(want, cell[:strings.LastIndex(cell, " ")])
			}
		}
		got, log := replayFreeText(t, RunStartParams{Workspace: w, Log: &r.Log})
		if !slices.Equal(got, want) || len(log.Answers) != len(r.Log.Answers) {
			t.Errorf("%s %s: %q, want %q; %d answers", r.Log.Kind, r.Log.Settings, got, want, len(log.Answers))
		}
		made, log := replayFreeText(t, RunStartParams{Kind: r.Log.Kind, Workspace: w, Settings: r.Log.Settings, Seed: r.Log.Seed})
		again, _ := replayFreeText(t, RunStartParams{Workspace: w, Log: &log})
		if !slices.Equal(again, made) {
			t.Errorf("%s %s: replayed, %q is %q", r.Log.Kind, r.Log.Settings, made, again)
		}
		// A comparison's log has today's rules in its settings: the wording.
		recorded := len(log.Answers) > 0 || wordingOf(log.Settings) != wordingOf(r.Log.Settings)
		if changed := !slices.Equal(made, want); changed != recorded {
			t.Errorf("%s %s: changed: %v, but the log has %d entries and the settings %s", r.Log.Kind, r.Log.Settings, changed, len(log.Answers), log.Settings)
		} else if changed {
			differ += " " + r.Log.Kind
		}
	}
	if differ != " baseline baseline baseline baseline compare compare lab" {
		t.Errorf("other texts now:%s", differ)
	}
}

// A cell opens with the text that was judged, also without its answers; a result of an earlier version
// is refused.
func TestOpenedFreeTextIsThatOfItsResult(t *testing.T) {
	text, err := os.ReadFile("testdata/free-text-recordings.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []recordedFreeText
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	old := list[len(list)-1]
	var files []File
	if err := json.Unmarshal([]byte(old.Spec), &files); err != nil {
		t.Fatal(err)
	}
	run := runLabNamed(t, files, "own.lab", lab.Settings{}, 1<<40, 0)
	if len(run.outcomes) != 3 || len(old.Texts) != 3 {
		t.Fatal(run.outcomes)
	}
	for i, o := range run.outcomes {
		open := LabOpenParams{Files: files, Name: "own.lab", Key: o.Key, Stamp: o.Stamp}
		without := result[LabOpenResult](t, New(), "lab.open", open)
		open.Answers = o.Answers
		with := result[LabOpenResult](t, New(), "lab.open", open)
		var texts [2][]string
		for k, opened := range []LabOpenResult{with, without} {
			texts[k], _ = replayFreeText(t, RunStartParams{Workspace: opened.Workspace, Log: &opened.Log})
		}
		// The judged text is valid exactly if the opened one is.
		check := result[PlanCheckResult](t, New(), "plan.check", PlanCheckParams{Files: files, Name: "a.cfg", Text: texts[0][0]})
		if len(o.Answers) != 1 || !slices.Equal(texts[0], texts[1]) || check.Valid != (o.Measures[0].Count == 1) {
			t.Errorf("%s: %q, without answers %q; valid: %v, in the result %v", o.Key, texts[0], texts[1], check.Valid, o.Measures)
		}
		open.Stamp = old.Texts[i][strings.LastIndex(old.Texts[i], " ")+1:]
		if _, fault := call(t, New(), "lab.open", open); fault == nil || fault.Code != "lab.stale" || !strings.Contains(fault.Message, `outdated result of "zero-shot | rambler 0.5 | tasks.json 0 |`) {
			t.Errorf("%+v", fault)
		}
	}
}

// The log of a comparison without a wording decides whether a simulated model knew the grammar, also if
// another decision of an earlier version marked the log: all plans of such a log are valid, few of a
// new run's are.
func TestRecordedComparisonKeepsItsPlans(t *testing.T) {
	w := RunWorkspace{Files: []File{{Name: "a.cfg", Text: "S -> a b c d e | b S e\n"}}, Name: "a.cfg"}
	settings := []byte(`{"model": {"kind": "uniform"}, "methods": ["zero-shot"], "tries": 20}`)
	check := func(texts []string) (valid int) {
		for _, text := range texts {
			if result[PlanCheckResult](t, New(), "plan.check", PlanCheckParams{Files: w.Files, Name: "a.cfg", Text: text}).Valid {
				valid++
			}
		}
		return valid
	}
	made, log := replayFreeText(t, RunStartParams{Kind: RunCompare, Workspace: w, Settings: settings, Seed: 3})
	again, _ := replayFreeText(t, RunStartParams{Workspace: w, Log: &log})
	if len(made) != 20 || check(made) > 5 || !slices.Equal(again, made) {
		t.Errorf("%d of %d plans of a new run are valid, replayed: %v", check(made), len(made), slices.Equal(again, made))
	}
	for _, answers := range [][]process.Answer{{}, process.Current()} {
		old := log
		old.Settings, old.Answers = settings, answers
		texts, _ := replayFreeText(t, RunStartParams{Workspace: w, Log: &old})
		if len(texts) != 20 || check(texts) != 20 {
			t.Errorf("%d of %d plans of an earlier run are valid", check(texts), len(texts))
		}
	}
}
