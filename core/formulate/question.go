package formulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
)

// The deciders of the kind of a query: a person, the Definer, or English phrases, if neither of
// them decides.
const (
	AskByPerson  = "person"
	AskByDefiner = "definer"
	AskByPhrases = "phrases"
)

// Sections of the Definer's product that earlier versions did not ask for.
const (
	sectionAsk  = "Kind of the question"
	sectionPlan = "Kind of the plan"
)

// kinds asks the Definer for the kinds of the question and of the plan, and for a name of
// each constraint. By these names the constraints are found in the text for the solver.
const kinds = `
Begin every constraint with its name, one lower-case word, and a colon, as in "- supply: no supplier ships more than its stock". Then add:
## ` + sectionAsk + `
One word: plan, if the question asks for a plan; what-if, if it changes the problem and asks for the new plan; why, if it asks why the plan has a property; why-not, if it asks why the plan lacks a property. If the question has two readings that lead to different plans, add a line that begins with "Unclear:" and asks which reading is meant.
## ` + sectionPlan + `
One word: choice, if the plan is a set of values; steps, if it is a sequence of actions from an initial state to a goal`

// rules contains the paper's rule about questions why, which is part of the prompts of the Formulator,
// the Code Generator and the Self-assessment, unless the plan has steps.
const rules = "If a question asks why the plan has a property, the answer is the cost of a plan without it: forbid this property and nothing else. If a question asks why the plan lacks a property, the answer is the cost of a plan with it: require this property and nothing else.\n"

// whyWords, notWords and whatWords are phrases that classify a question.
var (
	whyWords  = []string{"why ", "what led to", "what justifies", "what explains", "what is the reason", "what are the reasons", "what's the reason", "explain why", "what was the rationale", "what is the rationale", "how come", "what motivated", "on what grounds"}
	notWords  = []string{" not ", "n't ", " isn't ", " instead of not ", " never "}
	whatWords = []string{"what if", "what would", "what are the", "what is the potential", "what might", "if ", "is it possible", "can ", "could ", "how would", "how does", "suppose", "assume", "how do"}
)

// askOf classifies a query by English phrases.
func askOf(query string) string {
	text := " " + strings.ToLower(strings.Join(strings.Fields(query), " ")) + " "
	for _, w := range whyWords {
		if i := strings.Index(text, " "+w); i >= 0 || strings.HasPrefix(text, w) {
			head := text[:min(len(text), 90)]
			for _, n := range notWords {
				if strings.Contains(head, n) {
					return AskWhyNot
				}
			}
			return AskWhy
		}
	}
	for _, w := range whatWords {
		if strings.Contains(text, " "+w) {
			return AskWhatIf
		}
	}
	return AskPlan
}

// revises reports whether the run follows the current rules about questions and constraints. Runs
// without a real model follow the earlier rules, so that their recordings need no mark.
func (r *run) revises() bool {
	if !slices.ContainsFunc(Stages, func(stage string) bool { return stage != StageSolver && !r.simulates(stage) }) || r.env.Earlier() {
		return false
	}
	r.env.Revise()
	return true
}

// whyOf returns the rule about the question for a prompt.
func (r *run) whyOf() string {
	known := whys()[r.ask]
	if !r.current || r.steps() {
		return known
	}
	if r.askBy == AskByPhrases {
		return rules
	}
	return rules + known
}

// saidKind returns the given word that occurs first in a text, or "". Any characters other than
// letters, such as spaces, may replace the hyphens of a word.
func saidKind(text string, words ...string) (first string) {
	fields := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !(c >= 'a' && c <= 'z') })
	for i := range fields {
		for _, w := range words { // longer words come first
			parts := strings.Split(w, "-")
			if i+len(parts) <= len(fields) && slices.Equal(fields[i:i+len(parts)], parts) {
				return w
			}
		}
	}
	return ""
}

