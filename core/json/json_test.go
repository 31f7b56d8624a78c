package json_test

import (
	std "encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
)

// everything has a field of each kind that the core's types use.
type everything struct {
	Bool    bool              `json:"bool"`
	Int     int               `json:"int"`
	Int64   int64             `json:"int64,omitempty"`
	Uint    uint64            `json:"uint"`
	Float   float64           `json:"float"`
	Text    string            `json:"text,omitempty"`
	Named   named             `json:"named"`
	List    []string          `json:"list"`
	Lists   [][]int           `json:"lists,omitempty"`
	Pointer *inner            `json:"pointer,omitempty"`
	Null    *int              `json:"null"`
	Inner   inner             `json:"inner"`
	Inners  []inner           `json:"inners"`
	Map     map[string]inner  `json:"map,omitempty"`
	Words   map[string]string `json:"words"`
	Raw     json.RawMessage   `json:"raw"`
	Own     own               `json:"own"`
	Hidden  int               `json:"-"`
	Plain   string
	secret  int
}

type named string

type inner struct {
	A string `json:"a"`
	B *inner `json:"b,omitempty"`
}

// own encodes itself as a string with a prefix.
type own struct{ text string }

func (o own) MarshalJSON() ([]byte, error) { return std.Marshal("own:" + o.text) }

func (o *own) UnmarshalJSON(text []byte) error {
	var s string
	if err := std.Unmarshal(text, &s); err != nil {
		return err
	}
	o.text = strings.TrimPrefix(s, "own:")
	return nil
}

var strangeTexts = []string{"", "plain", "é 𝄞 \u2028\u2029", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "<&>", "\xff\xc3(", "\x80", "\U0010ffff"}

func draw(random *rand.Rand, depth int) everything {
	text := func() string { return strangeTexts[random.IntN(len(strangeTexts))] }
	var in func(depth int) *inner
	in = func(depth int) *inner {
		if depth == 0 || random.IntN(2) == 0 {
			return nil
		}
		return &inner{text(), in(depth - 1)}
	}
	e := everything{
		Bool: random.IntN(2) == 0, Int: int(random.Int64()) >> random.IntN(64), Int64: -random.Int64() >> random.IntN(64), Uint: random.Uint64() >> random.IntN(64),
		Float: []float64{0, 1.5, -1e-7, 1e21, 123456789.123, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e20, 1e-6}[random.IntN(9)],
		Text:  text(), Named: named(text()), Pointer: in(depth), Own: own{"x"}, Plain: text(), Raw: json.RawMessage(`{"a":[1]}`), Hidden: 3, secret: 4,
	}
	for range random.IntN(4) {
		e.List = append(e.List, text())
		e.Lists = append(e.Lists, []int{1, random.IntN(9)}, nil, []int{})
		e.Inners = append(e.Inners, inner{A: text()})
	}
	if random.IntN(2) == 0 {
		e.Map = map[string]inner{text(): {A: "1"}, "b": {}, "a": {}}
		e.Words = map[string]string{"z": text(), "y": text()}
	}
	return e
}

// standard returns the encoding of encoding/json, without HTML escapes.
func standard(t testing.TB, v any) string {
	var b strings.Builder
	e := std.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestMarshalEqualsEncodingJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 1))
	for range effort.Of(3000) {
		v := draw(random, 4)
		got, err := json.Marshal(v)
		if want := standard(t, v); err != nil || string(got) != want {
			t.Fatalf("got  %s (%v)\nwant %s", got, err, want)
		}
		got, err = json.Marshal(&v)
		if want := standard(t, &v); err != nil || string(got) != want {
			t.Fatalf("by pointer: got %s (%v)", got, err)
		}
	}
	for _, v := range []any{nil, "a", 1, []string(nil), map[string]int(nil), (*inner)(nil), json.RawMessage(nil), struct{ X any }{nil}, struct{ X any }{"x"}, struct{ X json.Marshaler }{nil}, struct{ X json.Marshaler }{own{"x"}}} {
		if got, err := json.Marshal(v); err != nil || string(got) != standard(t, v) {
			t.Errorf("%#v: got %s (%v)", v, got, err)
		}
	}
	for _, v := range []any{math.NaN(), make(chan int), func() {}} {
		if text, err := json.Marshal(v); err == nil {
			t.Errorf("%T has JSON: %s", v, text)
		}
	}
}

