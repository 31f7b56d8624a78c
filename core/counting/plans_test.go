package counting_test

import (
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/meter"
)

func TestPlansOfConformanceData(t *testing.T) {
	type record struct {
		ID, Grammar, Start, Plans, DeadEnds string
		Limits                              grammar.Limits
	}
	for _, r := range conformance.Records[record](t, "plans.jsonl") {
		g := compile(t, r.Grammar, r.Start)
		caps, err := g.Caps(r.Limits)
		if err != nil {
			t.Fatal(err)
		}
		plans, deadEnds, err := counting.Plans(g, caps, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		if plans.String() != r.Plans || deadEnds.String() != r.DeadEnds {
			t.Errorf("%s: %v plans and %v dead ends, want %s and %s", r.ID, plans, deadEnds, r.Plans, r.DeadEnds)
		}
	}
}
