package rules

import (
	"slices"
	"sort"
	"strconv"
	"strings"

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
	File     *File
	machines []*running // nil for a rule that cannot be judged
	events   int
	last     Decimal
	ended    bool
	err      error // of the run
}

// running is a rule with its state.
type running struct {
	machine
	rule      *Rule
	left      *node // nil without an outermost "->"
	right     *node
	columns   []int // of the for-all variables
	not       *node // the negation of the right side
	triggered bool
	violated  bool
	active    bool // the left side was true at the last event
	ends      bool // the formula has an atom that matches the end of the run
}

// NewMonitor returns a monitor before the first event.
func NewMonitor(f *File) *Monitor {
	m := &Monitor{File: f}
	for _, r := range f.Rules {
		if r.Fault || r.Formula == nil {
			m.machines = append(m.machines, nil)
			continue
		}
		m.machines = append(m.machines, compile(r))
	}
	return m
}

func compile(r *Rule) *running {
	c := &compiler{rule: r}
	out := &running{rule: r, ends: endsRun(r.Formula)}
	if r.Formula.Op == OpImplies {
		out.left, out.right = c.scoped(r.Formula.Kids[0]), c.scoped(r.Formula.Kids[1])
	} else {
		out.right = c.scoped(r.Formula)
	}
	for _, v := range r.ForAll {
		out.columns = append(out.columns, v.index)
	}
	out.not = negate(out.right)
	out.updates = c.updates
	return out
}

// Err returns the error of the run, after which every rule is at fault, or nil.
func (m *Monitor) Err() error { return m.err }

// Step adds an event and returns the violations at it, in the order of the rules and, for each
// rule, of the values of its variables. An event that cannot follow the run makes every rule
// faulty.
func (m *Monitor) Step(e *Event) []Violation {
	if m.err == nil {
		m.err = m.refuses(e)
	}
	if m.err != nil {
		return nil
	}
	var out []Violation
	for i, r := range m.machines {
		if r == nil || r.err != nil {
			continue
		}
		for _, values := range r.judge(e, m.events) {
			out = append(out, Violation{Rule: i, Event: m.events, Bindings: values.values, Witnesses: values.witnesses, Part: m.File.parenthesized(values.part), Near: values.near})
		}
	}
	m.events, m.last, m.ended = m.events+1, e.Time, e.Kind == "end"
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
	r := m.machines[rule]
	switch {
	case m.err != nil || r == nil || r.err != nil:
		return Fault
	case r.violated:
		return Violated
	case r.left != nil && !r.triggered:
		return Untriggered
	}
	return Holds
}

// Limit returns the error that ended the judgement of a rule, or nil.
func (m *Monitor) Limit(rule int) error {
	if r := m.machines[rule]; r != nil {
		return r.err
	}
	return nil
}

// breach is an assignment under which a rule does not hold.
type breach struct {
	values    []*Value
	witnesses []int
	part      source.Span
	near      []int
}

// breach explains why the rule does not hold under the present assignment.
func (r *running) breach(values []*Value) breach {
	part, near := r.failing()
	return breach{values: values, witnesses: r.witnesses(), part: part, near: near}
}

// judge adds an event and returns the assignments under which the rule does not hold.
func (r *running) judge(e *Event, index int) []breach {
	r.event, r.index, r.time, r.steps, r.active = e, index, e.Time, 0, r.left == nil
	var out []breach
	if r.advance(); r.left == nil {
		if r.err == nil && r.condition(r.right) == condFalse && r.err == nil {
			out = append(out, r.breach(nil))
		}
	} else {
		out = r.judgeAll()
	}
	r.forget(r.known)
	r.event = nil
	if r.err != nil {
		return nil
	}
	r.violated = r.violated || len(out) > 0
	return out
}

// judgeAll returns the violations: it evaluates the right side for each assignment that makes the left side true.
func (r *running) judgeAll() []breach {
	var seen map[string]bool
	var out []breach
	r.solve(r.left, func(c *cond) bool {
		if r.resolve(c) != condTrue {
			return true
		}
		r.triggered, r.active = true, true
		values := r.valuesOf(r.columns)
		var b strings.Builder
		for _, v := range values {
			exact.AppendKey(&b, v.Identity())
		}
		key := b.String()
		if seen[key] || r.err != nil {
			return r.err == nil
		}
		if seen == nil {
			seen = map[string]bool{}
		}
		seen[key] = true
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
func (r *running) witnesses() []int {
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
