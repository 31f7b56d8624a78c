package rules

import (
	"slices"
	"sort"
	"strconv"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/source"
)

// Verdict is the verdict of a rule on a run.
type Verdict string

// The verdicts.
const (
	Violated    Verdict = "violated"
	Untriggered Verdict = "untriggered" // the left side of "->" was never true
	Holds       Verdict = "holds"
	Fault       Verdict = "fault" // could not be judged; never a pass
)

// Violation is an event at which a rule does not hold, with the values of its for-all variables.
type Violation struct {
	Rule      int // index in the file
	Event     int // index in the run
	Bindings  []*Value
	Witnesses []int       // earlier events that made the rule's parts true, in order
	Part      source.Span // of the formula that is false
	Near      []int       // earlier events that make the parts before Part true
}

// Monitor judges the rules of a file event by event. It keeps the state that the rules need, not the
// run.
type Monitor struct {
	File    *File
	code    *compiled
	rules   []status
	faults  map[int]error // by rule; those that ended its judgement
	tables  []*rows       // by slot; nil for a table without rows
	tallies []*tally      // by slot; nil for an aggregate without members
	events  int
	last    Decimal
	ended   bool
	err     error // of the run
}

// status is the state of a rule without its tables.
type status struct {
	size      int32 // at most maxState, and the entries that one event adds
	triggered bool
	violated  bool
	active    bool // the left side was true at the last event
}

// NewMonitor returns a monitor before the first event.
func NewMonitor(f *File) *Monitor {
	code := f.compiled()
	return &Monitor{
		File: f, code: code, rules: make([]status, len(code.rules)),
		tables: make([]*rows, code.tables), tallies: make([]*tally, code.tallies),
	}
}

// judged reports whether a rule can be judged.
func (m *Monitor) judged(rule int) bool { return m.code.rules[rule] != nil && m.faults[rule] == nil }

// fail ends the judgement of a rule by an error, if it is not nil.
func (m *Monitor) fail(rule int, err error) {
	if err == nil || m.faults[rule] != nil {
		return
	}
	faults := map[int]error{rule: err}
	for i, other := range m.faults {
		faults[i] = other
	}
	m.faults = faults // a trial restores the earlier map
}

// Err returns the error of the run, after which every rule is at fault, or nil.
func (m *Monitor) Err() error { return m.err }

// Step adds an event and returns the violations at it, in the order of the rules and, for each
// rule, of the values of its variables. An event that cannot follow the run makes every rule
// faulty.
func (m *Monitor) Step(e *Event) []Violation { return m.step(e, nil) }

func (m *Monitor) step(e *Event, j *journal) []Violation {
	if m.err == nil {
		m.err = m.refuses(e)
	}
	if m.err != nil {
		return nil
	}
	out := m.judge(e, j)
	m.events, m.last, m.ended = m.events+1, e.Time, e.Kind == "end"
	return out
}

// judge judges an event by the rules that can be judged. A journal has the inverses of the changes of tables.
func (m *Monitor) judge(e *Event, j *journal) (out []Violation) {
	run := m.machine(e, e.Time, j)
	defer run.release()
	for i, limits := range m.code.reach(e) {
		if m.judged(i) {
			out = append(out, run.violations(i, limits)...)
		}
	}
	return out
}

// refuses returns the error that the run would have if e were its next event, or nil.
func (m *Monitor) refuses(e *Event) error {
	at := "event " + strconv.Itoa(m.events)
	switch {
	case m.err != nil:
		return m.err
	case m.ended:
		return source.NewError("rules.run", at+" follows the end of the run")
	case !eventKinds[e.Kind]:
		return source.NewError("rules.run", at+` has the unknown kind "`+e.Kind+`"; expected call, result, error, message or end`)
	case m.events > 0 && e.Time.Compare(m.last) < 0:
		return source.NewError("rules.run", at+" is earlier than the event before: "+e.Time.String()+" < "+m.last.String())
	}
	return nil
}

