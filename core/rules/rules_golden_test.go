package rules_test

import (
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.rules", in["in.rules"])
		f := rules.Parse(file)
		formatted := rules.Format(file)
		if again := rules.Format(source.NewFile("in.rules", formatted)); again != formatted {
			t.Errorf("%q is formatted as %q", formatted, again)
		}
		return []golden.File{
			{Name: "diagnostics", Text: golden.Diagnostics(file, f.Diagnostics)},
			{Name: "formatted", Text: formatted},
			{Name: "names", Text: golden.Occurrences(file, rules.Occurrences(file))},
		}
	})
}

func TestEveryCodeHasACase(t *testing.T) {
	golden.EveryCode(t, "rules", "rules.run", "rules.state", "rules.event", "rules.tool", "rules.field", "rules.type", "rules.enum", "rules.range", "rules.drift")
}
