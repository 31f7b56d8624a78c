package infer_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/stile-playground/stile/core/infer"
)

// Passing and failing runs give the text of an agent that accepts the first and rejects the others.
func ExamplePropose() {
	runs := []infer.Run{
		{Name: "1", Steps: []string{"User", "Approve", "Refund", "Answer"}},
		{Name: "2", Steps: []string{"User", "Answer"}},
		{Name: "3", Steps: []string{"User", "Refund", "Answer"}, Failed: true},
	}
	proposal, err := infer.Propose(runs, infer.Options{}, "shop", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proposal.States, proposal.Pass, proposal.Fail)
	fmt.Println(strings.Contains(proposal.Text, "(define shop"))
	// Output:
	// 3 2 1
	// true
}
