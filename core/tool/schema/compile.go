package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
)

const (
	// maxNodes bounds the nodes of a program: MaxSize bytes of a schema have fewer.
	maxNodes = 20_000
	// maxCount is the largest bound on a length. Texts of arguments are shorter.
	maxCount = 1_000_000_000
	// maxStepDigits bounds the digits of multipleOf, so that a check takes little time.
	maxStepDigits = 40
)

// annotations are the keywords that restrict no value.
var annotations = []string{
	"$schema", "$comment", "$defs", "$anchor", "definitions", "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
	"contentEncoding", "contentMediaType", "contentSchema", "discriminator", "xml", "externalDocs", "nullable", "minContains", "maxContains", "then", "else",
}

// countChecks are the keywords whose value is a count, which is the name of their operator.
var countChecks = []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}

// writer compiles a schema.
type writer struct {
	root      *json.Node
	out       *Program
	index     map[*json.Node]int
	open      map[*json.Node]bool // schemas that are being compiled for the same value
	unchecked []string
	faults    []string
}

// Translate returns the schema input of the arguments of a tool as a program. References refer to root. faults are
// the keywords that no program represents, except for those that unchecked names; the program lacks both.
func Translate(tool string, root, input *json.Node, unchecked []string) (program *Program, faults []string) {
	w := &writer{
		root: root, out: &Program{Tool: tool, Nodes: [][]Check{}}, index: map[*json.Node]int{}, open: map[*json.Node]bool{}, unchecked: unchecked,
	}
	w.out.Root = w.node(input, "")
	slices.Sort(w.out.Unchecked)
	return w.out, w.faults
}

func (w *writer) fail(path, message string) {
	if path != "" {
		message += " at " + path
	}
	if !slices.Contains(w.faults, message) {
		w.faults = append(w.faults, message)
	}
}

// excluded reports whether a keyword is not to be checked, and notes that the program lacks it.
func (w *writer) excluded(keyword string) bool {
	if !slices.Contains(w.unchecked, keyword) {
		return false
	}
	if !slices.Contains(w.out.Unchecked, keyword) {
		w.out.Unchecked = append(w.out.Unchecked, keyword)
	}
	return true
}

// node compiles a schema, and returns its index. The node of a reference without other checks is that of
// its target.
func (w *writer) node(n *json.Node, path string) int {
	switch {
	case n.Kind == 't' || n.Kind == '{' && len(n.Members) == 0:
		return -1
	case n.Kind != '{' && n.Kind != 'f':
		w.fail(path, "the schema is neither an object nor true or false")
		return -1
	}
	if w.open[n] {
		w.fail(path, "the schema refers to itself without an end")
		return -1
	}
	if i, ok := w.index[n]; ok {
		return i
	}
	if len(w.out.Nodes) >= maxNodes {
		w.fail("", "the schema is too large")
		return -1
	}
	i := len(w.out.Nodes)
	w.index[n] = i
	w.out.Nodes = append(w.out.Nodes, []Check{{Op: "never"}})
	if n.Kind == '{' {
		checks := w.checks(n, path)
		w.out.Nodes[i] = checks
	}
	return i
}

// within compiles schemas of the same value; a schema may not contain itself so.
func (w *writer) within(n *json.Node, kids []*json.Node, path string) []int {
	before := w.open[n]
	w.open[n] = true
	out := []int{}
	for i, kid := range kids {
		if kid.Kind == 0 {
			out = append(out, -1)
			continue
		}
		at := path
		if len(kids) > 1 {
			at += "/" + strconv.Itoa(i)
		}
		out = append(out, w.node(kid, at))
	}
	w.open[n] = before
	return out
}

// apart compiles the schema of a part of the value. The depth of values is bounded, so it may contain
// the schemas around it.
func (w *writer) apart(n *json.Node, path string) int {
	open := w.open
	w.open = map[*json.Node]bool{}
	i := w.node(n, path)
	w.open = open
	return i
}

