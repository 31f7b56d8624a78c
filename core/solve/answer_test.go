package solve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// said writes a result on a few lines.
func said(file *source.File, r Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q\n", r.Status, r.Message)
	for _, o := range r.Objectives {
		fmt.Fprintf(&b, "%s %s = %s [%s %s] %v\n", o.Sense, o.Expression, o.Value, o.Low, o.High, o.Strict)
	}
	for _, v := range r.Model {
		fmt.Fprintf(&b, "%s %s = %s\n", v.Name, v.Sort, v.Value)
	}
	for _, c := range r.Core {
		fmt.Fprintf(&b, "core %s: %s\n", c.Name, file.Slice(c.Span))
	}
	for _, d := range r.Faults {
		fmt.Fprintf(&b, "fault at %q: %s\n", file.Slice(d.Span), d.Message)
	}
	return b.String()
}

func TestAnswersOfZ3HaveTypes(t *testing.T) {
	for _, c := range []struct{ name, text, reply, want string }{
		{"numbers are exact and in the order of the text",
			"(declare-const a Int)(declare-const b Real)(declare-const c Bool)(declare-const d Real)(declare-fun f (Int) Int)(assert c)",
			"sat\nstile.reason\n(:reason-unknown \"\")\nstile.model\n((define-fun c () Bool true)\n (define-fun b () Real\n (- (/ 1.0 3.0)))(define-fun f ((x!0 Int)) Int (ite (= x!0 1) 2 3))\n (define-fun d () Real 0.250)(define-fun a () Int (- 4)) (define-fun k!1 () Int 7))\nstile.statistics\n(:conflicts 1 :time 0.01)",
			"sat \"\"\na Int = -4\nb Real = -1/3\nc Bool = true\nd Real = 0.25\nf (Int) Int = (ite (= x!0 1) 2 3)\n"},
		{"objectives", "(declare-const x Int)(minimize (+ x 1))(maximize x)",
			"sat\nstile.reason\n(:reason-unknown \"unknown\")\nstile.objectives\n(objectives\n ((+ x 1) 5)\n (x (/ 7.0 2.0))\n)\nstile.model\n()\n",
			"sat \"\"\nminimize (+ x 1) = 5 [ ] false\nmaximize x = 7/2 [ ] false\n"},
		{"no bound", "(declare-const x Int)(maximize x)(minimize x)", "sat\nstile.objectives\n(objectives (x oo) (x (* (- 1) oo)))\nstile.model\n()",
			"unbounded \"\"\nmaximize x = ∞ [ ] false\nminimize x = -∞ [ ] false\n"},
		{"a value that is never reached", "(declare-const r Real)(maximize r)", "sat\nstile.objectives\n(objectives (r (interval (- (/ 2.0 3.0)) (+ (/ 1.0 3.0) (* (- 1.0) epsilon)))))\nstile.model\n()",
			"sat \"\"\nmaximize r = 1/3 [-2/3 1/3] true\n"},
		{"the work is done before the optimum", "(declare-const x Int)(minimize x)",
			"(error \"line 2 column 169: push canceled\")\nstile.reason\n(:reason-unknown \"canceled\")\nstile.objectives\n(objectives (x (interval (* (- 1) oo) 45)))\nstile.model\n((define-fun x () Int 45))",
			"unknown \"the work limit was reached\"\nminimize x =  [-∞ 45] false\nx Int = 45\n"},
		{"unsat with its core", "(declare-const x Int)\n(assert (! (> x 3) :named high))(assert (! (< x 2) :named low))",
			"unsat\nstile.reason\n(:reason-unknown \"unknown\")\nstile.model\n(error \"line 4 column 106: model is not available\")\nstile.core\n(low high)",
			"unsat \"2 of the named assertions contradict each other\"\ncore high: (! (> x 3) :named high)\ncore low: (! (< x 2) :named low)\n"},
		{"an error at its place", "(declare-const x Int)\n(assert (> y 1))", "(error \"line 3 column 11: unknown constant y\")\nsat\nstile.model\n()",
			"error \"Z3: unknown constant y\"\nfault at \"y\": Z3: unknown constant y\n"},
		{"an error at an operator", "(declare-const b Bool)\n(assert (+ b 1))", "(error \"line 3 column 14: Sorts Bool and Int are incompatible\")\nsat\nstile.model\n()",
			"error \"Z3: Sorts Bool and Int are incompatible\"\nfault at \"1\": Z3: Sorts Bool and Int are incompatible\n"},
		{"broken off", "(declare-const x Int)", "", "error \"the solver stopped in the middle of the text\"\n"},
		{"a model that the text itself asks for in vain", "(assert false)(check-sat)(get-model)", "unsat\n(error \"line 2 column 36: model is not available\")\nstile.model\n(error \"line 3 column 9: model is not available\")", "unsat \"\"\n"},
		{"several questions", "(check-sat)(check-sat)", "sat\nunsat\nstile.model\n(error \"line 3 column 9: model is not available\")", "unsat \"\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := source.NewFile("p", c.text)
			p, _ := Check(Z3, file)
			if got := said(file, Read(file, p, Reply{Text: c.reply})); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestAnswersOfHiGHSHaveTypes(t *testing.T) {
	const text = "Maximize\n obj: x + 2 y\nSubject To\n c1: x + y <= 4\n c2: x - y >= 1\nGeneral\n x\nBinary\n y\nEnd\n"
	for _, c := range []struct{ name, reply, want string }{
		{"a solution", `{"status":"optimal","objective":4.9999999999997,"bound":5,"gap":0,"names":["y","x"],"values":[0.9999999999,2.99999999999]}`,
			"sat \"\"\nmaximize x + 2 y = 5 [ ] false\nx Int = 3\ny Int = 1\n"},
		{"none", `{"status":"infeasible","rows":["c1","c2"],"bounds":["y"]}`,
			"unsat \"3 constraints and bounds contradict each other\"\nmaximize x + 2 y =  [ ] false\ncore c1: c1: x + y <= 4\ncore c2: c2: x - y >= 1\ncore bounds of y: y\n"},
		{"ever better ones", `{"status":"unbounded"}`, "unbounded \"\"\nmaximize x + 2 y = ∞ [ ] false\n"},
		{"too late", `{"status":"timeLimit"}`, "timeout \"the time limit was reached\"\nmaximize x + 2 y =  [ ] false\n"},
		{"what is no answer", `x`, "error \"cannot read HiGHS's answer: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := source.NewFile("p", text)
			p, found := Check(HiGHS, file)
			if len(found) > 0 {
				t.Fatal(listed(file, found))
			}
			if got := said(file, Read(file, p, Reply{Text: c.reply})); !strings.HasPrefix(got, c.want) {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// Numbers of integer variables are rounded; others stay, and missing ones are 0.
func TestShownValuesHaveTheirSorts(t *testing.T) {
	p := Problem{Names: []Name{{Name: "i", Sort: "Int"}, {Name: "b", Sort: "Bool"}, {Name: "r", Sort: "Real"}, {Name: "none", Sort: "Int"}}}
	near, one, half := 1.9999999, 0.9999999, 0.25
	if x, whole := shownLP(p, []*float64{&near, &one, &half, nil}); !slices.Equal(x, []float64{2, 1, 0.25, 0}) || !whole {
		t.Errorf("%v, integers: %v", x, whole)
	}
	if _, whole := shownLP(p, []*float64{&half, nil, &half, nil}); whole {
		t.Error("0.25 is an integer")
	}
}

// A value may exceed its bound by the tolerance, and by no more.
func TestToleranceOfBounds(t *testing.T) {
	file := source.NewFile("p", "Maximize\n obj: x\nSubject To\n c1: x <= 5\nBounds\n 0 <= x <= 0\nEnd\n")
	p, found := Check(HiGHS, file)
	if len(found) > 0 {
		t.Fatal(listed(file, found))
	}
	m := readLP(file.Text, p)
	for x, want := range map[float64]string{lpTolerance: "", 1.01 * lpTolerance: "the bounds of x", -lpTolerance: "", -1.01 * lpTolerance: "the bounds of x"} {
		if got := m.broken(p, []float64{x}); got != want {
			t.Errorf("%v: %q", x, got)
		}
	}
}

func TestHostErrorsBecomeStatuses(t *testing.T) {
	for code, want := range map[string]Status{CodeTimeout: StatusTimeout, CodeMemory: StatusMemory, CodeAborted: StatusCancelled, CodeUnavailable: StatusError, CodeCrashed: StatusError} {
		if r := Failed(Z3, code, "why"); r.Status != want || r.Message != "why" {
			t.Errorf("%s is %+v", code, r)
		}
	}
}

func TestNumbersAreShortened(t *testing.T) {
	for x, want := range map[float64]string{2469.9999999998: "2470", 0.1 + 0.2: "0.3", -0.0000000000001: "-0.0000000000001", 1e20: "100000000000000000000", 1.5: "1.5"} {
		if got := decimal(x); got != want {
			t.Errorf("%v is %s, not %s", x, got, want)
		}
	}
}
