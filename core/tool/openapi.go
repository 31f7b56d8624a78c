package tool

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
)

// Limits of what is taken from an OpenAPI description.
const (
	maxOperations  = 200     // that become tools
	maxSchemaSize  = 32_000  // bytes of a schema with its references written out
	maxSchemaNodes = 4_000   // values of such a schema
	maxRequest     = 1 << 20 // bytes of a body that a model may send
)

// operationTool is an operation of an OpenAPI description as a tool.
type operationTool struct {
	Remote
	name, description string
	schema            json.RawMessage
	method            string
	path              string // a template: "/pets/{id}"
	parameters        []parameter
	body              *requestBody
}

// parameter is an argument that goes into the path, the query or a header.
type parameter struct {
	name     string // on the wire
	argument string // in the arguments
	in       string // "path", "query" or "header"
	explode  bool
	deep     bool // style deepObject
}

// requestBody is what is sent.
type requestBody struct {
	media    string
	argument string // "" where all the arguments are the body
}

// Name implements [Callable].
func (t *operationTool) Name() string { return t.name }

// Description implements [Callable].
func (t *operationTool) Description() string { return t.description }

// Schema implements [Callable].
func (t *operationTool) Schema() json.RawMessage { return t.schema }

// Call implements [Callable].
func (t *operationTool) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	args, said := readTree(string(arguments), "")
	if said != nil {
		return "", faultf(CodeArguments, "arguments: %s", said.Message)
	}
	h, err := t.encode(args)
	if err != nil {
		return "", err
	}
	value, err := fetch(env, h)
	var fault *CallFault
	if errors.As(err, &fault) && fault.Code == CodeLong {
		// The beginning is what a model would have been given anyway.
		return strings.TrimSpace(bodyText("", value.Body)), nil
	}
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(bodyText(value.Headers["content-type"], value.Body))
	if text == "" {
		return fmt.Sprintf("(status %d, nothing said)", value.Status), nil
	}
	return text, nil
}

// encode makes the request of arguments. What a model writes cannot leave the
// place it is meant for: values are percent-encoded, a path's cannot be empty or
// lead to another path, and a header's cannot have line breaks.
func (t *operationTool) encode(args *node) (process.HTTP, error) {
	h := t.request(t.method, "")
	path := t.path
	var pairs [][2]string
	headers := map[string]string{}
	for _, p := range t.parameters {
		v, given := args.Get(p.argument)
		if !given || v.Kind == 'n' {
			if p.in == "path" {
				return h, faultf(CodeArguments, "%s: is missing", within("arguments", p.argument))
			}
			continue
		}
		switch p.in {
		case "path":
			text := strings.Join(listed(v), ",")
			if text == "" || text == "." || text == ".." {
				return h, faultf(CodeArguments, "%s: %q cannot be part of an address", within("arguments", p.argument), text)
			}
			path = strings.ReplaceAll(path, "{"+p.name+"}", percentEncoded(text))
		case "query":
			pairs = append(pairs, p.query(v)...)
		case "header":
			text := strings.Join(listed(v), ",")
			if strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) >= 0 {
				return h, faultf(CodeArguments, "%s: a header has only letters, digits and signs of ASCII", within("arguments", p.argument))
			}
			headers[p.name] = text
		}
	}
	h.URL = withQuery(strings.TrimRight(t.URL, "/")+path, query(pairs))
	if err := t.encodeBody(args, &h, headers); err != nil {
		return h, err
	}
	if len(headers) > 0 {
		h.Headers = headers
	}
	return h, nil
}

func (t *operationTool) encodeBody(args *node, h *process.HTTP, headers map[string]string) error {
	if t.body == nil {
		return nil
	}
	v := args
	if t.body.argument != "" {
		var given bool
		if v, given = args.Get(t.body.argument); !given {
			return nil
		}
	}
	headers["Content-Type"] = t.body.media
	switch {
	case strings.Contains(t.body.media, "json"):
		h.Body = compact(v)
	case t.body.media == mediaForm:
		var pairs [][2]string
		for _, m := range v.Members {
			pairs = append(pairs, parameter{name: m.Key, explode: true}.query(m.Value)...)
		}
		h.Body = query(pairs)
	default:
		h.Body = strings.Join(listed(v), ",")
	}
	if len(h.Body) > maxRequest {
		return faultf(CodeArguments, "the arguments take %s; at most %s are sent", bytesOf(len(h.Body)), bytesOf(maxRequest))
	}
	return nil
}

