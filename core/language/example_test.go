package language_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// Rules and formulas read the arguments of tools from the declarations of a workspace.
func ExampleContracts() {
	contracts := language.Contracts([]workspace.File{{Name: "shop.mcp.json", Text: `{"tools": [{"name": "refund", "inputSchema":
		{"properties": {"order": {"type": "integer"}, "amount": {"type": "number", "minimum": 0, "maximum": 500, "description": "In euros."}}}}]}`}})
	fmt.Println(contracts.Names(), contracts.Fields("call", "refund", nil))
	fmt.Println(contracts.Describe("refund", []string{"amount"}))
	// Output:
	// [refund] [order amount]
	// a number, at least 0, at most 500. In euros.
}
