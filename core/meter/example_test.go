package meter_test

import (
	"errors"
	"fmt"

	"github.com/stile-playground/stile/core/meter"
)

// Long work spends from a meter and ends with its error.
func ExampleMeter() {
	m := meter.New(meter.Budget{Steps: 1000})
	n := 0
	var err error
	for err == nil {
		n++
		err = m.Step(300)
	}
	var limit *meter.LimitError
	fmt.Println(n, errors.As(err, &limit))
	// Output: 4 true
}
