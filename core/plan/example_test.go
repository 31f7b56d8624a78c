package plan_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// A simulated model takes the first of the valid choices.
func Example() {
	syntax, _ := grammar.Parse(source.NewFile("plan.cfg", `
		S -> caption I | translate S
		I -> denoise I | image
		limit 1 each
	`))
	g, _ := grammar.Compile(syntax, "")
	table, err := space.NewTable(g, g.DeclaredLimits(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	problem := plan.Problem{Table: table}
	run := process.New(func(env *process.Env) (any, error) {
		made, err := problem.Run(env, plan.Settings{Model: llm.Spec{Kind: llm.KindFirst}})
		if err == nil {
			fmt.Println(made.Function, "after", made.Choices, "choices")
		}
		return made, err
	}, 1, meter.Budget{}, nil)
	defer run.Stop()
	if _, err := run.Resume(nil, 0); err != nil {
		fmt.Println(err)
	}
	// Output: caption(denoise(image)) after 2 choices
}
