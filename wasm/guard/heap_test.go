package guard

import (
	"encoding/json"
	"fmt"
	"runtime"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
)

// A session takes at most 4 KB of memory for each spec of the gallery, before the first event and after a typical run.
// Sessions of grammars are an exception: they contain the run.
func TestSessionsTakeLittleMemory(t *testing.T) {
	tables, policies := 0, 0
	for _, of := range galleryGuards(t) {
		g := of.guard
		if len(g.File.Specs) > 0 && g.File.Specs[0].Kind != "dfa" {
			continue
		}
		if tables++; len(g.File.Rules) > 0 {
			policies++
		}
		for i, run := range append(typicalRuns(t, of), nil) {
			if n := heapOf(t, g, run); n > 4096 {
				t.Errorf("%s, run %d of %d events: %d bytes", of.name, i, len(run), n)
			}
		}
	}
	if tables < 15 || policies < 5 {
		t.Errorf("%d specs, %d of them rules: too few", tables, policies)
	}
}

// heapOf returns the bytes of the heap that a session takes after a run.
func heapOf(t *testing.T, g *gate.Guard, run []operation) int {
	t.Helper()
	const sessions = 50
	begin := func() *gate.Session {
		s, err := g.Begin(gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range run {
			perform(s, op)
		}
		return s
	}
	begin() // fills the lists that sessions share
	var before, after runtime.MemStats
	list := make([]*gate.Session, sessions)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for k := range list {
		list[k] = begin()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(list)
	return (int(after.HeapAlloc) - int(before.HeapAlloc)) / sessions
}

// typicalRuns returns the runs of a policy that its tests expect to be valid, and for another spec one of 200 events.
func typicalRuns(t *testing.T, of galleryGuard) (out [][]operation) {
	t.Helper()
	tests, _ := spectest.Parse(source.NewFile("", of.tests))
	for _, c := range tests.Cases {
		if c.Form == spectest.Run && c.Expect == spectest.Valid {
			run, _ := rules.ReadRun(c.Text)
			out = append(out, recorded(run.Events))
		}
	}
	if len(of.guard.File.Rules) == 0 || len(out) == 0 {
		return [][]operation{suggestedRun(t, of.guard)}
	}
	return out
}

// suggestedRun makes calls that the guard lists as allowed.
func suggestedRun(t *testing.T, g *gate.Guard) (out []operation) {
	t.Helper()
	s, err := g.Begin(gate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(op operation) gate.Decision {
		out = append(out, op)
		return perform(s, op)
	}
	add(user)
	for i := range 100 {
		next, _ := s.Next()
		if len(next) == 0 {
			break
		}
		id := fmt.Sprintf("call-%d", i)
		if d := add(operation{"allow", event{Name: next[i%len(next)], ID: id, Arguments: `{"q":"7"}`}}); d.Verdict == gate.Allow {
			add(operation{"record", event{Kind: "result", ID: id, Content: "x"}})
		}
	}
	return out
}

// recorded converts events of a test. A result without a call has one before it, with the arguments that are its input.
func recorded(events []*rules.Event) (out []operation) {
	open := map[string]bool{}
	for i, e := range events {
		raw := e.Raw()
		op := operation{"record", event{Kind: e.Kind, Name: e.Name, Content: string(raw.Fields)}}
		switch e.Kind {
		case "call":
			op = operation{"allow", event{Name: e.Name, ID: fmt.Sprint("call-", i), Arguments: string(raw.Fields)}}
			open[e.Name] = true
		case "message":
			var text struct{ Text string }
			_ = json.Unmarshal(raw.Fields, &text) // fields are an object
			op.Event.Content = text.Text
		case "result", "error":
			if !open[e.Name] {
				out = append(out, operation{"record", event{Kind: "call", Name: e.Name, Time: string(raw.Time)}})
			}
		case "end":
			op.Op = "end"
		}
		op.Event.Time = string(raw.Time)
		out = append(out, op)
	}
	return out
}
