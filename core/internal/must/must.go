// Package must compiles texts of tests, which have no errors.
package must

import (
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// Grammar compiles a grammar without errors.
func Grammar(t testing.TB, text string) *grammar.Grammar {
	t.Helper()
	syntax, found := grammar.Parse(source.NewFile("t.cfg", text))
	g, more := grammar.Compile(syntax, "")
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%s%v", text, found)
	}
	return g
}
