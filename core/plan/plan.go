// Package plan makes plans with a language model: the planner of Formal-LLM (Li et
// al. 2024, §4.3 and 4.4), for grammars, pushdown automata and flowcharts.
//
// A plan of a grammar is a word of it, found by expanding the leftmost nonterminal
// of a stack; a plan of an automaton is a word chosen letter by letter. Where more
// than one move is possible the model is shown the task, what is chosen already,
// and a numbered list; it answers with a number and nothing else. So the model
// decides, but only among valid moves.
//
// Use limits and properties make most valid moves fatal: a tool spent now may be
// the only one that could have fed a sibling. What is offered is therefore filtered
// by exact look-ahead ([grammar.Needs], over the product with the properties'
// automaton): every choice on the list can still be finished, and no choice ever
// has to be taken back for a reason that could have been known. What cannot be
// known, a tool that fails when it is used, is found out by [Settings.Execute], and
// the planner goes back to the last configuration from which there is another way.
// With Settings.Naive the look-ahead is left out and the planner backtracks from
// dead ends, as the paper's does.
package plan

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// Defaults of [Settings].
const (
	DefaultAttempts = 6   // per choice, as in the paper
	DefaultMaxSteps = 200 // expansions; most plans have a dozen
)

// hardStop bounds the steps beyond MaxSteps, which take the shortest way out.
const hardStop = 100_000

// naiveStop bounds all steps of a planner without look-ahead, which may go back
// for ever.
const naiveStop = 5_000

// Ways to read an answer.
const (
	ReadInteger  = "integer"  // the number of a choice
	ReadLabel    = "label"    // the choice's own words
	ReadLogprobs = "logprobs" // the number that the model finds likeliest
)

// Who chooses in the place of a model whose answers cannot be read.
const (
	OtherwisePerson = "person"
	OtherwiseFirst  = "first" // nobody: the first choice is taken
)

// Settings of a run.
type Settings struct {
	Task       string                `json:"task,omitempty"`
	Limits     *grammar.Limits       `json:"limits,omitempty"` // nil: those that the spec declares
	Model      llm.Spec              `json:"model"`
	Attempts   int                   `json:"attempts,omitempty"`   // to get a readable answer; 0: DefaultAttempts
	MaxSteps   int                   `json:"maxSteps,omitempty"`   // after which only the shortest way out is offered; 0: DefaultMaxSteps
	Naive      bool                  `json:"naive,omitempty"`      // no look-ahead: backtrack from dead ends
	Reading    string                `json:"reading,omitempty"`    // one of the Read constants; "": ReadInteger
	Properties string                `json:"properties,omitempty"` // "ignore": do not enforce the workspace's formulas
	Without    []string              `json:"without,omitempty"`    // properties that cannot be judged, and are left out
	Execute    bool                  `json:"execute,omitempty"`    // use the tools once the plan is made
	Inputs     map[string]tool.Value `json:"inputs,omitempty"`     // what the task gives, by symbol; others are as tools.json has them
	Goal       *tool.Goal            `json:"goal,omitempty"`       // what the result has to be
	Take       []Take                `json:"take,omitempty"`       // choices that a person took
	Changes    []Change              `json:"changes,omitempty"`    // from an offer on
	Template   string                `json:"template,omitempty"`   // of the prompt; "": DefaultTemplate
	Budget     Budget                `json:"budget,omitzero"`
	Otherwise  string                `json:"otherwise,omitempty"` // who chooses where no answer could be read: one of the Otherwise constants; "": nobody
}

// Take is a choice that a person took in the model's place.
type Take struct {
	Offer  int   `json:"offer"`  // the offer, from 1
	Choice []int `json:"choice"` // numbers of the choices, from 1
}

// Budget bounds what a run may spend on a model; 0 stands for no bound.
type Budget struct {
	Calls  int     `json:"calls,omitempty"`
	Tokens int     `json:"tokens,omitempty"`
	Money  float64 `json:"money,omitempty"` // dollars
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
		return settingsError(fmt.Sprintf("there is no way to read answers called %q (there is %s, %s, %s)", s.Reading, ReadInteger, ReadLabel, ReadLogprobs))
	}
	switch s.Properties {
	case "", "enforce", "ignore":
	default:
		return settingsError(fmt.Sprintf("properties are \"enforce\" or \"ignore\", not %q", s.Properties))
	}
	switch s.Otherwise {
	case "", OtherwisePerson, OtherwiseFirst:
	default:
		return settingsError(fmt.Sprintf("otherwise %s or %s chooses, not %q", OtherwisePerson, OtherwiseFirst, s.Otherwise))
	}
	if s.Budget.Calls < 0 || s.Budget.Tokens < 0 || s.Budget.Money < 0 {
		return settingsError("a budget cannot be negative")
	}
	if err := s.checkChanges(); err != nil {
		return err
	}
	return CheckTemplate(s.Template)
}

