// Package plan makes plans with a language model: the planner of Formal-LLM (Li et al.
// 2024, §4.3 and 4.4), for grammars, pushdown automata and flowcharts.
//
// A plan of a grammar is a word of it, found by expanding the leftmost nonterminal of a
// stack. A plan of an automaton is a word chosen letter by letter. If several moves are
// possible, the prompt shows the task, the choices made so far and a numbered list, and the
// model answers with a number. So the model decides, but only among valid moves.
//
// Use limits and properties make most valid moves fatal: a tool used now may be the only
// one that could have produced the input of another step. The planner therefore filters the
// choices by exact look-ahead ([grammar.Needs], over the product with the properties'
// automaton): every offered choice leads to a complete plan. It backtracks only from
// failures that cannot be known in advance, those of tools during [Settings.Execute]: it
// returns to the last configuration that has another continuation. With Settings.Naive the
// planner does not look ahead and backtracks from dead ends, as the paper's does.
//
// With Settings.Beam the planner searches for the most probable plan: it keeps several prefixes and
// asks the model for the probabilities of their choices.
//
// Package space defines the configurations and moves, checker judges plans in free text,
// baseline and compare measure plans that a model writes without the planner, and draft
// asks a model to write specifications.
package plan

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// Defaults of [Settings].
const (
	DefaultAttempts = 6   // per choice; the paper states none, and its released program asks without end
	DefaultMaxSteps = 200 // expansions; most plans have a dozen
)

// hardStop bounds the steps beyond MaxSteps, which follow the shortest completion.
const hardStop = 100_000

// naiveStop bounds all steps of a planner without look-ahead, which may backtrack forever.
const naiveStop = 5_000

// The ways to read an answer.
const (
	ReadInteger  = "integer"  // the number of a choice
	ReadLabel    = "label"    // the label of a choice
	ReadLogprobs = "logprobs" // the most likely number
)

// WordingPaper is the wording of [PaperTemplate]. Settings of runs that were recorded before it existed
// have none, and keep the prompts of DefaultTemplate; new runs have it.
const WordingPaper = "paper"

// The choosers when a model's answers cannot be read.
const (
	OtherwisePerson = "person"
	OtherwiseFirst  = "first" // the first choice
)

// Settings of a run.
type Settings struct {
	Task       string                `json:"task,omitempty"`
	Limits     *grammar.Limits       `json:"limits,omitempty"` // nil: the limits of the spec
	Model      llm.Spec              `json:"model"`
	Attempts   int                   `json:"attempts,omitempty"`   // to get a readable answer; 0: DefaultAttempts
	MaxSteps   int                   `json:"maxSteps,omitempty"`   // before only the shortest completion is offered; 0: DefaultMaxSteps
	Naive      bool                  `json:"naive,omitempty"`      // no look-ahead: backtrack from dead ends
	Reading    string                `json:"reading,omitempty"`    // one of the Read constants; "": ReadInteger
	Properties string                `json:"properties,omitempty"` // "ignore": do not enforce the workspace's formulas
	Without    []string              `json:"without,omitempty"`    // properties to leave out because they cannot be judged
	Execute    bool                  `json:"execute,omitempty"`    // run the tools when the plan is complete
	Inputs     map[string]tool.Value `json:"inputs,omitempty"`     // values by symbol; the default is in tools.json
	Goal       *tool.Goal            `json:"goal,omitempty"`       // required properties of the result
	Take       []Take                `json:"take,omitempty"`       // choices made by a person
	Changes    []Change              `json:"changes,omitempty"`    // overrides from an offer onwards
	Template   string                `json:"template,omitempty"`   // of the prompt; "": that of the wording
	Wording    string                `json:"wording,omitempty"`    // of the prompt, one of the Wording constants; "": DefaultTemplate
	Budget     meter.Budget          `json:"budget,omitzero"`
	// MaxTokens is the limit of an answer, in tokens; 0: enough for a number and a sentence. Answers
	// that are read from log-probabilities keep their own limit.
	MaxTokens int `json:"maxTokens,omitempty"`
	// Temperature is that of the first attempt at an answer, from 0 to 2. Each further attempt adds 0.1.
	Temperature float64 `json:"temperature,omitempty"`
	Otherwise   string  `json:"otherwise,omitempty"` // the chooser if no answer can be read: one of the Otherwise constants; "": none, the run fails
	// Consequences shows those of a flowchart's answers to the model, which {options} omits.
	Consequences bool `json:"consequences,omitempty"`
	// Rules is the text of a .rules file. A call that would violate one of its rules is not made;
	// the planner backtracks, as after a failure. It requires Execute.
	Rules string `json:"rules,omitempty"`
	// RulesObserved makes also the calls that violate a rule; the result has the violations.
	RulesObserved bool `json:"rulesObserved,omitempty"`
	// Beam is the width of a beam search for the most probable plan, up to [MaxBeam]; 0: none, the
	// model makes one choice after another.
	Beam int `json:"beam,omitempty"`
	// Score is the source of probabilities in a beam, one of the Score constants; "": log-probabilities
	// if the model reports them, or else grades.
	Score string `json:"score,omitempty"`
}

