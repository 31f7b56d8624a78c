package strips

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/source"
)

// generator writes small domains with all features.
type generator struct {
	*rand.Rand
	numbers bool
	scope   [][2]string // variables in scope with their types
	fresh   int
	axioms  bool // the text has derived predicates
	derived int  // how many of them a condition may contain
}

var generatedTypes = []string{"a", "b", "c", "e", "object", "(either a b)"}

// term returns a variable in scope or a constant.
func (g *generator) term() string {
	if n := len(g.scope); n > 0 && g.IntN(5) > 0 {
		return g.scope[g.IntN(n)][0]
	}
	return []string{"a1", "b1", "c1", "d1"}[g.IntN(4)]
}

func (g *generator) atom() string {
	switch g.IntN(4) {
	case 0:
		return "(p)"
	case 1:
		return "(r " + g.term() + " " + g.term() + ")"
	}
	return "(q " + g.term() + ")"
}

// with calls write with more variables in scope.
func (g *generator) with(write func(list string) string) string {
	outer := g.scope
	g.fresh++
	v := [2]string{fmt.Sprintf("?v%d", g.fresh), generatedTypes[g.IntN(len(generatedTypes))]}
	if len(outer) > 0 && g.IntN(6) == 0 {
		v[0] = outer[g.IntN(len(outer))][0]
	}
	g.scope = append(g.scope[:len(g.scope):len(g.scope)], v)
	defer func() { g.scope = outer }()
	return write("(" + v[0] + " - " + v[1] + ")")
}

func (g *generator) value(depth int) string {
	switch g.IntN(5) {
	case 0:
		return "(n)"
	case 1:
		return "(m " + g.term() + ")"
	case 2:
		if depth > 0 {
			return "(" + []string{"+", "-", "*"}[g.IntN(3)] + " " + g.value(depth-1) + " " + g.value(depth-1) + ")"
		}
	}
	return []string{"0", "1", "2", "3", "0.5", "-1"}[g.IntN(6)]
}

func (g *generator) condition(depth int) string {
	if depth == 0 || g.IntN(3) == 0 {
		switch {
		case g.IntN(8) == 0:
			return "(= " + g.term() + " " + g.term() + ")"
		case g.numbers && g.IntN(4) == 0:
			return "(" + []string{"<", "<=", "=", ">=", ">"}[g.IntN(5)] + " " + []string{"(n)", "(m " + g.term() + ")"}[g.IntN(2)] + " " + g.value(1) + ")"
		}
		if g.derived > 0 && g.IntN(2) == 0 {
			return g.derivedAtom(g.IntN(g.derived))
		}
		return g.atom()
	}
	switch g.IntN(8) {
	case 0, 1:
		return "(and " + g.condition(depth-1) + " " + g.condition(depth-1) + ")"
	case 2, 3:
		return "(or " + g.condition(depth-1) + " " + g.condition(depth-1) + ")"
	case 4, 5:
		return "(not " + g.condition(depth-1) + ")"
	case 6:
		return "(imply " + g.condition(depth-1) + " " + g.condition(depth-1) + ")"
	}
	return g.with(func(list string) string {
		return "(" + []string{"forall", "exists"}[g.IntN(2)] + " " + list + " " + g.condition(depth-1) + ")"
	})
}

func (g *generator) effect(depth int, changed map[string]bool) string {
	switch g.IntN(9) {
	case 0, 1:
		if depth > 0 {
			return "(and " + g.effect(depth-1, changed) + " " + g.effect(depth-1, changed) + ")"
		}
	case 2:
		if depth > 0 {
			return g.with(func(list string) string { return "(forall " + list + " " + g.effect(depth-1, changed) + ")" })
		}
	case 3, 4:
		if depth > 0 {
			return "(when " + g.condition(2) + " " + g.effect(depth-1, changed) + ")"
		}
	case 5:
		if g.numbers {
			return g.change(changed)
		}
	case 6, 7:
		return "(not " + g.atom() + ")"
	}
	return g.atom()
}

