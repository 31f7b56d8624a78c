package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/draft"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

func TestProblemsOfADraft(t *testing.T) {
	const good = "S -> a S b | ε\n"
	for _, test := range []struct {
		name     string
		files    []draft.File
		examples draft.Examples
		want     string // a part of the first; "" for none
	}{
		{"none", []draft.File{{Name: "plan.cfg", Text: good}}, draft.Examples{Pass: []string{"a b", "", "1. Use a on b"}, Fail: []string{"a a b"}}, ""},
		{"an error", []draft.File{{Name: "plan.cfg", Text: "S = a\n"}}, draft.Examples{}, "plan.cfg, line 1, column"},
		{"an error of a formula", []draft.File{{Name: "plan.cfg", Text: good}, {Name: "p.ltl", Text: "\nG (a"}}, draft.Examples{}, "p.ltl, line 2, column"},
		{"a proposition that is no symbol", []draft.File{{Name: "plan.cfg", Text: "S -> apple\n"}, {Name: "p.ltl", Text: "F aple"}}, draft.Examples{}, "unknown symbol \"aple\" in the plans; did you mean \"apple\"? — in `F aple`"},
		{"a proposition that is like no symbol", []draft.File{{Name: "plan.cfg", Text: "S -> apple\n"}, {Name: "p.ltl", Text: "F x"}}, draft.Examples{}, "unknown symbol \"x\" in the plans — in `F x`"},
		{"no plan", []draft.File{{Name: "plan.cfg", Text: "S -> a a\nlimit 1 each\n"}}, draft.Examples{}, "no plan is valid at all"},
		{"no plan with the properties", []draft.File{{Name: "plan.cfg", Text: "S -> a b\n"}, {Name: "p.ltl", Text: "first: b"}}, draft.Examples{}, "no plan is valid at all"},
		{"a plan that must be valid", []draft.File{{Name: "plan.cfg", Text: good}}, draft.Examples{Pass: []string{"a b b"}}, `the plan "a b b" must be valid, but is not: the plan is complete before b`},
		{"a plan that must not be valid", []draft.File{{Name: "plan.cfg", Text: good}}, draft.Examples{Fail: []string{"a b"}}, `the plan "a b" must not be valid, but is`},
		{"an automaton", []draft.File{{Name: "plan.pda", Text: "start q\naccept e\nq -> e (a, ε; ε)\n"}}, draft.Examples{Pass: []string{"a"}, Fail: []string{"a a"}}, ""},
		{"a flowchart without a good end", []draft.File{{Name: "plan.flow", Text: "ask q \"?\"\n  yes -> stop\n"}}, draft.Examples{}, "no plan is valid at all"},
		{"an empty text", []draft.File{{Name: "plan.cfg", Text: ""}}, draft.Examples{}, "plan.cfg, line 1, column 1: no rules yet"},
		{"formulas alone", []draft.File{{Name: "p.ltl", Text: "F a"}}, draft.Examples{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := draftProblems(Notations(), test.files, test.examples, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case test.want == "" && len(got) > 0:
				t.Errorf("%v", got)
			case test.want != "" && (len(got) == 0 || !strings.Contains(got[0], test.want)):
				t.Errorf("%v, not %s", got, test.want)
			}
		})
	}
}

// ran runs a process that has no effects to its end.
func ran(t *testing.T, body process.Func) (result string, events []string) {
	t.Helper()
	p := process.New(body, 1, meter.Budget{Steps: 1 << 36, States: 1 << 28}, nil)
	defer p.Stop()
	for {
		out, err := p.Resume(nil, 0)
		if err != nil || out.Err != nil || len(out.Effects) > 0 {
			t.Fatal(err, out.Err, out.Effects)
		}
		for _, e := range out.Events {
			events = append(events, string(e))
		}
		if out.State == process.StateDone {
			return string(out.Result), events
		}
	}
}

func TestDraftsBaselinesAndComparisonsRun(t *testing.T) {
	body, err := draftBody(New().project(nil), workspace.File{}, json.RawMessage(`{"description":"a, or b and c","examples":{"pass":["a","b c"],"fail":["b"]},"model":{"kind":"rambler","errorRate":0.7},"rounds":20}`))
	if err != nil {
		t.Fatal(err)
	}
	if result, _ := ran(t, body); !strings.Contains(result, `"clean":true`) {
		t.Error(result)
	}
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	for i := 0; i < len(examples); i += effort.Step(3) {
		e := examples[i]
		file, _ := e.Workspace().File(e.Main)
		if kind := workspace.KindOf(file.Name); kind == workspace.KindAgent || kind == workspace.KindTeam || kind == workspace.KindProblem || kind == workspace.KindPDDL {
			continue
		}
		runs++
		body, err = baselineBody(New().project(e.Files), file, json.RawMessage(`{"model":{"kind":"uniform"},"method":"few-shot"}`))
		if err != nil {
			t.Fatal(e.ID, err)
		}
		if result, events := ran(t, body); !strings.Contains(result, `"method":"few-shot"`) || !strings.Contains(events[len(events)-1], `"kind":"baseline.done"`) {
			t.Error(e.ID, result)
		}
		body, err = compareBody(New().project(e.Files), file, json.RawMessage(`{"model":{"kind":"rambler","errorRate":0.2},"tries":2,"attempts":20}`))
		if err != nil {
			t.Fatal(e.ID, err)
		}
		if result, _ := ran(t, body); !strings.Contains(result, `"method":"formal","plans":2,"valid":2`) {
			t.Error(e.ID, result)
		}
	}
	if runs == 0 {
		t.Error("nothing was run")
	}
	for _, bad := range []string{`{`, `{}`, `{"description":"x"}`, `{"description":"x","model":{"kind":"first"},"languages":["c"]}`, `{"nothing":1}`} {
		if _, err := draftBody(New().project(nil), workspace.File{}, json.RawMessage(bad)); err == nil {
			t.Errorf("%s can be run", bad)
		}
	}
	for _, bad := range []string{`{`, `{}`, `{"model":{"kind":"first"},"method":"x"}`} {
		if _, err := baselineBody(New().project(nil), workspace.File{Name: "a.cfg", Text: "S -> a"}, json.RawMessage(bad)); err == nil {
			t.Errorf("%s can be run", bad)
		}
	}
	if _, err := compareBody(New().project(nil), workspace.File{Name: "a.txt"}, json.RawMessage(`{"model":{"kind":"first"}}`)); errorCode(err) != "plan.kind" {
		t.Error(err)
	}
}
