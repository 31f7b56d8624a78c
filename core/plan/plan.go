// Package plan makes a plan of a grammar with a language model: the planner of
// Formal-LLM (Li et al. 2024, §4.3 and 4.4).
//
// A plan is a word of the grammar, found by expanding the leftmost nonterminal
// of a stack. Where more than one expansion is possible the model is shown the
// task, what is chosen already, and a numbered list; it answers with a number
// and nothing else. So the model decides, but only among valid moves.
//
// Use limits make most valid moves fatal: a tool spent now may be the only one
// that could have fed a sibling. What is offered is therefore filtered by exact
// look-ahead ([grammar.Needs]): every choice on the list can still be finished,
// and no choice ever has to be taken back. With Settings.Naive the look-ahead is
// left out and the planner backtracks from dead ends, as the paper's does.
package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Defaults of [Settings].
const (
	DefaultAttempts = 6   // per choice, as in the paper
	DefaultMaxSteps = 200 // expansions; most plans have a dozen
)

// hardStop bounds the expansions beyond MaxSteps, which take the shortest way
// out.
const hardStop = 100_000

// naiveStop bounds all expansions of a planner without look-ahead, which may go
// back for ever.
const naiveStop = 5_000

// Settings of a run.
type Settings struct {
	Task     string          `json:"task,omitempty"`
	Limits   *grammar.Limits `json:"limits,omitempty"` // nil: those that the grammar declares
	Model    llm.Spec        `json:"model"`
	Attempts int             `json:"attempts,omitempty"` // to get a readable answer; 0: DefaultAttempts
	MaxSteps int             `json:"maxSteps,omitempty"` // after which only the shortest way out is offered; 0: DefaultMaxSteps
	Naive    bool            `json:"naive,omitempty"`    // no look-ahead: backtrack from dead ends
}

// Plan is a finished plan.
type Plan struct {
	Word     []string `json:"word"`
	Function string   `json:"function"` // e1(a1(i), b1(i))
	Steps    []Step   `json:"steps"`    // in the order they are carried out
	Tree     *Node    `json:"tree"`

	Calls      int       `json:"calls"`      // of the model
	Usage      llm.Usage `json:"usage"`      // of all calls
	Forced     int       `json:"forced"`     // moves that left nothing to choose
	DeadEnds   int       `json:"deadEnds"`   // states without a move; none with look-ahead
	Backtracks int       `json:"backtracks"` // choices taken back
}

// Run makes a plan. The error has code "plan.none" where no plan exists within
// the limits, "plan.unreadable" where the model never answers with a number,
// "plan.steps" where a grammar winds on without end.
func Run(env *process.Env, g *grammar.Grammar, s Settings) (*Plan, error) {
	model, err := llm.New(s.Model)
	if err != nil {
		return nil, err
	}
	limits := g.DeclaredLimits()
	if s.Limits != nil {
		limits = *s.Limits
	}
	table, err := NewTable(g, limits, env.Meter())
	if err != nil {
		return nil, err
	}
	return table.Run(env, model, s)
}

// Table is what planning needs to know of a grammar and its limits. It never
// changes and may be shared by many runs.
type Table struct {
	g        *grammar.Grammar
	caps     []int64
	needs    *grammar.Needs
	useful   []bool
	toolLike []bool // by symbol: each of its productions is one terminal
	height   []int  // by symbol: of its lowest derivation tree
}

// NewTable computes the table. The error is that of unknown names in the limits,
// or the meter's where the look-ahead is too hard.
func NewTable(g *grammar.Grammar, limits grammar.Limits, m *meter.Meter) (*Table, error) {
	caps, err := g.Caps(limits)
	if err != nil {
		return nil, err
	}
	needs, err := grammar.ComputeNeeds(g, caps, m)
	if err != nil {
		return nil, err
	}
	t := &Table{g: g, caps: caps, needs: needs, useful: g.Useful(), toolLike: make([]bool, g.NumSymbols()), height: g.Heights()}
	for i := g.NumTerminals; i < g.NumSymbols(); i++ {
		t.toolLike[i] = !slices.ContainsFunc(g.ByLeft(grammar.Symbol(i)), func(p int) bool {
			right := g.Productions[p].Right
			return len(right) != 1 || !g.IsTerminal(right[0])
		})
	}
	return t, nil
}

// frame is an entry of the stack, the rest of the stack below it. Frames are
// never changed, so a stack is its own snapshot.
type frame struct {
	symbol grammar.Symbol
	next   *frame
	need   grammar.Antichain // of this frame and all below it
	tool   grammar.Symbol    // that it was pushed with, or -1
	depth  int               // with all below it
}

// state is a configuration of the planner.
type state struct {
	stack      *frame
	word       *chain[grammar.Symbol]
	left       []int64     // uses, by terminal
	derivation *chain[int] // productions, in the order of a leftmost derivation
}

// chain is a sequence that grows at its end and never changes otherwise, so that
// the states a planner may go back to share their beginnings. Nil is empty.
type chain[T any] struct {
	last   T
	before *chain[T]
	length int
}

