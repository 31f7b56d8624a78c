package solve

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// searched runs a search with canned replies, one per query, and returns its result and
// the queried conditions.
func searched(t *testing.T, text, first string, replies ...string) (Result, []string) {
	t.Helper()
	file := source.NewFile("p", text)
	p, found := Check(Z3, file)
	if source.HasErrors(found) {
		t.Fatal(found)
	}
	r := Failed(Z3, first, "the time limit was reached: 1 s")
	if first != CodeTimeout {
		r = Read(file, p, Reply{Text: first})
	}
	s := Improve(file, p, Limits{}, r)
	var asked []string
	for {
		query, problem, more := s.Next()
		if !more {
			return s.Result(), asked
		}
		text := query.Text[strings.Index(query.Text, "\n")+1:]
		asked = append(asked, strings.Join(strings.Fields(text[:strings.Index(text, "(check-sat)")]), " "))
		reply := "unknown\n"
		if len(replies) > 0 {
			reply, replies = replies[0], replies[1:]
		}
		s.Answer(Read(file, problem, Reply{Text: reply, Milliseconds: 10}))
	}
}

const fence = "(declare-const w Real)(declare-const h Real)(assert (> w 0.0))(assert (> h 0.0))(assert (= (* w h) 12.0))(minimize (+ w h))"

func model(values ...string) string {
	var b strings.Builder
	b.WriteString("sat\nstile.model\n(")
	for i := 0; i < len(values); i += 2 {
		b.WriteString("(define-fun " + values[i] + " () Real " + values[i+1] + ")")
	}
	return b.String() + ")"
}

// The optimizer reports 36/5, its own solution has 7, and neither is the optimum.
func TestValueIsThatOfTheShownSolution(t *testing.T) {
	first := strings.Replace(model("w", "4.0", "h", "3.0"), "stile.model", "stile.objectives\n(objectives ((+ w h) (/ 36.0 5.0)))\nstile.model", 1)
	r, asked := searched(t, fence, first)
	if r.Proven || r.Status != StatusSat || r.Objectives[0].Value != "7" || r.Message != "best found, not proved optimal" {
		t.Errorf("%+v", r)
	}
	if len(asked) != 1 || !strings.HasSuffix(asked[0], "(assert (or (and (< (+ w h) 7.0))))") || strings.Contains(asked[0], "minimize") {
		t.Errorf("%q", asked)
	}
	r, _ = searched(t, fence, first, model("w", "3.5", "h", "(/ 24.0 7.0)"), "unsat", "unsat", "unknown")
	if r.Proven || r.Objectives[0].Value != "97/14" || r.Bound == "" || r.Gap == "" || r.Model[0].Value != "3.5" {
		t.Errorf("%+v", r)
	}
	if r, _ = searched(t, fence, first, model("w", "1.0", "h", "1.0")); r.Objectives[0].Value != "7" {
		t.Errorf("a solution that breaks an assertion is taken: %+v", r)
	}
}

// Only a refutation is a proof, and a linear problem needs no further query.
func TestOnlyARefutationIsAProof(t *testing.T) {
	const square = "(declare-const x Real)(assert (>= (* x x) 4.0))(assert (>= x 0.0))(minimize x)"
	first := strings.Replace(model("x", "2.0"), "stile.model", "stile.objectives\n(objectives (x 2))\nstile.model", 1)
	if r, _ := searched(t, square, first, "unsat"); !r.Proven || r.Objectives[0].Value != "2" || r.Searched != 1 {
		t.Errorf("%+v", r)
	}
	if r, _ := searched(t, square, first, "unknown"); r.Proven {
		t.Errorf("%+v", r)
	}
	linear := strings.Replace(square, "(* x x) 4.0", "(* 2.0 x) 4.0", 1)
	if r, asked := searched(t, linear, first); !r.Proven || len(asked) > 0 {
		t.Errorf("%+v %q", r, asked)
	}
	// The claimed optimum of a linear problem must equal the value of its solution, too.
	if r, asked := searched(t, linear, strings.Replace(first, "(x 2)", "(x 1)", 1), "unknown"); r.Proven || len(asked) != 1 || r.Objectives[0].Value != "2" {
		t.Errorf("%+v %q", r, asked)
	}
	strict := "(declare-const x Real)(assert (< x 4.0))(maximize x)"
	claim := strings.Replace(model("x", "3.0"), "stile.model", "stile.objectives\n(objectives (x (+ 4.0 (* (- 1.0) epsilon))))\nstile.model", 1)
	if r, _ := searched(t, strict, claim); !r.Proven || !r.Objectives[0].Strict || r.Objectives[0].Value != "4" || r.Objectives[0].Shown != "3" {
		t.Errorf("%+v", r)
	}
}

