package checker_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/source"
)

func Example() {
	syntax, _ := grammar.Parse(source.NewFile("plan.cfg", `
		S -> caption I | translate S
		I -> denoise I | image
		limit 1 each
	`))
	g, _ := grammar.Compile(syntax, "")
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"1. Denoise the image\n2. Caption it", "translate(denoise(image))"} {
		v, err := c.Check(text, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v.Valid, v.Function+v.Fault)
	}
	// Output:
	// true caption(denoise(image))
	// false after translate, denoise is not valid
}
