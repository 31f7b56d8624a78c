// Package openapi turns the operations of an OpenAPI 3 description into tools.
//
// It reads servers and paths; the other parts of a description do not matter for a call.
// References are expanded, because a tool's schema must be self-contained; a schema that contains
// itself becomes a definition ($defs).
package openapi

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/schema"
	"github.com/stile-playground/stile/core/tool/web"
)

// MaxOperations and the other constants are the limits of a description.
const (
	MaxOperations  = 200     // operations that become tools
	maxSchemaNodes = 4_000   // nodes of an operation's schemas with expanded references
	maxSchemaDepth = 60      // levels of objects, lists and references in such a schema
	maxRequest     = 1 << 20 // bytes of a request body
)

// Server returns the address of a description's first server, and its node for diagnostics.
func Server(root *json.Node) (string, *json.Node) { return (&description{root: root}).server() }

// Operations returns the operations of a description whose name only accepts, at the
// address of a server. report receives the faults.
func Operations(root *json.Node, remote web.Remote, only func(name string) bool, report func(at *json.Node, code, message string)) []*Operation {
	return (&description{root: root, report: report}).operations(remote, only)
}

// description reads servers and paths of an OpenAPI 3 description.
type description struct {
	root   *json.Node
	report func(at *json.Node, code, message string)
}

// deref follows references within the description.
func (d *description) deref(n *json.Node) *json.Node {
	for range 8 {
		ref, ok := n.Get("$ref")
		if !ok {
			return n
		}
		target, found := schema.Pointer(d.root, ref.Text)
		if !found {
			d.report(ref, "agent-tools.reference", fmt.Sprintf("unknown reference %q; references within the description begin with #/", ref.Text))
			return jsonfile.Absent
		}
		n = target
	}
	return jsonfile.Absent
}

// operations returns the operations that only accepts, at the address of a server.
func (d *description) operations(remote web.Remote, only func(name string) bool) []*Operation {
	var out []*Operation
	paths, ok := d.root.Get("paths")
	if !ok || paths.Kind != '{' {
		d.report(d.root, "agent-tools.openapi", `missing "paths" of an OpenAPI description: {"/forecast": {"get": {…}}}`)
		return nil
	}
	for _, p := range paths.Members {
		if !strings.HasPrefix(p.Key, "/") {
			d.report(&json.Node{At: p.At}, "agent-tools.openapi", "expected / at the beginning of a path")
			continue
		}
		item := d.deref(p.Value)
		common, _ := item.Get("parameters")
		for _, method := range []string{"get", "put", "post", "delete", "head", "patch"} {
			op, ok := item.Get(method)
			if !ok {
				continue
			}
			if !only(operationName(p.Key, method, op)) {
				continue
			}
			t := d.operation(p.Key, method, op, common)
			if t == nil {
				continue
			}
			if len(out) == MaxOperations {
				d.report(op, "agent-tools.many", fmt.Sprintf("too many operations: the first %d become tools; name the others in \"only\"", MaxOperations))
				return out
			}
			t.Remote = remote
			out = append(out, t)
		}
	}
	return out
}

// operationName returns the operationId, or a name made of method and path.
func operationName(path, method string, op *json.Node) string {
	if name := op.TextOf("operationId"); name != "" {
		return name
	}
	return wordsOf(method + " " + path)
}

