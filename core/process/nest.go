//go:build !first

package process

import (
	"errors"
	"slices"

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
	// Afford is asked before what the process wants is asked of the world, with how many
	// calls of models it has just begun. An error of it ends the process, and those calls
	// are neither made nor counted; nil: nobody is asked.
	Afford func(calls int) error
	// Gate bounds how much is asked of an endpoint at a time; nil: nothing does.
	Gate *Gate
}

// NestedResult is what became of a [Nested] process. Log gives the same run to a process
// of its own.
type NestedResult struct {
	Result json.RawMessage
	Log    []Answer
	Spent  meter.Budget // by it
	Err    error        // the process's own
}

// Gate bounds how many requests are under way at each endpoint, of all nested processes
// that have it together. What finds no room waits for its turn.
type Gate struct {
	most  int
	under map[string]int // by what requests say of whose key they need
}

// NewGate returns a gate that lets so many requests through at a time to each endpoint.
func NewGate(most int) *Gate { return &Gate{max(most, 1), map[string]int{}} }

// of returns the endpoint that an effect is for, "" for what no gate bounds.
func (g *Gate) of(e Effect) string {
	if g == nil || e.HTTP == nil {
		return ""
	}
	return e.HTTP.Auth
}

func (g *Gate) free(endpoint string) bool { return endpoint == "" || g.under[endpoint] < g.most }

func (g *Gate) add(endpoint string, n int) {
	if endpoint != "" {
		g.under[endpoint] += n
	}
}

// nest is a nested process being run.
type nest struct {
	Nested
	env   *Env
	child *Process
	under map[string]*Pending
	order []string // of what is under way, as it was started
	queue []Effect // that wait for their turn, as they were wanted
}

// Nest runs a process to its end. The error is [ErrCancelled], or the meter's where what
// the process spends is more than the whole run may, or that of Afford; what the process
// fails with is a result.
func (e *Env) Nest(nested Nested) (NestedResult, error) {
	n := &nest{Nested: nested, env: e, child: New(nested.Body, nested.Seed, nested.Budget, nil), under: map[string]*Pending{}}
	defer n.close()
	var answers []Answer
	for {
		before := spentAll(n.child.meter)
		out, err := n.child.Resume(answers, 0)
		if err != nil {
			return NestedResult{}, err
		}
		n.cancel(out.Cancel)
		spent := spentAll(n.child.meter)
		if n.Afford != nil && len(out.Effects) > 0 {
			if err := n.Afford(int(spent[callsPassedOn] - before[callsPassedOn])); err != nil {
				return NestedResult{}, err
			}
		}
		if err := e.spendAs(before, spent); err != nil {
			return NestedResult{}, err
		}
		n.queue = append(n.queue, out.Effects...)
		switch out.State {
		case StateDone, StateFailed:
			return n.result(out), nil
		case StateWaiting:
			if answers, err = n.hear(); err != nil {
				return NestedResult{}, err
			}
		default:
			n.launch()
			answers = nil
		}
	}
}

// result is what became of the process.
func (n *nest) result(out Output) NestedResult {
	m := n.child.meter
	spent := meter.Budget{
		Steps: m.Spent(meter.Steps), States: m.Spent(meter.States), Tokens: m.Spent(meter.Tokens), Calls: m.Spent(meter.Calls), Money: m.Spent(meter.Money),
	}
	return NestedResult{Result: out.Result, Log: n.child.Log(), Spent: spent, Err: out.Err}
}

// close cancels what is still under way, whose answers nobody wants any more.
func (n *nest) close() {
	n.child.Stop()
	n.cancel(append([]string(nil), n.order...))
}

// cancel ends effects, also those that wait for their turn.
func (n *nest) cancel(ids []string) {
	for _, id := range ids {
		if p := n.under[id]; p != nil {
			p.Cancel()
			n.ended(id)
		}
		n.queue = slices.DeleteFunc(n.queue, func(e Effect) bool { return e.ID == id })
	}
}

// ended takes an effect out of those under way, so that another has its turn.
func (n *nest) ended(id string) {
	n.Gate.add(n.Gate.of(n.under[id].effect), -1)
	delete(n.under, id)
	n.order = slices.DeleteFunc(n.order, func(other string) bool { return other == id })
}

// launch starts what has its turn.
func (n *nest) launch() {
	n.queue = slices.DeleteFunc(n.queue, func(e Effect) bool {
		endpoint := n.Gate.of(e)
		if !n.Gate.free(endpoint) {
			return false
		}
		n.Gate.add(endpoint, 1)
		n.under[e.ID] = n.env.Start(Request{HTTP: e.HTTP, Question: e.Question, Timer: e.Timer, Solve: e.Solve})
		n.order = append(n.order, e.ID)
		return true
	})
}

// hear waits for whatever comes first of what is under way, and returns it.
func (n *nest) hear() (answers []Answer, err error) {
	arrived := func() bool {
		return slices.ContainsFunc(n.order, func(id string) bool { return n.under[id].done || len(n.under[id].chunks) > 0 })
	}
	turn := func() bool {
		return slices.ContainsFunc(n.queue, func(e Effect) bool { return n.Gate.free(n.Gate.of(e)) })
	}
	for n.launch(); !arrived(); n.launch() {
		if err := n.env.wait(func() bool { return arrived() || turn() }); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Clone(n.order) {
		p := n.under[id]
		for _, chunk := range p.chunks {
			answers = append(answers, Answer{Effect: id, Chunk: &chunk})
		}
		p.chunks = nil
		if !p.done {
			continue
		}
		n.ended(id)
		answer := Answer{Effect: id, Value: p.value}
		var fault *EffectError
		switch {
		case errors.As(p.err, &fault):
			answer = Answer{Effect: id, Error: fault}
		case p.err != nil:
			return nil, p.err
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// passedOn is what a nested process spends of the whole run; its states are free again
// when it ends. Steps come last, for at them the host may get its turn.
var passedOn = [...]meter.Resource{meter.Tokens, meter.Calls, meter.Money, meter.Steps}

// callsPassedOn is the place of calls in it.
const callsPassedOn = 1

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
