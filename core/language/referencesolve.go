package language

// smtReference says what the words of SMT-LIB mean, as far as a text may have them.
var smtReference = []Entry{
	{[]string{"declare-const"}, "(declare-const x Int)", "Something to be chosen: a variable, with what kind of value it has. Int, Real and Bool are the usual kinds.", "(declare-const x Int)\n(assert (> x 3))\n"},
	{[]string{"declare-fun"}, "(declare-fun cost (Int Int) Int)", "A function to be chosen: a value for each of its arguments. Without arguments it is a variable.", "(declare-fun cost (Int) Int)\n(assert (> (cost 1) 3))\n"},
	{[]string{"define-fun"}, "(define-fun twice ((x Int)) Int (* 2 x))", "A name for a term, with parameters or without.", "(declare-const x Int)\n(define-fun twice ((y Int)) Int (* 2 y))\n(assert (> (twice x) 3))\n"},
	{[]string{"define-const"}, "(define-const most Int 40)", "A name for a value.", "(declare-const x Int)\n(define-const most Int 40)\n(assert (<= x most))\n"},
	{[]string{"define-fun-rec"}, "(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))", "A function whose definition names itself.", "(declare-const x Int)\n(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))\n(assert (= x (sum 3)))\n"},
	{[]string{"declare-sort"}, "(declare-sort Place 0)", "A kind of values of which nothing is known but which are equal.", "(declare-sort Place 0)\n(declare-const home Place)\n(declare-const work Place)\n(assert (distinct home work))\n"},
	{[]string{"define-sort"}, "(define-sort Money () Int)", "A name for a kind of values.", "(define-sort Money () Int)\n(declare-const cost Money)\n(assert (> cost 0))\n"},
	{[]string{"declare-datatype"}, "(declare-datatype Colour ((red) (green)))", "A kind of values that are made in these ways.", "(declare-datatype Colour ((red) (green)))\n(declare-const c Colour)\n(assert (distinct c red))\n"},
	{[]string{"declare-datatypes"}, "(declare-datatypes ((Tree 0)) (((leaf) (fork (left Tree) (right Tree)))))", "Several such kinds, which may name each other.", "(declare-datatypes ((Tree 0)) (((leaf) (fork (left Tree) (right Tree)))))\n(declare-const t Tree)\n(assert (distinct t leaf))\n"},
	{[]string{"assert"}, "(assert (<= (+ x y) 10))", "A constraint: what has to hold.", "(declare-const x Int)\n(assert (> x 3))\n"},
	{[]string{":named"}, "(assert (! (> x 3) :named enough))", "The name of a constraint. Where no solution is left, the answer tells which of those that have a name exclude each other.", "(declare-const x Int)\n(assert (! (> x 3) :named enough))\n"},
	{[]string{"assert-soft"}, "(assert-soft (> x 3) :weight 2)", "A wish: as many of them hold as can, counted by weight.", "(declare-const x Int)\n(assert (< x 9))\n(assert-soft (> x 3) :weight 2 :id big)\n"},
	{[]string{":weight"}, "(assert-soft (> x 3) :weight 2)", "How much a wish counts. Without it, 1.", "(declare-const x Int)\n(assert-soft (> x 3) :weight 2)\n"},
	{[]string{":id"}, "(assert-soft (> x 3) :id big)", "Which wishes are counted together.", "(declare-const x Int)\n(assert-soft (> x 3) :id big)\n"},
	{[]string{"minimize"}, "(minimize (+ x y))", "What is to be the least. Of several, the first counts before the next.", "(declare-const x Int)\n(assert (> x 3))\n(minimize x)\n"},
	{[]string{"maximize"}, "(maximize profit)", "What is to be the greatest.", "(declare-const x Int)\n(assert (< x 3))\n(maximize x)\n"},
	{[]string{"ite"}, "(ite (> x 3) 1 0)", "If the first holds, the second, else the third. So a truth value counts.", "(declare-const b Bool)\n(minimize (ite b 1 0))\n"},
	{[]string{"let"}, "(let ((sum (+ x y))) (* sum sum))", "A name within a term.", "(declare-const x Int)\n(assert (let ((y (+ x 1))) (> (* 2 y) 7)))\n"},
	{[]string{"forall"}, "(forall ((i Int)) (>= (cost i) 0))", "It holds of all values. Solvers are slow at it; what can be listed is better listed.", "(declare-fun cost (Int) Int)\n(assert (forall ((i Int)) (>= (cost i) 0)))\n"},
	{[]string{"exists"}, "(exists ((i Int)) (> (cost i) 3))", "It holds of some value.", "(declare-fun cost (Int) Int)\n(assert (exists ((i Int)) (> (cost i) 3)))\n"},
	{[]string{"distinct"}, "(distinct a b c)", "No two of them are equal.", "(declare-const a Int)\n(declare-const b Int)\n(assert (distinct a b))\n"},
	{[]string{"set-logic"}, "(set-logic QF_LIA)", "Which theories the text needs. Without it the solver finds out.", "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n"},
	{[]string{"set-option"}, "(set-option :opt.priority pareto)", "An option of the solver. Only those pass that touch no file, no clock and no thread.", "(set-option :random-seed 7)\n(declare-const x Int)\n(assert (> x 3))\n"},
	{[]string{"set-info"}, "(set-info :source \"ours\")", "A note about the text, which means nothing to the solver.", "(set-info :source \"ours\")\n(declare-const x Int)\n(assert (> x 3))\n"},
	{[]string{"push"}, "(push 1)", "Begins what a pop takes back.", "(declare-const x Int)\n(push 1)\n(assert (> x 3))\n(check-sat)\n(pop 1)\n"},
	{[]string{"pop"}, "(pop 1)", "Takes back what was declared and asserted since the last push.", "(declare-const x Int)\n(push 1)\n(assert (> x 3))\n(check-sat)\n(pop 1)\n"},
	{[]string{"check-sat"}, "(check-sat)", "Asks whether there is a solution. A text without it is asked about once, at its end.", "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"},
	{[]string{"exit"}, "(exit)", "Ends the text. The solver is not given what follows.", "(declare-const b Bool)\n(assert b)\n(exit)\n"},
	{[]string{"check-sat-assuming"}, "(check-sat-assuming (b))", "Asks whether there is a solution in which these hold as well.", "(declare-const b Bool)\n(assert (or b true))\n(check-sat-assuming (b))\n"},
	{[]string{"get-model"}, "(get-model)", "Prints the solution. It is told in any case.", "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n"},
	{[]string{"get-value"}, "(get-value ((+ x 1)))", "Prints the values of terms.", "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-value (x))\n"},
	{[]string{"get-objectives"}, "(get-objectives)", "Prints the best values. They are told in any case.", "(declare-const x Int)\n(assert (> x 3))\n(minimize x)\n(check-sat)\n(get-objectives)\n"},
	{[]string{"get-unsat-core"}, "(get-unsat-core)", "Prints which named constraints exclude each other. It is told in any case.", "(declare-const x Int)\n(assert (! (> x 3) :named a))\n(check-sat)\n(get-unsat-core)\n"},
	{[]string{"get-info"}, "(get-info :reason-unknown)", "Prints what the solver says of itself.", "(declare-const x Int)\n(assert (> x 3))\n(get-info :version)\n"},
	{[]string{"echo"}, "(echo \"now\")", "Prints a text.", "(declare-const x Int)\n(assert (> x 3))\n(echo \"now\")\n"},
}

