package prove

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/regex"
	"github.com/stile-playground/stile/core/rules"
)

// The types of values, as the text has them.
const (
	kindMissing = "0"
	kindNull    = "1"
	kindFalse   = "2"
	kindTrue    = "3"
	kindNumber  = "4"
	kindString  = "5"
	kindList    = "6"
	kindObject  = "7"
)

// shape is a kind of event with a name.
type shape struct {
	kind, name string
	matched    bool // an atom matches it
}

// value is a value of the session, a literal or the result of a term.
type value struct {
	key  string // equal for the same value
	kind string // a term
	x    string // a term: the number, or the rank of a string
	def  string // a term: whether the value exists
}

// path is a path of fields, or @time, @agent or @id, in a pattern of an atom.
type path struct {
	key     string
	pattern *rules.Pattern
	shapes  map[int]bool // indices of the shapes that atoms with the path match
	plain   map[string]bool
}

// encoder unrolls rules over the events of a session.
type encoder struct {
	builder
	query    Query
	events   int
	shapes   []shape
	paths    []*path
	pathOf   map[string]int
	slots    map[[2]int]value
	strings  []string         // the literals, in order
	regexes  []*rules.Pattern // with different expressions
	classes  []regex.Class
	members  []*rules.Value // the literals after "has"
	rules    map[*rules.Rule]*ruleEncoder
	complete bool                    // classes has all classes
	domains  map[[2]int]rules.Domain // of the fields of contracts, by shape and path
}

// maxClassWork bounds the search for the classes of regular expressions.
const maxClassWork = 200_000

func newEncoder(q Query, events int, m *meter.Meter) *encoder {
	e := &encoder{
		builder: builder{terms: map[string]string{}, meter: m}, query: q, events: events,
		pathOf: map[string]int{}, slots: map[[2]int]value{}, rules: map[*rules.Rule]*ruleEncoder{},
	}
	var atoms []*rules.Atom
	for _, f := range q.formulas() {
		eachPart(f, func(f *rules.Formula) {
			if f.Op == rules.OpAtom {
				atoms = append(atoms, f.Atom)
			}
		}, e.literal)
	}
	e.findShapes(atoms)
	for _, a := range atoms {
		e.findPaths(a)
	}
	e.findDomains()
	sort.Strings(e.strings)
	e.strings = slices.Compact(e.strings)
	e.suggest()
	if len(e.regexes) > 0 {
		programs := make([]regex.Expression, len(e.regexes))
		for i, p := range e.regexes {
			programs[i] = p.Regex
		}
		e.classes, e.complete = regex.Classes(programs, maxClassWork)
	}
	return e
}

// formulas returns the formulas of the rules in question.
func (q Query) formulas() (out []*rules.Formula) {
	hold, violated := q.parts()
	for _, j := range slices.Concat(hold, violated) {
		out = append(out, j.rule.Formula)
	}
	if q.Goal != nil {
		out = append(out, q.Goal.Rules[0].Formula)
	}
	return out
}

// eachPart calls visit for a formula and each formula within it, and literal for each literal of a comparison.
func eachPart(f *rules.Formula, visit func(*rules.Formula), literal func(*rules.Value)) {
	visit(f)
	for _, k := range f.Kids {
		eachPart(k, visit, literal)
	}
	var term func(t *rules.Term)
	term = func(t *rules.Term) {
		if t == nil {
			return
		}
		if t.Value != nil {
			literal(t.Value)
		}
		if t.Operand != nil {
			eachPart(t.Operand, visit, literal)
		}
		term(t.Kids[0])
		term(t.Kids[1])
	}
	term(f.Terms[0])
	term(f.Terms[1])
}

func (e *encoder) literal(v *rules.Value) {
	if v.Kind() == exact.KindString {
		e.strings = append(e.strings, v.Text())
	}
}

