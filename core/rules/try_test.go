package rules

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/source"
)

// describeAll returns violations as text, with their witnesses if they are compared.
func describeAll(list []Violation, witnesses bool) string {
	var b strings.Builder
	for _, v := range list {
		fmt.Fprint(&b, v.Rule, "@", v.Event)
		for _, value := range v.Bindings {
			b.WriteString(" " + string(value.JSON()))
		}
		if witnesses {
			fmt.Fprint(&b, v.Witnesses)
		}
		b.WriteString("; ")
	}
	return b.String()
}

// A trial has the violations of a step, and changes nothing: a monitor that tries other events before
// each step has the same states, violations and witnesses as one that does not.
func TestTrialIsAStepThatIsDiscarded(t *testing.T) {
	n := effort.Sample(30_000, 2_000)
	g := maker{rand.New(rand.NewPCG(25, 3))}
	denied := 0
	for tried := 0; tried < n; {
		text := "r: " + g.rule()
		f := Parse(source.NewFile("", text))
		if f.Rules[0].Fault || len(f.Rules[0].variables) > 5 {
			continue
		}
		tried++
		events, others := g.run(), g.run()
		m, plain := NewMonitor(f), NewMonitor(f)
		for i, e := range events {
			before, err := m.State()
			if err != nil {
				t.Fatal(err)
			}
			for _, other := range others {
				next := *other
				next.Time = e.Time
				got := m.Try(&next)
				again, _ := m.State()
				if string(again) != string(before) {
					t.Fatalf("%s\n%s\nthe trial of %s before event %d changed the state %s\nto %s", text, showRun(events), next.Describe(), i, before, again)
				}
				loaded, err := Load(f, before)
				if err != nil {
					t.Fatal(err)
				}
				if want := loaded.Step(&next); describeAll(got.Violations, false) != describeAll(want, false) || (got.Err == nil) != (loaded.Err() == nil) {
					t.Fatalf("%s\n%s\nthe trial of %s before event %d has %q (%v), the step %q (%v)", text, showRun(events), next.Describe(), i,
						describeAll(got.Violations, false), got.Err, describeAll(want, false), loaded.Err())
				}
			}
			trial := m.Try(e)
			got, want := m.Step(e), plain.Step(e)
			if describeAll(trial.Violations, true) != describeAll(got, true) {
				t.Fatalf("%s\n%s\nevent %d: the trial has %q, the step %q", text, showRun(events), i, describeAll(trial.Violations, true), describeAll(got, true))
			}
			if describeAll(got, true) != describeAll(want, true) {
				t.Fatalf("%s\n%s\nevent %d: after trials %q, without %q", text, showRun(events), i, describeAll(got, true), describeAll(want, true))
			}
			if !trial.Allowed() {
				denied++
			}
			if m.rules[0].size != plain.rules[0].size {
				t.Fatalf("%s\n%s\nevent %d: the size is %d after trials, %d without", text, showRun(events), i, m.rules[0].size, plain.rules[0].size)
			}
		}
	}
	if denied < n/20 {
		t.Errorf("only %d of %d rules deny an event", denied, n)
	}
}

// A rule that cannot be judged denies, and a trial that exceeds its limit does not end the rule.
func TestTrialOfAFaultyRule(t *testing.T) {
	f := Parse(source.NewFile("", "a: a(p: ?p) -> once b(p: ?p)\nb: a( -> b()\n"))
	m := NewMonitor(f)
	if got := m.Try(NewEvent("call", "c", nil, 0, "")); got.Allowed() || len(got.Faults) != 1 || got.Faults[0] != 1 {
		t.Errorf("the rule with an error is not among %v", got.Faults)
	}
	m.rules[0].size = maxState
	if got := m.Try(NewEvent("call", "b", Fields(`{"p":1}`, nil), 0, "")); len(got.Faults) != 2 || m.Limit(0) != nil || m.rules[0].size != maxState {
		t.Errorf("faults %v, limit %v, size %d", got.Faults, m.Limit(0), m.rules[0].size)
	}
	m.Step(NewEvent("end", "", nil, 0, ""))
	if got := m.Try(NewEvent("call", "c", nil, 1, "")); got.Allowed() || got.Err == nil || m.Err() != nil {
		t.Errorf("a call after the end: %v, %v", got.Err, m.Err())
	}
}

