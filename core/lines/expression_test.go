package lines

import (
	"strings"
	"testing"
)

func TestExpressionValue(t *testing.T) {
	number := func(name string) (int, bool) {
		values := map[string]int{"x": 7, "y": -2, "_z1": 0, "ä": 3, "big": MaxNumber}
		v, ok := values[name]
		return v, ok
	}
	for text, want := range map[string]int{
		"1": 1, "x": 7, "x + y": 5, "x - y": 9, "x * y": -14, "2 + 3 * 4": 14, "(2 + 3) * 4": 20, "10 - 3 - 2": 5, "-x": -7, "- -x": 7, "2 * -3": -6,
		"x = 7": 1, "x == 8": 0, "x != 7": 0, "x != 8": 1, "x < 7": 0, "x < 8": 1, "x <= 7": 1, "x <= 6": 0, "x > 7": 0, "x > 6": 1, "x >= 7": 1, "x >= 8": 0,
		"1 and 0": 0, "1 and 2": 1, "0 and 1": 0, "0 or 0": 0, "0 or 2": 1, "3 or 0": 1, "1 && 1": 1, "0 || 1": 1, "not 0": 1, "not 5": 0, "!x": 0,
		"1 or 0 and 0": 1, "not x = 7": 0, "not 0 and 0": 0, "1 + 1 = 2": 1, "_z1 + ä": 3, "ä*ä": 9, "1<2": 1, "1000000": MaxNumber, "999999 + 1": MaxNumber, "0 - 1000000": -MaxNumber, "((((1))))": 1,
	} {
		e, fault, at := ParseExpression(text)
		if fault != "" {
			t.Errorf("%q: %s at %d", text, fault, at)
			continue
		}
		if got, ok := e.Value(number); !ok || got != want {
			t.Errorf("%q comes to %d, %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"unknown", "x + unknown", "unknown + x", "big + 1", "0 - big - 1", "big * big", "not unknown"} {
		e, fault, _ := ParseExpression(text)
		if fault != "" {
			t.Errorf("%q: %s", text, fault)
			continue
		}
		if got, ok := e.Value(number); ok {
			t.Errorf("%q comes to %d", text, got)
		}
	}
}

func TestInvalidExpressionHasPosition(t *testing.T) {
	for _, c := range []struct {
		text, want string
		at         int
	}{
		{"", "missing", 0}, {"  ", "missing", 2}, {"x +", "missing", 3}, {"x y", `expected an operator before "y"`, 2}, {"(x", `missing ")"`, 2}, {"(x y)", `missing ")"`, 3},
		{"x)", `before ")"`, 1}, {"1000001", "up to a million", 0}, {"2x", "up to a million", 0}, {"+ 1", `not "+"`, 0}, {"x and and", `not "and"`, 6}, {"or", `not "or"`, 0},
		{"x = = 1", `not "="`, 4}, {"$", `not "$"`, 0}, {"99999999999999999999", "up to a million", 0}, {"1 + ) + (", `not ")"`, 4},
	} {
		_, fault, at := ParseExpression(c.text)
		if !strings.Contains(fault, c.want) || at != c.at {
			t.Errorf("%q: %q at %d, want %q at %d", c.text, fault, at, c.want, c.at)
		}
	}
	nested := func(n int) string { return strings.Repeat("(", n) + "1" + strings.Repeat(")", n) }
	if _, fault, _ := ParseExpression(nested(maxNesting - 1)); fault != "" {
		t.Errorf("nested %d deep: %s", maxNesting-1, fault)
	}
	if _, fault, at := ParseExpression(nested(maxNesting)); fault != "the expression is nested too deeply" || at != maxNesting {
		t.Errorf("nested %d deep: %q at %d", maxNesting, fault, at)
	}
	// Adjacent parentheses do not add to the depth.
	if _, fault, _ := ParseExpression(strings.Repeat("(1) + ", 2*maxNesting) + "1"); fault != "" {
		t.Errorf("a long sum: %s", fault)
	}
}

func TestVariablesVisitsInOrder(t *testing.T) {
	e, fault, _ := ParseExpression("b + a * (c - b) > 1 and not d")
	if fault != "" {
		t.Fatal(fault)
	}
	var got []string
	e.Variables(func(name string) { got = append(got, name) })
	if strings.Join(got, " ") != "b a c b d" {
		t.Errorf("%v", got)
	}
}
