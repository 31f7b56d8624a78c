package checker

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
)

// stepTree is a plan as the tree of its steps, for the tests.
type stepTree struct {
	call *space.Call
	args []*stepTree
}

// stepTrees returns the trees of steps of a call: those of its arguments where it is
// no step itself.
func stepTrees(c *space.Call) []*stepTree {
	if c == nil || len(c.Args) == 0 && !c.Described {
		return nil
	}
	out := &stepTree{call: c}
	if !c.Subset {
		for _, a := range c.Args {
			out.args = append(out.args, stepTrees(a)...)
		}
	}
	return []*stepTree{out}
}

// shuffled returns the steps in a random order in which arguments precede the step.
func shuffled(random *rand.Rand, root *stepTree) []*space.Call {
	needs := map[*stepTree]int{}
	parent := map[*stepTree]*stepTree{}
	var ready []*stepTree
	var walk func(t *stepTree)
	walk = func(t *stepTree) {
		if needs[t] = len(t.args); len(t.args) == 0 {
			ready = append(ready, t)
		}
		for _, a := range t.args {
			parent[a] = t
			walk(a)
		}
	}
	walk(root)
	var out []*space.Call
	for len(ready) > 0 {
		i := random.IntN(len(ready))
		t := ready[i]
		ready = slices.Delete(ready, i, i+1)
		out = append(out, t.call)
		if up := parent[t]; up != nil {
			if needs[up]--; needs[up] == 0 {
				ready = append(ready, up)
			}
		}
	}
	return out
}

// plainly returns a list of steps that say nothing about their arguments.
func plainly(random *rand.Rand, steps []*space.Call) string {
	ways := []string{"1. %\n", "Step 1: Use %.\n", "- Apply % to it\n", "%\n", "1) Then run %;\n", "* **%**\n"}
	way := ways[random.IntN(len(ways))]
	if way == "%\n" && steps[0].Label == steps[0].Name {
		way = ways[0] // names in a row are a word
	}
	var b strings.Builder
	for i, s := range steps {
		line := strings.Replace(way, "1", itoa(i+1), 1)
		b.WriteString(strings.Replace(line, "%", s.Label, 1))
	}
	return b.String()
}

func TestStepsInAnyOrderOfTheBranchesAreValid(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 9))
	listed, branched := 0, 0
	for _, p := range plannables(t) {
		if p.problem.Table == nil || !p.checker.onlySteps() {
			continue
		}
		for seed := range uint64(effort.Sample(1500, 40)) {
			made := sampled(t, p.problem, seed)
			roots := stepTrees(p.problem.Table.Call(made.Tree))
			if len(roots) == 0 || !space.ToolsOnly(p.problem.Table.Call(made.Tree)) {
				continue
			}
			order := shuffled(random, roots[0])
			text := plainly(random, order)
			v, err := p.checker.Check(text, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(p.Name, err)
			}
			if listed++; !v.Valid || len(v.Steps) != len(order) {
				t.Fatalf("%s: %s as\n%s%s", p.Name, made.Function, text, v.Fault)
			}
			for i, s := range v.Steps {
				if s.Symbol != order[i].Name {
					t.Fatalf("%s: step %d of\n%sis %+v", p.Name, i+1, text, s)
				}
			}
			if len(roots[0].args) > 1 {
				branched++
			}
		}
	}
	t.Logf("%d plans, %d with branches", listed, branched)
	if branched < effort.Of(50) {
		t.Error("too few plans have branches")
	}
}

// onlySteps reports whether all plans are steps that take the results of others.
func (c *Checker) onlySteps() bool { return !c.stepGrammar.inFull }

// oracle enumerates the plans of a grammar of tools by brute force: their words, and
// the lists of their steps in all orders of the branches.
type oracle struct {
	g     *grammar.Grammar
	lists map[string]bool
}

