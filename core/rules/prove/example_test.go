package prove_test

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/source"
)

// A question is a text for Z3 for each number of events. The monitor confirms a session that Z3 finds.
func ExampleQuery() {
	file := rules.Parse(source.NewFile("shop.rules", "approved: refund(order: ?o) -> once approve(order: ?o)\n"))
	q := prove.Query{Question: prove.Violable, File: file, Rule: 0}
	encoding, err := q.Encode(1, false, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(prove.Called(file.Rules[0]), strings.Contains(encoding.Text, "(declare-"))
	for _, order := range []string{"7", "8"} {
		var run []rules.RawEvent
		for _, line := range []string{`{"kind":"call","name":"approve","fields":{"order":7}}`, `{"kind":"call","name":"refund","fields":{"order":` + order + `}}`} {
			var e rules.RawEvent
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				fmt.Println(err)
				return
			}
			run = append(run, e)
		}
		why, ok := q.Confirm(run)
		fmt.Printf("%v %q\n", ok, why)
	}
	// Output:
	// [refund approve] true
	// false ""
	// true "violates approved for ?o = 8"
}
