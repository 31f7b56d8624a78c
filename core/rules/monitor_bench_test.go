package rules

import (
	"fmt"
	"testing"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// templates are rules of each template.
const templates = `
approved: refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, limit: ?l) & ?a <= ?l
ever: refund(order: ?o) -> once approve(order: ?o)
four-eyes: refund(order: ?o, @agent: ?a) -> once (approve(order: ?o, @agent: ?b) & ?a != ?b)
budget: pay() -> sum[24h] ?x for pay(amount: ?x) <= 100000000
cap: refund(customer: ?c) -> count[24h] refund(customer: ?c) <= 1000000
fresh: transfer(account: ?a) -> (!logout()) since[1h] login.result(input.account: ?a, ok: true)
exclusive: lock(name: ?n) -> !((!unlock(name: ?n)) since (once lock(name: ?n) & previous once lock(name: ?n)) & false = true)
once-each: refund(order: ?o) -> count refund(order: ?o) <= count approve(order: ?o)
trust: delete(path: ?p) -> (!edit(path: ?p)) since[10m] review(path: ?p)
production: !delete(env: "production")
ceiling: pay(amount: ?a) -> (!set()) since set(max: ?m) & ?a <= ?m
closed: end() -> !((!close(file: ?f)) since open(file: ?f))
`

// session returns the event with an index of a run in which every order is new.
func session(t testing.TB, i int) *Event {
	names := []string{"approve", "refund", "pay", "set", "login", "transfer", "lock", "unlock", "open", "close", "review", "delete"}
	name := names[i%len(names)]
	kind, n := "call", i/len(names)
	fields := fmt.Sprintf(`{"order":"o%d","amount":%d,"limit":50,"customer":"c%d","max":100,"account":"a%d","input":{"account":"a%d"},"ok":true,"name":"n%d","file":"f%d","path":"p%d"}`, n, n%50, n%1000, n%100, n%100, n%10, n, n%100)
	if name == "login" {
		kind = "result"
	}
	e, err := ReadEvent(RawEvent{Kind: &kind, Name: name, Fields: json.RawMessage(fields), Agent: json.RawMessage(fmt.Sprintf(`"agent%d"`, i%2))}, i)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An event costs about as much after many events as after few.
func BenchmarkEvent(b *testing.B) {
	lengths := []int{10, 100_000}
	if effort.Long() {
		lengths = append(lengths, 1_000_000)
	}
	for _, before := range lengths {
		b.Run(fmt.Sprint(before), func(b *testing.B) {
			f := Parse(source.NewFile("", templates))
			if source.HasErrors(f.Diagnostics) {
				b.Fatal(f.Diagnostics)
			}
			m := NewMonitor(f)
			for i := range before {
				m.Step(session(b, i))
			}
			events := make([]*Event, 2000)
			for i := range events {
				events[i] = session(b, before+i)
			}
			b.ResetTimer()
			for i := range b.N {
				e := *events[i%len(events)]
				e.Time = exact.FromInt(int64(before + i))
				m.Step(&e)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(f.Rules)), "µs/rule")
			for i := range f.Rules {
				if m.Limit(i) != nil {
					b.Error(f.Rules[i].Name, m.Limit(i))
				}
			}
		})
	}
}
