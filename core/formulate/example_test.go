package formulate_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/formulate"
)

// A problem is a folder of files, of which the task and the query are required.
func ExampleOpen() {
	files := map[string]string{
		"tea.problem/task.md":    "Pick, carry and deliver tea at the least cost.",
		"tea.problem/query.md":   "Why is no tea picked by the lake?",
		"tea.problem/model.smt2": "(declare-const pick.hill Int)(minimize pick.hill)",
	}
	problem, err := formulate.Open("tea.problem/query.md", func(name string) (string, bool) {
		text, ok := files[name]
		return text, ok
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(problem.Folder, problem.Notation(), problem.Query)
	// Output: tea.problem smt2 Why is no tea picked by the lake?
}
