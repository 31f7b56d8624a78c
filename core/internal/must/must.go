// Package must compiles what tests are made of.
package must

import (
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// Grammar compiles a grammar that is sound.
func Grammar(t testing.TB, text string) *grammar.Grammar {
	t.Helper()
	syntax, found := grammar.Parse(source.NewFile("t.cfg", text))
	g, more := grammar.Compile(syntax, "")
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%s%v", text, found)
	}
	return g
}
