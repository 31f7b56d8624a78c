package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// stepsWords returns the manual of the supported part of PDDL.
func stepsWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"define"}, "(define (domain name) …)", "A domain or a problem. They may share a file or have a file each.", oneDomain),
		entry([]string{"domain"}, "(define (domain rooms) …)", "The common part of a class of problems: predicates and actions.", oneDomain),
		entry([]string{"problem"}, "(define (problem evening) (:domain rooms) …)", "An initial state and a goal.", oneProblem),
		entry([]string{":requirements"}, "(:requirements :strips :typing)", "The parts of PDDL that the domain uses, for other planners. Stile ignores them.", beginsDomain+"(:requirements :strips)"+withLit),
		entry([]string{":disjunctive-preconditions"}, "(:requirements :disjunctive-preconditions)", "A condition may contain or, imply, and not of any condition.", numbersDomain),
		entry([]string{":existential-preconditions", ":universal-preconditions", ":quantified-preconditions"}, "(:requirements :quantified-preconditions)", "A condition may contain exists, forall or both.", numbersDomain),
		entry([]string{":conditional-effects"}, "(:requirements :conditional-effects)", "An effect may contain when and forall.", numbersDomain),
		entry([]string{":adl"}, "(:requirements :adl)", "All requirements without numbers: types, equality, negation, or, quantifiers and conditional effects.", numbersDomain),
		entry([]string{":numeric-fluents", ":fluents"}, "(:requirements :numeric-fluents)", "Functions have numbers, which conditions compare and effects change.", numbersDomain),
		entry([]string{":action-costs"}, "(:requirements :action-costs)", "Actions increase the function total-cost.", numbersDomain),
		entry([]string{":strips"}, "(:requirements :strips)", "Conditions are conjunctions, and effects make facts true or false.", beginsDomain+"(:requirements :strips)"+withLit),
		entry([]string{":typing"}, "(:requirements :typing)", "Objects and parameters have types.", beginsDomain+"(:requirements :typing) (:types room)"+withTypedLit),
		entry([]string{":negative-preconditions"}, "(:requirements :negative-preconditions)", "A condition may require that a fact is false.", beginsDomain+"(:requirements :negative-preconditions)"+withLit),
		entry([]string{":equality"}, "(:requirements :equality)", "A condition may compare two objects.", beginsDomain+"(:requirements :equality)"+withLit),
		entry([]string{":types"}, "(:types car bus - vehicle place)", "Types of objects with their supertypes. Every type is a subtype of object.", beginsDomain+"(:types room)"+withTypedLit),
		entry([]string{":constants"}, "(:constants hall - room)", "Objects that every problem of the domain has.", beginsDomain+"(:types room) (:constants hall - room)"+withTypedLit),
		entry([]string{":predicates"}, "(:predicates (lit ?r) (joined ?r ?s))", "Facts about objects. A predicate that no action changes is constant.", oneDomain),
		entry([]string{":functions"}, "(:functions (distance ?a ?b) (total-cost) - number)", "Numbers of objects: at most three decimals, and at most 1,000,000,000.", numbersDomain),
		entry([]string{":derived"}, "(:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))", "An axiom: the atom is true in each state in which the condition is. No action may change its predicate.", axiomDomain),
		entry([]string{":derived-predicates"}, "(:requirements :derived-predicates)", "Axioms derive predicates from others.", axiomDomain),
		entry([]string{":action"}, "(:action light :parameters (?r) :precondition … :effect …)", "An action. Each choice of objects for its parameters is a step.", oneDomain),
		entry([]string{":parameters"}, ":parameters (?r - room)", "The objects of an action. Two parameters may be the same object.", oneDomain),
		entry([]string{":precondition"}, ":precondition (and (lamp ?r) (not (lit ?r)))", "The condition that must hold before the action. Default: no condition.", oneDomain),
		entry([]string{":effect"}, ":effect (and (lit ?r) (not (dark ?r)))", "The changes that the action makes. A fact that it makes both true and false is true.", oneDomain),
		entry([]string{"and"}, "(and (lamp ?r) (lit ?r))", "Conjunction: all parts hold.", oneDomain),
		entry([]string{"not"}, "(not (lit ?r))", "Negation. As an effect, the fact becomes false.", oneDomain),
		entry([]string{"or"}, "(or (lit ?r) (open ?r))", "Disjunction: a part holds.", numbersDomain),
		entry([]string{"imply"}, "(imply (open ?r) (lit ?r))", "Implication: the second condition holds if the first does.", numbersDomain),
		entry([]string{"forall"}, "(forall (?r - room) (lit ?r))", "The condition holds, or the effect occurs, for all objects of the type.", numbersDomain),
		entry([]string{"exists"}, "(exists (?r - room) (lit ?r))", "The condition holds for an object of the type.", numbersDomain),
		entry([]string{"when"}, "(when (open ?r) (not (lit ?r)))", "A conditional effect: it occurs if the condition holds before the action.", numbersDomain),
		entry([]string{"either"}, "?x - (either room lamp)", "A union of types.", numbersDomain),
		entry([]string{"increase", "decrease"}, "(increase (total-cost) (distance ?a ?b))", "The action adds to a function, or subtracts from it.", numbersDomain),
		entry([]string{"assign"}, "(assign (fuel) 10)", "The action sets a function.", numbersDomain),
		entry([]string{"scale-up", "scale-down"}, "(scale-up (fuel) 2)", "The action multiplies or divides a function.", numbersDomain),
		entry([]string{":domain"}, "(:domain rooms)", "The domain of a problem.", oneProblem),
		entry([]string{":objects"}, "(:objects hall porch - room)", "The objects of a problem.", oneProblem),
		entry([]string{":init"}, "(:init (lamp hall) (lit porch))", "The facts of the initial state. All other facts are false.", oneProblem),
		entry([]string{":goal"}, "(:goal (and (lit hall) (not (lit porch))))", "The condition that must hold at the end. The search returns a shortest plan, or a cheapest one with a metric.", oneProblem),
		entry([]string{":length", ":serial", ":parallel"}, "(:length (:serial 8) (:parallel 5))", "The number of steps of a known plan, for planners that need it. Stile ignores it.", oneProblem),
		entry([]string{":metric"}, "(:metric minimize (total-cost))", "The cost of a plan: a sum of functions with constant factors. Of the cheapest plans, the search returns a shortest one.", numbersDomain),
		entry([]string{"minimize", "maximize"}, "(:metric minimize (total-cost))", "The direction of a metric.", numbersDomain),
	}
}

