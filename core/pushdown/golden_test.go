package pushdown_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		if text, ok := in["in.cfg"]; ok {
			return []golden.File{{Name: "automaton", Text: pushdown.FromGrammar(must.Grammar(t, text)).String()}}
		}
		file := source.NewFile("in.pda", in["in.pda"])
		syntax, found := pushdown.Parse(file)
		p, more := pushdown.Compile(syntax)
		found = append(found, more...)
		out := []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}}
		if p != nil && !source.HasErrors(found) {
			out = append(out, golden.File{Name: "automaton", Text: p.String()})
		}
		return append(out, golden.File{Name: "formatted", Text: syntax.Format()})
	})
}

func TestEveryCodeHasACase(t *testing.T) { golden.EveryCode(t, "pda") }

func FuzzFormattingKeepsTheMeaning(f *testing.F) {
	f.Add("start q0 Z\naccept q2 empty\nq0 -> q0 (a, Z; S Z) (ε, *; *) as \"x\" # c\n")
	f.Add("start q Z\naccept q\nbackwards\nfor h in 1..2 { backwards }\nq -> q (a, Z; Z)")
	f.Add("for h in 20..11, g in 0..h if g > 0 and not h = 3 {\n h/g -> h-1/q{g*2} (e, *; *)\n}\nlimit 1 each except i\nfor t in [a b] { accept t }")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "..") > 2 {
			return // repetitions are bounded elsewhere
		}
		file := source.NewFile("f.pda", text)
		syntax, found := pushdown.Parse(file)
		p, more := pushdown.Compile(syntax)
		for _, d := range append(found, more...) {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		formatted := syntax.Format()
		again, foundAgain := pushdown.Parse(source.NewFile("f.pda", formatted))
		if twice := again.Format(); twice != formatted {
			t.Fatalf("formatted\n%q\nbecomes\n%q", formatted, twice)
		}
		if source.HasErrors(found) {
			return
		}
		q, moreAgain := pushdown.Compile(again)
		if len(foundAgain) != len(found) || len(moreAgain) != len(more) || (p == nil) != (q == nil) || p != nil && p.String() != q.String() {
			t.Fatalf("%q\nmeans something else than\n%q", formatted, text)
		}
	})
}
