package gate

import (
	"slices"

	"github.com/stile-playground/stile/core/source"
)

// ReadEvent reads an event in JSON, as a client writes it: kind, name, id, arguments, content,
// agent, time, final, approved and optional. Arguments and content are a text or another value, which
// becomes its source. The error has code "guard.event" for an unknown, duplicate or malformed
// member.
func ReadEvent(text string) (Event, error) {
	var e Event
	v, fault := scan(text, 32*MaxArguments)
	if fault != "" {
		return e, source.NewError("guard.event", "malformed event: "+fault)
	}
	if v.kind != '{' {
		return e, source.NewError("guard.event", "an event is an object")
	}
	texts := map[string]*string{"kind": &e.Kind, "name": &e.Name, "id": &e.ID, "agent": &e.Agent}
	values := map[string]*string{"arguments": &e.Arguments, "content": &e.Content}
	flags := map[string]*bool{"final": &e.Final, "approved": &e.Approved, "optional": &e.Optional}
	for i, name := range v.names {
		item := v.items[i]
		switch {
		case item.kind == 'n' && slices.Contains([]string{"id", "agent", "time", "arguments", "content"}, name):
		case texts[name] != nil && item.kind == '"':
			*texts[name] = item.text
		case values[name] != nil && item.kind == '"':
			*values[name] = item.text
		case values[name] != nil:
			*values[name] = item.raw
		case flags[name] != nil && (item.kind == 't' || item.kind == 'f'):
			*flags[name] = item.kind == 't'
		case name == "time" && item.kind == '0':
			e.Time = item.raw
		case name == "time" && item.kind == '"':
			e.Time = item.text
		default:
			return e, source.NewError("guard.event", "unknown or malformed member "+show(name)+" of an event")
		}
	}
	return e, nil
}

// JSON returns the event for [ReadEvent].
func (e Event) JSON() string {
	out := `{"kind":` + quote(e.Kind) + `,"name":` + quote(e.Name) + `,"id":` + quote(e.ID) + `,"arguments":` + quote(e.Arguments) +
		`,"content":` + quote(e.Content) + `,"agent":` + quote(e.Agent) + `,"time":` + quote(e.Time)
	if e.Final {
		out += `,"final":true`
	}
	if e.Approved {
		out += `,"approved":true`
	}
	if e.Optional {
		out += `,"optional":true`
	}
	return out + "}"
}

// JSON returns the decision as the other runtimes write it.
func (d Decision) JSON() string {
	ends := "false"
	if d.MayEnd {
		ends = "true"
	}
	at := ""
	if d.At != nil {
		at = `,"at":` + number(*d.At)
	}
	return `{"verdict":` + quote(string(d.Verdict)) + `,"code":` + quote(d.Code) + `,"reason":` + quote(d.Reason) + `,"rule":` + quote(d.Rule) +
		`,"next":` + join(d.Next, quote) + `,"mayEnd":` + ends + `,"shadow":` + join(d.Shadow, func(f Finding) string {
		return `{"rule":` + quote(f.Rule) + `,"code":` + quote(f.Code) + `,"reason":` + quote(f.Reason) + "}"
	}) + at + "}"
}
