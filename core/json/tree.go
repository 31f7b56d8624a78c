package json

import (
	"slices"
	"strings"
)

// Node is a JSON value with its position in the text. An object has members in source
// order, an array has items.
type Node struct {
	Kind    byte // '{', '[', '"', '0' for a number, the first letter of true, false or null; 0 for a missing value
	At      Range
	Members []Member
	Items   []*Node
	Text    string // the decoded string; the source text of any other value
}

// Member is a member of an object. Duplicate keys are possible.
type Member struct {
	Key   string
	At    Range // of the key
	Value *Node
}

// Range is a byte range of a text.
type Range struct{ Start, End int }

// MaxTreeDepth is the maximum nesting depth of a tree, so recursive walks of a tree need
// no separate limit.
const MaxTreeDepth = 100

// Tree parses a text that is exactly one JSON value.
func Tree(text string) (*Node, *SyntaxError) {
	trees, fault := Trees(text)
	switch {
	case fault != nil:
		return nil, fault
	case len(trees) == 0:
		return nil, &SyntaxError{"unexpected end of JSON input", len(text)}
	case len(trees) > 1:
		return nil, &SyntaxError{"unexpected second value", trees[1].At.Start}
	}
	return trees[0], nil
}

// Trees parses a sequence of JSON values, such as JSON lines. The text may begin with a
// byte order mark.
func Trees(text string) ([]*Node, *SyntaxError) {
	d := planted{decoder: &decoder{text: []byte(text)}}
	if strings.HasPrefix(text, "\ufeff") {
		d.at = len("\ufeff")
	}
	var out []*Node
	for {
		if d.space(); d.at == len(text) {
			return out, nil
		}
		start := d.at
		if err := d.skip(MaxDepth - MaxTreeDepth); err != nil {
			return nil, err.(*SyntaxError)
		}
		d.at = start
		out = append(out, d.node(text))
	}
}

// planted is a tree that is being built: nodes that were allocated together, and the members and
// items of lists that are not complete.
type planted struct {
	*decoder
	nodes   []Node
	members []Member
	items   []*Node
}

// maxPlanted is the maximum number of nodes that are allocated together.
const maxPlanted = 64

func (d *planted) new() *Node {
	if len(d.nodes) == cap(d.nodes) {
		d.nodes = make([]Node, 0, min(maxPlanted, 2*cap(d.nodes)+1))
	}
	d.nodes = d.nodes[:len(d.nodes)+1]
	return &d.nodes[len(d.nodes)-1]
}

// node parses a checked value.
func (d *planted) node(text string) *Node {
	n := d.new()
	n.Kind = d.peek()
	n.At.Start = d.at
	switch n.Kind {
	case '{', '[':
		members, items := len(d.members), len(d.items)
		for d.at++; d.peek() != n.Kind+2; { // in ASCII, } is two after { and ] two after [
			if n.Kind == '{' {
				var m Member
				m.At.Start = d.at
				m.Key = d.part(text)
				m.At.End = d.at
				d.peek()
				d.at++ // the colon
				m.Value = d.node(text)
				d.members = append(d.members, m)
			} else {
				d.items = append(d.items, d.node(text))
			}
			if d.peek() == ',' {
				d.at++
			}
		}
		d.at++
		n.Members, d.members = slices.Clip(append(n.Members, d.members[members:]...)), d.members[:members]
		n.Items, d.items = slices.Clip(append(n.Items, d.items[items:]...)), d.items[:items]
	case '"':
		n.Text = d.part(text)
	default:
		d.raw()
		if n.Kind < 'f' {
			n.Kind = '0'
		}
	}
	n.At.End = d.at
	if n.Kind != '"' {
		n.Text = text[n.At.Start:n.At.End]
	}
	return n
}

// absent is the value of a member that an object does not have. It never changes.
var absent Node

// Get returns the value of the first member with a key. If n is nil or has no such
// member, value is an empty node, which must not be changed.
func (n *Node) Get(key string) (value *Node, ok bool) {
	if n != nil {
		for i := range n.Members {
			if m := &n.Members[i]; m.Key == key {
				return m.Value, true
			}
		}
	}
	return &absent, false
}

// TextOf returns the text of a string member, or "".
func (n *Node) TextOf(key string) string {
	if v, ok := n.Get(key); ok && v.Kind == '"' {
		return v.Text
	}
	return ""
}

// Append appends the value as JSON without spaces; numbers keep their text.
func (n *Node) Append(b []byte) []byte {
	switch n.Kind {
	case '{':
		b = append(b, '{')
		for i, m := range n.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.Value.Append(append(appendString(b, m.Key), ':'))
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.Append(b)
		}
		return append(b, ']')
	case '"':
		return appendString(b, n.Text)
	case 0:
		return append(b, "null"...)
	}
	return append(b, n.Text...)
}
