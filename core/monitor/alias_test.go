package monitor

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
)

// A model that writes the prompts in Markdown makes no violation, in pieces of any size, and its text has
// the prompts themselves.
func TestMarkdownFormsOfPrompts(t *testing.T) {
	a := compile(t, react)
	plain := []string{
		"[Thought] I look it up: **Action:** is next.\n[Action] Search\n[Action Input] x\n[Observation]",
		"[Final Thought] f\n[Answer] 42",
	}
	want := runPieces(t, a, Settings{Question: "q", Model: llm.Spec{Kind: llm.KindFirst}}, 1000, plain...)
	for _, texts := range [][]string{
		plain,
		{"**Thought:** I look it up: **Action:** is next.\n**Action:** Search\n**Action Input:** x\n**Observation:** made up", "**Final Thought:** f\n**Answer:** 42"},
		{"Thought: I look it up: **Action:** is next.\nAction: Search\nAction Input: x\nObservation: made up", "Final Thought: f\nAnswer: 42"},
		{"\n## Thought\nI look it up: **Action:** is next.\n### Action:\nSearch\n`Action Input`: x\n[Observation]: made up", "**[Final Thought]** f\n**Answer**: 42"},
	} {
		for size := 1; size < 40; size++ {
			got := runPieces(t, a, Settings{Question: "q", Model: llm.Spec{Kind: llm.KindFirst}, Markdown: true}, size, texts...)
			conforms(t, a, got)
			if spaced(got.Text) != spaced(want.Text) || got.Stats.Violations != 0 || got.Stats.Calls != 2 {
				t.Fatalf("%q in pieces of %d: %d violations, %d calls\n%s\nwant\n%s", texts[0], size, got.Stats.Violations, got.Stats.Calls, got.Text, want.Text)
			}
		}
	}
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestDeclaredAliases(t *testing.T) {
	a := compile(t, react)
	german := []Alias{{"Tht", "Gedanke:"}, {"Act", "Aktion:"}, {"Act-Inp", "Aktion: Eingabe"}, {"Obs", "Beobachtung:"}, {"Final-Tht", "Schluss:"}, {"Ans", "Antwort:"}}
	got := runPieces(t, a, Settings{Question: "q", Model: llm.Spec{Kind: llm.KindFirst}, Aliases: german}, 3,
		"Gedanke: g\nAktion: Search\nAktion: Eingabe x\nBeobachtung: b", "Schluss: f\nAntwort: 42")
	if conforms(t, a, got); got.Answer != "42" || got.Stats.Violations != 0 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		alias Alias
		fault string
	}{
		{Alias{"Nobody", "x"}, `unknown state "Nobody" of an alias`},
		{Alias{"Tht", " "}, `the alias of "Tht" must be one line of text`},
		{Alias{"Tht", "a\nb"}, `the alias of "Tht" must be one line of text`},
		{Alias{"Tht", "[Action]"}, `the alias "[Action]" of "Tht" also belongs to "Act"`},
	} {
		if _, err := newAliases(a, Settings{Aliases: []Alias{c.alias}}); err == nil || err.Error() != c.fault {
			t.Errorf("%+v: %v", c.alias, err)
		}
	}
}
