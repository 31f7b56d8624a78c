package baseline_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// A simulated model writes a list of steps in one answer, which is then checked. It knows only the
// names of the steps, so its plan is valid by chance.
func ExampleRun() {
	syntax, _ := grammar.Parse(source.NewFile("plan.cfg", "S -> caption I | translate S\nI -> denoise I | image\nlimit 1 each\n"))
	g, _ := grammar.Compile(syntax, "")
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := process.New(func(env *process.Env) (any, error) {
		made, err := baseline.Run(env, c, baseline.Settings{Task: "Caption a noisy image.", Model: llm.Spec{Kind: llm.KindFirst}})
		if err == nil {
			fmt.Println(made.Method, made.Valid, made.Check.Fault != "", made.Calls)
		}
		return made, err
	}, 1, meter.Budget{}, nil)
	defer run.Stop()
	if out, err := run.Resume(nil, 0); err != nil || out.Err != nil {
		fmt.Println(err, out.Err)
	}
	// Output:
	// zero-shot false true 1
}
