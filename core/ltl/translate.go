package ltl

import (
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// Translator is [Translate] or [TranslatePlain].
type Translator func(f *Formula, a *Alphabet, m *meter.Meter) (*Automaton, error)

// Translate returns the smallest complete automaton of the traces on which a formula
// holds; it rejects the empty trace.
//
// There are several constructions, and each explodes on formulas that another one
// translates easily. They are tried in turn with growing budgets until one succeeds. The
// smallest automaton is the same by all of them.
//
//   - Boolean connectives are products of the smallest automata of their arguments, so n
//     independent properties are minimized before they are combined (Bansal et al., AAAI
//     2020).
//   - Temporal operators over the smallest automata of their arguments: see
//     [automaton.Symbolic.Until] (as MONA, and De Giacomo and Favorito, ICAPS 2021).
//   - Progression: a state is a set of alternatives, each a set of obligations for the
//     next step (Brzozowski 1964; here over formulas, with strong and weak obligations for
//     the end of the trace). The obligations after a step are computed for all letters at
//     once, as a decision diagram whose leaves are states. It succeeds on long chains,
//     which have many arguments but few states.
//   - Backward: see [translator.recur].
//
// The translation is doubly exponential in the worst case; the meter bounds it.
func Translate(f *Formula, a *Alphabet, m *meter.Meter) (*Automaton, error) {
	return translate(f, a, m, allConstructions())
}

// TranslatePlain is [Translate] with products and progression only, for the core module.
// It returns the same automaton, but the meter's error for more formulas than Translate.
func TranslatePlain(f *Formula, a *Alphabet, m *meter.Meter) (*Automaton, error) {
	return translate(f, a, m, nil)
}

func translate(f *Formula, a *Alphabet, m *meter.Meter, more *constructions) (*Automaton, error) {
	out := a.automaton(f)
	t := newTranslator(out.variables, m)
	t.letters, t.more = out.letters(), more
	d, err := t.automaton(f)
	if err != nil {
		return nil, err
	}
	out.Symbolic = d.WithoutEmpty()
	return out, nil
}

type translator struct {
	letters   automaton.Letters
	variables map[string]int
	m         *meter.Meter
	more      *constructions // nil for [TranslatePlain]
	enclosing int            // temporal operators whose arguments are translated

	nodes   []node
	ids     map[node]int32
	implied map[[2]int32]bool
	normal  map[signed]int32
	depth   int // of implies

	shapes  map[shape]int32
	numbers map[*Formula]int32
	known   [2]map[int32]*automaton.Symbolic // of the directions, by formula
}

func newTranslator(variables map[string]int, m *meter.Meter) *translator {
	return &translator{
		variables: variables, m: m,
		ids: map[node]int32{}, implied: map[[2]int32]bool{}, normal: map[signed]int32{},
		shapes: map[shape]int32{}, numbers: map[*Formula]int32{},
		known: [2]map[int32]*automaton.Symbolic{{}, {}},
	}
}

// pay spends steps for short work. It ignores a limit; the next call that checks the meter
// ends the work.
func (t *translator) pay(steps int) { _ = t.m.Step(steps) }

// node is a formula in negation normal form, its parts by number; equal formulas
// have one number.
type node struct {
	op          Op    // True, False, Prop, Not (of a Prop), Next, WeakNext, And, Or, Until or Release
	prop        int32 // its variable
	left, right int32
}

// id returns the number of a formula, after local simplification.
func (t *translator) id(n node) int32 {
	switch n.op {
	case And, Or:
		if n.left > n.right {
			n.left, n.right = n.right, n.left
		}
		// If one argument implies the other, And keeps the implying one and Or the implied one.
		switch {
		case t.implies(n.left, n.right):
			return pick(n.op == And, n.left, n.right)
		case t.implies(n.right, n.left):
			return pick(n.op == And, n.right, n.left)
		}
	case Next:
		if t.nodes[n.left].op == False {
			return n.left
		}
	case WeakNext:
		if t.nodes[n.left].op == True {
			return n.left
		}
	case Until:
		if op := t.nodes[n.right].op; op == True || op == False || t.implies(n.left, n.right) {
			return n.right
		}
	case Release:
		if op := t.nodes[n.right].op; op == True || op == False || t.implies(n.right, n.left) {
			return n.right
		}
	}
	id, ok := t.ids[n]
	if !ok {
		id = int32(len(t.nodes))
		t.ids[n] = id
		t.nodes = append(t.nodes, n)
	}
	return id
}

func pick(first bool, a, b int32) int32 {
	if first {
		return a
	}
	return b
}

// implies reports whether a formula implies another, by incomplete rules: false means
// unknown. Each rule continues with a part of one of the formulas, so it terminates.
func (t *translator) implies(a, b int32) bool {
	if a == b {
		return true
	}
	x, y := t.nodes[a], t.nodes[b]
	if x.op == False || y.op == True {
		return true
	}
	if x.op == True || y.op == False {
		return false
	}
	key := [2]int32{a, b}
	if known, ok := t.implied[key]; ok {
		return known
	}
	if t.depth > MaxDepth || t.m.Step(10) != nil {
		return false
	}
	t.depth++
	holds := t.impliesByParts(a, b, x, y)
	t.depth--
	t.implied[key] = holds
	return holds
}

func (t *translator) impliesByParts(a, b int32, x, y node) bool {
	switch {
	case x.op == Or && t.implies(x.left, b) && t.implies(x.right, b),
		x.op == And && (t.implies(x.left, b) || t.implies(x.right, b)),
		y.op == And && t.implies(a, y.left) && t.implies(a, y.right),
		y.op == Or && (t.implies(a, y.left) || t.implies(a, y.right)):
		return true
	}
	return t.impliesByTemporal(a, b, x, y)
}

func (t *translator) impliesByTemporal(a, b int32, x, y node) bool {
	// The right argument of an Until or a Release.
	switch {
	case y.op == Until && t.implies(a, y.right),
		x.op == Release && t.implies(x.right, b),
		x.op == Until && t.implies(x.left, b) && t.implies(x.right, b),
		y.op == Release && t.implies(a, y.left) && t.implies(a, y.right):
		return true
	}
	same := x.op == y.op || x.op == Next && y.op == WeakNext
	switch {
	case same && (x.op == Until || x.op == Release) && t.implies(x.left, y.left) && t.implies(x.right, y.right),
		same && (x.op == Next || x.op == WeakNext) && t.implies(x.left, y.left):
		return true
	}
	return t.impliesLater(a, b, x, y)
}

// impliesLater applies two rules: F g follows from a later g, and G g implies a later g.
func (t *translator) impliesLater(a, b int32, x, y node) bool {
	if y.op == Until && t.nodes[y.left].op == True {
		return (x.op == Next || x.op == Until) && t.implies(eventual(x), b)
	}
	if x.op == Release && t.nodes[x.left].op == False {
		return (y.op == WeakNext || y.op == Release) && t.implies(a, eventual(y))
	}
	return false
}

// eventual returns the argument of a next, or the right argument of Until or Release.
func eventual(n node) int32 {
	if n.op == Next || n.op == WeakNext {
		return n.left
	}
	return n.right
}

// nnf returns the number of a formula, or of its negation. Numbers are cached because an
// equivalence needs both for each argument.
func (t *translator) nnf(f *Formula, negated bool) int32 {
	key := signed{f, negated}
	if id, ok := t.normal[key]; ok {
		return id
	}
	if _, ok := t.normal[signed{f.Right, negated}]; f.Op >= Iff && !ok {
		for _, g := range f.spine() {
			t.pay(1)
			if g.Op >= Iff && g != f {
				t.nnf(g, negated)
			}
		}
	}
	id := t.normalize(f, negated)
	t.normal[key] = id
	return id
}

func (t *translator) normalize(f *Formula, negated bool) int32 {
	constant := func(holds bool) int32 {
		if holds != negated {
			return t.id(node{op: True})
		}
		return t.id(node{op: False})
	}
	// dual picks an operator, or its dual under negation.
	dual := func(op, other Op, left, right int32) int32 {
		if negated {
			op = other
		}
		return t.id(node{op: op, left: left, right: right})
	}
	switch f.Op {
	case True, False:
		return constant(f.Op == True)
	case Last: // WX false
		return dual(WeakNext, Next, constant(false), 0)
	case Prop:
		v, ok := t.variables[f.Name]
		if !ok {
			return constant(false) // no step has it
		}
		op := Prop
		if negated {
			op = Not
		}
		return t.id(node{op: op, prop: int32(v)})
	case Not:
		return t.nnf(f.Left, !negated)
	case Next:
		return dual(Next, WeakNext, t.nnf(f.Left, negated), 0)
	case WeakNext:
		return dual(WeakNext, Next, t.nnf(f.Left, negated), 0)
	case Finally: // true U f
		return dual(Until, Release, constant(true), t.nnf(f.Left, negated))
	case Globally: // false R f
		return dual(Release, Until, constant(false), t.nnf(f.Left, negated))
	case And, Or, Implies:
		either := (f.Op == And) == negated
		op := And
		if either {
			op = Or
		}
		var ids []int32
		for _, s := range parted(f, negated != either) {
			ids = append(ids, t.nnf(s.f, s.negated != either))
		}
		t.pay(len(ids))
		return halved(ids, func(a, b int32) int32 { return t.id(node{op: op, left: a, right: b}) })
	case Iff:
		both := t.id(node{op: And, left: t.nnf(f.Left, false), right: t.nnf(f.Right, negated)})
		none := t.id(node{op: And, left: t.nnf(f.Left, true), right: t.nnf(f.Right, !negated)})
		return t.id(node{op: Or, left: both, right: none})
	}
	left, right := t.nnf(f.Left, negated), t.nnf(f.Right, negated)
	switch f.Op {
	case Until:
		return dual(Until, Release, left, right)
	case Release:
		return dual(Release, Until, left, right)
	case WeakUntil: // g R (f | g)
		return dual(Release, Until, right, dual(Or, And, left, right))
	default: // StrongRelease: g U (f & g)
		return dual(Until, Release, right, dual(And, Or, left, right))
	}
}
