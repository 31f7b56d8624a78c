package earley

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/natural"
	"github.com/stile-playground/stile/core/source"
)

// maxPlanDepth bounds the terminals of one plan while plans are counted. Where
// limits do not bound a plan, there are infinitely many, and this says so early.
const maxPlanDepth = 10_000

// CountPlans counts the paths of a planner that expands the leftmost
// nonterminal: plans are the complete ones, dead ends those on which a planner
// without look-ahead finds no choice left within the caps ([Grammar.Caps] of
// the grammar package). A choice is a terminal that an expansion of the
// nonterminal begins with, and the symbols it pushes.
//
// States that differ only by the names of interchangeable terminals are counted
// once, so the numbers may be astronomic (Formal-LLM's largest task has
// 8,543,019,636 plans) while the work is small. The error has code
// "plans.shape" for a grammar with an expansion that does not begin with a
// terminal, and is the meter's where the limits do not bound the plans.
func CountPlans(g *grammar.Grammar, caps []int64, m *meter.Meter) (plans, deadEnds natural.Number, err error) {
	c := &planCounter{g: g, m: m, choices: make([][]planChoice, g.NumSymbols()), memo: map[string]planCount{}}
	if err := c.classify(caps); err != nil {
		return plans, deadEnds, err
	}
	state := planState{stack: []grammar.Symbol{g.Start}, left: c.initial(caps)}
	n, err := c.count(state, 0)
	if err != nil {
		return plans, deadEnds, err
	}
	return n.plans, n.deadEnds, nil
}

// planChoice is a class of terminals that an expansion begins with, and what is
// pushed.
type planChoice struct {
	class  int
	pushed []grammar.Symbol
}

// stateBytes is how much of a state's key goes with what the meter takes for one state.
const stateBytes = 32

type planCount struct{ plans, deadEnds natural.Number }

// planState is a stack, its top first, and the uses that are left. Those of a
// class are sorted, for which of its terminals has how many does not matter.
type planState struct {
	stack []grammar.Symbol
	left  [][]int64 // by class
}

type planCounter struct {
	g       *grammar.Grammar
	m       *meter.Meter
	class   []int // by terminal
	members [][]grammar.Symbol
	choices [][]planChoice // by nonterminal, once asked for
	memo    map[string]planCount
}

// classify groups terminals that always stand as alternatives of each other,
// with the same symbols behind them.
func (c *planCounter) classify(caps []int64) error {
	needs, err := grammar.ComputeNeeds(c.g, caps, c.m)
	if err != nil {
		return err
	}
	c.class = make([]int, c.g.NumTerminals)
	byClass := map[int]int{}
	for t := range c.class {
		class, ok := byClass[needs.Class(grammar.Symbol(t))]
		if !ok || needs.Class(grammar.Symbol(t)) < 0 {
			class = len(c.members)
			byClass[needs.Class(grammar.Symbol(t))] = class
			c.members = append(c.members, nil)
		}
		c.class[t] = class
		c.members[class] = append(c.members[class], grammar.Symbol(t))
	}
	return nil
}

func (c *planCounter) initial(caps []int64) [][]int64 {
	left := make([][]int64, len(c.members))
	for class, members := range c.members {
		for _, t := range members {
			left[class] = append(left[class], caps[t])
		}
		sortUses(left[class])
	}
	return left
}

// expansions returns the distinct choices of a nonterminal.
func (c *planCounter) expansions(s grammar.Symbol, above []grammar.Symbol) ([]planChoice, error) {
	if c.choices[s] != nil {
		return c.choices[s], nil
	}
	shape := func(why string) error {
		return source.NewError("plans.shape", fmt.Sprintf("plans are counted of grammars whose expansions begin with a terminal; %q %s", c.g.Names[s], why))
	}
	if slices.Contains(above, s) {
		return nil, shape("is left-recursive")
	}
	out := []planChoice{}
	seen := map[string]bool{}
	for _, production := range c.g.ByLeft(s) {
		right := c.g.Productions[production].Right
		if len(right) == 0 {
			return nil, shape("derives the empty word")
		}
		heads := []planChoice{}
		if c.g.IsTerminal(right[0]) {
			heads = append(heads, planChoice{class: c.class[right[0]]})
		} else {
			inner, err := c.expansions(right[0], append(above, s))
			if err != nil {
				return nil, err
			}
			heads = inner
		}
		for _, h := range heads {
			h.pushed = slices.Concat(h.pushed, right[1:])
			if key := fmt.Sprint(h); !seen[key] {
				seen[key] = true
				out = append(out, h)
			}
		}
	}
	c.choices[s] = out
	return out, nil
}

func (c *planCounter) count(s planState, depth int) (planCount, error) {
	if depth > maxPlanDepth {
		return planCount{}, &meter.LimitError{Resource: meter.States, Max: maxPlanDepth}
	}
	if len(s.stack) == 0 {
		return planCount{plans: natural.New(1)}, nil
	}
	key := s.key()
	// A state is as long as its stack and the uses that are left, found anew by every
	// choice that leads to it, and its counts are long, too.
	if err := c.m.Step(4 * len(key)); err != nil {
		return planCount{}, err
	}
	if n, ok := c.memo[key]; ok {
		return n, nil
	}
	if err := c.m.Spend(meter.States, 1+int64(len(key)/stateBytes)); err != nil {
		return planCount{}, err
	}
	top := s.stack[0]
	choices := []planChoice{}
	if c.g.IsTerminal(top) {
		choices = append(choices, planChoice{class: c.class[top]})
	} else {
		var err error
		if choices, err = c.expansions(top, nil); err != nil {
			return planCount{}, err
		}
	}
	var total planCount
	taken := false
	for _, choice := range choices {
		left := s.left[choice.class]
		for i := 0; i < len(left); {
			same := i
			for same < len(left) && left[same] == left[i] {
				same++
			}
			if left[i] != 0 {
				taken = true
				n, err := c.count(s.take(choice, i), depth+1)
				if err != nil {
					return planCount{}, err
				}
				times := uint32(same - i)
				total.plans = total.plans.Plus(n.plans.Times(times))
				total.deadEnds = total.deadEnds.Plus(n.deadEnds.Times(times))
			}
			i = same
		}
	}
	if !taken {
		total.deadEnds = natural.New(1)
	}
	c.memo[key] = total
	return total, nil
}

// take returns the state after a choice of the i-th terminal of its class.
func (s planState) take(choice planChoice, i int) planState {
	next := planState{stack: slices.Concat(choice.pushed, s.stack[1:]), left: s.left}
	if s.left[choice.class][i] != grammar.Unlimited {
		next.left = slices.Clone(s.left)
		uses := slices.Clone(s.left[choice.class])
		uses[i]--
		sortUses(uses)
		next.left[choice.class] = uses
	}
	return next
}

func (s planState) key() string {
	key := binary.AppendUvarint(nil, uint64(len(s.stack)))
	for _, symbol := range s.stack {
		key = binary.AppendUvarint(key, uint64(symbol))
	}
	for _, uses := range s.left {
		for _, n := range uses {
			key = binary.AppendVarint(key, n)
		}
	}
	return string(key)
}

func sortUses(uses []int64) {
	sort.Slice(uses, func(i, j int) bool { return uses[i] < uses[j] })
}
