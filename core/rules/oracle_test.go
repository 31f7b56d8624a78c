package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// oracle evaluates a rule as its definition reads: it tries every value of the run for every
// variable, at every event. It shares the tree, the order of values and the arithmetic with the monitor.
type oracle struct {
	events []*Event
	domain []*Value
	rule   *Formula
	forAll []string
	total  map[string]int
}

func newOracle(rule *Formula, timed bool, events []*Event) *oracle {
	o := &oracle{events: events, rule: rule, total: map[string]int{}}
	seen := map[string]bool{}
	var add func(v *Value)
	add = func(v *Value) {
		if v == nil || seen[v.Identity()] {
			return
		}
		seen[v.Identity()] = true
		o.domain = append(o.domain, v)
		items, _ := v.Content()
		for _, item := range items {
			add(item)
		}
	}
	for _, e := range events {
		if e.Fields != nil {
			items, _ := e.Fields.Content()
			for _, item := range items {
				add(item)
			}
		}
		if timed {
			add(exact.OfNumber(e.Time))
		}
		add(e.Agent)
		add(e.ID)
	}
	for _, name := range namesIn(rule, nil) {
		o.total[name]++
	}
	if rule.Op == OpImplies {
		for _, name := range namesIn(rule, nil) {
			if boundBy(rule.Kids[0])[name] && !slices.Contains(o.forAll, name) {
				o.forAll = append(o.forAll, name)
			}
		}
	}
	return o
}

// namesIn returns the names of variables in a formula, once per occurrence, except those that an aggregate binds.
func namesIn(f *Formula, hidden []string) []string {
	var out []string
	var term func(t *Term)
	use := func(name string) {
		if !slices.Contains(hidden, name) {
			out = append(out, name)
		}
	}
	term = func(t *Term) {
		switch t.Op {
		case TermVariable:
			use(t.Use.Name)
		case TermArithmetic:
			term(t.Kids[0])
			term(t.Kids[1])
		case TermAggregate:
			inner := hidden
			if t.Use != nil {
				inner = append(slices.Clone(hidden), t.Use.Name)
			}
			out = append(out, namesIn(t.Operand, inner)...)
		}
	}
	switch f.Op {
	case OpAtom:
		for _, p := range f.Atom.Patterns {
			if p.Var != nil {
				use(p.Var.Name)
			}
		}
	case OpCompare:
		term(f.Terms[0])
		term(f.Terms[1])
	}
	for _, k := range f.Kids {
		out = append(out, namesIn(k, hidden)...)
	}
	return out
}

func boundBy(f *Formula) map[string]bool {
	out := map[string]bool{}
	switch f.Op {
	case OpAtom:
		for _, p := range f.Atom.Patterns {
			if p.Var != nil {
				out[p.Var.Name] = true
			}
		}
	case OpAnd:
		for _, k := range f.Kids {
			for name := range boundBy(k) {
				out[name] = true
			}
		}
	case OpOr:
		right := boundBy(f.Kids[1])
		for name := range boundBy(f.Kids[0]) {
			if right[name] {
				out[name] = true
			}
		}
	case OpOnce, OpHistorically, OpPrevious:
		return boundBy(f.Kids[0])
	case OpSince:
		return boundBy(f.Kids[1])
	}
	return out
}

// operandsOf returns the operands of a formula that are scopes, one level down.
func operandsOf(f *Formula) []*Formula {
	var out []*Formula
	switch f.Op {
	case OpAnd:
		for _, k := range f.Kids {
			out = append(out, operandsOf(k)...)
		}
	case OpCompare:
		for _, t := range f.Terms {
			eachTerm(t, func(t *Term) {
				if t.Operand != nil {
					out = append(out, t.Operand)
				}
			})
		}
	default:
		return f.Kids
	}
	return out
}

// localsOf returns the variables whose scope is an operand: it has all their occurrences, and no operand
// in it does.
func (o *oracle) localsOf(f *Formula) []string {
	var out []string
	count := func(f *Formula, name string) int {
		n := 0
		for _, other := range namesIn(f, nil) {
			if other == name {
				n++
			}
		}
		return n
	}
	for _, name := range namesIn(f, nil) {
		if slices.Contains(o.forAll, name) || slices.Contains(out, name) || count(f, name) != o.total[name] {
			continue
		}
		smaller := false
		for _, k := range operandsOf(f) {
			smaller = smaller || count(k, name) == o.total[name]
		}
		if !smaller {
			out = append(out, name)
		}
	}
	return out
}

