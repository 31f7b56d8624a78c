package backtest

import (
	"errors"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// recordedEvent is an event of a recorded run, with its place in the trace.
type recordedEvent struct {
	*rules.Event
	tool, agent string
	span        source.Span
}

// recorded are the events of a recorded run.
type recorded struct {
	events []recordedEvent
	timed  bool // the trace states the time of every event
}

// roles are the names of messages, by the kinds of parts.
var roles = map[string]string{monitor.PartSystem: "system", monitor.PartUser: "user", monitor.PartText: "assistant"}

// eventsOf returns the events of a conversation, without thoughts. A run whose last part is a text
// of the model is complete. Unless all parts state their times, the time of an event is its index.
func eventsOf(parts []monitor.Part) (recorded, error) {
	out := recorded{timed: true, events: make([]recordedEvent, 0, len(parts)+1)}
	inputs := map[string]*json.Node{} // the arguments of calls, by identifier
	last := (*json.Node)(nil)         // those of the last call
	over := false
	for i := range parts {
		out.timed = out.timed && (parts[i].Time != "" || !isEvent(&parts[i]))
	}
	for i := range parts {
		p := &parts[i]
		if !isEvent(p) {
			continue
		}
		e := event.Event{Name: p.Tool, Agent: p.Agent, ID: p.ID}
		switch p.Kind {
		case monitor.PartSystem, monitor.PartUser, monitor.PartText:
			e.Kind, e.Name, e.Fields = event.Message, roles[p.Kind], object("text", text(p.Text))
		case monitor.PartCall:
			e.Kind, e.Fields = event.Call, fieldsOf(p.Text)
			last = e.Fields
			if p.ID != "" {
				inputs[p.ID] = e.Fields
			}
		case monitor.PartResult:
			if p.Failed {
				e.Kind, e.Fields = event.Error, object("text", text(p.Text))
			} else {
				e.Kind, e.Fields = event.Result, fieldsOf(p.Text)
			}
			input := last
			if p.ID != "" {
				input = inputs[p.ID]
			}
			e.Fields = trace.WithInput(e.Fields, input)
		}
		if out.timed {
			e.Time = p.Time
		}
		read, err := rules.FromEvent(&e, len(out.events))
		if err != nil {
			return recorded{}, err
		}
		out.events = append(out.events, recordedEvent{Event: read, tool: p.Tool, agent: p.Agent, span: p.Span})
		over = p.Kind == monitor.PartText
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

// recordedEvents returns the events of a trace that consists of events.
func recordedEvents(list event.Events) (recorded, error) {
	out := recorded{timed: !slices.ContainsFunc(list, func(e event.Event) bool { return e.Time == "" })}
	for i, e := range list {
		if !out.timed {
			e.Time = ""
		}
		read, err := rules.FromEvent(&e, i)
		if err != nil {
			return recorded{}, err
		}
		tool := e.Name
		if e.Kind == event.Message {
			tool = ""
		}
		out.events = append(out.events, recordedEvent{Event: read, tool: tool, agent: e.Agent, span: e.Origin.Span})
	}
	return out, nil
}

// isEvent reports whether a part is an event: a message, a call or a result.
func isEvent(p *monitor.Part) bool {
	return !p.Thought && roles[p.Kind] != "" || p.Kind == monitor.PartCall || p.Kind == monitor.PartResult
}

func text(s string) *json.Node { return &json.Node{Kind: '"', Text: s} }

func object(key string, value *json.Node) *json.Node {
	return &json.Node{Kind: '{', Members: []json.Member{{Key: key, Value: value}}}
}

// fieldsOf returns the fields of a text. If the text is a JSON object, that is the object; otherwise
// it is an object with the member "value", which is another JSON value or the text itself.
func fieldsOf(s string) *json.Node {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return &json.Node{Kind: '{'}
	}
	tree, fault := json.Tree(trimmed)
	switch {
	case fault != nil:
		return object("value", text(s))
	case tree.Kind != '{':
		return object("value", tree)
	}
	return tree
}

// ruleFile is a parsed .rules file with the tools that each rule names.
type ruleFile struct {
	file *rules.File
	uses []rules.Uses

	spellings *Spellings
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
	if len(c.Parts)+len(c.Events) == 0 {
		return fault(errNoEvents)
	}
	run, err := eventsOf(c.Parts)
	if c.Events != nil {
		run, err = recordedEvents(c.Events)
	}
	if err != nil {
		return fault(err)
	}
	m := rules.NewMonitor(f.file)
	respelled := make([]string, len(cells)) // the reasons by rule
	for _, e := range run.events {
		if e.Kind == "call" {
			f.spellings.Mark(e.Name, respelled)
		}
		for _, v := range m.Step(e.Event) {
			if cell := &cells[v.Rule]; cell.Outcome == "" {
				*cell = Cell{Outcome: Violated, Reason: m.Explain(v), Line: c.file.Locate(e.span.Start).Line, Tool: e.tool, Agent: e.agent, Part: m.Failing(v)}
				for _, i := range v.Evidence() {
					cell.Near = append(cell.Near, c.file.Locate(run.events[i].span.Start).Line)
				}
				cell.Near = slices.Compact(cell.Near)
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
		case respelled[i] != "":
			*cell = Cell{Outcome: Fault, Reason: respelled[i]}
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