// query writes an argument as a query's pairs: the styles form and deepObject
// (OpenAPI 3.1, section 4.8.12.6).
func (p parameter) query(v *node) [][2]string {
	switch {
	case v.Kind == '{' && p.deep:
		var out [][2]string
		for _, m := range v.Members {
			out = append(out, [2]string{p.name + "[" + m.Key + "]", strings.Join(listed(m.Value), ",")})
		}
		return out
	case v.Kind == '{' && p.explode:
		var out [][2]string
		for _, m := range v.Members {
			out = append(out, [2]string{m.Key, strings.Join(listed(m.Value), ",")})
		}
		return out
	case v.Kind == '[' && p.explode:
		var out [][2]string
		for _, item := range v.Items {
			out = append(out, [2]string{p.name, strings.Join(listed(item), ",")})
		}
		return out
	}
	return [][2]string{{p.name, strings.Join(listed(v), ",")}}
}

// listed returns the texts of a value: of a list its items', of an object its
// names' and values' in turn.
func listed(v *node) []string {
	switch v.Kind {
	case '[':
		var out []string
		for _, item := range v.Items {
			out = append(out, plainText(item))
		}
		return out
	case '{':
		var out []string
		for _, m := range v.Members {
			out = append(out, m.Key, plainText(m.Value))
		}
		return out
	}
	return []string{plainText(v)}
}

// plainText returns a string's text, and any other value as JSON.
func plainText(v *node) string {
	if v.Kind == '"' {
		return v.Text
	}
	return compact(v)
}

const (
	mediaJSON = "application/json"
	mediaForm = "application/x-www-form-urlencoded"
)

// description reads an OpenAPI 3 description, of which a part is enough: servers
// and paths.
type description struct {
	root   *node
	report func(at *node, code, message string)
}

// deref follows a reference within the description.
func (d *description) deref(n *node) *node {
	for range 8 {
		ref, ok := n.Get("$ref")
		if !ok {
			return n
		}
		target, found := pointer(d.root, ref.Text)
		if !found {
			d.report(ref, "agent-tools.reference", fmt.Sprintf("there is nothing at %q; references within the description begin with #/", ref.Text))
			return absent
		}
		n = target
	}
	return absent
}

// tools returns the operations as tools of a server.
func (d *description) tools(remote Remote, only func(name string) bool) []*operationTool {
	var out []*operationTool
	paths, ok := d.root.Get("paths")
	if !ok || paths.Kind != '{' {
		d.report(d.root, "agent-tools.openapi", `an OpenAPI description has "paths": {"/forecast": {"get": {…}}}`)
		return nil
	}
	for _, p := range paths.Members {
		if !strings.HasPrefix(p.Key, "/") {
			d.report(&node{At: p.At}, "agent-tools.openapi", "a path begins with /")
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
			if len(out) == maxOperations {
				d.report(op, "agent-tools.many", fmt.Sprintf("only %d operations become tools; name those that are wanted in \"only\"", maxOperations))
				return out
			}
			t.Remote = remote
			out = append(out, t)
		}
	}
	return out
}

// operationName returns the name that an operation gives itself, or one made of
// its method and path.
func operationName(path, method string, op *node) string {
	if name := op.TextOf("operationId"); name != "" {
		return name
	}
	return wordsOf(method + " " + path)
}

