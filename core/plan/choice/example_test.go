package choice_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/plan/choice"
)

func ExampleRead() {
	options := []string{"Colorization (needs image)", "Object Detection (needs image)", "Text To Image (needs text)"}
	for _, reply := range []string{
		"**3**",
		"I'd go with 3, since 1 and 2 need an image.",
		"object_detection",
		"<think>Perhaps 1?</think>2",
		"Either 1 or 2 would do.",
		"I'm sorry, but I can't help with that.",
		"7",
	} {
		read := choice.Read(options, reply)
		fmt.Println(read.Choice, read.How+read.Reason)
	}
	// Output:
	// 3 form
	// 3 statement
	// 2 label
	// 2 form
	// 0 the reply names more than one choice: 1 and 2
	// 0 the reply is a refusal
	// 0 7 is not between 1 and 3
}
