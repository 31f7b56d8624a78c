package ltl_test

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// A chain of one operator, or of several without parentheses, is not nested, however
// long it is.
func TestChainsMayHaveAnyLength(t *testing.T) {
	n := effort.Of(3_000)
	long := func(part string) string { return strings.Repeat(part, n) }
	trace := steps([][]string{{"a"}, {"a", "b"}})
	for _, c := range []struct {
		text  string
		holds bool
	}{
		{long("a & ") + "a", true},
		{long("a & ") + "b", false},
		{long("b | ") + "a", true},
		{long("a -> ") + "b", false},
		{long("a U ") + "b", true},
		{long("a R ") + "a", true},
		{long("a <-> a <-> ") + "b", false},
		{long("a | b & ") + "a", true},
		{long("X a & X b | ") + "a", true},
		{"G (" + long("a & ") + "a)", true},
		{"F (" + long("a -> ") + long("b | ") + "a)", true},
		{long("a & ") + "(" + long("b | ") + long("a U ") + "b)", true},
	} {
		name := fmt.Sprintf("%.12s… (%d bytes)", c.text, len(c.text))
		f := parse(t, c.text)
		if f.String() != c.text {
			t.Errorf("%s is printed otherwise", name)
		}
		if got := ltl.Format(source.NewFile("f.ltl", c.text)); got != c.text+"\n" {
			t.Errorf("%s is formatted otherwise", name)
		}
		if got := f.Holds(trace); got != c.holds {
			t.Errorf("%s: evaluated %v", name, got)
		}
		if r := ltl.Explain(f, trace); r.Holds != c.holds || strings.Count(r.String(), "\n") > 41 {
			t.Errorf("%s: explained %v", name, r.Holds)
		}
		simple := ltl.Simplify(f)
		if simple.Holds(trace) != c.holds || len(simple.String()) > len(c.text) {
			t.Errorf("%s is simplified wrongly", name)
		}
		d, err := ltl.Translate(f, alphabet(t, ltl.Powerset, "a", "b"), meter.New(meter.Budget{}))
		var limit *meter.LimitError
		if errors.As(err, &limit) {
			continue
		}
		if err != nil || d.NumStates() > 4 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Loops need no stack: a text may have any number of operators up to the size limit.
func TestChainsNeedNoRecursion(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	for _, op := range []string{" & ", " -> ", " U ", " <-> "} {
		text := strings.Repeat("a"+op, effort.Of(60_000)) + "a"
		f := parse(t, text)
		if f.String() != text {
			t.Errorf("%s: printed otherwise", op)
		}
		trace := steps([][]string{{"a"}, {"a"}})
		if r := ltl.Explain(f, trace); !r.Holds || !f.Holds(trace) || len(f.Props()) != 1 || !ltl.Simplify(f).Holds(trace) {
			t.Errorf("%s: does not hold", op)
		}
		for _, steps := range []int64{1_000_000, 4_000_000} {
			_, err := ltl.Translate(f, alphabet(t, ltl.Powerset, "a"), meter.New(meter.Budget{Steps: steps}))
			var limit *meter.LimitError
			if err != nil && !errors.As(err, &limit) {
				t.Errorf("%s: %v", op, err)
			}
		}
	}
}

// Chains of a thousand operators are translated, and duplicate operands are omitted.
func TestChainsOfAThousandAreTranslated(t *testing.T) {
	for text, short := range map[string]string{
		strings.Repeat("a & ", 999) + "a":                "a",
		strings.Repeat("a | ", 999) + "b":                "a | b",
		strings.Repeat("a -> ", 999) + "b":               "a -> b",
		strings.Repeat("a U ", 999) + "b":                "a U b",
		"G (" + strings.Repeat("a & ", 999) + "a)":       "G a",
		"F (" + strings.Repeat("X a | ", 999) + "b)":     "F (X a | b)",
		strings.Repeat("F a & ", 999) + "G (b -> F a)":   "F a & G (b -> F a)",
		strings.Repeat("a <-> ", 999) + "b":              "a <-> b",
		"X (" + strings.Repeat("a R ", 999) + "X b) | a": "X (a R X b) | a",
	} {
		a := alphabet(t, ltl.Powerset, "a", "b")
		m := meter.New(meter.Budget{})
		d, err := ltl.Translate(parse(t, text), a, m)
		if err != nil {
			t.Errorf("%.20s: %v", text, err)
			continue
		}
		if want := translated(t, short, a); !sameAutomaton(d, want) {
			t.Errorf("%.20s: %d states and not %d", text, d.NumStates(), want.NumStates())
		}
	}
}

// sameAutomaton compares automata over the same alphabet state by state.
func sameAutomaton(d, e *ltl.Automaton) bool {
	x, err := d.Explicit()
	y, fault := e.Explicit()
	return err == nil && fault == nil && x.String() == y.String()
}
