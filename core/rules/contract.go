package rules

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/schema"
)

// Contract is the declared interface of a tool: JSON Schemas of its arguments and of its results, nil
// if they are unknown.
type Contract struct {
	Tool   string
	File   string // that declares it
	Input  *json.Node
	Output *json.Node

	root    *json.Node // the document that references refer to
	checks  map[*json.Node]*schema.Checker
	samples map[sampleAt]*json.Node
}

// Contracts are the contracts of a workspace. Open reports that further tools exist, whose names are
// unknown. Malformed are the tools of the list of a file whose schema is not an object.
type Contracts struct {
	List      []Contract
	Open      bool
	Malformed []string
}

// Add appends a contract with the schema of arguments, which may be empty.
func (c *Contracts) Add(tool, input string) {
	out := Contract{Tool: tool}
	if tree, fault := json.Tree(input); fault == nil && tree.Kind == '{' {
		out.Input, out.root = tree, tree
	}
	c.List = append(c.List, out)
}

// ReadContracts appends the tools of a JSON text: the result of the method tools/list of the Model
// Context Protocol, alone or in its JSON-RPC reply, a list of tools as the interfaces of models have
// them, or a JSON Schema, which describes the arguments of the tool whose name is its title or,
// without a title, the name of the file.
func (c *Contracts) ReadContracts(name, text string) {
	tree, fault := json.Tree(text)
	if fault != nil {
		return
	}
	list, listed := tree, false
	if result, ok := tree.Get("result"); ok {
		list = result
	}
	if tools, ok := list.Get("tools"); ok {
		list, listed = tools, true
	}
	for _, item := range list.Items {
		out := Contract{root: item}
		if f, ok := item.Get("function"); ok {
			item = f
		}
		out.Tool = item.TextOf("name")
		for _, key := range []string{"inputSchema", "input_schema", "parameters"} {
			v, ok := item.Get(key)
			switch {
			case ok && v.Kind == '{' && out.Input == nil:
				out.Input, out.root = v, v
			case ok && v.Kind != '{' && v.Kind != 'n' && out.Tool != "":
				c.Malformed = append(c.Malformed, out.Tool)
			}
		}
		if v, ok := item.Get("outputSchema"); ok && v.Kind == '{' {
			out.Output = v
		}
		// A listed tool without a schema takes any arguments.
		if out.Tool != "" && (out.Input != nil || listed) {
			c.List = append(c.List, out)
		}
	}
	if _, ok := tree.Get("$schema"); ok && tree.Kind == '{' {
		tool := tree.TextOf("title")
		if tool == "" {
			tool, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
		}
		c.List = append(c.List, Contract{Tool: tool, Input: tree, root: tree})
	}
}

// Hash returns 16 digits that change with the tools and their schemas, but not with the layout of
// their files, the order of their members included.
func (c *Contracts) Hash() string {
	return c.hash(func(line []byte, n *json.Node) []byte { return append(line, exact.Of(n).JSON()...) })
}

// Recorded reports whether hash is the present one, or the one that earlier versions recorded, which
// also changed with the order of members and the digits of numbers.
func (c *Contracts) Recorded(hash string) bool {
	return hash == c.Hash() || hash == c.hash(func(line []byte, n *json.Node) []byte { return n.Append(line) })
}

func (c *Contracts) hash(write func([]byte, *json.Node) []byte) string {
	var lines []string
	for _, t := range c.List {
		line := []byte(t.Tool + " ")
		for _, n := range []*json.Node{t.Input, t.Output} {
			if n != nil {
				line = write(line, n)
			}
			line = append(line, ' ')
		}
		lines = append(lines, string(line))
	}
	slices.Sort(lines)
	h := fnv.New64a()
	for _, line := range lines {
		h.Write([]byte(line + "\n"))
	}
	text := strconv.FormatUint(h.Sum64(), 16)
	return strings.Repeat("0", 16-len(text)) + text
}

// Program returns the schema of the tool's arguments as a program (see [schema.Translate]).
func (t *Contract) Program(unchecked []string) (program *schema.Program, faults []string) {
	return schema.Translate(t.Tool, t.root, t.Input, unchecked)
}

func (c *Contracts) of(tool string) *Contract {
	for i := range c.List {
		if c.List[i].Tool == tool {
			return &c.List[i]
		}
	}
	return nil
}

