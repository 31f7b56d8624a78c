package grammars_test

import (
	"github.com/stile-playground/stile/core/plan/space"
)
import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/grammars"
)

// seeds is the number of plans for each form of task.
const seeds = 5

// makePlan makes one plan, without calls to a host.
func makePlan(table *space.Table, s plan.Settings, seed uint64, budget meter.Budget) (*plan.Plan, []string, error) {
	p := process.New(func(env *process.Env) (any, error) { return plan.Problem{Table: table}.Run(env, s) }, seed, budget, nil)
	defer p.Stop()
	var events []string
	for {
		out, err := p.Resume(nil, 0)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range out.Events {
			events = append(events, string(e))
		}
		switch out.State {
		case process.StateDone:
			var made plan.Plan
			return &made, events, json.Unmarshal(out.Result, &made)
		case process.StateFailed:
			return nil, events, out.Err
		}
	}
}

// forms returns the tables of all specs that tasks name, by file.
func forms(t testing.TB) (map[string]*space.Table, map[string]*derivable) {
	t.Helper()
	e := example(t, "openagi-tasks")
	tables, specs := map[string]*space.Table{}, map[string]*derivable{}
	for _, task := range grammars.OpenAGITasks() {
		if tables[task.Spec] != nil {
			continue
		}
		d := openGrammar(t, e, task.Spec)
		table, err := space.NewTable(d.Grammar, d.DeclaredLimits(), meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		tables[task.Spec], specs[task.Spec] = table, d
	}
	return tables, specs
}

func TestPlansForEveryFormOfTaskAreValid(t *testing.T) {
	tables, specs := forms(t)
	tasks := grammars.OpenAGITasks()
	for _, constrained := range []bool{false, true} {
		plans, choices, unread := 0, 0, 0
		for _, task := range tasks {
			for seed := range uint64(seeds) {
				made, events, err := makePlan(tables[task.Spec], plan.Settings{
					Task: task.Text, Attempts: 1000,
					Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.9, Constrained: constrained},
				}, seed, meter.Budget{Calls: 1 << 20, Tokens: 1 << 40})
				if err != nil {
					t.Fatalf("task %d, seed %d: %v", task.ID, seed, err)
				}
				if !specs[task.Spec].derives(made.Word) {
					t.Fatalf("task %d, seed %d: %v is no plan", task.ID, seed, made.Word)
				}
				again := 0
				for _, e := range events {
					if strings.Contains(e, `"plan.reply"`) && strings.Contains(e, `"fault"`) {
						again++
					}
				}
				if made.DeadEnds+made.Backtracks > 0 || made.Calls != made.Choices+again || constrained && again > 0 {
					t.Fatalf("task %d, seed %d: %d calls for %d choices, %d unreadable answers, %d dead ends", task.ID, seed, made.Calls, made.Choices, again, made.DeadEnds)
				}
				plans++
				choices += made.Choices
				unread += again
			}
		}
		t.Logf("constrained %v: %d of %d plans valid, %d questions, %d answers that could not be read", constrained, plans, plans, choices, unread)
	}
}

// TestCallsPerPlan writes the table of model calls per plan. The number of calls depends on the
// answers, which are drawn uniformly.
func TestCallsPerPlan(t *testing.T) {
	tables, specs := forms(t)
	classes := []string{"image->image", "image->text", "text->image", "text->text", "image+text->text", "text+text->text"}
	type row struct{ plans, symbols, releasedSymbols, ours, released, plain, deadEnds, stranded int }
	rows := map[string]*row{}
	for _, class := range classes {
		rows[class] = &row{}
	}
	for _, task := range grammars.OpenAGITasks() {
		r := rows[task.Class]
		for seed := range uint64(seeds) {
			made, _, err := makePlan(tables[task.Spec], plan.Settings{Task: task.Text, Model: llm.Spec{Kind: llm.KindUniform}}, seed, meter.Budget{})
			if err != nil {
				t.Fatal(err)
			}
			r.plans++
			r.symbols += len(made.Word)
			r.ours += made.Calls
			word, calls := released(task, seed)
			if !specs[task.Spec].derives(inPaperOrder(word)) {
				t.Fatalf("task %d, seed %d: the released planner made %v", task.ID, seed, word)
			}
			r.released += calls
			r.releasedSymbols += len(word)
			naive, _, err := makePlan(tables[task.Spec], plan.Settings{Task: task.Text, Naive: true, Model: llm.Spec{Kind: llm.KindUniform}}, seed, meter.Budget{})
			if err != nil {
				r.stranded++
				continue
			}
			r.plain += naive.Calls
			r.deadEnds += naive.DeadEnds
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Calls of a model per plan, means over all forms of tasks × %d seeds, answered evenly at random\n\n", seeds)
	fmt.Fprintf(&b, "| class | plans | exact look-ahead | for words of | released look-ahead | for words of | plain backtracking | its dead ends | it gave up |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, class := range classes {
		r := rows[class]
		mean := func(n, of int) string { return fmt.Sprintf("%.1f", float64(n)/float64(max(of, 1))) }
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s | %s | %s | %d |\n", class, r.plans,
			mean(r.ours, r.plans), mean(r.symbols, r.plans), mean(r.released, r.plans), mean(r.releasedSymbols, r.plans), mean(r.plain, r.plans-r.stranded), mean(r.deadEnds, r.plans-r.stranded), r.stranded)
	}
	if *update {
		if err := os.WriteFile("testdata/calls.md", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/calls.md")
	if err != nil || string(want) != b.String() {
		t.Errorf("testdata/calls.md is not\n%s(%v); -update writes it", b.String(), err)
	}
}
