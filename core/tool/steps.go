package tool

import "fmt"

// Step is a part of a plan: an input, or a call of a tool with what earlier steps
// gave.
type Step struct {
	Symbol string `json:"symbol"`
	At     int    `json:"at"`             // the symbol's place in the word
	Args   []int  `json:"args,omitempty"` // earlier steps
	Given  bool   `json:"given,omitempty"`
}

// Steps returns how a word is carried out: what a step takes comes before it, and
// the last step gives the result of a plan in prefix order. The error is a
// [*Failure] that names the symbol at which the word cannot be read on.
func (s *Set) Steps(word []string) ([]Step, error) {
	// From the end, the arguments of a tool are what was read last.
	var steps []Step
	var ready []int
	for at := len(word) - 1; at >= 0; at-- {
		symbol := word[at]
		t, _ := s.find(symbol)
		_, given := s.inputs[symbol]
		step := Step{Symbol: symbol, At: at, Given: given}
		switch {
		case given:
		case t == nil:
			return nil, &Failure{Tool: symbol, Message: "there is no such tool"}
		case s.Order == OrderSteps:
		case len(t.takes) > len(ready):
			return nil, &Failure{Tool: symbol, Message: fmt.Sprintf("takes %s, but only %d of them follow", list(t.takes), len(ready))}
		default:
			for n := range t.takes {
				step.Args = append(step.Args, ready[len(ready)-1-n])
			}
			ready = ready[:len(ready)-len(t.takes)]
		}
		ready = append(ready, len(steps))
		steps = append(steps, step)
	}
	if s.Order == OrderSteps {
		for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
			steps[i], steps[j] = steps[j], steps[i]
		}
		return steps, nil
	}
	if len(ready) > 1 {
		over := steps[ready[len(ready)-2]]
		return nil, &Failure{Tool: over.Symbol, Message: "nothing takes what this gives"}
	}
	return steps, nil
}