// change writes an effect on a number, which keeps most values small.
func (g *generator) change(changed map[string]bool) string {
	name := "n"
	f := "(n)"
	if g.IntN(2) == 0 {
		name, f = "m", "(m "+g.term()+")"
	}
	if !changed[name] && g.IntN(3) == 0 { // an assignment excludes other changes
		changed[name], changed["="+name] = true, true
		return "(assign " + f + " " + []string{"0", "1", "2"}[g.IntN(3)] + ")"
	}
	if changed["="+name] {
		return g.atom()
	}
	changed[name] = true
	return "(" + []string{"increase", "decrease"}[g.IntN(2)] + " " + f + " 1)"
}

func (g *generator) text() string {
	var b strings.Builder
	b.WriteString("(define (domain d) (:requirements :adl :numeric-fluents :action-costs)\n (:types a - c b c e - object d - (either a e))\n (:constants a1 - a b1 - b c1 - c d1 - d)\n" +
		" (:predicates (p) (q ?x) (r ?x ?y))\n (:functions (n) (m ?x) (total-cost) - number (k ?x))\n")
	costs := g.IntN(2) == 0
	g.numbers = g.IntN(2) == 0
	if g.axioms {
		before, after, _ := strings.Cut(b.String(), " (:functions")
		b.Reset()
		b.WriteString(strings.NewReplacer(":adl", ":adl :derived-predicates", "(p) ", "(p) (d0 ?x) (d1) (d2 ?x ?y) (d3 ?x) ").Replace(before) + " (:functions" + after + g.axiomsText())
	}
	for i := range 3 + g.IntN(4) {
		g.scope = nil
		var parameters []string
		for j := range g.IntN(3) {
			v := [2]string{fmt.Sprintf("?x%d", j), generatedTypes[g.IntN(len(generatedTypes))]}
			g.scope = append(g.scope, v)
			parameters = append(parameters, v[0]+" - "+v[1])
		}
		fmt.Fprintf(&b, " (:action s%d :parameters (%s)\n  :precondition %s\n  :effect (and %s", i, strings.Join(parameters, " "), g.condition(g.IntN(3)), g.effect(3, map[string]bool{}))
		if costs {
			b.WriteString(" " + []string{"(increase (total-cost) 3)", "(increase (total-cost) (k " + g.term() + "))", "(increase (total-cost) 0.5)", "(when " + g.condition(1) + " (increase (total-cost) 2))", ""}[g.IntN(5)])
		}
		b.WriteString("))\n")
	}
	g.scope = nil
	b.WriteString(")\n(define (problem x) (:domain d) (:objects a2 - a)\n (:init (= (n) 1) (= (m a1) 2) (= (m b1) 0) (= (k a1) 1) (= (k a2) 2) (= (k b1) 0) (= (k c1) 4)")
	for range g.IntN(4) {
		b.WriteString(" " + g.atom())
	}
	fmt.Fprintf(&b, ")\n (:goal (and %s %s GOAL))", g.condition(g.IntN(3)), g.condition(g.IntN(3)))
	if costs && g.IntN(4) > 0 {
		b.WriteString("\n (:metric minimize " + []string{"(total-cost)", "(+ (* 2 (total-cost)) 1)"}[g.IntN(2)] + ")")
	}
	return b.String() + ")\n"
}

// generated returns a domain and a problem. The goal of most is a part of a state that a
// random sequence of actions reaches.
func generated(t testing.TB, seed uint64) string {
	return generatedBy(t, &generator{Rand: rand.New(rand.NewPCG(seed, 7))}, seed%4 != 0)
}

