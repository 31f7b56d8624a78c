package domains_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/domains"
)

// The nine domains, a name as both solvers read it, and two texts of the same cost.
func Example() {
	fmt.Println(domains.Names())
	fmt.Println(domains.Name("ship", "supplier 1", "roastery1"))
	fmt.Println(domains.Same("3.5", "7/2"), domains.Same("154", "155"))
	// Output:
	// [coffee workforce facility task_allocation warehouse blocksworld mystery_blocksworld movie gripper]
	// ship.supplier_1.roastery1
	// true false
}
