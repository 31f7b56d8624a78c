package earley_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
)

func TestRandomGrammarsEqualBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	checked := 0
	for range effort.Of(400) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		words, prefixes := enum.Words(g, 5), enum.Prefixes(g, 5)
		p := earley.New(g)
		run := p.Start(nil)
		for _, s := range enum.Strings(g.NumTerminals, 4) {
			checked++
			w := enum.Symbols(s)
			accepted, err := p.Recognize(w, nil)
			if err != nil || accepted != words[g.Start][s] {
				t.Fatalf("%s%q: accepted %v (%v), but it is %v", text, s, accepted, err, words[g.Start][s])
			}
			trees, err := p.Trees(w, nil)
			if err != nil || (trees != 0) != accepted {
				t.Fatalf("%s%q: %d trees (%v), accepted %v", text, s, trees, err, accepted)
			}
			// The same run is reused after undoing all steps: no state of another word may remain.
			for run.Len() > 0 {
				run.Pop()
			}
			viable := true
			for _, symbol := range w {
				if ok, err := run.Push(symbol); err != nil {
					t.Fatal(err)
				} else if !ok {
					viable = false
					break
				}
			}
			if viable = viable && run.Viable(); viable != prefixes[g.Start][s] {
				t.Fatalf("%s%q: viable %v, but it is %v", text, s, viable, prefixes[g.Start][s])
			}
			if !viable {
				continue
			}
			if run.Complete() != accepted {
				t.Fatalf("%s%q: complete %v, accepted %v", text, s, run.Complete(), accepted)
			}
			next := map[grammar.Symbol]bool{}
			for _, symbol := range run.Next() {
				next[symbol] = true
			}
			for symbol := range grammar.Symbol(g.NumTerminals) {
				if want := prefixes[g.Start][s+enum.Letter(symbol)]; next[symbol] != want {
					t.Fatalf("%s%q: next has %s: %v, but it is %v", text, s, g.Names[symbol], next[symbol], want)
				}
			}
			if accepted {
				tree, err := p.Derivation(w, nil)
				if err != nil || leaves(g, tree) != s {
					t.Fatalf("%s%q: the derivation tree has leaves %q (%v)", text, s, leaves(g, tree), err)
				}
				checkTrees(t, p, w, s, trees)
			}
		}
	}
	t.Logf("%d words and prefixes", checked)
}

// checkTrees checks that a word has the counted number of trees, that they are all
// different, and that each derives the word.
func checkTrees(t *testing.T, p *earley.Parser, word []grammar.Symbol, s string, count int64) {
	t.Helper()
	f, err := p.Forest(word, nil)
	if err != nil {
		t.Fatal(err)
	}
	if (count != 1) != (len(f.Ambiguous()) > 0) {
		t.Fatalf("%s%q: %d trees and ambiguous nodes %v", p.Grammar(), s, count, f.Ambiguous())
	}
	if count == earley.InfinitelyMany {
		if _, err := f.Tree(0); err == nil {
			t.Fatalf("%s%q: a tree of infinitely many has a number", p.Grammar(), s)
		}
		return
	}
	seen := map[string]bool{}
	for n := range min(count, 50) {
		tree, err := f.Tree(n)
		if err != nil || leaves(p.Grammar(), tree) != s {
			t.Fatalf("%s%q: tree %d has leaves %q (%v)", p.Grammar(), s, n, leaves(p.Grammar(), tree), err)
		}
		seen[written(tree)] = true
	}
	if len(seen) != int(min(count, 50)) {
		t.Fatalf("%s%q: of %d trees %d differ", p.Grammar(), s, count, len(seen))
	}
}

func written(t *earley.Tree) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d(", t.Production)
	for _, child := range t.Children {
		b.WriteString(written(child))
	}
	return b.String() + ")"
}

// leaves returns a tree's word, or the reason why it is not a tree of the grammar.
func leaves(g *grammar.Grammar, t *earley.Tree) string {
	if t == nil {
		return "nothing"
	}
	if t.Production < 0 {
		return enum.Letter(t.Symbol)
	}
	p := g.Productions[t.Production]
	if p.Left != t.Symbol || len(p.Right) != len(t.Children) {
		return "a tree that follows no production"
	}
	var b strings.Builder
	for i, child := range t.Children {
		if child.Symbol != p.Right[i] {
			return "a tree that follows no production"
		}
		b.WriteString(leaves(g, child))
	}
	return b.String()
}

func TestLimitsOnRandomGrammarsEqualBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	checked, viable := 0, 0
	for range effort.Of(400) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		// With every terminal limited, no word is longer than the sum.
		caps := make([]int64, g.NumTerminals)
		total := 0
		for i := range caps {
			caps[i] = int64(random.IntN(3))
			total += int(caps[i])
		}
		words := enum.Words(g, total)[g.Start]
		fits := func(w string) bool {
			for i, c := range caps {
				if int64(strings.Count(w, enum.Letter(grammar.Symbol(i)))) > c {
					return false
				}
			}
			return true
		}
		whole := enum.Language{}
		begun := enum.Language{}
		for w := range words {
			if fits(w) {
				whole[w] = true
				for i := range len(w) + 1 {
					begun[w[:i]] = true
				}
			}
		}
		needs, err := grammar.ComputeNeeds(g, caps, nil)
		if err != nil {
			t.Fatal(err)
		}
		parser := earley.New(g)
		for _, s := range enum.Strings(g.NumTerminals, min(total, 4)) {
			run := parser.Start(nil)
			left := append([]int64(nil), caps...)
			ok := true
			for _, symbol := range enum.Symbols(s) {
				pushed, err := run.Push(symbol)
				if err != nil {
					t.Fatal(err)
				}
				if left[symbol]--; !pushed || left[symbol] < 0 {
					ok = false
					break
				}
			}
			if !ok {
				if begun[s] {
					t.Fatalf("%s%v %q: not to be read, but it is viable", text, caps, s)
				}
				continue
			}
			checked++
			isViable, complete, next, err := run.NextWithin(needs, left)
			if err != nil || isViable != begun[s] || complete != whole[s] {
				t.Fatalf("%s%v %q: viable %v, complete %v (%v), but it is %v, %v", text, caps, s, isViable, complete, err, begun[s], whole[s])
			}
			if isViable {
				viable++
			}
			leads := map[grammar.Symbol]bool{}
			for _, symbol := range next {
				leads[symbol] = true
			}
			for symbol := range grammar.Symbol(g.NumTerminals) {
				if want := begun[s+enum.Letter(symbol)]; leads[symbol] != want {
					t.Fatalf("%s%v %q: next has %s: %v, but it is %v", text, caps, s, g.Names[symbol], leads[symbol], want)
				}
			}
		}
	}
	t.Logf("%d prefixes, %d of them viable", checked, viable)
}
