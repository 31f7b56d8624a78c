package language_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
)

func TestHoverDescribesPosition(t *testing.T) {
	for _, c := range []struct{ what, archive, want string }{
		{"a nonterminal", "-- a.cfg --\nS -> T b | T‸\nT -> a a | a\n",
			"nonterminal T\n2 productions.\nT is either a, then a, or a.\nNamed 3 times: lines 1, 2.\nof it: a"},
		{"a terminal", "-- a.cfg --\nS -> T b\nT -> a\nb‸ as \"Boil\"\n",
			"terminal b\nBoil\nNamed 2 times: lines 1, 3.\nwith it: a b"},
		{"a proposition", "-- a.cfg --\nS -> a b\nb as \"Boil\"\n-- b.ltl --\nF b‸\n",
			"terminal b\nBoil\nNamed 3 times: a.cfg, lines 1, 2; line 1.\nwith it: a b"},
		{"a symbol of tests", "-- a.cfg --\nS -> a b\nb as \"Boil\"\n-- a.tests --\naccept a b‸\n",
			"terminal b\nBoil\nNamed 3 times: a.cfg, lines 1, 2; line 1.\nwith it: a b"},
		{"a keyword of tests", "-- a.tests --\nspec‸ a.cfg\n", "keyword spec\nspec react.agent\nThe spec that the cases after this line test. Default: the spec with the same base name as the file."},
		{"an unknown proposition", "-- b.ltl --\nF b‸\n",
			"proposition b\nNo spec of the workspace defines this symbol.\nNamed 1 time: line 1."},
		{"a keyword", "-- a.cfg --\nlimit‸ 1 each\nS -> a\n",
			"keyword limit\nlimit 2 a b\nThe maximum number of uses of each of these terminals in a word."},
		{"an operator with bounds", "-- a.agent --\n(define a (:states (A (:text \"[A]\"))) (:behavior (always_3‸ A)))\n",
			"keyword always\n(always f)\nRepeats f until the end of the run. always_5: at most five times."},
		{"a state", "-- a.agent --\n(define a (:states (A (:text \"[A]\")) (B‸ (:text \"[B]\") (:flags :env-input))) (:behavior (next A (until A B))))\n",
			"state B\nPrompt: [B]\nThe environment writes its content.\nFollows A.\nNamed 2 times: line 1.\nwith it: A B"},
		{"a state of an automaton", "-- a.pda --\nstart q0‸ Z\naccept q1\nq0 -> q1 (a, Z; Z)\n",
			"state q0\n0 transitions in, 1 transition out.\nWords begin here.\nNamed 2 times: lines 1, 3."},
		{"an answer", "-- a.flow --\nask one \"Is it {x}?\" yes‸ -> good no -> stop\naccept good\n",
			"answer yes\nIs it {x}?\nLeads to good.\nNamed 1 time: line 1."},
		{"an executor", "-- a.team --\n(define a (:executors (w‸ (:does \"Writes.\") (:tools \"T\"))) (:local \"x\") (:global (ltl \"F done.w\")))\n",
			"executor w\nWrites.\nAgent: ReAct (built-in).\nIt may call T.\nIts results must satisfy 1 constraint.\nNamed 2 times: line 1."},
		{"a keyword of a team", "-- a.team --\n(define a (:hints‸ \"x\"))\n", "keyword :hints\n(:hints \"Prices are for one night.\")\nHints for every member of the team."},
		{"a variable of SMT-LIB", "-- a.smt2 --\n(declare-const x Int)\n(assert (> x‸ 3))\n", "constant x\n(declare-const x Int)\nNamed 2 times: lines 1, 2."},
		{"a name of the definitions of a problem", "-- a.problem/model.smt2 --\n(assert (= 1 (cost‸ 2)))\n-- a.problem/api.smt2 --\n(define-fun cost ((n Int)) Int n)\n",
			"function cost\n(define-fun cost ((n Int)) Int n)\nNamed 2 times: line 1; a.problem/api.smt2, line 1."},
		{"a bound variable", "-- a.smt2 --\n(declare-const x Int)\n(assert (forall ((x Int)) (> x‸ 3)))\n", "bound x\n(assert (forall ((x Int)) (> x 3)))\nNamed 2 times: line 2."},
		{"a command", "-- a.smt2 --\n(assert‸ true)\n", "keyword assert\n(assert (<= (+ x y) 10))\nA constraint that every solution must satisfy."},
		{"a row of an LP", "-- a.lp --\nMinimize\n obj: x\nSubject To\n c1‸: x >= 1\nEnd\n", "constraint c1\nc1: x >= 1\nNamed 1 time: line 4."},
		{"a section of an LP", "-- a.lp --\nMinimize\n obj: x\nSubject‸ To\nEnd\n", "keyword subject to\nSubject To c1: x + y >= 10\nThe constraints: a sum on the left and a number on the right, with or without a name."},
		{"an action", "-- a.pddl --\n(define (domain d) (:predicates (p ?x) (q)) (:action go‸ :parameters (?x) :precondition (p ?x) :effect (and (q) (not (p ?x)))))\n",
			"action go\n(go ?x)\nNeeds (p ?x).\nMakes true: (q).\nMakes false: (p ?x).\nNamed 1 time: line 1."},
		{"a predicate in a formula", "-- a.pddl --\n(define (domain d) (:predicates (p ?x) (q)) (:action go :effect (q)))\n-- b.ltl --\nF q‸\n",
			"predicate q\n(q)\nChanged by go.\nNamed 3 times: a.pddl, line 1; line 1."},
		{"a derived predicate", "-- a.pddl --\n(define (domain d) (:predicates (p ?x) (q‸ ?x)) (:derived (q ?x) (not (p ?x))) (:action go :parameters (?x) :precondition (q ?x) :effect (p ?x)))\n",
			"predicate q\n(q ?x)\nDerived from (not (p ?x)).\nNeeded by go.\nNamed 3 times: line 1."},
		{"a predicate of an axiom", "-- a.pddl --\n(define (domain d) (:predicates (p‸ ?x) (q ?x)) (:derived (q ?x) (not (p ?x))) (:action go :parameters (?x) :effect (p ?x)))\n",
			"predicate p\n(p ?x)\nNeeded by q.\nChanged by go.\nNamed 3 times: line 1."},
		{"a type", "-- a.pddl --\n(define (domain d) (:types t‸ u) (:constants c - t d - u) (:predicates (p ?x - t)))\n",
			"type t\nOf this type: c.\nNamed 3 times: line 1."},
		{"an object", "-- a.pddl --\n(define (domain d) (:types t) (:predicates (p ?x - t)))\n-- b.pddl --\n(define (problem e) (:domain d) (:objects o‸ - t) (:goal (p o)))\n",
			"object o\nOf type t.\nNamed 2 times: line 1."},
		{"a section of PDDL", "-- a.pddl --\n(define (problem e) (:INIT‸ ))\n", "keyword :init\n(:init (lamp hall) (lit porch))\nThe facts of the initial state. All other facts are false."},
		{"a text", "-- a.cfg --\nS -> a as \"li‸mit\"\n", ""},
		{"a comment", "-- a.cfg --\nS -> a # li‸mit\n", ""},
		{"a grammar of the empty language", "-- a.cfg --\nS‸ -> S a\n",
			"nonterminal S\n1 production.\nNo word can be derived from it.\nNamed 2 times: line 1."},
	} {
		t.Run(c.what, func(t *testing.T) {
			w, name, at := files(t, c.archive)
			got := ""
			if card := language.Table().Hover(w, name, at); card != nil {
				parts := []string{card.Kind + " " + card.Name}
				if card.Form != "" {
					parts = append(parts, card.Form)
				}
				parts = append(parts, card.Lines...)
				switch word := strings.Join(card.Word, " "); {
				case word != "" && card.OfIt:
					parts = append(parts, "of it: "+word)
				case word != "":
					parts = append(parts, "with it: "+word)
				}
				got = strings.Join(parts, "\n")
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
