package mcp

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// mirrored is an argument that requests repeat in a header, so that proxies can route by it
// (revision 2026-07-28, "Custom Headers from Tool Parameters").
type mirrored struct {
	header string
	path   []string // of properties, from the arguments
}

// mirrorKeyword is the keyword of JSON Schemas that names the header of an argument.
const mirrorKeyword = "x-mcp-header"

// mirroredIn returns the arguments that a schema mirrors. said is the reason why clients have to
// reject the tool, or "".
func mirroredIn(schema json.RawMessage) (found []mirrored, said string) {
	if !strings.Contains(string(schema), mirrorKeyword) {
		return nil, ""
	}
	tree, fault := json.Tree(string(schema))
	if fault != nil {
		return nil, "its schema is not JSON: " + fault.Message
	}
	r := &mirrorReader{}
	r.read(tree, nil, true)
	return r.found, r.said
}

// mirrorReader collects the annotations of a schema.
type mirrorReader struct {
	found []mirrored
	said  string
}

// read reads a schema. Only a chain of properties reaches an argument; path is that chain.
func (r *mirrorReader) read(n *json.Node, path []string, reached bool) {
	for _, item := range n.Items {
		r.read(item, nil, false)
	}
	for _, m := range n.Members {
		switch m.Key {
		case mirrorKeyword:
			if said := r.add(n, m.Value, path, reached); said != "" && r.said == "" {
				r.said = fmt.Sprintf("%s %q %s", mirrorKeyword, phrase.Shorten(m.Value.Text, 40), said)
			}
		case "properties":
			for _, p := range m.Value.Members {
				r.read(p.Value, append(slices.Clip(path), p.Key), reached)
			}
		case "default", "const", "enum", "examples": // values, not schemas
		default:
			r.read(m.Value, nil, false)
		}
	}
}

// add adds an annotation, or returns the rule that it violates.
func (r *mirrorReader) add(schema, name *json.Node, path []string, reached bool) string {
	kinds, _ := schema.Get("type")
	header := "Mcp-Param-" + name.Text
	switch {
	case !reached || len(path) == 0:
		return "is on a value that only a list or a reference can reach"
	case name.Kind != '"' || !isToken(name.Text):
		return "is not a valid header name"
	case !isMirrorable(kinds):
		return "is on a value that is not a string, an integer or a boolean"
	case slices.ContainsFunc(r.found, func(m mirrored) bool { return strings.EqualFold(m.header, header) }):
		return "occurs twice"
	}
	r.found = append(r.found, mirrored{header, path})
	return ""
}

// isMirrorable reports whether values of a type can be in a header.
func isMirrorable(kinds *json.Node) bool {
	switch kinds.Text {
	case "string", "integer", "boolean":
		return true
	}
	for _, k := range kinds.Items {
		if k.Text != "null" && !isMirrorable(k) {
			return false
		}
	}
	return len(kinds.Items) > 0
}

// isToken reports whether text is a token (RFC 9110, section 5.6.2).
func isToken(text string) bool {
	for _, c := range text {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", c) {
			return false
		}
	}
	return text != ""
}

// headerValue encodes a text for a header (revision 2026-07-28, "Value Encoding"). An empty text
// is encoded too, because proxies and servers drop empty headers.
func headerValue(text string) string {
	plain := text != "" && text == strings.TrimSpace(text) && !strings.HasPrefix(text, "=?base64?")
	for i := range len(text) {
		plain = plain && text[i] >= ' ' && text[i] <= '~'
	}
	if plain {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// safeInteger returns the decimal form of a JSON number that is an integer and exact as a
// float64.
func safeInteger(text string) (string, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f < -(1<<53-1) || f > 1<<53-1 || f != float64(int64(f)) {
		return "", false
	}
	return strconv.FormatInt(int64(f), 10), true
}
