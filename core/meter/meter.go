// Package meter bounds work. Long computations and model calls spend from a [Meter]. A
// limit that is reached ends the work with a [LimitError]; a time slice that is used up
// yields to the host.
//
// Why not context.Context: the core starts no goroutine and has no clock, so nothing
// could cancel a context while the core computes. A count of steps is exact, equal on
// every machine, and replays.
package meter

import (
	"errors"
	"fmt"
	"math"
)

// Resource is a kind of expense.
type Resource uint8

// The resources.
const (
	Steps  Resource = iota // elementary operations of an algorithm; about 10 ns to 100 ns each
	States                 // states, items or nodes kept in memory; about 100 bytes each
	Tokens                 // tokens of a language model, input and output
	Calls                  // calls of a language model
	Money                  // the cost of those calls, in millionths of a dollar
	numResources
)

// String returns the name that limit codes use: "steps", "states", "tokens",
// "calls" or "money".
func (r Resource) String() string {
	return [...]string{"steps", "states", "tokens", "calls", "money"}[r]
}

// Budget bounds what a run spends. A person sets the fields with JSON names,
// for calls of a model; the host sets Steps and States, which bound computing. For [New], 0 is the
// default of the resource; for [Budget.Afford], 0 is no bound.
type Budget struct {
	Calls  int     `json:"calls,omitempty"`
	Tokens int     `json:"tokens,omitempty"`
	Money  float64 `json:"money,omitempty"` // dollars

	Steps  int64 `json:"-"`
	States int64 `json:"-"`
}

// Negative reports whether a bound on model calls is below 0.
func (b Budget) Negative() bool { return b.Calls < 0 || b.Tokens < 0 || b.Money < 0 }

// Afford returns a *[BudgetError] if the calls, tokens and dollars already spent leave
// nothing for another call of a model.
func (b Budget) Afford(calls, tokens int, money float64) error {
	if r, ok := b.exhausted(calls, tokens, money); ok {
		return &BudgetError{r, b}
	}
	return nil
}

// AffordCeiling is [Budget.Afford] for a default ceiling; the error is a *[CeilingError].
func (b Budget) AffordCeiling(calls, tokens int, money float64) error {
	if r, ok := b.exhausted(calls, tokens, money); ok {
		return &CeilingError{r, b}
	}
	return nil
}

// Without returns the bounds of b that other does not set.
func (b Budget) Without(other Budget) Budget {
	if other.Calls > 0 {
		b.Calls = 0
	}
	if other.Tokens > 0 {
		b.Tokens = 0
	}
	if other.Money > 0 {
		b.Money = 0
	}
	return b
}

// Or returns b with the bounds of other where b has none.
func (b Budget) Or(other Budget) Budget {
	if b.Calls == 0 {
		b.Calls = other.Calls
	}
	if b.Tokens == 0 {
		b.Tokens = other.Tokens
	}
	if b.Money == 0 {
		b.Money = other.Money
	}
	return b
}

// exhausted returns the first resource that is used up, and whether there is one.
func (b Budget) exhausted(calls, tokens int, money float64) (Resource, bool) {
	switch {
	case b.Calls > 0 && calls >= b.Calls:
		return Calls, true
	case b.Tokens > 0 && tokens >= b.Tokens:
		return Tokens, true
	case b.Money > 0 && money >= b.Money:
		return Money, true
	}
	return 0, false
}

// BudgetError reports that a run has spent its budget for a model. Unlike a [LimitError]
// it ends one run only: no meter has stopped.
type BudgetError struct {
	Resource Resource // Calls, Tokens or Money
	Budget   Budget
}

// Code returns "limit.calls", "limit.tokens" or "limit.money".
func (e *BudgetError) Code() string { return "limit." + e.Resource.String() }

// Error names the bound.
func (e *BudgetError) Error() string {
	switch e.Resource {
	case Money:
		return fmt.Sprintf("the budget of $%.2f is used up", e.Budget.Money)
	case Tokens:
		return fmt.Sprintf("the budget of %d tokens is used up", e.Budget.Tokens)
	}
	return fmt.Sprintf("the budget of %d calls is used up", e.Budget.Calls)
}

// CeilingError reports that a run has reached the default ceiling of its requests to endpoints,
// which the budget in its settings replaces.
type CeilingError struct {
	Resource Resource // Calls, Tokens or Money
	Ceiling  Budget
}

// Code returns "limit.calls", "limit.tokens" or "limit.money".
func (e *CeilingError) Code() string { return "limit." + e.Resource.String() }

// Error names the ceiling and the setting that replaces it.
func (e *CeilingError) Error() string {
	switch e.Resource {
	case Money:
		return fmt.Sprintf("the run has reached its ceiling of $%.2f; set a larger budget of dollars to continue", e.Ceiling.Money)
	case Tokens:
		return fmt.Sprintf("the run has reached its ceiling of %d tokens; set a larger budget of tokens to continue", e.Ceiling.Tokens)
	}
	return fmt.Sprintf("the run has reached its ceiling of %d calls; set a larger budget of calls to continue", e.Ceiling.Calls)
}