// findShapes collects the events that the atoms distinguish. One shape represents all
// events that the atoms do not distinguish from each other.
func (e *encoder) findShapes(atoms []*rules.Atom) {
	add := func(kind, name string, matched bool) {
		for i, s := range e.shapes {
			if s.kind == kind && s.name == name {
				e.shapes[i].matched = s.matched || matched
				return
			}
		}
		e.shapes = append(e.shapes, shape{kind, name, matched})
	}
	if e.query.Question == Callable {
		add("call", e.query.Tool, false)
	}
	any := map[string]bool{}
	names := map[string]bool{}
	for _, a := range atoms {
		switch {
		case a.Kind == "end":
			add("end", "", true)
		case a.Any:
			any[a.Kind] = true
		case a.Kind == "message":
			add(a.Kind, a.Name, true)
		default:
			names[a.Name] = true
			if e.query.Tools == nil || slices.Contains(e.query.Tools, a.Name) {
				add(a.Kind, a.Name, true)
			}
		}
	}
	for _, letter := range e.query.letters() {
		add("call", letter, any["call"])
	}
	other := e.otherTool(names)
	for _, kind := range []string{"call", "result", "error"} {
		// The contracts distinguish tools that no atom does.
		if other != "" && (!any[kind] || e.query.Tools == nil || e.query.Contracts == nil) {
			add(kind, other, any[kind])
			continue
		}
		for _, tool := range e.query.Tools {
			add(kind, tool, any[kind])
		}
	}
	for _, role := range []string{"user", "assistant", "system"} {
		add("message", role, any["message"])
	}
	for i := range e.shapes {
		e.shapes[i].matched = e.shapes[i].matched || any[e.shapes[i].kind]
	}
	e.shapes = e.representatives(atoms)
}

// representatives returns the shapes, but only one of those that no atom distinguishes from each other.
func (e *encoder) representatives(atoms []*rules.Atom) []shape {
	unmatched, role := false, false
	return slices.DeleteFunc(e.shapes, func(s shape) bool {
		switch {
		case s.kind == "call" && (e.query.Words != nil || e.query.Question == Callable && s.name == e.query.Tool):
			return false
		case !s.matched:
			drop := unmatched
			unmatched = true
			return drop
		case s.kind != "message" || slices.ContainsFunc(atoms, func(a *rules.Atom) bool { return a.Kind == "message" && !a.Any && a.Name == s.name }):
			return false
		}
		drop := role
		role = true
		return drop
	})
}

// otherTool returns a tool that no atom names, or "".
func (e *encoder) otherTool(names map[string]bool) string {
	if e.query.Tools != nil {
		for _, name := range e.query.Tools {
			if !names[name] {
				return name
			}
		}
		return ""
	}
	name := "other"
	for names[name] {
		name += "_"
	}
	return name
}

func matches(a *rules.Atom, s shape) bool {
	return a.Kind == s.kind && (a.Any || a.Name == s.name)
}

func (e *encoder) findPaths(a *rules.Atom) {
	for i := range a.Patterns {
		p := &a.Patterns[i]
		at := e.pathIndex(p)
		for n, s := range e.shapes {
			if matches(a, s) {
				e.paths[at].shapes[n] = true
			}
		}
		for _, v := range p.Values {
			e.literal(v)
		}
		switch p.Test {
		case "~":
			if e.regex(p) < 0 {
				e.regexes = append(e.regexes, p)
			}
		case "has":
			if e.member(p) < 0 {
				e.members = append(e.members, p.Values[0])
			}
		}
	}
}

func (e *encoder) pathIndex(p *rules.Pattern) int {
	key := strings.Join(p.Path, "\x00")
	at, ok := e.pathOf[key]
	if !ok {
		at = len(e.paths)
		e.pathOf[key] = at
		e.paths = append(e.paths, &path{key: key, pattern: p, shapes: map[int]bool{}, plain: map[string]bool{}})
	}
	return at
}

func (e *encoder) regex(p *rules.Pattern) int {
	return slices.IndexFunc(e.regexes, func(r *rules.Pattern) bool { return r.Source == p.Source })
}

func (e *encoder) member(p *rules.Pattern) int {
	return slices.IndexFunc(e.members, func(v *rules.Value) bool { return string(v.JSON()) == string(p.Values[0].JSON()) })
}

// session declares the events.
func (e *encoder) session() {
	for i := range e.regexes {
		e.line("(declare-fun " + name("re", i) + " (Real) Bool)")
		for rank, text := range e.strings {
			e.assert("(= (" + name("re", i) + " " + strconv.Itoa(rank) + ".0) " + boolean(e.regexes[i].Regex.MatchString(text)) + ")")
		}
	}
	for i := range e.members {
		e.line("(declare-fun " + name("has", i) + " (Real) Bool)")
	}
	for i := range e.events {
		e.line("(declare-const " + name("t", i) + " Real)")
		if i > 0 {
			e.assert("(<= " + name("t", i-1) + " " + name("t", i) + ")")
		}
		var is []string
		for n, s := range e.shapes {
			e.line("(declare-const " + name("e", i, n) + " Bool)")
			if s.kind == "end" && i < e.events-1 {
				e.assert(not(name("e", i, n)))
			}
			for other := range n {
				e.assert("(or " + not(name("e", i, n)) + " " + not(name("e", i, other)) + ")")
			}
			is = append(is, name("e", i, n))
		}
		e.assert(e.or(is...))
		for at := range e.paths {
			e.slot(i, at)
		}
		e.nest(i)
	}
	if _, timed := e.pathOf["@time"]; !timed && e.events > 0 {
		e.assert("(= t0 0.0)")
	}
}

