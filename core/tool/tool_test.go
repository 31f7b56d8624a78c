package tool_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

const images = `{
  "types": ["image", "text"],
  "inputs": {
    "i": {"type": "image", "text": "two cats", "marks": ["grey", "blurry"]},
    "t": {"type": "text", "text": "What is it?"}
  },
  "tools": {
    "colour": {"takes": ["image"], "gives": "image", "does": {"remove": ["grey"], "add": ["coloured"]}},
    "sharpen": {"takes": ["image"], "gives": "image", "does": {"remove": ["blurry"]}, "fails": {"when": {"none": ["blurry"]}, "message": "{1} is sharp"}},
    "caption": {"takes": ["image"], "gives": "text", "does": [
      {"when": {"any": ["blurry", "noisy"]}, "text": "something unclear", "add": ["guess"]},
      {"text": "a picture of {1}, {1.marks}, an {1.type} {{sic}"}
    ]},
    "ask": {"takes": ["image", "text"], "gives": "text", "does": {"text": "{2} {1}: {symbol}", "keep": 1}},
    "person": {"takes": ["image"], "gives": "text", "does": {"ask": "What do you see? {1}", "add": ["human"]}},
    "broken": {"gives": "text", "fails": {"always": true, "message": "no power"}},
    "often": {"gives": "text", "does": {"text": "done"}, "fails": {"rate": 0.3}},
    "first": {"gives": "text", "does": {"text": "done"}, "fails": {"on": [1, 3], "message": "busy"}},
    "picky": {"takes": ["image"], "gives": "image", "does": [{"when": {"mark": "noisy"}}]},
    "noise": {"takes": ["image"], "gives": "image", "does": {"add": ["noisy", "grey"]}}
  }
}`

func read(t *testing.T, text string, tables map[string]string) *tool.Set {
	t.Helper()
	set, found := tool.Parse(source.NewFile("tools.json", text))
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	if found := set.Load(func(name string) (string, bool) { text, ok := tables[name]; return text, ok }); len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	return set
}

func image(text string, marks ...string) tool.Value {
	return tool.Value{Type: "image", Text: text, Marks: marks}
}

func text(text string, marks ...string) tool.Value {
	return tool.Value{Type: "text", Text: text, Marks: marks}
}

func TestCall(t *testing.T) {
	set := read(t, images, nil)
	for _, c := range []struct {
		name, symbol string
		args         []tool.Value
		count        int
		want         string // of the value, or of the error
	}{
		{"marks are taken off and put on", "colour", []tool.Value{image("x", "grey", "blurry")}, 1, "image: x (blurry, coloured)"},
		{"the first rule that fits is used", "caption", []tool.Value{image("x", "blurry")}, 1, "text: something unclear (guess)"},
		{"a template is filled", "caption", []tool.Value{image("x", "grey", "coloured")}, 1, "text: a picture of x, grey, coloured, an image {sic}"},
		{"two arguments", "ask", []tool.Value{image("x", "grey"), text("why")}, 1, "text: why x: ask (grey)"},
		{"a mark is there once", "noise", []tool.Value{image("x", "grey")}, 1, "image: x (grey, noisy)"},
		{"a type that does not fit", "colour", []tool.Value{text("x")}, 1, "colour: takes an image, got a text"},
		{"an argument too few", "ask", []tool.Value{image("x")}, 1, "ask: takes an image and a text, got an image"},
		{"an argument too many", "broken", []tool.Value{image("x")}, 1, "broken: takes nothing, got an image"},
		{"no rule that fits", "picky", []tool.Value{image("x")}, 1, "picky: no rule matches these arguments"},
		{"a failure by a mark", "sharpen", []tool.Value{image("x")}, 1, "sharpen: x is sharp"},
		{"no failure by a mark", "sharpen", []tool.Value{image("x", "blurry")}, 1, "image: x"},
		{"a failure always", "broken", nil, 9, "broken: no power"},
		{"a failure on the first call", "first", nil, 1, "first: busy"},
		{"none on the second", "first", nil, 2, "text: done"},
		{"a failure on the third", "first", nil, 3, "first: busy"},
		{"a question", "person", []tool.Value{image("x")}, 1, "person asks: What do you see? x"},
		{"a tool that is not there", "colours", nil, 1, "colours: unknown tool"},
		{"an input is no tool", "i", nil, 1, "i: unknown tool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := set.Call(tool.Context{Count: c.count}, c.symbol, c.args)
			said := got.String()
			if err != nil {
				said = err.Error()
			}
			if said != c.want {
				t.Errorf("%s, want %s", said, c.want)
			}
		})
	}
}

