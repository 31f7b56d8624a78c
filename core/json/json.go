// Package json encodes and decodes the core's types as encoding/json does. It exists
// because encoding/json would add about 47 KB (brotli) to the module that a page has
// to load before it can do anything.
//
// The differences: HTML is not escaped; a field with a name in its tag matches only
// that exact name; arrays, embedded structs, text marshalers, map keys other than
// strings, values of type any and the tag option "string" are not supported. The tests
// compare the two packages.
package json

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// RawMessage is an encoded JSON value.
type RawMessage []byte

// MarshalJSON returns the value, or null for a nil message.
func (m RawMessage) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return m, nil
}

// UnmarshalJSON stores a copy of text.
func (m *RawMessage) UnmarshalJSON(text []byte) error {
	*m = append((*m)[:0], text...)
	return nil
}

// Marshaler is implemented by types that encode themselves.
type Marshaler interface{ MarshalJSON() ([]byte, error) }

// Unmarshaler is implemented by types that decode themselves. The text is one valid
// JSON value.
type Unmarshaler interface{ UnmarshalJSON(text []byte) error }

// SyntaxError reports text that is not valid JSON.
type SyntaxError struct {
	Message string
	Offset  int // of the unexpected byte
}

// Error returns the message.
func (e *SyntaxError) Error() string { return e.Message }

// TypeError reports a JSON value that cannot be stored in the Go type.
type TypeError struct {
	Field string // path of the field, "a.b"; empty for the outermost value
	Value string // the unexpected value: "string", "number 1.5", "array" …
	Want  string // the expected type
}

// Error returns the field with its unexpected value and the expected type.
func (e *TypeError) Error() string {
	if e.Field == "" {
		return "it is a JSON " + e.Value + ", not " + e.Want
	}
	return strconv.Quote(e.Field) + " is a JSON " + e.Value + ", not " + e.Want
}

// FieldError reports an unknown field in strict decoding.
type FieldError struct{ Field string }

// Error returns a message that quotes the field.
func (e *FieldError) Error() string { return "unknown field " + strconv.Quote(e.Field) }

// zeroer is implemented by types that define their own zero values for omitzero.
type zeroer interface{ IsZero() bool }

var (
	zeroerType      = reflect.TypeFor[zeroer]()
	marshalerType   = reflect.TypeFor[Marshaler]()
	unmarshalerType = reflect.TypeFor[Unmarshaler]()
)

// field describes the encoding of a struct field.
type field struct {
	name      string
	index     int
	tagged    bool // the tag has a name, which must match exactly
	omitEmpty bool
	omitZero  bool
}

// knownFields caches the results of fieldsOf by type.
var knownFields sync.Map

// fieldsOf returns the encoded fields of a struct type.
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
		entry := field{name: name, index: i, tagged: name != ""}
		for option := range strings.SplitSeq(options, ",") {
			entry.omitEmpty = entry.omitEmpty || option == "omitempty"
			entry.omitZero = entry.omitZero || option == "omitzero"
		}
		if name == "" {
			entry.name = f.Name
		}
		out = append(out, entry)
	}
	knownFields.Store(t, out)
	return out
}
