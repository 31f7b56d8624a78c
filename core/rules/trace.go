package rules

import "strings"

// The state of a rule after an event, as a letter of [Monitor.States].
const (
	StateUntriggered = 'u' // the left side was never true
	StateHolds       = 'h'
	StateActive      = 'H' // it holds, and its left side is true at this event
	StatePending     = 'p' // it would be violated if the run ended here
	StateViolated    = 'v' // at an earlier event
	StateBroken      = 'V' // violated at this event
	StateFault       = 'f'
)

// Events returns the number of events so far.
func (m *Monitor) Events() int { return m.events }

// States returns a letter for each rule: its state after the last event. violations are those at
// that event. A rule about the end of the run is pending if the end would violate it.
func (m *Monitor) States(violations []Violation) string {
	broken := make([]bool, len(m.rules))
	for _, v := range violations {
		broken[v.Rule] = true
	}
	out := make([]byte, len(m.rules))
	for i := range m.rules {
		switch verdict := m.Verdict(i); {
		case verdict == Fault:
			out[i] = StateFault
		case broken[i]:
			out[i] = StateBroken
		case verdict == Violated:
			out[i] = StateViolated
		case m.pending(i):
			out[i] = StatePending
		case verdict == Untriggered:
			out[i] = StateUntriggered
		case m.rules[i].active:
			out[i] = StateActive
		default:
			out[i] = StateHolds
		}
	}
	return string(out)
}

// pending reports whether a rule about the end of the run would be violated if the run ended now.
func (m *Monitor) pending(rule int) bool {
	if m.ended || !m.code.rules[rule].ends {
		return false
	}
	undo := m.undo()
	end := &Event{Kind: "end", Time: m.last}
	run := m.machine(end, end.Time, undo.journal)
	defer run.release()
	broken := len(run.violations(rule, m.code.reach(end)[rule])) > 0 || !m.judged(rule)
	undo.restore()
	return broken
}

// endsRun reports whether a formula has an atom that matches the end of the run.
func endsRun(f *Formula) bool {
	out := false
	eachFormula(f, func(f *Formula) { out = out || f.Atom != nil && f.Atom.Kind == "end" })
	return out
}

// Span is a window of an operator of a rule.
type Span struct {
	Operator string // with its window, such as "once[10m]"
	Seconds  string
}

// Windows returns the windows of a rule in the order of the text.
func (f *File) Windows(r *Rule) []Span {
	var out []Span
	if r.Formula == nil {
		return nil
	}
	add := func(name string, w *Window) {
		if w != nil {
			text := strings.Trim(f.text[w.Span.Start:w.Span.End], "[]")
			out = append(out, Span{name + "[" + text + "]", w.Seconds.String()})
		}
	}
	eachFormula(r.Formula, func(g *Formula) {
		add(f.text[g.Sign.Start:g.Sign.End], g.Window)
		for _, t := range g.Terms {
			eachTerm(t, func(t *Term) { add(t.Function, t.Window) })
		}
	})
	return out
}
