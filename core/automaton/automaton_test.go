package automaton_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
)

// edge is a transition that reads a letter, or none if letter is -1.
type edge struct{ from, letter, to int }

type drawn struct {
	states, letters int
	edges           []edge
	accept          map[int]bool
}

func draw(random *rand.Rand) drawn {
	d := drawn{states: 1 + random.IntN(5), letters: 1 + random.IntN(3), accept: map[int]bool{}}
	for range random.IntN(3 * d.states) {
		d.edges = append(d.edges, edge{random.IntN(d.states), random.IntN(d.letters+1) - 1, random.IntN(d.states)})
	}
	for s := range d.states {
		d.accept[s] = random.IntN(3) == 0
	}
	return d
}

// accepts runs the drawn automaton on sets of states.
func (d drawn) accepts(word []int) bool {
	now := d.closure(map[int]bool{0: true})
	for _, letter := range word {
		next := map[int]bool{}
		for _, e := range d.edges {
			if now[e.from] && e.letter == letter {
				next[e.to] = true
			}
		}
		now = d.closure(next)
	}
	for s := range now {
		if d.accept[s] {
			return true
		}
	}
	return false
}

func (d drawn) closure(set map[int]bool) map[int]bool {
	for changed := true; changed; {
		changed = false
		for _, e := range d.edges {
			if e.letter < 0 && set[e.from] && !set[e.to] {
				set[e.to], changed = true, true
			}
		}
	}
	return set
}

func (d drawn) build() *automaton.NFA {
	n := &automaton.NFA{Letters: d.letters}
	for range d.states {
		n.State()
	}
	for _, e := range d.edges {
		if e.letter < 0 {
			n.Free(e.from, e.to)
		} else {
			n.Edge(e.from, e.letter, e.to)
		}
	}
	for s := range d.states {
		if d.accept[s] {
			n.Accept(s)
		}
	}
	return n
}

// words returns all words of up to max letters.
func words(letters, max int) [][]int {
	out := [][]int{{}}
	for at := 0; at < len(out); at++ {
		if len(out[at]) == max {
			continue
		}
		for l := range letters {
			out = append(out, append(append([]int{}, out[at]...), l))
		}
	}
	return out
}

func TestDeterminizeAndMinimizeKeepTheLanguage(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range effort.Of(1500) {
		d := draw(random)
		dfa, err := d.build().Determinize(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		small, err := dfa.Minimize(nil)
		if err != nil {
			t.Fatal(err)
		}
		if small.NumStates() > dfa.NumStates() {
			t.Fatalf("%+v: minimized from %d to %d states", d, dfa.NumStates(), small.NumStates())
		}
		less := small.WithoutEmpty()
		for _, w := range words(d.letters, 5) {
			want := d.accepts(w)
			if dfa.Accepts(w) != want || small.Accepts(w) != want || less.Accepts(w) != (want && len(w) > 0) {
				t.Fatalf("%+v: %v is accepted: %v; determinized %v, minimized %v, without ε %v", d, w, want, dfa.Accepts(w), small.Accepts(w), less.Accepts(w))
			}
		}
	}
}

// partition is a direct implementation of Moore's algorithm: two states are equivalent if no word of
// any length distinguishes them.
func partition(d *automaton.DFA) int {
	class := make([]int, d.NumStates())
	for s := range class {
		if d.Accepting(s) {
			class[s] = 1
		}
	}
	for count := 0; ; {
		names := map[string]int{}
		next := make([]int, len(class))
		for s := range class {
			key := fmt.Sprint(class[s])
			for l := range d.NumLetters() {
				key += fmt.Sprint(",", class[d.Next(s, l)])
			}
			if _, ok := names[key]; !ok {
				names[key] = len(names)
			}
			next[s] = names[key]
		}
		class = next
		if len(names) == count {
			return count
		}
		count = len(names)
	}
}

func TestMinimizeIsMinimalAndCanonical(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for range effort.Of(1500) {
		d := draw(random)
		dfa, err := d.build().Determinize(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		small, err := dfa.Minimize(nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := partition(dfa); small.NumStates() != want {
			t.Fatalf("%+v: %d states, not %d\n%s", d, small.NumStates(), want, small)
		}
		// Another automaton of the same language has the same smallest one: here,
		// its states doubled and shuffled.
		n := dfa.NumStates()
		place := random.Perm(2 * n)
		// The start has to stay state 0.
		for i, p := range place {
			if p == 0 {
				place[i], place[0] = place[0], 0
			}
		}
		rows, accept := make([][]int, 2*n), make([]bool, 2*n)
		for s := range 2 * n {
			for l := range dfa.NumLetters() {
				copyOf := dfa.Next(s%n, l) + n*random.IntN(2)
				rows[place[s]] = append(rows[place[s]], place[copyOf])
			}
			accept[place[s]] = dfa.Accepting(s % n)
		}
		other, err := automaton.NewDFA(rows, accept).Minimize(nil)
		if err != nil {
			t.Fatal(err)
		}
		if other.String() != small.String() {
			t.Fatalf("%+v: one language, two smallest automata\n%s\n%s", d, small, other)
		}
	}
}

func TestDistancesAreThoseOfShortestWords(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range effort.Of(500) {
		d := draw(random)
		dfa, err := d.build().Determinize(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := -1
		for _, w := range words(d.letters, 5) {
			if d.accepts(w) {
				want = len(w)
				break
			}
		}
		if got := dfa.Distances()[0]; got != want && (want >= 0 || got <= 5 && got >= 0) {
			t.Fatalf("%+v: distance %d, shortest word %d", d, got, want)
		}
	}
}

func TestExplosiveAutomatonEndsWithLimit(t *testing.T) {
	// The twentieth letter from the end is 1: 2^20 states.
	n := &automaton.NFA{Letters: 2}
	for range 21 {
		n.State()
	}
	n.Edge(0, 0, 0)
	n.Edge(0, 1, 0)
	n.Edge(0, 1, 1)
	for s := 1; s < 20; s++ {
		n.Edge(s, 0, s+1)
		n.Edge(s, 1, s+1)
	}
	n.Accept(20)
	_, err := n.Determinize(0, meter.New(meter.Budget{States: 10_000}))
	var limit *meter.LimitError
	if !errors.As(err, &limit) || limit.Code() != "limit.states" {
		t.Errorf("got %v", err)
	}
}
