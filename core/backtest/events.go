package backtest

import (
	"errors"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// recordedEvent is an event of a recorded run, with its place in the trace.
type recordedEvent struct {
	*rules.Event
	tool string
	span source.Span
}

// recorded are the events of a recorded run.
type recorded struct {
	events []recordedEvent
	timed  bool // the trace states the time of every event
}

// eventsOf returns the events of a conversation, without thoughts. A run whose last part is a text
// of the model is complete. Unless all parts state their times, the time of an event is its index.
func eventsOf(parts []monitor.Part) (recorded, error) {
	var list []rules.RawEvent
	out := recorded{timed: true}
	inputs := map[string]json.RawMessage{} // the arguments of calls, by identifier
	last := json.RawMessage(nil)           // those of the last call
	over := false
	for _, p := range parts {
		raw := rules.RawEvent{Time: json.RawMessage(p.Time), Agent: quotedText(p.Agent), ID: quotedText(p.ID)}
		kind := ""
		switch p.Kind {
		case monitor.PartSystem, monitor.PartUser, monitor.PartText:
			if p.Thought {
				continue
			}
			kind, raw.Name = "message", map[string]string{monitor.PartSystem: "system", monitor.PartUser: "user", monitor.PartText: "assistant"}[p.Kind]
			raw.Fields = object("text", quoted(p.Text))
		case monitor.PartCall:
			kind, raw.Name = "call", p.Tool
			raw.Fields, _ = fieldsOf(p.Text, "value")
			last = raw.Fields
			if p.ID != "" {
				inputs[p.ID] = raw.Fields
			}
		case monitor.PartResult:
			kind, raw.Name = "result", p.Tool
			var known *json.Node
			if p.Failed {
				kind, raw.Fields = "error", object("text", quoted(p.Text))
			} else {
				raw.Fields, known = fieldsOf(p.Text, "value")
			}
			input := last
			if p.ID != "" {
				input = inputs[p.ID]
			}
			if input != nil {
				raw.Fields = with(raw.Fields, known, "input", input)
			}
		default:
			continue
		}
		raw.Kind = &kind
		out.timed = out.timed && p.Time != ""
		list = append(list, raw)
		out.events = append(out.events, recordedEvent{tool: p.Tool, span: p.Span})
		over = p.Kind == monitor.PartText
	}
	for i := range list {
		if !out.timed {
			list[i].Time = nil
		}
		e, err := rules.ReadEvent(list[i], i)
		if err != nil {
			return recorded{}, err
		}
		out.events[i].Event = e
	}
	if out.timed { // a call may return after the next one began
		slices.SortStableFunc(out.events, func(a, b recordedEvent) int { return a.Compare(b.Event) })
	}
	if n := len(out.events); over && n > 0 {
		at := out.events[n-1]
		out.events = append(out.events, recordedEvent{Event: &rules.Event{Kind: "end", Time: at.Time}, span: at.span})
	}
	return out, nil
}

// quotedText returns a text as JSON, nil for "".
func quotedText(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return quoted(text)
}

func quoted(text string) json.RawMessage {
	b, _ := json.Marshal(text) // cannot fail
	return b
}

func object(key string, value json.RawMessage) json.RawMessage {
	return json.RawMessage("{" + string(quoted(key)) + ":" + string(value) + "}")
}

// with adds a member to an object unless the object has the key already. known is the tree of the
// object, or nil for an object that has only one member, with another key.
func with(fields json.RawMessage, known *json.Node, key string, value json.RawMessage) json.RawMessage {
	if known != nil {
		if _, has := known.Get(key); has {
			return fields
		}
		if len(known.Members) == 0 {
			return object(key, value)
		}
	}
	return json.RawMessage(string(fields[:len(fields)-1]) + "," + string(object(key, value)[1:]))
}

// fieldsOf returns the fields of a text. If the text is a JSON object, that is the object, with its
// tree; otherwise it is an object with the member key, whose value is another JSON value or the
// text itself.
func fieldsOf(text, key string) (json.RawMessage, *json.Node) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return json.RawMessage("{}"), &json.Node{Kind: '{', Text: "{}"}
	}
	if tree, fault := json.Tree(trimmed); fault == nil {
		if tree.Kind == '{' {
			return json.RawMessage(trimmed), tree
		}
		return object(key, json.RawMessage(trimmed)), nil
	}
	return object(key, quoted(text)), nil
}

// ruleFile are the rules of a file.
type ruleFile struct {
	file *rules.File
	uses []rules.Uses
}

var (
	errNoEvents = errors.New("the text of a run has no events; rules about data need a trace with calls")
	errNoTimes  = errors.New("the trace does not state the time of every event, and the rule depends on times")
)

// judge returns the cells of a file's rules on the events of a conversation.
func (f ruleFile) judge(c conversation) []Cell {
	cells := make([]Cell, len(f.file.Rules))
	fault := func(err error) []Cell {
		for i := range cells {
			cells[i] = Cell{Outcome: Fault, Reason: err.Error()}
		}
		return cells
	}
	if len(c.Parts) == 0 {
		return fault(errNoEvents)
	}
	run, err := eventsOf(c.Parts)
	if err != nil {
		return fault(err)
	}
	m := rules.NewMonitor(f.file)
	for _, e := range run.events {
		for _, v := range m.Step(e.Event) {
			if cell := &cells[v.Rule]; cell.Outcome == "" {
				*cell = Cell{Outcome: Violated, Reason: m.Explain(v), Line: c.file.Locate(e.span.Start).Line, Tool: e.tool}
				if c.unread != nil && e.span.Start >= c.unread.Span.Start {
					// An unread part before the violation may be an event that permits it.
					*cell = c.unreadCell()
				}
			}
		}
	}
	if m.Err() != nil {
		return fault(m.Err())
	}
	for i := range cells {
		cell := &cells[i]
		switch {
		case m.Limit(i) != nil:
			*cell = Cell{Outcome: Fault, Reason: m.Limit(i).Error()}
		case f.uses[i].Time && !run.timed:
			*cell = Cell{Outcome: Fault, Reason: errNoTimes.Error()}
		case cell.Outcome != "":
		case c.unread != nil:
			*cell = c.unreadCell()
		case m.Verdict(i) == rules.Untriggered:
			cell.Outcome = Untriggered
		case m.Verdict(i) == rules.Holds:
			cell.Outcome = Held
		default:
			*cell = Cell{Outcome: Fault, Reason: "unexpected verdict " + string(m.Verdict(i))}
		}
	}
	return cells
}
