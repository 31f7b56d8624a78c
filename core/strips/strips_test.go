package strips

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func grounded(t testing.TB, texts ...string) *Task {
	t.Helper()
	spec := parsed(t, texts...)
	task, err := Ground(spec.Domain, spec.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func encoded(t testing.TB, task *Task) *Encoding {
	t.Helper()
	e, err := task.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// shortest is the oracle: a breadth-first search over all states. It returns nil if no
// plan exists.
func shortest(t *Task) Plan {
	type node struct {
		state []bool
		plan  Plan
	}
	seen := map[string]bool{}
	queue := []node{{state: t.Init, plan: Plan{}}}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if t.Reached(n.state) {
			return n.plan
		}
		for i := range t.Operators {
			next, ok := t.Next(n.state, &t.Operators[i])
			if key := fmt.Sprint(next); ok && !seen[key] {
				seen[key] = true
				queue = append(queue, node{next, append(append(Plan{}, n.plan...), t.Operators[i].Step)})
			}
		}
	}
	return nil
}

func TestGroundingKeepsReachableOperators(t *testing.T) {
	task := grounded(t, ferry, crossing)
	var names []string
	for _, o := range task.Operators {
		names = append(names, o.String())
	}
	// No ferry sails to the place where it is, and nothing boards at an unknown place.
	want := "(sail quay island) (sail island quay) (board red quay) (board red island) (board blue quay) (board blue island) (leave red quay) (leave red island) (leave blue quay) (leave blue island) (wait)"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the operators are %s", got)
	}
	// Facts are ordered by predicate, then by object; constants precede objects.
	names = nil
	for _, f := range task.Facts {
		names = append(names, f.String())
	}
	want = "(at red quay) (at red island) (at blue quay) (at blue island) (ferry-at quay) (ferry-at island) (aboard red) (aboard blue) (full)"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the facts are %s", got)
	}
	if plan := shortest(task); len(plan) != 8 {
		t.Errorf("the shortest plan is\n%s", plan)
	}
}

func TestStaticConditionPrunes(t *testing.T) {
	task := grounded(t, "(define (domain d) (:predicates (road ?x ?y) (at ?x)) (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))",
		"(define (problem p) (:domain d) (:objects a b c d) (:init (at a) (road a b) (road b c) (road d a)) (:goal (at c)))")
	if len(task.Operators) != 2 || len(task.Facts) != 3 {
		t.Errorf("there are %d operators and the facts %v", len(task.Operators), task.Facts)
	}
}

func TestUnreachableGoalNeedsNoSolver(t *testing.T) {
	domain := "(define (domain d) (:predicates (p) (q) (r)) (:action a :precondition (q) :effect (r)))"
	for _, goal := range []string{"(r)", "(not (p))", "(and (p) (q))"} {
		e := encoded(t, grounded(t, domain, "(define (problem x) (:domain d) (:init (p)) (:goal "+goal+"))"))
		if _, ok := e.Least(); ok {
			t.Errorf("%s may be reached", goal)
		}
		plan, answer, err := Search(e, 5, func(string) (string, error) { t.Error("a solver was asked"); return "", nil }, nil)
		if plan != nil || answer != AnswerUnsat || err != nil {
			t.Errorf("the search says %v, %v, %v", plan, answer, err)
		}
	}
}

func TestGoalOfEqualityNeedsNoSolver(t *testing.T) {
	domain := "(define (domain d) (:predicates (p)) (:action a :effect (p)))"
	for goal, reached := range map[string]bool{"(= u u)": true, "(= u v)": false, "(not (= u u))": false, "(not (= u v))": true} {
		task := grounded(t, domain, "(define (problem x) (:domain d) (:objects u v) (:goal "+goal+"))")
		_, ok := encoded(t, task).Least()
		_, fault := Validate(task.Domain, task.Problem, nil)
		if ok != reached || task.Reached(task.Init) != reached || (fault == nil) != reached {
			t.Errorf("%s: a plan may be there: %v; the initial state has it: %v; the empty plan: %+v", goal, ok, task.Reached(task.Init), fault)
		}
	}
}