// Names returns the names of the tools.
func (c *Contracts) Names() (out []string) {
	for _, t := range c.List {
		out = append(out, t.Tool)
	}
	return out
}

// maxReferences bounds the references and branches that are followed.
const maxReferences = 20

// deref follows references within a schema.
func (t *Contract) deref(n *json.Node) *json.Node {
	for range maxReferences {
		ref, ok := n.Get("$ref")
		if !ok {
			break
		}
		target, ok := schema.Pointer(t.rootOf(n), ref.Text)
		if !ok {
			return nil
		}
		n = target
	}
	return n
}

func within(outer, inner *json.Node) bool {
	return outer.At.Start <= inner.At.Start && inner.At.End <= outer.At.End
}

func (t *Contract) properties(n *json.Node) (out []string) {
	list, _ := t.deref(n).Get("properties")
	for _, m := range list.Members {
		out = append(out, m.Key)
	}
	return out
}

// place returns the schema at the path of a pattern of an event's kind. The schema is nil if it is
// unknown; if the schema lacks a segment of the path, unknown is the index of the segment,
// otherwise -1, and names are the properties that the schema has.
func (t *Contract) place(kind string, path []string) (at *json.Node, unknown int, names []string) {
	at = t.Input
	switch {
	case kind == "call":
	case len(path) > 0 && path[0] == "input":
		if len(path) == 1 {
			return nil, -1, nil
		}
		at, unknown, names = t.place("call", path[1:])
		if unknown >= 0 {
			unknown++
		}
		return at, unknown, names
	case kind == "result":
		at = t.Output
	default:
		return nil, -1, nil
	}
	for i, segment := range path {
		if at == nil {
			return nil, -1, nil
		}
		if at = t.deref(at); at == nil {
			return nil, -1, nil
		}
		list, ok := at.Get("properties")
		if !ok {
			return nil, -1, nil
		}
		next, ok := list.Get(segment)
		if !ok {
			if t.open(at) {
				return nil, -1, nil
			}
			return nil, i, t.properties(at)
		}
		at = next
	}
	if at != nil {
		at = t.deref(at)
	}
	return at, -1, nil
}

// open reports whether a schema may have properties other than those that it lists.
func (t *Contract) open(n *json.Node) bool {
	for _, key := range []string{"patternProperties", "allOf", "anyOf", "oneOf", "if"} {
		if _, ok := n.Get(key); ok {
			return true
		}
	}
	more, ok := n.Get("additionalProperties")
	return ok && more.Kind != 'f'
}

// domain is the set of values that a schema allows, as far as rules compare them.
type domain struct {
	kinds    [exact.KindObject + 1]bool
	known    bool // not every type is allowed
	fraction bool // a number need not be an integer
	values   []*Value
	low      *Decimal
	high     *Decimal
	lowOpen  bool
	highOpen bool
}

var kindsOfType = map[string][]Kind{
	"null": {exact.KindNull}, "boolean": {exact.KindFalse, exact.KindTrue}, "number": {exact.KindNumber}, "integer": {exact.KindNumber},
	"string": {exact.KindString}, "array": {exact.KindList}, "object": {exact.KindObject},
}

