package session

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/grammars"
)

// openAGITasks is the workspace of the 185 tasks.
func openAGITasks(t testing.TB) []File {
	t.Helper()
	list, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.ID == "openagi-tasks" {
			return e.Files
		}
	}
	t.Fatal("there is no example openagi-tasks")
	return nil
}

// ended runs a run to its end and returns its log and its last reply.
func ended(t *testing.T, s *Session, p RunStartParams) (RunLog, RunResumeResult) {
	t.Helper()
	number := result[RunStartResult](t, s, "run.start", p).Run
	end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	log := result[RunLogResult](t, s, "run.log", RunLogParams{Run: number}).Log
	result[RunResumeResult](t, s, "run.stop", RunParams{Run: number})
	return log, end
}

func TestLearnRunReportsEpochsAndTrajectories(t *testing.T) {
	s, files := New(), openAGITasks(t)
	_, end := ended(t, s, RunStartParams{Kind: RunLearn, Workspace: RunWorkspace{Files: files}, Settings: []byte(`{"tasks":[0,3,16,105,180],"epochs":4,"seeds":2,"samples":3}`), Seed: 1})
	if end.State != process.StateDone || len(end.Events) != 2*2*4+1 {
		t.Fatalf("%s with %d events: %+v", end.State, len(end.Events), end.Error)
	}
	var r learn.Result
	if err := json.Unmarshal(end.Result, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Arms) != 2 || !r.Claim.AllValid || len(r.Trajectories) != 15 {
		t.Fatalf("%+v", r)
	}
	for _, layout := range []string{learn.LayoutChat, learn.LayoutGroup} {
		out := result[LearnTrajectoriesResult](t, s, "learn.trajectories", LearnTrajectoriesParams{Layout: layout, Trajectories: r.Trajectories})
		lines := strings.Split(strings.TrimSuffix(out.Text, "\n"), "\n")
		if out.Plans != 15 || out.Lines < 20 || len(lines) != out.Lines {
			t.Errorf("%s: %d plans, %d lines", layout, out.Plans, out.Lines)
		}
		for _, line := range lines {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%s", line)
			}
		}
	}
}

func TestRecordedPlansBecomeLinesForFineTuning(t *testing.T) {
	s, files := New(), openAGITasks(t)
	w := RunWorkspace{Files: files, Name: "image-to-image.cfg"}
	task := `"task":"Mend it.","execute":true,"inputs":{"i":{"type":"image","text":"a cat","marks":["grey"]}},"goal":{"type":"image","without":["grey","guess"]}`
	var logs []RunLog
	for seed := range uint64(6) {
		log, _ := ended(t, s, RunStartParams{Workspace: w, Settings: []byte(`{"model":{"kind":"uniform"},` + task + `}`), Seed: seed})
		logs = append(logs, log)
	}
	// A model whose answers are unreadable has no plan; a person has none yet.
	failed, end := ended(t, s, RunStartParams{Workspace: w, Settings: []byte(`{"model":{"kind":"rambler","errorRate":1},` + task + `}`)})
	if end.State != process.StateFailed {
		t.Fatalf("it is %s", end.State)
	}
	waiting, end := ended(t, s, RunStartParams{Workspace: w, Settings: []byte(`{"model":{"kind":"person"},` + task + `}`)})
	if end.State != process.StateWaiting {
		t.Fatalf("it is %s", end.State)
	}
	out := result[LearnTrajectoriesResult](t, s, "learn.trajectories", LearnTrajectoriesParams{Layout: "group", Workspace: w, Logs: append(logs, failed, waiting)})
	if out.Plans != 7 || out.Unfinished != 1 {
		t.Fatalf("%d plans, %d unfinished", out.Plans, out.Unfinished)
	}
	var rewards []float64
	sum := map[int]float64{}
	for _, line := range strings.Split(strings.TrimSuffix(out.Text, "\n"), "\n") {
		var l learn.GroupLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(l.Prompt, "Mend it.") || l.Reward <= 0 || !l.Valid || l.Logprob != nil {
			t.Errorf("%+v", l)
		}
		if !slices.Contains(rewards, l.Reward) {
			rewards = append(rewards, l.Reward)
		}
		sum[l.Plan] = l.Advantage
	}
	above, below := 0, 0
	for _, a := range sum {
		if a > 0 {
			above++
		} else if a < 0 {
			below++
		}
	}
	if len(rewards) < 2 || above == 0 {
		t.Errorf("rewards %v; %d plans above their group's mean, %d below", rewards, above, below)
	}
}

func TestUnusableTrajectoriesAreRejected(t *testing.T) {
	s, files := New(), openAGITasks(t)
	without := func(name string) []File {
		return slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Name == name })
	}
	for _, c := range []struct {
		files    []File
		settings string
		want     string
	}{
		{without("tasks.json"), `{}`, `unknown file "tasks.json"`},
		{without("tools.json"), `{}`, `unknown file "tools.json"`},
		{files, `{"epochs":-1}`, "epochs"},
		{files, `{"epoch":1}`, "epoch"},
		{[]File{{Name: "tasks.json", Text: "["}, {Name: "tools.json", Text: "{}"}}, `{}`, "tasks.json"},
	} {
		_, err := s.runStart(RunStartParams{Kind: RunLearn, Workspace: RunWorkspace{Files: c.files}, Settings: []byte(c.settings)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	w := RunWorkspace{Files: files, Name: "image-to-image.cfg"}
	log := RunLog{Version: 2, Kind: "plan", Name: "image-to-image.cfg", Settings: []byte(`{"model":{"kind":"first"}}`)}
	other, old := log, log
	other.Kind, old.Version = "monitor", 9
	alien := log
	alien.Answers = []process.Answer{{Effect: "e9", Value: []byte("1")}}
	for _, c := range []struct {
		params LearnTrajectoriesParams
		want   string
	}{
		{LearnTrajectoriesParams{Layout: "chat", Workspace: w, Logs: []RunLog{log, other}}, `recorded run 2: the run is of kind "monitor"`},
		{LearnTrajectoriesParams{Layout: "chat", Workspace: w, Logs: []RunLog{old}}, "version 9"},
		{LearnTrajectoriesParams{Layout: "chat", Logs: []RunLog{log}}, "image-to-image.cfg"},
		{LearnTrajectoriesParams{Workspace: w, Logs: []RunLog{log}}, "layout"},
		{LearnTrajectoriesParams{Layout: "chat", Workspace: w, Logs: make([]RunLog, MaxTrajectoryLogs+1)}, "too many recorded runs"},
	} {
		if _, err := s.learnTrajectories(c.params); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	out, err := s.learnTrajectories(LearnTrajectoriesParams{Layout: "chat", Workspace: w, Logs: []RunLog{log}})
	if err != nil || out.Plans != 1 || out.Lines == 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := s.learnTrajectories(LearnTrajectoriesParams{Layout: "chat", Workspace: w, Logs: []RunLog{alien}}); err != nil {
		t.Logf("a log of another run: %v", err)
	}
}
