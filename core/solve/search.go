package solve

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/source"
)

// goal is an objective for evaluation: a term, or weighted soft constraints.
type goal struct {
	term *term
	sort string
	soft []soft // instead of a term: the objective is the sum of the weights of the violated ones
}

type soft struct {
	term   *term
	weight string
}

// Bounds of a [Search]. Each ends it without a proof.
const (
	maxRounds  = 48
	maxUnknown = 2 // unanswered questions
	// searchWork bounds the work for a question in Z3's unit: some seconds, while most
	// questions need a thousandth of it.
	searchWork = 100_000_000
	// leastMilliseconds is the remaining time below which no further question is asked.
	leastMilliseconds = 50
)

// Search determines the quality of a solution of a text with objectives.
//
// Z3's optimizer is exact for linear problems only. For others its value may differ from that of
// its model, and may not be the optimum. A Search therefore evaluates the objective in the model
// and asks Z3 for a better solution; the solution is proved optimal only if there is none. A
// better solution replaces the previous one. If possible, the search bisects the interval between
// the value and the refuted bound. If a limit ended the optimizer, the search also looks for a
// solution and a bound.
type Search struct {
	file   *source.File
	p      Problem
	limits Limits
	result Result
	left   int // milliseconds
	rounds int

	unknown int
	over    bool
	asking  question

	value  []number // of the objectives in the model; nil without a model
	bound  *big.Rat // lower bound of a single objective, which is negated if it is maximized
	step   *big.Rat // distance from the value of the next question while there is no bound
	cut    bool     // a limit ended the optimizer, so its bound may be missing
	far    int      // number of [farAway] used
	given  int      // time limit of the current question
	simple bool     // the simplest number between bound and value was tried
	sorts  map[string]string
}

// Improve starts a search with the solver's first result.
func Improve(file *source.File, p Problem, limits Limits, first Result) *Search {
	s := &Search{file: file, p: p, limits: limits.filled(), result: first}
	s.sorts = map[string]string{}
	for _, n := range p.Names {
		s.sorts[n.Name] = n.Sort
	}
	s.begin()
	return s
}

// begin judges the first result and chooses the first question, if any.
func (s *Search) begin() {
	r := &s.result
	s.over = true
	if s.p.Solver != Z3 || len(s.p.Objectives) == 0 {
		return
	}
	if points := len(r.Checks) - 1; points > 0 && s.p.priority == "pareto" {
		if r.Status == StatusUnsat && !slices.Contains(r.Checks[:points], StatusUnsat) {
			r.Message = "complete Pareto front: " + strconv.Itoa(points) + " solutions"
		}
		return
	}
	s.left = s.limits.Milliseconds / 4
	switch r.Status {
	case StatusTimeout, StatusMemory, StatusUnknown, StatusError:
		if r.Status == StatusError && (!r.broke || len(r.Faults) > 0) {
			return
		}
		if r.Status == StatusUnknown && len(r.Model) > 0 && s.holds(r) != holdsAll {
			r.Model, r.Objectives, r.model = []Value{}, s.without(), nil
		}
		s.cut = true
		if len(r.Model) == 0 {
			s.over, s.asking = false, question{any: true}
			return
		}
		claimed := r.Objectives
		s.measure()
		if s.over = s.value == nil; !s.over {
			s.takeBound(claimed)
		}
	case StatusUnbounded:
		if s.p.degree >= degreeOther {
			r.Status, r.Message = StatusSat, "Z3 reports an unbounded objective, which is not proved for non-linear terms"
			s.measure()
		}
		return
	case StatusSat:
		s.judge()
	default:
		return
	}
	s.asking = question{best: true}
}

// judge decides whether to accept the optimizer's claim of an optimum.
func (s *Search) judge() {
	r := &s.result
	if s.limits.First {
		s.measure()
		r.Message = firstFound
		return
	}
	claimed := slices.Clone(r.Objectives)
	strict := slices.ContainsFunc(claimed, func(o Objective) bool { return o.Strict })
	if s.holds(r) == holdsNot {
		r.Status, r.Message = StatusUnknown, "Z3's solution violates an assertion of the text, so it is not shown"
		r.Model, r.Objectives = []Value{}, s.without()
		return
	}
	s.measure()
	linear := s.p.degree < degreeOther
	same := len(claimed) == len(r.Objectives) && len(claimed) == len(s.p.Objectives)
	for i := range claimed {
		if same && claimed[i].Value != "" {
			n, ok := numberOf(claimed[i].Value)
			same = ok && s.value != nil && s.value[i].exact() && n.Cmp(s.value[i].lo) == 0
		} else {
			same = false
		}
	}
	switch {
	case linear && (same || strict || s.p.priority == "box" || s.value == nil && s.bits()):
		r.Objectives, r.Proven = claimed, true
		for i := range r.Objectives {
			if s.value != nil {
				r.Objectives[i].Shown = s.value[i].String()
			}
		}
	case s.value == nil:
		r.Objectives = claimed
		r.Message = "the objective cannot be evaluated exactly in this solution, so its value is the solver's claim"
	case s.p.priority == "box":
		r.Message = notProved
	default:
		r.Message = notProved
		s.left, s.over = max(s.limits.Milliseconds-r.Milliseconds, 2_000), false
	}
}

