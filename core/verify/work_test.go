package verify_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/verify"
)

// spent returns the states and steps that work spends from a meter.
func spent(t *testing.T, work func(m *meter.Meter) error) (states, steps int64) {
	t.Helper()
	m := meter.New(meter.Budget{})
	if err := work(m); err != nil {
		t.Fatal(err)
	}
	return m.Spent(meter.States), m.Spent(meter.Steps)
}

// ring returns an automaton that moves to the next state with every letter and accepts in the
// last.
func ring(letters, states int) *automaton.DFA {
	rows, accept := make([][]int, states), make([]bool, states)
	for q := range rows {
		for range letters {
			rows[q] = append(rows[q], (q+1)%states)
		}
	}
	accept[states-1] = true
	return automaton.NewDFA(rows, accept)
}

// TestWorkEndsWithLimit runs each computation with less than it needs, and with exactly
// that: a meter never regains spent steps.
func TestWorkEndsWithLimit(t *testing.T) {
	g := must.Grammar(t, "S -> A x S A A | A\nA -> a1 | a2 | b S x\nlimit 2 each")
	caps, err := g.Caps(g.DeclaredLimits())
	if err != nil {
		t.Fatal(err)
	}
	d := ring(g.NumTerminals, 2)
	word := []grammar.Symbol{0, 0, 0, 1, -1, 1, 0, 2}
	silent := make([]bool, g.NumTerminals)
	silent[3] = true
	f := formula(t, "G(a1 -> F b)")
	for what, work := range map[string]func(m *meter.Meter) error{
		"intersect": func(m *meter.Meter) error { _, err := verify.Intersect(g, verify.Deterministic(d), m); return err },
		"needed": func(m *meter.Meter) error {
			_, err := verify.IntersectNeeded(g, verify.Deterministic(d), m)
			return err
		},
		"nearest": func(m *meter.Meter) error { _, err := verify.Nearest(g, caps, d, word, m); return err },
		"heard": func(m *meter.Meter) error {
			_, err := verify.WithoutSilent(g, caps, d, silent, []grammar.Symbol{0, 1}, m)
			return err
		},
		"shortest": func(m *meter.Meter) error { _, _, err := verify.Shortest(g, d, m); return err },
		"formula":  func(m *meter.Meter) error { _, _, err := verify.Grammar(g, f, m); return err },
	} {
		states, steps := spent(t, work)
		for _, c := range []struct {
			resource meter.Resource
			spent    int64
			budget   func(most int64) meter.Budget
		}{
			{meter.States, states, func(most int64) meter.Budget { return meter.Budget{States: most} }},
			{meter.Steps, steps, func(most int64) meter.Budget { return meter.Budget{Steps: most} }},
		} {
			for most := int64(1); most < c.spent; most += 1 + most/50 {
				var limit *meter.LimitError
				if err := work(meter.New(c.budget(most))); !errors.As(err, &limit) || limit.Resource != c.resource {
					t.Errorf("%s: %d of %d %s: %v", what, most, c.spent, c.resource, err)
					break
				}
			}
			if err := work(meter.New(c.budget(c.spent))); err != nil {
				t.Errorf("%s: with all of %d %s: %v", what, c.spent, c.resource, err)
			}
		}
	}
}

