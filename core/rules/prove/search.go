package prove

import (
	"slices"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
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
func (q Query) Search(env *process.Env, most int, limits solve.Limits, progress func(Tried)) (out Answer, err error) {
	err = SearchAll(env, []Query{q}, most, limits,
		func(_ int, t Tried) { progress(t) }, func(_ int, a Answer) error { out = a; return nil })
	return out, err
}

// SearchAll asks several questions in turn about sessions of 1 event, then of 2, and so on. So a
// question without a session does not delay the shortest session of another one. Progress and
// answered get the index of the question; answered is called once for each, in the order in which
// the answers are known.
func SearchAll(env *process.Env, queries []Query, most int, limits solve.Limits, progress func(int, Tried), answered func(int, Answer) error) error {
	answers := make([]Answer, len(queries))
	open := make([]int, 0, len(queries))
	for i, q := range queries {
		if err := q.Check(); err != nil {
			return err
		}
		if a, ok := q.direct(env); ok {
			if err := answered(i, a); err != nil {
				return err
			}
			continue
		}
		answers[i] = Answer{Events: []rules.RawEvent{}, Tried: []Tried{}}
		open = append(open, i)
	}
	for events := 1; events <= most && len(open) > 0; events++ {
		var rest []int
		for _, i := range open {
			out := &answers[i]
			tried := func(t Tried) { progress(i, t) }
			done, grows, err := false, true, error(nil)
			if events > DefaultEvents && queries[i].Spend > 0 {
				grows, err = queries[i].grow(env, events, limits, tried, out)
				done = out.Status != ""
			} else {
				done, err = queries[i].step(env, events, limits, tried, out)
			}
			if err != nil {
				return err
			}
			if !done && grows && events < most {
				rest = append(rest, i)
				continue
			}
			if !done {
				out.Status = None
			}
			if err := answered(i, *out); err != nil {
				return err
			}
		}
		open = rest
	}
	return nil
}

// grow asks about sessions of a number of events in the time that is left, and reports whether longer ones can be searched. A request
// that the solver does not answer leaves the bound as it is.
func (q Query) grow(env *process.Env, events int, limits solve.Limits, progress func(Tried), out *Answer) (bool, error) {
	for _, t := range out.Tried {
		q.Spend -= t.Milliseconds
	}
	if q.Spend <= 0 {
		return false, nil
	}
	if limits.Milliseconds == 0 || limits.Milliseconds > q.Spend {
		limits.Milliseconds = q.Spend
	}
	before := *out
	done, err := q.step(env, events, limits, progress, out)
	if err != nil && source.ErrorCode(err) != "limit.prove" {
		return false, err
	}
	if err != nil || done && out.Status != Found {
		before.Tried = out.Tried
		*out = before
		return false, nil
	}
	return true, nil
}

// direct returns an answer that needs no solver, if there is one.
func (q Query) direct(env *process.Env) (Answer, bool) {
	none := Answer{Status: None, Exact: true, Events: []rules.RawEvent{}, Tried: []Tried{}}
	if q.Words != nil && q.Question == Callable && !slices.Contains(q.Words.Letters, q.Tool) {
		return none, true
	}
	if q.Question == Stricter || q.Question == Looser {
		if _, violated := q.parts(); len(violated) == 0 {
			return none, true
		}
	}
	exact, ok := q.order(env.Meter())
	return q.confirmed(exact), ok
}

// step asks about sessions of a number of events. It reports whether the answer is known.
func (q Query) step(env *process.Env, events int, limits solve.Limits, progress func(Tried), out *Answer) (bool, error) {
	encoding, result, err := q.ask(env, events, false, limits, progress, out)
	if err != nil {
		return false, err
	}
	switch result.Status {
	case solve.StatusUnsat:
		out.UpTo = events
		return false, nil
	case solve.StatusSat:
		return true, q.settle(env, events, encoding, result, limits, progress, out)
	}
	out.Status, out.Message = Unknown, result.Message
	if out.Message == "" {
		out.Message = "the solver ended with " + string(result.Status)
	}
	return true, nil
}

// confirmed adds the monitor's explanation to an exact answer. If the monitor does not
// confirm the session, the answer becomes Unconfirmed.
func (q Query) confirmed(a Answer) Answer {
	if a.Status != Found {
		return a
	}
	message, ok := q.Confirm(q.complete(a.Events))
	if a.Message = message; !ok {
		a.Status, a.Exact, a.Message, a.Events = Unconfirmed, false, q.doubt(a.Events), []rules.RawEvent{}
	}
	return a
}

// doubt returns why a session is not confirmed.
func (q Query) doubt(run []rules.RawEvent) string {
	if why := q.refusal(run); why != "" {
		return why
	}
	return "the monitor does not confirm the session that the solver reports"
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
		run := s.run()
		if _, ok := q.Confirm(run); !ok {
			// A contract may refuse the marks that make lists and objects different.
			marked := q.doubt(run)
			s = s.bare()
			if _, ok := q.Confirm(s.run()); !ok {
				fault = marked
				continue
			}
		}
		s = q.simplify(s)
		out.Status, out.Events = Found, s.run()
		out.Message, _ = q.Confirm(out.Events)
		return nil
	}
	out.Status, out.Message = Unconfirmed, fault
	return nil
}
