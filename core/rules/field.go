package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/regex"
	"github.com/stile-playground/stile/core/tool/schema"
)

// Domain describes the values that a contract allows for a field. A value outside it is never
// allowed; [Domain.Allows] is exact for parts of schemas that programs have.
type Domain struct {
	Typed    bool // not every type is allowed
	Kinds    [exact.KindObject + 1]bool
	Values   []*Value // nil for all values of the kinds
	Low      *Decimal
	High     *Decimal
	LowOpen  bool // Low is excluded
	HighOpen bool
	Integer  bool             // a number is an integer
	Pattern  string           // of strings, "" for any
	Regex    regex.Expression // of the pattern
	Least    int              // minimum length of a string
	Never    bool             // the object around the field is closed and lacks the field
	Required bool             // the object around the field needs the field
	Always   bool             // the event needs the field

	contract *Contract
	schema   *json.Node // nil for any value
	items    *domain    // of the elements of a list
}

// excludes reports whether the schema of an object is closed and lacks a field.
func excludes(object *json.Node, field string) bool {
	properties, _ := object.Get("properties")
	_, has := properties.Get(field)
	more, _ := object.Get("additionalProperties")
	_, patterns := object.Get("patternProperties")
	return !has && more.Kind == 'f' && !patterns
}

// Domain returns the values that a field may have in events of a kind and a tool. path is the path
// of the field in a pattern. It returns false if the contracts do not restrict the field.
func (c *Contracts) Domain(kind, tool string, path []string) (out Domain, ok bool) {
	t := c.of(tool)
	if t == nil || len(path) == 0 {
		return out, false
	}
	out.Always = kind == "call" || path[0] != "input"
	for n, segment := range path {
		around := t.around(kind, path[:n])
		if around == nil {
			out.Required, out.Always = false, false
			continue
		}
		given := n == 0 && kind == "result" && segment == "input" // the call's arguments, which the result's schema does not describe
		out.Never = out.Never || !given && excludes(around, segment)
		required, _ := around.Get("required")
		out.Required = slices.ContainsFunc(required.Items, func(name *json.Node) bool { return name.Kind == '"' && name.Text == segment })
		if n > 0 {
			d := t.domain(around)
			d.kinds[exact.KindObject] = !d.kinds[exact.KindObject]
			out.Always = out.Always && d.known && !slices.Contains(d.kinds[:], true)
		}
		out.Always = out.Always && out.Required
	}
	at, unknown, _ := t.place(kind, path)
	if at == nil || unknown >= 0 {
		return out, out.Never || out.Required
	}
	d := t.domain(at)
	out.Typed, out.Kinds, out.Values, out.Low, out.High, out.LowOpen, out.HighOpen = d.known, d.kinds, d.values, d.low, d.high, d.lowOpen, d.highOpen
	out.Integer, out.contract, out.schema, out.items = d.known && !d.fraction && d.values == nil, t, at, t.items(at)
	if p := at.TextOf("pattern"); p != "" {
		var fault string
		if out.Regex, fault = schema.CompilePattern(p); fault == "" {
			out.Pattern = p
		}
	}
	if least, has := at.Get("minLength"); has {
		for n := exact.ParseDecimal(least.Text); out.Least < maxReferences && exact.FromInt(int64(out.Least)).Compare(n) < 0; {
			out.Least++
		}
	}
	return out, true
}

// around returns the schema of the object at a path, or nil if it is unknown.
func (t *Contract) around(kind string, path []string) *json.Node {
	if kind != "call" && len(path) == 1 && path[0] == "input" {
		kind, path = "call", nil
	}
	at, unknown, _ := t.place(kind, path)
	if unknown >= 0 || at == nil {
		return nil
	}
	return t.deref(at)
}

