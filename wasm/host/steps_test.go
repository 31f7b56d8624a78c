package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// TestStepsRunSatisfiesWorkspaceFormulas runs a complete example with the page's Z3: towers of
// three blocks, domain and problem in separate files, formulas and a grammar.
func TestStepsRunSatisfiesWorkspaceFormulas(t *testing.T) {
	s := solvers(t)
	d := domains.Steps(domains.Blocksworld)
	problem := domains.Instance{Name: "swap", Objects: []string{"a", "b", "c"}, Init: []string{"handempty", "on a b", "ontable b", "ontable c", "clear a", "clear c"}, Goal: []string{"on b a"}}.Problem(d)
	_, problem, _ = strings.Cut(problem, "(define (problem")
	for _, c := range []struct {
		name, formula, order string
		status               string
		steps                int
		checks               string
		message              string
	}{
		{"a shortest plan", "", "", formulate.StatusSolved, 4, "", ""},
		{"a detour", `by: F "on a c" & F "ontable a"`, "S -> A S | A\nA -> pick-up | put-down | stack | unstack\n", formulate.StatusSolved, 6, "++", ""},
		{"an order that the plan violates", "", "S -> pick-up S | stack\n", formulate.StatusSolved, 4, "-", ""},
		{"a rule against the goal", `lazy: G("pick-up" -> X "put-down")`, "", formulate.StatusInfeasible, 0, "", "with lazy, no plan has at most 7 steps; without, there is one of 4 steps, and it violates lazy: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := []session.File{{Name: "blocks.pddl", Text: domains.Blocksworld}, {Name: "swap.pddl", Text: "(define (problem" + problem}}
			if c.formula != "" {
				files = append(files, session.File{Name: "rules.ltl", Text: c.formula + "\n"})
			}
			if c.order != "" {
				files = append(files, session.File{Name: "order.cfg", Text: c.order})
			}
			runner := host.Runner{Handler: host.Native(session.New()), Solve: s.Solve}
			done, err := runner.Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: files, Name: "swap.pddl"}, Settings: []byte(`{"most":7}`)})
			if err != nil {
				t.Fatal(err)
			}
			var out session.StepsOutcome
			if err := json.Unmarshal(done.Result, &out); err != nil {
				t.Fatal(err)
			}
			checks := ""
			for _, check := range out.Checks {
				if check.Holds {
					checks += "+"
				} else {
					checks += "-"
				}
			}
			if out.Status != c.status || len(out.Steps.Plan) != c.steps || checks != c.checks || !strings.HasPrefix(out.Message, c.message) || (c.message == "") != (out.Message == "") {
				t.Errorf("it comes to %s, %v, %q, checks %+v", out.Status, out.Steps.Plan, out.Message, out.Checks)
			}
		})
	}
}
