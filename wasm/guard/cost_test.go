package guard

import (
	"fmt"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// BenchmarkAllow measures a call and its result after some events. testdata/cost.mjs and
// testdata/cost.py measure the other runtimes.
func BenchmarkAllow(b *testing.B) {
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}, {Name: "p.ltl", Text: "G (Obs -> WX (Act | Ans))\n"}}, compile.Options{})
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
			s.Record(user.Event.gate())
			step := func(i int) {
				id := fmt.Sprint("c", i)
				if d := s.Allow(gate.Event{Name: "lookup", ID: id, Arguments: `{"q":"7"}`}); d.Verdict != gate.Allow {
					b.Fatal(d)
				}
				s.Record(gate.Event{Kind: "result", ID: id, Content: "x"})
			}
			for i := range before / 2 {
				step(-i - 1)
			}
			b.ResetTimer()
			for i := range b.N {
				step(i)
			}
		})
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
