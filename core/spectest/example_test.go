package spectest_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
)

func ExampleParse() {
	tests, found := spectest.Parse(source.NewFile("plan.tests", "accept a b as \"one pair\"\nreject a b b\nincomplete a\n"))
	for _, c := range tests.Cases {
		fmt.Println(c.Expect, c.Names())
	}
	fmt.Println(len(found))
	// Output:
	// accept [a b]
	// reject [a b b]
	// incomplete [a]
	// 0
}