func name(prefix string, indices ...int) string {
	out := prefix
	for i, n := range indices {
		if i > 0 {
			out += "_"
		}
		out += strconv.Itoa(n)
	}
	return out
}

// slot returns the value of event i at the path with index at, and declares it at the first call.
func (e *encoder) slot(i, at int) value {
	if v, ok := e.slots[[2]int{i, at}]; ok {
		return v
	}
	p := e.paths[at]
	v := value{key: name("v", i, at), kind: name("k", i, at), x: name("x", i, at), def: yes}
	if p.key == "@time" {
		v.kind, v.x = kindNumber, name("t", i)
		e.slots[[2]int{i, at}] = v
		return v
	}
	e.slots[[2]int{i, at}] = v
	e.line("(declare-const " + v.kind + " Int)(declare-const " + v.x + " Real)")
	e.assert("(<= 0 " + v.kind + " 7)")
	e.assert("(=> (<= " + v.kind + " 3) (= " + v.x + " 0.0))")
	for n := range e.members {
		e.line("(declare-const " + name("h", i, at, n) + " Bool)(assert (= " + name("h", i, at, n) + " (" + name("has", n) + " " + v.x + ")))")
	}
	if len(e.regexes) == 0 {
		return v
	}
	for n := range e.regexes {
		e.line("(declare-const " + name("m", i, at, n) + " Bool)(assert (= " + name("m", i, at, n) + " (" + name("re", n) + " " + v.x + ")))")
	}
	if e.complete {
		some := []string{not(e.is(v, kindString))}
		for _, c := range e.classes {
			var all []string
			for n, match := range c.Matches {
				if bit := name("m", i, at, n); match {
					all = append(all, bit)
				} else {
					all = append(all, not(bit))
				}
			}
			some = append(some, e.and(all...))
		}
		e.assert(e.or(some...))
	}
	return v
}

// nest relates the fields of event i to the fields within them: a field exists only within
// an object, and equal objects in different events have equal fields.
func (e *encoder) nest(i int) {
	for outer, p := range e.paths {
		for inner, q := range e.paths {
			if p.pattern.Meta || q.pattern.Meta || !strings.HasPrefix(q.key, p.key+"\x00") {
				continue
			}
			v, w := e.slot(i, outer), e.slot(i, inner)
			e.assert(e.or(e.is(w, kindMissing), e.is(v, kindObject)))
			for j := range i {
				before := e.slot(j, outer)
				same := e.and(e.equal(v, before), e.is(v, kindObject))
				e.assert(e.or(not(same), e.equal(w, e.slot(j, inner))))
			}
		}
	}
}

// is returns the term that a value has a type.
func (e *encoder) is(v value, kind string) string {
	if v.kind[0] != 'k' {
		return boolean(v.kind == kind)
	}
	return e.define("Bool", "(= "+v.kind+" "+kind+")")
}

// equal returns the term that two values are equal or both are missing.
func (e *encoder) equal(v, w value) string {
	if v.key == w.key {
		return yes
	}
	if w.kind[0] != 'k' {
		v, w = w, v
	}
	if v.kind[0] != 'k' {
		return e.and(e.is(w, v.kind), e.relate("=", v.x, w.x))
	}
	return e.and(e.relate("=", v.kind, w.kind), e.relate("=", v.x, w.x))
}

// constantOf returns a literal as a value.
func (e *encoder) constantOf(v *rules.Value) value {
	out := value{key: string(v.JSON()), x: "0.0", def: yes}
	switch v.Kind() {
	case exact.KindNull:
		out.kind = kindNull
	case exact.KindFalse:
		out.kind = kindFalse
	case exact.KindTrue:
		out.kind = kindTrue
	case exact.KindNumber:
		out.kind, out.x = kindNumber, e.number(v.Number().String())
	default:
		rank, _ := slices.BinarySearch(e.strings, v.Text())
		out.kind, out.x = kindString, strconv.Itoa(rank)+".0"
	}
	return out
}

// shape returns the term that event i has a kind and a name.
func (e *encoder) shape(i int, kind, tool string) string {
	for n, s := range e.shapes {
		if s.kind == kind && s.name == tool {
			return name("e", i, n)
		}
	}
	return no
}

// within returns the term that the event then lies in the window of the event now, which is not earlier.
func (e *encoder) within(now, then int, w *rules.Window) string {
	if w == nil || now == then {
		return yes
	}
	return e.define("Bool", "(<= (- "+name("t", now)+" "+name("t", then)+") "+e.number(w.Seconds.String())+")")
}
