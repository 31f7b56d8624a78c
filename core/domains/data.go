package domains

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// reader reads a domain's data. It keeps the first fault; values read after a fault are
// meaningless.
type reader struct{ fault error }

func (r *reader) fail(format string, arguments ...any) {
	if r.fault == nil {
		r.fault = source.NewError("domains.data", fmt.Sprintf(format, arguments...))
	}
}

// get returns a member of an object.
func (r *reader) get(n *json.Node, key string) *json.Node {
	v, ok := n.Get(key)
	if !ok {
		r.fail("the data has no %q", key)
	}
	return v
}

// text returns the string under a key.
func (r *reader) text(n *json.Node, key string) string {
	v := r.get(n, key)
	if v.Kind != '"' {
		r.fail("%q is not a string", key)
	}
	return v.Text
}

// number reads an exact decimal; what names the value in the error.
func (r *reader) number(v *json.Node, what string) Number {
	if v.Kind != '0' {
		r.fail("%q is not a number", what)
		return Number{}
	}
	n, err := ParseNumber(v.Text)
	if err != nil && r.fault == nil {
		r.fault = err
	}
	return n
}

// numbers has numbers by name, in the order of the data.
type numbers struct {
	names  []string
	values map[string]Number
}

// numbers reads an object of numbers, or an array with indices as names.
func (r *reader) numbers(n *json.Node, what string) numbers {
	out := numbers{values: map[string]Number{}}
	for _, m := range n.Members {
		out.names = append(out.names, m.Key)
		out.values[m.Key] = r.number(m.Value, m.Key)
	}
	for i, item := range n.Items {
		name := IntegerNumber(i).String()
		out.names = append(out.names, name)
		out.values[name] = r.number(item, what)
	}
	if len(out.names) == 0 {
		r.fail("%q has no numbers", what)
	}
	return out
}

// named returns a required number.
func (r *reader) named(n numbers, name, what string) Number {
	v, ok := n.values[name]
	if !ok {
		r.fail("unknown %s %q", what, name)
	}
	return v
}

// texts reads an array of strings.
func (r *reader) texts(n *json.Node, what string) []string {
	var out []string
	for _, item := range n.Items {
		if item.Kind != '"' {
			r.fail("%q has an item that is not a string", what)
		}
		out = append(out, item.Text)
	}
	return out
}

func changes(query *json.Node) []*json.Node {
	list, _ := query.Get("modification")
	return list.Items
}

// index reads an integer as the name of an array element.
func (r *reader) index(n *json.Node, key string) string {
	return r.number(r.get(n, key), key).String()
}

func (r *reader) unknown(change *json.Node) {
	r.fail("unknown change %q of this domain", change.TextOf("op"))
}
