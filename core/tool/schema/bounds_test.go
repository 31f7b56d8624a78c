package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
)

// mismatch returns the message of a mismatch, or "".
func mismatch(schema, value string) string {
	if err := Validate(json.RawMessage(schema), json.RawMessage(value)); err != nil {
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
			if got := mismatch(c.schema, c.value(n)); (got == "") != (n >= c.least && n <= c.most) {
				t.Errorf("%s of %s: %q", c.value(n), c.schema, got)
			}
		}
	}
	for n := range 20 {
		if got := mismatch(`{"multipleOf":3}`, fmt.Sprint(n)); (got == "") != (n%3 == 0) {
			t.Errorf("%d: %q", n, got)
		}
		if got := mismatch(`{"multipleOf":-3}`, fmt.Sprint(n)) + mismatch(`{"multipleOf":0}`, fmt.Sprint(n)); got != "" {
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
			if got := mismatch(`{"type":"`+name+`"}`, value); (got == "") != want {
				t.Errorf("%s as %s: %q", value, name, got)
			}
			if got := mismatch(`{"not":{"type":"`+name+`"}}`, value); (got == "") == want {
				t.Errorf("%s not as %s: %q", value, name, got)
			}
			if got := mismatch(`{"nullable":true,"type":"`+name+`"}`, value); (got == "") != (want || value == "null") {
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
			if got := mismatch(schema, `1`); (got == "") != want {
				t.Errorf("%s: %q", schema, got)
			}
		}
	}
	if got := mismatch(`{"properties":{},"additionalProperties":false}`, `{"a":1}`); got != "arguments.a: is unknown" {
		t.Errorf("%q", got)
	}
}

