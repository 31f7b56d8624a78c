package learn_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/learn"
)

// Two plans of one task: the advantage compares their rewards.
func ExampleWrite() {
	decision := learn.Decision{Step: 1, Prompt: "Which tool?", Choices: []string{"caption", "translate"}, Chosen: []int{1}, Answer: "1", By: "model"}
	list := []learn.Trajectory{
		{Group: "task 1", Task: "caption it", Valid: true, Reward: 1, Decisions: []learn.Decision{decision}},
		{Group: "task 1", Task: "caption it", Decisions: []learn.Decision{decision}},
	}
	learn.Number(list)
	_, lines, err := learn.Write(list, learn.LayoutChat)
	fmt.Println(lines, list[1].Plan, err)
	// Output: 2 1 <nil>
}
