package checker

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
)

// caseChecker returns the checker of a case: of a file of the gallery ("in.gallery"), or
// of the only spec "in.spec.cfg", "in.spec.pda" or "in.spec.flow", with "in.properties".
func caseChecker(t *testing.T, in map[string]string) *Checker {
	t.Helper()
	var properties []space.Property
	if in["in.properties"] != "" {
		properties = plantest.Properties(t, in["in.properties"])
	}
	var file *source.File
	if name := strings.TrimSpace(in["in.gallery"]); name != "" {
		file = plantest.File(t, name)
	}
	for name, text := range in {
		if rest, ok := strings.CutPrefix(name, "in.spec."); ok {
			file = source.NewFile("spec."+rest, text)
		}
	}
	s, _ := plantest.Parse(t, file)
	var c *Checker
	var err error
	switch {
	case s.Grammar != nil:
		c, err = New(s.Grammar, s.Grammar.DeclaredLimits(), nil, properties...)
	case s.Words != nil:
		c, err = NewPushdown(s.Words, s.Words.PDA.Limits, nil, properties...)
	default:
		c, err = NewFlow(s.Chart, grammar.Limits{}, nil, properties...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// describeVerdict writes everything that a reader of a verdict sees.
func describeVerdict(text string, v *Verdict) string {
	var b strings.Builder
	if v.Valid {
		fmt.Fprintf(&b, "valid %s: %s\n", v.Form, strings.Join(v.Word, " "))
		if v.Function != strings.Join(v.Word, " ") {
			fmt.Fprintf(&b, "  %s\n", v.Function)
		}
		for _, s := range v.Steps {
			fmt.Fprintf(&b, "  %d. %s\n", s.N, s.Text)
		}
	} else {
		fmt.Fprintf(&b, "invalid %s: %s\n", v.Form, strings.Join(v.Word, " "))
		fmt.Fprintf(&b, "fault at %d, %q: %s\n", v.At, text[v.Start:v.End], v.Fault)
		for line := range strings.Lines(v.Reason) {
			fmt.Fprintf(&b, "  %s\n", strings.TrimRight(line, "\n"))
		}
		for _, c := range v.Expected {
			fmt.Fprintf(&b, "expected %d %s %q\n", c.N, c.Symbol, c.Label)
		}
	}
	if v.BadEnd != nil {
		fmt.Fprintf(&b, "bad end %s: %s\n", v.BadEnd.Name, v.BadEnd.Text)
	}
	for _, f := range v.Found {
		fmt.Fprintf(&b, "found %q", text[f.Start:f.End])
		if f.Step > 0 {
			fmt.Fprintf(&b, " in step %d", f.Step)
		}
		fmt.Fprintf(&b, ": %s", f.Symbol)
		if f.Label != text[f.Start:f.End] {
			fmt.Fprintf(&b, " %q", f.Label)
		}
		if f.Note != "" {
			fmt.Fprintf(&b, " (%s)", f.Note)
		}
		b.WriteString("\n")
	}
	for _, u := range v.Unread {
		kind := "remark"
		if u.Step {
			kind = "step"
		}
		fmt.Fprintf(&b, "unread %s %q\n", kind, text[u.Start:u.End])
	}
	for _, n := range v.Notes {
		fmt.Fprintf(&b, "note %s\n", n)
	}
	if v.Nearest != nil {
		fmt.Fprintf(&b, "nearest %s\n", v.Nearest.Function)
		for _, e := range v.Nearest.Edits {
			fmt.Fprintf(&b, "  %s at %d: %s\n", e.Op, e.At, e.Text)
		}
	}
	return b.String()
}

// texts returns the titles of the texts of a case, sorted.
func texts(in map[string]string) (titles []string) {
	for _, name := range slices.Sorted(maps.Keys(in)) {
		title := strings.TrimPrefix(name, "in.")
		if title != "gallery" && title != "properties" && !strings.HasPrefix(title, "spec.") {
			titles = append(titles, title)
		}
	}
	return titles
}

func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) (out []golden.File) {
		c := caseChecker(t, in)
		for _, title := range texts(in) {
			text := strings.TrimSuffix(in["in."+title], "\n")
			v, err := c.Check(text, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(title, err)
			}
			checkVerdict(t, c, text, v)
			out = append(out, golden.File{Name: title, Text: describeVerdict(text, v)})
		}
		return out
	})
}

// rotated returns a grammar whose terminals are declared in another order.
func rotated(g *grammar.Grammar, by int) *grammar.Grammar {
	n := g.NumTerminals
	moved := func(s grammar.Symbol) grammar.Symbol {
		if g.IsTerminal(s) {
			return grammar.Symbol((int(s) + by) % n)
		}
		return s
	}
	terminals, labels := make([]string, n), map[string]string{}
	for s := range grammar.Symbol(g.NumSymbols()) {
		if g.IsTerminal(s) {
			terminals[moved(s)] = g.Names[s]
		}
		if label := g.Label(s); label != g.Names[s] {
			labels[g.Names[s]] = label
		}
	}
	var productions []grammar.Production
	for _, p := range g.Productions {
		q := grammar.Production{Left: p.Left}
		for _, s := range p.Right {
			q.Right = append(q.Right, moved(s))
		}
		productions = append(productions, q)
	}
	return grammar.New(terminals, g.Names[n:], g.Start, productions, labels, grammar.Limits{})
}

// The order in which a spec declares its tools does not change how a text is read or
// whether it is valid. It may decide between equally good names, plans and edits.
func TestOrderOfDeclarationsDoesNotMatter(t *testing.T) {
	g := must.Grammar(t, plantest.Tools)
	archive, err := txtar.ParseFile(filepath.Join("testdata", "cases", "tools.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(v *Verdict) string {
		var b strings.Builder
		fmt.Fprintln(&b, v.Valid, v.Form, v.Unread, v.Start, v.End, v.At, len(v.Expected), v.Nearest == nil)
		for _, f := range v.Found {
			fmt.Fprintln(&b, f.Symbol, f.Label, f.Start, f.End, f.Step)
		}
		if v.Nearest != nil {
			fmt.Fprintln(&b, v.Nearest.Distance)
		}
		return b.String()
	}
	var checkers []*Checker
	for by := range g.NumTerminals {
		c, err := New(rotated(g, by), g.DeclaredLimits(), nil)
		if err != nil {
			t.Fatal(err)
		}
		checkers = append(checkers, c)
	}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "in.") || strings.HasPrefix(f.Name, "in.spec.") {
			continue
		}
		text, want := strings.TrimSuffix(string(f.Data), "\n"), ""
		for by, c := range checkers {
			v, err := c.Check(text, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(err)
			}
			if by == 0 {
				want = read(v)
			} else if got := read(v); got != want {
				t.Errorf("%s: %q is read as\n%swith another order as\n%s", f.Name, text, want, got)
			}
		}
	}
}
