package strips

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxSearched is the maximum number of states of a search without a solver: about 150 MB.
const MaxSearched = 1_500_000

// SearchSteps is the default maximum of elementary operations of a search without a
// solver: one to two minutes in a page.
const SearchSteps = 4_000_000_000

// costWeight is the weight of a unit of cost; that of a step is 1. So among the cheapest
// plans one with the fewest steps has the least weight. Plans of 65,536 or more steps, for
// which this fails, are out of reach of the search.
const costWeight = 1 << 16

// Found is the result of a search without a solver.
type Found struct {
	Plan   Plan
	Answer Answer // AnswerUnknown if the search ended early
	Proved bool   // no plan is cheaper or, without a metric, shorter
	States int    // that the search reached
	Reason string // of AnswerUnknown, or of a plan that is not proved best
	NoBest bool   // there are plans, and for each of them a better one
}

// Extended reports whether the task has costs, numbers, or conditions and effects beyond
// literals. Then [Encoding.Cheapest] finds its plans, instead of a solver.
func (t *Task) Extended() bool { return t.extended }

// Extended is [Task.Extended] of the encoded task.
func (e *Encoding) Extended() bool { return e.task.extended }

// Metric reports whether the problem has a metric.
func (e *Encoding) Metric() bool { return e.task.metric }

// Largest reports whether the problem has a metric that is maximized.
func (e *Encoding) Largest() bool { return e.task.metric && e.task.Problem.Largest }

// Cheapest searches for a plan of the least cost and, among these, of the fewest steps.
// Without a metric it searches for a shortest plan. most is the maximum number of steps; 0
// means no maximum. steps is the maximum number of elementary operations.
//
// It alternates between two searches with growing limits: one in the order of cost (uniform
// cost), which spends little time on each state, and one guided by landmark cuts (A*),
// which needs fewer states if the cuts are close to the cost. The first search that ends
// has an optimal plan or a proof that no plan exists. A metric that actions may also
// improve needs another search; see [Encoding.signed]. The error is a limit of the meter, or reports
// a negative total-cost.
func (e *Encoding) Cheapest(most int, steps int64, m *meter.Meter) (*Found, error) {
	t := e.task
	if !e.reachable {
		return &Found{Answer: AnswerUnsat, Proved: true}, nil
	}
	if t.signed {
		return e.signed(most, steps, m)
	}
	costs, unit := t.prices()
	found := &Found{Answer: AnswerUnknown, Reason: "the search ended without a plan after " + count(MaxSearched, "state")}
	guide := t.estimate(costs)
	bounded := most > 0 && !t.metric
	limit := int64(5_000_000)
	for room, total := [2]bool{true, true}, int64(0); room[0] || room[1]; limit *= 4 {
		for turn, guide := range [2]*estimate{nil, guide} {
			if !room[turn] {
				continue
			}
			s := &search{t: t, e: e, m: m, guide: guide, unit: unit, left: limit, most: MaxSearched}
			if bounded {
				s.deepest = int64(most)
			}
			ended, err := s.run()
			total += limit - s.left
			found.States = max(found.States, s.states.count)
			switch {
			case source.ErrorCode(err) == "strips.metric" && t.Problem.Metric.String() != "("+totalCost+")":
				return e.signed(most, steps, m)
			case err != nil:
				return nil, err
			case ended:
				s.result(found)
				if found.Answer == AnswerSat && most > 0 && len(found.Plan) > most {
					return e.within(most, costs, unit, steps, m)
				}
				return found, nil
			case s.states.count >= s.most:
				room[turn] = false
			case total > steps:
				found.Reason = "the search ended without a plan after " + count(found.States, "state")
				return found, nil
			}
		}
	}
	return found, nil
}

// within searches for a cheapest plan of up to most steps, for tasks whose cheapest plan
// has more. The states of this search contain the number of steps.
func (e *Encoding) within(most int, costs []int64, unit, steps int64, m *meter.Meter) (*Found, error) {
	s := &search{t: e.task, e: e, m: m, guide: e.task.estimate(costs), unit: unit, left: steps, most: MaxSearched, steps: most}
	ended, err := s.run()
	if err != nil {
		return nil, err
	}
	found := &Found{Answer: AnswerUnknown, States: s.states.count, Reason: "the search ended without a plan of at most " + count(most, "step") + " after " + count(s.states.count, "state")}
	if ended {
		s.result(found)
	}
	return found, nil
}

