package backtest_test

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// Recorded runs are judged by the rules of a workspace, and a line that is no run is not a pass.
func Example() {
	specs, err := backtest.Open(language.Table(), []workspace.File{{Name: "shop.rules", Text: "approved: refund(order: ?o) -> once approve(order: ?o)\n"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	const trace = `[{"kind":"call","name":"approve","fields":{"order":7}},{"kind":"call","name":"refund","fields":{"order":7}}]
[{"kind":"call","name":"refund","fields":{"order":8}}]
`
	matrix := specs.Matrix()
	for i, line := range append(strings.Split(strings.TrimSpace(trace), "\n"), "{") {
		for _, run := range specs.Judge(fmt.Sprintf("run%d.json", i+1), line, backtest.Options{}) {
			fmt.Println(run.Trace, strings.TrimSpace(string(run.Cells[0].Outcome)+" "+run.Cells[0].Reason))
			specs.Add(matrix, run)
		}
	}
	fmt.Println(matrix.Total(), "runs; all pass:", matrix.Passes())
	// Output:
	// run1.json held
	// run2.json violated violates approved for ?o = 8
	// run3.json unread invalid JSON: unexpected end of JSON input
	// 3 runs; all pass: false
}
