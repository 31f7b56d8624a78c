package language_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// files reads an archive in which ‸ marks a position, and returns the position.
func files(t *testing.T, archive string) (w workspace.Workspace, name string, at source.Pos) {
	t.Helper()
	w, err := workspace.ParseArchive(archive)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range w.Files {
		if before, after, ok := strings.Cut(f.Text, "‸"); ok {
			w.Files[i].Text = before + after
			return w, f.Name, source.Pos(len(before))
		}
	}
	t.Fatal("no place is marked")
	return w, "", 0
}

// apply returns the edited files as an archive.
func apply(w workspace.Workspace, changes []notation.FileEdits) string {
	out := workspace.Workspace{Files: append([]workspace.File{}, w.Files...)}
	for _, c := range changes {
		for i, f := range out.Files {
			if f.Name == c.File {
				out.Files[i].Text = source.Apply(f.Text, c.Edits)
			}
		}
	}
	return out.Archive()
}

func TestRenameChangesOnlyTheName(t *testing.T) {
	for _, c := range []struct{ what, before, to, after string }{
		{
			"a nonterminal", "-- a.cfg --\n%start S\nS -> T‸ | S T # T\nT -> a\nT as \"T\"\n", "Rest",
			"-- a.cfg --\n%start S\nS -> Rest | S Rest # T\nRest -> a\nRest as \"T\"\n",
		}, {
			"a terminal, in formulas and in grammars", "-- a.cfg --\nS -> a‸ b\nlimit 1 a\n-- b.cfg --\nS -> a\n-- c.ltl --\na_first: G(b -> \"a\") & a\n", "cook it",
			"-- a.cfg --\nS -> \"cook it\" b\nlimit 1 \"cook it\"\n-- b.cfg --\nS -> \"cook it\"\n-- c.ltl --\na_first: G(b -> \"cook it\") & \"cook it\"\n",
		}, {
			"a terminal, in tests", "-- a.cfg --\nS -> a‸ b\n-- a.tests --\naccept a b as \"a\"\n", "cook it",
			"-- a.cfg --\nS -> \"cook it\" b\n-- a.tests --\naccept \"cook it\" b as \"a\"\n",
		}, {
			"an answer, in tests", "-- a.flow --\nask one \"One?\" yes‸ -> good\naccept good\n-- a.tests --\naccept one.yes\n", "sure",
			"-- a.flow --\nask one \"One?\" sure -> good\naccept good\n-- a.tests --\naccept one.sure\n",
		}, {
			"a proposition, in its grammar", "-- a.cfg --\nS -> a b\n-- c.ltl --\nF a‸\n", "x",
			"-- a.cfg --\nS -> x b\n-- c.ltl --\nF x\n",
		}, {
			"a state of an agent, in its requirements", `-- a.agent --
(define a (:states (Act‸ (:text "[Act]")) (End (:text "[End]")))
  (:behavior (next Act (until Act End)))
  (:require "G(Act -> F End)"))
`, "Do", `-- a.agent --
(define a (:states (Do (:text "[Act]")) (End (:text "[End]")))
  (:behavior (next Do (until Do End)))
  (:require "G(Do -> F End)"))
`,
		}, {
			"a state that formulas write in quotes", `-- a.agent --
(define a (:states (Act (:text "[Act]")))
  (:behavior Act)
  (:require "F Act‸"))
`, "Act/2", `-- a.agent --
(define a (:states (Act/2 (:text "[Act]")))
  (:behavior Act/2)
  (:require "F \"Act/2\""))
`,
		}, {
			"a state of an automaton", "-- a.pda --\nstart q0‸ Z\naccept q1\nq0 -> q1 (q0, Z; q0)\n", "begin",
			"-- a.pda --\nstart begin Z\naccept q1\nbegin -> q1 (q0, Z; q0)\n",
		}, {
			"a stack symbol", "-- a.pda --\nstart q Z‸\naccept empty\nq -> q (Z, Z; Z Z)\n", "Y",
			"-- a.pda --\nstart q Y\naccept empty\nq -> q (Z, Y; Y Y)\n",
		}, {
			"a variable of a family", "-- a.pda --\nstart 5/0 Z\naccept 0/0\nfor h‸ in 5..1, g in 0..h if h > g {\n  h/g -> h-1/g (e, *; *) as \"{h} h\"\n}\nfor h in 1..2 { h -> h (e, *; *) }\n", "hour",
			"-- a.pda --\nstart 5/0 Z\naccept 0/0\nfor hour in 5..1, g in 0..hour if hour > g {\n  hour/g -> hour-1/g (e, *; *) as \"{hour} h\"\n}\nfor h in 1..2 { h -> h (e, *; *) }\n",
		}, {
			"a question, in formulas", "-- a.flow --\nask one‸ \"One?\" yes -> two no -> stop\nask two \"Two?\" yes -> good no -> one\naccept good \"Good.\"\n-- a.ltl --\nG(one.yes -> F two.no)\n", "first",
			"-- a.flow --\nask first \"One?\" yes -> two no -> stop\nask two \"Two?\" yes -> good no -> first\naccept good \"Good.\"\n-- a.ltl --\nG(first.yes -> F two.no)\n",
		}, {
			"an answer, of its question only", "-- a.flow --\nask one \"One?\" yes‸ -> two no -> stop\nask two \"Two?\" yes -> good\naccept good \"Good.\"\n-- a.ltl --\nG(one.yes -> F two.yes)\n", "sure",
			"-- a.flow --\nask one \"One?\" sure -> two no -> stop\nask two \"Two?\" yes -> good\naccept good \"Good.\"\n-- a.ltl --\nG(one.sure -> F two.yes)\n",
		}, {
			"a variable of a flowchart", "-- a.flow --\nlet who \"A\"\nask one \"Is it {who‸}?\" yes -> good\naccept good \"It is {who}.\"\n", "seller",
			"-- a.flow --\nlet seller \"A\"\nask one \"Is it {seller}?\" yes -> good\naccept good \"It is {seller}.\"\n",
		}, {
			"an executor, in formulas and checks", "-- a.team --\n(define a (:executors (w‸ (:does \"w\"))) (:global (ltl \"F done.w & F done\") (check \"length(of('w')) > 0\")))\n", "writer",
			"-- a.team --\n(define a (:executors (writer (:does \"w\"))) (:global (ltl \"F done.writer & F done\") (check \"length(of('writer')) > 0\")))\n",
		}, {
			"a variable of a solver's", "-- a.smt2 --\n(declare-const x‸ Int)\n(assert (forall ((x Int)) (> x 3)))\n(assert (! (> x 3) :named big))\n", "a b",
			"-- a.smt2 --\n(declare-const |a b| Int)\n(assert (forall ((x Int)) (> x 3)))\n(assert (! (> |a b| 3) :named big))\n",
		}, {
			"what a problem's definitions give", "-- a.problem/model.smt2 --\n(assert (= 1 (cost‸ 2)))\n-- a.problem/api.smt2 --\n(define-fun cost ((n Int)) Int n)\n", "price",
			"-- a.problem/model.smt2 --\n(assert (= 1 (price 2)))\n-- a.problem/api.smt2 --\n(define-fun price ((n Int)) Int n)\n",
		}, {
			"a variable of an LP", "-- a.lp --\nMinimize\n x: x\nSubject To\n c: x‸ + y >= 1\nBounds\n x <= 3\nEnd\n", "z",
			"-- a.lp --\nMinimize\n x: z\nSubject To\n c: z + y >= 1\nBounds\n z <= 3\nEnd\n",
		}, {
			"a predicate, in problems and formulas", "-- a.pddl --\n(define (domain d) (:predicates (p‸ ?x)) (:action go :parameters (?x) :effect (P ?x)))\n-- b.pddl --\n(define (problem e) (:domain d) (:objects o) (:goal (p o)))\n-- b.ltl --\nF \"p o\" & G(go -> F \"(p o)\")\n", "on-top",
			"-- a.pddl --\n(define (domain d) (:predicates (on-top ?x)) (:action go :parameters (?x) :effect (on-top ?x)))\n-- b.pddl --\n(define (problem e) (:domain d) (:objects o) (:goal (on-top o)))\n-- b.ltl --\nF \"on-top o\" & G(go -> F \"(on-top o)\")\n",
		}, {
			"an action, in formulas", "-- a.pddl --\n(define (domain d) (:predicates (p)) (:action go :effect (p)))\n-- b.ltl --\nF go‸\n", "walk-on",
			"-- a.pddl --\n(define (domain d) (:predicates (p)) (:action walk-on :effect (p)))\n-- b.ltl --\nF walk-on\n",
		}, {
			"a parameter, of its action", "-- a.pddl --\n(define (domain d) (:predicates (p ?x)) (:action go :parameters (?x‸) :effect (p ?x)) (:action come :parameters (?x) :effect (p ?x)))\n", "?y",
			"-- a.pddl --\n(define (domain d) (:predicates (p ?x)) (:action go :parameters (?y) :effect (p ?y)) (:action come :parameters (?x) :effect (p ?x)))\n",
		}, {
			"a variable, of its axiom", "-- a.pddl --\n(define (domain d) (:predicates (p ?x) (q ?x)) (:derived (q ?x‸) (p ?x)) (:derived (q ?x) (not (p ?x))))\n", "?y",
			"-- a.pddl --\n(define (domain d) (:predicates (p ?x) (q ?x)) (:derived (q ?y) (p ?y)) (:derived (q ?x) (not (p ?x))))\n",
		}, {
			"an object, of its problem", "-- a.pddl --\n(define (domain d) (:predicates (p ?x)))\n-- b.pddl --\n(define (problem e) (:domain d) (:objects o‸) (:goal (p o)))\n-- c.pddl --\n(define (problem f) (:domain d) (:objects o) (:goal (p o)))\n", "u",
			"-- a.pddl --\n(define (domain d) (:predicates (p ?x)))\n-- b.pddl --\n(define (problem e) (:domain d) (:objects u) (:goal (p u)))\n-- c.pddl --\n(define (problem f) (:domain d) (:objects o) (:goal (p o)))\n",
		}, {
			"a formula's name", "-- a.ltl --\nsafe‸: G !safe\n", "never",
			"-- a.ltl --\nnever: G !safe\n",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			w, name, at := files(t, c.before)
			changes, err := language.Table().Rename(w, name, at, c.to)
			if err != nil {
				t.Fatal(err)
			}
			if got := apply(w, changes); got != c.after {
				t.Errorf("got\n%s\nwant\n%s", got, c.after)
			}
		})
	}
}

