package strips

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// faulty is a text with a fault between ⟦ and ⟧.
type faulty struct{ name, code, text string }

// inAction places the parts of an action into a domain with types, functions and a problem.
func inAction(parts string) string {
	return `(define (domain d) (:requirements :adl :numeric-fluents :action-costs)
  (:types truck plane - vehicle place)
  (:constants hub - place)
  (:predicates (at ?v - vehicle ?p - place) (open ?p - place) (rain))
  (:functions (fuel ?v - vehicle) (distance ?p ?q - place) (total-cost) - number)
  (:action go ` + parts + `))
(define (problem x) (:domain d) (:objects t - truck p - place) (:init) (:goal (rain)) (:metric minimize (total-cost)))`
}

// inProblem places sections into a problem.
func inProblem(sections string) string {
	return `(define (domain d) (:requirements :adl :numeric-fluents :action-costs)
  (:types truck plane - vehicle place)
  (:constants hub - place)
  (:predicates (at ?v - vehicle ?p - place) (open ?p - place) (rain))
  (:functions (fuel ?v - vehicle) (toll ?p - place) (total-cost))
  (:action go :parameters (?v - vehicle ?p - place) :precondition (open ?p) :effect (and (at ?v ?p) (decrease (fuel ?v) 1) (increase (total-cost) (toll ?p)))))
(define (problem x) (:domain d) (:objects t - truck p - place) ` + sections + `)`
}

// inDerived places axioms into a domain, and sections into its problem.
func inDerived(axioms, sections string) string {
	if sections == "" {
		sections = "(:goal (free))"
	}
	return `(define (domain d) (:requirements :adl :derived-predicates)
  (:types block table)
  (:constants a - block)
  (:predicates (on ?x ?y - block) (above ?x ?y - block) (over ?x - block) (free))
  ` + axioms + `)
(define (problem x) (:domain d) (:objects b - block) ` + sections + `)`
}

