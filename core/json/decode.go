package json

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is the maximum nesting depth, which bounds the recursion: browsers have room for
// some thousand calls of WebAssembly.
const MaxDepth = 1_000

const tooDeep = "the JSON is nested too deeply"

// Unmarshal decodes a value into the value that v points to. Unknown fields are
// ignored, and null leaves a value unchanged or sets it to nil. The error is a
// [SyntaxError], a [TypeError] or the error of an [Unmarshaler].
func Unmarshal(text []byte, v any) error { return unmarshal(text, v, false) }

// UnmarshalStrict is Unmarshal, except that an unknown field is a [FieldError].
func UnmarshalStrict(text []byte, v any) error { return unmarshal(text, v, true) }

func unmarshal(text []byte, v any, strict bool) error {
	// The syntax is checked first, so invalid JSON changes nothing and value need not check
	// it again.
	d := &decoder{text: string(text), strict: strict}
	if err := d.skip(0); err != nil {
		return err
	}
	if d.space(); d.at < len(text) {
		return d.fault("after the value")
	}
	d.at = 0
	return d.value(reflect.ValueOf(v).Elem(), "")
}

type decoder struct {
	text   string
	at     int
	strict bool
}

func (d *decoder) fault(where string) error {
	if d.at >= len(d.text) {
		return &SyntaxError{"unexpected end of JSON input", d.at}
	}
	r, _ := utf8.DecodeRuneInString(d.text[d.at:])
	return &SyntaxError{"invalid character " + strconv.QuoteRune(r) + " " + where, d.at}
}

func (d *decoder) space() {
	for d.at < len(d.text) && (d.text[d.at] == ' ' || d.text[d.at] == '\n' || d.text[d.at] == '\t' || d.text[d.at] == '\r') {
		d.at++
	}
}

