package compile_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// A guard judges a call before it is made.
func Example() {
	file, err := compile.Compile(language.Table(), []workspace.File{
		{Name: "shop.cfg", Text: "S -> login work\nwork -> lookup work | refund work | logout\n"},
		{Name: "shop.ltl", Text: "careful: G(refund -> X !refund)\n"},
	}, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text, err := compile.Text(file)
	if err != nil {
		log.Fatal(err)
	}
	guard, err := gate.Read(text)
	if err != nil {
		log.Fatal(err)
	}
	session, err := guard.Begin(gate.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, tool := range []string{"refund", "login", "refund", "refund", "logout"} {
		d := session.Allow(gate.Event{Name: tool})
		fmt.Println(tool, d.Verdict, d.Reason, d.Next)
	}
	fmt.Println(session.End().Verdict)
	// Output:
	// refund deny "refund" is not allowed here; allowed: "login" [login]
	// login allow  [lookup refund logout]
	// refund allow  [lookup logout]
	// refund deny "refund" violates the property "shop.ltl: careful" [lookup logout]
	// logout allow  []
	// allow
}
