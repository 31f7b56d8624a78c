package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

// Formulas whose automaton doubles with each conjunct are drawn in part, or rejected,
// within the steps of a drawing; so is drawing.whole.
func manyConjuncts(n int) []string {
	var all, pairs []string
	for i := range n {
		all = append(all, fmt.Sprintf("F p%d", i))
		pairs = append(pairs, fmt.Sprintf("(p%d -> F q%d)", i, i))
	}
	return []string{strings.Join(all, " & "), "G (" + strings.Join(pairs, " & ") + ")"}
}

func TestManyConjunctsAreDrawnOrRejected(t *testing.T) {
	for n := 8; n <= 17; n += effort.SampleStep(4, 9) {
		for _, text := range manyConjuncts(n) {
			doc := map[string]any{"name": "a.ltl", "files": []File{{Name: "a.ltl", Text: "x: " + text}}}
			got := result[DocumentAnalyzeResult](t, New(), "document.analyze", doc)
			refused := false
			for _, d := range got.Diagnostics {
				refused = refused || d.Code == "limit.states" || d.Code == "limit.steps"
				if strings.Contains(d.Message, "raise the limit") {
					t.Errorf("%d: %s", n, d.Message)
				}
			}
			if refused == (got.Drawing != nil) {
				t.Errorf("%d of %.9s: drawn %v, refused %v", n, text, got.Drawing != nil, refused)
			}
			whole := result[DrawingWholeResult](t, New(), "drawing.whole", doc)
			if whole.Drawing != nil && len(whole.Drawing.Nodes) < min(1<<n, 300) {
				t.Errorf("%d of %.9s: %d nodes", n, text, len(whole.Drawing.Nodes))
			}
		}
	}
}

// The work of a drawing is bounded by a separate meter, and its notes name the omitted
// parts.
func TestExpensiveGuardsAreOmitted(t *testing.T) {
	list, _ := ltl.Parse(source.NewFile("a.ltl", manyConjuncts(10)[0]))
	f := list[0].Formula
	alphabet, err := ltl.NewAlphabet(f.Props(), ltl.Powerset)
	if err != nil {
		t.Fatal(err)
	}
	m := meter.New(meter.Budget{})
	d, err := ltl.Translate(f, alphabet, m)
	if err != nil || m.Spent(meter.Steps) > 500_000 {
		t.Fatalf("%d steps, %v", m.Spent(meter.Steps), err)
	}
	if _, cubes := d.Guards(0, meter.New(meter.Budget{Steps: 100_000})); cubes != -1 {
		t.Errorf("%d cubes", cubes)
	}
	if _, cubes := d.Guards(0, nil); cubes != 1<<10 {
		t.Errorf("%d cubes", cubes)
	}
	if whole := view.Formula(d, "", view.Complete, nil); len(whole.Nodes) != 1<<10 || whole.Folded == 0 {
		t.Errorf("%d nodes, %d left out", len(whole.Nodes), whole.Folded)
	}
}