// Take is a choice made by a person instead of the model.
type Take struct {
	Offer  int   `json:"offer"`  // the offer, from 1
	Choice []int `json:"choice"` // numbers of the choices, from 1
}

// Check returns an error with code "plan.settings" or "llm.spec" for settings that
// cannot be run.
func (s Settings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	switch s.Reading {
	case "", ReadInteger, ReadLabel, ReadLogprobs:
	default:
		return settingsError(fmt.Sprintf("unknown reading %q (expected %s, %s or %s)", s.Reading, ReadInteger, ReadLabel, ReadLogprobs))
	}
	switch s.Wording {
	case "", WordingPaper:
	default:
		return settingsError(fmt.Sprintf("unknown wording %q (expected %s)", s.Wording, WordingPaper))
	}
	switch s.Properties {
	case "", "enforce", "ignore":
	default:
		return settingsError(fmt.Sprintf("unknown properties %q (expected enforce or ignore)", s.Properties))
	}
	switch s.Otherwise {
	case "", OtherwisePerson, OtherwiseFirst:
	default:
		return settingsError(fmt.Sprintf("unknown otherwise %q (expected %s or %s)", s.Otherwise, OtherwisePerson, OtherwiseFirst))
	}
	if s.Budget.Negative() {
		return settingsError("a budget cannot be negative")
	}
	if err := llm.CheckSampling(s.MaxTokens, s.Temperature); err != nil {
		return settingsError(err.Error())
	}
	if s.Rules != "" && !s.Execute {
		return settingsError("rules are enforced on calls, but the plan is not executed; set execute")
	}
	if err := s.checkBeam(); err != nil {
		return err
	}
	if err := s.checkChanges(); err != nil {
		return err
	}
	return CheckTemplate(s.Template)
}

func settingsError(message string) error { return source.NewError("plan.settings", message) }

// Plan is a finished plan.
type Plan struct {
	Word     []string     `json:"word"`
	Function string       `json:"function"` // e1(a1(i), b1(i)); of an automaton its word
	Steps    []space.Step `json:"steps"`    // in the order they are carried out
	Tree     *space.Node  `json:"tree,omitempty"`
	End      *space.End   `json:"end,omitempty"` // of a flowchart

	Choices    int       `json:"choices"` // decisions with more than one move
	Calls      int       `json:"calls"`   // of the model; more than Choices if answers could not be read
	Usage      llm.Usage `json:"usage"`   // of all calls
	Money      float64   `json:"money,omitempty"`
	Seconds    float64   `json:"seconds,omitempty"`   // time of the model's replies, if the host measured it
	Forced     int       `json:"forced"`              // moves without an alternative
	Otherwise  int       `json:"otherwise,omitempty"` // choices that the model did not make, because no answer could be read
	DeadEnds   int       `json:"deadEnds"`            // states without a move; none with look-ahead
	Backtracks int       `json:"backtracks"`          // choices undone
	Executed   int       `json:"executed,omitempty"`
	Failed     int       `json:"failed,omitempty"` // executions that failed

	Result *tool.Value `json:"result,omitempty"` // of the last step, if tools were executed
	Met    *bool       `json:"met,omitempty"`    // whether the result meets the goal
	Lacks  string      `json:"lacks,omitempty"`  // the missing property of the result

	Rules []enforce.Report `json:"rules,omitempty"`
}

