package plan

import (
	"github.com/stile-playground/stile/core/grammar"
)

// space is what a planner moves in: the configurations of a specification.
type space interface {
	// begin returns the first configuration.
	begin() (config, error)
	// step does what needs no decision, if there is any: done says that the plan is
	// finished, dead that it cannot be.
	step(now config) (next config, did, done, dead bool, err error)
	// look returns the moves that are offered.
	look(now config) (look, error)
	// apply makes a move, and says how the tree grows by it.
	apply(now config, m move) (config, []Growth, error)
	// without returns a configuration as it is once a terminal may not be used any
	// more.
	without(now config, t grammar.Symbol) (config, error)
	// possible reports whether a configuration can still be finished.
	possible(now config) (bool, error)
	// finish turns the last configuration into the plan.
	finish(now config, plan *Plan) error

	// What is said of it.
	item(now config) (item, purpose string)
	choice(now config, m move) Choice
	refusal(now config, m move) (why, reason string, err error) // of a withheld move
	report(now config) []string                                 // what is decided, in the order it was
	stackNames(now config) []string
	asks(now config) bool // the item is a question
	derives() bool        // a plan is a derivation, not a walk
	backwards() bool      // a plan begins with what is done last
	grammar() *grammar.Grammar
	keeps() *rules
}

// config is a configuration. It is never changed, so that the planner can go back
// to any.
type config struct {
	word  *chain[grammar.Symbol]
	left  []int64 // uses, by terminal
	state int     // of the properties' automaton
	nodes int     // of the tree so far

	stack      *frame      // of a derivation
	derivation *chain[int] // productions, in the order of a leftmost derivation

	at      int  // of a flowchart: its state
	stopped bool // of a walk: it was decided to stop
}

// look is what a planner sees at a decision.
type look struct {
	moves    []move
	longer   []move // that are not offered only because the plan has become long
	withheld []move // that break a rule, or lead to no plan
	tried    []move // that were made before
	many     bool   // several of the moves that have an item may be taken at once
}

// move is one way to go on.
type move struct {
	production int            // of a derivation
	inner      int            // the production that the first symbol is expanded with at once, or -1
	letter     grammar.Symbol // of a walk; -1 to stop
	items      []int          // chosen together: of a subset, or of a question's answers
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

// read returns the configuration after one more terminal.
func (c config) read(r *rules, t grammar.Symbol) config {
	c.word = c.word.add(t)
	c.state = r.next(c.state, t)
	if c.left[t] > 0 {
		left := make([]int64, len(c.left))
		copy(left, c.left)
		left[t]--
		c.left = left
	}
	return c
}

// banned returns the configuration with no uses of a terminal left.
func (c config) banned(t grammar.Symbol) config {
	left := make([]int64, len(c.left))
	copy(left, c.left)
	left[t] = 0
	c.left = left
	return c
}
