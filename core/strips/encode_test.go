package strips

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// clauses contains the assertions of an SMT-LIB text without quantifiers over Boolean
// constants: literals are numbers from 1, negative if negated (Tseitin 1968).
type clauses struct {
	number map[string]int
	list   [][]int
}

func read(t testing.TB, text string) *clauses {
	t.Helper()
	tree, found := sexpr.Parse(source.NewFile("x.smt2", text))
	if len(found) > 0 {
		t.Fatalf("%s\n%v", text, found)
	}
	c := &clauses{number: map[string]int{}}
	for _, n := range tree.Nodes {
		switch n.Head() {
		case "declare-const":
			if name := n.Items[1].Text; c.number[name] > 0 || len(n.Items) != 3 || n.Items[2].Text != "Bool" {
				t.Fatalf("%s is declared twice, or of no Boolean", name)
			}
			c.number[n.Items[1].Text] = len(c.number) + 1
		case "assert":
			c.list = append(c.list, []int{c.literal(t, n.Items[1])})
		case "set-logic", "check-sat", "get-model":
		default:
			t.Fatalf("the text has a %q", n.Head())
		}
	}
	return c
}

func (c *clauses) fresh() int {
	n := len(c.number) + 1
	c.number[fmt.Sprintf(" %d", n)] = n
	return n
}

// literal returns a number that is true if and only if the formula is.
func (c *clauses) literal(t testing.TB, n *sexpr.Node) int {
	t.Helper()
	if n.Kind == sexpr.KindAtom {
		switch at, ok := c.number[n.Text]; {
		case ok:
			return at
		case n.Text == "true" || n.Text == "false":
			at := c.fresh()
			c.list = append(c.list, []int{map[string]int{"true": at, "false": -at}[n.Text]})
			return at
		}
		t.Fatalf("%s is not declared", n.Text)
	}
	var of []int
	for _, item := range n.Items[1:] {
		of = append(of, c.literal(t, item))
	}
	is := c.fresh()
	or := func(is int, of []int) {
		all := []int{-is}
		for _, l := range of {
			all = append(all, l)
			c.list = append(c.list, []int{is, -l})
		}
		c.list = append(c.list, all)
	}
	switch n.Head() {
	case "not":
		return -of[0]
	case "or":
		or(is, of)
	case "and":
		for i := range of {
			of[i] = -of[i]
		}
		or(-is, of)
	case "=>":
		or(is, []int{-of[0], of[1]})
	case "=":
		c.list = append(c.list, []int{-is, -of[0], of[1]}, []int{-is, of[0], -of[1]}, []int{is, of[0], of[1]}, []int{is, -of[0], -of[1]})
	default:
		t.Fatalf("the text has a %q", n.Head())
	}
	return is
}

// solve returns the constants that are true in a model, or nil if there is none (Davis,
// Logemann and Loveland 1962).
func (c *clauses) solve() map[string]bool {
	with := make([][]int, 2*len(c.number)+2) // clauses by literal
	at := func(l int) int {
		if l < 0 {
			return -2 * l
		}
		return 2*l + 1
	}
	for i, clause := range c.list {
		for _, l := range clause {
			with[at(l)] = append(with[at(l)], i)
		}
	}
	value := make([]int8, len(c.number)+1)
	is := func(l int) int8 {
		if l < 0 {
			return -value[-l]
		}
		return value[l]
	}
	var trail []int
	set := func(l int) {
		if l < 0 {
			value[-l] = -1
		} else {
			value[l] = 1
		}
		trail = append(trail, l)
	}
	// unit assigns the last open literal of a clause; it returns false if all literals are
	// false.
	unit := func(clause []int) bool {
		open := 0
		for _, l := range clause {
			switch {
			case is(l) > 0:
				return true
			case is(l) == 0 && open != 0:
				return true
			case is(l) == 0:
				open = l
			}
		}
		if open != 0 {
			set(open)
		}
		return open != 0
	}
	// follow propagates the assignments from an index of the trail; it returns false at a
	// contradiction.
	follow := func(from int) bool {
		for ; from < len(trail); from++ {
			for _, i := range with[at(-trail[from])] {
				if !unit(c.list[i]) {
					return false
				}
			}
		}
		return true
	}
	for _, clause := range c.list {
		if len(clause) == 1 && !unit(clause) {
			return nil
		}
	}
	if !follow(0) {
		return nil
	}
	// Decide the executed operators first, in their order; most other constants follow from
	// them.
	first := make([]bool, len(value))
	for name, v := range c.number {
		first[v] = strings.HasPrefix(name, "do/")
	}
	var order []int
	for _, doing := range []bool{true, false} {
		for v := 1; v < len(value); v++ {
			if first[v] == doing {
				order = append(order, v)
			}
		}
	}
	var search func(at int) bool
	search = func(at int) bool {
		for ; at < len(order); at++ {
			v := order[at]
			if value[v] != 0 {
				continue
			}
			sign := -1
			if first[v] {
				sign = 1
			}
			for _, l := range []int{sign * v, -sign * v} {
				before := len(trail)
				set(l)
				if follow(before) && search(at+1) {
					return true
				}
				for _, l := range trail[before:] {
					value[max(l, -l)] = 0
				}
				trail = trail[:before]
			}
			return false
		}
		return true
	}
	if !search(0) {
		return nil
	}
	model := map[string]bool{}
	for name, v := range c.number {
		model[name] = value[v] > 0
	}
	return model
}

