package ltl_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func alphabet(t testing.TB, letters ltl.Letters, props ...string) *ltl.Alphabet {
	t.Helper()
	a, err := ltl.NewAlphabet(props, letters)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func translated(t testing.TB, text string, a *ltl.Alphabet) *ltl.Automaton {
	t.Helper()
	d, err := ltl.Translate(parse(t, text), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// numbered returns p0, p1, ….
func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "p" + strconv.Itoa(i)
	}
	return out
}

func TestAlphabetsAreBounded(t *testing.T) {
	if _, err := ltl.NewAlphabet(numbered(ltl.MaxProps), ltl.Powerset); err != nil {
		t.Error(err)
	}
	if _, err := ltl.NewAlphabet(numbered(ltl.MaxProps+1), ltl.Powerset); err == nil {
		t.Error("there is no bound")
	}
	for _, c := range []struct {
		letters ltl.Letters
		props   int
		want    int
	}{{ltl.OneHot, 100, 100}, {ltl.Powerset, ltl.MaxPowerset, 1 << ltl.MaxPowerset}, {ltl.Powerset, ltl.MaxPowerset + 1, 0}} {
		a := alphabet(t, c.letters, numbered(c.props)...)
		n, err := a.Len()
		if n != c.want || (err == nil) != (n > 0) {
			t.Errorf("%s of %d: %d, %v", c.letters, c.props, n, err)
		}
		d := translated(t, "F p0", a)
		if _, fault := d.Explicit(); (fault == nil) != (err == nil) {
			t.Errorf("%s of %d: %v", c.letters, c.props, fault)
		}
	}
}

func TestLettersAreSteps(t *testing.T) {
	for _, c := range []struct {
		letters ltl.Letters
		letter  int
		want    []string
	}{{ltl.Powerset, 0, []string{}}, {ltl.Powerset, 5, []string{"a", "c"}}, {ltl.Powerset, 2, []string{"b"}}, {ltl.OneHot, 0, []string{"a"}}, {ltl.OneHot, 2, []string{"c"}}} {
		if got := alphabet(t, c.letters, "a", "b", "c").Step(c.letter); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %d: %v", c.letters, c.letter, got)
		}
	}
	a := alphabet(t, ltl.Powerset, "approve", "pay")
	for step, want := range map[string]string{
		"aprove": `unknown proposition "aprove"; did you mean "approve"?`, "quite another": `unknown proposition "quite another"`,
	} {
		if err := a.Check([]string{"pay", step}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestConstantAgreesWithAllLetters(t *testing.T) {
	a := alphabet(t, ltl.OneHot, "a", "b")
	if got, want := translated(t, "G(a | b)", a).NumStates(), translated(t, "G true", a).NumStates(); got != want {
		t.Errorf("%d states, not %d", got, want)
	}
	if got, want := translated(t, "G(a | b)", alphabet(t, ltl.OneHot, "a", "b", "c")).NumStates(), 3; got != want {
		t.Errorf("%d states, not %d", got, want)
	}
	if parse(t, "true").Holds(nil) {
		t.Error("something holds on no step at all")
	}
}

func TestGuardsAreFormulas(t *testing.T) {
	d := translated(t, "F((a & b) | (!a & !b & c))", alphabet(t, ltl.Powerset, "a", "b", "c"))
	guards, cubes := d.Guards(0, nil)
	var got []string
	for _, g := range guards {
		got = append(got, fmt.Sprintf("%d: %s", g.To, g.Formula))
	}
	if want := "0: a & !b | !a & b | !b & !c, 1: a & b | !a & !b & c"; strings.Join(got, ", ") != want || cubes != 5 {
		t.Errorf("%s, %d cubes, want %s", strings.Join(got, ", "), cubes, want)
	}
	if guards, cubes = d.Guards(1, nil); len(guards) != 1 || guards[0].Formula.String() != "true" || cubes != 1 {
		t.Errorf("%+v", guards)
	}
	// The parity of fourteen propositions takes too many conjunctions.
	names := numbered(14)
	d = translated(t, strings.Join(names, " <-> "), alphabet(t, ltl.Powerset, names...))
	if guards, cubes := d.Guards(0, nil); guards != nil || cubes != -1 {
		t.Errorf("%d guards, %d", len(guards), cubes)
	}
}

func TestWordsAreWrittenAsTraces(t *testing.T) {
	d := translated(t, "!z & X(z & a) & X X last", alphabet(t, ltl.Powerset, "a", "z"))
	word, ok := d.Shortest()
	if trace := d.Trace(word); !ok || !reflect.DeepEqual(trace, [][]string{{}, {"a", "z"}, {}}) {
		t.Errorf("%v", trace)
	}
	d = translated(t, "!a & X(!b & X a)", alphabet(t, ltl.OneHot, "b", "a", "other"))
	word, ok = d.Shortest()
	trace := d.Trace(word)
	if !ok || len(trace) != 3 || len(trace[0]) != 1 || trace[0][0] == "a" || len(trace[1]) != 1 || trace[1][0] == "b" || !slices.Equal(trace[2], []string{"a"}) {
		t.Errorf("%v", trace)
	}
	d = translated(t, "!a & !b", alphabet(t, ltl.OneHot, "a", "b", "x", "y"))
	if word, _ = d.Shortest(); !reflect.DeepEqual(d.Trace(word), [][]string{{"y"}}) {
		t.Errorf("%v", d.Trace(word))
	}
}

func TestReasonsNameTheStep(t *testing.T) {
	r := ltl.Explain(parse(t, "F a"), steps([][]string{{}, {}, {"a"}}))
	if got, want := r.String(), "step 1: F a\n  step 3: a\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, n := range []int{39, 40, 41, 80} {
		parts := make([]string, n-1)
		for i := range parts {
			parts[i] = "a" + strconv.Itoa(i)
		}
		holds := map[string]bool{}
		for _, p := range parts {
			holds[p] = true
		}
		lines := strings.Split(strings.TrimSuffix(ltl.Explain(parse(t, strings.Join(parts, " & ")), []map[string]bool{holds}).String(), "\n"), "\n")
		whole := len(lines) == 41 && lines[40] == "…"
		if all := n; all > 40 != whole || all <= 40 && len(lines) != all {
			t.Errorf("%d parts: %d lines, %q", n-1, len(lines), lines[len(lines)-1])
		}
	}
	// Forty lines are all reported.
	var trace [][]string
	f := "a0"
	for i := 1; i < 38; i++ {
		f = fmt.Sprintf("a%d & %s", i, f)
	}
	all := []string{"b"}
	for i := range 38 {
		all = append(all, fmt.Sprintf("a%d", i))
	}
	trace = append(trace, all)
	text := ltl.Explain(parse(t, "F ("+f+")"), steps(trace)).String()
	if strings.Contains(text, "…") || strings.Count(text, "\n") != 40 {
		t.Errorf("%d lines:\n%s", strings.Count(text, "\n"), text)
	}
}

func TestNamesAreQuotedLikePropositions(t *testing.T) {
	if got := parse(t, "z & a U (m | a)").Props(); !slices.Equal(got, []string{"a", "m", "z"}) {
		t.Error(got)
	}
	for name, want := range map[string]string{"a": "a", "": `""`, "a-b": "a-b", "a-": `"a-"`, "F": `"F"`, "a b": `"a b"`, `a"\`: `"a\"\\"`} {
		if got := ltl.Quote(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	if words := ltl.Keywords(); !slices.IsSorted(words) || !slices.Contains(words, "<->") || !slices.Contains(words, "U") {
		t.Error(words)
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"safe: G(!crash -> true) # or\n$ \"a b\" X[!] last \"open", `terminal "safe", operator "G", operator "!", terminal "crash", operator "->", keyword "true", comment "# or", invalid "$", string "\"a b\"", operator "X[!]", keyword "last", invalid "\"open"`},
		{"", ""}, {"# only", `comment "# only"`}, {"a\x00", ""}, {"a", `terminal "a"`},
	} {
		file := source.NewFile("f.ltl", c.text)
		var got []string
		for _, token := range ltl.Tokens(file) {
			got = append(got, fmt.Sprintf("%s %q", token.Class, file.Slice(token.Span)))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, strings.Join(got, ", "), c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"\n \n", ""},
		{"a&b\n\n\n((c))", "a & b\n\nc\n"},
		{"a\n& b\n |\tc\n", "a & b | c\n"},
		{"\n\n\"my rule\" :G  a\n\nF: b", "\"my rule\": G a\n\nF: b\n"},
		{"a  # because\n & b\n\n# note\n\nx y  \n", "a  # because\n & b\n\n# note\n\nx y\n"},
	} {
		got := ltl.Format(source.NewFile("f.ltl", c.text))
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if again := ltl.Format(source.NewFile("f.ltl", got)); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	}
}

func TestOccurrencesOfPropositions(t *testing.T) {
	file := source.NewFile("f.ltl", "a & X b\n\n\"safe\": a: G \"a\" # a\n\nb")
	var got []string
	for _, o := range ltl.Occurrences(file) {
		text := o.Kind + " " + file.Slice(o.Span)
		if o.Defines {
			text += "!"
		}
		got = append(got, text)
	}
	if want := `proposition a, proposition b, formula "safe"!, proposition a, proposition "a", proposition b`; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

func TestStringsAndDepthsOfFormulas(t *testing.T) {
	for text, want := range map[string]string{`"a\"b"`: `a"b`, `"a\\"`: `a\`, `"\a"`: "a"} {
		if got := parse(t, text).Props(); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q", text, got)
		}
	}
	for _, text := range []string{`"a\`, `"a\"`, `"`, `a & "b\`} {
		if _, found := ltl.Parse(source.NewFile("f.ltl", text)); len(found) != 1 || found[0].Code != "ltl.string" {
			t.Errorf("%s: %v", text, found)
		}
	}
	for text, deep := range map[string]bool{
		strings.Repeat("!", ltl.MaxDepth) + "a": false, strings.Repeat("!", ltl.MaxDepth+1) + "a": true,
		strings.Repeat("(a U ", ltl.MaxDepth) + "a" + strings.Repeat(")", ltl.MaxDepth): false, strings.Repeat("(a U ", ltl.MaxDepth+1) + "a": true,
	} {
		_, found := ltl.Parse(source.NewFile("f.ltl", text))
		if deep != (len(found) == 1 && found[0].Code == "ltl.depth") || !deep && len(found) > 0 {
			t.Errorf("%d bytes: %v", len(text), found)
		}
	}
}

func TestTranslateSpendsFromMeter(t *testing.T) {
	// Comparing pairs of obligations takes most of the time here.
	var parts []string
	for i := range 8 {
		parts = append(parts, fmt.Sprintf("p%d", i))
	}
	m := meter.New(meter.Budget{})
	if _, err := ltl.Translate(parse(t, "F("+strings.Join(parts, " & X F ")+")"), alphabet(t, ltl.OneHot, parts...), m); err != nil || m.Spent(meter.Steps) < 8_000 {
		t.Errorf("%d steps, %v", m.Spent(meter.Steps), err)
	}
	random := rand.New(rand.NewPCG(11, 2))
	a := alphabet(t, ltl.Powerset, "a", "b", "c")
	for range effort.Of(100) {
		f := draw(random, 4)
		m := meter.New(meter.Budget{})
		d, err := ltl.Translate(f, a, m)
		if err != nil {
			t.Fatal(err)
		}
		steps, states := m.Spent(meter.Steps), m.Spent(meter.States)
		if steps < int64(d.NumStates()) || states < int64(d.NumStates()) {
			t.Fatalf("%s: %d steps and %d states for %d states", f, steps, states, d.NumStates())
		}
		var limit *meter.LimitError
		if steps > 1 {
			if _, err := ltl.Translate(f, a, meter.New(meter.Budget{Steps: 1 + random.Int64N(steps-1)})); !errors.As(err, &limit) {
				t.Fatalf("%s: less than %d steps are enough: %v", f, steps, err)
			}
		}
		if states > 1 {
			if _, err := ltl.Translate(f, a, meter.New(meter.Budget{States: 1 + random.Int64N(states-1)})); !errors.As(err, &limit) {
				t.Fatalf("%s: less than %d states are enough: %v", f, states, err)
			}
		}
	}
}
