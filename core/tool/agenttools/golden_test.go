package agenttools_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/agenttools"
)

func TestDiagnosticsAndTools(t *testing.T) {
	golden.Run(t, func(_ *testing.T, in map[string]string) []golden.File {
		text := in["in."+agenttools.File]
		file := source.NewFile(agenttools.File, text)
		declared, found := agenttools.Parse(file)
		out := ""
		if declared != nil {
			found = append(found, declared.Load(func(name string) (string, bool) {
				text, ok := in["in."+name]
				return text, ok
			})...)
			for _, c := range declared.Registry().List() {
				out += c.Name() + ": " + strings.ReplaceAll(c.Description(), "\n", " ") + "\n  " + string(c.Schema()) + "\n"
			}
		}
		return []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}, {Name: "tools", Text: out}}
	})
}

func TestEveryDiagnosticHasACase(t *testing.T) {
	golden.EveryCodeOf(t, []string{".", "../openapi"}, "agent-tools", "agent-tools.many", "agent-tools.schema")
}