func TestReferenceSolver(t *testing.T) {
	const declared = "(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)"
	for text, want := range map[string]bool{
		"":                         true,
		"(assert (and a (not a)))": false,
		"(assert (or a b c))":      true,
		"(assert (= a (not a)))":   false,
		"(assert (=> a b))(assert (and a (not b)))":                                               false,
		"(assert (or a b))(assert (or a (not b)))(assert (or (not a) c))(assert (not (and a c)))": false,
		"(assert false)": false,
	} {
		if got := read(t, declared+text).solve() != nil; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// plans reports whether a plan with n steps exists whose states satisfy a formula (nil:
// any). It is the oracle: it follows all sequences of operators.
func plans(t testing.TB, task *Task, f *ltl.Formula, horizon int) bool {
	t.Helper()
	var follow func(state []bool, plan Plan) bool
	follow = func(state []bool, plan Plan) bool {
		if len(plan) == horizon {
			if !task.Reached(state) {
				return false
			}
			states, fault := Validate(task.Domain, task.Problem, plan)
			if fault != nil {
				t.Fatalf("%s reaches the goal, and %s", plan, fault.Message)
			}
			if f == nil {
				return true
			}
			trace, err := Trace(task.Domain, task.Problem, f, plan, states)
			if err != nil {
				t.Fatal(err)
			}
			return f.Holds(trace)
		}
		for i := range task.Operators {
			if next, ok := task.Next(state, &task.Operators[i]); ok && follow(next, append(plan[:len(plan):len(plan)], task.Operators[i].Step)) {
				return true
			}
		}
		return false
	}
	return follow(task.Init, nil)
}

// agree compares the encodings of a task with the oracle, up to a number of steps.
func agree(t *testing.T, what string, task *Task, f *ltl.Formula, most int) (solved int) {
	t.Helper()
	e := encoded(t, task)
	if f != nil {
		if err := e.Restrict(f, nil); err != nil {
			t.Fatal(err)
		}
	}
	for horizon := range most + 1 {
		text, err := e.Text(horizon, nil)
		if err != nil {
			t.Fatal(err)
		}
		model, want := read(t, text).solve(), plans(t, task, f, horizon)
		if (model != nil) != want {
			t.Fatalf("%s\n%v: a plan of %d steps: %v\n%s", what, f, horizon, want, text)
		}
		if model == nil {
			continue
		}
		solved++
		plan, err := e.Plan(horizon, func(symbol string) bool { return model[symbol] })
		if err != nil {
			t.Fatalf("%s\n%v", what, err)
		}
		states, fault := Validate(task.Domain, task.Problem, plan)
		if fault != nil || len(plan) != horizon {
			t.Fatalf("%s\n%s is no plan of %d steps: %+v", what, plan, horizon, fault)
		}
		if f == nil {
			continue
		}
		if trace, err := e.Trace(f, plan, states); err != nil || !f.Holds(trace) {
			t.Fatalf("%s\n%s: %s does not hold (%v)", what, plan, f, err)
		}
	}
	return solved
}

// The encoding for n steps has a model if and only if a plan with n steps exists, and
// every model is such a plan.
func TestModelsOfEncodingsArePlans(t *testing.T) {
	solved := 0
	for seed := range uint64(effort.Of(250)) {
		solved += agree(t, random(seed), grounded(t, random(seed)), nil, 4)
	}
	if solved < effort.Of(50) {
		t.Errorf("only %d are solved", solved)
	}
}

func TestModelsOfEncodingsWithAFormulaSatisfyIt(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	solved := 0
	for seed := range uint64(effort.Of(250)) {
		task := grounded(t, random(seed))
		var draw func(depth int) string
		draw = func(depth int) string {
			if depth == 0 {
				if actions := task.Domain.Actions; r.IntN(2) == 0 {
					return actions[r.IntN(len(actions))].Name
				}
				return fmt.Sprintf("p%d", r.IntN(5))
			}
			a, b := draw(depth-1), draw(depth-1)
			return strings.NewReplacer("A", a, "B", b).Replace([]string{"G (A)", "F (A)", "X (A)", "!(A)", "(A) & (B)", "(A) | (B)", "(A) U (B)", "(A) -> (B)"}[r.IntN(8)])
		}
		f := formulaOf(t, draw(1+r.IntN(2)))
		solved += agree(t, random(seed), task, f, 3)
	}
	if solved < effort.Of(50) {
		t.Errorf("only %d are solved", solved)
	}
}