func generatedBy(t testing.TB, g *generator, reached bool) string {
	text := g.text()
	before, rest, _ := strings.Cut(text, "(:goal ")
	_, after, _ := strings.Cut(rest, " GOAL)")
	if !reached {
		return strings.Replace(text, " GOAL", "", 1)
	}
	b := readBrute(t, text)
	w := b.start()
	var fact, number []string
	for range 12 {
		a := b.actions[g.IntN(len(b.actions))]
		var choices []world
		b.bind(pairs(a.Items[3].Items), nil, func(env map[string]string) {
			if next, ok := b.apply(w, a, env); ok {
				choices = append(choices, next)
			}
		})
		if len(choices) > 0 {
			w = choices[g.IntN(len(choices))]
		}
	}
	first := b.start()
	for _, f := range slices.Sorted(maps.Keys(w.facts)) {
		if !first.facts[f] {
			fact = append(fact, f)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(first.facts)) {
		if !w.facts[f] {
			fact = append(fact, "(not "+f+")")
		}
	}
	for _, f := range slices.Sorted(maps.Keys(w.numbers)) {
		if w.numbers[f] != first.numbers[f] && f != "(total-cost)" {
			number = append(number, fmt.Sprintf("(= %s %v)", f, w.numbers[f]))
		}
	}
	g.Shuffle(len(fact), func(i, j int) { fact[i], fact[j] = fact[j], fact[i] })
	goal := append(fact[:min(len(fact), 3+g.IntN(3))], number[:min(len(number), 1)]...)
	return before + "(:goal (and " + strings.Join(goal, " ") + ")" + after
}

func TestRandomDomainsHaveOptimalPlans(t *testing.T) {
	solved, none, full, steps := 0, 0, 0, 0
	for seed := range uint64(effort.Sample(100_000, 1000)) {
		want, compared := compareWithBrute(t, generated(t, seed), 400)
		switch {
		case !compared:
			full++
		case want.solved:
			solved++
			steps = max(steps, want.steps)
		default:
			none++
		}
	}
	t.Logf("%d with a plan of up to %d steps, %d without, %d too large", solved, steps, none, full)
	if !effort.Few() && (solved < 300 || none < 50) {
		t.Errorf("only %d with a plan, %d without, %d too large", solved, none, full)
	}
}

// TestRandomMetricsHaveTheirBestPlans compares metrics that steps may improve and worsen.
func TestRandomMetricsHaveTheirBestPlans(t *testing.T) {
	metrics := []string{
		"maximize (- (n) (total-cost))", "maximize (+ (m a1) (* -2 (n)))", "minimize (- (total-cost) (* (n) 2))",
		"maximize (- (total-cost))", "minimize (- (/ (m b1) 2) 3)", "maximize (total-cost)",
	}
	solved, endless, full := 0, 0, 0
	for seed := range uint64(effort.Sample(60_000, 1000)) {
		text, _, _ := strings.Cut(generated(t, seed), "\n (:metric")
		text = strings.TrimSuffix(text, ")\n") + "\n (:metric " + metrics[seed%6] + "))\n"
		switch want, compared := compareWithBrute(t, text, 300); {
		case !compared:
			full++
		case want.endless:
			endless++
		case want.solved:
			solved++
		}
	}
	t.Logf("%d with a best plan, %d whose metric improves without end, %d too large", solved, endless, full)
	if !effort.Few() && (solved < 300 || endless < 5) {
		t.Errorf("only %d with a best plan, %d whose metric improves without end, %d too large", solved, endless, full)
	}
}

func TestRandomDomainsPrintTheSame(t *testing.T) {
	for seed := range uint64(effort.Sample(20_000, 500)) {
		text := generated(t, seed)
		spec, _ := Parse(source.NewFile("p.pddl", text))
		printed := spec.Domain.String() + spec.Problem.String()
		again, found := Parse(source.NewFile("p.pddl", printed))
		if source.HasErrors(found) {
			t.Fatalf("%s\nprinted:\n%s\n%v", text, printed, found)
		}
		if got := again.Domain.String() + again.Problem.String(); got != printed {
			t.Fatalf("%s\nprinted again:\n%s", printed, got)
		}
		if seed%5 == 0 {
			want := readBrute(t, text).solve(200)
			got := readBrute(t, printed).solve(200)
			if !want.full && !got.full && (want.solved != got.solved || want.steps != got.steps || want.cost != got.cost) {
				t.Fatalf("%s\nprinted:\n%s\n%+v, want %+v", text, printed, got, want)
			}
		}
	}
}
