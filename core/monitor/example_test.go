package monitor_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// A recorded text is split at the prompts of the states and checked.
func ExampleCheck() {
	spec, found := agent.Parse(source.NewFile("desk.agent", `(define desk
  (:states (Ask (:text "[Ask]")) (Act (:text "[Act]")) (Reply (:text "[Reply]")))
  (:behavior (next Ask Act Reply)))`))
	a, more := agent.Compile(spec, nil)
	if len(found)+len(more) > 0 {
		log.Fatal(found, more)
	}
	report := monitor.Check(a, "[Ask] where is my parcel?\n[Reply] lost")
	fmt.Println(report.Verdict, report.Violation.Reason)
	// Output: invalid "Reply" is not allowed here; expected "Act"
}
