package pushdown_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

const named = `start 2/x D # 2/x
accept done "2/h"
limit 1 each except a
for h in 2..1, in in 0..h if in < h {
  h/in -> h-1/{in*(h>1)}é (a, D; Z{h} Z) as "{h-1}:00 in {in"
  h/in -> done (a, D; Z) as "h"
  for h in 1..in {
    h/_in -> f{h}{ in }x (ε, *; *)
    h1 -> q{h}h (b{h}, "h"; %empty)
  }
}
h/in -> q{h} (a, D; ε)
a as "an a"
`

func TestOccurrencesHaveSpansOfNames(t *testing.T) {
	file := source.NewFile("t.pda", named)
	var got []string
	for _, o := range pushdown.Occurrences(file) {
		text := o.Kind + " " + file.Slice(o.Span)
		if o.Defines {
			text += "!"
		}
		if o.Kind == pushdown.KindVariable {
			text += " of " + o.Of
		} else if o.Name != strings.Trim(file.Slice(o.Span), `"`) {
			text += " as " + o.Name
		}
		got = append(got, text)
	}
	outer, inner := strings.Index(named, "for h in 2"), strings.Index(named, "for h in 1")
	want := []string{
		"state 2/x", "stack symbol D", "state done", `state "2/h"`, "letter a",
		"variable h! of O", "variable h of O", "variable in! of O", "variable in of O", "variable h of O",
		"family h/in", "variable h of O", "variable in of O", "family h-1/{in*(h>1)}é", "variable h of O", "variable in of O", "variable h of O",
		"letter a", "stack symbol D", "family Z{h}", "variable h of O", "stack symbol Z", "variable h of O",
		"family h/in", "variable h of O", "variable in of O", "state done", "letter a", "stack symbol D", "stack symbol Z",
		"variable in of O", "variable h! of I",
		"family h/_in", "variable h of I", "family f{h}{ in }x", "variable h of I", "variable in of O",
		"state h1", "family q{h}h", "variable h of I", "family b{h}", "variable h of I", `stack symbol "h"`,
		"state h/in", "state q{h}", "letter a", "stack symbol D",
		"letter a!",
	}
	for i := range want {
		want[i] = strings.NewReplacer(" of O", fmt.Sprint(" of ", outer), " of I", fmt.Sprint(" of ", inner)).Replace(want[i])
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("from the %d-th on: %q, want %q", i+1, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
}

// compiled reads an automaton that is sound.
func compiled(t *testing.T, file *source.File) *pushdown.PDA {
	t.Helper()
	syntax, found := pushdown.Parse(file)
	p, more := pushdown.Compile(syntax)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatal(found)
	}
	return p
}

func TestStatesHaveSpans(t *testing.T) {
	file := source.NewFile("t.pda", "start one Z\naccept two\none -> two (a, Z; Z)\n")
	p := compiled(t, file)
	for i, name := range p.States {
		if got := file.Slice(p.StateSpan(i)); got != name {
			t.Errorf("%s is named at %q", name, got)
		}
	}
	if span := p.StateSpan(len(p.States)); span.Len() != 0 {
		t.Errorf("%+v", span)
	}
}

// TestWorkEndsWithLimit runs every operation with a smaller budget than it needs, and
// with exactly the budget that it needs.
func TestWorkEndsWithLimit(t *testing.T) {
	file := source.NewFile("t.pda", "start q Z\naccept empty\nq -> q (a, Z; Z Z) (b, Z; ε) (ε, Z; Y Z)\nq -> r (c, Y; ε)\nr -> q (ε, Z; Z)\n")
	p := compiled(t, file)
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	prefix := []string{"a", "c", "a"}
	g := must.Grammar(t, "S -> A S B | A\nA -> a B | a\nB -> b")
	for what, work := range map[string]func(m *meter.Meter) error{
		"grammar": func(m *meter.Meter) error { _, err := p.Grammar(m); return err },
		"runs":    func(m *meter.Meter) error { _, _, err := words.Runs([]string{"a", "b", "b"}, 3, m); return err },
		"words":   func(m *meter.Meter) error { _, err := p.Words(m); return err },
		"configs": func(m *meter.Meter) error {
			_, _, err := pushdown.Configs(g, []grammar.Symbol{0, 0, 1}, 100, m)
			return err
		},
		"situations": func(m *meter.Meter) error { _, _, err := words.Situations(prefix, 100, m); return err },
	} {
		total := meter.New(meter.Budget{})
		if err := work(total); err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		for _, r := range []meter.Resource{meter.Steps, meter.States} {
			spent := total.Spent(r)
			for most := int64(1); most < spent; most++ {
				b := meter.Budget{Steps: most}
				if r == meter.States {
					b = meter.Budget{States: most}
				}
				var limit *meter.LimitError
				if err := work(meter.New(b)); !errors.As(err, &limit) || limit.Resource != r {
					t.Errorf("%s: %d of %d %s: %v", what, most, spent, r, err)
					break
				}
			}
		}
		if err := work(meter.New(meter.Budget{Steps: max(total.Spent(meter.Steps), 1), States: max(total.Spent(meter.States), 1)})); err != nil {
			t.Errorf("%s: with all that it takes: %v", what, err)
		}
	}
}

func TestWorkSpendsFromMeter(t *testing.T) {
	p := compiled(t, source.NewFile("t.pda", "start q Z\naccept empty\nq -> q (a, Z; A A A) (b, A; ε)\n"))
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := must.Grammar(t, "S -> A b b b\nA -> a")
	for _, c := range []struct {
		what          string
		work          func(m *meter.Meter) error
		states, steps int64
	}{
		// Three heads; each rule, and the first with each of three symbols popped; and
		// productions of two, four, one and no symbols, found along the rest of the stack.
		{"words", func(m *meter.Meter) error { _, err := p.Words(m); return err }, 3 + (1 + 1 + 3 + 1) + (3 + 5 + 2 + 1), (3 + 2) + (4 + 3 + 2)},
		{"situations", func(m *meter.Meter) error { _, _, err := words.Situations([]string{"a"}, 9, m); return err }, 0, (1 + 1) + (1 + 1) + (1 + 3)},
		{"configurations", func(m *meter.Meter) error { _, _, err := pushdown.Configs(g, []grammar.Symbol{1}, 9, m); return err }, 0, (1 + 1) + (1 + 4)},
	} {
		m := meter.New(meter.Budget{})
		if err := c.work(m); err != nil || m.Spent(meter.States) != c.states || m.Spent(meter.Steps) != c.steps {
			t.Errorf("%s: %d states and %d steps, want %d and %d (%v)", c.what, m.Spent(meter.States), m.Spent(meter.Steps), c.states, c.steps, err)
		}
	}
}

func TestInvalidTextHasNoFurtherDiagnostics(t *testing.T) {
	const wrong = "for h in 1..x {\n}\n"
	for _, c := range []struct{ text, codes string }{
		{"", "pda.empty"},
		{wrong, "pda.range"},
		{"accept q\n" + wrong, "pda.range"},
		{"accept q\nq -> q (a, Z; Z)\n" + wrong, "pda.range pda.start-missing"},
		{"start q Z\naccept q\n" + wrong, "pda.range"},
		{"start q Z\n" + wrong, "pda.range pda.accept-missing"},
		{"accept q\nq -> q (a, Z; Z)", "pda.start-missing"},
	} {
		syntax, found := pushdown.Parse(source.NewFile("t.pda", c.text))
		p, more := pushdown.Compile(syntax)
		var codes []string
		for _, d := range append(found, more...) {
			if d.Severity == source.SeverityError {
				codes = append(codes, d.Code)
			}
		}
		if got := strings.Join(codes, " "); got != c.codes || (p != nil) != strings.HasPrefix(c.text, "start") {
			t.Errorf("%q: %s, want %s", c.text, got, c.codes)
		}
	}
}

func TestConfigurationsAreInOrderAndBounded(t *testing.T) {
	g := must.Grammar(t, "S -> a B | a C c | a D | a\nB -> b\nC -> c\nD -> d")
	listed := func(g *grammar.Grammar, prefix []grammar.Symbol, max int) (out []string, truncated bool) {
		configs, truncated, err := pushdown.Configs(g, prefix, max, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range configs {
			text := fmt.Sprint(c.State)
			for _, s := range c.Stack {
				text += " " + g.Names[s]
			}
			out = append(out, text)
		}
		return out, truncated
	}
	got, truncated := listed(g, []grammar.Symbol{0}, 10)
	if want := "2,1,1 B,1 D,1 C c"; strings.Join(got, ",") != want || truncated {
		t.Errorf("%q, %v, want %s", got, truncated, want)
	}
	if got, truncated = listed(g, []grammar.Symbol{0}, 5); len(got) != 5 || truncated {
		t.Errorf("%d configurations of five, %v", len(got), truncated)
	}
	// Left recursion piles up symbols: as many as the stack and a right side have, and 64.
	g = must.Grammar(t, "S -> S a | a")
	if got, truncated = listed(g, []grammar.Symbol{0}, 1000); len(got) != 1+1+2+64 || !truncated {
		t.Errorf("%d configurations, %v", len(got), truncated)
	}
	if got, truncated = listed(g, []grammar.Symbol{0}, 5); len(got) != 5 || !truncated {
		t.Errorf("%d configurations, %v", len(got), truncated)
	}
}

func TestInvalidFamilyIsSkipped(t *testing.T) {
	for _, c := range []struct {
		text   string
		faults []string
	}{
		{"for h {\n  for i in 1..2 {\n    no line\n  }\n}\nneither\n", []string{"{", "neither"}},
		{"for h\nneither\n", []string{"", "neither"}},
		{"for {\n  no line\n}\nneither\n", []string{"{", "neither"}},
		{"for h in [a b {\n  no line\n}\nneither\n", []string{"{", "neither"}},
		{"for h in 1 {\n  no line\n}\nneither\n", []string{"1", "neither"}},
		{"for h in 1..+ {\n  no line\n}\nneither\n", []string{"+", "neither"}},
		{"for 1 in 1..2 {\n  no line\n}\nneither\n", []string{"1", "neither"}},
		{"for h in 1..2 if { no line }\nneither\n", []string{"{", "neither"}},
		{"for h { for i in 1..2 { no line } } neither\n", []string{"{", "neither"}},
	} {
		file := source.NewFile("t.pda", c.text)
		_, found := pushdown.Parse(file)
		var got []string
		for _, d := range found {
			got = append(got, strings.TrimSpace(file.Slice(d.Span)))
		}
		if !slices.Equal(got, c.faults) {
			t.Errorf("%q: %q, want %q", c.text, got, c.faults)
		}
	}
}

func TestTransitionsOfAGrammarNameTheirProductions(t *testing.T) {
	var got []string
	for _, tr := range pushdown.FromGrammar(must.Grammar(t, "S -> a S b | ε")).Transitions {
		got = append(got, fmt.Sprintf("%d %s %d", tr.Production, tr.Notation(), tr.From))
	}
	if want := "-1 ε, Z; S Z 0|0 a, S; S b 1|1 ε, S; ε 1|-1 b, b; ε 1|-1 ε, Z; Z 1"; strings.Join(got, "|") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "|"), want)
	}
	for _, tr := range compiled(t, source.NewFile("t.pda", named)).Transitions {
		if tr.Production != -1 {
			t.Errorf("%s is of production %d, but there is no grammar", tr.Notation(), tr.Production)
		}
	}
}

