package checker

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
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
		fmt.Fprintf(&b, "fault at %d, bytes %d to %d, %q: %s\n", v.At, v.Start, v.End, text[v.Start:v.End], v.Fault)
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
			fmt.Fprintf(&b, "  %s %s at %d: %s\n", e.Op, e.Symbol, e.At, e.Text)
		}
	}
	return b.String()
}

// describeVocabulary writes the steps, inputs and limits that the instructions of a model list.
func describeVocabulary(c *Checker) string {
	var b strings.Builder
	fmt.Fprintf(&b, "steps %q\ninputs %q\n", c.StepLabels(), c.InputLabels())
	for _, l := range c.UseLimits() {
		fmt.Fprintf(&b, "%s: %d\n", l.Label, l.Times)
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
		out = append(out, golden.File{Name: "vocabulary", Text: describeVocabulary(c)})
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

// A used-up meter ends a check with an error, never with another verdict. A search for a
// nearer plan may end early.
func TestUsedUpMeterNeverChangesVerdict(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := map[string]string{}
		for _, f := range archive.Files {
			if strings.HasPrefix(f.Name, "in.") {
				in[f.Name] = string(f.Data)
			}
		}
		c := caseChecker(t, in)
		for i, title := range texts(in) {
			if i%7 != 0 {
				continue
			}
			text := strings.TrimSuffix(in["in."+title], "\n")
			want, err := c.Check(text, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(err)
			}
			for steps := int64(1); steps < 50_000; steps += 1 + steps/2 {
				v, err := c.Check(text, meter.New(meter.Budget{Steps: steps}))
				var limit *meter.LimitError
				if errors.As(err, &limit) {
					ended++
					continue
				}
				if err != nil {
					t.Fatalf("%q with %d steps: %v", text, steps, err)
				}
				if v.Valid != want.Valid || v.Fault != want.Fault || v.Function != want.Function || v.Reason != want.Reason {
					t.Fatalf("%q with %d steps: valid %v, %s %s; want %v, %s %s", text, steps, v.Valid, v.Function, v.Fault, want.Valid, want.Function, want.Fault)
				}
				if v.Nearest != nil && (want.Nearest == nil || v.Nearest.Distance < want.Nearest.Distance) || v.Nearest == nil && want.Nearest != nil && !strings.Contains(strings.Join(v.Notes, " "), "was not found") {
					t.Fatalf("%q with %d steps: nearest %+v, notes %q", text, steps, v.Nearest, v.Notes)
				}
			}
		}
	}
	if ended < 100 {
		t.Errorf("only %d checks ended early", ended)
	}
}

func TestLongestText(t *testing.T) {
	c := caseChecker(t, map[string]string{"in.spec.cfg": plantest.Tools})
	for extra, want := range []string{"", "limit.text"} {
		text := "b1 i" + strings.Repeat(" ", MaxPlanText-4+extra)
		v, err := c.Check(text, nil)
		code := ""
		var coded interface{ Code() string }
		if errors.As(err, &coded) {
			code = coded.Code()
		}
		if code != want || want == "" && !v.Valid {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

// Random steps lead to a valid plan whose steps spell its word, or to none if there is no
// valid plan.
func TestRandomPlansAreValid(t *testing.T) {
	for _, p := range plannables(t) {
		random := rand.New(rand.NewPCG(1, 2))
		for length := range 6 {
			steps, word, err := p.checker.Random(random, length, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(p.Name, err)
			}
			v, err := p.checker.Check(strings.Join(space.Names(p.checker.g, word), " "), nil)
			if err != nil || word == nil || !v.Valid && len(word) > 0 || len(v.Steps) != len(steps) && v.Valid {
				t.Errorf("%s: %v, %v: %+v", p.Name, word, err, v)
			}
		}
	}
	none := caseChecker(t, map[string]string{"in.spec.cfg": "S -> a S"})
	if _, word, err := none.Random(rand.New(rand.NewPCG(1, 2)), 3, nil); err != nil || word != nil {
		t.Errorf("%v, %v", word, err)
	}
}
