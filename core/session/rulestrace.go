package session

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/source"
)

// RulesTraceParams add events to a table of a .rules file. Table is the number of the table, 0 for
// a new one; its next event has the index From. Events and Try have an event on each line, as in
// tests: an atom, or an object as in "rules.check". The events of Try are tried after Events, each
// as the next one, and not added.
type RulesTraceParams struct {
	Source string `json:"source"`
	Table  int    `json:"table,omitempty"`
	From   int    `json:"from,omitempty"`
	Events string `json:"events,omitempty"`
	Try    string `json:"try,omitempty"`
	Echo   bool   `json:"echo,omitempty"`  // return the added events
	Write  bool   `json:"write,omitempty"` // return the added events as the text of a test
}

// RulesTraceResult has the states of the rules after each added event: a string with a letter for
// each rule, "u" untriggered, "h" holds, "H" holds and its left side is true at this event, "p" would
// be violated if the run ended here, "v" violated earlier, "V" violated at this event, "f" fault.
// Violations has at most 200 of the added events; MoreViolations counts the others. Bad is the line
// in Events, from 0, that is not an event; the lines before it are added. -1 is none.
type RulesTraceResult struct {
	Table          int              `json:"table"`
	Events         int              `json:"events"` // in the table
	Rules          []TracedRule     `json:"rules"`
	States         []string         `json:"states"`
	Violations     []TraceViolation `json:"violations"`
	MoreViolations int              `json:"moreViolations,omitempty"`
	Tried          []TriedEvent     `json:"tried"`
	Echo           []rules.RawEvent `json:"echo,omitempty"`
	Text           string           `json:"text,omitempty"` // of the added events, an event on each line
	Bad            int              `json:"bad"`
	Reason         string           `json:"reason,omitempty"` // why the line is not an event, or the run has an error
	Diagnostics    []Diagnostic     `json:"diagnostics"`
}

// TracedRule is a rule with its verdict so far and its place in the text, in UTF-16 code units.
type TracedRule struct {
	Name    string        `json:"name"`
	Verdict string        `json:"verdict"`
	Reason  string        `json:"reason,omitempty"` // of a fault
	From    int           `json:"from"`
	To      int           `json:"to"`
	Windows []TraceWindow `json:"windows"`
	Tools   []string      `json:"tools"` // that it names
}

// TraceWindow is a window of an operator: "once[10m]" and 600.
type TraceWindow struct {
	Operator string  `json:"operator"`
	Seconds  float64 `json:"seconds"`
}

// TraceViolation is a violation of the rule with the index Rule by the event with the index Event.
// From and To are the place of the part that failed, Requirement is the formula that is false, with
// the values of the bindings. Witnesses are earlier events that satisfy other parts of the rule.
type TraceViolation struct {
	Rule        int                        `json:"rule"`
	Event       int                        `json:"event"`
	Bindings    map[string]json.RawMessage `json:"bindings"`
	Witnesses   []int                      `json:"witnesses"`
	Requirement string                     `json:"requirement"`
	From        int                        `json:"from"`
	To          int                        `json:"to"`
}

// TriedEvent reports whether an event is allowed as the next one.
type TriedEvent struct {
	Allowed    bool             `json:"allowed"`
	Violations []TraceViolation `json:"violations"`
	Faults     []string         `json:"faults"` // the rules that cannot be judged
	Reason     string           `json:"reason,omitempty"`
}

// maxRuleTables bounds the tables that a session keeps. The page shows one, and one for the cursor.
const maxRuleTables = 4

// maxTraceViolations bounds the explained violations of a call.
const maxTraceViolations = 200

// ruleTable is a monitor with the text of its rules.
type ruleTable struct {
	number  int
	file    *source.File
	monitor *rules.Monitor
}

// ruleTables are the tables of a session; the most recently used table is last.
type ruleTables struct {
	last int
	list []*ruleTable
}

// open returns the table with a number, or a new table for 0.
func (t *ruleTables) open(p RulesTraceParams) (*ruleTable, error) {
	if p.Table == 0 {
		if len(t.list) == maxRuleTables {
			t.list = t.list[1:]
		}
		t.last++
		file := source.NewFile("", p.Source)
		out := &ruleTable{number: t.last, file: file, monitor: rules.NewMonitor(rules.Parse(file))}
		t.list = append(t.list, out)
		return out, nil
	}
	for i, out := range t.list {
		if out.number == p.Table && out.file.Text == p.Source && out.monitor.Events() == p.From {
			t.list = append(append(t.list[:i:i], t.list[i+1:]...), out)
			return out, nil
		}
	}
	return nil, source.NewError("rules.table", fmt.Sprintf("unknown table %d with %d events of these rules; begin a new one", p.Table, p.From))
}

