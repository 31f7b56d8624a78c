package rules

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/stile-playground/stile/core/json"
)

// schemaShapes has the number of kids of each operator; -1 for any number from one on, -2 for that of names,
// patterns and one more.
var schemaShapes = map[string]int{
	"never": 0, "null": 0, "type": 0, "enum": 0, "minLength": 0, "maxLength": 0, "minItems": 0, "maxItems": 0, "minProperties": 0, "maxProperties": 0,
	"minimum": 0, "maximum": 0, "above": 0, "below": 0, "multipleOf": 0, "pattern": 0, "format": 0, "required": 0, "dependent": 0, "unique": 0,
	"properties": -2, "items": -1, "propertyNames": 1, "dependentSchema": 1, "contains": 1, "maxContains": 1, "all": -1, "any": -1, "one": -1, "not": 1, "if": 3,
}

// Checker checks arguments by a schema.
type Checker struct {
	nodes [][]readCheck
	root  int
}

// readCheck is a check with its values.
type readCheck struct {
	SchemaCheck
	values  map[string]bool // identities
	index   map[string]int  // of names
	number  Decimal
	regexes []regex
}

// Checker reads the program, so that no check can leave it. The error names a damaged part.
func (s *Schema) Checker() (*Checker, error) {
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
func (c SchemaCheck) read() (out readCheck, ok bool) {
	out.SchemaCheck = c
	shape, ok := schemaShapes[c.Op]
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

// readPatterns compiles the patterns, whose programs have to be those of their texts.
func (c *readCheck) readPatterns() bool {
	for _, p := range c.Patterns {
		compiled, fault := compilePattern(p.Text)
		if c.Op == "format" {
			compiled, fault = compileFormat(p.Text)
		}
		if fault != "" || !reflect.DeepEqual(compiled.program(), p.Regex) {
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
		c.number = parseDecimal(c.Value)
		return c.Op != "multipleOf" || c.number.sign() > 0 && c.number.far == nil
	case "pattern", "format":
		return len(c.Patterns) == 1 && c.Patterns[0].Text == c.Value
	case "type":
		return !slices.ContainsFunc(c.Names, func(name string) bool { return !slices.Contains(schemaTypes, name) })
	case "enum":
		c.values = map[string]bool{}
		for _, text := range c.Values {
			tree, fault := json.Tree(text)
			if fault != nil {
				return false
			}
			c.values[valueOf(tree).identity()] = true
		}
	}
	return true
}
