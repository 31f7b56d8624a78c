package ltl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
)

func drawTrace(random *rand.Rand, length int) []map[string]bool {
	trace := make([]map[string]bool, length)
	for i := range trace {
		trace[i] = map[string]bool{}
		for _, p := range []string{"a", "b", "c"} {
			trace[i][p] = random.IntN(2) == 0
		}
	}
	return trace
}

// leaves collects the propositions, with their steps, on which a reason rests.
func leaves(t *testing.T, r *ltl.Reason, into []map[string]bool, seen map[*ltl.Reason]bool) {
	if seen[r] {
		return
	}
	seen[r] = true
	if r.Formula.Op == ltl.Prop {
		for i := r.From; i <= r.To; i++ {
			into[i][r.Formula.Name] = true
		}
	}
	for _, because := range r.Because {
		leaves(t, because, into, seen)
	}
}

func TestReasonsDetermineTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	for range effort.Of(4000) {
		f := draw(random, 4)
		trace := drawTrace(random, 1+random.IntN(5))
		r := ltl.Explain(f, trace)
		if r.Holds != f.Holds(trace) || r.From != 0 || r.To != 0 {
			t.Fatalf("%s on %v: %v", f, trace, r)
		}
		kept := drawTrace(random, len(trace))
		for i := range kept {
			clear(kept[i])
		}
		leaves(t, r, kept, map[*ltl.Reason]bool{})
		for range 8 {
			other := drawTrace(random, len(trace))
			for i, step := range kept {
				for p := range step {
					other[i][p] = trace[i][p]
				}
			}
			if f.Holds(other) != r.Holds {
				t.Fatalf("%s on %v: the reason\n%sis not enough: %v", f, trace, r, other)
			}
		}
	}
}

func TestReasonString(t *testing.T) {
	f := parse(t, "G(pay -> F approve) & F last")
	r := ltl.Explain(f, steps([][]string{{"ask"}, {"pay"}, {"ask"}}))
	const want = `step 1: not (G (pay -> F approve) & F last)
  step 1: not (G (pay -> F approve))
    step 2: not (pay -> F approve)
      step 2: pay
      step 2: not (F approve)
        step 2 to 3: not approve
`
	if got := r.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
