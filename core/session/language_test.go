package session

import (
	"slices"
	"testing"
)

func TestLanguageCountsInUTF16(t *testing.T) {
	s := New()
	files := []File{{Name: "a.cfg", Text: "# 𝄞\nS -> \"𝄞\" Tail | a\nTail -> b\n"}, {Name: "b.ltl", Text: "# 𝄞\nF b\n"}}
	at := func(i int) LanguagePlaceParams { return LanguagePlaceParams{Files: files, Name: "a.cfg", At: i} }
	tail := 5 + 10 // "# 𝄞\n" is 5 units, `S -> "𝄞" ` 10
	found := result[LanguageFindResult](t, s, "language.find", at(tail+2))
	if found.Kind != "nonterminal" || found.Name != "Tail" || found.From != tail || found.To != tail+4 || len(found.Places) != 2 || found.Places[1].Line != 3 || !found.Places[1].Defines || found.Places[1].Text != "Tail -> b" {
		t.Errorf("found %+v", found)
	}
	offered := result[LanguageCompleteResult](t, s, "language.complete", at(tail+2))
	if offered.From != tail || offered.To != tail+2 || len(offered.Items) == 0 {
		t.Errorf("offered %+v", offered)
	}
	card := result[LanguageHoverResult](t, s, "language.hover", at(tail)).Card
	if card == nil || card.From != tail || card.Name != "Tail" || len(card.Word) != 1 || card.Word[0] != "b" || !card.OfIt {
		t.Errorf("card %+v", card)
	}
	renamed := result[LanguageRenameResult](t, s, "language.rename", LanguageRenameParams{Files: files, Name: "b.ltl", At: 7, To: "c"})
	if len(renamed.Changes) != 2 || renamed.Changes[1].File != "b.ltl" || renamed.Changes[1].Edits[0] != (Edit{From: 7, To: 8, Text: "c"}) {
		t.Errorf("renamed %+v", renamed)
	}
	if none := result[LanguageHoverResult](t, s, "language.hover", at(1)); none.Card != nil {
		t.Errorf("a comment has the card %+v", none.Card)
	}
}

// Rules are completed with the tools and fields of a run that is no file; other files are not.
func TestRulesAreCompletedFromTheLastRun(t *testing.T) {
	s := New()
	labels := func(name, text string) (out []string) {
		p := LanguageCompleteParams{Files: []File{{Name: name, Text: text}}, Name: name, At: len(text), Run: `{"kind":"call","name":"deploy","fields":{"env":"x"}}` + "\n"}
		for _, item := range result[LanguageCompleteResult](t, s, "language.complete", p).Items {
			out = append(out, item.Label)
		}
		return out
	}
	if got := labels("a.rules", "a: "); !slices.Contains(got, "deploy") {
		t.Errorf("tools %q", got)
	}
	if got := labels("a.rules", "a: !deploy("); !slices.Contains(got, "env") {
		t.Errorf("fields %q", got)
	}
	if got := labels("a.agent", `(define a (:examples "`); slices.Contains(got, "run.jsonl") {
		t.Errorf("files %q", got)
	}
}

func TestReferenceCoversEveryNotation(t *testing.T) {
	s := New()
	for _, kind := range []string{"cfg", "pda", "flow", "ltl", "agent"} {
		entries := result[LanguageReferenceResult](t, s, "language.reference", map[string]any{"kind": kind}).Entries
		for _, e := range entries {
			file := []File{{Name: "a." + kind, Text: e.Example}}
			for _, d := range result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: file, Name: file[0].Name}).Diagnostics {
				if d.Severity == "error" {
					t.Errorf("%s: the example of %q: %s", kind, e.Words[0], d.Message)
				}
			}
		}
	}
}
