package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/grammars"
	"github.com/stile-playground/stile/wasm/host"
)

// Thousands of choices and floating-point sums are bit-identical in the module and natively.
func TestLearningIsBitIdenticalInTheModule(t *testing.T) {
	settings := `{"tasks":[0,3,16,40,105,107,120,150,180],"seeds":2,"epochs":5,"samples":1}`
	if os.Getenv("STILE_LONG") != "" {
		settings = `{"samples":2}`
	}
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	var w session.RunWorkspace
	for _, e := range examples {
		if e.ID == "openagi-tasks" {
			w.Files = e.Files
		}
	}
	ctx, wasm := context.Background(), instance(t)
	measured := func(h host.Handler) (text string) {
		call := func(method string, params, result any) {
			t.Helper()
			if err := host.Call(ctx, h, method, params, result); err != nil {
				t.Fatal(err)
			}
		}
		var started session.RunStartResult
		call("run.start", session.RunStartParams{Kind: session.RunLearn, Workspace: w, Settings: []byte(settings), Seed: 11}, &started)
		for {
			var out session.RunResumeResult
			call("run.resume", session.RunResumeParams{Run: started.Run}, &out)
			for _, e := range out.Events {
				text += string(e) + "\n"
			}
			if out.State == process.StateWorking {
				continue
			}
			if out.State != process.StateDone {
				t.Fatalf("%s: %+v", out.State, out.Error)
			}
			var r learn.Result
			if err := json.Unmarshal(out.Result, &r); err != nil {
				t.Fatal(err)
			}
			var lines session.LearnTrajectoriesResult
			call("learn.trajectories", session.LearnTrajectoriesParams{Layout: learn.LayoutGroup, Trajectories: r.Trajectories}, &lines)
			if lines.Plans < 9 {
				t.Fatalf("%d plans", lines.Plans)
			}
			return text + lines.Text
		}
	}
	began := time.Now()
	native := measured(host.Native(session.New()))
	between := time.Now()
	module := measured(wasm)
	t.Logf("natively %v, in the module %v", between.Sub(began), time.Since(between))
	if native != module {
		a, b := strings.Split(native, "\n"), strings.Split(module, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("line %d: natively %.300s, in the module %.300s", i+1, a[i], b[i])
			}
		}
		t.Fatalf("%d lines natively, %d in the module", len(a), len(b))
	}
}

// The tables of controls in the documentation have the figures of their runs, to the last digit.
func TestDocumentedControlsAreReproduced(t *testing.T) {
	page, err := os.ReadFile("../../web/docs/learning.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	var w session.RunWorkspace
	for _, e := range examples {
		if e.ID == "openagi-tasks" {
			w.Files = e.Files
		}
	}
	tables := strings.Split(string(page), "\n| learner | all 185")[1:]
	if len(tables) != 2 {
		t.Fatalf("%d tables", len(tables))
	}
	trained := map[string]string{"not trained": learn.ControlUntrained, "trained with the automaton": "with", "trained without the automaton": "without"}
	compared := 0
	for i, epochs := range []int{30, 150} {
		for split := range 2 {
			if os.Getenv("STILE_LONG") == "" && (epochs > 30 || split == 0) {
				continue
			}
			settings := map[string]any{"controls": true, "epochs": epochs}
			if split == 1 {
				settings["tasks"], settings["test"] = learn.PaperTrain, learn.PaperTest
			}
			raw, err := json.Marshal(settings)
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := (&host.Runner{Handler: host.Native(session.New())}).Run(context.Background(), session.RunStartParams{Kind: session.RunLearn, Workspace: w, Settings: raw, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			var r learn.Result
			if err := json.Unmarshal(outcome.Result, &r); err != nil {
				t.Fatal(err)
			}
			if d := r.Claim.Training.Difference; split == 1 && !strings.Contains(strings.Join(strings.Fields(string(page)), " "), fmt.Sprintf("%.3f (%.3f to %.3f)", d.Mean, d.Low, d.High)) {
				t.Errorf("%d epochs: the page lacks the effect of the training, %+v", epochs, d)
			}
			for line := range strings.Lines(tables[i]) {
				cells := strings.Split(line, "|")
				if len(cells) < 6 {
					continue
				}
				for _, c := range r.Controls {
					if c.Trained != trained[strings.TrimSpace(cells[1])] {
						continue
					}
					at := 2 + 2*split
					if !c.With {
						at++
					}
					cell := strings.TrimSpace(cells[at])
					want := fmt.Sprintf("%.3f (%.3f to %.3f)", c.Reward.Mean, c.Reward.Low, c.Reward.High)
					if compared++; cell != want {
						t.Errorf("%d epochs, %s, column %d: %s in the page, %s in the run", epochs, c.Trained, at, cell, want)
					}
				}
			}
		}
	}
	if compared < 6 {
		t.Errorf("%d cells", compared)
	}
}