func TestWorkSpendsFromMeter(t *testing.T) {
	loop := func(g *grammar.Grammar) verify.Nondeterministic { return verify.Deterministic(ring(g.NumTerminals, 1)) }
	// heard asks whether a word can be observed of a grammar, whose letters s… are silent;
	// these and the letters t… are limited.
	heard := func(text string, cap int64, word ...string) func(m *meter.Meter) error {
		g := must.Grammar(t, text)
		silent, caps := make([]bool, g.NumTerminals), make([]int64, g.NumTerminals)
		for s := range silent {
			silent[s], caps[s] = g.Names[s][0] == 's', cap
			if g.Names[s][0] == 'a' {
				caps[s] = grammar.Unlimited
			}
		}
		symbols := make([]grammar.Symbol, len(word))
		for i, name := range word {
			symbols[i] = -1
			if s, ok := g.Lookup(name); ok {
				symbols[i] = s
			}
		}
		return func(m *meter.Meter) error {
			_, err := verify.WithoutSilent(g, caps, nil, silent, symbols, m)
			return err
		}
	}
	list := func(name string, n int) []string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = strings.ReplaceAll(name, "#", fmt.Sprint(i))
		}
		return parts
	}
	spaced := func(name string, n int) string { return strings.Join(list(name, n), " ") }
	// From its start the last of some letters leads to a hundred states, and the first from
	// those to one.
	fan := func(letters int, accepts bool) verify.Nondeterministic {
		a := table{accept: make([]bool, 101)}
		var hundred []int
		for q := range a.accept {
			a.moves = append(a.moves, slices.Repeat([][]int{{0}}, letters))
			hundred = append(hundred, q)
		}
		a.moves[100][letters-1], a.accept[0] = hundred[:100], accepts
		return a
	}
	intersect := func(text string, a verify.Nondeterministic) func(m *meter.Meter) error {
		g := must.Grammar(t, text)
		if a == nil {
			a = loop(g)
		}
		return func(m *meter.Meter) error { _, err := verify.IntersectNeeded(g, a, m); return err }
	}
	for _, c := range []struct {
		what          string
		work          func(m *meter.Meter) error
		states, steps int64
	}{
		// S is demanded and found, its right side is followed, and it is a triple of one
		// production.
		{"a production of a hundred letters", intersect("S -> "+spaced("t#", 100), nil), 2 + 1 + 2 + 1, (1 + 100) + 100*2 + 3},
		{"a letter to a hundred states", intersect("S -> a", fan(1, false)), 2 + 100, 2 + (1 + 100) + (2 + 100)},
		// 101 triples have 200 productions, and the ends of A are visited.
		{"a hundred ways through a part", intersect("S -> A b\nA -> a", fan(2, true)), (2 + 2 + 1 + 100 + 1) + 2*101 + 200, (3 + 2) + 3 + (1 + 100) + (2 + 100) + 100*(2+3) + (1 + 100/8)},
		{"the way through a part that ends where it has to", intersect("S -> A\nA -> a", fan(1, true)), (2 + 2 + 1 + 100 + 100) + 2*2 + 2*1, (2 + 2) + 3 + (1 + 100) + (2 + 100) + 100*3 + 1},
		{"a production of two parts", intersect("S -> A A\nA -> a", nil), (2 + 1) + (2 + 1) + 2*1 + 2*2 + (1 + 1) + 1, (3 + 2) + (2 + 3) + 3*3 + 2*1},
		// A table of 1,601 places for S and one for the letter, which ends at two of them, or all.
		{"a letter that is found nowhere", heard("S -> a", 0, slices.Repeat([]string{"?"}, 1600)...), (1 + 1601/16) + (1 + 1601/4) + 1, 2 + (1 + 1601/16) + 3 + (2 + 2)},
		{"a letter that is found everywhere", heard("S -> a", 0, slices.Repeat([]string{"a"}, 1600)...), (1 + 1601/16) + (1 + 1601/4) + (1 + 1601/16) + 1, 2 + (1 + 1601/16) + (3 + 1600) + (2 + 1601)},
		// A ends at both places, S must end at the second.
		{"a part that ends where it has to", heard("S -> A\nA -> ε | a", 0, "a"), 12 + 2*(2+1) + 2*1, (2 + 1 + 2) + 3 + 3 + (1 + 4 + 4) + 2*3 + (1 + 1) + 2*4},
		// The k-th letter continues from k positions, and each continuation matches the letter of
		// the word there; inserted letters cost twenty. One triple has one edge, which uses twenty
		// letters.
		{"a way that breaks a limit", heard("S -> "+spaced("t#", 20), 0, list("t#", 20)...), (1 + 21/16) + (1 + 21/4) + (1 + 21/16) + 20/4 + 1 + 2 + (1 + 20/8), 21 + 20*(1+21/16) + 210*(3+1) + (2 + 21) + (4 + 20/8)},
		{"a way that uses much", heard("S -> "+spaced("s#", 32)+" a", 1, "a"), 1 + 1 + 1 + 1 + 2 + (1 + 32/8) + (1 + 32/16), 34 + 33*1 + (3 + 1) + (2 + 2) + 4},
		// None of sixteen labels is better than another, so each is compared with those before.
		{"many labels", heard("S -> A a | "+spaced("s# s#", 16)+" a\nA -> "+strings.Join(list("s#", 16), " | "), 1, "a"), 43 + 2*2 + 18*(1+16/8) + 16*(1+1) + 8 + (1 + 1), 188 + (4 + 16/8) + 16*4 + 120*(1+16/8) + 4},
		// Twelve bytes for each of two symbols and a pair of states; one production, once.
		{"forty states", func(m *meter.Meter) error {
			_, _, err := verify.Shortest(must.Grammar(t, "S -> a"), ring(1, 40), m)
			return err
		}, 2 * (1 + 1600/8), 40 * (1 + (1+1)*(1+40/8))},
	} {
		if states, steps := spent(t, c.work); states != c.states || steps != c.steps {
			t.Errorf("%s: %d states and %d steps, want %d and %d", c.what, states, steps, c.states, c.steps)
		}
	}
}

