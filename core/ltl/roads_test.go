package ltl

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
)

// by translates a formula by one road.
func by(t *testing.T, f *Formula, a *Alphabet, m *meter.Meter, way func(*translator) road) *Automaton {
	t.Helper()
	out := a.automaton(f)
	tr := newTranslator(out.variables, m)
	tr.letters = out.letters()
	d, err := way(tr)(f)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	out.Symbolic = d.WithoutEmpty()
	return out
}

// ways are the roads, progression first: it is the one that is compared with
// definitions formula by formula.
var ways = []struct {
	name string
	of   func(*translator) road
}{
	{"progression", func(t *translator) road { return t.progress }},
	{"products", func(t *translator) road {
		return func(f *Formula) (*automaton.Symbolic, error) { return t.combined(f, forward) }
	}},
	{"backward", func(t *translator) road { return t.reversed }},
}

func (d *Automaton) print(t *testing.T) string {
	t.Helper()
	e, err := d.Explicit()
	if err != nil {
		t.Fatal(err)
	}
	return e.String()
}

// All roads lead to the same automaton, state by state: all formulas of two operators
// over two propositions, those of three now and then.
func TestAllRoadsLeadToTheSameAutomaton(t *testing.T) {
	var alphabets []*Alphabet
	for _, letters := range []Letters{Powerset, OneHot} {
		for _, props := range [][]string{{"a", "b"}, {"a", "b", "c"}} {
			a, err := NewAlphabet(props, letters)
			if err != nil {
				t.Fatal(err)
			}
			alphabets = append(alphabets, a)
		}
	}
	random := rand.New(rand.NewPCG(19, 13))
	alike := func(f *Formula, a *Alphabet) {
		t.Helper()
		want := by(t, f, a, nil, ways[0].of).print(t)
		for _, w := range ways[1:] {
			if got := by(t, f, a, nil, w.of).print(t); got != want {
				t.Fatalf("%s (%s of %v), by %s:\n%sby progression:\n%s", f, a.Letters, a.Props, w.name, got, want)
			}
		}
	}
	apply := func(list []*Formula, share int) (out []*Formula) {
		for op := Not; op <= StrongRelease; op++ {
			for _, f := range list {
				if op <= Globally {
					out = append(out, New(op, f))
					continue
				}
				for _, g := range list {
					if random.IntN(share) == 0 {
						out = append(out, New(op, f, g))
					}
				}
			}
		}
		return out
	}
	one := []*Formula{New(True), New(False), New(Last), NewProp("a"), NewProp("b")}
	two := append(one, apply(one, 1)...)
	three := apply(two, 2_000_000/effort.Sample(400_000, 10_000))
	for i, f := range append(two, three...) {
		alike(f, alphabets[i%len(alphabets)])
	}
	t.Logf("%d formulas", len(two)+len(three))
}
