package gate

import (
	"slices"

	"github.com/stile-playground/stile/core/rules"
)

// namedTool is a tool that a rule about data names.
type namedTool struct{ tool, rule string }

// readNames indexes the tools that rules name by the form that the spellings of a name share.
func (g *Guard) readNames() {
	g.named = map[string][]namedTool{}
	for i, f := range g.rules {
		programs := g.File.Rules[i].Programs
		if programs == nil {
			programs = Programs(f)
		}
		for k, p := range programs {
			rule := g.File.Rules[i].Name + ": " + g.File.Rules[i].Rules[k]
			for n := range p.Parts {
				if tool, ok := toolOf(&p.Parts[n]); ok {
					form := plain(tool)
					if named := (namedTool{tool, rule}); !slices.Contains(g.named[form], named) {
						g.named[form] = append(g.named[form], named)
					}
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

// spelling adds a finding for each rule that names the tool of a call in another spelling, such as "refund" for
// "Refund", and would therefore not apply to the call. A tool that is declared, or that a rule names exactly, is
// another tool.
func (f *findings) spelling(tool string) {
	g := f.session.guard
	if len(g.named) == 0 || !ascii(tool) {
		return
	}
	form := plain(tool)
	list := g.named[form]
	if form == "" || len(list) == 0 || slices.Contains(g.File.Tools, tool) || g.schemas[tool] != nil ||
		slices.ContainsFunc(list, func(n namedTool) bool { return n.tool == tool }) {
		return
	}
	for _, n := range list {
		f.add(n.rule, "rule.tool", "the rule names the tool "+show(n.tool)+"; "+show(tool)+" is another spelling of it")
	}
}
