package bench_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/bench"
)

func Example() {
	fmt.Printf("%+v\n", bench.RateOf(3, 4))
	r := bench.Rehearsal{
		Graph:  bench.Graph{Subtasks: []bench.Subtask{{ID: "t1"}}},
		Parts:  []bench.Part{{Variants: [][]string{{bench.Acts("I look.", "Search", `{"city":"B"}`), bench.FinalAnswer("a room")}, {bench.FinalAnswer("no idea")}}}},
		Answer: func(parts []int, own int) string { return fmt.Sprint("stay in a room ", parts, own) },
	}
	transcript := r.Transcript("(define …)", "find a room", "{}")
	fmt.Println(len(transcript.Script["task t1"]), transcript.Script["deliverer"][0])
	// Output:
	// {Count:3 Of:4 Share:0.75}
	// 2 stay in a room [0] 0
}