// lpReference says what the words of the LP format mean.
var lpReference = []Entry{
	{[]string{"minimize"}, "Minimize cost: 2 x + 3 y", "What is to be the least: a sum, with a name or without. A text begins with this or with Maximize.", oneLP},
	{[]string{"maximize"}, "Maximize profit: 2 x - y", "What is to be the greatest.", "Maximize\n profit: 2 x - y\nSubject To\n c1: x + y <= 10\nEnd\n"},
	{[]string{"subject to"}, "Subject To c1: x + y >= 10", "The constraints: a sum on the left, a number on the right, each with a name or without.", oneLP},
	{[]string{"bounds"}, "Bounds 0 <= x <= 6", "Between what a variable lies. Without a bound it is at least 0.", "Minimize\n obj: x\nSubject To\n c1: x + y >= 10\nBounds\n 0 <= x <= 6\n y <= 9\nEnd\n"},
	{[]string{"free"}, "x free", "A variable without bounds: it may be negative.", "Minimize\n obj: x\nSubject To\n c1: x + y >= 10\n c2: y <= 3\nBounds\n x free\nEnd\n"},
	{[]string{"inf"}, "x >= -inf", "No bound on this side.", "Minimize\n obj: x\nSubject To\n c1: x + y >= 10\n c2: y <= 3\nBounds\n -inf <= x <= 6\nEnd\n"},
	{[]string{"general"}, "General x y", "Variables whose values are whole numbers.", "Minimize\n obj: x\nSubject To\n c1: 2 x >= 3\nGeneral\n x\nEnd\n"},
	{[]string{"binary"}, "Binary open", "Variables that are 0 or 1.", "Minimize\n obj: x\nSubject To\n c1: 2 x >= 1\nBinary\n x\nEnd\n"},
	{[]string{"semi-continuous"}, "Semi-Continuous x", "Variables that are 0, or between their bounds.", "Minimize\n obj: x\nSubject To\n c1: 2 x >= 1\nBounds\n 2 <= x <= 9\nSemi-Continuous\n x\nEnd\n"},
	{[]string{"end"}, "End", "The end of the text.", oneLP},
}

const oneLP = "Minimize\n cost: 2 x + 3 y\nSubject To\n c1: x + y >= 10\nEnd\n"
