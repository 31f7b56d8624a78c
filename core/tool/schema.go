package tool

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
)

// Validate checks a value against a JSON Schema. The error is a [*CallFault] that
// names the place and what is wrong there: "arguments.q: is missing".
//
// It is what schemas of arguments are written in (draft 2020-12 and its elders,
// and OpenAPI 3.0's nullable): type, properties, required, additionalProperties,
// items,
// prefixItems, enum, const, the bounds of numbers, texts, lists and objects,
// multipleOf, uniqueItems, allOf, anyOf, oneOf, not, if/then/else, and references
// within the schema. Patterns and formats are left to the server that wrote them:
// the core has no regular expressions of that dialect. Where a schema has
// patternProperties, any further property is taken for one of theirs.
func Validate(schema, value json.RawMessage) error {
	root, err := readSchema(schema)
	if err != nil {
		return err
	}
	tree, fault := readTree(string(value), "")
	if fault != nil {
		return faultf(CodeArguments, "arguments: are no JSON: %s", fault.Message)
	}
	c := &schemaCheck{root: root}
	if said := c.check(root, tree, "arguments", 0); said != "" {
		return &CallFault{Code: CodeArguments, Message: said}
	}
	return nil
}

// readSchema reads a schema; none allows everything.
func readSchema(schema json.RawMessage) (*node, error) {
	if len(schema) == 0 {
		return &node{kind: 't'}, nil
	}
	tree, fault := readTree(string(schema), "")
	if fault != nil {
		return absent, faultf(CodeProtocol, "the tool's schema is no JSON: %s", fault.Message)
	}
	return tree, nil
}

// Bounds of the work that a schema may make: its parts may name one another so
// that one check becomes exponentially many.
const (
	maxSchemaDepth = 64
	maxSchemaWork  = 50_000
)

// schemaCheck is one validation.
type schemaCheck struct {
	root *node
	work int
}

// check says what is wrong with a value, or "".
func (c *schemaCheck) check(schema, v *node, path string, depth int) string {
	c.work++
	if depth > maxSchemaDepth || c.work > maxSchemaWork {
		return path + ": the schema is too involved to be checked"
	}
	if schema.kind == 'f' {
		return path + ": is not allowed"
	}
	if schema.kind != '{' {
		return ""
	}
	if ref, ok := schema.get("$ref"); ok {
		target, ok := c.resolve(ref.text)
		if !ok {
			return fmt.Sprintf("%s: the schema refers to %q, which is not there", path, ref.text)
		}
		if said := c.check(target, v, path, depth+1); said != "" {
			return said
		}
	}
	if nullable, ok := schema.get("nullable"); ok && nullable.kind == 't' && v.kind == 'n' {
		return ""
	}
	for _, rule := range []func(schema, v *node, path string, depth int) string{
		c.checkType, c.checkEnum, c.checkBounds, c.checkObject, c.checkList, c.checkCombined,
	} {
		if said := rule(schema, v, path, depth); said != "" {
			return said
		}
	}
	return ""
}

// resolve follows "#/a/b" (RFC 6901).
func (c *schemaCheck) resolve(ref string) (*node, bool) { return pointer(c.root, ref) }

func pointer(at *node, ref string) (*node, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return absent, false
	}
	if path == "" {
		return at, true
	}
	if path[0] != '/' {
		return absent, false
	}
	for _, step := range strings.Split(path[1:], "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(percentDecoded(step), "~1", "/"), "~0", "~")
		next, ok := at.get(step)
		if n, err := strconv.Atoi(step); at.kind == '[' && err == nil && n >= 0 && n < len(at.items) {
			next, ok = at.items[n], true
		}
		if !ok {
			return absent, false
		}
		at = next
	}
	return at, true
}

// kindName returns the name of a value's type.
func kindName(v *node) string {
	switch v.kind {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	}
	if isWhole(v.text) {
		return "integer"
	}
	return "number"
}

