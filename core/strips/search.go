package strips

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Answer is a solver's answer to an encoding.
type Answer string

// The answers.
const (
	AnswerSat     Answer = "sat"
	AnswerUnsat   Answer = "unsat"
	AnswerUnknown Answer = "unknown"
)

// Read reads a solver's output for the text of a horizon: whether a plan with that many
// steps exists, and the plan. The error has the code "strips.answer" for malformed output
// and for a model in which a step has no action.
func (e *Encoding) Read(horizon int, text string) (Answer, Plan, error) {
	tree, _ := sexpr.Parse(source.NewFile("answer", text))
	if len(tree.Nodes) == 0 {
		return "", nil, source.NewError("strips.answer", "the solver's answer is empty")
	}
	answer := Answer(tree.Nodes[0].Text)
	switch answer {
	case AnswerUnsat, AnswerUnknown:
		return answer, nil, nil
	case AnswerSat:
	default:
		first, _, _ := strings.Cut(text, "\n")
		return "", nil, source.NewError("strips.answer", "expected sat or unsat from the solver, got "+first)
	}
	holds := map[string]bool{}
	for _, n := range tree.Nodes[1:] {
		readModel(n, holds)
	}
	plan, err := e.Plan(horizon, func(symbol string) bool { return holds[symbol] })
	return answer, plan, err
}

// readModel collects the propositions that are true in a model: p in (define-fun p ()
// Bool true), the output of get-model, or in (p true), the output of get-value.
func readModel(n *sexpr.Node, holds map[string]bool) {
	items := n.Items
	switch {
	case n.Kind != sexpr.KindList:
	case n.Head() == "define-fun" && len(items) == 5:
		holds[items[1].Text] = items[4].Text == "true"
	case len(items) == 2 && items[0].Kind == sexpr.KindAtom && items[1].Kind == sexpr.KindAtom:
		holds[items[0].Text] = items[1].Text == "true"
	default:
		for _, item := range items {
			readModel(item, holds)
		}
	}
}

// Plan returns the plan of a model of the text for a horizon.
func (e *Encoding) Plan(horizon int, holds func(symbol string) bool) (Plan, error) {
	plan := Plan{}
	for t := 1; t <= horizon; t++ {
		for i, name := range e.actions {
			if holds(at(name, t)) {
				plan = append(plan, e.task.Operators[i].Step)
			}
		}
		if len(plan) != t {
			return nil, source.NewError("strips.answer", fmt.Sprintf("the solver's model has no single action for step %d", t))
		}
	}
	return plan, nil
}

// Solve is a solver: it answers an SMT-LIB text.
type Solve func(text string) (answer string, err error)

// Search solves an encoding for increasing numbers of steps, from [Encoding.Least] up to
// most, until one is satisfiable; its plan is a shortest one. If there is no plan, the
// answer is unsat if all texts were unsatisfiable, and unknown otherwise. Callers that
// yield between two texts write this loop themselves.
func Search(e *Encoding, most int, solve Solve, m *meter.Meter) (Plan, Answer, error) {
	least, ok := e.Least()
	if !ok {
		return nil, AnswerUnsat, nil
	}
	for horizon := least; horizon <= most; horizon++ {
		text, err := e.Text(horizon, m)
		if err != nil {
			return nil, "", err
		}
		said, err := solve(text)
		if err != nil {
			return nil, "", err
		}
		answer, plan, err := e.Read(horizon, said)
		if err != nil || answer != AnswerUnsat {
			return plan, answer, err
		}
	}
	return nil, AnswerUnsat, nil
}
