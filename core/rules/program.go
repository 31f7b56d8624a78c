package rules

import (
	"slices"
	"unicode"
)

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
	Path     []string      `json:"path"`
	Meta     bool          `json:"meta"`
	Variable int           `json:"variable"` // -1 for none
	Test     string        `json:"test"`
	Values   []string      `json:"values"` // in JSON
	Regex    *ProgramRegex `json:"regex"`
}

// ProgramRegex is the program of a regular expression (Pike 1987). An instruction is an operator and two
// operands: 0 reads a character in the set y, 1 continues at x and y, 2 to 7 are the assertions of the
// beginning and end of the text and of the line, a word boundary and its complement, 8 matches. Interval i of code points begins with From[i]
// and belongs to the class Class[i]; a set lists its classes.
type ProgramRegex struct {
	Code  [][]int `json:"code"`
	From  []int   `json:"from"`
	Class []int   `json:"class"`
	Word  []int   `json:"word"` // the classes of word characters
	Line  int     `json:"line"` // the class of "\n"
	Sets  [][]int `json:"sets"`
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
	compiled := compile(r)
	w := programmer{
		out:   &Program{Timed: timed(r.Formula), Variables: len(r.variables), Left: -1, ForAll: []ProgramVariable{}, Parts: []ProgramPart{}, Terms: []ProgramTerm{}, Updates: []ProgramUpdate{}},
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
	if code, ok := p.Regex.(regex); ok {
		out.Regex = code.program()
	}
	return out
}

func (p regex) program() *ProgramRegex {
	out := &ProgramRegex{Word: []int{}, Sets: [][]int{}}
	sets, numbers := []*runeSet{}, map[*runeSet]int{}
	for _, in := range p {
		if in.set == nil {
			out.Code = append(out.Code, []int{int(in.op), in.x, in.y})
			continue
		}
		i, ok := numbers[in.set]
		if !ok {
			i = len(sets)
			numbers[in.set] = i
			sets, out.Sets = append(sets, in.set), append(out.Sets, []int{})
		}
		out.Code = append(out.Code, []int{int(in.op), in.x, i})
	}
	classes := map[string]int{}
	signature := make([]byte, len(sets)+2)
	for _, r := range boundaries(sets) {
		for i, s := range sets {
			signature[i] = bit(s.has(r))
		}
		signature[len(sets)], signature[len(sets)+1] = bit(isWord(r)), bit(r == '\n')
		class, ok := classes[string(signature)]
		if !ok {
			class = len(classes)
			classes[string(signature)] = class
			for i := range sets {
				if signature[i] == 1 {
					out.Sets[i] = append(out.Sets[i], class)
				}
			}
			if isWord(r) {
				out.Word = append(out.Word, class)
			}
			if r == '\n' {
				out.Line = class
			}
		}
		if n := len(out.Class); n == 0 || out.Class[n-1] != class {
			out.From, out.Class = append(out.From, int(r)), append(out.Class, class)
		}
	}
	return out
}

// boundaries returns the characters at which membership in a set may change, in order.
func boundaries(sets []*runeSet) []rune {
	candidates := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	fold := false
	for _, s := range sets {
		for i := range s.parts {
			candidates = s.parts[i].bounds(candidates)
			fold = fold || s.parts[i].fold
		}
	}
	if fold {
		for r := rune(0); r < 0x1f000; r++ {
			if unicode.SimpleFold(r) != r {
				candidates = append(candidates, r, r+1)
			}
		}
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	return slices.DeleteFunc(candidates, func(r rune) bool { return r < 0 || r > unicode.MaxRune })
}
