package grammars_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

func openRisk(t *testing.T) *flow.Flow {
	t.Helper()
	f, _ := example(t, "risk").Workspace().File("risk.flow")
	syntax, found := flow.Parse(f.Source())
	chart, more := flow.Compile(syntax)
	if source.HasErrors(append(found, more...)) {
		t.Fatalf("%+v", append(found, more...))
	}
	return chart
}

// The data's flowchart: ownership has two answers that continue; antitrust any of the regions or
// none, debts two of three, industry both; in any of six orders.
func TestRiskAnalysisMatchesData(t *testing.T) {
	counts, err := counting.Words(openRisk(t).Grammar(), 12, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := uint64(0)
	for _, n := range counts {
		sum += n.Uint64()
	}
	if want := uint64(2 * (7 + 1) * 2 * 2 * 6); sum != want {
		t.Errorf("%d ways that pass, want %d", sum, want)
	}
}

// The released program writes that the deal is off and that it is passed when debts
// are asked about last; a stop is an end here.
func TestStopAtLastQuestionEndsRun(t *testing.T) {
	f := openRisk(t)
	passed, ended := earley.New(f.Grammar()), earley.New(f.Outcomes())
	word := strings.Fields("entitled.yes sensitive sensitive.no antitrust antitrust.none liabilities liabilities.yes")
	accepts := func(p *earley.Parser, word []string) bool {
		var symbols []grammar.Symbol
		for _, letter := range word {
			s, ok := p.Grammar().Lookup(letter)
			if !ok {
				t.Fatalf("there is no letter %s", letter)
			}
			symbols = append(symbols, s)
		}
		ok, err := p.Recognize(symbols, nil)
		return ok && err == nil
	}
	if accepts(passed, word) || !accepts(ended, word) {
		t.Error("it does not end there")
	}
	if accepts(passed, word[:len(word)-1]) || !accepts(passed, append(word[:len(word)-1:len(word)-1], "liabilities.no")) {
		t.Error("without debts it is not passed")
	}
	end := f.States[f.Start]
	for _, letter := range word {
		at := -1
		for i, s := range f.States {
			for _, e := range s.Edges {
				if s.Name == end.Name && f.Letter(i, e) == letter {
					at = e.To
				}
			}
		}
		end = f.States[at]
	}
	if end.Kind != flow.Stop || len(end.Edges) > 0 {
		t.Errorf("it ends in %+v", end)
	}
}