// unclear returns the question that the Definer asks back, or "".
func unclear(text string) string {
	for line := range strings.Lines(text) {
		head, rest, found := strings.Cut(line, ":")
		if rest = strings.Trim(rest, " \t\r\n*\"."); !found || !strings.EqualFold(strings.Trim(head, " -*\""), "unclear") {
			continue
		}
		if !slices.Contains([]string{"", "no", "none", "nothing", "not", "-", "n/a"}, strings.ToLower(rest)) {
			return rest
		}
	}
	return ""
}

// define reads the kinds of the question and of the plan in the Definer's product. A person's
// setting takes precedence over the Definer's answer.
func (r *run) define() {
	said := section(r.goal, sectionAsk)
	if kind := saidKind(said, AskWhyNot, AskWhatIf, AskWhy, AskPlan); kind != "" && r.settings.Ask == "" {
		r.ask, r.askBy = kind, AskByDefiner
	}
}

// askBack returns an ambiguous question to a person, or notes it. again reports whether the Definer
// has to run again, with the person's answer in the query.
func (r *run) askBack() (again bool, err error) {
	what := unclear(section(r.goal, sectionAsk))
	if what == "" || !r.current {
		return false, nil
	}
	if r.settings.AskBack && !r.asked {
		r.asked = true
		said, err := llm.Ask(r.env, process.Question{Prompt: "The question is ambiguous: " + what + "\n\nThe question:\n" + r.query + "\n\nAnswer in a sentence. An empty answer continues without.", Multiline: true})
		if err != nil {
			return false, err
		}
		if said = strings.TrimSpace(said); said != "" {
			r.query += "\n\nIt was asked back: " + what + "\nThe answer: " + said
			return true, nil
		}
	}
	r.find(Finding{Mistake: MistakeAmbiguous, Stage: StageDefiner, Message: "ambiguous question: " + what, File: FileGoal})
	return false, nil
}

// toSteps continues with the notation of plans with steps if the Definer says that the plan has
// them, and neither a setting nor a file chose another notation.
func (r *run) toSteps() bool {
	if !r.current || r.steps() || saidKind(section(r.goal, sectionPlan), "steps", "choice") != "steps" {
		return false
	}
	chosen := r.settings.Notation != "" || r.p.SMT != "" || r.p.LP != ""
	message := "the plan is a sequence of actions, so the run continues in PDDL, which has steps"
	if chosen {
		message = "the plan is a sequence of actions, and " + modelFile(r.notation) + " has no steps; PDDL has them"
	}
	r.find(Finding{Mistake: MistakeSteps, Stage: StageDefiner, Message: message, File: FileGoal})
	if !chosen {
		r.notation = NotationPDDL
	}
	return !chosen
}

type constraint struct {
	name string // "" without one
	text string // with its name
}

// maxName bounds the length of a constraint's name.
const maxName = 40

// constraintsOf returns the constraints in a Markdown list. Indented lines continue an item.
func constraintsOf(list string) []constraint {
	var out []constraint
	for line := range strings.Lines(list) {
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		if len(out) > 0 && (line[0] == ' ' || line[0] == '\t') && !strings.ContainsAny(text[:1], "-*") {
			out[len(out)-1].text += " " + text
			continue
		}
		out = append(out, constraint{text: strings.TrimSpace(strings.TrimLeft(text, "-*0123456789. "))})
	}
	for i := range out {
		if name, _, found := strings.Cut(out[i].text, ":"); found {
			name = strings.Trim(name, "`*\"")
			if name != "" && len(name) <= maxName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == "" {
				out[i].name = name
			}
		}
	}
	return out
}

// plainName returns a name of a constraint or of a part with "_" in place of hyphens.
func plainName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// partsOf returns the names of the parts of the solver's text that state a constraint: the constraint's name, or names
// that begin with that name.
func partsOf(outline *solve.Outline, name string) (parts []string) {
	want := plainName(name)
	for _, p := range outline.Parts {
		rest, found := strings.CutPrefix(plainName(p.Name), want)
		if found && !p.Objective() && (rest == "" || strings.ContainsAny(rest[:1], "._[")) {
			parts = append(parts, p.Name)
		}
	}
	return parts
}

