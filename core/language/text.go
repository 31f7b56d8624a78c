package language

import (
	"strings"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

// ToolsFile is the name of the file that describes the tools of a workspace.
const ToolsFile = "tools.json"

// textRow returns the row of files without a notation: notes, data, and the file of tools.
func textRow() notation.Notation {
	return notation.Notation{
		Kind: workspace.KindText,
		Document: notation.Document{Analyze: func(s *notation.Scope) notation.Analysis {
			if s.File.Name == ToolsFile {
				return analyzeTools(s)
			}
			return notation.Notes(s)
		}},
	}
}

// analyzeTools reads the file of tools and reports the symbols of specs that have no tool.
func analyzeTools(s *notation.Scope) (a notation.Analysis) {
	tools, found := OpenTools(s.File, workspaceOf(s))
	a.Add(found...)
	if tools == nil {
		a.Summary = "tools"
		return a
	}
	a.Summary = notation.Count(len(tools.Symbols()), "tool")
	if !a.Sound() {
		return a
	}
	for _, subject := range s.Table.Subjects(s.Files) {
		if missing := tools.Missing(subject.Letters); subject.Traces == notation.Words && len(missing) > 0 {
			a.Add(source.Diagnostic{
				Code: "tools.missing", Severity: source.SeverityInfo,
				Message: "plans of " + subject.Name + " cannot be executed: missing tool or input for " + strings.Join(missing, ", "),
			})
		}
	}
	return a
}

// OpenTools reads the file of tools with the tables that it names.
func OpenTools(f *source.File, w workspace.Workspace) (*tool.Set, []source.Diagnostic) {
	tools, found := tool.Parse(f)
	if tools != nil {
		found = append(found, tools.Load(func(name string) (string, bool) {
			table, ok := w.File(name)
			return table.Text, ok
		})...)
	}
	return tools, found
}
