package prove

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/rules"
)

type ruleEncoder struct {
	*encoder
	rule    *rules.Rule
	ids     map[*rules.Formula]int
	free    map[*rules.Formula]uint64
	truth   map[string]string
	results map[string][]solution
}

// assignment is a list of the values of variables.
type assignment struct {
	variable int
	value    value
	next     *assignment
}

func (a *assignment) get(variable int) (value, bool) {
	for ; a != nil; a = a.next {
		if a.variable == variable {
			return a.value, true
		}
	}
	return value{}, false
}

func (a *assignment) with(variable int, v value) *assignment { return &assignment{variable, v, a} }

// known returns the set of the assigned variables.
func (a *assignment) known() (out uint64) {
	for ; a != nil; a = a.next {
		out |= 1 << a.variable
	}
	return out
}

// solution is an assignment under which a formula holds if the term is true.
type solution struct {
	env  *assignment
	term string
}

func (e *encoder) of(r *rules.Rule) *ruleEncoder {
	out := e.rules[r]
	if out == nil {
		out = &ruleEncoder{encoder: e, rule: r, ids: map[*rules.Formula]int{}, free: map[*rules.Formula]uint64{}, truth: map[string]string{}, results: map[string][]solution{}}
		e.rules[r] = out
	}
	return out
}

// violation returns the term that the rule does not hold at an event.
func (r *ruleEncoder) violation(i int) string {
	f := r.rule.Formula
	if f.Op != rules.OpImplies {
		return not(r.some(f, i, nil))
	}
	var out []string
	for _, s := range r.scoped(f.Kids[0], i, nil) {
		out = append(out, r.and(s.term, not(r.some(f.Kids[1], i, s.env))))
	}
	return r.or(out...)
}

// trigger returns the term that the left side of the rule holds at an event; a rule without "->"
// always applies.
func (r *ruleEncoder) trigger(i int) string {
	f := r.rule.Formula
	if f.Op != rules.OpImplies {
		return yes
	}
	var out []string
	for _, s := range r.scoped(f.Kids[0], i, nil) {
		out = append(out, s.term)
	}
	return r.or(out...)
}

// freeOf returns the variables that a formula depends on.
func (r *ruleEncoder) freeOf(f *rules.Formula) uint64 {
	if out, ok := r.free[f]; ok {
		return out
	}
	var out uint64
	if f.Op == rules.OpAtom {
		for _, p := range f.Atom.Patterns {
			if p.Var != nil {
				out |= 1 << p.Var.Variable.Index()
			}
		}
	}
	for _, k := range f.Kids {
		kid := r.freeOf(k)
		if f.Op != rules.OpAnd {
			kid &^= r.rule.Locals(k)
		}
		out |= kid
	}
	for _, t := range f.Terms {
		out |= r.freeOfTerm(t)
	}
	r.free[f] = out
	return out
}

func (r *ruleEncoder) freeOfTerm(t *rules.Term) uint64 {
	if t == nil {
		return 0
	}
	out := r.freeOfTerm(t.Kids[0]) | r.freeOfTerm(t.Kids[1])
	if t.Op == rules.TermVariable {
		out |= 1 << t.Use.Variable.Index()
	}
	if t.Operand != nil {
		out |= r.freeOf(t.Operand) &^ r.rule.Locals(t.Operand)
	}
	return out
}

// key identifies a formula at an event under an assignment of its variables.
func (r *ruleEncoder) key(f *rules.Formula, i int, env *assignment) string {
	id, ok := r.ids[f]
	if !ok {
		id = len(r.ids)
		r.ids[f] = id
	}
	var b strings.Builder
	b.WriteString(strconv.Itoa(id) + " " + strconv.Itoa(i))
	for set := r.freeOf(f); set != 0; set &= set - 1 {
		n := bits.TrailingZeros64(set)
		if v, ok := env.get(n); ok {
			b.WriteString(" " + strconv.Itoa(n) + "=" + v.key)
		}
	}
	return b.String()
}

// some returns the term that an operand holds at an event for some values of the variables whose scope it is.
func (r *ruleEncoder) some(f *rules.Formula, i int, env *assignment) string {
	if r.rule.Locals(f) == 0 {
		return r.holds(f, i, env)
	}
	key := "?" + r.key(f, i, env)
	if out, ok := r.truth[key]; ok {
		return out
	}
	var list []string
	for _, s := range r.solve(f, i, env) {
		list = append(list, s.term)
	}
	out := r.or(list...)
	r.truth[key] = out
	return out
}

// scoped returns the solutions of an operand without the values of the variables whose scope it is.
func (r *ruleEncoder) scoped(f *rules.Formula, i int, env *assignment) []solution {
	locals := r.rule.Locals(f)
	list := r.solve(f, i, env)
	if locals == 0 {
		return list
	}
	out := make([]solution, len(list))
	for n, s := range list {
		out[n] = solution{env, s.term}
		for a := s.env; a != nil && a != env; a = a.next {
			if locals>>a.variable&1 == 0 {
				out[n].env = out[n].env.with(a.variable, a.value)
			}
		}
	}
	return out
}

