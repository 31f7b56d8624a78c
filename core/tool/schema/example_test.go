package schema_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/schema"
)

// The text of an agent becomes the only argument of a tool, and is checked.
func ExampleArguments() {
	query := json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","minLength":3}},"required":["query"]}`)
	arguments, err := schema.Arguments("Search", query, "Eiffel Tower")
	fmt.Println(string(arguments), err, schema.Validate(query, arguments))
	fmt.Println(schema.Validate(query, json.RawMessage(`{"query": "E"}`)))
	// Output:
	// {"query":"Eiffel Tower"} <nil> <nil>
	// arguments.query: has 1 character, expected at least 3
}
