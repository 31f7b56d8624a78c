package language

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

const contractTools = `{"tools": [{"name": "refund", "inputSchema": {"type": "object", "properties": {"order": {"type": "string"}}}}]}`

func TestRulesAreComparedWithContracts(t *testing.T) {
	for name, c := range map[string]struct{ file, text, expected string }{
		"mcp":         {"shop.mcp.json", contractTools, `rules.field unknown field "ordr" of refund; did you mean "order"?`},
		"openapi":     {"api.json", `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://a.example"}], "paths": {"/r": {"get": {"operationId": "refund", "parameters": [{"name": "order", "in": "query", "schema": {"type": "string"}}]}}}}`, `rules.field unknown field "ordr" of refund; did you mean "order"?`},
		"agent tools": {"agent-tools.json", `{"tools": [{"calculator": {}}]}`, `rules.tool unknown tool "refund"; no contract of the workspace declares it`},
		"open":        {"agent-tools.json", `{"tools": [{"mcp": {"url": "https://a.example/mcp"}}, {"calculator": {}}]}`, ""},
		"none":        {"notes.json", `[1]`, ""},
	} {
		text := "a: !refund(ordr: \"7\")\n"
		files := []workspace.File{{Name: c.file, Text: c.text}, {Name: "p.rules", Text: text}}
		a := analyzeRules(&notation.Scope{Table: Table(), File: source.NewFile("p.rules", text), Files: files})
		got := ""
		for _, d := range a.Diagnostics {
			got += d.Code + " " + d.Message
		}
		if got != c.expected {
			t.Errorf("%s: %q, expected %q", name, got, c.expected)
		}
	}
}

func TestDriftOfContractsIsReported(t *testing.T) {
	tools := []workspace.File{{Name: "mcp.json", Text: contractTools}}
	hash := Contracts(tools).Hash()
	for _, c := range []struct {
		text     string
		files    []workspace.File
		expected string
	}{
		{"a: !refund()\n", tools, ""},
		{"# contracts: " + hash + "\na: !refund()\n", tools, ""},
		{"a: !refund()\n# contracts: 0123\n", tools, "the contracts of the tools have changed since 0123; check the rules and their proofs again"},
		{"# contracts:\n", tools, "the contracts of the tools are not recorded"},
		{"# contracts: 0123\n", nil, "no file of the workspace declares the contracts of tools"},
	} {
		file := source.NewFile("p.rules", c.text)
		got := drift(file, Contracts(c.files))
		switch {
		case c.expected == "" && len(got) == 0:
		case len(got) != 1 || got[0].Message != c.expected:
			t.Errorf("%q: %+v", c.text, got)
		case len(got[0].Fixes) > 0:
			e := got[0].Fixes[0].Edits[0]
			if fixed := c.text[:e.Span.Start] + e.Text + c.text[e.Span.End:]; !strings.Contains(fixed, "# contracts: "+hash+"\n") {
				t.Errorf("%q", fixed)
			}
		}
	}
}