// operation reads an operation; nil if it cannot be called.
func (d *description) operation(path, method string, op, common *json.Node) *Operation {
	t := &Operation{HTTPMethod: strings.ToUpper(method), Path: path, name: operationName(path, method, op)}
	if t.description = op.TextOf("summary"); op.TextOf("description") != "" {
		t.description = strings.TrimPrefix(t.description+"\n"+op.TextOf("description"), "\n")
	}
	schemas := &inliner{description: d}
	var properties, required []string
	add := func(name, schema string, isRequired bool) {
		properties = append(properties, jsonfile.Quoted(name)+":"+schema)
		if isRequired {
			required = append(required, jsonfile.Quoted(name))
		}
	}
	seen := map[string]bool{}
	own, _ := op.Get("parameters")
	for _, n := range d.ordered(own.Items, common.Items) {
		p := parameter{name: n.TextOf("name"), in: n.TextOf("in")}
		if seen[p.in+" "+p.name] {
			continue // the operation's parameter replaces the path's
		}
		seen[p.in+" "+p.name] = true
		if !p.read(n) {
			if p.in != "header" && p.in != "cookie" {
				d.report(n, "agent-tools.parameter", `a parameter has a "name" and is "in" the "path", the "query" or a "header"`)
			}
			continue
		}
		p.argument = p.name
		for _, other := range t.parameters {
			if other.argument == p.argument {
				p.argument = p.in + "_" + p.name
			}
		}
		schema, _ := n.Get("schema")
		isRequired, _ := n.Get("required")
		text := schemas.inline(schema, n.TextOf("description"))
		add(p.argument, text, isRequired.Kind == 't' || p.in == "path")
		t.parameters = append(t.parameters, p)
	}
	for _, name := range templateNames(path) {
		if !seen["path "+name] {
			t.parameters = append(t.parameters, parameter{name: name, argument: name, in: "path"})
			add(name, `{"type":"string"}`, true)
		}
	}
	whole := ""
	if raw, ok := op.Get("requestBody"); ok {
		body := d.deref(raw)
		content, _ := body.Get("content")
		media, schema := pickMedia(content)
		if media == "" {
			d.report(raw, "agent-tools.body", "unsupported request body, so the operation is left out; expected application/json, a form or text")
			return nil
		}
		t.body = &requestBody{media: media}
		isRequired, _ := body.Get("required")
		inlined := schemas.inline(schema, body.TextOf("description"))
		if resolved := d.deref(schema); len(t.parameters) == 0 && resolved.TextOf("type") == "object" && isRequired.Kind == 't' {
			whole = inlined
		} else {
			t.body.argument = "body"
			add("body", inlined, isRequired.Kind == 't')
		}
	}
	if whole == "" {
		whole = `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
		if len(required) > 0 {
			whole += `,"required":[` + strings.Join(required, ",") + `]`
		}
		whole += `,"additionalProperties":false}`
	}
	whole = schemas.withDefinitions(whole)
	if schemas.large {
		d.report(op, "agent-tools.schema", fmt.Sprintf("the schemas of the arguments have more than %d parts or %d levels, so the operation is left out", maxSchemaNodes, maxSchemaDepth))
		return nil
	}
	if len(whole) > schema.MaxSize {
		d.report(op, "agent-tools.schema", fmt.Sprintf("the schema of the arguments has %s; the maximum is %s", phrase.Bytes(len(whole)), phrase.Bytes(schema.MaxSize)))
		return nil
	}
	t.schema = json.RawMessage(whole)
	return t
}

// ordered returns the parameters in the path, then the others; in both groups, those of the
// operation precede those common to the operations of the path. An earlier parameter keeps
// its name if a later one has the same.
func (d *description) ordered(own, common []*json.Node) []*json.Node {
	var first, rest []*json.Node
	for _, n := range append(append([]*json.Node{}, own...), common...) {
		switch n = d.deref(n); {
		case n.Kind == 0: // reported already
		case n.TextOf("in") == "path":
			first = append(first, n)
		default:
			rest = append(rest, n)
		}
	}
	return append(first, rest...)
}

// read reads a parameter's location and style. It returns false for a parameter that is not
// sent: OpenAPI describes some headers elsewhere, and browsers control others.
func (p *parameter) read(n *json.Node) (ok bool) {
	explode, given := n.Get("explode")
	p.explode = given && explode.Kind == 't'
	style := n.TextOf("style")
	switch p.in {
	case "path":
	case "query":
		p.explode = p.explode || !given
		p.deep = style == "deepObject"
	case "header":
		switch strings.ToLower(p.name) {
		case "accept", "content-type", "authorization", "cookie", "host", "origin", "referer", "content-length", "connection", "proxy-authorization":
			return false
		}
		if strings.ContainsFunc(p.name, func(c rune) bool { return c <= ' ' || c > '~' || c == ':' }) {
			return false
		}
	default:
		return false
	}
	return p.name != ""
}

// pickMedia returns the media type of the request body and its schema.
func pickMedia(content *json.Node) (media string, schema *json.Node) {
	for _, wanted := range []func(string) bool{
		func(m string) bool {
			return m == mediaJSON || strings.HasPrefix(m, mediaJSON+";") || strings.HasSuffix(m, "+json")
		},
		func(m string) bool { return m == mediaForm },
		func(m string) bool { return strings.HasPrefix(m, "text/") },
	} {
		for _, m := range content.Members {
			if wanted(m.Key) && !strings.ContainsFunc(m.Key, func(c rune) bool { return c < ' ' || c > '~' }) {
				schema, _ := m.Value.Get("schema")
				return m.Key, schema
			}
		}
	}
	return "", jsonfile.Absent
}

// server returns the address of the first server, its variables replaced by their defaults.
func (d *description) server() (string, *json.Node) {
	servers, _ := d.root.Get("servers")
	if len(servers.Items) == 0 {
		return "", d.root
	}
	first := servers.Items[0]
	url := first.TextOf("url")
	variables, _ := first.Get("variables")
	for _, v := range variables.Members {
		url = strings.ReplaceAll(url, "{"+v.Key+"}", v.Value.TextOf("default"))
	}
	at, _ := first.Get("url")
	if at.Kind == 0 {
		at = first
	}
	return url, at
}

// templateNames lists the names in the braces of a path.
func templateNames(path string) []string {
	var out []string
	for {
		_, rest, found := strings.Cut(path, "{")
		if !found {
			return out
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return out
		}
		out = append(out, name)
		path = after
	}
}

// wordsOf converts a text to a name: "get /pets/{id}" becomes get_pets_id.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c > '~' || !jsonfile.IsWord(byte(c)) || c == '.' || c == '+' }), "_")
}
