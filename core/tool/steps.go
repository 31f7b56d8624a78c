package tool

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/tool/phrase"
)

// Step is a part of a plan: an input, or a call of a tool with the results of earlier steps.
type Step struct {
	Symbol string `json:"symbol"`
	At     int    `json:"at"`             // index of the symbol in the word
	Args   []int  `json:"args,omitempty"` // indices of earlier steps
	Given  bool   `json:"given,omitempty"`
}

// Steps returns the order in which a word is executed. The arguments of a step precede it,
// and with the order "prefix" the last step returns the plan's result. The error is a
// [*Failure] with a symbol that is unknown, lacks arguments, or has a result that no tool
// takes.
func (s *Set) Steps(word []string) ([]Step, error) {
	// Read from the end, a tool's arguments are the values read last.
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
			return nil, &Failure{Tool: symbol, Message: "unknown tool"}
		case s.Order == OrderSteps:
		case len(t.takes) > len(ready):
			return nil, &Failure{Tool: symbol, Message: fmt.Sprintf("takes %s, but only %d of them follow", phrase.List(t.takes), len(ready))}
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
		slices.Reverse(steps)
		return steps, nil
	}
	if len(ready) > 1 {
		over := steps[ready[len(ready)-2]]
		return nil, &Failure{Tool: over.Symbol, Message: "no tool takes this result"}
	}
	return steps, nil
}
