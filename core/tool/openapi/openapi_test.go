package openapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/schema"
	"github.com/stile-playground/stile/core/tool/web"
)

func tree(t *testing.T, text string) *json.Node {
	t.Helper()
	n, fault := jsonfile.Read(text, "")
	if fault != nil {
		t.Fatalf("%s: %s", text, fault.Message)
	}
	return n
}

// operations returns the operations of a description and the codes of its faults.
func operations(t *testing.T, text string) (out []*Operation, codes []string) {
	t.Helper()
	out = Operations(tree(t, text), web.Remote{URL: "https://a.example/v1/"}, func(string) bool { return true }, func(_ *json.Node, code, _ string) { codes = append(codes, code) })
	return out, codes
}

// single returns the operation of a description that has only one.
func single(t *testing.T, path, method, op string) *Operation {
	t.Helper()
	out, codes := operations(t, fmt.Sprintf(`{"paths":{%q:{%q:%s}}}`, path, method, op))
	if len(out) != 1 || len(codes) != 0 {
		t.Fatalf("%s: %d operations, %v", op, len(out), codes)
	}
	return out[0]
}

// Arguments are written in the styles of OpenAPI 3.1 (section 4.8.12).
func TestArgumentsAreEncodedByStyle(t *testing.T) {
	const list, object = `["b a","c"]`, `{"R":100,"G":"x y"}`
	for _, c := range []struct{ path, parameter, value, want string }{
		{"/x", `"in":"query"`, `"b a"`, "/x?p=b%20a"}, {"/x", `"in":"query"`, list, "/x?p=b%20a&p=c"}, {"/x", `"in":"query"`, object, "/x?R=100&G=x%20y"},
		{"/x", `"in":"query","explode":true`, list, "/x?p=b%20a&p=c"}, {"/x", `"in":"query","explode":false`, list, "/x?p=b%20a%2Cc"}, {"/x", `"in":"query","explode":false`, object, "/x?p=R%2C100%2CG%2Cx%20y"},
		{"/x", `"in":"query","style":"deepObject"`, object, "/x?p%5BR%5D=100&p%5BG%5D=x%20y"}, {"/x", `"in":"query","style":"deepObject","explode":false`, object, "/x?p%5BR%5D=100&p%5BG%5D=x%20y"}, {"/x", `"in":"query","style":"deepObject"`, list, "/x?p=b%20a&p=c"},
		{"/x", `"in":"query"`, `null`, "/x"}, {"/x", `"in":"query"`, `7`, "/x?p=7"}, {"/x", `"in":"query"`, `[[1,2]]`, "/x?p=1%2C2"}, {"/x", `"in":"query"`, `[]`, "/x"},
		{"/x/{p}/y", `"in":"path"`, `"b a"`, "/x/b%20a/y"}, {"/x/{p}", `"in":"path"`, list, "/x/b%20a%2Cc"}, {"/x/{p}", `"in":"path"`, object, "/x/R%2C100%2CG%2Cx%20y"}, {"/x/{p}", `"in":"path"`, `"/../"`, "/x/%2F..%2F"}, {"/x/{p}/{p}", `"in":"path"`, `1`, "/x/1/1"},
		{"/x/{p}", `"in":"path"`, `""`, ""}, {"/x/{p}", `"in":"path"`, `"."`, ""}, {"/x/{p}", `"in":"path"`, `".."`, ""}, {"/x/{p}", `"in":"path"`, `"..."`, "/x/..."}, {"/x/{p}", `"in":"path"`, `null`, ""}, {"/x/{p}", `"in":"path"`, `[]`, ""},
	} {
		o := single(t, c.path, "get", `{"parameters":[{"name":"p",`+c.parameter+`}]}`)
		h, err := o.encode(tree(t, `{"p":`+c.value+`}`))
		var fault *tool.CallFault
		if (err != nil) != (c.want == "") || err != nil && !(errors.As(err, &fault) && fault.Code == tool.CodeArguments) || err == nil && h.URL != "https://a.example/v1"+c.want {
			t.Errorf("%s of %s: %s, %v", c.value, c.parameter, h.URL, err)
		}
	}
	o := single(t, "/x/{p}", "get", `{"parameters":[{"name":"q","in":"query"}]}`)
	if _, err := o.encode(tree(t, `{"q":1}`)); err == nil || err.Error() != "arguments.p: is missing" {
		t.Error(err)
	}
}

