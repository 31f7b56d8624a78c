package rules

import (
	"fmt"
	"testing"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/source"
)

// The state of windows depends on the events in them, not on the length of the run.
func TestStateOfWindowsIsBounded(t *testing.T) {
	f := Parse(source.NewFile("", `
a: a(p: ?p) -> once[10s] b(p: ?p)
b: a(p: ?p) -> (!c(p: ?p)) since[10s] b(p: ?p)
c: a(p: ?p) -> historically[10s] !b(p: ?p)
d: a(p: ?p) -> count[10s] b(p: ?p) + count[10s] distinct ?q for b(p: ?p, q: ?q) <= 1
e: a(p: ?p) -> sum[10s] ?q for b(p: ?p, q: ?q) + max[10s] ?r for b(p: ?p, q: ?r) <= 1
f: a(p: ?p) -> once[10s] (b(q: ?q) & ?q < ?p)
g: a(p: ?p) -> once[10s] b(p: ?p, q: ?q) & once[10s] b(p: ?r, q: ?q) & ?r <= ?p
h: a(p: ?p) -> (!c(p: ?p)) since[10s] b()
`))
	if source.HasErrors(f.Diagnostics) {
		t.Fatal(f.Diagnostics)
	}
	m := NewMonitor(f)
	largest := map[string]int{}
	for i := range 3_000 {
		name := []string{"b", "a", "c"}[i%3]
		e, err := ReadEvent(RawEvent{Name: name, Fields: fmt.Appendf(nil, `{"p":%d,"q":%d}`, i-i%3, i)}, i)
		if err != nil {
			t.Fatal(err)
		}
		m.Step(e)
		for k, r := range m.rules {
			largest[f.Rules[k].Name] = max(largest[f.Rules[k].Name], int(r.size))
		}
		for slot, rows := range m.tables {
			for _, index := range rows.some().indexes {
				if n := index.lists.size(); n > 20 {
					t.Fatalf("table %d: the index of %b has %d entries after event %d", slot, index.of, n, i)
				}
			}
		}
	}
	for name, size := range largest {
		if size > 100 {
			t.Errorf("the state of %s has %d entries", name, size)
		}
	}
	for i, r := range f.Rules {
		if m.Verdict(i) == Fault || m.rules[i].size < 0 {
			t.Errorf("%s: %s, %d entries, %v", r.Name, m.Verdict(i), m.rules[i].size, m.Limit(i))
		}
	}
}

func TestRuleBeyondItsLimitsIsAFault(t *testing.T) {
	f := Parse(source.NewFile("", "a: a(p: ?p) -> once b(p: ?p)\nb: a() -> sum ?p for a(p: ?p) <= 9\n"))
	step := func(m *Monitor, fields string) []Violation {
		e, err := ReadEvent(RawEvent{Name: "b", Fields: []byte(fields)}, m.events)
		if err != nil {
			t.Fatal(err)
		}
		return m.Step(e)
	}
	m := NewMonitor(f)
	m.rules[0].size = maxState
	if step(m, `{"p":1}`); m.Verdict(0) != Fault || source.ErrorCode(m.Limit(0)) != "limit.rules" || m.Verdict(1) != Untriggered {
		t.Errorf("%s %v, %s", m.Verdict(0), m.Limit(0), m.Verdict(1))
	}
	m = NewMonitor(f)
	for _, p := range []string{"1e999999999", "1"} {
		e, _ := ReadEvent(RawEvent{Name: "a", Fields: []byte(`{"p":` + p + `}`)}, m.events)
		m.Step(e)
	}
	if m.Verdict(1) != Fault || source.ErrorCode(m.Limit(1)) != "limit.rules" || m.Verdict(0) != Violated {
		t.Errorf("%s %v, %s", m.Verdict(1), m.Limit(1), m.Verdict(0))
	}
	// A rule with a fault stays one after its state was saved.
	state, err := m.State()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(f, state)
	if err != nil || again.Verdict(1) != Fault || again.Verdict(0) != Violated {
		t.Errorf("%s, %s (%v)", again.Verdict(1), again.Verdict(0), err)
	}
	if _, err := Load(Parse(source.NewFile("", "a: a()\n")), state); err == nil {
		t.Error("the state of other rules was loaded")
	}
}

// An event takes as many steps after many events as after few, also for an operator whose table grows with the run.
func TestStepsDoNotGrowWithTheTable(t *testing.T) {
	f := Parse(source.NewFile("", "r: lock(n: ?n) -> !previous once lock(n: ?n)\nq: lock(n: ?n) -> once lock(n: ?n)\n"))
	m := NewMonitor(f)
	steps := map[int]int{}
	for i := range 20_000 {
		e := NewEvent("call", "lock", Object("n", exact.OfNumber(exact.FromInt(int64(i)))), i, "")
		run := m.machine(e, e.Time, nil)
		for rule, limits := range m.code.reach(e) {
			if list := run.violations(rule, limits); len(list) > 0 {
				t.Fatal(i, list)
			}
			steps[i] += run.steps
		}
		run.release()
		m.events, m.last = m.events+1, e.Time
	}
	if steps[100] == 0 || steps[19_999] != steps[100] {
		t.Errorf("event 100 takes %d steps, event 19999 takes %d", steps[100], steps[19_999])
	}
	again := NewEvent("call", "lock", Object("n", exact.OfNumber(exact.FromInt(7))), 20_000, "")
	if list := m.Step(again); len(list) != 1 || list[0].Rule != 0 {
		t.Errorf("violations %v of a second lock", list)
	}
}