// operation reads an operation; nil where it cannot be called.
func (d *description) operation(path, method string, op, common *node) *operationTool {
	t := &operationTool{method: strings.ToUpper(method), path: path, name: operationName(path, method, op)}
	if t.description = op.TextOf("summary"); op.TextOf("description") != "" {
		t.description = strings.TrimPrefix(t.description+"\n"+op.TextOf("description"), "\n")
	}
	var properties, required []string
	add := func(name, schema string, isRequired bool) {
		properties = append(properties, quoted(name)+":"+schema)
		if isRequired {
			required = append(required, quoted(name))
		}
	}
	seen := map[string]bool{}
	own, _ := op.Get("parameters")
	for _, n := range d.ordered(own.Items, common.Items) {
		p := parameter{name: n.TextOf("name"), in: n.TextOf("in")}
		if seen[p.in+" "+p.name] {
			continue // an operation's own replaces the path's
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
		text := d.inline(schema, n.TextOf("description"))
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
			d.report(raw, "agent-tools.body", "a body is sent as application/json, as a form or as text/plain; this one is none of them, so the operation is left out")
			return nil
		}
		t.body = &requestBody{media: media}
		isRequired, _ := body.Get("required")
		inlined := d.inline(schema, body.TextOf("description"))
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
	if len(whole) > maxSchemaSize {
		d.report(op, "agent-tools.schema", fmt.Sprintf("the schema of the arguments takes %s; at most %s are taken", bytesOf(len(whole)), bytesOf(maxSchemaSize)))
		return nil
	}
	t.schema = json.RawMessage(whole)
	return t
}

// ordered returns parameters, an operation's own before its path's, but first those
// that go into the path: they keep their names where others have the same.
func (d *description) ordered(own, common []*node) []*node {
	var first, rest []*node
	for _, n := range append(append([]*node{}, own...), common...) {
		switch n = d.deref(n); {
		case n.Kind == 0: // said already
		case n.TextOf("in") == "path":
			first = append(first, n)
		default:
			rest = append(rest, n)
		}
	}
	return append(first, rest...)
}

// read reads a parameter's place and style; ok is false for one that is not sent:
// OpenAPI has those headers described elsewhere, or a browser has them as its own.
func (p *parameter) read(n *node) (ok bool) {
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
		if strings.IndexFunc(p.name, func(c rune) bool { return c <= ' ' || c > '~' || c == ':' }) >= 0 {
			return false
		}
	default:
		return false
	}
	return p.name != ""
}

// pickMedia returns the kind of body that is sent, and its schema.
func pickMedia(content *node) (media string, schema *node) {
	for _, wanted := range []func(string) bool{
		func(m string) bool {
			return m == mediaJSON || strings.HasPrefix(m, mediaJSON+";") || strings.HasSuffix(m, "+json")
		},
		func(m string) bool { return m == mediaForm },
		func(m string) bool { return strings.HasPrefix(m, "text/") },
	} {
		for _, m := range content.Members {
			if wanted(m.Key) && strings.IndexFunc(m.Key, func(c rune) bool { return c < ' ' || c > '~' }) < 0 {
				schema, _ := m.Value.Get("schema")
				return m.Key, schema
			}
		}
	}
	return "", absent
}

// inline returns a schema with its references written out, for it has to stand
// alone. A schema that contains itself is open from there on.
func (d *description) inline(schema *node, note string) string {
	w := &inliner{description: d}
	out := w.schema(schema, 0)
	if w.nodes > maxSchemaNodes {
		return "{}"
	}
	if note != "" && strings.HasPrefix(out, "{") && schema.TextOf("description") == "" {
		rest := strings.TrimPrefix(out, "{")
		if rest != "}" {
			rest = "," + rest
		}
		out = `{"description":` + quoted(shorten(note, 300)) + rest
	}
	return out
}

type inliner struct {
	*description
	nodes int
	path  []string // references that are being written out
}

func (w *inliner) schema(n *node, depth int) string {
	if w.nodes++; n.Kind == 0 || depth > 20 || w.nodes > maxSchemaNodes {
		return "{}"
	}
	switch n.Kind {
	case '[':
		parts := make([]string, len(n.Items))
		for i, item := range n.Items {
			parts[i] = w.schema(item, depth+1)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case '{':
	default:
		return compact(n)
	}
	if ref, ok := n.Get("$ref"); ok && ref.Kind == '"' {
		if contains(w.path, ref.Text) {
			return "{}"
		}
		target, found := pointer(w.root, ref.Text)
		if !found {
			w.report(ref, "agent-tools.reference", fmt.Sprintf("there is nothing at %q; references within the description begin with #/", ref.Text))
			return "{}"
		}
		w.path = append(w.path, ref.Text)
		out := w.schema(target, depth+1)
		w.path = w.path[:len(w.path)-1]
		return out
	}
	var parts []string
	for _, m := range n.Members {
		switch m.Key {
		case "example", "examples", "xml", "externalDocs", "discriminator", "deprecated", "$schema", "$id":
			continue // of no use to a model
		}
		parts = append(parts, quoted(m.Key)+":"+w.schema(m.Value, depth+1))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// wordsOf makes a name of a text: "get /pets/{id}" becomes get_pets_id.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c > '~' || !isWord(byte(c)) || c == '.' || c == '+' }), "_")
}

// templateNames lists the names in braces of a path.
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

// server returns the address of a description's first server, its variables
// replaced by their defaults.
func (d *description) server() (string, *node) {
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
