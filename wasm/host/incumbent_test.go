package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/wasm/host"
)

// TestFormulateContinuesWithAnIncumbent runs a problem whose solver times out after it found
// a plan. The solver is canned, so the test does not depend on the machine's speed.
func TestFormulateContinuesWithAnIncumbent(t *testing.T) {
	const model = "(define-fun pick.hill () Int 46)(define-fun pick.lake () Int 0)(define-fun send.north () Int 20)(define-fun send.south () Int 26)"
	refuted := false
	for notation, solver := range map[string]func(question int, q solve.Query) (solve.Reply, error){
		// HiGHS returns the best solution and its bound with the time limit.
		formulate.NotationLP: func(_ int, q solve.Query) (solve.Reply, error) {
			return solve.Reply{Milliseconds: 1000, Text: `{"status": "timeLimit", "objective": 558, "bound": 545, "gap": 0.0232974910394, "names": ["pick_hill", "pick_lake", "send_north", "send_south"], "values": [46, 0, 20, 26]}`}, nil
		},
		// Z3 is killed at the time limit; further questions find a plan and refute a far better one.
		formulate.NotationSMT: func(question int, q solve.Query) (solve.Reply, error) {
			switch {
			case strings.Contains(q.Text, "(minimize"):
				return solve.Reply{}, &process.EffectError{Code: solve.CodeTimeout, Message: "the time limit was reached: 1 s"}
			case question == 2:
				return solve.Reply{Milliseconds: 10, Text: "sat\nstile.model\n(" + model + ")"}, nil
			case !refuted && strings.Contains(q.Text, "(assert (< (+ (* 4 pick.hill)"):
				refuted = true
				return solve.Reply{Milliseconds: 10, Text: "unsat\n"}, nil
			}
			return solve.Reply{Milliseconds: 10, Text: "unknown\n"}, nil
		},
	} {
		t.Run(notation, func(t *testing.T) {
			questions := 0
			var events []json.RawMessage
			zero := 0
			raw, err := json.Marshal(formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, Notation: notation, Rounds: &zero, Limits: solve.Limits{Milliseconds: 1000}})
			if err != nil {
				t.Fatal(err)
			}
			runner := host.Runner{Handler: host.Native(session.New()), Event: func(e json.RawMessage) { events = append(events, e) },
				Solve: func(_ context.Context, q solve.Query) (solve.Reply, error) { questions++; return solver(questions, q) }}
			outcome, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunFormulate, Workspace: testdataWorkspace(t, "tea"), Settings: raw, Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			var out formulate.Result
			if err := json.Unmarshal(outcome.Result, &out); err != nil {
				t.Fatal(err)
			}
			// The run has an answer, which is not claimed to be the best.
			if out.Status != formulate.StatusFeasible || out.Objective != "558" || string(out.Answer) == "null" || !strings.Contains(out.Message, "not proved optimal") || !strings.Contains(out.Message, "gap ") {
				t.Errorf("the run ends with %s, %s (%s), answer %s", out.Status, out.Objective, out.Message, out.Answer)
			}
			// The trace has value, bound and gap, and the solver's stage has them in words.
			solved, said := false, ""
			for _, e := range events {
				var s formulate.SolveEvent
				if json.Unmarshal(e, &s) == nil && s.Kind == "formulate.solve" && s.Purpose == "query" && s.Result != nil {
					r := s.Result
					t.Logf("value %s, bound %s, gap %s: %s", r.Objectives[0].Value, r.Bound, r.Gap, r.Message)
					solved = r.Objectives[0].Value == "558" && r.Bound != "" && r.Bound != "558" && r.Gap != "" && r.Gap != "0" && !r.Proven
				}
				var stage formulate.StageEvent
				if json.Unmarshal(e, &stage) == nil && stage.Kind == "formulate.stage" && stage.Stage == formulate.StageSolver && stage.State == formulate.StateDone {
					said = stage.Reason
				}
			}
			if !solved {
				t.Error("no event has the value, the bound and the gap")
			}
			if !strings.HasPrefix(said, "best found in ") || !strings.Contains(said, "gap ") || !strings.HasSuffix(said, "not proved optimal") {
				t.Errorf("the solver's stage ends with %q", said)
			}
		})
	}
}
