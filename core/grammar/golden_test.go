package grammar_test

import (
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

func TestDiagnostics(t *testing.T) {
	golden.Run(t, func(_ *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.cfg", in["in.cfg"])
		syntax, found := grammar.Parse(file)
		g, more := grammar.Compile(syntax, "")
		found = append(found, more...)
		out := []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}}
		if g != nil {
			out = append(out, golden.File{Name: "grammar", Text: g.String()})
		}
		if !source.HasErrors(found) {
			out = append(out, golden.File{Name: "formatted", Text: syntax.Format()})
		}
		return out
	})
}

func TestEveryDiagnosticHasACase(t *testing.T) {
	golden.EveryCode(t, "cfg", "cfg.large", "cfg.limit-empty")
}