// A header has printable ASCII only, so that an argument cannot add another header.
func TestHeadersArePrintable(t *testing.T) {
	o := single(t, "/x", "get", `{"parameters":[{"name":"X-A","in":"header"}]}`)
	for c := range rune(300) {
		value := jsonfile.Quoted("a" + string(c))
		h, err := o.encode(tree(t, `{"X-A":`+value+`}`))
		if want := c >= ' ' && c <= '~'; (err == nil) != want || want && h.Headers["X-A"] != "a"+string(c) {
			t.Errorf("%s: %v %v", value, h.Headers, err)
		}
	}
	if h, err := o.encode(tree(t, `{"X-A":["a",1]}`)); err != nil || h.Headers["X-A"] != "a,1" {
		t.Errorf("%v %v", h.Headers, err)
	}
	if h, err := o.encode(tree(t, `{}`)); err != nil || h.Headers != nil {
		t.Errorf("%v %v", h.Headers, err)
	}
	for c := range rune(300) {
		name := "a" + string(c)
		p := parameter{name: name, in: "header"}
		if got, want := p.read(tree(t, `{}`)), c > ' ' && c <= '~' && c != ':'; got != want {
			t.Errorf("a header %q is sent: %v", name, got)
		}
		if first := (&parameter{name: string(c), in: "header"}).read(tree(t, `{}`)); first != (c > ' ' && c <= '~' && c != ':') {
			t.Errorf("a header %q is sent: %v", string(c), first)
		}
	}
	for _, name := range []string{"Accept", "content-type", "AUTHORIZATION", "Cookie", "Host", "Origin"} {
		if (&parameter{name: name, in: "header"}).read(tree(t, `{}`)) {
			t.Errorf("the header %s is sent", name)
		}
	}
	for _, c := range []struct {
		in, name string
		want     bool
	}{{"query", "a", true}, {"query", "", false}, {"path", "a", true}, {"path", "", false}, {"cookie", "a", false}, {"", "a", false}} {
		if got := (&parameter{name: c.name, in: c.in}).read(tree(t, `{}`)); got != c.want {
			t.Errorf("%q in %q: %v", c.name, c.in, got)
		}
	}
}

