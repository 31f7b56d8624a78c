package rules

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
	kind    Kind
	key     string // identity; "" if it is not computed yet
	number  Decimal
	items   []*Value // of a list; of an object, in the order of names
	names   []string // of an object, sorted
	encoded string   // JSON; "" if it is not computed yet

	tree *json.Node // of a list or an object whose items and names are not known yet
	read []*Value   // members of the tree that were converted, or nil
}

// word returns null, false or true.
func word(text string) *Value {
	kind := map[byte]Kind{'n': KindNull, 'f': KindFalse, 't': KindTrue}[text[0]]
	return &Value{kind: kind, key: text[:1], encoded: text}
}

func numberValue(d Decimal) *Value {
	text := d.String()
	return &Value{kind: KindNumber, key: "#" + text, number: d, encoded: text}
}

func stringValue(text string) *Value {
	return &Value{kind: KindString, key: `"` + text}
}

func (v *Value) text() string { return v.key[1:] }

// JSON returns the value in JSON, with numbers in their shortest form and names in order.
func (v *Value) JSON() json.RawMessage {
	if v.kind == KindString {
		encoded, _ := json.Marshal(v.text()) // cannot fail
		return encoded
	}
	if v.encoded == "" {
		v.encoded = v.encode()
	}
	return json.RawMessage(v.encoded)
}

// encode returns the JSON of a list or an object.
func (v *Value) encode() string {
	items, names := v.content()
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

// valueOf converts a tree. If several members of an object have the same name, the last counts.
func valueOf(n *json.Node) *Value {
	switch n.Kind {
	case '"':
		return stringValue(n.Text)
	case '0':
		return numberValue(parseDecimal(n.Text))
	case '[':
		return &Value{kind: KindList, tree: n}
	case '{':
		return &Value{kind: KindObject, tree: n}
	}
	return word(n.Text)
}

// content returns the items of a list, or those of an object with their names.
func (v *Value) content() ([]*Value, []string) {
	if n := v.tree; n != nil {
		v.tree, v.read = nil, nil
		for _, item := range n.Items {
			v.items = append(v.items, valueOf(item))
		}
		members := slices.Clone(n.Members)
		slices.SortStableFunc(members, func(a, b json.Member) int { return strings.Compare(a.Key, b.Key) })
		for i, m := range members {
			if i+1 == len(members) || m.Key != members[i+1].Key {
				v.names, v.items = append(v.names, m.Key), append(v.items, valueOf(m.Value))
			}
		}
	}
	return v.items, v.names
}

// identity returns a text that differs for different values.
func (v *Value) identity() string {
	if v.key != "" {
		return v.key
	}
	var key strings.Builder
	items, names := v.content()
	open, _ := v.brackets()
	key.WriteByte(open)
	for i, item := range items {
		if v.kind == KindObject {
			addKey(&key, `"`+names[i])
		}
		addKey(&key, item.identity())
	}
	v.key = key.String()
	return v.key
}

// addKey appends a key with its length, so that different lists of keys give different results.
func addKey(b *strings.Builder, key string) {
	b.WriteString(strconv.Itoa(len(key)))
	b.WriteByte(':')
	b.WriteString(key)
}

// compareValues orders null < false < true < numbers < strings < lists < objects.
func compareValues(a, b *Value) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	switch a.kind {
	case KindNumber:
		return a.number.compare(b.number)
	case KindString:
		return strings.Compare(a.key, b.key)
	}
	items, names := a.content()
	others, otherNames := b.content()
	for i := range min(len(items), len(others)) {
		if a.kind == KindObject && names[i] != otherNames[i] {
			return strings.Compare(names[i], otherNames[i])
		}
		if c := compareValues(items[i], others[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(items), len(others))
}

// maxScanned is the maximum number of members that field scans; in larger objects it searches.
const maxScanned = 16

// field returns the value of a member, or nil.
func (v *Value) field(name string) *Value {
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
				v.read[i] = valueOf(n.Members[i].Value)
			}
			return v.read[i]
		}
		return nil
	}
	items, names := v.content()
	if i := sort.SearchStrings(names, name); i < len(names) && names[i] == name {
		return items[i]
	}
	return nil
}

// compareBy reports whether a comparison of two values is true: "=" and "!=" compare any two
// values, "<", "<=", ">" and ">=" only two numbers or two strings.
func compareBy(op string, a, b *Value) bool {
	switch op {
	case "=":
		return a.identity() == b.identity()
	case "!=":
		return a.identity() != b.identity()
	}
	if a.kind != b.kind || a.kind != KindNumber && a.kind != KindString {
		return false
	}
	c := compareValues(a, b)
	switch op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}
