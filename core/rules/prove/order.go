package prove

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/rules"
)

// maxOrderStates bounds the states of the search of [Query.order].
const maxOrderStates = 100_000

// orderState is the state of all formulas after a session. The session is that of the state
// before, followed by an event.
type orderState struct {
	states [][]byte
	word   int // the state of the words
	before *orderState
	event  shape
	length int
}

// order answers a question about rules for which [rules.Rule.Order] is true, for sessions of any length,
// because their formulas have finitely many states. It returns false for other rules, or if there are
// too many states.
func (q Query) order(m *meter.Meter) (Answer, bool) {
	hold, violated := q.parts()
	for _, j := range slices.Concat(hold, violated) {
		if !j.rule.Order() {
			return Answer{}, false
		}
	}
	if q.Goal != nil && !q.Goal.Rules[0].Order() || q.Words != nil && q.Words.Automaton == nil {
		return Answer{}, false
	}
	var formulas []*rules.Past
	first := &orderState{}
	for _, f := range q.orderFormulas(hold, violated) {
		p := rules.NewPast(f)
		formulas = append(formulas, p)
		first.states = append(first.states, p.Start())
	}
	letters := q.orderLetters()
	queue, seen := []*orderState{first}, map[string]bool{}
	for len(queue) > 0 {
		now := queue[0]
		queue = queue[1:]
		for _, event := range letters {
			if m.Step(10*len(formulas)) != nil || len(seen) > maxOrderStates {
				return Answer{}, false
			}
			word, ok := q.Words.step(now.word, event)
			if !ok {
				continue
			}
			next := &orderState{word: word, before: now, event: event, length: now.length + 1}
			holds := make([]bool, len(formulas))
			var key strings.Builder
			key.WriteString(strconv.Itoa(word) + " ")
			for i, p := range formulas {
				var state []byte
				state, holds[i] = p.Step(now.states[i], event.kind, event.name)
				next.states = append(next.states, state)
				key.Write(state)
			}
			if slices.Contains(holds[:len(hold)], false) {
				continue
			}
			if q.orderAnswer(event, holds[len(hold):]) {
				return Answer{Status: Found, UpTo: next.length - 1, Exact: true, Events: next.run(), Tried: []Tried{}}, true
			}
			if event.kind != "end" && !seen[key.String()] {
				seen[key.String()] = true
				queue = append(queue, next)
			}
		}
	}
	return Answer{Status: None, Exact: true, Events: []rules.RawEvent{}, Tried: []Tried{}}, true
}

// orderFormulas returns the formulas that must hold at each event, followed by those that decide the question.
func (q Query) orderFormulas(hold, violated []judged) (out []*rules.Formula) {
	for _, j := range slices.Concat(hold, violated) {
		out = append(out, j.rule.Formula)
	}
	switch q.Question {
	case Applies:
		if f := q.File.Rules[q.Rule].Formula; f.Op == rules.OpImplies {
			out = append(out, f.Kids[0])
		}
	case Reachable:
		out = append(out, q.Goal.Rules[0].Formula)
	}
	return out
}

// orderAnswer reports whether a session that ends with an event answers the question. values are
// those of the question's formulas at the event.
func (q Query) orderAnswer(event shape, values []bool) bool {
	switch q.Question {
	case Callable:
		return event.kind == "call" && event.name == q.Tool
	case Applies:
		return len(values) == 0 || values[0]
	case Reachable:
		return values[0]
	}
	return slices.Contains(values, false)
}

// orderLetters returns the events that the formulas distinguish.
func (q Query) orderLetters() (out []shape) {
	names := map[string]bool{}
	add := func(name string) {
		if !names[name] && (q.Tools == nil || slices.Contains(q.Tools, name)) {
			out = append(out, shape{kind: "call", name: name})
		}
		names[name] = true
	}
	for _, f := range q.formulas() {
		eachPart(f, func(f *rules.Formula) {
			if f.Atom != nil && f.Atom.Kind == "call" && !f.Atom.Any {
				add(f.Atom.Name)
			}
		}, func(*rules.Value) {})
	}
	if q.Question == Callable {
		add(q.Tool)
	}
	for _, letter := range q.letters() {
		add(letter)
	}
	if other := (&encoder{query: q}).otherTool(names); other != "" {
		add(other)
	}
	return append(out, shape{kind: "message", name: "user"}, shape{kind: "end"})
}

// run returns the events of the session.
func (s *orderState) run() []rules.RawEvent {
	out := make([]rules.RawEvent, s.length)
	for ; s.before != nil; s = s.before {
		out[s.length-1].Name = s.event.name
		if s.event.kind != "call" {
			out[s.length-1].Kind = &s.event.kind
		}
	}
	return out
}