// The cost of a trial does not depend on the length of the run.
func BenchmarkTry(b *testing.B) {
	for _, before := range []int{10, 100_000} {
		b.Run(fmt.Sprint(before), func(b *testing.B) {
			f := Parse(source.NewFile("", templates))
			m := NewMonitor(f)
			for i := range before {
				m.Step(session(b, i))
			}
			events := make([]*Event, 2000)
			for i := range events {
				events[i] = session(b, before+i)
				events[i].Time = exact.FromInt(int64(before))
			}
			b.ResetTimer()
			for i := range b.N {
				m.Try(events[i%len(events)])
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(f.Rules)), "µs/rule")
		})
	}
}

// The requirement of a violation has the values of the call, no comment, and balanced parentheses.
func TestRequirementOfAViolation(t *testing.T) {
	for text, want := range map[string]string{
		"r: a(p: ?p) -> b()": "b()",
		"r: a(p: ?p) -> (once b(p: ?p)) &  # why\n  (?p != \"s\")": `(once b(p: "s")) & ("s" != "s")`,
		"r: a(p: ?p) -> !(a(p: ?p) | b())":                         `!(a(p: "s") | b())`,
		"r: !a(p: _)":                                              "!a(p: _)",
		"r: !(a(p: ?p) & ?p = \"s\")":                              `!(a(p: ?p) & ?p = "s")`,
		"r: a(p: ?p) -> count (a(p: ?p)) <= 0":                     `count (a(p: "s")) <= 0`,
		"r: a(p: ?p) -> (!a()) since (b(p: ?p))":                   `(!a()) since (b(p: "s"))`,
	} {
		f := Parse(source.NewFile("", text))
		m := NewMonitor(f)
		got := m.Step(NewEvent("call", "a", Fields(`{"p":"s"}`, nil), 0, ""))
		if len(got) != 1 {
			t.Errorf("%s: %d violations, %v", text, len(got), f.Diagnostics)
			continue
		}
		if requirement := m.Requirement(got[0]); requirement != want {
			t.Errorf("%s: %s, want %s", text, requirement, want)
		}
	}
}

// The part of a violation is the first part of a conjunction that fails with those before it.
func TestFailingPartOfAViolation(t *testing.T) {
	for text, want := range map[string]string{
		"r: a() -> !((!c()) since (b(p: ?q) & ?q > 1))":       "!((!c()) since (b(p: ?q) & ?q > 1))",
		"r: a() -> once b() & ((c() | b()) & (c() | !(a())))": "(c() | b()) & (c() | !(a()))",
		"r: ((a() -> ((c()) since ((b())))))":                 "(c()) since ((b()))",
		"r: a(p: ?p) -> once b(p: ?q) & ?q < ?p & b()":        "?q < ?p",
		"r: a(p: ?p) -> once b(p: ?p) & ?p > 0":               "once b(p: ?p)",
		"r: a(p: ?p) -> once b(p: 5) & once b() & b()":        "b()",
		"r: a() -> b() | c()":                                 "b() | c()",
		"r: !a()":                                             "!a()",
	} {
		f := Parse(source.NewFile("", text))
		m := NewMonitor(f)
		m.Step(NewEvent("call", "b", Fields(`{"p":5}`, nil), 0, ""))
		got := m.Step(NewEvent("call", "a", Fields(`{"p":3}`, nil), 1, ""))
		if len(got) != 1 || text[got[0].Part.Start:got[0].Part.End] != want {
			t.Errorf("%s: %d violations, part %q, want %q", text, len(got), text[got[0].Part.Start:got[0].Part.End], want)
		}
	}
}
