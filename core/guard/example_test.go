package guard_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/guard"
)

// A guard rejects a state before the agent acts.
func Example() {
	spec, err := guard.Open(`(define desk
  (:states
    (Ask (:text "[Ask]") (:flags :env-input))
    (Act (:text "[Act]") (:one-of "lookup" "refund"))
    (Reply (:text "[Reply]")))
  (:behavior (next Ask (until Act Reply))))`, "G (Act -> X Reply)")
	if err != nil {
		log.Fatal(err)
	}
	run := spec.Begin()
	fmt.Println(run.Enter("Ask", "where is my parcel?"))
	fmt.Println(run.Enter("Act", "lookup"))
	fmt.Println(run.Enter("Act", "refund"))
	// Output:
	// <nil>
	// <nil>
	// state 3: "Act" violates the property "G (Act -> X Reply)", however the run continues
}
