package tool_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

func ExampleParse() {
	set, found := tool.Parse(source.NewFile("tools.json", `{
		"inputs": {"i": {"type": "image", "text": "two cats", "marks": ["blurry"]}},
		"tools": {
			"deblur": {"takes": ["image"], "gives": "image", "does": {"remove": ["blurry"]}},
			"caption": {"takes": ["image"], "gives": "text", "does": [
				{"when": {"mark": "blurry"}, "text": "something unclear", "add": ["guess"]},
				{"text": "A picture of {1}."}
			]}
		}
	}`))
	if len(found) > 0 {
		fmt.Println(found)
		return
	}
	for _, word := range [][]string{{"caption", "i"}, {"caption", "deblur", "i"}} {
		steps, err := set.Steps(word)
		if err != nil {
			fmt.Println(err)
			return
		}
		values := make([]tool.Value, len(steps))
		for n, step := range steps {
			if values[n], _ = set.Input(step.Symbol); step.Given {
				continue
			}
			var args []tool.Value
			for _, a := range step.Args {
				args = append(args, values[a])
			}
			if values[n], err = set.Call(tool.Context{Count: 1}, step.Symbol, args); err != nil {
				fmt.Println(err)
				return
			}
		}
		fmt.Println(values[len(values)-1])
	}
	// Output:
	// text: something unclear (guess)
	// text: A picture of two cats.
}
