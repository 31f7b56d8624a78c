package rules

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/source"
)

// A step that is undone changes nothing, and one that is not has the violations and the state of Step.
func TestStepUndoRestoresTheState(t *testing.T) {
	n := effort.Sample(20_000, 500)
	g := maker{rand.New(rand.NewPCG(26, 11))}
	for tried := 0; tried < n; {
		text := "r: " + g.rule()
		f := Parse(source.NewFile("", text))
		if f.Rules[0].Fault || len(f.Rules[0].variables) > 5 {
			continue
		}
		tried++
		f.Rules[0].Program()
		events := g.run()
		m, plain := NewMonitor(f), NewMonitor(f)
		for i, e := range events {
			for undone := range 3 {
				next := *events[(i+undone)%len(events)]
				if next.Time = e.Time; undone == 2 {
					next = *e
				}
				before, _ := m.State()
				got, undo := m.StepUndo(&next, true)
				after, _ := m.State()
				if undone < 2 {
					undo()
					if again, _ := m.State(); string(again) != string(before) {
						t.Fatalf("%s\n%s\nevent %d: the state is %s after undo, not %s", text, showRun(events), i, again, before)
					}
					continue
				}
				want := plain.Step(e)
				state, _ := plain.State()
				if describeAll(got, true) != describeAll(want, true) || string(after) != string(state) {
					t.Fatalf("%s\n%s\nevent %d: %s %s, want %s %s", text, showRun(events), i, describeAll(got, true), after, describeAll(want, true), state)
				}
			}
		}
	}
}
