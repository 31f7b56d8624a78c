package earley

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
)

// Long words of brackets are parsed, in grammars that allow many alternatives between two
// brackets.
func TestLongBracketWords(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	for _, text := range []string{
		"S -> S S | a S b | a b | c S d | c d",
		"S -> T S | T\nT -> a S b | a b | c S d | c d",
		"S -> S S S | S S | a S b | a b | c S d | c d",
	} {
		g := must.Grammar(t, text)
		letters := [4]grammar.Symbol{}
		for i := range letters {
			letters[i], _ = g.Lookup("acbd"[i : i+1])
		}
		p := New(g)
		for range effort.Of(10) {
			r := p.Start(nil)
			var open []int
			// A bracket stays open for many pairs; then a bracket that closes another one is tried.
			for at := range 400 {
				letter := random.IntN(2)
				switch last := len(open) - 1; {
				case at%100 == 99 && last >= 0:
					letter = 3 - open[last]
				case at%100 >= 90 && last >= 0, at%2 == 1 && at%100 > 3 && last >= 0:
					letter = 2 + open[last]
				}
				closes := letter >= 2
				want := !closes || len(open) > 0 && open[len(open)-1] == letter-2
				got, err := r.Push(letters[letter])
				if err != nil || got != want {
					t.Fatalf("%s: letter %d, %d after %v: %v, %v", text, at, letter, open, got, err)
				}
				if !got {
					continue
				}
				if closes {
					open = open[:len(open)-1]
				} else {
					open = append(open, letter)
				}
				if r.Complete() != (len(open) == 0) {
					t.Fatalf("%s: letter %d: complete %v with %d open", text, at, r.Complete(), len(open))
				}
			}
		}
	}
}
