package jsonfile_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/tool/jsonfile"
)

// A reader reports each fault at its place and continues with the other members.
func ExampleReader() {
	const text = `{"nam": "pay", "limit": 3, "only": ["a", 1]}`
	tree, fault := jsonfile.Read(text, "tools.json")
	if fault != nil {
		fmt.Println(fault.Message)
		return
	}
	r := &jsonfile.Reader{}
	r.Object(tree, "expected an object", "name", "limit", "only")
	fmt.Println(r.Texts(tree, "only"))
	for _, d := range r.Found {
		fmt.Printf("%s: %s: %s\n", d.Code, text[d.Span.Start:d.Span.End], d.Message)
	}
	// Output:
	// []
	// tools.field: "nam": unknown field "nam"; did you mean "name"?
	// tools.shape: ["a", 1]: "only" must be a list of strings
}