// items returns the values that the elements of a list may have, or nil if any may be.
func (t *Contract) items(n *json.Node) *domain {
	list, ok := n.Get("items")
	if _, prefixed := n.Get("prefixItems"); prefixed || !ok || list.Kind != '{' {
		return nil
	}
	if list = t.deref(list); list == nil {
		return nil
	}
	d := t.domain(list)
	if !d.known {
		return nil
	}
	return &d
}

// Allows reports whether a value is allowed.
func (d *Domain) Allows(v *Value) bool {
	return d.contract == nil || d.contract.refuses(d.schema, string(v.JSON())) == ""
}

// Texts returns strings that the contract may allow where it refuses short ones.
func (d *Domain) Texts() (out []string) {
	if d.Allows(exact.OfText("a")) || d.contract == nil {
		return nil
	}
	for c := '1'; c <= '9'; c++ {
		out = append(out, strings.Repeat(string('a'-'1'+c), d.Least))
		for _, n := range simpleValues() {
			if n.Kind == '"' && n.Text != "" {
				out = append(out, strings.Replace(n.Text, "1", string(c), 1))
			}
		}
	}
	return out
}

// Holds reports whether a list may have an element.
func (d *Domain) Holds(v *Value) bool { return d.items == nil || d.items.has(v) }

// refuses returns why a schema does not allow a value, or "".
func (t *Contract) refuses(n *json.Node, value string) string {
	check, ok := t.checks[n]
	if !ok {
		program, _ := schema.Translate(t.Tool, t.rootOf(n), n, nil)
		check, _ = program.Checker() // a translated program is not damaged
		if t.checks == nil {
			t.checks = map[*json.Node]*schema.Checker{}
		}
		t.checks[n] = check
	}
	return check.Check(value, func(name string) string { return string(exact.OfText(name).JSON()) })
}

// rootOf returns the document that the references of a schema refer to.
func (t *Contract) rootOf(n *json.Node) *json.Node {
	if t.Output != nil && (t.Input == nil || !within(t.Input, n)) && within(t.Output, n) {
		return t.Output
	}
	return t.root
}

// Refuses returns why the contract of the tool of an event does not allow its fields, or "".
func (c *Contracts) Refuses(raw RawEvent) string {
	t, call, fields := c.of(raw.Name), raw.Kind == nil || *raw.Kind == "call", fieldsOf(raw)
	if t == nil || !call && *raw.Kind != "result" && *raw.Kind != "error" {
		return ""
	}
	type part struct{ schema, value *json.Node }
	parts := []part{{t.Input, fields}}
	if !call {
		parts = nil
		if input, ok := fields.Get("input"); ok {
			parts = append(parts, part{t.Input, input})
		}
		if *raw.Kind == "result" {
			parts = append(parts, part{t.Output, without(fields, "input")})
		}
	}
	for _, p := range parts {
		if p.schema == nil {
			continue
		}
		if why := t.refuses(p.schema, string(p.value.Append(nil))); why != "" {
			return "the contract of " + t.Tool + " refuses the session that the solver reports: " + why
		}
	}
	return ""
}

func fieldsOf(raw RawEvent) *json.Node {
	if tree, fault := json.Tree(string(raw.Fields)); fault == nil && tree.Kind == '{' {
		return tree
	}
	return &json.Node{Kind: '{'}
}

func without(n *json.Node, key string) *json.Node {
	return &json.Node{Kind: '{', Members: slices.DeleteFunc(slices.Clone(n.Members), func(m json.Member) bool { return m.Key == key })}
}

// Complete adds the fields that the contract of the tool of an event requires and that the event
// lacks, with values that the contract allows if simple ones do.
func (c *Contracts) Complete(raw RawEvent) RawEvent {
	t, fields := c.of(raw.Name), fieldsOf(raw)
	if t == nil {
		return raw
	}
	switch {
	case raw.Kind == nil || *raw.Kind == "call":
		fields = t.complete(t.Input, fields, 0)
	case *raw.Kind == "result" || *raw.Kind == "error":
		for i, m := range fields.Members {
			if m.Key == "input" && m.Value.Kind == '{' {
				fields.Members[i].Value = t.complete(t.Input, m.Value, 0)
			}
		}
		if *raw.Kind == "result" {
			fields = t.complete(t.Output, fields, 0)
		}
	}
	if len(fields.Members) > 0 {
		raw.Fields = fields.Append(nil)
	}
	return raw
}

