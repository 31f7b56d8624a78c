package openapi

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/schema"
	"github.com/stile-playground/stile/core/tool/web"
)

// Operation is an operation of a description. It implements [tool.Callable].
type Operation struct {
	web.Remote
	name, description string
	schema            json.RawMessage
	HTTPMethod        string
	Path              string // a template: "/pets/{id}"
	parameters        []parameter
	body              *requestBody
}

// parameter is an argument in the path, the query or a header.
type parameter struct {
	name     string // in the request
	argument string // in the tool's arguments
	in       string // "path", "query" or "header"
	explode  bool
	deep     bool // style deepObject
}

// requestBody describes the body of an operation's requests.
type requestBody struct {
	media    string
	argument string // "": the arguments object is the body
}

// Name implements [tool.Callable].
func (t *Operation) Name() string { return t.name }

// Description implements [tool.Callable].
func (t *Operation) Description() string { return t.description }

// Schema implements [tool.Callable].
func (t *Operation) Schema() json.RawMessage { return t.schema }

// Call implements [tool.Callable].
func (t *Operation) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	args, said := jsonfile.Read(string(arguments), "")
	if said != nil {
		return "", tool.Faultf(tool.CodeArguments, "arguments: %s", said.Message)
	}
	h, err := t.encode(args)
	if err != nil {
		return "", err
	}
	value, err := web.Fetch(env, h)
	var fault *tool.CallFault
	if errors.As(err, &fault) && fault.Code == tool.CodeLong {
		// The model sees only the beginning of a long body.
		return strings.TrimSpace(web.Text("", value.Body)), nil
	}
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(web.Text(value.Headers["content-type"], value.Body))
	if text == "" {
		return fmt.Sprintf("(status %d, empty answer)", value.Status), nil
	}
	return text, nil
}

// encode converts arguments to a request. A model cannot escape the intended part of the
// request: values are percent-encoded, a path segment cannot be empty, "." or "..", and a
// header cannot contain line breaks.
func (t *Operation) encode(args *json.Node) (process.HTTP, error) {
	h := t.Request(t.HTTPMethod, "")
	path := t.Path
	var pairs [][2]string
	headers := map[string]string{}
	for _, p := range t.parameters {
		v, given := args.Get(p.argument)
		if !given || v.Kind == 'n' {
			if p.in == "path" {
				return h, tool.Faultf(tool.CodeArguments, "%s: is missing", schema.Within("arguments", p.argument))
			}
			continue
		}
		switch p.in {
		case "path":
			text := strings.Join(listed(v), ",")
			if text == "" || text == "." || text == ".." {
				return h, tool.Faultf(tool.CodeArguments, "%s: %q cannot be part of a path", schema.Within("arguments", p.argument), text)
			}
			path = strings.ReplaceAll(path, "{"+p.name+"}", web.Escape(text))
		case "query":
			pairs = append(pairs, p.query(v)...)
		case "header":
			text := strings.Join(listed(v), ",")
			if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) {
				return h, tool.Faultf(tool.CodeArguments, "%s: a header may only contain printable ASCII characters", schema.Within("arguments", p.argument))
			}
			headers[p.name] = text
		}
	}
	h.URL = web.WithQuery(strings.TrimRight(t.URL, "/")+path, web.Query(pairs))
	if err := t.encodeBody(args, &h, headers); err != nil {
		return h, err
	}
	if len(headers) > 0 {
		h.Headers = headers
	}
	return h, nil
}

func (t *Operation) encodeBody(args *json.Node, h *process.HTTP, headers map[string]string) error {
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
		h.Body = jsonfile.Compact(v)
	case t.body.media == mediaForm:
		var pairs [][2]string
		for _, m := range v.Members {
			pairs = append(pairs, parameter{name: m.Key, explode: true}.query(m.Value)...)
		}
		h.Body = web.Query(pairs)
	default:
		h.Body = strings.Join(listed(v), ",")
	}
	if len(h.Body) > maxRequest {
		return tool.Faultf(tool.CodeArguments, "the arguments have %s; the maximum is %s", phrase.Bytes(len(h.Body)), phrase.Bytes(maxRequest))
	}
	return nil
}

// query returns the name and value pairs of an argument in a query string, in the styles
// form and deepObject (OpenAPI 3.1, section 4.8.12.6).
func (p parameter) query(v *json.Node) [][2]string {
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

// listed returns texts: the items of a list, the alternating names and values of an object,
// or the value itself.
func listed(v *json.Node) []string {
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

// plainText returns the text of a string, and the JSON of any other value.
func plainText(v *json.Node) string {
	if v.Kind == '"' {
		return v.Text
	}
	return jsonfile.Compact(v)
}

const (
	mediaJSON = "application/json"
	mediaForm = "application/x-www-form-urlencoded"
)
