package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/grammars/experiments"
	"github.com/stile-playground/stile/wasm/host"
)

// Rows with endpoints use real requests in every format, with concurrent cells; each cell's log
// replays without the endpoint.
func TestExperimentCallsEndpoints(t *testing.T) {
	w, err := experiments.Workspace("formal-llm-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range allFormats {
		b := newBench(t)
		e := b.endpoint(format, "choice")
		e.Name = "lab"
		settings := lab.Settings{Endpoints: []llm.Endpoint{e}, Tasks: 3, Seeds: []uint64{1}}
		raw, err := json.Marshal(settings)
		if err != nil {
			t.Fatal(err)
		}
		handler := host.Native(session.New())
		params := session.RunStartParams{Workspace: session.RunWorkspace{Files: w.Files, Name: "formal-llm-1.lab"}, Settings: raw}
		outcome, err := b.runner(handler).Run(context.Background(), params)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		var result lab.Result
		if err := json.Unmarshal(outcome.Result, &result); err != nil {
			t.Fatal(err)
		}
		if result.Table.Failed > 0 || result.Table.Done != result.Table.Cells || len(result.Table.Notes) != 1 {
			t.Errorf("%s: %s", format, result.Table.Markdown())
		}
		asked, valid := 0.0, lab.Value{}
		for _, o := range result.Outcomes {
			for _, m := range o.Measures {
				if o.Model == "lab" && m.Name == "calls" {
					asked += m.Count
				}
			}
		}
		for _, r := range result.Table.Rows {
			if r.Method == "Formal-LLM" && r.Model == "lab" {
				valid = r.Values[0]
			}
		}
		if n := len(b.Requests("r")); float64(n) != asked || n < 6 || valid.Value != 1 {
			t.Errorf("%s: %d requests for %v calls, %v of the plans are valid", format, n, asked, valid.Value)
		}
		again, err := (&host.Runner{Handler: handler}).Run(context.Background(), session.RunStartParams{Workspace: params.Workspace, Log: &outcome.Log})
		if err != nil || string(again.Result) != string(outcome.Result) {
			t.Errorf("%s: played again it is another: %v", format, err)
		}
		cells := 0
		for _, raw := range b.events {
			var e lab.CellEvent
			if json.Unmarshal(raw, &e) != nil || e.Outcome.State != lab.StateDone || e.Outcome.Model != "lab" {
				continue
			}
			var open session.LabOpenResult
			if err := host.Call(context.Background(), handler, "lab.open", session.LabOpenParams{Files: w.Files, Name: "formal-llm-1.lab", Settings: settings, Key: e.Outcome.Key, Answers: e.Outcome.Answers}, &open); err != nil {
				t.Fatal(err)
			}
			if _, err := (&host.Runner{Handler: handler}).Run(context.Background(), session.RunStartParams{Workspace: open.Workspace, Log: &open.Log}); err != nil {
				t.Errorf("%s does not play again: %v", e.Outcome.Key, err)
			}
			cells++
		}
		if cells != 20 { // five methods on three tasks and, from the second source, one
			t.Errorf("%s: %d cells", format, cells)
		}
		b.show(outcome)
		b.noKey()
	}
}

// A cell whose endpoint is unreachable fails with a reason and runs again when the experiment
// continues.
//
//stile:race
func TestFailedCellIsRetried(t *testing.T) {
	w, err := experiments.Workspace("crouse-2024-2")
	if err != nil {
		t.Fatal(err)
	}
	run := func(model string, earlier []lab.Outcome) (result lab.Result) {
		b := newBench(t)
		e := b.endpoint("", model)
		settings, err := json.Marshal(lab.Settings{Models: []lab.NamedModel{{Name: "m", Spec: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e}}}, Tasks: 1, Seeds: []uint64{1}, Earlier: earlier})
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := b.runner(host.Native(session.New())).Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: w.Files, Name: "crouse-2024-2.lab"}, Settings: settings})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(outcome.Result, &result); err != nil {
			t.Fatal(err)
		}
		return result
	}
	failed := run("unknown-model", nil)
	if failed.Table.Failed != failed.Table.Cells || failed.Table.Cells == 0 {
		t.Fatalf("%s", failed.Table.Markdown())
	}
	for _, o := range failed.Outcomes {
		if o.Reason == "" || len(o.Measures) > 0 {
			t.Errorf("%+v", o)
		}
	}
	if again := run("unknown-model", failed.Outcomes); again.Spent.Cells != failed.Table.Cells {
		t.Errorf("%d cells were tried again", again.Spent.Cells)
	}
}

func TestLLMFPTablesAreSolved(t *testing.T) {
	s := solvers(t)
	w, err := experiments.Workspace("llmfp-1")
	if err != nil {
		t.Fatal(err)
	}
	settings, err := json.Marshal(lab.Settings{Models: []lab.NamedModel{{Name: "first", Spec: llm.Spec{Kind: llm.KindFirst}}}, Tasks: 1})
	if err != nil {
		t.Fatal(err)
	}
	runner := &host.Runner{Handler: host.Native(session.New()), Solve: s.Solve}
	outcome, err := runner.Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: w.Files, Name: "llmfp-1.lab"}, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	var result lab.Result
	if err := json.Unmarshal(outcome.Result, &result); err != nil {
		t.Fatal(err)
	}
	for _, r := range result.Table.Rows {
		want := 0.0
		if r.Method == "LLMFP" || r.Method == "code" {
			want = 1
		}
		for i, v := range r.Values {
			if r.Reference == "" && (!v.Known || v.Value != want) {
				t.Errorf("%s: %s is %v", r, result.Table.Columns[i].Title, v)
			}
		}
	}
	if !strings.Contains(result.Table.Markdown(), "| LLMFP | *GPT-4o* | *64.7 %* |") {
		t.Error("what was published is not beside it")
	}
}

// An example of the problem changes only the prompts, which simulated models do not read.
func TestExampleChangesNoSimulatedRow(t *testing.T) {
	s := solvers(t)
	w, err := experiments.Workspace("llmfp-4")
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]string{}
	for _, example := range []string{"", "(:example)"} {
		text := `(experiment shown (:tasks (problems coffee (:first 4))) (:methods (formulate formulate (:name "m") ` + example + `)) (:models (simulated rambler 0.5)) (:measures valid score calls))`
		files := append([]session.File{{Name: "shown.lab", Text: text}}, w.Files...)
		runner := &host.Runner{Handler: host.Native(session.New()), Solve: s.Solve}
		outcome, err := runner.Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: files, Name: "shown.lab"}})
		if err != nil {
			t.Fatal(err)
		}
		var result lab.Result
		if err := json.Unmarshal(outcome.Result, &result); err != nil {
			t.Fatal(err)
		}
		row := result.Table.Rows[0]
		if measured[example] = fmt.Sprint(row.Values); row.Cells != 4 || measured[example] != measured[""] {
			t.Errorf("%d cells: %s, without an example %s", row.Cells, measured[example], measured[""])
		}
		if noted := strings.Contains(strings.Join(result.Table.Notes, " "), `:example changes only the tokens and the cost of the simulated rows of "m"`); noted != (example != "") {
			t.Errorf("%q: %q", example, result.Table.Notes)
		}
	}
}
