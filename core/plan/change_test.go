package plan

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
)

func TestChangeAppliesFromItsOffer(t *testing.T) {
	person := llm.Spec{Kind: llm.KindPerson}
	settings := Settings{Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"2", "2"}}}
	text := "S -> A B C\nA -> a1 | a2\nB -> b1 | b2\nC -> c1 | c2"
	for _, c := range []struct {
		name    string
		changes []Change
		answers []string
		want    string
		asks    string // part of the last prompt
	}{
		{"a person takes over", []Change{{From: 3, Model: &person}}, []string{"1"}, "a2 b2 c1", "one integer"},
		{"another model takes over, and then a person", []Change{{From: 2, Model: &llm.Spec{Kind: llm.KindFirst}}, {From: 3, Model: &person}}, []string{"2"}, "a2 b1 c2", "one integer"},
		{"other words", []Change{{From: 3, Model: &person, Template: "Which?\n{choices}"}}, []string{"1"}, "a2 b2 c1", "Which?"},
		{"another reading", []Change{{From: 3, Model: &person, Reading: ReadLabel}}, []string{"c1"}, "a2 b2 c1", "Answer only with the exact text of one choice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := settings
			s.Changes = c.changes
			made, events, err := planned(t, text, s, 1, c.answers...)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(made.Word, " "); got != c.want {
				t.Errorf("the word is %s, want %s", got, c.want)
			}
			last := ""
			for _, e := range events {
				if strings.Contains(e, `"plan.offer"`) {
					last = e
				}
			}
			if !strings.Contains(last, c.asks) {
				t.Errorf("the last offer is %s; want %q in it", last, c.asks)
			}
		})
	}
}

func TestInvalidChangeIsRejected(t *testing.T) {
	first := llm.Spec{Kind: llm.KindFirst}
	for name, change := range map[string]Change{
		"before the first offer": {From: 0, Model: &first},
		"an unknown model":       {From: 1, Model: &llm.Spec{Kind: "nobody"}},
		"an unknown reading":     {From: 1, Reading: "tea leaves"},
		"a prompt of no choices": {From: 1, Template: "Well?"},
	} {
		if err := (Settings{Model: first, Changes: []Change{change}}).Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
