package host_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// story returns a workspace of testdata.
func story(t *testing.T, name string) session.RunWorkspace {
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

// formulated runs a problem to its end, and returns what it came to with its events.
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

func TestEveryMistakeIsNamedAndMended(t *testing.T) {
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
			out, events, err := formulated(t, s, story(t, c.story), settings)
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

func TestAnInfeasibleQueryIsToldWithItsCore(t *testing.T) {
	s := solvers(t)
	w := story(t, "tea")
	for i, f := range w.Files {
		if strings.HasSuffix(f.Name, "model.smt2") { // without a name for what the hill yields
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