type assignment map[string]*Value

// try calls f for every assignment of the names.
func (o *oracle) try(names []string, env assignment, f func(assignment) bool) bool {
	if len(names) == 0 {
		return f(env)
	}
	for _, v := range o.domain {
		next := assignment{names[0]: v}
		for name, value := range env {
			if name != names[0] {
				next[name] = value
			}
		}
		if o.try(names[1:], next, f) {
			return true
		}
	}
	return false
}

// operand evaluates an operand: for some values of the variables whose scope it is.
func (o *oracle) operand(f *Formula, i int, env assignment) bool {
	var names []string
	for _, name := range o.localsOf(f) {
		if _, ok := env[name]; !ok || env[name] == nil {
			names = append(names, name)
		}
	}
	return o.try(names, env, func(env assignment) bool { return o.holds(f, i, env) })
}

func (o *oracle) inWindow(w *Window, j, i int) bool {
	if w == nil {
		return true
	}
	age, _ := o.events[i].Time.Subtract(o.events[j].Time)
	return age.Compare(w.Seconds) <= 0
}

func (o *oracle) holds(f *Formula, i int, env assignment) bool {
	switch f.Op {
	case OpAtom:
		return o.matches(f.Atom, o.events[i], env)
	case OpCompare:
		a, b := o.value(f.Terms[0], i, env), o.value(f.Terms[1], i, env)
		return a != nil && b != nil && exact.Holds(f.Relation, a, b)
	case OpNot:
		return !o.operand(f.Kids[0], i, env)
	case OpAnd:
		for _, k := range f.Kids {
			if !o.holds(k, i, env) {
				return false
			}
		}
		return true
	case OpOr:
		return o.operand(f.Kids[0], i, env) || o.operand(f.Kids[1], i, env)
	case OpImplies:
		return !o.operand(f.Kids[0], i, env) || o.operand(f.Kids[1], i, env)
	case OpOnce:
		for j := 0; j <= i; j++ {
			if o.inWindow(f.Window, j, i) && o.operand(f.Kids[0], j, env) {
				return true
			}
		}
		return false
	case OpHistorically:
		for j := 0; j <= i; j++ {
			if o.inWindow(f.Window, j, i) && !o.operand(f.Kids[0], j, env) {
				return false
			}
		}
		return true
	case OpPrevious:
		return i > 0 && o.inWindow(f.Window, i-1, i) && o.operand(f.Kids[0], i-1, env)
	}
	for j := 0; j <= i; j++ {
		if !o.inWindow(f.Window, j, i) || !o.operand(f.Kids[1], j, env) {
			continue
		}
		all := true
		for k := j + 1; k <= i; k++ {
			all = all && o.operand(f.Kids[0], k, env)
		}
		if all {
			return true
		}
	}
	return false
}

func (o *oracle) matches(a *Atom, e *Event, env assignment) bool {
	if e.Kind != a.Kind || !a.Any && e.Name != a.Name {
		return false
	}
	for i := range a.Patterns {
		p := &a.Patterns[i]
		v := e.at(p)
		if v == nil || !p.accepts(v) || p.Var != nil && env[p.Var.Name].Identity() != v.Identity() {
			return false
		}
	}
	return true
}

