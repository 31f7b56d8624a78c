package strips

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

const oddNames = `(define (domain D) (:types a b - c e - object x -) (:constants k - a)
  (:predicates (p ?x - a ?y) () q (r))
  (:action Go :parameters (?x - a) :precondition (and (p ?x K) (not (r))) :effect (P k ?z) :cost 3)
  (:action))
(define (problem w) (:domain D) (:objects o k2 - a) () (:init (p o k) (r)) (:goal (and (not (p o2 k)) (= o o))))
(define (other)) (define)
`

func TestOccurrencesCoverTheirNames(t *testing.T) {
	file := source.NewFile("d.pddl", oddNames)
	const want = `1:17 domain d as D defined
1:28 type (d) a defined
1:30 type (d) b defined
1:34 type (d) c
1:36 type (d) e defined
1:47 type (d) x defined
1:64 object (d) k defined
1:68 type (d) a
2:17 predicate (d) p defined
2:19 parameter ((p) x as ?x defined
2:24 type (d) a
2:26 parameter ((p) y as ?y defined
2:36 predicate (d) r defined
3:12 action (d) go as Go defined
3:28 parameter (go) x as ?x defined
3:33 type (d) a
3:56 predicate (d) p
3:58 parameter (go) x as ?x
3:61 object (d) k as K
3:70 predicate (d) r
3:84 predicate (d) p as P
3:86 object (d) k
3:88 parameter (go) z as ?z
5:18 problem w defined
5:30 domain d as D
5:43 object o defined
5:45 object k2 defined
5:50 type (d) a
5:64 predicate (d) p
5:66 object o
5:68 object (d) k
5:72 predicate (d) r
5:94 predicate (d) p
5:96 object (d) o2
5:99 object (d) k
5:106 object o
5:108 object o
`
	if got := golden.Occurrences(file, Occurrences(file)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestPartialTextHasOccurrences(t *testing.T) {
	file := source.NewFile("d.pddl", "(define (domain d) (:action go))\n(define (problem x))")
	const want = "1:17 domain d defined\n1:29 action (d) go defined\n2:18 problem x defined\n"
	if got := golden.Occurrences(file, Occurrences(file)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	file = source.NewFile("d.pddl", "(define (domain d))")
	if got := golden.Occurrences(file, Occurrences(file)); got != "1:17 domain d defined\n" {
		t.Error(got)
	}
}

func TestTokenClasses(t *testing.T) {
	file := source.NewFile("d.pddl", "(DEFINE (domain d) ; c\n (:types a - b) (:predicates (p ?x - a)) \"s\" (:action go :parameters (?x) :effect (and (not (p ?x)) (= ?x k)) :other) x)) (:init (p \"open")
	var got []string
	for _, token := range Tokens(file) {
		got = append(got, token.Class+" "+file.Slice(token.Span))
	}
	const want = `keyword DEFINE, keyword domain, state d, comment ; c, keyword :types, nonterminal a, operator -, nonterminal b, keyword :predicates, terminal p, ` +
		`state ?x, operator -, nonterminal a, invalid "s", keyword :action, terminal go, keyword :parameters, state ?x, keyword :effect, operator and, ` +
		`operator not, terminal p, state ?x, operator =, state ?x, state k, keyword :other, state x, keyword :init, state p, invalid "open`
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	if got := Tokens(source.NewFile("d.pddl", "\x00")); got != nil {
		t.Error(got)
	}
}

func TestPlansAreReadInSeveralForms(t *testing.T) {
	for text, want := range map[string]string{
		"Sail quay island\n 2. board RED, quay ; it is there\n\n; nothing\n- leave red quay  \r\n": `(sail quay island) at "Sail quay island"; (board red quay) at "board RED, quay"; (leave red quay) at "leave red quay"`,
		"(sail quay island)\n 1: (wait)":       `(sail quay island) at "(sail quay island)"; (wait) at "(wait)"; fault at "1:"`,
		"sail q?ay\nwait":                      `(sail q?ay) at "sail q?ay"; (wait) at "wait"; fault at "sail q?ay"`,
		"wait":                                 `(wait) at "wait"`,
		"0.5: wait (1)":                        `fault at "0.5:"; fault at "wait"; fault at "(1)"`,
		"(sail (quay))\n(sail \"quay\")\n()":   `fault at "(sail (quay))"; fault at "(sail \"quay\")"; fault at "()"`,
		"":                                     "",
		"\x00":                                 `fault at "\x00"`,
		"1 wait\n2 wait; sail\n3\n":            `(wait) at "wait"; (wait) at "wait"`,
		"((sail quay island) (board red a))\n": `fault at "((sail quay island) (board red a))"`,
	} {
		file := source.NewFile("plan", text)
		plan, spans, found := ReadPlan(file)
		var got []string
		for i, step := range plan {
			got = append(got, fmt.Sprintf("%s at %q", step, file.Slice(spans[i])))
		}
		for _, d := range found {
			got = append(got, fmt.Sprintf("fault at %q", file.Slice(d.Span)))
		}
		if len(plan) != len(spans) || strings.Join(got, "; ") != want {
			t.Errorf("%q: %s\nwant %s", text, strings.Join(got, "; "), want)
		}
	}
}

func TestEmptySectionsAreNotPrinted(t *testing.T) {
	spec := parsed(t, "(define (domain d) (:predicates (p) (q)) (:action a :effect (p)))", "(define (problem x) (:domain d) (:goal (and (p) (not (q)))))")
	const want = `(define (domain d)
  (:requirements :strips)
  (:predicates
    (p)
    (q))
  (:action a
    :parameters ()
    :precondition ()
    :effect (p)))
(define (problem x)
  (:domain d)
  (:init)
  (:goal (and (p) (not (q)))))
`
	if got := spec.Domain.String() + spec.Problem.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := parsed(t, "(define (domain d) (:action a :effect ()))").Domain.String(); strings.Contains(got, ":predicates") {
		t.Errorf("it is\n%s", got)
	}
	spec = parsed(t, "(define (domain d) (:predicates (p ?a ?b)) (:action a :parameters (?x ?y) :precondition (not (= ?x ?y)) :effect (p ?x ?y)))", "(define (problem x) (:domain d) (:objects u v) (:init (p u u)) (:goal (p u v)))")
	if got := spec.Domain.String() + spec.Problem.String(); !strings.Contains(got, "(:requirements :strips :negative-preconditions :equality)") || !strings.Contains(got, "(p ?a ?b)") || !strings.Contains(got, "(:objects u v)\n  (:init\n    (p u u))") {
		t.Errorf("it is\n%s", got)
	}
}

// Explore returns the states that the operators reach, each once and at its minimum
// distance.
func TestSpaceContainsAllReachableStates(t *testing.T) {
	for seed := range uint64(300) {
		task := grounded(t, random(seed))
		all, err := task.Explore(1_000, nil)
		if err != nil || all.Left != 0 {
			t.Fatal(err, all.Left)
		}
		steps := map[string]int{fmt.Sprint(task.Init): 0}
		queue := [][]bool{task.Init}
		moves := 0
		for len(queue) > 0 {
			state := queue[0]
			queue = queue[1:]
			for i := range task.Operators {
				next, ok := task.Next(state, &task.Operators[i])
				if !ok {
					continue
				}
				moves++
				if _, known := steps[fmt.Sprint(next)]; !known {
					steps[fmt.Sprint(next)] = steps[fmt.Sprint(state)] + 1
					queue = append(queue, next)
				}
			}
		}
		if len(all.States) != len(steps) || len(all.Moves) != moves || all.States[0].By != -1 || fmt.Sprint(all.States[0].Holds) != fmt.Sprint(task.Init) {
			t.Fatalf("%s\n%d states and %d moves, not %d and %d", random(seed), len(all.States), len(all.Moves), len(steps), moves)
		}
		for i, s := range all.States {
			if want, ok := steps[fmt.Sprint(s.Holds)]; !ok || s.Steps != want || s.Goal != task.Reached(s.Holds) {
				t.Fatalf("%s\nstate %d is %+v, after %d steps", random(seed), i, s, want)
			}
			if i > 0 && (all.Moves[s.By].To != i || all.States[all.Moves[s.By].From].Steps != s.Steps-1) {
				t.Fatalf("%s\nstate %d is reached by %+v", random(seed), i, all.Moves[s.By])
			}
		}
		for _, m := range all.Moves {
			if next, ok := task.Next(all.States[m.From].Holds, &task.Operators[m.Operator]); !ok || fmt.Sprint(next) != fmt.Sprint(all.States[m.To].Holds) {
				t.Fatalf("%s\nthe move %+v is none", random(seed), m)
			}
		}
		few, _ := task.Explore(2, nil)
		if len(few.States) != min(2, len(all.States)) || (few.Left > 0) != (len(all.States) > 2) {
			t.Fatalf("%s\nof %d states 2 are explored: %d, and %d moves are left", random(seed), len(all.States), len(few.States), few.Left)
		}
	}
}
