package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// kindName returns a value's type as JSON Schema names it.
func kindName(v *json.Node) string {
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
	if isInteger(v.Text) {
		return "integer"
	}
	return "number"
}

// isInteger reports whether a JSON number is an integer: 2, 2.0, 2e3.
func isInteger(text string) bool {
	if !strings.ContainsAny(text, ".eE") {
		return true
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f == math.Trunc(f)
}

func (c *check) checkType(schema, v *json.Node, path string, _ int) string {
	types, ok := schema.Get("type")
	if !ok {
		return ""
	}
	wanted := []*json.Node{types}
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
	return phrase.List([]string{name})
}

func (c *check) checkEnum(schema, v *json.Node, path string, _ int) string {
	if want, ok := schema.Get("const"); ok && !sameValue(want, v) {
		return path + ": is not " + jsonfile.Compact(want)
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
		names = append(names, jsonfile.Compact(item))
		if item.Kind == '"' {
			texts = append(texts, item.Text)
		}
	}
	fault := fmt.Sprintf("%s: %s is not one of %s", path, phrase.Shorten(jsonfile.Compact(v), 60), phrase.Shorten(strings.Join(names, ", "), 400))
	if near := phrase.Nearest(v.Text, texts); v.Kind == '"' && near != "" {
		fault += fmt.Sprintf("; did you mean %q?", near)
	}
	return fault
}

// sameValue reports whether two values are equal by the rules of JSON Schema: 1 equals
// 1.0, and the order of members does not matter.
func sameValue(a, b *json.Node) bool {
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

// number returns a numeric keyword of a schema.
func number(schema *json.Node, key string) (float64, bool) {
	n, ok := schema.Get(key)
	if !ok || n.Kind != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	return f, err == nil
}

// checkBounds checks the range of a number and the length of a string, list or object.
func (c *check) checkBounds(schema, v *json.Node, path string, _ int) string {
	bound := func(have float64, least, most, one, other string) string {
		unit := other
		if have == 1 {
			unit = one
		}
		if n, ok := number(schema, least); ok && have < n {
			return fmt.Sprintf("%s: %s, expected at least %v", path, fmt.Sprintf(unit, have), n)
		}
		if n, ok := number(schema, most); ok && have > n {
			return fmt.Sprintf("%s: %s, expected at most %v", path, fmt.Sprintf(unit, have), n)
		}
		return ""
	}
	switch v.Kind {
	case '"':
		return bound(float64(utf8.RuneCountInString(v.Text)), "minLength", "maxLength", "has %v character", "has %v characters")
	case '[':
		return bound(float64(len(v.Items)), "minItems", "maxItems", "has %v item", "has %v items")
	case '{':
		return bound(float64(len(v.Members)), "minProperties", "maxProperties", "has %v property", "has %v properties")
	case '0':
	default:
		return ""
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		return path + ": the number is out of range"
	}
	if fault := bound(f, "minimum", "maximum", "is %v", "is %v"); fault != "" {
		return fault
	}
	// In draft 4 and OpenAPI 3.0 exclusiveMinimum is a flag next to minimum.
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
			return fmt.Sprintf("%s: is %v, expected %s than %v", path, f, side.word, limit)
		}
	}
	if step, ok := number(schema, "multipleOf"); ok && step > 0 {
		if q := f / step; math.Abs(q-math.Round(q)) > 1e-9*math.Max(1, math.Abs(q)) {
			return fmt.Sprintf("%s: is %v, not a multiple of %v", path, f, step)
		}
	}
	return ""
}

func (c *check) checkObject(schema, v *json.Node, path string, depth int) string {
	if v.Kind != '{' {
		return ""
	}
	required, _ := schema.Get("required")
	for _, name := range required.Items {
		if _, ok := v.Get(name.Text); !ok && name.Kind == '"' {
			return Within(path, name.Text) + ": is missing"
		}
	}
	properties, _ := schema.Get("properties")
	more, hasMore := schema.Get("additionalProperties")
	patterns, _ := schema.Get("patternProperties")
	for _, m := range v.Members {
		at := Within(path, m.Key)
		if sub, ok := properties.Get(m.Key); ok {
			if fault := c.check(sub, m.Value, at, depth+1); fault != "" {
				return fault
			}
			continue
		}
		if !hasMore || len(patterns.Members) > 0 {
			continue
		}
		if more.Kind == 'f' {
			fault := at + ": is unknown"
			var names []string
			for _, p := range properties.Members {
				names = append(names, p.Key)
			}
			if near := phrase.Nearest(m.Key, names); near != "" {
				fault += "; did you mean " + near + "?"
			} else if len(names) > 0 {
				fault += " (expected " + phrase.Shorten(strings.Join(names, ", "), 400) + ")"
			}
			return fault
		}
		if fault := c.check(more, m.Value, at, depth+1); fault != "" {
			return fault
		}
	}
	return ""
}

// Within returns the path of a property: .name for a plain name, else ["name"].
func Within(path, key string) string {
	for i := 0; i < len(key); i++ {
		if c := key[i]; c != '_' && !jsonfile.IsWord(c) || c == '.' || c == '+' {
			return path + "[" + strconv.Quote(phrase.Shorten(key, 60)) + "]"
		}
	}
	if key == "" {
		return path + `[""]`
	}
	return path + "." + key
}

func (c *check) checkList(schema, v *json.Node, path string, depth int) string {
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
		fault := ""
		switch {
		case hasFirst && i < len(first.Items):
			fault = c.check(first.Items[i], item, at, depth+1)
		case hasItems:
			fault = c.check(items, item, at, depth+1)
		}
		if fault != "" {
			return fault
		}
	}
	if unique, ok := schema.Get("uniqueItems"); ok && unique.Kind == 't' {
		for i := range v.Items {
			for j := range i {
				if c.work++; c.work > maxWork {
					return path + ": the list is too long to check"
				}
				if sameValue(v.Items[i], v.Items[j]) {
					return fmt.Sprintf("%s[%d]: is a duplicate", path, i)
				}
			}
		}
	}
	return ""
}

func (c *check) checkCombined(schema, v *json.Node, path string, depth int) string {
	all, _ := schema.Get("allOf")
	for _, sub := range all.Items {
		if fault := c.check(sub, v, path, depth+1); fault != "" {
			return fault
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		subs, ok := schema.Get(keyword)
		if !ok {
			continue
		}
		fits, first := 0, ""
		for _, sub := range subs.Items {
			fault := c.check(sub, v, path, depth+1)
			if fault == "" {
				fits++
			} else if first == "" {
				first = fault
			}
		}
		if fits == 0 {
			if len(subs.Items) == 1 {
				return first
			}
			return fmt.Sprintf("%s: matches none of %d alternatives; the first one: %s", path, len(subs.Items), first)
		}
		if keyword == "oneOf" && fits > 1 {
			return fmt.Sprintf("%s: matches %d alternatives, expected exactly one", path, fits)
		}
	}
	if not, ok := schema.Get("not"); ok && c.check(not, v, path, depth+1) == "" {
		return path + ": matches a schema that \"not\" excludes"
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