func TestFailuresReportWhetherTheyAreTransient(t *testing.T) {
	set := read(t, images, nil)
	for symbol, transient := range map[string]bool{"broken": false, "first": true} {
		_, err := set.Call(tool.Context{Count: 1}, symbol, nil)
		var f *tool.Failure
		if !errors.As(err, &f) || f.Transient != transient || f.Tool != symbol {
			t.Errorf("%s: %#v", symbol, err)
		}
	}
}

func TestQuestionReturnsTheAnswer(t *testing.T) {
	_, err := read(t, images, nil).Call(tool.Context{}, "person", []tool.Value{image("x")})
	var q *tool.Question
	if !errors.As(err, &q) || !reflect.DeepEqual(q.Then, tool.Value{Type: "text", Marks: []string{"human"}}) {
		t.Errorf("%#v", err)
	}
}

func TestFailureRateUsesTheSeed(t *testing.T) {
	set := read(t, images, nil)
	count := func(seed uint64) (failed int, order string) {
		random := rand.New(rand.NewPCG(seed, 0))
		for n := range 1000 {
			_, err := set.Call(tool.Context{Rand: random, Count: n + 1}, "often", nil)
			if err != nil {
				failed++
				order += "x"
			} else {
				order += "."
			}
		}
		return failed, order
	}
	failed, order := count(1)
	if failed < 250 || failed > 350 {
		t.Errorf("%d of 1000 calls failed at a rate of 0.3", failed)
	}
	if _, again := count(1); again != order {
		t.Error("the same seed fails at other calls")
	}
	if _, other := count(2); other == order {
		t.Error("another seed fails at the same calls")
	}
	if _, err := set.Call(tool.Context{Count: 1}, "often", nil); err != nil {
		t.Errorf("without a source of chance: %v", err)
	}
}

const shop = `{
  "order": "steps",
  "tables": {"goods": "goods.json", "query": "query.json"},
  "inputs": {},
  "tools": {
    "buy/*": {"gives": "thing", "does": {
      "lookup": {"in": "goods"},
      "text": "{row.name} of {query.shop.city} ({row.kinds})",
      "sums": {"cost": {"of": "{row.price}", "times": "{query.people}", "per": "{row.holds}"}, "things": {"of": 1}}
    }},
    "buy/gift/*": {"gives": "thing", "does": {"text": "a gift: {rest}", "add": ["gift"]}},
    "odd/*": {"gives": "thing", "does": {"lookup": {"in": "goods", "row": "{rest}"}, "text": "{row.colour}"}},
    "worse/*": {"gives": "thing", "does": {"lookup": {"in": "goods"}, "text": "", "sums": {"cost": {"of": "{row.name}"}}}}
  }
}`

var shopTables = map[string]string{
	"goods.json": `{"tent": {"name": "a \"tent\"", "price": 100.0, "holds": 2, "kinds": ["red", "blue"]}, "map": {"name": "a map", "price": 5, "holds": 99, "kinds": []}, "none": 3}`,
	"query.json": `{"people": 5, "shop": {"city": "Rome"}}`,
}