func TestTooManyGroundActionsExceedTheLimit(t *testing.T) {
	var objects strings.Builder
	for i := range 200 {
		fmt.Fprintf(&objects, " o%d", i)
	}
	spec := parsed(t, "(define (domain d) (:predicates (p ?x ?y ?z)) (:action a :parameters (?x ?y ?z) :effect (p ?x ?y ?z)))",
		"(define (problem x) (:domain d) (:objects"+objects.String()+") (:goal (p o1 o2 o3)))")
	_, err := Ground(spec.Domain, spec.Problem, nil)
	if coded, ok := err.(*source.Error); !ok || coded.Code() != "limit.operators" {
		t.Errorf("the error is %v", err)
	}
	if _, err := Ground(spec.Domain, spec.Problem, meter.New(meter.Budget{Steps: 100})); err == nil {
		t.Error("a meter does not bound grounding")
	}
}

func TestValidatorNamesTheFirstInvalidStep(t *testing.T) {
	spec := parsed(t, ferry, crossing)
	good := "(sail island quay) (board red quay) (sail quay island) (leave red island) (sail island quay) (board blue quay) (sail quay island) (leave blue island)"
	for _, c := range []struct {
		name, plan, code, literal, message string
		step, since, states                int
	}{
		{"a plan", good, "", "", "", 0, 0, 9},
		{"a precondition in the initial state", "(board red quay)", FaultPrecondition, "(ferry-at quay)", "step 1, (board red quay): (ferry-at quay) does not hold since the initial state", 1, 0, 1},
		{"a precondition undone on the way", "(sail island quay) (sail quay island) (board red quay)", FaultPrecondition, "(ferry-at quay)", "step 3, (board red quay): (ferry-at quay) does not hold since step 2", 3, 2, 3},
		{"a negative precondition", "(sail island quay) (board red quay) (board blue quay)", FaultPrecondition, "(not (full))", "step 3, (board blue quay): (full) holds since step 2, and must not", 3, 2, 3},
		{"equality", "(sail island island)", FaultPrecondition, "(not (= island island))", "step 1, (sail island island): (= island island) holds, and must not", 1, 0, 1},
		{"an unknown action", "(wait) (boards red quay)", FaultAction, "", `step 2, (boards red quay): unknown action; did you mean "board"?`, 2, 0, 2},
		{"too few objects", "(sail quay)", FaultArguments, "", "step 1, (sail quay): sail has 2 objects, not 1", 1, 0, 1},
		{"an unknown object", "(sail island key)", FaultArguments, "", `step 1, (sail island key): unknown object "key"`, 1, 0, 1},
		{"an object of the wrong type", "(sail red quay)", FaultArguments, "", "step 1, (sail red quay): red is of type car, but ?from of sail is of type place", 1, 0, 1},
		{"a goal that is missed", "(wait)", FaultGoal, "(at red island)", "unreached goal: (at red island) does not hold since the initial state", 2, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, found := ParsePlan(source.NewFile("plan", c.plan))
			if len(found) > 0 {
				t.Fatal(found)
			}
			states, fault := Validate(spec.Domain, spec.Problem, plan)
			if len(states) != c.states {
				t.Errorf("there are %d states", len(states))
			}
			if fault == nil {
				fault = &Fault{}
			}
			literal := ""
			if fault.Literal.Predicate != "" {
				literal = fault.Literal.String()
			}
			if fault.Code != c.code || literal != c.literal || fault.Step != c.step || fault.Since != c.since || fault.Message != c.message {
				t.Errorf("the fault is %+v", fault)
			}
		})
	}
}

func TestStatesListTheirChanges(t *testing.T) {
	spec := parsed(t, ferry, crossing)
	plan, _ := ParsePlan(source.NewFile("plan", "(sail island quay) (board red quay)"))
	states, _ := Validate(spec.Domain, spec.Problem, plan)
	if got := fmt.Sprint(states[2].Gains, states[2].Loses, states[2].Facts); got != "[(aboard red) (full)] [(at red quay)] [(aboard red) (at blue quay) (ferry-at quay) (full)]" {
		t.Errorf("the last state is %s", got)
	}
}

func TestMalformedStepsAreReported(t *testing.T) {
	_, found := ParsePlan(source.NewFile("plan", "(sail a b)\nsail a b\n()"))
	if len(found) != 4 || found[0].Code != "strips.step" {
		t.Errorf("found %v", found)
	}
}

// random returns a task over a few propositions, with negative conditions.
func random(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	literals := func(n int) string {
		var b strings.Builder
		b.WriteString("(and")
		for range r.IntN(n + 1) {
			atom := fmt.Sprintf("(p%d)", r.IntN(5))
			if r.IntN(3) == 0 {
				atom = "(not " + atom + ")"
			}
			b.WriteString(" " + atom)
		}
		return b.String() + ")"
	}
	var b strings.Builder
	b.WriteString("(define (domain d) (:predicates (p0) (p1) (p2) (p3) (p4))")
	for i := range 1 + r.IntN(5) {
		fmt.Fprintf(&b, " (:action a%d :precondition %s :effect %s)", i, literals(3), literals(3))
	}
	fmt.Fprintf(&b, ") (define (problem x) (:domain d) (:init (p%d)) (:goal %s))", r.IntN(5), literals(4))
	return b.String()
}

