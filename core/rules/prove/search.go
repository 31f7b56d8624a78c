package prove

import (
	"slices"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/solve"
)

// Status is the result of a search.
type Status string

// The results.
const (
	Found       Status = "found"       // a session, which the monitor confirms
	None        Status = "none"        // no session up to the number of events
	Unknown     Status = "unknown"     // the solver gave up
	Unconfirmed Status = "unconfirmed" // the solver reports a session that the monitor does not confirm
)

// Tried is a request to the solver about sessions of a number of events.
type Tried struct {
	Events       int          `json:"events"`
	Status       solve.Status `json:"status"`
	Milliseconds int          `json:"milliseconds"`
	Bytes        int          `json:"bytes"`
}

// Answer is the answer to a question. UpTo is the number of events up to which no session exists.
// Exact reports that sessions of every length were searched, because the rules refer to the order of calls
// only. Message explains a violation at the end of the session, or the status.
type Answer struct {
	Status  Status           `json:"status"`
	UpTo    int              `json:"upTo"`
	Exact   bool             `json:"exact"`
	Events  []rules.RawEvent `json:"events"`
	Message string           `json:"message"`
	Tried   []Tried          `json:"tried"`
}

// Search asks the solver about sessions of 1, 2, 3, … events. Progress is called before and after
// each request.
func (q Query) Search(env *process.Env, most int, limits solve.Limits, progress func(Tried)) (Answer, error) {
	out := Answer{Events: []rules.RawEvent{}, Tried: []Tried{}}
	if err := q.Check(); err != nil {
		return out, err
	}
	if q.Words != nil && q.Question == Callable && !slices.Contains(q.Words.Letters, q.Tool) {
		out.Status, out.Exact = None, true
		return out, nil
	}
	if exact, ok := q.order(env.Meter()); ok {
		return q.confirmed(exact), nil
	}
	for events := 1; events <= most; events++ {
		encoding, result, err := q.ask(env, events, false, limits, progress, &out)
		if err != nil {
			return out, err
		}
		switch result.Status {
		case solve.StatusUnsat:
			out.UpTo = events
			continue
		case solve.StatusSat:
			return out, q.settle(env, events, encoding, result, limits, progress, &out)
		}
		out.Status, out.Message = Unknown, result.Message
		if out.Message == "" {
			out.Message = "the solver ended with " + string(result.Status)
		}
		return out, nil
	}
	out.Status = None
	return out, nil
}

// confirmed adds the monitor's explanation to an exact answer. If the monitor does not
// confirm the session, the answer becomes Unconfirmed.
func (q Query) confirmed(a Answer) Answer {
	if a.Status != Found {
		return a
	}
	message, ok := q.Confirm(a.Events)
	if a.Message = message; !ok {
		a.Status, a.Exact, a.Message, a.Events = Unconfirmed, false, "the monitor does not confirm the session", []rules.RawEvent{}
	}
	return a
}

func (q Query) ask(env *process.Env, events int, plain bool, limits solve.Limits, progress func(Tried), out *Answer) (*Encoding, solve.Result, error) {
	encoding, err := q.Encode(events, plain, env.Meter())
	if err != nil {
		return nil, solve.Result{}, err
	}
	tried := Tried{Events: events, Bytes: len(encoding.Text)}
	progress(tried)
	result, err := env.Solve(solve.Z3, encoding.Text, limits)
	if err != nil {
		return nil, result, err
	}
	tried.Status, tried.Milliseconds = result.Status, result.Milliseconds
	progress(tried)
	out.Tried = append(out.Tried, tried)
	return encoding, result, nil
}

// settle decodes, confirms and simplifies a session for the answer: if possible one whose
// fields have the types that the rules suggest, otherwise that of result.
func (q Query) settle(env *process.Env, events int, encoding *Encoding, result solve.Result, limits solve.Limits, progress func(Tried), out *Answer) error {
	plain, again, err := q.ask(env, events, true, limits, progress, out)
	if err != nil {
		return err
	}
	var fault string
	for _, c := range []struct {
		encoding *Encoding
		result   solve.Result
	}{{plain, again}, {encoding, result}} {
		if c.result.Status != solve.StatusSat {
			continue
		}
		var s session
		if s, fault = c.encoding.decode(c.result.Model); fault != "" {
			continue
		}
		if _, ok := q.Confirm(s.run()); !ok {
			fault = "the monitor does not confirm the session that the solver reports"
			continue
		}
		s = q.simplify(s)
		out.Status, out.Events = Found, s.run()
		out.Message, _ = q.Confirm(out.Events)
		return nil
	}
	out.Status, out.Message = Unconfirmed, fault
	return nil
}
