package ltl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func parse(t testing.TB, text string) *ltl.Formula {
	t.Helper()
	list, found := ltl.Parse(source.NewFile("f.ltl", text))
	if len(found) > 0 || len(list) != 1 {
		t.Fatalf("%q: %v", text, found)
	}
	return list[0].Formula
}

func steps(trace [][]string) []map[string]bool {
	out := make([]map[string]bool, len(trace))
	for i, step := range trace {
		out[i] = map[string]bool{}
		for _, p := range step {
			out[i][p] = true
		}
	}
	return out
}

// record is a formula of the data.
type record struct {
	ID, Formula string
	Mode        ltl.Letters `json:"alphabet_mode"`
	Props       []string
	Letters     int
	States      int `json:"min_states_complete_eps_rejected"`
	Traces      [][3]json.RawMessage
}

func records(t testing.TB) []record { return conformance.Records[record](t, "ltlf.jsonl") }

func TestConformanceFormulas(t *testing.T) {
	traces := 0
	for _, r := range records(t) {
		f := parse(t, r.Formula)
		a, err := ltl.NewAlphabet(r.Props, r.Mode)
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		if n, err := a.Len(); err != nil || n != r.Letters {
			t.Fatalf("%s: %v, %d letters", r.ID, err, n)
		}
		d, err := ltl.Translate(f, a, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		if d.NumStates() != r.States {
			t.Errorf("%s %s: %d states, not %d", r.ID, r.Formula, d.NumStates(), r.States)
		}
		verdicts := d.Verdicts()
		for _, raw := range r.Traces {
			traces++
			var trace [][]string
			var oneHot []string
			if json.Unmarshal(raw[0], &trace) != nil {
				if err := json.Unmarshal(raw[0], &oneHot); err != nil {
					t.Fatal(err)
				}
				trace = nil
				for _, p := range oneHot {
					trace = append(trace, []string{p})
				}
			}
			var holds bool
			var verdict ltl.Verdict
			if json.Unmarshal(raw[1], &holds) != nil || json.Unmarshal(raw[2], &verdict) != nil {
				t.Fatalf("%s: %s", r.ID, raw)
			}
			state := d.Start()
			for _, step := range trace {
				if state, err = d.Step(state, step); err != nil {
					t.Fatal(err)
				}
			}
			if f.Holds(steps(trace)) != holds || d.Accepting(state) != holds || verdicts[state] != verdict {
				t.Errorf("%s %s on %v: evaluated %v, automaton %v, verdict %s; want %v, %s", r.ID, r.Formula, trace, f.Holds(steps(trace)), d.Accepting(state), verdicts[state], holds, verdict)
			}
		}
	}
	t.Logf("%d traces", traces)
}

// draw returns a random formula over a, b and c.
func draw(random *rand.Rand, depth int) *ltl.Formula {
	if depth == 0 || random.IntN(5) == 0 {
		switch random.IntN(8) {
		case 0:
			return ltl.New(ltl.True)
		case 1:
			return ltl.New(ltl.False)
		case 2:
			return ltl.New(ltl.Last)
		default:
			return ltl.NewProp(string(rune('a' + random.IntN(3))))
		}
	}
	op := ltl.Not + ltl.Op(random.IntN(int(ltl.StrongRelease-ltl.Not)+1))
	if op <= ltl.Globally {
		return ltl.New(op, draw(random, depth-1))
	}
	return ltl.New(op, draw(random, depth-1), draw(random, depth-1))
}

func TestAutomataAgreeWithTheDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1))
	for range effort.Of(1500) {
		f := draw(random, 4)
		mode := []ltl.Letters{ltl.Powerset, ltl.OneHot}[random.IntN(2)]
		a, err := ltl.NewAlphabet([]string{"a", "b", "c"}, mode)
		if err != nil {
			t.Fatal(err)
		}
		d, err := ltl.Translate(f, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.Accepting(d.Start()) {
			t.Fatalf("%s accepts the empty trace", f)
		}
		letters, err := a.Len()
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			state := d.Start()
			var trace [][]string
			for range 1 + random.IntN(6) {
				step := a.Step(random.IntN(letters))
				trace = append(trace, step)
				if state, err = d.Step(state, step); err != nil {
					t.Fatal(err)
				}
			}
			if want := f.Holds(steps(trace)); d.Accepting(state) != want {
				t.Fatalf("%s (%s) on %v: the automaton says %v, the definition %v", f, mode, trace, d.Accepting(state), want)
			}
		}
	}
}

