package cedar_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/rules/cedar"
	"github.com/stile-playground/stile/core/source"
)

func ExampleImport() {
	policies := `permit(principal, action == Action::"refund", resource) when { context.amount <= 50 };`
	text, found, _ := cedar.Import(source.NewFile("shop.cedar", policies), cedar.Options{})
	fmt.Print(text)
	fmt.Println(len(found))
	// Output:
	// # Imported from Cedar. A call is allowed if a permit applies and no forbid does.
	//
	// # The permit in line 1.
	// permit-refund: refund() ->
	//   refund(amount: <= 50)
	//
	// # No permit applies to other calls.
	// permitted-tools: *() ->
	//   refund()
	// 0
}
