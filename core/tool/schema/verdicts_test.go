package schema_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/schema"
)

// The table has the verdicts, and the changes from an earlier check.
func TestVerdicts(t *testing.T) {
	text, err := os.ReadFile("testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for block := range strings.SplitSeq(string(text), "\n\n") {
		values += checkBlock(t, block)
	}
	if values < 400 {
		t.Errorf("%d values: too few", values)
	}
}

// checkBlock checks the verdicts of a block of schemas, and returns their number.
func checkBlock(t *testing.T, block string) (values int) {
	t.Helper()
	var c *schema.Checker
	declared := ""
	var unchecked []string
	end := func() {
		if c != nil && !slices.Equal(c.Unchecked, unchecked) {
			t.Errorf("%s: %q are not checked, want %q", declared, c.Unchecked, unchecked)
		}
	}
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		sign, rest, _ := strings.Cut(line, " ")
		switch sign {
		case "#":
		case "?":
			unchecked = append(unchecked, rest)
		case "+", "-", "+-", "-+":
			list, syntax := json.Trees(rest)
			if syntax != nil {
				t.Fatalf("%s: %v", line, syntax)
			}
			for _, v := range list {
				values++
				value := rest[v.At.Start:v.At.End]
				if err := c.Validate(json.RawMessage(value)); (err == nil) != strings.HasSuffix(sign, "+") {
					t.Errorf("%s of %s: %v", value, declared, err)
				}
			}
		default:
			end()
			declared, unchecked = line, nil
			var err error
			if c, err = schema.Compile(json.RawMessage(line)); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	}
	end()
	return values
}

// stricter are values in a format that no check accepts: leap seconds of other time zones, quoted names and IP literals.
var stricter = []string{
	`"1998-12-31T15:59:60.123-08:00"`, `"01:29:60+01:30"`, `"23:29:60+23:30"`, `"15:59:60-08:00"`, `"00:29:60-23:30"`,
	`"\"joe bloggs\"@example.com"`, `"\"joe..bloggs\"@example.com"`, `"\"joe@bloggs\"@example.com"`, `"joe.bloggs@[127.0.0.1]"`, `"joe.bloggs@[IPv6:::1]"`, `"ldap://[2001:db8::7]/c=GB?objectClass?one"`,
}

// The check has the verdicts of the tests of the authors of JSON Schema.
func TestOfficialVerdicts(t *testing.T) {
	text, err := os.ReadFile("testdata/official.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	checked, unchecked := 0, map[string]int{}
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
		compiled, err := schema.Compile(c.Schema)
		if err != nil {
			t.Fatalf("%s, %s: %v", c.File, c.About, err)
		}
		if len(compiled.Unchecked) > 0 {
			unchecked[c.File]++
			continue
		}
		for _, test := range c.Tests {
			checked++
			if err := compiled.Validate(test.Data); err == nil && !test.Valid || err != nil && test.Valid && !slices.Contains(stricter, string(test.Data)) {
				t.Errorf("%s, %s: %s of %s: %v", c.File, c.About, test.Data, c.Schema, err)
			}
		}
	}
	// References to other documents and anchors, unevaluatedProperties, and expressions that look around.
	if want := map[string]int{"ref": 17, "not": 1, "optional/ecmascript-regex": 2}; checked < 1000 || !reflect.DeepEqual(unchecked, want) {
		t.Errorf("%d values; schemas that are not checked completely by file: %v, want %v", checked, unchecked, want)
	}
}
