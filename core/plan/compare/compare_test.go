package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
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
