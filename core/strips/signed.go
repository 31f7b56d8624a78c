package strips

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxMoves is the maximum number of moves between the states of a search with a metric
// that actions may also improve: about 100 MB.
const MaxMoves = 4_000_000

// moves are the moves between all reachable states.
type moves struct {
	first        []int32 // by state: its first move; one more at the end
	to, operator []int32
	weight       []int64
}

// signed searches for a plan with the best value of the metric and, among these, of the
// fewest steps, for a metric that actions may both improve and worsen: one that is
// maximized, or whose functions also decrease.
//
// The first plan in the order of costs need not be the best then. So the search reaches
// all states, leaves out those from which no goal is reachable, and computes the least
// weight of each of the others by relaxation (Bellman 1958; Ford 1956), which permits
// negative weights. If the numbers of the states are bounded, the result is exact: the best
// plan, a proof that no plan exists, or a sequence of steps that improves the metric
// whenever it is repeated, so that no plan is the best. most is the maximum number of steps,
// which states then contain; 0 means no maximum. steps is the maximum number of elementary
// operations.
func (e *Encoding) signed(most int, steps int64, m *meter.Meter) (*Found, error) {
	_, unit := e.task.prices()
	s := &search{t: e.task, e: e, m: m, unit: unit, left: steps, steps: most, done: -1}
	g, err := s.all()
	if err != nil {
		return nil, err
	}
	found := &Found{Answer: AnswerUnknown, States: s.states.count}
	if g == nil {
		found.Reason = "a metric that actions may also improve requires all states, and the search ended after " + count(s.states.count, "state") + "; bound the numbers, or set a maximum number of steps"
		return found, nil
	}
	live, err := s.live(g)
	if err != nil {
		return nil, err
	}
	if s.states.count > 0 && live[0] {
		cycle, err := s.relax(g, live)
		switch {
		case err != nil:
			return nil, err
		case len(cycle) > 0:
			found.NoBest, found.Reason = true, "no plan is best: each repetition of "+strings.Join(cycle, " ")+" improves the metric; set a maximum number of steps"
			return found, nil
		case s.left < 0:
			found.Reason = "the search ended after " + count(s.states.count, "state")
			return found, nil
		}
		for n := range s.states.count {
			if live[n] && s.goal(s.states.at(n)) && s.weight[n] < unreachable && (s.done < 0 || s.weight[n] < s.weight[s.done]) {
				s.done = n
			}
		}
	}
	s.result(found)
	return found, nil
}

// all reaches all states. It returns nil if they or their moves are too many.
func (s *search) all() (*moves, error) {
	state := s.begin()
	s.states = newPoints(len(state))
	g := &moves{}
	if s.follow(state, -1, uint64(s.e.start())) {
		s.states.add(state)
	}
	next := make(point, len(state))
	for n := 0; n < s.states.count; n++ {
		if len(g.to) > MaxMoves || n >= MaxSearched || s.left < 0 {
			return nil, nil
		}
		g.first = append(g.first, int32(len(g.to)))
		err := s.successors(n, next, func(operator int, weight int64) {
			to, _ := s.states.add(next)
			g.to, g.operator, g.weight = append(g.to, int32(to)), append(g.operator, int32(operator)), append(g.weight, weight)
		})
		if err != nil {
			return nil, err
		}
	}
	g.first = append(g.first, int32(len(g.to)))
	return g, nil
}

// live returns the states from which a goal is reachable.
func (s *search) live(g *moves) ([]bool, error) {
	live := make([]bool, s.states.count)
	for n := range live {
		live[n] = s.goal(s.states.at(n))
	}
	for changed := true; changed; {
		changed = false
		if err := s.m.Step(len(g.to) + len(live)); err != nil {
			return nil, err
		}
		for n := len(live) - 1; n >= 0; n-- {
			if !live[n] && slices.ContainsFunc(g.to[g.first[n]:g.first[n+1]], func(to int32) bool { return live[to] }) {
				live[n], changed = true, true
			}
		}
	}
	return live, nil
}

// relax computes the least weight of each live state, with its parent. It returns the steps
// of a cycle of negative weight, if one exists.
func (s *search) relax(g *moves, live []bool) (cycle []string, err error) {
	s.weight, s.by, s.parent = make([]int64, len(live)), make([]int32, len(live)), make([]int32, len(live))
	for n := range live {
		s.weight[n], s.parent[n] = unreachable, -1
	}
	s.weight[0] = 0
	waiting := make([]bool, len(live))
	for queue, work := []int32{0}, 0; len(queue) > 0 && s.left >= 0; {
		var later []int32
		for _, n := range queue {
			waiting[n] = false
			moves := int(g.first[n+1] - g.first[n])
			s.left -= int64(1 + moves)
			if err := s.m.Step(1 + moves); err != nil {
				return nil, err
			}
			for i := g.first[n]; i < g.first[n+1]; i++ {
				to := g.to[i]
				weight := s.weight[n] + g.weight[i]
				if !live[to] || weight >= s.weight[to] {
					continue
				}
				if weight < -unreachable {
					return nil, source.NewError("limit.cost", "the costs are too large")
				}
				s.weight[to], s.parent[to], s.by[to] = weight, n, g.operator[i]
				if !waiting[to] {
					waiting[to] = true
					later = append(later, to)
				}
			}
		}
		queue = later
		if work += len(later); work > len(live) {
			work = 0
			if cycle := s.cycle(); cycle != nil {
				return cycle, nil
			}
		}
	}
	return s.cycle(), nil
}

// maxCycle is the maximum number of steps of a cycle that a message lists.
const maxCycle = 6

// cycle returns the steps of a cycle of parents, or nil. Such a cycle has a negative weight.
func (s *search) cycle() []string {
	seen := make([]int32, len(s.parent))
	for first := range s.parent {
		n := int32(first)
		for n >= 0 && seen[n] == 0 {
			seen[n] = int32(first) + 1
			n = s.parent[n]
		}
		if n < 0 || seen[n] != int32(first)+1 {
			continue
		}
		var steps []string
		for x := n; x != n || len(steps) == 0; x = s.parent[x] {
			steps = append(steps, s.t.Operators[s.by[x]].Step.String())
		}
		slices.Reverse(steps)
		if more := len(steps) - maxCycle; more > 0 {
			steps = append(steps[:maxCycle], fmt.Sprintf("and %d more", more))
		}
		return steps
	}
	return nil
}
