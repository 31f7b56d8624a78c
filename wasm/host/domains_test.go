package host_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/domains"
	corejson "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/wasm/host"
)

// answer checks a text, solves it and reads the reply.
func answer(t *testing.T, s *host.Solvers, solver solve.Solver, text string) solve.Result {
	t.Helper()
	file := source.NewFile("problem", text)
	problem, found := solve.Check(solver, file)
	if source.HasErrors(found) {
		t.Fatalf("%s: %s", found[0].Code, found[0].Message)
	}
	reply, err := s.Solve(context.Background(), solve.Prepare(solver, text, problem, solve.Limits{Milliseconds: 600_000}))
	if err != nil {
		t.Fatal(err)
	}
	// The formulations are linear, so an optimum is proved without a further query.
	search := solve.Improve(file, problem, solve.Limits{}, solve.Read(file, problem, reply))
	if _, _, more := search.Next(); more {
		t.Error("a further question is asked about a linear problem")
	}
	r := search.Result()
	if len(r.Objectives) > 0 && r.Status == solve.StatusSat && !r.Proven {
		t.Errorf("the optimum %s is not proven: %s", r.Objectives[0].Value, r.Message)
	}
	return r
}

// every is the distance between the records that are tried; 1 under -long.
func every(n int) int {
	if os.Getenv("STILE_LONG") != "" {
		return 1
	}
	return n
}

// timings reports the median of a solver's own times.
func timings(t *testing.T, what string, milliseconds []int) {
	sort.Ints(milliseconds)
	if n := len(milliseconds); n > 0 {
		t.Logf("%s: %d solved, median %d ms, longest %d ms", what, n, milliseconds[n/2], milliseconds[n-1])
	}
}

func TestReferenceFormulationsReachTheStoredOptimum(t *testing.T) {
	s := solvers(t)
	for _, name := range []string{"coffee", "workforce", "facility", "task_allocation", "warehouse"} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "core", "testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		tree, fault := corejson.Tree(string(raw))
		if fault != nil {
			t.Fatal(fault)
		}
		formulate, _ := domains.Formulations(name)
		data, _ := tree.Get("data")
		queries, _ := tree.Get("queries")
		for _, solver := range []solve.Solver{solve.Z3, solve.HiGHS} {
			t.Run(name+" "+string(solver), func(t *testing.T) {
				var times []int
				seen := map[string]string{}
				for i, q := range queries.Items {
					want := stored(q)
					// An infeasible query is always tried.
					if i%every(30) != 0 && (want != "infeasible" || seen[want] != "") {
						continue
					}
					seen[want] = want
					p, err := formulate(data, q)
					if err != nil {
						t.Fatal(err)
					}
					text := p.SMTLIB()
					if solver == solve.HiGHS {
						text = p.LP()
					}
					if before, known := seen[text]; known {
						if before != want {
							t.Errorf("query %d has the optimum %s, and one that is the same %s", i, want, before)
						}
						continue
					}
					seen[text] = want
					r := answer(t, s, solver, text)
					times = append(times, r.Milliseconds)
					if got := reached(r); !alike(got, want) {
						t.Errorf("query %d: got %s, want %s\n%s", i, got, want, r.Message)
					}
					if want == "infeasible" && solver == solve.Z3 {
						if len(r.Core) == 0 {
							t.Errorf("query %d: the text tells no core", i)
						}
						if r := answer(t, s, solver, p.Core()); r.Status != solve.StatusUnsat || len(r.Core) == 0 {
							t.Errorf("query %d: the core is %s, %v", i, r.Status, r.Core)
						}
					}
				}
				timings(t, name+" by "+string(solver), times)
			})
		}
	}
}

// stored is a query's optimum, or "infeasible".
func stored(q *corejson.Node) string {
	for _, key := range []string{"ground_truth", "optimal_finish_time", "optimal_distance"} {
		if v, ok := q.Get(key); ok {
			return v.Text
		}
	}
	return ""
}

func reached(r solve.Result) string {
	switch {
	case r.Status == solve.StatusUnsat:
		return "infeasible"
	case r.Status == solve.StatusSat && len(r.Objectives) == 1:
		return r.Objectives[0].Value
	}
	return string(r.Status)
}

// alike reports whether two optima are equal up to rounding at nine decimals.
func alike(got, want string) bool {
	value := func(text string) float64 {
		over, under, fraction := strings.Cut(text, "/")
		n, err := strconv.ParseFloat(over, 64)
		if err != nil {
			return math.NaN()
		}
		if fraction {
			d, _ := strconv.ParseFloat(under, 64)
			n /= d
		}
		return n
	}
	return got == want || math.Abs(value(got)-value(want)) < 1e-6
}