func TestPrintedFormulaParsesBack(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	for range effort.Of(3000) {
		f := draw(random, 5)
		text := f.String()
		if again := parse(t, text).String(); again != text {
			t.Fatalf("%s is read back as %s", text, again)
		}
	}
	for text, want := range map[string]string{
		"a U b U c":                 "a U b U c",
		"(a U b) U c":               "(a U b) U c",
		"a -> b -> c <-> d":         "a -> b -> c <-> d",
		"!a && b || c":              "!a & b | c",
		"[] <> ~a":                  "G F !a",
		"X[!] a & N b":              "X a & WX b",
		"□(a → ○ b)":                "G (a -> X b)",
		"\"a b\" | \"U\" | Act-Inp": `"a b" | "U" | Act-Inp`,
		"a->b":                      "a -> b",
		"G(a -> F b) # always":      "G (a -> F b)",
	} {
		if got := parse(t, text).String(); got != want {
			t.Errorf("%s is printed as %s, not %s", text, got, want)
		}
	}
}

func TestFilesAreReadByParagraph(t *testing.T) {
	list, found := ltl.Parse(source.NewFile("f.ltl", "# top\n\nsafe: G !crash\n  & true\n\nF done # second\n"))
	if len(found) > 0 || len(list) != 2 || list[0].Name != "safe" || list[0].Formula.String() != "G !crash & true" || list[1].Name != "" {
		t.Errorf("%+v, %v", list, found)
	}
}

func TestFaultsHavePositions(t *testing.T) {
	for _, c := range []struct{ text, code, at string }{
		{"", "ltl.empty", ""},
		{"a U", "ltl.end", "U"},
		{"(a & b", "ltl.open", "("},
		{"a b", "ltl.rest", "b"},
		{"a & ) b", "ltl.argument", ")"},
		{"a & U b", "ltl.argument", "U"},
		{"a $ b", "ltl.rest", "$"},
		{"a & $", "ltl.sign", "$"},
		{`a & "b`, "ltl.string", `"b`},
		{strings.Repeat("(", 5000), "ltl.depth", "("},
		{strings.Repeat("!", 5000), "ltl.depth", "!"},
		{strings.Repeat("X ", 5000) + "a", "ltl.depth", "X"},
		{"a \xff", "source.utf8", "\xff"},
	} {
		file := source.NewFile("f.ltl", c.text)
		_, found := ltl.Parse(file)
		if len(found) != 1 || found[0].Code != c.code || file.Slice(found[0].Span) != c.at {
			t.Errorf("%.40q: %v, want %s at %q", c.text, found, c.code, c.at)
		}
	}
}

func TestResponseAutomataHaveExpectedSizes(t *testing.T) {
	for n := 2; n <= 8; n++ {
		var props, parts []string
		for i := range n {
			props = append(props, fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i))
			parts = append(parts, fmt.Sprintf("G(a%d -> F b%d)", i, i))
		}
		a, err := ltl.NewAlphabet(props, ltl.OneHot)
		if err != nil {
			t.Fatal(err)
		}
		d, err := ltl.Translate(parse(t, strings.Join(parts, " & ")), a, nil)
		if err != nil || d.NumStates() != 1<<n+1 {
			t.Errorf("%d responses: %d states (%v), not %d", n, d.NumStates(), err, 1<<n+1)
		}
	}
}

func TestExplosiveFormulaEndsWithLimit(t *testing.T) {
	// The 25th step before the last has a: 2^25 states.
	formula := "F(a & " + strings.Repeat("X ", 24) + "last)"
	a, _ := ltl.NewAlphabet([]string{"a"}, ltl.Powerset)
	_, err := ltl.Translate(parse(t, formula), a, meter.New(meter.Budget{States: 20_000}))
	var limit *meter.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
}

func TestAlphabetsAreChecked(t *testing.T) {
	for _, c := range []struct {
		props []string
		mode  ltl.Letters
	}{{[]string{"a", "a"}, ltl.Powerset}, {nil, ltl.OneHot}, {[]string{"a"}, "sets"}} {
		if _, err := ltl.NewAlphabet(c.props, c.mode); err == nil {
			t.Errorf("%v %s is allowed", c.props, c.mode)
		}
	}
}

func FuzzPrintedFormulaParsesBack(f *testing.F) {
	f.Add("a U (b R !c) <-> X[!] \"x y\"")
	f.Add("[] <> a -> N last\n\nname: F b")
	f.Fuzz(func(t *testing.T, text string) {
		list, found := ltl.Parse(source.NewFile("f.ltl", text))
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		for _, n := range list {
			printed := n.Formula.String()
			again, found := ltl.Parse(source.NewFile("f.ltl", printed))
			if len(found) > 0 || len(again) != 1 || again[0].Formula.String() != printed {
				t.Fatalf("%q is printed as %q, which is not read back: %v", text, printed, found)
			}
		}
	})
}
