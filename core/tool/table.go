package tool

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/jsonfile"
)

// table is a JSON file of the workspace with the records that tools look up.
type table struct {
	name, file string
	node       *json.Node // its name in the declaration
	tree       *json.Node
}

// row returns the record with a name.
func (t *table) row(name string) (*json.Node, bool) {
	row, ok := t.tree.Get(name)
	return row, ok && row.Kind == '{'
}

// Load reads the tables, each a JSON object, from the workspace's files. The diagnostics
// refer to the tools.json and name the file.
func (s *Set) Load(open func(name string) (text string, ok bool)) []source.Diagnostic {
	var found []source.Diagnostic
	for _, t := range s.tables {
		report := func(message string) {
			found = append(found, source.Diagnostic{Code: "tools.file", Span: jsonfile.Span(t.node.At), Message: message})
		}
		text, ok := open(t.file)
		if !ok {
			report(fmt.Sprintf("unknown file %q in the workspace", t.file))
			continue
		}
		tree, fault := jsonfile.Read(text, "tools.file")
		switch {
		case fault != nil:
			report(fmt.Sprintf("%q is invalid JSON: %s", t.file, fault.Message))
		case tree.Kind != '{':
			report(fmt.Sprintf("%q must be a JSON object", t.file))
		default:
			t.tree = tree
		}
	}
	return found
}
