package host_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/wasm/host"
)

// optimum is a generated problem whose optimum is known by construction or by enumeration.
type optimum struct {
	solver   solve.Solver
	text     string
	truth    *big.Rat // nil where it is irrational
	value    float64
	greatest bool // the objective is maximized
	strict   bool // the optimum is approached and never reached
	linear   bool // so the solver proves it
}

// exactOptimum is an optimum with a rational value.
func exactOptimum(solver solve.Solver, truth *big.Rat, text string, args ...any) optimum {
	v, _ := truth.Float64()
	text = fmt.Sprintf(text, args...)
	return optimum{solver: solver, text: text, truth: truth, value: v, greatest: strings.Contains(strings.ToLower(text), "maximize")}
}

// rootOptimum is an optimum whose value is a multiple of a root.
func rootOptimum(times, of int, text string, args ...any) optimum {
	if root := int(math.Round(math.Sqrt(float64(of)))); root*root == of {
		return exactOptimum(solve.Z3, big.NewRat(int64(times*root), 1), text, args...)
	}
	o := exactOptimum(solve.Z3, new(big.Rat), text, args...)
	o.truth, o.value = nil, float64(times)*math.Sqrt(float64(of))
	return o
}

// declared declares non-negative variables of a sort.
func declared(sort string, names ...string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "(declare-const %s %s)(assert (>= %s 0))\n", n, sort, n)
	}
	return b.String()
}

// best returns the minimum or maximum of a function over small integers.
func best(greatest bool, most int, f func(x, y int) (int, bool)) (int, bool) {
	found, out := false, 0
	for x := range most + 1 {
		for y := range most + 1 {
			if v, ok := f(x, y); ok && (!found || greatest == (v > out)) {
				found, out = true, v
			}
		}
	}
	return out, found
}

// whole returns an optimum over two integers up to a limit, by enumeration.
func whole(r *rand.Rand, greatest bool, most int, text string, f func(x, y int) (int, bool)) optimum {
	v, ok := best(greatest, most, f)
	if !ok {
		v = 0
	}
	return exactOptimum(solve.Z3, big.NewRat(int64(v), 1), "%s(assert (and (<= x %d) (<= y %d)))\n%s", declared("Int", "x", "y"), most, most, text)
}

