package language

import (
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

// team completes a team: what may stand in a list depends on the lists around it.
func (c *completer) team() {
	open, in, section, starts := c.around()
	depth := len(open)
	constraints := section == ":local" || section == ":global" || in.head == ":constraints" || depth > 1 && open[depth-2].head == ":constraints"
	switch {
	case depth == 0:
		c.opening("define")
	case c.inside != nil && c.inside.quoted:
		c.quotedTeam(in, section == ":global")
	case depth == 1, depth == 2 && starts && section == "":
		c.opening(":executors", ":hints", ":local", ":global", ":deliverer", ":limits", ":shape")
	case constraints:
		c.opening("check", "ltl")
	case section == ":executors" && (depth == 3 || depth == 4 && starts):
		c.opening(":does", ":agent", ":tools", ":gives", ":constraints", ":steps")
	case section == ":deliverer" && in.items == 0:
		c.keywords("inference", "reporting")
	case section == ":deliverer":
		c.opening(":gives")
	case section == ":limits":
		c.opening("steps", "retries", "concurrent", "sub-tasks")
	}
}

// quotedTeam completes a text in quotes: a file's name, a tool's, an expression or a
// formula.
func (c *completer) quotedTeam(in form, global bool) {
	file := func(kinds ...workspace.Kind) {
		c.from = c.inside.span.Start + 1
		for _, f := range c.w.Files {
			for _, k := range kinds {
				if workspace.KindOf(f.Name) == k {
					c.add(Item{Label: f.Name, Kind: team.KindFile})
				}
			}
		}
	}
	switch in.head {
	case ":agent":
		file(workspace.KindAgent)
	case ":shape":
		file(workspace.KindGrammar, workspace.KindFlow)
	case ":tools":
		c.from = c.inside.span.Start + 1
		for _, name := range declaredTools(c.w) {
			c.add(Item{Label: name, Kind: team.KindTool})
		}
	case "check", "ltl":
		if in.items > 1 {
			return // what it means, in words
		}
		written := c.f.Text[c.inside.span.Start+1 : c.place]
		word := len(strings.TrimRight(written, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."))
		c.from = c.inside.span.Start + 1 + source.Pos(word)
		spec, _ := team.Parse(c.f.Source())
		if in.head == "check" {
			for _, name := range team.Names(global) {
				c.add(Item{Label: name, Kind: "value"})
			}
			for _, f := range team.Functions() {
				name, _, _ := strings.Cut(f.Form, "(")
				c.add(Item{Label: name, Kind: "function", Detail: f.Text, Insert: name + "("})
			}
			return
		}
		for _, name := range spec.Propositions(global) {
			i := Item{Label: name, Kind: ltl.KindProposition}
			if quoted := ltl.Quote(name); quoted != name {
				i.Insert = strings.ReplaceAll(quoted, `"`, `\"`)
			}
			c.add(i)
		}
	}
}

// declaredTools returns the names of the tools that a workspace declares for agents.
func declaredTools(w workspace.Workspace) []string {
	f, ok := w.File(tool.AgentToolsFile)
	if !ok {
		return nil
	}
	declared, _ := tool.ParseAgentTools(f.Source())
	if declared == nil {
		return nil
	}
	declared.Load(func(name string) (string, bool) {
		named, ok := w.File(name)
		return named.Text, ok
	})
	return declared.Names()
}

func (d describer) team(c *Card, s *Symbol) {
	spec, _ := team.Parse(d.file)
	e := spec.Executor(s.Name)
	if s.Kind != team.KindExecutor || e == nil {
		return
	}
	c.Lines = append(c.Lines, e.Does)
	switch {
	case e.Agent.Name != "":
		c.Lines = append(c.Lines, "Its agent is "+e.Agent.Name+".")
	case len(e.Tools) == 0:
		c.Lines = append(c.Lines, "It thinks and answers.")
	default:
		c.Lines = append(c.Lines, "It is ReAct, built in.")
	}
	var names []string
	for _, t := range e.Tools {
		names = append(names, t.Name)
	}
	if len(names) > 0 {
		c.Lines = append(c.Lines, "It may call "+strings.Join(names, ", ")+".")
	}
	if n := len(e.Constraints) + len(spec.Local); n > 0 {
		c.Lines = append(c.Lines, "Its results have to meet "+plural(n, "constraint")+".")
	}
}
