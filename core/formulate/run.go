package formulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// Setup contains the parts of a workspace that a run needs.
type Setup struct {
	// Check checks a plan with steps against the specs of the workspace; nil if there are
	// none.
	Check func(spec *strips.Spec, plan strips.Plan, states []strips.State) []Check
	// Restrict adds the formulas of the workspace to an encoding; nil if there are none.
	Restrict func(env *process.Env, spec *strips.Spec, e *strips.Encoding) error
}

// Check returns an error with the code "formulate.settings", "formulate.template" or
// "llm.spec" for invalid settings.
func (s Settings) Check() error {
	for _, check := range []func() error{s.checkModels, s.checkNames, s.checkNumbers, s.Templates.check} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkModels checks the model of the run and those of its stages.
func (s Settings) checkModels() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	for _, stage := range sortedNames(s.Models) {
		if !slices.Contains(Stages, stage) || stage == StageSolver {
			return settingsError(fmt.Sprintf("unknown stage %q (expected %s)", stage, strings.Join(Stages, ", ")))
		}
		if err := s.Models[stage].Check(); err != nil {
			return err
		}
	}
	return nil
}

// checkNames checks the settings that are names from a list.
func (s Settings) checkNames() error {
	for _, c := range []struct {
		what, value string
		names       []string
	}{
		{"method", s.Method, []string{MethodFormulate, MethodDirect, MethodCoT, MethodCode}},
		{"kind of question", s.Ask, []string{AskPlan, AskWhatIf, AskWhy, AskWhyNot}},
		{"wording", s.Wording, []string{WordingFull}},
		{"notation", s.Notation, []string{NotationSMT, NotationLP, NotationPDDL}},
		{"stage to begin with", s.From, Stages[:4]},
	} {
		if c.value != "" && !slices.Contains(c.names, c.value) {
			return settingsError(fmt.Sprintf("unknown %s %q (expected %s)", c.what, c.value, strings.Join(c.names, ", ")))
		}
	}
	for _, stage := range s.Without {
		if stage != StageDefiner && stage != StageFormulator {
			return settingsError(fmt.Sprintf("stage %q cannot be left out; only %s and %s can", stage, StageDefiner, StageFormulator))
		}
	}
	for _, name := range s.Mistakes {
		if !slices.ContainsFunc(Mistakes(), func(m Named) bool { return m.Name == name }) {
			return settingsError(fmt.Sprintf("unknown mistake %q", name))
		}
	}
	return nil
}

// checkNumbers checks the ranges of the numbers.
func (s Settings) checkNumbers() error {
	switch {
	case s.Rounds != nil && (*s.Rounds < 0 || *s.Rounds > MaxRounds):
		return settingsError(fmt.Sprintf("expected 0 to %d rounds, got %d", MaxRounds, *s.Rounds))
	case s.Regenerations != nil && (*s.Regenerations < 0 || *s.Regenerations > MaxRounds):
		return settingsError(fmt.Sprintf("expected 0 to %d regenerations, got %d", MaxRounds, *s.Regenerations))
	case s.Horizon < 0 || s.Horizon > strips.MaxHorizon:
		return settingsError(fmt.Sprintf("expected a horizon of 1 to %d steps, got %d", strips.MaxHorizon, s.Horizon))
	case s.Temperature < 0 || s.Temperature > 2:
		return settingsError(fmt.Sprintf("expected a temperature from 0 to 2, got %v", s.Temperature))
	case len(s.Mistakes) > MaxRounds:
		return settingsError(fmt.Sprintf("too many mistakes; the maximum is %d", MaxRounds))
	case s.MaxTokens < 0:
		return settingsError("negative limit of tokens")
	case s.Budget.Negative():
		return settingsError("negative budget")
	}
	return nil
}

// MaxRounds bounds the rounds, and the regenerations in one.
const MaxRounds = 20

func settingsError(message string) error { return source.NewError("formulate.settings", message) }

func sortedNames(m map[string]llm.Spec) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

