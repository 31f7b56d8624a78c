package guard

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// A session takes at most 4 KB of the heap for each spec of the gallery that is a table, after runs of 200 events that
// differ. Sessions of grammars contain the run, and those of rules the values that the rules compare.
func TestSessionsTakeLittleMemory(t *testing.T) {
	const sessions = 50
	tables := 0
	for _, of := range galleryGuards(t) {
		g := of.guard
		if len(g.File.Specs) == 0 || g.File.Specs[0].Kind != "dfa" {
			continue
		}
		tables++
		var before, after runtime.MemStats
		list := make([]*gate.Session, sessions)
		runtime.GC()
		runtime.ReadMemStats(&before)
		for k := range list {
			session, err := g.Begin(gate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			list[k] = session
			list[k].Record(user.Event.gate())
			for i := range 100 {
				next, _ := list[k].Next()
				if len(next) == 0 {
					break
				}
				id := fmt.Sprintf("call-%d", i)
				if d := list[k].Allow(gate.Event{Name: next[(i+k)%len(next)], ID: id, Arguments: `{"q":"7"}`}); d.Verdict == gate.Allow {
					list[k].Record(gate.Event{Kind: "result", ID: id, Content: "x"})
				}
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		n := (int(after.HeapAlloc) - int(before.HeapAlloc)) / sessions
		runtime.KeepAlive(list)
		if n > 4096 {
			t.Errorf("%s: %d bytes", of.name, n)
		}
	}
	if tables < 10 {
		t.Errorf("%d tables: too few", tables)
	}
}
