package space

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// words lists the words of walks through a graph, up to a length.
func words(t *testing.T, g *Graph, names []string, at int, word string, most int, into map[string]bool) {
	t.Helper()
	if g.Done(at) {
		into[word] = true
		return
	}
	offers, err := g.Offers(at)
	if err != nil {
		t.Fatal(err)
	}
	if len(offers) == 0 {
		t.Fatalf("after %q there is no way on", word)
	}
	for n, s := range offers {
		to, read, err := g.Take(at, n)
		if err != nil {
			t.Fatal(err)
		}
		if s >= 0 && read[0] != s {
			t.Fatalf("%s is offered, %s is read", names[s], names[read[0]])
		}
		next := word
		for _, s := range read {
			next += names[s]
		}
		if len(next) <= most {
			words(t, g, names, to, next, most, into)
		}
	}
}

// Every walk ends in a plan, and every plan is the end of a walk.
func TestGraphHasExactlyThePlans(t *testing.T) {
	for _, c := range []struct{ grammar, property, want string }{
		{"S -> a S S | b | c\nlimit 1 each", "", "abc acb b c"},
		{"S -> A S | x\nA -> a | b\nlimit 1 a b", "", "abx ax bax bx x"},
		{"S -> A S | x\nA -> a | b\nlimit 1 a b", "F(a)", "abx ax bax"},
		{"S -> x y S | z\nlimit 1 x", "", "xyz z"},
		{"S -> T z | T y\nT -> a b T | c\nlimit 1 a", "", "abcy abcz cy cz"},
		{"S -> a b", "", "ab"},
		{"S -> | a S\nlimit 2 a", "", " a aa"},
	} {
		g := must.Grammar(t, c.grammar)
		var properties []Property
		if c.property != "" {
			formulas, found := ltl.Parse(source.NewFile("a.ltl", c.property))
			if len(found) > 0 {
				t.Fatal(found)
			}
			properties = append(properties, Property{Name: "it", Formula: formulas[0].Formula})
		}
		table, err := NewTable(g, g.DeclaredLimits(), nil, properties...)
		if err != nil {
			t.Fatal(err)
		}
		graph, start, err := table.Graph(nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		begun := ""
		for _, s := range graph.Begun() {
			begun += g.Names[s]
		}
		words(t, graph, g.Names, start, begun, 10, got)
		var list []string
		for word := range got {
			list = append(list, word)
		}
		slices.Sort(list)
		if strings.Join(list, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.grammar, list, c.want)
		}
	}
}

// A graph and the planner's space offer the same choices after the same path, for every source of
// the path.
func TestGraphMovesEqualPlannerOffers(t *testing.T) {
	g := must.Grammar(t, "S -> A I | C T\nI -> A I | C T | i\nT -> B I | D T | E I T\nA -> a | b\nB -> c\nC -> d\nD -> e | f\nE -> g\nlimit 1 each except i")
	table, err := NewTable(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	graph, start, err := table.Graph(nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range effort.Of(300) {
		space := table.derivation(false, 100_000, nil)
		now, err := space.Begin()
		if err != nil {
			t.Fatal(err)
		}
		var word []grammar.Symbol
		for at := start; ; {
			for {
				next, status, err := space.Step(now)
				if err != nil {
					t.Fatal(err)
				}
				if status != Advanced {
					break
				}
				now = next
			}
			if graph.Done(at) != (now.(derivationConfig).stack == nil) {
				t.Fatalf("after %v: done is %v", word, graph.Done(at))
			}
			if graph.Done(at) {
				break
			}
			seen, err := space.Look(now)
			if err != nil {
				t.Fatal(err)
			}
			offers, err := graph.Offers(at)
			if err != nil || len(offers) != len(seen.Moves) {
				t.Fatalf("after %v: %d offers of %d, %v", word, len(offers), len(seen.Moves), err)
			}
			for i, m := range seen.Moves {
				if offers[i] != space.head(m) {
					t.Fatalf("after %v: offer %d is %d, not %d", word, i, offers[i], space.head(m))
				}
			}
			n := random.IntN(len(offers))
			word = append(word, offers[n])
			if now, _, err = space.Apply(now, seen.Moves[n]); err != nil {
				t.Fatal(err)
			}
			if at, _, err = graph.Take(at, n); err != nil {
				t.Fatal(err)
			}
		}
		if ok, err := table.Valid(word, nil); !ok || err != nil {
			t.Fatalf("%v is no plan, %v", word, err)
		}
	}
}

func TestGraphErrorsAreCoded(t *testing.T) {
	code := func(text string, m *meter.Meter) string {
		g := must.Grammar(t, text)
		table, err := NewTable(g, g.DeclaredLimits(), nil)
		if err != nil {
			t.Fatal(err)
		}
		graph, start, err := table.Graph(m)
		if err == nil {
			_, err = graph.Offers(start)
		}
		var coded interface{ Code() string }
		if !errors.As(err, &coded) {
			t.Fatalf("%q: %v", text, err)
		}
		return coded.Code()
	}
	if got := code("S -> a a\nlimit 1 a", nil); got != "plan.none" {
		t.Errorf("without a plan: %s", got)
	}
	if got := code("S -> a | b", meter.New(meter.Budget{Steps: 20})); got != "limit.steps" {
		t.Errorf("without steps: %s", got)
	}
	if got := code("S -> a | b", meter.New(meter.Budget{States: 1})); got != "limit.states" {
		t.Errorf("without room: %s", got)
	}
	g := must.Grammar(t, "S -> a S b | c\nlimit 1 a")
	table, err := NewTable(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]bool{"acb": true, "c": true, "aacbb": false, "ac": false} {
		var symbols []grammar.Symbol
		for _, name := range strings.Split(word, "") {
			s, _ := g.Lookup(name)
			symbols = append(symbols, s)
		}
		if ok, err := table.Valid(symbols, nil); ok != want || err != nil {
			t.Errorf("%s is valid: %v, %v", word, ok, err)
		}
	}
}
