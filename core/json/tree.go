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
	d := planted{decoder: decoder{text: text}}
	if strings.HasPrefix(text, "\ufeff") {
		d.at = len("\ufeff")
	}
	var out []*Node
	for {
		if d.space(); d.at == len(text) {
			return out, nil
		}
		n, err := d.node(0)
		if err != nil {
			return nil, err.(*SyntaxError)
		}
		out = append(out, n)
	}
}

// planted is a tree that is being built: nodes, members and items that were allocated together, and
// those of lists that are not complete.
type planted struct {
	decoder
	nodes   []Node
	members shelf[Member]
	items   shelf[*Node]
}

// maxPlanted is the maximum number of nodes that are allocated together, and of members and items of
// small lists.
const maxPlanted = 64

func (d *planted) new() *Node {
	if len(d.nodes) == cap(d.nodes) {
		d.nodes = make([]Node, 0, min(maxPlanted, 2*cap(d.nodes)+4))
	}
	d.nodes = d.nodes[:len(d.nodes)+1]
	return &d.nodes[len(d.nodes)-1]
}

// shelf has the elements of lists: open ones of lists that are not complete, and memory for others.
type shelf[E any] struct{ open, free []E }

// take removes the open elements from an index on, and returns a copy of them.
func (s *shelf[E]) take(from int) []E {
	list := s.open[from:]
	if len(list) == 0 {
		return nil
	}
	if len(list) > cap(s.free)-len(s.free) {
		s.free = make([]E, 0, max(len(list), min(maxPlanted, 2*cap(s.free))))
	}
	start := len(s.free)
	s.free, s.open = append(s.free, list...), s.open[:from]
	return slices.Clip(s.free[start:])
}

// node parses a value.
func (d *planted) node(depth int) (*Node, error) {
	if depth > MaxTreeDepth {
		return nil, &SyntaxError{tooDeep, d.at}
	}
	n := d.new()
	n.Kind = d.peek()
	n.At.Start = d.at
	var err error
	switch n.Kind {
	case '{', '[':
		err = d.list(n, depth)
	case '"':
		n.Text, err = d.str()
	default:
		if err = d.skip(0); n.Kind < 'f' {
			n.Kind = '0'
		}
	}
	if n.At.End = d.at; err == nil && n.Kind != '"' {
		n.Text = d.text[n.At.Start:n.At.End]
	}
	return n, err
}

// list parses an object or an array.
func (d *planted) list(n *Node, depth int) error {
	shut := n.Kind + 2 // in ASCII, } is two after { and ] two after [
	members, items := len(d.members.open), len(d.items.open)
	for d.at++; ; {
		if d.peek() == shut && len(d.members.open) == members && len(d.items.open) == items {
			break
		}
		var m Member
		if n.Kind == '{' {
			if d.peek() != '"' {
				return d.fault("looking for the beginning of a field's name")
			}
			m.At.Start = d.at
			var err error
			if m.Key, err = d.str(); err != nil {
				return err
			}
			m.At.End = d.at
			if d.peek() != ':' {
				return d.fault("after a field's name")
			}
			d.at++
		}
		value, err := d.node(depth + 1)
		if err != nil {
			return err
		}
		if m.Value = value; n.Kind == '{' {
			d.members.open = append(d.members.open, m)
		} else {
			d.items.open = append(d.items.open, value)
		}
		if c := d.peek(); c == shut {
			break
		} else if c != ',' {
			return d.fault("after a value in a list")
		}
		d.at++
	}
	d.at++
	if n.Kind == '{' {
		n.Members = d.members.take(members)
	} else {
		n.Items = d.items.take(items)
	}
	return nil
}

// str parses a string. If the string has no escape, the result is a part of the text and needs no copy.
func (d *planted) str() (string, error) {
	body, exact, err := d.quoted()
	if err != nil || exact {
		return body, err
	}
	return unescape(body), nil
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
