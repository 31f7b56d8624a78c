// Package space defines the search spaces of a planner: the configurations of a grammar,
// a pushdown automaton or a flowchart, and the moves between them. Exact look-ahead
// withholds every move that leads to no plan within the limits and properties.
//
// [Table] and [Automaton] are prepared once and shared by many runs. Their Space method
// returns the configurations of one run; [Graph] serves callers that make many plans.
package space

import (
	"slices"

	"github.com/stile-playground/stile/core/grammar"
)

// Space is the search space of a planner: the configurations of one specification
// and the moves between them. A grammar has the space of its leftmost derivations, an
// automaton that of its words.
type Space interface {
	// Begin returns the initial configuration.
	Begin() (Config, error)
	// Step makes the next move that needs no decision and returns what the
	// configuration needs otherwise.
	Step(c Config) (next Config, status Status, err error)
	// Look returns the moves of a configuration whose status is [Undecided].
	Look(c Config) (Look, error)
	// Apply makes a move. It returns a [ChoiceError] for items that cannot be chosen
	// together.
	Apply(c Config, m Move) (Config, []Growth, error)
	// Possible reports whether a configuration can still become a plan.
	Possible(c Config) (bool, error)
	// Finish returns the outcome of a configuration whose status is [Finished].
	Finish(c Config) (Outcome, error)

	// Item returns the item that is decided next, and the tool or step that takes it.
	Item(c Config) (item, purpose string)
	// Choice describes a move.
	Choice(c Config, m Move) Choice
	// Refusal returns the reason why a move is withheld: a Withheld constant and a sentence.
	Refusal(c Config, m Move) (why, reason string, err error)
	// Report lists the decisions made so far, in the order they were made.
	Report(c Config) []string
	// StackNames names the symbols on the stack, the top first.
	StackNames(c Config) []string
	// Asks reports whether the item is a question.
	Asks(c Config) bool
	// Derives reports whether plans are derivations rather than walks.
	Derives() bool
	// Backwards reports whether plans are made from the last step to the first.
	Backwards() bool
	Grammar() *grammar.Grammar
	// Feasible returns an error with code "plan.none" and the reason if no plan exists.
	Feasible() error
}

// Status is the kind of move that a configuration needs next.
type Status int

// The statuses of a configuration.
const (
	Undecided Status = iota // one of several moves
	Advanced                // nothing: a move without alternatives was made
	Finished                // nothing: the plan is complete
	Dead                    // another configuration: no plan continues this one
)

// Config is a configuration of a [Space]. It is immutable, so that a planner can
// return to any earlier one. Its types are derivationConfig and walkConfig.
type Config interface {
	// Word returns the letters chosen so far.
	Word() []grammar.Symbol
	// Tail returns the last n letters; all if there are fewer.
	Tail(n int) []grammar.Symbol
	// Len returns the number of letters.
	Len() int
	// Steps returns the number of decisions and forced moves so far: a derivation counts its
	// expansions, a walk its letters.
	Steps() int
	// Nodes returns the number of nodes of the tree.
	Nodes() int
	// Without returns the configuration in which a letter cannot be used any more.
	Without(t grammar.Symbol) Config

	config()
}

// progress is the part that all configurations have.
type progress struct {
	word  *chain[grammar.Symbol]
	left  []int64 // remaining uses, by terminal
	state int     // of the properties' automaton
	nodes int     // of the tree so far
}

func (p progress) config()                     {}
func (p progress) Word() []grammar.Symbol      { return p.word.all() }
func (p progress) Tail(n int) []grammar.Symbol { return p.word.tail(n) }
func (p progress) Len() int                    { return p.word.len() }
func (p progress) Nodes() int                  { return p.nodes }

// read returns the progress after one more terminal.
func (p progress) read(r *Rules, t grammar.Symbol) progress {
	p.word = p.word.add(t)
	p.state = r.next(p.state, t)
	if p.left[t] > 0 {
		p.left = slices.Clone(p.left)
		p.left[t]--
	}
	return p
}

// without returns the progress with no uses of a terminal left.
func (p progress) without(t grammar.Symbol) progress {
	p.left = slices.Clone(p.left)
	p.left[t] = 0
	return p
}

// derivationConfig is a configuration of a [derivation].
type derivationConfig struct {
	progress
	stack      *frame
	derivation *chain[int] // productions, in the order of a leftmost derivation
}

func (c derivationConfig) Steps() int { return c.derivation.len() }

func (c derivationConfig) Without(t grammar.Symbol) Config {
	c.progress = c.progress.without(t)
	return c
}

// walkConfig is a configuration of a [walk].
type walkConfig struct {
	progress
	at      int  // of a flowchart: its state
	stopped bool // the plan ends here by decision
}

func (c walkConfig) Steps() int { return c.word.len() }

func (c walkConfig) Without(t grammar.Symbol) Config {
	c.progress = c.progress.without(t)
	return c
}

// Look lists the moves of a configuration.
type Look struct {
	Moves    []Move
	Longer   []Move // possible, but withheld because the plan has become long
	Withheld []Move // moves that break a rule, or lead to no plan
	Multiple bool   // several of the moves that are [Items] may be made at once
}

// Move is a decision in a configuration. Its types are expansion, letterMove,
// stopMove and [Items].
type Move interface{ move() }

// expansion replaces the nonterminal on top of the stack with a right side.
type expansion struct {
	production int
	inner      int // the production that expands the right side's first symbol at once, or -1
}

// letterMove reads the next letter of a walk.
type letterMove grammar.Symbol

// stopMove ends a walk.
type stopMove struct{}

// Items are items chosen together: of a subset, or answers to a question.
type Items []int

func (expansion) move()  {}
func (letterMove) move() {}
func (stopMove) move()   {}
func (Items) move()      {}

// SameMove reports whether two moves are equal.
func SameMove(a, b Move) bool {
	x, ok := a.(Items)
	y, same := b.(Items)
	if ok || same {
		return ok && same && slices.Equal(x, y)
	}
	return a == b
}

// ChoiceError reports items that cannot be chosen together.
type ChoiceError struct{ Reason string }

func (e ChoiceError) Error() string { return e.Reason }

// chain is an immutable sequence that shares its prefix with the sequence that it extends. Nil is
// empty.
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

// tail returns the last n items, in order; all if there are fewer.
func (c *chain[T]) tail(n int) []T {
	out := make([]T, min(n, c.len()))
	for i := len(out) - 1; i >= 0; i-- {
		out[i], c = c.last, c.before
	}
	return out
}

func (c *chain[T]) all() []T { return c.tail(c.len()) }