const (
	// A domain with one section and one predicate.
	beginsDomain = "(define (domain rooms)\n  "
	withLit      = "\n  (:predicates (lit ?r)))\n"
	withTypedLit = "\n  (:predicates (lit ?r - room)))\n"

	numbersDomain = `(define (domain rooms)
  (:requirements :adl :numeric-fluents :action-costs)
  (:types room lamp)
  (:predicates (lit ?r - room) (open ?r - room) (broken ?x - (either room lamp)))
  (:functions (oil) (width ?r - room) (total-cost) - number)
  (:action light
    :parameters (?r - room)
    :precondition (and (>= (oil) 1) (or (open ?r) (exists (?s - room) (lit ?s))) (imply (broken ?r) (lit ?r)))
    :effect (and (lit ?r) (decrease (oil) 1) (increase (total-cost) (width ?r))
      (forall (?s - room) (when (open ?s) (not (lit ?s))))))
  (:action fill :effect (and (assign (oil) 4) (scale-up (oil) 2))))

(define (problem evening)
  (:domain rooms)
  (:objects hall porch - room)
  (:init (open hall) (= (oil) 1) (= (width hall) 3) (= (width porch) 2.5))
  (:goal (forall (?r - room) (imply (open ?r) (lit ?r))))
  (:metric minimize (total-cost)))
`
	axiomDomain = `(define (domain rooms)
  (:requirements :disjunctive-preconditions :existential-preconditions :derived-predicates)
  (:predicates (door ?r ?s) (way ?r ?s))
  (:derived (way ?r ?s) (or (door ?r ?s) (exists (?t) (and (door ?r ?t) (way ?t ?s)))))
  (:action open :parameters (?r ?s) :effect (door ?r ?s)))
`
	oneDomain = `(define (domain rooms)
  (:predicates (lamp ?r) (lit ?r))
  (:action light
    :parameters (?r)
    :precondition (and (lamp ?r) (not (lit ?r)))
    :effect (lit ?r)))
`
	oneProblem = oneDomain + `
(define (problem evening)
  (:domain rooms)
  (:objects hall porch)
  (:init (lamp hall) (lamp porch))
  (:goal (and (lit hall) (lit porch))))
`
)
