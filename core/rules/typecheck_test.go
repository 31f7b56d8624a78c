package rules

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

const contracts = `{"jsonrpc": "2.0", "id": 1, "result": {"tools": [
 {"name": "refund", "inputSchema": {"type": "object", "properties": {
   "order": {"type": "string"}, "amount": {"type": "number", "minimum": 0, "maximum": 100},
   "reason": {"enum": ["damaged", "late", null]}, "tags": {"type": "array"}, "items": {"type": "array", "items": {"enum": ["a", "b"]}},
   "who": {"$ref": "#/$defs/person"}, "note": {"type": ["string", "null"], "description": "For the customer."}},
   "$defs": {"person": {"type": "object", "properties": {"age": {"type": "integer", "exclusiveMinimum": 17}}, "additionalProperties": false}}},
  "outputSchema": {"type": "object", "properties": {"ok": {"type": "boolean"}, "id": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}},
 {"name": "approve", "inputSchema": {"type": "object", "properties": {"order": {"type": "integer"}, "limit": {"type": "string"}}}},
 {"name": "open", "inputSchema": {"type": "object", "additionalProperties": true, "properties": {"file": {}}}},
 {"name": "none", "inputSchema": {"type": "object", "properties": {}}}
]}}`

func TestContractsAreCompared(t *testing.T) {
	c := &Contracts{}
	c.ReadContracts("tools.json", contracts)
	if got := c.Names(); !slices.Equal(got, []string{"refund", "approve", "open", "none"}) {
		t.Fatal(got)
	}
	for _, test := range []struct{ rule, expected string }{
		{`refund(order: "a", amount: <= 100, reason: "late", tags: has 1, who.age: 18, note: null) -> once refund.result(ok: true, id: 7, input.amount: 3)`, ""},
		{`refnd() -> once approve()`, `rules.tool unknown tool "refnd"; did you mean "refund"? [refund]`},
		{`deploy() -> once approve()`, `rules.tool unknown tool "deploy"; no contract of the workspace declares it`},
		{`!refund(amont: 1)`, `rules.field unknown field "amont" of refund; did you mean "amount"? [amount]`},
		{`!refund(who.agee: 1)`, `rules.field unknown field "who.agee" of refund; did you mean "age"? [who.age]`},
		{`!refund.result(okk: true)`, `rules.field unknown field "okk" of refund; did you mean "ok"? [ok]`},
		{`!refund.result(input.amont: 1)`, `rules.field unknown field "input.amont" of refund; did you mean "amount"? [input.amount]`},
		{`!approve.result(anything: 1) & !open(other: 1) & !refund.error(text: 1) & !refund.result(input: 1)`, ""},
		{`!none(x: 1)`, `rules.field unknown field "x" of none; it has no fields`},
		{`!refund(nothingnear: 1)`, `rules.field unknown field "nothingnear" of refund (expected order, amount, reason, tags, items, who, note)`},
		{`!refund(amount: "5")`, `rules.type "amount" of refund is a number, at least 0, at most 100; it cannot be "5"`},
		{`!refund(amount: 101)`, `rules.range "amount" of refund is a number, at least 0, at most 100; it cannot be 101`},
		{`!refund(amount: in (1, 200))`, `rules.range "amount" of refund is a number, at least 0, at most 100; it cannot be 200`},
		{`!refund(amount: > 100)`, `rules.range the comparison is always false: "amount" of refund is a number, at least 0, at most 100, never > 100`},
		{`!refund(amount: >= 100) & !refund(amount: <= 0) & !refund(amount: != 500)`, ""},
		{`!refund(amount: < 0)`, `rules.range the comparison is always false: "amount" of refund is a number, at least 0, at most 100, never < 0`},
		{`!refund(who.age: <= 17)`, `rules.range the comparison is always false: "who.age" of refund is an integer, at least 17, never <= 17`},
		{`!refund(reason: "damagd")`, `rules.enum "reason" of refund is one of "damaged", "late", null; it cannot be "damagd"; did you mean "damaged"?`},
		{`!refund(amount: ~ "x")`, `rules.type the test is always false: "amount" of refund is a number, at least 0, at most 100, never a string`},
		{`!refund(order: has 1)`, `rules.type the test is always false: "order" of refund is a string, never a list`},
		{`!refund(order: > 5)`, `rules.type the comparison is always false: "order" of refund is a string, never > 5`},
		{`refund(order: ?o) -> once approve(order: ?o)`, `rules.type "order" of approve is an integer, and "order" of refund is a string; they are never equal`},
		{`refund(amount: ?a) -> once (approve(limit: ?l) & ?a <= ?l)`, `rules.type the comparison is always false: "amount" of refund is a number, at least 0, at most 100, "limit" of approve is a string`},
		{`refund(amount: ?a) -> ?a = "x"`, `rules.type the comparison is always false: "amount" of refund is a number, at least 0, at most 100, "x" is a string`},
		{`refund(amount: ?a) -> ?a != "x"`, ""},
		{`!refund(who.age: 20.5)`, `rules.range "who.age" of refund is an integer, at least 17; it cannot be 20.5`},
		{`!refund(who.age: 20.0)`, ""},
		{`!refund(reason: != "damagd")`, `rules.enum the comparison is always true: "reason" of refund is one of "damaged", "late", null, never "damagd"`},
		{`!refund(reason: != "late")`, ""},
		{`!refund(items: has "c")`, `rules.enum an element of "items" of refund is one of "a", "b"; it cannot be "c"`},
		{`!refund(items: has "b")`, ""},
		{`refund(reason: ?r) -> ?r = "damagd"`, `rules.enum "reason" of refund is one of "damaged", "late", null; it cannot be "damagd"; did you mean "damaged"?`},
		{`refund(reason: ?r) -> ?r != "damagd"`, `rules.enum the comparison is always true: "reason" of refund is one of "damaged", "late", null, never "damagd"`},
		{`refund(reason: ?r) -> ?r = "late" | ?r != null`, ""},
		{`refund(amount: ?a) -> ?a > 200`, `rules.range the comparison is always false: "amount" of refund is a number, at least 0, at most 100, never > 200`},
		{`refund(amount: ?a) -> 200 <= ?a`, `rules.range the comparison is always false: "amount" of refund is a number, at least 0, at most 100, never >= 200`},
		{`refund(amount: ?a) -> ?a >= 100 | 0 >= ?a`, ""},
		{`refund(who.age: ?a) -> 18.5 = ?a`, `rules.range "who.age" of refund is an integer, at least 17; it cannot be 18.5`},
		{`refund(amount: ?a) | open(file: ?a) -> ?a > 200`, ""},
		{`refund() -> sum ?l for approve(limit: ?l) <= 5`, `rules.type "limit" of approve is a string; sum skips it`},
		{`approve(limit: ?l) -> ?l + 1 <= 5`, `rules.type "limit" of approve is a string; arithmetic needs a number`},
	} {
		f := Parse(source.NewFile("r.rules", "r: "+test.rule))
		var got []string
		for _, d := range c.Check(f) {
			text := d.Code + " " + d.Message
			for _, fix := range d.Fixes {
				text += " [" + fix.Edits[0].Text + "]"
			}
			got = append(got, text)
		}
		if strings.Join(got, "\n") != test.expected {
			t.Errorf("%s\n got %q\nwant %q", test.rule, got, test.expected)
		}
	}
	for path, expected := range map[string]string{
		"amount": "a number, at least 0, at most 100", "note": "null or a string. For the customer.", "reason": `one of "damaged", "late", null`,
		"ok": "true or false", "id": "an integer or a string", "input.order": "a string", "what": "",
	} {
		if got := c.Describe("refund", strings.Split(path, ".")); got != expected {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// Every form in which tools are listed is read; the hash depends on names and schemas only.
func TestFormsOfContracts(t *testing.T) {
	const input = `{"type": "object", "properties": {"a": {"type": "string"}}}`
	for name, text := range map[string]string{
		"list.json":      `{"tools": [{"name": "f", "inputSchema": ` + input + `}]}`,
		"openai.json":    `[{"type": "function", "function": {"name": "f", "parameters": ` + input + `}}]`,
		"anthropic.json": "[\n{\"name\": \"f\", \"input_schema\": " + strings.ReplaceAll(input, " ", "  ") + `}]`,
		"tools/f.json":   `{"$schema": "https://json-schema.org/draft/2020-12/schema", ` + input[1:],
		"x/schema.json":  `{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "f", ` + input[1:],
	} {
		c := &Contracts{}
		c.ReadContracts(name, text)
		if len(c.List) != 1 || c.List[0].Tool != "f" || !slices.Equal(c.Fields("call", "f", nil), []string{"a"}) {
			t.Errorf("%s: %+v", name, c.List)
		} else if _, ok := c.List[0].Input.Get("$schema"); !ok && c.Hash() != "38d547a9aa3c0479" {
			t.Errorf("%s: %s", name, c.Hash())
		}
	}
	hash := func(schema string) string {
		c := &Contracts{}
		c.ReadContracts("x.json", `{"tools": [{"name": "f", "inputSchema": `+schema+`}]}`)
		return c.Hash()
	}
	if a, b := hash(`{"type": "object", "properties": {"a": {"type": "string", "maxLength": 10}, "b": {}}}`), hash(`{"properties": {"b": {}, "a": {"maxLength": 1e1, "type": "string"}}, "type": "object"}`); a != b {
		t.Errorf("%s, %s with the members in another order", a, b)
	}
	// Earlier versions wrote the members in the order of the file.
	old := &Contracts{}
	old.ReadContracts("x.json", `{"tools": [{"name": "f", "inputSchema": {"type": "object", "properties": {"b": {"maxLength": 1e1}, "a": {}}}, "outputSchema": {"type": "object"}}]}`)
	sum := fnv.New64a()
	sum.Write([]byte(`f {"type":"object","properties":{"b":{"maxLength":1e1},"a":{}}} {"type":"object"} ` + "\n"))
	if earlier := fmt.Sprintf("%016x", sum.Sum64()); earlier == old.Hash() || !old.Recorded(earlier) || !old.Recorded(old.Hash()) || old.Recorded("38d547a9aa3c0479") || old.Recorded("") {
		t.Errorf("%s, %s", earlier, old.Hash())
	}
	if hash(`{"required": ["a"]}`) == hash(`{"required": ["b"]}`) {
		t.Error("the same hash")
	}
	// A listed tool without a schema has any fields.
	listed := &Contracts{}
	listed.ReadContracts("x.json", `{"tools": [{"name": "f"}, {"name": "g", "inputSchema": `+input+`}]}`)
	if found := listed.Check(Parse(source.NewFile("r.rules", "r: f(x: 1) -> once g(a: \"b\")"))); len(found) > 0 || !slices.Equal(listed.Names(), []string{"f", "g"}) {
		t.Errorf("%+v", found)
	}
	c := &Contracts{}
	for _, text := range []string{"", "{", "[1]", `{"tools": 1}`, `[{"name": "f"}]`} {
		c.ReadContracts("x.json", text)
	}
	if len(c.List) > 0 {
		t.Errorf("%+v", c.List)
	}
}

// A field of a result may be that of the call's arguments, which no schema of the result describes.
func TestDomainsOfFields(t *testing.T) {
	c := &Contracts{}
	c.ReadContracts("x.json", `{"tools": [{"name": "f", "inputSchema": {"type": "object", "properties": {"n": {"anyOf": [{"const": 0.5}, {"type": "integer"}]}, "l": {"type": "array", "prefixItems": [{"const": "x"}], "items": {"enum": ["y"]}}}},
		"outputSchema": {"type": "object", "properties": {"ok": {"type": "boolean"}}, "additionalProperties": false}}]}`)
	for _, x := range []struct {
		kind           string
		path           []string
		never, integer bool
	}{
		{"result", []string{"input", "n"}, false, false},
		{"result", []string{"other"}, true, false},
		{"call", []string{"n"}, false, false},
	} {
		if d, _ := c.Domain(x.kind, "f", x.path); d.Never != x.never || d.Integer != x.integer {
			t.Errorf("%s %v: %+v", x.kind, x.path, d)
		}
	}
	if d, _ := c.Domain("call", "f", []string{"l"}); d.items != nil {
		t.Error("the first element is not described by items")
	}
	if _, ok := c.Domain("result", "f", nil); ok {
		t.Error("an empty path has values")
	}
}
