package language_test

import (
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/workspace"
)

func TestTestsNameTheirSpecsAndSymbols(t *testing.T) {
	const g = "-- g.cfg --\nS -> refund \"two words\" | ask\n"
	for _, c := range []struct{ what, archive, want string }{
		{"the spec of the same name", g + "-- g.tests --\naccept refund \"two words\"\n", ""},
		{"an unknown symbol", g + "-- g.tests --\naccept refnd\n", "error tests.symbol 1:8 \"refnd\": unknown symbol \"refnd\"; did you mean \"refund\"?\n  fix \"Write refund\" gives \"accept refund\\n\"\n"},
		{"a symbol of other letters", g + "-- g.tests --\nreject zzz\n", "error tests.symbol 1:8 \"zzz\": unknown symbol \"zzz\" of g.cfg\n"},
		{"a word without spaces", "-- g.cfg --\nS -> a S b | ab\n-- g.tests --\naccept aab-b\n", "error tests.symbol 1:8 \"aab-b\": unknown symbol \"aab-b\"; separate symbols with spaces\n  fix \"Write a ab b\" gives \"accept a ab b\\n\"\n"},
		{"an answer without its question", "-- g.flow --\nask sure \"?\" yes -> good\naccept good\n-- g.tests --\naccept yes\n", "error tests.symbol 1:8 \"yes\": unknown symbol \"yes\"; did you mean \"sure.yes\"?\n  fix \"Write sure.yes\" gives \"accept sure.yes\\n\"\n"},
		{"a spec without its ending", g + "-- x.tests --\nspec g\naccept ask\n", "error tests.unknown-spec 1:6 \"g\": unknown spec \"g\"; did you mean \"g.cfg\"?\n  fix \"Write g.cfg\" gives \"spec g.cfg\\naccept ask\\n\"\n"},
		{"an unknown spec", g + "-- x.tests --\nspec other.agent\naccept ask\n", "error tests.unknown-spec 1:6 \"other.agent\": unknown spec \"other.agent\" (expected g.cfg)\n"},
		{"no spec", g + "-- x.tests --\naccept ask\nreject ask ask\n", "error tests.unknown-spec 1:1 \"accept ask\": unknown spec: no spec is named \"x\"; write spec g.cfg\n  fix \"Write spec g.cfg\" gives \"spec g.cfg\\naccept ask\\nreject ask ask\\n\"\n"},
		{"a file without words", g + "-- notes.md --\nNotes\n-- rules.tests --\nspec notes.md\naccept ask\n", "error tests.kind 1:6 \"notes.md\": notes.md has no words, plans or runs to test\n"},
		{"formulas of the same name, with the symbols of a spec", g + "-- rules.ltl --\nF ask\n-- rules.tests --\naccept refund ask\nreject asc\n", "error tests.symbol 2:8 \"asc\": unknown symbol \"asc\"; did you mean \"ask\"?\n  fix \"Write ask\" gives \"accept refund ask\\nreject ask\\n\"\n"},
		{"formulas without a spec", "-- rules.ltl --\nF a & G !b\n-- rules.tests --\naccept a ∅\nreject a&b\nreject a&c\n", "error tests.symbol 3:8 \"a&c\": unknown symbol \"a&c\" of rules.ltl\n"},
		{"formulas after a spec of their name", "-- g.ltl --\nF other\n" + g + "-- g.tests --\naccept refund \"two words\"\n", ""},
		{"formulas with errors", "-- g.ltl --\nF (\n-- g.tests --\naccept a\n", "warning tests.waiting 1:1 \"accept a\": not run: fix the errors in g.ltl\n"},
		{"a form that the spec does not have", g + "-- g.tests --\nrun valid\n  x\n", "error tests.kind 1:1 \"run valid\": g.cfg has no runs; test its words or plans\n"},
		{"a spec with errors", "-- g.cfg --\nS -> \"\n-- g.tests --\naccept a\nreject b\n", "warning tests.waiting 1:1 \"accept a\": not run: fix the errors in g.cfg\n"},
	} {
		w, err := workspace.ParseArchive(c.archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range w.Files {
			if workspace.KindOf(f.Name) != workspace.KindTests {
				continue
			}
			file := source.NewFile(f.Name, f.Text)
			scope := &notation.Scope{Table: language.Table(), File: file, Files: w.Files}
			found := language.Table().Of(f.Name).Analyze(scope).Diagnostics
			if got := golden.Diagnostics(file, found); got != c.want {
				t.Errorf("%s: got\n%s\nwant\n%s", c.what, got, c.want)
			}
		}
	}
}

// Symbols of tests and propositions of formulas refer to the same definitions.
func TestSymbolsOfTestsArePropositions(t *testing.T) {
	if spectest.KindSymbol != ltl.KindProposition {
		t.Errorf("the kind of symbols is %q", spectest.KindSymbol)
	}
}
