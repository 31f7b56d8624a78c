package json

import "strings"

// Node is a JSON value where it stands in a text: of an object its members in their
// order, of an array its items.
type Node struct {
	Kind    byte // '{', '[', '"', '0' for a number, the first letter of true, false or null; 0 for what is not there
	At      Range
	Members []Member
	Items   []*Node
	Text    string // of a string what it says, of all else how it is written
}

// Member is a member of an object. A name may come twice.
type Member struct {
	Key   string
	At    Range // of the key
	Value *Node
}

// Range is a part of a text, in bytes.
type Range struct{ Start, End int }

// MaxTreeDepth is how deep the values of a tree may be nested, so that whoever walks
// one need not count.
const MaxTreeDepth = 100

// Tree reads a text that is one JSON value.
func Tree(text string) (*Node, *SyntaxError) {
	trees, fault := Trees(text)
	switch {
	case fault != nil:
		return nil, fault
	case len(trees) == 0:
		return nil, &SyntaxError{"unexpected end of JSON input", len(text)}
	case len(trees) > 1:
		return nil, &SyntaxError{"there is more than one value", trees[1].At.Start}
	}
	return trees[0], nil
}

// Trees reads JSON values that stand one after the other, each in a line or not. A
// byte order mark may stand before them.
func Trees(text string) ([]*Node, *SyntaxError) {
	d := &decoder{text: []byte(text)}
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

// node reads a value that was checked.
func (d *decoder) node(text string) *Node {
	n := &Node{Kind: d.peek()}
	n.At.Start = d.at
	switch n.Kind {
	case '{', '[':
		for d.at++; d.peek() != n.Kind+2; { // both pairs are two apart
			var m Member
			if n.Kind == '{' {
				m.At.Start = d.at
				m.Key = d.unquote()
				m.At.End = d.at
				d.peek()
				d.at++ // the colon
			}
			m.Value = d.node(text)
			if n.Kind == '{' {
				n.Members = append(n.Members, m)
			} else {
				n.Items = append(n.Items, m.Value)
			}
			if d.peek() == ',' {
				d.at++
			}
		}
		d.at++
	case '"':
		n.Text = d.unquote()
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

// Get returns the value of an object's first member of a name; of all else, and of
// nil, one that is not there.
func (n *Node) Get(key string) (value *Node, ok bool) {
	if n != nil {
		for _, m := range n.Members {
			if m.Key == key {
				return m.Value, true
			}
		}
	}
	return &Node{}, false
}

// TextOf returns what a member says that is a string, else "".
func (n *Node) TextOf(key string) string {
	if v, ok := n.Get(key); ok && v.Kind == '"' {
		return v.Text
	}
	return ""
}
