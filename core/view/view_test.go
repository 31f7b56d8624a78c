package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

func compile(t *testing.T, text string) *grammar.Grammar {
	t.Helper()
	syntax, found := grammar.Parse(source.NewFile("in.cfg", text))
	g, more := grammar.Compile(syntax, "")
	if source.HasErrors(append(found, more...)) {
		t.Fatal(found, more)
	}
	return g
}

// list prints a drawing for a case.
func list(d view.Drawing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q, %d folded\n", d.Title, d.Folded)
	for _, n := range d.Nodes {
		fmt.Fprintf(&b, "%s %q %q %s start=%v accepting=%v\n", n.ID, n.Label, n.Detail, n.Kind, n.Start, n.Accepting)
	}
	for _, e := range d.Edges {
		fmt.Fprintf(&b, "%s: %s -> %s, %d folded\n", e.ID, e.From, e.To, e.Folded)
		for _, l := range e.Lines {
			fmt.Fprintf(&b, "  %s %q\n", l.ID, l.Label)
		}
	}
	return b.String()
}

func TestDrawings(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		d, ok := ofProblem(t, in)
		if ok {
			return []golden.File{{Name: "drawing", Text: list(d)}}
		}
		if text, ok := in["in.agent"]; ok {
			spec, found := agent.Parse(source.NewFile("in.agent", text))
			a, more := agent.Compile(spec, nil)
			if source.HasErrors(append(found, more...)) {
				t.Fatal(found, more)
			}
			d = view.Agent(a, view.Picture)
		} else {
			d, _, _ = view.Pushdown(pushdown.FromGrammar(compile(t, in["in.cfg"])), "a title", view.Picture)
		}
		return []golden.File{{Name: "drawing", Text: list(d)}, {Name: "dot", Text: d.DOT()}}
	})
}

func TestLargeDrawingsAreFolded(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "S -> t%d N%d\nN%d -> u\n", i, i, i)
	}
	p := pushdown.FromGrammar(compile(t, b.String()))
	d, _, lineOf := view.Pushdown(p, "", view.Picture)
	if len(lineOf) != len(p.Transitions) {
		t.Errorf("%d lines for %d transitions", len(lineOf), len(p.Transitions))
	}
	ids := map[string]bool{}
	lines, folded := 0, 0
	for _, e := range d.Edges {
		ids[e.ID] = true
		lines += len(e.Lines)
		folded += e.Folded
		for _, l := range e.Lines {
			ids[l.ID] = true
		}
	}
	if lines > 2*view.MaxEdgeLines+1 || folded == 0 {
		t.Errorf("%d lines, %d folded", lines, folded)
	}
	for i, id := range lineOf {
		if !ids[id] {
			t.Fatalf("transition %d is on %q, which is nowhere", i, id)
		}
	}
}

func TestDeepTreeIsCut(t *testing.T) {
	root := &view.Tree{Symbol: "a"}
	for at, i := root, 0; i < 100_000; i++ {
		at.Children = []*view.Tree{{Symbol: "a"}}
		at = at.Children[0]
	}
	d := root.Drawing("deep")
	if len(d.Nodes) != view.MaxNodes || d.Folded == 0 || len(d.Edges) != len(d.Nodes)-1 {
		t.Errorf("%d nodes, %d edges, %d folded", len(d.Nodes), len(d.Edges), d.Folded)
	}
}

func TestLabelsAreQuotedInDOT(t *testing.T) {
	d := view.Drawing{
		Nodes: []view.Node{{ID: `a"]; x -> y; [l="`, Label: `\N "quoted"`}},
		Edges: []view.Edge{{ID: "e", From: `a"]; x -> y; [l="`, To: `a"]; x -> y; [l="`, Lines: []view.Line{{ID: "l", Label: "\\\"\n\\n"}}}},
	}
	dot := d.DOT()
	if strings.Contains(strings.ReplaceAll(dot, `\"`, ""), `a"]`) {
		t.Errorf("the identifier breaks out:\n%s", dot)
	}
}

func TestLongTextsAreBrokenIntoRows(t *testing.T) {
	for _, want := range [][]string{
		{""},
		{"ε, Z; S Z"},
		{"confirm.flight, ", "flight; ε"},
		{"fly.F3923206|", "fly.F3923211|", "fly.F3923439|taxi.out, ", "Z; carried Z"},
		{"a_name_that_has_", "nothing_but_underscores"},
		{strings.Repeat("x", 40)},
	} {
		text := strings.Join(want, "")
		if got := view.Rows(text); !slices.Equal(got, want) {
			t.Errorf("%q is broken into %q", text, got)
		}
	}
}
