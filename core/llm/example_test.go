package llm_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// A scripted model streams its text in pieces and needs no endpoint.
func ExampleNew() {
	run := func(env *process.Env) (any, error) {
		model, err := llm.New(llm.Spec{Kind: llm.KindScripted, Script: []string{"The answer is 42."}})
		if err != nil {
			return nil, err
		}
		reply, err := model.Generate(env, llm.Request{Messages: []llm.Message{{Role: "user", Content: "What is 6 * 7?"}}}, func(string) bool { return true })
		return reply.Text, err
	}
	out, err := process.New(run, 1, meter.Budget{}, nil).Resume(nil, 0)
	fmt.Println(string(out.Result), err)
	// Output: "The answer is 42." <nil>
}
