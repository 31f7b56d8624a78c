package grammar_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// said returns the grammar and all diagnostics of a text.
func said(text string) (*grammar.Grammar, []source.Diagnostic) {
	syntax, found := grammar.Parse(source.NewFile("t.cfg", text))
	g, more := grammar.Compile(syntax, "")
	return g, append(found, more...)
}

func productions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "N%d -> t%d N%d | t%d\n", i, i%97, (i+1)%n, i%89)
	}
	return b.String()
}

func TestBadTextsHaveOneDiagnosticEach(t *testing.T) {
	for _, c := range []struct{ name, text, code string }{
		{"binary", "S -> a\x00\x01b\n", "source.binary"},
		{"not UTF-8", "S -> caf\xe9\n", "source.utf8"},
		{"a million parentheses", strings.Repeat("(", 1<<20), "cfg.symbol-long"},
		{"a million symbols and no arrow", strings.Repeat("( ", 1<<19), "cfg.arrow-missing"},
		{"ten thousand productions", productions(5_000), "cfg.large"},
		{"a cycle", "S -> S | A | a\nA -> S\n", "cfg.cyclic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := said(c.text)
			if len(found) != 1 || found[0].Code != c.code {
				t.Fatalf("%d diagnostics, the first %+v; want one %s", len(found), found[:min(1, len(found))], c.code)
			}
			if at := found[0].Span; int(at.End) > len(c.text) || at.Start > at.End {
				t.Errorf("it stands at %v, outside the text", at)
			}
		})
	}
}

func TestLongListOfRightSidesIsParsed(t *testing.T) {
	g, found := said("S -> " + strings.Repeat("a | ", 20_000) + "b S\n")
	if source.HasErrors(found) || g == nil || len(g.Productions) != 2 {
		t.Fatalf("%d diagnostics", len(found))
	}
}

func FuzzFormattingKeepsTheMeaning(f *testing.F) {
	for _, text := range []string{"S -> a S b | ε # c\n", "%start T\nS -> \"a b\" | as\nT ::= S\nlimit 1 each except b\n", "S->a|b", "a as \"x\"\n| b", "S -> A A.2\n%subset A x \"y z\" # c\n%subset \"%subset\" x x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("t.cfg", text)
		syntax, found := grammar.Parse(file)
		g, more := grammar.Compile(syntax, "")
		for _, d := range append(found, more...) {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		if source.HasErrors(append(found, more...)) || g == nil {
			return
		}
		formatted := syntax.Format()
		again, found := grammar.Parse(source.NewFile("t.cfg", formatted))
		h, more := grammar.Compile(again, "")
		if source.HasErrors(append(found, more...)) || h.String() != g.String() {
			t.Fatalf("%q became %q", text, formatted)
		}
		if twice := again.Format(); twice != formatted {
			t.Fatalf("formatted once %q, twice %q", formatted, twice)
		}
	})
}

func BenchmarkTenThousandProductions(b *testing.B) {
	text := productions(5_000)
	for b.Loop() {
		said(text)
	}
}
