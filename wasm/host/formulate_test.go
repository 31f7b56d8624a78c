package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// testdataWorkspace returns a workspace of testdata.
func testdataWorkspace(t *testing.T, name string) session.RunWorkspace {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "formulate", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.ParseArchive(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	return session.RunWorkspace{Files: w.Files, Name: name + ".problem/query.md"}
}

// formulated runs a problem to its end and returns its result and events.
func formulated(t *testing.T, s *host.Solvers, w session.RunWorkspace, settings formulate.Settings) (out formulate.Result, events []json.RawMessage, err error) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	runner := host.Runner{Handler: host.Native(session.New()), Solve: s.Solve, Event: func(e json.RawMessage) { events = append(events, e) }}
	outcome, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunFormulate, Workspace: w, Settings: raw, Seed: 7})
	if err == nil {
		err = json.Unmarshal(outcome.Result, &out)
	}
	return out, events, err
}

func TestEveryMistakeIsReportedAndFixed(t *testing.T) {
	s := solvers(t)
	for _, c := range []struct {
		story, notation, mistake string
		rounds                   int
		stage                    string
	}{
		{"tea", "smt2", "", 1, ""},
		{"tea", "smt2", formulate.MistakeSyntax, 1, formulate.StageGenerator},
		{"tea", "smt2", formulate.MistakeImplicit, 2, formulate.StageDefiner},
		{"tea", "smt2", formulate.MistakeNegative, 2, formulate.StageGenerator},
		{"tea", "smt2", formulate.MistakeOverwritten, 1, formulate.StageGenerator},
		{"tea", "smt2", formulate.MistakeDirection, 2, formulate.StageGenerator},
		{"tea", "smt2", formulate.MistakeQuery, 2, formulate.StageGenerator},
		{"tea", "smt2", formulate.MistakeObjective, 2, formulate.StageGenerator},
		{"tea", "smt2", formulate.MistakeFigures, 1, ""},
		{"tea", "lp", "", 1, ""},
		{"tea", "lp", formulate.MistakeSyntax, 1, formulate.StageGenerator},
		{"tea", "lp", formulate.MistakeImplicit, 2, formulate.StageDefiner},
		{"tea", "lp", formulate.MistakeNegative, 2, formulate.StageGenerator},
		{"tea", "lp", formulate.MistakeOverwritten, 2, formulate.StageGenerator},
		{"tea", "lp", formulate.MistakeDirection, 2, formulate.StageGenerator},
		{"ferry", "pddl", "", 1, ""},
		{"ferry", "pddl", formulate.MistakeSyntax, 1, formulate.StageGenerator},
		{"ferry", "pddl", formulate.MistakeHorizon, 2, formulate.StageFormulator},
	} {
		name := strings.Join([]string{c.story, c.notation, c.mistake}, " ")
		t.Run(name, func(t *testing.T) {
			settings := formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, Notation: c.notation}
			if c.mistake != "" {
				settings.Mistakes = []string{c.mistake}
			}
			out, events, err := formulated(t, s, testdataWorkspace(t, c.story), settings)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"tea": "545", "ferry": "3"}[c.story]
			if out.Status != formulate.StatusSolved || out.Objective != want || !out.Assessed {
				t.Errorf("%s with %s (%s), assessed %v, not solved with %s", out.Status, out.Objective, out.Message, out.Assessed, want)
			}
			if out.Rounds != c.rounds {
				t.Errorf("%d rounds, not %d", out.Rounds, c.rounds)
			}
			named := false
			for _, e := range events {
				var found formulate.FindingEvent
				if json.Unmarshal(e, &found) == nil && found.Kind == "formulate.finding" {
					t.Logf("%s: %s", found.Finding.Mistake, found.Finding.Message)
					named = named || found.Finding.Mistake == c.mistake && found.Finding.Stage == c.stage
				}
			}
			if c.stage != "" && !named {
				t.Errorf("the mistake was not named")
			}
			if c.story == "tea" {
				if out.Base == nil || len(out.Base.Changed) != 2 || out.Base.Objective != "500" {
					t.Errorf("beside the plan without the question stands %+v", out.Base)
				}
				var answer struct{ Cost json.Number }
				if json.Unmarshal(out.Answer, &answer) != nil || answer.Cost != "545" {
					t.Errorf("the answer is %s", out.Answer)
				}
			}
		})
	}
}

func TestInfeasibleQueryReportsItsCore(t *testing.T) {
	s := solvers(t)
	w := testdataWorkspace(t, "tea")
	for i, f := range w.Files {
		if strings.HasSuffix(f.Name, "model.smt2") { // without a name for the hill's yield
			w.Files[i].Text = strings.Replace(f.Text, "(! (<= pick.hill 50) :named harvest.hill)", "(<= pick.hill 30)", 1)
		}
	}
	out, _, err := formulated(t, s, w, formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, From: formulate.StageSolver, Notation: "smt2"})
	if err != nil {
		t.Fatal(err)
	}
	if out.Status != formulate.StatusInfeasible || out.Solution == nil || len(out.Solution.Core) == 0 || string(out.Answer) != "null" {
		t.Errorf("%s: %s, %+v", out.Status, out.Message, out.Solution)
	}
}

