package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// failing returns the span of the part that makes the right side of a rule false under the present
// assignment: in a conjunction, the first part that is false in conjunction with the preceding
// parts. near lists the earlier events that make the preceding parts true.
func (r *machine) failing() (part source.Span, near []int) {
	f, n := r.rule.Formula, r.right
	if r.left != nil {
		f = f.Kids[1]
	}
	if n.op == nodeExists {
		n = n.kids[0]
	}
	if f.Op != OpAnd || n.op != nodeAnd || len(n.kids) != len(f.Kids) {
		return f.Span, nil
	}
	steps, err := r.steps, r.err
	defer func() { r.steps, r.err = steps, err }()
	for i := range n.kids {
		if r.condition(join2(nodeAnd, n.kids[:i+1])) == condFalse {
			return f.Kids[i].Span, r.trailOf(join2(nodeAnd, n.kids[:i]))
		}
	}
	return f.Span, nil
}

// Failing returns the text of the part of the rule that a violation makes false.
func (m *Monitor) Failing(v Violation) string {
	return strings.Join(strings.Fields(m.File.text[v.Part.Start:v.Part.End]), " ")
}

// Evidence returns the earlier events that a violation depends on, and those that satisfy the parts of the rule before the one
// that failed, in their order.
func (v Violation) Evidence() []int {
	out := slices.Concat(v.Witnesses, v.Near)
	slices.Sort(out)
	return slices.Compact(out)
}

// parenthesized returns the span of a formula with the parentheses that the span of a formula leaves
// out: it begins with the first operand and ends with the last one, inside their parentheses.
func (f *File) parenthesized(s source.Span) source.Span {
	first, _ := slices.BinarySearchFunc(f.tokens, s.Start, func(t source.Token, at source.Pos) int { return cmp.Compare(t.Span.Start, at) })
	is := func(i int, text string) bool {
		return i >= 0 && i < len(f.tokens) && f.text[f.tokens[i].Span.Start:f.tokens[i].Span.End] == text
	}
	last, open, missing := first, 0, 0
	for ; last < len(f.tokens) && f.tokens[last].Span.End <= s.End; last++ {
		switch {
		case is(last, "("):
			open++
		case is(last, ")") && open > 0:
			open--
		case is(last, ")"):
			missing++
		}
	}
	for ; missing > 0 && is(first-1, "("); missing-- {
		first--
		s.Start = f.tokens[first].Span.Start
	}
	for ; open > 0 && is(last, ")"); open-- {
		s.End = f.tokens[last].Span.End
		last++
	}
	return s
}

// trailOf returns the earlier events of the first solution of a formula.
func (r *machine) trailOf(n *node) (out []int) {
	r.solve(n, func(c *cond) bool {
		out = slices.Clone(r.trail)
		return r.resolve(c) != condTrue
	})
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(i int) bool { return i < 0 || i >= r.index })
}

// Requirement returns the formula that a violation makes false, with the values of its for-all
// variables, in one line: the right side of the rule, or the complete rule if it has no "->".
func (m *Monitor) Requirement(v Violation) string {
	r := m.File.Rules[v.Rule]
	f := r.Formula
	if f.Op == OpImplies {
		f = f.Kids[1]
	}
	values := map[source.Pos]*Value{}
	use := func(u *Use) {
		if i := slices.Index(r.ForAll, u.Variable); i >= 0 && i < len(v.Bindings) {
			values[u.Span.Start] = v.Bindings[i]
		}
	}
	eachFormula(f, func(f *Formula) {
		if f.Atom != nil {
			for i := range f.Atom.Patterns {
				if u := f.Atom.Patterns[i].Var; u != nil {
					use(u)
				}
			}
		}
		for _, t := range f.Terms {
			eachTerm(t, func(t *Term) {
				if t.Op == TermVariable {
					use(t.Use)
				}
			})
		}
	})
	var b strings.Builder
	at, open, missing := f.Span.Start, 0, 0
	for _, t := range m.File.tokens {
		if t.Span.Start < f.Span.Start || t.Span.End > f.Span.End || t.Class == source.ClassComment {
			continue
		}
		if t.Span.Start > at {
			b.WriteByte(' ')
		}
		if value := values[t.Span.Start]; value != nil {
			b.Write(value.JSON())
		} else {
			text := m.File.text[t.Span.Start:t.Span.End]
			switch {
			case text == "(":
				open++
			case text == ")" && open > 0:
				open--
			case text == ")":
				missing++
			}
			b.WriteString(text)
		}
		at = t.Span.End
	}
	// The span of a formula begins and ends inside the parentheses around its parts.
	return strings.Repeat("(", missing) + b.String() + strings.Repeat(")", open)
}
