package guard

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// schemaWriter writes random JSON Schemas and values.
type schemaWriter struct{ r *rand.Rand }

func (w schemaWriter) one(list ...string) string { return list[w.r.IntN(len(list))] }

func (w schemaWriter) value(depth int) string {
	if depth > 0 && w.r.IntN(2) == 0 {
		var parts []string
		if w.r.IntN(2) == 0 {
			for range w.r.IntN(4) {
				parts = append(parts, w.value(depth-1))
			}
			return "[" + strings.Join(parts, ",") + "]"
		}
		for _, name := range []string{"a", "b", "c-d", "é", "__proto__"} {
			if w.r.IntN(3) == 0 {
				parts = append(parts, fmt.Sprintf("%q:%s", name, w.value(depth-1)))
			}
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	if w.r.IntN(4) == 0 {
		return w.one("1e400", "-1e400", "1e-400", "7.0000000000000000000001", "1E2", "100", "123456789012345678901234567890", `"2024-02-29"`, `"2023-02-29"`, `"a@b.org"`, "0.1", "0.30", `"\u2028"`, `"x😀"`)
	}
	return w.one("null", "true", "false", "0", "1", "2", "7", "-2.5", "7.0", "1000", `""`, `"a"`, `"ab1"`, `"é😀"`, `"b"`, "0.3")
}

func (w schemaWriter) schema(depth int) string {
	if depth == 0 && w.r.IntN(3) == 0 {
		return w.one("true", "false", "{}")
	}
	var parts []string
	sub := func() string {
		if depth == 0 {
			return w.one("true", "{}", `{"type":"string"}`, `{"type":"integer"}`)
		}
		return w.schema(depth - 1)
	}
	list := func(n int) string {
		out := []string{sub()}
		for range w.r.IntN(n) {
			out = append(out, sub())
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	used := map[string]bool{}
	put := func(key, value string) {
		if !used[key] {
			used[key] = true
			parts = append(parts, fmt.Sprintf("%q:%s", key, value))
		}
	}
	for range 1 + w.r.IntN(3) {
		switch w.r.IntN(30) {
		case 0, 1:
			put("type", w.one(`"object"`, `"object"`, `"array"`, `"string"`, `"integer"`, `"number"`, `["string","null"]`, `["integer","boolean"]`))
		case 2:
			put("enum", "["+w.value(1)+","+w.value(0)+","+w.value(0)+"]")
		case 3:
			put("const", w.value(1))
		case 4:
			put("minLength", w.one("1", "2"))
			put("maxLength", w.one("2", "3"))
		case 5:
			put("minimum", w.one("1", "-3", "7"))
			put("exclusiveMaximum", w.one("7", "1000"))
		case 6:
			put("multipleOf", w.one("2", "7", "0.5"))
		case 7, 8, 9:
			put("properties", fmt.Sprintf(`{"b":%s,"a":%s}`, sub(), sub()))
		case 10:
			put("required", w.one(`["a"]`, `["b","a"]`, `["c-d"]`))
		case 11:
			put("additionalProperties", w.one("false", "false", sub()))
			put("properties", `{"a":{}}`)
		case 12:
			put("items", sub())
		case 13:
			put("prefixItems", list(2))
		case 14:
			put("minItems", "1")
			put("maxProperties", "2")
		case 15:
			put("uniqueItems", "true")
		case 16:
			put(w.one("allOf", "anyOf", "oneOf"), list(3))
		case 17:
			put("not", sub())
		case 18:
			put("if", sub())
			put("then", sub())
			put("else", sub())
		case 19:
			put("nullable", w.one("true", "false"))
		case 20:
			put("pattern", w.one(`"^[a-z]+$"`, `"[^\\s]\\d"`, `"^.$"`, `"\\u{1F600}|\\x62"`, `"^(?<x>a|é)[\\s\\S]*\\b"`))
		case 21:
			put("format", w.one(`"date"`, `"email"`, `"int32"`, `"uri"`, `"date-time"`, `"uuid"`))
		case 22:
			put("patternProperties", fmt.Sprintf(`{"^[ab]$":%s,"é":%s}`, sub(), sub()))
		case 23:
			put("propertyNames", w.one(`{"maxLength":1}`, `{"pattern":"^[a-z]"}`, `{"enum":["a","b"]}`))
		case 24:
			put("contains", sub())
			put("minContains", w.one("0", "1", "2"))
			put("maxContains", w.one("1", "2"))
		case 25:
			put(w.one("dependentRequired", "dependencies"), `{"a":["b"]}`)
		case 26:
			put("dependentSchemas", fmt.Sprintf(`{"a":%s}`, sub()))
		case 27:
			put("multipleOf", w.one("0.1", "3", "1e-30", "0.07"))
			put("maximum", w.one("1e399", "7.0000000000000000000001"))
		case 28:
			put("items", `{"$ref":"#"}`)
		case 29:
			put("additionalProperties", `{"$ref":"#/properties/a"}`)
			put("properties", fmt.Sprintf(`{"a":%s}`, sub()))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (w schemaWriter) declaration(tools ...string) string {
	var list []string
	for _, tool := range tools {
		list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":%s}`, tool, w.schema(2)))
	}
	return `{"tools":[` + strings.Join(list, ",") + "]}"
}

const anyCalls = "fine: pay() -> pay()\n"

// The runtimes agree on schemas of every keyword, also with modes and with schemas next to specs and rules.
func TestRuntimesAgreeOnSchemas(t *testing.T) {
	w := schemaWriter{rand.New(rand.NewPCG(26, 30))}
	others := drivers(t)
	codes := map[string]int{}
	reasons := map[string]bool{}
	for runs := 0; runs < sample(); {
		files := []workspace.File{{Name: "shop.mcp.json", Text: w.declaration("pay", "look")}, {Name: "r.rules", Text: anyCalls}}
		if w.r.IntN(3) == 0 {
			files[1] = workspace.File{Name: "g.cfg", Text: "S -> pay S | look S | look\n"}
		}
		text, err := compiled(files, compile.Options{})
		if err != nil {
			continue // such as a reference without a target
		}
		g, err := gate.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			runs++
			q := request{Guard: text, Modes: map[string]gate.Mode{}}
			for _, name := range g.RuleNames() {
				if w.r.IntN(4) == 0 {
					q.Modes[name] = []gate.Mode{gate.AskMode, gate.Shadow, gate.Off}[w.r.IntN(3)]
				}
			}
			for i := range 6 {
				arguments := w.value(3)
				if w.r.IntN(10) == 0 {
					arguments = w.one("", " ", "{", `{"a":1,"a":1}`)
				}
				q.Ops = append(q.Ops, operation{"allow", event{Name: w.one("pay", "pay", "look", "Pay", "pay!", "pаy"), ID: fmt.Sprint(i), Arguments: arguments}})
			}
			want := judgeInGo(t, q)
			for _, d := range want.Decisions {
				codes[d.Code]++
				for _, word := range strings.Fields(d.Reason) {
					reasons[word] = true
				}
			}
			for i, d := range others {
				compare(t, d.name, q, want, d.judge(t, q))
				moved(t, w.r, d, others[(i+1)%len(others)], q, want)
			}
			if t.Failed() {
				t.Log(files)
				return
			}
		}
	}
	if codes["ok"] < 100 || codes["schema"] < 100 {
		t.Errorf("%v: too few", codes)
	}
	for _, word := range []string{"missing", "unknown;", "expected", "multiple", "format", "match", "duplicate", "alternatives;", "excluded", "suitable", "characters", "items", "properties", "name"} {
		if !reasons[word] {
			t.Errorf("no reason has the word %q", word)
		}
	}
}

// stricter are values in a format that a guard refuses: leap seconds of other time zones, quoted names and IP literals.
var stricter = []string{
	`"1998-12-31T15:59:60.123-08:00"`, `"01:29:60+01:30"`, `"23:29:60+23:30"`, `"15:59:60-08:00"`, `"00:29:60-23:30"`,
	`"\"joe bloggs\"@example.com"`, `"\"joe..bloggs\"@example.com"`, `"\"joe@bloggs\"@example.com"`, `"joe.bloggs@[127.0.0.1]"`, `"joe.bloggs@[IPv6:::1]"`, `"ldap://[2001:db8::7]/c=GB?objectClass?one"`,
}

// The runtimes have the verdicts of the tests of the authors of JSON Schema.
func TestSchemasPassTheOfficialTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "core", "tool", "schema", "testdata", "official.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	others := drivers(t)
	checked, refused := 0, map[string]int{}
	for line := range strings.Lines(string(text)) {
		var c struct {
			File, About string
			Schema      json.RawMessage
			Tests       []struct {
				Data  json.RawMessage
				Valid bool
			}
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		declared := c.Schema
		if declared[0] != '{' { // a tool declares an object
			declared = json.RawMessage(`{"allOf":[` + string(declared) + "]}")
		}
		guard, err := compiled([]workspace.File{{Name: "t.mcp.json", Text: `{"tools":[{"name":"t","inputSchema":` + string(declared) + `}]}`}, {Name: "r.rules", Text: anyCalls}}, compile.Options{})
		if err != nil {
			refused[c.File]++
			continue
		}
		q := request{Guard: guard}
		for i, test := range c.Tests {
			q.Ops = append(q.Ops, operation{"allow", event{Name: "t", ID: fmt.Sprint(i), Arguments: string(test.Data)}})
		}
		want := judgeInGo(t, q)
		for i, test := range c.Tests {
			checked++
			if allowed := want.Decisions[i].Verdict == gate.Allow; allowed && !test.Valid || !allowed && test.Valid && !slices.Contains(stricter, string(test.Data)) {
				t.Errorf("%s, %s: %s of %s: %+v", c.File, c.About, test.Data, c.Schema, want.Decisions[i])
			}
		}
		for _, d := range others {
			compare(t, d.name, q, want, d.judge(t, q))
		}
	}
	// References to other documents and anchors, unevaluatedProperties, and expressions that look around.
	if want := map[string]int{"ref": 17, "not": 1, "optional/ecmascript-regex": 2}; checked < 1000 || !reflect.DeepEqual(refused, want) {
		t.Errorf("%d values; schemas that are not compiled by file: %v, want %v", checked, refused, want)
	}
}

// No arguments obtain a permission by exceeding a bound of the check, and all runtimes have the same bounds.
func TestAttacksOnSchemas(t *testing.T) {
	doubling := `{"$ref":"#/$defs/d0","$defs":{`
	for i := range 30 {
		doubling += fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	doubling += `"d30":{"type":"string"}}}`
	tree := `{"type":"object","properties":{"kids":{"type":"array","items":{"anyOf":[{"allOf":[{"$ref":"#"}]},{"type":"null"}]}}},"additionalProperties":false}`
	nested := func(n int) string { return strings.Repeat(`{"kids":[`, n) + "null" + strings.Repeat("]}", n) }
	all := drivers(t)
	for _, c := range []struct{ about, schema, arguments, code, says string }{
		{"a small tree", tree, nested(20), "ok", ""},
		{"a deep tree", tree, nested(30), "schema", "too complex"},
		{"an unknown member in a tree", tree, `{"kids":[{"kids":[],"kid":1}]}`, "schema", "in the first one, value.kid is unknown"},
		{"doubled work", doubling, `{}`, "schema", "too complex"},
		{"doubled work in a negation", `{"not":` + strings.Replace(doubling, "#/", "#/not/", -1) + "}", `{}`, "schema", "too complex"},
		{"many items", `{"items":{"type":"integer"}}`, "[" + strings.Repeat("1,", 20_000) + "1]", "ok", ""},
		{"many items that are unique", `{"uniqueItems":true}`, "[" + strings.Repeat("1,", 20_000) + "1]", "schema", "arguments[1] is a duplicate"},
		{"doubled work before a node without checks", `{"$ref":"#/$defs/not","properties":{"a":{}},"additionalProperties":{"title":"any"},"$defs":{"not":{"not":{"$ref":"#/$defs/d0"}},` + strings.TrimPrefix(doubling, `{"$ref":"#/$defs/d0","$defs":{`), `{"b":1}`, "schema", "too complex"},
		{"no arguments", `{"type":"object","required":["q"]}`, "", "schema", "arguments.q is missing"},
		{"null for an object", `{"type":"object"}`, "null", "schema", "is null; expected an object"},
		{"a text with an object", `{"type":"object"}`, `"{}"`, "schema", "is a string; expected an object"},
		{"__proto__", `{"properties":{"a":{}},"additionalProperties":false}`, `{"__proto__":{"a":1}}`, "schema", `arguments.__proto__ is unknown; expected: \"a\"`},
		{"a required __proto__", `{"required":["__proto__"]}`, `{"constructor":1}`, "schema", "arguments.__proto__ is missing"},
		{"a look-alike name", `{"properties":{"a":{"const":1}},"additionalProperties":false}`, `{"а":2}`, "schema", `[\"\\u{430}\"]`},
		{"an exact limit", `{"maximum":9007199254740992}`, "9007199254740993", "schema", "at most 9007199254740992"},
		{"a huge exponent", `{"maximum":1e300}`, "1e999999999999999999999", "schema", "at most 1e300"},
		{"a huge multiple", `{"multipleOf":0.7}`, "7e9999999999999999999999", "ok", ""},
		{"no multiple", `{"multipleOf":3}`, "1e9999999999999999999999", "schema", "multiple of 3"},
		{"a long number", `{"multipleOf":7}`, strings.Repeat("7", 20_000), "ok", ""},
		{"a line end after a pattern", `{"pattern":"^[a-z]+$"}`, `"abc\n"`, "schema", "must match"},
	} {
		text, err := compiled([]workspace.File{{Name: "t.mcp.json", Text: `{"tools":[{"name":"pay","inputSchema":` + c.schema + `}]}`}, {Name: "r.rules", Text: anyCalls}}, compile.Options{})
		if err != nil {
			t.Fatal(c.about, err)
		}
		q := request{Guard: text, Ops: []operation{{"allow", event{Name: "pay", ID: "1", Arguments: c.arguments}}}}
		want := judgeInGo(t, q)
		reason, _ := json.Marshal(want.Decisions[0].Reason)
		if want.Decisions[0].Code != c.code || !strings.Contains(string(reason), c.says) {
			t.Errorf("%s: %+v", c.about, want.Decisions[0])
		}
		for _, d := range all {
			compare(t, d.name+": "+c.about, q, want, d.judge(t, q))
		}
	}
}

// Damaged schemas, and operators of newer versions, are refused by all runtimes.
func TestDamagedSchemasAreRefused(t *testing.T) {
	declared := `{"tools":[{"name":"pay","inputSchema":{"type":"object","properties":{"a":{"minimum":1},"b":{"pattern":"x"},"c":{"enum":[1]}},"not":{"required":["d"]}}}]}`
	text, err := compiled([]workspace.File{{Name: "t.mcp.json", Text: declared}, {Name: "r.rules", Text: anyCalls}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := drivers(t)
	for _, change := range [][2]string{
		{`"root":0`, `"root":77`}, {`"root":0`, `"root":-2`}, {`"op":"minimum"`, `"op":"atLeast"`}, {`"op":"type"`, `"op":"any"`}, {`"value":"1"`, `"value":"one"`}, {`"object"`, `"thing"`},
		{`"kids":[1,`, `"kids":[99,`}, {`"kids":[1,`, `"kids":[`}, {`"values":["1"]`, `"values":["1x"]`}, {`"schemas":[{`, `"schemas":[{"safe":true,`}, {`"text":"x"`, `"text":"y"`},
		{`"op":"required"`, `"op":"required","count":-1`}, {`"tool":"pay"`, `"tool":7`}, {`"op":"not","kids":[4]`, `"op":"not","kids":[]`}, {`"names":["a","b"`, `"names":["a","a"`},
	} {
		damaged := strings.Replace(text, change[0], change[1], 1)
		if damaged == text {
			t.Fatalf("%s changes nothing: %s", change[0], text)
		}
		refused(t, all, damaged, change[1])
	}
}

// A keyword that the runtimes cannot check is an error with its name and place, unless it is excluded.
func TestUnsupportedKeywordsAreReported(t *testing.T) {
	for declared, says := range map[string]string{
		`{"unevaluatedProperties":false}`: `unsupported keyword "unevaluatedProperties"`, `{"properties":{"a":{"maxLenght":3}}}`: `unsupported keyword "maxLenght" at /properties/a`,
		`{"items":{"format":"ipv6"}}`: `unsupported format "ipv6" at /items`, `{"pattern":"(?=x)"}`: `unsupported pattern "(?=x)": lookahead and lookbehind are not supported`, `{"pattern":"(a)\\1"}`: `unknown escape \1`,
		`{"$ref":"#/nowhere"}`: `unknown reference "#/nowhere"`, `{"$ref":"https://example.org/s.json"}`: "unknown reference", `{"allOf":[{"$ref":"#"}]}`: "refers to itself", `{"minLength":"2"}`: `malformed keyword "minLength"`,
		`{"minLength":-1}`: "malformed", `{"maxItems":1.5}`: "malformed", `{"type":"text"}`: "malformed", `{"type":[]}`: "malformed", `{"multipleOf":0}`: "malformed", `{"required":"a"}`: "malformed",
		`{"properties":{"a":{"required":true}}}`: `malformed keyword "required" at /properties/a`, `{"minimum":1,"minimum":2}`: "duplicate keyword", `{"properties":{"a":{},"a":{}}}`: "duplicate member", `{"anyOf":[]}`: "malformed",
		`{"properties":{"a":7}}`: "neither an object nor true or false", `{"properties":{"a":{"$id":"x"}}}`: `unsupported keyword "$id"`, `{"$dynamicRef":"#a"}`: `unsupported keyword "$dynamicRef"`,
	} {
		files := []workspace.File{{Name: "t.mcp.json", Text: `{"tools":[{"name":"pay","inputSchema":` + declared + `}]}`}, {Name: "r.rules", Text: anyCalls}}
		if _, err := compiled(files, compile.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", declared, err)
		}
	}
	files := []workspace.File{{Name: "t.mcp.json", Text: `{"tools":[{"name":"pay","inputSchema":{"format":"ipv6","unevaluatedProperties":false,"title":"T","x-order":1}}]}`}, {Name: "r.rules", Text: anyCalls}}
	text, err := compiled(files, compile.Options{Unchecked: []string{"format", "unevaluatedProperties", "pattern"}})
	if err != nil || !strings.Contains(text, `"unchecked":["format","unevaluatedProperties"]`) {
		t.Errorf("%v %s", err, text)
	}
	for name, content := range map[string]string{"t.mcp.json": "{", "agent-tools.json": `{"tools":[{"persn":{}}]}`, "u.json": `{"tools":[{"name":"pay","inputSchema":true}]}`} {
		if _, err := compiled([]workspace.File{{Name: name, Text: content}, {Name: "r.rules", Text: anyCalls}}, compile.Options{}); err == nil {
			t.Errorf("%s is read: %s", name, content)
		}
	}
}
