package automaton_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
)

// table is an automaton over valuations written out: a row for each state, a
// column for each set of variables that hold, as bits.
type table struct {
	next   [][]int
	accept []bool
}

// letters returns the sets of variables that an alphabet has.
func letters(l automaton.Letters) []int {
	var out []int
	for set := range 1 << l.Variables {
		single := set&(set-1) == 0
		if !l.Exclusive || single && (set != 0 || !l.Closed) {
			out = append(out, set)
		}
	}
	return out
}

// drawTable draws an automaton and builds it from the functions that report whether one
// variable holds.
func drawTable(random *rand.Rand, l automaton.Letters, m *meter.Meter) (table, *automaton.Symbolic, error) {
	states := 1 + random.IntN(6)
	t := table{}
	store := automaton.NewDiagrams(l, m)
	var roots []automaton.Diagram
	for range states {
		row := make([]int, 1<<l.Variables)
		d := automaton.Leaf(random.IntN(states))
		for set := range row {
			row[set] = store.Eval(d, func(int) bool { return false })
		}
		for range random.IntN(5) {
			v, to := random.IntN(l.Variables), random.IntN(states)
			negated := random.IntN(2) == 0
			yes, no := 1, 0
			if negated {
				yes, no = 0, 1
			}
			// The letters for which the variable holds (or does not) lead to to; others as before.
			d = automaton.NewCombiner(store, store, store, func(a, b int) int {
				if a == 1 {
					return to
				}
				return b
			}).Apply(store.Holds(v, yes, no), d)
			for set := range row {
				if (set>>v&1 == 1) != negated {
					row[set] = to
				}
			}
		}
		t.next = append(t.next, row)
		t.accept = append(t.accept, random.IntN(2) == 0)
		roots = append(roots, d)
	}
	s, err := automaton.NewSymbolic(store, roots, t.accept)
	return t, s, err
}

func (t table) accepts(word []int) bool {
	q := 0
	for _, set := range word {
		q = t.next[q][set]
	}
	return t.accept[q]
}

func symbolicAccepts(s *automaton.Symbolic, word []int) bool {
	q := s.Start()
	for _, set := range word {
		q = s.Next(q, func(v int) bool { return set>>v&1 == 1 })
	}
	return s.Accepting(q)
}

// wordsOver returns all words of up to max letters of an alphabet.
func wordsOver(alphabet []int, max int) [][]int {
	out := [][]int{{}}
	for at := 0; at < len(out); at++ {
		if len(out[at]) == max {
			continue
		}
		for _, set := range alphabet {
			out = append(out, append(append([]int{}, out[at]...), set))
		}
	}
	return out
}

// set returns a letter of the automaton as bits, one for each proposition.
func set(letter []int) int {
	bits := 0
	for _, v := range letter {
		bits |= 1 << v
	}
	return bits
}