// holds returns the term that a formula holds at an event, whose variables all have values.
func (r *ruleEncoder) holds(f *rules.Formula, i int, env *assignment) string {
	if r.err != nil {
		return no
	}
	key := r.key(f, i, env)
	if out, ok := r.truth[key]; ok {
		return out
	}
	out := r.evaluate(f, i, env)
	r.truth[key] = out
	return out
}

func (r *ruleEncoder) evaluate(f *rules.Formula, i int, env *assignment) string {
	switch f.Op {
	case rules.OpAtom:
		_, term := r.match(f.Atom, i, env)
		return term
	case rules.OpCompare:
		return r.compare(f, i, env)
	case rules.OpNot:
		return not(r.some(f.Kids[0], i, env))
	case rules.OpAnd:
		var list []string
		for _, k := range f.Kids {
			list = append(list, r.holds(k, i, env))
		}
		return r.and(list...)
	case rules.OpOr:
		return r.or(r.some(f.Kids[0], i, env), r.some(f.Kids[1], i, env))
	case rules.OpImplies:
		return r.or(not(r.some(f.Kids[0], i, env)), r.some(f.Kids[1], i, env))
	case rules.OpOnce:
		var list []string
		for j := range i + 1 {
			list = append(list, r.and(r.within(i, j, f.Window), r.some(f.Kids[0], j, env)))
		}
		return r.or(list...)
	case rules.OpHistorically:
		var list []string
		for j := range i + 1 {
			list = append(list, r.or(not(r.within(i, j, f.Window)), r.some(f.Kids[0], j, env)))
		}
		return r.and(list...)
	case rules.OpPrevious:
		if i == 0 {
			return no
		}
		return r.and(r.within(i, i-1, f.Window), r.some(f.Kids[0], i-1, env))
	}
	var list []string
	for j := range i + 1 {
		list = append(list, r.and(r.within(i, j, f.Window), r.some(f.Kids[1], j, env), r.after(f, i, j, env)))
	}
	return r.or(list...)
}

// after returns the term that the left side of the "since" f holds at each event after event j, up to event i.
func (r *ruleEncoder) after(f *rules.Formula, i, j int, env *assignment) string {
	var list []string
	for k := j + 1; k <= i; k++ {
		list = append(list, r.some(f.Kids[0], k, env))
	}
	return r.and(list...)
}

// match returns the term that an atom matches an event, and the assignment with its variables.
func (r *ruleEncoder) match(a *rules.Atom, i int, env *assignment) (*assignment, string) {
	var kinds []string
	for n, s := range r.shapes {
		if matches(a, s) {
			kinds = append(kinds, name("e", i, n))
		}
	}
	list := []string{r.or(kinds...)}
	for n := range a.Patterns {
		p := &a.Patterns[n]
		at := r.pathIndex(p)
		v := r.slot(i, at)
		list = append(list, not(r.is(v, kindMissing)), r.accepts(p, v, i, at))
		if p.Var == nil {
			continue
		}
		index := p.Var.Variable.Index()
		if known, ok := env.get(index); ok {
			list = append(list, r.equal(known, v))
		} else {
			env = env.with(index, v)
		}
	}
	return env, r.and(list...)
}

// accepts returns the term that a pattern accepts a value that is not missing.
func (r *ruleEncoder) accepts(p *rules.Pattern, v value, i, at int) string {
	switch p.Test {
	case "":
		return yes
	case "~":
		if p.Path[0] == "@time" && p.Meta {
			return no
		}
		return r.and(r.is(v, kindString), name("m", i, at, r.regex(p)))
	case "has":
		if p.Path[0] == "@time" && p.Meta {
			return no
		}
		return r.and(r.is(v, kindList), name("h", i, at, r.member(p)))
	case "in":
		var list []string
		for _, literal := range p.Values {
			list = append(list, r.equal(v, r.constantOf(literal)))
		}
		return r.or(list...)
	}
	return r.relation(p.Test, v, r.constantOf(p.Values[0]))
}

// relation returns the term of a comparison of two values that are not missing.
func (r *ruleEncoder) relation(op string, v, w value) string {
	switch op {
	case "=":
		return r.equal(v, w)
	case "!=":
		return not(r.equal(v, w))
	}
	ordered := r.or(r.and(r.is(v, kindNumber), r.is(w, kindNumber)), r.and(r.is(v, kindString), r.is(w, kindString)))
	if ordered == no {
		return no
	}
	return r.and(ordered, r.relate(op, v.x, w.x))
}

func (r *ruleEncoder) compare(f *rules.Formula, i int, env *assignment) string {
	v, w := r.term(f.Terms[0], i, env), r.term(f.Terms[1], i, env)
	return r.and(v.def, w.def, r.relation(f.Relation, v, w))
}