// solveSteps is a solver for core/strips backed by the page's Z3.
func solveSteps(t *testing.T, s *host.Solvers, spent *int) strips.Solve {
	return func(text string) (string, error) {
		r := answer(t, s, solve.Z3, text)
		*spent += r.Milliseconds
		var b strings.Builder
		fmt.Fprintln(&b, r.Status)
		for _, v := range r.Model {
			fmt.Fprintf(&b, "(%s %s)\n", v.Name, v.Value)
		}
		return b.String(), nil
	}
}

func TestShortestPlansHaveTheStoredLength(t *testing.T) {
	s := solvers(t)
	for _, c := range []struct {
		name, text string
		every      int
	}{{"blocksworld", domains.Blocksworld, 160}, {"mystery_blocksworld", domains.MysteryBlocksworld, 160}, {"movie", domains.Movie, 4}, {"gripper", domains.Gripper, 9}} {
		t.Run(c.name, func(t *testing.T) {
			d := domains.Steps(c.text)
			file, err := os.Open(filepath.Join("..", "..", "core", "testdata", c.name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			var times []int
			lines := bufio.NewScanner(file)
			for i := 0; lines.Scan(); i++ {
				if i%every(c.every) != 0 {
					continue
				}
				var r struct {
					Instance            int
					Objects, Init, Goal []string
					Optimal             int `json:"optimal_plan_length"`
				}
				if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
					t.Fatal(err)
				}
				text := domains.Instance{Name: "instance", Objects: r.Objects, Init: r.Init, Goal: r.Goal}.Problem(d)
				spec, _ := strips.Parse(source.NewFile("problem.pddl", text))
				task, err := strips.Ground(d, spec.Problem, nil)
				if err != nil {
					t.Fatal(err)
				}
				encoding, err := task.Encode(nil)
				if err != nil {
					t.Fatal(err)
				}
				spent := 0
				plan, said, err := strips.Search(encoding, 20, solveSteps(t, s, &spent), nil)
				times = append(times, spent)
				if err != nil || len(plan) != r.Optimal {
					t.Errorf("instance %d: got %d steps, want %d (%s, %v)", r.Instance, len(plan), r.Optimal, said, err)
					continue
				}
				if _, fault := strips.Validate(d, spec.Problem, plan); fault != nil {
					t.Errorf("instance %d: %s", r.Instance, fault.Message)
				}
			}
			timings(t, c.name, times)
		})
	}
}

// TestFormulaChangesPlan requires a detour by a formula, and an unsatisfiable one.
func TestFormulaChangesPlan(t *testing.T) {
	s := solvers(t)
	d := domains.Steps(domains.Blocksworld)
	text := domains.Instance{Name: "swap", Objects: []string{"a", "b", "c"}, Init: []string{"handempty", "on a b", "ontable b", "ontable c", "clear a", "clear c"}, Goal: []string{"on b a"}}.Problem(d)
	spec, _ := strips.Parse(source.NewFile("problem.pddl", text))
	for _, c := range []struct {
		formula string
		steps   int
	}{
		{"true", 4},
		{`G !"ontable a"`, 4},
		{`G !"ontable a" & G !"on a c"`, -1},
		{`F "on a c" & F "ontable a"`, 6},
		{`(!"holding b") U "on c a"`, 8},
		{`G("pick-up" -> X "put-down")`, -1},
	} {
		task, err := strips.Ground(d, spec.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		encoding, err := task.Encode(nil)
		if err != nil {
			t.Fatal(err)
		}
		named, found := ltl.Parse(source.NewFile("x.ltl", c.formula))
		if len(found) > 0 {
			t.Fatal(found[0].Message)
		}
		if err := encoding.Restrict(named[0].Formula, nil); err != nil {
			t.Fatal(err)
		}
		spent := 0
		plan, said, err := strips.Search(encoding, 8, solveSteps(t, s, &spent), nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.steps < 0 {
			if said != strips.AnswerUnsat {
				t.Errorf("%s: got\n%s(%s)", c.formula, plan, said)
			}
			continue
		}
		states, fault := strips.Validate(d, spec.Problem, plan)
		if fault != nil || len(plan) != c.steps {
			t.Errorf("%s: %d steps, want %d\n%s", c.formula, len(plan), c.steps, plan)
			continue
		}
		trace, err := encoding.Trace(named[0].Formula, plan, states)
		if err != nil || !named[0].Formula.Holds(trace) {
			t.Errorf("%s does not hold of\n%s", c.formula, plan)
		}
	}
}