func TestAutomataOverValuationsAgreeWithTables(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for range effort.Of(600) {
		l := automaton.Letters{Variables: 1 + random.IntN(3), Exclusive: random.IntN(2) == 0}
		l.Closed = l.Exclusive && random.IntN(2) == 0
		alphabet := letters(l)
		ta, a, err := drawTable(random, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		tb, b, err := drawTable(random, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		small, err := a.Minimize(nil)
		if err != nil {
			t.Fatal(err)
		}
		both, err := a.Product(b, func(x, y bool) bool { return x && !y }, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := a.Explicit(len(alphabet), func(letter, v int) bool { return alphabet[letter]>>v&1 == 1 })
		if err != nil {
			t.Fatal(err)
		}
		smallest, err := list.Minimize(nil)
		if err != nil {
			t.Fatal(err)
		}
		if small.NumStates() != smallest.NumStates() {
			t.Fatalf("%+v %v: %d states, the table needs %d", l, ta, small.NumStates(), smallest.NumStates())
		}
		less := small.WithoutEmpty()
		again, err := less.Minimize(nil)
		if err != nil || again.NumStates() != less.NumStates() {
			t.Fatalf("%+v %v: without the empty word %d states, %d are enough (%v)", l, ta, less.NumStates(), again.NumStates(), err)
		}
		shortest := -1
		missing := -1
		for _, w := range wordsOver(alphabet, 4) {
			x, y := ta.accepts(w), tb.accepts(w)
			if symbolicAccepts(a, w) != x || symbolicAccepts(small, w) != x || symbolicAccepts(a.Complement(), w) == x ||
				symbolicAccepts(less, w) != (x && len(w) > 0) || symbolicAccepts(both, w) != (x && !y) {
				t.Fatalf("%+v %v: %v is accepted: %v", l, ta, w, x)
			}
			if x && shortest < 0 {
				shortest = len(w)
			}
			if x && !y && missing < 0 {
				missing = len(w)
			}
		}
		word, ok := a.Shortest()
		if shortest >= 0 && (!ok || len(word) != shortest) || shortest < 0 && ok && len(word) <= 4 {
			t.Fatalf("%+v %v: the shortest word is %v %v, not of length %d", l, ta, word, ok, shortest)
		}
		check := func(word [][]int, holds func(w []int) bool) {
			t.Helper()
			var sets []int
			for _, letter := range word {
				sets = append(sets, set(letter))
				if l.Closed && len(letter) != 1 || l.Exclusive && len(letter) > 1 {
					t.Fatalf("%+v has no letter %v", l, letter)
				}
			}
			if !holds(sets) {
				t.Fatalf("%+v: %v is no such word", l, word)
			}
		}
		if ok {
			check(word, ta.accepts)
		}
		word, found, err := a.Missing(b, nil)
		if err != nil || missing >= 0 && (!found || len(word) != missing) || missing < 0 && found && len(word) <= 4 {
			t.Fatalf("%+v: missing %v %v (%v), want length %d", l, word, found, err, missing)
		}
		if found {
			check(word, func(w []int) bool { return ta.accepts(w) && !tb.accepts(w) })
		}
		if _, differ, err := a.Distinguish(small, nil); differ || err != nil {
			t.Fatalf("%+v: the smallest automaton differs (%v)", l, err)
		}
		if a.Empty() != (a.Distances()[0] < 0) {
			t.Fatal("empty and distances disagree")
		}
	}
}

func TestGuardsAgreeWithTransitions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 10))
	for range effort.Of(600) {
		l := automaton.Letters{Variables: 1 + random.IntN(4), Exclusive: random.IntN(3) == 0}
		ta, a, err := drawTable(random, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		for q := range a.NumStates() {
			transitions, ok := a.Transitions(q, nil)
			if !ok {
				t.Fatal("too many cubes")
			}
			if !slices.IsSortedFunc(transitions, func(a, b automaton.Transition) int { return a.To - b.To }) {
				t.Fatalf("the states are in no order: %v", transitions)
			}
			for _, letter := range letters(l) {
				var to []int
				for _, tr := range transitions {
					if meets(tr.Guard, letter) {
						to = append(to, tr.To)
					}
				}
				if !reflect.DeepEqual(to, []int{ta.next[q][letter]}) {
					t.Fatalf("%+v: from %d with %b to %v, not to %d: %v", l, q, letter, to, ta.next[q][letter], transitions)
				}
			}
			// No cube and no literal can be left out.
			for _, tr := range transitions {
				for i := range tr.Guard {
					less := append(append([]automaton.Cube{}, tr.Guard[:i]...), tr.Guard[i+1:]...)
					if same(l, tr.Guard, less) {
						t.Fatalf("%+v: a cube of %v is of no use", l, tr.Guard)
					}
				}
			}
		}
	}
}

func meets(guard []automaton.Cube, letter int) bool {
	for _, cube := range guard {
		all := true
		for _, literal := range cube {
			all = all && (letter>>literal.Variable&1 == 1) != literal.Negated
		}
		if all {
			return true
		}
	}
	return false
}

func same(l automaton.Letters, a, b []automaton.Cube) bool {
	for _, letter := range letters(l) {
		if meets(a, letter) != meets(b, letter) {
			return false
		}
	}
	return true
}

func TestComparisonsFindShortestWords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 12))
	for range effort.Of(300) {
		one, other := draw(random), draw(random)
		other.letters = one.letters
		for i := range other.edges {
			other.edges[i].letter = min(other.edges[i].letter, one.letters-1)
		}
		a, err := one.build().Determinize(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.build().Determinize(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		missing, differ := -1, -1
		for _, w := range words(one.letters, 6) {
			if one.accepts(w) && !other.accepts(w) && missing < 0 {
				missing = len(w)
			}
			if one.accepts(w) != other.accepts(w) && differ < 0 {
				differ = len(w)
			}
		}
		for _, c := range []struct {
			find func(a, b *automaton.DFA, m *meter.Meter) ([]int, bool, error)
			want int
		}{{automaton.Missing, missing}, {automaton.Distinguish, differ}} {
			word, found, err := c.find(a, b, nil)
			if err != nil || c.want >= 0 && (!found || len(word) != c.want) || c.want < 0 && found && len(word) <= 6 {
				t.Fatalf("%+v, %+v: found %v %v (%v), want length %d", one, other, word, found, err, c.want)
			}
		}
	}
}

func TestExplosiveDiagramsEndWithLimit(t *testing.T) {
	// Each pair of variables far apart must be equal: every order that keeps the
	// halves apart needs 2^20 branches.
	const half = 20
	l := automaton.Letters{Variables: 2 * half}
	m := meter.New(meter.Budget{States: 10_000})
	store := automaton.NewDiagrams(l, m)
	and := automaton.NewCombiner(store, store, store, func(a, b int) int { return a & b })
	equal := automaton.NewCombiner(store, store, store, func(a, b int) int { return 1 - a ^ b })
	d := automaton.Leaf(1)
	for v := range half {
		d = and.Apply(d, equal.Apply(store.Holds(v, 1, 0), store.Holds(v+half, 1, 0)))
	}
	var limit *meter.LimitError
	if _, err := automaton.NewSymbolic(store, []automaton.Diagram{d}, []bool{true}); !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
}
