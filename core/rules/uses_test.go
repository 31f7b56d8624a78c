package rules_test

import (
	"fmt"
	"testing"

	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func TestUses(t *testing.T) {
	for _, c := range []struct {
		rule  string
		time  bool
		tools string
	}{
		{`pay(amount: ?a) -> once approve(limit: ?l) & ?a <= ?l`, false, "[pay approve]"},
		{`pay() -> once[10m] "my tool".result()`, true, "[pay my tool]"},
		{`pay(@time: ?t) -> ?t < 5`, true, "[pay]"},
		{`pay() -> sum[24h] ?x for refund(amount: ?x) + 1 <= 3`, true, "[pay refund]"},
		{`pay() -> sum ?x for (refund(amount: ?x) & previous a.error()) <= 3`, false, "[pay refund a]"},
		{`!message.user(text: "x") & !*(a: 1) & !end()`, false, "[]"},
		{`pay() -> !a() since[1s] pay()`, true, "[pay a]"},
	} {
		f := rules.Parse(source.NewFile("r.rules", "r: "+c.rule+"\n"))
		if len(f.Rules) != 1 || source.HasErrors(f.Diagnostics) {
			t.Fatalf("%s: %v", c.rule, f.Diagnostics)
		}
		if u := f.Rules[0].Uses(); u.Time != c.time || fmt.Sprint(u.Tools) != c.tools {
			t.Errorf("%s: %+v", c.rule, u)
		}
	}
}