func TestBoundsAndGroundingAgreeWithExhaustiveSearch(t *testing.T) {
	solvable := 0
	for seed := range uint64(3000) {
		task := grounded(t, random(seed))
		plan := shortest(task)
		least, ok := encoded(t, task).Least()
		switch {
		case plan != nil && (!ok || least > len(plan)):
			t.Fatalf("%s\nhas a plan of %d steps, and the bound is %d, %v", random(seed), len(plan), least, ok)
		case plan == nil:
			continue
		}
		solvable++
		if _, fault := Validate(task.Domain, task.Problem, plan); fault != nil {
			t.Fatalf("%s\nhas the plan\n%swhich fails: %s", random(seed), plan, fault.Message)
		}
	}
	if solvable < 500 {
		t.Errorf("only %d of the tasks have a plan", solvable)
	}
}

func TestSearchStartsAtTheLowerBound(t *testing.T) {
	e := encoded(t, grounded(t, ferry, crossing))
	least, _ := e.Least()
	var asked []string
	answers := map[string]string{"5": "unsat", "6": "unsat", "7": "unsat", "8": "sat\n((do/wait@1 true))"}
	_, _, err := Search(e, 20, func(text string) (string, error) {
		first, _, _ := strings.Cut(text, "\n")
		steps := strings.Fields(first)[6]
		asked = append(asked, steps)
		return answers[steps], nil
	}, nil)
	if got := strings.Join(asked, " "); least != 5 || got != "5 6 7 8" {
		t.Errorf("from %d on it asked for %s", least, got)
	}
	if err == nil || err.Error() != "the solver's model has no single action for step 2" {
		t.Errorf("the error is %v", err)
	}
}

func TestSearchStopsAtTheMaximum(t *testing.T) {
	e := encoded(t, grounded(t, "(define (domain d) (:predicates (p)) (:action a :effect (p)))", "(define (problem x) (:domain d) (:goal (p)))"))
	for most, want := range map[int]struct {
		plan   string
		answer Answer
	}{0: {"", AnswerUnsat}, 1: {"(a)\n", AnswerSat}, 2: {"(a)\n", AnswerSat}} {
		plan, answer, err := Search(e, most, func(string) (string, error) { return "sat\n((do/a@1 true))", nil }, nil)
		if plan.String() != want.plan || answer != want.answer || err != nil {
			t.Errorf("up to %d: %s, %q, %v", most, answer, plan, err)
		}
	}
}

func TestEncodingRejectsTooManySteps(t *testing.T) {
	e := encoded(t, grounded(t, "(define (domain d) (:predicates (p)) (:action a :effect (p)))", "(define (problem x) (:domain d) (:goal (p)))"))
	for horizon, ok := range map[int]bool{-1: false, 0: true, MaxHorizon: true, MaxHorizon + 1: false} {
		text, err := e.Text(horizon, nil)
		coded, limited := err.(*source.Error)
		if ok != (err == nil) || ok != (text != "") || !ok && (!limited || coded.Code() != "limit.horizon") {
			t.Errorf("of %d steps: %d bytes, %v", horizon, len(text), err)
		}
	}
}

func TestSolverAnswersAreRead(t *testing.T) {
	e := encoded(t, grounded(t, "(define (domain d) (:predicates (p)) (:action a :effect (p)))", "(define (problem x) (:domain d) (:goal (p)))"))
	for _, c := range []struct {
		text   string
		answer Answer
		plan   string
		err    string
	}{
		{"sat\n(\n  (define-fun do/a@1 () Bool\n    true)\n  (define-fun p@0 () Bool\n    false)\n)\n", AnswerSat, "(a)\n", ""},
		{"sat\n((do/a@1 true) (p@1 true))", AnswerSat, "(a)\n", ""},
		{"unsat\n(error \"line 9 column 10: model is not available\")\n", AnswerUnsat, "", ""},
		{"unknown\n", AnswerUnknown, "", ""},
		{"(error \"line 1\")\nsat\n", "", "", `expected sat or unsat from the solver, got (error "line 1")`},
		{"", "", "", "the solver's answer is empty"},
	} {
		answer, plan, err := e.Read(1, c.text)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if answer != c.answer || plan.String() != c.plan || message != c.err {
			t.Errorf("%q is read as %s, %q, %s", c.text, answer, plan, message)
		}
	}
}

