package earley_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
)

func TestCompletionsAreShortest(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	for range effort.Of(400) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		words := enum.Words(g, 7)[g.Start]
		p := earley.New(g)
		for _, s := range enum.Strings(g.NumTerminals, 3) {
			run := p.Start(nil)
			read := true
			for _, symbol := range enum.Symbols(s) {
				ok, err := run.Push(symbol)
				if err != nil {
					t.Fatal(err)
				}
				read = read && ok
			}
			if !read {
				continue
			}
			shortest := -1
			for w := range words {
				if strings.HasPrefix(w, s) && (shortest < 0 || len(w)-len(s) < shortest) {
					shortest = len(w) - len(s)
				}
			}
			rest, ok := run.Completion()
			if ok != (run.Viable()) || shortest >= 0 && len(rest) != shortest || shortest < 0 && ok && len(s)+len(rest) <= 7 {
				t.Fatalf("%s%q is completed by %v (%v), but %d letters are enough", text, s, rest, ok, shortest)
			}
			for _, symbol := range rest {
				if ok, err := run.Push(symbol); !ok || err != nil {
					t.Fatalf("%s%q is completed by %v, which is not read (%v)", text, s, rest, err)
				}
			}
			if ok && !run.Complete() {
				t.Fatalf("%s%q and %v is no word", text, s, rest)
			}
		}
	}
}
