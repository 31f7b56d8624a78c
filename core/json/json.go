// Package json encodes and decodes the core's JSON: what encoding/json does, for
// the types that the core has, in a tenth of its size. The page fetches the core
// before it can do anything, and encoding/json would be its largest part but for
// the runtime.
//
// The differences: HTML is not escaped, a field with a name in its tag is matched
// exactly, and arrays, embedded structs, text marshalers, keys that are no
// strings and values of type any are not decoded. The tests hold both packages
// side by side.
package json

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// RawMessage is a JSON value as it stands.
type RawMessage []byte

// MarshalJSON returns the value, null where there is none.
func (m RawMessage) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return m, nil
}

// UnmarshalJSON keeps a copy of the value.
func (m *RawMessage) UnmarshalJSON(text []byte) error {
	*m = append((*m)[:0], text...)
	return nil
}

// Marshaler is a type that writes its own JSON.
type Marshaler interface{ MarshalJSON() ([]byte, error) }

// Unmarshaler is a type that reads its own JSON, given as a whole, valid value.
type Unmarshaler interface{ UnmarshalJSON(text []byte) error }

// SyntaxError says that a text is not JSON.
type SyntaxError struct {
	Message string
	Offset  int // of the byte that does not fit
}

// Error returns the message.
func (e *SyntaxError) Error() string { return e.Message }

// TypeError says that a value does not fit what it is decoded into.
type TypeError struct {
	Field string // with the fields it lies in, "a.b"; empty for the whole
	Value string // what is there: "string", "number 1.5", "array" …
	Want  string // what would fit
}

// Error says which field is wrong, and how.
func (e *TypeError) Error() string {
	if e.Field == "" {
		return "it is a JSON " + e.Value + ", not " + e.Want
	}
	return strconv.Quote(e.Field) + " is a JSON " + e.Value + ", not " + e.Want
}

// FieldError says that an object has a field that nothing is known of.
type FieldError struct{ Field string }

// Error names the field.
func (e *FieldError) Error() string { return "unknown field " + strconv.Quote(e.Field) }

var (
	marshalerType   = reflect.TypeFor[Marshaler]()
	unmarshalerType = reflect.TypeFor[Unmarshaler]()
)

// field is a field of a struct as it is in JSON.
type field struct {
	name      string
	index     int
	tagged    bool
	omitEmpty bool
}

// knownFields remembers fieldsOf, by type.
var knownFields sync.Map

// fieldsOf lists the fields of a struct type that are in JSON.
func fieldsOf(t reflect.Type) []field {
	if known, ok := knownFields.Load(t); ok {
		return known.([]field)
	}
	out := []field{}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		entry := field{name: name, index: i, tagged: name != "", omitEmpty: options == "omitempty"}
		if name == "" {
			entry.name = f.Name
		}
		out = append(out, entry)
	}
	knownFields.Store(t, out)
	return out
}
