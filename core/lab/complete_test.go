package lab_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/source"
)

// TestCompletionKnowsWhereItIs has | at the place.
func TestCompletionKnowsWhereItIs(t *testing.T) {
	for _, test := range []struct {
		text, word string
		open       bool
	}{
		{"|", "experiment", true},
		{"(ex|", "experiment", false},
		{"(experiment a (:ta|", ":tasks", false},
		{"(experiment a |", ":methods", true},
		{"(experiment a (:tasks (pl|", "plans", false},
		{"(experiment a (:tasks |", "problems", true},
		{"(experiment a (:tasks (problems |", "coffee", false},
		{"(experiment a (:tasks (benchmark tr|", "travelplanner", false},
		{`(experiment a (:tasks (plans "x" (:p|`, ":pick", false},
		{"(experiment a (:methods (baseline |", "few-shot", false},
		{"(experiment a (:methods (plan (:na|", ":naive", false},
		{"(experiment a (:methods (plan |", ":attempts", true},
		{"(experiment a (:methods (formulate formulate (:without |", "definer", false},
		{"(experiment a (:models (simulated |", "rambler", false},
		{"(experiment a (:models (|", "endpoint", false},
		{"(experiment a (:methods (plan)) (:measures |", "dead-ends", false},
		{`(experiment a (:methods (plan)) (:columns ("x" |`, "valid", false},
		{"(experiment a (:across |", "methods", false},
		{"(experiment a (:budget (|", "money", false},
		{`(experiment a (:title "|"))`, "", false},
		{"; a note |", "", false},
	} {
		before, after, _ := strings.Cut(test.text, "|")
		begun, words, open := lab.Complete(source.NewFile("a.lab", before+after), source.Pos(len(before)))
		if test.word == "" {
			if len(words) > 0 {
				t.Errorf("%s: %v", test.text, words)
			}
			continue
		}
		if !slices.Contains(words, test.word) || open != test.open || !strings.HasPrefix(test.word, before[begun.Start:begun.End]) {
			t.Errorf("%s: %v, begun %q, %v", test.text, words, before[begun.Start:begun.End], open)
		}
	}
}
