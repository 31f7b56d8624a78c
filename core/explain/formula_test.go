package explain_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/explain"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
)

func formula(t *testing.T, text string) *ltl.Formula {
	t.Helper()
	list, found := ltl.Parse(source.NewFile("test.ltl", text))
	if len(found) > 0 || len(list) != 1 {
		t.Fatalf("%q: %v", text, found)
	}
	return list[0].Formula
}

// The first block are the property specification patterns.
func TestSentencesOfFormulas(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		{"G !refund", "No refund step occurs."},
		{"!F refund", "No refund step occurs."},
		{"F answer", "At least one answer step occurs."},
		{"G open", "Every step is an open step."},
		{"!refund W approve", "Every refund step is preceded by an approve step."},
		{"!refund U approve", "An approve step occurs, and no refund step occurs before it."},
		{"approve R !refund", "Every refund step is preceded by an earlier approve step."},
		{"approve M !refund", "Every refund step is preceded by an earlier approve step, and an approve step occurs."},
		{"G(ask -> F answer)", "Every ask step is eventually followed by an answer step."},
		{"G(!ask | F answer)", "Every ask step is eventually followed by an answer step."},
		{"G(ask -> X F answer)", "Every ask step is followed, at a later step, by an answer step."},
		{"G(ask -> X answer)", "Every ask step is immediately followed by an answer step."},
		{"G(ask -> WX answer)", "Every ask step is either the last step or immediately followed by an answer step."},
		{"G(ask -> WX !ask)", "No ask step is immediately followed by an ask step."},
		{"G(ask -> X X answer)", "Every ask step is followed, exactly two steps later, by an answer step."},
		{"G(X answer -> ask)", "Every answer step after the first step is immediately preceded by an ask step."},
		{"G(ask -> WX G !ask)", "At most one ask step occurs."},
		{"G(ask -> !X F ask)", "At most one ask step occurs."},
		{"!F(ask & X F ask)", "At most one ask step occurs."},
		{"!F(ask & X F(ask & X F ask))", "At most two ask steps occur."},
		{"F(ask & X F(ask & X F ask))", "At least three ask steps occur."},
		{"G(ask -> G !stop)", "After an ask step, no stop step occurs."},
		{"G(ask -> X G !ask)", "After an ask step, which is never the last step, no ask step occurs."},
		{"G(ask -> G quiet)", "From the first ask step on, every step is a quiet step."},
		{"G(ask -> WX false)", "Only the last step can be an ask step."},
		{"G(ask -> X(!stop W go))", "After every ask step, no stop step occurs before the next go step."},
		{"G(ask -> X(!stop U go))", "After every ask step, no stop step occurs before the next go step, which must occur."},
		{"G(ask -> quiet U go)", "From an ask step until the next go step, which must occur, every step is a quiet step."},
		{"G(ask -> quiet W go)", "From an ask step until the next go step or the end, every step is a quiet step."},
		{"G(ask -> !answer)", "No step is both an ask step and an answer step."},
		{"G(ask -> answer)", "Every ask step is also an answer step."},
		{"F(ask & last)", "The last step is an ask step."},
		{"F(last & ask)", "The last step is an ask step."},
		{"G(last -> ask)", "The last step is an ask step."},
		{"F(ask & X F answer)", "An ask step occurs, and after it at least one answer step occurs."},
		{"F(ask & F answer)", "An ask step occurs, and at that step or later an answer step."},

		{"quiet W go", "Every step before the first go step is a quiet step."},
		{"quiet U go", "Every step before the first go step is a quiet step, and a go step occurs."},
		{"go R quiet", "Every step up to and including the first go step is a quiet step."},
		{"a & X b & X X c", "The first step is an a step, the second step is a b step, and the third step is a c step."},
		{"F a -> F b", "If at least one a step occurs, then at least one b step occurs."},
		{"F a <-> F b", "At least one a step occurs if and only if at least one b step occurs."},
		{"F a | F b", "Either at least one a step occurs, or at least one b step occurs."},
		{"!(F a & F b)", "The following is false: at least one a step occurs, and at least one b step occurs."},
		{"G(a | b)", "Every step is an a or b step."},
		{"G !(a | b)", "No a or b step occurs."},
		{"G(a & !b)", "Every step is an a step, and no b step occurs."},
		{"F(a & b | c)", "At least one step with (a and b) or c occurs."},
		{`G !"put-down c"`, "No “put-down c” step occurs."},
		{"G user", "Every step is a user step."},
		{"F x", "At least one x step occurs."},
		{"true", "Every trace is valid."},
		{"false", "No trace is valid."},
		{"last", "The first step is the last step."},
		{"X true", "The first step is not the last step."},
		{"WX a", "If the second step exists, the second step is an a step."},
		{"G(a -> F(b & X c))", "At every a step, at it or later, some step is a b step, and the step after that step is a c step."},
		{"F G a", "The last step is an a step."},
		{"G F a", "The last step is an a step."},
		{"F X a", "At the first step or later, the step after some step is an a step."},
		{"G X a", "From the first step on, at every step, the step after that step is an a step."},
		{"(F a) U (F b)", "At the first step or later, at some step or later, a b step occurs, and at each step before it, at that step or later, an a step occurs."},
		{"(F a) W (F b)", "From the first step on, at each step or later, an a step occurs, until at some step or later, a b step occurs or the trace ends."},
		{"(F a) R (F b)", "From the first step on, at each step or later, a b step occurs, up to and including one at which at that step or later, an a step occurs, or to the end."},
		{"(F a) M (F b)", "From the first step on, at each step or later, a b step occurs, up to and including one at which at that step or later, an a step occurs, which must occur."},
	} {
		if got := explain.Formula(formula(t, c.formula)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.formula, got, c.want)
		}
	}
}

func TestDeepFormulasAreNotExplained(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat("X ", 100) + "a": true, strings.Repeat("a & ", 100) + "a": true,
		strings.Repeat("X ", 900) + "a": false, strings.Repeat("a & ", 30_000) + "a": false, strings.Repeat("a U ", 900) + "a": false,
	} {
		got := explain.Formula(formula(t, text))
		if explained := !strings.Contains(got, "more than 300 levels"); explained != want {
			t.Errorf("%.20s…: %.80s", text, got)
		}
	}
}
