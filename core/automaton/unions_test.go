package automaton

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// Inclusion of the languages of two states agrees with a search for a counterexample,
// independently of earlier decisions, and unions reduced by it keep their language.
func TestUnionsAreReducedByInclusion(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 14))
	reduced := 0
	for range effort.Of(40) {
		s := drawSymbolic(random, 2+random.IntN(14))
		n := s.NumStates()
		u := newUnions(s, nil)
		for p := range n {
			for q := range n {
				if got, want := u.includes(int32(p), int32(q)), included(s, p, q); got != want {
					t.Fatalf("language of %d included in that of %d: %v, want %v", p, q, got, want)
				}
			}
		}
		out, spawned, err := s.suffixUnions(nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.NumStates() > n+64 {
			reduced++
		}
		for range 50 {
			word := make([]int, random.IntN(12))
			state, runs := 0, map[int]bool{}
			for i := range word {
				word[i] = random.IntN(4)
				holds := func(v int) bool { return word[i]>>v&1 == 1 }
				state = out.Next(spawned[state], holds)
				after := map[int]bool{s.Next(0, holds): true}
				for q := range runs {
					after[s.Next(q, holds)] = true
				}
				runs = after
			}
			want := false
			for q := range runs {
				want = want || s.accept[q]
			}
			if out.accept[state] != want {
				t.Fatalf("%v: accepted %v, want %v", word, out.accept[state], want)
			}
		}
	}
	if reduced == 0 {
		t.Error("no automaton was large enough for the reduction")
	}
}

// drawSymbolic returns a random smallest automaton over two variables of at most n
// states, few of which accept.
func drawSymbolic(random *rand.Rand, n int) *Symbolic {
	store := NewDiagrams(Letters{Variables: 2}, nil)
	s := &Symbolic{diagrams: store}
	for q := range n {
		state := func() Diagram { return Leaf(min(q+random.IntN(4), random.IntN(n))) }
		s.next = append(s.next, store.branch(0, store.branch(1, state(), state()), store.branch(1, state(), state())))
		s.accept = append(s.accept, random.IntN(4) == 0)
	}
	s, _ = s.Minimize(nil)
	return s
}

// included reports whether no word is accepted from p and rejected from q.
func included(s *Symbolic, p, q int) bool {
	list := [][2]int{{p, q}}
	found := map[[2]int]bool{list[0]: true}
	for i := 0; i < len(list); i++ {
		at := list[i]
		if s.accept[at[0]] && !s.accept[at[1]] {
			return false
		}
		for letter := range 4 {
			holds := func(v int) bool { return letter>>v&1 == 1 }
			if to := [2]int{s.Next(at[0], holds), s.Next(at[1], holds)}; !found[to] {
				found[to] = true
				list = append(list, to)
			}
		}
	}
	return true
}
