// Package exact has the values of JSON with exact decimal numbers.
package exact

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Kind is the type of a [Value]. Values of different kinds are ordered by their kinds.
type Kind uint8

// The kinds.
const (
	KindNull Kind = iota
	KindFalse
	KindTrue
	KindNumber
	KindString
	KindList
	KindObject
)

// Value is a JSON value; it is never changed. Two values are equal if their identities are. Most
// parts of the lists and objects in a run are in no rule, so they are converted on demand, which is
// not safe for concurrent use.
type Value struct {
	kind   Kind
	key    string   // identity; "" if it is not computed yet
	number *Decimal // nil for other kinds
	*parts          // of a list or an object; nil for other kinds
}

// parts are the contents of a list or an object.
type parts struct {
	items   []*Value // of an object, in the order of names
	names   []string // of an object, sorted
	twice   bool     // of an object, whether members of its text have the same name
	encoded string   // JSON; "" if it is not computed yet
	apart   *Value   // see [Value.Kept]

	tree *json.Node // if the items and names are not known yet
	read []*Value   // members of the tree that were converted, or nil
}

// Word returns null, false or true.
func Word(text string) *Value {
	kind := map[byte]Kind{'n': KindNull, 'f': KindFalse, 't': KindTrue}[text[0]]
	return &Value{kind: kind, key: text[:1]}
}

// OfNumber returns the value of a number.
func OfNumber(d Decimal) *Value {
	return &Value{kind: KindNumber, key: "#" + d.String(), number: &d}
}

// OfText returns the value of a string.
func OfText(text string) *Value {
	return &Value{kind: KindString, key: `"` + text}
}

// OfMembers returns the value of an object with members in the order of their names.
func OfMembers(names []string, items []*Value) *Value {
	return &Value{kind: KindObject, parts: &parts{names: names, items: items}}
}

// Kind returns the type of a value.
func (v *Value) Kind() Kind { return v.kind }

// Text returns the text of a string, "" for other values.
func (v *Value) Text() string {
	if v.kind != KindString {
		return ""
	}
	return v.key[1:]
}

// Number returns the number of a value, 0 for a value of another type.
func (v *Value) Number() Decimal {
	if v.number == nil {
		return Decimal{}
	}
	return *v.number
}

// JSON returns the value in JSON, with numbers in their shortest form and names in order.
func (v *Value) JSON() json.RawMessage {
	switch v.kind {
	case KindNull:
		return json.RawMessage("null")
	case KindFalse:
		return json.RawMessage("false")
	case KindTrue:
		return json.RawMessage("true")
	case KindNumber:
		return json.RawMessage(v.key[1:])
	case KindString:
		encoded, _ := json.Marshal(v.Text()) // cannot fail
		return encoded
	}
	if v.encoded == "" {
		v.encoded = v.encode()
	}
	return json.RawMessage(v.encoded)
}

// Kept returns the value for a state that outlives the event: a list or an object without the text of the event, of
// which it is a part.
func (v *Value) Kept() *Value {
	if v == nil || v.parts == nil {
		return v
	}
	if v.apart == nil {
		tree, _ := json.Tree(string(v.JSON())) // it is JSON
		v.apart = Of(tree)
		v.apart.apart = v.apart
	}
	return v.apart
}

// encode returns the JSON of a list or an object.
func (v *Value) encode() string {
	items, names := v.Content()
	open, shut := v.brackets()
	b := []byte{open}
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if v.kind == KindObject {
			b, _ = json.Append(b, names[i]) // cannot fail
			b = append(b, ':')
		}
		b = append(b, item.JSON()...)
	}
	return string(append(b, shut))
}

func (v *Value) brackets() (open, shut byte) {
	if v.kind == KindObject {
		return '{', '}'
	}
	return '[', ']'
}

