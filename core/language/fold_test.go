package language_test

import (
	"testing"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func TestFoldsHideContinuations(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a.cfg", "# one\n# two\nS -> a\n  | b\n  | c\nT -> d\n", []string{"\n# two", "\n  | b\n  | c"}},
		{"a.cfg", "S -> a\n\n| b\n", nil},
		{"a.agent", "(define a\n  (:states\n    (A (:text \"(\")))\n  (:behavior A))\n", []string{"\n  (:states\n    (A (:text \"(\")))\n  (:behavior A)", "\n    (A (:text \"(\"))"}},
		{"a.pda", "for h in 2..1 {\n  h -> h-1 (e, *; *)\n}\n", []string{"\n  h -> h-1 (e, *; *)\n"}},
		{"a.flow", "ask one \"One?\"\n  yes -> good\n  no -> stop\naccept good\n", []string{"\n  yes -> good\n  no -> stop"}},
		{"a.ltl", "a: G x ->\n  F y\n\nb: F y\n", []string{"\n  F y"}},
		{"a.smt2", "; one\n(assert\n  (and\n    a))\n", []string{"\n  (and\n    a)", "\n    a"}},
		{"a.lp", "Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n", []string{"\n obj: x", "\n c: x >= 1"}},
		{"a.pddl", "(define (domain d)\n  (:predicates (p)))\n", []string{"\n  (:predicates (p))"}},
		{"a.md", "# one\n# two\n", nil},
	} {
		var got []string
		f := workspace.File{Name: c.name, Text: c.text}
		for _, span := range language.Table().Folds(f) {
			got = append(got, source.NewFile("", c.text).Slice(span))
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: got %q, want %q", c.name, got[i], c.want[i])
			}
		}
	}
}
