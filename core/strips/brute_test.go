package strips

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// brute is the oracle of plans: it interprets the lists of a text as they are written, state
// by state, and shares no code with the package but the reader of lists. A comparison with a
// function without a value is false, also below an odd number of negations.
type brute struct {
	parents    map[string]string // separated by spaces
	objects    [][2]string       // name and type
	init, goal *sexpr.Node
	metric     *sexpr.Node
	sign       float64 // -1 for a metric that is maximized
	signed     bool    // steps may improve the metric
	timed      bool    // the metric contains total-time
	actions    []*sexpr.Node
	axioms     []*sexpr.Node
	models     map[string]map[string]bool // by state: its derived atoms
}

// world is a state of the oracle.
type world struct {
	facts   map[string]bool
	numbers map[string]float64
	derived map[string]bool // while the axioms are evaluated: the atoms that negations refer to
}

func (w world) key(without map[string]bool) string {
	var b strings.Builder
	for _, f := range slices.Sorted(maps.Keys(w.facts)) {
		b.WriteString(f)
	}
	for _, f := range slices.Sorted(maps.Keys(w.numbers)) {
		if !without[f] {
			fmt.Fprintf(&b, "%s=%.4f", f, w.numbers[f])
		}
	}
	return b.String()
}

func low(n *sexpr.Node) string { return strings.ToLower(n.Text) }

