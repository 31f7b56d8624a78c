package grammar_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/source"
)

// language returns the words of up to four terminals, by their names.
func language(g *grammar.Grammar) map[string]bool {
	out := map[string]bool{}
	for w := range enum.Words(g, 4)[g.Start] {
		out[names(g, enum.Symbols(w))] = true
	}
	return out
}

func TestRemovingUselessSymbolsKeepsTheLanguage(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 1))
	tried := 0
	for range effort.Of(600) {
		text := "%start S\n" + enum.Grammar(random)
		if random.IntN(2) == 0 {
			text = strings.ReplaceAll(text, " | ", " # more\n  | ")
		}
		file := source.NewFile("t.cfg", text)
		syntax, found := grammar.Parse(file)
		g, more := grammar.Compile(syntax, "")
		for _, d := range append(found, more...) {
			if d.Code != "cfg.unreachable" && d.Code != "cfg.unproductive" {
				continue
			}
			for _, fix := range d.Fixes {
				tried++
				after := source.Apply(text, fix.Edits)
				if got, want := language(must.Grammar(t, after)), language(g); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s\n%s: %s\n%s\nhas %v, not %v", text, d.Message, fix.Title, after, got, want)
				}
			}
		}
	}
	if tried == 0 {
		t.Error("no fix was tried")
	}
	t.Logf("%d fixes", tried)
}
