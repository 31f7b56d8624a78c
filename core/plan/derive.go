package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Table is what planning needs to know of a grammar, its limits and the
// properties of its plans. It never changes and may be shared by many runs.
type Table struct {
	g        *grammar.Grammar
	rules    *rules
	useful   []bool
	toolLike []bool // by symbol: each of its productions is one terminal
	subsets  map[grammar.Symbol]*grammar.Subset
	height   []int // by symbol: of its lowest derivation tree
	parser   *earley.Parser
}

// NewTable computes the table of a grammar. The error is that of unknown names in
// the limits, or the meter's where the look-ahead is too hard.
func NewTable(g *grammar.Grammar, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Table, error) {
	r, err := newRules(g, limits, properties, m)
	if err != nil {
		return nil, err
	}
	t := &Table{g: g, rules: r, useful: g.Useful(), toolLike: make([]bool, g.NumSymbols()), height: g.Heights(), parser: earley.New(g), subsets: map[grammar.Symbol]*grammar.Subset{}}
	for i := g.NumTerminals; i < g.NumSymbols(); i++ {
		t.toolLike[i] = !slices.ContainsFunc(g.ByLeft(grammar.Symbol(i)), func(p int) bool {
			right := g.Productions[p].Right
			return len(right) != 1 || !g.IsTerminal(right[0])
		})
	}
	for i := range g.Subsets {
		t.subsets[g.Subsets[i].Left] = &g.Subsets[i]
		t.toolLike[g.Subsets[i].Left] = false
	}
	return t, nil
}

// frame is an entry of the stack, the rest of the stack below it. Frames are
// never changed, so a stack is its own snapshot.
type frame struct {
	symbol  grammar.Symbol
	next    *frame
	need    profile           // of this frame and all below it
	plain   grammar.Antichain // the same without the properties
	purpose string            // what it was pushed with: a tool, or the step that needs it
	depth   int               // with all below it
	node    int               // of the tree
}

// derivation is the space of a grammar's leftmost derivations.
type derivation struct {
	*Table
	meter *meter.Meter
	naive bool
	// The way out of long derivations: steps after which only the shortest is
	// offered, and progress on it: the lowest stack, the longest word, and the steps
	// since either changed.
	maxSteps               int
	steps                  int
	shallow, longest, idle int
}

func newDerivation(t *Table, s Settings, m *meter.Meter) *derivation {
	return &derivation{Table: t, meter: m, naive: s.Naive, maxSteps: s.MaxSteps, shallow: math.MaxInt}
}

func (d *derivation) grammar() *grammar.Grammar { return d.g }
func (d *derivation) keeps() *rules             { return d.rules }

func (d *derivation) asks(config) bool { return false }
func (d *derivation) derives() bool    { return true }
func (d *derivation) backwards() bool  { return true }

// report lists what is decided: a production that says itself what it does by its
// label, any other by the terminals that it has.
func (d *derivation) report(now config) []string {
	var out []string
	tree := d.tree(now.derivation.all())
	var walk func(n *Node, silent bool, parent string)
	walk = func(n *Node, silent bool, parent string) {
		switch {
		case n.Terminal && !silent:
			out = append(out, n.Label)
		case n.production < 0:
		case d.subsets[n.symbol] != nil:
			text := prepare(d.g.Label(n.symbol), n.Children)
			if parent != "" {
				text += ", for: " + parent
			}
			out = append(out, text)
		default:
			label := d.g.Productions[n.production].Label
			if label != "" {
				out = append(out, label)
			}
			for _, child := range n.Children {
				walk(child, label != "", label)
			}
		}
	}
	walk(tree, false, "")
	return out
}

