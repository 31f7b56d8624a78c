package compare_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/compare"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// A model whose answers are wrong in half of the cases: free texts fail, the planner asks again.
func ExampleRun() {
	syntax, _ := grammar.Parse(source.NewFile("plan.cfg", "S -> caption I | translate S\nI -> denoise I | image\nlimit 1 each\n"))
	g, _ := grammar.Compile(syntax, "")
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	planner := func(env *process.Env, s plan.Settings) (*plan.Plan, error) {
		table, err := space.NewTable(g, g.DeclaredLimits(), env.Meter())
		if err != nil {
			return nil, err
		}
		return plan.Problem{Table: table}.Run(env, s)
	}
	run := process.New(func(env *process.Env) (any, error) {
		made, err := compare.Run(env, c, compare.Settings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.5}, Tries: 10, Attempts: 50}, planner)
		if err == nil {
			for _, row := range made.Rows {
				fmt.Println(row.Method, row.Plans, row.Valid == row.Plans)
			}
		}
		return made, err
	}, 1, meter.Budget{}, nil)
	defer run.Stop()
	if out, err := run.Resume(nil, 0); err != nil || out.Err != nil {
		fmt.Println(err, out.Err)
	}
	// Output:
	// zero-shot 10 false
	// few-shot 10 false
	// formal 10 true
}