// Problem is a prepared spec with its limits and properties.
type Problem struct {
	Table     *space.Table     // of a grammar; or
	Automaton *space.Automaton // of an automaton
	Tools     *tool.Set        // nil: nothing can be executed
	Rules     *enforce.Policy  // nil: none; enforced on executed calls
}

// Run makes a plan. It ignores s.Limits, which the problem has been prepared with. The
// error has code "plan.none" if no plan exists, "plan.unreadable" if the model never
// answers with a choice, "plan.steps" if a derivation does not end, and "limit.calls" or
// the like if a budget is spent.
func (p Problem) Run(env *process.Env, s Settings) (*Plan, error) {
	model, err := llm.New(s.Model)
	if err != nil {
		return nil, err
	}
	return p.RunWith(env, model, s)
}

// RunWith is like Run but uses the given model instead of s.Model.
func (p Problem) RunWith(env *process.Env, model llm.Model, s Settings) (*Plan, error) {
	if s.Attempts <= 0 {
		s.Attempts = DefaultAttempts
	}
	if s.MaxSteps <= 0 {
		s.MaxSteps = DefaultMaxSteps
	}
	switch {
	case s.Template != "":
	case s.Wording == WordingPaper:
		s.Template = PaperTemplate
	default:
		s.Template = DefaultTemplate
	}
	r := &planner{env: env, model: model, settings: s, plan: &Plan{}}
	if p.Automaton != nil {
		r.space = p.Automaton.Space(s.Naive, env.Meter())
	} else {
		r.space = p.Table.Space(s.Naive, s.MaxSteps, env.Meter())
	}
	if p.Tools != nil {
		r.tools = p.Tools.With(s.Inputs)
	}
	if p.Rules != nil {
		r.rules = p.Rules.Begin(0)
	}
	if s.Execute && p.Tools == nil {
		return nil, source.NewError("plan.tools", "the plan cannot be executed: the workspace declares no tools; add a tools.json")
	}
	if err := r.space.Feasible(); err != nil {
		return nil, err
	}
	if r.rules != nil && s.Task != "" {
		if err := r.rules.Message(env, "user", s.Task, ""); err != nil {
			return nil, err
		}
	}
	now, err := r.begin()
	if err != nil {
		return nil, err
	}
	for {
		if now, err = r.make(now); err != nil {
			return nil, err
		}
		out, err := r.space.Finish(now)
		if err != nil {
			return nil, err
		}
		r.plan.Word, r.plan.Function, r.plan.Steps, r.plan.Tree, r.plan.End = out.Word, out.Function, out.Steps, out.Tree, out.End
		if !s.Execute {
			return r.plan, nil
		}
		again, found, err := r.execute(now)
		if err == nil && found && r.rules != nil {
			r.plan.Rules, err = r.rules.End(env)
		}
		if err != nil || found {
			return r.plan, err
		}
		now = again
	}
}

// begin returns the configuration from which single choices continue: the initial one or, with a
// beam, a complete plan.
func (p *planner) begin() (space.Config, error) {
	now, err := p.space.Begin()
	if err == nil && p.settings.Beam > 0 {
		now, err = p.search(now)
	}
	return now, err
}

// choices are the untried moves of a configuration.
type choices struct {
	space.Look
	tried []space.Move // moves tried before
}

// choicePoint is a configuration to backtrack to.
type choicePoint struct {
	config space.Config
	moves  []space.Move // untried
}

// planner is the state of one run.
type planner struct {
	space    space.Space
	env      *process.Env
	model    llm.Model
	settings Settings
	plan     *Plan
	points   []choicePoint
	steps    int
	offers   int
	more     int // tokens by which the limit of an answer was raised; see cut.go

	tools   *tool.Set
	rules   *enforce.Run       // nil: none
	known   map[string]outcome // results of calls, by function form
	uses    map[string]int     // number of calls, by tool
	trouble []string           // failures, for the following prompts
	banned  []grammar.Symbol   // tools that fail for every input
}