// Verdict returns the verdict of a rule on the events so far.
func (m *Monitor) Verdict(rule int) Verdict {
	switch r := &m.rules[rule]; {
	case m.err != nil || !m.judged(rule):
		return Fault
	case r.violated:
		return Violated
	case m.code.rules[rule].left != nil && !r.triggered:
		return Untriggered
	}
	return Holds
}

// Fault returns the reason why a rule cannot be judged; "" if it can.
func (m *Monitor) Fault(rule int) string {
	switch {
	case m.err != nil:
		return m.err.Error()
	case m.faults[rule] != nil:
		return m.faults[rule].Error()
	case !m.judged(rule):
		return "it has errors"
	}
	return ""
}

// Limit returns the error that ended the judgement of a rule, or nil.
func (m *Monitor) Limit(rule int) error { return m.faults[rule] }

// breach is an assignment under which a rule does not hold.
type breach struct {
	values    []*Value
	witnesses []int
	part      source.Span
	near      []int
}

// breach explains why the rule does not hold under the present assignment.
func (r *machine) breach(values []*Value) breach {
	part, near := r.failing()
	return breach{values: values, witnesses: r.witnesses(), part: part, near: near}
}

// violations judges the event by a rule.
func (r *machine) violations(rule int, limits *reach) (out []Violation) {
	m := r.monitor
	r.code, r.status, r.err = m.code.rules[rule], &m.rules[rule], nil
	if r.active = r.left == nil; limits.idle {
		return nil
	}
	for _, b := range r.judge(limits) {
		out = append(out, Violation{Rule: rule, Event: r.index, Bindings: b.values, Witnesses: b.witnesses, Part: m.File.parenthesized(b.part), Near: b.near})
	}
	m.fail(rule, r.err)
	return out
}

// judge returns the assignments under which the rule does not hold at the event.
func (r *machine) judge(limits *reach) []breach {
	r.steps = 0
	var out []breach
	r.advance(limits)
	switch {
	case !limits.decides || r.err != nil:
	case r.left != nil:
		out = r.judgeAll()
	case r.condition(r.right) == condFalse && r.err == nil:
		out = append(out, r.breach(nil))
	}
	r.forget(r.known)
	if r.err != nil {
		return nil
	}
	r.violated = r.violated || len(out) > 0
	return out
}

// judgeAll returns the violations: it evaluates the right side for each assignment that makes the left side true.
func (r *machine) judgeAll() []breach {
	var seen dict[bool] // the assignments, by their keys
	var out []breach
	r.solve(r.left, func(c *cond) bool {
		if r.resolve(c) != condTrue {
			return true
		}
		r.triggered, r.active = true, true
		values := r.valuesOf(r.columns)
		r.key = r.key[:0]
		for _, v := range values {
			r.key = exact.AppendKey(r.key, v.Identity())
		}
		if earlier, _ := seen.at(r.key); earlier || r.err != nil {
			return r.err == nil
		}
		seen.put(string(r.key), true)
		if r.condition(r.right) == condFalse && r.err == nil {
			out = append(out, r.breach(values))
		}
		return r.err == nil
	})
	sort.SliceStable(out, func(i, j int) bool {
		for k, v := range out[i].values {
			if c := exact.Compare(v, out[j].values[k]); c != 0 {
				return c < 0
			}
		}
		return false
	})
	return out
}

// witnesses returns the earlier events that make the left side of a rule true and its right side
// false, under the present assignment.
func (r *machine) witnesses() []int {
	var out []int
	for _, n := range []*node{r.left, r.not} {
		if n == nil {
			continue
		}
		r.solve(n, func(c *cond) bool {
			if r.resolve(c) != condTrue {
				return true
			}
			out = append(out, r.trail...)
			return false
		})
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(i int) bool { return i < 0 || i >= r.index })
}
