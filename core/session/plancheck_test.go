package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

func TestWordsOfTheGalleryHaveTheirVerdicts(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, e := range examples {
		switch workspace.KindOf(e.Main) {
		case workspace.KindGrammar, workspace.KindPushdown, workspace.KindFlow:
		default:
			continue
		}
		main, _ := e.Workspace().File(e.Main)
		for _, w := range e.Words {
			text := strings.Join(w.Word, " ")
			got, err := New().planCheck(PlanCheckParams{Files: []File{main}, Text: text})
			if err != nil {
				t.Fatalf("%s: %q: %v", e.ID, text, err)
			}
			if judged++; got.Valid != w.Pass || got.Valid != (got.Fault == "") || !got.Valid && got.Nearest == nil {
				t.Errorf("%s: %q: valid %v, %q, nearest %+v", e.ID, text, got.Valid, got.Fault, got.Nearest)
			}
		}
	}
	if judged == 0 {
		t.Error("nothing was judged")
	}
}

func TestPlacesOfAPlanAreInUTF16(t *testing.T) {
	files := []File{
		{Name: "g.cfg", Text: "S -> T\nT -> b1 i | d1 T\nb1 as \"Captioning\"\nd1 as \"Translation\"\n"},
		{Name: "p.ltl", Text: "short: G(d1 -> WX !d1)\n\nabout_something_else: F zzz\n"},
	}
	const text = "😀 here you are:\n1. “Captioning”\n2. Translation\n3. Translation\n"
	got, err := New().planCheck(PlanCheckParams{Files: files, Text: text})
	if err != nil || got.Valid || !strings.Contains(got.Fault, "the property short is") || got.Reason == "" {
		t.Fatalf("%+v %v", got, err)
	}
	if f := got.Found[0]; f.From != 21 || f.To != 31 {
		t.Errorf("found from %d to %d", f.From, f.To)
	}
	if len(got.Unread) != 1 || got.Unread[0].From != 0 || got.Unread[0].Step {
		t.Errorf("unread: %+v", got.Unread)
	}
	none := int64(0)
	got, err = New().planCheck(PlanCheckParams{Files: files, Text: "b1 i", Limits: &grammar.Limits{Named: map[string]int64{"b1": none}}})
	if err != nil || got.Valid || got.Nearest != nil || got.Fault != "Captioning may not be used" {
		t.Errorf("%+v %v", got, err)
	}
	for _, p := range []PlanCheckParams{
		{Files: files, Name: "p.ltl"}, {Files: files, Name: "x.cfg"}, {Files: []File{{Name: "a.cfg", Text: "|"}}}, {},
		{Files: files, Limits: &grammar.Limits{Except: []string{"nobody"}}}, {Files: files, Text: strings.Repeat("b1 ", 50_000)},
	} {
		if _, err := New().planCheck(p); errorCode(err) == "internal" {
			t.Errorf("%+v: %v", p.Name, err)
		}
	}
}