// isWhole reports whether a JSON number is a whole one: 2, 2.0, 2e3.
func isWhole(text string) bool {
	if !strings.ContainsAny(text, ".eE") {
		return true
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f == math.Trunc(f)
}

func (c *schemaCheck) checkType(schema, v *node, path string, _ int) string {
	types, ok := schema.get("type")
	if !ok {
		return ""
	}
	wanted := []*node{types}
	if types.kind == '[' {
		wanted = types.items
	}
	got := kindName(v)
	var names []string
	for _, t := range wanted {
		if t.text == got || t.text == "number" && got == "integer" {
			return ""
		}
		names = append(names, withArticle(t.text))
	}
	return fmt.Sprintf("%s: is %s, not %s", path, withArticle(got), strings.Join(names, " or "))
}

func withArticle(name string) string {
	if name == "null" {
		return name
	}
	return list([]string{name})
}

func (c *schemaCheck) checkEnum(schema, v *node, path string, _ int) string {
	if want, ok := schema.get("const"); ok && !sameValue(want, v) {
		return path + ": is not " + compact(want)
	}
	enum, ok := schema.get("enum")
	if !ok {
		return ""
	}
	var texts, names []string
	for _, item := range enum.items {
		if sameValue(item, v) {
			return ""
		}
		names = append(names, compact(item))
		if item.kind == '"' {
			texts = append(texts, item.text)
		}
	}
	said := fmt.Sprintf("%s: %s is not one of %s", path, shorten(compact(v), 60), shorten(strings.Join(names, ", "), 400))
	if near := nearestFold(v.text, texts); v.kind == '"' && near != "" {
		said += fmt.Sprintf("; did you mean %q?", near)
	}
	return said
}

// sameValue reports whether two values are equal as JSON Schema has it: numbers by
// what they are, objects in any order.
func sameValue(a, b *node) bool {
	if a.kind == '0' && b.kind == '0' {
		x, err := strconv.ParseFloat(a.text, 64)
		y, err2 := strconv.ParseFloat(b.text, 64)
		return a.text == b.text || err == nil && err2 == nil && x == y
	}
	if a.kind != b.kind || len(a.items) != len(b.items) || len(a.members) != len(b.members) {
		return false
	}
	for i := range a.items {
		if !sameValue(a.items[i], b.items[i]) {
			return false
		}
	}
	for _, m := range a.members {
		other, ok := b.get(m.key)
		if !ok || !sameValue(m.value, other) {
			return false
		}
	}
	return a.kind != '"' || a.text == b.text
}

// number returns a number that a schema names.
func number(schema *node, key string) (float64, bool) {
	n, ok := schema.get(key)
	if !ok || n.kind != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.text, 64)
	return f, err == nil
}

// checkBounds checks how great a number is, and how long a text, a list or an
// object.
func (c *schemaCheck) checkBounds(schema, v *node, path string, _ int) string {
	bound := func(have float64, least, most, unit string) string {
		if n, ok := number(schema, least); ok && have < n {
			return fmt.Sprintf("%s: %s, but at least %v is wanted", path, fmt.Sprintf(unit, have), n)
		}
		if n, ok := number(schema, most); ok && have > n {
			return fmt.Sprintf("%s: %s, but at most %v is wanted", path, fmt.Sprintf(unit, have), n)
		}
		return ""
	}
	switch v.kind {
	case '"':
		return bound(float64(utf8.RuneCountInString(v.text)), "minLength", "maxLength", "has %v characters")
	case '[':
		return bound(float64(len(v.items)), "minItems", "maxItems", "has %v items")
	case '{':
		return bound(float64(len(v.members)), "minProperties", "maxProperties", "has %v properties")
	case '0':
	default:
		return ""
	}
	f, err := strconv.ParseFloat(v.text, 64)
	if err != nil {
		return path + ": the number is out of range"
	}
	if said := bound(f, "minimum", "maximum", "is %v"); said != "" {
		return said
	}
	// In draft 4 and OpenAPI 3.0 exclusiveMinimum is a flag beside minimum.
	for _, side := range []struct {
		exclusive, inclusive, word string
		beyond                     func(limit float64) bool
	}{
		{"exclusiveMinimum", "minimum", "more", func(n float64) bool { return f <= n }},
		{"exclusiveMaximum", "maximum", "less", func(n float64) bool { return f >= n }},
	} {
		limit, ok := number(schema, side.exclusive)
		if flag, set := schema.get(side.exclusive); set && flag.kind == 't' {
			limit, ok = number(schema, side.inclusive)
		}
		if ok && side.beyond(limit) {
			return fmt.Sprintf("%s: is %v, but %s than %v is wanted", path, f, side.word, limit)
		}
	}
	if step, ok := number(schema, "multipleOf"); ok && step > 0 {
		if q := f / step; math.Abs(q-math.Round(q)) > 1e-9*math.Max(1, math.Abs(q)) {
			return fmt.Sprintf("%s: is %v, which is no multiple of %v", path, f, step)
		}
	}
	return ""
}

func (c *schemaCheck) checkObject(schema, v *node, path string, depth int) string {
	if v.kind != '{' {
		return ""
	}
	required, _ := schema.get("required")
	for _, name := range required.items {
		if _, ok := v.get(name.text); !ok && name.kind == '"' {
			return within(path, name.text) + ": is missing"
		}
	}
	properties, _ := schema.get("properties")
	more, hasMore := schema.get("additionalProperties")
	patterns, _ := schema.get("patternProperties")
	for _, m := range v.members {
		at := within(path, m.key)
		if sub, ok := properties.get(m.key); ok {
			if said := c.check(sub, m.value, at, depth+1); said != "" {
				return said
			}
			continue
		}
		if !hasMore || len(patterns.members) > 0 {
			continue
		}
		if more.kind == 'f' {
			said := at + ": is not known"
			var names []string
			for _, p := range properties.members {
				names = append(names, p.key)
			}
			if near := nearestFold(m.key, names); near != "" {
				said += "; did you mean " + near + "?"
			} else if len(names) > 0 {
				said += " (there is " + shorten(strings.Join(names, ", "), 400) + ")"
			}
			return said
		}
		if said := c.check(more, m.value, at, depth+1); said != "" {
			return said
		}
	}
	return ""
}

