package trace_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/trace"
)

// A trace of any known library is read as events; unread parts are listed.
func ExampleRead() {
	t, ok := trace.Read(`{"messages": [
  {"role": "user", "content": "Refund order 7."},
  {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "refund", "arguments": "{\"order\": 7}"}}]},
  {"role": "tool", "tool_call_id": "c1", "content": "done"}]}`)
	fmt.Println(ok, len(t.Unread))
	for _, e := range t.Runs[0].Events() {
		fmt.Println(e.Kind, e.Name)
	}
	// Output:
	// true 0
	// message user
	// call refund
	// result refund
}
