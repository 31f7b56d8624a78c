package bench_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/bench"
)

func Example() {
	fmt.Printf("%+v\n", bench.RateOf(3, 4))
	r := bench.Rehearsal{
		Graph:  bench.Graph{Subtasks: []bench.Subtask{{ID: "t1"}}},
		Parts:  []bench.Part{{Ways: [][]string{{bench.Acts("I look.", "Search", `{"city":"B"}`), bench.Says("a room")}, {bench.Says("no idea")}}}},
		Answer: func(parts []int, own int) string { return fmt.Sprint("stay in a room ", parts, own) },
	}
	story := r.Transcript("(define …)", "find a room", "{}")
	fmt.Println(len(story.Script["task t1"]), story.Script["deliverer"][0])
	// Output:
	// {Count:3 Of:4 Share:0.75}
	// 2 stay in a room [0] 0
}
