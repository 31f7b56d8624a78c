package json_test

import (
	std "encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
)

// valueOf returns the value that encoding/json decodes from the text of a node. It
// reports ranges that are not those of the value or the key.
func valueOf(t *testing.T, text string, n *json.Node) any {
	t.Helper()
	written := text[n.At.Start:n.At.End]
	switch n.Kind {
	case '{':
		out := map[string]any{}
		for _, m := range n.Members {
			var key string
			if err := std.Unmarshal([]byte(text[m.At.Start:m.At.End]), &key); err != nil || key != m.Key {
				t.Errorf("the key %q is at %q: %v", m.Key, text[m.At.Start:m.At.End], err)
			}
			out[m.Key] = valueOf(t, text, m.Value)
		}
		return out
	case '[':
		out := []any{}
		for _, item := range n.Items {
			out = append(out, valueOf(t, text, item))
		}
		return out
	case '"':
		return n.Text
	}
	var out any
	if err := std.Unmarshal([]byte(written), &out); err != nil || n.Text != written {
		t.Errorf("%q is at %q: %v", n.Text, written, err)
	}
	return out
}

func TestTreeHasValuesAndRanges(t *testing.T) {
	text := "\ufeff {\"a\" : [1, -2.5e3, true,false,null, \"é\\u00e9\\ud83c\\udf0d\\n\"],\n \"a\": {} , \"b\":[ ], \"\":{\"c\":\"\"}} "
	n, fault := json.Tree(text)
	if fault != nil {
		t.Fatal(fault)
	}
	var want any
	if err := std.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &want); err != nil {
		t.Fatal(err)
	}
	if got := valueOf(t, text, n); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if a, _ := n.Get("a"); len(n.Members) != 4 || len(a.Items) != 6 || a.Items[5].Text != "éé🌍\n" {
		t.Errorf("%+v", n)
	}
	kinds := ""
	for _, item := range n.Members[0].Value.Items {
		kinds += string(item.Kind)
	}
	if kinds != `00tfn"` {
		t.Error(kinds)
	}
	if c, ok := n.Get("c"); ok || c.Kind != 0 || n.TextOf("b") != "" || n.Members[3].Value.TextOf("c") != "" {
		t.Errorf("%+v", c)
	}
	if missing, ok := (*json.Node)(nil).Get("a"); ok || missing == nil {
		t.Error(missing)
	}
}

func TestTreesOfSequences(t *testing.T) {
	text := "{\"a\":1}\n\n[2] \"x\"{}\r\n-3"
	trees, fault := json.Trees(text)
	if fault != nil || len(trees) != 5 {
		t.Fatal(trees, fault)
	}
	for i, want := range []string{`{"a":1}`, "[2]", `"x"`, "{}", "-3"} {
		if got := text[trees[i].At.Start:trees[i].At.End]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if trees, fault := json.Trees(" \n"); fault != nil || trees != nil {
		t.Error(trees, fault)
	}
}

func TestTreeErrors(t *testing.T) {
	deep := strings.Repeat("[", json.MaxTreeDepth+1)
	for text, want := range map[string]json.SyntaxError{
		"":                                    {"unexpected end of JSON input", 0},
		`{"a": [`:                             {"unexpected end of JSON input", 7},
		`{"a": tru }`:                         {"invalid character ' ' in true", 9},
		`{} {}`:                               {"unexpected second value", 3},
		deep + strings.Repeat("]", len(deep)): {"unexpected end of JSON input", -1}, // no error: the maximum depth
		"[" + deep:                            {"the JSON is nested too deeply", len(deep)},
	} {
		_, fault := json.Tree(text)
		switch {
		case want.Offset < 0:
			if fault != nil {
				t.Errorf("%.20s…: %+v", text, fault)
			}
		case fault == nil || *fault != want:
			t.Errorf("%.20s…: %+v, want %+v", text, fault, want)
		}
	}
}

// FuzzTreeEqualsEncodingJSON compares trees with encoding/json.
func FuzzTreeEqualsEncodingJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.5,"\u00e9",null,true]}`, `[[],{},""]`, "1e400", `"\ud800"`, "{\"a\":1,}", " [ ] x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, fault := json.Tree(text)
		if fault != nil && strings.Contains(fault.Message, "too deep") || strings.HasPrefix(text, "\ufeff") {
			return
		}
		if valid := std.Valid([]byte(text)); valid != (fault == nil) {
			t.Fatalf("%q: %v, but encoding/json returns %v", text, fault, valid)
		}
		var want any
		if fault == nil && std.Unmarshal([]byte(text), &want) == nil { // which rejects 1e400
			if got := valueOf(t, text, n); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	})
}

func TestAppend(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `{"a":[1,2.50,"x\ny"],"b":{"c":null,"d":true}}`, `"x"`, `-1e5`} {
		n, fault := json.Tree(" " + strings.ReplaceAll(text, ",", " ,\n"))
		if fault != nil {
			t.Fatal(fault)
		}
		if got := string(n.Append([]byte("x"))); got != "x"+text {
			t.Errorf("%s, want x%s", got, text)
		}
	}
	if got := string((&json.Node{}).Append(nil)); got != "null" {
		t.Errorf("a missing value is %s", got)
	}
}
