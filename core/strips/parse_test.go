package strips

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// ferry uses every feature of the notation: subtypes, constants, equality, negative
// preconditions, an action without conditions.
const ferry = `(define (domain ferry)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types car bus - vehicle vehicle place)
  (:constants quay - place)
  (:predicates
    (at ?v - vehicle ?p - place)
    (ferry-at ?p - place)
    (aboard ?v - vehicle)
    (full))
  (:action sail
    :parameters (?from ?to - place)
    :precondition (and (ferry-at ?from) (not (= ?from ?to)))
    :effect (and (ferry-at ?to) (not (ferry-at ?from))))
  (:action board
    :parameters (?v - vehicle ?p - place)
    :precondition (and (at ?v ?p) (ferry-at ?p) (not (full)))
    :effect (and (aboard ?v) (full) (not (at ?v ?p))))
  (:action leave
    :parameters (?v - vehicle ?p - place)
    :precondition (and (aboard ?v) (ferry-at ?p))
    :effect (and (at ?v ?p) (not (aboard ?v)) (not (full))))
  (:action wait
    :parameters ()
    :precondition ()
    :effect ()))
`

const crossing = `(define (problem crossing)
  (:domain ferry)
  (:objects red - car blue - bus island - place)
  (:init
    (at red quay)
    (at blue quay)
    (ferry-at island))
  (:goal (and (at red island) (at blue island) (not (full)))))
`

func parsed(t testing.TB, texts ...string) *Spec {
	t.Helper()
	spec, found := Parse(source.NewFile("spec.pddl", strings.Join(texts, "\n")))
	// Actions that are drawn at random may be impossible.
	found = slices.DeleteFunc(found, func(d source.Diagnostic) bool { return d.Code == "strips.opposite" })
	if len(found) > 0 {
		t.Fatalf("%s: %s", found[0].Code, found[0].Message)
	}
	return spec
}

func TestPrintedTextParsesToTheSame(t *testing.T) {
	spec := parsed(t, ferry, crossing)
	printed := spec.Domain.String() + spec.Problem.String()
	again := parsed(t, printed)
	if got := again.Domain.String() + again.Problem.String(); got != printed {
		t.Errorf("printed again it is\n%s\nwant\n%s", got, printed)
	}
	for _, want := range []string{"(:types car bus - vehicle vehicle place - object)", "(:constants quay - place)", "(not (= ?from ?to))", ":negative-preconditions :equality", "(:objects red - car blue - bus island - place)"} {
		if !strings.Contains(printed, want) {
			t.Errorf("there is no %s in\n%s", want, printed)
		}
	}
}

func TestNamesIgnoreCase(t *testing.T) {
	spec := parsed(t, "(DEFINE (Domain D) (:Predicates (P ?X)) (:ACTION A :Parameters (?x) :PRECONDITION (P ?X) :Effect (NOT (p ?x))))")
	if got := spec.Domain.Actions[0].Effect[0].String(); got != "(not (p ?x))" {
		t.Errorf("the effect is %s", got)
	}
}

