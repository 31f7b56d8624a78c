package notation_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// A table finds the notation of a file by the name of the file. Here it renames a terminal in a formula and in the
// grammar that defines it.
func ExampleTable() {
	w := workspace.Workspace{Files: []workspace.File{
		{Name: "g.cfg", Text: "S -> get S | put"},
		{Name: "p.ltl", Text: "safe: F put"},
	}}
	table := language.Table()
	fmt.Println(notation.Count(len(w.Files), "file"))
	for _, f := range w.Files {
		fmt.Println(f.Name, table.Of(f.Name).Title)
	}
	edits, err := table.Rename(w, "p.ltl", source.Pos(8), "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range edits {
		fmt.Printf("%+v\n", e)
	}
	// Output:
	// 2 files
	// g.cfg a grammar
	// p.ltl properties
	// {File:g.cfg Edits:[{Span:{Start:13 End:16} Text:store}]}
	// {File:p.ltl Edits:[{Span:{Start:8 End:11} Text:store}]}
}
