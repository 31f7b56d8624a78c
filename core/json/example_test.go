package json_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
)

// Find reads the JSON in a model's reply, with or without a fence around it.
func ExampleFind() {
	n, _, ok := json.Find("Here it is:\n```json\n{\"days\": [1, 2]}\n```\nDone.")
	days, _ := n.Get("days")
	fmt.Println(ok, len(days.Items))
	// Output: true 2
}
