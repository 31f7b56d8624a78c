package language

import (
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/workspace"
)

// completeTeam adds the candidates at a position of a team, which depend on the enclosing lists.
func completeTeam(c *notation.Completer) {
	open, in, section, starts := c.Around()
	depth := len(open)
	constraints := section == ":local" || section == ":global" || in.Head == ":constraints" || depth > 1 && open[depth-2].Head == ":constraints"
	switch {
	case depth == 0:
		c.Opening("define")
	case c.Inside != nil && c.Inside.Quoted:
		completeQuotedTeam(c, in, section == ":global")
	case depth == 1, depth == 2 && starts && section == "":
		c.Opening(":executors", ":hints", ":local", ":global", ":deliverer", ":limits", ":shape")
	case constraints:
		c.Opening("check", "ltl")
	case section == ":executors" && (depth == 3 && !starts || depth == 4 && starts):
		c.Opening(":does", ":agent", ":tools", ":gives", ":constraints", ":steps")
	case section == ":deliverer" && in.Items == 0:
		c.Keywords("inference", "reporting")
	case section == ":deliverer":
		c.Opening(":gives")
	case section == ":limits":
		c.Opening("steps", "retries", "concurrent", "sub-tasks")
	}
}

// completeQuotedTeam completes quoted text: the name of a file or a tool, an expression or a formula.
func completeQuotedTeam(c *notation.Completer, in notation.Form, global bool) {
	file := func(fits func(n *notation.Notation) bool) {
		c.From = c.Inside.Span.Start + 1
		for _, f := range c.Workspace.Files {
			if fits(c.Table.Of(f.Name)) {
				c.Add(notation.Item{Label: f.Name, Kind: team.KindFile})
			}
		}
	}
	switch in.Head {
	case ":agent":
		file(func(n *notation.Notation) bool { return n.Kind == workspace.KindAgent })
	case ":shape":
		file(func(n *notation.Notation) bool { return n.Shapes })
	case ":tools":
		c.From = c.Inside.Span.Start + 1
		for _, name := range declaredTools(c.Workspace) {
			c.Add(notation.Item{Label: name, Kind: team.KindTool})
		}
	case "check", "ltl":
		if in.Items > 0 {
			return // the description
		}
		written := c.File.Text[c.Inside.Span.Start+1 : c.Place]
		word := len(strings.TrimRight(written, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."))
		c.From = c.Inside.Span.Start + 1 + source.Pos(word)
		spec, _ := team.Parse(c.File.Source())
		if in.Head == "check" {
			for _, name := range team.Names(global) {
				c.Add(notation.Item{Label: name, Kind: "value"})
			}
			for _, f := range team.Functions() {
				name, _, _ := strings.Cut(f.Form, "(")
				c.Add(notation.Item{Label: name, Kind: "function", Detail: f.Text, Insert: name + "("})
			}
			return
		}
		for _, name := range spec.Propositions(global) {
			i := notation.Item{Label: name, Kind: ltl.KindProposition}
			if quoted := ltl.Quote(name); quoted != name {
				i.Insert = strings.ReplaceAll(quoted, `"`, `\"`)
			}
			c.Add(i)
		}
	}
}

// declaredTools returns the names of the tools that a workspace declares for agents.
func declaredTools(w workspace.Workspace) []string {
	declared := declaration(w)
	if declared == nil {
		return nil
	}
	return declared.Names()
}

// declaration returns the tools that a workspace declares for agents, with the files that they
// name, or nil.
func declaration(w workspace.Workspace) *agenttools.Declaration {
	f, ok := w.File(agenttools.File)
	if !ok {
		return nil
	}
	declared, _ := agenttools.Parse(f.Source())
	if declared == nil {
		return nil
	}
	declared.Load(func(name string) (string, bool) {
		named, ok := w.File(name)
		return named.Text, ok
	})
	return declared
}

func describeTeam(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	spec, _ := team.Parse(d.File)
	e := spec.Executor(s.Name)
	if s.Kind != team.KindExecutor || e == nil {
		return
	}
	c.Add(e.Does)
	switch {
	case e.Agent.Name != "":
		c.Add("Agent: " + e.Agent.Name + ".")
	case len(e.Tools) == 0:
		c.Add("Agent: built-in, thinks and answers.")
	default:
		c.Add("Agent: ReAct (built-in).")
	}
	var names []string
	for _, t := range e.Tools {
		names = append(names, t.Name)
	}
	if len(names) > 0 {
		c.Add("It may call " + strings.Join(names, ", ") + ".")
	}
	if n := len(e.Constraints) + len(spec.Local); n > 0 {
		c.Add("Its results must satisfy " + notation.Count(n, "constraint") + ".")
	}
}