// After a timeout the next query asks for any solution.
func TestTimeoutKeepsTheSolution(t *testing.T) {
	const text = "(declare-const x Int)(assert (and (>= x 3) (<= x 90)))(minimize x)"
	whole := func(n string) string { return strings.Replace(model("x", n), "Real", "Int", 1) }
	r, asked := searched(t, text, CodeTimeout, whole("50"), whole("20"), "unknown", "unknown")
	if r.Status != StatusTimeout || r.Proven || r.Objectives[0].Value != "20" || len(asked) < 3 || strings.Contains(asked[0], "minimize") {
		t.Errorf("%+v %q", r, asked)
	}
	if r, _ = searched(t, text, CodeTimeout, whole("3"), "unsat"); r.Status != StatusSat || !r.Proven {
		t.Errorf("%+v", r)
	}
	if r, _ = searched(t, text, CodeTimeout, "unsat"); r.Status != StatusUnsat {
		t.Errorf("%+v", r)
	}
	if r, _ = searched(t, text, CodeTimeout); r.Status != StatusTimeout || len(r.Model) > 0 {
		t.Errorf("%+v", r)
	}
}

// A work limit leaves Z3's interval. Its finite end is the bound; for an infinite end the
// search refutes a condition far from the value.
func TestWorkLimitReportsABound(t *testing.T) {
	const text = "(declare-const x Int)(assert (and (>= x 0) (<= x 90)))(maximize x)"
	cut := func(interval string) string {
		return "(error \"line 2 column 10: push canceled\")\nstile.reason\n(:reason-unknown \"canceled\")\nstile.objectives\n(objectives (x " + interval + "))\nstile.model\n((define-fun x () Int 40))"
	}
	for _, c := range []struct {
		interval, bound, gap string
		asked                int
		replies              []string
	}{
		{"(interval 40 90)", "90", "1.25", 1, nil},
		{"(interval 40 oo)", "45", "0.125", 3, []string{"unknown", "unsat"}},
		{"(interval 40 oo)", "80", "1", 4, []string{"unknown", "unknown", "unsat"}},
		{"(interval 40 oo)", "", "", 4, nil},
		{"(interval 20 30)", "", "", 4, nil}, // a bound that the solution violates is ignored
	} {
		r, asked := searched(t, text, cut(c.interval), c.replies...)
		o := r.Objectives[0]
		if r.Status != StatusUnknown || r.Proven || o.Value != "40" || r.Bound != c.bound || o.High != c.bound || r.Gap != c.gap || len(asked) != c.asked {
			t.Errorf("%s: bound %q, gap %q, %+v after %q", c.interval, r.Bound, r.Gap, o, asked)
		}
		if gap := r.Gap != ""; strings.Contains(r.Message, "gap ") != gap {
			t.Errorf("%s: %s", c.interval, r.Message)
		}
	}
	product := strings.Replace(text, "(maximize x)", "(maximize (* x x))", 1)
	if r, _ := searched(t, product, strings.Replace(cut("(interval 1600 1700)"), "(x (", "((* x x) (", 1)); r.Bound != "" {
		t.Errorf("the bound of a non-linear objective is taken over: %+v", r)
	}
}

func TestDegreesOfTerms(t *testing.T) {
	for text, linear := range map[string]bool{
		"(* 2 x)": true, "(* x y)": false, "(* x x)": false, "(/ r 2.0)": true, "(/ 2.0 r)": false, "(div x 3)": true, "(div 3 x)": false, "(mod x 5)": true,
		"(^ x 2)": false, "(^ 2 3)": true, "(to_int r)": false, "(+ r (to_real x))": true, "(ite (> x 1) x (* 3 x))": true, "(ite (> x 1) x (* y x))": false,
		"(* (ite (> x 1) 2 3) y)": false, "(cost 3)": true, "(* (cost 2) x)": true, "(* (cost x) x)": false, "(let ((z (* 2 x))) (+ z z))": true, "(let ((z y)) (* z x))": false,
		"(twice x)": true, "(f x)": false, "(* two x)": true, "(abs x)": true, "(! (* x y) :named n)": false, "(select a x)": false,
	} {
		all := "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const a (Array Int Int))(declare-fun f (Int) Int)(define-const two Int 2)" +
			"(define-fun cost ((i Int)) Int (ite (= i 2) 7 (* i 3)))(define-fun twice ((i Int)) Int (* 2 i))(minimize " + text + ")"
		p, found := Check(Z3, source.NewFile("p", all))
		if source.HasErrors(found) {
			t.Errorf("%s: %v", text, found)
		}
		if got := p.degree < degreeOther; got != linear {
			t.Errorf("%s is linear: %v", text, got)
		}
	}
}

