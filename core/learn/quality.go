package learn

import (
	"github.com/stile-playground/stile/core/tool"
)

// What a plan scores that can be carried out: so much for having a result of the right
// type at all, and the rest by the share of what is wanted of it. Each tool takes a
// little away, for a result that has passed through another model is none the better.
const (
	executable = 0.2
	perTool    = 0.01
	least      = 0.05
)

// Quality scores the result of a plan of so many tools, from 0 to 1. It is simulated: it
// stands for what the benchmark measures on its own data, where a result is compared
// with a label. A result of the wrong type scores 0.
func Quality(goal tool.Goal, result tool.Value, tools int) float64 {
	if result.Type != goal.Type {
		return 0
	}
	wanted, met := 0, 0
	count := func(holds bool) {
		wanted++
		if holds {
			met++
		}
	}
	for _, mark := range goal.Marks {
		count(result.Has(mark))
	}
	for _, mark := range goal.Without {
		count(!result.Has(mark))
	}
	for _, most := range goal.Most {
		count(result.Sum(most.Name) <= most.Amount)
	}
	share := 1.0
	if wanted > 0 {
		share = float64(met) / float64(wanted)
	}
	score := executable + float64((1-executable)*share)
	return max(score-float64(perTool*float64(tools)), least)
}

// carryOut carries a word out and returns its result and how many tools it took; ok is
// false where that cannot be done.
func carryOut(set *tool.Set, word []string) (result tool.Value, tools int, ok bool) {
	steps, err := set.Steps(word)
	if err != nil || len(steps) == 0 {
		return result, 0, false
	}
	values := make([]tool.Value, len(steps))
	counts := map[string]int{}
	for i, step := range steps {
		if step.Given {
			values[i], _ = set.Input(step.Symbol)
			continue
		}
		args := make([]tool.Value, len(step.Args))
		for n, a := range step.Args {
			args[n] = values[a]
		}
		counts[step.Symbol]++
		tools++
		if values[i], err = set.Call(tool.Context{Count: counts[step.Symbol]}, step.Symbol, args); err != nil {
			return result, tools, false
		}
	}
	if set.Order == tool.OrderSteps {
		return set.Combine(values), tools, true
	}
	return values[len(values)-1], tools, true
}