// within names a property: a plain word after a point, anything else in brackets.
func within(path, key string) string {
	for i := 0; i < len(key); i++ {
		if c := key[i]; c != '_' && !isWord(c) || c == '.' || c == '+' {
			return path + "[" + strconv.Quote(shorten(key, 60)) + "]"
		}
	}
	if key == "" {
		return path + `[""]`
	}
	return path + "." + key
}

func (c *schemaCheck) checkList(schema, v *node, path string, depth int) string {
	if v.kind != '[' {
		return ""
	}
	first, hasFirst := schema.get("prefixItems")
	items, hasItems := schema.get("items")
	if items.kind == '[' { // draft 2019-09 and before
		first, hasFirst = items, true
		items, hasItems = schema.get("additionalItems")
	}
	for i, item := range v.items {
		at := path + "[" + strconv.Itoa(i) + "]"
		said := ""
		switch {
		case hasFirst && i < len(first.items):
			said = c.check(first.items[i], item, at, depth+1)
		case hasItems:
			said = c.check(items, item, at, depth+1)
		}
		if said != "" {
			return said
		}
	}
	if unique, ok := schema.get("uniqueItems"); ok && unique.kind == 't' {
		for i := range v.items {
			for j := range i {
				if c.work++; c.work > maxSchemaWork {
					return path + ": the list is too long to be checked"
				}
				if sameValue(v.items[i], v.items[j]) {
					return fmt.Sprintf("%s[%d]: is there twice", path, i)
				}
			}
		}
	}
	return ""
}

func (c *schemaCheck) checkCombined(schema, v *node, path string, depth int) string {
	all, _ := schema.get("allOf")
	for _, sub := range all.items {
		if said := c.check(sub, v, path, depth+1); said != "" {
			return said
		}
	}
	for _, way := range []string{"anyOf", "oneOf"} {
		subs, ok := schema.get(way)
		if !ok {
			continue
		}
		fits, first := 0, ""
		for _, sub := range subs.items {
			said := c.check(sub, v, path, depth+1)
			if said == "" {
				fits++
			} else if first == "" {
				first = said
			}
		}
		if fits == 0 {
			if len(subs.items) == 1 {
				return first
			}
			return fmt.Sprintf("%s: fits none of %d ways; of the first: %s", path, len(subs.items), first)
		}
		if way == "oneOf" && fits > 1 {
			return fmt.Sprintf("%s: fits %d of the ways of which it may fit one", path, fits)
		}
	}
	if not, ok := schema.get("not"); ok && c.check(not, v, path, depth+1) == "" {
		return path + ": is what it must not be"
	}
	if cond, ok := schema.get("if"); ok {
		branch := "then"
		if c.check(cond, v, path, depth+1) != "" {
			branch = "else"
		}
		if sub, ok := schema.get(branch); ok {
			return c.check(sub, v, path, depth+1)
		}
	}
	return ""
}

// takesText reports whether a string fits a schema's type.
func (c *schemaCheck) takesText(schema *node, depth int) bool {
	if c.work++; depth > maxSchemaDepth || c.work > maxSchemaWork {
		return false
	}
	for range maxSchemaDepth {
		ref, ok := schema.get("$ref")
		if !ok {
			break
		}
		schema, _ = c.resolve(ref.text)
	}
	for _, way := range []string{"anyOf", "oneOf"} {
		subs, _ := schema.get(way)
		for _, sub := range subs.items {
			if c.takesText(sub, depth+1) {
				return true
			}
		}
		if len(subs.items) > 0 {
			return false
		}
	}
	return c.checkType(schema, &node{kind: '"'}, "", 0) == ""
}

// only returns the properties of an object's schema, and the name of the one that
// a text alone can be the value of: the only one, or the only one required.
func (n *node) only() (properties *node, name string) {
	properties, _ = n.get("properties")
	required, _ := n.get("required")
	switch {
	case len(required.items) == 1:
		name = required.items[0].text
	case len(required.items) == 0 && len(properties.members) == 1:
		name = properties.members[0].key
	}
	if _, ok := properties.get(name); !ok {
		name = ""
	}
	return properties, name
}

// knows reports whether a value is an object whose members are all among the
// properties.
func (n *node) knows(v *node) bool {
	for _, m := range v.members {
		if _, ok := n.get(m.key); !ok {
			return false
		}
	}
	return v.kind == '{' && len(v.members) > 0
}

// example shows an object with these properties.
func (n *node) example() string {
	parts := make([]string, len(n.members))
	for i, m := range n.members {
		parts[i] = strconv.Quote(m.key) + ": …"
	}
	return "{" + shorten(strings.Join(parts, ", "), 400) + "}"
}

// compact returns a value as JSON, compact, members in their order.
func compact(n *node) string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoted(m.key) + ":")
			m.value.write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case '"':
		b.WriteString(quoted(n.text))
	case 0:
		b.WriteString("null")
	default:
		b.WriteString(n.text)
	}
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	out, _ := json.Marshal(text) // a string always has one
	return string(out)
}