// value returns the value of a term; nil if it is undefined.
func (o *oracle) value(t *Term, i int, env assignment) *Value {
	switch t.Op {
	case TermVariable:
		return env[t.Use.Name]
	case TermLiteral:
		return t.Value
	case TermArithmetic:
		a, b := o.value(t.Kids[0], i, env), o.value(t.Kids[1], i, env)
		if a == nil || b == nil || a.Kind() != exact.KindNumber || b.Kind() != exact.KindNumber {
			return nil
		}
		out, _ := map[string]func(Decimal, Decimal) (Decimal, error){"+": Decimal.Add, "-": Decimal.Subtract, "*": Decimal.Multiply}[t.Sign](a.Number(), b.Number())
		return exact.OfNumber(out)
	}
	events := 0
	distinct := map[string]*Value{}
	var numbers []Decimal
	for j := 0; j <= i; j++ {
		if !o.inWindow(t.Window, j, i) {
			continue
		}
		if t.Use == nil {
			if o.operand(t.Operand, j, env) {
				events++
			}
			continue
		}
		for _, v := range o.domain {
			inner := assignment{}
			for name, value := range env {
				inner[name] = value
			}
			inner[t.Use.Name] = v
			if o.operand(t.Operand, j, inner) {
				distinct[v.Identity()] = v
				if v.Kind() == exact.KindNumber {
					numbers = append(numbers, v.Number())
				}
			}
		}
	}
	switch {
	case t.Use == nil:
		return exact.OfNumber(exact.FromInt(int64(events)))
	case t.Function == "count":
		return exact.OfNumber(exact.FromInt(int64(len(distinct))))
	case t.Function == "sum":
		var total Decimal
		for _, n := range numbers {
			total, _ = total.Add(n)
		}
		return exact.OfNumber(total)
	case len(numbers) == 0:
		return nil
	case t.Function == "min":
		return exact.OfNumber(slices.MinFunc(numbers, Decimal.Compare))
	}
	return exact.OfNumber(slices.MaxFunc(numbers, Decimal.Compare))
}

// judge returns the verdict and the violations as text.
func (o *oracle) judge() string {
	var out []string
	triggered := false
	for i := range o.events {
		if o.rule.Op != OpImplies {
			if !o.operand(o.rule, i, assignment{}) {
				out = append(out, fmt.Sprint(i))
			}
			continue
		}
		var at []assignment
		o.try(o.forAll, assignment{}, func(env assignment) bool {
			if o.operand(o.rule.Kids[0], i, env) {
				triggered = true
				if !o.operand(o.rule.Kids[1], i, env) {
					at = append(at, env)
				}
			}
			return false
		})
		slices.SortFunc(at, func(a, b assignment) int {
			for _, name := range o.forAll {
				if c := exact.Compare(a[name], b[name]); c != 0 {
					return c
				}
			}
			return 0
		})
		for _, env := range at {
			text := fmt.Sprint(i)
			for _, name := range o.forAll {
				text += " " + name + "=" + string(env[name].JSON())
			}
			out = append(out, text)
		}
	}
	verdict := Holds
	if o.rule.Op == OpImplies && !triggered {
		verdict = Untriggered
	}
	if len(out) > 0 {
		verdict = Violated
	}
	return string(verdict) + ": " + strings.Join(out, "; ")
}

// maker writes random rules and runs.
type maker struct{ *rand.Rand }

func (g maker) one(list ...string) string { return list[g.IntN(len(list))] }

func (g maker) window() string {
	if g.IntN(3) > 0 {
		return ""
	}
	return "[" + g.one("0s", "1s", "2s", "5s", "1m") + "]"
}

func (g maker) variable() string { return "?" + g.one("x", "x", "y", "y", "z") }

func (g maker) literal() string { return g.one("1", "2", "3", "1.0", `"s"`, "null", "true", "-1") }

func (g maker) atom() string {
	tool := g.one("a", "a", "b", "b", "c", "*", "a.result", "message", "message.user", "end")
	if tool == "end" {
		return "end()"
	}
	var list []string
	for range g.IntN(3) {
		path := g.one("p", "p", "q", "q", "o.p", "@time", "@agent", "l")
		list = append(list, path+": "+g.one(g.variable(), g.variable(), g.variable(), g.literal(), "_", g.one("=", "!=", "<", "<=", ">", ">=")+" "+g.literal(),
			"in ("+g.literal()+", "+g.literal()+")", "has "+g.literal(), `~ "^s|1"`))
	}
	return tool + "(" + strings.Join(list, ", ") + ")"
}

func (g maker) term(depth int) string {
	switch g.IntN(8) {
	case 0, 1, 2:
		return g.variable()
	case 3, 4:
		return g.literal()
	case 5:
		if depth > 0 {
			return g.term(depth-1) + g.one(" + ", " - ", " * ") + g.term(depth-1)
		}
		return g.variable()
	}
	operand := g.atom()
	if depth > 0 && g.IntN(3) == 0 {
		operand = "(" + g.formula(depth-1) + ")"
	}
	switch g.IntN(3) {
	case 0:
		return "count" + g.window() + " " + operand
	case 1:
		return "count" + g.window() + " distinct " + g.variable() + " for " + operand
	}
	return g.one("sum", "min", "max") + g.window() + " " + g.variable() + " for " + operand
}

