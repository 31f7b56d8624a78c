package agenttools_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/agenttools"
)

// A declaration creates the tools of a run.
func ExampleParse() {
	declared, found := agenttools.Parse(source.NewFile(agenttools.File, `{"tools": [{"calculator": {}}, {"wikipedia": {}}, {"person": {"name": "Ask"}}]}`))
	for _, d := range found {
		fmt.Println(d.Message)
	}
	for _, t := range declared.Registry().List() {
		fmt.Println(t.Name())
	}
	_, found = agenttools.Parse(source.NewFile(agenttools.File, `{"tools": [{"calculater": {}}]}`))
	fmt.Println(found[0].Code, found[0].Message)
	// Output:
	// Calculator
	// Search
	// Lookup
	// Ask
	// tools.field unknown field "calculater"; did you mean "calculator"?
}
