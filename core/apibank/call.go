package apibank

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Call is a call of a tool as an agent writes it.
type Call struct {
	Name      string     `json:"name"`
	Arguments []Argument `json:"arguments"`
}

// Argument is a named JSON value.
type Argument struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Input returns the arguments as a JSON object.
func (c Call) Input() json.RawMessage {
	var b strings.Builder
	b.WriteByte('{')
	for i, a := range c.Arguments {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(a.Name)
		b.Write(name)
		b.WriteByte(':')
		b.Write(a.Value)
	}
	b.WriteByte('}')
	return json.RawMessage(b.String())
}

// CallOf returns a call from a name and a JSON object. The error has code [CodeCall].
func CallOf(name string, input json.RawMessage) (Call, error) {
	tree, fault := json.Tree(string(input))
	if fault != nil || tree.Kind != '{' {
		return Call{}, source.NewError(CodeCall, fmt.Sprintf("the input of %s is not a JSON object", name))
	}
	c := Call{Name: name, Arguments: []Argument{}}
	for _, m := range tree.Members {
		c.Arguments = append(c.Arguments, Argument{m.Key, raw(m.Value, string(input))})
	}
	return c, nil
}

// String writes the call: [Name(key='value', n=3, list=['a', 'b'])]. Texts are in single quotes; \\
// and \' represent a backslash and a quote, and \n, \r and \t white space. [FindCalls] parses the
// text to an equal call.
func (c Call) String() string {
	var b strings.Builder
	b.WriteString("[" + c.Name + "(")
	for i, a := range c.Arguments {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.Name + "=")
		if tree, fault := json.Tree(string(a.Value)); fault == nil {
			write(&b, tree)
		}
	}
	b.WriteString(")]")
	return b.String()
}

func write(b *strings.Builder, n *json.Node) {
	switch n.Kind {
	case '"':
		writeText(b, n.Text)
	case '[':
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, item)
		}
		b.WriteByte(']')
	case '{':
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteString(", ")
			}
			writeText(b, m.Key)
			b.WriteString(": ")
			write(b, m.Value)
		}
		b.WriteByte('}')
	case 't':
		b.WriteString("True")
	case 'f':
		b.WriteString("False")
	case 'n':
		b.WriteString("None")
	default:
		b.WriteString(n.Text)
	}
}

func writeText(b *strings.Builder, text string) {
	b.WriteByte('\'')
	for _, r := range text {
		switch r {
		case '\\', '\'':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
}

func marshal(text string) json.RawMessage {
	out, _ := json.Marshal(strings.ToValidUTF8(text, "\ufffd"))
	return out
}
