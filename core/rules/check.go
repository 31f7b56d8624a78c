package rules

import (
	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// RawEvent is an event in JSON. Kind defaults to "call", Fields to {} and Time to the index.
type RawEvent struct {
	Kind   *string         `json:"kind,omitempty"`
	Name   string          `json:"name,omitempty"`
	Fields json.RawMessage `json:"fields,omitempty"`
	Time   json.RawMessage `json:"time,omitempty"`
	Agent  json.RawMessage `json:"agent,omitempty"`
	ID     json.RawMessage `json:"id,omitempty"`
}

// ReadEvent converts the event that has the given index in its run. The error has the code rules.run.
func ReadEvent(raw RawEvent, index int) (*Event, error) {
	e := &Event{Kind: "call", Name: raw.Name, Time: exact.FromInt(int64(index))}
	if raw.Kind != nil {
		e.Kind = *raw.Kind
	}
	names := []string{"agent", "fields", "id", "time"}
	for i, part := range []json.RawMessage{raw.Agent, raw.Fields, raw.ID, raw.Time} {
		name, text := names[i], string(part)
		if text == "" || text == "null" {
			continue
		}
		tree, fault := json.Tree(text)
		if fault != nil {
			return nil, eventFault(index, name, fault.Message)
		}
		v := exact.Of(tree)
		switch {
		case name == "fields" && v.Kind() != exact.KindObject:
			return nil, eventFault(index, name, "expected an object")
		case name == "fields":
			e.Fields = v
		case name == "time" && v.Kind() != exact.KindNumber:
			return nil, eventFault(index, name, "expected a number of seconds")
		case name == "time":
			e.Time = v.Number()
		case name == "agent":
			e.Agent = v
		default:
			e.ID = v
		}
	}
	return e, nil
}

// Raw returns the event in JSON.
func (e *Event) Raw() RawEvent {
	kind := e.Kind
	out := RawEvent{Kind: &kind, Name: e.Name, Time: json.RawMessage(e.Time.String())}
	if e.Fields != nil {
		out.Fields = e.Fields.JSON()
	}
	if e.Agent != nil {
		out.Agent = e.Agent.JSON()
	}
	if e.ID != nil {
		out.ID = e.ID.JSON()
	}
	return out
}

func eventFault(index int, field, message string) error {
	return source.NewError("rules.run", "event "+exact.FromInt(int64(index)).String()+": "+field+": "+message)
}

// Judge runs all events through a monitor of a file and returns the violations of each rule. The
// returned monitor has the verdicts.
func Judge(f *File, events []RawEvent) (*Monitor, [][]Violation) {
	m := NewMonitor(f)
	out := make([][]Violation, len(f.Rules))
	for i, raw := range events {
		e, err := ReadEvent(raw, i)
		if err != nil {
			m.err = err
			break
		}
		for _, v := range m.Step(e) {
			out[v.Rule] = append(out[v.Rule], v)
		}
	}
	for i := range out {
		if m.Verdict(i) != Violated {
			out[i] = nil
		}
	}
	return m, out
}
