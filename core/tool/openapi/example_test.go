package openapi_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/openapi"
	"github.com/stile-playground/stile/core/tool/web"
)

// An operation of a description becomes a tool, whose schema has its references expanded.
func ExampleOperations() {
	description, fault := json.Tree(`{
		"paths": {"/pets/{id}": {"get": {"operationId": "getPet", "summary": "Returns a pet.", "parameters": [
			{"name": "id", "in": "path", "schema": {"$ref": "#/components/schemas/id"}}, {"name": "full", "in": "query", "schema": {"type": "boolean"}}]}}},
		"components": {"schemas": {"id": {"type": "integer", "minimum": 1}}}}`)
	if fault != nil {
		fmt.Println(fault)
		return
	}
	all := func(string) bool { return true }
	for _, o := range openapi.Operations(description, web.Remote{URL: "https://a.example"}, all, func(_ *json.Node, code, message string) { fmt.Println(code, message) }) {
		fmt.Println(o.Name(), o.HTTPMethod, o.Path, o.Description())
		fmt.Println(string(o.Schema()))
	}
	// Output:
	// getPet GET /pets/{id} Returns a pet.
	// {"type":"object","properties":{"id":{"type":"integer","minimum":1},"full":{"type":"boolean"}},"required":["id"],"additionalProperties":false}
}
