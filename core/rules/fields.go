package rules

import (
	"slices"

	"github.com/stile-playground/stile/core/exact"
)

// Fields returns the names of the fields at a path of the events of a kind and a tool ("*": any tool) that
// the contracts declare. An empty path is that of the event's fields, and "input" of a result or an
// error begins the path of the arguments of its call.
func (c *Contracts) Fields(kind, tool string, path []string) (out []string) {
	for i := range c.List {
		t := &c.List[i]
		if tool != "*" && t.Tool != tool {
			continue
		}
		if at, _, _ := t.place(kind, path); at != nil {
			out = append(out, t.properties(at)...)
		}
	}
	return out
}

// Fields is [Contracts.Fields] for the fields that the patterns of a file name.
func (f *File) Fields(kind, tool string, path []string) (out []string) {
	for _, r := range f.Rules {
		if r.Formula == nil {
			continue
		}
		eachFormula(r.Formula, func(g *Formula) {
			a := g.Atom
			if a == nil || a.Kind != kind || tool != "*" && a.Name != tool {
				return
			}
			for i := range a.Patterns {
				p := &a.Patterns[i]
				if n := len(path); !p.Meta && len(p.Path) > n && slices.Equal(p.Path[:n], path) {
					out = append(out, p.Path[n])
				}
			}
		})
	}
	return out
}

// FieldsAt returns the names of the members of an event's fields at a path.
func (e *Event) FieldsAt(path []string) []string {
	v := e.at(&Pattern{Path: path})
	if v == nil || v.Kind() != exact.KindObject {
		return nil
	}
	_, names := v.Content()
	return names
}
