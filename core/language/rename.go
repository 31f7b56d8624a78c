package language

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

// FileEdits are changes of a file.
type FileEdits struct {
	File  string
	Edits []source.Edit
}

// Rename returns what has to change, in all files, for what is named at a place to
// have another name. A change that would make the files say something else, for the
// name is taken, or none, is not made. The error has code "language.rename".
func Rename(w workspace.Workspace, name string, at source.Pos, to string) ([]FileEdits, error) {
	s := Find(w, name, at)
	to = strings.TrimSpace(to)
	switch {
	case s == nil:
		return nil, renameFault("there is no name at this place")
	case s.Kind == pushdown.KindFamily:
		return nil, renameFault(fmt.Sprintf("%q stands for many names; rename the variable in it, or the parts one by one", s.Name))
	case s.Kind == agent.KindFile:
		return nil, renameFault("a file is renamed at its tab")
	case s.Kind == team.KindTool:
		return nil, renameFault("a tool is called as " + tool.AgentToolsFile + " has it")
	case to == "":
		return nil, renameFault("a name has at least one character")
	case to == s.Name:
		return nil, nil
	}
	var out []FileEdits
	changed := workspace.Workspace{Files: append([]workspace.File{}, w.Files...)}
	for i, f := range w.Files {
		var edits []source.Edit
		for _, p := range s.Places {
			if p.File == f.Name {
				edits = append(edits, source.Edit{Span: p.Span, Text: spelling(f, p.Span, to)})
			}
		}
		if len(edits) > 0 {
			out = append(out, FileEdits{f.Name, edits})
			changed.Files[i].Text = source.Apply(f.Text, edits)
		}
	}
	if shape(w) != shape(changed) {
		return nil, renameFault(fmt.Sprintf("%q cannot be called %q: the name is taken, or cannot be written there", s.Name, to))
	}
	return out, nil
}

func renameFault(message string) error { return source.NewError("language.rename", message) }

// spelling writes a name as its notation does at a place.
func spelling(f workspace.File, at source.Span, name string) string {
	switch workspace.KindOf(f.Name) {
	case workspace.KindGrammar:
		return grammar.Quote(name)
	case workspace.KindPushdown, workspace.KindFlow:
		if plain := lines.Lex(name); len(plain) != 2 || plain[0].Kind != lines.Word || f.Text[at.Start] == '"' {
			return lines.Quote(name)
		}
	case workspace.KindFormulas:
		if strings.Count(f.Text[:at.Start], `"`)%2 == 1 {
			return name // a word of a proposition in quotes
		}
		return ltl.Quote(name)
	case workspace.KindSMT:
		return solve.Quote(name)
	case workspace.KindPDDL:
		if f.Text[at.Start] == '?' {
			return "?" + strings.TrimPrefix(name, "?")
		}
	case workspace.KindAgent:
		for t := range sexpr.Tokens(f.Text) {
			if t.Kind == sexpr.TokenString && t.Span.Contains(at.Start) {
				quoted := lines.Quote(ltl.Quote(name)) // within the quotes of the text
				return quoted[1 : len(quoted)-1]
			}
		}
	}
	return name
}

// shape returns what the files name where, whatever it is called, and the errors of
// their notations: two workspaces that differ only in names have the same.
func shape(w workspace.Workspace) string {
	x := newIndex(w)
	number := map[string]int{}
	var b strings.Builder
	for _, f := range w.Files {
		fmt.Fprintf(&b, "%s\n", f.Name)
		for _, o := range x.of[f.Name] {
			key := x.key(f.Name, o)
			n, ok := number[key]
			if !ok {
				n = len(number)
				number[key] = n
			}
			fmt.Fprintf(&b, "%s %d %t\n", o.Kind, n, o.Defines)
		}
		for _, d := range faults(f) {
			if d.Severity == source.SeverityError {
				fmt.Fprintf(&b, "%s\n", d.Code)
			}
		}
	}
	return b.String()
}

// faults returns what a notation says of a file.
func faults(f workspace.File) (found []source.Diagnostic) {
	file := f.Source()
	switch workspace.KindOf(f.Name) {
	case workspace.KindGrammar:
		_, found = grammar.Parse(file)
	case workspace.KindPushdown:
		_, found = pushdown.Parse(file)
	case workspace.KindFlow:
		_, found = flow.Parse(file)
	case workspace.KindAgent:
		_, found = agent.Parse(file)
	case workspace.KindFormulas:
		_, found = ltl.Parse(file)
	case workspace.KindTeam:
		_, found = team.Parse(file)
	case workspace.KindSMT, workspace.KindLP:
		_, found = solve.Check(solverOf(workspace.KindOf(f.Name)), file)
	case workspace.KindPDDL:
		_, found = strips.Parse(file)
	}
	return found
}