// The default budget: about a second of computing and 200 MB in the page, which is
// tolerable in an editor, and at most ten dollars spent by mistake.
const (
	DefaultSteps  = 50_000_000
	DefaultStates = 2_000_000
	DefaultTokens = 1_000_000
	DefaultCalls  = 1_000
	DefaultMoney  = 10 * microdollars
)

// microdollars are the units of [Money] in a dollar.
const microdollars = 1_000_000

// ErrCancelled is returned by every spending after the host has stopped the work.
var ErrCancelled = errors.New("cancelled")

// LimitError reports that a meter has reached its limit.
type LimitError struct {
	Resource Resource
	Max      int64
}

// Code returns the stable code of the error, for example "limit.states".
func (e *LimitError) Code() string { return "limit." + e.Resource.String() }

// Error names the limit and the remedy.
func (e *LimitError) Error() string {
	if e.Resource == Money {
		return fmt.Sprintf("too expensive: more than $%.2f would be spent; raise the limit or choose a cheaper model", float64(e.Max)/microdollars)
	}
	advice := "make the spec smaller"
	if e.Resource >= Tokens {
		advice += " or raise the limit"
	}
	return fmt.Sprintf("too hard: more than %d %s would be needed; %s", e.Max, e.Resource, advice)
}

// Meter counts expenses against a [Budget]. A nil *Meter counts nothing and has no limit;
// it serves callers whose input is known to be small. A Meter must not be used by several
// goroutines at once.
type Meter struct {
	spent   [numResources]int64
	max     [numResources]int64
	slice   int64        // steps left until pause is called
	every   int64        // steps in a slice; 0 means never pause
	pause   func() error // yields to the host; an error ends the work
	stopped error        // sticky
}

// New returns a meter with the given budget.
func New(b Budget) *Meter {
	m := &Meter{}
	for r, v := range [numResources]int64{Steps: b.Steps, States: b.States, Tokens: int64(b.Tokens), Calls: int64(b.Calls), Money: int64(math.Round(b.Money * microdollars))} {
		m.max[r] = v
		if v == 0 {
			m.max[r] = [numResources]int64{DefaultSteps, DefaultStates, DefaultTokens, DefaultCalls, DefaultMoney}[r]
		}
	}
	return m
}

// SetSlice makes the meter call pause once per every steps; every ≤ 0 disables pausing.
// An error from pause is returned by the spending that caused it and by all later ones.
func (m *Meter) SetSlice(every int64, pause func() error) {
	m.every, m.slice, m.pause = max(every, 0), max(every, 0), pause
}

// Spend adds n to the expense of r. It returns a *[LimitError] if that exceeds the
// budget, or the error of pause if the slice has ended.
func (m *Meter) Spend(r Resource, n int64) error {
	if m == nil {
		return nil
	}
	if m.stopped != nil {
		return m.stopped
	}
	m.spent[r] += n
	if m.spent[r] > m.max[r] {
		m.stopped = &LimitError{Resource: r, Max: m.max[r]}
		return m.stopped
	}
	if r == Steps && m.every > 0 {
		m.slice -= n
		if m.slice <= 0 {
			m.slice = m.every
			if err := m.pause(); err != nil {
				m.stopped = err
			}
		}
	}
	return m.stopped
}

// Within runs work with a limit of steps, and of a sixteenth as many states, and reports
// whether they were enough. States of work that exceeded the limit are released. An error
// of work is returned unless it is that limit.
func (m *Meter) Within(steps int64, work func(m *Meter) error) (enough bool, err error) {
	if m == nil {
		m = &Meter{max: [numResources]int64{math.MaxInt64, math.MaxInt64}}
	}
	most, spent := m.max, m.spent
	m.max[Steps] = min(most[Steps], spent[Steps]+steps)
	m.max[States] = min(most[States], spent[States]+steps/16)
	err = work(m)
	m.max = most
	var limit *LimitError
	if errors.As(err, &limit) && m.stopped == error(limit) && limit.Max < most[limit.Resource] {
		m.stopped, m.spent[States] = nil, spent[States]
		return false, nil
	}
	return err == nil, err
}

// Step spends n steps.
func (m *Meter) Step(n int) error { return m.Spend(Steps, int64(n)) }

// Spent returns how much of r has been spent.
func (m *Meter) Spent(r Resource) int64 {
	if m == nil {
		return 0
	}
	return m.spent[r]
}

// Stop makes every later spending return err.
func (m *Meter) Stop(err error) {
	if m != nil && m.stopped == nil {
		m.stopped = err
	}
}
