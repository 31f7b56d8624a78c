package agent_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

func ExampleAgent_Verdict() {
	spec, found := agent.Parse(source.NewFile("react.agent", `(define react
  (:states (Ask (:text "[Question]")) (Act (:text "[Action]")) (Obs (:text "[Observation]") (:flags :env-input)) (Ans (:text "[Answer]")))
  (:behavior (next Ask (until (next Act Obs) Ans))))`))
	a, more := agent.Compile(spec, nil)
	if source.HasErrors(append(found, more...)) {
		log.Fatal(found, more)
	}
	for _, run := range [][]string{{"Ask", "Ans"}, {"Ask", "Act"}, {"Ask", "Act", "Ans"}} {
		verdict, next, violation := a.Verdict(run)
		fmt.Println(verdict, next, violation)
	}
	// Output:
	// valid [] -1
	// incomplete [Obs] -1
	// invalid [] 2
}
