package guard

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
)

// A session takes at most 4 KB of memory in each runtime for each spec of the gallery, before the first event and after a
// typical run. JavaScript and Python are measured for one spec in three without -long, because a measurement collects their
// garbage several times.
func TestSessionsTakeLittleMemory(t *testing.T) {
	list := []*driver{start(t, "node", "--expose-gc", "testdata/heap.mjs")}
	if _, err := exec.LookPath("python3"); err == nil {
		list = append(list, start(t, "python3", "testdata/heap.py"))
	} else {
		t.Log("python3 is not installed; its sessions are not measured")
	}
	specs, policies, stacks, largest := 0, 0, 0, map[string]int{}
	step := 3
	if os.Getenv("STILE_LONG") != "" {
		step = 1
	}
	for at, of := range galleryGuards(t) {
		g := of.guard
		specs++
		if len(g.File.Rules) > 0 {
			policies++
		} else if g.File.Specs[0].Kind == "grammar" {
			stacks++
		}
		for i, run := range append([][]operation{{}}, typicalRuns(t, of)...) {
			check := func(runtime string, n, most int) {
				if largest[runtime] = max(largest[runtime], n); n > most {
					t.Errorf("%s, %s, run %d of %d events: %d bytes", runtime, of.name, i, len(run), n)
				}
			}
			// Another goroutine can only add to the heap, so the least of three is the session's.
			check("go", min(heapOf(t, g, run), heapOf(t, g, run), heapOf(t, g, run)), 4096)
			if i > 2 || at%step != 0 {
				continue // starting a session of another runtime takes longer
			}
			for _, d := range list {
				check(d.name, d.heap(t, g, run), 4096)
			}
		}
	}
	if specs < 15 || policies < 5 || stacks < 2 {
		t.Errorf("%d specs, %d of them rules and %d grammars: too few", specs, policies, stacks)
	}
	t.Logf("the largest sessions have %v bytes", largest)
}

// heap returns the bytes that a session takes in another runtime after the operations of a request. The state of the session
// must be that of Go, so that it has not failed.
func (d *driver) heap(t *testing.T, g *gate.Guard, run []operation) int {
	t.Helper()
	r := request{Guard: g.Text(), Ops: run}
	s, err := g.Begin(gate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range run {
		perform(s, op)
	}
	var out struct {
		Bytes int
		State string
	}
	if err := d.in.Encode(r); err != nil {
		t.Fatal(d.name, err)
	}
	line, err := d.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &out)
	}
	if want := string(s.Save()); err != nil || out.State != want {
		t.Fatalf("%s: %v\n%s\ninstead of\n%s", d.name, err, line, want)
	}
	return out.Bytes
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
