package earley_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// mustCompile compiles a grammar that is known to be sound.

func mustCompile(text string) *grammar.Grammar {
	syntax, found := grammar.Parse(source.NewFile("example.cfg", text))
	g, more := grammar.Compile(syntax, "")
	if source.HasErrors(append(found, more...)) {
		log.Fatal(found, more)
	}
	return g
}

// A run reads a word letter by letter, and returns the valid next letters after each.

func ExampleRun_Next() {
	g := mustCompile("S -> a S b | ε")
	run := earley.New(g).Start(nil)
	for _, name := range []string{"a", "a", "b"} {
		symbol, _ := g.Lookup(name)
		if _, err := run.Push(symbol); err != nil {
			log.Fatal(err)
		}
		for _, next := range run.Next() {
			fmt.Print(g.Names[next], " ")
		}
		fmt.Println(run.Complete())
	}
	// Output:
	// a b false
	// a b false
	// b false
}

// With use limits, a letter is offered only where a whole word within the limits

// can still follow.

func ExampleRun_NextWithin() {
	g := mustCompile("S -> T\nT -> C I | t\nI -> A I | D T\nA -> a\nC -> c\nD -> d")
	one := int64(1)
	caps, err := g.Caps(grammar.Limits{Each: &one})
	if err != nil {
		log.Fatal(err)
	}
	needs, err := grammar.ComputeNeeds(g, caps, nil)
	if err != nil {
		log.Fatal(err)
	}
	run := earley.New(g).Start(nil)
	viable, complete, next, err := run.NextWithin(needs, caps)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(viable, complete)
	for _, t := range next {
		fmt.Println(g.Names[t])
	}
	// Output:
	// true false
	// t
	// c
}
