package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// delivery has a cheap way of three steps and an expensive one of two; the van loses its
// crates, and the fuel is limited.
const delivery = `(define (domain delivery)
  (:requirements :adl :numeric-fluents :action-costs)
  (:types place crate)
  (:predicates (van ?p - place) (at ?c - crate ?p - place) (in ?c - crate) (road ?p ?q - place))
  (:functions (length ?p ?q - place) (fuel) (total-cost) - number)
  (:action drive
    :parameters (?p ?q - place)
    :precondition (and (van ?p) (or (road ?p ?q) (road ?q ?p)) (>= (fuel) 1))
    :effect (and (van ?q) (not (van ?p)) (decrease (fuel) 1) (increase (total-cost) (length ?p ?q))
      (forall (?c - crate) (when (in ?c) (and (at ?c ?q) (not (at ?c ?p)))))))
  (:action load
    :parameters (?c - crate ?p - place)
    :precondition (and (at ?c ?p) (van ?p) (not (exists (?d - crate) (in ?d))))
    :effect (and (in ?c) (increase (total-cost) 1.5))))
(define (problem town)
  (:domain delivery)
  (:objects shop mall home - place box - crate)
  (:init (van shop) (at box shop) (road shop mall) (road mall home) (road shop home) (= (fuel) 3)
    (= (length shop mall) 2) (= (length mall home) 3) (= (length shop home) 8))
  (:goal (forall (?c - crate) (at ?c home)))
  (:metric minimize (total-cost)))
`

func TestCheapestPlansNeedNoSolver(t *testing.T) {
	noSolver := func(solve.Query) string {
		t.Error("the solver is asked")
		return "unknown"
	}
	for _, c := range []struct {
		name          string
		files         []File
		settings      StepsSettings
		old, new      string
		status, plan  string
		message       string
		cost          float64
		optimal, none bool
	}{
		{name: "cheapest", status: formulate.StatusSolved, plan: "(load box shop) (drive shop mall) (drive mall home)", cost: 6.5, optimal: true},
		{name: "of two steps", settings: StepsSettings{Most: 2}, status: formulate.StatusSolved, plan: "(load box shop) (drive shop home)", cost: 9.5, optimal: true},
		{name: "of one step", settings: StepsSettings{Most: 1}, status: formulate.StatusInfeasible, message: "no plan has at most 1 step", none: true},
		{name: "with less fuel", old: "(fuel) 3", new: "(fuel) 1", status: formulate.StatusSolved, plan: "(load box shop) (drive shop home)", cost: 9.5, optimal: true},
		{name: "without fuel", old: "(fuel) 3", new: "(fuel) 0.5", status: formulate.StatusInfeasible, message: "the goal is unreachable", none: true},
		{name: "without a plan", old: "(increase (total-cost) 1.5)", new: "(assign (fuel) 0)", status: formulate.StatusInfeasible, message: "no plan exists; the search reached all 5 states", none: true},
		{name: "shortest", old: "(:metric minimize (total-cost))", status: formulate.StatusSolved, plan: "(load box shop) (drive shop home)", cost: 9.5, optimal: true},
		{name: "with a formula", files: []File{{Name: "p.ltl", Text: "G !\"van mall\"\n"}}, status: formulate.StatusSolved, plan: "(load box shop) (drive shop home)", cost: 9.5, optimal: true},
		{name: "with a formula that excludes plans", files: []File{{Name: "p.ltl", Text: "empty: G !load\n"}}, status: formulate.StatusInfeasible, none: true,
			message: "with empty, no plan exists; without, there is one of 3 steps, and it violates empty: (load box shop) (drive shop mall) (drive mall home)"},
		{name: "with an action that is not counted", old: "(= (length shop home) 8)", status: formulate.StatusSolved, plan: "(load box shop) (drive shop mall) (drive mall home)", cost: 6.5, optimal: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := append([]File{{Name: "town.pddl", Text: strings.Replace(delivery, c.old, c.new, 1)}}, c.files...)
			_, out := stepsRunOf(t, files, "town.pddl", c.settings, noSolver)
			if out.Status != c.status || strings.Join(out.Steps.Plan, " ") != c.plan || out.Message != c.message || out.Steps.Optimal != c.optimal {
				t.Errorf("it ends with %s, %v, %q, optimal %v", out.Status, out.Steps.Plan, out.Message, out.Steps.Optimal)
			}
			switch {
			case c.none && out.Steps.Cost != nil, !c.none && (out.Steps.Cost == nil || *out.Steps.Cost != c.cost):
				t.Errorf("the cost is %v", out.Steps.Cost)
			case out.Steps.Cheapest != (c.name != "shortest"):
				t.Error("the plan is cheapest:", out.Steps.Cheapest)
			case !c.none && len(out.Steps.States) != len(out.Steps.Plan)+1:
				t.Errorf("there are %d states", len(out.Steps.States))
			}
			for _, check := range out.Checks {
				if !check.Holds {
					t.Errorf("%+v", check)
				}
			}
		})
	}
}

func TestPlansWithNumbersAreValidated(t *testing.T) {
	s := New()
	for plan, want := range map[string]string{
		"load box shop\ndrive shop home": "",
		"drive shop home":                "unreached goal: (forall (?c - crate) (at ?c home)) does not hold",
		"drive shop shop":                "step 1, (drive shop shop): (or (road shop shop) (road shop shop)) does not hold",
		"drive shop mall\ndrive mall shop\ndrive shop mall\ndrive mall shop": "step 2, (drive mall shop): increase of (total-cost) is an undefined number",
	} {
		got := result[StepsValidateResult](t, s, "steps.validate", StepsValidateParams{Files: []File{{Name: "town.pddl", Text: delivery}}, Name: "town.pddl", Plan: plan})
		message := ""
		if got.Fault != nil {
			message = got.Fault.Message
		}
		if want == "" && (got.Cost == nil || *got.Cost != 9.5) {
			t.Errorf("%s: the cost is %v", plan, got.Cost)
		}
		if message != want {
			t.Errorf("%s: %q, want %q", plan, message, want)
		}
	}
}

func TestExtendedProblemsHaveSolverTexts(t *testing.T) {
	s := New()
	got := result[StepsEncodeResult](t, s, "steps.encode", StepsEncodeParams{Files: []File{{Name: "town.pddl", Text: delivery}}, Name: "town.pddl", Steps: -1})
	if _, found := solve.Check(solve.Z3, source.NewFile("text.smt2", got.Text)); len(found) > 0 || !strings.Contains(got.Text, "(minimize metric/sum@2)") {
		t.Errorf("%v\n%s", found, got.Text)
	}
	if !got.Reachable || got.Least != 2 || !strings.Contains(got.Problem, "(:metric minimize (total-cost))") {
		t.Errorf("%+v", got)
	}
}
