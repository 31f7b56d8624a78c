package grammar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
)

func TestSubsetHasEachChoiceOnce(t *testing.T) {
	for n := 1; n <= 12; n++ {
		text := "S -> A\n%subset A"
		for item := range n {
			text += fmt.Sprint(" x", item)
		}
		g := must.Grammar(t, text+"\n")
		counts, err := counting.Trees(g, n+1, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		ways := 1 // to choose some of n
		for length, count := range counts {
			want := fmt.Sprint(ways)
			if length == 0 || length > n {
				want = "0"
			}
			if count.String() != want {
				t.Errorf("%d of %d items: %s trees, want %s", length, n, count.String(), want)
			}
			ways = ways * (n - length) / (length + 1)
		}
	}
}

func TestSubsetIsUnambiguous(t *testing.T) {
	g := must.Grammar(t, "S -> A b A\n%subset A x y z \"v w\"\n")
	s, ok := g.SubsetOf(g.Productions[0].Right[0])
	if !ok || len(g.Subsets) != 1 || len(s.Items) != 4 {
		t.Fatalf("the subsets are %+v", g.Subsets)
	}
	for set := range 1 << len(s.Items) {
		var chosen []int
		var want []grammar.Symbol
		for item, symbol := range s.Items {
			if set>>item&1 == 1 {
				chosen, want = append(chosen, item), append(want, symbol)
			}
		}
		productions, ok := s.Derivation(chosen)
		if !ok {
			if set != 0 {
				t.Errorf("%v is no choice", chosen)
			}
			continue
		}
		stack, word := []grammar.Symbol{s.Left}, []grammar.Symbol(nil)
		for _, p := range productions {
			if g.Productions[p].Left != stack[0] {
				t.Fatalf("%v: %s does not expand %s", chosen, g.Write(p), g.Names[stack[0]])
			}
			stack = append(slices.Clone(g.Productions[p].Right), stack[1:]...)
			for len(stack) > 0 && g.IsTerminal(stack[0]) {
				word, stack = append(word, stack[0]), stack[1:]
			}
		}
		if len(stack) > 0 || !slices.Equal(word, want) {
			t.Errorf("%v derives %v and leaves %v", chosen, word, stack)
		}
	}
	for _, wrong := range [][]int{nil, {}, {-1}, {4}, {1, 1}, {2, 1}, {0, 3, 2}} {
		if got, ok := s.Derivation(wrong); ok {
			t.Errorf("%v is derived by %v", wrong, got)
		}
	}
}

func TestSubsetOfHundredItemsIsTruncated(t *testing.T) {
	text := "S -> A\n%subset A" + strings.Repeat(" x", 1)
	for item := range 100 {
		text += fmt.Sprint(" x", item)
	}
	g, found := said(text)
	if len(found) != 1 || found[0].Code != "limit.subset" || len(g.Subsets[0].Items) != grammar.MaxSubset {
		t.Errorf("%d items, %+v", len(g.Subsets[0].Items), found)
	}
}
