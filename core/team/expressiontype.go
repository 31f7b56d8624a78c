package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// types is a set of possible types of a value. The structure of results is unknown before
// the run, so a path may have any type.
type types uint8

const (
	typeNull types = 1 << iota
	typeTruth
	typeNumber
	typeText
	typeList
	typeObject
	typeAny = typeNull | typeTruth | typeNumber | typeText | typeList | typeObject
)

var typeNames = []string{"null", "true or false", "a number", "a text", "a list", "an object"}

func (t types) String() string {
	var names []string
	for i, name := range typeNames {
		if t>>i&1 == 1 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

func typeOf(v Value) types {
	switch v.Kind {
	case 'n':
		return typeNull
	case 't', 'f':
		return typeTruth
	case '0':
		return typeNumber
	case '"':
		return typeText
	case '[':
		return typeList
	}
	return typeObject
}

// Names of the values of a scope.
var (
	localNames  = []string{"result", "text", "given"}
	globalNames = []string{"results", "answer", "text"}
)

var nameTypes = map[string]types{"result": typeAny, "answer": typeAny, "text": typeText, "given": typeList, "results": typeList}

// checker finds type errors.
type checker struct {
	global bool
	bound  []string
	found  []source.Diagnostic
}

// check reports the parts of an expression that cannot be evaluated, and an expression
// that is not a condition.
func (e *Expression) check(global bool) []source.Diagnostic {
	c := &checker{global: global}
	if t := c.of(e.root); t&typeTruth == 0 && len(c.found) == 0 {
		c.report(e.root.span, fmt.Sprintf("expected a condition, but this is %s", t))
	}
	return c.found
}

func (c *checker) report(span source.Span, message string) {
	c.found = append(c.found, source.Diagnostic{Code: "team.type", Span: span, Message: message})
}

// want reports a part of an expression that can have none of the wanted types.
func (c *checker) want(n *node, wanted types, where string) {
	if got := c.of(n); got&wanted == 0 {
		c.report(n.span, fmt.Sprintf("expected %s %s, but this is %s", wanted, where, got))
	}
}

// of returns the possible types of a part.
func (c *checker) of(n *node) types {
	switch n.kind {
	case kindLiteral:
		return typeOf(n.value)
	case kindName:
		return c.name(n)
	case kindMember:
		c.want(n.of[0], typeObject, "before a dot")
		return typeAny
	case kindIndex:
		c.want(n.of[0], typeList|typeObject, "before brackets")
		c.want(n.of[1], typeNumber|typeText, "in brackets")
		return typeAny
	case kindNot:
		c.want(n.of[0], typeTruth, `after "not"`)
		return typeTruth
	case kindNegate:
		c.want(n.of[0], typeNumber, `after "-"`)
		return typeNumber
	case kindList:
		for _, item := range n.of {
			c.of(item)
		}
		return typeList
	case kindCall:
		return c.call(n)
	}
	return c.operator(n)
}

func (c *checker) operator(n *node) types {
	left, right := n.of[0], n.of[1]
	switch n.name {
	case "and", "or":
		c.want(left, typeTruth, "beside "+n.name)
		c.want(right, typeTruth, "beside "+n.name)
		return typeTruth
	case "==", "!=":
		if a, b := c.of(left), c.of(right); a&b == 0 && len(c.found) == 0 {
			c.report(n.span, fmt.Sprintf("always unequal: %s and %s", a, b))
		}
		return typeTruth
	case "in":
		c.of(left)
		c.want(right, typeList, `after "in"`)
		return typeTruth
	case "<", "<=", ">", ">=":
		a, b := c.of(left), c.of(right)
		const ordered = typeNumber | typeText
		switch {
		case a&ordered == 0:
			c.report(left.span, fmt.Sprintf("expected a number or a text to compare, but this is %s", a))
		case b&ordered == 0:
			c.report(right.span, fmt.Sprintf("expected a number or a text to compare, but this is %s", b))
		case a&b&ordered == 0:
			c.report(n.span, fmt.Sprintf("%s cannot be compared with %s", a, b))
		}
		return typeTruth
	}
	c.want(left, typeNumber, "beside "+n.name)
	c.want(right, typeNumber, "beside "+n.name)
	return typeNumber
}

func (c *checker) name(n *node) types {
	if slices.Contains(c.bound, n.name) {
		return typeAny
	}
	names := localNames
	if c.global {
		names = globalNames
	}
	if slices.Contains(names, n.name) {
		return nameTypes[n.name]
	}
	d := source.Diagnostic{Code: "team.name-unknown", Span: n.span, Message: fmt.Sprintf("unknown name %q (expected %s)", n.name, strings.Join(append(slices.Clone(c.bound), names...), ", "))}
	if near := source.Nearest(n.name, append(slices.Clone(c.bound), names...)); near != "" {
		d.Message = fmt.Sprintf("unknown name %q; did you mean %q?", n.name, near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: n.span, Text: near}}}}
	}
	c.found = append(c.found, d)
	return typeAny
}

func (c *checker) call(n *node) types {
	f := functionOf(n.name)
	if f.name == "of" && !c.global {
		c.report(n.span, "of is allowed only in :global: a local check has no results of executors")
	}
	if f.name == "has" && !n.of[0].isPath() {
		c.report(n.of[0].span, "has expects a path, such as result.price")
	}
	c.want(n.of[0], f.first, "in "+f.name)
	if len(n.of) == 2 {
		if n.variable != "" {
			if slices.Contains(c.bound, n.variable) || nameTypes[n.variable] != 0 {
				c.report(n.of[1].span, fmt.Sprintf("%q is already defined; rename the variable", n.variable))
			}
			c.bound = append(c.bound, n.variable)
			defer func() { c.bound = c.bound[:len(c.bound)-1] }()
		}
		c.want(n.of[1], f.second, "in "+f.name)
	}
	return f.gives
}

// isPath reports whether a part is a path into a value.
func (n *node) isPath() bool {
	switch n.kind {
	case kindName:
		return true
	case kindMember, kindIndex:
		return n.of[0].isPath()
	}
	return false
}

// Names returns the names of values in a check.
func Names(global bool) []string {
	if global {
		return slices.Clone(globalNames)
	}
	return slices.Clone(localNames)
}
