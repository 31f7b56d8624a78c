package rules

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Run is a run that was written as text, with the place of each event.
type Run struct {
	Events []*Event
	Places []source.Span
}

// ReadRun reads a run with an event on each line: an atom with literals, such as
//
//	refund(order: 7, @agent: "bob", @time: 60)
//	login.result(input.account: "a", ok: true)
//	message.user(text: "hello")
//	end()
//
// or a JSON object, as for the method rules.check. Empty lines and comments are skipped.
func ReadRun(text string) (Run, []source.Diagnostic) { return ReadRunFrom(text, 0) }

// ReadRunFrom is [ReadRun] for a part of a run; first is the index of the part's first event in the run.
func ReadRunFrom(text string, first int) (Run, []source.Diagnostic) {
	var out Run
	var found []source.Diagnostic
	for at := 0; at < len(text); {
		end := source.LineEnd(text, at)
		if line := strings.TrimSpace(text[at:end]); line != "" && line[0] != '#' {
			from := at + strings.Index(text[at:end], line)
			place := spanOf(from, from+len(line))
			e, fault := readLine(text, place, first+len(out.Events))
			if fault != nil {
				found = append(found, *fault)
			} else {
				out.Events, out.Places = append(out.Events, e), append(out.Places, place)
			}
		}
		if at = end; at < len(text) && text[at] == '\r' {
			at++
		}
		at++
	}
	return out, found
}

func readLine(text string, place source.Span, index int) (*Event, *source.Diagnostic) {
	line := text[place.Start:place.End]
	fault := func(span source.Span, message string) (*Event, *source.Diagnostic) {
		return nil, &source.Diagnostic{Code: "rules.event", Span: span, Message: message}
	}
	if line[0] == '{' {
		var raw RawEvent
		err := json.UnmarshalStrict([]byte(line), &raw)
		var e *Event
		if err == nil {
			e, err = ReadEvent(raw, index)
		}
		if err != nil {
			return fault(place, err.Error())
		}
		return e, nil
	}
	l := lexer{text: text, at: int(place.Start), end: int(place.End)}
	tokens, _ := l.line()
	end := source.Span{Start: place.End, End: place.End}
	p := &parser{chunk: &chunk{tokens: append(tokens, token{span: end})}, text: text, run: true}
	f := p.atom()
	if !p.failed && p.peek().kind != tokenEnd {
		p.unexpected("the end of the line")
	}
	if len(p.found) > 0 {
		return fault(p.found[0].Span, p.found[0].Message)
	}
	a := f.Atom
	e := &Event{Kind: a.Kind, Name: a.Name, Time: exact.FromInt(int64(index))}
	if a.Any && a.Kind != "end" {
		return fault(a.NameSpan, "expected the name of a tool or a role")
	}
	fields := &draft{}
	for i := range a.Patterns {
		pattern := &a.Patterns[i]
		if pattern.Test != "=" || len(pattern.Values) != 1 {
			return fault(pattern.Span, "the field of an event has a value, not a pattern")
		}
		v := pattern.Values[0]
		switch {
		case !pattern.Meta:
			if !fields.put(pattern.Path, v) {
				return fault(pattern.Span, "duplicate field")
			}
		case pattern.Path[0] == "@agent":
			e.Agent = v
		case pattern.Path[0] == "@id":
			e.ID = v
		case v.Kind() != exact.KindNumber:
			return fault(pattern.Span, "expected a number of seconds")
		default:
			e.Time = v.Number()
		}
	}
	e.Fields = fields.finish()
	return e, nil
}

// draft is an object while its members are read.
type draft struct {
	value   *Value
	members map[string]*draft
}

// put adds a value at a path. It returns false, and adds nothing, if the path or a prefix
// of it has a value already.
func (d *draft) put(path []string, v *Value) bool {
	for _, name := range path {
		if d.value != nil {
			return false
		}
		if d.members == nil {
			d.members = map[string]*draft{}
		}
		if d.members[name] == nil {
			d.members[name] = &draft{}
		}
		d = d.members[name]
	}
	if d.value != nil || d.members != nil {
		return false
	}
	d.value = v
	return true
}

func (d *draft) finish() *Value {
	if d.value != nil {
		return d.value
	}
	var names []string
	for name := range d.members {
		names = append(names, name)
	}
	sort.Strings(names)
	items := make([]*Value, len(names))
	for i, name := range names {
		items[i] = d.members[name].finish()
	}
	return exact.OfMembers(names, items)
}

// Describe returns an event as an atom, for messages.
func (e *Event) Describe() string {
	var b strings.Builder
	name := e.Name
	if !plainName(name) {
		name = string(exact.OfText(name).JSON())
	}
	switch e.Kind {
	case "call":
		b.WriteString(name)
	case "message":
		b.WriteString("message." + e.Name)
	case "end":
		return "end()"
	default:
		b.WriteString(name + "." + e.Kind)
	}
	b.WriteByte('(')
	if e.Fields != nil {
		items, names := e.Fields.Content()
		for i, name := range names {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(name + ": ")
			b.Write(items[i].JSON())
		}
	}
	b.WriteByte(')')
	return b.String()
}

// Explain returns a violation in a sentence.
func (m *Monitor) Explain(v Violation) string {
	r := m.File.Rules[v.Rule]
	out := "violates " + r.Name
	for i, value := range v.Bindings {
		sep := ", "
		if i == 0 {
			sep = " for "
		}
		out += sep + "?" + r.ForAll[i].Name + " = " + string(value.JSON())
	}
	return out
}
