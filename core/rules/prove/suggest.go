package prove

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/rules"
)

// groups are the fields and variables that the rules compare with each other, with the types of
// the literals that they are compared with and of the operators that they are operands of.
type groups struct {
	parent  []int
	kinds   []map[string]bool
	ordered []bool
}

func (g *groups) add() int {
	g.parent = append(g.parent, len(g.parent))
	g.kinds = append(g.kinds, map[string]bool{})
	g.ordered = append(g.ordered, false)
	return len(g.parent) - 1
}

func (g *groups) find(n int) int {
	for g.parent[n] != n {
		n = g.parent[n]
	}
	return n
}

func (g *groups) join(a, b int) {
	a, b = g.find(a), g.find(b)
	if a == b {
		return
	}
	g.parent[b] = a
	for k := range g.kinds[b] {
		g.kinds[a][k] = true
	}
	g.ordered[a] = g.ordered[a] || g.ordered[b]
}

func (g *groups) kind(n int, kinds ...string) {
	for _, k := range kinds {
		g.kinds[g.find(n)][k] = true
	}
}

// suggest derives a type for each path: numbers where the rules calculate or compare by size,
// otherwise the types of the literals, or strings.
func (e *encoder) suggest() {
	g := &groups{}
	for range e.paths {
		g.add()
	}
	for _, f := range e.query.formulas() {
		s := &suggestion{encoder: e, groups: g, variables: map[*rules.Variable]int{}}
		eachPart(f, s.formula, func(*rules.Value) {})
	}
	for at, p := range e.paths {
		root := g.find(at)
		p.plain = g.kinds[root]
		switch {
		case e.hasInner(p):
			p.plain = map[string]bool{kindObject: true}
		case e.types(at) != nil:
			p.plain = e.types(at)
		case len(p.plain) > 0:
		case g.ordered[root]:
			p.plain = map[string]bool{kindNumber: true}
		default:
			p.plain = map[string]bool{kindString: true}
		}
	}
}

// types returns the types that the contracts allow for a field, or nil if no contract restricts it.
func (e *encoder) types(at int) (out map[string]bool) {
	for n := range e.shapes {
		d, ok := e.domains[[2]int{n, at}]
		if !ok || !d.Typed {
			continue
		}
		if out == nil {
			out = map[string]bool{}
		}
		for k, has := range d.Kinds {
			if has {
				out[kindsInText[k]] = true
			}
		}
	}
	return out
}

func (e *encoder) hasInner(p *path) bool {
	for _, q := range e.paths {
		if strings.HasPrefix(q.key, p.key+"\x00") {
			return true
		}
	}
	return false
}

// suggestion collects the types that one rule suggests.
type suggestion struct {
	*encoder
	*groups
	variables map[*rules.Variable]int
}

func (s *suggestion) variable(v *rules.Variable) int {
	n, ok := s.variables[v]
	if !ok {
		n = s.groups.add()
		s.variables[v] = n
	}
	return n
}

func (s *suggestion) formula(f *rules.Formula) {
	switch f.Op {
	case rules.OpAtom:
		for n := range f.Atom.Patterns {
			p := &f.Atom.Patterns[n]
			at := s.pathIndex(p)
			if p.Var != nil {
				s.groups.join(at, s.variable(p.Var.Variable))
			}
			switch p.Test {
			case "~":
				s.kind(at, kindString)
			case "has":
				s.kind(at, kindList)
			default:
				for _, v := range p.Values {
					s.kind(at, kindsOf(v)...)
				}
			}
		}
	case rules.OpCompare:
		a, b := s.term(f.Terms[0]), s.term(f.Terms[1])
		s.groups.join(a, b)
		if f.Relation != "=" && f.Relation != "!=" {
			s.ordered[s.find(a)] = true
		}
	}
}

func (s *suggestion) term(t *rules.Term) int {
	if t.Op == rules.TermVariable {
		return s.variable(t.Use.Variable)
	}
	n := s.groups.add()
	switch t.Op {
	case rules.TermLiteral:
		s.kind(n, kindsOf(t.Value)...)
		return n
	case rules.TermArithmetic:
		s.kind(s.term(t.Kids[0]), kindNumber)
		s.kind(s.term(t.Kids[1]), kindNumber)
	case rules.TermAggregate:
		if t.Function != "count" {
			s.kind(s.variable(t.Use.Variable), kindNumber)
		}
	}
	s.kind(n, kindNumber)
	return n
}

func kindsOf(v *rules.Value) []string {
	switch v.Kind() {
	case exact.KindNull:
		return []string{kindNull, kindString}
	case exact.KindFalse, exact.KindTrue:
		return []string{kindFalse, kindTrue}
	case exact.KindNumber:
		return []string{kindNumber}
	}
	return []string{kindString}
}

// plain restricts each field to the types that the rules suggest.
func (e *encoder) plain() {
	for i := range e.events {
		for at, p := range e.paths {
			if p.key == "@time" {
				continue
			}
			list := []string{e.is(e.slot(i, at), kindMissing)}
			kinds := make([]string, 0, len(p.plain))
			for k := range p.plain {
				kinds = append(kinds, k)
			}
			sort.Strings(kinds)
			for _, k := range kinds {
				list = append(list, e.is(e.slot(i, at), k))
			}
			e.assert(e.or(list...))
		}
	}
}
