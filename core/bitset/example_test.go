package bitset_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/bitset"
)

func ExampleSet() {
	s := bitset.New(100)
	s.Add(3)
	s.Add(70)
	other := bitset.New(100)
	other.Add(5)
	fmt.Println(s.Has(70), s.Join(other), s.Join(other))
	s.Each(func(i int) { fmt.Println(i) })
	// Output:
	// true true false
	// 3
	// 5
	// 70
}