func TestLookupsAndSums(t *testing.T) {
	set := read(t, shop, shopTables)
	steps, err := set.Steps([]string{"buy/tent", "buy/gift/hat", "buy/map"})
	if err != nil {
		t.Fatal(err)
	}
	var values []tool.Value
	for _, s := range steps {
		v, err := set.Call(tool.Context{}, s.Symbol, nil)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	all := set.Combine(values)
	if got := all.String(); got != "plan: a \"tent\" of Rome (red, blue)\na gift: hat\na map of Rome () (gift); cost 305, things 2" {
		t.Error(got)
	}
	if all.Sum("cost") != 305 || all.Sum("weight") != 0 || !all.Has("gift") {
		t.Errorf("%+v", all)
	}
	for symbol, want := range map[string]string{
		"buy/boat":   `buy/boat: unknown record "boat" in goods`,
		"buy/none":   `buy/none: unknown record "none" in goods`,
		"odd/map":    "odd/map: unknown reference {row.colour}",
		"worse/tent": `worse/tent: "a \"tent\"" in the sum "cost" is not a whole number`,
		"buy":        "buy: unknown tool",
	} {
		if _, err := set.Call(tool.Context{}, symbol, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v", symbol, err)
		}
	}
}

func TestSteps(t *testing.T) {
	set := read(t, images, nil)
	for _, c := range []struct{ word, want string }{
		{"i", "i"},
		{"caption i", "caption(i)"},
		{"ask colour i t", "ask(colour(i), t)"},
		{"ask i caption sharpen i", "ask(i, caption(sharpen(i)))"},
		{"ask i ask i t", "ask(i, ask(i, t))"},
		{"ask i", "ask: takes an image and a text, but only 1 of them follow"},
		{"caption i i", "i: no tool takes this result"},
		{"caption x", "x: unknown tool"},
	} {
		steps, err := set.Steps(strings.Fields(c.word))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			written := make([]string, len(steps))
			for n, s := range steps {
				var args []string
				for _, a := range s.Args {
					if a >= n {
						t.Errorf("%s: step %d takes what step %d gives", c.word, n, a)
					}
					args = append(args, written[a])
				}
				if written[n] = s.Symbol; len(args) > 0 {
					written[n] += "(" + strings.Join(args, ", ") + ")"
				}
				if s.Given != (s.Symbol == "i" || s.Symbol == "t") || strings.Fields(c.word)[s.At] != s.Symbol {
					t.Errorf("%s: %+v", c.word, s)
				}
			}
			got = written[len(written)-1]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.word, got, c.want)
		}
	}
}

func TestMissing(t *testing.T) {
	set := read(t, shop, shopTables)
	if got := set.Missing([]string{"buy/tent", "buy", "sell"}); !reflect.DeepEqual(got, []string{"buy", "sell"}) {
		t.Error(got)
	}
	if v, ok := read(t, images, nil).Input("i"); !ok || v.String() != "image: two cats (grey, blurry)" {
		t.Error(v)
	}
}

func TestGoalLacks(t *testing.T) {
	goal := tool.Goal{Type: "text", Marks: []string{"German"}, Without: []string{"guess"}, Most: []tool.Sum{{Name: "cost", Amount: 9}}}
	for _, c := range []struct {
		value tool.Value
		lacks string
		share float64
	}{
		{text("x", "German"), "", 1},
		{image("x", "German"), "it is an image, not a text", 2.0 / 3},
		{text("x"), `it is not marked "German"`, 2.0 / 3},
		{image("x", "guess"), "it is an image, not a text", 0},
		{text("x", "German", "guess"), `it is marked "guess"`, 2.0 / 3},
		{tool.Value{Type: "text", Marks: []string{"German"}, Sums: []tool.Sum{{Name: "cost", Amount: 10}}}, "its cost is 10, more than 9", 1},
		{tool.Value{Type: "text", Marks: []string{"German"}, Sums: []tool.Sum{{Name: "cost", Amount: 9}}}, "", 1},
	} {
		if got := goal.Lacks(c.value); got != c.lacks || goal.Met(c.value) != (c.lacks == "") || goal.Share(c.value) != c.share {
			t.Errorf("%s lacks %q and has %v, want %q and %v", c.value, got, goal.Share(c.value), c.lacks, c.share)
		}
	}
}

