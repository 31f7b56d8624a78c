package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
)

// benchPlans makes whole plans with a simulated model, seed by seed, and reports the time of a
// choice and of a plan.
func benchPlans(b *testing.B, g *grammar.Grammar, limits grammar.Limits) {
	b.Helper()
	model, err := llm.New(llm.Spec{Kind: llm.KindUniform})
	if err != nil {
		b.Fatal(err)
	}
	table, err := space.NewTable(g, limits, nil)
	if err != nil {
		b.Fatal(err)
	}
	seed, tools := uint64(0), 0
	for b.Loop() {
		out, _ := plantest.Play(b, func(env *process.Env) (any, error) {
			made, err := Problem{Table: table}.RunWith(env, model, Settings{MaxSteps: 10_000})
			if err == nil {
				tools += len(made.Word)
			}
			return nil, err
		}, seed)
		if out.Err != nil {
			b.Fatal(out.Err)
		}
		seed++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(tools, 1)), "ns/tool")
}

// BenchmarkPlan plans with each of Formal-LLM's six classes of tasks, every tool at most
// once.
func BenchmarkPlan(b *testing.B) {
	type record struct {
		ID, Grammar string
		Limits      grammar.Limits
	}
	for _, r := range conformance.Records[record](b, "plans.jsonl") {
		class, ok := strings.CutSuffix(r.ID, ", paper order")
		if !ok {
			continue
		}
		b.Run(strings.ReplaceAll(class, "->", "-to-"), func(b *testing.B) { benchPlans(b, must.Grammar(b, r.Grammar), r.Limits) })
	}
}

// BenchmarkPlanTools plans with a flat list of tools, each at most once: with more tools
// both the choices and the plans grow.
func BenchmarkPlanTools(b *testing.B) {
	for _, n := range []int{10, 20, 40, 80} {
		var text strings.Builder
		text.WriteString("S -> step | step S\nstep -> tool0")
		for i := range n - 1 {
			fmt.Fprintf(&text, " | tool%d", i+1)
		}
		once := int64(1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchPlans(b, must.Grammar(b, text.String()+"\n"), grammar.Limits{Each: &once})
		})
	}
}
