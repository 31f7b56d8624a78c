package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/solve"
)

// logistics has five packages, two trucks and a plane. Its shortest plan has 29 steps.
const logistics = `(define (domain logistics)
  (:requirements :strips :typing)
  (:types package truck plane place city - object airport - place)
  (:predicates (at ?x - object ?p - place) (in ?x - package ?v - object) (within ?p - place ?c - city))
  (:action load :parameters (?x - package ?v - (either truck plane) ?p - place) :precondition (and (at ?x ?p) (at ?v ?p)) :effect (and (in ?x ?v) (not (at ?x ?p))))
  (:action unload :parameters (?x - package ?v - (either truck plane) ?p - place) :precondition (and (in ?x ?v) (at ?v ?p)) :effect (and (at ?x ?p) (not (in ?x ?v))))
  (:action drive :parameters (?v - truck ?a ?b - place ?c - city) :precondition (and (at ?v ?a) (within ?a ?c) (within ?b ?c)) :effect (and (at ?v ?b) (not (at ?v ?a))))
  (:action fly :parameters (?v - plane ?a ?b - airport) :precondition (at ?v ?a) :effect (and (at ?v ?b) (not (at ?v ?a)))))
(define (problem parcels)
  (:domain logistics)
  (:objects p0 p1 p2 p3 p4 - package ta tb - truck f - plane a1 b1 - airport a2 b2 - place ca cb - city)
  (:init (within a1 ca) (within a2 ca) (within b1 cb) (within b2 cb) (at ta a1) (at tb b1) (at f a1)
    (at p0 a2) (at p1 b2) (at p2 a1) (at p3 b2) (at p4 a2))
  (:goal (and (at p0 b2) (at p1 a2) (at p2 b2) (at p3 a1) (at p4 a1))))
`

// A search by states needs no solver, and its plans are as short as those of the solver's search:
// the known optimum of logistics, and that of the lamps.
func TestSearchByStates(t *testing.T) {
	noSolver := func(solve.Query) string {
		t.Error("the solver is asked")
		return "unknown"
	}
	parcels := []File{{Name: "evening.pddl", Text: logistics}}
	for _, c := range []struct {
		files    []File
		settings StepsSettings
		status   string
		steps    int
	}{
		{parcels, StepsSettings{}, formulate.StatusSolved, 29},
		{parcels, StepsSettings{Limits: solve.Limits{Milliseconds: 1}}, formulate.StatusUnknown, 0},
		{lampFiles(), StepsSettings{}, formulate.StatusSolved, 2},
		{lampFiles(), StepsSettings{Most: 1}, formulate.StatusInfeasible, 0},
		{lampFiles(File{Name: "p.ltl", Text: "F fuse\n"}), StepsSettings{}, formulate.StatusSolved, 3},
	} {
		c.settings.Search = searchStates
		_, out := stepsRunOf(t, c.files, "evening.pddl", c.settings, noSolver)
		if out.Status != c.status || len(out.Steps.Plan) != c.steps || c.steps > 0 && !out.Steps.Optimal {
			t.Errorf("%+v: %s (%s) with %d steps, optimal: %v", c.settings, out.Status, out.Message, len(out.Steps.Plan), out.Steps.Optimal)
		}
	}
	for want, settings := range map[string]StepsSettings{"unknown search": {Search: "depth"}, "no minimum of steps": {Search: searchStates, From: 2}} {
		if err := settings.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
