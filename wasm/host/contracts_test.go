package host_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/session"
)

// toolsWith returns a list with the tool refund and the members of its schema.
func toolsWith(schema string) string {
	return `{"tools": [{"name": "refund", "inputSchema": {"type": "object", ` + schema + `}}]}`
}

// No session has a call that the contract of its tool refuses. The sessions that the contract allows are found, with
// the fields that it requires.
func TestSessionsKeepContracts(t *testing.T) {
	s := solvers(t)
	const none, one = "no permitted session of up to 3 events reaches the goal", "a permitted session of 1 event reaches the goal"
	for _, c := range []struct{ schema, goal, text, line string }{
		{`"required": ["order"]`, `refund() & !refund(order: _)`, none, ""},
		{`"properties": {"order": {"type": "string"}, "to": {"type": "object", "required": ["iban"], "properties": {"iban": {"type": "string", "minLength": 5}}}}, "required": ["to", "order"]`, `refund(order: != "a")`, one, `refund(order: "b", to.iban: "aaaaa")`},
		{`"properties": {"to": {"type": "object", "required": ["iban"], "properties": {"bic": {}}}}, "required": ["to"]`, `refund() & !refund(to.iban: _)`, none, ""},
		{`"properties": {"to": {"type": "object", "required": ["iban"]}}`, `refund(to.bic: _) & !refund(to.iban: _)`, none, ""},
		{`"properties": {"to": {"type": "object", "required": ["iban"]}}`, `refund() & !refund(to.iban: _)`, one, "refund()"},
		{`"properties": {"n": {"type": "integer"}}`, `refund(n: > 1) & refund(n: < 2)`, none, ""},
		{`"properties": {"n": {"type": "integer"}}`, `refund(n: 1.5)`, none, ""},
		{`"properties": {"n": {"type": "integer", "minimum": 7}}`, `refund(n: < 8)`, one, "refund(n: 7)"},
		{`"properties": {"s": {"type": "string", "pattern": "^x"}}`, `refund(s: "abc")`, none, ""},
		{`"properties": {"s": {"pattern": "^x"}}`, `refund(s: ~ "z$")`, one, `refund(s: "xz")`},
		{`"properties": {"s": {"type": "string", "pattern": "^x"}}`, `refund(s: != "x")`, one, `refund(s: "x0")`},
		{`"properties": {"len": {"type": "string", "maxLength": 1}}`, `refund(len: "abc")`, none, ""},
		{`"properties": {"day": {"type": "string", "format": "date"}}, "required": ["day"]`, `refund(day: ?a) & once (refund(day: ?b) & ?a > ?b)`, "a permitted session of 2 events reaches the goal", `refund(day: "2026-01-01"); refund(day: "2026-02-01")`},
		{`"properties": {"a": {}}, "additionalProperties": false`, `refund(other: 3)`, none, ""},
		{`"properties": {"to": {"type": "object", "additionalProperties": false}}`, `refund(to.iban: _)`, none, ""},
		{`"properties": {"l": {"type": "array", "items": {"enum": ["a", "b"]}}}`, `refund(l: has "c")`, none, ""},
		{`"properties": {"l": {"type": "array", "items": {"enum": ["a", "b"]}}}`, `refund(l: has "b")`, one, `{"name":"refund","fields":{"l":["b"]}}`},
		{`"properties": {"n": {"type": ["integer", "null"], "enum": [1, 2], "nullable": true}}`, `refund(n: null)`, one, `refund(n: null)`},
		// The solver does not know multipleOf; the session that the contract refuses is no answer.
		{`"properties": {"n": {"type": "integer", "multipleOf": 4}}`, `refund(n: 6)`, "not confirmed for 1 event: the contract of refund refuses the session that the solver reports: arguments.n must be a multiple of 4", ""},
	} {
		a := provedWith(t, s, session.ProveSettings{Source: "free: refund() -> refund()\nother: !pay(x: 1)\n", Question: "reachable", Goal: c.goal, Max: 3}, toolsWith(c.schema))[0]
		if got := strings.Join(a.Lines, "; "); a.Text != c.text || got != c.line || a.Good != (a.Answer.Status == prove.Found) {
			t.Errorf("%s of %s: %s %s, expected %s %s", c.goal, c.schema, a.Text, got, c.text, c.line)
		}
	}
	// Rules about the order of calls have exact answers, whose sessions get the fields, too.
	a := provedWith(t, s, session.ProveSettings{Source: "after: refund() -> once pay()\n", Question: "violable", Rule: "after"}, toolsWith(`"required": ["order"]`))[0]
	if got := strings.Join(a.Lines, "; "); got != `refund(order: "a")` || !a.Answer.Exact {
		t.Errorf("%s %s", a.Text, got)
	}
}
