package tool

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// scope holds the values that a template can refer to.
type scope struct {
	symbol, rest string
	args         []Value
	row          *json.Node
}

// filled is a template whose references are replaced by values. fault reports the first
// unknown reference, or is empty.
type filled struct{ text, fault string }

// references calls visit with each reference in braces, and text with each piece of text
// between references. {{ is a literal brace.
func references(template string, text, visit func(string)) {
	for {
		before, rest, found := strings.Cut(template, "{")
		text(before)
		if !found {
			return
		}
		if after, twice := strings.CutPrefix(rest, "{"); twice {
			text("{")
			template = after
			continue
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			text("{" + rest)
			return
		}
		visit(inner)
		template = after
	}
}

func (s *Set) fill(template string, in scope) filled {
	var b strings.Builder
	fault := ""
	references(template, func(text string) { b.WriteString(text) }, func(reference string) {
		value, ok := s.resolve(reference, in)
		if !ok && fault == "" {
			fault = fmt.Sprintf("unknown reference {%s}", reference)
		}
		b.WriteString(value)
	})
	return filled{b.String(), fault}
}

func (s *Set) resolve(reference string, in scope) (string, bool) {
	switch reference {
	case "symbol":
		return in.symbol, true
	case "rest":
		return in.rest, true
	}
	head, path, _ := strings.Cut(reference, ".")
	if n, err := strconv.Atoi(head); err == nil {
		if n < 1 || n > len(in.args) {
			return "", false
		}
		return part(in.args[n-1], path)
	}
	if head == "row" {
		if in.row == nil {
			return "", false
		}
		return follow(in.row, path)
	}
	for _, t := range s.tables {
		if t.name == head {
			return follow(t.tree, path)
		}
	}
	return "", false
}

func part(v Value, path string) (string, bool) {
	switch path {
	case "", "text":
		return v.Text, true
	case "marks":
		return strings.Join(v.Marks, ", "), true
	case "type":
		return v.Type, true
	}
	return "", false
}

// follow returns the value at a path of names, as text.
func follow(n *json.Node, path string) (string, bool) {
	for path != "" {
		var key string
		key, path, _ = strings.Cut(path, ".")
		next, ok := n.Get(key)
		if !ok {
			return "", false
		}
		n = next
	}
	return written(n)
}

// written returns a value as text; the items of a list are separated by commas.
func written(n *json.Node) (string, bool) {
	switch n.Kind {
	case '{':
		return "", false
	case '[':
		parts := make([]string, len(n.Items))
		for i, item := range n.Items {
			var ok bool
			if parts[i], ok = written(item); !ok {
				return "", false
			}
		}
		return strings.Join(parts, ", "), true
	}
	return n.Text, true
}
