package workspace_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/workspace"
)

// A workspace is one readable archive, and the same workspace in a link.
func ExampleEncodeLink() {
	w, err := workspace.ParseArchive("-- plan.cfg --\nS -> a S b | ε\n-- plan.ltl --\nF a\n")
	if err != nil {
		log.Fatal(err)
	}
	link, err := workspace.EncodeLink(w, "")
	if err != nil {
		log.Fatal(err)
	}
	same, _, err := workspace.DecodeLink(link)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range same.Files {
		fmt.Println(f.Name, workspace.KindOf(f.Name))
	}
	// Output:
	// plan.cfg cfg
	// plan.ltl ltl
}