// checks compiles the keywords of a schema. Their order in the program does not depend on that of the text.
func (w *writer) checks(n *json.Node, path string) []Check {
	seen := map[string]bool{}
	for _, m := range n.Members {
		if seen[m.Key] {
			w.fail(path, "duplicate keyword "+strconv.Quote(m.Key))
		}
		seen[m.Key] = true
	}
	k := &keywords{w: w, n: n, path: path, used: map[string]bool{}, out: []Check{}}
	for _, read := range []func(){k.reference, k.types, k.enumeration, k.counts, k.numbers, k.texts, k.objects, k.lists, k.combinations} {
		read()
	}
	for _, m := range n.Members {
		root := n == w.root && (m.Key == "$id" || m.Key == "id")
		if !k.used[m.Key] && !root && !slices.Contains(annotations, m.Key) && !strings.HasPrefix(m.Key, "x-") && !w.excluded(m.Key) {
			w.fail(path, "unsupported keyword "+strconv.Quote(m.Key))
		}
	}
	return k.out
}

// keywords compiles the keywords of one schema.
type keywords struct {
	w    *writer
	n    *json.Node
	path string
	used map[string]bool
	out  []Check
}

func (k *keywords) add(c Check) { k.out = append(k.out, c) }

func (k *keywords) at(key string) string { return k.path + "/" + key }

// get returns the value of a keyword unless it is excluded. The kinds are those that the value may have.
func (k *keywords) get(key, kinds string) (*json.Node, bool) {
	v, ok := k.n.Get(key)
	if !ok {
		return v, false
	}
	if k.used[key] = true; k.w.excluded(key) {
		return v, false
	}
	if strings.IndexByte(kinds, v.Kind) < 0 {
		k.malformed(key)
		return v, false
	}
	return v, true
}

func (k *keywords) malformed(key string) { k.w.fail(k.path, "malformed keyword "+strconv.Quote(key)) }

func (k *keywords) reference() {
	if ref, ok := k.get("$ref", `"`); ok {
		target, known := Pointer(k.w.root, ref.Text)
		if !known {
			k.w.fail(k.path, "unknown reference "+strconv.Quote(ref.Text))
			return
		}
		k.add(Check{Op: "all", Kids: k.w.within(k.n, []*json.Node{target}, ref.Text)})
	}
}

var allTypes = []string{"null", "boolean", "number", "integer", "string", "array", "object"}

func (k *keywords) types() {
	if v, ok := k.get("nullable", "tf"); ok && v.Kind == 't' {
		k.add(Check{Op: "null"})
	}
	types, ok := k.get("type", `"[`)
	if !ok {
		return
	}
	list := types.Items
	if types.Kind == '"' {
		list = []*json.Node{types}
	}
	c := Check{Op: "type"}
	if len(list) == 0 {
		k.malformed("type")
		return
	}
	for _, t := range list {
		if t.Kind != '"' || !slices.Contains(allTypes, t.Text) {
			k.malformed("type")
			return
		}
		if !slices.Contains(c.Names, t.Text) {
			c.Names = append(c.Names, t.Text)
		}
	}
	k.add(c)
}

func (k *keywords) enumeration() {
	values := func(items []*json.Node) {
		c := Check{Op: "enum"}
		for _, item := range items {
			c.Values = append(c.Values, string(exact.Of(item).JSON()))
		}
		k.add(c)
	}
	if v, ok := k.get("const", `{["0tfn`); ok {
		values([]*json.Node{v})
	}
	if v, ok := k.get("enum", "["); ok {
		values(v.Items)
	}
}

// count returns the value of a keyword that is a count.
func (k *keywords) count(key string) (int, bool) {
	v, ok := k.get(key, "0")
	if !ok {
		return 0, false
	}
	d := exact.ParseDecimal(v.Text)
	if !d.IsInteger() || d.Sign() < 0 || d.Compare(exact.FromInt(maxCount)) > 0 {
		k.malformed(key)
		return 0, false
	}
	n, err := strconv.Atoi(d.String())
	return n, err == nil
}

