package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Kinds of [Event].
const (
	EventStarted   = "started"   // a sub-task was started, for the first time or again
	EventDone      = "done"      // its result was accepted
	EventFailed    = "failed"    // an attempt at it failed
	EventCalled    = "called"    // a tool was called for it
	EventDelivered = "delivered" // the deliverer's answer was accepted: the last event
)

var eventKinds = []string{EventStarted, EventDone, EventFailed, EventCalled, EventDelivered}

// Event is a step of the trace over which formulas are evaluated. Only these propositions
// hold at it:
//
//	started               the event is of this kind
//	started.flights       … and the executor has the sub-task, or had it before another took over
//	started.t2            … and the sub-task is t2
//	called.FlightSearch   … and the tool has this name
//
// Formulas in :global range over the complete run, up to and including delivered. Formulas
// in :local and of an executor range over each attempt at a sub-task: started, calls, then
// done or failed. They can name tools only.
type Event struct {
	Kind     string `json:"kind"` // one of the Event constants
	Subtask  string `json:"subtask,omitempty"`
	Executor string `json:"executor,omitempty"`
	Tool     string `json:"tool,omitempty"`
	// Instead lists the executors that had the sub-task before.
	Instead []string `json:"instead,omitempty"`
}

// String returns the most specific proposition that holds at the event.
func (e Event) String() string {
	switch {
	case e.Kind == EventCalled:
		return e.Kind + "." + e.Tool
	case e.Subtask != "":
		return e.Kind + "." + e.Subtask
	}
	return e.Kind
}

// Holds reports whether a proposition holds at the event.
func (e Event) Holds(proposition string) bool {
	kind, name, named := strings.Cut(proposition, ".")
	if kind != e.Kind {
		return false
	}
	if !named {
		return true
	}
	if kind == EventCalled {
		return strings.EqualFold(name, e.Tool)
	}
	return name == e.Executor || name == e.Subtask || slices.Contains(e.Instead, name)
}

// eventFault returns the reason why a proposition can never hold, or "", and a similar
// proposition that can hold.
func eventFault(name string, executors, tools []string, global bool) (fault, near string) {
	kind, of, named := strings.Cut(name, ".")
	kinds := eventKinds
	if !global {
		kinds = []string{EventStarted, EventDone, EventFailed, EventCalled}
	}
	switch {
	case !slices.Contains(kinds, kind):
		if near = source.Nearest(kind, kinds); near != "" && named {
			near += "." + of
		}
		return fmt.Sprintf("unknown event %q (expected %s)", kind, strings.Join(kinds, ", ")), near
	case !named:
		return "", ""
	case kind == EventDelivered:
		return "delivered has no executor and no sub-task; remove the dot and the name", EventDelivered
	case kind == EventCalled:
		if slices.ContainsFunc(tools, func(t string) bool { return strings.EqualFold(t, of) }) {
			return "", ""
		}
		if near = source.Nearest(of, tools); near != "" {
			near = kind + "." + near
		}
		return fmt.Sprintf("unknown tool %q: no executor has it", of), near
	case !global:
		return fmt.Sprintf("a local formula is about one sub-task; write %s without a name", kind), kind
	case slices.Contains(executors, of) || isSubtask(of):
		return "", ""
	}
	if near = source.Nearest(of, executors); near != "" {
		near = kind + "." + near
	}
	return fmt.Sprintf("unknown executor %q; sub-tasks are called t1, t2, …", of), near
}

// Propositions returns the propositions of a team's formulas, without those of sub-tasks,
// whose number is unknown before the run.
func (s *Spec) Propositions(global bool) []string {
	out := []string{EventStarted, EventDone, EventFailed, EventCalled}
	if global {
		out = append(out, EventDelivered)
		for _, kind := range []string{EventStarted, EventDone, EventFailed} {
			for _, e := range s.Executors {
				out = append(out, kind+"."+e.Name)
			}
		}
	}
	for _, e := range s.Executors {
		for _, t := range e.Tools {
			if name := EventCalled + "." + t.Name; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}
