// Package prove answers questions about rules by sessions of a bounded number of events: whether a
// rule can be violated, whether it can apply, whether a tool can be called, whether the other rules
// imply a rule, and which session one version of the rules permits and another forbids.
//
// The meaning of the rules is unrolled over k events whose kinds, tools, fields and times are
// unknown, as one SMT-LIB text. The solutions of a formula at an event are computed as the monitor
// computes them: an atom binds its variables to the fields of its event, so that no quantifier
// remains. Numbers are rationals. A string is a number, too: the strings of the rules have their
// ranks, so that the order of numbers is the order of strings; which strings a regular expression
// matches is a predicate, restricted to the combinations that exist. Both allow more sessions than
// strings do. Therefore "no session" is exact, and each session is confirmed by the monitor.
//
// Why not the strings of SMT-LIB: Z3 is slow where they meet arithmetic, and it has no classes of
// characters as RE2 has them.
package prove

import (
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// Question is the kind of a question.
type Question string

// The questions. A session is permitted if every rule holds at each of its events.
const (
	Violable    Question = "violable"    // a session that violates a rule
	Applies     Question = "applies"     // a permitted session in which a rule applies
	Callable    Question = "callable"    // a permitted session that ends with a call of a tool
	Superfluous Question = "superfluous" // a session that violates a rule and no other one
	Reachable   Question = "reachable"   // a permitted session at whose end a formula holds
	Stricter    Question = "stricter"    // a session that the rules permit and another version forbids
	Looser      Question = "looser"      // a session that another version permits and the rules forbid
)

// Questions lists the questions.
var Questions = []Question{Violable, Applies, Callable, Superfluous, Reachable, Stricter, Looser}

// Query is a question about the rules of a file.
type Query struct {
	Question Question
	File     *rules.File
	Rule     int         // index of the rule of Violable, Applies and Superfluous
	Tool     string      // of Callable
	Goal     *rules.File // of Reachable: a file with one rule
	Other    *rules.File // of Stricter and Looser
	Tools    []string    // the names of the existing tools; nil: tools with any name exist
	// Contracts restrict the fields of events; nil: nothing is known about them.
	Contracts *rules.Contracts
	// Words restrict the calls of sessions; nil: any calls.
	Words *Words
	// Spend are the milliseconds of the solver after which no sessions of more than DefaultEvents events are searched; 0:
	// there is no such limit.
	Spend int
	// Alone excludes the other rules from the question Applies.
	Alone bool
}

const (
	// MaxEvents bounds the events of a session: the text grows with a power of their number.
	MaxEvents = 16
	// DefaultEvents is the default bound on the events of a session.
	DefaultEvents = 8
	// maxTerms bounds the definitions of a text.
	maxTerms = 200_000
)

// Check reports a rule of the query that cannot be encoded.
func (q Query) Check() error {
	files := []*rules.File{q.File, q.Goal, q.Other}
	for _, f := range files {
		if f == nil {
			continue
		}
		for _, r := range f.Rules {
			if r.Fault || r.Formula == nil {
				return source.NewError("rules.fault", `the rule "`+r.Name+`" has an error; fix it to ask about the rules`)
			}
		}
	}
	return nil
}

// judged is a rule and its role in the question.
type judged struct {
	file *rules.File
	rule *rules.Rule
}

// parts returns the rules that must hold at each event, and the rules of which at least one must
// be violated at the last event.
func (q Query) parts() (hold, violated []judged) {
	all := func(f *rules.File, except int) (out []judged) {
		for i, r := range f.Rules {
			if i != except {
				out = append(out, judged{f, r})
			}
		}
		return out
	}
	one := func() []judged { return []judged{{q.File, q.File.Rules[q.Rule]}} }
	switch q.Question {
	case Violable:
		return nil, one()
	case Superfluous:
		return all(q.File, q.Rule), one()
	case Applies:
		if q.Alone {
			return one(), nil
		}
	case Stricter:
		return all(q.File, -1), changed(all(q.Other, -1), q.File)
	case Looser:
		return all(q.Other, -1), changed(all(q.File, -1), q.Other)
	}
	return all(q.File, -1), nil
}

// changed returns the rules whose formulas are not those of a rule of f. Where all rules of f hold,
// no other rule of the list can be violated.
func changed(list []judged, f *rules.File) (out []judged) {
	same := map[string]bool{}
	for _, r := range f.Rules {
		same[f.FormulaText(r)] = true
	}
	for _, j := range list {
		if !same[j.file.FormulaText(j.rule)] {
			out = append(out, j)
		}
	}
	return out
}

// Encoding is the text of a question for a number of events.
type Encoding struct {
	Text string

	e *encoder
}

// Encode returns the text of a question for sessions of a number of events. If plain is true, each
// field is restricted to the types that the rules suggest, so that the answer is readable.
func (q Query) Encode(events int, plain bool, m *meter.Meter) (*Encoding, error) {
	e := newEncoder(q, events, m)
	e.session()
	e.typed()
	e.words()
	hold, violated := q.parts()
	for _, j := range hold {
		r := e.of(j.rule)
		for i := range events {
			e.assert(not(r.violation(i)))
		}
	}
	var some []string
	last := events - 1
	for _, j := range violated {
		some = append(some, e.of(j.rule).violation(last))
	}
	switch q.Question {
	case Callable:
		some = append(some, e.shape(last, "call", q.Tool))
	case Applies:
		some = append(some, e.of(q.File.Rules[q.Rule]).trigger(last))
	case Reachable:
		some = append(some, not(e.of(q.Goal.Rules[0]).violation(last)))
	}
	e.assert(e.or(some...))
	if plain {
		e.plain()
	}
	if e.err != nil {
		return nil, e.err
	}
	return &Encoding{Text: e.text.String(), e: e}, nil
}
