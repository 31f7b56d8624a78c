package language_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	_ "github.com/stile-playground/stile/core/internal/golden" // the flag -update
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// The sentences on every spec of the gallery, for people to read.
func TestExplanationsOfTheGallery(t *testing.T) {
	const name = "testdata/explanations.txt"
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	explained := map[workspace.Kind]bool{}
	for _, e := range examples {
		for _, f := range e.Files {
			row := language.Table().Of(f.Name)
			if row.Explain == nil {
				continue
			}
			explained[row.Kind] = true
			fmt.Fprintf(&b, "-- %s/%s --\n", e.ID, f.Name)
			file, last := f.Source(), 0
			for _, s := range row.Explain(file) {
				text := file.Slice(s.Span)
				at := file.Locate(s.Span.Start).Line
				if text == "" || at < last || strings.Contains(s.Text, "\n") || !strings.HasSuffix(s.Text, ".") {
					t.Errorf("%s/%s: %q in line %d, after line %d: %q", e.ID, f.Name, text, at, last, s.Text)
				}
				last = at
				fmt.Fprintf(&b, "%d: %s\n", at, s.Text)
			}
		}
	}
	if len(explained) != 6 {
		t.Errorf("explanations of %d notations, want 6", len(explained))
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("the sentences differ from %s; run the test with -update and review the difference", name)
	}
}

// A text with errors, and an empty one, are explained as far as they can be read.
func TestExplanationsOfInvalidTexts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"a.cfg", "", 0}, {"a.cfg", "S -> a\nT ->->", 1}, {"a.ltl", "", 0}, {"a.ltl", "G a\n\nF (", 1}, {"a.flow", "", 0}, {"a.flow", "ask q \"Why?\"\n  yes ->", 1}, {"a.pda", "", 0}, {"a.pda", "start q Z\nq -> q (a, Z; Z) (b", 2}, {"a.agent", "", 0}, {"a.rules", "", 0}, {"a.rules", "a: b() -> (\nc: d(x: ?x) -> e()\n", 1}, {"a.agent", "(define x (:states (A)) (:behavior (next A", 1},
	} {
		if got := language.Table().Of(c.name).Explain(workspace.File{Name: c.name, Text: c.text}.Source()); len(got) < c.want {
			t.Errorf("%s %q: %v", c.name, c.text, got)
		}
	}
}
