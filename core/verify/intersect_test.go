package verify_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/verify"
)

// table is an automaton drawn at random: moves[state][letter].
type table struct {
	moves  [][][]int
	accept []bool
}

func (a table) NumStates() int               { return len(a.accept) }
func (a table) Start() int                   { return len(a.accept) - 1 }
func (a table) Accepting(state int) bool     { return a.accept[state] }
func (a table) Next(state, letter int) []int { return a.moves[state][letter] }

func randomTable(random *rand.Rand, letters int) table {
	states := 1 + random.IntN(3)
	a := table{accept: make([]bool, states)}
	for s := range states {
		a.accept[s] = random.IntN(2) == 0
		row := make([][]int, letters)
		for l := range row {
			for range random.IntN(3) {
				row[l] = append(row[l], random.IntN(states))
			}
		}
		a.moves = append(a.moves, row)
	}
	return a
}

// ends returns the states that a word leads to.
func ends(a verify.Nondeterministic, from int, word string) []int {
	now := []int{from}
	for _, s := range enum.Symbols(word) {
		var next []int
		for _, state := range now {
			next = append(next, a.Next(state, int(s))...)
		}
		slices.Sort(next)
		now = slices.Compact(next)
	}
	return now
}

func TestProductDerivesTheIntersection(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 1))
	const longest = 5
	intersect := map[string]func(*grammar.Grammar, verify.Nondeterministic, *meter.Meter) (*verify.Product, error){
		"all": verify.Intersect, "needed": verify.IntersectNeeded,
	}
	for i := range effort.Sample(1500, 500) {
		text := enum.Grammar(random)
		if i%3 == 0 { // long right sides are divided
			text += "S -> a A b B c A B A\nA -> a A B S B\n"
		}
		g := must.Grammar(t, text)
		words := enum.Words(g, longest)
		a := randomTable(random, g.NumTerminals)
		for _, kind := range []string{"all", "needed"} {
			p, err := intersect[kind](g, a, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(err)
			}
			found := enum.Words(p.Grammar, longest)
			check := func(got enum.Language, s grammar.Symbol, from int, ok func(state int) bool) {
				for w := range words[s] {
					if want := slices.ContainsFunc(ends(a, from, w), ok); want != got[w] {
						t.Fatalf("%s%+v\n%s: %q of %s: %v, not %v\n%s", text, a, kind, w, g.Names[s], got[w], want, p.Grammar)
					}
				}
				for w := range got {
					if !words[s][w] {
						t.Fatalf("%s%+v\n%s: %q is no word of %s", text, a, kind, w, g.Names[s])
					}
				}
			}
			check(found[p.Grammar.Start], g.Start, a.Start(), a.Accepting)
			for s := range grammar.Symbol(g.NumSymbols()) {
				for from := range a.NumStates() {
					for to := range a.NumStates() {
						symbol, ok := p.Triple(from, s, to)
						if ok {
							check(found[symbol], s, from, func(state int) bool { return state == to })
						} else if kind == "all" {
							check(enum.Language{}, s, from, func(state int) bool { return state == to })
						}
					}
				}
			}
			for s, useful := range p.Grammar.Useful() {
				if symbol := grammar.Symbol(s); kind == "needed" && !p.Grammar.IsTerminal(symbol) && symbol != p.Grammar.Start && !useful {
					t.Fatalf("%s%+v\n%s is not needed", text, a, p.Grammar.Names[s])
				}
			}
			if productive := p.Grammar.Productive(); slices.Contains(productive[g.NumTerminals+1:], false) {
				t.Fatalf("%s%+v\nsomething derives nothing\n%s", text, a, p.Grammar)
			}
			checkOrigins(t, g, p)
		}
	}
}

// checkOrigins fails unless every production of the product begins like its original
// one and has the same label and place.
func checkOrigins(t *testing.T, g *grammar.Grammar, p *verify.Product) {
	t.Helper()
	if len(p.Origin) != len(p.Grammar.Productions) {
		t.Fatal("not every production has an origin")
	}
	for i, production := range p.Grammar.Productions {
		_, left, _, known := p.Of(production.Left)
		if (p.Origin[i] >= 0) != known {
			t.Fatalf("%s comes of production %d", p.Grammar.Write(i), p.Origin[i])
		}
		if p.Origin[i] < 0 {
			continue
		}
		of := g.Productions[p.Origin[i]]
		if of.Left != left || of.Label != production.Label || of.Span != production.Span {
			t.Fatalf("%s is not %s", p.Grammar.Write(i), g.Write(p.Origin[i]))
		}
		for k, s := range production.Right {
			if p.Grammar.IsTerminal(s) {
				if s != of.Right[k] {
					t.Fatalf("%s is not %s", p.Grammar.Write(i), g.Write(p.Origin[i]))
				}
			} else if _, symbol, _, ok := p.Of(s); ok && symbol != of.Right[k] {
				t.Fatalf("%s is not %s", p.Grammar.Write(i), g.Write(p.Origin[i]))
			}
		}
	}
}

