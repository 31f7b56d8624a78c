package team

import (
	"slices"
	"strings"
)

// baselineMethods maps each baseline of Zhang et al. (2024, §5) to its instructions. The baselines
// do the same task with the same tools and constraints, but without a team. ReAct is one agent with
// all tools, Act the same agent without thoughts. CoT thinks and answers without tools. Sole
// planning answers from given information, without retrieving it (Xie et al. 2024).
var baselineMethods = map[string]string{
	MethodReAct: "Use your tools to find the required facts. Then write the complete answer to the task.",
	MethodAct:   "Use your tools to find the required facts. Then write the complete answer to the task.",
	MethodCoT:   "Think step by step. Then write the complete answer to the task.",
	MethodSole:  "All required facts are given. Make a plan from these facts alone, and write the complete answer to the task.",
}

// ClaimsNothing reports whether a model that knows the solution of a benchmark says nothing about a method, so
// that its row would claim nothing. CoT has no records: the model can only hide that, or invent the faults
// that follow from it. On API-Bank, sole planning has no records either.
func ClaimsNothing(method string, apibank bool) bool {
	return method == MethodCoT || method == MethodSole && apibank
}

// baseline does the task without a team.
func (r *run) baseline() (*Result, error) {
	known := ""
	if r.settings.Method == MethodSole && r.settings.Known != "" {
		known = "The facts:\n" + strings.TrimSpace(r.settings.Known) + "\n"
	}
	prompt := fill(r.settings.Templates.Alone, DefaultAlone, map[string]string{
		"task": r.task(), "known": known, "gives": gives(r.spec.Gives), "hints": r.allHints(), "method": baselineMethods[r.settings.Method],
		"global": bullets("The answer must satisfy:", wanted(append(slices.Clone(r.spec.Global), r.proseConstraints()...))),
	})
	answer := ""
	var faults []string
	var err error
	if r.settings.Method == MethodReAct || r.settings.Method == MethodAct {
		answer, err = r.singleAgent(prompt)
	} else {
		faults, err = r.conversation(r.env, Alone, nil, prompt, "", func(text string) ([]string, error) {
			answer = text
			return nil, nil
		})
	}
	if err != nil {
		return nil, err
	}
	_, broken := r.judge(r.env, answer)
	if len(faults) > 0 {
		broken = append(broken, Violation{Constraint: "the answer is complete", Reason: faults[0]})
	}
	r.violations = append(r.violations, broken...)
	return r.result(r.settings.Method, answer), nil
}

// proseConstraints returns the constraints of all executors in words.
func (r *run) proseConstraints() []Constraint {
	var out []Constraint
	for _, c := range r.spec.Local {
		if c.Text != "" && !c.Formal() {
			out = append(out, c)
		}
	}
	for _, e := range r.spec.Executors {
		for _, c := range e.Constraints {
			if c.Text != "" {
				out = append(out, Constraint{Text: e.Name + ": " + c.Text})
			}
		}
	}
	return out
}

// singleAgent does the task with one ReAct agent that has the tools of all executors.
func (r *run) singleAgent(prompt string) (string, error) {
	var names []string
	for _, e := range r.spec.Executors {
		for _, t := range e.Tools {
			if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, t.Name) }) {
				names = append(names, t.Name)
			}
		}
	}
	a, err := r.agent("", names)
	if err != nil {
		return "", err
	}
	steps := r.spec.Limits.Steps
	if r.settings.Steps > 0 {
		steps = r.settings.Steps
	}
	w := &work{executor: &Executor{Name: Alone}}
	t, err := r.act(r.env, a, assignment{work: w, tools: names, steps: steps, question: r.task(), prompt: prompt, models: []string{"executors"}})
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(t.Answer), nil
}