// prices returns a lower bound of the weight of each operator, and the unit of costs.
func (t *Task) prices() (weights []int64, unit int64) {
	for i := range t.Operators {
		weight := int64(0)
		for _, c := range t.Operators[i].costs {
			if c.test == nil && c.value.op == 0 {
				cost, _ := scaled(c.value.value, int64(c.number), Unit)
				weight += max(cost, 0)
				unit = divisor(unit, max(cost, -cost))
			} else {
				unit = 1
			}
		}
		weights = append(weights, weight)
	}
	if unit = max(unit, 1); len(t.assigned) > 0 {
		unit = 1
	}
	for i := range weights {
		weights[i] = min(weights[i]/unit, 1<<30)*costWeight + 1
		if !t.metric {
			weights[i] = 1
		}
	}
	return weights, unit
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// search is one search for a cheapest plan.
type search struct {
	t       *Task
	e       *Encoding
	m       *meter.Meter
	guide   *estimate // nil for none
	unit    int64     // of costs
	left    int64     // elementary operations
	most    int       // states
	deepest int64     // maximum weight of a plan; 0 for none
	steps   int       // maximum number of steps, which states contain; 0 for none

	states   *points
	weight   []int64 // by state: the least weight known
	rest     []int64 // by state: the bound of the weight to the goal; -1 if unknown
	by       []int32 // by state: the operator that reached it
	parent   []int32
	closed   []bool
	open     frontier
	done     int // the goal state
	property int // the word of the formula's state; 0 for none
	counter  int // the word of the number of steps
}

// begin returns the initial state, with words for the formula and the number of steps.
func (s *search) begin() point {
	first := s.t.initial()
	if s.e.property != nil {
		s.property = len(first)
		first = append(first, 0)
	}
	if s.steps > 0 {
		s.counter = len(first)
		first = append(first, 0)
	}
	return first
}

// run searches, and reports whether it ended with a plan or a proof that there is none.
func (s *search) run() (ended bool, err error) {
	first := s.begin()
	s.states, s.done = newPoints(len(first)), -1
	if !s.follow(first, -1, uint64(s.e.start())) {
		return true, nil
	}
	s.reach(first, -1, -1, 0)
	next := make(point, len(first))
	for len(s.open) > 0 {
		x := s.open.pop()
		n := int(x.state)
		if s.closed[n] || x.weight > s.weight[n] {
			continue
		}
		if s.guide != nil && s.rest[n] < 0 {
			if err := s.bound(n, x); err != nil {
				return false, err
			}
			continue
		}
		s.closed[n] = true
		if s.goal(s.states.at(n)) {
			s.done = n
			return true, nil
		}
		if err := s.expand(n, next); err != nil {
			return false, err
		}
		if s.left < 0 || s.states.count >= s.most {
			return false, nil
		}
	}
	return true, nil
}

// bound computes the lower bound of the weight from a state to the goal, and puts the
// state back on the frontier with this bound.
func (s *search) bound(n int, x waiting) error {
	s.left -= int64(16 * len(s.guide.needs))
	rest, err := s.guide.bound(s.states.at(n), s.m)
	if err != nil {
		return err
	}
	s.rest[n] = rest
	if rest < unreachable && (s.deepest == 0 || x.weight+rest <= s.deepest) {
		x.total = max(x.total, x.weight+rest)
		s.open.push(x)
	}
	return nil
}

func (s *search) goal(state point) bool {
	return s.t.reached(state) && (s.property == 0 || s.e.property.automaton.Accepting(int(state[s.property])))
}

// expand reaches the successors of a state.
func (s *search) expand(n int, next point) (err error) {
	failed := s.successors(n, next, func(i int, weight int64) {
		switch total := weight + s.weight[n]; {
		case weight < 0:
			err = errNegative(&s.t.Operators[i])
		case total > unreachable:
			err = source.NewError("limit.cost", "the costs are too large")
		case s.deepest == 0 || total <= s.deepest:
			s.reach(next, n, i, total)
		}
	})
	if err == nil {
		err = failed
	}
	return err
}

// successors writes the successors of a state to next, one after the other, and calls
// visit with the operator and the weight of each.
func (s *search) successors(n int, next point, visit func(operator int, weight int64)) error {
	work := 1 + len(s.t.Operators)
	s.left -= int64(work)
	if err := s.m.Step(work); err != nil {
		return err
	}
	state := s.states.at(n)
	if s.steps > 0 && int(state[s.counter]) == s.steps {
		return nil
	}
	for i := range s.t.Operators {
		cost, ok := s.t.successor(state, next, &s.t.Operators[i])
		if !ok {
			continue
		}
		s.left -= int64(8 + len(state) + len(s.t.rules))
		weight := int64(1)
		switch {
		case max(cost, -cost)/s.unit > 1<<44:
			return source.NewError("limit.cost", fmt.Sprintf("the cost of %s is too large: %s", s.t.Operators[i].Step, Decimal(cost)))
		case s.t.metric:
			weight = cost/s.unit*costWeight + 1
		}
		if s.steps > 0 {
			next[s.counter] = state[s.counter] + 1
		}
		if s.property == 0 || s.follow(next, i, state[s.property]) {
			visit(i, weight)
		}
		state = s.states.at(n) // the states may have moved
	}
	return nil
}

// follow advances the formula's automaton, and reports whether the formula can still become
// true.
func (s *search) follow(next point, operator int, from uint64) bool {
	p := s.e.property
	if p == nil {
		return true
	}
	to := p.automaton.Next(int(from), func(v int) bool {
		meaning := p.meaning[p.automaton.Name(v)]
		if meaning.fact >= 0 {
			return next.has(meaning.fact)
		}
		return meaning.always || slices.Contains(meaning.operators, operator)
	})
	next[s.property] = uint64(to)
	return p.alive[to]
}

// start returns the initial state of the formula's automaton.
func (e *Encoding) start() int {
	if e.property == nil {
		return 0
	}
	return e.property.automaton.Start()
}

// reach adds a state to the frontier, unless it was reached with less weight.
func (s *search) reach(state point, parent, operator int, weight int64) {
	n, fresh := s.states.add(state)
	if fresh {
		s.weight, s.rest, s.closed = append(s.weight, weight), append(s.rest, -1), append(s.closed, false)
		s.by, s.parent = append(s.by, int32(operator)), append(s.parent, int32(parent))
	} else if weight >= s.weight[n] {
		return
	}
	s.weight[n], s.by[n], s.parent[n], s.closed[n] = weight, int32(operator), int32(parent), false
	rest := max(s.rest[n], 0)
	if s.guide != nil && parent >= 0 && s.rest[n] < 0 {
		rest = max(0, s.weight[parent]+s.rest[parent]-weight)
	}
	if rest < unreachable {
		s.open.push(waiting{total: weight + rest, weight: weight, state: int32(n)})
	}
}

// result writes the outcome of a search that ended.
func (s *search) result(found *Found) {
	found.Answer, found.Proved, found.Reason = AnswerUnsat, true, ""
	if s.done >= 0 {
		found.Answer, found.Plan = AnswerSat, Plan{}
		for n := s.done; s.parent[n] >= 0; n = int(s.parent[n]) {
			found.Plan = append(found.Plan, s.t.Operators[s.by[n]].Step)
		}
		slices.Reverse(found.Plan)
	}
	if s.t.imprecise != valid {
		found.Proved = false
		found.Reason = "some actions were not tried, because they compute " + s.t.imprecise.String()
		if found.Answer == AnswerUnsat {
			found.Answer = AnswerUnknown
		}
	}
}

// frontier is a heap of states, ordered by the lower bound of the weight of plans through
// them. Among states with equal bounds, those with more weight come first, because they
// are closer to the goal.
type frontier []waiting

type waiting struct {
	total, weight int64
	state         int32
}

func (w waiting) before(x waiting) bool {
	return w.total < x.total || w.total == x.total && (w.weight > x.weight || w.weight == x.weight && w.state < x.state)
}

func (q *frontier) push(x waiting) {
	*q = append(*q, x)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(h[up]) {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (q *frontier) pop() waiting {
	h := *q
	top := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	for i := 0; ; {
		first := i
		for _, down := range [2]int{2*i + 1, 2*i + 2} {
			if down < len(h) && h[down].before(h[first]) {
				first = down
			}
		}
		if first == i {
			return top
		}
		h[first], h[i] = h[i], h[first]
		i = first
	}
}
