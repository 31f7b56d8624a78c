package apibank_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/apibank"
)

// An agent searches for a tool, calls it, and calls it again.
func Example() {
	tasks, err := apibank.ReadTasks(`{"sample_id": 1, "requirement": "When do I meet Mary?", "response": "At ten.", "api_calls": [
	  {"api_name": "ToolSearcher", "input": {"keywords": "QueryMeeting"}, "output": {"name": "QueryMeeting", "description": "Finds meetings.", "input_parameters": {"user_name": {"type": "str"}}}},
	  {"api_name": "QueryMeeting", "input": {"user_name": "Mary"}, "output": {"time": "10:00"}}]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	sim := apibank.NewSimulator(tasks)
	var t apibank.Transcript
	t.Sample, t.Response = 1, "You meet at ten."
	for _, text := range []string{"[ToolSearcher(keywords='query meetings')]", "[QueryMeeting(user_name='Mary')]", "[QueryMeeting(user_name='Mary')]", "[QueryMeeting(name='Mary')]"} {
		calls, _ := apibank.FindCalls(text)
		o := sim.Do(calls[0])
		fmt.Printf("%s %s\n", o.Output, o.Exception)
		t.Calls = append(t.Calls, apibank.Made{Text: text})
	}
	scores, _ := sim.Score([]apibank.Transcript{t})
	fmt.Println(scores.Correctness, scores.Completeness, scores.Repeats)
	// Output:
	// {"name": "QueryMeeting", "description": "Finds meetings.", "input_parameters": {"user_name": {"type": "str"}}} null
	// {"time": "10:00"} null
	// {"time": "10:00"} null
	// null "QueryMeeting has no parameter \"name\" (expected user_name)"
	// {2 4 0.5} {2 2 1} 1
}
