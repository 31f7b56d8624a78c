package rules

import (
	"sort"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// The types of this file are the state of a monitor in JSON.

type monitorState struct {
	Events int          `json:"events"`
	Last   *valueState  `json:"last,omitempty"`
	Ended  bool         `json:"ended,omitempty"`
	Fault  string       `json:"fault,omitempty"`
	Rules  []*ruleState `json:"rules"` // null for a rule that cannot be judged
}

type ruleState struct {
	Triggered bool          `json:"triggered,omitempty"`
	Violated  bool          `json:"violated,omitempty"`
	Fault     string        `json:"fault,omitempty"`
	Updates   []updateState `json:"updates"`
}

type updateState struct {
	Rows    []rowState    `json:"rows,omitempty"`
	Kills   []rowState    `json:"kills,omitempty"`
	Next    []rowState    `json:"next,omitempty"`
	End     *valueState   `json:"end,omitempty"`
	Groups  []groupState  `json:"groups,omitempty"`
	Members []memberState `json:"members,omitempty"`
}

type rowState struct {
	Values []valueState `json:"values,omitempty"`
	Cond   *condState   `json:"cond,omitempty"` // null for none
	Index  int          `json:"index,omitempty"`
	End    *valueState  `json:"end,omitempty"`
}

type condState struct {
	Op       string      `json:"op"`
	Kids     []condState `json:"kids,omitempty"`
	Variable int         `json:"variable,omitempty"`
	Value    *valueState `json:"value,omitempty"`
	Relation string      `json:"relation,omitempty"`
	Terms    []termState `json:"terms,omitempty"`
}

type termState struct {
	Op       TermOp         `json:"op"`
	Variable int            `json:"variable,omitempty"`
	Value    *valueState    `json:"value,omitempty"`
	Sign     string         `json:"sign,omitempty"`
	Kids     []termState    `json:"kids,omitempty"`
	Frozen   *snapshotState `json:"frozen,omitempty"`
}

type snapshotState struct {
	Function string       `json:"function"`
	Columns  []int        `json:"columns,omitempty"`
	Groups   []groupState `json:"groups,omitempty"`
}

type groupState struct {
	Values   []valueState  `json:"values,omitempty"`
	N        int64         `json:"n,omitempty"`
	Total    *valueState   `json:"total,omitempty"`
	Best     *valueState   `json:"best,omitempty"`
	Distinct []valueState  `json:"distinct,omitempty"`
	Conds    []memberState `json:"conds,omitempty"`
}

type memberState struct {
	Values []valueState `json:"values,omitempty"` // of its group
	Value  *valueState  `json:"value,omitempty"`
	Cond   *condState   `json:"cond,omitempty"`
	Index  int          `json:"index,omitempty"`
	End    *valueState  `json:"end,omitempty"`
	N      int64        `json:"n,omitempty"`
}

// valueState is a value. In JSON it is a list with this value as its only element, so that
// a missing value differs from null.
type valueState struct{ of *Value }

// MarshalJSON encodes the value for a saved state.
func (v valueState) MarshalJSON() ([]byte, error) {
	out := append([]byte{'['}, v.of.JSON()...)
	return append(out, ']'), nil
}

// UnmarshalJSON decodes a value that MarshalJSON encoded.
func (v *valueState) UnmarshalJSON(text []byte) error {
	tree, fault := json.Tree(string(text))
	if fault != nil {
		return fault
	}
	if len(tree.Items) != 1 {
		return errSaved
	}
	v.of = exact.Of(tree.Items[0])
	return nil
}

// State returns the state in JSON. Equal states have equal texts.
func (m *Monitor) State() ([]byte, error) { return json.Marshal(m.save()) }

func (m *Monitor) save() monitorState {
	out := monitorState{Events: m.events, Ended: m.ended, Last: saveNumber(m.last)}
	if m.err != nil {
		out.Fault = m.err.Error()
	}
	for i, code := range m.code.rules {
		if code == nil {
			out.Rules = append(out.Rules, nil)
			continue
		}
		state := &ruleState{Triggered: m.rules[i].triggered, Violated: m.rules[i].violated}
		if err := m.faults[i]; err != nil {
			state.Fault = err.Error()
		}
		for _, u := range code.updates {
			state.Updates = append(state.Updates, m.saveUpdate(u))
		}
		out.Rules = append(out.Rules, state)
	}
	return out
}

func saveNumber(d Decimal) *valueState {
	if d.Sign() == 0 {
		return nil
	}
	return &valueState{exact.OfNumber(d)}
}

func saveEnd(d *Decimal) *valueState {
	if d == nil {
		return nil
	}
	return saveNumber(*d)
}

func (v *valueState) decimal() Decimal {
	if v == nil {
		return Decimal{}
	}
	return v.of.Number()
}

func (v *valueState) end() *Decimal {
	d := v.decimal()
	return &d
}

func saveValue(v *Value) *valueState {
	if v == nil {
		return nil
	}
	return &valueState{v}
}

func (v *valueState) value() *Value {
	if v == nil {
		return nil
	}
	return v.of
}

func saveValues(list []*Value) []valueState {
	var out []valueState
	for _, v := range list {
		out = append(out, valueState{v})
	}
	return out
}

func loadValues(list []valueState) []*Value {
	out := make([]*Value, len(list))
	for i := range list {
		out[i] = list[i].value()
	}
	return out
}

func (m *Monitor) saveUpdate(u *update) updateState {
	var out updateState
	if a := u.aggregate; a != nil {
		t := m.tallies[a.slot]
		switch {
		case t == nil:
		case a.window != nil:
			for _, e := range t.queue {
				s := saveMember(e)
				s.Values = saveValues(e.group.values)
				out.Members = append(out.Members, s)
			}
		default:
			out.Groups = saveGroups(&t.groups)
		}
		return out
	}
	t := m.tables[u.table.slot]
	if u.table.grows != nil && t == nil {
		return m.saveGrown(m.tables[u.table.grows.slot])
	}
	if out.Rows = saveTable(t); u.kills != nil {
		out.Kills = saveTable(m.tables[u.kills.slot])
	}
	if next := t.some().next; next != nil {
		out.End = saveNumber(next.end)
		for _, s := range next.rows {
			out.Next = append(out.Next, rowState{Values: saveValues(s.values), Cond: saveCond(s.cond)})
		}
	}
	return out
}

// saveGrown returns the state of previous once φ. Its rows are those of once φ before the last event, and its next rows those
// after it.
func (m *Monitor) saveGrown(t *rows) (out updateState) {
	last := m.events - 1
	for _, b := range t.sorted() {
		if b.rows[0].first < last {
			out.Rows = append(out.Rows, rowState{Values: saveValues(b.values), Index: last - 1})
		}
	}
	next := t.sorted() // a list without variables
	for _, x := range t.some().indexes {
		if l, _ := x.lists.get(""); x.of == 0 && l != nil {
			next = l.buckets
		}
	}
	for _, b := range next {
		out.Next = append(out.Next, rowState{Values: saveValues(b.values)})
	}
	return out
}

// saveTable returns the rows in the order of their events.
func saveTable(t *rows) []rowState {
	var out []rowState
	for _, b := range t.sorted() {
		for _, r := range b.rows {
			out = append(out, rowState{Values: saveValues(b.values), Cond: saveCond(r.cond), Index: r.index, End: saveEnd(r.end)})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Index < out[j].Index })
	return out
}

func saveMember(e member) memberState {
	return memberState{Value: saveValue(e.value), Cond: saveCond(e.cond), Index: e.index, End: saveEnd(e.end), N: e.n}
}

func saveGroups(groups *dict[*group]) []groupState {
	var out []groupState
	for _, g := range groups.sorted() {
		s := groupState{Values: saveValues(g.values), N: g.n, Total: saveNumber(g.total)}
		if len(g.best) > 0 {
			s.Best = saveValue(g.best[0].value)
		}
		for _, e := range g.distinct.sorted() {
			s.Distinct = append(s.Distinct, valueState{e.value})
		}
		for _, e := range g.conds {
			s.Conds = append(s.Conds, saveMember(e))
		}
		out = append(out, s)
	}
	return out
}

func saveCond(c *cond) *condState {
	if c == nil || c == condTrue {
		return nil
	}
	out := &condState{Op: string(c.op), Variable: c.v, Value: saveValue(c.value), Relation: c.rel}
	for _, k := range c.kids {
		out.Kids = append(out.Kids, *saveCond(k))
	}
	if c.op == 'c' {
		out.Terms = []termState{saveTerm(c.terms[0]), saveTerm(c.terms[1])}
	}
	return out
}

func saveTerm(t *term) termState {
	out := termState{Op: t.op, Variable: t.v, Value: saveValue(t.value), Sign: t.sign}
	if t.op == TermArithmetic {
		out.Kids = []termState{saveTerm(t.kids[0]), saveTerm(t.kids[1])}
	}
	if s := t.frozen; s != nil {
		out.Frozen = &snapshotState{Function: s.function, Columns: s.columns, Groups: saveGroups(&s.groups)}
	}
	return out
}

// errSaved reports a state that was saved for other rules.
var errSaved = source.NewError("rules.state", "the state does not belong to these rules")

// Load returns a monitor of a file with a state that [Monitor.State] returned for an equal file.
func Load(f *File, state []byte) (*Monitor, error) {
	var in monitorState
	if err := json.UnmarshalStrict(state, &in); err != nil {
		return nil, err
	}
	return restore(f, in)
}

func restore(f *File, in monitorState) (*Monitor, error) {
	m := NewMonitor(f)
	if len(in.Rules) != len(m.rules) {
		return nil, errSaved
	}
	m.events, m.ended, m.last = in.Events, in.Ended, in.Last.decimal()
	if in.Fault != "" {
		m.err = source.NewError("rules.run", in.Fault)
	}
	for i, s := range in.Rules {
		code := m.code.rules[i]
		if (code == nil) != (s == nil) {
			return nil, errSaved
		}
		if code == nil {
			continue
		}
		if len(s.Updates) != len(code.updates) {
			return nil, errSaved
		}
		r := &machine{monitor: m, code: code, status: &m.rules[i]}
		r.triggered, r.violated = s.Triggered, s.Violated
		if s.Fault != "" {
			m.fail(i, limit(s.Fault))
		}
		for k, u := range code.updates {
			if !r.load(u, s.Updates[k]) {
				return nil, errSaved
			}
		}
		m.fail(i, r.err)
	}
	return m, nil
}

// load restores the state of an operator. It returns false if s is the state of another kind of operator.
func (m *machine) load(u *update, s updateState) bool {
	if a := u.aggregate; a != nil {
		if len(s.Members)+len(s.Groups) == 0 {
			return true
		}
		t := &tally{}
		m.monitor.tallies[a.slot] = t
		for _, e := range s.Members {
			if len(e.Values) != len(a.columns) {
				return false
			}
			values := loadValues(e.Values)
			key := keyOf(values)
			g, ok := t.groups.get(key)
			if !ok {
				g = &group{values: values}
				t.groups.put(key, g)
				m.grow(1)
			}
			out := loadMember(e)
			out.group = g
			t.queue = append(t.queue, out)
			m.grow(1)
			m.add(a, out)
		}
		for _, g := range s.Groups {
			if len(g.Values) != len(a.columns) {
				return false
			}
			out := loadGroup(g)
			t.groups.put(keyOf(out.values), out)
			m.grow(1 + out.distinct.size())
			for _, e := range out.conds {
				m.grow(1 + e.cond.size)
			}
		}
		return true
	}
	if s.End != nil || len(s.Next) > 0 {
		next := &upcoming{end: s.End.decimal()}
		for _, r := range s.Next {
			next.rows = append(next.rows, solution{values: loadValues(r.Values), cond: loadCond(r.Cond)})
		}
		m.rows(u.table).more().next = next
	}
	return m.loadTable(u.table, s.Rows) && (u.kills == nil || m.loadTable(u.kills, s.Kills))
}

func (m *machine) loadTable(t *table, rows []rowState) bool {
	for _, s := range rows {
		if len(s.Values) != len(t.columns) {
			return false
		}
		to := m.rows(t)
		b := m.bucket(t, to, loadValues(s.Values))
		r := &row{cond: loadCond(s.Cond), index: s.Index}
		b.rows = append(b.rows, r)
		m.grow(1 + r.cond.size)
		if t.window != nil {
			r.end = s.End.end()
			more := to.more()
			more.queue = append(more.queue, expiry{r.end, b, r, r.index})
			m.grow(1)
		}
	}
	return true
}

func loadMember(s memberState) member {
	return member{value: s.Value.value(), cond: loadCond(s.Cond), index: s.Index, end: s.End.end(), n: s.N}
}

func loadGroup(s groupState) *group {
	g := &group{values: loadValues(s.Values), n: s.N, total: s.Total.decimal()}
	if s.Best != nil {
		g.best = []member{{value: s.Best.value()}}
	}
	for i := range s.Distinct {
		g.distinctly(s.Distinct[i].value())
	}
	for _, e := range s.Conds {
		g.conds = append(g.conds, loadMember(e))
	}
	return g
}

func loadCond(s *condState) *cond {
	if s == nil {
		return condTrue
	}
	var kids []*cond
	for i := range s.Kids {
		kids = append(kids, loadCond(&s.Kids[i]))
	}
	switch {
	case s.Op == "&" || s.Op == "|":
		return condList(s.Op[0], kids)
	case s.Op == "!" && len(kids) == 1:
		return condNot(kids[0])
	case s.Op == "=" && s.Variable >= 0 && s.Variable < maxVariables:
		return condEqual(s.Variable, s.Value.value())
	case s.Op == "c" && len(s.Terms) == 2:
		return condCompare(s.Relation, loadTerm(s.Terms[0]), loadTerm(s.Terms[1]))
	}
	return condFalse
}

func loadTerm(s termState) *term {
	out := &term{op: s.Op, v: s.Variable, value: s.Value.value(), sign: s.Sign}
	if len(s.Kids) == 2 {
		out.kids = [2]*term{loadTerm(s.Kids[0]), loadTerm(s.Kids[1])}
	}
	if f := s.Frozen; f != nil {
		out.frozen = &snapshot{function: f.Function, columns: f.Columns}
		for _, g := range f.Groups {
			group := loadGroup(g)
			out.frozen.groups.put(keyOf(group.values), group)
		}
		out.frozen.finish()
	}
	return out
}
