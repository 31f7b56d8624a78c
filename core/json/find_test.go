package json_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
)

func TestFindExtractsValueFromReply(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{` {"a":1} `, `{"a":1}`},
		{"7", "7"},
		{"Here it is:\n```json\n[1, 2]\n```\nDone.", "[1, 2]"},
		{"```\n\"a\"\n```", `"a"`},
		{"The answer is {\"a\": [1]} as you see.", `{"a": [1]}`},
		{"{no} {}", "{}"},
		{"[no] then [2]", "[2]"},
		{"{no}[3]", "[3]"},
		{`so {"a": "}\"]{"} then`, `{"a": "}\"]{"}`},
		{`so {"a": "\\"} then {`, `{"a": "\\"}`},
		{"a list [[1], {\"b\": []}] of {}", `[[1], {"b": []}]`},
		{"```\nno value\n``` but [4]", "[4]"},
	} {
		n, fault, ok := json.Find(c.text)
		if !ok || fault != nil {
			t.Errorf("%q: %v", c.text, fault)
			continue
		}
		want, _ := json.Tree(c.want)
		if length := n.At.End - n.At.Start; length != len(c.want) || n.Kind != want.Kind || n.Text != want.Text || len(n.Items) != len(want.Items) || len(n.Members) != len(want.Members) {
			t.Errorf("%q: %d bytes of %q, want %q", c.text, length, n.Kind, c.want)
		}
	}
}

func TestFindReportsMostSpecificError(t *testing.T) {
	for _, c := range []struct {
		text, message string
		at            int
	}{
		{"", "unexpected end of JSON input", 0},
		{"no", "invalid character 'o' in null", 1},
		{"so {\"a\": {} and", "invalid character 's' looking for the beginning of a value", 0}, // an unclosed bracket
		{"so [", "invalid character 's' looking for the beginning of a value", 0},
		{"so [x] and {y}", "invalid character 's' looking for the beginning of a value", 0},
		{"see:\n```\n[1,]\n```", "invalid character ']' looking for the beginning of a value", 3},    // the error of the fence
		{"see:\n```\nnothing\n```", "invalid character 's' looking for the beginning of a value", 0}, // the fence has no brackets
	} {
		n, fault, ok := json.Find(c.text)
		if ok || n != nil || fault == nil || fault.Message != c.message || fault.Offset != c.at {
			t.Errorf("%q: %+v, want %q at %d", c.text, fault, c.message, c.at)
		}
	}
}

func TestNearQuotesLocationOfError(t *testing.T) {
	const brackets = ": unclosed bracket, or a syntax error inside the brackets"
	long := `{"a": "` + strings.Repeat("x", 40) + `" "` + strings.Repeat("y", 40) + `"}`
	for _, c := range []struct{ text, want string }{
		{"[1 2]", `: invalid character '2' after a value in a list, at character 4, near "[1 2]"`},
		{" {'a'} ", `: invalid character '\'' looking for the beginning of a field's name, at character 2, near "{'a'}"`},
		{long, `: invalid character '"' after a value in a list, at character 50, near "` + strings.Repeat("x", 18) + `\" \"` + strings.Repeat("y", 19) + `"`},
		{"[é" + strings.Repeat(" ", 18) + "é]", `: invalid character 'é' looking for the beginning of a value, at character 2, near "[é` + strings.Repeat(" ", 18) + `"`},
		{"no", brackets},
	} {
		_, fault := json.Tree(strings.TrimSpace(c.text))
		if got := json.Near(c.text, fault); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	if got := json.Near("[1]", nil); got != brackets {
		t.Error(got)
	}
	if got, want := json.Near("[1]", &json.SyntaxError{Message: "m", Offset: 99}), `: m, at character 4, near "[1]"`; got != want {
		t.Error(got)
	}
}
