package space

import (
	"fmt"
	"math"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// frame is an entry of the stack, linked to the entries below it. Frames are immutable, so
// that a stack is its own snapshot.
type frame struct {
	symbol  grammar.Symbol
	next    *frame
	need    profile           // to complete this frame and all below it
	plain   grammar.Antichain // like need, without the properties
	purpose string            // the tool or step that takes the symbol
	depth   int               // the number of frames from here down
	node    int               // of the tree
}

// derivation is the search space of a grammar's leftmost derivations.
type derivation struct {
	*Table
	meter *meter.Meter
	naive bool
	// After maxSteps steps only the shortest completion is offered. The other fields
	// measure its progress: the lowest stack, the longest word, and the steps since either
	// changed.
	maxSteps               int
	steps                  int
	shallow, longest, idle int
}

// Space returns the search space of the grammar's derivations. After maxSteps calls of Look it
// offers only the shortest way to a complete plan. A naive space does not look ahead.
func (t *Table) Space(naive bool, maxSteps int, m *meter.Meter) Space {
	return t.derivation(naive, maxSteps, m)
}

func (t *Table) derivation(naive bool, maxSteps int, m *meter.Meter) *derivation {
	return &derivation{Table: t, meter: m, naive: naive, maxSteps: maxSteps, shallow: math.MaxInt}
}

func (d *derivation) Asks(Config) bool { return false }
func (d *derivation) Derives() bool    { return true }
func (d *derivation) Backwards() bool  { return true }
func (d *derivation) Feasible() error  { return d.rules.possible(d.g, d.meter) }

func (d *derivation) Begin() (Config, error) {
	now := derivationConfig{progress: progress{left: slices.Clone(d.rules.Caps), state: d.rules.start(), nodes: 1}}
	stack, err := d.push(nil, []grammar.Symbol{d.g.Start}, "", 0)
	now.stack = stack
	return now, err
}

// below returns the profile of a stack.
func (d *derivation) below(f *frame) (profile, grammar.Antichain) {
	if f == nil {
		return d.rules.bottom(), d.rules.plain.Nothing()
	}
	return f.need, f.plain
}

// push pushes symbols on a stack, the first of them on top. node is the tree node of the
// first.
func (d *derivation) push(below *frame, symbols []grammar.Symbol, purpose string, node int) (*frame, error) {
	for i := len(symbols) - 1; i >= 0; i-- {
		f := &frame{symbol: symbols[i], next: below, purpose: purpose, depth: 1, node: node + i}
		if below != nil {
			f.depth += below.depth
		}
		if !d.naive {
			need, plain := d.below(below)
			var err error
			if f.need, err = d.rules.before(symbols[i], need, d.meter); err != nil {
				return nil, err
			}
			if d.rules.Automaton == nil {
				f.plain = f.need[0]
				below = f
				continue
			}
			if f.plain, err = d.rules.plain.Add(d.rules.plain.Of(symbols[i]), plain, d.meter); err != nil {
				return nil, err
			}
		}
		below = f
	}
	return below, nil
}

func (d *derivation) Step(c Config) (next Config, status Status, err error) {
	now := c.(derivationConfig)
	top := now.stack
	switch {
	case top == nil && d.naive && !d.rules.accepting(now.state):
		return now, Dead, nil
	case top == nil:
		return now, Finished, nil
	case !d.g.IsTerminal(top.symbol):
		return now, Undecided, nil
	case now.left[top.symbol] == 0 || d.rules.Hopeless(d.rules.next(now.state, top.symbol)):
		return now, Dead, nil
	}
	now.progress = now.read(d.rules, top.symbol)
	now.stack = top.next
	return now, Advanced, nil
}

func (d *derivation) Possible(c Config) (bool, error) {
	now := c.(derivationConfig)
	if d.naive {
		return true, nil
	}
	need, _ := d.below(now.stack)
	return d.rules.needs.Fits(need[now.state], d.rules.needs.Budget(now.left)), nil
}

// Look returns the expansions of the leftmost nonterminal that lead to a complete plan; if
// naive, those that violate no rule immediately. If the right side begins with a nonterminal
// whose productions are single terminals, the move expands it too, so that the choices are
// tools and not kinds of tools.
func (d *derivation) Look(c Config) (Look, error) {
	now := c.(derivationConfig)
	d.steps++
	if subset := d.subsets[now.stack.symbol]; subset != nil {
		return d.lookSubset(now, subset), nil
	}
	var out Look
	for _, production := range d.g.ByLeft(now.stack.symbol) {
		right := d.g.Productions[production].Right
		if !d.allUseful(right) {
			continue
		}
		inner := []int{-1}
		if len(right) > 0 && d.toolLike[right[0]] {
			inner = d.g.ByLeft(right[0])
		}
		need, _, err := d.rest(now, d.afterTool(right), false)
		if err != nil {
			return out, err
		}
		for _, i := range inner {
			m := expansion{production, i}
			if d.fits(now, d.head(m), need) {
				out.Moves = append(out.Moves, m)
			} else {
				out.Withheld = append(out.Withheld, m)
			}
		}
	}
	if d.steps > d.maxSteps && !d.stuck(now) {
		out.Moves, out.Longer = d.lowest(out.Moves)
	}
	return out, nil
}

// lookSubset offers every item that has uses left. Apply checks whether the chosen ones go
// together.
func (d *derivation) lookSubset(now derivationConfig, subset *grammar.Subset) Look {
	out := Look{Multiple: true}
	for i, item := range subset.Items {
		m := Items{i}
		if now.left[item] == 0 {
			out.Withheld = append(out.Withheld, m)
		} else {
			out.Moves = append(out.Moves, m)
		}
	}
	return out
}

// afterTool returns a right side without the terminal, or the kind of tool, at its beginning.
func (d *derivation) afterTool(right []grammar.Symbol) []grammar.Symbol {
	if len(right) > 0 && (d.g.IsTerminal(right[0]) || d.toolLike[right[0]]) {
		return right[1:]
	}
	return right
}

// rest returns the profile of the stack after a production whose symbols in rest are not derived
// yet; if plainly is true, it also returns the needs without properties.
func (d *derivation) rest(now derivationConfig, rest []grammar.Symbol, plainly bool) (need profile, plain grammar.Antichain, err error) {
	if d.naive {
		return nil, nil, nil
	}
	need, plain = d.below(now.stack.next)
	for i := len(rest) - 1; i >= 0; i-- {
		if need, err = d.rules.before(rest[i], need, d.meter); err != nil {
			return nil, nil, err
		}
		if plainly {
			if plain, err = d.rules.plain.Add(d.rules.plain.Of(rest[i]), plain, d.meter); err != nil {
				return nil, nil, err
			}
		}
	}
	return need, plain, nil
}

// fits reports whether the plan can be completed after a move with a head (-1 for none)
// that leaves a stack with the given profile.
func (d *derivation) fits(now derivationConfig, head grammar.Symbol, need profile) bool {
	state := now.state
	if head >= 0 {
		state = d.rules.next(state, head)
		if now.left[head] == 0 || d.rules.Hopeless(state) {
			return false
		}
	}
	return d.naive || d.enough(now, d.rules.needs, head, need[state])
}

// enough reports whether the remaining uses cover a head and a need.
func (d *derivation) enough(now derivationConfig, n *grammar.Needs, head grammar.Symbol, a grammar.Antichain) bool {
	if head >= 0 {
		return n.FitsAfter(head, a, n.Budget(now.left))
	}
	return n.Fits(a, n.Budget(now.left))
}

// head returns the terminal that a move begins with, or -1.
func (d *derivation) head(m Move) grammar.Symbol {
	e := m.(expansion)
	right := d.g.Productions[e.production].Right
	switch {
	case e.inner >= 0:
		return d.g.Productions[e.inner].Right[0]
	case len(right) > 0 && d.g.IsTerminal(right[0]):
		return right[0]
	default:
		return -1
	}
}

// stuck reports that the shortest completion makes no progress: a lowest tree may need more of a
// terminal than is left, and the next higher ones may lead back to the same place. Every move is
// then offered again until there is progress.
func (d *derivation) stuck(now derivationConfig) bool {
	if now.stack.depth < d.shallow || now.word.len() > d.longest {
		d.shallow, d.longest, d.idle = now.stack.depth, now.word.len(), 0
	}
	d.idle++
	return d.idle > 2*d.g.NumSymbols()
}

// lowest divides the moves into those with the lowest derivation trees and the others. Without
// limits, a derivation that takes only lowest moves terminates.
func (d *derivation) lowest(moves []Move) (low, others []Move) {
	heights := make([]int, len(moves))
	least := math.MaxInt
	for i, m := range moves {
		for _, s := range d.g.Productions[m.(expansion).production].Right {
			heights[i] = max(heights[i], d.height[s])
		}
		least = min(least, heights[i])
	}
	for i, m := range moves {
		if heights[i] == least {
			low = append(low, m)
		} else {
			others = append(others, m)
		}
	}
	return low, others
}

// Apply makes a move. Terminals that reach the top of the stack are read in the following
// steps.
func (d *derivation) Apply(c Config, m Move) (Config, []Growth, error) {
	now := c.(derivationConfig)
	if items, ok := m.(Items); ok {
		return d.applySubset(now, items)
	}
	e := m.(expansion)
	top := now.stack
	right := d.g.Productions[e.production].Right
	head := d.head(m)
	purpose := top.purpose // a unit production passes its purpose on
	switch label := d.g.Productions[e.production].Label; {
	case label != "":
		purpose = label
	case head >= 0 && len(right) > 1:
		purpose = d.g.Label(head)
	}
	now.derivation = now.derivation.add(e.production)
	growth := []Growth{d.grow(&now, top.node, e.production)}
	if e.inner >= 0 {
		now.derivation = now.derivation.add(e.inner)
		growth = append(growth, d.grow(&now, growth[0].Children[0].ID, e.inner))
	}
	first := 0
	if head >= 0 {
		first = 1
	}
	node := 0
	if len(right) > 0 {
		node = growth[0].Children[0].ID
	}
	rest, err := d.push(top.next, right[first:], purpose, node+first)
	if err != nil {
		return now, nil, err
	}
	now.stack = rest
	if head >= 0 {
		now.progress = now.read(d.rules, head)
	}
	return now, growth, nil
}

// grow adds the nodes of a production's right side.
func (d *derivation) grow(now *derivationConfig, node, production int) Growth {
	p := d.g.Productions[production]
	out := Growth{Node: node, Label: p.Label, Children: make([]Leaf, len(p.Right))}
	for i, s := range p.Right {
		out.Children[i] = Leaf{ID: now.nodes, Symbol: d.g.Names[s], Label: d.g.Label(s), Terminal: d.g.IsTerminal(s)}
		now.nodes++
	}
	return out
}

// applySubset derives the chosen items of a subset, in its order.
func (d *derivation) applySubset(now derivationConfig, items Items) (Config, []Growth, error) {
	top := now.stack
	subset := d.subsets[top.symbol]
	word := make([]grammar.Symbol, len(items))
	for i, item := range items {
		word[i] = subset.Items[item]
	}
	productions, ok := subset.Derivation(items)
	if !ok {
		return now, nil, source.NewError("internal", fmt.Sprintf("the subset %s does not derive the chosen items", d.g.Names[top.symbol]))
	}
	growth := Growth{Node: top.node}
	for _, p := range productions {
		now.derivation = now.derivation.add(p)
	}
	for _, t := range word {
		growth.Children = append(growth.Children, Leaf{ID: now.nodes, Symbol: d.g.Names[t], Label: d.g.Label(t), Terminal: true})
		now.nodes++
	}
	now.stack = top.next
	for _, t := range word {
		if now.left[t] == 0 {
			return now, nil, ChoiceError{d.usedUp(t)}
		}
		now.progress = now.read(d.rules, t)
	}
	fits, err := d.Possible(now)
	if err == nil && !fits {
		err = ChoiceError{"these cannot be chosen together"}
	}
	return now, []Growth{growth}, err
}

func (d *derivation) allUseful(right []grammar.Symbol) bool {
	for _, s := range right {
		if !d.useful[s] {
			return false
		}
	}
	return true
}

// Finish returns the plan of a finished derivation. It checks the word again with a parser
// that is independent of the planner.
func (d *derivation) Finish(c Config) (Outcome, error) {
	now := c.(derivationConfig)
	word := now.word.all()
	ok, err := d.parser.Recognize(word, d.meter)
	if err != nil {
		return Outcome{}, err
	}
	if !ok || !d.rules.Satisfied(word) {
		return Outcome{}, source.NewError("internal", fmt.Sprintf("the planner made %v, which is not valid; please report it with the grammar", Names(d.g, word)))
	}
	tree := d.Tree(now.derivation.all())
	return Outcome{Word: Names(d.g, word), Function: FunctionForm(d.Call(tree)), Steps: d.StepsOf(tree), Tree: tree}, nil
}