func (c *chain[T]) add(item T) *chain[T] {
	return &chain[T]{last: item, before: c, length: c.len() + 1}
}

func (c *chain[T]) len() int {
	if c == nil {
		return 0
	}
	return c.length
}

// tail returns the last n items, in order; all where there are fewer.
func (c *chain[T]) tail(n int) []T {
	out := make([]T, min(n, c.len()))
	for i := len(out) - 1; i >= 0; i-- {
		out[i], c = c.last, c.before
	}
	return out
}

func (c *chain[T]) all() []T { return c.tail(c.len()) }

// move is one way to expand the leftmost nonterminal.
type move struct {
	production int
	inner      int // the production that the first symbol is expanded with at once, or -1
}

// choicePoint is where the planner can go back to.
type choicePoint struct {
	state state
	moves []move // not yet tried
}

type planner struct {
	*Table
	env      *process.Env
	model    llm.Model
	settings Settings
	plan     *Plan
	points   []choicePoint
	steps    int

	// Progress on the way out: the lowest stack, the longest word, and the steps
	// since either changed.
	shallow, longest, idle int
}

// Run makes a plan with the table's grammar and limits; s.Limits and s.Model are
// not looked at.
func (t *Table) Run(env *process.Env, model llm.Model, s Settings) (*Plan, error) {
	if s.Attempts <= 0 {
		s.Attempts = DefaultAttempts
	}
	if s.MaxSteps <= 0 {
		s.MaxSteps = DefaultMaxSteps
	}
	p := &planner{Table: t, env: env, model: model, settings: s, plan: &Plan{}, shallow: math.MaxInt}
	if err := p.possible(); err != nil {
		return nil, err
	}
	bottom, err := p.push(nil, []grammar.Symbol{t.g.Start}, -1)
	if err != nil {
		return nil, err
	}
	now := state{stack: bottom, left: slices.Clone(t.caps)}
	for now.stack != nil {
		if now, err = p.step(now); err != nil {
			return nil, err
		}
	}
	if err := p.finish(now); err != nil {
		return nil, err
	}
	return p.plan, nil
}

// possible reports at once that no plan exists, and why.
func (p *planner) possible() error {
	if !p.useful[p.g.Start] {
		return source.NewError("plan.none", fmt.Sprintf("no plan exists: the start symbol %q derives no word", p.g.Names[p.g.Start]))
	}
	if !p.needs.Fits(p.needs.Of(p.g.Start), p.needs.Budget(p.caps)) {
		return source.NewError("plan.none", "no plan exists: every word of the grammar breaks the use limits")
	}
	return nil
}

// push puts symbols on a stack, the first of them on top.
func (p *planner) push(below *frame, symbols []grammar.Symbol, tool grammar.Symbol) (*frame, error) {
	for i := len(symbols) - 1; i >= 0; i-- {
		f := &frame{symbol: symbols[i], next: below, tool: tool, depth: 1}
		if below != nil {
			f.depth += below.depth
		}
		if !p.settings.Naive {
			under := p.needs.Nothing()
			if below != nil {
				under = below.need
			}
			var err error
			if f.need, err = p.needs.Add(p.needs.Of(symbols[i]), under, p.env.Meter()); err != nil {
				return nil, err
			}
		}
		below = f
	}
	return below, nil
}

// step takes the top off the stack.
func (p *planner) step(now state) (state, error) {
	if p.steps++; p.steps > hardStop || p.settings.Naive && p.steps > naiveStop {
		return now, source.NewError("plan.steps", fmt.Sprintf("no plan was found in %d steps", p.steps-1))
	}
	if err := p.env.Meter().Step(10); err != nil {
		return now, err
	}
	top := now.stack
	if p.g.IsTerminal(top.symbol) {
		if now.left[top.symbol] == 0 {
			return p.backtrack()
		}
		return p.read(now, top.symbol, top.next), nil
	}
	moves, err := p.moves(now)
	if err != nil {
		return now, err
	}
	return p.take(now, moves)
}

// take makes one of the moves, the model's choice where there are several.
func (p *planner) take(now state, moves []move) (state, error) {
	if len(moves) == 0 {
		return p.backtrack()
	}
	n, forced := 0, len(moves) == 1
	if forced {
		p.plan.Forced++
	} else {
		var err error
		if n, err = p.ask(now, moves); err != nil {
			return now, err
		}
		if p.settings.Naive {
			p.points = append(p.points, choicePoint{state: now, moves: slices.Delete(slices.Clone(moves), n, n+1)})
		}
	}
	next, err := p.apply(now, moves[n])
	if err == nil {
		p.env.Emit(p.taken(now, next, moves[n], n, forced))
	}
	return next, err
}

// backtrack goes back to the last choice that had others. With look-ahead it is
// never called, which the counts prove.
func (p *planner) backtrack() (state, error) {
	p.plan.DeadEnds++
	for len(p.points) > 0 {
		last := &p.points[len(p.points)-1]
		if len(last.moves) == 0 {
			p.points = p.points[:len(p.points)-1]
			continue
		}
		p.plan.Backtracks++
		now, moves := last.state, last.moves
		p.points = p.points[:len(p.points)-1]
		p.env.Emit(BackEvent{Kind: "plan.back", Word: p.wordNames(now), Choices: len(moves)})
		return p.take(now, moves)
	}
	return state{}, source.NewError("plan.none", "no plan exists within the use limits: every choice was tried")
}

