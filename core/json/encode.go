package json

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"unicode/utf8"
)

// Marshal returns the JSON of a value. The error quotes a type that cannot be encoded.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// Append appends the JSON of v to b.
func Append(b []byte, v any) ([]byte, error) { return appendValue(b, reflect.ValueOf(v)) }

func appendValue(b []byte, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return append(b, "null"...), nil
	}
	// NumMethod is much faster than Implements, and most types have no methods. The value
	// of an interface is checked when appendValue is called for its element.
	if t := v.Type(); t.NumMethod() > 0 && t.Kind() != reflect.Interface && t.Implements(marshalerType) && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		text, err := v.Interface().(Marshaler).MarshalJSON()
		return append(b, text...), err
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.Float64:
		return appendFloat(b, v.Float())
	case reflect.String:
		return appendString(b, v.String()), nil
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return appendValue(b, v.Elem())
	case reflect.Slice:
		return appendSlice(b, v)
	case reflect.Map:
		return appendMap(b, v)
	case reflect.Struct:
		return appendStruct(b, v)
	}
	return b, fmt.Errorf("a value of type %s has no JSON", v.Type())
}

func appendSlice(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	var err error
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, v.Index(i)); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// appendMap writes an object with sorted keys.
func appendMap(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	b = append(b, '{')
	var err error
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, key.String()), ':')
		if b, err = appendValue(b, v.MapIndex(key)); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

func appendStruct(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '{')
	first := true
	var err error
	for _, f := range fieldsOf(v.Type()) {
		value := v.Field(f.index)
		if f.omitEmpty && empty(value) || f.omitZero && zero(value) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, f.name), ':')
		if b, err = appendValue(b, value); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// zero reports whether omitzero omits a value: by the method IsZero, if its type has
// one.
func zero(v reflect.Value) bool {
	t := v.Type()
	if v.IsZero() {
		if kind := v.Kind(); kind == reflect.Pointer || kind == reflect.Interface {
			return true // and no receiver for IsZero
		}
	}
	if !t.Implements(zeroerType) {
		if !reflect.PointerTo(t).Implements(zeroerType) {
			return v.IsZero()
		}
		pointer := reflect.New(t)
		pointer.Elem().Set(v)
		v = pointer
	}
	return v.Interface().(zeroer).IsZero()
}

// appendFloat writes a number in the form of ECMAScript's Number::toString.
func appendFloat(b []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return b, fmt.Errorf("%v has no JSON", f)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, 64)
	if n := len(b); format == 'e' && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1] // e-09 becomes e-9
		b = b[:n-1]
	}
	return b, nil
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); !(r == utf8.RuneError && size == 1) && r != '\u2028' && r != '\u2029' {
				i += size
				continue
			}
		}
		b = append(b, s[start:i]...)
		i += size
		start = i
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\b':
			b = append(b, '\\', 'b')
		case c == '\f':
			b = append(b, '\\', 'f')
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		default: // a control character, a JavaScript line separator or invalid UTF-8
			b = append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		}
	}
	return append(append(b, s[start:]...), '"')
}
