package team_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
)

func ExampleExpression() {
	check, _ := team.ParseExpression("sum(result.nights, n: n.price) <= 200 and distinct(result.nights, n: n.day)")
	result, _ := team.ReadValue(`{"nights": [{"day": 1, "price": 99.95}, {"day": 2, "price": 120.10}]}`)
	outcome := check.Decide(team.Scope{Values: map[string]team.Value{"result": result}})
	fmt.Println(outcome.Holds, outcome.Reason)
	// Output: false sum(result.nights, n: n.price) <= 200 does not hold: sum(result.nights, n: n.price) is 220.05
}

func ExampleReader() {
	spec, _ := team.Parse(source.NewFile("a.team", `(define a (:executors (flights (:does "Finds flights.")) (hotels (:does "Finds hotels."))))`))
	_, faults, _ := team.Reader{Spec: spec}.Read(`{"subtasks": [
		{"id": "t1", "task": "find a flight", "executor": "flight", "needs": ["t2"]},
		{"id": "t2", "task": "find a hotel", "executor": "hotels", "needs": ["t3"]}]}`)
	for _, f := range faults {
		fmt.Println(f)
	}
	// Output:
	// unknown executor "flight" of the sub-task "t1"; did you mean "flights"?
	// unknown sub-task "t3", which the sub-task "t2" needs (expected t1, t2)
}
