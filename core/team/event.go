package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Kinds of [Event].
const (
	EventStarted   = "started"   // a sub-task was begun, or begun anew
	EventDone      = "done"      // its result was accepted
	EventFailed    = "failed"    // a try at it came to nothing
	EventCalled    = "called"    // a tool was called for it
	EventDelivered = "delivered" // the deliverer's answer was accepted: the last event
)

var eventKinds = []string{EventStarted, EventDone, EventFailed, EventCalled, EventDelivered}

// Event is something that happens in a team: a step of the trace that formulas speak
// of. Where it happens these propositions hold, and no others:
//
//	started               it is of this kind
//	started.flights       … and the sub-task is the executor's, or was before another took over
//	started.t2            … and the sub-task is t2
//	called.FlightSearch   … and the tool is that one
//
// Formulas beside :global speak of the whole run, up to and with delivered. Those of
// :local and of an executor speak of each try at a sub-task by itself: started, then
// calls, then done or failed; there is nobody to name but tools.
type Event struct {
	Kind     string `json:"kind"` // one of the Event constants
	Subtask  string `json:"subtask,omitempty"`
	Executor string `json:"executor,omitempty"`
	Tool     string `json:"tool,omitempty"`
	// Instead are executors that the sub-task was taken over from.
	Instead []string `json:"instead,omitempty"`
}

// String says what happens, as the narrowest proposition that holds there.
func (e Event) String() string {
	switch {
	case e.Kind == EventCalled:
		return e.Kind + "." + e.Tool
	case e.Subtask != "":
		return e.Kind + "." + e.Subtask
	}
	return e.Kind
}

// Holds reports whether a proposition holds where the event happens.
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

// eventFault says why a proposition can never hold, or "", and what may be meant.
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
		return fmt.Sprintf("nothing that happens is called %q (there is %s)", kind, strings.Join(kinds, ", ")), near
	case !named:
		return "", ""
	case kind == EventDelivered:
		return "delivered is of the whole team, so that nothing follows it", EventDelivered
	case kind == EventCalled:
		if slices.ContainsFunc(tools, func(t string) bool { return strings.EqualFold(t, of) }) {
			return "", ""
		}
		if near = source.Nearest(of, tools); near != "" {
			near = kind + "." + near
		}
		return fmt.Sprintf("no executor has a tool %q", of), near
	case !global:
		return fmt.Sprintf("a local formula speaks of one sub-task, so that it is %s alone", kind), kind
	case slices.Contains(executors, of) || isSubtask(of):
		return "", ""
	}
	if near = source.Nearest(of, executors); near != "" {
		near = kind + "." + near
	}
	return fmt.Sprintf("there is no executor %q, and sub-tasks are called t1, t2, …", of), near
}

// Propositions returns what formulas of a team may speak of, but for sub-tasks, of which
// nobody knows before the run how many there are.
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