func (g maker) formula(depth int) string {
	if depth == 0 || g.IntN(8) == 0 {
		if g.IntN(4) == 0 {
			return g.term(0) + g.one(" = ", " != ", " < ", " <= ", " > ", " >= ") + g.term(0)
		}
		return g.atom()
	}
	inner := func() string { return "(" + g.formula(depth-1) + ")" }
	switch g.IntN(12) {
	case 0, 1:
		return "!" + inner()
	case 2, 3:
		return inner() + " & " + inner()
	case 4:
		return inner() + " | " + inner()
	case 5:
		return inner() + " -> " + inner()
	case 6:
		return "once" + g.window() + inner()
	case 7:
		return "historically" + g.window() + inner()
	case 8:
		return "previous" + g.window() + inner()
	case 9, 10:
		return inner() + " since" + g.window() + " " + inner()
	}
	return g.term(1) + g.one(" = ", " != ", " < ", " <= ", " > ", " >= ") + g.term(1)
}

// binder returns an atom that binds a variable and may compare others.
func (g maker) binder(name string, outer []string) string {
	tool := g.one("a", "a", "b", "*", "a.result")
	patterns := []string{g.one("p", "q") + ": " + name}
	if len(outer) > 0 && g.IntN(2) == 0 {
		patterns = append(patterns, g.one("p", "q")+": "+g.one(outer...))
	}
	return tool + "(" + strings.Join(patterns, ", ") + ")"
}

// inner returns a formula in which all variables of a list have values from outside, and others are
// bound where they are introduced. Most of its operators depend on variables that they do not bind.
func (g maker) inner(depth int, outer []string, fresh *int) string {
	name := func() string {
		*fresh++
		return fmt.Sprintf("?v%d", *fresh)
	}
	one := func() string { return g.one(append([]string{g.literal()}, outer...)...) }
	relation := func() string { return g.one(" = ", " != ", " < ", " <= ", " > ", " >= ") }
	if depth == 0 || g.IntN(7) == 0 {
		if len(outer) > 0 && g.IntN(3) > 0 {
			return g.one(g.binder(g.one(outer...), outer), one()+relation()+one())
		}
		return g.one("a()", "b()", "c()", "a(p: 1)")
	}
	part := func() string { return "(" + g.inner(depth-1, outer, fresh) + ")" }
	switch g.IntN(11) {
	case 0, 1:
		return "!" + part()
	case 2:
		return part() + " & " + part()
	case 3:
		return part() + g.one(" | ", " -> ") + part()
	case 4:
		return g.one("once", "historically", "previous") + g.window() + part()
	case 5:
		return "historically" + g.window() + part()
	case 6:
		return part() + " since" + g.window() + " " + part()
	case 7:
		v := name()
		return g.one("once", "historically", "previous", "!") + "(" + g.binder(v, outer) + " & (" + g.inner(depth-1, append(slices.Clone(outer), v), fresh) + "))"
	case 8:
		v := name()
		return "(" + part() + " since" + g.window() + " (" + g.binder(v, outer) + " & (" + g.inner(depth-1, append(slices.Clone(outer), v), fresh) + ")))"
	}
	aggregate := "count" + g.window() + " " + part()
	if g.IntN(4) > 0 {
		v := name()
		aggregate = g.one("count", "sum", "min", "max") + g.window()
		if strings.HasPrefix(aggregate, "count") {
			aggregate += " distinct"
		}
		aggregate += " " + v + " for (" + g.binder(v, outer) + " & (" + g.inner(depth-1, append(slices.Clone(outer), v), fresh) + "))"
	}
	if g.IntN(3) == 0 {
		return aggregate + g.one(" + ", " - ", " * ") + one() + relation() + one()
	}
	return aggregate + relation() + one()
}

func (g maker) rule() string {
	if g.IntN(2) == 0 {
		fresh := 0
		return g.one("a(p: ?x)", "a(p: ?x, q: ?y)", "b(q: ?x) & once a(p: ?y)") + " -> " + g.inner(1+g.IntN(3), []string{"?x", "?y"}[:1+g.IntN(2)], &fresh)
	}
	if g.IntN(4) == 0 {
		return g.formula(1 + g.IntN(3))
	}
	left := g.atom()
	if g.IntN(2) == 0 {
		left = g.formula(g.IntN(3))
	}
	return "(" + left + ") -> (" + g.formula(1+g.IntN(3)) + ")"
}

