package gate

import (
	"slices"

	"github.com/stile-playground/stile/core/rules"
)

// namedTool is a tool that a rule names.
type namedTool struct{ tool, rule string }

// forms are the tools that rules name, by the form that the spellings of a tool's name share.
type forms map[string][]namedTool

func (f forms) add(tool, rule string) {
	form := plain(tool)
	if named := (namedTool{tool, rule}); !slices.Contains(f[form], named) {
		f[form] = append(f[form], named)
	}
}

// of returns the rules that name a tool or another spelling of it, such as "refund" for "Refund". A name with
// characters outside ASCII has no other spelling.
func (f forms) of(tool string) []namedTool {
	if len(f) == 0 || !ascii(tool) {
		return nil
	}
	form := plain(tool)
	if form == "" {
		return nil
	}
	return f[form]
}

// readNames indexes the tools that rules about data name.
func (g *Guard) readNames() {
	g.named = forms{}
	for i, f := range g.rules {
		programs := g.File.Rules[i].Programs
		if programs == nil {
			programs = Programs(f)
		}
		for k, p := range programs {
			for n := range p.Parts {
				if tool, ok := toolOf(&p.Parts[n]); ok {
					g.named.add(tool, g.File.Rules[i].Name+": "+g.File.Rules[i].Rules[k])
				}
			}
		}
	}
}

// toolOf returns the tool that a part of a rule names, if it does.
func toolOf(n *rules.ProgramPart) (string, bool) {
	if n.Op != "atom" || n.Name == nil || n.Kind != "call" && n.Kind != "result" && n.Kind != "error" {
		return "", false
	}
	return *n.Name, true
}

// spelling adds a finding for each rule about data that names the tool of a call in another spelling, and would
// therefore not apply to the call. A tool that is declared, or that a rule names exactly, is another tool.
func (f *findings) spelling(tool string) {
	g := f.session.guard
	list := g.named.of(tool)
	if len(list) == 0 || slices.Contains(g.File.Tools, tool) || g.schemas[tool] != nil ||
		slices.ContainsFunc(list, func(n namedTool) bool { return n.tool == tool }) {
		return
	}
	for _, n := range list {
		f.add(n.rule, "rule.tool", "the rule names the tool "+show(n.tool)+"; "+show(tool)+" is another spelling of it")
	}
}
