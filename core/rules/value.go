package rules

import (
	"cmp"
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

// Value is a JSON value; it is never changed. Two values are equal if their keys are.
type Value struct {
	kind    Kind
	key     string // different for different values
	number  Decimal
	items   []*Value // of a list; of an object, in the order of names
	names   []string // of an object, sorted
	encoded string   // JSON; "" for a string, which is encoded on demand
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

// text returns the text of a string.
func (v *Value) text() string { return v.key[1:] }

// JSON returns the value in JSON, with numbers in their shortest form and names in order.
func (v *Value) JSON() json.RawMessage {
	if v.kind != KindString {
		return json.RawMessage(v.encoded)
	}
	encoded, _ := json.Marshal(v.text()) // cannot fail
	return encoded
}

// valueOf converts a tree. If several members of an object have the same name, the last counts.
func valueOf(n *json.Node) *Value {
	switch n.Kind {
	case '"':
		return stringValue(n.Text)
	case '0':
		return numberValue(parseDecimal(n.Text))
	case '[':
		v := &Value{kind: KindList}
		for _, item := range n.Items {
			v.items = append(v.items, valueOf(item))
		}
		v.finish("[", "]")
		return v
	case '{':
		return objectValue(n)
	}
	return word(n.Text)
}

func objectValue(n *json.Node) *Value {
	members := map[string]*Value{}
	v := &Value{kind: KindObject}
	for _, m := range n.Members {
		if members[m.Key] == nil {
			v.names = append(v.names, m.Key)
		}
		members[m.Key] = valueOf(m.Value)
	}
	sort.Strings(v.names)
	for _, name := range v.names {
		v.items = append(v.items, members[name])
	}
	v.finish("{", "}")
	return v
}

// finish computes the key and the JSON of a list or an object.
func (v *Value) finish(open, shut string) {
	var key, encoded strings.Builder
	key.WriteString(open)
	encoded.WriteString(open)
	for i, item := range v.items {
		if i > 0 {
			encoded.WriteByte(',')
		}
		if v.kind == KindObject {
			name := stringValue(v.names[i])
			addKey(&key, name.key)
			encoded.Write(name.JSON())
			encoded.WriteByte(':')
		}
		addKey(&key, item.key)
		encoded.Write(item.JSON())
	}
	encoded.WriteString(shut)
	v.key, v.encoded = key.String(), encoded.String()
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
	for i := range min(len(a.items), len(b.items)) {
		if a.kind == KindObject && a.names[i] != b.names[i] {
			return strings.Compare(a.names[i], b.names[i])
		}
		if c := compareValues(a.items[i], b.items[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a.items), len(b.items))
}

// field returns the value of a member, or nil.
func (v *Value) field(name string) *Value {
	if v.kind == KindObject {
		if i := sort.SearchStrings(v.names, name); i < len(v.names) && v.names[i] == name {
			return v.items[i]
		}
	}
	return nil
}

// compareBy reports whether a comparison of two values is true: "=" and "!=" compare any two
// values, "<", "<=", ">" and ">=" only two numbers or two strings.
func compareBy(op string, a, b *Value) bool {
	switch op {
	case "=":
		return a.key == b.key
	case "!=":
		return a.key != b.key
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