func TestLettersHaveLabelsOfTheirTransitions(t *testing.T) {
	p := compiled(t, source.NewFile("t.pda", "start q Z\naccept q\nq -> q (a, Z; Z) as \"an a\"\nq -> q (a, Z; A Z) as \"an a\"\nq -> q (b, Z; Z) as \"one\"\nq -> q (b, A; Z) as \"two\"\nq -> q (c, Z; Z) as \"see\"\nq -> q (ε, A; Z) as \"quietly\"\nq -> q (d, A; Z)\nc as \"sea\"\nlimit 1000000 each\n"))
	got := p.LetterLabels()
	if want := map[string]string{"a": "an a", "c": "sea"}; !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, found := pushdown.Parse(source.NewFile("t.pda", "limit 1000001 each\n"+strings.Repeat("no line\n", 100))); len(found) != 50 {
		t.Errorf("%d faults are told", len(found))
	}
}

func TestSituationsBeginWithTheShortestStacks(t *testing.T) {
	p := compiled(t, source.NewFile("t.pda", "start q Z\naccept q\nq -> q (a, Z; A A A Z) (a, Z; A Z) (a, Z; A A Z) (ε, A; ε)\n"))
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := words.Situations([]string{"a"}, 100, nil)
	if err != nil || len(list) < 4 {
		t.Fatal(list, err)
	}
	for i := range list[1:] {
		if len(list[i].Stack) > len(list[i+1].Stack) {
			t.Errorf("%v stands before %v", list[i].Stack, list[i+1].Stack)
		}
	}
}

