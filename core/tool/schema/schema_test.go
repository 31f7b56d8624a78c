package schema_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/schema"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{``, `{"a":1}`, ""}, {`true`, `1`, ""}, {`{}`, `null`, ""}, {`false`, `1`, "arguments: is not allowed"},
		{`{"type":"object"}`, `[]`, "arguments: is an array, not an object"}, {`{"type":"integer"}`, `1.0`, ""}, {`{"type":"integer"}`, `1.5`, "arguments: is a number, not an integer"}, {`{"type":"number"}`, `1`, ""},
		{`{"type":["string","null"]}`, `null`, ""}, {`{"type":["string","null"]}`, `true`, "arguments: is a boolean, not a string or null"}, {`{"type":"string","nullable":true}`, `null`, ""}, {`{"type":"string"}`, `null`, "arguments: is null, not a string"},
		{`{"required":["q"]}`, `{}`, "arguments.q: is missing"}, {`{"required":["a b"]}`, `{}`, `arguments["a b"]: is missing`}, {`{"required":["q"]}`, `{"q":null}`, ""}, {`{"required":["q"]}`, `3`, ""},
		{`{"properties":{"q":{"type":"string"}}}`, `{"q":1}`, "arguments.q: is an integer, not a string"},
		{`{"properties":{"q":{}},"additionalProperties":false}`, `{"p":1,"q":1}`, "arguments.p: is unknown (expected q)"}, {`{"properties":{"query":{}},"additionalProperties":false}`, `{"Quer":1}`, "arguments.Quer: is unknown; did you mean query?"},
		{`{"additionalProperties":{"type":"integer"}}`, `{"p":"x"}`, "arguments.p: is a string, not an integer"}, {`{"additionalProperties":false,"patternProperties":{"^x-":{}}}`, `{"x-a":1}`, ""},
		{`{"items":{"type":"string"}}`, `["a",{"b":1}]`, "arguments[1]: is an object, not a string"}, {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a"]`, ""}, {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, "arguments[1]: is not allowed"}, {`{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, "arguments[1]: is not allowed"},
		{`{"properties":{"a":{"items":{"properties":{"b":{"enum":["x"]}}}}}}`, `{"a":[{"b":"y"}]}`, `arguments.a[0].b: "y" is not one of "x"`},
		{`{"enum":["red","blue",1]}`, `"blu"`, `arguments: "blu" is not one of "red", "blue", 1; did you mean "blue"?`}, {`{"enum":[1]}`, `1.0`, ""}, {`{"const":{"a":[1,2],"b":null}}`, `{"b":null,"a":[1,2.0]}`, ""}, {`{"const":{"a":1}}`, `{"a":1,"b":2}`, `arguments: is not {"a":1}`},
		{`{"minLength":2}`, `"ü"`, "arguments: has 1 character, expected at least 2"}, {`{"maxLength":2}`, `"üüü"`, "arguments: has 3 characters, expected at most 2"}, {`{"minLength":2}`, `1`, ""},
		{`{"minimum":1}`, `0.5`, "arguments: is 0.5, expected at least 1"}, {`{"maximum":1}`, `2`, "arguments: is 2, expected at most 1"}, {`{"exclusiveMinimum":1}`, `1`, "arguments: is 1, expected more than 1"}, {`{"maximum":1,"exclusiveMaximum":true}`, `1`, "arguments: is 1, expected less than 1"}, {`{"maximum":1}`, `1e999`, "arguments: the number is out of range"},
		{`{"multipleOf":0.1}`, `0.3`, ""}, {`{"multipleOf":5}`, `12`, "arguments: is 12, not a multiple of 5"}, {`{"minItems":1}`, `[]`, "arguments: has 0 items, expected at least 1"}, {`{"maxProperties":1}`, `{"a":1,"b":1}`, "arguments: has 2 properties, expected at most 1"},
		{`{"uniqueItems":true}`, `[{"a":1,"b":2},1,{"b":2,"a":1}]`, "arguments[2]: is a duplicate"},
		{`{"allOf":[{"minimum":1},{"maximum":2}]}`, `3`, "arguments: is 3, expected at most 2"}, {`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `true`, "arguments: matches none of 2 alternatives; the first one: arguments: is a boolean, not a string"}, {`{"anyOf":[{"type":"string"}]}`, `1`, "arguments: is an integer, not a string"},
		{`{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `1`, "arguments: matches 2 alternatives, expected exactly one"}, {`{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `1.5`, ""}, {`{"not":{"const":1}}`, `1`, "arguments: matches a schema that \"not\" excludes"},
		{`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":5}}`, `"a"`, "arguments: has 1 character, expected at least 2"}, {`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":5}}`, `4`, "arguments: is 4, expected at least 5"},
		{`{"properties":{"a":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{"type":"string"}}}`, `{"a":1}`, "arguments.a: is an integer, not a string"}, {`{"$ref":"#/$defs/none"}`, `1`, `arguments: the schema has an unknown reference "#/$defs/none"`}, {`{"$ref":"#"}`, `1`, "arguments: the schema is too complex to check"},
		{`{"$ref":"#/$defs/0/items/1","$defs":[{"items":[true,{"type":"string"}]}]}`, `1`, "arguments: is an integer, not a string"},
		{`{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`, `1`, "too complex"}, {`{"type":`, `1`, "the tool's schema is not JSON"}, {`{}`, `{`, "arguments: are not JSON: unexpected end of JSON input"}, {`{}`, strings.Repeat("[", 110) + strings.Repeat("]", 110), "arguments: are not JSON: the JSON is nested too deeply"},
	} {
		err := schema.Validate(json.RawMessage(c.schema), json.RawMessage(c.value))
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

// FuzzValidateAllowsOrExplains checks that validation of any value by any schema ends in
// a verdict, that a value other than the schema's const is rejected, and that allOf of a
// schema twice is equivalent to the schema.
func FuzzValidateAllowsOrExplains(f *testing.F) {
	f.Add(`{"type":"object","properties":{"q":{"type":"string","enum":["a"]}},"required":["q"]}`, `{"q":"a"}`)
	f.Add(`{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"integer"}]}},"$ref":"#/$defs/a"}`, `[1,{"a":null}]`)
	f.Add(`{"items":{"multipleOf":0.01},"uniqueItems":true}`, `[1.23,1.230]`)
	f.Fuzz(func(t *testing.T, declared, value string) {
		err := schema.Validate(json.RawMessage(declared), json.RawMessage(value))
		var fault *schema.Error
		if err != nil && (!errors.As(err, &fault) || fault.Message == "") {
			t.Fatalf("%v", err)
		}
		var raw json.RawMessage
		if json.Unmarshal([]byte(value), &raw) != nil || strings.Count(value, "[")+strings.Count(value, "{") > 40 {
			return
		}
		if err := schema.Validate(json.RawMessage(`{"const":`+value+`}`), raw); err != nil && !strings.Contains(value, ":") && !strings.ContainsAny(value, "eE") {
			t.Fatalf("%s is not itself: %v", value, err)
		}
		if json.Unmarshal([]byte(declared), &raw) != nil || strings.Contains(declared, "$ref") || len(declared) == 0 || strings.Count(declared, "[")+strings.Count(declared, "{") > 40 {
			return
		}
		twice := schema.Validate(json.RawMessage(`{"allOf":[`+declared+`,`+declared+`]}`), json.RawMessage(value))
		if (twice == nil) != (err == nil) {
			t.Fatalf("once %v, twice %v", err, twice)
		}
	})
}