// plansOf returns the plans of a nonterminal with a number of steps.
func (o *oracle) plansOf(s grammar.Symbol, steps int) (words [][]grammar.Symbol, trees []*stepTree) {
	for _, n := range o.g.ByLeft(s) {
		right := o.g.Productions[n].Right
		if len(right) == 1 {
			if steps == 0 {
				words, trees = append(words, right), append(trees, nil)
			}
			continue
		}
		if steps == 0 {
			continue
		}
		tool := &space.Call{Name: o.g.Names[right[0]]}
		if len(right) == 2 {
			inner, below := o.plansOf(right[1], steps-1)
			for i, w := range inner {
				words, trees = append(words, append([]grammar.Symbol{right[0]}, w...)), append(trees, newStepTree(tool, below[i]))
			}
			continue
		}
		for first := range steps {
			left, leftTrees := o.plansOf(right[1], first)
			more, moreTrees := o.plansOf(right[2], steps-1-first)
			for i, w := range left {
				for k, v := range more {
					word := append(append([]grammar.Symbol{right[0]}, w...), v...)
					words, trees = append(words, word), append(trees, newStepTree(tool, leftTrees[i], moreTrees[k]))
				}
			}
		}
	}
	return words, trees
}

func newStepTree(tool *space.Call, args ...*stepTree) *stepTree {
	out := &stepTree{call: tool}
	for _, a := range args {
		if a != nil {
			out.args = append(out.args, a)
		}
	}
	return out
}

func newOracle(c *Checker, longest int) *oracle {
	o := &oracle{g: c.g, lists: map[string]bool{}}
	for n := 1; n <= longest; n++ {
		words, trees := o.plansOf(c.g.Start, n)
		for i, word := range words {
			if c.rules.Satisfied(word) {
				o.add("", []*stepTree{trees[i]})
			}
		}
	}
	return o
}

// add adds all lists that end with some trees: the list is built from its end.
func (o *oracle) add(list string, open []*stepTree) {
	if len(open) == 0 {
		o.lists[list] = true
		return
	}
	for i, t := range open {
		rest := append(slices.Clone(open[:i]), open[i+1:]...)
		o.add(t.call.Name+" "+list, append(rest, t.args...))
	}
}

// randomTools returns a small grammar of tools, each with one or two inputs.
func randomTools(random *rand.Rand) string {
	kinds := []string{"S", "X", "Y"}
	text := "S -> s X | s Y | p X Y\n"
	for i, kind := range kinds[1:] {
		text += kind + " -> " + []string{"i", "j"}[i] + "\n"
		for n := range 1 + random.IntN(3) {
			text += kind + " -> " + string(rune('a'+4*i+n)) + "t"
			for range 1 + random.IntN(2) {
				text += " " + kinds[1+random.IntN(2)]
			}
			text += "\n"
		}
	}
	switch random.IntN(3) {
	case 0:
		text += "limit 1 each except i j\n"
	case 1:
		text += "limit " + itoa(1+random.IntN(3)) + " i\nlimit 2 at\n"
	}
	return text
}

func TestStepListsAgreeWithAnOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 19))
	valid, invalid := 0, 0
	for range effort.Sample(400, 12) {
		text := randomTools(random)
		g := must.Grammar(t, text)
		var properties []space.Property
		if random.IntN(3) == 0 {
			formula := []string{"F at", "G(et -> X F at)", "(!at) U et", "G !(at & X at)"}[random.IntN(4)]
			if strings.Contains(text, "at ") && strings.Contains(text, "et ") {
				properties = plantest.Properties(t, "p: "+formula)
			}
		}
		c, err := New(g, g.DeclaredLimits(), nil, properties...)
		if err != nil {
			t.Fatal(err)
		}
		const longest = 5
		o := newOracle(c, longest)
		var names []string
		for s := range grammar.Symbol(g.NumTerminals) {
			if !c.stepGrammar.inputs[s] {
				names = append(names, g.Names[s])
			}
		}
		var lists [][]string
		for list := range o.lists {
			lists = append(lists, strings.Fields(list))
		}
		slices.SortFunc(lists, slices.Compare)
		for range 60 {
			var steps []string
			if len(lists) > 0 && random.IntN(2) == 0 {
				steps = slices.Clone(lists[random.IntN(len(lists))])
				for range random.IntN(3) {
					i, k := random.IntN(len(steps)), random.IntN(len(steps))
					if steps[i], steps[k] = steps[k], steps[i]; random.IntN(2) == 0 {
						steps[i] = names[random.IntN(len(names))]
					}
				}
			} else {
				for range 1 + random.IntN(longest) {
					steps = append(steps, names[random.IntN(len(names))])
				}
			}
			said := "- " + strings.Join(steps, "\n- ") + "\n"
			v, err := c.Check(said, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, c, said, v)
			want := o.lists[strings.Join(steps, " ")+" "]
			if v.Valid != want {
				t.Fatalf("%s\n%svalid %v, want %v: %s", text, said, v.Valid, want, v.Fault)
			}
			if want {
				valid++
			} else {
				invalid++
			}
		}
	}
	t.Logf("%d valid, %d invalid", valid, invalid)
	if valid < effort.Of(100) || invalid < effort.Of(100) {
		t.Error("the lists are too much alike")
	}
}