func faults() []faulty {
	return []faulty{
		// Names.
		{"unknown predicate in or", "strips.predicate", inAction(":effect (rain) :precondition (or (rain) (⟦snow⟧))")},
		{"unknown predicate in a quantifier", "strips.predicate", inAction(":precondition (forall (?p - place) (⟦opn⟧ ?p)) :effect (rain)")},
		{"unknown predicate in when", "strips.predicate", inAction(":effect (when (⟦snow⟧) (rain))")},
		{"unknown predicate in a conditional effect", "strips.predicate", inAction(":effect (when (rain) (⟦snow⟧))")},
		{"unknown type in exists", "strips.type", inAction(":precondition (exists (?p - ⟦plaec⟧) (open ?p)) :effect (rain)")},
		{"unknown type in either", "strips.type", inAction(":parameters (?v - (either truck ⟦train⟧)) :effect (when (at ?v hub) (rain))")},
		{"object of one of several types", "strips.either", `(define (domain d) (:types a b) (:predicates (p ?x - a)) (:action f :parameters (?x - a) :effect (p ?x)))
(define (problem x) (:domain d) (:objects ⟦c⟧ - (either a b) e - a) (:goal (p e)))`},
		{"unknown object in a condition", "strips.term", inAction(":precondition (imply (open ⟦port⟧) (rain)) :effect (rain)")},
		{"unknown object in the goal", "strips.term", inProblem("(:goal (or (open p) (open ⟦q⟧)))")},
		{"unknown object in a quantified goal", "strips.term", inProblem("(:goal (forall (?v - vehicle) (at ?v ⟦home⟧)))")},
		{"unknown function in a condition", "strips.function", inAction(":parameters (?v - vehicle) :precondition (> (⟦feul⟧ ?v) 0) :effect (rain)")},
		{"unknown function in an effect", "strips.function", inAction(":effect (and (rain) (increase (⟦price⟧) 1))")},
		{"unknown function in an expression", "strips.function", inAction(":effect (increase (total-cost) (+ 1 (⟦toll⟧ hub)))")},
		{"unknown function in the initial state", "strips.function", inProblem("(:init (= (⟦speed⟧ t) 3)) (:goal (rain))")},
		{"unknown function in the metric", "strips.function", inProblem("(:goal (rain)) (:metric minimize (⟦total-tim⟧))")},
		{"a predicate as a function", "strips.function", inAction(":effect (increase (⟦rain⟧) 1)")},
		{"a function as a predicate", "strips.predicate", inAction(":parameters (?v - vehicle) :precondition (⟦fuel⟧ ?v) :effect (rain)")},
		{"free variable in a condition", "strips.term", inAction(":precondition (or (open ⟦?q⟧) (rain)) :effect (rain)")},
		{"free variable after its quantifier", "strips.term", inAction(":precondition (and (exists (?p - place) (open ?p)) (open ⟦?p⟧)) :effect (rain)")},
		{"free variable in an effect", "strips.term", inAction(":effect (and (forall (?p - place) (open ?p)) (not (open ⟦?p⟧)))")},
		{"free variable in a number", "strips.term", inAction(":effect (increase (total-cost) (distance hub ⟦?q⟧))")},
		{"free variable in the goal", "strips.term", inProblem("(:goal (open ⟦?p⟧))")},
		{"shadowed parameter", "strips.shadow", inAction(":parameters (?p - place) :precondition (and (open ?p) (exists (⟦?p⟧ - place) (open ?p))) :effect (rain)")},
		{"shadowed variable", "strips.shadow", inAction(":effect (forall (?p - place) (when (exists (⟦?p⟧ - place) (open ?p)) (not (open ?p))))")},
		{"duplicate variable", "strips.twice", inAction(":precondition (forall (?p ⟦?p⟧ - place) (open ?p)) :effect (rain)")},
		{"duplicate function", "strips.twice", "(define (domain d) (:functions (f) (⟦f⟧ ?x)))"},
		{"duplicate action", "strips.twice", "(define (domain d) (:predicates (p)) (:action a :effect (p)) (:action ⟦a⟧ :effect (p)))"},
		{"duplicate value", "strips.twice", inProblem("(:init (= (fuel t) 3) ⟦(= (fuel t) 4)⟧) (:goal (rain))")},
		{"duplicate section of functions", "strips.twice", "(define (domain d) (:functions (f)) (⟦:functions⟧ (g)))"},
		// Numbers of parts and types.
		{"arity in a quantifier", "strips.arity", inAction(":precondition (forall (?v - vehicle) ⟦(at ?v)⟧) :effect (rain)")},
		{"arity of a function", "strips.arity", inAction(":effect (increase (total-cost) ⟦(distance hub)⟧)")},
		{"arity of a value", "strips.arity", inProblem("(:init (= ⟦(fuel)⟧ 3)) (:goal (rain))")},
		{"type of a quantified variable", "strips.type", inAction(":precondition (exists (?v - vehicle) (open ⟦?v⟧)) :effect (rain)")},
		{"type of an alternative", "strips.type", inAction(":parameters (?x - (either truck plane)) :precondition (open ⟦?x⟧) :effect (rain)")},
		{"type in a function", "strips.type", inAction(":parameters (?p - place) :precondition (> (fuel ⟦?p⟧) 1) :effect (open ?p)")},
		{"type of a value", "strips.type", inProblem("(:init (= (fuel ⟦p⟧) 3)) (:goal (rain))")},
		{"type in the goal", "strips.type", inProblem("(:goal (or (open ⟦t⟧) (rain)))")},
		{"imply of one part", "strips.form", inAction(":precondition (⟦imply⟧ (rain)) :effect (rain)")},
		{"forall without a condition", "strips.form", inAction(":precondition (⟦forall⟧ (?p - place)) :effect (rain)")},
		{"forall without parentheses", "strips.parameter", inAction(":precondition (forall ⟦?p⟧ (open ?p)) :effect (rain)")},
		{"when without an effect", "strips.form", inAction(":effect (⟦when⟧ (rain))")},
		{"increase without an amount", "strips.form", inAction(":effect (⟦increase⟧ (total-cost))")},
		{"a comparison of three", "strips.form", inAction(":precondition (< 1 (total-cost) ⟦3⟧) :effect (rain)")},
		{"not of two", "strips.literal", inAction(":precondition (⟦not⟧ (rain) (open hub)) :effect (rain)")},
		{"a function without parentheses", "strips.form", inAction(":effect (increase ⟦total-cost⟧ 1)")},
		// Misplaced constructs.
		{"when in a condition", "strips.effect", inAction(":precondition (⟦when⟧ (rain) (open hub)) :effect (rain)")},
		{"when in the goal", "strips.effect", inProblem("(:goal (⟦when⟧ (rain) (open p)))")},
		{"increase in a condition", "strips.effect", inAction(":precondition (and (rain) (⟦increase⟧ (total-cost) 1)) :effect (rain)")},
		{"increase in the goal", "strips.effect", inProblem("(:goal (and (rain) (⟦increase⟧ (total-cost) 1)))")},
		{"increase in the initial state", "strips.init", inProblem("(:init (⟦increase⟧ (total-cost) 1)) (:goal (rain))")},
		{"or in an effect", "strips.effect", inAction(":effect (⟦or⟧ (rain) (open hub))")},
		{"exists in an effect", "strips.effect", inAction(":effect (⟦exists⟧ (?p - place) (open ?p))")},
		{"imply in an effect", "strips.effect", inAction(":effect (and (⟦imply⟧ (rain) (open hub)))")},
		{"a comparison in an effect", "strips.effect", inAction(":effect (⟦>⟧ (total-cost) 3)")},
		{"equality of a number in an effect", "strips.effect", inAction(":effect (⟦=⟧ (total-cost) 3)")},
		{"equality in a conditional effect", "strips.effect", inAction(":parameters (?p - place) :effect (when (open ?p) ⟦(= ?p hub)⟧)")},
		{"not of a conjunction in an effect", "strips.literal", inAction(":effect (not (⟦and⟧ (rain) (open hub)))")},
		{"or in the initial state", "strips.init", inProblem("(:init (⟦or⟧ (rain) (open p))) (:goal (rain))")},
		{"and in the initial state", "strips.init", inProblem("(:init (⟦and⟧ (rain) (open p))) (:goal (rain))")},
		{"a preference", "strips.unsupported", inProblem("(:goal (⟦preference⟧ p1 (rain)))")},
		{"an axiom of the first PDDL", "strips.unsupported", "(define (domain d) (:predicates (p) (q)) (⟦:axiom⟧ :context (p) :implies (q)))"},
		{"a cycle through a union", "strips.type", "(define (domain d) (:types ⟦a⟧ - (either a b)))"},
		{"missing type of a supertype", "strips.type", "(define (domain d) (:types a b ⟦-⟧))"},
		{"missing type of a parameter", "strips.type", inAction(":parameters (?v ⟦-⟧ ?p - place) :precondition (at ?v ?p) :effect (rain)")},
		{"missing type at the end of a line", "strips.type", strings.Replace(inProblem("(:goal (rain))"), "t - truck p", "t ⟦-⟧\n p", 1)},
		{"missing type of objects", "strips.type", inProblem("(:goal (forall (?p ⟦-⟧) (open ?p)))")},
		{"a function of objects", "strips.unsupported", "(define (domain d) (:types a) (:functions (home ?x) - ⟦a⟧))"},
		// Axioms and the length.
		{"an axiom of an unknown predicate", "strips.predicate", inDerived("(:derived (⟦abov⟧ ?x ?y) (on ?x ?y))", "")},
		{"an unknown predicate in an axiom", "strips.predicate", inDerived("(:derived (above ?x ?y) (⟦onn⟧ ?x ?y))", "")},
		{"a free variable of an axiom", "strips.term", inDerived("(:derived (above ?x ?y) (on ?x ⟦?z⟧))", "")},
		{"a constant in the head of an axiom", "strips.parameter", inDerived("(:derived (over ⟦a⟧) (on a a))", "")},
		{"too few parameters of an axiom", "strips.arity", inDerived("(:derived ⟦(above ?x)⟧ (on ?x ?x))", "")},
		{"the type of a parameter of an axiom", "strips.type", inDerived("(:derived (above ?x - block ⟦?y⟧ - table) (exists (?z - block) (on ?x ?z)))", "")},
		{"a variable of an axiom twice", "strips.twice", inDerived("(:derived (above ?x ⟦?x⟧ - block) (on ?x ?x))", "")},
		{"an axiom without a condition", "strips.form", inDerived("(⟦:derived⟧ (above ?x ?y))", "")},
		{"an axiom whose head is a name", "strips.form", inDerived("(⟦:derived⟧ above (on ?x ?y))", "")},
		{"an axiom with two conditions", "strips.form", inDerived("(⟦:derived⟧ (over ?x) (on ?x ?x) (free))", "")},
		{"an effect in an axiom", "strips.effect", inDerived("(:derived (over ?x - block) (⟦when⟧ (free) (on ?x ?x)))", "")},
		{"its own negation", "strips.stratum", inDerived("(:derived (over ?x - block) (not ⟦(over ?x)⟧))", "")},
		{"the negation of itself by another axiom", "strips.stratum", inDerived("(:derived (over ?x - block) (exists (?y - block) (not ⟦(above ?x ?y)⟧))) (:derived (above ?x ?y - block) (and (over ?x) (on ?x ?y)))", "")},
		{"an implication from itself", "strips.stratum", inDerived("(:derived (over ?x - block) (imply ⟦(over ?x)⟧ (free)))", "")},
		{"an effect on a derived predicate", "strips.effect", inDerived("(:derived (over ?x - block) (free)) (:action a :parameters (?x - block) :effect ⟦(over ?x)⟧)", "")},
		{"a deletion of a derived predicate", "strips.effect", inDerived("(:derived (over ?x - block) (free)) (:action a :parameters (?x - block) :effect (not ⟦(over ?x)⟧))", "")},
		{"a conditional effect on a derived predicate", "strips.effect", inDerived("(:derived (over ?x - block) (free)) (:action a :effect (forall (?x - block) (when (on ?x ?x) ⟦(over ?x)⟧)))", "")},
		{"a derived predicate in the initial state", "strips.init", inDerived("(:derived (over ?x - block) (free))", "(:init ⟦(over b)⟧) (:goal (free))")},
		{"a missing requirement of axioms", "strips.requirement", strings.Replace(inDerived("(⟦:derived⟧ (over ?x - block) (free))", ""), " :derived-predicates", "", 1)},
		{"a length without parentheses", "strips.length", inDerived("", "(:goal (free)) (:length ⟦5⟧)")},
		{"a length of a third kind", "strips.length", inDerived("", "(:goal (free)) (:length (⟦:steps⟧ 5))")},
		{"a length that is no number", "strips.length", inDerived("", "(:goal (free)) (:length (⟦:serial⟧ few))")},
		{"a length", "strips.length", inDerived("", "(:goal (free)) (⟦:length⟧ (:serial 5) (:parallel 3))")},
		// Numbers and costs.
		{"negative cost", "strips.metric", inAction(":effect (and (rain) (increase (total-cost) ⟦-5⟧))")},
		{"negative cost in the initial state", "strips.metric", inProblem("(:init ⟦(= (toll p) -2)⟧) (:goal (rain))")},
		{"a cost that decreases", "strips.metric", inAction(":effect (and (rain) ⟦(decrease (total-cost) 1)⟧)")},
		{"a metric without a direction", "strips.metric", inProblem("(:goal (rain)) (⟦:metric⟧ (total-cost))")},
		{"a metric with an unknown direction", "strips.metric", inProblem("(:goal (rain)) (:metric ⟦maximise⟧ (total-cost))")},
		{"a metric with a divisor that changes", "strips.metric", inProblem("(:goal (rain)) (:metric maximize ⟦(/ 3 (total-cost))⟧)")},
		{"a product as a metric", "strips.metric", inProblem("(:goal (rain)) (:metric minimize ⟦(* (total-cost) (toll p))⟧)")},
		{"a value that is no number", "strips.number", inProblem("(:init (= (fuel t) ⟦full⟧)) (:goal (rain))")},
		{"a value that is an expression", "strips.number", inProblem("(:init (= (fuel t) ⟦(+ 1 2)⟧)) (:goal (rain))")},
		{"a number with four decimals", "strips.number", inAction(":effect (increase (total-cost) ⟦0.0001⟧)")},
		{"a number out of range", "strips.number", inAction(":effect (increase (total-cost) ⟦10000000000⟧)")},
		{"an object as a number", "strips.number", inAction(":precondition (> (total-cost) ⟦hub⟧) :effect (rain)")},
		{"division by 0", "strips.number", inAction(":effect (increase (total-cost) (/ 8 ⟦0⟧))")},
		{"scale-down by 0", "strips.number", inAction(":parameters (?v - vehicle) :effect (scale-down (fuel ?v) ⟦0⟧)")},
		{"division of three", "strips.form", inAction(":effect (increase (total-cost) (⟦/⟧ 8 2 2))")},
		{"costs without a metric", "strips.costs", strings.Replace(inProblem("(:goal (rain))"), "(problem x)", "(problem ⟦x⟧)", 1)},
		// Requirements.
		{"missing :disjunctive-preconditions", "strips.requirement", "(define (domain d) (:requirements :strips) (:predicates (p) (q)) (:action a :precondition (⟦or⟧ (p) (q)) :effect (p)))"},
		{"missing :universal-preconditions", "strips.requirement", "(define (domain d) (:requirements :strips) (:predicates (p ?x)) (:action a :precondition (⟦forall⟧ (?x) (p ?x)) :effect ()))"},
		{"missing :conditional-effects", "strips.requirement", "(define (domain d) (:predicates (p) (q)) (:action a :effect (⟦when⟧ (p) (q))))"},
		{"missing :numeric-fluents", "strips.requirement", "(define (domain d) (:requirements :adl) (:functions (f)) (:action a :precondition (⟦<⟧ (f) 3) :effect ()))"},
		{"missing :action-costs", "strips.requirement", "(define (domain d) (:requirements :adl) (:functions (total-cost)) (:action a :effect (⟦increase⟧ (total-cost) 3)))"},
		{"missing requirement of a goal", "strips.requirement", "(define (domain d) (:predicates (p) (q))) (define (problem x) (:domain d) (:goal (⟦or⟧ (p) (q))))"},
		// The text.
		{"missing parenthesis", "sexpr.open", "⟦(⟧define (domain d) (:predicates (p)) (:action a :precondition (or (p)) :effect (p))"},
		{"unmatched parenthesis", "sexpr.close", "(define (domain d) (:predicates (p)) (:action a :effect (p)))⟦)⟧"},
		{"another domain", "strips.domain", "(define (domain d) (:predicates (p))) (define (problem x) (:domain ⟦e⟧) (:goal (p)))"},
	}
}

