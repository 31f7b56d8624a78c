package monitor

import (
	"slices"

	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/trace"
)

// eventList returns the values that are the events of a run in the format of "rules.check", or nil if a
// trace has another format: one on each line, a list of them, or an object with the list "events".
func eventList(roots []*node) []*node {
	list := roots
	if len(roots) == 1 {
		if events, ok := roots[0].Get("events"); ok && len(roots[0].Members) == 1 {
			list = events.Items
		} else if roots[0].Kind == '[' {
			list = roots[0].Items
		}
	}
	if slices.ContainsFunc(list, trace.IsEvent) {
		return list
	}
	return nil
}

func readEvents(account *account, list []*node) []Conversation {
	c := conversation{account: account}
	var events event.Events
	for _, n := range list {
		before := len(account.unread) + account.more
		e, ok := event.Read(n)
		e.Origin.Span = c.span(n)
		c.rest(n, 0, true, " kind name fields time agent id ")
		switch {
		case len(account.unread)+account.more > before:
		case !ok:
			c.refuse(n, "not an event of the form {kind, name, fields, time, agent, id}")
		case e.Name == "" && e.Kind != event.End:
			c.refuse(n, "event without a name")
		default:
			events = append(events, e)
			c.eventPart(n, e)
		}
	}
	if len(events) == 0 {
		return nil
	}
	return []Conversation{{Parts: c.parts, Events: events}}
}

func (c *conversation) eventPart(n *node, e event.Event) {
	p := Part{ID: e.ID, Span: c.span(n), Agent: e.Agent, Time: e.Time, Text: e.Fields.TextOf("text")}
	model := false
	switch e.Kind {
	case event.End:
		return
	case event.Call:
		c.twice(e.Fields)
		p.Kind, p.Tool, p.Text = PartCall, e.Name, e.Fields.Text
		model = true
	case event.Result:
		p.Kind, p.Tool, p.Text = PartResult, e.Name, resultOf(e.Fields)
	case event.Error:
		p.Kind, p.Tool, p.Failed = PartResult, e.Name, true
	default:
		if p.Kind = roles[e.Name]; p.Kind == "" || p.Kind == PartResult {
			c.refuse(n, "message with an unknown role %q", shorten(e.Name))
			return
		}
		model = p.Kind == PartText
	}
	if !model || !c.model {
		c.turn++
	}
	p.Turn, c.model = c.turn, model
	c.parts = append(c.parts, p)
}

// resultOf returns the text of a result, given its fields.
func resultOf(fields *node) string {
	own := &node{Kind: '{'}
	for _, m := range fields.Members {
		if m.Key != "input" {
			own.Members = append(own.Members, m)
		}
	}
	if len(own.Members) == 1 && own.Members[0].Key == "value" {
		return own.Members[0].Value.Text // of a string the text, of another value its JSON
	}
	return string(own.Append(nil))
}
