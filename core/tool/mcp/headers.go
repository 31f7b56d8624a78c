package mcp

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// mirrored is an argument that requests repeat in a header, so that proxies can route by it
// (revision 2026-07-28, "Custom Headers from Tool Parameters").
type mirrored struct {
	header string
	path   []string // names of properties, from the arguments object to the argument
}

// mirrorKeyword is the keyword of JSON Schemas that names the header of an argument.
const mirrorKeyword = "x-mcp-header"

// mirroredIn returns the arguments that a schema mirrors. ok is false if an annotation is not
// allowed; clients have to leave out a tool with such a schema.
func mirroredIn(schema json.RawMessage) (found []mirrored, ok bool) {
	r := &mirrorReader{ok: true}
	if tree, fault := json.Tree(string(schema)); fault == nil {
		r.read(tree, nil, true)
	} else {
		r.ok = len(schema) == 0
	}
	return r.found, r.ok
}

// mirrorReader collects the annotations of a schema.
type mirrorReader struct {
	found []mirrored
	ok    bool
}

// read reads a schema. path is the chain of properties from the arguments to the schema.
// reached is false if the schema is not at such a chain, so that it must not have an
// annotation.
func (r *mirrorReader) read(n *json.Node, path []string, reached bool) {
	for _, item := range n.Items {
		r.read(item, nil, false)
	}
	for _, m := range n.Members {
		switch m.Key {
		case mirrorKeyword:
			kinds, _ := n.Get("type")
			header := "Mcp-Param-" + m.Value.Text
			for _, f := range r.found {
				r.ok = r.ok && !strings.EqualFold(f.header, header)
			}
			r.ok = r.ok && reached && len(path) > 0 && m.Value.Kind == '"' && isToken(m.Value.Text) && isMirrorable(kinds)
			r.found = append(r.found, mirrored{header, path})
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

// isMirrorable reports whether values of a type can be in a header.
func isMirrorable(kinds *json.Node) bool {
	all := len(kinds.Items) > 0
	for _, k := range kinds.Items {
		all = all && (k.Text == "null" || isMirrorable(k))
	}
	return all || kinds.Text == "string" || kinds.Text == "integer" || kinds.Text == "boolean"
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

// headerText returns the text of an argument in a header. ok is false for a missing value, for null,
// and for a number that is no integer or not exact as a float64.
func headerText(v *json.Node) (text string, ok bool) {
	switch v.Kind {
	case 0, 'n', '{', '[':
		return "", false
	case '0':
		f, err := strconv.ParseFloat(v.Text, 64)
		if err != nil || f < -(1<<53-1) || f > 1<<53-1 || f != float64(int64(f)) {
			return "", false
		}
		return strconv.FormatInt(int64(f), 10), true
	}
	return v.Text, true
}
