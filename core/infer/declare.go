package infer

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
)

// template is a constraint of Declare (Pesic, Schonenberg and van der Aalst 2007) over one or two
// symbols. applies is the condition under which a run is evidence for the constraint; nil means always.
// implies names the weaker templates.
type template struct {
	name    string
	arity   int
	formula func(a, b *ltl.Formula) *ltl.Formula
	applies func(a, b *ltl.Formula) *ltl.Formula
	implies string
}

func op(o ltl.Op, of ...*ltl.Formula) *ltl.Formula { return ltl.New(o, of...) }

func not(f *ltl.Formula) *ltl.Formula        { return op(ltl.Not, f) }
func always(f *ltl.Formula) *ltl.Formula     { return op(ltl.Globally, f) }
func eventually(f *ltl.Formula) *ltl.Formula { return op(ltl.Finally, f) }
func and(f, g *ltl.Formula) *ltl.Formula     { return op(ltl.And, f, g) }
func implies(f, g *ltl.Formula) *ltl.Formula { return op(ltl.Implies, f, g) }
func next(f *ltl.Formula) *ltl.Formula       { return op(ltl.Next, f) }

// atMost returns the formula that requires a proposition to hold at no more than n steps.
func atMost(n int, a *ltl.Formula) *ltl.Formula {
	f := always(not(a))
	for range n {
		f = op(ltl.WeakUntil, not(a), and(a, op(ltl.WeakNext, f)))
	}
	return f
}

func has(a, _ *ltl.Formula) *ltl.Formula  { return eventually(a) }
func hasB(_, b *ltl.Formula) *ltl.Formula { return eventually(b) }

// templates are the templates, stronger ones first.
func templates() []template {
	list := []template{
		{"init", 1, func(a, _ *ltl.Formula) *ltl.Formula { return a }, nil, "existence"},
		{"end", 1, func(a, _ *ltl.Formula) *ltl.Formula { return eventually(and(a, op(ltl.Last))) }, nil, "existence"},
		{"absence", 1, func(a, _ *ltl.Formula) *ltl.Formula { return always(not(a)) }, nil, ""},
		{"existence", 1, func(a, _ *ltl.Formula) *ltl.Formula { return eventually(a) }, nil, ""},
		{"at most 1", 1, func(a, _ *ltl.Formula) *ltl.Formula { return atMost(1, a) }, has, "at most 2"},
		{"at most 2", 1, func(a, _ *ltl.Formula) *ltl.Formula { return atMost(2, a) }, has, "at most 3"},
		{"at most 3", 1, func(a, _ *ltl.Formula) *ltl.Formula { return atMost(3, a) }, has, ""},
		{"chain succession", 2, func(a, b *ltl.Formula) *ltl.Formula {
			return and(not(b), always(op(ltl.Iff, a, next(b))))
		}, has, "chain response, chain precedence, succession"},
		{"chain response", 2, func(a, b *ltl.Formula) *ltl.Formula { return always(implies(a, next(b))) }, has, "alternate response"},
		{"chain precedence", 2, func(a, b *ltl.Formula) *ltl.Formula { return and(not(b), always(implies(next(b), a))) }, hasB, "alternate precedence"},
		{"alternate response", 2, func(a, b *ltl.Formula) *ltl.Formula {
			return always(implies(a, next(op(ltl.Until, not(a), b))))
		}, has, "response"},
		{"alternate precedence", 2, func(a, b *ltl.Formula) *ltl.Formula {
			return and(op(ltl.WeakUntil, not(b), a), always(implies(b, op(ltl.WeakNext, op(ltl.WeakUntil, not(b), a)))))
		}, hasB, "precedence"},
		{"succession", 2, func(a, b *ltl.Formula) *ltl.Formula {
			return and(always(implies(a, eventually(b))), op(ltl.WeakUntil, not(b), a))
		}, has, "response, precedence"},
		{"response", 2, func(a, b *ltl.Formula) *ltl.Formula { return always(implies(a, eventually(b))) }, has, "responded existence"},
		{"precedence", 2, func(a, b *ltl.Formula) *ltl.Formula { return op(ltl.WeakUntil, not(b), a) }, hasB, ""},
		{"responded existence", 2, func(a, b *ltl.Formula) *ltl.Formula { return implies(eventually(a), eventually(b)) }, has, ""},
		{"not co-existence", 2, func(a, b *ltl.Formula) *ltl.Formula { return not(and(eventually(a), eventually(b))) }, has, "not succession"},
		{"not succession", 2, func(a, b *ltl.Formula) *ltl.Formula { return always(implies(a, not(eventually(b)))) }, has, "not chain succession"},
		{"not chain succession", 2, func(a, b *ltl.Formula) *ltl.Formula { return always(implies(a, not(next(b)))) }, has, ""},
	}
	return list
}

// weaker returns the names of the templates that the template implies.
func (t template) weaker() []string {
	if t.implies == "" {
		return nil
	}
	return strings.Split(t.implies, ", ")
}

// title returns the name of a template over symbols, as the name of a formula in a file: letters,
// digits and underscores.
func (t template) title(names ...string) string {
	out := t.name
	for _, n := range names {
		out += " " + n
	}
	return identifier(out)
}

func identifier(text string) string {
	b := []byte(text)
	for i, c := range b {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			b[i] = '_'
		}
	}
	return string(b)
}

// sentence describes a template over symbols.
func (t template) sentence(a, b string) string {
	return map[string]string{
		"init":                 fmt.Sprintf("the run begins with %s", a),
		"end":                  fmt.Sprintf("the run ends with %s", a),
		"absence":              fmt.Sprintf("no %s", a),
		"existence":            fmt.Sprintf("at least one %s", a),
		"at most 1":            fmt.Sprintf("at most one %s", a),
		"at most 2":            fmt.Sprintf("at most two %s", a),
		"at most 3":            fmt.Sprintf("at most three %s", a),
		"chain succession":     fmt.Sprintf("%s directly follows each %s, and nothing else", b, a),
		"chain response":       fmt.Sprintf("%s directly follows each %s", b, a),
		"chain precedence":     fmt.Sprintf("%s directly precedes each %s", a, b),
		"alternate response":   fmt.Sprintf("%s follows each %s before the next one", b, a),
		"alternate precedence": fmt.Sprintf("%s precedes each %s, after the one before it", a, b),
		"succession":           fmt.Sprintf("%s follows each %s and needs one before it", b, a),
		"response":             fmt.Sprintf("%s follows each %s", b, a),
		"precedence":           fmt.Sprintf("%s needs an earlier %s", b, a),
		"responded existence":  fmt.Sprintf("a run with %s has %s", a, b),
		"not co-existence":     fmt.Sprintf("no run has both %s and %s", a, b),
		"not succession":       fmt.Sprintf("no %s after %s", b, a),
		"not chain succession": fmt.Sprintf("%s does not directly follow %s", b, a),
	}[t.name]
}
