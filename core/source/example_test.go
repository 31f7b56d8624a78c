package source_test

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// A position is a byte offset; lines and columns are computed where they are shown.
func ExampleFile_Locate() {
	file := source.NewFile("plan.cfg", "S -> a S b\nT -> é Q\n")
	at := source.Pos(strings.Index(file.Text, "Q"))
	l := file.Locate(at)
	fmt.Printf("%s:%d:%d %s\n", file.Name, l.Line, l.Column, file.Line(l.Line))
	// Output: plan.cfg:2:8 T -> é Q
}

// A diagnostic for an unknown name suggests the nearest known one.
func ExampleNearest() {
	fmt.Println(source.Nearest("aprove", []string{"approve", "refuse", "pay"}))
	fmt.Printf("%q\n", source.Nearest("login", []string{"approve", "refuse", "pay"}))
	// Output:
	// approve
	// ""
}