type run struct {
	env      *process.Env
	p        *Problem
	setup    Setup
	settings Settings
	query    string
	notation string
	ask      string // the kind of the query, and who decided it
	askBy    string
	asked    bool // a person was asked to explain the query
	current  bool // the run follows the current rules, see revises

	rounds, regenerations int
	round                 int
	scripts               map[string]llm.Model
	trouble               map[string]string // by stage: the faults of its last product
	mistake               string            // of a simulated model: its Definer has run
	erred                 int               // the last round in which a simulated model made a mistake
	made                  uint64            // the mistakes of the settings that were made

	goal, variables, model string
	found                  []Finding // in this round
	settled                []Finding // in the rounds before
	solved                 solved
	unjudged               bool // the self-assessment is unreadable
	formatted              formatted
	denied                 bool // a direct answer states that no plan exists
	stages                 map[string]*StageSpent
	spent                  Spent
}

// Run answers the query. The error has the code "formulate.product" if a product of a
// stage cannot be used, "formulate.missing" if a file that the run continues from is
// missing, or a code such as "limit.calls" for an exhausted budget; other errors come
// from a model, the meter or the host. If no plan exists, Run returns a result with that
// status, not an error.
func (p *Problem) Run(env *process.Env, setup Setup, s Settings) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	r := &run{
		env: env, p: p, setup: setup, settings: s, query: strings.TrimSpace(s.Query), notation: s.Notation,
		rounds: DefaultRounds, regenerations: DefaultRegenerations,
		scripts: map[string]llm.Model{}, trouble: map[string]string{}, stages: map[string]*StageSpent{},
	}
	if r.query == "" {
		r.query = strings.TrimSpace(p.Query)
	}
	if r.ask, r.askBy = s.Ask, AskByPerson; r.ask == "" {
		r.ask, r.askBy = askOf(r.query), AskByPhrases
	}
	if r.notation == "" {
		r.notation = p.Notation()
	}
	if s.Rounds != nil {
		r.rounds = *s.Rounds
	}
	if s.Regenerations != nil {
		r.regenerations = *s.Regenerations
	}
	var result *Result
	var err error
	if s.Method == "" || s.Method == MethodFormulate {
		r.current = r.revises()
		result, err = r.formulate()
	} else {
		result, err = r.alone()
	}
	if err != nil {
		return nil, err
	}
	env.Emit(DoneEvent{Kind: "formulate.done", Result: *result})
	return result, nil
}

// Notation returns the notation of the first model file in the folder, one of the
// Notation constants, or NotationSMT if there is none.
func (p *Problem) Notation() string {
	switch {
	case p.SMT != "":
		return NotationSMT
	case p.LP != "":
		return NotationLP
	case p.PDDL != "":
		return NotationPDDL
	}
	return NotationSMT
}

// steps reports whether the notation is PDDL, whose plans are lists of actions.
func (r *run) steps() bool { return r.notation == NotationPDDL }

// makers returns the stages that are judged, in their order, without those that the
// settings leave out. Problems with steps have no Definer: their actions define the plan.
func (r *run) makers() []string {
	makers := []string{StageDefiner, StageFormulator, StageGenerator}
	return slices.DeleteFunc(makers, func(stage string) bool {
		return stage == StageDefiner && r.steps() || slices.Contains(r.settings.Without, stage)
	})
}

// formulate runs the stages and judges them, until all are right or the rounds are used
// up.
func (r *run) formulate() (*Result, error) {
	makers := r.makers()
	from := max(slices.Index(makers, r.settings.From), 0)
	if r.settings.From == StageSolver {
		from = len(makers)
	}
	if err := r.keep(makers[:from]); err != nil {
		return nil, err
	}
	assessed := false
	for r.round = 1; ; r.round++ {
		r.found = nil
		for _, stage := range makers[min(from, len(makers)-1) : len(makers)-1] {
			if err := r.make(stage); err != nil {
				return nil, err
			}
			if stage == StageDefiner && r.toSteps() {
				makers = r.makers()
			}
		}
		if err := r.generate(from == len(makers)); err != nil {
			return nil, err
		}
		if err := r.format(); err != nil {
			return nil, err
		}
		if r.rounds == 0 {
			break
		}
		ratings, err := r.assess()
		if err != nil {
			return nil, err
		}
		wrong := slices.IndexFunc(ratings, func(x Rating) bool { return !x.Right })
		if wrong < 0 {
			assessed = !r.unjudged
			break
		}
		if r.round >= r.rounds {
			break
		}
		r.settled = append(r.settled, r.found...)
		if from, err = r.replace(ratings[wrong], wrong); err != nil {
			return nil, err
		}
	}
	return r.result(assessed), nil
}

