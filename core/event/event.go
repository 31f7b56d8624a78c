// Package event defines the events of a run: the calls, results, errors and messages of agents,
// in their order. Readers of traces produce events; rules and specs judge them.
package event

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Kind is the kind of an event: one of the constants below.
type Kind string

// Kinds of events. The name of an event is the tool of a call, a result or an error, and the
// role of a message: user, assistant or system. The name of an end has no meaning.
const (
	Call    Kind = "call"    // fields: the arguments
	Result  Kind = "result"  // fields: those of the result, or "value"; "input" has the arguments of the call
	Error   Kind = "error"   // fields: "text", and "input"
	Message Kind = "message" // fields: "text"
	End     Kind = "end"     // the run is over
)

// Kinds lists all kinds, the end of a run last.
func Kinds() []Kind { return []Kind{Call, Result, Error, Message, End} }

// Event is a step of a run.
type Event struct {
	Kind    Kind
	Name    string
	Fields  *json.Node // an object, whose numbers keep their JSON text; nil is the empty object
	Time    string     // seconds, as the text of a JSON number; "" if unknown
	Agent   string     // the agent that acts; "" if unknown
	ID      string     // identifier of the call; "" if unknown
	Parents []string   // identifiers of the calls that contain the event, the innermost first
	Origin  Origin
}

// Origin is the place of an event in a trace.
type Origin struct {
	File string
	Path string // of the JSON value, in the syntax of jq; "" in a text
	Span source.Span
}

// Events is a run. Its JSON is the one that "rules.check" reads, without the origins.
type Events []Event

// MarshalJSON encodes the events as a JSON array.
func (e Events) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i := range e {
		if i > 0 {
			b = append(b, ',')
		}
		b = e[i].append(b)
	}
	return append(b, ']'), nil
}

func (e *Event) append(b []byte) []byte {
	member := func(key, text string) {
		b = append(append(b, `,"`+key+`":`...), text...)
	}
	b = append(b, `{"kind":`+quote(string(e.Kind))...)
	member("name", quote(e.Name))
	b = append(b, `,"fields":`...)
	if e.Fields == nil {
		b = append(b, "{}"...)
	} else {
		b = e.Fields.Append(b)
	}
	if e.Time != "" {
		member("time", e.Time)
	}
	if e.Agent != "" {
		member("agent", quote(e.Agent))
	}
	if e.ID != "" {
		member("id", quote(e.ID))
	}
	return append(b, '}')
}

// Read returns the event in a JSON object of "rules.check". Kind is call and fields are {} if
// they are absent. ok is false if the value is not an event.
func Read(n *json.Node) (e Event, ok bool) {
	e = Event{Kind: Call, Fields: &json.Node{Kind: '{', Text: "{}"}}
	if n.Kind != '{' {
		return e, false
	}
	for _, m := range n.Members {
		v, text := m.Value, m.Value.Kind == '"'
		switch m.Key {
		case "kind":
			e.Kind = Kind(v.Text)
			ok = text && strings.Contains(" call result error message end ", " "+v.Text+" ")
		case "name":
			e.Name, ok = v.Text, text
		case "fields":
			e.Fields, ok = v, v.Kind == '{'
		case "time":
			e.Time, ok = v.Text, v.Kind == '0'
		case "agent":
			e.Agent, ok = v.Text, text
		case "id":
			e.ID, ok = v.Text, text
		default:
			ok = false
		}
		if !ok {
			return e, false
		}
	}
	return e, true
}

func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