func (k *keywords) counts() {
	for _, key := range countChecks {
		if n, ok := k.count(key); ok {
			k.add(Check{Op: key, Count: n})
		}
	}
}

func (k *keywords) numbers() {
	number := func(op string, v *json.Node) {
		k.add(Check{Op: op, Value: exact.ParseDecimal(v.Text).String()})
	}
	for _, side := range [][3]string{{"minimum", "exclusiveMinimum", "above"}, {"maximum", "exclusiveMaximum", "below"}} {
		limit, ok := k.get(side[0], "0")
		if ok {
			number(side[0], limit)
		}
		exclusive, has := k.get(side[1], "0tf")
		switch { // in draft 4 and OpenAPI 3.0 it is a flag next to the limit
		case has && exclusive.Kind == '0':
			number(side[2], exclusive)
		case has && exclusive.Kind == 't' && ok:
			number(side[2], limit)
		}
	}
	if v, ok := k.get("multipleOf", "0"); ok {
		if d := exact.ParseDecimal(v.Text); !d.IsStep(maxStepDigits) {
			k.malformed("multipleOf")
		} else {
			number("multipleOf", v)
		}
	}
}

func (k *keywords) texts() {
	if v, ok := k.get("pattern", `"`); ok {
		if p, fault := CompilePattern(v.Text); fault != "" {
			k.w.fail(k.path, "unsupported pattern "+strconv.Quote(v.Text)+": "+fault)
		} else {
			k.add(Check{Op: "pattern", Value: v.Text, Patterns: []Pattern{{v.Text, p.Program()}}})
		}
	}
	v, ok := k.get("format", `"`)
	if !ok {
		return
	}
	if limits, known := numberFormats[v.Text]; known {
		if limits[0] != "" {
			k.add(Check{Op: "multipleOf", Value: "1"})
			k.add(Check{Op: "minimum", Value: limits[0]})
			k.add(Check{Op: "maximum", Value: limits[1]})
		}
		return
	}
	p, fault := compileFormat(v.Text)
	if fault != "" {
		k.w.fail(k.path, "unsupported format "+strconv.Quote(v.Text))
		return
	}
	k.add(Check{Op: "format", Value: v.Text, Patterns: []Pattern{{v.Text, p.Program()}}})
}

// named compiles the schemas of an object's members, sorted by name.
func (k *keywords) named(key string) (names []string, kids []int) {
	v, ok := k.get(key, "{")
	if !ok {
		return nil, nil
	}
	members := slices.Clone(v.Members)
	slices.SortStableFunc(members, func(a, b json.Member) int { return strings.Compare(a.Key, b.Key) })
	for i, m := range members {
		if i > 0 && m.Key == members[i-1].Key {
			k.w.fail(k.at(key), "duplicate member "+strconv.Quote(m.Key))
			continue
		}
		names, kids = append(names, m.Key), append(kids, k.w.apart(m.Value, k.at(key)+"/"+m.Key))
	}
	return names, kids
}

// list returns a list of texts.
func (k *keywords) list(key string, v *json.Node) (out []string) {
	for _, item := range v.Items {
		if item.Kind != '"' {
			k.malformed(key)
			return nil
		}
		if !slices.Contains(out, item.Text) {
			out = append(out, item.Text)
		}
	}
	return out
}

