package formulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// simulated is a model without an endpoint, which writes the formulation in the folder.
// It makes the mistakes of the settings, one per round, and a rambler makes some at
// random; its self-assessment reports the findings of the checks. It shows how the loop
// works, not how well models formulate.
func (r *run) simulated(stage string, spec llm.Spec) llm.Model {
	return llm.Simulate(func(env *process.Env, _ llm.Request) (string, error) {
		switch stage {
		case StageFormatter:
			if r.solved.status == StatusUnchecked {
				return r.guess(env, spec), nil
			}
			return r.simulatedAnswer(env, spec), nil
		case StageAssessor:
			blind := errs(env, spec, spec.ErrorRate/2)
			return r.simulatedJudge(blind), nil
		}
		name, text := r.fileOf(stage)
		if strings.TrimSpace(text) == "" {
			return "", source.NewError("formulate.simulated", fmt.Sprintf("a simulated model needs the formulation in %s, but %s is missing; use a real model or write the file", r.p.Folder, name))
		}
		text = r.withMistake(env, stage, text, spec)
		if stage == StageGenerator {
			text = "```\n" + strings.TrimSpace(text) + "\n```"
		}
		return text, nil
	})
}

// errs draws whether a model errs; only ramblers do.
func errs(env *process.Env, spec llm.Spec, rate float64) bool {
	return spec.Kind == llm.KindRambler && env.Rand().Float64() < rate
}

// withMistake makes a mistake in the product of a stage, if one is due.
func (r *run) withMistake(env *process.Env, stage, text string, spec llm.Spec) string {
	if r.mistake != "" && stage == StageGenerator { // the Definer made it
		wrong, _ := applyMistake(r.mistake, stage, r.notation, text, r.p.API)
		r.mistake = ""
		return wrong
	}
	if r.erred >= r.round {
		return text
	}
	var candidates []string
	if len(r.settings.Mistakes) > 0 {
		for i, m := range r.settings.Mistakes {
			if wrong, ok := r.mistaken(m, stage, text); ok && r.made&(1<<i) == 0 {
				r.made |= 1 << i
				r.erred = r.round
				r.begun(m, stage)
				return wrong
			}
		}
		return text
	}
	if spec.Kind != llm.KindRambler {
		return text
	}
	for _, m := range Mistakes() {
		if _, ok := r.mistaken(m.Name, stage, text); ok {
			candidates = append(candidates, m.Name)
		}
	}
	if len(candidates) == 0 || !errs(env, spec, spec.ErrorRate) {
		return text
	}
	m := candidates[env.Rand().IntN(len(candidates))]
	wrong, _ := applyMistake(m, stage, r.notation, text, r.p.API)
	r.erred = r.round
	r.begun(m, stage)
	return wrong
}

// mistaken is [applyMistake] for this problem. A mistake of the Definer is possible only if the
// text for the solver allows the same mistake.
func (r *run) mistaken(mistake, stage, text string) (string, bool) {
	if mistake == MistakeDirection && r.ask != AskWhy && r.ask != AskWhyNot {
		return text, false
	}
	if stage == StageDefiner {
		_, model := r.fileOf(StageGenerator)
		if _, ok := applyMistake(mistake, StageGenerator, r.notation, model, r.p.API); !ok {
			return text, false
		}
	}
	return applyMistake(mistake, stage, r.notation, text, r.p.API)
}

// begun records a mistake of the Definer, which the Code Generator repeats.
func (r *run) begun(mistake, stage string) {
	if stage == StageDefiner {
		r.mistake = mistake
	}
}

// simulatedAnswer fills the form with the solution. Values without a reference come from
// the answer in the folder.
func (r *run) simulatedAnswer(env *process.Env, spec llm.Spec) string {
	form, fault := json.Tree(r.p.Output)
	answer := "null"
	if fault == nil {
		answer, _ = r.solved.outcome.filled(form)
	}
	wrong := errs(env, spec, spec.ErrorRate/2)
	for i, m := range r.settings.Mistakes {
		if m == MistakeFigures && r.made&(1<<i) == 0 {
			r.made |= 1 << i
			wrong = true
		}
	}
	if objective := r.solved.outcome.objective; wrong && objective != "" {
		answer = strings.ReplaceAll(answer, number(objective), number(objective)+"9")
	}
	type verdict struct {
		Constraint string `json:"constraint"`
		Holds      bool   `json:"holds"`
		Reason     string `json:"reason"`
	}
	said := struct {
		Answer      json.RawMessage `json:"answer"`
		Constraints []verdict       `json:"constraints"`
		Sensible    verdict         `json:"sensible"`
	}{Answer: json.RawMessage(answer), Constraints: []verdict{}}
	for _, c := range items(r.constraints()) {
		said.Constraints = append(said.Constraints, verdict{c, true, "The solver was given it."})
	}
	said.Sensible = verdict{Holds: !r.doubtful(), Reason: "This is the opinion of a simulated model, which knows only the results of the checks."}
	text, err := json.Marshal(said)
	if err != nil {
		return "null"
	}
	return string(text)
}

func (r *run) doubtful() bool {
	return slices.ContainsFunc(r.openFindings(), func(f Finding) bool { return f.Certain })
}

// openFindings returns the findings of this round that were not fixed within the round.
func (r *run) openFindings() []Finding {
	var out []Finding
	for _, f := range r.found {
		fixed := f.Mistake == MistakeSyntax || f.Mistake == MistakeOverwritten && f.Line > 0 || f.Stage == StageFormatter
		if !fixed || r.solved.status == StatusFailed {
			out = append(out, f)
		}
	}
	return out
}

// simulatedJudge judges the stages by the findings.
func (r *run) simulatedJudge(blind bool) string {
	type step struct {
		Step    int     `json:"step"`
		Reason  string  `json:"reason"`
		Right   bool    `json:"right"`
		How     *string `json:"how"`
		Instead *string `json:"instead"`
	}
	var said struct {
		Steps []step `json:"steps"`
	}
	for _, stage := range r.makers() {
		s := step{Step: stageNumber(stage), Right: true, Reason: "The checks found no fault."}
		for _, f := range r.openFindings() {
			// An uncertain finding counts if a mistake was made.
			if f.Stage == stage && !blind && (f.Certain || r.erred == r.round) {
				how := corrections[f.Mistake]
				s.Right, s.Reason, s.How = false, f.Message, &how
				break
			}
		}
		said.Steps = append(said.Steps, s)
	}
	text, err := json.Marshal(said)
	if err != nil {
		return "null"
	}
	return string(text)
}

// corrections describes the fix of each mistake.
var corrections = map[string]string{
	MistakeSyntax:      "Write text that the solver can read.",
	MistakeImplicit:    "Examine the pairs of variables again, and state the relation of these two.",
	MistakeNegative:    "State that every quantity is at least 0.",
	MistakeOverwritten: "Use the given definitions.",
	MistakeHorizon:     "Do not fix the number of steps.",
	MistakeDirection:   "Invert the question's constraints.",
	MistakeQuery:       "Express the question in separate constraints.",
	MistakeObjective:   "State the quantity to minimize or maximize.",
	MistakeInitial:     "Use the initial state of the question.",
}
