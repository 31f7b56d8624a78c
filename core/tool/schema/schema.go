// Package schema compiles JSON Schemas of arguments to programs, checks arguments by a program, and converts an
// agent's text to the arguments that a schema describes.
//
// The same program checks the calls of a run and those that a guard decides in other languages. It
// has the keywords of draft 2020-12 and of earlier drafts, and nullable of OpenAPI 3.0, except for anchors,
// references to other documents, unevaluatedProperties and unevaluatedItems. Numbers are exact decimals, and
// patterns are those expressions of ECMA-262 that RE2 has. Guards refuse other parts of a schema. The
// check of a call reads a schema as if they were absent, and [Checker.Unchecked] lists them.
package schema

import (
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

// Compile compiles the schema of a tool for the check of its calls; an empty one allows every value. The
// error is an [*Error].
func Compile(text json.RawMessage) (*Checker, error) {
	root := &json.Node{Kind: 't'}
	if len(text) > 0 {
		var fault *json.SyntaxError
		if root, fault = json.Tree(string(text)); fault != nil {
			return nil, &Error{Message: "the tool's schema is not JSON: " + fault.Message, Schema: true}
		}
	}
	program, faults := Translate("", root, root, nil)
	c, err := program.Checker()
	if err != nil {
		return nil, &Error{Message: "the tool's schema: " + err.Error(), Schema: true}
	}
	c.Unchecked = faults
	c.describe(root)
	return c, nil
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

// Within returns the path of a property: .name for a plain name, else ["name"].
func Within(path, key string) string { return path + stepTo(key, quoted) }
