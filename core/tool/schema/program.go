package schema

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/regex"
)

// Program is the JSON Schema of a tool's arguments as a program for runtimes without a reader of schemas.
// Nodes refer to each other by index; a node is a list of checks that a value has to pass.
type Program struct {
	Name      string    `json:"name"`
	Tool      string    `json:"tool"`
	Root      int       `json:"root"` // -1 for a schema that every value matches
	Nodes     [][]Check `json:"nodes"`
	Unchecked []string  `json:"unchecked,omitempty"` // keywords that were excluded
}

// Check is a check of a node. It has the members that its operator needs: Kids are nodes, -1 is a node that
// every value matches. The last one of properties and items is that of the other members and items.
type Check struct {
	Op       string    `json:"op"`
	Names    []string  `json:"names,omitempty"`
	Values   []string  `json:"values,omitempty"` // in JSON
	Kids     []int     `json:"kids,omitempty"`
	Count    int       `json:"count,omitempty"`
	Value    string    `json:"value,omitempty"` // a number, a name, a pattern or a format
	Patterns []Pattern `json:"patterns,omitempty"`
}

// Pattern is a regular expression of a schema, which is searched in a text.
type Pattern struct {
	Text  string         `json:"text"`
	Regex *regex.Program `json:"regex"`
}

// shapes has the number of kids of each operator; -1 for any number from one on, -2 for that of names,
// patterns and one more.
var shapes = map[string]int{
	"never": 0, "null": 0, "type": 0, "enum": 0, "minLength": 0, "maxLength": 0, "minItems": 0, "maxItems": 0, "minProperties": 0, "maxProperties": 0,
	"minimum": 0, "maximum": 0, "above": 0, "below": 0, "multipleOf": 0, "pattern": 0, "format": 0, "required": 0, "dependent": 0, "unique": 0,
	"properties": -2, "items": -1, "propertyNames": 1, "dependentSchema": 1, "contains": 1, "maxContains": 1, "all": -1, "any": -1, "one": -1, "not": 1, "if": 3,
}

// Checker checks arguments by a schema.
type Checker struct {
	// Unchecked are the faults of the parts of the schema that are compiled as if they were absent.
	Unchecked []string

	nodes   [][]readCheck
	root    int
	members []string // names of the described arguments, in the order of the schema
	only    string   // the argument that a plain text sets, or ""
	text    bool     // whether it may be a string
}

// readCheck is a check with its values.
type readCheck struct {
	Check
	values  map[string]bool // identities
	index   map[string]int  // of names
	number  exact.Decimal
	regexes []regex.Expression
}

// Checker reads the program, so that no check can leave it. The error names a damaged part.
func (s *Program) Checker() (*Checker, error) {
	out := &Checker{root: s.Root}
	fit := func(i int) bool { return i >= -1 && i < len(s.Nodes) }
	ok := fit(s.Root)
	for _, node := range s.Nodes {
		var list []readCheck
		for _, c := range node {
			read, good := c.read()
			for _, kid := range c.Kids {
				good = good && fit(kid)
			}
			if !good {
				return nil, fmt.Errorf("the check %q is damaged", c.Op)
			}
			list = append(list, read)
		}
		out.nodes = append(out.nodes, list)
	}
	if !ok {
		return nil, fmt.Errorf("the root is damaged")
	}
	return out, nil
}

// read checks the members of a check, and converts them.
func (c Check) read() (out readCheck, ok bool) {
	out.Check = c
	shape, ok := shapes[c.Op]
	switch {
	case shape == -1:
		ok = len(c.Kids) > 0
	case shape == -2:
		ok = len(c.Kids) == len(c.Names)+len(c.Patterns)+1
	default:
		ok = ok && len(c.Kids) == shape
	}
	out.index = map[string]int{}
	for i, name := range c.Names {
		out.index[name] = i
	}
	ok = ok && c.Count >= 0 && len(out.index) == len(c.Names)
	return out, ok && out.readPatterns() && out.readValues()
}

// readPatterns compiles the patterns, whose programs must be those of their texts.
func (c *readCheck) readPatterns() bool {
	for _, p := range c.Patterns {
		compiled, fault := CompilePattern(p.Text)
		if c.Op == "format" {
			compiled, fault = compileFormat(p.Text)
		}
		if fault != "" || !reflect.DeepEqual(compiled.Program(), p.Regex) {
			return false
		}
		c.regexes = append(c.regexes, compiled)
	}
	return true
}

// readValues converts the values of a check.
func (c *readCheck) readValues() bool {
	switch c.Op {
	case "minimum", "maximum", "above", "below", "multipleOf":
		tree, fault := json.Tree(c.Value)
		if fault != nil || tree.Kind != '0' {
			return false
		}
		c.number = exact.ParseDecimal(c.Value)
		return c.Op != "multipleOf" || c.number.IsStep(len(c.Value))
	case "pattern", "format":
		return len(c.Patterns) == 1 && c.Patterns[0].Text == c.Value
	case "type":
		return !slices.ContainsFunc(c.Names, func(name string) bool { return !slices.Contains(allTypes, name) })
	case "enum":
		c.values = map[string]bool{}
		for _, text := range c.Values {
			tree, fault := json.Tree(text)
			if fault != nil {
				return false
			}
			c.values[exact.Of(tree).Identity()] = true
		}
	}
	return true
}