// Thirty rules suffice for a shortest word that is too long to represent. Reporting that no word
// exists would be wrong.
func TestTooLongWordEndsWithLimit(t *testing.T) {
	doubled := func(times int) *grammar.Grammar {
		text := ""
		for i := range times {
			text += fmt.Sprintf("S%d -> S%d S%d\n", i, i+1, i+1)
		}
		return must.Grammar(t, text+fmt.Sprintf("S%d -> a", times))
	}
	never := formula(t, "false")
	for _, times := range []int{0, 1, 9, 14} {
		g := doubled(times)
		holds, word, err := verify.Grammar(g, never, meter.New(meter.Budget{}))
		if err != nil || holds || len(word) != 1<<times {
			t.Errorf("2^%d: holds %v with %d symbols (%v)", times, holds, len(word), err)
		}
		var limit *meter.LimitError
		if _, _, err := verify.Grammar(g, never, meter.New(meter.Budget{States: 1<<times - 1})); times > 8 && (!errors.As(err, &limit) || limit.Resource != meter.States) {
			t.Errorf("2^%d symbols for less: %v", times, err)
		}
	}
	for _, times := range []int{22, 29, 30, 31, 32, 40} {
		for _, m := range []*meter.Meter{meter.New(meter.Budget{}), nil} {
			if m == nil && times < 30 {
				continue // its caller receives the notification
			}
			var limit *meter.LimitError
			if holds, word, err := verify.Grammar(doubled(times), never, m); holds || word != nil || !errors.As(err, &limit) {
				t.Errorf("2^%d: holds %v with %d symbols (%v)", times, holds, len(word), err)
			}
		}
	}
	// No near word is found where so many letters would have to be inserted.
	for _, times := range []int{24, 29, 30, 31, 32, 40} {
		var limit *meter.LimitError
		if near, err := verify.Nearest(doubled(times), nil, nil, []grammar.Symbol{0}, meter.New(meter.Budget{})); near != nil || !errors.As(err, &limit) {
			t.Errorf("2^%d: %v", times, err)
		}
	}
}

// A production's second part is expanded once per state, however many ends of its first part lead
// to that state.
func TestEqualDerivationsAreMerged(t *testing.T) {
	const n = 100
	g := must.Grammar(t, "S -> A x B\nA -> a\nB -> b")
	a := table{accept: make([]bool, n)} // a and b lead to all states, x to the first
	var all []int
	for q := range n {
		all = append(all, q)
		a.moves = append(a.moves, [][]int{{0}, nil, nil})
	}
	for q := range n {
		a.moves[q][1], a.moves[q][2] = all, all
	}
	_, steps := spent(t, func(m *meter.Meter) error {
		_, err := verify.IntersectNeeded(g, a, m)
		return err
	})
	if steps > 20*n {
		t.Errorf("%d steps", steps)
	}
}

func TestSatisfiedLimitsCostNothing(t *testing.T) {
	g, caps, word := tools(t, "f1 d1 b1 i d2 b2 i")
	nearest := func(caps []int64) (states, steps int64) {
		return spent(t, func(m *meter.Meter) error {
			near, err := verify.Nearest(g, caps, nil, word, m)
			if err == nil && near.Distance != 0 {
				t.Errorf("the plan is valid, but %+v", near)
			}
			return err
		})
	}
	states, steps := nearest(caps)
	if freeStates, freeSteps := nearest(nil); states != freeStates || steps != freeSteps {
		t.Errorf("%d states and %d steps, without limits %d and %d", states, steps, freeStates, freeSteps)
	}
}

// Plans that exceed many limits are far from a valid one. The search ends in time only
// because of the prices of tools, the classes of tools, and the dropped ones.
func TestNearestOfPlanThatBreaksManyLimits(t *testing.T) {
	for _, c := range []struct {
		plan          string
		distance      int
		states, steps int64
	}{
		{"f1 d1 d1 d3 e1 a1 a1 c1 d4 b1 a3 i b2 a4 i f1 b3 i d5 i", 5, 100_000, 500_000},
		{"a1 a1 a1 a1 b1 b1 b1 d1 d1 d1 d1 i", 8, 100_000, 500_000},
	} {
		g, caps, word := tools(t, c.plan)
		near, err := verify.Nearest(g, caps, nil, word, meter.New(meter.Budget{States: c.states, Steps: c.steps}))
		if err != nil || near.Distance != c.distance {
			t.Errorf("%s: %+v, %v", c.plan, near, err)
		}
	}
}

// tools reads a plan of the tools of OpenAGI, each of which may be used once.
func tools(t *testing.T, plan string) (g *grammar.Grammar, caps []int64, word []grammar.Symbol) {
	t.Helper()
	text, err := os.ReadFile("../../grammars/openagi/openagi.cfg")
	if err != nil {
		t.Fatal(err)
	}
	g = must.Grammar(t, string(text))
	if caps, err = g.Caps(g.DeclaredLimits()); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(plan) {
		s, ok := g.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		word = append(word, s)
	}
	return g, caps, word
}
