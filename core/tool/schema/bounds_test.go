package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
)

// fault returns the message of a mismatch, or "".
func fault(schema, value string) string {
	c, err := Compile(json.RawMessage(schema))
	if err == nil {
		err = c.Validate(json.RawMessage(value))
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Each bound is exact: the values at it are accepted, and those next to it are not.
func TestBoundsAreExact(t *testing.T) {
	text := func(n int) string { return `"` + strings.Repeat("é", n) + `"` }
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	object := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(`"k%d":1`, i))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	number := func(n int) string { return fmt.Sprint(n) }
	for _, c := range []struct {
		schema      string
		value       func(n int) string
		least, most int
	}{
		{`{"minLength":2,"maxLength":4}`, text, 2, 4}, {`{"minItems":2,"maxItems":4}`, list, 2, 4}, {`{"minProperties":2,"maxProperties":4}`, object, 2, 4},
		{`{"minimum":2,"maximum":4}`, number, 2, 4}, {`{"exclusiveMinimum":1,"exclusiveMaximum":5}`, number, 2, 4}, {`{"minimum":1,"exclusiveMinimum":true,"maximum":5,"exclusiveMaximum":true}`, number, 2, 4},
		{`{"minimum":2,"exclusiveMinimum":false,"maximum":4,"exclusiveMaximum":false}`, number, 2, 4},
	} {
		for n := range 7 {
			if got := fault(c.schema, c.value(n)); (got == "") != (n >= c.least && n <= c.most) {
				t.Errorf("%s of %s: %q", c.value(n), c.schema, got)
			}
		}
	}
	for n := range 20 {
		if got := fault(`{"multipleOf":3}`, fmt.Sprint(n)); (got == "") != (n%3 == 0) {
			t.Errorf("%d: %q", n, got)
		}
		if got := fault(`{"multipleOf":-3}`, fmt.Sprint(n)) + fault(`{"multipleOf":0}`, fmt.Sprint(n)); got != "" {
			t.Errorf("%d: %q", n, got)
		}
	}
}

// Every combination of the kinds of values with the names of types.
func TestTypesOfValues(t *testing.T) {
	values := map[string]string{`{}`: "object", `[]`: "array", `""`: "string", `null`: "null", `true`: "boolean", `false`: "boolean", `1`: "integer", `1.0`: "integer", `1e2`: "integer", `1.5`: "number", `1e-2`: "number"}
	for value, kind := range values {
		for _, name := range []string{"object", "array", "string", "null", "boolean", "integer", "number"} {
			want := name == kind || name == "number" && kind == "integer"
			if got := fault(`{"type":"`+name+`"}`, value); (got == "") != want {
				t.Errorf("%s as %s: %q", value, name, got)
			}
			if got := fault(`{"not":{"type":"`+name+`"}}`, value); (got == "") == want {
				t.Errorf("%s not as %s: %q", value, name, got)
			}
			if got := fault(`{"nullable":true,"type":"`+name+`"}`, value); (got == "") != (want || value == "null") {
				t.Errorf("%s as nullable %s: %q", value, name, got)
			}
		}
	}
}

// allOf is a conjunction, anyOf a disjunction, oneOf exactly one, and if chooses a branch.
func TestCombinationsAreLogic(t *testing.T) {
	for set := range 8 {
		subs, holds := []string{}, 0
		for i := range 3 {
			if set>>i&1 == 1 {
				subs, holds = append(subs, "true"), holds+1
			} else {
				subs = append(subs, "false")
			}
		}
		list := "[" + strings.Join(subs, ",") + "]"
		first := set&1 == 1
		branch := set>>2&1 == 1
		if first {
			branch = set>>1&1 == 1
		}
		for schema, want := range map[string]bool{
			`{"allOf":` + list + `}`: holds == 3, `{"anyOf":` + list + `}`: holds > 0, `{"oneOf":` + list + `}`: holds == 1, `{"not":` + subs[0] + `}`: !first,
			`{"if":` + subs[0] + `,"then":` + subs[1] + `,"else":` + subs[2] + `}`: branch, `{"if":` + subs[0] + `,"else":` + subs[2] + `}`: first || set>>2&1 == 1, `{"anyOf":` + list + `,"allOf":[` + subs[0] + `]}`: first,
		} {
			if got := fault(schema, `1`); (got == "") != want {
				t.Errorf("%s: %q", schema, got)
			}
		}
	}
	if got := fault(`{"properties":{},"additionalProperties":false}`, `{"a":1}`); got != "arguments.a: is not allowed" {
		t.Errorf("%q", got)
	}
}

// A check takes bounded work, and its limits are exact.
func TestWorkIsBounded(t *testing.T) {
	// The first reference is a level of the check, and so are each combination and the reference in it.
	for n, ok := range map[int]bool{1: true, (maxCheckDepth - 1) / 2: true, (maxCheckDepth + 1) / 2: false} {
		if got := fault(chained("allOf", n), `"x"`); (got == "") != ok {
			t.Errorf("%d levels: %q", n, got)
		}
	}
	for size, ok := range map[int]bool{maxCheckWork - 1: true, maxCheckWork: false} { // the list itself is one more
		list := "[" + strings.Repeat("0,", size-1) + "0]"
		if got := fault(`{"items":{"type":"integer"}}`, list); (got == "") != ok {
			t.Errorf("%d items: %q", size, got)
		}
		members := strings.Builder{}
		for i := range size {
			fmt.Fprintf(&members, `"k%d":0,`, i)
		}
		// The node of an annotation has no checks.
		if got := fault(`{"properties":{"a":{}},"additionalProperties":{"title":"none"}}`, "{"+strings.TrimSuffix(members.String(), ",")+"}"); (got == "") != ok {
			t.Errorf("%d members: %q", size, got)
		}
	}
	// Schemas of the same value that contain each other have no end.
	for _, text := range []string{
		`{"not":{"$ref":"#"}}`, `{"allOf":[{"$ref":"#"}]}`, `{"anyOf":[{"$ref":"#"}]}`, `{"oneOf":[{"$ref":"#"}]}`, `{"if":{"$ref":"#"}}`, `{"if":true,"then":{"$ref":"#"}}`, `{"if":false,"else":{"$ref":"#"}}`, `{"$ref":"#"}`, `{"dependentSchemas":{"a":{"$ref":"#"}}}`,
	} {
		if c, err := Compile(json.RawMessage(text)); err != nil || len(c.Unchecked) != 1 || !strings.Contains(c.Unchecked[0], "without an end") {
			t.Errorf("%s: %v, %+v", text, err, c)
		}
	}
	doubling := ""
	for i := range 30 {
		doubling += fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	doubling = `{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + doubling + `"d30":{"type":"null"}}}`
	if got := fault(doubling, `{"a":1}`); got != "arguments: is too complex to check" {
		t.Error(got)
	}
	c, err := Compile(json.RawMessage(doubling))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Arguments("T", "1"); err != nil || string(got) != `{"a":1}` {
		t.Errorf("%s, %v", got, err)
	}
	if got := fault(`{"uniqueItems":true}`, `[1, 2, 1]`); got != "arguments[2]: is a duplicate" {
		t.Error(got)
	}
}

func TestReferencesArePointers(t *testing.T) {
	root, syntax := json.Tree(`{"a/b": {"c~d": 1}, "é": 2, "l": [3, 4], "": 5, "%": 6, "a%4": 7}`)
	if syntax != nil {
		t.Fatal(syntax)
	}
	for ref, want := range map[string]string{
		"#": root.Text, "#/a~1b/c~0d": "1", "#/%C3%A9": "2", "#/é": "2", "#/l/0": "3", "#/l/1": "4", "#/l/2": "", "#/l/-1": "", "#/l/x": "", "#/": "5", "#/%": "6", "#/%25": "6", "#/a%4": "7", "#/a%2Fb/c~0d": "1",
		"#a": "", "": "", "/l": "", "#/none": "", "#/é/x": "", "#/a~1b/none": "",
	} {
		n, ok := Pointer(root, ref)
		if ok != (want != "") || ok && n.Text != want {
			t.Errorf("%s: %v %+v", ref, ok, n)
		}
	}
	for text, want := range map[string]string{"": "", "a": "a", "%41": "A", "%4": "%4", "%": "%", "%4g": "%4g", "x%41": "xA", "%41%42": "AB", "%%41": "%A", "%+1": "%+1", "%zz%7e": "%zz~"} {
		if got := percentDecoded(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A path names a property as in JavaScript.
func TestPathsNameProperties(t *testing.T) {
	for key, want := range map[string]string{"a": "p.a", "a_b": "p.a_b", "a-b": "p.a-b", "9": "p.9", "": `p[""]`, "a b": `p["a b"]`, "a.b": `p["a.b"]`, "a+b": `p["a+b"]`, "é": `p["é"]`, "{": `p["{"]`} {
		if got := Within("p", key); got != want {
			t.Errorf("%q: %s", key, got)
		}
	}
}

// chained returns a schema of n nested alternatives, each with a single branch; the
// innermost branch is a text.
func chained(word string, n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`"r%d":{"%s":[{"$ref":"#/r%d"}]}`, i+1, word, i+2))
	}
	parts = append(parts, fmt.Sprintf(`"r%d":{"type":"string"}`, n+1))
	return `{"$ref":"#/r1",` + strings.Join(parts, ",") + "}"
}

// A decimal number is a multiple of the unit of its last place, although neither is exact in binary.
func TestDecimalsAreMultiplesOfTheirUnit(t *testing.T) {
	for _, unit := range []string{"0.1", "0.01", "0.001"} {
		places := len(unit) - 2
		for n := 1; n < 2_000_000_000; n = n*3/2 + 1 {
			digits := fmt.Sprintf("%0*d", places+1, n)
			value := digits[:len(digits)-places] + "." + digits[len(digits)-places:]
			if got := fault(`{"multipleOf":`+unit+`}`, value); got != "" {
				t.Error(got)
			}
		}
		if got := fault(`{"multipleOf":`+unit+`}`, "0.00015"); got == "" {
			t.Errorf("0.00015 is a multiple of %s", unit)
		}
	}
}
