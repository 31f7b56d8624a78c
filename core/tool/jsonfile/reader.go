package jsonfile

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Reader reads the members of a declaration and collects its faults in Found, at most
// maxFound of them.
type Reader struct {
	Found []source.Diagnostic
}

// maxFound bounds the diagnostics of one file.
const maxFound = 50

// Report adds a diagnostic to those of the file.
func (p *Reader) Report(d source.Diagnostic) {
	if len(p.Found) < maxFound {
		p.Found = append(p.Found, d)
	}
}

// Error adds an error at a node.
func (p *Reader) Error(n *json.Node, code, message string) {
	p.Report(source.Diagnostic{Code: code, Span: Span(n.At), Message: message})
}

// Object reports whether n is an object, and reports duplicate and unknown members. Without
// names, every member is known. If n is not an object, want is the message of the error.
func (p *Reader) Object(n *json.Node, want string, names ...string) bool {
	if n.Kind != '{' {
		p.Error(n, "tools.shape", want)
		return false
	}
	seen := map[string]bool{}
	for _, m := range n.Members {
		if seen[m.Key] {
			p.Report(source.Diagnostic{Code: "tools.twice", Span: Span(m.At), Message: "duplicate " + strconv.Quote(m.Key) + "; the first one is used"})
		}
		seen[m.Key] = true
		if len(names) > 0 && !slices.Contains(names, m.Key) {
			d := source.Diagnostic{Code: "tools.field", Span: Span(m.At), Message: fmt.Sprintf("unknown field %q", m.Key)}
			p.Nearest(&d, m.Key, names)
			p.Report(d)
		}
	}
	return true
}

// Nearest adds the most similar candidate to a diagnostic, with a fix.
func (p *Reader) Nearest(d *source.Diagnostic, name string, candidates []string) {
	if near := source.Nearest(name, candidates); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: d.Span, Text: strconv.Quote(near)}}}}
	}
}

// Text returns a string member, "" if it is missing or another kind of value.
func (p *Reader) Text(n *json.Node, key string) string {
	v, ok := n.Get(key)
	if !ok {
		return ""
	}
	if v.Kind != '"' {
		p.Error(v, "tools.shape", fmt.Sprintf("%q must be a string", key))
		return ""
	}
	return v.Text
}

// Texts returns a member that is a list of strings.
func (p *Reader) Texts(n *json.Node, key string) []string {
	var out []string
	for _, item := range p.TextNodes(n, key) {
		out = append(out, item.Text)
	}
	return out
}

// TextNodes returns the nodes of a member that is a list of strings.
func (p *Reader) TextNodes(n *json.Node, key string) []*json.Node {
	v, ok := n.Get(key)
	if !ok {
		return nil
	}
	fits := v.Kind == '['
	for _, item := range v.Items {
		fits = fits && item.Kind == '"'
	}
	if !fits {
		p.Error(v, "tools.shape", fmt.Sprintf("%q must be a list of strings", key))
		return nil
	}
	return v.Items
}
