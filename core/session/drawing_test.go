package session

import (
	"fmt"
	"strings"
	"testing"
)

func fullGraph(t *testing.T, name, text, view string) DrawingWholeResult {
	t.Helper()
	out, err := New().drawingWhole(DrawingWholeParams{Files: []File{{Name: name, Text: text}}, Name: name, View: view})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFullGraphIsComplete(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "N%d -> t%d N%d | t%d\n", i, i%97, (i*7+1)%10_000, i%89)
	}
	out := fullGraph(t, "large.cfg", b.String(), "symbols")
	if out.Drawing == nil || len(out.Drawing.Nodes) != 10_000 || len(out.Drawing.Edges) != 10_000 || out.Drawing.Folded != 0 || out.Drawing.DOT != "" {
		t.Fatalf("the graph is not whole: %+v", out.Views)
	}
	// Each symbol occurs once on the left and once on the right.
	if len(out.Places) != 20_000 {
		t.Errorf("%d places", len(out.Places))
	}
}

// TestPartsOfAGraphHaveTheirPlaces lists, by notation, the texts of the parts with a
// given name.
func TestPartsOfAGraphHaveTheirPlaces(t *testing.T) {
	for _, c := range []struct{ name, text, view, part, places string }{
		{"a.cfg", "S -> a T\nT -> b S | c\n", "symbols", "T", "T T"},
		{"a.cfg", "S -> a T\nT -> b S | c\n", "", "q1", "a T\nT -> b S | c"},
		{"a.pda", "start left Z\naccept right\nleft -> left (a, Z; A Z)\nleft -> right (b, A; ε)\n", "", "left", "left left left left left"},
		{"a.flow", "ask first \"First?\"\n  yes -> good\n  no -> stop\naccept good \"Good.\"\n", "", "good", "good good"},
		{"a.agent", "(define both (:states (One (:text \"1.\")) (Two (:text \"2.\"))) (:behavior (next One Two)))", "", "Two", "Two Two"},
		{"a.ltl", "one: G(a -> F b)\n\ntwo: F c\n", "1", "c", "c"},
	} {
		out := fullGraph(t, c.name, c.text, c.view)
		ids := map[string]bool{}
		for _, n := range out.Drawing.Nodes {
			if n.Label == c.part {
				ids[n.ID] = true
			}
		}
		for _, e := range out.Drawing.Edges {
			for _, l := range e.Lines {
				if l.Label == c.part {
					ids[l.ID] = true
				}
			}
		}
		var got []string
		for _, p := range out.Places {
			if ids[p.ID] {
				got = append(got, string([]rune(c.text)[p.From:p.To]))
			}
		}
		if strings.Join(got, " ") != c.places {
			t.Errorf("%s: %s stands for %q, not %q", c.name, c.part, got, c.places)
		}
	}
}

func TestFamiliesAreGroupsAndFormulasViews(t *testing.T) {
	out := fullGraph(t, "a.pda", "start n/1 Z\naccept done\nn/1 -> n/2 (a, Z; Z)\nn/2 -> done (b, Z; Z)\n", "")
	if len(out.Groups) != 1 || out.Groups[0].Name != "n" || len(out.Groups[0].Nodes) != 2 || out.Groups[0].Folded {
		t.Errorf("groups %+v", out.Groups)
	}
	out = fullGraph(t, "a.ltl", "one: G a\n\ntwo: F c\n", "")
	if len(out.Views) != 2 || out.View != "0" || out.Views[1].Title != "two" || out.Views[1].From != 10 {
		t.Errorf("view %q of %+v", out.View, out.Views)
	}
	if out = fullGraph(t, "a.ltl", "one: G a\n", ""); len(out.Views) != 0 || out.Drawing == nil {
		t.Errorf("the only view is one of %+v", out.Views)
	}
	if out = fullGraph(t, "a.agent", "(define", ""); out.Drawing != nil {
		t.Error("a text with errors has no graph")
	}
}
