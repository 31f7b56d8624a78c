package team

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

func mustRead(t testing.TB, text string) Value {
	t.Helper()
	v, ok := ReadValue(text)
	if !ok {
		t.Fatalf("no value in %q", text)
	}
	return v
}

func TestChecks(t *testing.T) {
	scope := Scope{
		Values: map[string]Value{
			"result": mustRead(t, `{"price": 620.10, "name": "Kiln Quay", "days": [1, 2.5, 3], "none": null, "huge": 1e999, "a b": {"c": [true]}, "rate": "$1,250.50 a night"}`),
			"text":   textValue("It costs 620.10."),
			"given":  mustRead(t, `[{"executor": "flights", "result": {"price": 0.1}}, {"executor": "hotels", "result": {"price": 0.2}}]`),
		},
		Missing: map[string]string{"answer": "the answer is not JSON"},
	}
	for _, c := range []struct{ check, reason string }{
		{"result.price == 620.1", ""},
		{"result.price < 500 or result.name == 'Kiln Quay'", ""},
		{"sum(given, g: g.result.price) == 0.3", ""},
		{"1 / 3 * 3 == 1", ""},
		{"result['a b'].c[0]", ""},
		{"not has(result.nothing) and not has(result.none) and has(result['a b'].c)", ""},
		{"not has(result.name.first)", ""},
		{"number(result.rate) == 1250.5", ""},
		{"number('-3 to the north') == -3", ""},
		{"length(result.name) == 9 and length(result.days) == 3 and length(result['a b']) == 1", ""},
		{"contains(result.name, 'QUAY') and contains(result.days, 2.5) and not contains(text, 'x')", ""},
		{"min(result.days) == 1 and max(result.days) == 3 and max(given, g: g.result.price) == 0.2", ""},
		{"count(result.days, d: d > 1) == 2 and any(result.days, d: d == 3) and all([], d: d)", ""},
		{"distinct(result.days) and not distinct([1, 1.0])", ""},
		{"'hotels' in [given[0].executor, given[1].executor]", ""},
		{"abs(-2) == 2 and lower('AbC') == 'abc' and -(-1) == 1", ""},
		{"'a' < 'b' and {} == {}" /* no objects in the notation */, "syntax"},
		{"{'a': 1}", "syntax"},
		{"result.price <= 500", "result.price <= 500 does not hold: result.price is 620.1"},
		{"result.price - 20 <= 500 and false", "result.price - 20 <= 500 does not hold: result.price - 20 is 600.1"},
		{"result.cost <= 500", `result has no "cost"`},
		{"result.name.first == 'K'", "result.name is a text and has no 'first'"},
		{"result.days[3] == 1", "result.days has 3 items, and none has the index 3 (counted from 0)"},
		{"result.name > 3", "result.name is a text ('Kiln Quay') and 3 is a number (3), which cannot be compared"},
		{"result.name + 1 == 2", "result.name is a text ('Kiln Quay'), not a number"},
		{"1 / (result.price - 620.1) > 0", "division by zero: result.price - 620.1 is 0"},
		{"result.huge > 1", "result.huge > 1 has numbers with too many digits to compare"},
		{"min([]) == 1", "[] has no items, so it has no min"},
		{"number(text) == 1 and number('1 or 2') == 1", "number(text) == 1 does not hold: number(text) is 620.1"},
		{"number('1 or 2') == 1", "'1 or 2' is '1 or 2'; expected exactly one number in it"},
		{"all(given, g: g.result.price < 0.2)", "all(given, g: g.result.price < 0.2) does not hold: item 2 of given is {\"executor\": 'hotels', \"result\": {\"price\": 0.2}}"},
		{"all(given, g: g.price < 0.2)", `g has no "price" (item 1 of given)`},
		{"not result.price == 620.1", "not result.price == 620.1 does not hold: result.price is 620.1"},
		{"result.price", "result.price is a number, not true or false"},
		{"answer == 1", "the answer is not JSON"},
		{"1 / 3 == 0.3333", "1 / 3 == 0.3333 does not hold: 1 / 3 is 1/3"},
	} {
		e, found := ParseExpression(c.check)
		if c.reason == "syntax" {
			if len(found) != 1 {
				t.Errorf("%s is read", c.check)
			}
			continue
		}
		if len(found) > 0 {
			t.Errorf("%s: %v", c.check, found)
			continue
		}
		if got := e.Decide(scope); got.Holds != (c.reason == "") || got.Reason != c.reason {
			t.Errorf("%s: %+v, want %q", c.check, got, c.reason)
		}
	}
}