// examineConstraints reports named constraints that no part of the text states.
func (r *run) examineConstraints() {
	if !r.current {
		return
	}
	for _, c := range constraintsOf(section(r.goal, "Constraints")) {
		if c.name != "" && len(partsOf(r.solved.outline, c.name)) == 0 && !(plainName(c.name) == queryMark && r.hasQuery()) {
			r.find(Finding{Mistake: MistakeConstraint, Stage: StageGenerator, File: modelFile(r.notation),
				Message: fmt.Sprintf("no constraint is named %q, for: %s", c.name, c.text)})
		}
	}
}

// hasQuery reports whether the name of a part of the text marks it as a constraint of the
// query.
func (r *run) hasQuery() bool {
	return slices.ContainsFunc(r.solved.outline.Parts, func(p solve.Part) bool { return isQuery(p.Name) })
}

// sameWords reports whether a constraint in the formatter's answer is one of the Definer's: it
// has its name, or one text contains the other.
func (c constraint) sameWords(said string) bool {
	words := func(text string) string {
		return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t\n.,;:!?\"'`*()-_", r) }), " ") + " "
	}
	if name, _, _ := strings.Cut(said, ":"); c.name != "" && plainName(strings.Trim(name, " `*\"")) == plainName(c.name) {
		return true
	}
	_, rest, _ := strings.Cut(c.text, ":")
	if c.name == "" {
		rest = c.text
	}
	a, b := words(rest), words(said)
	return strings.TrimSpace(b) != "" && (strings.Contains(a, b) || strings.TrimSpace(a) != "" && strings.Contains(b, a))
}

// unjudgedConstraints returns the Definer's constraints that the formatter's answer omits.
func (r *run) unjudgedConstraints(verdicts []Verdict) (left []constraint) {
	if !r.current {
		return nil
	}
	for _, c := range constraintsOf(r.constraints()) {
		if !slices.ContainsFunc(verdicts, func(v Verdict) bool { return c.sameWords(v.Constraint) }) {
			left = append(left, c)
		}
	}
	return left
}

// demanded returns the faults of a formatter's answer that omits constraints.
func (r *run) demanded(verdicts []Verdict) (faults []string) {
	for _, c := range r.unjudgedConstraints(verdicts) {
		if faults = append(faults, fmt.Sprintf("the constraint %q is not judged", c.text)); len(faults) == 5 {
			break
		}
	}
	return faults
}

// checkConstraints completes the verdicts: a constraint that the formatter omits does not count as
// satisfied, and a constraint that is stated by parts of the solved text is satisfied by the
// solver's plan, unless the formatter denies this.
func (r *run) checkConstraints() {
	if !r.current {
		return
	}
	for _, c := range r.unjudgedConstraints(r.formatted.verdicts) {
		r.formatted.verdicts = append(r.formatted.verdicts, Verdict{Constraint: c.text, Reason: "the " + StageFormatter + " does not judge it", By: "check"})
	}
	if r.solved.outline == nil {
		return
	}
	for _, c := range constraintsOf(r.constraints()) {
		if c.name == "" {
			continue
		}
		parts := partsOf(r.solved.outline, c.name)
		for i := range r.formatted.verdicts {
			v := &r.formatted.verdicts[i]
			if len(parts) == 0 || !c.sameWords(v.Constraint) || !v.Holds && v.By == "model" {
				continue
			}
			more := ""
			if len(parts) > 2 {
				more = fmt.Sprintf(" and %d more", len(parts)-2)
			}
			v.Holds, v.By, v.Reason = true, "check", "the solver's plan satisfies "+strings.Join(parts[:min(2, len(parts))], ", ")+more
		}
	}
}

// namesOf returns the instruction to name the parts of a text by the Definer's constraints.
func (r *run) namesOf() string {
	if !r.current || r.steps() {
		return ""
	}
	for _, c := range constraintsOf(section(r.goal, "Constraints")) {
		if c.name == "" {
			continue
		}
		sign := "."
		if r.notation == NotationLP {
			sign = "_"
		}
		return " The other names begin with the names of the constraints that they state, as " + c.name + sign + "1 for " + c.name + "; each constraint has one at least."
	}
	return ""
}
