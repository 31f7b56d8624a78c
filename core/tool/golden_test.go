package tool_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

func TestDiagnosticsAndTools(t *testing.T) {
	golden.Run(t, func(_ *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("tools.json", in["in.tools.json"])
		set, found := tool.Parse(file)
		out := ""
		if set != nil {
			found = append(found, set.Load(func(name string) (string, bool) {
				text, ok := in["in."+name]
				return text, ok
			})...)
			out = strings.Join(set.Symbols(), " ")
		}
		return []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}, {Name: "tools", Text: out}}
	})
}

func TestEveryDiagnosticHasACase(t *testing.T) {
	golden.EveryCodeOf(t, []string{".", "jsonfile"}, "tools")
}

func FuzzParse(f *testing.F) {
	f.Add(images)
	f.Add(`{"tools": {"a*": {"takes": ["x"], "gives": "x", "does": [{"when": {"of": 1, "mark": "m"}, "text": "{1.marks}{{{rest"}]}}}`)
	f.Add(`{"tools":{"a":{"gives":"x","does":{"sums":{"c":{"of":"{row.p}","times":2,"per":"{q.n}"}},"lookup":{"in":"q"}}}},"tables":{"q":"q.json"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		set, found := tool.Parse(source.NewFile("tools.json", text))
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		if set == nil {
			return
		}
		set.Load(func(string) (string, bool) { return text, true })
		for _, symbol := range set.Symbols() {
			takes, _ := set.Takes(symbol)
			var args []tool.Value
			for _, name := range takes {
				args = append(args, tool.Value{Type: name})
			}
			_, _ = set.Call(tool.Context{Count: 1}, symbol, args)
		}
	})
}
