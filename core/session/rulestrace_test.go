package session

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const tracedRules = `approved: refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, limit: ?l) & ?a <= ?l
closed: end() -> !((!close(file: ?f)) since open(file: ?f))
cap: refund() -> count[1h] refund() <= 2
`

func TestTableOfEvents(t *testing.T) {
	s := New()
	lines := []string{
		`open(file: "a", @time: 0)`,
		`approve(order: 7, limit: 50, @time: 10)`,
		`{"kind":"call","name":"refund","fields":{"order":7,"amount":60},"time":20}`,
		`refund(order: 7, amount: 50, @time: 610)`,
		`refund(order: 7, amount: 1, @time: 611)`,
		`close(file: "a", @time: 700)`,
		`end(@time: 701)`,
	}
	out := result[RulesTraceResult](t, s, "rules.trace", RulesTraceParams{Source: tracedRules, Events: strings.Join(lines, "\n")})
	want := []string{"upu", "upu", "VpH", "vpH", "VpV", "vuv", "vHv"}
	if !reflect.DeepEqual(out.States, want) || out.Events != 7 || out.Bad != -1 {
		t.Errorf("%q, want %q; %d events", out.States, want, out.Events)
	}
	v := out.Violations[0]
	if v.Rule != 0 || v.Event != 2 || !reflect.DeepEqual(v.Witnesses, []int{1}) || tracedRules[v.From:v.To] != "?a <= ?l" || string(v.Bindings["?a"]) != "60" ||
		v.Requirement != "once[10m] approve(order: 7, limit: ?l) & 60 <= ?l" {
		t.Errorf("%+v, %q", v, tracedRules[v.From:v.To])
	}
	if len(out.Violations) != 3 || !reflect.DeepEqual(out.Rules[0].Windows, []TraceWindow{{"once[10m]", 600}}) || !reflect.DeepEqual(out.Rules[2].Windows, []TraceWindow{{"count[1h]", 3600}}) ||
		!reflect.DeepEqual(out.Rules[0].Tools, []string{"refund", "approve"}) || out.Rules[1].From != strings.Index(tracedRules, "closed") {
		t.Errorf("%+v, %+v", out.Violations, out.Rules)
	}
	p := RulesTraceParams{Source: tracedRules, Events: lines[1] + "\nopen()", Echo: true}
	if echo := result[RulesTraceResult](t, s, "rules.trace", p).Echo; len(echo) != 1 || string(echo[0].Fields) != `{"limit":50,"order":7}` || string(echo[0].Time) != "10" {
		t.Errorf("%+v", echo) // the second event is earlier than the first
	}
	p = RulesTraceParams{Events: lines[1] + "\n" + `{"name":"x","fields":{"list":[1]},"time":12.5}`, Write: true}
	if got := result[RulesTraceResult](t, s, "rules.trace", p); got.Text != `approve(limit: 50, order: 7, @time: 10)`+"\n"+`{"kind":"call","name":"x","fields":{"list":[1]},"time":12.5}` || got.Echo != nil {
		t.Errorf("%q, %+v", got.Text, got.Echo)
	}
	// The same events one by one have the same states.
	table, from := 0, 0
	var states []string
	for _, line := range lines {
		one := result[RulesTraceResult](t, s, "rules.trace", RulesTraceParams{Source: tracedRules, Table: table, From: from, Events: line})
		table, from = one.Table, one.Events
		states = append(states, one.States...)
	}
	if !reflect.DeepEqual(states, want) {
		t.Errorf("one by one %q, want %q", states, want)
	}
}

func TestTriedEventsAreNotAdded(t *testing.T) {
	s := New()
	p := RulesTraceParams{Source: tracedRules, Events: "approve(order: 7, limit: 50)", Try: "refund(order: 7, amount: 50)\nrefund(order: 8, amount: 50)\nend(@time: -1)"}
	out := result[RulesTraceResult](t, s, "rules.trace", p)
	if len(out.Tried) != 3 || !out.Tried[0].Allowed || out.Tried[1].Allowed || out.Tried[2].Allowed || out.Events != 1 {
		t.Fatalf("%+v, %d events", out.Tried, out.Events)
	}
	if v := out.Tried[1].Violations[0]; v.Rule != 0 || v.Event != 1 || v.Requirement != "once[10m] approve(order: 8, limit: ?l) & 50 <= ?l" || tracedRules[v.From:v.To] != "once[10m] approve(order: ?o, limit: ?l)" {
		t.Errorf("%+v", v)
	}
	if out.Tried[2].Reason != "event 1 is earlier than the event before: -1 < 0" {
		t.Errorf("%+v", out.Tried[2])
	}
	faulty := result[RulesTraceResult](t, s, "rules.trace", RulesTraceParams{Source: "a: b(\nc: !d()\n", Events: "x()", Try: "d()"})
	if !reflect.DeepEqual(faulty.States, []string{"fH"}) || faulty.Tried[0].Allowed || !reflect.DeepEqual(faulty.Tried[0].Faults, []string{"a"}) || len(faulty.Diagnostics) == 0 {
		t.Errorf("%+v", faulty)
	}
}

func TestTableReportsBadEvents(t *testing.T) {
	s := New()
	out := result[RulesTraceResult](t, s, "rules.trace", RulesTraceParams{Source: tracedRules, Events: "open(file: 1)\n\nopen(file: ?x)\nopen(file: 2)"})
	if out.Bad != 2 || out.Events != 1 || out.Reason == "" {
		t.Errorf("%+v", out)
	}
	out = result[RulesTraceResult](t, s, "rules.trace", RulesTraceParams{Source: tracedRules, Events: "open(@time: 5)\nopen(@time: 4)\nopen()"})
	if len(out.States) != 1 || out.Reason != "event 1 is earlier than the event before: 4 < 5" || out.Rules[0].Verdict != "fault" {
		t.Errorf("%+v", out)
	}
	for _, p := range []RulesTraceParams{{Source: "a: b()", Table: 99}, {Source: "other: b()", Table: out.Table, From: 1}, {Source: tracedRules, From: 3}, {Source: tracedRules, Table: out.Table, From: 0}} {
		if _, fault := call(t, s, "rules.trace", p); fault == nil || fault.Code != "rules.table" {
			t.Errorf("%+v: %+v", p, fault)
		}
	}
	if _, fault := call(t, s, "rules.trace", RulesTraceParams{Source: tracedRules, Try: "open("}); fault == nil || fault.Code != "rules.event" {
		t.Errorf("%+v", fault)
	}
}

// A session keeps the tables that were used last, and explains a bounded number of violations.
func TestTablesAreBounded(t *testing.T) {
	s := New()
	var numbers []int
	for i := range maxRuleTables + 1 {
		numbers = append(numbers, result[RulesTraceResult](t, s, "rules.trace", RulesTraceParams{Source: fmt.Sprintf("a%d: b()", i)}).Table)
	}
	if _, fault := call(t, s, "rules.trace", RulesTraceParams{Source: "a0: b()", Table: numbers[0]}); fault == nil {
		t.Error("the oldest table is still open")
	}
	out := result[RulesTraceResult](t, s, "rules.trace", RulesTraceParams{Source: "a4: b()", Table: numbers[4], Events: strings.Repeat("c()\n", 300)})
	if len(out.Violations) != maxTraceViolations || out.MoreViolations != 100 || len(out.States) != 300 {
		t.Errorf("%d violations and %d more, %d states", len(out.Violations), out.MoreViolations, len(out.States))
	}
}