func TestProductKeepsNamesOfTheGrammar(t *testing.T) {
	g := must.Grammar(t, "S -> a P b | a as \"alone\"\nP -> a S\na as \"an a\"\nP as \"the rest\"\n")
	p, err := verify.IntersectNeeded(g, verify.Deterministic(ring(g.NumTerminals, 2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for s := range grammar.Symbol(p.Grammar.NumSymbols()) {
		of, name := s, g.Names[min(int(s), g.NumTerminals-1)]
		if !p.Grammar.IsTerminal(s) {
			_, symbol, _, ok := p.Of(s)
			if !ok {
				continue
			}
			of, name = symbol, p.Grammar.Names[s]
		}
		want := name
		if label := g.Label(of); label != g.Names[of] {
			want = label
		}
		if got := p.Grammar.Label(s); got != want || p.Grammar.Names[s] != name {
			t.Errorf("%s of %s is called %q, want %q", p.Grammar.Names[s], g.Names[of], got, want)
		}
	}
	checkOrigins(t, g, p)
}

func TestNeededTriplesAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(43, 1))
	for range effort.Of(1500) {
		text := enum.Grammar(random)
		g := must.Grammar(t, text)
		a := randomTable(random, g.NumTerminals)
		p, err := verify.Intersect(g, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		caps := make([]int64, g.NumTerminals)
		for i := range caps {
			caps[i] = int64(random.IntN(3))
		}
		needs, err := grammar.ComputeNeeds(p.Grammar, caps, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := needs.Completable([]grammar.Symbol{p.Grammar.Start}, caps, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := false
		for w := range enum.Words(g, 6)[g.Start] { // two uses of three letters
			within := slices.ContainsFunc(ends(a, a.Start(), w), a.Accepting)
			for s := range caps {
				within = within && strings.Count(w, enum.Letter(grammar.Symbol(s))) <= int(caps[s])
			}
			want = want || within
		}
		if got != want {
			t.Fatalf("%s%+v\nwithin %v: %v, not %v", text, a, caps, got, want)
		}
	}
}

func TestProductKeepsClassesOfTools(t *testing.T) {
	g := must.Grammar(t, "S -> F S S | A S | i\nA -> a1 | a2 | a3 | a4\nF -> f1 X X X X | f2 X X X X | f3 X X X X\nX -> x\n")
	d := automaton.NewDFA([][]int{make([]int, g.NumTerminals)}, []bool{true})
	p, err := verify.Intersect(g, verify.Deterministic(d), nil)
	if err != nil {
		t.Fatal(err)
	}
	one := int64(1)
	caps, err := p.Grammar.Caps(grammar.Limits{Each: &one})
	if err != nil {
		t.Fatal(err)
	}
	needs, err := grammar.ComputeNeeds(p.Grammar, caps, nil)
	if err != nil {
		t.Fatal(err)
	}
	class := func(name string) int {
		s, _ := p.Grammar.Lookup(name)
		return needs.Class(s)
	}
	for _, same := range [][]string{{"a1", "a2", "a3", "a4"}, {"f1", "f2", "f3"}} {
		for _, name := range same {
			if class(name) != class(same[0]) {
				t.Errorf("%s and %s are of two classes", name, same[0])
			}
		}
	}
}

func TestOnlyLongRightSidesAreDivided(t *testing.T) {
	for text, want := range map[string]string{
		"S -> a A b B c | A B\nA -> a\nB -> b\n": "start S⟨0,0⟩ A⟨0,0⟩ B⟨0,0⟩",
		"S -> A B A\nA -> a\nB -> b\n":           "start S⟨0,0⟩ A⟨0,0⟩ rest1⟨0,0⟩ B⟨0,0⟩",
		"S -> A B A B\nA -> a\nB -> b\n":         "start S⟨0,0⟩ A⟨0,0⟩ rest1⟨0,0⟩ B⟨0,0⟩ rest2⟨0,0⟩",
	} {
		g := must.Grammar(t, text)
		p, err := verify.IntersectNeeded(g, verify.Deterministic(automaton.NewDFA([][]int{make([]int, g.NumTerminals)}, []bool{true})), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Grammar.Names[g.NumTerminals:], " "); got != want {
			t.Errorf("%s has %s, not %s", text, got, want)
		}
	}
}

func TestExplosiveProductEndsWithLimit(t *testing.T) {
	g := must.Grammar(t, "S -> S S | a S b S c S | a | b | c\n")
	const states = 400
	a := table{accept: make([]bool, states)}
	a.accept[0] = true
	for s := range states {
		row := make([][]int, g.NumTerminals)
		for l := range row {
			row[l] = []int{(s*7 + l + 1) % states, (s*3 + l + 2) % states}
		}
		a.moves = append(a.moves, row)
	}
	if _, err := verify.Intersect(g, a, meter.New(meter.Budget{})); err == nil {
		t.Error("no limit was reached")
	}
}