// A sum adds "of" once for each "per" of "times", rounded up. Numbers whose product could exceed 63
// bits, a negative "times" and a "per" below 1 are faults.
func TestSumsAreExactOrReported(t *testing.T) {
	set := read(t, `{"tables": {"n": "n.json"}, "tools": {"sum": {"takes": ["number", "number", "number"], "gives": "number", "does": {
		"sums": {"s": {"of": "{1}", "times": "{2}", "per": "{3}"}}}}}}`, map[string]string{"n.json": "{}"})
	number := func(text string) tool.Value { return tool.Value{Type: "number", Text: text} }
	for _, c := range []struct {
		of, times, per string
		want           int64
		ok             bool
	}{
		{"7", "3", "2", 14, true}, {"7", "4", "2", 14, true}, {"7", "0", "2", 0, true}, {"7", "3", "1", 21, true}, {"-7", "3", "2", -14, true}, {"7.0", "3", "1", 21, true},
		{"1000000000", "1000000000", "1", 1_000_000_000_000_000_000, true}, {"-1000000000", "1000000000", "1", -1_000_000_000_000_000_000, true},
		{"1000000001", "1", "1", 0, false}, {"-1000000001", "1", "1", 0, false}, {"1", "1000000001", "1", 0, false},
		{"7", "-1", "1", 0, false}, {"7", "1", "0", 0, false}, {"7", "1", "-1", 0, false}, {"7", "1", "x", 0, false}, {"7.5", "1", "1", 0, false},
	} {
		v, err := set.Call(tool.Context{}, "sum", []tool.Value{number(c.of), number(c.times), number(c.per)})
		if (err == nil) != c.ok || v.Sum("s") != c.want {
			t.Errorf("%s * %s / %s: %d, %v", c.of, c.times, c.per, v.Sum("s"), err)
		}
	}
}

// The tool of a symbol is the one with that name, or else the one whose pattern has the
// longest matching beginning.
func TestToolsAreFoundByTheirBeginnings(t *testing.T) {
	const rule = `{"gives": "x", "does": {"text": "NAME {rest}"}}`
	for _, names := range [][]string{{"*", "a*", "a/b*", "a/b"}, {"a/b", "a/b*", "a*", "*"}, {"a*", "*", "a/b", "a/b*"}} {
		var members []string
		for _, name := range names {
			members = append(members, `"`+name+`": `+strings.Replace(rule, "NAME", name, 1))
		}
		set := read(t, `{"tools": {`+strings.Join(members, ", ")+`}}`, nil)
		for symbol, want := range map[string]string{"a/b": "a/b ", "a/bc": "a/b* c", "a/c": "a* /c", "a": "a* ", "b": "* b", "": "* "} {
			if v, err := set.Call(tool.Context{}, symbol, nil); err != nil || v.Text != want {
				t.Errorf("%v, %q: %q, %v", names, symbol, v.Text, err)
			}
		}
	}
}

func TestTakesReturnsTheTypesOfArguments(t *testing.T) {
	set := read(t, images, nil)
	if types, ok := set.Takes("ask"); !ok || !reflect.DeepEqual(types, []string{"image", "text"}) {
		t.Error(types, ok)
	}
	for _, symbol := range []string{"i", "unknown"} {
		if types, ok := set.Takes(symbol); ok || types != nil {
			t.Errorf("%s takes %v", symbol, types)
		}
	}
}

// Without a rule a tool returns its first argument or, without arguments, its own name. It keeps
// the marks of the first argument of its result's type; "keep" selects another argument or none.
func TestDefaultRuleReturnsTheFirstArgument(t *testing.T) {
	set := read(t, `{"tools": {
		"name": {"gives": "text"},
		"copy": {"takes": ["image", "text"], "gives": "image"},
		"second": {"takes": ["image", "text"], "gives": "text"},
		"first of two": {"takes": ["text", "text"], "gives": "text"},
		"keep 0": {"takes": ["image", "text"], "gives": "image", "does": {"keep": 0}},
		"keep 2": {"takes": ["image", "text"], "gives": "image", "does": {"keep": 2}}}}`, nil)
	for symbol, want := range map[string]string{
		"name": "text: name", "copy": "image: x (grey)", "second": "text: x (bold)", "keep 0": "image: x", "keep 2": "image: x (bold)",
	} {
		args := []tool.Value{image("x", "grey"), text("y", "bold")}
		if symbol == "name" {
			args = nil
		}
		if v, err := set.Call(tool.Context{}, symbol, args); err != nil || v.String() != want {
			t.Errorf("%s: %s, %v", symbol, v, err)
		}
	}
	if v, err := set.Call(tool.Context{}, "first of two", []tool.Value{text("x", "a"), text("y", "b")}); err != nil || v.String() != "text: x (a)" {
		t.Error(v, err)
	}
}

