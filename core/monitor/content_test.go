package monitor

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
)

const contentful = `(define a
  (:states
    (L (:text "[Label]") (:matches "#E[1-9][0-9]*"))
    (A (:text "[Action]") (:one-of "Search" "Lookup" "Look around"))
    (T (:text "[Thought]") (:max-tokens 5))
    (Z (:text "Done!") (:flags :empty)))
  (:behavior (next L A T Z)))`

func TestContentsAreCorrectedAtFirstInvalidCharacter(t *testing.T) {
	a := compile(t, contentful)
	for _, c := range []struct {
		name   string
		script []string
		want   string
		events []string // parts of violations and corrections, in order
	}{
		{"nothing is wrong",
			[]string{"[Label] #E12\n[Action] Look around\n[Thought] a b\nDone!"},
			"#E12|Look around|a b|", nil},
		{"a label without its mark is begun with it",
			[]string{"[Label] E1\n", "7\n[Action] Search\n[Thought] x\nDone!"},
			"#E7|Search|x|", []string{`may not begin with \"E`, `"text":"#E","allowed":[],"forced":false`}},
		{"words after a label go",
			[]string{"[Label] #E1 (the first)\n", "[Action] Search\n[Thought] x\nDone!"},
			"#E1|Search|x|", []string{`may not continue with \"(`, `"text":"","allowed":[],"forced":false`}},
		{"a label that goes on wrongly is gone on with where it fits",
			[]string{"[Label] #E1a\n", "2\n[Action] Search\n[Thought] x\nDone!"},
			"#E12|Search|x|", []string{`may not continue with \"a`, `"text":""`}},
		{"a label that ends too early",
			[]string{"[Label] #\n[Action] Search", "9\n[Action] Search\n[Thought] x\nDone!"},
			"#E9|Search|x|", []string{`may not end here`, `"text":"E"`}},
		{"a name in other letters is taken as it was meant",
			[]string{"[Label] #E1\n[Action] search\n", "[Thought] x\nDone!"},
			"#E1|Search|x|", []string{`may not begin with \"s`, `"text":"Search","allowed":["Search"],"forced":true`}},
		{"a beginning that two names share is kept",
			[]string{"[Label] #E1\n[Action] Looking\n", " around\n[Thought] x\nDone!"},
			"#E1|Look around|x|", []string{`may not continue with \"i`, `"text":"","allowed":["Lookup","Look around"],"forced":false`}},
		{"what is too long ends at a word",
			[]string{"[Label] #E1\n[Action] Search\n[Thought] one two three four five six\n", "Done!"},
			"#E1|Search|one two three four|", []string{`"T\" is longer than 5 tokens`}},
		{"one word that is too long is cut",
			[]string{"[Label] #E1\n[Action] Search\n[Thought] abcdefghijklmnopqrstuvwxyz\n", "Done!"},
			"#E1|Search|abcdefghijklmnopqrst|", []string{`is longer than`}},
		{"nothing comes after what stands alone",
			[]string{"[Label] #E1\n[Action] Search\n[Thought] x\nDone! And so on."},
			"#E1|Search|x|", nil},
		{"what cannot be put right is written whole",
			[]string{"[Label] no", " no", " no", " no", "[Action] Search\n[Thought] x\nDone!"},
			"#E1|Search|x|", []string{`begin with`, `"forced":false`, `continue with`, `"forced":false`, `continue with`, `"forced":false`, `continue with`, `"text":"1","allowed":[],"forced":true`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings := script(c.script...)
			settings.Question = ""
			transcript, events, err := run(t, a, settings, 1)
			if err != nil {
				t.Fatalf("%v\n%s", err, strings.Join(events, "\n"))
			}
			conforms(t, a, transcript)
			var got []string
			for _, s := range transcript.Segments {
				got = append(got, s.Text)
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("%q\n%s", strings.Join(got, "|"), strings.Join(events, "\n"))
			}
			said := only(events, "monitor.violation", "monitor.correction")
			for i, part := range c.events {
				if i >= len(said) || !strings.Contains(said[i], part) {
					t.Errorf("event %d does not contain %s:\n%s", i, part, strings.Join(said, "\n"))
				}
			}
		})
	}
}

func TestStreamStopsAtFirstInvalidCharacter(t *testing.T) {
	a := compile(t, contentful)
	settings := script()
	settings.Question = ""
	transcript := runPieces(t, a, settings, 1, " #E1x"+strings.Repeat("y", 1000), "\n[Action] Search\n[Thought] x\nDone!")
	if transcript.Stats.TokensDiscarded > 1 {
		t.Errorf("%d tokens were read and discarded", transcript.Stats.TokensDiscarded)
	}
}

func TestTextAndRunCheckContentsAlike(t *testing.T) {
	a := compile(t, contentful)
	for text, want := range map[string]string{
		"[Label] #E1\n[Action] Search\n[Thought] x\nDone!":                              "",
		"[Label] E1\n[Action] Search":                                                   `"L" may not begin with "E1"`,
		"[Label] #E1 x\n[Action] Search":                                                `"L" may not continue with "x"`,
		"[Label]\n[Action] Search":                                                      `"L" is empty`,
		"[Label] #E1\n[Action] Searc\n[Thought]":                                        `"A" may not end here`,
		"[Label] #E1\n[Action] Search\n[Thought] " + "long " + "word longer and longer": `"T" is longer than 5 tokens`,
		"[Label] #E1\n[Action] Search\n[Thought] x\nDone! x":                            `unexpected content "x": state "Z" has no content`,
	} {
		report := Check(a, text)
		switch {
		case want == "" && report.Violation != nil:
			t.Errorf("%q: %+v", text, report.Violation)
		case want != "" && (report.Violation == nil || !strings.HasPrefix(report.Violation.Reason, want) || report.Verdict != agent.VerdictInvalid):
			t.Errorf("%q: %+v", text, report.Violation)
		}
	}
}