func TestEveryFaultHasACodeAndASpan(t *testing.T) {
	action := func(text string) string {
		return "(define (domain d) (:types a b) (:constants c - a) (:predicates (p ?x - a) (q)) (:action go " + text + "))"
	}
	problem := func(text string) string {
		return "(define (domain d) (:types a b) (:predicates (p ?x - a))) (define (problem x) (:domain d) " + text + ")"
	}
	for _, c := range []struct{ name, text, code, at string }{
		{"nothing", "; a comment", "strips.empty", ""},
		{"no define", "(domain d)", "strips.define", "domain"},
		{"a define of neither", "(define (plan p))", "strips.define", "plan"},
		{"two domains", "(define (domain d)) (define (domain e))", "strips.twice", "(domain e)"},
		{"two problems", "(define (problem x) (:domain d) (:goal ())) (define (problem y) (:domain d) (:goal ()))", "strips.twice", "(problem y)"},
		{"a number for a name", "(define (domain 7))", "strips.name", "7"},
		{"a section with a slip", "(define (domain d) (:predicate (p)))", "strips.section", ":predicate"},
		{"a section twice", "(define (domain d) (:types a) (:types b))", "strips.twice", ":types"},
		{"an atom for a section", "(define (domain d) p)", "strips.misplaced", "p"},
		{"a parameter of a predicate twice", "(define (domain d) (:predicates (in ?obj ?obj)))", "strips.twice", "?obj"},
		{"a type of itself", "(define (domain d) (:types a - b b - a))", "strips.type", "a"},
		{"a type above all objects", "(define (domain d) (:types a object - a))", "strips.type", "object"},
		{"a list of nothing for a type", "(define (domain d) (:predicates (p ?x - ())))", "strips.name", "()"},
		{"a dash without a type", "(define (domain d) (:predicates (p ?x -)))", "strips.type", "-"},
		{"an unknown type", "(define (domain d) (:types block) (:predicates (p ?x - blok)))", "strips.type", "blok"},
		{"a parameter without its mark", "(define (domain d) (:predicates (p x)))", "strips.parameter", "x"},
		{"a predicate without a list", "(define (domain d) (:predicates p))", "strips.predicate", "p"},
		{"a predicate twice", "(define (domain d) (:predicates (p) (p ?x)))", "strips.twice", "p"},
		{"more of PDDL than there is", "(define (domain d) (:requirements :durative-actions))", "strips.requirement", ":durative-actions"},
		{"an action without a name", "(define (domain d) (:action))", "strips.action", ":action"},
		{"an action without an effect", action(":parameters ()"), "strips.part", "go"},
		{"an action of a name only", "(define (domain d) (:action go))", "strips.part", "go"},
		{"a part with a slip", action(":effects (q)"), "strips.part", ":effects"},
		{"a part without a list", action(":effect q"), "strips.part", ":effect"},
		{"a part twice", action(":effect (q) :effect (q)"), "strips.twice", ":effect"},
		{"an unknown predicate", action(":effect (r)"), "strips.predicate", "r"},
		{"an unknown parameter", action(":parameters (?x - a) :effect (and (p ?x) (p ?y))"), "strips.term", "?y"},
		{"an unknown object", action(":effect (p d)"), "strips.term", "d"},
		{"too many terms", action(":effect (q c)"), "strips.arity", "(q c)"},
		{"types that never meet", action(":parameters (?x - b) :effect (p ?x)"), "strips.type", "?x"},
		{"a constant of a type too wide", "(define (domain d) (:types a - t) (:constants c - t) (:predicates (p ?x - a)) (:action go :parameters (?x - a) :effect (and (p ?x) (p c))))", "strips.type", "c"},
		{"a parameter that nothing depends on", action(":parameters (?x) :effect (q)"), "strips.unused", "?x"},
		{"not of two", action(":effect (not (q) (q))"), "strips.literal", "not"},
		{"not of a conjunction", action(":effect (not (and (q)))"), "strips.literal", "and"},
		{"an atom for a literal", action(":effect (and q)"), "strips.literal", "q"},
		{"a list for a term", action(":effect (p (q))"), "strips.term", "(q)"},
		{"an effect on equality", action(":parameters (?x) :effect (= ?x c)"), "strips.effect", "(= ?x c)"},
		{"a problem without a goal", problem(""), "strips.missing", "define"},
		{"a goal of two", problem("(:goal (p a) (p b))"), "strips.goal", ":goal"},
		{"another domain", "(define (domain d)) (define (problem x) (:domain e) (:goal ()))", "strips.domain", "e"},
		{"an object of no type", problem("(:objects o - c) (:goal ())"), "strips.type", "c"},
		{"an object twice", problem("(:objects o o) (:goal ())"), "strips.twice", "o"},
		{"an object of the wrong type", problem("(:objects o - b) (:goal (p o))"), "strips.type", "o"},
		{"an object of a type too wide", "(define (domain d) (:types a - t) (:predicates (p ?x - a))) (define (problem x) (:domain d) (:objects o - t) (:goal (p o)))", "strips.type", "o"},
		{"an unknown object in the initial state", problem("(:init (p o)) (:goal ())"), "strips.term", "o"},
		{"equality in the initial state", problem("(:objects o - a) (:init (= o o)) (:goal ())"), "strips.init", "(= o o)"},
		{"a list that is never closed", "(define (domain d)", "sexpr.open", "("},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := source.NewFile("spec.pddl", c.text)
			_, found := Parse(file)
			for _, d := range found {
				if d.Code == c.code && file.Slice(d.Span) == c.at {
					return
				}
			}
			t.Errorf("there is no %s at %q among", c.code, c.at)
			for _, d := range found {
				t.Errorf("%s at %q: %s", d.Code, file.Slice(d.Span), d.Message)
			}
		})
	}
}

func TestFixesCorrectMisspeltNames(t *testing.T) {
	file := source.NewFile("spec.pddl", "(define (domain d) (:predicates (holding ?x)) (:action a :parameters (?x) :effect (holdin ?x)))")
	_, found := Parse(file)
	if len(found) != 1 || len(found[0].Fixes) != 1 {
		t.Fatalf("found %v", found)
	}
	if fixed := source.Apply(file.Text, found[0].Fixes[0].Edits); !strings.Contains(fixed, ":effect (holding ?x)") {
		t.Errorf("mended it is %s", fixed)
	}
}

func TestOnlySimilarNamesAreSuggested(t *testing.T) {
	for name, texts := range map[string][]string{
		"a problem ahead of its domain":             {crossing, ferry},
		"the type of all objects among types":       {"(define (domain d) (:types a b object) (:predicates (p ?x - object)))"},
		"a type that is named as a parent only":     {"(define (domain d) (:types car bus - vehicle) (:predicates (p ?x - vehicle)))", "(define (problem x) (:domain d) (:objects o - bus) (:goal (p o)))"},
		"a parameter of which some are of the type": {"(define (domain d) (:types a - t) (:predicates (p ?x - a) (q ?x)) (:action go :parameters (?x - t) :precondition (p ?x) :effect (q ?x)))"},
	} {
		t.Run(name, func(t *testing.T) { parsed(t, texts...) })
	}
}
