package trace

import (
	"slices"

	"github.com/stile-playground/stile/core/event"
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
	if slices.ContainsFunc(list, IsEvent) {
		return list
	}
	return nil
}

func readEvents(account *account, list []*node) []Run {
	c := conversation{account: account}
	var events event.Events
	for _, n := range list {
		before := len(account.unread) + account.more
		e, ok := event.Read(n)
		e.Origin.Span = spanOf(n)
		c.rest(n, 0, true, " kind name fields time agent id ")
		switch {
		case len(account.unread)+account.more > before:
		case !ok:
			c.refuse(n, "not an event of the form {kind, name, fields, time, agent, id}")
		case e.Name == "" && e.Kind != event.End:
			c.refuse(n, "event without a name")
		default:
			events = append(events, e)
			c.eventItem(n, e)
		}
	}
	if len(events) == 0 {
		return nil
	}
	return []Run{{Items: c.items, Recorded: events}}
}

func (c *conversation) eventItem(n *node, e event.Event) {
	item := &Item{ID: e.ID, Span: spanOf(n), Agent: e.Agent, Time: e.Time, Text: e.Fields.TextOf("text")}
	model := false
	switch e.Kind {
	case event.End:
		return
	case event.Call:
		c.repeats(e.Fields)
		item.Kind, item.Tool, item.Text, item.Value = Call, e.Name, e.Fields.Text, e.Fields
		model = true
	case event.Result:
		item.Kind, item.Tool, item.Text = Result, e.Name, resultOf(e.Fields)
	case event.Error:
		item.Kind, item.Tool, item.Fault = Result, e.Name, true
	default:
		if item.Kind = chatRoles[e.Name]; item.Kind == "" || item.Kind == Result {
			c.refuse(n, "message with an unknown role %q", shorten(e.Name))
			return
		}
		model = item.Kind == Text
	}
	if !model || !c.model {
		c.turn++
	}
	item.Turn, c.model = c.turn, model
	c.items = append(c.items, item)
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