// even is zero if it is even.
type even int

func (e even) IsZero() bool { return e%2 == 0 }

// small is zero below 3; its method has a pointer receiver.
type small int

func (s *small) IsZero() bool { return *s < 3 }

// zeros has fields with omitzero in every combination that encoding/json treats
// differently.
type zeros struct {
	Struct  inner                      `json:"struct,omitzero"`
	Deep    struct{ I inner }          `json:"deep,omitzero"`
	Both    []int                      `json:"both,omitempty,omitzero"`
	Slice   []int                      `json:"slice,omitzero"`
	Map     map[string]int             `json:"map,omitzero"`
	Pointer *inner                     `json:"pointer,omitzero"`
	Text    string                     `json:"text,omitzero"`
	Untag   int                        `json:",omitzero"`
	Even    even                       `json:"even,omitzero"`
	Evens   *even                      `json:"evens,omitzero"`
	Small   small                      `json:"small,omitzero"`
	Smalls  *small                     `json:"smalls,omitzero"`
	Own     own                        `json:"own,omitzero"`
	Face    interface{ IsZero() bool } `json:"face,omitzero"`
	Other   any                        `json:"other,omitzero"`
	Always  even                       `json:"always"`
}

func TestOmitZeroEqualsEncodingJSON(t *testing.T) {
	two, three, none := even(2), small(3), small(0)
	for _, v := range []zeros{
		{}, {Slice: []int{}, Map: map[string]int{}, Both: []int{}, Pointer: &inner{}, Text: "x", Untag: 1},
		{Struct: inner{A: "a"}, Even: 2, Evens: &two, Small: 2, Smalls: &none, Face: two, Other: two, Always: 2},
		{Even: 3, Small: 3, Smalls: &three, Own: own{"x"}, Face: even(1), Other: 0},
		{Deep: struct{ I inner }{inner{B: &inner{}}}, Other: ""},
	} {
		for _, v := range []any{v, &v} {
			if got, err := json.Marshal(v); err != nil || string(got) != standard(t, v) {
				t.Errorf("got  %s (%v)\nwant %s", got, err, standard(t, v))
			}
		}
	}
}

func TestUnmarshalRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 1))
	for range effort.Of(3000) {
		text, err := json.Marshal(draw(random, 4))
		if err != nil {
			t.Fatal(err)
		}
		same(t, text)
	}
}

// same fails the test unless both packages decode a text to the same value.
func same(t testing.TB, text []byte) {
	t.Helper()
	var got, want everything
	gotErr, wantErr := json.Unmarshal(text, &got), std.Unmarshal(text, &want)
	if std.Valid(text) != (!isSyntax(gotErr)) {
		t.Fatalf("%s: valid %v, but %v", text, std.Valid(text), gotErr)
	}
	var value any
	if std.Unmarshal(text, &value) == nil && folds(value) {
		return
	}
	if (gotErr == nil) != (wantErr == nil) {
		t.Fatalf("%s: %v, but encoding/json returns %v", text, gotErr, wantErr)
	}
	if gotErr == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\ngot  %+v\nwant %+v", text, got, want)
	}
}

// folds reports whether a value has keys in another letter case, which encoding/json
// matches with tagged fields. The field Plain has no tag.
func folds(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if name != "Plain" && name != strings.ToLower(name) || strings.ContainsRune(name, 'ſ') || folds(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, folds)
	}
	return false
}

func TestUnmarshalEqualsEncodingJSON(t *testing.T) {
	for _, text := range []string{
		`{"int":0,"uint":0,"float":0}`, `{"int":9,"uint":9,"float":9e-9}`, `{"uint":18446744073709551615}`, `{"uint":18446744073709551616}`,
		`{"text":"\u00aa\u00AA\u00ff\u00FF\u0099\ud834\u0041"}`, `{"text":"\ud834"}`, `{"text":"\\\\"}`, `{"text":"\ud834\ud834\udd1e"}`, "{\"text\":\"\x80\"}", "{\"text\":\"\x7f\"}",
	} {
		same(t, []byte(text))
	}
}

