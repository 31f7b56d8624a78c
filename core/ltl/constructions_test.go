package ltl

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
)

// by translates a formula by one construction.
func by(t *testing.T, f *Formula, a *Alphabet, m *meter.Meter, way func(*translator) construction) *Automaton {
	t.Helper()
	out := a.automaton(f)
	tr := newTranslator(out.variables, m)
	tr.letters, tr.more = out.letters(), allConstructions()
	d, err := way(tr)(f)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	out.Symbolic = d.WithoutEmpty()
	return out
}

// ways are the constructions. Progression is first because other tests compare it with
// the definition of the operators.
var ways = []struct {
	name string
	of   func(*translator) construction
}{
	{"progression", func(t *translator) construction { return t.progress }},
	{"products", func(t *translator) construction {
		return func(f *Formula) (*automaton.Symbolic, error) { return t.combined(f, forward) }
	}},
	{"composed", func(t *translator) construction { return t.composedOnly }},
	{"backward", func(t *translator) construction { return t.reversed }},
	{"those of TranslatePlain", func(t *translator) construction {
		t.more = nil
		return t.automaton
	}},
}

func (d *Automaton) print(t *testing.T) string {
	t.Helper()
	e, err := d.Explicit()
	if err != nil {
		t.Fatal(err)
	}
	return e.String()
}

// All constructions return the same automaton, state by state, for all formulas with two
// operators over two propositions and for a sample of those with three.
func TestConstructionsReturnTheSameAutomaton(t *testing.T) {
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

// composedOnly translates temporal operators from their arguments' automata alone.
func (t *translator) composedOnly(f *Formula) (*automaton.Symbolic, error) {
	n := t.number(f)
	if d := t.known[forward][n]; d != nil || f.Op <= Prop {
		return t.combined(f, forward)
	}
	for _, g := range []*Formula{f.Left, f.Right} {
		if g != nil {
			if _, err := t.composedOnly(g); err != nil {
				return nil, err
			}
		}
	}
	if f.Op < Finally || And <= f.Op && f.Op <= Iff {
		return t.combined(f, forward)
	}
	d, err := t.composed(f)
	if err == nil {
		t.known[forward][n] = d
	}
	return d, err
}
