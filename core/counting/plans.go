package counting

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// maxPlanDepth is the maximum number of terminals in one plan. Without it, limits that do not bound
// the plans would be found only when the meter's budget is spent.
const maxPlanDepth = 10_000

// Plans counts the paths of a planner that expands the leftmost nonterminal: plans
// is the number of complete paths, deadEnds the number of paths on which a planner
// without look-ahead has no choice left within the caps (of [grammar.Grammar.Caps]).
// A choice is the first terminal of an expansion of the nonterminal, with the symbols
// that the expansion pushes.
//
// States that differ only in the names of interchangeable terminals are counted
// once, so the work is small even if the numbers are large (Formal-LLM's largest
// task has 8,543,019,636 plans). The error has code "plans.shape" for a grammar with
// an expansion that does not begin with a terminal, and is the meter's if the limits
// do not bound the plans.
func Plans(g *grammar.Grammar, caps []int64, m *meter.Meter) (plans, deadEnds *big.Int, err error) {
	c := &planCounter{g: g, m: m, choices: make([][]planChoice, g.NumSymbols()), memo: map[string]planCount{}}
	if err := c.classify(caps); err != nil {
		return nil, nil, err
	}
	state := planState{stack: []grammar.Symbol{g.Start}, left: c.initial(caps)}
	n, err := c.count(state)
	return n.plans, n.deadEnds, err
}

// planChoice is a class of terminals that an expansion begins with, and the symbols
// that follow it.
type planChoice struct {
	class  int
	pushed []grammar.Symbol
}

// stateBytes is the number of bytes of a state's key for which the meter is charged one state.
const stateBytes = 32

// planCount is the result for one state. Its numbers are shared and must not be
// changed.
type planCount struct{ plans, deadEnds *big.Int }

// planState is a stack, its top first, and the remaining uses of the terminals. The
// uses of a class are sorted, because its terminals are interchangeable.
type planState struct {
	stack []grammar.Symbol
	left  [][]int64 // by class
}

type planCounter struct {
	g       *grammar.Grammar
	m       *meter.Meter
	class   []int // by terminal
	members [][]grammar.Symbol
	choices [][]planChoice // by nonterminal; nil until it is computed
	memo    map[string]planCount
}

// classify groups terminals that always occur as alternatives of each other with
// the same following symbols.
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
		return source.NewError("plans.shape", fmt.Sprintf("cannot count plans: every expansion must begin with a terminal, but %q %s", c.g.Names[s], why))
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

// planFrame is a state whose branches are being counted.
type planFrame struct {
	state       planState
	key         string
	choices     []planChoice
	choice, use int // of the next branch
	times       int // terminals for which the current branch counts
	taken       bool
	total       planCount
}

// count returns the numbers for a state. Its stack is on the heap: in browsers the stack of
// WebAssembly is too small for a recursion that is maxPlanDepth calls deep.
func (c *planCounter) count(s planState) (planCount, error) {
	var frames []planFrame
	result, known, err := c.enter(&frames, s)
	product := new(big.Int)
	for err == nil && len(frames) > 0 {
		f := &frames[len(frames)-1]
		if known {
			times := big.NewInt(int64(f.times))
			f.total.plans.Add(f.total.plans, product.Mul(result.plans, times))
			f.total.deadEnds.Add(f.total.deadEnds, product.Mul(result.deadEnds, times))
		}
		if next, ok := f.next(); ok {
			result, known, err = c.enter(&frames, next)
			continue
		}
		if !f.taken {
			f.total.deadEnds = one()
		}
		c.memo[f.key] = f.total
		result, known = f.total, true
		frames = frames[:len(frames)-1]
	}
	return result, err
}

// enter returns the numbers for a state if they are known, and adds a frame for it otherwise.
func (c *planCounter) enter(frames *[]planFrame, s planState) (n planCount, known bool, err error) {
	if len(*frames) > maxPlanDepth {
		return planCount{}, false, &meter.LimitError{Resource: meter.States, Max: maxPlanDepth}
	}
	if len(s.stack) == 0 {
		return planCount{plans: one(), deadEnds: new(big.Int)}, true, nil
	}
	key := s.key()
	// Each choice that leads to a state builds its key again and adds its counts, both
	// in time linear in the key.
	if err := c.m.Step(4 * len(key)); err != nil {
		return planCount{}, false, err
	}
	if n, ok := c.memo[key]; ok {
		return n, true, nil
	}
	if err := c.m.Spend(meter.States, 1+int64(len(key)/stateBytes)); err != nil {
		return planCount{}, false, err
	}
	top := s.stack[0]
	var choices []planChoice
	if c.g.IsTerminal(top) {
		choices = []planChoice{{class: c.class[top]}}
	} else if choices, err = c.expansions(top, nil); err != nil {
		return planCount{}, false, err
	}
	*frames = append(*frames, planFrame{state: s, key: key, choices: choices, total: planCount{new(big.Int), new(big.Int)}})
	return planCount{}, false, nil
}

// next returns the state of the next branch, and whether there is one. Terminals of a class with
// equally many remaining uses share a branch.
func (f *planFrame) next() (planState, bool) {
	for ; f.choice < len(f.choices); f.choice, f.use = f.choice+1, 0 {
		choice := f.choices[f.choice]
		left := f.state.left[choice.class]
		for f.use < len(left) {
			first := f.use
			for f.use < len(left) && left[f.use] == left[first] {
				f.use++
			}
			if left[first] != 0 {
				f.times, f.taken = f.use-first, true
				return f.state.take(choice, first), true
			}
		}
	}
	return planState{}, false
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