func (r *ruleEncoder) term(t *rules.Term, i int, env *assignment) value {
	switch t.Op {
	case rules.TermVariable:
		v, _ := env.get(t.Use.Variable.Index())
		return v
	case rules.TermLiteral:
		return r.constantOf(t.Value)
	case rules.TermAggregate:
		return r.aggregate(t, i, env)
	}
	v, w := r.term(t.Kids[0], i, env), r.term(t.Kids[1], i, env)
	x := r.define("Real", "("+t.Sign+" "+v.x+" "+w.x+")")
	return value{key: x, kind: kindNumber, x: x, def: r.and(v.def, w.def, r.is(v, kindNumber), r.is(w, kindNumber))}
}

// solve returns the solutions of a formula at an event: they assign the variables that it binds and
// that have no value yet.
func (r *ruleEncoder) solve(f *rules.Formula, i int, env *assignment) []solution {
	if r.err != nil {
		return nil
	}
	if r.freeOf(f)&^env.known() == 0 {
		if term := r.holds(f, i, env); term != no {
			return []solution{{env, term}}
		}
		return nil
	}
	switch f.Op {
	case rules.OpAtom:
		if next, term := r.match(f.Atom, i, env); term != no {
			return []solution{{next, term}}
		}
		return nil
	case rules.OpAnd:
		return r.solveAll(f.Kids, i, []solution{{env, yes}})
	}
	if open := r.freeOf(f) &^ env.known() &^ r.rule.Binds(f); open != 0 {
		return r.assignThen(f, bits.TrailingZeros64(open), i, env)
	}
	var out []solution
	add := func(list []solution, terms ...string) {
		for _, s := range list {
			if term := r.and(append([]string{s.term}, terms...)...); term != no {
				out = append(out, solution{s.env, term})
			}
		}
	}
	switch f.Op {
	case rules.OpOr:
		add(r.scoped(f.Kids[0], i, env))
		add(r.scoped(f.Kids[1], i, env))
	case rules.OpOnce:
		for j := range i + 1 {
			add(r.scoped(f.Kids[0], j, env), r.within(i, j, f.Window))
		}
	case rules.OpPrevious:
		if i > 0 {
			add(r.scoped(f.Kids[0], i-1, env), r.within(i, i-1, f.Window))
		}
	case rules.OpHistorically:
		for _, s := range r.scoped(f.Kids[0], i, env) {
			add([]solution{s}, r.evaluate(f, i, s.env))
		}
	case rules.OpSince:
		for j := range i + 1 {
			for _, s := range r.scoped(f.Kids[1], j, env) {
				add([]solution{s}, r.within(i, j, f.Window), r.after(f, i, j, s.env))
			}
		}
	}
	return out
}

// solveAll returns the solutions of a conjunction that extend those in from. It solves first the
// parts whose variables have values, then atoms, then the parts that bind all their other
// variables.
func (r *ruleEncoder) solveAll(parts []*rules.Formula, i int, from []solution) []solution {
	if len(parts) == 0 {
		return from
	}
	var out []solution
	for _, s := range from {
		best, cost := 0, 9
		known := s.env.known()
		for n, p := range parts {
			if c := r.cost(p, known); c < cost {
				best, cost = n, c
			}
		}
		rest := make([]*rules.Formula, 0, len(parts)-1)
		rest = append(append(rest, parts[:best]...), parts[best+1:]...)
		for _, next := range r.solve(parts[best], i, s.env) {
			if term := r.and(s.term, next.term); term != no {
				out = append(out, r.solveAll(rest, i, []solution{{next.env, term}})...)
			}
		}
	}
	return out
}

func (r *ruleEncoder) cost(f *rules.Formula, known uint64) int {
	free := r.freeOf(f) &^ known
	switch {
	case free == 0:
		return 0
	case f.Op == rules.OpAtom:
		return 1
	case free&^r.rule.Binds(f) == 0:
		return 2
	}
	return 3
}

// assignThen solves a formula with each value that a variable may have: that of each field up to
// event i that a pattern of the rule binds to it. It is for conjunctions whose parts need each
// other's variables.
func (r *ruleEncoder) assignThen(f *rules.Formula, variable, i int, env *assignment) (out []solution) {
	seen := map[int]bool{}
	eachPart(r.rule.Formula, func(g *rules.Formula) {
		if g.Op != rules.OpAtom {
			return
		}
		for n := range g.Atom.Patterns {
			p := &g.Atom.Patterns[n]
			if p.Var == nil || p.Var.Variable.Index() != variable || seen[r.pathIndex(p)] {
				continue
			}
			at := r.pathIndex(p)
			seen[at] = true
			for j := range i + 1 {
				v := r.slot(j, at)
				for _, s := range r.solve(f, i, env.with(variable, v)) {
					if term := r.and(s.term, not(r.is(v, kindMissing))); term != no {
						out = append(out, solution{s.env, term})
					}
				}
			}
		}
	}, func(*rules.Value) {})
	return out
}