// Of converts a tree. If several members of an object have the same name, the last counts.
func Of(n *json.Node) *Value {
	switch n.Kind {
	case '"':
		return OfText(n.Text)
	case '0':
		return OfNumber(ParseDecimal(n.Text))
	case '[':
		return &Value{kind: KindList, parts: &parts{tree: n}}
	case '{':
		return &Value{kind: KindObject, parts: &parts{tree: n}}
	}
	return Word(n.Text)
}

// Content returns the items of a list, or those of an object with their names.
func (v *Value) Content() ([]*Value, []string) {
	if v.parts == nil {
		return nil, nil
	}
	if n := v.tree; n != nil {
		v.tree, v.read = nil, nil
		for _, item := range n.Items {
			v.items = append(v.items, Of(item))
		}
		members := slices.Clone(n.Members)
		slices.SortStableFunc(members, func(a, b json.Member) int { return strings.Compare(a.Key, b.Key) })
		for i, m := range members {
			if i+1 == len(members) || m.Key != members[i+1].Key {
				v.names, v.items = append(v.names, m.Key), append(v.items, Of(m.Value))
			} else {
				v.twice = true
			}
		}
	}
	return v.items, v.names
}

// Repeats reports whether several members of the text of an object have the same name.
func (v *Value) Repeats() bool {
	v.Content()
	return v.parts != nil && v.twice
}

// Identity returns a text that differs for different values.
func (v *Value) Identity() string {
	if v.key != "" {
		return v.key
	}
	items, names := v.Content()
	open, _ := v.brackets()
	key := []byte{open}
	for i, item := range items {
		if v.kind == KindObject {
			key = AppendKey(key, `"`+names[i])
		}
		key = AppendKey(key, item.Identity())
	}
	v.key = string(key)
	return v.key
}

// AppendKey appends a key with its length, so that different lists of keys give different results.
func AppendKey(b []byte, key string) []byte {
	b = strconv.AppendInt(b, int64(len(key)), 10)
	b = append(b, ':')
	return append(b, key...)
}

// Compare orders null < false < true < numbers < strings < lists < objects.
func Compare(a, b *Value) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	switch a.kind {
	case KindNumber:
		return a.number.Compare(*b.number)
	case KindString:
		return strings.Compare(a.key, b.key)
	}
	items, names := a.Content()
	others, otherNames := b.Content()
	for i := range min(len(items), len(others)) {
		if a.kind == KindObject && names[i] != otherNames[i] {
			return strings.Compare(names[i], otherNames[i])
		}
		if c := Compare(items[i], others[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(items), len(others))
}

// maxScanned is the maximum number of members that Field scans; in larger objects it searches.
const maxScanned = 16

// Field returns the value of a member, or nil.
func (v *Value) Field(name string) *Value {
	if v.kind != KindObject {
		return nil
	}
	if n := v.tree; n != nil && len(n.Members) <= maxScanned {
		for i := len(n.Members) - 1; i >= 0; i-- {
			if n.Members[i].Key != name {
				continue
			}
			if v.read == nil {
				v.read = make([]*Value, len(n.Members))
			}
			if v.read[i] == nil {
				v.read[i] = Of(n.Members[i].Value)
			}
			return v.read[i]
		}
		return nil
	}
	items, names := v.Content()
	if i := sort.SearchStrings(names, name); i < len(names) && names[i] == name {
		return items[i]
	}
	return nil
}

// Holds reports whether a comparison of two values is true: "=" and "!=" compare any two
// values, "<", "<=", ">" and ">=" only two numbers or two strings.
func Holds(op string, a, b *Value) bool {
	switch op {
	case "=":
		return a.Identity() == b.Identity()
	case "!=":
		return a.Identity() != b.Identity()
	}
	if a.kind != b.kind || a.kind != KindNumber && a.kind != KindString {
		return false
	}
	return Ordered(op, Compare(a, b))
}

// Ordered reports whether "=", "<", "<=", ">" or ">=" is true of two operands whose comparison is c: negative, 0 or
// positive.
func Ordered(op string, c int) bool {
	switch op {
	case "=":
		return c == 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}
