package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

// written prints a flowchart, an edge a line.
func written(f *flow.Flow) string {
	var b strings.Builder
	kinds := []string{"ask", "choose", "accept", "stop"}
	for i, s := range f.States {
		mark := ""
		if i == f.Start {
			mark = "start "
		}
		fmt.Fprintf(&b, "%s%s %s %q\n", mark, kinds[s.Kind], s.Name, s.Question)
		for _, e := range s.Edges {
			fmt.Fprintf(&b, "  %s -> %s %q\n", f.Letter(i, e), f.States[e.To].Name, e.Text)
		}
	}
	fmt.Fprintf(&b, "variables %v\n", f.Variables)
	return b.String()
}

func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.flow", in["in.flow"])
		syntax, found := flow.Parse(file)
		f, more := flow.Compile(syntax)
		found = append(found, more...)
		out := []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}}
		if f != nil && !source.HasErrors(found) {
			out = append(out, golden.File{Name: "flow", Text: written(f)})
		}
		return append(out, golden.File{Name: "formatted", Text: syntax.Format()})
	})
}

func TestEveryCodeHasACase(t *testing.T) { golden.EveryCode(t, "flow") }

// The analysis of Formal-LLM's Figure 7, in short.
const risk = `let seller "Alpha"
ask entitled "Is {seller} entitled to sell {company}?"
  yes -> checks   no -> stop as "It is not entitled to sell."   unsure -> checks as "More is needed to know that."
in any order checks {
  ask antitrust "Does the deal have to be filed?"
    yes -> next as "File it."   no -> next
  ask liabilities "Are there great liabilities?"
    yes -> stop as "The deal is dead."   no -> next   unsure -> next
  ask sensitive "Is the industry sensitive?"
    yes -> next as "Have it cleared."   no -> next
} -> pass
accept pass "The preliminary analysis of {company} is passed."
`

func compile(t testing.TB, text string) *flow.Flow {
	t.Helper()
	syntax, found := flow.Parse(source.NewFile("t.flow", text))
	f, more := flow.Compile(syntax)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%s%v", text, found)
	}
	return f
}

func TestQuestionsInAnyOrderAreAskedOnceEach(t *testing.T) {
	f := compile(t, risk)
	d := f.DFA()
	letters := map[string]int{}
	for i, l := range f.Letters() {
		letters[l] = i
	}
	accepts := func(word string) bool {
		var w []int
		for _, l := range strings.Fields(word) {
			i, ok := letters[l]
			if !ok {
				t.Fatalf("no letter %s in %v", l, f.Letters())
			}
			w = append(w, i)
		}
		return d.Accepts(w)
	}
	for word, want := range map[string]bool{
		"entitled.yes antitrust antitrust.yes liabilities liabilities.no sensitive sensitive.no":       true,
		"entitled.unsure sensitive sensitive.no antitrust antitrust.no liabilities liabilities.unsure": true,
		"entitled.no": false,
		"entitled.yes antitrust antitrust.yes antitrust antitrust.yes":                           false,
		"entitled.yes antitrust antitrust.yes liabilities liabilities.yes":                       false,
		"entitled.yes antitrust liabilities.no":                                                  false,
		"entitled.yes antitrust antitrust.yes liabilities liabilities.no sensitive":              false,
		"entitled.yes sensitive sensitive.no antitrust antitrust.no liabilities liabilities.yes": false,
	} {
		if accepts(word) != want {
			t.Errorf("%s: %v", word, !want)
		}
	}
	// 2 ways to be entitled, 6 orders, 2·2·2 answers that go on.
	c := automaton.NewCounter(d, nil)
	n, err := c.Count(7)
	if err != nil || n.String() != "96" {
		t.Errorf("%s words (%v), not 96", n, err)
	}
	counts, err := earley.CountWords(f.Grammar(), 8, nil)
	if err != nil || fmt.Sprint(counts) != "[0 0 0 0 0 0 0 96 0]" {
		t.Errorf("the grammar has %v (%v)", counts, err)
	}
}

func TestTextsTakeTheValuesOfVariables(t *testing.T) {
	f := compile(t, risk)
	if got := f.Text(f.States[f.Start].Question, map[string]string{"company": "Beta"}); got != "Is Alpha entitled to sell Beta?" {
		t.Error(got)
	}
	if got := f.Text("{seller}, {company}, {a b} and { {seller}", nil); got != "Alpha, {company}, {a b} and { Alpha" {
		t.Error(got)
	}
	if fmt.Sprint(f.Variables) != "[seller company]" {
		t.Error(f.Variables)
	}
}

func FuzzFormattingKeepsTheMeaning(f *testing.F) {
	f.Add(risk)
	f.Add("ask a \"?\"\n some x as \"y\" z w -> b some c -> b\n some -> stop in any order d { ask e \"?\" some f g -> next h -> next } -> b accept b")
	f.Add("ask a \"?\" yes -> b as \"x\" \"no no\" -> stop\nstart a accept b stop c \"d\"")
	f.Fuzz(func(t *testing.T, text string) {
		syntax, found := flow.Parse(source.NewFile("f.flow", text))
		chart, more := flow.Compile(syntax)
		for _, d := range append(found, more...) {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		formatted := syntax.Format()
		again, foundAgain := flow.Parse(source.NewFile("f.flow", formatted))
		if twice := again.Format(); twice != formatted {
			t.Fatalf("formatted\n%q\nbecomes\n%q", formatted, twice)
		}
		if source.HasErrors(found) {
			return
		}
		other, moreAgain := flow.Compile(again)
		if len(foundAgain) != len(found) || len(moreAgain) != len(more) || (chart == nil) != (other == nil) || chart != nil && written(chart) != written(other) {
			t.Fatalf("%q\nmeans something else than\n%q", formatted, text)
		}
		if chart != nil && !source.HasErrors(more) {
			chart.DFA()
			chart.Grammar()
		}
	})
}
