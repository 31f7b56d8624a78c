package tool

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
)

// table is a JSON file of the workspace that tools look records up in.
type table struct {
	name, file string
	node       *node // its name in the declaration
	tree       *node
}

// row returns the record with a name.
func (t *table) row(name string) (*node, bool) {
	row, ok := t.tree.Get(name)
	return row, ok && row.Kind == '{'
}

// Load reads the tables, each a JSON object, from the workspace's files. The
// diagnostics are about the tools.json where a file is missing or no JSON object,
// and say so with the file's name.
func (s *Set) Load(open func(name string) (text string, ok bool)) []source.Diagnostic {
	var found []source.Diagnostic
	for _, t := range s.tables {
		report := func(message string) {
			found = append(found, source.Diagnostic{Code: "tools.file", Span: span(t.node.At), Message: message})
		}
		text, ok := open(t.file)
		if !ok {
			report(fmt.Sprintf("there is no file %q in the workspace", t.file))
			continue
		}
		tree, fault := readTree(text, "tools.file")
		switch {
		case fault != nil:
			report(fmt.Sprintf("%q is no JSON: %s", t.file, fault.Message))
		case tree.Kind != '{':
			report(fmt.Sprintf("%q is no JSON object", t.file))
		default:
			t.tree = tree
		}
	}
	return found
}
