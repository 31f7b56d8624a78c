package monitor

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
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

// An agent that declares aliases reads them in a run and in a trace of the model's own text, with the same states.
func TestAliasesOfTheAgentItself(t *testing.T) {
	text := react
	for _, alias := range []Alias{{"Tht", "Thought:"}, {"Act", "Action:"}, {"Act-Inp", "Action: Input"}, {"Obs", "Observation:"}, {"Final-Tht", "**Final**"}, {"Ans", "Answer:"}} {
		edit, ok := agent.SetAliases(source.NewFile("react.agent", text), alias.State, []string{"", alias.Text})
		if !ok {
			t.Fatal(alias)
		}
		text = text[:edit.Span.Start] + edit.Text + text[edit.Span.End:]
	}
	a := compile(t, text)
	said := []string{"Thought: g, Action: later\n  Action: Search\nAction: Input x\nObservation: b", "**Final** f\nAnswer: 42"}
	for size := 1; size < 20; size++ {
		got := runPieces(t, a, Settings{Question: "Why?\nAnswer: 41", Model: llm.Spec{Kind: llm.KindFirst}}, size, said...)
		if conforms(t, a, got); got.Answer != "42" || got.Stats.Violations != 0 {
			t.Fatalf("%+v", got)
		}
		live := Check(a, got.Text)
		trace := Check(a, "[Question] Why?\n"+said[0]+"\n"+said[1])
		if live.Verdict != trace.Verdict || live.Verdict != agent.VerdictValid || len(live.Segments) != len(trace.Segments) || len(trace.Unread) > 0 {
			t.Fatalf("%+v\n%+v", live, trace)
		}
		for i := range live.Segments {
			if s := trace.Segments[i]; live.Segments[i].State != s.State || i > 0 && s.State != "Obs" && live.Segments[i].Text != s.Text {
				t.Errorf("%+v, in the trace %+v", live.Segments[i], s)
			}
		}
	}
	file := source.NewFile("react.agent", text)
	for _, state := range a.States {
		edit, _ := agent.SetAliases(file, state.Name, nil)
		text = file.Text[:edit.Span.Start] + edit.Text + file.Text[edit.Span.End:]
		file = source.NewFile("react.agent", text)
	}
	if text != react {
		t.Errorf("without aliases: %s", text)
	}
	if _, ok := agent.SetAliases(file, "Nobody", nil); ok {
		t.Error("Nobody has aliases")
	}
}
