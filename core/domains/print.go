package domains

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Values for composing JSON.

func text(s string) *json.Node { return &json.Node{Kind: '"', Text: s} }

// literal returns a number, true, false or null.
func literal(s string) *json.Node {
	n := &json.Node{Kind: '0', Text: s}
	if s == "true" || s == "false" || s == "null" {
		n.Kind = s[0]
	}
	return n
}

func list(items ...*json.Node) *json.Node { return &json.Node{Kind: '[', Items: items} }

func object() *json.Node { return &json.Node{Kind: '{'} }

// set adds or replaces a member.
func set(n *json.Node, key string, value *json.Node) {
	for i, m := range n.Members {
		if m.Key == key {
			n.Members[i].Value = value
			return
		}
	}
	n.Members = append(n.Members, json.Member{Key: key, Value: value})
}

// within returns the object under a name and adds it if it is missing.
func within(n *json.Node, key string) *json.Node {
	if v, ok := n.Get(key); ok {
		return v
	}
	v := object()
	set(n, key, v)
	return v
}

// maxLine is the longest line for a complete array or object.
const maxLine = 100

// printed formats a value with short arrays and objects on one line.
func printed(n *json.Node) string {
	var b strings.Builder
	write(&b, n, "")
	return b.String() + "\n"
}

func write(b *strings.Builder, n *json.Node, indent string) {
	deep := indent + " "
	switch {
	case n.Kind != '{' && n.Kind != '[':
		b.WriteString(inLine(n))
	case len(indent) > 0 && len(indent)+len(inLine(n)) <= maxLine:
		b.WriteString(inLine(n))
	case n.Kind == '[':
		b.WriteString("[")
		for i, item := range n.Items {
			b.WriteString(comma(i) + "\n" + deep)
			write(b, item, deep)
		}
		b.WriteString("\n" + indent + "]")
	default:
		b.WriteString("{")
		for i, m := range n.Members {
			b.WriteString(comma(i) + "\n" + deep + quoted(m.Key) + ": ")
			write(b, m.Value, deep)
		}
		b.WriteString("\n" + indent + "}")
	}
}

func comma(i int) string {
	if i > 0 {
		return ","
	}
	return ""
}

func inLine(n *json.Node) string {
	var parts []string
	switch n.Kind {
	case '"':
		return quoted(n.Text)
	case '[':
		for _, item := range n.Items {
			parts = append(parts, inLine(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case '{':
		for _, m := range n.Members {
			parts = append(parts, quoted(m.Key)+": "+inLine(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.Text
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // marshalling a string cannot fail
	return string(b)
}