// Terms are evaluated by the rules of SMT-LIB.
func TestTermsAreEvaluated(t *testing.T) {
	for text, want := range map[string]string{
		"(+ 1 2 3)": "6", "(- 5)": "-5", "(- 5 2 1)": "2", "(/ 1.0 3.0)": "1/3", "(div 7 2)": "3", "(div (- 7) 2)": "-4", "(div 7 (- 2))": "-3", "(mod (- 7) 2)": "1", "(mod 7 (- 2))": "1",
		"(^ 2 10)": "1024", "(to_int (- 2.5))": "-3", "(abs (- 3))": "3", "(ite (and (> 2 1) (not (= 1 2))) 4 5)": "4", "(let ((a 2) (b 3)) (* a b))": "6", "(/ 1.0 0.0)": "none", "(div 1 0)": "none",
		"(ite (distinct 1 2 1) 1 0)": "0", "(ite (< 1 2 3) 1 0)": "1", "(ite (=> false true) 1 0)": "1", "(ite (xor true true) 1 0)": "0", "(ite (is_int 2.0) 1 0)": "1", "#x0f": "15",
		"(root-obj (+ (^ x 2) (- 2)) 2)": "1.4142135623?", "(root-obj (+ (^ x 2) (- 2)) 1)": "-1.4142135623?", "(* 2.0 (root-obj (+ (^ x 3) (- 3)) 1))": "2.8844991406?", "(root-obj (+ (^ x 2) (- 4)) 2)": "2",
		"(root-obj (+ (* 2 (^ x 3)) (* (- 1) x)) 2)": "0", "1.25?": "1.25?", "(ite (< (root-obj (+ (^ x 2) (- 2)) 2) 1.5) 1 0)": "1", "(ite (= (root-obj (+ (^ x 2) (- 2)) 2) (root-obj (+ (^ x 2) (- 2)) 2)) 1 0)": "none", "(str.len \"a\")": "none",
	} {
		r := smtReader{text: text, found: &faults{}, quiet: true}
		form, _ := r.next()
		got := "none"
		if v, ok := (&evaluator{}).term(&form, nil); ok && v.lo != nil {
			got = v.number.String()
		}
		if got != want {
			t.Errorf("%s is %s, not %s", text, got, want)
		}
	}
}

func TestBoundsAreRoundedOutwards(t *testing.T) {
	third := big.NewRat(100_000_000_000, 300_000_000_001)
	if low, high := bounded(third, false), bounded(third, true); low != "0.3333333333" || high != "0.3333333334" {
		t.Error(low, high)
	}
	if low, high := bounded(new(big.Rat).Neg(third), false), bounded(new(big.Rat).Neg(third), true); low != "-0.3333333334" || high != "-0.3333333333" {
		t.Error(low, high)
	}
	for _, c := range []struct{ lo, hi, want *big.Rat }{
		{big.NewRat(1, 3), big.NewRat(1, 2), big.NewRat(1, 2)}, {big.NewRat(-5, 2), big.NewRat(-9, 4), big.NewRat(-5, 2)}, {big.NewRat(314, 100), big.NewRat(315, 100), big.NewRat(22, 7)}, {big.NewRat(-1, 2), big.NewRat(1, 9), new(big.Rat)},
	} {
		if got := simplest(c.lo, c.hi); got.Cmp(c.want) != 0 {
			t.Errorf("%s to %s: %s", c.lo, c.hi, got)
		}
	}
}

// After the first solution, a search that maximizes asks for a larger value; a Pareto search without a
// first point asks for any solution.
func TestQuestionsHaveTheSenseOfTheirObjective(t *testing.T) {
	whole := func(values ...string) string { return strings.ReplaceAll(model(values...), "Real", "Int") }
	_, asked := searched(t, "(declare-const x Int)(assert (and (>= x 3) (<= x 90)))(maximize x)", CodeTimeout, whole("x", "50"), whole("x", "70"), "unknown", "unknown")
	if len(asked) < 3 || strings.Contains(asked[0], "(> x ") {
		t.Errorf("%q", asked)
	}
	for _, text := range asked[1:] {
		if !strings.Contains(text, "(> x ") {
			t.Errorf("%q", text)
		}
	}
	const pareto = "(set-option :opt.priority pareto)(declare-const x Int)(declare-const y Int)(assert (and (>= x 3) (<= x 90) (= y x)))(maximize x)(minimize y)"
	if r, asked := searched(t, pareto, CodeTimeout, whole("x", "50", "y", "50"), "unknown"); len(r.Model) != 2 || len(asked) < 2 || !strings.Contains(asked[1], "(> x 50)") {
		t.Errorf("%+v %q", r, asked)
	}
}

// Quality states the time of a search that a limit ended, and the gap if it is known.
func TestQualityOfSolutions(t *testing.T) {
	r := Result{Status: StatusTimeout, Milliseconds: 8512, Gap: "0.0551", Model: []Value{{}}, Objectives: []Objective{{}}}
	if got := r.Quality(); got != "best found in 8.5 s, gap 5.5 %, not proved optimal" {
		t.Error(got)
	}
	r.Status, r.Gap = StatusSat, ""
	if got := r.Quality(); got != "best found, not proved optimal" {
		t.Error(got)
	}
	if r.Proven = true; r.Quality() != "" {
		t.Error(r.Quality())
	}
}
