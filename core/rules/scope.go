package rules

import (
	"math/bits"

	"github.com/stile-playground/stile/core/source"
)

// set is a set of variables of a rule, by their indices.
type set uint64

// maxVariables is the number of variables that a set has room for.
const maxVariables = 64

func (s set) has(i int) bool { return s>>i&1 != 0 }

// each calls f with the members in ascending order.
func (s set) each(f func(i int)) {
	for s != 0 {
		i := bits.TrailingZeros64(uint64(s))
		f(i)
		s &= s - 1
	}
}

// Variable is a variable of a rule. Variables of different aggregates may share a name.
type Variable struct {
	Name   string
	ForAll bool
	Uses   []*Use

	index     int
	aggregate bool // the variable before "for"
	scope     *region
	bound     bool
}

// region is a formula that can be the scope of variables: an operand of a temporal operator,
// of "!" or of an aggregate; a side of "->" or "|"; or the complete rule.
type region struct {
	parent  *region
	depth   int
	formula *Formula
	locals  set
}

func (r *region) within(formula *Formula) *region {
	return &region{parent: r, depth: r.depth + 1, formula: formula}
}

// contains reports whether inner is r or lies within r.
func (r *region) contains(inner *region) bool {
	for inner.depth > r.depth {
		inner = inner.parent
	}
	return inner == r
}

// common returns the smallest region that contains both.
func (r *region) common(other *region) *region {
	for !r.contains(other) {
		r = r.parent
	}
	return r
}

// resolver assigns occurrences to variables and variables to regions.
type resolver struct {
	rule       *Rule
	free       map[string]*Variable   // the variables that no aggregate declares
	declared   map[string][]*Variable // by the aggregates around a position, the innermost last
	aggregates []declaration
	regions    map[*Formula]*region
}

// declaration is an aggregate with a variable.
type declaration struct {
	term    *Term
	around  *region
	operand *region
}

// resolve determines the scope of every variable and reports faulty ones.
func (p *parser) resolve(r *Rule) {
	s := &resolver{rule: r, free: map[string]*Variable{}, declared: map[string][]*Variable{}, regions: map[*Formula]*region{}}
	root := &region{formula: r.Formula}
	s.regions[r.Formula] = root
	s.walk(r.Formula, root)
	if len(r.variables) > maxVariables {
		p.report(source.Diagnostic{Code: "limit.rules", Span: r.NameSpan, Message: "the rule has more than 64 variables; divide it into several rules"})
		return
	}
	if r.Formula.Op == OpImplies {
		bound := binds(r.Formula.Kids[0])
		for _, v := range r.variables {
			if bound.has(v.index) {
				v.ForAll, v.bound, v.scope = true, true, root
				r.ForAll = append(r.ForAll, v)
			}
		}
	}
	for _, v := range r.variables {
		if v.ForAll {
			continue
		}
		if v.bound = binds(v.scope.formula).has(v.index); !v.bound {
			p.unbound(v, r.Formula)
			continue
		}
		v.scope.locals |= 1 << v.index
		if len(v.Uses) == 1 {
			p.report(source.Diagnostic{
				Code: "rules.once", Severity: source.SeverityWarning, Span: v.Uses[0].Span,
				Message: `variable "?` + v.Name + `" occurs once; write _ for any value`,
				Fixes:   []source.Fix{{Title: "Write _", Edits: []source.Edit{{Span: v.Uses[0].Span, Text: "_"}}}},
			})
		}
	}
	for _, d := range s.aggregates {
		own := d.term.Use.Variable
		for _, v := range r.variables {
			if v != own && v.Name == own.Name && v.bound && v.scope.contains(d.around) {
				p.report(source.Diagnostic{
					Code: "rules.scope", Span: d.term.Use.Span, Message: `variable "?` + v.Name + `" has a value outside the aggregate; rename the aggregate's variable`,
					Notes: []source.Note{{Span: v.Uses[0].Span, Message: "the variable outside"}},
				})
				break
			}
		}
	}
	r.regions = s.regions
}

// unbound reports a variable whose scope does not bind it.
func (p *parser) unbound(v *Variable, rule *Formula) {
	d := source.Diagnostic{Code: "rules.unbound", Span: v.Uses[0].Span}
	name := `"?` + v.Name + `"`
	switch {
	case v.aggregate:
		d.Message = "unbound variable " + name + "; an atom of the aggregate must have it as a pattern"
	case rule.Op == OpImplies && v.scope.formula == rule:
		d.Message = "unbound variable " + name + `; the left side of "->" must have it as a pattern of an atom outside "!"`
	default:
		d.Message = "unbound variable " + name + "; an atom of " + scopeName(v.scope) + ` must have it as a pattern, outside "!", "->" and aggregates`
	}
	for _, u := range v.Uses[1:] {
		d.Notes = append(d.Notes, source.Note{Span: u.Span, Message: "another use"})
	}
	p.report(d)
}