func TestSituationsAreInTheOrderOfTheMoves(t *testing.T) {
	p := compiled(t, source.NewFile("t.pda", "start q Z\naccept r\nq -> r (ε, Z; Z)\nr -> s (ε, Z; Y)\ns -> r (a, Y; Z)\n"))
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int]string{4: "q [Z], r [Z], s [Y], false", 3: "q [Z], r [Z], s [Y], false", 2: "q [Z], r [Z], true"} {
		list, truncated, err := words.Situations(nil, most, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range list {
			got += fmt.Sprintf("%s %v, ", p.States[s.State], s.Stack)
		}
		if got += fmt.Sprint(truncated); got != want {
			t.Errorf("at most %d: %s, want %s", most, got, want)
		}
	}
}

func TestGrowingStacksAreTruncated(t *testing.T) {
	p := compiled(t, source.NewFile("t.pda", "start q Z\naccept q\nq -> q (ε, *; A *)\n"))
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	// One symbol, and up to 64 more.
	list, truncated, err := words.Situations(nil, 1000, nil)
	if err != nil || len(list) != 1+64 || !truncated || len(list[64].Stack) != 1+64 {
		t.Errorf("%d situations, %v (%v)", len(list), truncated, err)
	}
}

func TestTransitionMaySpanLines(t *testing.T) {
	for text, want := range map[string]string{
		"q -> q (a, Z; Z)\n  (b, Z; A Z)\n\n  # a comment\n  (c, A; ε) as \"one of three\"\nq -> q (d, Z; Z)": "a one of three|b one of three|c one of three|d ",
		"for h in 1..2 { q -> q (a, Z; Z)\n(b, Z; Z)\n}\nq -> q (c, Z; Z)":                                    "a |b |a |b |c ",
		"q -> q (a, Z; Z) as \"one\"\nq -> q (b, Z; Z)":                                                       "a one|b ",
	} {
		var got []string
		for _, tr := range compiled(t, source.NewFile("t.pda", "start q Z\naccept q\n"+text+"\n")).Transitions {
			got = append(got, tr.Read+" "+tr.Label)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s\n%q, want %s", text, got, want)
		}
	}
}

