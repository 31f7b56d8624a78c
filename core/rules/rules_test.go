package rules_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// judge returns the verdict of each rule and its violations as text, and the codes of the
// diagnostics.
func judge(t *testing.T, text, events string) string {
	t.Helper()
	var list []rules.RawEvent
	if err := json.UnmarshalStrict([]byte(events), &list); err != nil {
		t.Fatal(err)
	}
	f := rules.Parse(source.NewFile("", text))
	m, violations := rules.Judge(f, list)
	var out []string
	for i, r := range f.Rules {
		line := r.Name + " " + string(m.Verdict(i))
		for _, v := range violations[i] {
			line += " " + string(mustJSON(v.Event))
			for k, value := range v.Bindings {
				line += "?" + r.ForAll[k].Name + "=" + string(value.JSON())
			}
		}
		out = append(out, line)
	}
	for _, d := range f.Diagnostics {
		out = append(out, d.Code)
	}
	if m.Err() != nil {
		out = append(out, source.ErrorCode(m.Err()))
	}
	return strings.Join(out, "; ")
}

func mustJSON(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return out
}

func TestVerdictsOfTheDocument(t *testing.T) {
	for _, c := range []struct{ text, events, want string }{
		{`a: refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, limit: ?l) & ?a <= ?l`,
			`[{"name":"approve","fields":{"order":1,"limit":50}},{"name":"refund","fields":{"order":1,"amount":50.0}},{"name":"refund","fields":{"order":1,"amount":51}},{"name":"refund","fields":{"order":1.0,"amount":5},"time":600},{"name":"refund","fields":{"order":1,"amount":5},"time":600.1}]`,
			`a violated 2?o=1?a=51 4?o=1?a=5`},
		{`a: refund(order: ?o) -> count refund(order: ?o) <= count approve(order: ?o)`,
			`[{"name":"approve","fields":{"order":"x"}},{"name":"refund","fields":{"order":"x"}},{"name":"refund","fields":{"order":"x"}},{"name":"refund","fields":{"order":"y"}}]`,
			`a violated 2?o="x" 3?o="y"`},
		{`a: !delete(env: "production")`, `[{"name":"delete","fields":{"env":"production"}},{"name":"delete"}]`, `a violated 0`},
		{`a: pay() -> sum[24h] ?x for pay(amount: ?x) <= 1000`,
			`[{"name":"pay","fields":{"amount":600}},{"name":"pay","fields":{"amount":"x"}},{"name":"pay","fields":{"amount":400}},{"name":"pay","fields":{"amount":0.5}},{"name":"pay","fields":{"amount":400},"time":86401}]`, `a violated 3`},
		{`a: pay(amount: ?a) -> (!set()) since set(max: ?m) & ?a <= ?m`,
			`[{"name":"pay","fields":{"amount":1}},{"name":"set","fields":{"max":5}},{"name":"pay","fields":{"amount":5}},{"name":"set","fields":{"max":3}},{"name":"pay","fields":{"amount":4}},{"name":"set"},{"name":"pay","fields":{"amount":1}}]`,
			`a violated 0?a=1 4?a=4 6?a=1`},
		{`a: end() -> !((!close(file: ?f)) since open(file: ?f))`,
			`[{"name":"open","fields":{"file":"a"}},{"name":"open","fields":{"file":"b"}},{"name":"close","fields":{"file":"a"}},{"kind":"end"}]`, `a violated 3`},
		{`a: end() -> !((!close(file: ?f)) since open(file: ?f))`,
			`[{"name":"open","fields":{"file":"a"}}]`, `a untriggered`},
		{"a: p(x: ?x) -> historically !b(x: ?x)\nb: p(x: ?x) -> once (c(y: ?y) & ?y > ?x)\nc: p(x: ?x) -> (!b(x: ?x)) since c()",
			`[{"name":"b","fields":{"x":1}},{"name":"c","fields":{"y":2}},{"name":"p","fields":{"x":1}},{"name":"p","fields":{"x":2}},{"name":"b","fields":{"x":2}},{"name":"p","fields":{"x":2}},{"name":"p","fields":{"x":1}}]`,
			`a violated 2?x=1 5?x=2 6?x=1; b violated 3?x=2 5?x=2; c violated 5?x=2`},
		{"a: x()\nb x\n", `[]`, `a fault; rules.syntax`},
		{"a: p(x: 1e400)-> false = true", `[{"name":"p","fields":{"x":10e399}}, {"name":"p","fields":{"x":1e999999999999999999999999}}]`, `a violated 0`},
		{"a: x()", `[{"kind":"foo"}]`, `a fault; rules.run`},
	} {
		if got := judge(t, c.text, c.events); got != c.want {
			t.Errorf("%s\n%s\n got %s\nwant %s", c.text, c.events, got, c.want)
		}
	}
}