// The ends of each range are accepted.
func TestRangesOfDeclarations(t *testing.T) {
	for tools, code := range map[string]string{
		`"a": {"takes": [], "gives": "x"}`:                                                        "",
		`"a": {"takes": ["x"], "gives": "x"}`:                                                     "tools.steps",
		`"a": {"gives": "x", "fails": {"rate": 0}}`:                                               "",
		`"a": {"gives": "x", "fails": {"rate": 1}}`:                                               "",
		`"a": {"gives": "x", "fails": {"rate": 1.01}}`:                                            "tools.rate",
		`"a": {"gives": "x", "fails": {"rate": -0.01}}`:                                           "tools.rate",
		`"a": {"gives": "x", "does": {"text": "{goods.tent.name}"}}`:                              "",
		`"a": {"gives": "x", "does": {"text": "{gods.tent.name}"}}`:                               "tools.reference",
		`"a": {"gives": "x", "does": {"text": "{goods.tent.name} {more.kinds}", "add": ["new"]}}`: "",
	} {
		set, found := tool.Parse(source.NewFile("tools.json", `{"order": "steps", "tables": {"more": "more.json", "goods": "goods.json"}, "tools": {`+tools+`}}`))
		if got := codes(found); got != code || set == nil {
			t.Errorf("%s: %s", tools, got)
		}
	}
	// A condition may refer to the last argument, and require one mark while it forbids another.
	for when, code := range map[string]string{
		`{"of": 2, "any": ["a"], "none": ["b"]}`: "", `{"of": 1, "none": ["b"]}`: "", `{"of": 3, "any": ["a"]}`: "tools.argument", `{"of": 0, "any": ["a"]}`: "tools.argument", `{"of": 2}`: "tools.condition",
	} {
		_, found := tool.Parse(source.NewFile("tools.json", `{"inputs": {"i": {"type": "x", "marks": ["a", "b"]}}, "tools": {"t": {"takes": ["x", "x"], "gives": "x", "does": [{"when": `+when+`}]}}}`))
		if got := codes(found); got != code {
			t.Errorf("%s: %s", when, got)
		}
	}
}

func codes(found []source.Diagnostic) string {
	var out []string
	for _, d := range found {
		out = append(out, d.Code)
	}
	return strings.Join(out, " ")
}

// A failure by chance or by the number of the call may pass if the call is repeated; a file may
// declare otherwise.
func TestDeclaredFailuresAreTransient(t *testing.T) {
	for fails, want := range map[string]bool{
		`{"rate": 1}`: true, `{"on": [1]}`: true, `{"always": true}`: false, `{"rate": 1, "transient": false}`: false, `{"always": true, "transient": true}`: true,
	} {
		set := read(t, `{"tools": {"a": {"gives": "x", "fails": `+fails+`}}}`, nil)
		_, err := set.Call(tool.Context{Count: 1, Rand: rand.New(rand.NewPCG(1, 0))}, "a", nil)
		var f *tool.Failure
		if !errors.As(err, &f) || f.Transient != want || f.Message != "it fails" {
			t.Errorf("%s: %#v", fails, err)
		}
	}
}

func TestWithReplacesInputs(t *testing.T) {
	set := read(t, images, nil)
	other := set.With(map[string]tool.Value{"i": image("a dog"), "new": text("x")})
	if v, _ := other.Input("i"); v.Text != "a dog" {
		t.Error(v)
	}
	if v, ok := other.Input("t"); !ok || v.Text != "What is it?" {
		t.Error(v)
	}
	if _, ok := set.Input("new"); ok {
		t.Error("the set itself has changed")
	}
}