// keep reads the products of the given stages from the files of the problem.
func (r *run) keep(stages []string) error {
	for _, stage := range stages {
		name, text := r.fileOf(stage)
		if strings.TrimSpace(text) == "" {
			return source.NewError("formulate.missing", fmt.Sprintf("missing %[2]s in %[1]s: the run should continue after the %[3]s, which writes it", r.p.Folder, name, stage))
		}
		var faults []string
		switch stage {
		case StageDefiner:
			r.goal = text
			r.define()
		case StageFormulator:
			r.variables, faults = readVariables(text, r.steps())
		case StageGenerator:
			r.model = text
		}
		if len(faults) > 0 {
			return source.NewError("formulate.product", r.p.Folder+"/"+name+": "+faults[0])
		}
		r.state(stage, StateKept, 0, "")
		r.env.Emit(ProductEvent{Kind: "formulate.product", Stage: stage, Round: 1, Name: name, Text: text, By: "file"})
	}
	return nil
}

// fileOf returns the file of a stage's product in the folder.
func (r *run) fileOf(stage string) (name, text string) {
	switch stage {
	case StageDefiner:
		return FileGoal, r.p.Goal
	case StageFormulator:
		return FileVariables, r.p.Variables
	case StageFormatter:
		return FileAnswer, r.p.Answer
	case StageAssessor:
		return FileAssessment, ""
	}
	name = modelFile(r.notation)
	switch name {
	case FileLP:
		return name, r.p.LP
	case FilePDDL:
		return name, r.p.PDDL
	}
	return name, r.p.SMT
}

// product returns the product of a stage in this run.
func (r *run) product(stage string) *string {
	switch stage {
	case StageDefiner:
		return &r.goal
	case StageFormulator:
		return &r.variables
	}
	return &r.model
}

// make runs the Definer or the Formulator.
func (r *run) make(stage string) error {
	read := readGoal
	template, usual := r.settings.Templates.Definer, DefaultDefiner
	if stage == StageFormulator {
		read = func(text string) (string, []string) { return readVariables(text, r.steps()) }
		template, usual = r.settings.Templates.Formulator, DefaultFormulator
		if r.steps() {
			template, usual = r.settings.Templates.Steps, DefaultSteps
			if r.settings.Wording == "" {
				usual = earlierSteps
			}
		}
	}
	var made string
	values := r.values(stage)
	if from := strings.Index(usual, genericExamples); from >= 0 && values["example"] != "" && !r.env.Earlier() {
		r.env.Revise()
		usual = usual[:from] + usual[strings.Index(usual, "{example}"):] // the paper replaces them
	}
	talk, err := r.converse(stage, fill(template, usual, values))
	if err != nil {
		return err
	}
	faults, err := talk.until(r.regenerations, func(text string) (faults []string) {
		made, faults = read(text)
		return faults
	})
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		r.state(stage, StateFailed, talk.attempt, faults[0])
		return source.NewError("formulate.product", "the "+stage+" wrote no valid product: "+faults[0])
	}
	by := "model"
	if made, by, err = r.approve(stage, made, read); err != nil {
		return err
	}
	r.take(stage, made, by)
	r.state(stage, StateDone, talk.attempt, "")
	if stage != StageDefiner {
		return nil
	}
	r.define()
	if again, err := r.askBack(); err != nil || !again {
		return err
	}
	return r.make(stage)
}

// take stores a text as the product of a stage.
func (r *run) take(stage, text, by string) {
	p := r.product(stage)
	name, _ := r.fileOf(stage)
	r.env.Emit(ProductEvent{Kind: "formulate.product", Stage: stage, Round: r.round, Name: name, Text: text, Before: *p, By: by})
	*p = text
	delete(r.trouble, stage)
}