// referring returns a list of steps, some or all of which name their inputs.
func referring(random *rand.Rand, root *stepTree, order []*space.Call, all bool) string {
	at, tree := map[*space.Call]int{}, map[*space.Call]*stepTree{}
	for i, s := range order {
		at[s] = i
	}
	var walk func(t *stepTree)
	walk = func(t *stepTree) {
		tree[t.call] = t
		for _, a := range t.args {
			walk(a)
		}
	}
	walk(root)
	var b strings.Builder
	for i, s := range order {
		b.WriteString(itoa(i+1) + ". Use " + s.Label)
		if all || random.IntN(2) == 0 {
			steps := tree[s].args
			for k, a := range s.Args {
				if b.WriteString([]string{" on ", " and "}[min(k, 1)]); len(a.Args) == 0 {
					b.WriteString(a.Label)
					continue
				}
				way := []string{"the result of step ", "the output from step ", "step "}[random.IntN(3)]
				b.WriteString(way + itoa(at[steps[0].call]+1))
				steps = steps[1:]
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestReferencesDecideTheReading(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 19))
	ambiguous := 0
	for _, p := range plannables(t) {
		if !strings.HasPrefix(p.Name, "openagi") {
			continue
		}
		for seed := range uint64(effort.Sample(1000, 60)) {
			made := sampled(t, p.problem, seed)
			roots := stepTrees(p.problem.Table.Call(made.Tree))
			if len(roots) == 0 {
				continue
			}
			order := shuffled(random, roots[0])
			all := seed%2 == 0
			text := referring(random, roots[0], order, all)
			v, err := p.checker.Check(text, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(p.Name, err)
			}
			if !v.Valid || all && v.Function != made.Function {
				t.Fatalf("%s: %s as\n%sis %s %s", p.Name, made.Function, text, v.Function, v.Fault)
			}
			if strings.Contains(strings.Join(v.Notes, " "), "readings fit") {
				ambiguous++
				if all {
					t.Fatalf("%s: %v of\n%s", p.Name, v.Notes, text)
				}
			}
		}
	}
	if ambiguous == 0 {
		t.Error("no list is ambiguous")
	}
}

// The searches for the first fault and for a nearer plan end long before the meter does,
// and the verdict says so.
func TestLongInvalidListsReportEndedSearches(t *testing.T) {
	ended := 0
	random := rand.New(rand.NewPCG(3, 3))
	for _, p := range plannables(t) {
		if p.checker.table == nil || len(p.checker.Letters()) != 8 {
			continue
		}
		var text strings.Builder
		for range 60 {
			text.WriteString("- " + p.checker.Letters()[random.IntN(8)] + "\n")
		}
		v, err := p.checker.Check(text.String(), meter.New(meter.Budget{}))
		if err != nil || v.Valid || v.Fault == "" {
			t.Errorf("%s: %v, %+v", p.Name, err, v)
			continue
		}
		if strings.Contains(v.Fault+strings.Join(v.Notes, "\n"), "ended") {
			ended++
		}
	}
	if ended == 0 {
		t.Error("no verdict reports that a search ended")
	}
}
