package agent_test

import (
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

func TestDiagnostics(t *testing.T) {
	golden.Run(t, func(_ *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.agent", in["in.agent"])
		spec, found := agent.Parse(file)
		a, more := agent.Compile(spec, nil)
		found = append(append(found, more...), agent.CheckContents(spec)...)
		out := []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}}
		if a != nil {
			out = append(out, golden.File{Name: "automaton", Text: a.DFA.String()})
		}
		if !source.HasErrors(found) {
			out = append(out, golden.File{Name: "formatted", Text: spec.Format()})
		}
		return out
	})
}

func TestEveryDiagnosticHasACase(t *testing.T) { golden.EveryCode(t, "agent", "agent.capped") }