// approve asks a person to accept a product or to replace it.
func (r *run) approve(stage, text string, read func(string) (string, []string)) (product, by string, err error) {
	if !r.settings.Approve {
		return text, "model", nil
	}
	name, _ := r.fileOf(stage)
	by = "model"
	faults := []string{}
	for {
		r.env.Emit(OfferEvent{Kind: "formulate.offer", Stage: stage, Name: name, At: r.env.Delivered(), Text: text, Faults: faults})
		said, err := llm.Ask(r.env, process.Question{Prompt: bullets("Faults:", faults) + "Continue with this text?\n\n" + text + "\nAnswer ok, or write the correct text of " + name + ".", Multiline: true})
		if err != nil {
			return "", "", err
		}
		switch strings.Trim(strings.ToLower(strings.TrimSpace(said)), ".!") {
		case "", "ok", "yes", "1":
			return text, by, nil
		}
		made, wrong := read(said)
		if len(wrong) == 0 {
			return made, "person", nil
		}
		text, by, faults = said, "person", wrong
	}
}

// format makes the Result Formatter put the solution into the required form.
func (r *run) format() error {
	r.formatted = formatted{}
	if !r.solved.planned() {
		r.state(StageFormatter, StateDone, 0, "no solution to format")
		return nil
	}
	output := strings.TrimSpace(r.p.Output)
	form, fault := json.Tree(output)
	if fault != nil {
		form, output = &json.Node{}, `{"objective": …, "plan": …}`
	}
	talk, err := r.converse(StageFormatter, fill(r.settings.Templates.Formatter, DefaultFormatter, map[string]string{
		"task": strings.TrimSpace(r.p.Task), "query": r.query, "output": output,
		"solution": r.solved.String(), "constraints": r.constraints(), "trouble": "",
	}))
	if err != nil {
		return err
	}
	figures := []string{}
	faults, err := talk.until(r.regenerations, func(text string) (faults []string) {
		if r.formatted, faults = readFormatted(text, output); len(faults) > 0 {
			return faults
		}
		if faults = r.demanded(r.formatted.verdicts); len(faults) > 0 && talk.attempt == 1 {
			return faults
		}
		figures = figures[:0]
		if answer, fault := json.Tree(string(r.formatted.answer)); fault == nil && form.Kind != 0 {
			figures = r.solved.outcome.wrongFigures(form, answer)
			if said := r.solved.outcome.better(form, answer); said != "" && len(figures) > 0 {
				r.find(Finding{Mistake: MistakeFigures, Stage: StageFormatter, File: FileAnswer,
					Message: fmt.Sprintf("the answer states %s, better than the solver's best %s; neither is proved optimal", said, number(r.solved.outcome.objective))})
				figures = figures[:0]
			}
		}
		return figures
	})
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		mistake := MistakeForm
		if len(figures) > 0 {
			mistake = MistakeFigures
		}
		r.find(Finding{Mistake: mistake, Stage: StageFormatter, Certain: true, Message: faults[0], File: FileAnswer})
		// References of the form are filled without a model.
		if text, whole := r.solved.outcome.filled(form); whole {
			r.formatted.answer = json.RawMessage(text)
		}
	}
	r.checkConstraints()
	name, _ := r.fileOf(StageFormatter)
	r.env.Emit(ProductEvent{Kind: "formulate.product", Stage: StageFormatter, Round: r.round, Name: name, Text: string(r.formatted.answer) + "\n", By: "model"})
	r.state(StageFormatter, StateDone, talk.attempt, "")
	return nil
}

// constraints returns the Definer's constraints or, for plans with steps, the goal.
func (r *run) constraints() string {
	switch {
	case r.goal != "":
		return section(r.goal, "Constraints")
	case slices.Contains(r.settings.Without, StageDefiner):
		return "- what the task and the question demand"
	}
	best := "no plan is shorter"
	if r.settings.Wording != "" {
		best += " or, with a metric, better"
	}
	return "- every step can be done where it stands\n- the goal is reached at the end\n- " + best
}
