//go:build !first

package process

import (
	"errors"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
)

// Nested is a process that runs within a task of another: it has its own seed, meter and
// log, so that it can be opened and replayed by itself, and does whatever it would do by
// itself. What it asks of the world its task asks in its place.
type Nested struct {
	Body   Func
	Seed   uint64
	Budget meter.Budget
	// Afford is asked whenever the process has done something. An error of it ends the
	// process; nil: nobody is asked.
	Afford func() error
}

// NestedResult is what became of a [Nested] process. Log gives the same run to a process
// of its own.
type NestedResult struct {
	Result json.RawMessage
	Log    []Answer
	Spent  meter.Budget // by it
	Err    error        // the process's own
}

// Nest runs a process to its end. The error is [ErrCancelled], or the meter's where what
// the process spends is more than the whole run may, or that of Afford; what the process
// fails with is a result.
func (e *Env) Nest(n Nested) (NestedResult, error) {
	child := New(n.Body, n.Seed, n.Budget, nil)
	defer child.Stop()
	under := map[string]*Pending{}
	var order []string // of what is under way, as it was started
	var answers []Answer
	for {
		before := spentAll(child.meter)
		out, err := child.Resume(answers, 0)
		if err != nil {
			return NestedResult{}, err
		}
		answers = nil
		for _, id := range out.Cancel {
			if p := under[id]; p != nil {
				p.Cancel()
				delete(under, id)
			}
		}
		for _, effect := range out.Effects {
			under[effect.ID] = e.Start(Request{HTTP: effect.HTTP, Question: effect.Question, Timer: effect.Timer, Solve: effect.Solve})
			order = append(order, effect.ID)
		}
		if err := e.spendAs(before, spentAll(child.meter)); err != nil {
			return NestedResult{}, err
		}
		switch out.State {
		case StateDone, StateFailed:
			for _, id := range order {
				if p := under[id]; p != nil {
					p.Cancel()
				}
			}
			spent := meter.Budget{
				Steps: child.meter.Spent(meter.Steps), States: child.meter.Spent(meter.States), Tokens: child.meter.Spent(meter.Tokens),
				Calls: child.meter.Spent(meter.Calls), Money: child.meter.Spent(meter.Money),
			}
			return NestedResult{Result: out.Result, Log: child.Log(), Spent: spent, Err: out.Err}, nil
		case StateWaiting:
			if n.Afford != nil {
				if err := n.Afford(); err != nil {
					return NestedResult{}, err
				}
			}
			if answers, order, err = e.hear(under, order); err != nil {
				return NestedResult{}, err
			}
		}
	}
}

// hear waits for whatever comes first of what is under way, and returns it.
func (e *Env) hear(under map[string]*Pending, order []string) (answers []Answer, left []string, err error) {
	arrived := func() bool {
		for _, p := range under {
			if p.done || len(p.chunks) > 0 {
				return true
			}
		}
		return false
	}
	if err := e.wait(arrived); err != nil {
		return nil, nil, err
	}
	for _, id := range order {
		p := under[id]
		if p == nil {
			continue
		}
		for _, chunk := range p.chunks {
			answers = append(answers, Answer{Effect: id, Chunk: &chunk})
		}
		p.chunks = nil
		if !p.done {
			left = append(left, id)
			continue
		}
		delete(under, id)
		answer := Answer{Effect: id, Value: p.value}
		var fault *EffectError
		switch {
		case errors.As(p.err, &fault):
			answer = Answer{Effect: id, Error: fault}
		case p.err != nil:
			return nil, nil, p.err
		}
		answers = append(answers, answer)
	}
	return answers, left, nil
}

// passedOn is what a nested process spends of the whole run; its states are free again
// when it ends. Steps come last, for at them the host may get its turn.
var passedOn = [...]meter.Resource{meter.Tokens, meter.Calls, meter.Money, meter.Steps}

// spentAll is what a meter has counted of them.
func spentAll(m *meter.Meter) (out [len(passedOn)]int64) {
	for i, r := range passedOn {
		out[i] = m.Spent(r)
	}
	return out
}

// spendAs spends what another meter has spent.
func (e *Env) spendAs(before, after [len(passedOn)]int64) error {
	for i, r := range passedOn {
		if n := after[i] - before[i]; n > 0 {
			if err := e.Meter().Spend(r, n); err != nil {
				return err
			}
		}
	}
	return nil
}
