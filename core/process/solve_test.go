package process_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
)

// TestLargeProblemIsCheckedInSlices checks a problem of 10⁵ variables in slices, and
// stops the run during the check.
func TestLargeProblemIsCheckedInSlices(t *testing.T) {
	text := strings.Repeat("(declare-const x Int)", 100_000) // all but one variable is undeclared; only the first errors are listed
	ok := "(declare-const x Int)" + strings.Repeat("(assert (> x 1))", 100_000)
	for _, test := range []struct {
		text  string
		least int
	}{{text, 0}, {ok, 10}} {
		ask := func(env *process.Env) (any, error) {
			result, err := env.Solve(solve.Z3, test.text, solve.Limits{})
			return string(result.Status), err
		}
		p := process.New(ask, 1, meter.Budget{Steps: 1 << 36}, nil)
		slices := 0
		out := resume(t, p, 100_000)
		for ; out.State == process.StateWorking; slices++ {
			out = resume(t, p, 100_000)
		}
		if slices < test.least || test.least > 0 && (len(out.Effects) != 1 || out.Effects[0].Solve == nil) {
			t.Errorf("after %d slices it is %s with %d effects", slices, out.State, len(out.Effects))
		}
		if test.least == 0 {
			continue
		}
		stopped := process.New(ask, 1, meter.Budget{Steps: 1 << 36}, nil)
		resume(t, stopped, 100_000)
		if out := stopped.Stop(); !errors.Is(out.Err, process.ErrCancelled) || len(out.Effects) > 0 {
			t.Errorf("stopped amid the check it ends with %v and %d effects", out.Err, len(out.Effects))
		}
	}
}
