package session

import (
	"fmt"
	"path"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/workspace"
)

// LanguageCheckResult lists faults that depend on other files, in addition to those of
// document.analyze: in an agent, faults of patterns and of the files of its prompt; in
// such a file, faults with respect to the agent. About is the role of the file for an
// agent, empty if it has none. Agent is set for an agent, Team for a team, whose faults
// concern the files and tools that it names.
type LanguageCheckResult struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	About       string       `json:"about,omitempty"`
	Agent       *AgentFacts  `json:"agent,omitempty"`
	Team        *TeamFacts   `json:"team,omitempty"`
}

// AgentFacts are properties of an agent that the settings of its runs depend on. Ways are
// the sources of the environment's contents, among those that (:from …) names. Tools are
// the names of the declared tools, Servers is the number of servers whose tools must be
// listed at run time.
type AgentFacts struct {
	Sources []string                `json:"ways"`
	Prompt  string                  `json:"prompt,omitempty"` // the file with the agent's instructions
	Tools   []string                `json:"tools"`
	Servers int                     `json:"servers,omitempty"`
	Calls   []agenttools.RemoteCall `json:"calls,omitempty"` // requests of the tools
	States  []AgentState            `json:"states"`
}

// AgentState is a state of an agent with its prompt and the aliases of the prompt.
type AgentState struct {
	Name    string   `json:"name"`
	Prompt  string   `json:"prompt"`
	Aliases []string `json:"aliases"`
}

func (s *Session) languageCheck(p DocumentParams) (LanguageCheckResult, error) {
	scope, err := s.open(p)
	if err != nil {
		return LanguageCheckResult{}, err
	}
	var found notation.Inspection
	if row := s.table.Notations.Of(p.Name); row.Inspect != nil && len(scope.File.Check()) == 0 {
		row.Inspect(scope, &found)
	}
	out := LanguageCheckResult{
		About:       found.About,
		Diagnostics: wireDiagnostics(scope.File, found.Diagnostics[:min(len(found.Diagnostics), notation.MaxShown)]),
	}
	out.Agent, _ = found.Facts.(*AgentFacts)
	out.Team, _ = found.Facts.(*TeamFacts)
	return out, nil
}

func inspectAgent(s *notation.Scope, out *notation.Inspection) {
	spec, _ := agent.Parse(s.File)
	out.Diagnostics, out.Facts = checkAgentFiles(spec, s.Files), factsOf(spec, s.Files)
}

func inspectTeam(s *notation.Scope, out *notation.Inspection) {
	spec, _ := team.Parse(s.File)
	out.Diagnostics, out.Facts = checkTeamFiles(spec, project{workspace.Workspace{Files: s.Files}, s.Table}), factsOfTeam(spec, s.Files)
}

func inspectFormulas(s *notation.Scope, out *notation.Inspection) {
	out.Diagnostics = checkSteps(s)
}

func inspectText(s *notation.Scope, out *notation.Inspection) {
	if s.File.Name == agenttools.File {
		out.About = "tools of agents"
		_, out.Diagnostics = openAgentTools(s.File, workspace.Workspace{Files: s.Files})
		return
	}
	out.About, out.Diagnostics = checkNamed(s)
}

// checkAgentFiles reports faults of an agent's contents and of the files of its prompt,
// at their names.
func checkAgentFiles(spec *agent.Spec, files []File) []source.Diagnostic {
	a, _ := agent.Compile(spec, meter.New(callBudget))
	found := agent.CheckContents(spec)
	w := workspace.Workspace{Files: files}
	look := func(name agent.FileName, check func(text string) []source.Diagnostic) {
		if name.Name == "" {
			return
		}
		f, ok := w.File(name.Name)
		if !ok {
			found = append(found, missingName("agent.file-missing", source.SeverityWarning, name.Name, name.Span, files))
			return
		}
		if faults := check(f.Text); len(faults) > 0 {
			line := f.Source().Locate(faults[0].Span.Start).Line
			found = append(found, source.Diagnostic{
				Code: "agent.file", Severity: source.SeverityWarning, Span: name.Span,
				Message: fmt.Sprintf("%s, line %d: %s", name.Name, line, faults[0].Message),
			})
		}
	}
	look(spec.Prompt, func(text string) []source.Diagnostic { return monitor.CheckTemplate(text, false) })
	for _, s := range spec.States {
		look(s.Prompt, func(text string) []source.Diagnostic { return monitor.CheckTemplate(text, true) })
	}
	for _, name := range spec.Examples {
		look(name, func(text string) []source.Diagnostic {
			if a == nil || a.Contents() != nil {
				return nil
			}
			return monitor.CheckExamples(a, text)
		})
	}
	return found
}

// missingName reports a name of a file that the workspace does not have, with the file that it may mean.
func missingName(code string, severity source.Severity, name string, at source.Span, files []File) source.Diagnostic {
	d := source.Diagnostic{Code: code, Severity: severity, Span: at, Message: fmt.Sprintf("unknown file %q", name)}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	if near := source.Nearest(name, names); len(near)-len(path.Ext(near)) > 2 {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: at, Text: sexpr.Quote(near)}}}}
	}
	return d
}

// factsOf returns the facts that a run's settings depend on.
func factsOf(spec *agent.Spec, files []File) *AgentFacts {
	facts := &AgentFacts{Sources: []string{}, Tools: []string{}, Prompt: spec.Prompt.Name, States: make([]AgentState, len(spec.States))}
	for i, s := range spec.States {
		facts.States[i] = AgentState{s.Name, s.Text, make([]string, len(s.Aliases))}
		for k, alias := range s.Aliases {
			facts.States[i].Aliases[k] = alias.Text
		}
	}
	if a, _ := agent.Compile(spec, meter.New(callBudget)); a != nil {
		facts.Sources = orEmpty(monitor.Sources(a))
	}
	if declared, err := agentTools(workspace.Workspace{Files: files}); err == nil && declared != nil {
		facts.Tools, facts.Servers, facts.Calls = orEmpty(declared.Names()), declared.Servers(), declared.Calls()
	}
	return facts
}

// checkNamed reports faults of a file that an agent of the workspace names, and the role
// of the file.
func checkNamed(s *notation.Scope) (about string, found []source.Diagnostic) {
	file := s.File
	for _, f := range s.Files {
		if s.Table.Of(f.Name).Kind != workspace.KindAgent {
			continue
		}
		spec, faults := agent.Parse(f.Source())
		if spec.Prompt.Name == file.Name {
			return "prompt of " + spec.Name, monitor.CheckTemplate(file.Text, false)
		}
		for _, s := range spec.States {
			if s.Prompt.Name == file.Name {
				return "prompt for " + s.Name + " of " + spec.Name, monitor.CheckTemplate(file.Text, true)
			}
		}
		for _, name := range spec.Examples {
			if name.Name != file.Name {
				continue
			}
			about = "example of " + spec.Name
			a, more := agent.Compile(spec, meter.New(callBudget))
			if a == nil || source.HasErrors(append(faults, more...)) || a.Contents() != nil {
				return about, nil
			}
			return about, monitor.CheckExamples(a, file.Text)
		}
	}
	return "", nil
}
