package learn

import (
	"github.com/stile-playground/stile/core/tool"
)

// A result of the right type scores executable, plus a share of the rest in proportion to the
// properties of the goal that it has. Each tool then costs perTool, because every further model can
// only lose quality; the score is at least least.
const (
	executable = 0.2
	perTool    = 0.01
	least      = 0.05
)

// Quality returns the simulated score of a plan's result, from 0 to 1. It replaces the
// benchmark's measure, which compares results with labels of its data. A result of the
// wrong type scores 0.
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

// carryOut executes a word and returns its result and the number of tools. ok is false if
// that fails.
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
