package enforce_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// A call that would violate a rule is not made. Its reason is for the model.
func Example() {
	policy, found := enforce.New(source.NewFile("shop.rules", "approved: refund(order: ?o) -> once approve(order: ?o)\n"))
	if policy == nil {
		fmt.Println(found)
		return
	}
	run := process.New(func(env *process.Env) (any, error) {
		r := policy.Begin(0)
		for _, name := range []string{"refund", "approve", "refund"} {
			made, reason, err := r.Call(env, enforce.Call{Tool: name, Fields: rules.Fields(`{"order":7}`, nil)})
			if err != nil {
				return nil, err
			}
			if made == nil {
				fmt.Println(reason)
				continue
			}
			fmt.Println(name, "is made")
		}
		reports, err := r.End(env)
		for _, report := range reports {
			fmt.Println(report.Name, report.Verdict, report.Denied)
		}
		return nil, err
	}, 1, meter.Budget{}, nil)
	defer run.Stop()
	if out, err := run.Resume(nil, 0); err != nil || out.Err != nil {
		fmt.Println(err, out.Err)
	}
	// Output:
	// refund was not called because it violates the rule "approved", which requires once approve(order: 7); allowed tools: approve.
	// approve is made
	// refund is made
	// approved holds 1
}
