package domains

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// instance is a record of the data sets with steps.
type instance struct {
	Instance            int
	Objects, Init, Goal []string
	Optimal             int      `json:"optimal_plan_length"`
	Gold                []string `json:"gold_plan"`
}

var steps = []struct{ name, text string }{
	{"blocksworld", Blocksworld}, {"mystery_blocksworld", MysteryBlocksworld}, {"movie", Movie}, {"gripper", Gripper},
}

// task grounds an instance.
func task(t testing.TB, d *strips.Domain, name string, r instance) *strips.Task {
	t.Helper()
	text := Instance{Name: fmt.Sprintf("%s-%d", strings.ReplaceAll(name, "_", "-"), r.Instance), Objects: r.Objects, Init: r.Init, Goal: r.Goal}.Problem(d)
	spec, found := strips.Parse(source.NewFile("problem.pddl", text))
	if found = append(found, strips.Check(d, spec.Problem)...); len(found) > 0 {
		t.Fatalf("%s %d: %s", name, r.Instance, found[0].Message)
	}
	task, err := strips.Ground(d, spec.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func TestDomainsWithStepsHaveNoFaultsAndPrintTheSame(t *testing.T) {
	for _, c := range steps {
		spec, found := strips.Parse(source.NewFile("domain.pddl", c.text))
		if len(found) > 0 {
			t.Fatalf("%s: %s", c.name, found[0].Message)
		}
		printed := spec.Domain.String()
		if again := Steps(printed).String(); again != printed {
			t.Errorf("%s printed again is\n%s", c.name, again)
		}
	}
}

// shortest returns the minimum number of steps to the goal, breadth first; -1 above a
// number of states.
func shortest(task *strips.Task, most int) int {
	key := func(state []bool) string {
		b := make([]byte, len(state))
		for i, holds := range state {
			if holds {
				b[i] = 1
			}
		}
		return string(b)
	}
	seen := map[string]bool{key(task.Init): true}
	for level, depth := [][]bool{task.Init}, 0; len(level) > 0 && len(seen) < most; depth++ {
		var further [][]bool
		for _, state := range level {
			if task.Reached(state) {
				return depth
			}
			for i := range task.Operators {
				if next, ok := task.Next(state, &task.Operators[i]); ok && !seen[key(next)] {
					seen[key(next)] = true
					further = append(further, next)
				}
			}
		}
		level = further
	}
	return -1
}

// TestShortestPlansAreAsLongAsStored checks domains and grounding against the data by a
// search over all states; the encoding is checked by solvers, in wasm/host.
func TestShortestPlansAreAsLongAsStored(t *testing.T) {
	for _, c := range steps {
		d := Steps(c.text)
		searched := 0
		for k, r := range conformance.Records[instance](t, c.name+".jsonl") {
			if k%effort.Step(5) > 0 {
				continue
			}
			task := task(t, d, c.name, r)
			sets, ok, err := task.Landmarks(nil)
			if err != nil || !ok || len(sets) > r.Optimal {
				t.Errorf("%s %d: there are %d landmarks, and a plan of %d steps (%v, %v)", c.name, r.Instance, len(sets), r.Optimal, ok, err)
			}
			if strings.HasSuffix(c.name, "blocksworld") && k%10 > 0 {
				continue
			}
			if found := shortest(task, 20_000); found >= 0 {
				searched++
				if found != r.Optimal {
					t.Errorf("%s %d: a shortest plan has %d steps, not %d", c.name, r.Instance, found, r.Optimal)
				}
			}
		}
		if searched < 2 {
			t.Errorf("%s: only %d instances are small enough", c.name, searched)
		}
	}
}

// TestStoredPlansAreValid executes the plans of the data sets. They name the objects
// of Gripper by their kind and number.
func TestStoredPlansAreValid(t *testing.T) {
	for _, c := range steps[2:] {
		d := Steps(c.text)
		for _, r := range conformance.Records[instance](t, c.name+".jsonl") {
			task := task(t, d, c.name, r)
			names := map[string]string{}
			counts := map[string]int{}
			for _, o := range task.Problem.Objects {
				kind := o.Type
				if kind == "ball" || kind == strips.Object {
					kind = "object"
				}
				names[fmt.Sprintf("%s_%d", kind, counts[kind])] = o.Name
				counts[kind]++
			}
			var plan strips.Plan
			for _, line := range r.Gold {
				words := strings.Fields(line)
				for i, word := range words[1:] {
					words[i+1] = names[word]
				}
				plan = append(plan, strips.Step{Action: words[0], Arguments: words[1:]})
			}
			states, fault := strips.Validate(d, task.Problem, plan)
			if fault != nil || len(states) != r.Optimal+1 {
				t.Errorf("%s %d: %v", c.name, r.Instance, fault)
			}
		}
	}
}

// single are the domains without steps.
var single = []string{"coffee", "workforce", "facility", "task_allocation", "warehouse"}

// data returns a domain's data and queries.
func data(t *testing.T, name string) (*json.Node, []*json.Node) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	tree, fault := json.Tree(string(text))
	if fault != nil {
		t.Fatal(fault)
	}
	out, _ := tree.Get("data")
	queries, _ := tree.Get("queries")
	return out, queries.Items
}

func TestEveryQueryIsFormulated(t *testing.T) {
	for _, name := range single {
		formulate, ok := Formulations(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		data, queries := data(t, name)
		for i, q := range queries {
			if i%effort.Step(8) > 0 {
				continue
			}
			p, err := formulate(data, q)
			if err != nil {
				t.Fatalf("%s, query %d: %v", name, i, err)
			}
			for _, text := range []struct {
				solver solve.Solver
				text   string
				best   int // objectives
			}{{solve.Z3, p.SMTLIB(), 1}, {solve.HiGHS, p.LP(), 1}, {solve.Z3, p.Core(), 0}} {
				problem, found := solve.Check(text.solver, source.NewFile("model", text.text))
				if len(found) > 0 {
					t.Fatalf("%s, query %d: %s", name, i, found[0].Message)
				}
				if len(problem.Objectives) != text.best || len(problem.Named) != len(p.Constraints) {
					t.Errorf("%s, query %d: %d objectives, %d of %d constraints have names", name, i, len(problem.Objectives), len(problem.Named), len(p.Constraints))
				}
			}
		}
	}
}

func TestMismatchedQueryIsReported(t *testing.T) {
	for _, c := range []struct{ domain, query, want string }{
		{"coffee", `{"modification": [{"op": "paint"}]}`, `unknown change "paint" of this domain`},
		{"coffee", `{"modification": [{"op": "scale_demand", "cafe": "cafe9", "kinds": ["light"], "percent": 5}]}`, `unknown cafe "cafe9"`},
		{"coffee", `{"modification": [{"op": "scale_demand", "cafe": "cafe1", "kinds": ["green"], "percent": 5}]}`, `unknown coffee "green" (expected light or dark)`},
		{"coffee", `{"modification": [{"op": "forbid_shipping", "supplier": "supplier9", "roastery": "roastery1"}]}`, "nothing is shipped from supplier9 to roastery1"},
		{"coffee", `{"modification": [{"op": "scale_capacity", "supplier": "supplier1", "factor": "half"}]}`, `"factor" is not a number`},
		{"coffee", `{"modification": [{"op": "scale_capacity", "supplier": "supplier1", "factor": 1e3}]}`, `"1e3" is not a number of at most nine digits`},
		{"workforce", `{"modification": [{"op": "max_shifts", "worker": "Zed", "value": 3}]}`, `unknown worker "Zed"`},
		{"workforce", `{"modification": [{"op": "force_on", "worker": "Gu"}]}`, `the data has no "day"`},
		{"facility", `{"modification": [{"op": "set_open", "plant": 7, "value": 0}]}`, `unknown plant "7"`},
		{"task_allocation", `{"tasks": {"D": 3}}`, `unknown task "Task D"`},
		{"warehouse", `{"task_ids": [11]}`, `the data has no "Task 11"`},
	} {
		formulate, _ := Formulations(c.domain)
		data, _ := data(t, c.domain)
		query, fault := json.Tree(c.query)
		if fault != nil {
			t.Fatal(fault)
		}
		if _, err := formulate(data, query); err == nil || err.Error() != c.want {
			t.Errorf("%s with %s says %v", c.domain, c.query, err)
		}
	}
}

func TestNumbersAreExact(t *testing.T) {
	number := func(text string) Number {
		n, err := ParseNumber(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct{ got, want string }{
		{number("100").Times(number("1.1")).Ceil().String(), "110"},
		{number("20").Times(number("129")).Times(Number{1, 2}).String(), "25.8"},
		{number("25.8").Ceil().String(), "26"},
		{number("25.8").Floor().String(), "25"},
		{number("-0.5").Floor().String(), "-1"},
		{number("-0.5").Ceil().String(), "0"},
		{number("0.05").Plus(number("1.95")).String(), "2"},
		{number("-1.25").String(), "-1.25"},
		{number("0.050").String(), "0.05"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// TestFormulationTexts shows one program in both languages.
func TestFormulationTexts(t *testing.T) {
	data, _ := json.Tree(`{"demand": [3], "capacity": [2, 4], "fixedCosts": [10, 5.5], "transCosts": [[1], [2]]}`)
	query, _ := json.Tree(`{"modification": [{"op": "scale_fixed_cost", "plant": 1, "factor": 0.5}, {"op": "set_open", "plant": 0, "value": 0}]}`)
	p, err := Facility(data, query)
	if err != nil {
		t.Fatal(err)
	}
	smt := `; Facility: least cost of transport and open plants.
(set-option :opt.elim_01 false)

; ── Changes of the data by the query ──
; Plant 1 costs 2.75 if it is open, instead of 5.5.

; ── Decision variables; no quantity is negative ──
; Whether a plant is open.
(declare-const open.0 Bool)
(declare-const open.1 Bool)

; Thousands of units from a plant to a warehouse; they need not be whole.
(declare-const ship.0.0 Real) (assert (>= ship.0.0 0.0))
(declare-const ship.1.0 Real) (assert (>= ship.1.0 0.0))

; ── Constraints ──
; An open plant ships no more than its capacity, a closed plant nothing; the task implies the latter.
(assert (! (<= ship.0.0 (ite open.0 2.0 0.0)) :named capacity.0))
(assert (! (<= ship.1.0 (ite open.1 4.0 0.0)) :named capacity.1))

; Every warehouse receives its demand.
(assert (! (= (+ ship.0.0 ship.1.0) 3.0) :named demand.0))

; ── Constraints of the query ──
; Plant 0 is closed; if the question asks why it is not, the additional cost is the reason.
(assert (! (not open.0) :named query.open.0))

; ── Objective: minimal cost ──
(declare-const total_cost Real)
(assert (= total_cost (+
  ; the fixed cost of an open plant
  (ite open.0 10.0 0.0) (ite open.1 2.75 0.0)
  ; transport
  ship.0.0
  (* 2.0 ship.1.0)
)))
(minimize total_cost)

(check-sat)
(get-objectives)
(get-model)
`
	lp := `\ Facility: least cost of transport and open plants.
\ Changed by the query: Plant 1 costs 2.75 if it is open, instead of 5.5.
Minimize
 cost: 10 open.0 + 2.75 open.1 + 1 ship.0.0 + 2 ship.1.0
Subject To
\ An open plant ships no more than its capacity, a closed plant nothing; the task implies the latter.
 capacity.0: 1 ship.0.0 - 2 open.0 <= 0
 capacity.1: 1 ship.1.0 - 4 open.1 <= 0
\ Every warehouse receives its demand.
 demand.0: 1 ship.0.0 + 1 ship.1.0 = 3
\ Plant 0 is closed; if the question asks why it is not, the additional cost is the reason.
 query.open.0: 1 open.0 = 0
Bounds
 ship.0.0 >= 0
 ship.1.0 >= 0
Binary
 open.0
 open.1
End
`
	if p.SMTLIB() != smt || p.LP() != lp {
		t.Errorf("the texts are\n%s\n%s", p.SMTLIB(), p.LP())
	}
}
