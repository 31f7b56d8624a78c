package grammar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
)

// uses counts the terminals of a word; those of the drawn grammars are a, b, c and d.
type uses [4]int

func (u uses) plus(v uses) (out uses, total int) {
	for i := range u {
		out[i] = u[i] + v[i]
		total += out[i]
	}
	return out, total
}

// drawLimited draws a grammar whose shortest words have at most eight letters, with
// terminals that can stand for each other.
func drawLimited(random *rand.Rand) string {
	var b strings.Builder
	terminals := []string{"a", "b", "c", "d"}
	for i, left := range []string{"S", "A", "B"} {
		var rights []string
		for range 1 + random.IntN(3) {
			var right []string
			for range random.IntN(3) {
				if below := []string{"S", "A", "B"}[i:]; random.IntN(2) == 0 && len(below) > 1 {
					right = append(right, below[1+random.IntN(len(below)-1)])
				} else {
					right = append(right, terminals[random.IntN(4)])
				}
			}
			switch {
			case len(right) == 0:
				right = []string{"ε"}
			case random.IntN(5) == 0:
				right = append(right, left)
			}
			text := strings.Join(right, " ")
			rights = append(rights, text)
			if random.IntN(3) == 0 {
				rights = append(rights, strings.NewReplacer("a", "b", "c", "d").Replace(text))
			}
		}
		fmt.Fprintf(&b, "%s -> %s\n", left, strings.Join(rights, " | "))
	}
	return b.String()
}

