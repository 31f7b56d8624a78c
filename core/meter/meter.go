// Package meter bounds work. Whatever may run long spends from a [Meter]: a
// limit that is reached ends the work with a [LimitError] that has a code and
// says what to do, and a slice that is used up gives the host its turn.
//
// Why not context.Context: the core starts no goroutine and has no clock, so
// nobody could cancel one while the core computes; a count of steps is exact,
// the same on every machine, and replays.
package meter

import (
	"errors"
	"fmt"
	"math"
)

// Resource is a kind of thing that is spent.
type Resource uint8

// The resources.
const (
	Steps  Resource = iota // elementary operations of an algorithm; about 10 ns to 100 ns each
	States                 // states, items or nodes kept in memory; about 100 bytes each
	Tokens                 // tokens of a language model, both ways
	Calls                  // calls of a language model
	Money                  // what such calls cost, in millionths of a dollar
	numResources
)

// String returns the name that limit codes use: "steps", "states", "tokens",
// "calls" or "money".
func (r Resource) String() string {
	return [...]string{"steps", "states", "tokens", "calls", "money"}[r]
}

// Budget is the most that may be spent of each resource; 0 stands for the default.
type Budget struct {
	Steps, States, Tokens, Calls, Money int64
}

// The default budget. A second of computing in the page, and a fifth of a
// gigabyte, are what a person at an editor puts up with; ten dollars are what
// nobody wants to spend by mistake.
const (
	DefaultSteps  = 50_000_000
	DefaultStates = 2_000_000
	DefaultTokens = 1_000_000
	DefaultCalls  = 1_000
	DefaultMoney  = 10_000_000
)

// ErrCancelled is what every spending returns once the host has stopped the work.
var ErrCancelled = errors.New("cancelled")

// LimitError says that a budget is used up.
type LimitError struct {
	Resource Resource
	Max      int64
}

// Code returns the stable code of the error, e.g. "limit.states".
func (e *LimitError) Code() string { return "limit." + e.Resource.String() }

// Error says which limit was reached and what to do.
func (e *LimitError) Error() string {
	if e.Resource == Money {
		return fmt.Sprintf("too expensive: more than $%.2f would be spent; raise the limit or choose a cheaper model", float64(e.Max)/1e6)
	}
	advice := "make the spec smaller"
	if e.Resource >= Tokens {
		advice += " or raise the limit"
	}
	return fmt.Sprintf("too hard: more than %d %s would be needed; %s", e.Max, e.Resource, advice)
}

// Meter counts what is spent. A nil *Meter counts nothing and never ends
// anything; it is for callers who know that their input is small. A Meter is
// not safe for use by several goroutines.
type Meter struct {
	spent   [numResources]int64
	max     [numResources]int64
	slice   int64        // steps left until pause is called
	every   int64        // steps in a slice; 0 means never pause
	pause   func() error // gives the host its turn; an error ends the work
	stopped error        // sticky
}

// New returns a meter with the given budget.
func New(b Budget) *Meter {
	m := &Meter{}
	for r, v := range [numResources]int64{Steps: b.Steps, States: b.States, Tokens: b.Tokens, Calls: b.Calls, Money: b.Money} {
		m.max[r] = v
		if v == 0 {
			m.max[r] = [numResources]int64{DefaultSteps, DefaultStates, DefaultTokens, DefaultCalls, DefaultMoney}[r]
		}
	}
	return m
}

// SetSlice makes the meter call pause after every so many steps; every ≤ 0
// switches pausing off. An error from pause is returned by the spending that
// caused it and by all that follow.
func (m *Meter) SetSlice(every int64, pause func() error) {
	m.every, m.slice, m.pause = max(every, 0), max(every, 0), pause
}

// Spend takes n of r. It returns a *[LimitError] when the budget does not hold
// that much, and whatever pause returned where the slice ended.
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

// Within does work that gives up after so many steps, or a sixteenth as many states,
// and reports whether those were enough. States of work that gave up are free again.
// The error is that of the work where giving up was not the reason.
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