func TestChecksTakeBoundedTime(t *testing.T) {
	list := "[" + strings.Repeat("1, ", 900) + "1]"
	for _, check := range []string{
		"all(l, a: all(l, b: all(l, c: a == b)))",
		"distinct(l, a: a) and sum(l, a: count(l, b: contains(l, a + b))) > 0",
		"sum(l, a: sum(l, b: 1 / (a + b))) > 0",
		strings.Repeat("(1/3 + 1/7) * ", 70) + "2 > 0",
		"x" + strings.Repeat(" * x", 100) + " > 0",
	} {
		e, found := ParseExpression(check)
		if len(found) > 0 {
			t.Fatalf("%s: %v", check, found)
		}
		values := Scope{Values: map[string]Value{"l": mustRead(t, list), "x": mustRead(t, strings.Repeat("9", 400))}}
		if got := e.Decide(values); !got.Holds && got.Reason == "" {
			t.Errorf("%s: nothing is said", check)
		}
	}
}

func TestReadValueFindsJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1}`:                            `{"a": 1}`,
		"Here:\n```json\n{\"a\": 2}\n```\nOK": `{"a": 2}`,
		`I think {"a": 3} it is [4].`:         `{"a": 3}`,
		`set {x} of [1, {"b": "}"}]`:          `[1, {"b": '}'}]`,
		"42":                                  "42",
		"It is 42.":                           "",
		"{{{":                                 "",
		"":                                    "",
	} {
		v, ok := ReadValue(text)
		if got := v.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s %v, want %s", text, got, ok, want)
		}
	}
}

// fraction is a number of the oracle.
type fraction struct{ over, under int64 }

