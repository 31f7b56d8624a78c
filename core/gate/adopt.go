package gate

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxProduct bounds the pairs of states that [Guard.Adopt] compares.
	maxProduct = 100_000
	// maxNested bounds them if a spec is a grammar, and maxLength their shortest runs.
	maxNested = 500
	maxLength = 24
)

// Adoption moves sessions of one guard to another one.
type Adoption struct {
	from, to *Guard
	specs    []adoptedSpec // by spec of the new guard
	rules    []adoptedRules
	fault    *Difference // of every session with events
}

// adoptedSpec is a spec with the spec of the earlier guard that has its name.
type adoptedSpec struct {
	*comparison
	old    int                 // index
	states map[string]*arrival // by state of the earlier spec
	all    bool                // states has every state

	same       bool // the grammars are the same, and states is not used
	properties []int
}

// adoptedRules is a file of rules with that of the earlier guard, and the earlier index of each rule.
type adoptedRules struct {
	old  int
	from []int
}

// Difference is the reason why a session keeps its guard: a shortest run that may have led to its state, and the
// step of it that the new guard does not permit.
type Difference struct {
	Rule   string   `json:"rule"` // spec or rule about data; "" for a reason about the session
	Run    []string `json:"run"`
	Step   int      `json:"step"` // index of a step of the run, or -1
	Reason string   `json:"reason"`
}

// maxShown bounds the steps of a run in the text of a difference.
const maxShown = 12

// String returns a difference as a sentence.
func (d *Difference) String() string {
	steps := d.Run
	if len(steps) > maxShown {
		steps = steps[len(steps)-maxShown:]
	}
	var shown []string
	for _, step := range steps {
		shown = append(shown, show(step))
	}
	run := strings.Join(shown, " ")
	if len(steps) < len(d.Run) {
		run = number(len(d.Run)-len(steps)) + " steps and " + run
	}
	switch {
	case d.Rule == "":
		return d.Reason
	case len(d.Run) == 0:
		return d.Rule + ": " + d.Reason
	case d.Step < 0:
		return d.Rule + ": after the run " + run + ", " + d.Reason
	}
	return d.Rule + ": in the run " + run + ", step " + number(d.Step+1) + " " + d.Reason
}

// Adopt prepares moving sessions of an earlier guard to this one. A session moves if this guard
// permits every run that may have led to its state, and all of them lead to one state. A
// grammar with an unbounded stack must be the same in both. Specs, rules and letters correspond by their names. A letter whose contents are
// restricted differently counts as another letter, and so does an event that becomes other letters. The run is the
// sequence of letters, so the results of concurrent calls have the order in which the earlier guard entered them.
func (g *Guard) Adopt(from *Guard) *Adoption {
	a := &Adoption{from: from, to: g}
	if !reflect.DeepEqual(g.File.Schemas, from.File.Schemas) {
		a.fault = &Difference{Rule: "schemas", Step: -1, Reason: "the schemas of tools changed, and earlier calls cannot be checked again"}
		return a
	}
	for _, s := range g.specs {
		i := slices.IndexFunc(from.specs, func(old *spec) bool { return old.Name == s.Name })
		if i < 0 {
			a.fault = &Difference{Rule: s.Name, Step: -1, Reason: "the spec is new, and earlier events cannot be judged by it"}
			return a
		}
		c := compare(from.specs[i], s)
		adopted := adoptedSpec{comparison: c, old: i}
		if adopted.properties, adopted.same = c.identical(); !adopted.same {
			adopted.states, adopted.all = c.states()
		}
		a.specs = append(a.specs, adopted)
	}
	for i, f := range g.File.Rules {
		old := slices.IndexFunc(from.File.Rules, func(other RuleFile) bool { return other.Name == f.Name })
		moved := adoptedRules{old: old}
		for k, name := range f.Rules {
			at := -1
			if old >= 0 {
				at = slices.Index(from.File.Rules[old].Rules, name)
			}
			if at < 0 || !reflect.DeepEqual(g.rules[i].Rules[k].Program(), from.rules[old].Rules[at].Program()) {
				a.fault = &Difference{Rule: f.Name + ": " + name, Step: -1, Reason: "the rule is new or changed, and earlier events cannot be judged by it"}
				return a
			}
			moved.from = append(moved.from, at)
		}
		a.rules = append(a.rules, moved)
	}
	return a
}

// Move returns the session of this guard with the state of an earlier one, or the difference for which the
// session has to keep its guard.
func (a *Adoption) Move(s *Session, o Options) (*Session, *Difference) {
	switch {
	case s.guard != a.from || a.to.check(o) != nil:
		return nil, &Difference{Step: -1, Reason: "the session belongs to another guard, or its options are incompatible with this guard"}
	case s.status != "open":
		return nil, &Difference{Step: -1, Reason: "the session is not open"}
	case s.stream != nil:
		return nil, &Difference{Step: -1, Reason: "the session is in the middle of a text"}
	case s.events == 0 && len(s.pending) == 0:
		next, _ := a.to.Begin(o) // the options were checked
		next.lines, next.hash = s.lines, s.hash
		return next, nil
	case a.fault != nil:
		return nil, a.fault
	}
	out := &Session{guard: a.to, options: o, moment: s.moment, recent: s.recent, status: s.status, lines: s.lines, hash: s.hash}
	out.places, out.rules, out.pending = nil, nil, slices.Clone(s.pending)
	for i := range out.pending {
		out.pending[i].entered = nil
		if len(s.rules) > 0 && len(a.rules) == 0 {
			v, _, _ := argumentsOf(out.pending[i].arguments)
			out.pending[i].arguments = v.kept()
		}
	}
	for i, moved := range a.specs {
		next, difference := a.place(moved, a.to.specs[i], s.places[moved.old])
		if difference != nil {
			return nil, difference
		}
		out.places = append(out.places, next)
		for k := range out.pending {
			out.pending[k].entered = append(out.pending[k].entered, s.pending[k].entered[moved.old])
		}
	}
	for i, moved := range a.rules {
		monitor, err := s.rules[moved.old].Move(a.to.rules[i], moved.from)
		if err != nil {
			return nil, &Difference{Rule: a.to.File.Rules[i].Name, Step: -1, Reason: err.Error()}
		}
		out.rules = append(out.rules, monitor)
	}
	return out, nil
}

func (a *Adoption) place(c adoptedSpec, spec *spec, p place) (place, *Difference) {
	if p.lost {
		return place{}, &Difference{Rule: spec.Name, Step: -1, Reason: "an earlier step is not permitted"}
	}
	next := p
	if c.same {
		next.properties = nil
		for _, old := range c.properties {
			next.properties = append(next.properties, p.properties[old])
		}
	} else {
		found := c.states[key(p)]
		switch {
		case found != nil && found.difference != nil:
			return place{}, found.difference
		case found == nil || !c.all:
			return place{}, &Difference{Rule: spec.Name, Step: -1, Reason: "the specs are too large to be compared, or one of them is a grammar with an unbounded stack"}
		}
		next = found.place
	}
	if next.last = p.last; p.last >= 0 {
		next.last = c.letters[p.last]
	}
	return next, nil
}

func key(p place) string {
	k := strconv.Itoa(p.at)
	for _, q := range p.properties {
		k += "," + strconv.Itoa(q)
	}
	for _, row := range p.stack.table() {
		k += join(row, strconv.Itoa)
	}
	return k
}
