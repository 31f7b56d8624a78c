package ltl_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
)

func ExampleTranslate() {
	list, found := ltl.Parse(source.NewFile("f.ltl", "answered: G (ask -> F answer)"))
	if len(found) > 0 {
		log.Fatal(found)
	}
	alphabet, err := ltl.NewAlphabet([]string{"ask", "answer", "think"}, ltl.OneHot)
	if err != nil {
		log.Fatal(err)
	}
	d, err := ltl.Translate(list[0].Formula, alphabet, nil)
	if err != nil {
		log.Fatal(err)
	}
	verdicts := d.Verdicts()
	state := d.Start()
	for _, step := range []string{"think", "ask", "think", "answer"} {
		if state, err = d.Step(state, []string{step}); err != nil {
			log.Fatal(err)
		}
		fmt.Println(step, verdicts[state])
	}
	// Output:
	// think currently-satisfied
	// ask currently-violated
	// think currently-violated
	// answer currently-satisfied
}
