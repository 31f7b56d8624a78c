package grammar_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/source"
)

func TestComponentsAreStronglyConnected(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 1))
	for range effort.Of(500) {
		n := 1 + random.IntN(8)
		edges := make([][]grammar.Symbol, n)
		leads := make([][]bool, n)
		for i := range n {
			leads[i] = make([]bool, n)
			leads[i][i] = true
		}
		for range random.IntN(2 * n) {
			from, to := random.IntN(n), random.IntN(n)
			edges[from] = append(edges[from], grammar.Symbol(to))
			leads[from][to] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					leads[i][j] = leads[i][j] || leads[i][k] && leads[k][j]
				}
			}
		}
		got := grammar.Components(n, edges)
		for i := range n {
			for j := range n {
				if (got[i] == got[j]) != (leads[i][j] && leads[j][i]) {
					t.Fatalf("%v: %d and %d in %v", edges, i, j, got)
				}
			}
		}
	}
}

func TestMinLengthIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("S -> X | A20 | A20 a\nX -> A20 a | A20 A1\n")
	for i := 20; i > 0; i-- {
		fmt.Fprintf(&b, "A%d -> A%d A%d\n", i, i-1, i-1)
	}
	b.WriteString("A0 -> a\n")
	g := must.Grammar(t, b.String())
	length := g.MinLength()
	for name, want := range map[string]int{"A20": grammar.MaxMinLength, "S": grammar.MaxMinLength, "X": -1, "A0": 1} {
		if s, _ := g.Lookup(name); length[s] != want {
			t.Errorf("%s: %d, want %d", name, length[s], want)
		}
	}
}

// codes returns the codes of diagnostics, those of errors with a mark.
func codes(found []source.Diagnostic) string {
	var out []string
	for _, d := range found {
		code := d.Code
		if d.Severity == source.SeverityError {
			code += "!"
		}
		out = append(out, code)
	}
	return strings.Join(out, " ")
}

func TestGrammarSizeIsBounded(t *testing.T) {
	alternatives := func(n int) string {
		var b strings.Builder
		b.WriteString("S -> t0")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, " | t%d", i)
		}
		return b.String()
	}
	symbol := strings.Repeat("x", grammar.MaxSymbolLength)
	right := "S ->" + strings.Repeat(" a", grammar.MaxRightLength)
	for _, c := range []struct{ what, text, codes string }{
		{"nearly large", alternatives(grammar.LargeGrammar - 1), ""},
		{"large", alternatives(grammar.LargeGrammar), "cfg.large"},
		{"all productions", alternatives(grammar.MaxProductions), "cfg.large"},
		{"a production more", alternatives(grammar.MaxProductions + 1), "cfg.large limit.productions!"},
		{"a long symbol", "S -> " + symbol, ""},
		{"one too long", "S -> " + symbol + "x", "cfg.symbol-long!"},
		{"one too long, in quotes", "S -> \"" + symbol + "x\"", ""},
		{"a long right side", right, ""},
		{"one too long a right side", right + " a", "limit.right-side!"},
	} {
		if _, found := said(c.text); codes(found) != c.codes {
			t.Errorf("%s: %s, want %s", c.what, codes(found), c.codes)
		}
	}
}

func TestSingleDiagnostics(t *testing.T) {
	for _, c := range []struct{ text, codes string }{
		{"S -> a\nlimit 0 each\nlimit 0 a", ""},
		{"S -> a\nlimit -1 each", "cfg.limit-number!"},
		{"S -> ε as \"nothing\" | a", ""},
		{"S -> ε a | a ε | ε ε", "cfg.empty-beside cfg.empty-beside cfg.empty-beside cfg.duplicate"},
		{"S -> a as \"A\" b", "cfg.after-label!"},
		{"S -> a as", "cfg.as-text!"},
		{"S -> a as b", "cfg.as-text!"},
		{"S -> -> a", "cfg.arrow-twice!"},
		{"S -> |a", "cfg.glued"},
		{"S -> \"|a\" \"a\\\\\" b", ""},
		{"S -> \"a", "cfg.string-open!"},
		{"S -> \"a\\", "cfg.string-open!"},
		{"S -> \"a\\\"", "cfg.string-open!"},
		{"S -> a\n|a b", "cfg.arrow-missing!"},
	} {
		if _, found := said(c.text); codes(found) != c.codes {
			t.Errorf("%q: %s, want %s", c.text, codes(found), c.codes)
		}
	}
	_, found := said("S -> -> a")
	if len(found[0].Fixes) > 0 {
		t.Errorf("%+v", found[0].Fixes)
	}
	_, found = said("S -> a\n|a b")
	if !strings.Contains(found[0].Message, "missing space after") {
		t.Error(found[0].Message)
	}
	g, _ := said("S -> a as \"an a\" | \"b\\\\c\" \"\\\"\"")
	if g.Productions[0].Label != "an a" || g.Names[g.Productions[1].Right[0]] != `b\c` || g.Names[g.Productions[1].Right[1]] != `"` {
		t.Errorf("%+v", g)
	}
	file := source.NewFile("t.cfg", "S -> a as \"an a\"\n")
	syntax, _ := grammar.Parse(file)
	if label := syntax.Lines[0].Statement.(grammar.RuleLine).Alternatives[0].Label; file.Slice(label.Span) != "\"an a\"" {
		t.Errorf("the label is at %q", file.Slice(label.Span))
	}
	if more, _ := grammar.Parse(source.NewFile("t.cfg", "S -> a\n\n")); len(syntax.Lines) != 1 || len(more.Lines) != 2 {
		t.Errorf("%d and %d lines", len(syntax.Lines), len(more.Lines))
	}
}

