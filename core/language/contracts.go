package language

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/tool/openapi"
	"github.com/stile-playground/stile/core/tool/web"
	"github.com/stile-playground/stile/core/workspace"
)

// Contracts returns the declared interfaces of the tools of a workspace: those of agent-tools.json
// and tools.json, of OpenAPI descriptions, of lists of tools as servers of the Model Context
// Protocol return them, and of JSON Schemas.
func Contracts(files []workspace.File) *rules.Contracts {
	out := &rules.Contracts{}
	w := workspace.Workspace{Files: files}
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".json") {
			continue
		}
		before := len(out.List)
		addContracts(out, w, f)
		for i := before; i < len(out.List); i++ {
			out.List[i].File = f.Name
		}
	}
	return out
}

// addContracts adds the contracts that a file declares.
func addContracts(out *rules.Contracts, w workspace.Workspace, f workspace.File) {
	switch f.Name {
	case agenttools.File:
		if declared := declaration(w); declared != nil {
			for _, name := range declared.Names() {
				out.Add(name, string(declared.Schema(name)))
			}
			out.Open = strings.Contains(f.Text, `"mcp"`) // its tools are known during a run only
		}
		return
	case ToolsFile:
		if set, _ := tool.Parse(f.Source()); set != nil {
			for _, name := range set.Symbols() {
				out.Add(name, "")
			}
		}
	}
	out.ReadContracts(f.Name, f.Text)
	if tree, fault := json.Tree(f.Text); fault == nil {
		if _, described := tree.Get("openapi"); described {
			ignore := func(*json.Node, string, string) {}
			for _, o := range openapi.Operations(tree, web.Remote{}, func(string) bool { return true }, ignore) {
				out.Add(o.Name(), string(o.Schema()))
			}
		}
	}
}

// recordedContracts begins the comment that records the contracts of a file of rules.
const recordedContracts = "# contracts:"

// CheckContracts returns the diagnostics of a file of rules about the contracts of the workspace's tools: misspelt fields,
// impossible comparisons, and contracts that have changed.
func CheckContracts(file *source.File, parsed *rules.File, files []workspace.File) []source.Diagnostic {
	contracts := Contracts(files)
	return append(contracts.Check(parsed), drift(file, contracts)...)
}

// drift compares the contracts of a workspace with the hash that a comment of the rules records.
func drift(file *source.File, c *rules.Contracts) []source.Diagnostic {
	at := 0
	if !strings.HasPrefix(file.Text, recordedContracts) {
		at = strings.Index(file.Text, "\n"+recordedContracts) + 1
		if at == 0 {
			return nil
		}
	}
	end := source.LineEnd(file.Text, at)
	recorded := strings.TrimSpace(file.Text[at+len(recordedContracts) : end])
	span := source.Span{Start: source.Pos(at), End: source.Pos(end)}
	now := c.Hash()
	d := source.Diagnostic{
		Code: "rules.drift", Severity: source.SeverityWarning, Span: span, Message: "the contracts of the tools have changed since " + recorded + "; check the rules and their proofs again",
		Fixes: []source.Fix{{Title: "Record the current contracts", Edits: []source.Edit{{Span: span, Text: recordedContracts + " " + now}}}},
	}
	switch {
	case len(c.List) == 0:
		d.Message, d.Fixes = "no file of the workspace declares the contracts of tools", nil
	case recorded == "":
		d.Severity, d.Message = source.SeverityInfo, "the contracts of the tools are not recorded"
	case c.Recorded(recorded):
		return nil
	}
	return []source.Diagnostic{d}
}
