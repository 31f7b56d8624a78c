package schema_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/schema"
)

// The text of an agent becomes the only argument of a tool, and is checked.
func ExampleChecker_Arguments() {
	declared := json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","minLength":3}},"required":["query"]}`)
	search, err := schema.Compile(declared)
	if err != nil {
		fmt.Println(err)
		return
	}
	arguments, err := search.Arguments("Search", "Eiffel Tower")
	fmt.Println(string(arguments), err, search.Validate(arguments))
	fmt.Println(search.Validate(json.RawMessage(`{"query": "E"}`)))
	// Output:
	// {"query":"Eiffel Tower"} <nil> <nil>
	// arguments.query: has fewer than 3 characters; it has 1
}