// oracle evaluates an expression with small numbers by substitution: a variable is
// replaced by each value before the evaluation, lists are texts of values, and only the
// tree is shared with the evaluator.
func oracle(n *node) (any, bool) {
	switch n.kind {
	case kindLiteral:
		return plain(n.value), true
	case kindList:
		list := []any{}
		for _, item := range n.of {
			v, ok := oracle(item)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case kindNot:
		v, ok := oracle(n.of[0])
		b, is := v.(bool)
		return !b, ok && is
	case kindNegate:
		v, ok := oracle(n.of[0])
		f, is := v.(fraction)
		return fraction{-f.over, f.under}, ok && is
	case kindIndex:
		v, ok := oracle(n.of[0])
		at, also := oracle(n.of[1])
		list, is := v.([]any)
		f, number := at.(fraction)
		if !ok || !also || !is || !number || f.over%f.under != 0 || f.over/f.under < 0 || int(f.over/f.under) >= len(list) {
			return nil, false
		}
		return list[f.over/f.under], true
	case kindBinary:
		return oracleOperator(n)
	case kindCall:
		return oracleCall(n)
	}
	return nil, false
}

func plain(v Value) any {
	switch v.Kind {
	case 't', 'f':
		return v.Kind == 't'
	case '0':
		return reduced(v.Number.Num().Int64(), v.Number.Denom().Int64())
	case '"':
		return v.Text
	case '[':
		list := []any{}
		for _, item := range v.Items {
			list = append(list, plain(item))
		}
		return list
	}
	return nil
}

func reduced(over, under int64) fraction {
	if under < 0 {
		over, under = -over, -under
	}
	a, b := over, under
	if a < 0 {
		a = -a
	}
	for b != 0 {
		a, b = b, a%b
	}
	return fraction{over / a, under / a}
}

func oracleOperator(n *node) (any, bool) {
	left, ok := oracle(n.of[0])
	if n.name == "and" || n.name == "or" {
		b, is := left.(bool)
		if !ok || !is || b == (n.name == "or") {
			return b, ok && is
		}
		right, ok := oracle(n.of[1])
		b, is = right.(bool)
		return b, ok && is
	}
	right, also := oracle(n.of[1])
	if !ok || !also {
		return nil, false
	}
	switch n.name {
	case "==":
		return reflect.DeepEqual(left, right), true
	case "!=":
		return !reflect.DeepEqual(left, right), true
	case "in":
		list, is := right.([]any)
		return slices.ContainsFunc(list, func(v any) bool { return reflect.DeepEqual(v, left) }), is
	}
	if a, is := left.(string); is {
		b, both := right.(string)
		return map[string]bool{"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[n.name], both && strings.ContainsAny(n.name, "<>")
	}
	a, is := left.(fraction)
	b, both := right.(fraction)
	if !is || !both {
		return nil, false
	}
	difference := a.over*b.under - b.over*a.under
	switch n.name {
	case "<":
		return difference < 0, true
	case "<=":
		return difference <= 0, true
	case ">":
		return difference > 0, true
	case ">=":
		return difference >= 0, true
	case "+":
		return reduced(a.over*b.under+b.over*a.under, a.under*b.under), true
	case "-":
		return reduced(difference, a.under*b.under), true
	case "*":
		return reduced(a.over*b.over, a.under*b.under), true
	}
	if b.over == 0 {
		return nil, false
	}
	return reduced(a.over*b.under, a.under*b.over), true
}

// replaced substitutes a value for a variable.
func replaced(n *node, variable string, value *node) *node {
	if n.kind == kindName && n.name == variable {
		return value
	}
	out := *n
	out.of = nil
	for i, child := range n.of {
		if n.kind == kindCall && i == 1 && n.variable == variable {
			out.of = append(out.of, child) // it has another meaning inside
		} else {
			out.of = append(out.of, replaced(child, variable, value))
		}
	}
	return &out
}

func literal(v any) *node {
	switch v := v.(type) {
	case bool:
		return &node{kind: kindLiteral, value: truth(v)}
	case fraction:
		return &node{kind: kindBinary, name: "/", of: []*node{{kind: kindLiteral, value: integer(int(v.over))}, {kind: kindLiteral, value: integer(int(v.under))}}}
	case string:
		return &node{kind: kindLiteral, value: textValue(v)}
	case []any:
		out := &node{kind: kindList}
		for _, item := range v {
			out.of = append(out.of, literal(item))
		}
		return out
	}
	return &node{kind: kindLiteral, value: Value{Kind: 'n'}}
}

func oracleCall(n *node) (any, bool) {
	v, ok := oracle(n.of[0])
	if !ok {
		return nil, false
	}
	list, is := v.([]any)
	if n.name == "length" {
		if s, text := v.(string); text {
			return fraction{int64(len([]rune(s))), 1}, true
		}
		return fraction{int64(len(list)), 1}, is
	}
	if !is {
		return nil, false
	}
	said := func(item any) (any, bool) {
		if len(n.of) == 1 {
			return item, true
		}
		return oracle(replaced(n.of[1], n.variable, literal(item)))
	}
	total, holding := fraction{0, 1}, int64(0)
	var seen []any
	for _, item := range list {
		v, ok := said(item)
		if !ok {
			return nil, false
		}
		switch n.name {
		case "all", "any", "count":
			b, is := v.(bool)
			if !is {
				return nil, false
			}
			if n.name != "count" && b == (n.name == "any") {
				return b, true
			}
			if b {
				holding++
			}
		case "distinct":
			for _, s := range seen {
				if reflect.DeepEqual(s, v) {
					return false, true
				}
			}
		default:
			f, is := v.(fraction)
			if !is {
				return nil, false
			}
			total = reduced(total.over*f.under+f.over*total.under, total.under*f.under)
			if len(seen) > 0 && n.name != "sum" {
				best := seen[0].(fraction)
				if smaller := f.over*best.under < best.over*f.under; smaller == (n.name == "min") {
					seen[0] = f
				}
			}
		}
		seen = append(seen, v)
	}
	switch n.name {
	case "all":
		return true, true
	case "any":
		return false, true
	case "distinct":
		return true, true
	case "count":
		return fraction{holding, 1}, true
	case "sum":
		return total, true
	}
	if len(seen) == 0 {
		return nil, false
	}
	return seen[0], true
}

// random draws an expression over small numbers, mostly a well-typed one.
func random(r *rand.Rand, depth int, want byte, names []string) *node {
	if r.IntN(20) == 0 {
		want = "0t\"["[r.IntN(4)]
	}
	if len(names) > 0 && r.IntN(3) == 0 {
		return &node{kind: kindName, name: names[r.IntN(len(names))]}
	}
	sub := func(want byte) *node { return random(r, depth-1, want, names) }
	two := func(name string, a, b byte) *node {
		return &node{kind: kindBinary, name: name, of: []*node{sub(a), sub(b)}}
	}
	over := func(name string, want byte) *node {
		variable := string(rune('x' + r.IntN(3)))
		return &node{kind: kindCall, name: name, variable: variable, of: []*node{sub('['), random(r, depth-1, want, append(slices.Clone(names), variable))}}
	}
	if depth == 0 {
		switch want {
		case '0':
			return &node{kind: kindLiteral, value: integer(r.IntN(4))}
		case '"':
			return &node{kind: kindLiteral, value: textValue(string("ab'\\\""[r.IntN(5)]))}
		case '[':
			return &node{kind: kindList}
		}
		return &node{kind: kindLiteral, value: truth(r.IntN(2) == 0)}
	}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	switch want {
	case '0':
		switch r.IntN(6) {
		case 0:
			return over(pick("sum", "min", "max"), '0')
		case 1:
			return over("count", 't')
		case 2:
			return &node{kind: kindNegate, of: []*node{sub('0')}}
		case 3:
			return &node{kind: kindIndex, of: []*node{sub('['), sub('0')}}
		case 4:
			return &node{kind: kindCall, name: "length", of: []*node{sub('[')}}
		}
		return two(pick("+", "-", "*", "/"), '0', '0')
	case '"':
		return random(r, 0, '"', names)
	case '[':
		out := &node{kind: kindList}
		for range r.IntN(4) {
			out.of = append(out.of, sub('0'))
		}
		return out
	}
	switch r.IntN(5) {
	case 0:
		return over(pick("all", "any"), 't')
	case 1:
		return &node{kind: kindNot, of: []*node{sub('t')}}
	case 2:
		return two(pick("and", "or"), 't', 't')
	case 3:
		return two("in", '0', '[')
	}
	return two(pick("==", "!=", "<", "<=", ">", ">="), '0', '0')
}

// structure prints a tree without its places.
func structure(n *node) string {
	var parts []string
	for _, child := range n.of {
		parts = append(parts, structure(child))
	}
	return fmt.Sprintf("(%d %s %s %s %s)", n.kind, n.name, n.variable, n.value.String(), strings.Join(parts, " "))
}

func TestEvaluatorAgreesWithOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	tried, decided := effort.Of(20_000), 0
	for range tried {
		n := random(r, 1+r.IntN(4), 't', nil)
		want, ok := oracle(n)
		b, is := want.(bool)
		e := &Expression{root: n}
		got := e.Decide(Scope{})
		if got.Holds != (ok && is && b) {
			t.Fatalf("%s: %+v, want %v %v", e, got, want, ok)
		}
		if ok && is {
			decided++
			if !b && !strings.Contains(got.Reason, "does not hold") {
				t.Fatalf("%s: it is false, but %q", e, got.Reason)
			}
		}
		again, found := ParseExpression(e.String())
		if len(found) > 0 || structure(again.root) != structure(n) {
			t.Fatalf("%s is read as %s %v", e, again, found)
		}
	}
	if decided < tried*2/5 {
		t.Errorf("only %d of %d can be evaluated", decided, tried)
	}
}

func FuzzPrintedExpressionsParseEqually(f *testing.F) {
	for _, text := range []string{
		"a.b[0]['c d'] == -1 + 2 * 3.50", "not (a and b or c)", "all(l, x: any(x.y, z: z in [1, 'it\\'s', \"q\"]))", "((1))", "1 - (2 - 3)", "-(-1)", "(a < b) == (c < d)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, found := ParseExpression(text)
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in %d bytes", d.Code, d.Span, len(text))
			}
		}
		if e == nil {
			return
		}
		e.check(true)
		e.Decide(Scope{})
		printed := e.String()
		if len(printed) > MaxExpression {
			return
		}
		again, found := ParseExpression(printed)
		if len(found) > 0 {
			if found[0].Code == "limit.expression" {
				return // parentheses that were not needed before
			}
			t.Fatalf("%q is printed as %q: %v", text, printed, found)
		}
		if structure(again.root) != structure(e.root) {
			t.Fatalf("%q is printed as %q", text, printed)
		}
	})
}