func TestUnmarshalNull(t *testing.T) {
	v := everything{Int: 3, Own: own{"kept"}, Raw: json.RawMessage("1"), List: []string{"a"}, Pointer: &inner{}}
	if err := json.Unmarshal([]byte(`{"int":null,"own":null,"raw":null,"list":null,"pointer":null}`), &v); err != nil {
		t.Fatal(err)
	}
	if v.Int != 3 || v.Own.text != "kept" || string(v.Raw) != "null" || v.List != nil || v.Pointer != nil {
		t.Errorf("%+v", v)
	}
}

func isSyntax(err error) bool {
	_, ok := err.(*json.SyntaxError)
	return ok
}

// The recursion fits into the stack of a browser.
func TestNestingEndsWithError(t *testing.T) {
	for _, pair := range []struct{ open, shut string }{{"[", "]"}, {`{"a":`, "}"}} {
		text := func(n int) []byte {
			return []byte(`{"raw":` + strings.Repeat(pair.open, n) + "1" + strings.Repeat(pair.shut, n) + "}")
		}
		var v struct {
			Raw json.RawMessage `json:"raw"`
		}
		if err := json.Unmarshal(text(json.MaxDepth-1), &v); err != nil {
			t.Errorf("%d times %q: %v", json.MaxDepth-1, pair.open, err)
		}
		var fault *json.SyntaxError
		if err := json.Unmarshal(text(100*json.MaxDepth), &v); !errors.As(err, &fault) {
			t.Errorf("%d times %q: %v, want a syntax error", 100*json.MaxDepth, pair.open, err)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
	}{
		{"", 0}, {"{", 1}, {`{"a"`, 4}, {`{"a" 1}`, 5}, {`{"a":1,}`, 7}, {"[1,]", 3}, {"[1 2]", 3}, {"nul", 3}, {"nulx", 3}, {"01", 1}, {"1.", 2}, {"1e", 2},
		{"-", 1}, {`"a`, 2}, {"\"\n\"", 1}, {`"\x"`, 2}, {`"\u12"`, 5}, {`"\`, 2}, {`"\u12`, 5}, {`"\u00aG"`, 6}, {`"\u00Fg"`, 6}, {`"\u00:a"`, 5}, {`"\u00/a"`, 5}, {"\"\\u00@a\"", 5}, {"\"\\u00`a\"", 5}, {"{} x", 3}, {"+1", 0}, {"'a'", 0}, {"é", 0},
		{strings.Repeat("[", 20_000), json.MaxDepth + 1},
	} {
		var v everything
		err := json.Unmarshal([]byte(c.text), &v)
		syntax, ok := err.(*json.SyntaxError)
		if !ok || syntax.Offset != c.at {
			t.Errorf("%.40q: %#v, want an offset of %d", c.text, err, c.at)
		}
	}
}

func TestTypeErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"int":"x"}`:              `"int" is a JSON string, not a number`,
		`{"int":1.5}`:              `"int" is a JSON number 1.5, not a whole number in range`,
		`{"int":1e3}`:              `"int" is a JSON number 1e3, not a whole number in range`,
		`{"uint":-1}`:              `"uint" is a JSON number -1, not a whole number in range`,
		`{"inner":{"a":1}}`:        `"inner.a" is a JSON number 1, not a string`,
		`{"list":{}}`:              `"list" is a JSON object, not an array`,
		`{"bool":0}`:               `"bool" is a JSON number 0, not true or false`,
		`{"map":[]}`:               `"map" is a JSON array, not an object`,
		`[]`:                       `it is a JSON array, not an object`,
		`{"inner":{"a":"","c":1}}`: `unknown field "inner.c"`,
		`{"hidden":1}`:             `unknown field "hidden"`,
	} {
		var v everything
		if err := json.UnmarshalStrict([]byte(text), &v); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func FuzzUnmarshalEqualsEncodingJSON(f *testing.F) {
	for _, text := range []string{
		`{"bool":true,"int":-5,"float":1e-3,"text":"\ud834\udd1e\u00e9\n","list":["a",null],"lists":[[1],[]],"pointer":{"a":"x","b":{"a":""}},"null":3}`,
		`{"map":{"a":{"a":"b"}},"words":null,"raw":[1,{"x":"\ud800"}],"own":"own:z","plain":"p","unknown":{}}`, `{"inners":[{},{"a":null}]} `, "{\"text\":\"\xff\"}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { same(t, text) })
}
