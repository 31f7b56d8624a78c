package sexpr_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

func ExampleParse() {
	f, found := sexpr.Parse(source.NewFile("a.agent", `(define a (:states (S (:text "[S]"))) ; a comment
  (:behavior S))`))
	define := f.Nodes[0]
	fmt.Println(define.Head(), len(define.Items), len(found))

	_, found = sexpr.Parse(source.NewFile("a.agent", "(define a"))
	fmt.Println(found[0].Code, found[0].Message)
	// Output:
	// define 4 0
	// sexpr.open unmatched "(": missing ")"
}
