package strips_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// A plan is executed step by step, up to its first fault.
func ExampleValidate() {
	file := source.NewFile("lamps.pddl", `
(define (domain lamps)
  (:predicates (at ?r) (lit ?r))
  (:action walk :parameters (?from ?to) :precondition (at ?from) :effect (and (at ?to) (not (at ?from))))
  (:action light :parameters (?r) :precondition (at ?r) :effect (lit ?r)))
(define (problem evening) (:domain lamps)
  (:objects hall attic) (:init (at hall)) (:goal (lit attic)))`)
	opened, found := strips.Open(file, nil)
	if source.HasErrors(found) {
		fmt.Println(found)
	}
	for _, text := range []string{"(walk hall attic)\n(light attic)", "(light attic)"} {
		plan, _ := strips.ParsePlan(source.NewFile("plan", text))
		if _, fault := strips.Validate(opened.Domain, opened.Problem, plan); fault != nil {
			fmt.Println(fault.Code, fault.Message)
		} else {
			fmt.Println("the plan reaches the goal")
		}
	}
	// Output:
	// the plan reaches the goal
	// strips.plan-precondition step 1, (light attic): (at attic) does not hold since the initial state
}
