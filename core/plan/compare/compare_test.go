package compare

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

func TestMethodsAreCompared(t *testing.T) {
	g := must.Grammar(t, plantest.Tools)
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	formal := func(env *process.Env, s plan.Settings) (*plan.Plan, error) {
		table, err := space.NewTable(g, g.DeclaredLimits(), env.Meter())
		if err != nil {
			return nil, err
		}
		return plan.Problem{Table: table}.Run(env, s)
	}
	compare := func(s Settings) (*Result, []string) {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		var made *Result
		out, events := plantest.Play(t, func(env *process.Env) (_ any, err error) {
			made, err = Run(env, c, s, formal)
			return made, err
		}, 1)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		return made, events
	}
	made, events := compare(Settings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.6}, Tries: 20, Attempts: 50})
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
	made, _ = compare(Settings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 1}, Tries: 2, Methods: []string{MethodFormal}})
	if row := made.Rows[0]; row.Valid != 0 || row.Plans != 2 || row.Calls != 2*plan.DefaultAttempts {
		t.Errorf("%+v", row)
	}
	for _, s := range []Settings{{}, {Model: llm.Spec{Kind: llm.KindFirst}, Methods: []string{"magic"}}, {Model: llm.Spec{Kind: llm.KindFirst}, Tries: -1}} {
		if s.Check() == nil {
			t.Errorf("%+v can be run", s)
		}
	}
}

// The rows sum up the plans, and the table shows them.
func TestRowsSumUp(t *testing.T) {
	r := Row{Method: "formal", Plans: 4, Valid: 3}
	r.add(2, llm.Usage{Prompt: 10, Completion: 5}, 1500, 0.25)
	r.add(1, llm.Usage{Prompt: 1, Completion: 2}, 250, 0.5)
	if want := (Row{"formal", 4, 3, 3, 11, 7, 1750, 0.75, false, false, 0}); r != want {
		t.Errorf("%+v", r)
	}
	table := (&Result{Rows: []Row{r, {Method: "none"}}}).markdown()
	if !strings.HasSuffix(table, "| formal | 4 | 75 % | 3 | 11 | 7 | 1.8 | 0.7500 |\n| none | 0 | 0 % | 0 | 0 | 0 | 0.0 | 0.0000 |\n") {
		t.Error(table)
	}
	for tries, ok := range map[int]bool{0: true, 1: true, MaxTries: true, MaxTries + 1: false, -1: false} {
		if err := (Settings{Model: llm.Spec{Kind: llm.KindFirst}, Tries: tries}).Check(); (err == nil) != ok {
			t.Errorf("%d tries: %v", tries, err)
		}
	}
}

// A planner is charged with the cost that it reports or, if it finds no plan, with the cost
// that the meter counted for it alone.
func TestPlansAreCharged(t *testing.T) {
	g := must.Grammar(t, plantest.Tools)
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var made *Result
	tries := 0
	out, events := plantest.Play(t, func(env *process.Env) (_ any, err error) {
		if err := env.Meter().Spend(meter.Tokens, 1000); err != nil { // by others
			return nil, err
		}
		made, err = Run(env, c, Settings{Model: llm.Spec{Kind: llm.KindFirst}, Tries: 3, Methods: []string{MethodFormal}}, func(env *process.Env, _ plan.Settings) (*plan.Plan, error) {
			if tries++; tries == 2 {
				if err := env.Meter().Spend(meter.Tokens, 7); err != nil {
					return nil, err
				}
				return nil, source.NewError("plan.dead", "no plan")
			}
			return &plan.Plan{Function: "f(x)", Calls: 2, Usage: llm.Usage{Prompt: 20, Completion: 3}, Seconds: 0.25}, nil
		})
		return made, err
	}, 1)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	if want := (Row{MethodFormal, 3, 2, 4, 47, 6, 500, 0, true, false, 0}); made.Rows[0] != want {
		t.Errorf("%+v", made.Rows[0])
	}
	for try := range 3 {
		if want := fmt.Sprintf(`"try":%d,`, try+1); !strings.Contains(events[try], want) {
			t.Errorf("%s is not in %s", want, events[try])
		}
	}
}

