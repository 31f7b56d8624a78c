package habit

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// toy is a notation whose texts are lines "NAME = (word; word)".
var toy = &Notation{
	Comments: "#", Lines: true,
	Repair: &Repair{Keywords: []string{"lamp"}, Signs: []string{";", "=", "(", ")"}, Closers: "#"},
	Check: func(text string) (found []source.Diagnostic) {
		at := 0
		for _, line := range strings.Split(text, "\n") {
			code, _, _ := strings.Cut(line, "#")
			if i := misfit(code); i >= 0 {
				found = append(found, source.Diagnostic{Code: "toy", Span: span(at+i, at+min(i+1, len(line))), Message: "expected a pair"})
			}
			at += len(line) + 1
		}
		return found
	},
}

// misfit returns the position of the first token of a line that no pair has at its place, or -1.
func misfit(line string) int {
	token := NewPattern(`[a-z]+|[^\sa-z]`)
	at := 0
	for i, want := range []string{`[a-z]+$`, `=$`, `\($`, `lamp$|door$`, `;$`, `lamp$|door$`, `\)$`} {
		m := token.Find(line, at)
		switch {
		case m == nil && i == 0:
			return -1
		case m == nil:
			return max(len(line)-1, 0)
		case Match(want, line[m[0]:m[1]]) == nil:
			return m[0]
		}
		at = m[1]
	}
	if m := token.Find(line, at); m != nil {
		return m[0]
	}
	return -1
}

// A repaired text has no error, and the message names the edit.
func TestRepairs(t *testing.T) {
	for text, want := range map[string]string{
		"a = (lamp; door)":                     "",
		"a = (lmap; door)":                     `unknown word "lmap"; did you mean "lamp"?|a = (lamp; door)`,
		"a = = (lamp; door)":                   `unexpected second "="|a = (lamp; door)`,
		"a : (lamp; door)":                     `unexpected ":"; write "="|a = (lamp; door)`,
		"a = [lamp; door]":                     `unexpected "["; write "("|a = (lamp; door)`,
		"a = (lamp door)":                      `missing ";" before "door"|a = (lamp; door)`,
		"a = (lamp; door":                      `missing ")" after "door"|a = (lamp; door)`,
		"a = (lamp; door),":                    `unexpected ","|a = (lamp; door)`,
		"b = (door; lamp)\na = (lamp; (door)":  `unexpected second "("|`,
		"a = (lamp; window, no) # lamp":        "expected a pair|",
		"a = lamp; door)\nb = (lamp; door # )": `missing "(" before "lamp"|`,
	} {
		found := toy.Check(text)
		explained := toy.Explain(text, found)
		message, fixed, _ := strings.Cut(want, "|")
		switch {
		case want == "":
			if len(explained) > 0 {
				t.Errorf("%q: %v", text, explained)
			}
		case len(explained) == 0:
			t.Errorf("%q has no diagnostic", text)
		case fixed != "":
			if explained[0].Message != message || len(explained[0].Fixes) == 0 || source.Apply(text, explained[0].Fixes[0].Edits) != fixed {
				t.Errorf("%q: %+v, want %q and %q", text, explained[0], message, fixed)
			}
		}
		for _, d := range explained {
			for _, f := range d.Fixes {
				if after := source.Apply(text, f.Edits); len(toy.Check(after)) >= len(found) {
					t.Errorf("%q: fix %q: %q", text, f.Title, after)
				}
			}
		}
	}
}

// Each edit that the search tries checks the text, so its number is bounded.
func TestRepairIsBounded(t *testing.T) {
	checks := 0
	n := *toy
	n.Check = func(text string) []source.Diagnostic {
		checks++
		return toy.Check(text)
	}
	for _, text := range []string{strings.Repeat("x y z ( ) ; ", 30), strings.Repeat("a b\n", 200), "(", "\"", "a = \"\n(lamp"} {
		checks = 0
		n.Explain(text, toy.Check(text))
		if checks > maxEdits+maxChecks {
			t.Errorf("%d checks of %q", checks, text)
		}
	}
}
