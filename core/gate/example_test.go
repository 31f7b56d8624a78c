package gate_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// The arguments of a call are checked by its schema, and a saved session continues in another process.
func ExampleGuard() {
	file, err := compile.Compile(language.Table(), []workspace.File{
		{Name: "shop.rules", Text: "approved: refund(order: ?o) -> once approve(order: ?o)\n"},
		{Name: "shop.mcp.json", Text: `{"tools": [{"name": "refund", "inputSchema": {"properties": {"amount": {"maximum": 500}}}}, {"name": "approve", "inputSchema": {"type": "object"}}]}`},
	}, compile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := compile.Text(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	guard, err := gate.Read(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	session, err := guard.Begin(gate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	refund := gate.Event{Name: "refund", Arguments: `{"order": 7, "amount": 20}`}
	fmt.Println(session.Allow(refund).Reason)
	fmt.Println(session.Allow(gate.Event{Name: "approve", Arguments: `{"order": 7}`}).Verdict)
	session, err = guard.Load(session.Save(), gate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.Allow(gate.Event{Name: "refund", Arguments: `{"order": 7, "amount": 501}`}).Reason)
	fmt.Println(session.Allow(refund).Verdict)
	// Output:
	// violates approved for ?o = 7
	// allow
	// "refund": arguments.amount must be at most 500
	// allow
}
