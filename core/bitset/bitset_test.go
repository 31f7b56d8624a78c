package bitset

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// elements returns the elements of a set in the order of Each.
func elements(s Set) []int {
	out := []int{}
	s.Each(func(i int) { out = append(out, i) })
	return out
}

func TestSetHasAddedElements(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 63, 64, 65, 128, 129, 200} {
		if room := len(New(n)) * 64; room < n || room >= n+64 {
			t.Errorf("a set of the numbers below %d has room for %d", n, room)
		}
		for range 20 {
			s, want := New(n), make([]bool, n)
			for range random.IntN(n) + 1 {
				i := random.IntN(n)
				s.Add(i)
				want[i] = true
			}
			list := []int{}
			for i, in := range want {
				if s.Has(i) != in {
					t.Fatalf("%d of %d: it is in the set: %v", i, n, !in)
				}
				if in {
					list = append(list, i)
				}
			}
			if got := elements(s); !slices.Equal(got, list) {
				t.Fatalf("%v, want %v", got, list)
			}
		}
	}
	if len(New(0)) != 0 || len(elements(New(0))) != 0 {
		t.Error("a set without room has some")
	}
}

func TestJoinReportsNewElements(t *testing.T) {
	a, b := New(130), New(70)
	for _, i := range []int{3, 64, 129} {
		a.Add(i)
	}
	b.Add(3)
	if a.Join(b) {
		t.Error("a part of it is new to a set")
	}
	b.Add(69)
	if !a.Join(b) || !slices.Equal(elements(a), []int{3, 64, 69, 129}) {
		t.Errorf("joined they are %v", elements(a))
	}
	if a.Join(b) || !slices.Equal(elements(b), []int{3, 69}) {
		t.Errorf("joined once more; what was joined is %v", elements(b))
	}
}

func TestCopyIsIndependent(t *testing.T) {
	a := New(10)
	a.Add(1)
	b := a.Copy()
	b.Add(2)
	if a.Has(2) || !b.Has(1) || !b.Has(2) {
		t.Errorf("%v and its copy %v", elements(a), elements(b))
	}
}
