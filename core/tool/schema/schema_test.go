package schema_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/schema"
)

func validate(declared, value string) error {
	c, err := schema.Compile(json.RawMessage(declared))
	if err != nil {
		return err
	}
	return c.Validate(json.RawMessage(value))
}

func TestValidate(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{``, `{"a":1}`, ""}, {`true`, `1`, ""}, {`{}`, `null`, ""}, {`false`, `1`, "arguments: is not allowed"},
		{`{"type":"object"}`, `[]`, "arguments: is an array; expected an object"}, {`{"type":"integer"}`, `1.0`, ""}, {`{"type":"integer"}`, `1.5`, "arguments: is a number; expected an integer"}, {`{"type":"number"}`, `1`, ""},
		{`{"type":["string","null"]}`, `null`, ""}, {`{"type":["string","null"]}`, `true`, "arguments: is a boolean; expected a string or null"}, {`{"type":"string","nullable":true}`, `null`, ""}, {`{"type":"string"}`, `null`, "arguments: is null; expected a string"},
		{`{"required":["q"]}`, `{}`, "arguments.q: is missing"}, {`{"required":["a b"]}`, `{}`, `arguments["a b"]: is missing`}, {`{"required":["q"]}`, `{"q":null}`, ""}, {`{"required":["q"]}`, `3`, ""},
		{`{"properties":{"q":{"type":"string"}}}`, `{"q":1}`, "arguments.q: is a number; expected a string"},
		{`{"properties":{"q":{}},"additionalProperties":false}`, `{"p":1,"q":1}`, `arguments.p: is unknown; expected: "q"`}, {`{"properties":{"query":{}},"additionalProperties":false}`, `{"Quer":1}`, `arguments.Quer: is unknown; expected: "query"; did you mean "query"?`},
		{`{"additionalProperties":{"type":"integer"}}`, `{"p":"x"}`, "arguments.p: is a string; expected an integer"}, {`{"additionalProperties":false,"patternProperties":{"^x-":{}}}`, `{"x-a":1}`, ""},
		{`{"items":{"type":"string"}}`, `["a",{"b":1}]`, "arguments[1]: is an object; expected a string"}, {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a"]`, ""}, {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, "arguments[1]: is not allowed"}, {`{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, "arguments[1]: is not allowed"},
		{`{"properties":{"a":{"items":{"properties":{"b":{"enum":["x"]}}}}}}`, `{"a":[{"b":"y"}]}`, `arguments.a[0].b: must be one of: "x"`},
		{`{"enum":["red","blue",1]}`, `"blu"`, `arguments: must be one of: "red", "blue", 1; did you mean "blue"?`}, {`{"enum":[1]}`, `1.0`, ""}, {`{"const":{"a":[1,2],"b":null}}`, `{"b":null,"a":[1,2.0]}`, ""}, {`{"const":{"a":1}}`, `{"a":1,"b":2}`, `arguments: must be one of: {\"a\":1}`},
		{`{"minLength":2}`, `"ü"`, "arguments: has fewer than 2 characters; it has 1"}, {`{"maxLength":2}`, `"üüü"`, "arguments: has more than 2 characters; it has 3"}, {`{"minLength":2}`, `1`, ""},
		{`{"minimum":1}`, `0.5`, "arguments: must be at least 1; it is 0.5"}, {`{"maximum":1}`, `2`, "arguments: must be at most 1; it is 2"}, {`{"exclusiveMinimum":1}`, `1`, "arguments: must be more than 1; it is 1"}, {`{"maximum":1,"exclusiveMaximum":true}`, `1`, "arguments: must be less than 1; it is 1"}, {`{"maximum":1}`, `1e999`, "arguments: must be at most 1; it is 1e999"},
		{`{"multipleOf":0.1}`, `0.3`, ""}, {`{"multipleOf":5}`, `12`, "arguments: must be a multiple of 5; it is 12"}, {`{"minItems":1}`, `[]`, "arguments: has fewer than 1 items; it has 0"}, {`{"maxProperties":1}`, `{"a":1,"b":1}`, "arguments: has more than 1 properties; it has 2"},
		{`{"uniqueItems":true}`, `[{"a":1,"b":2},1,{"b":2,"a":1}]`, "arguments[2]: is a duplicate"},
		{`{"allOf":[{"minimum":1},{"maximum":2}]}`, `3`, "arguments: must be at most 2; it is 3"}, {`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `true`, "arguments: matches none of 2 alternatives; in the first one, value is a boolean; expected a string"}, {`{"anyOf":[{"type":"string"}]}`, `1`, "arguments: is a number; expected a string"},
		{`{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `1`, "arguments: matches 2 alternatives; expected one"}, {`{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `1.5`, ""}, {`{"not":{"const":1}}`, `1`, "arguments: matches an excluded schema"},
		{`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":5}}`, `"a"`, "arguments: has fewer than 2 characters; it has 1"}, {`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":5}}`, `4`, "arguments: must be at least 5; it is 4"},
		{`{"properties":{"a":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{"type":"string"}}}`, `{"a":1}`, "arguments.a: is a number; expected a string"}, {`{"$ref":"#/$defs/none"}`, `1`, ""}, {`{"$ref":"#"}`, `1`, ""},
		{`{"$ref":"#/$defs/0/items/1","$defs":[{"items":[true,{"type":"string"}]}]}`, `1`, "arguments: is a number; expected a string"},
		{`{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`, `1`, ""}, {`{"type":`, `1`, "the tool's schema is not JSON"}, {`{}`, `{`, "arguments: are not JSON: unexpected end of JSON input"}, {`{}`, strings.Repeat("[", 110) + strings.Repeat("]", 110), "arguments: are not JSON: the JSON is nested too deeply"},
	} {
		err := validate(c.schema, c.value)
		said := ""
		var fault *schema.Error
		if errors.As(err, &fault) {
			said = fault.Message
		} else if err != nil {
			t.Fatal(err)
		}
		if said != c.want && (c.want == "" || !strings.Contains(said, c.want)) {
			t.Errorf("%s of %s: %q, want %q", c.value, c.schema, said, c.want)
		}
	}
}

func TestTextsBecomeArguments(t *testing.T) {
	for _, c := range []struct{ name, schema, input, want string }{
		{"the only property", `{"properties":{"q":{"type":"string"}}}`, " named after ", `{"q":"named after"}`},
		{"the only one required", `{"properties":{"q":{"type":"string"},"n":{"type":"integer"}},"required":["q"]}`, "x", `{"q":"x"}`},
		{"an object as it is", `{"properties":{"q":{"type":"string"},"n":{"type":"integer"}},"required":["q"]}`, `{"q":"x","n":2}`, `{"q":"x","n":2}`},
		{"an object that is no object of it", `{"properties":{"q":{"type":"string"}}}`, `{a set}`, `{"q":"{a set}"}`},
		{"an object of other properties", `{"properties":{"q":{"type":"string"}}}`, `{"a":1}`, `{"q":"{\"a\":1}"}`},
		{"quotation marks are taken off", `{"properties":{"q":{"type":"string"}}}`, `"Beautiful"`, `{"q":"Beautiful"}`},
		{"an empty text", `{"properties":{"q":{"type":"string"}}}`, `""`, `{"q":""}`},
		{"a quotation mark", `{"properties":{"q":{"type":"string"}}}`, `"`, `{"q":"\""}`},
		{"an empty object is a text", `{"properties":{"q":{"type":"string"}}}`, `{}`, `{"q":"{}"}`},
		{"digits are a text where a text", `{"properties":{"q":{"type":"string"}}}`, `42`, `{"q":"42"}`},
		{"digits are a number where one", `{"properties":{"q":{"type":"integer"}}}`, `42`, `{"q":42}`},
		{"a value that is not a number is a text", `{"properties":{"q":{"type":"integer"}}}`, `x`, `{"q":"x"}`},
		{"a list", `{"properties":{"q":{"type":"array"}}}`, `[1,2]`, `{"q":[1,2]}`},
		{"a text or nothing", `{"properties":{"q":{"anyOf":[{"type":"null"},{"type":"string"}]}}}`, `null`, `{"q":"null"}`},
		{"a text by reference", `{"properties":{"q":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}`, `1`, `{"q":"1"}`},
		{"a number although a branch allows any value", `{"properties":{"q":{"type":"integer","anyOf":[{"minimum":1}]}}}`, `1`, `{"q":1}`},
		{"a text that all schemas allow", `{"properties":{"q":{"type":"string","allOf":[{"maxLength":3}]}}}`, `1`, `{"q":"1"}`},
		{"a text that one schema excludes", `{"properties":{"q":{"type":["string","integer"],"allOf":[{"type":"integer"}]}}}`, `1`, `{"q":1}`},
		{"no value is allowed", `{"properties":{"q":false}}`, `1`, `{"q":1}`},
		{"no properties", `{"type":"object"}`, "whatever", `{}`},
		{"no input", `{"properties":{"a":{},"b":{}}}`, "", `{}`},
		{"several properties", `{"properties":{"a":{},"b":{}}}`, "x", `T takes a JSON object: {"a": …, "b": …}`},
		{"no object", `{"properties":{"a":{},"b":{}}}`, "{x", `the input is not a JSON object: invalid character 'x' looking for the beginning of a field's name`},
	} {
		t.Run(c.name, func(t *testing.T) {
			compiled, err := schema.Compile(json.RawMessage(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			got, err := compiled.Arguments("T", c.input)
			said := string(got)
			if err != nil {
				said = err.Error()
			}
			if said != c.want {
				t.Errorf("%s, want %s", said, c.want)
			}
		})
	}
}

// FuzzValidateAllowsOrExplains checks that validation of any value by any schema ends in
// a verdict, that a value other than the schema's const is rejected, and that allOf of a
// schema twice is equivalent to the schema.
func FuzzValidateAllowsOrExplains(f *testing.F) {
	f.Add(`{"type":"object","properties":{"q":{"type":"string","enum":["a"]}},"required":["q"]}`, `{"q":"a"}`)
	f.Add(`{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"integer"}]}},"$ref":"#/$defs/a"}`, `[1,{"a":null}]`)
	f.Add(`{"items":{"multipleOf":0.01},"uniqueItems":true}`, `[1.23,1.230]`)
	f.Fuzz(func(t *testing.T, declared, value string) {
		err := validate(declared, value)
		var fault *schema.Error
		if err != nil && (!errors.As(err, &fault) || fault.Message == "") {
			t.Fatalf("%v", err)
		}
		var raw json.RawMessage
		if json.Unmarshal([]byte(value), &raw) != nil || strings.Count(value, "[")+strings.Count(value, "{") > 40 {
			return
		}
		if err := validate(`{"const":`+value+`}`, value); err != nil && !strings.Contains(value, ":") && !strings.ContainsAny(value, "eE") {
			t.Fatalf("%s is not itself: %v", value, err)
		}
		if json.Unmarshal([]byte(declared), &raw) != nil || strings.Contains(declared, "$ref") || len(declared) == 0 || strings.Count(declared, "[")+strings.Count(declared, "{") > 40 {
			return
		}
		twice := validate(`{"allOf":[`+declared+`,`+declared+`]}`, value)
		if (twice == nil) != (err == nil) {
			t.Fatalf("once %v, twice %v", err, twice)
		}
	})
}