// A check takes bounded work, and its limits are exact.
func TestWorkIsBounded(t *testing.T) {
	nested := func(n int) (schema, value string) {
		return strings.Repeat(`{"items":`, n) + "true" + strings.Repeat("}", n), strings.Repeat("[", n) + strings.Repeat("]", n)
	}
	for n, ok := range map[int]bool{maxDepth - 1: true, maxDepth: true, maxDepth + 2: false} {
		schema, value := nested(n)
		if got := mismatch(schema, value[:n]+"1"+value[n:]); (got == "") != ok {
			t.Errorf("%d levels: %q", n, got)
		}
	}
	// A schema that refers to itself ends at the depth, long before the work is used up.
	for _, text := range []string{
		`{"not":{"$ref":"#"}}`, `{"allOf":[{"$ref":"#"}]}`, `{"anyOf":[{"$ref":"#"}]}`, `{"oneOf":[{"$ref":"#"}]}`, `{"if":{"$ref":"#"}}`, `{"if":true,"then":{"$ref":"#"}}`, `{"if":false,"else":{"$ref":"#"}}`, `{"$ref":"#"}`,
	} {
		root, fault := jsonfile.Read(text, "")
		if fault != nil {
			t.Fatal(fault)
		}
		c := &check{root: root}
		c.check(root, &json.Node{Kind: 't'}, "x", 0)
		if c.work < maxDepth || c.work > 3*maxDepth {
			t.Errorf("%s takes %d steps", text, c.work)
		}
	}
	unique := func(n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprint(i)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	if got := mismatch(`{"uniqueItems":true}`, unique(310)); got != "" { // 47,895 comparisons
		t.Error(got)
	}
	if got := mismatch(`{"uniqueItems":true}`, unique(320)); !strings.Contains(got, "too long to check") { // 51,040
		t.Error(got)
	}
	if got := mismatch(`{"uniqueItems":true}`, `[1, 2, 1]`); got != "arguments[2]: is a duplicate" {
		t.Error(got)
	}
	c := &check{root: jsonfile.Absent, work: maxWork}
	if got := c.check(&json.Node{Kind: 't'}, jsonfile.Absent, "x", 0); got == "" {
		t.Error("more work is done than the limit")
	}
	c = &check{root: jsonfile.Absent, work: maxWork - 1}
	if got := c.check(&json.Node{Kind: 't'}, jsonfile.Absent, "x", 0); got != "" {
		t.Error(got)
	}
}

func TestReferencesArePointers(t *testing.T) {
	root, fault := jsonfile.Read(`{"a/b": {"c~d": 1}, "é": 2, "l": [3, 4], "": 5, "%": 6, "a%4": 7}`, "")
	if fault != nil {
		t.Fatal(fault)
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

// The limits of the question whether a schema allows a text are those of a check.
func TestTextsAreAllowedWithinTheLimits(t *testing.T) {
	allows := func(c *check, text string) bool {
		root, fault := jsonfile.Read(text, "")
		if fault != nil {
			t.Fatal(fault)
		}
		c.root = root
		return c.allowsText(root, 0)
	}
	for n, want := range map[int]bool{0: true, 1: true, maxDepth: true, maxDepth + 1: false} {
		for _, word := range []string{"anyOf", "oneOf"} {
			text := strings.Repeat(`{"`+word+`":[`, n) + `{"type":"string"}` + strings.Repeat("]}", n)
			if n > 45 { // a list and an object count as two levels of JSON
				text = chained(word, n)
			}
			if got := allows(&check{}, text); got != want {
				t.Errorf("%d levels of %s: %v", n, word, got)
			}
		}
	}
	c := &check{}
	if allows(c, `{"anyOf":[{"$ref":"#"}]}`) || c.work < maxDepth || c.work > 3*maxDepth {
		t.Errorf("a schema that refers to itself takes %d steps", c.work)
	}
	for work, want := range map[int]bool{maxWork - 1: true, maxWork: false} {
		if got := allows(&check{work: work}, `{"type":"string"}`); got != want {
			t.Errorf("after %d steps: %v", work, got)
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

// A value is checked to a bounded depth, however its schema leads there.
func TestDepthOfValuesIsBounded(t *testing.T) {
	for schema, value := range map[string][2]string{
		`{"properties":{"a":{"$ref":"#"}}}`: {`{"a":`, "}"}, `{"additionalProperties":{"$ref":"#"}}`: {`{"a":`, "}"},
		`{"prefixItems":[{"$ref":"#"}]}`: {"[", "]"}, `{"items":{"$ref":"#"}}`: {"[", "]"},
	} {
		// Each level is a reference and its target.
		for n, ok := range map[int]bool{maxDepth/2 - 1: true, maxDepth + 1: false} {
			if got := mismatch(schema, strings.Repeat(value[0], n)+"1"+strings.Repeat(value[1], n)); (got == "") != ok {
				t.Errorf("%d levels by %s: %q", n, schema, got)
			}
		}
	}
}

// The limit on the comparisons of a list's items is exact.
func TestComparisonsOfItemsAreCounted(t *testing.T) {
	schema, _ := jsonfile.Read(`{"uniqueItems":true}`, "")
	list, _ := jsonfile.Read(`[1,2,3]`, "") // three comparisons
	for left, ok := range map[int]bool{3: true, 2: false} {
		c := &check{root: schema, work: maxWork - left}
		if got := c.checkList(schema, list, "x", 0); (got == "") != ok {
			t.Errorf("%d comparisons left: %q", left, got)
		}
	}
}

// A decimal number is a multiple of the unit of its last place, although neither is exact in binary.
func TestDecimalsAreMultiplesOfTheirUnit(t *testing.T) {
	for _, unit := range []string{"0.1", "0.01", "0.001"} {
		places := len(unit) - 2
		for n := 1; n < 2_000_000_000; n = n*3/2 + 1 {
			digits := fmt.Sprintf("%0*d", places+1, n)
			value := digits[:len(digits)-places] + "." + digits[len(digits)-places:]
			if got := mismatch(`{"multipleOf":`+unit+`}`, value); got != "" {
				t.Error(got)
			}
		}
		if got := mismatch(`{"multipleOf":`+unit+`}`, "0.00015"); got == "" {
			t.Errorf("0.00015 is a multiple of %s", unit)
		}
	}
}
