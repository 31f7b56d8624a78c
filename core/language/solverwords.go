package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// smtWords returns the manual of the supported part of SMT-LIB.
func smtWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"declare-const"}, "(declare-const x Int)", "Declares a variable with its sort. The usual sorts are Int, Real and Bool.", "(declare-const x Int)\n(assert (> x 3))\n"),
		entry([]string{"declare-fun"}, "(declare-fun cost (Int Int) Int)", "Declares a function with the sorts of its arguments and result. Without arguments it is a variable.", "(declare-fun cost (Int) Int)\n(assert (> (cost 1) 3))\n"),
		entry([]string{"define-fun"}, "(define-fun twice ((x Int)) Int (* 2 x))", "Defines a name for a term, with or without parameters.", "(declare-const x Int)\n(define-fun twice ((y Int)) Int (* 2 y))\n(assert (> (twice x) 3))\n"),
		entry([]string{"define-const"}, "(define-const most Int 40)", "Defines a name for a value.", "(declare-const x Int)\n(define-const most Int 40)\n(assert (<= x most))\n"),
		entry([]string{"define-fun-rec"}, "(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))", "Defines a recursive function.", "(declare-const x Int)\n(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))\n(assert (= x (sum 3)))\n"),
		entry([]string{"declare-sort"}, "(declare-sort Place 0)", "Declares an uninterpreted sort: its values can only be compared.", "(declare-sort Place 0)\n(declare-const home Place)\n(declare-const work Place)\n(assert (distinct home work))\n"),
		entry([]string{"define-sort"}, "(define-sort Money () Int)", "Defines a name for a sort.", "(define-sort Money () Int)\n(declare-const cost Money)\n(assert (> cost 0))\n"),
		entry([]string{"declare-datatype"}, "(declare-datatype Colour ((red) (green)))", "Declares a datatype with its constructors.", "(declare-datatype Colour ((red) (green)))\n(declare-const c Colour)\n(assert (distinct c red))\n"),
		entry([]string{"declare-datatypes"}, "(declare-datatypes ((Tree 0)) (((leaf) (fork (left Tree) (right Tree)))))", "Declares several datatypes, which may refer to each other.", "(declare-datatypes ((Tree 0)) (((leaf) (fork (left Tree) (right Tree)))))\n(declare-const t Tree)\n(assert (distinct t leaf))\n"),
		entry([]string{"assert"}, "(assert (<= (+ x y) 10))", "A constraint that every solution must satisfy.", "(declare-const x Int)\n(assert (> x 3))\n"),
		entry([]string{":named"}, "(assert (! (> x 3) :named enough))", "The name of a constraint. If there is no solution, the answer lists the named constraints that conflict.", "(declare-const x Int)\n(assert (! (> x 3) :named enough))\n"),
		entry([]string{"assert-soft"}, "(assert-soft (> x 3) :weight 2)", "A soft constraint: the solver maximizes the total weight of those that hold.", "(declare-const x Int)\n(assert (< x 9))\n(assert-soft (> x 3) :weight 2 :id big)\n"),
		entry([]string{":weight"}, "(assert-soft (> x 3) :weight 2)", "The weight of a soft constraint. Default: 1.", "(declare-const x Int)\n(assert-soft (> x 3) :weight 2)\n"),
		entry([]string{":id"}, "(assert-soft (> x 3) :id big)", "The group of soft constraints that are counted together.", "(declare-const x Int)\n(assert-soft (> x 3) :id big)\n"),
		entry([]string{"minimize"}, "(minimize (+ x y))", "A term to minimize. Earlier objectives have priority.", "(declare-const x Int)\n(assert (> x 3))\n(minimize x)\n"),
		entry([]string{"maximize"}, "(maximize profit)", "A term to maximize.", "(declare-const x Int)\n(assert (< x 3))\n(maximize x)\n"),
		entry([]string{"ite"}, "(ite (> x 3) 1 0)", "If-then-else: the second term if the first holds, otherwise the third. It turns truth values into numbers.", "(declare-const b Bool)\n(minimize (ite b 1 0))\n"),
		entry([]string{"let"}, "(let ((sum (+ x y))) (* sum sum))", "Defines a local name in a term.", "(declare-const x Int)\n(assert (let ((y (+ x 1))) (> (* 2 y) 7)))\n"),
		entry([]string{"forall"}, "(forall ((i Int)) (>= (cost i) 0))", "Holds for all values. Quantifiers are slow; list the cases if you can.", "(declare-fun cost (Int) Int)\n(assert (forall ((i Int)) (>= (cost i) 0)))\n"),
		entry([]string{"exists"}, "(exists ((i Int)) (> (cost i) 3))", "Holds for at least one value.", "(declare-fun cost (Int) Int)\n(assert (exists ((i Int)) (> (cost i) 3)))\n"),
		entry([]string{"distinct"}, "(distinct a b c)", "No two of them are equal.", "(declare-const a Int)\n(declare-const b Int)\n(assert (distinct a b))\n"),
		entry([]string{"set-logic"}, "(set-logic QF_LIA)", "The theories that the text needs. Default: the solver detects them.", "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n"),
		entry([]string{"set-option"}, "(set-option :opt.priority pareto)", "An option of the solver. Options that affect files, clocks or threads are rejected.", "(set-option :random-seed 7)\n(declare-const x Int)\n(assert (> x 3))\n"),
		entry([]string{"set-info"}, "(set-info :source \"ours\")", "A note about the text. The solver ignores it.", "(set-info :source \"ours\")\n(declare-const x Int)\n(assert (> x 3))\n"),
		entry([]string{"push"}, "(push 1)", "Opens a scope that pop closes.", "(declare-const x Int)\n(push 1)\n(assert (> x 3))\n(check-sat)\n(pop 1)\n"),
		entry([]string{"pop"}, "(pop 1)", "Removes the declarations and assertions since the last push.", "(declare-const x Int)\n(push 1)\n(assert (> x 3))\n(check-sat)\n(pop 1)\n"),
		entry([]string{"check-sat"}, "(check-sat)", "Checks whether there is a solution. Default: one check at the end of the text.", "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"),
		entry([]string{"exit"}, "(exit)", "Ends the script; the solver ignores the commands after it.", "(declare-const b Bool)\n(assert b)\n(exit)\n"),
		entry([]string{"check-sat-assuming"}, "(check-sat-assuming (b))", "Checks whether there is a solution in which these assumptions hold as well.", "(declare-const b Bool)\n(assert (or b true))\n(check-sat-assuming (b))\n"),
		entry([]string{"get-model"}, "(get-model)", "Prints the solution. Stile always shows it.", "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n"),
		entry([]string{"get-value"}, "(get-value ((+ x 1)))", "Prints the values of terms.", "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-value (x))\n"),
		entry([]string{"get-objectives"}, "(get-objectives)", "Prints the optimal values. Stile always shows them.", "(declare-const x Int)\n(assert (> x 3))\n(minimize x)\n(check-sat)\n(get-objectives)\n"),
		entry([]string{"get-unsat-core"}, "(get-unsat-core)", "Prints the named constraints that conflict. Stile always shows them.", "(declare-const x Int)\n(assert (! (> x 3) :named a))\n(check-sat)\n(get-unsat-core)\n"),
		entry([]string{"get-info"}, "(get-info :reason-unknown)", "Prints information about the solver.", "(declare-const x Int)\n(assert (> x 3))\n(get-info :version)\n"),
		entry([]string{"echo"}, "(echo \"now\")", "Prints a string.", "(declare-const x Int)\n(assert (> x 3))\n(echo \"now\")\n"),
	}
}

