package grammars_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/workspace"
)

// reallife is testdata/reallife.json: the expected results of the daily plan and the flowchart.
type reallife struct {
	Daily struct{ Plans, Early [][]string }
}

func readReallife(t *testing.T) reallife {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "reallife.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out reallife
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

var timed = regexp.MustCompile(`^(\d+):00(?:–(\d+):00)? `)

// timetable returns each word's accepting run as steps with times, in order.
func timetable(t *testing.T, d *derivable, words [][]string) [][]string {
	t.Helper()
	var out [][]string
	for _, word := range words {
		runs, count, err := d.words.Runs(word, 2, d.meter)
		if err != nil || count != 1 {
			t.Fatalf("%v has %d runs, %v", word, count, err)
		}
		var plan []string
		for _, n := range runs[0] {
			tr := d.words.PDA.Transitions[n]
			if tr.Read == "" {
				continue
			}
			at := timed.FindStringSubmatch(tr.Label)
			if at == nil {
				t.Fatalf("%q says no time", tr.Label)
			}
			if at[2] == "" {
				at[2] = at[1]
			}
			plan = append([]string{at[1] + "-" + at[2] + " " + tr.Read}, plan...)
		}
		out = append(out, plan)
	}
	return sorted(out)
}

func sorted(plans [][]string) [][]string {
	sort.Slice(plans, func(i, j int) bool { return strings.Join(plans[i], ",") < strings.Join(plans[j], ",") })
	return plans
}

func TestDailyPlansMatchData(t *testing.T) {
	want, e := readReallife(t).Daily, example(t, "daily")
	for name, plans := range map[string][][]string{"daily.pda": want.Plans, "daily-early.pda": want.Early} {
		d := openGrammar(t, e, name)
		if !d.words.PDA.Backwards {
			t.Errorf("%s is not backwards", name)
		}
		if got := timetable(t, d, d.all(t, 100)); !reflect.DeepEqual(got, sorted(plans)) {
			t.Errorf("%s has %d plans:\n%v\nwant %d:\n%v", name, len(got), got, len(plans), plans)
		}
	}
}

// Figure 4 as drawn has 352 plans of all eight activities, among them the seven by the rules of
// the released program and the days that the paper begins with homework.
func TestFigureFourAsDrawn(t *testing.T) {
	e := example(t, "daily")
	d := openGrammar(t, e, "figure4.pda")
	if states, moves := len(d.words.PDA.States), len(d.words.PDA.Transitions); states != 12 || moves != 68 {
		t.Errorf("%d states, %d transitions", states, moves)
	}
	eight, homework := map[string]bool{}, 0
	words := d.all(t, 1_000)
	for _, word := range words {
		if len(word) == 8 {
			eight[strings.Join(word, " ")] = true
			if word[0] == "homework" {
				homework++
			}
		}
	}
	if len(words) != 396 || len(eight) != 352 || homework == 0 {
		t.Errorf("%d plans, %d of all eight activities, %d that end with homework", len(words), len(eight), homework)
	}
	for _, name := range []string{"daily.pda", "daily-early.pda", "daily-loose.pda"} {
		inside := 0
		rules := openGrammar(t, e, name).all(t, 1_000)
		for _, word := range rules {
			if eight[strings.Join(word, " ")] {
				inside++
			}
		}
		if want := map[string]int{"daily.pda": 7, "daily-early.pda": 8}[name]; want > 0 && inside != want {
			t.Errorf("figure 4 has %d of the %d plans of %s", inside, len(rules), name)
		}
		t.Logf("figure 4 has %d of the %d plans of %s", inside, len(rules), name)
	}
}

func TestPropertiesRestoreRemovedRules(t *testing.T) {
	e := example(t, "daily")
	loose := openGrammar(t, e, "daily-loose.pda")
	all := loose.all(t, 10_000)
	file, _ := e.Workspace().File("properties.ltl")
	formulas, found := ltl.Parse(file.Source())
	if len(found) > 0 || formulas[0].Name != "no_game_after_a_meal" {
		t.Fatalf("%+v", found)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "daily-guarded.pda"))
	if err != nil {
		t.Fatal(err)
	}
	e.Files = append(e.Files, workspace.File{Name: "guarded.pda", Text: string(text)})
	guarded := openGrammar(t, e, "guarded.pda")
	withGuard := timetable(t, guarded, guarded.all(t, 10_000))
	if got := timetable(t, loose, holding(formulas[:1], all)); len(got) >= len(all) || !reflect.DeepEqual(got, withGuard) {
		t.Errorf("of %d plans %d keep to %s; with the guard there are %d", len(all), len(got), formulas[0].Name, len(withGuard))
	}
	want := sorted(readReallife(t).Daily.Plans)
	for _, keep := range []int{2, len(formulas)} {
		if got := timetable(t, loose, holding(formulas[:keep], all)); !reflect.DeepEqual(got, want) {
			t.Errorf("of %d plans %d keep to %d properties:\n%v", len(all), len(got), keep, got)
		}
	}
	t.Logf("%d plans without the two rules, %d with the one about games, 7 with both", len(all), len(withGuard))
}

// holding returns the words that satisfy all formulas.
func holding(formulas []ltl.Named, words [][]string) [][]string {
	var out [][]string
	for _, word := range words {
		trace := make([]map[string]bool, len(word))
		for i, letter := range word {
			trace[i] = map[string]bool{letter: true}
		}
		holds := true
		for _, f := range formulas {
			holds = holds && f.Formula.Holds(trace)
		}
		if holds {
			out = append(out, word)
		}
	}
	return out
}

func TestDayHasTenHours(t *testing.T) {
	e := example(t, "daily")
	set := tools(t, e)
	for _, word := range openGrammar(t, e, "daily.pda").all(t, 100) {
		result, err := carryOut(set, word)
		if err != nil || result.Sum("hours") != 10 {
			t.Errorf("%v takes %d hours, %v", word, result.Sum("hours"), err)
		}
	}
}
