package formulate

import "strings"

// Phrases of tasks whose plans have steps: actions, a first state and a goal.
var (
	actionWords = []string{"pick up", "pick-up", "picks up", "put down", "put-down", "puts down", "unstack", "stack ", "move ", "moves ", "moving", "drive ", "drives ", "load ", "unload", "carry", "carries", "push", "walk", "actions", "action ", "one step", "steps", "one thing is done at a time", "at a time", "cross", "can be done", "can do"}
	stateWords  = []string{"initial", "at first", "at the start", "in the beginning", "in the first state", "first state", "currently", "now ", " is on ", " are on ", " is at ", " are at ", " is in ", " are in ", "holds of", "there is "}
	goalWords   = []string{"goal", "has to be", "have to be", "must be", "should be", "needs to be", "end up", "in the end", "at the end", "is to be"}
	// numberWords occur in problems about quantities, whose plans are choices of values.
	numberWords = []string{"cost", "price", "capacity", "demand", "minimi", "maximi", "profit", "budget", "least total", "per unit"}
)

// SeemsSteps reports whether the plan of a problem seems to be a sequence of actions: the form of
// the answer has steps, or the texts mention several actions, a state and a goal, and no
// quantities. The result is a proposal for a problem that has no formulation yet.
func (p *Problem) SeemsSteps() bool {
	if strings.Contains(p.Output, `"{plan}`) {
		return true
	}
	text := strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("*", "", "\n", " ").Replace(p.Task+" "+p.Query)), " ") + " ")
	count := func(words []string) (n int) {
		for _, w := range words {
			if strings.Contains(text, w) {
				n++
			}
		}
		return n
	}
	return strings.TrimSpace(p.Data) == "" && count(actionWords) >= 2 && count(stateWords) > 0 && count(goalWords) > 0 && count(numberWords) < 2
}