func scopeName(r *region) string {
	if r.parent == nil {
		return "the rule"
	}
	return "the operand that contains its uses"
}

func (s *resolver) walk(f *Formula, r *region) {
	switch f.Op {
	case OpAtom:
		for i := range f.Atom.Patterns {
			if u := f.Atom.Patterns[i].Var; u != nil {
				s.use(u, r)
			}
		}
	case OpCompare:
		s.term(f.Terms[0], r)
		s.term(f.Terms[1], r)
	case OpAnd:
		for _, k := range f.Kids {
			s.walk(k, r)
		}
	default:
		for _, k := range f.Kids {
			s.walk(k, s.region(k, r))
		}
	}
}

func (s *resolver) region(f *Formula, around *region) *region {
	inner := around.within(f)
	s.regions[f] = inner
	return inner
}

func (s *resolver) term(t *Term, r *region) {
	switch t.Op {
	case TermVariable:
		s.use(t.Use, r)
	case TermArithmetic:
		s.term(t.Kids[0], r)
		s.term(t.Kids[1], r)
	case TermAggregate:
		inner := s.region(t.Operand, r)
		if t.Use == nil {
			s.walk(t.Operand, inner)
			return
		}
		name := t.Use.Name
		v := s.variable(name)
		v.aggregate, v.scope = true, inner
		s.declared[name] = append(s.declared[name], v)
		s.aggregates = append(s.aggregates, declaration{t, r, inner})
		s.use(t.Use, inner)
		s.walk(t.Operand, inner)
		s.declared[name] = s.declared[name][:len(s.declared[name])-1]
	}
}

func (s *resolver) variable(name string) *Variable {
	v := &Variable{Name: name, index: len(s.rule.variables)}
	s.rule.variables = append(s.rule.variables, v)
	return v
}

func (s *resolver) use(u *Use, r *region) {
	var v *Variable
	if list := s.declared[u.Name]; len(list) > 0 {
		v = list[len(list)-1]
	} else if v = s.free[u.Name]; v == nil {
		v = s.variable(u.Name)
		v.scope = r
		s.free[u.Name] = v
	}
	u.Variable = v
	v.Uses = append(v.Uses, u)
	if !v.aggregate {
		v.scope = v.scope.common(r)
	}
}

// binds returns the variables that a formula binds.
func binds(f *Formula) set {
	var out set
	switch f.Op {
	case OpAtom:
		for _, p := range f.Atom.Patterns {
			if p.Var != nil {
				out |= 1 << p.Var.Variable.index
			}
		}
	case OpAnd:
		for _, k := range f.Kids {
			out |= binds(k)
		}
	case OpOr:
		out = binds(f.Kids[0]) & binds(f.Kids[1])
	case OpOnce, OpHistorically, OpPrevious:
		out = binds(f.Kids[0])
	case OpSince:
		out = binds(f.Kids[1])
	}
	return out
}

// advise reports formulas that are valid but often mean something else than intended.
func (p *parser) advise(r *Rule) {
	f := r.Formula
	if f.Op == OpCompare {
		for _, t := range f.Terms {
			if t.Op != TermAggregate {
				continue
			}
			d := source.Diagnostic{
				Code: "rules.always", Severity: source.SeverityInfo, Span: f.Span,
				Message: `without "->" the rule denies every call of every tool once the comparison is false; write the restricted calls before "->"`,
			}
			if a := t.Operand.Atom; t.Operand.Op == OpAtom && a.Kind == "call" && !a.Any {
				call := p.text[a.NameSpan.Start:a.NameSpan.End] + "() -> "
				d.Fixes = []source.Fix{{Title: "Restrict the calls of " + a.Name, Edits: []source.Edit{{Span: source.Span{Start: f.Span.Start, End: f.Span.Start}, Text: call}}}}
			}
			p.report(d)
			break
		}
	}
	eachFormula(f, func(f *Formula) {
		if f.Op == OpPrevious {
			p.report(source.Diagnostic{
				Code: "rules.previous", Severity: source.SeverityInfo, Span: f.Sign,
				Message: "the previous event is of any kind: results, errors and messages occur between calls",
			})
		}
	})
}

// eachFormula calls visit for a formula and its parts, those of aggregates included.
func eachFormula(f *Formula, visit func(*Formula)) {
	visit(f)
	for _, k := range f.Kids {
		eachFormula(k, visit)
	}
	for _, t := range f.Terms {
		eachTerm(t, func(t *Term) {
			if t.Operand != nil {
				eachFormula(t.Operand, visit)
			}
		})
	}
}

// eachTerm calls visit for a term and its parts, but not for those in operands of aggregates.
func eachTerm(t *Term, visit func(*Term)) {
	if t == nil {
		return
	}
	visit(t)
	eachTerm(t.Kids[0], visit)
	eachTerm(t.Kids[1], visit)
}