func settingsError(message string) error { return source.NewError("plan.settings", message) }

// Plan is a finished plan.
type Plan struct {
	Word     []string `json:"word"`
	Function string   `json:"function"` // e1(a1(i), b1(i)); of an automaton its word
	Steps    []Step   `json:"steps"`    // in the order they are carried out
	Tree     *Node    `json:"tree,omitempty"`
	End      *End     `json:"end,omitempty"` // of a flowchart

	Choices    int       `json:"choices"` // decisions with more than one move
	Calls      int       `json:"calls"`   // of the model; more than Choices where an answer could not be read
	Usage      llm.Usage `json:"usage"`   // of all calls
	Money      float64   `json:"money,omitempty"`
	Seconds    float64   `json:"seconds,omitempty"` // that the model took, where the host measured
	Forced     int       `json:"forced"`            // moves that left nothing to choose
	DeadEnds   int       `json:"deadEnds"`          // states without a move; none with look-ahead
	Backtracks int       `json:"backtracks"`        // choices taken back
	Executed   int       `json:"executed,omitempty"`
	Failed     int       `json:"failed,omitempty"` // executions that failed

	Result *tool.Value `json:"result,omitempty"` // of the last step, where tools were executed
	Met    *bool       `json:"met,omitempty"`    // whether the result is what the goal wants
	Lacks  string      `json:"lacks,omitempty"`  // what it lacks

	call *call
}

// End is how a way through a flowchart ended.
type End struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Good bool   `json:"good"`
}

// Problem is what is planned: a spec with its limits and properties, prepared.
type Problem struct {
	Table *Table    // a grammar's; or
	Walk  *Walkable // an automaton's
	Tools *tool.Set // nil: nothing can be executed
}

// Run makes a plan of a grammar. The error has code "plan.none" where no plan
// exists, "plan.unreadable" where the model never answers with a choice,
// "plan.steps" where a grammar winds on without end, "limit.calls" and the like
// where a budget is used up.
func Run(env *process.Env, g *grammar.Grammar, s Settings) (*Plan, error) {
	limits := g.DeclaredLimits()
	if s.Limits != nil {
		limits = *s.Limits
	}
	table, err := NewTable(g, limits, env.Meter())
	if err != nil {
		return nil, err
	}
	return Problem{Table: table}.Run(env, s)
}

// Run makes a plan; s.Limits is not looked at.
func (p Problem) Run(env *process.Env, s Settings) (*Plan, error) {
	model, err := llm.New(s.Model)
	if err != nil {
		return nil, err
	}
	return p.RunWith(env, model, s)
}

// Run makes a plan with the table's grammar, limits and properties; s.Limits and
// s.Model are not looked at.
func (t *Table) Run(env *process.Env, model llm.Model, s Settings) (*Plan, error) {
	return Problem{Table: t}.RunWith(env, model, s)
}

// RunWith is Run with a model of the caller's.
func (p Problem) RunWith(env *process.Env, model llm.Model, s Settings) (*Plan, error) {
	if s.Attempts <= 0 {
		s.Attempts = DefaultAttempts
	}
	if s.MaxSteps <= 0 {
		s.MaxSteps = DefaultMaxSteps
	}
	if s.Template == "" {
		s.Template = DefaultTemplate
	}
	r := &planner{env: env, model: model, settings: s, plan: &Plan{}}
	if p.Walk != nil {
		r.space = newWalk(p.Walk, s, env.Meter())
	} else {
		r.space = newDerivation(p.Table, s, env.Meter())
	}
	if p.Tools != nil {
		r.tools = p.Tools.With(s.Inputs)
	}
	if s.Execute && p.Tools == nil {
		return nil, source.NewError("plan.tools", "the workspace says of no tool what it does, so that the plan cannot be executed; add a tools.json")
	}
	if err := r.space.keeps().possible(r.space.grammar(), env.Meter()); err != nil {
		return nil, err
	}
	now, err := r.space.begin()
	if err != nil {
		return nil, err
	}
	for {
		if now, err = r.make(now); err != nil {
			return nil, err
		}
		if err := r.space.finish(now, r.plan); err != nil {
			return nil, err
		}
		if !s.Execute {
			return r.plan, nil
		}
		again, found, err := r.execute(now)
		if err != nil || found {
			return r.plan, err
		}
		now = again
	}
}

// choicePoint is where the planner can go back to.
type choicePoint struct {
	config config
	moves  []move // not yet tried
}

// planner is one run.
type planner struct {
	space    space
	env      *process.Env
	model    llm.Model
	settings Settings
	plan     *Plan
	points   []choicePoint
	steps    int
	offers   int

	tools   *tool.Set
	known   map[string]outcome // of calls made, by their function form
	uses    map[string]int     // how often each tool was called
	trouble []string           // what failed, for the prompts that follow
	banned  []grammar.Symbol   // tools that fail whatever they are given
}