func TestBodiesAreEncodedByMedia(t *testing.T) {
	for _, c := range []struct{ media, schema, arguments, contentType, body string }{
		{"application/json", `{"type":"object"}`, `{"a": [1, "b"]}`, "application/json", `{"a":[1,"b"]}`},
		{"application/json; charset=utf-8", `{"type":"array"}`, `{"body": [1, 2]}`, "application/json; charset=utf-8", `[1,2]`},
		{"application/problem+json", `{"type":"object"}`, `{}`, "application/problem+json", `{}`},
		{"application/x-www-form-urlencoded", `{"type":"object"}`, `{"a b": "c&d", "l": [1, 2]}`, "application/x-www-form-urlencoded", "a%20b=c%26d&l=1&l=2"},
		{"text/plain", `{"type":"string"}`, `{"body": "hi there"}`, "text/plain", "hi there"},
		{"text/csv", `{"type":"array"}`, `{"body": [1, "b"]}`, "text/csv", "1,b"},
		{"application/json", `{"type":"array"}`, `{}`, "", ""},
	} {
		o := single(t, "/x", "post", `{"requestBody":{"required":true,"content":{"`+c.media+`":{"schema":`+c.schema+`}}}}`)
		h, err := o.encode(tree(t, c.arguments))
		if err != nil || h.Body != c.body || h.Headers["Content-Type"] != c.contentType || h.Method != "POST" {
			t.Errorf("%s of %s: %q %v %v", c.arguments, c.media, h.Body, h.Headers, err)
		}
	}
	o := single(t, "/x", "post", `{"requestBody":{"content":{"text/plain":{}}}}`)
	for n, ok := range map[int]bool{maxRequest: true, maxRequest + 1: false} {
		h, err := o.encode(tree(t, `{"body":"`+strings.Repeat("a", n)+`"}`))
		if (err == nil) != ok || len(h.Body) != n {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for media, want := range map[string]string{"image/png": "", "application/jsonx": "", "application/json": "application/json", "text/a\u0080": "", "text/a\u007f": "", "text/~": "text/~", "text/a b": "text/a b", "text/\u001f": ""} {
		if got, _ := pickMedia(tree(t, `{`+jsonfile.Quoted(media)+`:{}}`)); got != want {
			t.Errorf("%q: %q", media, got)
		}
	}
	if got, _ := pickMedia(tree(t, `{"text/plain":{},"application/x-www-form-urlencoded":{},"application/json":{}}`)); got != "application/json" {
		t.Error(got)
	}
}

// The schema of the arguments has every parameter once: the operation's before the path's.
func TestSchemasOfArguments(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", `{"paths":{"/x":{"get":{}}}}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"required", `{"paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query","required":true,"schema":{"type":"integer"}},{"name":"b","in":"query"}]}}}}`, `{"type":"object","properties":{"a":{"type":"integer"},"b":{}},"required":["a"],"additionalProperties":false}`},
		{"a name of the template", `{"paths":{"/x/{id}/{k}":{"get":{}}}}`, `{"type":"object","properties":{"id":{"type":"string"},"k":{"type":"string"}},"required":["id","k"],"additionalProperties":false}`},
		{"the path's", `{"paths":{"/x/{id}":{"parameters":[{"name":"id","in":"path","schema":{"type":"integer"}},{"name":"q","in":"query"}],"get":{"parameters":[{"name":"q","in":"query","schema":{"type":"string"}}]}}}}`, `{"type":"object","properties":{"id":{"type":"integer"},"q":{"type":"string"}},"required":["id"],"additionalProperties":false}`},
		{"one name in two places", `{"paths":{"/x/{id}":{"get":{"parameters":[{"name":"id","in":"query"},{"name":"id","in":"path"}]}}}}`, `{"type":"object","properties":{"id":{},"query_id":{}},"required":["id"],"additionalProperties":false}`},
		{"a description", `{"paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query","description":"A.","schema":{}},{"name":"b","in":"query","description":"B.","schema":{"type":"string"}},{"name":"c","in":"query","description":"C.","schema":{"description":"D."}}]}}}}`, `{"type":"object","properties":{"a":{"description":"A."},"b":{"description":"B.","type":"string"},"c":{"description":"D."}},"additionalProperties":false}`},
		{"an object as the body", `{"paths":{"/x":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"a":{}},"example":1}}}}}}}}`, `{"type":"object","properties":{"a":{}}}`},
		{"a body that may be missing", `{"paths":{"/x":{"post":{"requestBody":{"content":{"application/json":{"schema":{"type":"object"}}}}}}}}`, `{"type":"object","properties":{"body":{"type":"object"}},"additionalProperties":false}`},
		{"a body and a parameter", `{"paths":{"/x/{id}":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}}}}}}`, `{"type":"object","properties":{"id":{"type":"string"},"body":{"type":"object"}},"required":["id","body"],"additionalProperties":false}`},
		{"references", `{"paths":{"/x":{"get":{"parameters":[{"$ref":"#/p"}]}}},"p":{"name":"a","in":"query","schema":{"$ref":"#/s"}},"s":{"items":{"$ref":"#/t"},"allOf":[{"$ref":"#/t"}]},"t":{"type":"string"}}`, `{"type":"object","properties":{"a":{"items":{"type":"string"},"allOf":[{"type":"string"}]}},"additionalProperties":false}`},
		{"a recursive reference", `{"paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query","schema":{"$ref":"#/s"}}]}}},"s":{"items":{"$ref":"#/s"}}}`, `{"type":"object","properties":{"a":{"items":{"$ref":"#/$defs/s"}}},"additionalProperties":false,"$defs":{"s":{"items":{"$ref":"#/$defs/s"}}}}`},
		{"keywords next to a reference in 3.0, which ignores them", `{"openapi":"3.0.3","paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query","schema":{"$ref":"#/s","minimum":3}}]}}},"s":{"type":"integer"}}`, `{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}`},
	} {
		out, codes := operations(t, c.text)
		if len(out) != 1 || len(codes) > 0 || string(out[0].Schema()) != c.want {
			t.Errorf("%s: %v %s", c.name, codes, out[0].Schema())
		}
	}
}

// Every limit of a description is exact.
func TestLimitsOfDescriptions(t *testing.T) {
	paths := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(`"/%d":{"get":{}}`, i))
		}
		return `{"paths":{` + strings.Join(parts, ",") + `}}`
	}
	if out, codes := operations(t, paths(MaxOperations)); len(out) != MaxOperations || len(codes) > 0 {
		t.Errorf("%d operations, %v", len(out), codes)
	}
	if out, codes := operations(t, paths(MaxOperations+1)); len(out) != MaxOperations || !slices.Equal(codes, []string{"agent-tools.many"}) {
		t.Errorf("%d operations, %v", len(out), codes)
	}
	parameter := func(schema string) string {
		return `{"paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query","schema":` + schema + `}]}}}}`
	}
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	for n, full := range map[int]bool{maxSchemaNodes - 1: true, maxSchemaNodes: false} { // the schema counts, too
		out, codes := operations(t, parameter(`{"enum":`+list(n)+`}`))
		if (len(out) == 1) != full || slices.Equal(codes, []string{"agent-tools.schema"}) == full {
			t.Errorf("%d nodes: %d operations, %v", n, len(out), codes)
		}
	}
	long := func(n int) string { return parameter(`{"title":"` + strings.Repeat("a", n) + `"}`) }
	out, _ := operations(t, long(0))
	rest := 32_000 - len(out[0].Schema())
	if out, codes := operations(t, long(rest)); len(out) != 1 || len(codes) > 0 {
		t.Errorf("%d operations, %v", len(out), codes)
	}
	if out, codes := operations(t, long(rest+1)); len(out) != 0 || !slices.Equal(codes, []string{"agent-tools.schema"}) {
		t.Errorf("%d operations, %v", len(out), codes)
	}
}

