// Package jsonfile reads JSON declarations such as tools.json and agent-tools.json into
// trees, and reports faults at their byte ranges.
package jsonfile

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Absent represents a missing node, so that callers need no nil checks.
var Absent = &json.Node{}

// Read parses a JSON text. The diagnostic reports the first syntax error with the given code.
func Read(text, code string) (*json.Node, *source.Diagnostic) {
	n, fault := json.Tree(text)
	if fault == nil {
		return n, nil
	}
	at := json.Range{Start: min(fault.Offset, len(text)), End: min(fault.Offset+1, len(text))}
	return Absent, &source.Diagnostic{Code: code, Message: fault.Message, Span: Span(at)}
}

// Span converts a byte range.
func Span(at json.Range) source.Span {
	return source.Span{Start: source.Pos(at.Start), End: source.Pos(at.End)}
}

// IsWord reports whether a byte may be part of a JSON number or a plain name: a letter, a
// digit, or one of + - . in ASCII.
func IsWord(c byte) bool {
	return c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Compact formats a value as JSON without spaces, with its members in their order.
func Compact(n *json.Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n *json.Node) {
	switch n.Kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Quoted(m.Key) + ":")
			write(b, m.Value)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	case '"':
		b.WriteString(Quoted(n.Text))
	case 0:
		b.WriteString("null")
	default:
		b.WriteString(n.Text)
	}
}

// Quoted returns a text as a JSON string.
func Quoted(text string) string {
	out, _ := json.Marshal(text) // never fails for a string
	return string(out)
}