// make continues from a configuration until the plan is complete.
func (p *planner) make(now space.Config) (space.Config, error) {
	for {
		if p.steps++; p.steps > hardStop || p.settings.Naive && p.steps > naiveStop {
			return now, source.NewError("plan.steps", fmt.Sprintf("no plan was found in %d steps", p.steps-1))
		}
		if err := p.env.Meter().Step(10); err != nil {
			return now, err
		}
		next, status, err := p.space.Step(now)
		if err != nil {
			return now, err
		}
		switch status {
		case space.Dead:
			p.plan.DeadEnds++
			now, err = p.backtrack("dead end: no valid continuation")
		case space.Finished:
			return now, nil
		case space.Advanced:
			now = next
		case space.Undecided:
			var untried choices
			if untried.Look, err = p.space.Look(now); err == nil {
				now, err = p.take(now, untried)
			}
		}
		if err != nil {
			return now, err
		}
	}
}

// take makes one of the moves; the model chooses if there are several.
func (p *planner) take(now space.Config, untried choices) (space.Config, error) {
	if len(untried.Moves) == 0 {
		p.plan.DeadEnds++
		return p.backtrack("dead end: no valid continuation")
	}
	m, e := untried.Moves[0], TakeEvent{N: 1, By: ByForce}
	if len(untried.Moves) == 1 {
		p.plan.Forced++
	} else {
		p.plan.Choices++
		var err error
		if m, e.N, e.By, err = p.ask(now, untried); err != nil {
			return now, err
		}
		e.Offer = p.offers
	}
	_, together := m.(space.Items)
	if others := append(slices.Delete(slices.Clone(untried.Moves), e.N-1, e.N), untried.Longer...); !together && len(others) > 0 {
		p.points = append(p.points, choicePoint{config: now, moves: others})
	}
	return p.apply(now, m, e)
}

func (p *planner) apply(now space.Config, m space.Move, e TakeEvent) (space.Config, error) {
	next, growth, err := p.space.Apply(now, m)
	if err != nil {
		return now, err
	}
	c := p.space.Choice(now, m)
	e.Kind, e.Step, e.Label, e.Symbol, e.Grows = "plan.take", p.stepOf(now), c.Label, c.Symbol, growth
	e.Stack, e.Word = p.space.StackNames(next), p.wordNames(next)
	p.env.Emit(e)
	return next, nil
}

// backtrack returns to the last choice with untried moves. With look-ahead this happens
// only after a tool has failed.
func (p *planner) backtrack(why string) (space.Config, error) {
	for len(p.points) > 0 {
		last := p.points[len(p.points)-1]
		p.points = p.points[:len(p.points)-1]
		now := p.available(last.config)
		untried, err := p.remaining(now, last.moves)
		if err != nil {
			return now, err
		}
		if len(untried.Moves) == 0 {
			continue
		}
		p.plan.Backtracks++
		p.env.Emit(BackEvent{Kind: "plan.back", Word: p.wordNames(now), Choices: len(untried.Moves), Why: why, Nodes: now.Nodes()})
		return p.take(now, untried)
	}
	if len(p.trouble) > 0 {
		return nil, source.NewError("plan.none", "no plan is left: every alternative was tried, and "+p.trouble[len(p.trouble)-1])
	}
	return nil, source.NewError("plan.none", "no plan exists within the use limits: every choice was tried")
}

// available returns a configuration without the tools that always fail.
func (p *planner) available(now space.Config) space.Config {
	for _, t := range p.banned {
		now = now.Without(t)
	}
	return now
}

// remaining returns the given moves that are still possible in a configuration. It lists the other
// moves of the configuration as tried.
func (p *planner) remaining(now space.Config, moves []space.Move) (choices, error) {
	untried, err := p.space.Look(now)
	if err != nil {
		return choices{}, err
	}
	out := choices{Look: space.Look{Withheld: untried.Withheld}}
	for _, m := range append(untried.Moves, untried.Longer...) {
		if slices.ContainsFunc(moves, func(o space.Move) bool { return space.SameMove(o, m) }) {
			out.Moves = append(out.Moves, m)
		} else {
			out.tried = append(out.tried, m)
		}
	}
	return out, nil
}

// stepOf counts the steps: of a derivation its expansions, of a walk its letters.
func (p *planner) stepOf(now space.Config) int {
	return now.Steps() + 1
}

// maxWordShown bounds the word in an event.
const maxWordShown = 200

// wordNames returns the names of the last letters chosen.
func (p *planner) wordNames(now space.Config) []string {
	return space.Names(p.space.Grammar(), now.Tail(maxWordShown))
}
