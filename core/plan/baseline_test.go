package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

func baselines(t *testing.T, c *Checker, s BaselineSettings, seed uint64) (*BaselineResult, []string) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	var made *BaselineResult
	out, events := play(t, func(env *process.Env) (_ any, err error) {
		made, err = Baseline(env, c, s)
		return made, err
	}, seed)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return made, events
}

func TestSimulatedAuthorsAreAsGoodAsTheirErrorRate(t *testing.T) {
	for _, p := range plannables(t) {
		for _, test := range []struct {
			spec        llm.Spec
			most, least float64
		}{
			{llm.Spec{Kind: llm.KindUniform}, 1, 1},
			{llm.Spec{Kind: llm.KindFirst}, 1, 1},
			{llm.Spec{Kind: llm.KindRambler, ErrorRate: 1}, 0, 0},
			{llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.5}, 0.9, 0.1},
		} {
			valid, n := 0, effort.Of(16)
			for seed := range uint64(n) {
				made, _ := baselines(t, p.checker, BaselineSettings{Model: test.spec, Method: []string{MethodZeroShot, MethodFewShot}[seed%2]}, seed)
				if made.Valid {
					valid++
				} else if test.least == 1 {
					t.Fatalf("%s: %s\n%s", p.name, made.Text, made.Check.Fault)
				}
			}
			if share := float64(valid) / float64(n); n >= 16 && (share > test.most || share < test.least) {
				t.Errorf("%s: %d of %d plans of a %s are valid", p.name, valid, n, test.spec.Kind)
			}
		}
	}
}

func TestPromptsOfTheBaselines(t *testing.T) {
	g := must.Grammar(t, checkedTools)
	c, err := NewChecker(g, g.DeclaredLimits(), nil, formulas(t, "noise_first: G(b1 -> F a2)")...)
	if err != nil {
		t.Fatal(err)
	}
	const tools = `What can be done: Colorization; Image Denoising; Image Captioning; Object Detection; Text to Image Generation; Machine Translation; Visual Question Answering; Question Answering.
What is given: the input image.
Each may be used at most once.
To be kept: noise_first, which is G (b1 -> F a2).
`
	_, events := baselines(t, c, BaselineSettings{Task: "name it", Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	var prompt BaselinePrompt
	if err := json.Unmarshal([]byte(events[0]), &prompt); err != nil {
		t.Fatal(err)
	}
	if want := "Problem: name it\n" + tools + "\nHow is it solved, step by step? Begin each line with \"Step\" and its number, and write nothing else."; prompt.Prompt != want {
		t.Errorf("%s\nwant\n%s", prompt.Prompt, want)
	}
	_, events = baselines(t, c, BaselineSettings{Task: "name it", Model: llm.Spec{Kind: llm.KindFirst}, Method: MethodFewShot, Shots: []Shot{{"read it", []string{"Use Image Captioning", "Look"}}}}, 1)
	if err := json.Unmarshal([]byte(events[0]), &prompt); err != nil {
		t.Fatal(err)
	}
	if want := tools + "\nProblem: read it\nSolution:\nStep 1: Use Image Captioning\nStep 2: Look\n\nProblem: name it\nSolution:"; prompt.Prompt != want {
		t.Errorf("%s\nwant\n%s", prompt.Prompt, want)
	}
	shots, err := c.Shots(3, nil)
	if err != nil || len(shots) != 3 {
		t.Fatalf("%+v %v", shots, err)
	}
	for _, shot := range shots {
		v, err := c.Check(strings.Join(shot.Steps, "\n"), nil)
		if err != nil || !v.Valid {
			t.Errorf("%v is no plan: %+v", shot.Steps, v)
		}
	}
	for _, s := range []BaselineSettings{
		{}, {Model: llm.Spec{Kind: llm.KindFirst}, Method: "best-shot"}, {Model: llm.Spec{Kind: llm.KindFirst}, Template: "{task} {tolls}"},
		{Model: llm.Spec{Kind: llm.KindFirst}, Template: "{tools}"},
	} {
		if s.Check() == nil {
			t.Errorf("%+v can be run", s)
		}
	}
}

func TestMethodsAreCompared(t *testing.T) {
	g := must.Grammar(t, checkedTools)
	c, err := NewChecker(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	formal := func(env *process.Env, s Settings) (*Plan, error) { return Run(env, g, s) }
	compare := func(s CompareSettings) (*Comparison, []string) {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		var made *Comparison
		out, events := play(t, func(env *process.Env) (_ any, err error) {
			made, err = Compare(env, c, s, formal)
			return made, err
		}, 1)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		return made, events
	}
	made, events := compare(CompareSettings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.6}, Tries: 20, Attempts: 50})
	if len(made.Rows) != 3 {
		t.Fatalf("%+v", made.Rows)
	}
	for i, row := range made.Rows {
		if row.Plans != 20 || row.Calls < 20 || row.PromptTokens == 0 || row.CompletionTokens == 0 || (row.Valid == 20) != (i == 2) {
			t.Errorf("%+v", row)
		}
	}
	t.Log("\n" + made.Markdown)
	rows := slices.DeleteFunc(slices.Clone(events), func(e string) bool { return !strings.Contains(e, `"kind":"compare.row"`) })
	if len(rows) != 60 || !strings.Contains(events[len(events)-1], `"kind":"compare.done"`) {
		t.Errorf("%d rows, the last event is %s", len(rows), events[len(events)-1])
	}
	made, _ = compare(CompareSettings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 1}, Tries: 2, Methods: []string{MethodFormal}})
	if row := made.Rows[0]; row.Valid != 0 || row.Plans != 2 || row.Calls != 2*DefaultAttempts {
		t.Errorf("%+v", row)
	}
	for _, s := range []CompareSettings{{}, {Model: llm.Spec{Kind: llm.KindFirst}, Methods: []string{"magic"}}, {Model: llm.Spec{Kind: llm.KindFirst}, Tries: -1}} {
		if s.Check() == nil {
			t.Errorf("%+v can be run", s)
		}
	}
}
