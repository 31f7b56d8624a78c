package language

import (
	"fmt"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// starterEvent returns the event with an index of a run that triggers each rule of the starter but the one about the end, and
// keeps it.
func starterEvent(b *testing.B, i int) *rules.Event {
	b.Helper()
	const kinds = 13
	n := i / kinds
	kind, name, fields := "call", "", ""
	switch i % kinds {
	case 0:
		name, fields = "approve", fmt.Sprintf(`{"order":%d,"limit":50}`, n)
	case 1:
		name, fields = "refund", fmt.Sprintf(`{"order":%d,"amount":0.001,"customer":"c%d"}`, n, n)
	case 2:
		kind, name, fields = "result", "login", fmt.Sprintf(`{"input":{"account":"a%d"},"ok":true}`, n%100)
	case 3:
		name, fields = "transfer", fmt.Sprintf(`{"account":"a%d"}`, n%100)
	case 4:
		name, fields = "lock", fmt.Sprintf(`{"name":"n%d"}`, n%100)
	case 5:
		name, fields = "unlock", fmt.Sprintf(`{"name":"n%d"}`, n%100)
	case 6:
		name, fields = "edit", fmt.Sprintf(`{"file":"f%d"}`, n%100)
	case 7:
		name, fields = "review", fmt.Sprintf(`{"file":"f%d"}`, n%100)
	case 8:
		name, fields = "publish", fmt.Sprintf(`{"file":"f%d"}`, n%100)
	case 9:
		name, fields = "delete", `{"env":"test"}`
	case 10:
		name, fields = "open", fmt.Sprintf(`{"file":"f%d"}`, n)
	case 11:
		name, fields = "close", fmt.Sprintf(`{"file":"f%d"}`, n)
	case 12:
		name, fields = "logout", "{}"
	}
	agent := json.RawMessage(fmt.Sprintf(`"agent%d"`, i%2))
	e, err := rules.ReadEvent(rules.RawEvent{Kind: &kind, Name: name, Fields: json.RawMessage(fields), Agent: agent}, i)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// BenchmarkStarterRules judges mixed events by the ten rules of a new file, after few events and after many.
func BenchmarkStarterRules(b *testing.B) {
	text := ""
	for _, f := range txtar.Parse([]byte(rulesStarter)).Files {
		if f.Name == "policy.rules" {
			text = string(f.Data)
		}
	}
	lengths := []int{10, 100_000}
	if effort.Long() {
		lengths = append(lengths, 1_000_000)
	}
	for _, before := range lengths {
		b.Run(fmt.Sprint(before), func(b *testing.B) {
			f := rules.Parse(source.NewFile("policy.rules", text))
			if len(f.Rules) != 10 {
				b.Fatal(len(f.Rules))
			}
			m := rules.NewMonitor(f)
			for i := range before {
				m.Step(starterEvent(b, i))
			}
			events := make([]*rules.Event, b.N)
			for i := range events {
				events[i] = starterEvent(b, before+i)
			}
			b.ResetTimer()
			for _, e := range events {
				m.Step(e)
			}
			for i, r := range f.Rules {
				if m.Limit(i) != nil || m.Verdict(i) == rules.Violated || m.Verdict(i) != rules.Holds && r.Name != "closed" && before > 10 {
					b.Error(r.Name, m.Verdict(i), m.Limit(i))
				}
			}
		})
	}
}
