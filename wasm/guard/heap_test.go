package guard

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// A session takes at most 4 KB of the heap for each spec of the gallery that is a table, after runs of 200 events that
// differ. Sessions of grammars contain the run, and those of rules the values that the rules compare.
func TestSessionsTakeLittleMemory(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	const sessions = 50
	tables := 0
	for _, e := range examples {
		for _, f := range e.Files {
			text, err := compiled([]workspace.File{{Name: f.Name, Text: f.Text}}, compile.Options{})
			if err != nil {
				continue // no spec, or one that no guard represents exactly
			}
			g, err := gate.Read(text)
			if err != nil {
				t.Fatal(e.ID, f.Name, err)
			}
			if len(g.File.Specs) == 0 || g.File.Specs[0].Kind != "dfa" {
				continue
			}
			tables++
			var before, after runtime.MemStats
			list := make([]*gate.Session, sessions)
			runtime.GC()
			runtime.ReadMemStats(&before)
			for k := range list {
				if list[k], err = g.Begin(gate.Options{}); err != nil {
					t.Fatal(err)
				}
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
				t.Errorf("%s/%s: %d bytes", e.ID, f.Name, n)
			}
		}
	}
	if tables < 10 {
		t.Errorf("%d tables: too few", tables)
	}
}