func TestDeclaredStartHasNoFix(t *testing.T) {
	syntax, _ := grammar.Parse(source.NewFile("t.cfg", "Start -> a"))
	_, found := grammar.Compile(syntax, "Startt")
	if codes(found) != "cfg.start-undefined!" || len(found[0].Fixes) > 0 {
		t.Errorf("%+v", found)
	}
	syntax, _ = grammar.Parse(source.NewFile("t.cfg", "%start Startt\nStart -> a"))
	if _, found = grammar.Compile(syntax, ""); codes(found) != "cfg.start-undefined!" || len(found[0].Fixes) != 1 {
		t.Errorf("%+v", found)
	}
}

func TestRepeatedDiagnosticsAreSummarized(t *testing.T) {
	const shown = 20
	for _, n := range []int{shown, shown + 1, shown + 30} {
		_, found := said(strings.Repeat("S -> a\n", n) + "x y\nz\n" + "S -> a")
		counts, last := map[string]int{}, map[string]source.Diagnostic{}
		for _, d := range found {
			counts[d.Code]++
			last[d.Code] = d
		}
		if counts["cfg.duplicate"] != min(n, shown) || counts["cfg.arrow-missing"] != 2 {
			t.Errorf("%d: %v", n, counts)
		}
		notes := last["cfg.duplicate"].Notes
		if want := fmt.Sprintf("and %d more like this", n-shown); n > shown && notes[len(notes)-1].Message != want {
			t.Errorf("%d: %+v, want %s", n, notes, want)
		}
		if n == shown && len(notes) != 1 || len(last["cfg.arrow-missing"].Notes) > 0 {
			t.Errorf("%d: %+v", n, notes)
		}
	}
	// Each reported diagnostic has a fix.
	var b strings.Builder
	b.WriteString("S -> a\n")
	for i := range shown {
		fmt.Fprintf(&b, "S -> a P%d\nP%d -> P%d b\nU%d -> a\n", i, i, i, i)
	}
	_, found := said(b.String())
	if len(found) != 2*shown {
		t.Errorf("%d diagnostics", len(found))
	}
	for _, d := range found {
		if len(d.Fixes) != 1 {
			t.Errorf("%s has %d fixes", d.Message, len(d.Fixes))
		}
	}
}

func TestRemovingSymbolRemovesItsLabel(t *testing.T) {
	const text = "S -> a\nA -> b\na as \"an a\"\nA as \"an A\"\n"
	_, found := said(text)
	if codes(found) != "cfg.unreachable" {
		t.Fatal(codes(found))
	}
	if got := source.Apply(text, found[0].Fixes[0].Edits); got != "S -> a\na as \"an a\"\n" {
		t.Errorf("%q", got)
	}
}

func TestCommentsOfAdjacentRulesAreAligned(t *testing.T) {
	syntax, _ := grammar.Parse(source.NewFile("t.cfg", "S -> a # x\nA -> b c d e f\nB -> bb # y\n\nC -> c # z"))
	if got, want := syntax.Format(), "S -> a   # x\nA -> b c d e f\nB -> bb  # y\n\nC -> c  # z\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNamesAreQuotedIfNeeded(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "": `""`, "|a": `"|a"`, "a|b": `"a|b"`, "a->": `"a->"`, " a": `" a"`, "a b": `"a b"`, "a ": `"a "`, "limit": `"limit"`, "as": `"as"`, "#a": `"#a"`, "a#": "a#", `"a`: `"\"a"`, `a"`: `a"`, `a\ b`: `"a\\ b"`,
	} {
		if got := grammar.Quote(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	if words := grammar.Keywords(); !slices.IsSorted(words) || !slices.Contains(words, "limit") || !slices.Contains(words, "->") {
		t.Error(words)
	}
}

func TestOccurrencesHaveSpansOfSymbols(t *testing.T) {
	file := source.NewFile("t.cfg", "%start S\n%subset K a b\nS -> K c | \"\" d # S\n| S ε as \"S\"\nS as \"a sentence\"\nc as \"sea\"\nlimit 1 each except c d\nS ->")
	var got []string
	for _, o := range grammar.Occurrences(file) {
		text := o.Kind + " " + o.Name
		if o.Defines {
			text += "!"
		}
		if file.Slice(o.Span) != o.Name {
			text += " as " + file.Slice(o.Span)
		}
		got = append(got, text)
	}
	want := `nonterminal S, nonterminal K!, terminal a, terminal b, nonterminal S!, nonterminal K, terminal c, terminal  as "", terminal d, nonterminal S, nonterminal S, terminal c!, terminal c, terminal d, nonterminal S!`
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
}

func TestSubsetHelpersHaveReadableLabels(t *testing.T) {
	g := must.Grammar(t, "S -> K x\n%subset K a b c\nK as \"some of them\"\nx as \"an x\"")
	k, _ := g.Lookup("K")
	s, ok := g.SubsetOf(k)
	if !ok {
		t.Fatal("no subset")
	}
	helpers := 0
	for symbol := grammar.Symbol(g.NumTerminals); int(symbol) < g.NumSymbols(); symbol++ {
		if s.Helps(symbol) {
			helpers++
			if g.Label(symbol) != "some of them" {
				t.Errorf("%s reads %s", g.Names[symbol], g.Label(symbol))
			}
		}
	}
	if helpers != 2 || s.Helps(k) || s.Helps(g.Start) || s.Helps(0) {
		t.Errorf("%d helpers", helpers)
	}
	for _, chosen := range [][]int{nil, {-1}, {3}, {0, 3}, {1, 0}, {1, 1}, {0, 1, 2, 3}} {
		if list, ok := s.Derivation(chosen); ok {
			t.Errorf("%v is derived by %v", chosen, list)
		}
	}
}
