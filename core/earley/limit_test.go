package earley_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
)

// TestWorkEndsWithLimit runs every operation with a smaller budget than it needs.
func TestWorkEndsWithLimit(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	texts := []string{"S -> S S | a | b S", "S -> A b | S c\nA -> a A | ε | B\nB -> a B b | b"}
	for range effort.Of(30) {
		texts = append(texts, enum.Grammar(random))
	}
	for _, text := range texts {
		g := must.Grammar(t, text)
		word := []grammar.Symbol{}
		for range 5 {
			if g.NumTerminals > 0 {
				word = append(word, grammar.Symbol(random.IntN(g.NumTerminals)))
			}
		}
		if shortest, ok, err := earley.Shortest(g); ok && err == nil {
			word = shortest
		}
		caps := make([]int64, g.NumTerminals)
		for i := range caps {
			caps[i] = 2
		}
		p := earley.New(g)
		for what, work := range map[string]func(m *meter.Meter) error{
			"recognize": func(m *meter.Meter) error { _, err := p.Recognize(word, m); return err },
			"trees":     func(m *meter.Meter) error { _, err := p.Trees(word, m); return err },
			"forest":    func(m *meter.Meter) error { _, err := p.Forest(word, m); return err },
			"words":     func(m *meter.Meter) error { _, err := counting.Words(g, 4, m); return err },
			"plans":     func(m *meter.Meter) error { _, _, err := counting.Plans(g, caps, m); return err },
			"allTrees":  func(m *meter.Meter) error { _, err := counting.Trees(g, 4, m); return err },
			"within": func(m *meter.Meter) error {
				n, err := grammar.ComputeNeeds(g, caps, m)
				if err != nil {
					return err
				}
				r := p.Start(m)
				for _, letter := range word {
					if ok, err := r.Push(letter); !ok || err != nil {
						return err
					}
				}
				_, _, _, err = r.NextWithin(n, caps)
				return err
			},
		} {
			// A budget that also ends unbounded plans.
			total := meter.New(meter.Budget{Steps: 20_000, States: 5_000})
			whole := work(total)
			var limit *meter.LimitError
			if errors.As(whole, &limit) {
				continue
			}
			for _, r := range []meter.Resource{meter.Steps, meter.States} {
				spent := total.Spent(r)
				for _, most := range []int64{1, spent / 4, spent / 2, spent - 1} {
					if most < 1 || most >= spent {
						continue
					}
					b := meter.Budget{Steps: most}
					if r == meter.States {
						b = meter.Budget{States: most}
					}
					if err := work(meter.New(b)); !errors.As(err, &limit) || limit.Resource != r {
						t.Errorf("%s%s: with %d of %d %s: %v", text, what, most, spent, r, err)
					}
				}
				if spent < 0 {
					t.Errorf("%s%s: %d %s", text, what, spent, r)
				}
			}
		}
	}
}

func TestRunIsUnchangedAfterLimit(t *testing.T) {
	g := must.Grammar(t, "S -> a S b | A\nA -> c A | ε")
	p := earley.New(g)
	names := func(list []grammar.Symbol) (out string) {
		for _, s := range list {
			out += g.Names[s]
		}
		return out
	}
	for most := int64(1); most < 60; most++ {
		r := p.Start(meter.New(meter.Budget{Steps: most}))
		var read []grammar.Symbol
		for _, letter := range []grammar.Symbol{0, 0, 2, 1, 1} {
			before, next := r.Len(), names(r.Next())
			ok, err := r.Push(letter)
			if err != nil {
				if r.Len() != before || names(r.Next()) != next {
					t.Errorf("%d steps, after %s: %d letters, then %s; want %d, %s", most, names(read), r.Len(), names(r.Next()), before, next)
				}
				break
			}
			if !ok {
				t.Fatalf("%s is refused after %s", g.Names[letter], names(read))
			}
			read = append(read, letter)
		}
	}
	r := p.Start(nil)
	if ok, err := r.Push(g.Start); ok || err != nil || r.Len() != 0 {
		t.Errorf("a nonterminal is read: %v", err)
	}
	if ok, err := r.Push(1); ok || err != nil || r.Len() != 0 || names(r.Next()) != "abc" && names(r.Next()) != "ac" {
		t.Errorf("%v, %v, %s", ok, err, names(r.Next()))
	}
}