func TestFormulasReferToTheTask(t *testing.T) {
	e := encoded(t, grounded(t, ferry, crossing))
	for formula, want := range map[string]string{
		`G !"board red quay"`:            "",
		`F "(ferry-at quay)"`:            "",
		`G(board -> full)`:               "",
		`F bord`:                         `unknown predicate or action "bord" in the formula; did you mean "board"?`,
		`F "board red"`:                  `"board red" in the formula takes 2 arguments, got 1`,
		`F at`:                           `"at" in the formula takes 2 arguments, got 0`,
		`F "at green quay"`:              `unknown object "green" in "at green quay" of the formula`,
		`F "aboard red" & G !"full"`:     "",
		`G("sail quay island" -> !full)`: "",
	} {
		err := e.Restrict(formulaOf(t, formula), nil)
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("of %s it says %s", formula, got)
		}
	}
	if err := e.Restrict(formulaOf(t, "F full & G !full"), nil); err != nil {
		t.Fatal(err)
	}
	if _, ok := e.Least(); ok {
		t.Error("a formula that nothing satisfies leaves plans")
	}
}

// A proposition that is an action's name matches any objects; one with objects matches only
// those. No action led to the initial state.
func TestTraceDistinguishesActionsFromTheirInstances(t *testing.T) {
	spec := parsed(t, ferry, crossing)
	plan, _ := ParsePlan(source.NewFile("plan", "(sail island quay) (board red quay) (wait)"))
	states, fault := Validate(spec.Domain, spec.Problem, plan)
	if fault == nil || fault.Code != FaultGoal {
		t.Fatal(fault)
	}
	f := formulaOf(t, `F (board & "board red quay" & "(board blue quay)" & sail & wait & full & "at red quay")`)
	trace, err := Trace(spec.Domain, spec.Problem, f, plan, states)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"board": "0010", "board red quay": "0010", "(board blue quay)": "0000", "sail": "0100", "wait": "0001", "full": "0011", "at red quay": "1100",
	} {
		var got strings.Builder
		for _, holds := range trace {
			got.WriteByte("01"[map[bool]int{true: 1}[holds[name]]])
		}
		if got.String() != want {
			t.Errorf("%s holds in %s, want %s", name, got.String(), want)
		}
	}
}

// Facts that are both true in some reachable state do not exclude each other; a ferry is at
// one place only.
func TestExclusiveFactsAreFound(t *testing.T) {
	task := grounded(t, ferry, crossing)
	both, err := task.together(nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	space, _ := task.Explore(1_000, nil)
	for _, s := range space.States {
		for f := range task.Facts {
			for g := range task.Facts {
				if s.Holds[f] && s.Holds[g] {
					seen[task.Facts[f].String()+task.Facts[g].String()] = true
				}
			}
		}
	}
	for f, a := range task.Facts {
		for g, b := range task.Facts {
			// Pairs that only a negative condition excludes are not found.
			may := seen[a.String()+b.String()] || a.Predicate == "aboard" && b.Predicate == "aboard"
			if both[f][g] != may {
				t.Errorf("%s beside %s: %v", a, b, both[f][g])
			}
		}
	}
	text, err := encoded(t, task).Text(1, nil)
	if err != nil || !strings.Contains(text, "(assert (or (not ferry-at.quay@1) (not ferry-at.island@1)))") {
		t.Errorf("the ferry may be at two places (%v)", err)
	}
}

func formulaOf(t testing.TB, text string) *ltl.Formula {
	t.Helper()
	named, found := ltl.Parse(source.NewFile("x.ltl", text))
	if len(found) > 0 {
		t.Fatal(found[0].Message)
	}
	return named[0].Formula
}

func TestEncodings(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		e := encoded(t, grounded(t, in["in.domain.pddl"], in["in.problem.pddl"]))
		if formula, ok := in["in.formula.ltl"]; ok {
			if err := e.Restrict(formulaOf(t, formula), nil); err != nil {
				t.Fatal(err)
			}
		}
		text, err := e.Text(len(strings.Fields(in["in.steps"])), nil)
		if err != nil {
			t.Fatal(err)
		}
		return []golden.File{{Name: "text.smt2", Text: text}}
	})
}
