package phrase_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/tool/phrase"
)

// The parts of a message about an unknown name.
func Example() {
	names := []string{"Search", "Lookup", "Forecast"}
	fmt.Printf("unknown tool %q; did you mean %s?\n", "serch", phrase.Nearest("serch", names))
	fmt.Println("takes " + phrase.List([]string{"image", "text"}) + " of at most " + phrase.Bytes(32_000))
	// Output:
	// unknown tool "serch"; did you mean Search?
	// takes an image and a text of at most 32 KB
}
