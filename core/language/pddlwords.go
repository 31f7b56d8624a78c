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
		entry([]string{":strips"}, "(:requirements :strips)", "Conditions are conjunctions, and effects make facts true or false.", beginsDomain+"(:requirements :strips)"+withLit),
		entry([]string{":typing"}, "(:requirements :typing)", "Objects and parameters have types.", beginsDomain+"(:requirements :typing) (:types room)"+withTypedLit),
		entry([]string{":negative-preconditions"}, "(:requirements :negative-preconditions)", "A condition may require that a fact is false.", beginsDomain+"(:requirements :negative-preconditions)"+withLit),
		entry([]string{":equality"}, "(:requirements :equality)", "A condition may compare two objects.", beginsDomain+"(:requirements :equality)"+withLit),
		entry([]string{":types"}, "(:types car bus - vehicle place)", "Types of objects with their supertypes. Every type is a subtype of object.", beginsDomain+"(:types room)"+withTypedLit),
		entry([]string{":constants"}, "(:constants hall - room)", "Objects that every problem of the domain has.", beginsDomain+"(:types room) (:constants hall - room)"+withTypedLit),
		entry([]string{":predicates"}, "(:predicates (lit ?r) (joined ?r ?s))", "Facts about objects. A predicate that no action changes is constant.", oneDomain),
		entry([]string{":action"}, "(:action light :parameters (?r) :precondition … :effect …)", "An action. Each choice of objects for its parameters is a step.", oneDomain),
		entry([]string{":parameters"}, ":parameters (?r - room)", "The objects of an action. Two parameters may be the same object.", oneDomain),
		entry([]string{":precondition"}, ":precondition (and (lamp ?r) (not (lit ?r)))", "The condition that must hold before the action. Default: no condition.", oneDomain),
		entry([]string{":effect"}, ":effect (and (lit ?r) (not (dark ?r)))", "The changes that the action makes. A fact that it makes both true and false is true.", oneDomain),
		entry([]string{"and"}, "(and (lamp ?r) (lit ?r))", "Conjunction: all parts hold.", oneDomain),
		entry([]string{"not"}, "(not (lit ?r))", "Negation. As an effect, the fact becomes false.", oneDomain),
		entry([]string{":domain"}, "(:domain rooms)", "The domain of a problem.", oneProblem),
		entry([]string{":objects"}, "(:objects hall porch - room)", "The objects of a problem.", oneProblem),
		entry([]string{":init"}, "(:init (lamp hall) (lit porch))", "The facts of the initial state. All other facts are false.", oneProblem),
		entry([]string{":goal"}, "(:goal (and (lit hall) (not (lit porch))))", "The condition that must hold at the end. The search returns a shortest plan.", oneProblem),
	}
}

const (
	// A domain with one section and one predicate.
	beginsDomain = "(define (domain rooms)\n  "
	withLit      = "\n  (:predicates (lit ?r)))\n"
	withTypedLit = "\n  (:predicates (lit ?r - room)))\n"

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
