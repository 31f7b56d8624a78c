package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/grammars"
)

// The costs of the rules of the gallery's day are those that its README states: 160 plans without
// two rules, 79 with the one about games, 7 with both; figure 4 as drawn has 396, and the released
// program's rules 7.
func TestCostOfTheRulesOfADay(t *testing.T) {
	all, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.ID != "daily" {
			continue
		}
		var files []File
		for _, f := range e.Files {
			files = append(files, File(f))
		}
		got := result[SpecCostResult](t, New(), "spec.cost", SpecCostParams{Files: files, Name: "daily-loose.pda"})
		sizes := map[string]string{}
		for _, s := range got.Specs {
			sizes[s.Name] = s.Words
		}
		if got.Words != "160" || got.Left != "7" || len(got.Rules) < 2 || got.Rules[0].Alone != "79" || got.Rules[0].Then != "79" || got.Rules[1].Then != "7" || got.UpTo != DefaultCostLength || got.Last != 8 {
			t.Errorf("%+v", got)
		}
		if sizes["figure4.pda"] != "396" || sizes["daily.pda"] != "7" || sizes["daily-early.pda"] != "8" || len(sizes) != 3 {
			t.Errorf("%v", sizes)
		}
		return
	}
	t.Error("the gallery has no day")
}

func TestCostOfRulesIsCounted(t *testing.T) {
	files := []File{{Name: "a.cfg", Text: "S -> a S | b S | a | b\n"}, {Name: "r.ltl", Text: "one: F a\n\ntwo: G(a -> WX b)\n"}, {Name: "b.cfg", Text: "S -> a | b\n"}, {Name: "c.cfg", Text: "S -> a\n"}}
	got := result[SpecCostResult](t, New(), "spec.cost", SpecCostParams{Files: files, Name: "a.cfg", MaxLength: 3})
	// Of the 14 words of up to three letters, three have no a; no two letters a follow each other in 10.
	if want := "{14 7 [{one 11 10 11} {two 10 11 7}] [{b.cfg 2}] 3 3}"; fmt.Sprint(got) != want {
		t.Errorf("%v, not %s", got, want)
	}
	for _, c := range []struct {
		files []File
		name  string
		max   int
		want  string
	}{
		{files, "a.cfg", MaxWordLength + 1, "limit.length"},
		{files, "r.ltl", 0, "words.kind"},
		{[]File{{Name: "a.cfg", Text: "S a"}}, "a.cfg", 0, "source.invalid"},
		{append(files[:1:1], File{Name: "r.ltl", Text: "F ("}), "a.cfg", 0, "source.invalid"},
	} {
		_, fault := call(t, New(), "spec.cost", SpecCostParams{Files: c.files, Name: c.name, MaxLength: c.max})
		if fault == nil || !strings.HasPrefix(fault.Code, c.want) {
			t.Errorf("%s: %+v", c.name, fault)
		}
	}
}
