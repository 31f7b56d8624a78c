package process

import (
	"errors"
	"slices"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
)

// Nested is a process that runs within a task of another one. It has its own seed, meter
// and log, so that it can be opened and replayed alone with the same behaviour. Its effects
// are started by the task.
type Nested struct {
	Body   Func
	Seed   uint64
	Budget meter.Budget
	// Afford is called before the effects of the process are started, with the number of
	// new model calls. If it returns an error, the process ends, and the new calls are
	// neither made nor counted. If Afford is nil, there is no check.
	Afford func(calls int) error
	// Gate bounds the concurrent requests to an endpoint; nil: unbounded.
	Gate *Gate
}

// NestedResult is the result of a [Nested] process. Log replays the run in a separate
// process.
type NestedResult struct {
	Result json.RawMessage
	Log    []Answer
	Spent  meter.Budget // by the nested process
	Err    error        // the error with which the process itself ended
}

// Gate bounds the number of concurrent requests to each endpoint, for all nested
// processes that share it. Further requests are queued.
type Gate struct {
	most  int
	under map[string]int // number of requests in progress, by their Auth
}

// NewGate returns a gate with a number of concurrent requests per endpoint.
func NewGate(most int) *Gate { return &Gate{max(most, 1), map[string]int{}} }

// of returns the endpoint of an effect, or "" if the gate does not bound the effect.
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

// nest is a nested process in progress.
type nest struct {
	Nested
	env   *Env
	child *Process
	under map[string]*Pending
	order []string // effects in progress, in the order of their start
	queue []Effect // queued effects, in their order
}

// Nest runs a process to its end. The error is [ErrCancelled], the meter's error if the
// process exceeds the budget of the whole run, or the error of Afford. A failure of the
// process itself is part of the result.
func (e *Env) Nest(nested Nested) (NestedResult, error) {
	n := &nest{Nested: nested, env: e, child: New(nested.Body, nested.Seed, nested.Budget, nil), under: map[string]*Pending{}}
	n.child.outer = e.process
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

func (n *nest) result(out Output) NestedResult {
	m := n.child.meter
	spent := meter.Budget{
		Steps: m.Spent(meter.Steps), States: m.Spent(meter.States), Tokens: int(m.Spent(meter.Tokens)), Calls: int(m.Spent(meter.Calls)), Money: float64(m.Spent(meter.Money)) / 1e6,
	}
	return NestedResult{Result: out.Result, Log: n.child.Log(), Spent: spent, Err: out.Err}
}

// close cancels the effects in progress.
func (n *nest) close() {
	n.child.Stop()
	n.cancel(append([]string(nil), n.order...))
}

// cancel cancels effects, whether they are in progress or queued.
func (n *nest) cancel(ids []string) {
	for _, id := range ids {
		if p := n.under[id]; p != nil {
			p.Cancel()
			n.ended(id)
		}
		n.queue = slices.DeleteFunc(n.queue, func(e Effect) bool { return e.ID == id })
	}
}

// ended removes an effect from those in progress, so that a queued one can start.
func (n *nest) ended(id string) {
	n.Gate.add(n.Gate.of(n.under[id].effect), -1)
	delete(n.under, id)
	n.order = slices.DeleteFunc(n.order, func(other string) bool { return other == id })
}

// launch starts the queued effects that the gate admits.
func (n *nest) launch() {
	n.queue = slices.DeleteFunc(n.queue, func(e Effect) bool {
		endpoint := n.Gate.of(e)
		if !n.Gate.free(endpoint) {
			return false
		}
		n.Gate.add(endpoint, 1)
		n.under[e.ID] = n.env.Start(Request{HTTP: e.HTTP, Question: e.Question, Timer: e.Timer, Solve: e.Solve, Clock: e.Clock})
		n.order = append(n.order, e.ID)
		return true
	})
}

// hear waits for the first answer to any effect in progress.
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

// passedOn lists the resources that a nested process charges to the whole run; its states
// are released at its end. Steps come last, because spending them may yield to the host.
var passedOn = [...]meter.Resource{meter.Tokens, meter.Calls, meter.Money, meter.Steps}

// callsPassedOn is the index of calls in passedOn.
const callsPassedOn = 1

// spentAll returns a meter's counts of the resources in passedOn.
func spentAll(m *meter.Meter) (out [len(passedOn)]int64) {
	for i, r := range passedOn {
		out[i] = m.Spent(r)
	}
	return out
}

// spendAs charges the increase of another meter's counts from before to after.
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
