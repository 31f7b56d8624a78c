package team

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Limits of numbers, far above the dozen digits that plans need.
const (
	maxDigits = 400
	maxBits   = 8_192 // of the parts of a fraction
)

// Value is a value of an expression: JSON's, with exact numbers.
type Value struct {
	Kind    byte     // 'n', 't', 'f', '0' for a number, '"', '[' or '{'; 0 for a missing value
	Text    string   // of a text, or of a number that is too long
	Number  *big.Rat // nil for a number that is too long
	Items   []Value
	Members []Member
}

// Member is a member of an object. If names are duplicate, the first member counts.
type Member struct {
	Name  string
	Value Value
}

func truth(b bool) Value {
	if b {
		return Value{Kind: 't'}
	}
	return Value{Kind: 'f'}
}

func integer(n int) Value { return Value{Kind: '0', Number: big.NewRat(int64(n), 1)} }

func textValue(text string) Value { return Value{Kind: '"', Text: text} }

// readNumber parses a number of JSON.
func readNumber(text string) (Value, bool) {
	v := Value{Kind: '0', Text: text}
	if len(text) > maxDigits {
		return v, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if n, err := strconv.Atoi(text[i+1:]); err != nil || n > maxDigits || n < -maxDigits {
			return v, false
		}
	}
	number, ok := new(big.Rat).SetString(text)
	if !ok {
		return v, false
	}
	return Value{Kind: '0', Number: number}, true
}

// valueOf returns the value of a JSON tree.
func valueOf(n *json.Node) Value {
	switch n.Kind {
	case '"':
		return textValue(n.Text)
	case '0':
		v, _ := readNumber(n.Text)
		return v
	case '[':
		v := Value{Kind: '[', Items: make([]Value, len(n.Items))}
		for i, item := range n.Items {
			v.Items[i] = valueOf(item)
		}
		return v
	case '{':
		v := Value{Kind: '{', Members: make([]Member, len(n.Members))}
		for i, m := range n.Members {
			v.Members[i] = Member{m.Key, valueOf(m.Value)}
		}
		return v
	}
	return Value{Kind: n.Kind}
}

// ReadValue returns the JSON value in an agent's text: the complete text, the content of a
// fence, or the first object or list. ok is false if there is none.
func ReadValue(text string) (v Value, ok bool) {
	n, _, ok := json.Find(text)
	if !ok {
		return Value{}, false
	}
	return valueOf(n), true
}

// get returns a member of an object.
func (v Value) get(name string) (Value, bool) {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// same reports whether two values are equal.
func same(a, b Value) bool {
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) {
		return false
	}
	switch a.Kind {
	case '0':
		if a.Number == nil || b.Number == nil {
			return a.Number == b.Number && a.Text == b.Text
		}
		return a.Number.Cmp(b.Number) == 0
	case '"':
		return a.Text == b.Text
	case '[':
		for i := range a.Items {
			if !same(a.Items[i], b.Items[i]) {
				return false
			}
		}
	case '{':
		return within(a, b) && within(b, a)
	}
	return true
}

// within reports whether another object has every member of an object.
func within(a, b Value) bool {
	for _, m := range a.Members {
		mine, _ := a.get(m.Name)
		other, ok := b.get(m.Name)
		if !ok || !same(mine, other) {
			return false
		}
	}
	return true
}

// kindName names the type of a value in messages.
func (v Value) kindName() string {
	switch v.Kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '0':
		return "a number"
	case '"':
		return "a text"
	case '[':
		return "a list"
	case '{':
		return "an object"
	}
	return "nothing"
}

// String prints a value. A number is printed exactly: as a decimal if it has one, otherwise
// as a fraction.
func (v Value) String() string {
	switch v.Kind {
	case 'n':
		return "null"
	case 't':
		return "true"
	case 'f':
		return "false"
	case '0':
		if v.Number == nil {
			return v.Text
		}
		return decimal(v.Number)
	case '"':
		return quoteText(v.Text)
	case '[':
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			parts[i] = item.String()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case '{':
		parts := make([]string, len(v.Members))
		for i, m := range v.Members {
			parts[i] = fmt.Sprintf("%q: %s", m.Name, m.Value.String())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "nothing"
}

// decimal prints a number.
func decimal(n *big.Rat) string {
	if places, exact := n.FloatPrec(); exact {
		return n.FloatString(places)
	}
	return n.RatString()
}

// onlyNumber returns the only number in a text: digits with optional thousands separators
// and an optional decimal point.
func onlyNumber(text string) (Value, bool) {
	var found Value
	n := 0
	for i := 0; i < len(text); {
		if text[i] < '0' || text[i] > '9' {
			i++
			continue
		}
		start := i
		for i < len(text) && (text[i] >= '0' && text[i] <= '9' || (text[i] == '.' || text[i] == ',') && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9') {
			i++
		}
		written := strings.ReplaceAll(text[start:i], ",", "")
		if start > 0 && text[start-1] == '-' && (start == 1 || strings.IndexByte(" (", text[start-2]) >= 0) {
			written = "-" + written
		}
		v, ok := readNumber(written)
		if !ok {
			return v, false
		}
		found = v
		n++
	}
	return found, n == 1
}
