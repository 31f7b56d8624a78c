package lab

import (
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

func shareOf(list []Measure, name string) float64 {
	for _, m := range list {
		if m.Name == name {
			return m.Count
		}
	}
	return -1
}

// A plan with an unknown result does not meet a goal, and an empty answer is not right.
func TestMissingResultMeetsNoGoal(t *testing.T) {
	text, _ := json.Marshal(plan.Plan{Word: []string{"a"}})
	wanted := Cell{task: task{planned: &plannedTask{Goal: &tool.Goal{Type: "image"}}}}
	list, err := wanted.judgePlan(process.NestedResult{Result: text})
	if err != nil || shareOf(list, "met") != 0 || shareOf(list, "score") != 0 || shareOf(list, "valid") != 1 {
		t.Errorf("%v %+v", err, list)
	}
	free := Cell{task: task{planned: &plannedTask{}}}
	if list, err = free.judgePlan(process.NestedResult{Result: text}); err != nil || shareOf(list, "met") != 1 {
		t.Errorf("%v %+v", err, list)
	}
	for answer, right := range map[string]float64{"": 0, "the": 0, "A.": 1} {
		made, _ := json.Marshal(map[string]string{"answer": answer, "verdict": "valid"})
		if list, err = judgeAnswer(process.NestedResult{Result: made}, "A"); err != nil || shareOf(list, "score") != right {
			t.Errorf("%q: %v %+v", answer, err, list)
		}
	}
}

// The result of a method is measured even if it is empty.
func TestFailedBenchmarkRunScoresZero(t *testing.T) {
	var out Outcome
	list, err := judgeBenchmark(process.NestedResult{Err: source.NewError("limit.steps", "too long")}, &out)
	if err != nil || shareOf(list, "score") != 0 {
		t.Errorf("%v %+v", err, list)
	}
}
