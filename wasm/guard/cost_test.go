package guard

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// costGuard is the guard whose events are measured: an order, contents and a property.
func costGuard(t testing.TB) *gate.Guard {
	t.Helper()
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}, {Name: "p.ltl", Text: "G (Obs -> WX (Act | Ans))\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// costSession is a session that makes a call and enters its result in each step.
type costSession struct {
	*gate.Session
	steps int
}

func newCostSession(t testing.TB, g *gate.Guard, events int) *costSession {
	t.Helper()
	s, err := g.Begin(gate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Record(user.Event.gate())
	c := &costSession{Session: s}
	for range events / 2 {
		c.step(t)
	}
	return c
}

func (c *costSession) step(t testing.TB) {
	c.steps++
	name := [9]byte{'c'} // without fmt, which allocates for large numbers only
	for i, n := 8, c.steps; i > 0; i, n = i-1, n/10 {
		name[i] = byte('0' + n%10)
	}
	id := string(name[:])
	if d := c.Allow(gate.Event{Name: "lookup", ID: id, Arguments: `{"q":"7"}`}); d.Verdict != gate.Allow {
		t.Fatal(d)
	}
	c.Record(gate.Event{Kind: "result", ID: id, Content: "x"})
}

// BenchmarkEvent measures an event of calls and their results: events 10 to 30 of many sessions, and those after 100,000 of
// one. testdata/cost.mjs and testdata/cost.py measure the other runtimes; go run ./build bench guard runs all of them.
func BenchmarkEvent(b *testing.B) {
	g := costGuard(b)
	const steps = 10
	b.Run("Go/10", func(b *testing.B) {
		var list []*costSession
		for range b.N/(2*steps) + 1 {
			list = append(list, newCostSession(b, g, 10))
		}
		b.ResetTimer()
		for i := range b.N / 2 {
			list[i/steps].step(b)
		}
	})
	late := newCostSession(b, g, 100_000)
	b.Run("Go/100000", func(b *testing.B) {
		for range b.N / 2 {
			late.step(b)
		}
	})
}

// The number of allocations for an event, the size of the state, and in Python the number of calls of functions are those
// of an earlier event, so that the cost does not grow with the run.
func TestEventsCostTheSame(t *testing.T) {
	g := costGuard(t)
	early, late := newCostSession(t, g, 100), newCostSession(t, g, 100_000) // the list of the last identifiers is full
	for range 10 {
		early.step(t)
		late.step(t)
	}
	a, b := testing.AllocsPerRun(100, func() { early.step(t) }), testing.AllocsPerRun(100, func() { late.step(t) })
	if a != b || a == 0 {
		t.Errorf("a call and its result have %v allocations after 100 events, and %v after 100,000", a, b)
	}
	counter := len(fmt.Sprint(late.steps*2)) - len(fmt.Sprint(early.steps*2)) // of events, in the state
	if n, m := len(early.Save()), len(late.Save()); m-n != counter {
		t.Errorf("the state has %d bytes after 100 events, and %d after 100,000", n, m)
	}
	file := filepath.Join(t.TempDir(), "cost.guard")
	if err := os.WriteFile(file, []byte(g.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Log("python3 is not installed; its events are not counted")
		return
	}
	out, err := exec.Command("python3", "testdata/cost.py", file, "-calls").CombinedOutput()
	var calls, later int
	if _, fault := fmt.Sscan(string(out), &calls, &later); err != nil || fault != nil || calls != later || calls == 0 {
		t.Errorf("Python: %v %v\n%s", err, fault, out)
	}
}

// BenchmarkRules measures a call and its result under rules about data: those of templates.
func BenchmarkRules(b *testing.B) {
	text, err := compiled([]workspace.File{{Name: "pay.rules", Text: `approved: refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, amount: ?l) & ?a <= ?l

once-each: refund(order: ?o) -> count refund(order: ?o) <= count approve(order: ?o)

never: !delete(env: "production")

budget: refund() -> sum[1m] ?x for refund(amount: ?x) <= 100000
`}}, compile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	g, err := gate.Read(text)
	if err != nil {
		b.Fatal(err)
	}
	for _, before := range []int{10, 100_000} {
		b.Run(fmt.Sprint(before), func(b *testing.B) {
			s, err := g.Begin(gate.Options{})
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			step := func() {
				i := n
				n++
				id, time := fmt.Sprint("c", i), fmt.Sprint(i)
				call := gate.Event{Name: []string{"approve", "refund"}[i%2], ID: id, Arguments: fmt.Sprintf(`{"order":%d,"amount":7}`, i/2), Time: time}
				if d := s.Allow(call); d.Verdict != gate.Allow {
					b.Fatal(d)
				}
				s.Record(gate.Event{Kind: "result", ID: id, Content: "x", Time: time})
			}
			for range before / 2 {
				step()
			}
			b.ResetTimer()
			for range b.N {
				step()
			}
		})
	}
}

// The state of a session is below 4 KB for the specs of the gallery, after any number of events
// if the spec is a table.
func TestStatesAreSmall(t *testing.T) {
	tables := 0
	for _, of := range galleryGuards(t) {
		g := of.guard
		s, err := g.Begin(gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(g.File.Specs) > 0 && g.File.Specs[0].Kind == "dfa" {
			tables++
		}
		s.Record(user.Event.gate())
		for i := range 500 {
			next, _ := s.Next()
			if len(next) == 0 {
				break
			}
			id := fmt.Sprintf("call-%020d", i)
			if d := s.Allow(gate.Event{Name: next[i%len(next)], ID: id, Arguments: `{"q":"7"}`}); d.Verdict == gate.Allow {
				s.Record(gate.Event{Kind: "result", ID: id, Content: "x"})
			}
		}
		if n := len(s.Save()); n > 4096 {
			t.Errorf("%s: the state has %d bytes", of.name, n)
		}
	}
	if tables < 10 {
		t.Errorf("only %d specs of the gallery are tables", tables)
	}
}