// complete adds the required members to an object.
func (t *Contract) complete(n, object *json.Node, depth int) *json.Node {
	if n == nil || depth > maxSampleDepth {
		return object
	}
	if n = t.deref(n); n == nil {
		return object
	}
	properties, _ := n.Get("properties")
	for i, m := range object.Members {
		if p, ok := properties.Get(m.Key); ok && m.Value.Kind == '{' {
			object.Members[i].Value = t.complete(p, m.Value, depth+1)
		}
	}
	required, _ := n.Get("required")
	for _, name := range required.Items {
		if _, has := object.Get(name.Text); has {
			continue
		}
		p, ok := properties.Get(name.Text)
		if !ok {
			p = anyValue
		}
		object.Members = append(object.Members, json.Member{Key: name.Text, Value: t.sample(p, depth+1)})
	}
	return object
}

// maxSampleDepth bounds the depth of added values: a schema may require itself.
const maxSampleDepth = 6

// anyValue is the schema of a property that no schema describes.
var anyValue = &json.Node{Kind: 't'}

// simple are values of the types and of the usual formats.
const simple = `"a" 1 true [] null 0 10 100 0.5 1000 -1 "" "aa" "aaa" "aaaaa" "aaaaaaaaaa" "A" "1" "2026-01-01" "2026-01-01T00:00:00Z" "a@example.com" "https://example.com/" "00000000-0000-4000-8000-000000000000" "12:00:00Z"`

var simpleValues = sync.OnceValue(func() []*json.Node {
	trees, _ := json.Trees(simple) // it is JSON
	return trees
})

// sampleAt is a schema at a depth of the added values, which bounds them.
type sampleAt struct {
	schema *json.Node
	depth  int
}

// sample returns a value that a schema allows, if a simple one does.
func (t *Contract) sample(n *json.Node, depth int) *json.Node {
	at := sampleAt{n, depth}
	v, ok := t.samples[at]
	if !ok {
		v = t.newSample(n, depth)
		if t.samples == nil {
			t.samples = map[sampleAt]*json.Node{}
		}
		t.samples[at] = v
	}
	return v
}

func (t *Contract) newSample(n *json.Node, depth int) *json.Node {
	var list []*json.Node
	at := n
	if n.Kind == '{' {
		if at = t.deref(n); at == nil {
			at = n
		}
	}
	for _, key := range []string{"const", "default", "minimum", "maximum"} {
		if v, ok := at.Get(key); ok {
			list = append(list, v)
		}
	}
	for _, key := range []string{"enum", "examples"} {
		v, _ := at.Get(key)
		list = append(list, v.Items...)
	}
	list = append(append(list, simpleValues()...), t.complete(at, &json.Node{Kind: '{'}, depth))
	if items, ok := at.Get("items"); ok && depth < 4 {
		item := t.sample(items, depth+1)
		list = append(list, &json.Node{Kind: '[', Items: []*json.Node{item}}, &json.Node{Kind: '[', Items: []*json.Node{item, item}})
	}
	if d, fault := schema.CompilePattern(at.TextOf("pattern")); fault == "" && at.TextOf("pattern") != "" {
		classes, _ := regex.Classes([]regex.Expression{d}, 10_000)
		for _, class := range classes {
			for _, text := range class.Samples {
				list = append(list, &json.Node{Kind: '"', Text: text})
			}
		}
	}
	for _, v := range list {
		if t.refuses(n, string(v.Append(nil))) == "" {
			return v
		}
	}
	return list[0]
}