// domain returns the values that a schema allows.
func (t *Contract) domain(n *json.Node) (d domain) {
	if n == nil || n.Kind != '{' {
		return d
	}
	d.types(n)
	d.enumerate(n)
	if nullable, ok := n.Get("nullable"); ok && nullable.Kind == 't' {
		d.kinds[exact.KindNull] = true
		if d.values != nil {
			d.values = append(d.values, exact.Word("null"))
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if branches, ok := n.Get(key); ok && !d.known {
			d = t.union(branches.Items)
		}
	}
	d.bounds(n)
	return d
}

func (d *domain) types(n *json.Node) {
	types, _ := n.Get("type")
	list := types.Items
	if types.Kind == '"' {
		list = []*json.Node{types}
	}
	for _, item := range list {
		for _, k := range kindsOfType[item.Text] {
			d.kinds[k], d.known = true, true
		}
		d.fraction = d.fraction || item.Text == "number"
	}
}

func (d *domain) enumerate(n *json.Node) {
	values, ok := n.Get("enum")
	list := values.Items
	if one, single := n.Get("const"); single {
		list, ok = []*json.Node{one}, true
	}
	if !ok || len(list) == 0 {
		return
	}
	d.kinds, d.known = [exact.KindObject + 1]bool{}, true
	for _, item := range list {
		v := exact.Of(item)
		d.values = append(d.values, v)
		d.kinds[v.Kind()] = true
		d.fraction = d.fraction || v.Kind() == exact.KindNumber && strings.Trim(item.Text, "-0123456789") != ""
	}
}

func (d *domain) bounds(n *json.Node) {
	bound := func(key string) *Decimal {
		if v, ok := n.Get(key); ok && v.Kind == '0' {
			out := exact.ParseDecimal(v.Text)
			return &out
		}
		return nil
	}
	d.low, d.high = bound("minimum"), bound("maximum")
	if v := bound("exclusiveMinimum"); v != nil {
		d.low, d.lowOpen = v, true
	}
	if v := bound("exclusiveMaximum"); v != nil {
		d.high, d.highOpen = v, true
	}
}

// union returns the union of the domains of branches; it is unknown if the domain of a branch is.
func (t *Contract) union(branches []*json.Node) (out domain) {
	out.known = len(branches) > 0 && len(branches) <= maxReferences
	all := true
	for i, b := range branches {
		if i == maxReferences {
			break
		}
		d := domain{}
		if b = t.deref(b); b != nil {
			d.types(b)
			d.enumerate(b)
		}
		out.known = out.known && d.known
		out.fraction = out.fraction || d.fraction
		all = all && d.values != nil
		out.values = append(out.values, d.values...)
		for k, has := range d.kinds {
			out.kinds[k] = out.kinds[k] || has
		}
	}
	if !all {
		out.values = nil
	}
	return out
}

// has reports whether a value may be in the domain.
func (d *domain) has(v *Value) bool {
	switch {
	case !d.known:
		return true
	case !d.kinds[v.Kind()]:
		return false
	case d.values != nil:
		return slices.ContainsFunc(d.values, func(other *Value) bool { return other.Identity() == v.Identity() })
	case v.Kind() != exact.KindNumber:
		return true
	}
	return !d.below(v.Number()) && !d.above(v.Number()) && (d.fraction || v.Number().IsInteger())
}

func (d *domain) below(n Decimal) bool {
	return d.low != nil && (n.Compare(*d.low) < 0 || d.lowOpen && n.Compare(*d.low) == 0)
}

func (d *domain) above(n Decimal) bool {
	return d.high != nil && (n.Compare(*d.high) > 0 || d.highOpen && n.Compare(*d.high) == 0)
}

// String describes the domain.
func (d *domain) String() string {
	if !d.known {
		return ""
	}
	if d.values != nil {
		var list []string
		for _, v := range d.values[:min(len(d.values), 8)] {
			list = append(list, string(v.JSON()))
		}
		if len(d.values) > 8 {
			list = append(list, "…")
		}
		return "one of " + strings.Join(list, ", ")
	}
	var list []string
	for k, name := range kindNames {
		if Kind(k) == exact.KindNumber && !d.fraction {
			name = "an integer"
		}
		if d.kinds[k] && (len(list) == 0 || list[len(list)-1] != name) {
			list = append(list, name)
		}
	}
	out := strings.Join(list, " or ")
	if d.kinds[exact.KindNumber] && d.low != nil {
		out += ", at least " + d.low.String()
	}
	if d.kinds[exact.KindNumber] && d.high != nil {
		out += ", at most " + d.high.String()
	}
	return out
}

var kindNames = [...]string{"null", "true or false", "true or false", "a number", "a string", "a list", "an object"}

// Describe returns the type and description of a field of a tool, or "". path is the path of the field in an atom.
func (c *Contracts) Describe(tool string, path []string) string {
	t := c.of(tool)
	if t == nil {
		return ""
	}
	for _, kind := range []string{"call", "result"} {
		if at, unknown, _ := t.place(kind, path); unknown < 0 && at != nil {
			d := t.domain(at)
			out := d.String()
			if text := at.TextOf("description"); text != "" {
				out = strings.TrimPrefix(out+". "+text, ". ")
			}
			return out
		}
	}
	return ""
}