func (g maker) run() []*Event {
	var out []*Event
	seconds := 0
	n := 1 + g.IntN(5)
	for i := range n {
		seconds += g.IntN(3)
		if g.IntN(5) == 0 {
			seconds += g.IntN(60)
		}
		raw := RawEvent{Name: g.one("a", "a", "b", "b", "c"), Time: json.RawMessage(fmt.Sprint(seconds))}
		kind := g.one("call", "call", "call", "call", "result", "message", "error")
		if kind == "message" {
			raw.Name = g.one("user", "assistant")
		}
		if i == n-1 && g.IntN(3) == 0 {
			kind = "end"
		}
		raw.Kind = &kind
		var fields []string
		for _, name := range []string{"p", "q", "o", "l"} {
			switch {
			case g.IntN(4) == 0:
			case name == "o":
				fields = append(fields, `"o":{"p":`+g.literal()+`}`)
			case name == "l":
				fields = append(fields, `"l":[`+g.literal()+`,`+g.literal()+`]`)
			default:
				fields = append(fields, `"`+name+`":`+g.literal())
			}
		}
		raw.Fields = json.RawMessage("{" + strings.Join(fields, ",") + "}")
		if g.IntN(2) == 0 {
			raw.Agent = json.RawMessage(`"s"`)
		}
		e, err := ReadEvent(raw, i)
		if err != nil {
			panic(err)
		}
		out = append(out, e)
	}
	return out
}

// describe returns the verdict and the violations of the first rule as text.
func describe(m *Monitor, list []Violation) string {
	var out []string
	for _, v := range list {
		text := fmt.Sprint(v.Event)
		for i, value := range v.Bindings {
			text += " " + m.File.Rules[0].ForAll[i].Name + "=" + string(value.JSON())
		}
		out = append(out, text)
	}
	return string(m.Verdict(0)) + ": " + strings.Join(out, "; ")
}

func showRun(events []*Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s @%s %s", e.Time, e.Kind, e.Name, e.Fields.JSON())
		if e.Agent != nil {
			b.WriteString(" agent " + string(e.Agent.JSON()))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// The monitor agrees with the definition on random rules and runs: after the last event and about a quarter of the others, in the long
// run after each event. A monitor that is saved and loaded after each event agrees with it after each.
func TestMonitorAgreesWithTheDefinition(t *testing.T) {
	n := effort.Sample(100_000, 3_000)
	g := maker{rand.New(rand.NewPCG(25, 1))}
	tried, verdicts := 0, map[Verdict]int{}
	for tried < n {
		text := "r: " + g.rule()
		f := Parse(source.NewFile("", text))
		if f.Rules[0].Fault || len(f.Rules[0].variables) > 5 {
			continue
		}
		tried++
		events := g.run()
		m, saved := NewMonitor(f), NewMonitor(f)
		var list, again []Violation
		for i, e := range events {
			list = append(list, m.Step(e)...)
			again = append(again, saved.Step(e)...)
			state, err := saved.State()
			if err == nil {
				saved, err = Load(f, state)
			}
			if err != nil {
				t.Fatal(err)
			}
			resaved, _ := saved.State()
			if string(resaved) != string(state) {
				t.Fatalf("%s\n%s\nthe state %s\nis loaded as %s", text, showRun(events), state, resaved)
			}
			got := describe(m, list)
			if other := describe(saved, again); other != got {
				t.Fatalf("%s\n%s\nafter event %d %q, saved and loaded %q", text, showRun(events), i, got, other)
			}
			if i < len(events)-1 && g.IntN(4) > 0 && !effort.Long() {
				continue
			}
			if want := newOracle(f.Rules[0].Formula, strings.Contains(text, "@time"), events[:i+1]).judge(); got != want {
				t.Fatalf("%s\n%s\nafter event %d %q, want %q", text, showRun(events), i, got, want)
			}
		}
		verdicts[m.Verdict(0)]++
	}
	for _, v := range []Verdict{Violated, Holds, Untriggered} {
		if verdicts[v] < n/20 {
			t.Errorf("only %d of %d rules are %s", verdicts[v], n, v)
		}
	}
}
