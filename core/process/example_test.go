package process_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// A process asks a question. The host performs the effect and resumes it; the log of answers
// replays the run.
func ExampleNew() {
	greet := func(env *process.Env) (any, error) {
		raw, err := env.Start(process.Request{Question: &process.Question{Prompt: "Name?"}}).Value()
		if err != nil {
			return nil, err
		}
		var name string
		err = json.Unmarshal(raw, &name)
		return "Hello, " + name, err
	}
	p := process.New(greet, 1, meter.Budget{}, nil)
	out, _ := p.Resume(nil, 0)
	fmt.Println(out.State, out.Effects[0].Question.Prompt)
	out, _ = p.Resume([]process.Answer{{Effect: out.Effects[0].ID, Value: json.RawMessage(`"Ada"`)}}, 0)
	fmt.Println(out.State, string(out.Result))
	again, _ := process.New(greet, 1, meter.Budget{}, p.Log()).Resume(nil, 0)
	fmt.Println(again.State, string(again.Result))
	// Output:
	// waiting Name?
	// done "Hello, Ada"
	// done "Hello, Ada"
}