func (d *derivation) begin() (config, error) {
	now := config{left: slices.Clone(d.rules.caps), state: d.rules.start(), nodes: 1}
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

// push puts symbols on a stack, the first of them on top; their nodes count from
// node.
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
			if d.rules.automaton == nil {
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

func (d *derivation) step(now config) (next config, did, done, dead bool, err error) {
	top := now.stack
	switch {
	case top == nil:
		return now, false, true, d.naive && !d.rules.accepting(now.state), nil
	case !d.g.IsTerminal(top.symbol):
		return now, false, false, false, nil
	case now.left[top.symbol] == 0 || d.rules.hopeless(d.rules.next(now.state, top.symbol)):
		return now, false, false, true, nil
	}
	next = now.read(d.rules, top.symbol)
	next.stack = top.next
	return next, true, false, false, nil
}

func (d *derivation) possible(now config) (bool, error) {
	if d.naive {
		return true, nil
	}
	need, _ := d.below(now.stack)
	return d.rules.needs.Fits(need[now.state], d.rules.needs.Budget(now.left)), nil
}

// without needs no new profiles: they are needs, and what is left is compared with
// them at each move.
func (d *derivation) without(now config, t grammar.Symbol) (config, error) { return now.banned(t), nil }

// look returns the expansions of the leftmost nonterminal from which a plan can be
// finished (all that do not break a rule at once, when naive). A nonterminal in
// front whose productions are single terminals is expanded in the same move: the
// model sees tools, not kinds of tools.
func (d *derivation) look(now config) (look, error) {
	d.steps++
	if subset := d.subsets[now.stack.symbol]; subset != nil {
		return d.lookSubset(now, subset), nil
	}
	var out look
	for _, production := range d.g.ByLeft(now.stack.symbol) {
		right := d.g.Productions[production].Right
		if !d.allUseful(right) {
			continue
		}
		inner := []int{-1}
		if len(right) > 0 && d.toolLike[right[0]] {
			inner = d.g.ByLeft(right[0])
		}
		need, _, err := d.rest(now, d.behind(right), false)
		if err != nil {
			return out, err
		}
		for _, i := range inner {
			m := move{production: production, inner: i}
			if d.fits(now, d.head(m), need) {
				out.moves = append(out.moves, m)
			} else {
				out.withheld = append(out.withheld, m)
			}
		}
	}
	if d.steps > d.maxSteps && !d.stuck(now) {
		out.moves, out.longer = d.lowest(out.moves)
	}
	return out, nil
}

// lookSubset offers every item that may be used at all; whether the chosen ones
// may be used together is looked at when they are.
func (d *derivation) lookSubset(now config, subset *grammar.Subset) look {
	out := look{many: true}
	for i, item := range subset.Items {
		m := move{production: -1, inner: -1, items: []int{i}}
		if now.left[item] == 0 {
			out.withheld = append(out.withheld, m)
		} else {
			out.moves = append(out.moves, m)
		}
	}
	return out
}

// behind returns a right side without the terminal, or the kind of tool, that it
// begins with.
func (d *derivation) behind(right []grammar.Symbol) []grammar.Symbol {
	if len(right) > 0 && (d.g.IsTerminal(right[0]) || d.toolLike[right[0]]) {
		return right[1:]
	}
	return right
}

// rest returns the profile of what a production leaves on the stack; with plainly
// also as if there were no properties.
func (d *derivation) rest(now config, rest []grammar.Symbol, plainly bool) (need profile, plain grammar.Antichain, err error) {
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

// fits reports whether a move with a head (-1 for none) that leaves what has a
// profile can be made, and the plan finished afterwards.
func (d *derivation) fits(now config, head grammar.Symbol, need profile) bool {
	state := now.state
	if head >= 0 {
		state = d.rules.next(state, head)
		if now.left[head] == 0 || d.rules.hopeless(state) {
			return false
		}
	}
	return d.naive || d.enough(now, d.rules.needs, head, need[state])
}

// enough reports whether what is left covers a head and some need.
func (d *derivation) enough(now config, n *grammar.Needs, head grammar.Symbol, a grammar.Antichain) bool {
	if head >= 0 {
		return n.FitsAfter(head, a, n.Budget(now.left))
	}
	return n.Fits(a, n.Budget(now.left))
}

func (d *derivation) refusal(now config, m move) (why, reason string, err error) {
	if m.items != nil {
		return WithheldLimit, d.usedUp(d.subsets[now.stack.symbol].Items[m.items[0]]), nil
	}
	r, head := d.rules, d.head(m)
	switch {
	case head >= 0 && now.left[head] == 0:
		return WithheldLimit, d.usedUp(head), nil
	case head >= 0 && r.hopeless(r.next(now.state, head)):
		return WithheldProperty, d.breaks(now, head), nil
	}
	rest := d.behind(d.g.Productions[m.production].Right)
	_, plain, err := d.rest(now, rest, true)
	if err != nil {
		return "", "", err
	}
	if r.automaton != nil && d.enough(now, r.plain, head, plain) {
		return WithheldProperty, "no plan that goes on so satisfies " + r.names(), nil
	}
	for _, s := range rest {
		if !d.g.IsTerminal(s) && !d.enough(now, r.plain, head, r.plain.Of(s)) {
			return WithheldLookahead, fmt.Sprintf("it needs %s, which nothing that is left can give", article(d.g.Label(s))), nil
		}
	}
	return WithheldLookahead, "what is left of the tools would not do for the rest of the plan", nil
}

func (d *derivation) usedUp(t grammar.Symbol) string {
	switch n := d.rules.caps[t]; n {
	case 0:
		return "it may not be used"
	case 1:
		return "it is used already"
	default:
		return fmt.Sprintf("it is used %d times already", n)
	}
}

func (d *derivation) breaks(now config, t grammar.Symbol) string {
	if name := d.rules.broken(now.word.all(), t); name != "" {
		return "it would break " + name
	}
	return "it would break " + d.rules.names()
}

// head returns the terminal that a move begins with, or -1.
func (d *derivation) head(m move) grammar.Symbol {
	right := d.g.Productions[m.production].Right
	switch {
	case m.inner >= 0:
		return d.g.Productions[m.inner].Right[0]
	case len(right) > 0 && d.g.IsTerminal(right[0]):
		return right[0]
	default:
		return -1
	}
}

// stuck reports that the way out leads in a circle: a lowest tree may need more of
// a terminal than is left, and those next to it may come back to where they were.
// Then every move is offered again, until there is progress.
func (d *derivation) stuck(now config) bool {
	if now.stack.depth < d.shallow || now.word.len() > d.longest {
		d.shallow, d.longest, d.idle = now.stack.depth, now.word.len(), 0
	}
	d.idle++
	return d.idle > 2*d.g.NumSymbols()
}

// lowest parts the moves whose derivation trees are the lowest from the others:
// taking these only, every derivation without limits ends.
func (d *derivation) lowest(moves []move) (low, others []move) {
	heights := make([]int, len(moves))
	least := math.MaxInt
	for i, m := range moves {
		for _, s := range d.g.Productions[m.production].Right {
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

// apply makes a move. The terminals that come to the top of the stack by it are
// read in the steps that follow.
func (d *derivation) apply(now config, m move) (config, []Growth, error) {
	if m.items != nil {
		return d.applySubset(now, m.items)
	}
	top := now.stack
	right := d.g.Productions[m.production].Right
	head := d.head(m)
	purpose := top.purpose // what a mere renaming pushes still feeds the same tool
	switch label := d.g.Productions[m.production].Label; {
	case label != "":
		purpose = label
	case head >= 0 && len(right) > 1:
		purpose = d.g.Label(head)
	}
	now.derivation = now.derivation.add(m.production)
	growth := []Growth{d.grow(&now, top.node, m.production)}
	if m.inner >= 0 {
		now.derivation = now.derivation.add(m.inner)
		growth = append(growth, d.grow(&now, growth[0].Children[0].ID, m.inner))
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
		now = now.read(d.rules, head)
	}
	return now, growth, nil
}

// grow counts the nodes of a production's right side.
func (d *derivation) grow(now *config, node, production int) Growth {
	p := d.g.Productions[production]
	out := Growth{Node: node, Label: p.Label, Children: make([]Leaf, len(p.Right))}
	for i, s := range p.Right {
		out.Children[i] = Leaf{ID: now.nodes, Symbol: d.g.Names[s], Label: d.g.Label(s), Terminal: d.g.IsTerminal(s)}
		now.nodes++
	}
	return out
}

// applySubset derives the chosen items of a subset, in its order.
func (d *derivation) applySubset(now config, items []int) (config, []Growth, error) {
	top := now.stack
	subset := d.subsets[top.symbol]
	word := make([]grammar.Symbol, len(items))
	for i, item := range items {
		word[i] = subset.Items[item]
	}
	productions, ok := subset.Derivation(items)
	if !ok {
		return now, nil, source.NewError("internal", fmt.Sprintf("the subset %s derives no such choice", d.g.Names[top.symbol]))
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
			return now, nil, errChoice{d.usedUp(t)}
		}
		now = now.read(d.rules, t)
	}
	fits, err := d.possible(now)
	if err == nil && !fits {
		err = errChoice{"these cannot be chosen together"}
	}
	return now, []Growth{growth}, err
}

// errChoice says why a choice of several items cannot be made.
type errChoice struct{ why string }

func (e errChoice) Error() string { return e.why }

func (d *derivation) allUseful(right []grammar.Symbol) bool {
	for _, s := range right {
		if !d.useful[s] {
			return false
		}
	}
	return true
}

func (d *derivation) item(now config) (item, purpose string) {
	return d.g.Label(now.stack.symbol), now.stack.purpose
}

func (d *derivation) choice(now config, m move) Choice {
	if m.items != nil {
		subset := d.subsets[now.stack.symbol]
		c := Choice{Pushes: []string{}}
		for i, item := range m.items {
			if i > 0 {
				c.Symbol, c.Label = c.Symbol+" ", c.Label+", "
			}
			c.Symbol, c.Label = c.Symbol+d.g.Names[subset.Items[item]], c.Label+d.g.Label(subset.Items[item])
		}
		return c
	}
	production := d.g.Productions[m.production]
	c := Choice{Label: production.Label, Pushes: []string{}}
	right := production.Right
	if head := d.head(m); head >= 0 {
		c.Symbol = d.g.Names[head]
		if c.Label == "" {
			c.Label = d.g.Label(head)
		}
		right = right[1:]
	}
	for _, s := range right {
		c.Pushes = append(c.Pushes, d.g.Label(s))
	}
	if c.Label == "" {
		c.Label = strings.Join(c.Pushes, ", then ")
	}
	if c.Label == "" {
		c.Label = "nothing"
	}
	return c
}

// maxStackShown bounds the stack in an event.
const maxStackShown = 50

func (d *derivation) stackNames(now config) []string {
	out := []string{}
	for f := now.stack; f != nil && len(out) < maxStackShown; f = f.next {
		out = append(out, d.g.Names[f.symbol])
	}
	return out
}

// finish turns a finished derivation into the plan, after checking once more, by
// a parser that shares nothing with the planner, that its word is valid.
func (d *derivation) finish(now config, plan *Plan) error {
	word := now.word.all()
	ok, err := d.parser.Recognize(word, d.meter)
	if err != nil {
		return err
	}
	if !ok || !d.rules.satisfied(word) {
		return source.NewError("internal", fmt.Sprintf("the planner made %v, which is not valid; please report it with the grammar", names(d.g, word)))
	}
	plan.Word = names(d.g, word)
	plan.Tree = d.tree(now.derivation.all())
	root := d.call(plan.Tree)
	plan.Function = functionForm(root)
	plan.Steps = d.stepsOf(plan.Tree)
	plan.call = root
	return nil
}
