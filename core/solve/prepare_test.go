package solve

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// TestPropositionsUseTheSATSolver lists texts that use it. A text that uses it wrongly
// would have no answer.
func TestPropositionsUseTheSATSolver(t *testing.T) {
	const b = "(declare-const a Bool)(declare-fun b () Bool)"
	for _, c := range []struct {
		text string
		want bool
	}{
		{b + "(assert (=> a (not b)))(check-sat)(get-model)", true},
		{b + "(assert (let ((c (and a b))) (or c (ite a b (xor a b)) (= a b c))))", true},
		{b + "(define-fun both () Bool (and a b))(assert both)", true},
		{b + "(assert (! a :named x))", false},
		{b + "(assert a)(assert-soft b)", false},
		{b + "(assert a)(minimize (ite b 1 0))", false},
		{b + "(assert a)(check-sat)(assert b)(check-sat)", false},
		{b + "(assert a)(push)(assert b)(pop)", false},
		{b + "(assert a)(check-sat-assuming (b))", false},
		{b + "(assert (or a (> 3 2)))", false},
		{b + "(assert (distinct a b))", false},
		{b + "(assert ((_ at-most 1) a b))", false},
		{b + "(declare-fun f (Bool) Bool)(assert (f a))", false},
		{b + "(declare-const n Int)(assert a)", false},
		{b + "(assert (forall ((c Bool)) (or a c)))", false},
		{b + "(assert (= #b1 #b1))", false},
		{b + `(assert (= "x" "y"))`, false},
		{"(declare-sort S)(declare-const s S)(assert (= s s))", false},
	} {
		file := source.NewFile("p", c.text)
		p, found := Check(Z3, file)
		if source.HasErrors(found) {
			t.Fatalf("%s: %s", c.text, found[0].Message)
		}
		if got := strings.Contains(Prepare(Z3, c.text, p, Limits{}).Text, "default_tactic"); got != c.want {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

func TestPrintingCommandsAreRemoved(t *testing.T) {
	text := "(declare-const x Int)\n(assert (> x 1))(check-sat) (get-model\n)\n(get-value (x))(echo \"sat\")\n"
	p, _ := Check(Z3, source.NewFile("p", text))
	got := Prepare(Z3, text, p, Limits{}).Text
	if want := "\n(declare-const x Int)\n(assert (> x 1))(check-sat)           \n \n                           \n"; !strings.Contains(got, want) || strings.Count(got, "(get-model)") != 1 {
		t.Errorf("it is\n%s", got)
	}
}

func TestLimitsAreInTheText(t *testing.T) {
	const text = "(assert true)"
	p, _ := Check(Z3, source.NewFile("p", text))
	for _, c := range []struct {
		limits Limits
		want   []string
		ms, mb int
	}{
		{Limits{}, []string{":rlimit 2000000000)", ":memory_max_size 1500)", "(set-option :opt.elim_01 false)"}, DefaultMilliseconds, DefaultMemory},
		{Limits{Milliseconds: 7, Memory: 8, Work: 9}, []string{":rlimit 9)", ":memory_max_size 8)"}, 7, 8},
		{Limits{Milliseconds: 1 << 40, Memory: 1 << 40, Work: 1 << 40}, []string{":rlimit 4294967295)", ":memory_max_size 1900)"}, MaxMilliseconds, MaxMemory},
		{Limits{Milliseconds: -1, Memory: -1, Work: -1}, []string{":rlimit 2000000000)", ":memory_max_size 1500)"}, DefaultMilliseconds, DefaultMemory},
	} {
		q := Prepare(Z3, text, p, c.limits)
		for _, want := range c.want {
			if !strings.Contains(q.Text, want) {
				t.Errorf("%+v: the text has no %s:\n%s", c.limits, want, q.Text)
			}
		}
		if q.Milliseconds != c.ms || q.Memory != c.mb {
			t.Errorf("%+v: %d ms and %d MiB", c.limits, q.Milliseconds, q.Memory)
		}
	}
}
