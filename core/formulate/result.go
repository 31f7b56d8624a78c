package formulate

import (
	"slices"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
)

// find adds a finding, once in a round.
func (r *run) find(f Finding) {
	f.Round = r.round
	if slices.ContainsFunc(r.found, func(g Finding) bool { return g.Mistake == f.Mistake && g.Message == f.Message }) {
		return
	}
	r.found = append(r.found, f)
	r.env.Emit(FindingEvent{Kind: "formulate.finding", Round: r.round, Finding: f})
}

// state emits a new state of a stage.
func (r *run) state(stage, state string, attempt int, reason string) {
	s := r.stage(stage)
	if state == StateRunning && attempt <= 1 {
		s.Runs++
	}
	r.env.Emit(StageEvent{Kind: "formulate.stage", Stage: stage, State: state, Round: max(r.round, 1), Attempt: attempt, At: r.env.Delivered(), Reason: reason, Spent: s.Spent})
}

func (r *run) stage(stage string) *StageSpent {
	if r.stages[stage] == nil {
		r.stages[stage] = &StageSpent{Stage: stage}
	}
	return r.stages[stage]
}

func (r *run) result(assessed bool) *Result {
	o := &r.solved.outcome
	out := &Result{
		Method: r.settings.Method, Notation: r.notation, Status: r.solved.status, NoPlan: r.denied, Message: r.solved.message, Ask: r.ask, AskBy: r.askBy,
		Answer: r.formatted.answer, Objective: o.objective, Solution: r.solved.result, Families: o.families, Steps: r.solved.steps,
		Verdicts: r.formatted.verdicts, Base: r.solved.base, Findings: r.found, Fixed: r.settled, Checks: r.solved.checks,
		Rounds: r.round, Assessed: assessed, Products: []Product{}, Spent: r.spent,
	}
	if out.Method == "" {
		out.Method = MethodFormulate
	}
	if out.Answer == nil {
		out.Answer = json.RawMessage("null")
	}
	if out.Families == nil {
		out.Families = []solve.Family{}
	}
	if out.Verdicts == nil {
		out.Verdicts = []Verdict{}
	}
	if out.Findings == nil {
		out.Findings = []Finding{}
	}
	if out.Fixed == nil {
		out.Fixed = []Finding{}
	}
	if out.Checks == nil {
		out.Checks = []Check{}
	}
	for _, stage := range Stages {
		if s := r.stages[stage]; s != nil {
			out.Stages = append(out.Stages, *s)
		}
	}
	for _, stage := range append(r.makers(), StageFormatter) {
		name, _ := r.fileOf(stage)
		text := string(r.formatted.answer)
		if stage != StageFormatter {
			text = *r.product(stage)
		} else if text != "" {
			text += "\n"
		}
		if text != "" {
			out.Products = append(out.Products, Product{name, text})
		}
	}
	return out
}
