// Package schema checks values against JSON Schemas and converts an agent's text to the
// arguments that a schema describes.
//
// It supports the keywords that schemas of arguments use (draft 2020-12 and earlier, and
// nullable of OpenAPI 3.0): type, properties, required, additionalProperties, items,
// prefixItems, enum, const, the bounds of numbers, strings, lists and objects, multipleOf,
// uniqueItems, allOf, anyOf, oneOf, not, if/then/else, and references within the schema.
// pattern and format are left to the server that declares them, because the core has no
// regular expressions of that dialect. A schema with patternProperties accepts any further
// property for the same reason.
package schema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
)

// MaxSize is the maximum size in bytes of a schema that a server or a description declares.
const MaxSize = 32_000

// Error is a mismatch, with its place in the value: "arguments.q: is missing".
type Error struct {
	Message string
	// Schema reports that the schema itself cannot be read, rather than the value.
	Schema bool
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Validate checks a value against a schema. The error is an [*Error].
func Validate(schema, value json.RawMessage) error {
	root, err := read(schema)
	if err != nil {
		return err
	}
	tree, fault := jsonfile.Read(string(value), "")
	if fault != nil {
		return &Error{Message: "arguments: are not JSON: " + fault.Message}
	}
	c := &check{root: root}
	if said := c.check(root, tree, "arguments", 0); said != "" {
		return &Error{Message: said}
	}
	return nil
}

// read parses a schema; an empty one allows every value.
func read(schema json.RawMessage) (*json.Node, error) {
	if len(schema) == 0 {
		return &json.Node{Kind: 't'}, nil
	}
	tree, fault := jsonfile.Read(string(schema), "")
	if fault != nil {
		return jsonfile.Absent, &Error{Message: "the tool's schema is not JSON: " + fault.Message, Schema: true}
	}
	return tree, nil
}

// Bounds of one validation. Without them, a schema whose parts refer to each other could
// cause exponentially many checks.
const (
	maxDepth = 64
	maxWork  = 50_000
)

type check struct {
	root *json.Node
	work int
}

// check returns the first mismatch of a value, or "".
func (c *check) check(schema, v *json.Node, path string, depth int) string {
	c.work++
	if depth > maxDepth || c.work > maxWork {
		return path + ": the schema is too complex to check"
	}
	if schema.Kind == 'f' {
		return path + ": is not allowed"
	}
	if schema.Kind != '{' {
		return ""
	}
	if ref, ok := schema.Get("$ref"); ok {
		target, ok := Pointer(c.root, ref.Text)
		if !ok {
			return fmt.Sprintf("%s: the schema has an unknown reference %q", path, ref.Text)
		}
		if said := c.check(target, v, path, depth+1); said != "" {
			return said
		}
	}
	if nullable, ok := schema.Get("nullable"); ok && nullable.Kind == 't' && v.Kind == 'n' {
		return ""
	}
	for _, rule := range []func(schema, v *json.Node, path string, depth int) string{
		c.checkType, c.checkEnum, c.checkBounds, c.checkObject, c.checkList, c.checkCombined,
	} {
		if said := rule(schema, v, path, depth); said != "" {
			return said
		}
	}
	return ""
}

// Pointer returns the node at a reference such as "#/a/b" (RFC 6901).
func Pointer(at *json.Node, ref string) (*json.Node, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return jsonfile.Absent, false
	}
	if path == "" {
		return at, true
	}
	if path[0] != '/' {
		return jsonfile.Absent, false
	}
	for _, step := range strings.Split(path[1:], "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(percentDecoded(step), "~1", "/"), "~0", "~")
		next, ok := at.Get(step)
		if n, err := strconv.Atoi(step); at.Kind == '[' && err == nil && n >= 0 && n < len(at.Items) {
			next, ok = at.Items[n], true
		}
		if !ok {
			return jsonfile.Absent, false
		}
		at = next
	}
	return at, true
}
