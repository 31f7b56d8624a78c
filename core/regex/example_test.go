package regex_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/regex"
)

// Classes finds a text for each combination of expressions that can match.
func ExampleClasses() {
	var list []regex.Expression
	for _, text := range []string{"^/tmp/", `\.txt$`} {
		e, err := regex.Compile(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		list = append(list, e)
	}
	classes, complete := regex.Classes(list, 1_000_000)
	for _, c := range classes {
		fmt.Printf("%v %q\n", c.Matches, c.Samples[0])
	}
	fmt.Println(complete)
	// Output:
	// [false false] ""
	// [false true] ".txt"
	// [true false] "/tmp/"
	// [true true] "/tmp/.txt"
	// true
}