func (k *keywords) objects() {
	if v, ok := k.get("required", "["); ok {
		if names := k.list("required", v); len(names) > 0 {
			k.add(Check{Op: "required", Names: names})
		}
	}
	names, kids := k.named("properties")
	c := Check{Op: "properties", Names: names, Kids: kids}
	patterns, more := k.named("patternProperties")
	for i, text := range patterns {
		p, fault := CompilePattern(text)
		if fault != "" {
			k.w.fail(k.at("patternProperties"), "unsupported pattern "+strconv.Quote(text)+": "+fault)
			continue
		}
		c.Patterns, c.Kids = append(c.Patterns, Pattern{text, p.Program()}), append(c.Kids, more[i])
	}
	other := -1
	v, ok := k.get("additionalProperties", "{tf")
	if ok && len(c.Patterns) == len(patterns) { // otherwise the names of the other members are not known
		other = k.w.apart(v, k.at("additionalProperties"))
	}
	if c.Kids = append(c.Kids, other); slices.ContainsFunc(c.Kids, func(kid int) bool { return kid >= 0 }) {
		k.add(c)
	}
	if v, ok := k.get("propertyNames", "{tf"); ok {
		k.add(Check{Op: "propertyNames", Kids: []int{k.w.apart(v, k.at("propertyNames"))}})
	}
	for _, key := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		v, ok := k.get(key, "{")
		if !ok {
			continue
		}
		members := slices.Clone(v.Members)
		slices.SortStableFunc(members, func(a, b json.Member) int { return strings.Compare(a.Key, b.Key) })
		for _, m := range members {
			switch {
			case m.Value.Kind == '[' && key != "dependentSchemas":
				k.add(Check{Op: "dependent", Value: m.Key, Names: k.list(key, m.Value)})
			case key != "dependentRequired":
				k.add(Check{Op: "dependentSchema", Value: m.Key, Kids: k.w.within(k.n, []*json.Node{m.Value}, k.at(key)+"/"+m.Key)})
			default:
				k.malformed(key)
			}
		}
	}
}

func (k *keywords) lists() {
	c := Check{Op: "items"}
	other := -1
	prefix, hasPrefix := k.get("prefixItems", "[")
	items, hasItems := k.get("items", "{tf[")
	if hasItems && items.Kind == '[' { // draft 2019-09 and before
		prefix, hasPrefix = items, true
		items, hasItems = k.get("additionalItems", "{tf")
	} else {
		k.used["additionalItems"] = true // without a list, the keyword restricts nothing
	}
	if hasPrefix {
		for i, item := range prefix.Items {
			c.Kids = append(c.Kids, k.w.apart(item, k.at("items")+"/"+strconv.Itoa(i)))
		}
	}
	if hasItems {
		other = k.w.apart(items, k.at("items"))
	}
	if c.Kids = append(c.Kids, other); slices.ContainsFunc(c.Kids, func(kid int) bool { return kid >= 0 }) {
		k.add(c)
	}
	if v, ok := k.get("contains", "{tf"); ok {
		kid := k.w.apart(v, k.at("contains"))
		least := 1
		if n, has := k.count("minContains"); has {
			least = n
		}
		k.add(Check{Op: "contains", Kids: []int{kid}, Count: least})
		if n, has := k.count("maxContains"); has {
			k.add(Check{Op: "maxContains", Kids: []int{kid}, Count: n})
		}
	}
	if v, ok := k.get("uniqueItems", "tf"); ok && v.Kind == 't' {
		k.add(Check{Op: "unique"})
	}
}

func (k *keywords) combinations() {
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if v, ok := k.get(key, "["); ok {
			if len(v.Items) == 0 {
				k.malformed(key)
				continue
			}
			k.add(Check{Op: strings.TrimSuffix(key, "Of"), Kids: k.w.within(k.n, v.Items, k.at(key))})
		}
	}
	if v, ok := k.get("not", "{tf"); ok {
		k.add(Check{Op: "not", Kids: k.w.within(k.n, []*json.Node{v}, k.at("not"))})
	}
	condition, ok := k.get("if", "{tf")
	if !ok {
		return
	}
	parts := []*json.Node{condition}
	for _, key := range []string{"then", "else"} {
		part, has := k.get(key, "{tf")
		if !has {
			part = &json.Node{}
		}
		parts = append(parts, part)
	}
	k.add(Check{Op: "if", Kids: k.w.within(k.n, parts, k.at("if"))})
}
