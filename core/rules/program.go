package rules

import "github.com/stile-playground/stile/core/regex"

// Program is a compiled rule for runtimes without a parser. Parts, terms and updates refer to each other by
// index, so that the nesting of the JSON does not grow with that of the rule.
type Program struct {
	Timed     bool              `json:"timed"` // the rule depends on the times of events
	Variables int               `json:"variables"`
	ForAll    []ProgramVariable `json:"forAll"`
	Left      int               `json:"left"` // of the outermost "->", -1 for none
	Right     int               `json:"right"`
	Parts     []ProgramPart     `json:"parts"`
	Terms     []ProgramTerm     `json:"terms"`
	Updates   []ProgramUpdate   `json:"updates"`
}

// ProgramVariable is a variable of "for all": its name, and its index in the program.
type ProgramVariable struct {
	Name     string `json:"name"`
	Variable int    `json:"variable"`
}

// ProgramPart is a node of a formula. Kids are the indices of its operands.
type ProgramPart struct {
	Op       string           `json:"op"` // "atom", "compare", "not", "and", "or", "exists", "table", "since" or "historically"
	Kids     []int            `json:"kids"`
	Free     []int            `json:"free"`   // the variables that it depends on
	Binds    []int            `json:"binds"`  // the variables that it generates values for
	Locals   []int            `json:"locals"` // of exists
	Kind     string           `json:"kind"`   // of the events that an atom matches
	Name     *string          `json:"name"`   // null matches every name
	Patterns []ProgramPattern `json:"patterns"`
	Relation string           `json:"relation"`
	Terms    []int            `json:"terms"` // of compare
	Update   int              `json:"update"`
}

// ProgramPattern restricts a field.
type ProgramPattern struct {
	Path     []string       `json:"path"`
	Meta     bool           `json:"meta"`
	Variable int            `json:"variable"` // -1 for none
	Test     string         `json:"test"`
	Values   []string       `json:"values"` // in JSON
	Regex    *regex.Program `json:"regex"`
}

// ProgramTerm is a node of a comparison; Kids are indices of its operands.
type ProgramTerm struct {
	Op       TermOp `json:"op"`
	Variable int    `json:"variable"`
	Value    string `json:"value"` // in JSON
	Sign     string `json:"sign"`
	Kids     []int  `json:"kids"`
	Update   int    `json:"update"` // of an aggregate
}

// ProgramUpdate is the state of a temporal operator or an aggregate.
type ProgramUpdate struct {
	Op       string `json:"op"` // "once", "previous", "since" or "aggregate"
	Part     int    `json:"part"`
	Not      int    `json:"not"` // of since: the negation of its left side
	Columns  []int  `json:"columns"`
	Kills    []int  `json:"kills"`  // the columns of the events that end a since; null for none
	Window   string `json:"window"` // in seconds, "" for none
	Function string `json:"function"`
	Variable int    `json:"variable"`
	Locals   []int  `json:"locals"`
}

var partNames = map[nodeOp]string{
	nodeAtom: "atom", nodeCompare: "compare", nodeNot: "not", nodeAnd: "and", nodeOr: "or", nodeExists: "exists",
	nodeTable: "table", nodeSince: "since", nodeHistorically: "historically",
}

type programmer struct {
	out        *Program
	parts      map[*node]int
	tables     map[*table]int
	aggregates map[*aggregate]int
}

// Program returns a rule without errors as a program.
func (r *Rule) Program() *Program {
	compiled := (&compiled{}).compile(r)
	w := programmer{
		out:   &Program{Timed: compiled.timed, Variables: len(r.variables), Left: -1, ForAll: []ProgramVariable{}, Parts: []ProgramPart{}, Terms: []ProgramTerm{}, Updates: []ProgramUpdate{}},
		parts: map[*node]int{}, tables: map[*table]int{}, aggregates: map[*aggregate]int{},
	}
	for _, v := range r.ForAll {
		w.out.ForAll = append(w.out.ForAll, ProgramVariable{v.Name, v.index})
	}
	for i, u := range compiled.updates {
		if u.aggregate != nil {
			w.aggregates[u.aggregate] = i
		} else {
			w.tables[u.table] = i
		}
	}
	for _, u := range compiled.updates {
		w.out.Updates = append(w.out.Updates, w.update(u))
	}
	if compiled.left != nil {
		w.out.Left = w.part(compiled.left)
	}
	w.out.Right = w.part(compiled.right)
	return w.out
}

func (s set) list() []int {
	out := []int{}
	s.each(func(i int) { out = append(out, i) })
	return out
}

func (w *programmer) update(u *update) ProgramUpdate {
	out := ProgramUpdate{Op: "once", Part: w.part(u.node), Not: -1, Variable: -1}
	window := u.window
	switch u.op {
	case updatePrevious:
		out.Op = "previous"
	case updateSince:
		out.Op, out.Not = "since", w.part(u.not)
		if u.kills != nil {
			out.Kills = u.kills.all.list()
		}
	case updateAggregate:
		a := u.aggregate
		out.Op, out.Columns, out.Function, out.Variable, out.Locals = "aggregate", a.all.list(), a.function, a.v, a.locals.list()
		window = a.window
	}
	if u.table != nil {
		out.Columns = u.table.all.list()
		if window == nil {
			window = u.table.window
		}
	}
	if window != nil {
		out.Window = window.Seconds.String()
	}
	return out
}

func (w *programmer) part(n *node) int {
	if i, ok := w.parts[n]; ok {
		return i
	}
	p := ProgramPart{Op: partNames[n.op], Free: n.free.list(), Binds: n.binds.list(), Locals: n.locals.list(), Relation: n.relation, Update: -1}
	for _, k := range n.kids {
		p.Kids = append(p.Kids, w.part(k))
	}
	switch n.op {
	case nodeAtom:
		if p.Kind = n.atom.Kind; !n.atom.Any {
			name := n.atom.Name
			p.Name = &name
		}
		for i := range n.atom.Patterns {
			p.Patterns = append(p.Patterns, n.atom.Patterns[i].program())
		}
	case nodeCompare:
		p.Terms = []int{w.term(n.terms[0]), w.term(n.terms[1])}
	case nodeTable, nodeSince, nodeHistorically:
		p.Update = w.tables[n.table]
	}
	w.out.Parts = append(w.out.Parts, p)
	w.parts[n] = len(w.out.Parts) - 1
	return w.parts[n]
}

func (w *programmer) term(t *term) int {
	out := ProgramTerm{Op: t.op, Variable: t.v, Sign: t.sign, Update: -1}
	if t.value != nil {
		out.Value = string(t.value.JSON())
	}
	if t.op == TermArithmetic {
		out.Kids = []int{w.term(t.kids[0]), w.term(t.kids[1])}
	}
	if t.aggregate != nil {
		out.Update = w.aggregates[t.aggregate]
	}
	w.out.Terms = append(w.out.Terms, out)
	return len(w.out.Terms) - 1
}

func (p *Pattern) program() ProgramPattern {
	out := ProgramPattern{Path: p.Path, Meta: p.Meta, Variable: -1, Test: p.Test}
	if p.Var != nil {
		out.Variable = p.Var.Variable.index
	}
	for _, v := range p.Values {
		out.Values = append(out.Values, string(v.JSON()))
	}
	if p.Regex != nil {
		out.Regex = p.Regex.Program()
	}
	return out
}