// texts of the tea's problem, by the file's name.
func texts(w session.RunWorkspace) map[string]string {
	out := map[string]string{}
	for _, f := range w.Files {
		out[filepath.Base(f.Name)] = f.Text
	}
	return out
}

func TestSelfAssessmentReplacesWrongText(t *testing.T) {
	s := solvers(t)
	w := testdataWorkspace(t, "tea")
	file := texts(w)
	instead, err := json.Marshal(file["model.smt2"])
	if err != nil {
		t.Fatal(err)
	}
	idle := strings.Replace(file["model.smt2"], "(assert (! (= pick.lake 0) :named query.lake))", "(assert (! (>= pick.lake 45) :named query.lake))", 1)
	answer := `{"answer": {"cost": 500, "picked": {"lake": 45}, "sent": {"north": 20, "south": 25}}, "constraints": [{"constraint": "no garden gives more than its harvest", "holds": true}, {"constraint": "each shop gets at least what it needs", "holds": true}, {"constraint": "nothing is picked by the lake", "holds": true}, {"constraint": "what is picked is what is sent", "holds": true, "reason": "45 come in and go out."}, {"constraint": "no number is negative", "holds": true}], "sensible": {"holds": true, "reason": "It is."}}`
	script := []string{
		file["goal.md"], file["variables.json"], "```\n" + idle + "```",
		answer,
		`{"steps": [{"step": 1, "right": true, "reason": "It is."}, {"step": 2, "right": true, "reason": "It is."}, {"step": 3, "right": false, "reason": "Why asks for what is forbidden.", "how": "Forbid it.", "instead": ` + string(instead) + `}]}`,
		strings.NewReplacer(`"cost": 500`, `"cost": 545`, `"lake": 45`, `"hill": 45`).Replace(answer),
		`{"steps": [{"step": 1, "right": true, "reason": "It is."}, {"step": 2, "right": true, "reason": "It is."}, {"step": 3, "right": true, "reason": "It is."}]}`,
	}
	out, events, err := formulated(t, s, w, formulate.Settings{Model: llm.Spec{Kind: llm.KindScripted, Script: script}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Objective != "545" || out.Rounds != 2 || !out.Assessed || len(out.Fixed) != 1 || out.Fixed[0].Mistake != formulate.MistakeDirection || out.Spent.Calls != len(script) {
		t.Errorf("%+v", out)
	}
	var by []string
	for _, e := range events {
		var made formulate.ProductEvent
		if json.Unmarshal(e, &made) == nil && made.Kind == "formulate.product" && made.Name == formulate.FileSMT {
			by = append(by, made.By)
		}
	}
	if strings.Join(by, " ") != "model assessor" {
		t.Errorf("the text for the solver is by %q", by)
	}
}

//stile:race
func TestRunContinuesFromAnEdit(t *testing.T) {
	s := solvers(t)
	w := testdataWorkspace(t, "tea")
	for i, f := range w.Files {
		if strings.HasSuffix(f.Name, "model.smt2") {
			w.Files[i].Text = strings.Replace(f.Text, "(= pick.lake 0)", "(<= pick.lake 10)", 1)
		}
	}
	zero := 0
	out, _, err := formulated(t, s, w, formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, From: formulate.StageSolver, Rounds: &zero})
	if err != nil {
		t.Fatal(err)
	}
	if out.Objective != "535" || out.Assessed || out.Spent.Calls != 1 {
		t.Errorf("from the solver on: %s after %d calls, assessed %v", out.Objective, out.Spent.Calls, out.Assessed)
	}
	// A text that the solver rejects, without a model to rewrite it.
	for i, f := range w.Files {
		if strings.HasSuffix(f.Name, "model.smt2") {
			w.Files[i].Text = strings.Replace(f.Text, "(declare-const pick.hill Int)", "", 1)
		}
	}
	out, _, err = formulated(t, s, w, formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, From: formulate.StageSolver, Rounds: &zero, Regenerations: &zero})
	if err != nil || out.Status != formulate.StatusFailed || len(out.Findings) == 0 || out.Findings[0].Line != 5 {
		t.Errorf("%s: %+v, %v", out.Status, out.Findings, err)
	}
}