func TestRenameRejectsChangesOfMeaning(t *testing.T) {
	for _, c := range []struct{ what, before, to string }{
		{"to a nonterminal that is there", "-- a.cfg --\nS -> T‸ U\nT -> a\nU -> b\n", "U"},
		{"to a terminal that is there", "-- a.cfg --\nS -> T‸ a\nT -> b\n", "a"},
		{"to nothing", "-- a.cfg --\nS -> T‸\n", " "},
		{"to an operator", "-- a.agent --\n(define a (:states (A‸ (:text \"[A]\"))) (:behavior A))\n", "next"},
		{"to what a notation cannot write", "-- a.agent --\n(define a (:states (A‸ (:text \"[A]\"))) (:behavior A))\n", "A B"},
		{"to a built-in end", "-- a.flow --\nask one‸ \"One?\" yes -> one no -> stop\n", "stop"},
		{"to another executor", "-- a.team --\n(define a (:executors (w‸ (:does \"x\")) (v (:does \"y\"))))\n", "v"},
		{"to a sub-task", "-- a.team --\n(define a (:executors (w‸ (:does \"x\"))))\n", "t3"},
		{"of a tool", "-- a.team --\n(define a (:executors (w (:does \"x\") (:tools \"T‸\"))))\n", "U"},
		{"of many at once", "-- a.pda --\nstart 1 Z\naccept 0\nfor h in 1..1 { h-1‸ -> h (e, *; *) }\n", "x"},
		{"to a variable that is there", "-- a.smt2 --\n(declare-const x‸ Int)\n(declare-const y Int)\n", "y"},
		{"to a word of SMT-LIB", "-- a.smt2 --\n(declare-const x‸ Int)\n(assert (> x 1))\n", "and"},
		{"to a predicate that is there", "-- a.pddl --\n(define (domain d) (:predicates (p‸) (q)))\n", "q"},
		{"to what PDDL cannot write", "-- a.pddl --\n(define (domain d) (:predicates (p‸) (q)))\n", "7"},
		{"to a section of an LP", "-- a.lp --\nMinimize\n obj: x‸\nSubject To\n c: x >= 1\nGeneral\n x\nEnd\n", "End"},
		{"of nothing", "-- a.cfg --\nS -> a ‸ # b\n", "x"},
	} {
		t.Run(c.what, func(t *testing.T) {
			w, name, at := files(t, c.before)
			if changes, err := language.Table().Rename(w, name, at, c.to); err == nil {
				t.Errorf("made %v", apply(w, changes))
			}
		})
	}
}
