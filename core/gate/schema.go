package gate

import (
	"slices"

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
	g.schemas, g.spelled = map[string][]toolSchema{}, forms{}
	names := map[string]bool{}
	for i := range g.File.Schemas {
		s := &g.File.Schemas[i]
		checker, err := s.Checker()
		if err != nil || names[s.Name] {
			return "the schema " + show(s.Name) + " is damaged"
		}
		names[s.Name] = true
		g.schemas[s.Tool] = append(g.schemas[s.Tool], toolSchema{s.Name, checker})
		g.spelled.add(s.Tool, s.Name)
	}
	return ""
}

// schema adds a finding for each schema that the arguments of a call do not match. A spelling of a declared name,
// such as "Refund" of "refund", has the schemas of the declared tool, and one of several names is ambiguous.
func (f *findings) schema(e Event) {
	g := f.session.guard
	list, declared := g.schemas[e.Name]
	if spelled := g.spelled.of(e.Name); !declared && len(spelled) > 0 {
		if slices.ContainsFunc(spelled, func(n namedTool) bool { return n.tool != spelled[0].tool }) {
			for _, n := range spelled {
				f.add(n.rule, "schema", "ambiguous tool name "+show(e.Name))
			}
			return
		}
		list = g.schemas[spelled[0].tool]
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
