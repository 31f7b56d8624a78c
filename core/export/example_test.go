package export_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// A grammar over tools, for an engine that constrains the output of a model.
func ExampleRules_GBNF() {
	syntax, found := grammar.Parse(source.NewFile("g.cfg", "T -> caption I | ask I T | t\nI -> denoise I | i"))
	g, more := grammar.Compile(syntax, "")
	if len(found)+len(more) > 0 {
		log.Fatal(found, more)
	}
	fmt.Print(export.FromGrammar(g, " ").GBNF())
	// Output:
	// root ::= T-first
	// T-first ::= "caption" I | "ask" I T | "t"
	// I ::= " denoise" I | " i"
	// T ::= " caption" I | " ask" I T | " t"
}
