package trace

import (
	"slices"

	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/json"
)

// Events returns the events of a run: its messages, calls and results, without the thoughts of the
// model, and the end if the model answered. A result has the arguments of its call as the field
// "input". Times never decrease; if no item has a time, no event has one.
func (r Run) Events() event.Events {
	if r.Recorded != nil {
		return r.Recorded
	}
	var out event.Events
	calls := map[string]*node{}
	time, last := "", (*Item)(nil)
	for _, item := range r.Items {
		if item.Time != "" && !before(item.Time, time) {
			time = item.Time
		}
		e := event.Event{Name: item.Tool, Time: time, Agent: item.Agent, ID: item.ID, Origin: event.Origin{Span: item.Span}}
		switch item.Kind {
		case Call:
			e.Kind, e.Fields = event.Call, fields(item.Value, "value")
			calls[item.ID+" "+item.Tool] = e.Fields
		case Result:
			e.Kind, e.Fields = event.Result, fields(item.Value, "value")
			if item.Fault {
				e.Kind, e.Fields = event.Error, object(member("text", quoted(item.Text)))
			}
			e.Fields = WithInput(e.Fields, calls[item.ID+" "+item.Tool])
		case Thought:
			continue
		default:
			e.Kind, e.Name, e.Fields = event.Message, map[string]string{User: "user", System: "system", Text: "assistant"}[item.Kind], object(member("text", quoted(item.Text)))
		}
		out, last = append(out, e), item
	}
	if last != nil && last.Kind == Text {
		out = append(out, event.Event{Kind: event.End, Time: time})
	}
	for i := len(out) - 1; i >= 0; i-- { // events before the first time
		if out[i].Time == "" && i+1 < len(out) {
			out[i].Time = out[i+1].Time
		}
	}
	return out
}

// WithInput returns the fields of a result with the arguments of its call as the field "input", which replaces a field
// of this name. It returns the fields unchanged if input is nil.
func WithInput(fields, input *json.Node) *json.Node {
	if input == nil {
		return fields
	}
	return object(append(without(fields.Members, "input"), member("input", input))...)
}

// IsEvent reports whether a value is an event in the format of "rules.check", possibly one with faults.
// Its fields would be lost in a reader of other formats.
func IsEvent(n *json.Node) bool {
	fields, _ := n.Get("fields")
	kind, explicit := n.Get("kind")
	known := slices.Contains(event.Kinds(), event.Kind(kind.Text)) || !explicit
	return known && has(n, "name") && fields.Kind == '{'
}

// fields returns a value that is an object, or a string that contains an object, as the object. Another
// value becomes the only member, named key, of a new object.
func fields(n *node, key string) *node {
	if n == nil {
		return object()
	}
	if inner := unquoted(n); inner.Kind == '{' {
		return inner
	}
	return object(member(key, n))
}

func object(members ...json.Member) *node { return &node{Kind: '{', Members: members} }

func member(key string, v *node) json.Member { return json.Member{Key: key, Value: v} }

func quoted(text string) *node { return &node{Kind: '"', Text: text} }

func without(members []json.Member, key string) (out []json.Member) {
	for _, m := range members {
		if m.Key != key {
			out = append(out, m)
		}
	}
	return out
}