// optima lists the kinds of problems.
var optima = []struct {
	name string
	make func(r *rand.Rand) optimum
}{
	{"the fence around an area", func(r *rand.Rand) optimum {
		k := 2 + r.IntN(60)
		return rootOptimum(2, k, "%s(assert (and (> w 0) (> h 0)))(assert (= (* w h) %d.0))\n(minimize (+ w h))", declared("Real", "w", "h"), k)
	}},
	{"a square from below", func(r *rand.Rand) optimum {
		k := 2 + r.IntN(40)
		return rootOptimum(1, k, "%s(assert (>= (* x x) %d.0))\n(minimize x)", declared("Real", "x"), k)
	}},
	{"a square from above", func(r *rand.Rand) optimum {
		k := 2 + r.IntN(40)
		return rootOptimum(1, k, "%s(assert (<= (^ x 2) %d.0))\n(maximize x)", declared("Real", "x"), k)
	}},
	{"a line on a disc", func(r *rand.Rand) optimum {
		a, b, radius := 1+r.IntN(5), 1+r.IntN(5), 1+r.IntN(9)
		return rootOptimum(radius, a*a+b*b, "%s(assert (<= (+ (* x x) (* y y)) %d.0))\n(maximize (+ (* %d.0 x) (* %d.0 y)))", declared("Real", "x", "y"), radius*radius, a, b)
	}},
	{"a product under a sum", func(r *rand.Rand) optimum {
		s := 1 + r.IntN(20)
		return exactOptimum(solve.Z3, big.NewRat(int64(s*s), 4), "%s(assert (<= (+ x y) %d.0))\n(maximize (* x y))", declared("Real", "x", "y"), s)
	}},
	{"a parabola", func(r *rand.Rand) optimum {
		b, c := 1+r.IntN(12), r.IntN(9)
		return exactOptimum(solve.Z3, big.NewRat(int64(4*c-b*b), 4), "%s(minimize (+ (- (* x x) (* %d.0 x)) %d.0))", declared("Real", "x"), b, c)
	}},
	{"a corner of a square", func(r *rand.Rand) optimum {
		a, b := 1+r.IntN(9), 1+r.IntN(9)
		return exactOptimum(solve.Z3, big.NewRat(int64(a*b), 1), "%s(assert (and (<= x %d) (<= y %d)))\n(maximize (* x y))", declared("Real", "x", "y"), a, b)
	}},
	{"a fraction", func(r *rand.Rand) optimum {
		a, b := 1+r.IntN(9), 2+r.IntN(9)
		return exactOptimum(solve.Z3, big.NewRat(int64(a), int64(b)), "%s(assert (and (>= x 1) (<= x %d)))\n(minimize (/ %d.0 x))", declared("Real", "x"), b, a)
	}},
	{"a product of integers", func(r *rand.Rand) optimum {
		k := 5 + r.IntN(60)
		return whole(r, false, 12, fmt.Sprintf("(assert (>= (* x y) %d))\n(minimize (+ (* 2 x) y))", k), func(x, y int) (int, bool) { return 2*x + y, x*y >= k })
	}},
	{"integers in a disc", func(r *rand.Rand) optimum {
		k, a, b := 10+r.IntN(80), 1+r.IntN(4), 1+r.IntN(4)
		return whole(r, true, 12, fmt.Sprintf("(assert (<= (+ (* x x) (* y y)) %d))\n(maximize (+ (* %d x) (* %d y)))", k, a, b), func(x, y int) (int, bool) { return a*x + b*y, x*x+y*y <= k })
	}},
	{"squares of integers", func(r *rand.Rand) optimum {
		a, b, s := r.IntN(9), r.IntN(9), 3+r.IntN(12)
		return whole(r, false, 12, fmt.Sprintf("(assert (>= (+ x y) %d))\n(minimize (+ (* (- x %d) (- x %d)) (* (- y %d) (- y %d))))", s, a, a, b, b), func(x, y int) (int, bool) {
			return (x-a)*(x-a) + (y-b)*(y-b), x+y >= s
		})
	}},
	{"a bilinear term of integers", func(r *rand.Rand) optimum {
		a, b, s := 1+r.IntN(5), 1+r.IntN(5), 4+r.IntN(20)
		return whole(r, true, 15, fmt.Sprintf("(assert (<= (+ (* %d x) (* %d y)) %d))\n(maximize (- (* x y) x))", a, b, s), func(x, y int) (int, bool) { return x*y - x, a*x+b*y <= s })
	}},
	{"nested conditions", func(r *rand.Rand) optimum {
		a, b, c := 1+r.IntN(8), 1+r.IntN(8), 1+r.IntN(5)
		return whole(r, true, 9, fmt.Sprintf("(assert (<= (+ x y) 9))\n(maximize (ite (> x %d) (ite (> y %d) (* x y) (* %d x)) (- (* y y) x)))", a, b, c), func(x, y int) (int, bool) {
			switch {
			case x+y > 9:
				return 0, false
			case x > a && y > b:
				return x * y, true
			case x > a:
				return c * x, true
			}
			return y*y - x, true
		})
	}},
	{"a remainder", func(r *rand.Rand) optimum {
		a, m := 2+r.IntN(6), 3+r.IntN(9)
		return whole(r, true, 14, fmt.Sprintf("(assert (<= (* x y) 40))\n(maximize (+ (mod (* %d x) %d) (div y 3)))", a, m), func(x, y int) (int, bool) { return a*x%m + y/3, x*y <= 40 })
	}},
	{"a divisor that varies", func(r *rand.Rand) optimum {
		a := 20 + r.IntN(40)
		return whole(r, true, 12, fmt.Sprintf("(assert (>= y 1))(assert (<= (+ x y) 14))\n(maximize (- (mod %d y) x))", a), func(x, y int) (int, bool) {
			if y < 1 || x+y > 14 {
				return 0, false
			}
			return a%y - x, true
		})
	}},
	{"integers times reals", func(r *rand.Rand) optimum {
		s := 3 + r.IntN(12) // halves
		truth := new(big.Rat)
		for n := range s {
			if v := new(big.Rat).Mul(big.NewRat(int64(n), 1), new(big.Rat).Sub(big.NewRat(int64(s), 2), big.NewRat(int64(n), 1))); v.Cmp(truth) > 0 {
				truth = v
			}
		}
		return exactOptimum(solve.Z3, truth, "%s%s(assert (<= n 20))(assert (<= (+ x (to_real n)) (/ %d.0 2.0)))\n(maximize (* x (to_real n)))", declared("Real", "x"), declared("Int", "n"), s)
	}},
	{"a mean rounded down", func(r *rand.Rand) optimum {
		s := 3 + r.IntN(20)
		return exactOptimum(solve.Z3, big.NewRat(int64(s/2), 1), "%s(assert (<= x (/ %d.0 2.0)))\n(maximize (to_int x))", declared("Real", "x"), s)
	}},
	{"a knapsack for Z3", func(r *rand.Rand) optimum {
		a, b, c, d, s := 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(9), 10+r.IntN(60)
		o := whole(r, true, 9, fmt.Sprintf("(assert (<= (+ (* %d x) (* %d y)) %d))\n(maximize (+ (* %d x) (* %d y)))", a, b, s, c, d), func(x, y int) (int, bool) { return c*x + d*y, a*x+b*y <= s })
		o.linear = true
		return o
	}},
	{"a knapsack for HiGHS", func(r *rand.Rand) optimum {
		a, b, c, d, s := 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(9), 10+r.IntN(60)
		v, _ := best(true, 9, func(x, y int) (int, bool) { return c*x + d*y, a*x+b*y <= s })
		o := exactOptimum(solve.HiGHS, big.NewRat(int64(v), 1), "Maximize\n obj: %d x + %d y\nSubject To\n room: %d x + %d y <= %d\nBounds\n x <= 9\n y <= 9\nGeneral\n x y\nEnd\n", c, d, a, b, s)
		o.linear = true
		return o
	}},
	{"a blend for HiGHS", func(r *rand.Rand) optimum {
		a, b, s := 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(30)
		o := exactOptimum(solve.HiGHS, big.NewRat(int64(s), int64(max(a, b))), "Minimize\n obj: x + y\nSubject To\n need: %d x + %d y >= %d\nEnd\n", a, b, s)
		o.linear = true
		return o
	}},
	{"a blend for Z3", func(r *rand.Rand) optimum {
		a, b, s := 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(30)
		o := exactOptimum(solve.Z3, big.NewRat(int64(s), int64(max(a, b))), "%s(assert (>= (+ (* %d x) (* %d y)) %d))\n(minimize (+ x y))", declared("Real", "x", "y"), a, b, s)
		o.linear = true
		return o
	}},
	{"a limit that is not reached", func(r *rand.Rand) optimum {
		a, b := 1+r.IntN(9), 1+r.IntN(9)
		o := exactOptimum(solve.Z3, big.NewRat(int64(a+b), 1), "%s(assert (and (< x %d) (<= y %d)))\n(maximize (+ x y))", declared("Real", "x", "y"), a, b)
		o.linear, o.strict = true, true
		return o
	}},
	{"a square that is not reached", func(r *rand.Rand) optimum {
		a := 2 + r.IntN(6)
		o := exactOptimum(solve.Z3, big.NewRat(int64(a), 1), "%s(assert (< (* x x) %d.0))\n(maximize x)", declared("Real", "x"), a*a)
		o.strict = true
		return o
	}},
	{"a convex square for HiGHS", func(r *rand.Rand) optimum {
		a, s := 1+r.IntN(5), 1+r.IntN(9) // x²a + y² with x + y = s
		return exactOptimum(solve.HiGHS, big.NewRat(int64(a*s*s), int64(a+1)), "Minimize\n obj: [ %d x ^ 2 + 2 y ^ 2 ] / 2\nSubject To\n sum: x + y = %d\nEnd\n", 2*a, s)
	}},
	{"a saddle for HiGHS", func(r *rand.Rand) optimum {
		a, b, c := 1+r.IntN(6), 1+r.IntN(6), r.IntN(8)
		// c x - x y on a rectangle has its minimum at a corner.
		return exactOptimum(solve.HiGHS, big.NewRat(int64(min(0, c*a-a*b)), 1), "Minimize\n obj: %d x + [ - 2 x * y ] / 2\nSubject To\n any: x + y >= 0\nBounds\n x <= %d\n y <= %d\nEnd\n", c, a, b)
	}},
	{"a hill for HiGHS", func(r *rand.Rand) optimum {
		a := 1 + r.IntN(9)
		return exactOptimum(solve.HiGHS, big.NewRat(int64(-a*a), 1), "Minimize\n obj: x + [ - 2 x ^ 2 ] / 2\nSubject To\n any: x + y >= 0\nBounds\n x <= %d\n y <= 4\nEnd\n", a+1)
	}},
}