// read moves a terminal from the stack to the word.
func (p *planner) read(now state, t grammar.Symbol, rest *frame) state {
	now.stack = rest
	now.word = now.word.add(t)
	if now.left[t] > 0 {
		now.left = slices.Clone(now.left)
		now.left[t]--
	}
	return now
}

// moves returns the expansions of the leftmost nonterminal from which a plan can
// be finished (all that do not break a limit at once, when naive). A nonterminal
// in front whose productions are single terminals is expanded in the same move:
// the model sees tools, not kinds of tools.
func (p *planner) moves(now state) ([]move, error) {
	var out []move
	budget := p.needs.Budget(now.left)
	for _, production := range p.g.ByLeft(now.stack.symbol) {
		right := p.g.Productions[production].Right
		if !p.allUseful(right) {
			continue
		}
		inner := []int{-1}
		if len(right) > 0 && p.toolLike[right[0]] {
			inner = p.g.ByLeft(right[0])
		}
		need, err := p.rest(now, right)
		if err != nil {
			return nil, err
		}
		for _, i := range inner {
			m := move{production: production, inner: i}
			first := p.head(m)
			switch {
			case first >= 0 && now.left[first] == 0:
			case p.settings.Naive:
				out = append(out, m)
			case first >= 0 && p.needs.FitsAfter(first, need, budget), first < 0 && p.needs.Fits(need, budget):
				out = append(out, m)
			}
		}
	}
	if p.steps > p.settings.MaxSteps && !p.stuck(now) {
		out = p.lowest(out)
	}
	return out, nil
}

// rest returns the needs of what a production leaves on the stack, less the
// terminal or the kind of tool that it begins with.
func (p *planner) rest(now state, right []grammar.Symbol) (grammar.Antichain, error) {
	if p.settings.Naive {
		return nil, nil
	}
	if len(right) > 0 && (p.g.IsTerminal(right[0]) || p.toolLike[right[0]]) {
		right = right[1:]
	}
	need, err := p.needs.Sum(right, p.env.Meter())
	if err != nil || len(need) == 0 || now.stack.next == nil {
		return need, err
	}
	return p.needs.Add(need, now.stack.next.need, p.env.Meter())
}

// head returns the terminal that a move begins with, or -1.
func (p *planner) head(m move) grammar.Symbol {
	right := p.g.Productions[m.production].Right
	switch {
	case m.inner >= 0:
		return p.g.Productions[m.inner].Right[0]
	case len(right) > 0 && p.g.IsTerminal(right[0]):
		return right[0]
	default:
		return -1
	}
}

// stuck reports that the way out leads in a circle: a lowest tree may need more of
// a terminal than is left, and those next to it may come back to where they were.
// Then every move is offered again, until there is progress.
func (p *planner) stuck(now state) bool {
	if now.stack.depth < p.shallow || now.word.len() > p.longest {
		p.shallow, p.longest, p.idle = now.stack.depth, now.word.len(), 0
	}
	p.idle++
	return p.idle > 2*p.g.NumSymbols()
}

// lowest keeps the moves whose derivation trees are the lowest: taking these
// only, every derivation without limits ends.
func (p *planner) lowest(moves []move) []move {
	best := -1
	var out []move
	for _, m := range moves {
		height := 0
		for _, s := range p.g.Productions[m.production].Right {
			height = max(height, p.height[s])
		}
		if best < 0 || height < best {
			best, out = height, out[:0]
		}
		if height == best {
			out = append(out, m)
		}
	}
	return out
}

// apply makes a move. The terminals that come to the top of the stack by it are
// read in the steps that follow.
func (p *planner) apply(now state, m move) (state, error) {
	top := now.stack
	right := p.g.Productions[m.production].Right
	tool := p.head(m)
	if tool < 0 || len(right) == 1 {
		tool = top.tool // what a mere renaming pushes still feeds the same tool
	}
	now.derivation = now.derivation.add(m.production)
	if m.inner >= 0 {
		now.derivation = now.derivation.add(m.inner)
	}
	head := p.head(m)
	if head >= 0 {
		right = right[1:]
	}
	rest, err := p.push(top.next, right, tool)
	if err != nil {
		return now, err
	}
	if head < 0 {
		now.stack = rest
		return now, nil
	}
	return p.read(now, head, rest), nil
}

func (p *planner) allUseful(right []grammar.Symbol) bool {
	for _, s := range right {
		if !p.useful[s] {
			return false
		}
	}
	return true
}

// maxWordShown bounds the word in an event.
const maxWordShown = 200

// wordNames names the end of what was chosen so far.
func (p *planner) wordNames(now state) []string { return p.names(now.word.tail(maxWordShown)) }

func (p *planner) names(word []grammar.Symbol) []string {
	out := make([]string, len(word))
	for i, s := range word {
		out[i] = p.g.Names[s]
	}
	return out
}
