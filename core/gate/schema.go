package gate

import (
	"github.com/stile-playground/stile/core/tool/schema"
)

// toolSchema is a schema of the arguments of a tool.
type toolSchema struct {
	name    string // for modes
	checker *schema.Checker
}

// readSchemas checks the schemas of a file, and indexes them by tool and by the form that the spellings of a
// tool's name share. It returns the fault of an invalid one.
func (g *Guard) readSchemas() (fault string) {
	g.schemas, g.spelled = map[string][]toolSchema{}, map[string]string{}
	names := map[string]bool{}
	for i := range g.File.Schemas {
		s := &g.File.Schemas[i]
		checker, err := s.Checker()
		if err != nil || names[s.Name] {
			return "the schema " + show(s.Name) + " is damaged"
		}
		names[s.Name] = true
		g.schemas[s.Tool] = append(g.schemas[s.Tool], toolSchema{s.Name, checker})
		form := plain(s.Tool)
		if other, has := g.spelled[form]; has && other != s.Tool {
			g.spelled[form] = "" // several tools
		} else {
			g.spelled[form] = s.Tool
		}
	}
	return ""
}

// schemasOf returns the schemas of a tool. A spelling of a declared name, such as "Refund" of "refund", has the
// schemas of the declared tool; ok is false if it spells several.
func (g *Guard) schemasOf(tool string) (list []toolSchema, ok bool) {
	if list, ok = g.schemas[tool]; ok {
		return list, true
	}
	form := plain(tool)
	other, has := g.spelled[form]
	if !has || form == "" || !ascii(tool) {
		return nil, true
	}
	return g.schemas[other], other != ""
}

// schema adds a finding for each schema that the arguments of a call do not match.
func (f *findings) schema(e Event) {
	list, ok := f.session.guard.schemasOf(e.Name)
	if !ok {
		for _, s := range f.session.guard.File.Schemas {
			if plain(s.Tool) == plain(e.Name) {
				f.add(s.Name, "schema", "ambiguous tool name "+show(e.Name))
			}
		}
		return
	}
	text := e.Arguments
	if trim(text) == "" {
		text = "{}"
	}
	for _, s := range list {
		if f.session.mode(s.name) == Off {
			continue
		}
		if fault := s.checker.Check(text, show); fault != "" {
			f.add(s.name, "schema", show(e.Name)+": "+fault)
		}
	}
}
