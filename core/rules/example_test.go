package rules_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// A monitor judges each event before the call is made.
func ExampleMonitor() {
	f := rules.Parse(source.NewFile("shop.rules", "approved: refund(order: ?o) -> once approve(order: ?o)\n"))
	run, _ := rules.ReadRun("approve(order: 7)\nrefund(order: 7)\nrefund(order: 8)\n")
	m := rules.NewMonitor(f)
	for _, e := range run.Events {
		for _, v := range m.Step(e) {
			fmt.Println(m.Explain(v))
		}
	}
	// Output:
	// violates approved for ?o = 8
}