// peek skips space and returns the next byte, 0 at the end.
func (d *decoder) peek() byte {
	if d.space(); d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

// skip checks a value and moves past it.
func (d *decoder) skip(depth int) error {
	if depth > MaxDepth {
		return &SyntaxError{tooDeep, d.at}
	}
	switch c := d.peek(); {
	case c == '{' || c == '[':
		return d.skipList(c, depth)
	case c == '"':
		return d.skipString()
	case c == '-' || c >= '0' && c <= '9':
		return d.skipNumber()
	}
	for _, word := range []string{"true", "false", "null"} {
		if d.at < len(d.text) && d.text[d.at] == word[0] {
			for i := range len(word) {
				if d.at >= len(d.text) || d.text[d.at] != word[i] {
					return d.fault("in " + word)
				}
				d.at++
			}
			return nil
		}
	}
	return d.fault("looking for the beginning of a value")
}

// skipList checks an object or an array.
func (d *decoder) skipList(open byte, depth int) error {
	shut := open + 2 // in ASCII, } is two after { and ] two after [
	d.at++
	if d.peek() == shut {
		d.at++
		return nil
	}
	for {
		if open == '{' {
			if d.peek() != '"' {
				return d.fault("looking for the beginning of a field's name")
			}
			if err := d.skipString(); err != nil {
				return err
			}
			if d.peek() != ':' {
				return d.fault("after a field's name")
			}
			d.at++
		}
		if err := d.skip(depth + 1); err != nil {
			return err
		}
		switch d.peek() {
		case ',':
			d.at++
		case shut:
			d.at++
			return nil
		default:
			return d.fault("after a value in a list")
		}
	}
}

func (d *decoder) skipString() error {
	_, _, err := d.quoted()
	return err
}

// plain has the characters of strings that are neither quotes, escapes nor control characters, and
// are ASCII.
var plain = func() (out [256]bool) {
	for c := range utf8.RuneSelf {
		out[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return out
}()

// quoted checks a string, moves past it and returns the text between its quotes. exact reports that
// this is the decoded string, because it has no escape and is valid UTF-8.
func (d *decoder) quoted() (body string, exact bool, err error) {
	exact = true
	wide := false
	start := d.at + 1
	for d.at = start; d.at < len(d.text); d.at++ {
		c := d.text[d.at]
		if plain[c] {
			continue
		}
		switch {
		case c == '"':
			body = d.text[start:d.at]
			d.at++
			return body, exact && (!wide || utf8.ValidString(body)), nil
		case c < ' ':
			return "", false, d.fault("in a string")
		case c == '\\':
			exact = false
			if err := d.skipEscape(); err != nil {
				return "", false, err
			}
		default:
			wide = true
		}
	}
	return "", false, d.fault("in a string")
}

// skipEscape checks an escape sequence and stops at its last byte.
func (d *decoder) skipEscape() error {
	d.at++
	if d.at >= len(d.text) {
		return d.fault("in an escape")
	}
	if strings.IndexByte(`"\/bfnrt`, d.text[d.at]) >= 0 {
		return nil
	}
	if d.text[d.at] != 'u' {
		return d.fault("in an escape")
	}
	for range 4 {
		d.at++
		if d.at >= len(d.text) || !isHex(d.text[d.at]) {
			return d.fault("in an escape")
		}
	}
	return nil
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (d *decoder) skipNumber() error {
	digits := func() bool {
		start := d.at
		for d.at < len(d.text) && d.text[d.at] >= '0' && d.text[d.at] <= '9' {
			d.at++
		}
		return d.at > start
	}
	is := func(set string) bool { return d.at < len(d.text) && strings.IndexByte(set, d.text[d.at]) >= 0 }
	if is("-") {
		d.at++
	}
	if is("0") {
		d.at++
	} else if !digits() {
		return d.fault("in a number")
	}
	if is(".") {
		d.at++
		if !digits() {
			return d.fault("after the point of a number")
		}
	}
	if is("eE") {
		d.at++
		if is("+-") {
			d.at++
		}
		if !digits() {
			return d.fault("in the exponent of a number")
		}
	}
	return nil
}

// raw moves past a checked value and returns its text.
func (d *decoder) raw() string {
	d.space()
	start := d.at
	_ = d.skip(0) // cannot fail: the syntax was checked
	return d.text[start:d.at]
}

// value decodes a checked value into v; errors quote its path.
func (d *decoder) value(v reflect.Value, path string) error {
	if v.CanAddr() && v.Addr().Type().Implements(unmarshalerType) {
		text := d.raw()
		if text == "null" && v.Kind() != reflect.Slice {
			return nil
		}
		return v.Addr().Interface().(Unmarshaler).UnmarshalJSON([]byte(text))
	}
	c := d.peek()
	if c == 'n' {
		d.raw()
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
			v.SetZero()
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.value(v.Elem(), path)
	case reflect.Struct:
		return d.object(v, path)
	case reflect.Slice:
		return d.array(v, path)
	case reflect.Map:
		return d.dictionary(v, path)
	case reflect.String:
		if c == '"' {
			v.SetString(d.unquote())
			return nil
		}
		return d.misfit(path, "a string")
	case reflect.Bool:
		if c == 't' || c == 'f' {
			v.SetBool(c == 't')
			d.raw()
			return nil
		}
		return d.misfit(path, "true or false")
	}
	return d.number(v, c, path)
}

// misfit returns a TypeError for the next value.
func (d *decoder) misfit(path, want string) error {
	kind := map[byte]string{'"': "string", '{': "object", '[': "array", 't': "bool", 'f': "bool"}[d.peek()]
	text := d.raw()
	if kind == "" {
		kind = "number " + text
	}
	return &TypeError{path, kind, want}
}

func (d *decoder) number(v reflect.Value, c byte, path string) error {
	if c != '-' && (c < '0' || c > '9') {
		return d.misfit(path, "a number")
	}
	start := d.at
	text := d.raw()
	var err error
	switch v.Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		var n int64
		if n, err = strconv.ParseInt(text, 10, v.Type().Bits()); err == nil {
			v.SetInt(n)
		}
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		var n uint64
		if n, err = strconv.ParseUint(text, 10, v.Type().Bits()); err == nil {
			v.SetUint(n)
		}
	case reflect.Float64:
		var f float64
		if f, err = strconv.ParseFloat(text, 64); err == nil {
			v.SetFloat(f)
		}
	default:
		return fmt.Errorf("a value of type %s cannot be decoded", v.Type())
	}
	if err != nil {
		d.at = start
		return d.misfit(path, "a whole number in range")
	}
	return nil
}

// unquote decodes a string. The result shares the memory of the text only if it is most of it.
func (d *decoder) unquote() string {
	d.space()
	body, exact, _ := d.quoted() // cannot fail: the syntax was checked
	switch {
	case !exact:
		return unescape(body)
	case len(body) < len(d.text)/2:
		return strings.Clone(body)
	}
	return body
}

// unescape decodes the text between the quotes of a string.
func unescape(body string) string {
	var b strings.Builder
	b.Grow(len(body))
	for i := 0; ; {
		end := strings.IndexByte(body[i:], '\\')
		if end < 0 {
			end = len(body) - i
		}
		if part := body[i : i+end]; utf8.ValidString(part) {
			b.WriteString(part)
		} else {
			for _, r := range part { // U+FFFD for invalid UTF-8
				b.WriteRune(r)
			}
		}
		if i += end; i == len(body) {
			return b.String()
		}
		if body[i+1] != 'u' {
			c := body[i+1]
			if at := strings.IndexByte("bfnrt", c); at >= 0 {
				c = "\b\f\n\r\t"[at]
			}
			b.WriteByte(c)
			i += 2
			continue
		}
		r := escaped(body[i:])
		i += 6
		if utf16.IsSurrogate(r) {
			if pair := utf16.DecodeRune(r, escaped(body[i:])); pair != utf8.RuneError {
				r = pair
				i += 6
			} else {
				r = utf8.RuneError
			}
		}
		b.WriteRune(r)
	}
}

// escaped returns the rune of a \u escape at the start of a text, or 0.
func escaped(text string) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	n, _ := strconv.ParseUint(text[2:6], 16, 16) // cannot fail: the syntax was checked
	return rune(n)
}

// each calls f at every element of an array or object; in an object, f is called after the name was read.
func (d *decoder) each(open byte, f func(name string) error) error {
	shut := open + 2
	d.space()
	for d.at++; d.peek() != shut; {
		name := ""
		if open == '{' {
			name = d.unquote()
			d.peek()
			d.at++ // the colon
		}
		if err := f(name); err != nil {
			return err
		}
		if d.peek() == ',' {
			d.at++
		}
	}
	d.at++
	return nil
}

func (d *decoder) array(v reflect.Value, path string) error {
	if d.peek() != '[' {
		return d.misfit(path, "an array")
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return d.each('[', func(string) error {
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		return d.value(v.Index(v.Len()-1), path)
	})
}

func (d *decoder) dictionary(v reflect.Value, path string) error {
	if d.peek() != '{' {
		return d.misfit(path, "an object")
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	return d.each('{', func(name string) error {
		value := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(value, within(path, name)); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), value)
		return nil
	})
}

func (d *decoder) object(v reflect.Value, path string) error {
	if d.peek() != '{' {
		return d.misfit(path, "an object")
	}
	fields := fieldsOf(v.Type())
	return d.each('{', func(name string) error {
		for _, f := range fields {
			if f.name == name || !f.tagged && strings.EqualFold(f.name, name) {
				return d.value(v.Field(f.index), within(path, name))
			}
		}
		if d.strict {
			return &FieldError{within(path, name)}
		}
		d.raw()
		return nil
	})
}

func within(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
