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
		return &node{Kind: 't'}, nil
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
	if schema.Kind == 'f' {
		return path + ": is not allowed"
	}
	if schema.Kind != '{' {
		return ""
	}
	if ref, ok := schema.Get("$ref"); ok {
		target, ok := c.resolve(ref.Text)
		if !ok {
			return fmt.Sprintf("%s: the schema refers to %q, which is not there", path, ref.Text)
		}
		if said := c.check(target, v, path, depth+1); said != "" {
			return said
		}
	}
	if nullable, ok := schema.Get("nullable"); ok && nullable.Kind == 't' && v.Kind == 'n' {
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
		next, ok := at.Get(step)
		if n, err := strconv.Atoi(step); at.Kind == '[' && err == nil && n >= 0 && n < len(at.Items) {
			next, ok = at.Items[n], true
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
	switch v.Kind {
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
	if isWhole(v.Text) {
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
	types, ok := schema.Get("type")
	if !ok {
		return ""
	}
	wanted := []*node{types}
	if types.Kind == '[' {
		wanted = types.Items
	}
	got := kindName(v)
	var names []string
	for _, t := range wanted {
		if t.Text == got || t.Text == "number" && got == "integer" {
			return ""
		}
		names = append(names, withArticle(t.Text))
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
	if want, ok := schema.Get("const"); ok && !sameValue(want, v) {
		return path + ": is not " + compact(want)
	}
	enum, ok := schema.Get("enum")
	if !ok {
		return ""
	}
	var texts, names []string
	for _, item := range enum.Items {
		if sameValue(item, v) {
			return ""
		}
		names = append(names, compact(item))
		if item.Kind == '"' {
			texts = append(texts, item.Text)
		}
	}
	said := fmt.Sprintf("%s: %s is not one of %s", path, shorten(compact(v), 60), shorten(strings.Join(names, ", "), 400))
	if near := nearestFold(v.Text, texts); v.Kind == '"' && near != "" {
		said += fmt.Sprintf("; did you mean %q?", near)
	}
	return said
}

// sameValue reports whether two values are equal as JSON Schema has it: numbers by
// what they are, objects in any order.
func sameValue(a, b *node) bool {
	if a.Kind == '0' && b.Kind == '0' {
		x, err := strconv.ParseFloat(a.Text, 64)
		y, err2 := strconv.ParseFloat(b.Text, 64)
		return a.Text == b.Text || err == nil && err2 == nil && x == y
	}
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !sameValue(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for _, m := range a.Members {
		other, ok := b.Get(m.Key)
		if !ok || !sameValue(m.Value, other) {
			return false
		}
	}
	return a.Kind != '"' || a.Text == b.Text
}

// number returns a number that a schema names.
func number(schema *node, key string) (float64, bool) {
	n, ok := schema.Get(key)
	if !ok || n.Kind != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text, 64)
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
	switch v.Kind {
	case '"':
		return bound(float64(utf8.RuneCountInString(v.Text)), "minLength", "maxLength", "has %v characters")
	case '[':
		return bound(float64(len(v.Items)), "minItems", "maxItems", "has %v items")
	case '{':
		return bound(float64(len(v.Members)), "minProperties", "maxProperties", "has %v properties")
	case '0':
	default:
		return ""
	}
	f, err := strconv.ParseFloat(v.Text, 64)
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
		if flag, set := schema.Get(side.exclusive); set && flag.Kind == 't' {
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
	if v.Kind != '{' {
		return ""
	}
	required, _ := schema.Get("required")
	for _, name := range required.Items {
		if _, ok := v.Get(name.Text); !ok && name.Kind == '"' {
			return within(path, name.Text) + ": is missing"
		}
	}
	properties, _ := schema.Get("properties")
	more, hasMore := schema.Get("additionalProperties")
	patterns, _ := schema.Get("patternProperties")
	for _, m := range v.Members {
		at := within(path, m.Key)
		if sub, ok := properties.Get(m.Key); ok {
			if said := c.check(sub, m.Value, at, depth+1); said != "" {
				return said
			}
			continue
		}
		if !hasMore || len(patterns.Members) > 0 {
			continue
		}
		if more.Kind == 'f' {
			said := at + ": is not known"
			var names []string
			for _, p := range properties.Members {
				names = append(names, p.Key)
			}
			if near := nearestFold(m.Key, names); near != "" {
				said += "; did you mean " + near + "?"
			} else if len(names) > 0 {
				said += " (there is " + shorten(strings.Join(names, ", "), 400) + ")"
			}
			return said
		}
		if said := c.check(more, m.Value, at, depth+1); said != "" {
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
	if v.Kind != '[' {
		return ""
	}
	first, hasFirst := schema.Get("prefixItems")
	items, hasItems := schema.Get("items")
	if items.Kind == '[' { // draft 2019-09 and before
		first, hasFirst = items, true
		items, hasItems = schema.Get("additionalItems")
	}
	for i, item := range v.Items {
		at := path + "[" + strconv.Itoa(i) + "]"
		said := ""
		switch {
		case hasFirst && i < len(first.Items):
			said = c.check(first.Items[i], item, at, depth+1)
		case hasItems:
			said = c.check(items, item, at, depth+1)
		}
		if said != "" {
			return said
		}
	}
	if unique, ok := schema.Get("uniqueItems"); ok && unique.Kind == 't' {
		for i := range v.Items {
			for j := range i {
				if c.work++; c.work > maxSchemaWork {
					return path + ": the list is too long to be checked"
				}
				if sameValue(v.Items[i], v.Items[j]) {
					return fmt.Sprintf("%s[%d]: is there twice", path, i)
				}
			}
		}
	}
	return ""
}

func (c *schemaCheck) checkCombined(schema, v *node, path string, depth int) string {
	all, _ := schema.Get("allOf")
	for _, sub := range all.Items {
		if said := c.check(sub, v, path, depth+1); said != "" {
			return said
		}
	}
	for _, way := range []string{"anyOf", "oneOf"} {
		subs, ok := schema.Get(way)
		if !ok {
			continue
		}
		fits, first := 0, ""
		for _, sub := range subs.Items {
			said := c.check(sub, v, path, depth+1)
			if said == "" {
				fits++
			} else if first == "" {
				first = said
			}
		}
		if fits == 0 {
			if len(subs.Items) == 1 {
				return first
			}
			return fmt.Sprintf("%s: fits none of %d ways; of the first: %s", path, len(subs.Items), first)
		}
		if way == "oneOf" && fits > 1 {
			return fmt.Sprintf("%s: fits %d of the ways of which it may fit one", path, fits)
		}
	}
	if not, ok := schema.Get("not"); ok && c.check(not, v, path, depth+1) == "" {
		return path + ": is what it must not be"
	}
	if cond, ok := schema.Get("if"); ok {
		branch := "then"
		if c.check(cond, v, path, depth+1) != "" {
			branch = "else"
		}
		if sub, ok := schema.Get(branch); ok {
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
		ref, ok := schema.Get("$ref")
		if !ok {
			break
		}
		schema, _ = c.resolve(ref.Text)
	}
	for _, way := range []string{"anyOf", "oneOf"} {
		subs, _ := schema.Get(way)
		for _, sub := range subs.Items {
			if c.takesText(sub, depth+1) {
				return true
			}
		}
		if len(subs.Items) > 0 {
			return false
		}
	}
	return c.checkType(schema, &node{Kind: '"'}, "", 0) == ""
}

// only returns the properties of an object's schema, and the name of the one that
// a text alone can be the value of: the only one, or the only one required.
func only(n *node) (properties *node, name string) {
	properties, _ = n.Get("properties")
	required, _ := n.Get("required")
	switch {
	case len(required.Items) == 1:
		name = required.Items[0].Text
	case len(required.Items) == 0 && len(properties.Members) == 1:
		name = properties.Members[0].Key
	}
	if _, ok := properties.Get(name); !ok {
		name = ""
	}
	return properties, name
}

// knows reports whether a value is an object whose members are all among the
// properties.
func knows(n, v *node) bool {
	for _, m := range v.Members {
		if _, ok := n.Get(m.Key); !ok {
			return false
		}
	}
	return v.Kind == '{' && len(v.Members) > 0
}

// exampleOf shows an object with these properties.
func exampleOf(n *node) string {
	parts := make([]string, len(n.Members))
	for i, m := range n.Members {
		parts[i] = strconv.Quote(m.Key) + ": …"
	}
	return "{" + shorten(strings.Join(parts, ", "), 400) + "}"
}

// compact returns a value as JSON, compact, members in their order.
func compact(n *node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n *node) {
	switch n.Kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoted(m.Key) + ":")
			write(b, m.Value)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	case '"':
		b.WriteString(quoted(n.Text))
	case 0:
		b.WriteString("null")
	default:
		b.WriteString(n.Text)
	}
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	out, _ := json.Marshal(text) // a string always has one
	return string(out)
}