func TestFaultsOfConditionsHaveTheirPlace(t *testing.T) {
	for _, c := range faults() {
		t.Run(c.name, func(t *testing.T) {
			before, rest, _ := strings.Cut(c.text, "⟦")
			at, after, _ := strings.Cut(rest, "⟧")
			file := source.NewFile("p.pddl", before+at+after)
			_, found := Parse(file)
			want := source.Span{Start: source.Pos(len(before)), End: source.Pos(len(before) + len(at))}
			for _, d := range found {
				if d.Code == c.code && d.Span == want {
					return
				}
			}
			t.Errorf("there is no %s at %q among", c.code, at)
			for _, d := range found {
				t.Errorf("%s at %q: %s", d.Code, file.Slice(d.Span), d.Message)
			}
		})
	}
}

// TestOneFaultHasOneDiagnostic checks that a fault has no consequences.
func TestOneFaultHasOneDiagnostic(t *testing.T) {
	for _, c := range faults() {
		text := strings.NewReplacer("⟦", "", "⟧", "").Replace(c.text)
		_, found := Parse(source.NewFile("p.pddl", text))
		kept := found[:0]
		for _, d := range found {
			if d.Code != "strips.unused" {
				kept = append(kept, d)
			}
		}
		if len(kept) > 1 {
			t.Errorf("%s: %d diagnostics", c.name, len(kept))
			for _, d := range kept {
				t.Logf("%s at %q: %s", d.Code, text[d.Span.Start:d.Span.End], d.Message)
			}
		}
	}
}

