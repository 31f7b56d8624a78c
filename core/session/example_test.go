package session_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/session"
)

// A request is one JSON object, and so is its reply.
func ExampleSession_Handle() {
	s := session.New()
	fmt.Printf("%s\n", s.Handle([]byte(`{"id": 1, "method": "formula.verdict", "params":
		{"formula": "F b", "propositions": ["a", "b"], "letters": "powerset", "trace": [["a"], ["a", "b"]]}}`)))
	// Output:
	// {"id":1,"result":{"holds":true,"verdict":"satisfied"}}
}
