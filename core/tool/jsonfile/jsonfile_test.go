package jsonfile

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
)

func TestWordsAreASCII(t *testing.T) {
	for c := range 256 {
		want := strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-.", byte(c)) >= 0
		if got := IsWord(byte(c)); got != want {
			t.Errorf("%q: %v", rune(c), got)
		}
	}
}

// Compact agrees with encoding/json, except that members keep their order and numbers their
// digits.
func TestCompactWritesTheSameValue(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-1.50e+3`, `"a\"\\\n\u00e9"`, `[]`, `{}`, `[1]`, `[1, 2, 3]`, `{"a": 1}`, `{"b": [1, {"c": null}], "a": {"d": "e", "f": []}}`,
	} {
		n, fault := Read(text, "")
		if fault != nil {
			t.Fatal(fault)
		}
		got := Compact(n)
		var a, b any
		if stdjson.Unmarshal([]byte(text), &a) != nil || stdjson.Unmarshal([]byte(got), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) || strings.Contains(got, " ") {
			t.Errorf("%s is written as %s", text, got)
		}
		if !strings.Contains(text, `\`) && got != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%s is written as %s", text, got)
		}
	}
	if got := Compact(Absent); got != "null" {
		t.Error(got)
	}
}

func TestSyntaxErrorsHaveAPlaceInTheText(t *testing.T) {
	for text, at := range map[string][2]int{`{"a": x}`: {6, 7}, `[1`: {2, 2}, ``: {0, 0}, `1 2`: {2, 3}} {
		n, fault := Read(text, "code")
		if fault == nil || n != Absent || fault.Code != "code" || int(fault.Span.Start) != at[0] || int(fault.Span.End) != at[1] {
			t.Errorf("%q: %+v", text, fault)
		}
	}
}

func TestAReaderReportsShapes(t *testing.T) {
	tree := func(text string) *json.Node {
		n, fault := Read(text, "")
		if fault != nil {
			t.Fatal(fault)
		}
		return n
	}
	for _, c := range []struct {
		text  string
		names []string
		ok    bool
		found []string
	}{
		{`{"a": 1, "b": 2}`, []string{"a", "b"}, true, nil},
		{`{"a": 1, "a": 2}`, []string{"a"}, true, []string{"tools.twice"}},
		{`{"nam": 1}`, []string{"name"}, true, []string{"tools.field"}},
		{`{"x": 1}`, nil, true, nil},
		{`[1]`, nil, false, []string{"tools.shape"}},
	} {
		r := &Reader{}
		ok := r.Object(tree(c.text), "expected an object", c.names...)
		var codes []string
		for _, d := range r.Found {
			codes = append(codes, d.Code)
		}
		if ok != c.ok || !slices.Equal(codes, c.found) {
			t.Errorf("%s: %v %v", c.text, ok, r.Found)
		}
		if len(codes) == 1 && codes[0] == "tools.field" && (len(r.Found[0].Fixes) != 1 || !strings.HasSuffix(r.Found[0].Message, `did you mean "name"?`)) {
			t.Errorf("%+v", r.Found)
		}
	}
	n := tree(`{"t": "x", "n": 7, "l": ["a", "b"], "m": ["a", 1], "e": []}`)
	r := &Reader{}
	if r.Text(n, "t") != "x" || r.Text(n, "none") != "" || !slices.Equal(r.Texts(n, "l"), []string{"a", "b"}) || r.Texts(n, "e") != nil || r.Texts(n, "none") != nil || len(r.Found) != 0 {
		t.Errorf("%+v", r.Found)
	}
	if r.Text(n, "n") != "" || r.Texts(n, "m") != nil || r.Texts(n, "t") != nil || len(r.Found) != 3 {
		t.Errorf("%+v", r.Found)
	}
	for range 2 * maxFound {
		r.Error(n, "code", "x")
	}
	if len(r.Found) != maxFound {
		t.Errorf("%d faults are reported", len(r.Found))
	}
}