func TestProductionsHaveLabelsOfTheirTransitions(t *testing.T) {
	p := compiled(t, source.NewFile("t.pda", "start q Z\naccept empty\nq -> q (a, Z; Z) as \"first\"\nq -> q (b, Z; ε) as \"second\"\nlimit 0 b\n"))
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for i, production := range words.Grammar.Productions {
		of := words.Transitions[i]
		if of < 0 {
			continue
		}
		labels = append(labels, production.Label)
		if production.Label != p.Transitions[of].Label || production.Span != p.Transitions[of].Span {
			t.Errorf("%s is not %s", words.Grammar.Write(i), p.Transitions[of].Notation())
		}
	}
	if slices.Sort(labels); strings.Join(labels, " ") != "first second" {
		t.Errorf("%q", labels)
	}
	if limit, ok := p.Limits.Named["b"]; !ok || limit != 0 {
		t.Errorf("%+v", p.Limits)
	}
}

func TestBottomSymbolHasUniqueName(t *testing.T) {
	for text, want := range map[string]string{"S -> a": "Z", "S -> Z": "Z0", "S -> Z Z0": "Z1", "S -> Z Z0 Z1 Z2 Z4": "Z3"} {
		if got := pushdown.FromGrammar(must.Grammar(t, text)).StackStart; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestFiftyFaultsAreReported(t *testing.T) {
	for lines, want := range map[int]int{49: 49, 50: 50, 51: 50, 200: 50} {
		syntax, found := pushdown.Parse(source.NewFile("t.pda", "start q Z\naccept q\n"+strings.Repeat("q -> q (a, Z; * Z)\n", lines)))
		if _, more := pushdown.Compile(syntax); len(found) != 0 || len(more) != want {
			t.Errorf("%d of %d faults are told", len(more), lines)
		}
	}
}
