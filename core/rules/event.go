package rules

import (
	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Event is an event of a run. Fields is an object; Agent and ID are nil if they are missing.
type Event struct {
	Kind   string // "call", "result", "error", "message" or "end"
	Name   string
	Fields *Value
	Time   Decimal
	Agent  *Value
	ID     *Value
}

// Compare orders events by time.
func (e *Event) Compare(other *Event) int { return e.Time.Compare(other.Time) }

// at returns the value at the path of a pattern, or nil.
func (e *Event) at(p *Pattern) *Value {
	if p.Meta {
		switch p.Path[0] {
		case "@time":
			return exact.OfNumber(e.Time)
		case "@agent":
			return e.Agent
		}
		return e.ID
	}
	v := e.Fields
	for _, segment := range p.Path {
		if v == nil {
			return nil
		}
		v = v.Field(segment)
	}
	return v
}

// eventKinds are the names that an event's kind may have.
var eventKinds = map[string]bool{"call": true, "result": true, "error": true, "message": true, "end": true}

// NewEvent returns an event whose time is unknown: it is the index of the event.
func NewEvent(kind, name string, fields *Value, index int, id string) *Event {
	e := &Event{Kind: kind, Name: name, Fields: fields, Time: exact.FromInt(int64(index))}
	if id != "" {
		e.ID = exact.OfText(id)
	}
	return e
}

// Text returns a string as a value.
func Text(text string) *Value { return exact.OfText(text) }

// Object returns an object with a member.
func Object(name string, value *Value) *Value {
	return (&draft{members: map[string]*draft{name: {value: value}}}).finish()
}

// Fields returns the fields of a call or a result whose arguments or content are a text: the members of
// an object in JSON, otherwise the field "value". A result has the arguments of its call as the field
// "input", if they are known.
func Fields(text string, input *Value) *Value {
	out := &draft{members: map[string]*draft{}}
	tree, fault := json.Tree(text)
	switch {
	case fault == nil && tree.Kind == '{':
		items, names := exact.Of(tree).Content()
		for i, name := range names {
			out.members[name] = &draft{value: items[i]}
		}
	case fault == nil:
		out.members["value"] = &draft{value: exact.Of(tree)}
	case text != "":
		out.members["value"] = &draft{value: exact.OfText(text)}
	}
	if input != nil {
		out.members["input"] = &draft{value: input}
	}
	return out.finish()
}

// FromEvent converts an event that a reader of traces wrote. The fields must be an object or nil. If
// the event has no time, its time is its index in the run. The error has the code rules.run.
func FromEvent(e *event.Event, index int) (*Event, error) {
	out := &Event{Kind: string(e.Kind), Name: e.Name}
	if e.Time == "" {
		out.Time = exact.FromInt(int64(index))
	} else {
		number, fault := json.Tree(e.Time)
		if fault != nil || number.Kind != '0' {
			return nil, eventFault(index, "time", "expected a number of seconds")
		}
		out.Time = exact.ParseDecimal(number.Text)
	}
	if e.Fields != nil {
		out.Fields = exact.Of(e.Fields)
	}
	if e.Agent != "" {
		out.Agent = exact.OfText(e.Agent)
	}
	if e.ID != "" {
		out.ID = exact.OfText(e.ID)
	}
	return out, nil
}

var errUntimed = source.NewError("rules.run", "the rule needs the times of events, which the run does not have")

// WithoutTimes makes the rules with windows or @time faulty, because the times of the events are
// unknown.
func (m *Monitor) WithoutTimes() {
	for i, r := range m.code.rules {
		if r != nil && r.timed {
			m.fail(i, errUntimed)
		}
	}
}

// timed reports whether a formula depends on the times of events.
func timed(f *Formula) bool {
	out := false
	eachFormula(f, func(f *Formula) {
		out = out || f.Window != nil
		if f.Atom != nil {
			for _, p := range f.Atom.Patterns {
				out = out || p.Meta && p.Path[0] == "@time"
			}
		}
		for _, t := range f.Terms {
			eachTerm(t, func(t *Term) { out = out || t.Window != nil })
		}
	})
	return out
}
