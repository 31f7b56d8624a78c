package grammar_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func TestLimitsRoundTrip(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, `{}`}, {`{"each":0}`, `{"each":0}`}, {`{"b":2,"a":1}`, `{"a":1,"b":2}`}, {`{"except":[]}`, `{}`},
		{`{"except":["i"],"each":1,"a1":0}`, `{"a1":0,"each":1,"except":["i"]}`},
	} {
		l := grammar.Limits{Named: map[string]int64{"gone": 1}}
		if err := json.Unmarshal([]byte(c.text), &l); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got, err := json.Marshal(l); err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v", c.text, got, err)
		}
		if want := c.want == "{}"; l.Empty() != want {
			t.Errorf("%s: empty %v", c.text, l.Empty())
		}
	}
	for text, want := range map[string]string{
		`[1]`: "expected limits as an object", `{"except":"i"}`: `"except" in the limits is a list`, `{"a":-1}`: `limit of "a" is -1`,
		`{"each":1.5}`: `limit of "each" is 1.5`, `{"b":"x","a":null,"c":"y"}`: `limit of "b" is "x"`,
	} {
		var l grammar.Limits
		if err := l.UnmarshalJSON([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	one := int64(1)
	for _, l := range []grammar.Limits{{Each: &one}, {Named: map[string]int64{"a": 1}}} {
		if l.Empty() {
			t.Errorf("%+v is empty", l)
		}
	}
}

func TestEachTerminalHasItsLimit(t *testing.T) {
	g := must.Grammar(t, "S -> apple b c d")
	caps := func(text string) ([]int64, error) {
		var l grammar.Limits
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		return g.Caps(l)
	}
	for text, want := range map[string][]int64{
		`{}`: {-1, -1, -1, -1}, `{"each":1}`: {1, 1, 1, 1}, `{"each":2,"except":["b","d"],"c":0}`: {2, -1, 0, -1}, `{"d":5}`: {-1, -1, -1, 5},
	} {
		if got, err := caps(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"aple":1}`: `unknown terminal "aple" in the limits; did you mean "apple"?`,
		`{"S":1}`:    `unknown terminal "S" in the limits`, `{"except":["quite another"]}`: `unknown terminal "quite another" in the limits`,
		`{"z9z9z9":1,"y8y8y8":1}`: `unknown terminal "y8y8y8" in the limits`,
	} {
		if _, err := caps(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestTokenClasses(t *testing.T) {
	long := strings.Repeat("x", grammar.MaxSymbolLength)
	for _, c := range []struct{ text, want string }{
		{"%start S\nS -> a B | ε # no\nB -> b as \"text\"\n", `keyword "%start", nonterminal "S", nonterminal "S", operator "->", terminal "a", nonterminal "B", operator "|", operator "ε", comment "# no", nonterminal "B", operator "->", terminal "b", keyword "as", string "\"text\""`},
		{"S -> \"as\" \"b", `nonterminal "S", operator "->", terminal "\"as\"", invalid "\"b"`},
		{"limit 1 each except i", `keyword "limit", number "1", keyword "each", keyword "except", terminal "i"`},
		{"\nlimit 2 a each\nlimit\n", `keyword "limit", number "2", terminal "a", terminal "each", keyword "limit"`},
		{"limit 2 each each except", `keyword "limit", number "2", keyword "each", terminal "each", terminal "except"`},
		{"limit -> 1 each except", `nonterminal "limit", operator "->", terminal "1", terminal "each", terminal "except"`},
		{"limit ->", `nonterminal "limit", operator "->"`},
		{"\"limit\" 1 each", `terminal "\"limit\"", terminal "1", terminal "each"`},
		{"%subset K a b\nS -> K x", `keyword "%subset", nonterminal "K", terminal "a", terminal "b", nonterminal "S", operator "->", nonterminal "K", terminal "x"`},
		{"a b -> c\nS -> b %subset c a", `terminal "a", terminal "b", operator "->", terminal "c", nonterminal "S", operator "->", terminal "b", keyword "%subset", terminal "c", terminal "a"`},
		{"S -> a as b as \"c", `nonterminal "S", operator "->", terminal "a", keyword "as", terminal "b", keyword "as", invalid "\"c"`},
		{"S -> " + long + " " + long + "x", `nonterminal "S", operator "->", terminal "` + long + `", invalid "` + long + `x"`},
		{"", ""}, {"\n\n", ""}, {"S -> a\x00", ""},
	} {
		file := source.NewFile("t.cfg", c.text)
		var got []string
		for _, token := range grammar.Tokens(file) {
			got = append(got, fmt.Sprintf("%s %q", token.Class, file.Slice(token.Span)))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, strings.Join(got, ", "), c.want)
		}
	}
}

func TestHeightsEqualThoseOfLowestTrees(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for range effort.Of(500) {
		g := must.Grammar(t, enum.Grammar(random))
		want := make([]int, g.NumSymbols())
		for s := range want {
			if want[s] = -1; g.IsTerminal(grammar.Symbol(s)) {
				want[s] = 0
			}
		}
		for changed := true; changed; {
			changed = false
			for _, p := range g.Productions {
				height := 0
				for _, s := range p.Right {
					if want[s] < 0 {
						height = -2
						break
					}
					height = max(height, want[s])
				}
				if height++; height > 0 && (want[p.Left] < 0 || height < want[p.Left]) {
					want[p.Left], changed = height, true
				}
			}
		}
		if got := g.Heights(); !slices.Equal(got, want) {
			t.Fatalf("%s%v: %v, want %v", g, g.Names, got, want)
		}
	}
}

func TestNewReturnsTheGivenParts(t *testing.T) {
	each := int64(2)
	g := grammar.New([]string{"a", "b"}, []string{"S", "A"}, 2, []grammar.Production{{Left: 3, Right: []grammar.Symbol{0}}, {Left: 2, Right: []grammar.Symbol{3, 1}}, {Left: 3}}, map[string]string{"a": "an apple"}, grammar.Limits{Each: &each})
	if got := g.String(); got != "A -> a\nS -> A b\nA -> ε\n" {
		t.Error(got)
	}
	if !slices.Equal(g.ByLeft(3), []int{0, 2}) || !slices.Equal(g.ByLeft(2), []int{1}) || g.ByLeft(0) != nil || g.Label(0) != "an apple" || g.Label(1) != "b" || g.DeclaredLimits().Each != &each {
		t.Errorf("%+v", g)
	}
}

func TestTableConflictsAreSorted(t *testing.T) {
	// The terminals t0 to t69 come first, so that x is far from the first.
	var many strings.Builder
	for i := range 70 {
		fmt.Fprintf(&many, " t%d", i)
	}
	g := must.Grammar(t, "%start S\nA -> a\nS ->"+many.String()+" | B x | A x | B y | A y | B | A\nB -> a")
	lr, err := g.LR1(nil)
	if err != nil {
		t.Fatal(err)
	}
	tell := func(list []grammar.Conflict) string {
		var out []string
		for _, c := range list {
			text := names(g, []grammar.Symbol{c.Lookahead})
			for _, p := range c.Productions {
				text += fmt.Sprintf(" [%s]", g.Write(p))
			}
			if c.Shift {
				text += " or read"
			}
			if c.Left >= 0 {
				text = g.Names[c.Left] + ": " + text
			}
			out = append(out, text)
		}
		return strings.Join(out, "; ")
	}
	if got, want := tell(lr.Conflicts), "x [A -> a] [B -> a]; y [A -> a] [B -> a]; $ [A -> a] [B -> a]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g = must.Grammar(t, "S -> S b S | S a S | c | ε")
	if lr, err = g.LR1(nil); err != nil {
		t.Fatal(err)
	}
	if got, want := tell(lr.Conflicts), "b [S -> S b S] or read; a [S -> S b S] or read; b [S -> S a S] or read; a [S -> S a S] or read"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := tell(g.LL1()), "S: b [S -> S b S] [S -> S a S] [S -> ε]; S: a [S -> S b S] [S -> S a S] [S -> ε]; S: c [S -> S b S] [S -> S a S] [S -> c]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTablesSpendFromMeter(t *testing.T) {
	g := must.Grammar(t, "S -> A b\nA -> a")
	m := meter.New(meter.Budget{})
	lr, err := g.LR1(m)
	if err != nil || lr.States != 5 {
		t.Fatal(lr, err)
	}
	// Each state begins with one item of ten bytes. Two items have a nonterminal after their dot,
	// which has one production; three are complete.
	if states, steps := m.Spent(meter.States), m.Spent(meter.Steps); states != 5*(1+10/8) || steps != (16+8*1+8)+(16+8*2+8)+3*8*2 {
		t.Errorf("%d states, %d steps", states, steps)
	}
	for most := int64(1); most < m.Spent(meter.Steps); most++ {
		if _, err := g.LR1(meter.New(meter.Budget{Steps: most})); err == nil {
			t.Fatalf("%d steps are enough", most)
		}
	}
}

func TestEqualStatesAreMergedInAnyOrder(t *testing.T) {
	one := must.Grammar(t, "S -> a X | b Y\nX -> P d | Q e\nY -> P d | Q e\nP -> c\nQ -> c f")
	two := must.Grammar(t, "S -> a X | b Y\nX -> P d | Q e\nY -> Q e | P d\nP -> c\nQ -> c f")
	a, err := one.LR1(nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := two.LR1(nil)
	if err != nil || a.States != b.States {
		t.Errorf("%d and %d states, %v", a.States, b.States, err)
	}
}
