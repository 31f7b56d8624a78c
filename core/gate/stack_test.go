package gate

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// productionsOf returns the useful productions of a grammar, as package compile does.
func productionsOf(g *grammar.Grammar) *Spec {
	s := &Spec{Letters: g.Names[:g.NumTerminals]}
	useful := g.Useful()
	for _, p := range g.Productions {
		ok := useful[p.Left]
		right := []int{}
		for _, symbol := range p.Right {
			ok = ok && (int(symbol) < g.NumTerminals || useful[symbol])
			right = append(right, int(symbol))
		}
		if ok && p.Left == g.Start {
			s.Productions = append([]Production{{int(p.Left), right}}, s.Productions...)
		} else if ok {
			s.Productions = append(s.Productions, Production{int(p.Left), right})
		}
	}
	return s
}

func randomRules(r *rand.Rand) string {
	text := ""
	for _, left := range []string{"S", "T", "U"} {
		text += left + " -> " + []string{"a", "b", "c", "ε"}[r.IntN(4)]
		for range 1 + r.IntN(3) {
			text += " |"
			for range 1 + r.IntN(3) {
				text += " " + []string{"S", "T", "U", "a", "b", "c"}[r.IntN(6)]
			}
		}
		text += "\n"
	}
	return text
}

// A stack permits the letters that the parser of package earley permits, ends where that ends, and is equal after it was
// saved. The stack of a grammar without nesting is bounded.
func TestStacksReadWords(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 3))
	nested, bounded := 0, 0
	for range 400 {
		text := randomRules(r)
		syntax, _ := grammar.Parse(source.NewFile("g.cfg", text))
		g, _ := grammar.CompilePlain(syntax, "")
		if g == nil || g.Empty() {
			continue
		}
		s := productionsOf(g)
		table := newStacks(s)
		top, run := table.first, earley.New(g).Start(meter.New(meter.Budget{Steps: 10_000_000, States: 1_000_000}))
		largest := 0
		length, unbounded := 40, s.Nested()
		if unbounded {
			nested++
		} else {
			length = 200
			bounded++
		}
		for i := range length {
			want := map[int]bool{}
			for _, symbol := range run.Next() {
				want[int(symbol)] = true
			}
			var next []int
			for letter := range s.Letters {
				if table.permits(top, letter) != want[letter] {
					t.Fatalf("%s: after %d letters, %v is permitted by the parser, %s: %v", text, i, want, s.Letters[letter], table.permits(top, letter))
				}
				if want[letter] {
					next = append(next, letter)
				}
			}
			if top.ends != run.Complete() {
				t.Fatalf("%s: after %d letters, the stack ends: %v", text, i, top.ends)
			}
			saved := top.table()
			if top = table.stack(saved); top == nil || !reflect.DeepEqual(top.table(), saved) {
				t.Fatalf("%s: the table %v is not restored", text, saved)
			}
			if largest = max(largest, top.size); !unbounded && largest > 100 {
				t.Fatalf("%s: the stack has %d opens after %d letters", text, top.size, i)
			}
			if len(next) == 0 {
				break
			}
			letter := next[r.IntN(len(next))]
			top = table.step(top, letter)
			if ok, err := run.Push(grammar.Symbol(letter)); !ok || err != nil {
				t.Fatal(text, err)
			}
		}
	}
	if nested < 50 || bounded < 50 {
		t.Errorf("%d grammars are nested, %d are not: too few", nested, bounded)
	}
}

// Tables that no stack has are refused.
func TestDamagedStacksAreRefused(t *testing.T) {
	g := newStacks(&Spec{Letters: []string{"a", "b"}, Productions: []Production{{2, []int{0, 2, 1}}, {2, []int{}}}})
	for _, table := range [][][]int{
		{}, {{}}, {{2}}, {{-1}}, {{0, 0}}, {{0, 99, 1}, {1}}, {{0, 0, 0}}, {{0, 0, 2}, {1}}, {{0, 0, 1}, {1}, {1}}, {{0, 1, 1}, {1}}, {{0, -1, 1}, {1}}, {{0, 3, 1}, {1}},
	} {
		if g.stack(table) != nil {
			t.Errorf("%v is restored", table)
		}
	}
	if g.stack([][]int{{1, 0, 1}, {1}}) == nil {
		t.Error("the first stack is refused")
	}
}
