package formulate

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/strips"
)

// A plan is optimal if no shorter one is possible: the search begins at most at the lower bound,
// or it finds no plan of the number of steps that it begins with. Each query is reported before it
// is sent and after it is answered.
func TestSearchedPlansAreOptimalIfShorterOnesAreExcluded(t *testing.T) {
	spec, _ := strips.Parse(sourceOf(walk))
	solver := rememberingOracle()
	for from, want := range map[int]struct {
		asked   string
		steps   int
		optimal bool
	}{0: {"2", 2, true}, 1: {"2", 2, true}, 2: {"2", 2, true}, 3: {"3 4", 4, true}, 4: {"4", 4, false}} {
		var asked, answered []string
		var steps Steps
		var status string
		_, err := hosted(t, &host{solve: solver}, func(env *process.Env) error {
			task, err := strips.Ground(spec.Domain, spec.Problem, env.Meter())
			if err != nil {
				return err
			}
			encoding, err := task.Encode(env.Meter())
			if err != nil {
				return err
			}
			steps, _, status, _, err = SearchSteps(env, encoding, from, 4, solve.Limits{}, func(n, bytes int, result *solve.Result) {
				if result == nil {
					asked = append(asked, strconv.Itoa(n))
				} else if answered = append(answered, strconv.Itoa(n)); len(answered) != len(asked) || bytes == 0 {
					t.Errorf("from %d: %v asked, %v answered", from, asked, answered)
				}
			})
			return err
		})
		if err != nil || status != StatusSolved || len(steps.Plan) != want.steps || steps.Optimal != want.optimal || strings.Join(asked, " ") != want.asked || len(answered) != len(asked) {
			t.Errorf("from %d: %s %+v, %v asked, %v", from, status, steps, asked, err)
		}
	}
}

// The formulas of the workspace restrict the search; a fault in them ends the run.
func TestFormulasRestrictTheSearch(t *testing.T) {
	fault := errors.New("an unknown symbol")
	for _, want := range []error{nil, fault} {
		restricted := 0
		setup := Setup{Restrict: func(_ *process.Env, spec *strips.Spec, e *strips.Encoding) error {
			restricted++
			return want
		}}
		r, _, err := played(t, walking(), setup, Settings{Model: simulatedModel}, &host{})
		if restricted != 1 || !errors.Is(err, want) || err == nil && (r.Status != StatusSolved || r.Objective != "2") {
			t.Errorf("%d restrictions, %+v, %v", restricted, r, err)
		}
	}
}

// A search that the solver does not decide ends with the solver's reason.
func TestUndecidedSearchesHaveAReason(t *testing.T) {
	for reply, want := range map[string]string{
		"unknown\nstile.reason\n(:reason-unknown \"incomplete\")\n": "Z3 gave up: incomplete",
		"unknown\n": "Z3 gave up without a reason",
	} {
		r, _, err := played(t, walking(), Setup{}, Settings{Model: simulatedModel}, &host{solve: func(string) string { return reply }})
		if err != nil || r.Status != StatusUnknown || r.Message != want || len(r.Steps.Plan) > 0 {
			t.Errorf("%q: %+v, %v", reply, r, err)
		}
	}
}