func TestFixesOfRequirementsRemoveTheWarning(t *testing.T) {
	for _, c := range faults() {
		if c.code != "strips.requirement" && c.code != "strips.costs" {
			continue
		}
		text := strings.NewReplacer("⟦", "", "⟧", "").Replace(c.text)
		_, found := Parse(source.NewFile("p.pddl", text))
		for _, d := range found {
			if d.Code == c.code {
				text = source.Apply(text, d.Fixes[0].Edits)
			}
		}
		if _, again := Parse(source.NewFile("p.pddl", text)); len(again) > 0 {
			t.Errorf("%s: fixed it is\n%s\nwith %v", c.name, text, again)
		}
	}
}

// Two assignments of one number in an action happen at once, so that it would have two values. Assignments
// under conditions, of other objects, or with a change that follows are no fault.
func TestAssignmentsOfOneNumber(t *testing.T) {
	for effect, faulty := range map[string]bool{
		"(assign (n a) 1) (assign (n a) 2)":                             true,
		"(assign (n ?x) 1) (q) (assign (n ?x) 1)":                       true,
		"(assign (n ?x) 1) (assign (n a) 2)":                            false,
		"(assign (n a) 1) (increase (n a) 2)":                           false,
		"(when (q) (assign (n a) 1)) (when (not (q)) (assign (n a) 2))": false,
	} {
		text := "(define (domain d) (:requirements :adl :numeric-fluents) (:constants a) (:predicates (q)) (:functions (n ?x)) (:action go :parameters (?x) :effect (and " + effect + " (increase (n ?x) 0))))"
		_, found := Parse(source.NewFile("d.pddl", text))
		at := strings.LastIndex(text, "(assign")
		var twice []source.Diagnostic
		for _, d := range found {
			if d.Code == "strips.twice" {
				twice = append(twice, d)
			}
		}
		if (len(twice) > 0) != faulty || faulty && (len(twice) != 1 || int(twice[0].Span.Start) != at || len(twice[0].Notes) != 1) {
			t.Errorf("%s: %+v", effect, found)
		}
	}
}
