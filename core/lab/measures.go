package lab

import (
	"slices"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/travel"
)

// everyRun has the measures of every run.
var everyRun = []string{"calls", "tokens", "seconds", costMeasure}

const costMeasure = "cost" // in dollars

// measured returns, by kind of method, the measures of its cells, except those in [everyRun]. A
// planner that plans trips also has the measures of the benchmark.
func measured() map[string][]string {
	return map[string][]string{
		MethodPlan:      append([]string{"valid", "met", "score", "dead-ends", "choices", "fallbacks"}, append(tripMeasures(), ruleMeasures...)...),
		MethodBaseline:  {"valid", "met", "score"},
		MethodMonitor:   append([]string{"valid", "score", "violations", "tool-calls"}, ruleMeasures...),
		MethodBenchmark: append([]string{"score", "tool-calls", "correctness", "completeness", "repeats", "rouge-l", "tasks-as-the-gold-calls"}, tripMeasures()...),
		MethodFormulate: append([]string{"valid", "score", "solved", "optimal", "checks", "rounds", "solves"}, stageMeasures()...),
		MethodLearn:     {"valid", "score"},
		MethodTeam:      append([]string{"valid", "score", "sub-tasks", "violations", "tool-calls"}, ruleMeasures...),
	}
}

// Endings of the measures of a stage.
const (
	secondsOf = "-seconds"
	costOf    = "-cost"
	callsOf   = "-calls"
)

// stageMeasures are the time, the cost and the calls of the stages of a formulation. The solver costs
// nothing and calls no model.
func stageMeasures() (out []string) {
	for _, stage := range formulate.Stages {
		if out = append(out, stage+secondsOf); stage != formulate.StageSolver {
			out = append(out, stage+costOf, stage+callsOf)
		}
	}
	return out
}

// stagesOf returns the measures of the stages of a run. A stage whose model is simulated takes no
// time and costs nothing, so it has calls only. Without a price, the cost is unknown.
func stagesOf(r *formulate.Result, priced bool) (list []Measure) {
	for _, s := range r.Stages {
		if s.Stage == formulate.StageSolver {
			if s.Spent.Solves > 0 {
				list = append(list, number(s.Stage+secondsOf, float64(s.Spent.Solving)/1000))
			}
			continue
		}
		if s.Spent.Milliseconds > 0 || s.Spent.Money > 0 {
			list = append(list, number(s.Stage+secondsOf, float64(s.Spent.Milliseconds)/1000))
			if priced {
				list = append(list, number(s.Stage+costOf, s.Spent.Money))
			}
		}
		list = append(list, number(s.Stage+callsOf, float64(s.Spent.Calls)))
	}
	return list
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
