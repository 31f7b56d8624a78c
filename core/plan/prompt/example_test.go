package prompt_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/plan/prompt"
)

// A template is checked before a run fills it.
func ExampleExpand() {
	const template = "Choose {article} for the task “{task}”. You may use it {times}."
	known := []string{"task", "article", "times"}
	fmt.Println(prompt.Check("plan.template", template, known, "task"))
	fmt.Println(prompt.Check("plan.template", template+" {tsk}", known, "task"))
	fmt.Println(prompt.Expand(template, func(name string) string {
		return map[string]string{"task": "Resize", "article": prompt.Article("image"), "times": prompt.Times(2)}[name]
	}))
	// Output:
	// <nil>
	// unknown placeholder {tsk} in line 1 of the prompt; did you mean {task}? (expected {task}, {article}, {times})
	// Choose an image for the task “Resize”. You may use it twice.
}