func (s *Session) rulesTrace(p RulesTraceParams) (RulesTraceResult, error) {
	if p.Table == 0 && p.From != 0 {
		return RulesTraceResult{}, source.NewError("rules.table", "a new table begins with event 0")
	}
	tables, ok := s.tables.(*ruleTables)
	if !ok {
		tables = &ruleTables{}
		s.tables = tables
	}
	table, err := tables.open(p)
	if err != nil {
		return RulesTraceResult{}, err
	}
	w := ruleWriter{monitor: table.monitor, at: places{file: table.file}}
	out := RulesTraceResult{Table: table.number, States: []string{}, Violations: []TraceViolation{}, Tried: []TriedEvent{}, Bad: -1}
	run, found := rules.ReadRunFrom(p.Events, p.From)
	events := run.Events
	if len(found) > 0 {
		events, out.Bad = eventsBefore(run, found[0], p.Events)
		out.Reason = found[0].Message
	}
	all := w.add(&out, events)
	var added []rules.RawEvent
	for i := 0; (p.Echo || p.Write) && i < len(out.States); i++ {
		added = append(added, events[i].Raw())
	}
	if p.Write {
		out.Text = strings.Join(prove.Lines(added), "\n")
	}
	if p.Echo {
		out.Echo = added
	}
	tried, found := rules.ReadRunFrom(p.Try, table.monitor.Events())
	if len(found) > 0 {
		return RulesTraceResult{}, source.NewError(found[0].Code, found[0].Message)
	}
	for _, e := range tried.Events {
		out.Tried = append(out.Tried, w.try(e))
	}
	if err := table.monitor.Err(); err != nil && out.Reason == "" {
		out.Reason = err.Error()
	}
	out.Events, out.Rules = table.monitor.Events(), w.rules()
	out.Violations = make([]TraceViolation, min(len(all), maxTraceViolations))
	out.MoreViolations = len(all) - len(out.Violations)
	for i := range out.Violations {
		w.write(&out.Violations[i], all[i])
	}
	w.at.settle()
	out.Diagnostics = wireDiagnostics(table.file, table.monitor.File.Diagnostics)
	return out, nil
}

// eventsBefore returns the events before a fault, and the number of its line.
func eventsBefore(run rules.Run, fault source.Diagnostic, text string) ([]*rules.Event, int) {
	n := 0
	for n < len(run.Events) && run.Places[n].Start < fault.Span.Start {
		n++
	}
	return run.Events[:n], source.NewFile("", text).Locate(fault.Span.Start).Line - 1
}

// ruleWriter converts the judgements of a monitor.
type ruleWriter struct {
	monitor *rules.Monitor
	at      places
}

// add adds events and returns their violations. After an error of the run no state is added.
func (w *ruleWriter) add(out *RulesTraceResult, events []*rules.Event) []rules.Violation {
	var all []rules.Violation
	for _, e := range events {
		violations := w.monitor.Step(e)
		if w.monitor.Err() != nil {
			break
		}
		out.States = append(out.States, w.monitor.States(violations))
		all = append(all, violations...)
	}
	return all
}

func (w *ruleWriter) try(e *rules.Event) TriedEvent {
	trial := w.monitor.Try(e)
	out := TriedEvent{Allowed: trial.Allowed(), Violations: make([]TraceViolation, min(len(trial.Violations), maxTraceViolations)), Faults: []string{}}
	for i := range out.Violations {
		w.write(&out.Violations[i], trial.Violations[i])
	}
	for _, i := range trial.Faults {
		out.Faults = append(out.Faults, w.monitor.File.Rules[i].Name)
	}
	if trial.Err != nil {
		out.Reason = trial.Err.Error()
	}
	return out
}

// write converts a violation. Its place is filled in when the places settle.
func (w *ruleWriter) write(out *TraceViolation, v rules.Violation) {
	*out = TraceViolation{Rule: v.Rule, Event: v.Event, Bindings: map[string]json.RawMessage{}, Witnesses: orEmpty(v.Evidence()), Requirement: w.monitor.Requirement(v)}
	for i, value := range v.Bindings {
		out.Bindings["?"+w.monitor.File.Rules[v.Rule].ForAll[i].Name] = value.JSON()
	}
	w.at.span(&out.From, &out.To, v.Part)
}

func (w *ruleWriter) rules() []TracedRule {
	file := w.monitor.File
	out := make([]TracedRule, len(file.Rules))
	for i, r := range file.Rules {
		t := TracedRule{Name: r.Name, Verdict: string(w.monitor.Verdict(i)), Windows: []TraceWindow{}, Tools: orEmpty(r.Uses().Tools)}
		if err := w.monitor.Limit(i); err != nil {
			t.Reason = err.Error()
		}
		for _, window := range file.Windows(r) {
			seconds, _ := strconv.ParseFloat(window.Seconds, 64) // a decimal
			t.Windows = append(t.Windows, TraceWindow{window.Operator, seconds})
		}
		out[i] = t
		w.at.span(&out[i].From, &out[i].To, r.Span)
	}
	return out
}
