package lab

import (
	"slices"

	"github.com/stile-playground/stile/core/travel"
)

// everyRun has the measures of every run.
var everyRun = []string{"calls", "tokens", "seconds", "cost"}

// measured returns the measures of cells by the kind of method, without those of
// [everyRun]. A planner that plans trips has those of the benchmark as well.
func measured() map[string][]string {
	return map[string][]string{
		MethodPlan:      append([]string{"valid", "met", "score", "dead-ends", "choices"}, tripMeasures()...),
		MethodBaseline:  {"valid", "met", "score"},
		MethodMonitor:   {"valid", "score", "violations", "tool-calls"},
		MethodBenchmark: append([]string{"score", "tool-calls", "correctness", "completeness", "repeats", "rouge-l", "tasks-as-the-gold-calls"}, tripMeasures()...),
		MethodFormulate: {"valid", "score", "solved", "optimal", "checks", "rounds", "solves"},
		MethodTeam:      {"valid", "score", "sub-tasks", "violations", "tool-calls"},
	}
}

// tripMeasures are the rates of TravelPlanner, and its constraints.
func tripMeasures() []string {
	out := []string{"delivered", "common-sense-micro", "common-sense-macro", "hard-micro", "hard-macro", "final-pass"}
	for _, name := range slices.Concat(travel.Commonsense(), travel.Hard()) {
		out = append(out, Word(name))
	}
	return out
}

// Measures returns the names of the measures of methods of the given kinds, sorted; without
// kinds, of all.
func Measures(kinds ...string) []string {
	if len(kinds) == 0 {
		kinds = methodKinds
	}
	out := slices.Clone(everyRun)
	for _, kind := range kinds {
		out = append(out, measured()[kind]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
