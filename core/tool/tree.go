package tool

import (
	"errors"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// node is a JSON value where it stands: of an object its members, of an array its
// items, of a string its text.
type node struct {
	kind    byte // '{', '[', '"', '0' for a number, or the first letter of true, false, null
	span    source.Span
	members []member
	items   []*node
	text    string
}

// absent is what is not there.
var absent = &node{}

type member struct {
	key   string
	at    source.Span // of the key
	value *node
}

// get returns a member's value.
func (n *node) get(key string) (*node, bool) {
	if n == nil {
		return absent, false
	}
	for _, m := range n.members {
		if m.key == key {
			return m.value, true
		}
	}
	return absent, false
}

// maxDepth is how deep values may be nested here.
const maxDepth = 50

// readTree reads a JSON text. The diagnostic says what is no JSON about it.
func readTree(text, code string) (*node, *source.Diagnostic) {
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		d := &source.Diagnostic{Code: code, Message: err.Error()}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			d.Span.Start = source.Pos(min(syntax.Offset, len(text)))
			d.Span.End = min(d.Span.Start+1, source.Pos(len(text)))
		}
		return absent, d
	}
	r := treeReader{text: text}
	n := r.value(0)
	if r.deep {
		return absent, &source.Diagnostic{Code: code, Span: n.span, Message: "the JSON is nested too deep"}
	}
	return n, nil
}

// treeReader reads what is known to be JSON.
type treeReader struct {
	text string
	at   int
	deep bool
}

func (r *treeReader) space() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\n' || r.text[r.at] == '\t' || r.text[r.at] == '\r') {
		r.at++
	}
}

// mark passes over space and one character, if it comes next.
func (r *treeReader) mark(c byte) bool {
	r.space()
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *treeReader) value(depth int) *node {
	r.space()
	start := r.at
	n := &node{kind: r.text[r.at]}
	r.deep = r.deep || depth > maxDepth
	switch {
	case r.deep:
		r.at = len(r.text)
	case n.kind == '{':
		r.at++
		for !r.deep && !r.mark('}') {
			r.mark(',')
			key := r.value(depth + 1)
			r.mark(':')
			n.members = append(n.members, member{key: key.text, at: key.span, value: r.value(depth + 1)})
		}
	case n.kind == '[':
		r.at++
		for !r.deep && !r.mark(']') {
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
		// It was checked as a whole.
		_ = json.Unmarshal([]byte(r.text[start:r.at]), &n.text)
	default:
		for r.at < len(r.text) && isWord(r.text[r.at]) {
			r.at++
		}
		n.text = r.text[start:r.at]
		if n.kind == '-' || n.kind >= '0' && n.kind <= '9' {
			n.kind = '0'
		}
	}
	n.span = source.Span{Start: source.Pos(start), End: source.Pos(r.at)}
	return n
}

func isWord(c byte) bool {
	return c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