// TestNoFalseOptimum generates problems with known optima. A value reported as proved
// is the optimum; any other value and bound is on the correct side of it.
func TestNoFalseOptimum(t *testing.T) {
	s := solvers(t)
	n := 12
	if os.Getenv("STILE_LONG") != "" {
		n = 104
	}
	handler := host.Native(session.New())
	r := rand.New(rand.NewPCG(19, 7))
	proven := 0
	for i := range n {
		kind := optima[(i*5)%len(optima)]
		if os.Getenv("STILE_LONG") != "" {
			kind = optima[i%len(optima)]
		}
		o := kind.make(r)
		t.Run(fmt.Sprintf("%d %s", i, kind.name), func(t *testing.T) {
			out, err := solveRun(t, context.Background(), handler, s, session.SolveSettings{Solver: o.solver, Text: o.text})
			if err != nil {
				t.Fatal(err)
			}
			if out.Answer.Proven {
				proven++
			}
			if fault := o.fault(out.Answer); fault != "" {
				t.Errorf("%s\n%s\n%+v", fault, o.text, out.Answer)
			}
		})
	}
	t.Logf("%d of %d are proven", proven, n)
}

// fault returns the false claim of an answer, or "".
func (o optimum) fault(a solve.Result) string {
	switch {
	case a.Status == solve.StatusUnsat || a.Status == solve.StatusUnbounded:
		return "there is a best solution, and it says " + string(a.Status)
	case o.linear && !a.Proven:
		return "it is linear, and not proved optimal"
	case !a.Proven && a.Status != solve.StatusSat && len(a.Model) == 0:
		return "" // it reports that it has nothing
	case len(a.Objectives) != 1 || a.Objectives[0].Value == "":
		if a.Proven {
			return "it is proven without a value"
		}
		return ""
	}
	at := a.Objectives[0]
	value := floatOf(at.Value)
	near := 1e-6 * max(1, math.Abs(o.value))
	sign := 1.0
	if o.greatest {
		sign = -1
	}
	switch {
	case sign*(value-o.value) < -near:
		return fmt.Sprintf("%s is better than the best, %v", at.Value, o.value)
	case a.Bound != "" && sign*(floatOf(a.Bound)-o.value) > near:
		return fmt.Sprintf("the bound %s excludes the best, %v", a.Bound, o.value)
	case !a.Proven:
		return ""
	case o.truth == nil:
		return "an irrational optimum is proven to be " + at.Value
	case o.strict != at.Strict:
		return "the optimum is approached and never reached"
	case o.solver == solve.HiGHS && math.Abs(value-o.value) <= near:
		return ""
	case at.Value != o.truth.RatString():
		return fmt.Sprintf("%s is proven, and the best is %s", at.Value, o.truth.RatString())
	}
	return ""
}

// floatOf reads a value with or without a question mark.
func floatOf(text string) float64 {
	r, ok := new(big.Rat).SetString(strings.TrimSuffix(text, "?"))
	if !ok {
		return math.NaN()
	}
	f, _ := r.Float64()
	return f
}