func readBrute(t testing.TB, text string) *brute {
	t.Helper()
	tree, found := sexpr.Parse(source.NewFile("p.pddl", text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	b := &brute{parents: map[string]string{}, models: map[string]map[string]bool{}, sign: 1}
	for _, define := range tree.Nodes {
		for _, s := range define.Items[2:] {
			switch low(s.Items[0]) {
			case ":types":
				for _, x := range pairs(s.Items[1:]) {
					b.parents[x[0]] += " " + x[1]
				}
			case ":constants", ":objects":
				b.objects = append(b.objects, pairs(s.Items[1:])...)
			case ":action":
				b.actions = append(b.actions, s)
			case ":derived":
				b.axioms = append(b.axioms, s)
			case ":init":
				b.init = s
			case ":goal":
				b.goal = s.Items[1]
			case ":metric":
				b.metric = s.Items[2]
				b.timed = strings.Contains(text[s.Span.Start:s.Span.End], "(total-time)")
				if low(s.Items[1]) == "maximize" {
					b.sign = -1
				}
				b.signed = b.sign < 0 || s.Items[2].Head() == "-"
			}
		}
	}
	return b
}

// pairs reads a typed list.
func pairs(items []*sexpr.Node) (out [][2]string) {
	from := 0
	for i := 0; i < len(items); i++ {
		if items[i].Text == "-" && items[i].Kind == sexpr.KindAtom {
			i++
			name := low(items[i])
			if items[i].Kind == sexpr.KindList {
				name = ""
				for _, n := range items[i].Items[1:] {
					name += " " + low(n)
				}
			}
			for ; from < len(out); from++ {
				out[from][1] = name
			}
			continue
		}
		out = append(out, [2]string{low(items[i]), "object"})
	}
	return out
}

func (b *brute) is(name, wanted string) bool {
	wants := strings.Fields(wanted)
	return slices.Contains(wants, "object") || slices.Contains(wants, name) ||
		slices.ContainsFunc(strings.Fields(b.parents[name]), func(parent string) bool { return b.is(parent, wanted) })
}

// bind calls visit for all values of a typed list.
func (b *brute) bind(list [][2]string, env map[string]string, visit func(map[string]string)) {
	if len(list) == 0 {
		visit(env)
		return
	}
	for _, o := range b.objects {
		if b.is(o[1], list[0][1]) {
			inner := map[string]string{}
			maps.Copy(inner, env)
			inner[list[0][0]] = o[0]
			b.bind(list[1:], inner, visit)
		}
	}
}

func name(n *sexpr.Node, env map[string]string) string {
	var words []string
	for _, item := range n.Items {
		word := low(item)
		if value, ok := env[word]; ok {
			word = value
		}
		words = append(words, word)
	}
	return "(" + strings.Join(words, " ") + ")"
}

func (b *brute) number(w world, n *sexpr.Node, env map[string]string) (float64, bool) {
	if n.Kind == sexpr.KindAtom {
		value, err := strconv.ParseFloat(n.Text, 64)
		return value, err == nil
	}
	op := n.Items[0].Text
	if !slices.Contains([]string{"+", "-", "*", "/"}, op) {
		value, ok := w.numbers[name(n, env)]
		return value, ok
	}
	out, ok := b.number(w, n.Items[1], env)
	if len(n.Items) == 2 {
		return -out, ok
	}
	for _, item := range n.Items[2:] {
		value, defined := b.number(w, item, env)
		ok = ok && defined
		switch op {
		case "+":
			out += value
		case "-":
			out -= value
		case "*":
			out *= value
		case "/":
			ok = ok && value != 0
			out /= value
		}
	}
	return out, ok
}

// truth interprets a condition; wanted is false below an odd number of negations.
func (b *brute) truth(w world, n *sexpr.Node, env map[string]string, wanted bool) bool {
	if len(n.Items) == 0 {
		return wanted
	}
	all := func(wanted bool, items []*sexpr.Node) bool {
		for _, item := range items {
			if !b.truth(w, item, env, wanted) {
				return false
			}
		}
		return true
	}
	some := func(wanted bool, items []*sexpr.Node) bool {
		for _, item := range items {
			if b.truth(w, item, env, wanted) {
				return true
			}
		}
		return false
	}
	switch op := low(n.Items[0]); op {
	case "and":
		if wanted {
			return all(true, n.Items[1:])
		}
		return some(false, n.Items[1:])
	case "or":
		if wanted {
			return some(true, n.Items[1:])
		}
		return all(false, n.Items[1:])
	case "not":
		return b.truth(w, n.Items[1], env, !wanted)
	case "imply":
		if wanted {
			return b.truth(w, n.Items[1], env, false) || b.truth(w, n.Items[2], env, true)
		}
		return b.truth(w, n.Items[1], env, true) && b.truth(w, n.Items[2], env, false)
	case "forall", "exists":
		every, any := true, false
		b.bind(pairs(n.Items[1].Items), env, func(inner map[string]string) {
			holds := b.truth(w, n.Items[2], inner, wanted)
			every, any = every && holds, any || holds
		})
		if (op == "forall") == wanted {
			return every
		}
		return any
	case "<", "<=", ">", ">=", "=":
		if op == "=" && n.Items[1].Kind == sexpr.KindAtom && n.Items[2].Kind == sexpr.KindAtom {
			if _, err := strconv.ParseFloat(n.Items[1].Text, 64); err != nil {
				return (name(&sexpr.Node{Kind: sexpr.KindList, Items: n.Items[1:2]}, env) == name(&sexpr.Node{Kind: sexpr.KindList, Items: n.Items[2:3]}, env)) == wanted
			}
		}
		x, ok := b.number(w, n.Items[1], env)
		y, also := b.number(w, n.Items[2], env)
		d := math.Round((x-y)*10000) / 10000
		holds := map[string]bool{"<": d < 0, "<=": d <= 0, ">": d > 0, ">=": d >= 0, "=": d == 0}[op]
		return ok && also && holds == wanted
	}
	if !wanted && w.derived != nil {
		return !w.derived[name(n, env)] && !w.facts[name(n, env)]
	}
	return w.facts[name(n, env)] == wanted
}

type delta struct {
	add, del map[string]bool
	set      map[string]float64
	valid    bool
}

func (b *brute) effect(w world, n *sexpr.Node, env map[string]string, d *delta) {
	if len(n.Items) == 0 {
		return
	}
	switch op := low(n.Items[0]); op {
	case "and":
		for _, item := range n.Items[1:] {
			b.effect(w, item, env, d)
		}
	case "forall":
		b.bind(pairs(n.Items[1].Items), env, func(inner map[string]string) { b.effect(w, n.Items[2], inner, d) })
	case "when":
		if b.truth(w, n.Items[1], env, true) {
			b.effect(w, n.Items[2], env, d)
		}
	case "not":
		d.del[name(n.Items[1], env)] = true
	case "increase", "decrease", "assign", "scale-up", "scale-down":
		f := name(n.Items[1], env)
		value, ok := b.number(w, n.Items[2], env)
		old, defined := d.set[f]
		if !defined {
			old, defined = w.numbers[f]
		}
		switch op {
		case "increase":
			value = old + value
		case "decrease":
			value = old - value
		case "scale-up":
			value = old * value
		case "scale-down":
			ok = ok && value != 0
			value = old / value
		default:
			defined = true
		}
		d.valid = d.valid && ok && defined
		d.set[f] = value
	default:
		d.add[name(n, env)] = true
	}
}

// apply returns the state after an action.
func (b *brute) apply(w world, a *sexpr.Node, env map[string]string) (world, bool) {
	d := delta{add: map[string]bool{}, del: map[string]bool{}, set: map[string]float64{}, valid: true}
	for i := 2; i+1 < len(a.Items); i += 2 {
		switch low(a.Items[i]) {
		case ":precondition":
			if !b.truth(w, a.Items[i+1], env, true) {
				return w, false
			}
		case ":effect":
			b.effect(w, a.Items[i+1], env, &d)
		}
	}
	if !d.valid {
		return w, false
	}
	next := world{facts: maps.Clone(w.facts), numbers: maps.Clone(w.numbers)}
	for f := range d.del {
		delete(next.facts, f)
	}
	maps.Copy(next.facts, d.add)
	maps.Copy(next.numbers, d.set)
	if b.timed {
		next.numbers["(total-time)"]++
	}
	b.derive(next)
	return next, true
}

func (b *brute) start() world {
	w := world{facts: map[string]bool{}, numbers: map[string]float64{"(total-cost)": 0}}
	if b.timed {
		w.numbers["(total-time)"] = 0
	}
	for _, n := range b.init.Items[1:] {
		if low(n.Items[0]) == "=" {
			w.numbers[name(n.Items[1], nil)], _ = strconv.ParseFloat(n.Items[2].Text, 64)
		} else if low(n.Items[0]) != "not" {
			w.facts[name(n, nil)] = true
		}
	}
	b.derive(w)
	return w
}

// best is the result of the oracle.
type best struct {
	solved bool
	cost   float64
	steps  int
	states int
	full   bool // there are more states than the oracle may visit

	endless bool // the metric improves without end
}

// solve finds the least cost, and the fewest steps with that cost, by visiting states in
// that order.
func (b *brute) solve(most int) best {
	costs := unread(b)
	if b.signed {
		return b.solveSigned(most, costs)
	}
	type node struct {
		w     world
		cost  float64
		steps int
		done  bool
	}
	price := func(w world) float64 {
		if b.metric == nil {
			return 0
		}
		value, _ := b.number(w, b.metric, nil)
		return value
	}
	first := b.start()
	base := price(first)
	nodes := map[string]*node{first.key(costs): {w: first}}
	layer := []*node{nodes[first.key(costs)]}
	for len(layer) > 0 {
		at := 0
		for i, n := range layer {
			if x := layer[at]; n.cost < x.cost-1e-6 || math.Abs(n.cost-x.cost) < 1e-6 && n.steps < x.steps {
				at = i
			}
		}
		n := layer[at]
		layer[at] = layer[len(layer)-1]
		layer = layer[:len(layer)-1]
		if n.done {
			continue
		}
		n.done = true
		if b.truth(n.w, b.goal, nil, true) {
			return best{solved: true, cost: n.cost + base, steps: n.steps, states: len(nodes)}
		}
		if len(nodes) > most {
			return best{full: true, states: len(nodes)}
		}
		b.moves(n.w, func(next world) {
			key, cost, steps := next.key(costs), math.Round((n.cost+price(next)-price(n.w))*1000)/1000, n.steps+1
			old := nodes[key]
			if old == nil || cost < old.cost-1e-6 || math.Abs(cost-old.cost) < 1e-6 && steps < old.steps {
				nodes[key] = &node{w: next, cost: cost, steps: steps}
				if old != nil {
					old.done = true
				}
				layer = append(layer, nodes[key])
			}
		})
	}
	return best{states: len(nodes)}
}

// unread returns the functions that no action and no goal reads, so that states need not
// contain them.
func unread(b *brute) map[string]bool {
	out := map[string]bool{"(total-cost)": true, "(total-time)": true}
	for _, n := range b.init.Items[1:] {
		if n.Head() == "=" {
			out[name(n.Items[1], nil)] = true
		}
	}
	var walk func(n *sexpr.Node, written bool)
	walk = func(n *sexpr.Node, written bool) {
		for f := range out {
			if n.Kind == sexpr.KindList && len(n.Items) > 0 && !written && strings.HasPrefix(strings.TrimSuffix(f, ")")+" ", "("+low(n.Items[0])+" ") {
				delete(out, f)
			}
		}
		for i, item := range n.Items {
			head := low(n.Items[0])
			walk(item, i == 1 && (head == "increase" || head == "decrease"))
		}
	}
	for _, a := range b.actions {
		walk(a, false)
	}
	walk(b.goal, false)
	for _, a := range b.axioms {
		walk(a, false)
	}
	return out
}

// compareWithBrute compares all searches of a text with the oracle. It reports false for a
// text with too many states for the oracle.
func compareWithBrute(t testing.TB, text string, most int) (want best, compared bool) {
	t.Helper()
	spec, found := Parse(source.NewFile("p.pddl", text))
	if source.HasErrors(found) {
		for _, d := range found {
			t.Error(d.Code, text[d.Span.Start:d.Span.End], d.Message)
		}
		t.Fatalf("%s", text)
	}
	if want = readBrute(t, text).solve(most); want.full {
		return want, false
	}
	task, err := Ground(spec.Domain, spec.Problem, nil)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	e := encoded(t, task)
	if want.endless {
		if out, err := e.Cheapest(0, SearchSteps, nil); err != nil || !out.NoBest || out.Answer != AnswerUnknown {
			t.Fatalf("%s\n%+v %v", text, out, err)
		}
		return want, true
	}
	costs, unit := task.prices()
	for _, guide := range []*estimate{nil, task.estimate(costs)} {
		if task.signed {
			break // only Cheapest
		}
		s := &search{t: task, e: e, guide: guide, unit: unit, left: 1 << 40, most: 1 << 30}
		if ended, err := s.run(); err != nil || !ended {
			t.Fatalf("%s\n%v %v", text, ended, err)
		}
		out := &Found{}
		s.result(out)
		same(t, text, spec, out, want, guide != nil)
	}
	out, err := e.Cheapest(0, SearchSteps, nil)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	same(t, text, spec, out, want, false)
	if least, ok := e.Least(); want.solved && (!ok || least > want.steps) && task.Problem.Metric == nil {
		t.Fatalf("%s\nhas a plan of %d steps, and the bound is %d, %v", text, want.steps, least, ok)
	}
	return want, true
}

func same(t testing.TB, text string, spec *Spec, out *Found, want best, guided bool) {
	t.Helper()
	if (out.Answer == AnswerSat) != want.solved || out.Answer == AnswerUnknown || !out.Proved {
		t.Fatalf("%s\nthe search (guided: %v) answers %s (%s), the oracle %+v", text, guided, out.Answer, out.Reason, want)
	}
	if !want.solved {
		return
	}
	states, fault := Validate(spec.Domain, spec.Problem, out.Plan)
	if fault != nil {
		t.Fatalf("%s\nhas the plan\n%swhich fails: %s", text, out.Plan, fault.Message)
	}
	cost := float64(states[len(states)-1].Cost) / Unit
	if spec.Problem.Metric != nil && math.Abs(cost-want.cost) > 1e-6 || len(out.Plan) != want.steps {
		t.Fatalf("%s\nthe plan (guided: %v)\n%scosts %v, want cost %v in %d steps", text, guided, out.Plan, cost, want.cost, want.steps)
	}
}