const (
	notProved  = "best found, not proved optimal"
	firstFound = "first solution found, not optimized"
)

// bits reports whether all objectives are bit vectors, for which the optimizer is exact.
func (s *Search) bits() bool {
	return !slices.ContainsFunc(s.p.goals, func(g goal) bool { return width(g.sort) == 0 })
}

// without returns a copy of the problem's objectives, which have no values.
func (s *Search) without() []Objective { return slices.Clone(s.p.Objectives) }

// Answer passes the result of the current question to the search.
func (s *Search) Answer(r Result) {
	spent := r.Milliseconds
	if r.Status == StatusTimeout {
		spent = s.given
	}
	s.left -= max(spent, 1)
	s.result.Milliseconds += spent
	s.result.Searched++
	asked := s.asking
	switch {
	case r.Status == StatusSat && s.holds(&r) != holdsNot:
		s.adopt(&r)
	case r.Status == StatusUnsat && asked.any:
		s.result.Status, s.result.Message, s.over = StatusUnsat, "", true
	case r.Status == StatusUnsat && asked.best:
		s.proved()
	case r.Status == StatusUnsat:
		s.bound = asked.less
		s.asks()
	default:
		s.unknown++
		if s.askFar() {
			return
		}
		s.over = asked.any || asked.best
		if s.bound == nil && s.step != nil {
			s.step.Quo(s.step, big.NewRat(16, 1))
		}
		s.asks()
	}
}

// takeBound uses an endpoint of the interval that Z3 reports for an optimum it did not reach
// as a bound. The bound is proved for linear terms only. A bound that the solution beats is
// ignored.
func (s *Search) takeBound(claimed []Objective) {
	if len(claimed) != 1 || !s.single() || s.p.degree >= degreeOther {
		return
	}
	end := claimed[0].Low
	if s.sense(0) < 0 {
		end = claimed[0].High
	}
	bound, ok := numberOf(end)
	if !ok {
		return
	}
	if s.sense(0) < 0 {
		bound.Neg(bound)
	}
	if bound.Cmp(s.cost().lo) <= 0 {
		s.bound = bound
	}
}

// proved records that no solution is better than the current one.
func (s *Search) proved() {
	s.over = true
	s.result.Proven = !slices.ContainsFunc(s.value, func(n number) bool { return !n.exact() })
	if s.single() {
		s.bound = s.cost().lo
	}
}

// adopt replaces the current solution.
func (s *Search) adopt(r *Result) {
	value := s.evaluate(r)
	before := s.value
	if value == nil && before != nil {
		s.over = true
		return
	}
	s.result.Model, s.result.model = r.Model, r.model
	s.measure()
	if s.over = value == nil; s.over {
		return
	}
	if before != nil && s.single() {
		step := combine(value[0], before[0], (*big.Rat).Sub)
		s.step = new(big.Rat).Abs(step.lo)
	}
	if before == nil || !s.single() {
		s.asking = question{best: true}
		return
	}
	s.asks()
}

// Result returns the best result of the search so far.
func (s *Search) Result() Result {
	r := s.result
	if s.value == nil || s.p.Solver != Z3 {
		return r
	}
	switch {
	case r.Proven:
		r.Status, r.Message = StatusSat, ""
		return r
	case s.bound != nil:
		v := s.cost()
		low, high := bounded(s.bound, false), bounded(v.hi, true)
		r.Bound = low
		if s.sense(0) < 0 {
			low, high = bounded(new(big.Rat).Neg(v.hi), false), bounded(new(big.Rat).Neg(s.bound), true)
			r.Bound = high
		}
		r.Objectives[0].Low, r.Objectives[0].High = low, high
		r.Gap = gapOf(v.hi, s.bound)
	}
	r.Message = r.Quality()
	return r
}

// gapOf returns the distance of value and bound, relative to the value. It is a decimal, as
// HiGHS reports it, and never a fraction.
func gapOf(v, bound *big.Rat) string {
	gap := new(big.Rat).Sub(v, bound)
	if v.Sign() != 0 {
		gap.Quo(gap, new(big.Rat).Abs(v))
	}
	return rounded(gap, true)
}
