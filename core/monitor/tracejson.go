package monitor

import (
	"errors"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// node is a JSON value where it stands.
type node struct {
	kind    byte // '{', '[', '"', '0' for a number, or the first letter of true, false, null
	span    source.Span
	members []member
	items   []node
	text    string // of a string what it says, of all else how it is written
}

type member struct {
	key   string
	value node
}

func (n node) get(key string) (node, bool) {
	for _, m := range n.members {
		if m.key == key {
			return m.value, true
		}
	}
	return node{}, false
}

func (n node) has(key string) bool {
	_, ok := n.get(key)
	return ok
}

// textOf returns the text of a member, or "".
func (n node) textOf(key string) string {
	v, _ := n.get(key)
	if v.kind != '"' {
		return ""
	}
	return v.text
}

// maxTraceDepth is how deep values are read; deeper ones are one text.
const maxTraceDepth = 100

// readValues reads one JSON value after the other.
func readValues(text string) ([]node, *source.Diagnostic) {
	var out []node
	for at := 0; ; {
		for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
			at++
		}
		if at == len(text) {
			break
		}
		end := valueEnd(text, at)
		var raw json.RawMessage
		if err := json.Unmarshal([]byte(text[at:end]), &raw); err != nil {
			d := &source.Diagnostic{Code: "trace.json", Message: err.Error()}
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				d.Span.Start = source.Pos(min(at+syntax.Offset, len(text)))
				d.Span.End = min(d.Span.Start+1, source.Pos(len(text)))
			}
			return nil, d
		}
		r := valueReader{text: text, at: at}
		out = append(out, r.value(0))
		at = end
	}
	if len(out) == 0 {
		return nil, &source.Diagnostic{Code: "trace.json", Message: "there is nothing"}
	}
	return out, nil
}

// valueEnd returns where the value ends that begins at a place, if it is one: where
// its brackets are closed, or at the line's end.
func valueEnd(text string, at int) int {
	if text[at] != '{' && text[at] != '[' {
		return source.LineEnd(text, at)
	}
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return len(text)
}

// valueReader reads what is known to be JSON.
type valueReader struct {
	text string
	at   int
}

// mark passes over space and one character, if it comes next.
func (r *valueReader) mark(c byte) bool {
	for strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
	if r.text[r.at] != c {
		return false
	}
	r.at++
	return true
}

func (r *valueReader) value(depth int) node {
	r.mark(0)
	start := r.at
	n := node{kind: r.text[r.at]}
	switch {
	case (n.kind == '{' || n.kind == '[') && depth == maxTraceDepth:
		r.at = valueEnd(r.text, r.at)
	case n.kind == '{':
		r.at++
		for !r.mark('}') {
			r.mark(',')
			key := r.value(depth + 1)
			r.mark(':')
			n.members = append(n.members, member{key.text, r.value(depth + 1)})
		}
	case n.kind == '[':
		r.at++
		for !r.mark(']') {
			r.mark(',')
			n.items = append(n.items, r.value(depth+1))
		}
	case n.kind == '"':
		for r.at++; r.text[r.at] != '"'; r.at++ {
			if r.text[r.at] == '\\' {
				r.at++
			}
		}
		r.at++
		_ = json.Unmarshal([]byte(r.text[start:r.at]), &n.text) // it was checked as a whole
	default:
		for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
			r.at++
		}
		if n.kind == '-' || n.kind >= '0' && n.kind <= '9' {
			n.kind = '0'
		}
	}
	n.span = source.Span{Start: source.Pos(start), End: source.Pos(r.at)}
	if n.kind != '"' {
		n.text = r.text[start:r.at]
	}
	return n
}