// A simulated model writes plans without knowledge of the grammar, with and without a wording, so that
// its plans of many steps are valid by chance only; every row of it is marked.
func TestSimulatedModelsKnowNoValidPlans(t *testing.T) {
	g := must.Grammar(t, plantest.Tools)
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	valid := map[string]int{}
	for _, wording := range []string{"", plan.WordingPaper} {
		var made *Result
		out, _ := plantest.Play(t, func(env *process.Env) (_ any, err error) {
			made, err = Run(env, c, Settings{Model: llm.Spec{Kind: llm.KindUniform}, Tries: 50, Methods: []string{baseline.MethodZeroShot}, Wording: wording}, nil)
			return made, err
		}, 1)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		if !made.Rows[0].Simulated || made.Rows[0].RandomShots || !strings.Contains(made.Markdown, "| zero-shot (simulated) |") {
			t.Errorf("%+v: no mark", made.Rows[0])
		}
		valid[wording] = made.Rows[0].Valid
	}
	if valid[""] > 15 || valid[plan.WordingPaper] > 15 {
		t.Errorf("valid plans of 50: %v", valid)
	}
	// Random valid plans as examples are marked, given ones are not.
	for _, shots := range [][]baseline.Shot{nil, {{Task: "x", Steps: []string{"y"}}}} {
		var made *Result
		out, _ := plantest.Play(t, func(env *process.Env) (_ any, err error) {
			made, err = Run(env, c, Settings{Model: llm.Spec{Kind: llm.KindUniform}, Tries: 1, Methods: []string{baseline.MethodFewShot}, Shots: shots}, nil)
			return made, err
		}, 1)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		if random := len(shots) == 0; made.Rows[0].RandomShots != random || strings.Contains(made.Markdown, "| few-shot (random examples) (simulated) |") != random {
			t.Errorf("%d examples: %s", len(shots), made.Markdown)
		}
	}
	if (Settings{Model: llm.Spec{Kind: llm.KindFirst}, Wording: "other"}).Check() == nil {
		t.Error("an unknown wording is accepted")
	}
}

// A refusal is a plan that is not valid, whether the provider marks it or the model words it.
func TestRefusalsAreCounted(t *testing.T) {
	g := must.Grammar(t, plantest.Tools)
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	formal := func(*process.Env, plan.Settings) (*plan.Plan, error) {
		return nil, source.NewError("plan.refused", "the model refused twice")
	}
	for _, body := range []string{
		`{"choices":[{"message":{"refusal":"No."},"finish_reason":"stop"}]}`,
		`{"choices":[{"message":{"content":"Step 1"},"finish_reason":"content_filter"}]}`,
		`{"choices":[{"message":{"content":"I'm sorry, but I can't help with that."},"finish_reason":"stop"}]}`,
	} {
		var made *Result
		p := process.New(func(env *process.Env) (_ any, err error) {
			made, err = Run(env, c, Settings{Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://models.example/v1", Model: "m"}}, Tries: 2}, formal)
			return made, err
		}, 1, meter.Budget{}, nil)
		var given []process.Answer
		for done := false; !done; {
			out, err := p.Resume(given, 0)
			if err != nil {
				t.Fatal(err)
			}
			given = nil
			for _, e := range out.Effects {
				value, err := json.Marshal(process.HTTPValue{Status: 200, Body: body})
				if err != nil {
					t.Fatal(err)
				}
				given = append(given, process.Answer{Effect: e.ID, Value: value})
			}
			done = out.State == process.StateDone || out.State == process.StateFailed
		}
		p.Stop()
		if made == nil {
			t.Fatal(body)
		}
		for _, row := range made.Rows {
			if row.Plans != 2 || row.Valid != 0 || row.Refused != 2 || row.Method != MethodFormal && (row.Calls != 2 || row.PromptTokens == 0) {
				t.Errorf("%s: %+v", body, row)
			}
		}
		if !strings.Contains(made.Markdown, "| zero-shot (2 refused) |") {
			t.Error(made.Markdown)
		}
	}
}