func TestNamesAndServers(t *testing.T) {
	if o := single(t, "/pets/{id}.json", "get", `{}`); o.Name() != "get_pets_id_json" || o.Description() != "" || o.HTTPMethod != "GET" {
		t.Errorf("%+v", o)
	}
	for op, want := range map[string]string{`{"summary":"A","description":"B"}`: "A\nB", `{"description":"B"}`: "B", `{"summary":"A"}`: "A", `{"operationId":"x"}`: ""} {
		if o := single(t, "/p", "get", op); o.Description() != want {
			t.Errorf("%s: %q", op, o.Description())
		}
	}
	for text, want := range map[string]string{
		`{}`: "", `{"servers":[]}`: "", `{"servers":[{"url":"https://a"},{"url":"https://b"}]}`: "https://a",
		`{"servers":[{"url":"https://{h}/{v}","variables":{"h":{"default":"x"},"v":{"default":"1"}}}]}`: "https://x/1", `{"servers":[{}]}`: "",
	} {
		if got, at := Server(tree(t, text)); got != want || at == nil || at.Kind == 0 {
			t.Errorf("%s: %q", text, got)
		}
	}
	for path, want := range map[string][]string{"/a": nil, "/{a}": {"a"}, "/{a}/{b}": {"a", "b"}, "/{a": nil, "/a}{b}": {"b"}} {
		if got := templateNames(path); !slices.Equal(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
	out, codes := operations(t, `{"paths":{"/a":{"get":{},"put":{},"trace":{}},"b":{"get":{}}}}`)
	if len(out) != 2 || out[0].Name() != "get_a" || out[1].HTTPMethod != "PUT" || !slices.Equal(codes, []string{"agent-tools.openapi"}) {
		t.Errorf("%d operations, %v", len(out), codes)
	}
	for _, text := range []string{`{}`, `{"paths":[]}`} {
		if out, codes := operations(t, text); out != nil || !slices.Equal(codes, []string{"agent-tools.openapi"}) {
			t.Errorf("%s: %v %v", text, out, codes)
		}
	}
	chain := func(n int) string {
		text := `{"paths":{"/x":{"get":{"parameters":[{"$ref":"#/p0"}]}}}`
		for i := range n {
			text += fmt.Sprintf(`,"p%d":{"$ref":"#/p%d"}`, i, i+1)
		}
		return text + fmt.Sprintf(`,"p%d":{"name":"q","in":"query"}}`, n)
	}
	for n, want := range map[int]bool{6: true, 7: false} {
		if out, _ := operations(t, chain(n)); len(out) != 1 || strings.Contains(string(out[0].Schema()), `"q"`) != want {
			t.Errorf("%d references in turn: %s", n+1, out[0].Schema())
		}
	}
}

func TestAnswersBecomeText(t *testing.T) {
	o := single(t, "/x", "get", `{"parameters":[{"name":"p","in":"query"}]}`)
	call := func(arguments string, status int, body string, headers ...string) (text string, err error) {
		_, _ = effects.Play(t, func(e process.Effect) []process.Answer { return effects.Value(e, status, body, headers...) }, func(env *process.Env) error {
			text, err = o.Call(env, json.RawMessage(arguments))
			return err
		})
		return text, err
	}
	for _, c := range []struct {
		arguments string
		status    int
		body      string
		kind      string
		want      string
		fails     bool
	}{
		{`{"p":1}`, 200, " hi ", "text/plain", "hi", false}, {`{}`, 200, "<p>a</p>", "text/html", "a", false}, {`{}`, 204, "", "text/plain", "(status 204, empty answer)", false},
		{`{`, 200, "x", "", "", true}, {`{}`, 404, "x", "", "", true},
	} {
		got, err := call(c.arguments, c.status, c.body, "content-type", c.kind)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%+v: %q %v", c, got, err)
		}
	}
	var text string
	var err error
	_, _ = effects.Play(t, func(e process.Effect) []process.Answer {
		first, second := "begin ", strings.Repeat("a", 5<<20)
		return []process.Answer{{Effect: e.ID, Chunk: &first}, {Effect: e.ID, Chunk: &second}}
	}, func(env *process.Env) error {
		text, err = o.Call(env, json.RawMessage(`{}`))
		return err
	})
	if text != "begin" || err != nil {
		t.Errorf("%q %v", text, err)
	}
}

// A schema has at most 60 levels of objects, lists and references, and 4,000 nodes; the limits are exact.
func TestInlinedSchemasAreBounded(t *testing.T) {
	large := func(text string) bool {
		w := &inliner{description: &description{root: tree(t, text), report: func(_ *json.Node, code, message string) { t.Errorf("%s: %s", code, message) }}}
		schema, _ := w.root.Get("schema")
		if got := w.inline(schema, ""); !w.large && !strings.Contains(got, "7") {
			t.Errorf("%.60s: %s", text, got)
		}
		return w.large
	}
	for levels := maxSchemaDepth - 5; levels <= maxSchemaDepth+5; levels++ {
		object := strings.Repeat(`{"not":`, levels) + `{"const":7}` + strings.Repeat("}", levels)
		list := `{"const":` + strings.Repeat("[", levels) + "7" + strings.Repeat("]", levels) + "}"
		var chain []string
		for i := range levels {
			chain = append(chain, fmt.Sprintf(`"r%d":{"$ref":"#/r%d"}`, i, i+1))
		}
		chain = append(chain, fmt.Sprintf(`"r%d":{"const":7}`, levels))
		for _, c := range []struct {
			text  string
			depth int // of the number or of its schema
		}{{`{"schema":` + object + `}`, levels}, {`{"schema":` + list + `}`, levels + 1}, {`{"schema":{"$ref":"#/r0"},` + strings.Join(chain, ",") + `}`, levels + 1}} {
			if got := large(c.text); got != (c.depth > maxSchemaDepth) {
				t.Errorf("%d levels of %.30s: %v", levels, c.text, got)
			}
		}
	}
	for nodes, want := range map[int]bool{maxSchemaNodes: false, maxSchemaNodes + 1: true} {
		// The schema and the numbers.
		if got := large(`{"schema":{"enum":[` + strings.TrimSuffix(strings.Repeat("7,", nodes-1), ",") + `]}}`); got != want {
			t.Errorf("%d nodes: %v", nodes, got)
		}
	}
}

// A name of a property is no keyword, a value is no schema, and a schema that contains itself
// is checked at every depth.
func TestInlinedSchemas(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"properties with the names of annotations", `{"properties":{"example":{"type":"string"},"deprecated":{"type":"boolean","deprecated":true},"$ref":{"type":"string"}},"example":{}}`,
			`{"properties":{"example":{"type":"string"},"deprecated":{"type":"boolean"},"$ref":{"type":"string"}}}`},
		{"values", `{"enum":[{"example":1,"$ref":"#/t"}],"default":{"xml":{}}}`, `{"enum":[{"example":1,"$ref":"#/t"}],"default":{"xml":{}}}`},
		{"every place of a schema", `{"patternProperties":{"a":{"$ref":"#/t"}},"items":[{"$ref":"#/t"}],"not":{"$ref":"#/t"},"additionalProperties":{"$ref":"#/t"},"if":{"$ref":"#/t"}}`,
			`{"patternProperties":{"a":{"type":"integer"}},"items":[{"type":"integer"}],"not":{"type":"integer"},"additionalProperties":{"type":"integer"},"if":{"type":"integer"}}`},
		{"keywords next to a reference", `{"$ref":"#/t","minimum":3,"deprecated":true}`, `{"allOf":[{"type":"integer"},{"minimum":3}]}`},
		{"an annotation next to a reference", `{"$ref":"#/t","deprecated":true}`, `{"type":"integer"}`},
		{"Boolean schemas", `{"items":false,"additionalProperties":true}`, `{"items":false,"additionalProperties":true}`},
	} {
		w := &inliner{description: &description{root: tree(t, `{"openapi":"3.1.0","schema":`+c.schema+`,"t":{"type":"integer"}}`), report: func(_ *json.Node, code, message string) { t.Errorf("%s: %s", code, message) }}}
		n, _ := w.root.Get("schema")
		if got := w.inline(n, ""); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	out, codes := operations(t, `{"paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query","schema":{"$ref":"#/s/Node"}}]}}},
		"s":{"Node":{"type":"object","properties":{"next":{"$ref":"#/s/Node"},"more":{"$ref":"#/t/Node"}},"additionalProperties":false}},"t":{"Node":{"items":{"$ref":"#/t/Node"},"type":"array"}}}`)
	if len(out) != 1 || len(codes) > 0 {
		t.Fatal(out, codes)
	}
	checker, err := schema.Compile(out[0].Schema())
	if err != nil || len(checker.Unchecked) > 0 {
		t.Fatal(err, checker)
	}
	for arguments, valid := range map[string]bool{
		`{"a":{"next":{"next":{"next":{}}}}}`: true, `{"a":{"next":{"next":{"nexr":{}}}}}`: false,
		`{"a":{"more":[[[[]]]]}}`: true, `{"a":{"more":[[[7]]]}}`: false, `{"a":{"next":{"more":[7]}}}`: false,
	} {
		if err := checker.Validate(json.RawMessage(arguments)); (err == nil) != valid {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

// Texts with characters that a header cannot contain are rejected, wherever the characters are.
func TestHeadersArePrintableASCII(t *testing.T) {
	o := single(t, "/x", "get", `{"parameters":[{"name":"p","in":"header"}]}`)
	for text, ok := range map[string]bool{"a b": true, "~": true, "é": false, "aé": false, "\\u007f": false, "\\na": false, "a\\n": false} {
		_, err := o.encode(tree(t, `{"p":"`+text+`"}`))
		if (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	for media, ok := range map[string]bool{"application/json": true, "application/json; a": true, "\\napplication/json": false, "text/é": false, "text/a": true} {
		if got, _ := pickMedia(tree(t, `{"`+media+`":{}}`)); (got != "") != ok {
			t.Errorf("%q: %q", media, got)
		}
	}
}
