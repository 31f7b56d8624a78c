package ltl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
)

// traces is all traces of one to five steps over a and b, as a tree: each but the first step
// follows its parent.
type traces struct {
	step   []int // by node: bit 0 is a, bit 1 is b
	before []int // by node: the trace less its last step, or -1
	path   [][]int
}

func allTraces(max int) traces {
	t := traces{}
	level := []int{-1}
	for range max {
		var next []int
		for _, parent := range level {
			for step := range 4 {
				n := len(t.step)
				t.step = append(t.step, step)
				t.before = append(t.before, parent)
				var path []int
				if parent >= 0 {
					path = append(path, t.path[parent]...)
				}
				t.path = append(t.path, append(path, step))
				next = append(next, n)
			}
		}
		level = next
	}
	return t
}

// truth is the truth of a formula at every step of every trace, the steps of one
// trace side by side.
type truth []bool

// oracle evaluates formulas by the definitions of the operators, on all traces at
// once, from those of their arguments.
type oracle struct{ traces }

func (o oracle) leaf(op ltl.Op, name string) truth {
	var out truth
	for _, path := range o.path {
		for i, step := range path {
			switch op {
			case ltl.True:
				out = append(out, true)
			case ltl.False:
				out = append(out, false)
			case ltl.Last:
				out = append(out, i == len(path)-1)
			default:
				out = append(out, step>>(name[0]-'a')&1 == 1)
			}
		}
	}
	return out
}

func (o oracle) apply(op ltl.Op, f, g truth) truth {
	out := make(truth, len(f))
	at := 0
	for _, path := range o.path {
		n := len(path)
		for i := range n {
			out[at+i] = define(op, f[at:at+n], g, at, i, n)
		}
		at += n
	}
	return out
}

// define implements the definitions (De Giacomo and Vardi 2013) literally.
func define(op ltl.Op, f, g truth, at, i, n int) bool {
	if g != nil {
		g = g[at : at+n]
	}
	// until: some j ≥ i has g, and all before it from i have f.
	until := func(f, g func(int) bool) bool {
		for j := i; j < n; j++ {
			if g(j) {
				return true
			}
			if !f(j) {
				return false
			}
		}
		return false
	}
	left, right := func(j int) bool { return f[j] }, func(j int) bool { return g[j] }
	not := func(f func(int) bool) func(int) bool { return func(j int) bool { return !f(j) } }
	always := func(int) bool { return true }
	switch op {
	case ltl.Not:
		return !f[i]
	case ltl.Next:
		return i+1 < n && f[i+1]
	case ltl.WeakNext:
		return i+1 >= n || f[i+1]
	case ltl.Finally:
		return until(always, left)
	case ltl.Globally:
		return !until(always, not(left))
	case ltl.And:
		return f[i] && g[i]
	case ltl.Or:
		return f[i] || g[i]
	case ltl.Implies:
		return !f[i] || g[i]
	case ltl.Iff:
		return f[i] == g[i]
	case ltl.Until:
		return until(left, right)
	case ltl.Release:
		return !until(not(left), not(right))
	case ltl.WeakUntil:
		return until(left, right) || !until(always, not(left))
	default: // StrongRelease
		return until(right, func(j int) bool { return f[j] && g[j] })
	}
}

type judged struct {
	f     *ltl.Formula
	truth truth
}

// check compares a formula's automaton, the automaton of the simplified formula and its
// direct evaluation with the oracle.
func (o oracle) check(t *testing.T, j judged, alphabet *ltl.Alphabet) {
	t.Helper()
	d, err := ltl.Translate(j.f, alphabet, nil)
	if err != nil {
		t.Fatal(err)
	}
	simple := ltl.Simplify(j.f)
	again, err := ltl.Translate(simple, alphabet, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again.NumStates() != d.NumStates() {
		t.Fatalf("%s is simplified to %s, whose automaton has %d states and not %d", j.f, simple, again.NumStates(), d.NumStates())
	}
	states, others := make([]int, len(o.step)), make([]int, len(o.step))
	at := 0
	for node, step := range o.step {
		from, other := d.Start(), again.Start()
		if o.before[node] >= 0 {
			from, other = states[o.before[node]], others[o.before[node]]
		}
		holds := func(name string) bool { return step>>(name[0]-'a')&1 == 1 }
		states[node] = d.Next(from, func(v int) bool { return holds(d.Name(v)) })
		others[node] = again.Next(other, func(v int) bool { return holds(again.Name(v)) })
		want := j.truth[at]
		if d.Accepting(states[node]) != want || again.Accepting(others[node]) != want {
			t.Fatalf("%s on %v: the automaton says %v, simplified to %s %v, the definition %v", j.f, o.path[node], d.Accepting(states[node]), simple, again.Accepting(others[node]), want)
		}
		at += len(o.path[node])
	}
}

// holdsAlike compares direct evaluation with the oracle on one trace.
func (o oracle) holdsAlike(t *testing.T, j judged, random *rand.Rand) {
	node := random.IntN(len(o.path))
	at := 0
	for _, path := range o.path[:node] {
		at += len(path)
	}
	var trace []map[string]bool
	for _, step := range o.path[node] {
		trace = append(trace, map[string]bool{"a": step&1 == 1, "b": step&2 == 2})
	}
	if got := j.f.Holds(trace); got != j.truth[at] {
		t.Fatalf("%s on %v: evaluated %v, the definition says %v", j.f, trace, got, j.truth[at])
	}
}

// All formulas up to depth 3 over two propositions on all traces of up to five
// steps; only a sample of the deepest ones in short tests.
func TestAllSmallFormulasOnAllShortTraces(t *testing.T) {
	o := oracle{allTraces(5)}
	alphabet, err := ltl.NewAlphabet([]string{"a", "b"}, ltl.Powerset)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(14, 1))
	one := []judged{
		{ltl.New(ltl.True), o.leaf(ltl.True, "")}, {ltl.New(ltl.False), o.leaf(ltl.False, "")}, {ltl.New(ltl.Last), o.leaf(ltl.Last, "")},
		{ltl.NewProp("a"), o.leaf(ltl.Prop, "a")}, {ltl.NewProp("b"), o.leaf(ltl.Prop, "b")},
	}
	deeper := func(list []judged, visit func(op ltl.Op, f, g *judged)) {
		for op := ltl.Not; op <= ltl.StrongRelease; op++ {
			for i := range list {
				if op <= ltl.Globally {
					visit(op, &list[i], nil)
					continue
				}
				for k := range list {
					visit(op, &list[i], &list[k])
				}
			}
		}
	}
	build := func(op ltl.Op, f, g *judged) judged {
		if g == nil {
			return judged{ltl.New(op, f.f), o.apply(op, f.truth, nil)}
		}
		return judged{ltl.New(op, f.f, g.f), o.apply(op, f.truth, g.truth)}
	}
	two := append([]judged{}, one...)
	deeper(one, func(op ltl.Op, f, g *judged) { two = append(two, build(op, f, g)) })
	for _, j := range two {
		o.check(t, j, alphabet)
		o.holdsAlike(t, j, random)
	}
	checked, all := len(two), len(two)
	share := effort.Of(4000)
	deeper(two, func(op ltl.Op, f, g *judged) {
		all++
		if !effort.Long() && random.IntN(430_000) >= share {
			return
		}
		j := build(op, f, g)
		o.check(t, j, alphabet)
		o.holdsAlike(t, j, random)
		checked++
	})
	t.Logf("%d of %d formulas on %d traces", checked, all, len(o.path))
}