// make goes on from a configuration until the plan is finished.
func (p *planner) make(now config) (config, error) {
	for {
		if p.steps++; p.steps > hardStop || p.settings.Naive && p.steps > naiveStop {
			return now, source.NewError("plan.steps", fmt.Sprintf("no plan was found in %d steps", p.steps-1))
		}
		if err := p.env.Meter().Step(10); err != nil {
			return now, err
		}
		next, did, done, dead, err := p.space.step(now)
		switch {
		case err != nil:
			return now, err
		case dead:
			p.plan.DeadEnds++
			now, err = p.backtrack("there is no way on from here")
		case done:
			return now, nil
		case did:
			now = next
		default:
			var seen look
			if seen, err = p.space.look(now); err == nil {
				now, err = p.take(now, seen)
			}
		}
		if err != nil {
			return now, err
		}
	}
}

// take makes one of the moves, the model's choice where there are several.
func (p *planner) take(now config, seen look) (config, error) {
	if len(seen.moves) == 0 {
		p.plan.DeadEnds++
		return p.backtrack("there is no way on from here")
	}
	m, e := seen.moves[0], TakeEvent{N: 1, By: ByForce}
	if len(seen.moves) == 1 {
		p.plan.Forced++
	} else {
		p.plan.Choices++
		var err error
		if m, e.N, e.By, err = p.ask(now, seen); err != nil {
			return now, err
		}
		e.Offer = p.offers
	}
	if others := append(slices.Delete(slices.Clone(seen.moves), e.N-1, e.N), seen.longer...); m.items == nil && len(others) > 0 {
		p.points = append(p.points, choicePoint{config: now, moves: others})
	}
	return p.apply(now, m, e)
}

func (p *planner) apply(now config, m move, e TakeEvent) (config, error) {
	next, growth, err := p.space.apply(now, m)
	if err != nil {
		return now, err
	}
	c := p.space.choice(now, m)
	e.Kind, e.Step, e.Label, e.Symbol, e.Grows = "plan.take", p.stepOf(now), c.Label, c.Symbol, growth
	e.Stack, e.Word = p.space.stackNames(next), p.wordNames(next)
	p.env.Emit(e)
	return next, nil
}

// backtrack goes back to the last choice that had others. With look-ahead this
// happens only where a tool has failed.
func (p *planner) backtrack(why string) (config, error) {
	for len(p.points) > 0 {
		last := p.points[len(p.points)-1]
		p.points = p.points[:len(p.points)-1]
		now, err := p.still(last.config)
		if err != nil {
			return now, err
		}
		seen, err := p.remaining(now, last.moves)
		if err != nil {
			return now, err
		}
		if len(seen.moves) == 0 {
			continue
		}
		p.plan.Backtracks++
		p.env.Emit(BackEvent{Kind: "plan.back", Word: p.wordNames(now), Choices: len(seen.moves), Why: why, Nodes: now.nodes})
		return p.take(now, seen)
	}
	if len(p.trouble) > 0 {
		return config{}, source.NewError("plan.none", "no plan is left: every other way was tried, and "+p.trouble[len(p.trouble)-1])
	}
	return config{}, source.NewError("plan.none", "no plan exists within the use limits: every choice was tried")
}

// still returns a configuration as it is now that some tools are known to fail.
func (p *planner) still(now config) (config, error) {
	for _, t := range p.banned {
		var err error
		if now, err = p.space.without(now, t); err != nil {
			return now, err
		}
	}
	return now, nil
}

// remaining returns what can still be made of the moves of a choice.
func (p *planner) remaining(now config, moves []move) (look, error) {
	seen, err := p.space.look(now)
	if err != nil {
		return look{}, err
	}
	has := func(list []move, m move) bool {
		return slices.ContainsFunc(list, func(o move) bool {
			return o.production == m.production && o.inner == m.inner && o.letter == m.letter && slices.Equal(o.items, m.items)
		})
	}
	out := look{withheld: seen.withheld}
	for _, m := range append(seen.moves, seen.longer...) {
		if has(moves, m) {
			out.moves = append(out.moves, m)
		} else {
			out.tried = append(out.tried, m)
		}
	}
	return out, nil
}

// stepOf counts the steps: of a derivation its expansions, of a walk its letters.
func (p *planner) stepOf(now config) int {
	if now.derivation == nil {
		return now.word.len() + 1
	}
	return now.derivation.len() + 1
}

// maxWordShown bounds the word in an event.
const maxWordShown = 200

// wordNames names the end of what was chosen so far.
func (p *planner) wordNames(now config) []string {
	return names(p.space.grammar(), now.word.tail(maxWordShown))
}

func names(g *grammar.Grammar, word []grammar.Symbol) []string {
	out := make([]string, len(word))
	for i, s := range word {
		out[i] = g.Names[s]
	}
	return out
}
