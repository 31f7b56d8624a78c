package host_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/wasm/host"
)

// TestTextsOfExtendedProblems compares the solver's texts of problems with costs, numbers,
// quantifiers and conditional effects with the search, which has the optimum of an oracle: with
// the number of steps of the best plan the metric has its value; with one step less there is no
// plan, or a worse one; and a problem without a plan has none of three steps.
func TestTextsOfExtendedProblems(t *testing.T) {
	s := solvers(t)
	names, err := filepath.Glob("../../core/strips/testdata/domains/*.pddl")
	if err != nil || len(names) < 40 {
		t.Fatal(names, err)
	}
	random := rand.New(rand.NewPCG(4, 23))
	checked := 0
	for _, name := range names {
		if random.IntN(every(6)) > 0 && !strings.Contains(name, "axioms-") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := sexpr.Parse(source.NewFile(name, string(text)))
		domain := string(text[tree.Nodes[0].Span.Start:tree.Nodes[0].Span.End])
		for _, n := range tree.Nodes[1:] {
			spec, _ := strips.Parse(source.NewFile("p.pddl", domain+string(text[n.Span.Start:n.Span.End])))
			t.Run(spec.Problem.Name, func(t *testing.T) { checked += textsAgree(t, s, spec) })
		}
	}
	t.Logf("%d texts", checked)
}

func textsAgree(t *testing.T, s *host.Solvers, spec *strips.Spec) (checked int) {
	task, err := strips.Ground(spec.Domain, spec.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := task.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	best, err := e.Cheapest(0, strips.SearchSteps, nil)
	if err != nil {
		t.Fatal(err)
	}
	// ask returns whether a plan with that many steps exists, and the change of the metric.
	ask := func(steps int) (bool, float64) {
		text, err := e.Text(steps, nil)
		if err != nil {
			t.Fatal(err)
		}
		file := source.NewFile("text.smt2", text)
		problem, found := solve.Check(solve.Z3, file)
		if len(found) > 0 {
			t.Fatalf("%s: %s", found[0].Code, found[0].Message)
		}
		reply, err := s.Solve(context.Background(), solve.Prepare(solve.Z3, text, problem, solve.Limits{Milliseconds: 600_000}))
		if err != nil {
			t.Fatal(err)
		}
		r := solve.Read(file, problem, reply)
		checked++
		switch r.Status {
		case solve.StatusUnsat:
			return false, 0
		case solve.StatusSat:
		default:
			t.Fatalf("the solver answers %s (%s)", r.Status, r.Message)
		}
		holds, sum := map[string]bool{}, 0.0
		for _, v := range r.Model {
			holds[v.Name] = v.Value == "true"
			if v.Name == "metric/sum@"+strconv.Itoa(steps) {
				if x, ok := new(big.Rat).SetString(strings.ReplaceAll(v.Value, " ", "")); ok {
					sum, _ = x.Float64()
				} else {
					t.Fatalf("the solver's value %q", v.Value)
				}
			}
		}
		plan, err := e.Plan(steps, func(symbol string) bool { return holds[symbol] })
		if err != nil {
			t.Fatal(err)
		}
		states, fault := strips.Validate(spec.Domain, spec.Problem, plan)
		if fault != nil {
			t.Fatalf("the plan of the text fails: %s\n%s", fault.Message, plan)
		}
		if changed := float64(states[len(states)-1].Cost-states[0].Cost) / strips.Unit; spec.Problem.Metric != nil && math.Abs(changed-sum) > 1e-6 {
			t.Errorf("the metric of the text is %v, that of its plan %v", sum, changed)
		}
		return true, sum
	}
	if best.Answer != strips.AnswerSat {
		if found, _ := ask(3); found && !best.NoBest {
			t.Error("the text has a plan of three steps")
		}
		return checked
	}
	states, _ := strips.Validate(spec.Domain, spec.Problem, best.Plan)
	want := float64(states[len(states)-1].Cost-states[0].Cost) / strips.Unit
	sign := 1.0
	if spec.Problem.Largest {
		sign = -1
	}
	found, sum := ask(len(best.Plan))
	if !found || spec.Problem.Metric != nil && math.Abs(sum-want) > 1e-6 {
		t.Errorf("the text of %d steps: %v, %v; want %v", len(best.Plan), found, sum, want)
	}
	if len(best.Plan) > 0 {
		if found, sum := ask(len(best.Plan) - 1); found && (spec.Problem.Metric == nil || sign*(sum-want) < 1e-6) {
			t.Errorf("the text of one step less has a plan, %v; want more than %v", sum, want)
		}
	}
	return checked
}