// lpWords returns the manual of the LP format.
func lpWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"minimize"}, "Minimize cost: 2 x + 3 y", "The sum to minimize, with or without a name. A text begins with Minimize or Maximize.", oneLP),
		entry([]string{"maximize"}, "Maximize profit: 2 x - y", "The sum to maximize, with or without a name.", "Maximize\n profit: 2 x - y\nSubject To\n c1: x + y <= 10\nEnd\n"),
		entry([]string{"subject to"}, "Subject To c1: x + y >= 10", "The constraints: a sum on the left and a number on the right, with or without a name.", oneLP),
		entry([]string{"bounds"}, "Bounds 0 <= x <= 6", "The bounds of variables. Default: at least 0.", "Minimize\n obj: x\nSubject To\n c1: x + y >= 10\nBounds\n 0 <= x <= 6\n y <= 9\nEnd\n"),
		entry([]string{"free"}, "x free", "A variable without bounds, which may be negative.", "Minimize\n obj: x\nSubject To\n c1: x + y >= 10\n c2: y <= 3\nBounds\n x free\nEnd\n"),
		entry([]string{"inf"}, "x >= -inf", "Infinity: no bound on this side.", "Minimize\n obj: x\nSubject To\n c1: x + y >= 10\n c2: y <= 3\nBounds\n -inf <= x <= 6\nEnd\n"),
		entry([]string{"general"}, "General x y", "Integer variables.", "Minimize\n obj: x\nSubject To\n c1: 2 x >= 3\nGeneral\n x\nEnd\n"),
		entry([]string{"binary"}, "Binary open", "Variables that are 0 or 1.", "Minimize\n obj: x\nSubject To\n c1: 2 x >= 1\nBinary\n x\nEnd\n"),
		entry([]string{"semi-continuous"}, "Semi-Continuous x", "Variables that are 0 or between their bounds.", "Minimize\n obj: x\nSubject To\n c1: 2 x >= 1\nBounds\n 2 <= x <= 9\nSemi-Continuous\n x\nEnd\n"),
		entry([]string{"end"}, "End", "The end of the text.", oneLP),
	}
}

const oneLP = "Minimize\n cost: 2 x + 3 y\nSubject To\n c1: x + y >= 10\nEnd\n"
