package event_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/json"
)

// An event keeps the text of its numbers, and unknown members are no event.
func ExampleRead() {
	for _, text := range []string{`{"name": "pay", "fields": {"amount": 1.50}, "id": "c1"}`, `{"name": "pay", "arguments": {}}`} {
		tree, fault := json.Tree(text)
		if fault != nil {
			fmt.Println(fault)
			return
		}
		e, ok := event.Read(tree)
		if !ok {
			fmt.Println("not an event")
			continue
		}
		out, err := json.Marshal(event.Events{e})
		fmt.Println(string(out), err)
	}
	// Output:
	// [{"kind":"call","name":"pay","fields":{"amount":1.50},"id":"c1"}] <nil>
	// not an event
}