func TestPersonReviewsEachStage(t *testing.T) {
	s := solvers(t)
	w := testdataWorkspace(t, "tea")
	mine := strings.Replace(texts(w)["model.smt2"], "(= pick.lake 0)", "(<= pick.lake 5)", 1)
	raw, err := json.Marshal(formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, Approve: true})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	runner := host.Runner{Handler: host.Native(session.New()), Solve: s.Solve, Ask: func(process.Question) string {
		switch asked++; asked {
		case 3:
			return "(declare-const x Int) (assert"
		case 4:
			return mine
		}
		return "ok"
	}}
	params := session.RunStartParams{Kind: session.RunFormulate, Workspace: w, Settings: raw, Seed: 3}
	outcome, err := runner.Run(context.Background(), params)
	if err != nil {
		t.Fatal(err)
	}
	var out formulate.Result
	if err := json.Unmarshal(outcome.Result, &out); err != nil || out.Objective != "540" || asked != 4 {
		t.Errorf("%s after %d questions, %v", out.Objective, asked, err)
	}
	// The recording replays without a solver and without a person.
	again := host.Runner{Handler: host.Native(session.New())}
	replayed, err := again.Run(context.Background(), session.RunStartParams{Workspace: w, Log: &outcome.Log})
	if err != nil || string(replayed.Result) != string(outcome.Result) {
		t.Errorf("played again it is otherwise: %v", err)
	}
}

func TestBaselinesAnswerWithoutStages(t *testing.T) {
	s := solvers(t)
	for method, want := range map[string]string{formulate.MethodDirect: "unchecked  1", formulate.MethodCoT: "unchecked  1", formulate.MethodCode: "solved 545 1"} {
		out, _, err := formulated(t, s, testdataWorkspace(t, "tea"), formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, Method: method})
		var answer struct{ Cost json.Number }
		if err == nil {
			err = json.Unmarshal(out.Answer, &answer)
		}
		if got := fmt.Sprint(out.Status, " ", out.Objective, " ", out.Spent.Calls); err != nil || got != want || answer.Cost != "545" {
			t.Errorf("%s: %s with %s, %v", method, got, out.Answer, err)
		}
	}
}

func TestBudgetEndsRun(t *testing.T) {
	_, _, err := formulated(t, solvers(t), testdataWorkspace(t, "tea"), formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, Budget: meter.Budget{Calls: 2}})
	var fault *host.CallError
	if !errors.As(err, &fault) || fault.Fault.Code != "limit.calls" {
		t.Errorf("the run ended with %v", err)
	}
}

func TestProblemIsFormulatedOverTheWire(t *testing.T) {
	s := solvers(t)
	w := testdataWorkspace(t, "tea")
	file := texts(w)
	judged := `{"steps": [{"step": 1, "right": true, "reason": "Yes.", "how": null, "instead": null}, {"step": 2, "right": true, "reason": "Yes.", "how": null, "instead": null}, {"step": 3, "right": true, "reason": "Yes.", "how": null, "instead": null}]}`
	answer := `{"answer": {"cost": 545, "picked": {"hill": 45}, "sent": {"north": 20, "south": 25}}, "constraints": [{"constraint": "no garden gives more than its harvest", "holds": true}, {"constraint": "each shop gets at least what it needs", "holds": true}, {"constraint": "nothing is picked by the lake", "holds": true}, {"constraint": "what is picked is what is sent", "holds": true, "reason": "45 come in and go out."}, {"constraint": "no number is negative", "holds": true}], "sensible": {"holds": true, "reason": "It is."}}`
	for _, format := range []string{"openai", "anthropic", "ollama"} {
		t.Run(format, func(t *testing.T) {
			b := newBench(t)
			settings := formulate.Settings{Models: map[string]llm.Spec{}}
			for stage, text := range map[string]string{
				formulate.StageDefiner: file["goal.md"], formulate.StageFormulator: file["variables.json"], formulate.StageGenerator: "```smt2\n" + file["model.smt2"] + "```",
				formulate.StageFormatter: answer, formulate.StageAssessor: judged,
			} {
				e := b.endpoint(format, "say:"+text)
				e.Capabilities = &llm.Capabilities{} // otherwise the provider generates a value for the schema
				settings.Models[stage] = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e}
			}
			settings.Model = settings.Models[formulate.StageDefiner]
			raw, err := json.Marshal(settings)
			if err != nil {
				t.Fatal(err)
			}
			runner := b.runner(host.Native(session.New()))
			runner.Solve = s.Solve
			outcome, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunFormulate, Workspace: w, Settings: raw})
			if err != nil {
				t.Fatal(err)
			}
			var out formulate.Result
			if err := json.Unmarshal(outcome.Result, &out); err != nil || out.Objective != "545" || !out.Assessed || len(out.Verdicts) != 6 || out.Spent.Calls != 5 || out.Spent.Usage.Prompt == 0 {
				t.Errorf("%s with %s, assessed %v, %d verdicts, %+v, %+v, %v", out.Status, out.Objective, out.Assessed, len(out.Verdicts), out.Spent, out.Findings, err)
			}
			if log, _ := json.Marshal(outcome.Log); strings.Contains(string(log), canary) {
				t.Error("the key is in the log")
			}
		})
	}
}