// wordUses returns, by symbol, the uses of terminals in its words up to a length.
func wordUses(g *grammar.Grammar, letters [4]grammar.Symbol, most int) []map[uses]bool {
	out := make([]map[uses]bool, g.NumSymbols())
	for s := range out {
		out[s] = map[uses]bool{}
		for i, letter := range letters {
			if letter == grammar.Symbol(s) {
				var one uses
				one[i] = 1
				out[s][one] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range g.Productions {
			for u := range usesOf(p.Right, out, most) {
				if !out[p.Left][u] {
					out[p.Left][u], changed = true, true
				}
			}
		}
	}
	return out
}

func usesOf(symbols []grammar.Symbol, known []map[uses]bool, most int) map[uses]bool {
	out := map[uses]bool{{}: true}
	for _, s := range symbols {
		next := map[uses]bool{}
		for u := range out {
			for v := range known[s] {
				if sum, total := u.plus(v); total <= most {
					next[sum] = true
				}
			}
		}
		out = next
	}
	return out
}

func TestNeedsEqualThoseOfWords(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	fits, not := 0, 0
	for range effort.Of(200) {
		text := drawLimited(random)
		g := must.Grammar(t, text)
		var letters [4]grammar.Symbol
		caps := make([]int64, g.NumTerminals)
		for i := range letters {
			letters[i] = -2
			if s, ok := g.Lookup("abcd"[i : i+1]); ok {
				letters[i], caps[s] = s, int64(random.IntN(5))-1
			}
		}
		all := wordUses(g, letters, 9)
		total := meter.New(meter.Budget{})
		needs, err := grammar.ComputeNeeds(g, caps, total)
		if err != nil {
			t.Fatal(err)
		}
		if steps := total.Spent(meter.Steps); steps > 1 {
			var limit *meter.LimitError
			if _, err := grammar.ComputeNeeds(g, caps, meter.New(meter.Budget{Steps: 1 + random.Int64N(steps-1)})); !errors.As(err, &limit) {
				t.Fatalf("%s: less than %d steps: %v", text, steps, err)
			}
		}
		if states := total.Spent(meter.States); states > 1 {
			var limit *meter.LimitError
			if _, err := grammar.ComputeNeeds(g, caps, meter.New(meter.Budget{States: 1 + random.Int64N(states-1)})); !errors.As(err, &limit) {
				t.Fatalf("%s: less than %d states: %v", text, states, err)
			}
		}
		for range 40 {
			if g.NumTerminals == 0 {
				break
			}
			var symbols []grammar.Symbol
			for range random.IntN(3) {
				// A terminal in a position without alternatives cannot be interchanged.
				symbols = append(symbols, grammar.Symbol(g.NumTerminals+random.IntN(g.NumSymbols()-g.NumTerminals)))
			}
			remaining := make([]int64, g.NumTerminals)
			for s := range remaining {
				if remaining[s] = grammar.Unlimited; caps[s] >= 0 {
					remaining[s] = random.Int64N(caps[s] + 1)
				}
			}
			within := func(u uses) bool {
				for i, n := range u {
					if s := letters[i]; n > 0 && caps[s] >= 0 && int64(n) > remaining[s] {
						return false
					}
				}
				return true
			}
			found, after := false, grammar.Symbol(random.IntN(g.NumTerminals))
			foundAfter := false
			for u := range usesOf(symbols, all, 18) {
				found = found || within(u)
				for i, letter := range letters {
					if letter == after {
						u[i]++
					}
				}
				foundAfter = foundAfter || within(u)
			}
			got, err := needs.Completable(symbols, remaining, nil)
			if err != nil || got != found {
				t.Fatalf("%scaps %v, remaining %v, %s: %v (%v), want %v", text, caps, remaining, names(g, symbols), got, err, found)
			}
			sum, err := needs.Sum(symbols, nil)
			if err != nil {
				t.Fatal(err)
			}
			if remaining[after] != 0 && needs.FitsAfter(after, sum, needs.Budget(remaining)) != foundAfter {
				t.Fatalf("%scaps %v, remaining %v, %s after %s: want %v", text, caps, remaining, names(g, symbols), g.Names[after], foundAfter)
			}
			if fits++; !found {
				fits, not = fits-1, not+1
			}
			for i, v := range sum {
				for j, w := range sum {
					less := i != j
					for k := range v {
						less = less && v[k] <= w[k]
					}
					if less {
						t.Fatalf("%s: %v is within %v", text, v, w)
					}
				}
			}
		}
	}
	if fits < 100 || not < 100 {
		t.Errorf("%d lists can be finished and %d not", fits, not)
	}
}

func TestInterchangeableTerminalsAreOneClass(t *testing.T) {
	g := must.Grammar(t, "S -> A i x | B x x\nA -> a1 | a2 | b\nB -> a1 a1 | a1 x | a2 x | c d | d c | x e i | x f i")
	caps := make([]int64, g.NumTerminals)
	class := func(needs *grammar.Needs, name string) int {
		s, _ := g.Lookup(name)
		return needs.Class(s)
	}
	for i := range caps {
		caps[i] = 1
	}
	i, _ := g.Lookup("i")
	caps[i] = grammar.Unlimited
	needs, err := grammar.ComputeNeeds(g, caps, nil)
	if err != nil {
		t.Fatal(err)
	}
	if class(needs, "i") != -1 {
		t.Error("what has no limit has a class")
	}
	// a1 follows another symbol, and b occurs less often than a2.
	seen := map[int]string{}
	for _, name := range []string{"a1", "a2", "b", "c", "d", "e", "f", "x"} {
		if other, ok := seen[class(needs, name)]; ok || class(needs, name) < 0 {
			t.Errorf("%s and %s are one class", name, other)
		}
		seen[class(needs, name)] = name
	}
	g = must.Grammar(t, "S -> A A A\nA -> a1 | a2 | a3")
	for _, c := range []struct {
		caps []int64
		want bool
	}{{[]int64{1, 1, 1}, true}, {[]int64{3, 0, 0}, true}, {[]int64{0, 2, 1}, true}, {[]int64{1, 0, 1}, false}, {[]int64{0, 0, 0}, false}, {[]int64{1 << 40, 1 << 40, 0}, true}} {
		needs, err := grammar.ComputeNeeds(g, c.caps, nil)
		if err != nil || needs.Class(0) != 0 || needs.Class(1) != 0 || needs.Class(2) != 0 {
			t.Fatalf("%v: %v", needs, err)
		}
		if got, err := needs.Completable([]grammar.Symbol{g.Start}, c.caps, nil); err != nil || got != c.want {
			t.Errorf("%v: %v, %v", c.caps, got, err)
		}
	}
}

func TestStoredNeedsSpendFromMeter(t *testing.T) {
	// Sixteen terminals, each in a separate position.
	var b strings.Builder
	for i := range 16 {
		fmt.Fprintf(&b, "S -> t%d%s\n", i, strings.Repeat(" x", i+1))
	}
	g := must.Grammar(t, b.String())
	caps := make([]int64, g.NumTerminals)
	for s := range caps {
		if caps[s] = 1; g.Names[s] == "x" {
			caps[s] = grammar.Unlimited
		}
	}
	m := meter.New(meter.Budget{})
	if _, err := grammar.ComputeNeeds(g, caps, m); err != nil {
		t.Fatal(err)
	}
	steps := int64(0)
	for kept := range int64(16) {
		steps += 1 + kept*16/8
	}
	if m.Spent(meter.Steps) != steps || m.Spent(meter.States) != 16*2 {
		t.Errorf("%d steps, want %d; %d states", m.Spent(meter.Steps), steps, m.Spent(meter.States))
	}
}
