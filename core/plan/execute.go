package plan

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// The outcomes of an execution.
const (
	ExecDone   = "done"
	ExecFailed = "failed"
	ExecKnown  = "known" // its result is that of an earlier plan's call
)

// ExecEvent is the execution of a tool.
type ExecEvent struct {
	Kind   string   `json:"kind"` // "plan.exec"
	N      int      `json:"n"`    // the step, from 1
	Symbol string   `json:"symbol"`
	Text   string   `json:"text"` // the symbol's label
	Inputs []string `json:"inputs"`
	State  string   `json:"state"` // one of the Exec constants
	Output string   `json:"output,omitempty"`
	Fault  string   `json:"fault,omitempty"`
}

// tries bounds the attempts of a call whose failure is transient.
const tries = 3

// outcome is the value of a call, or its failure.
type outcome struct {
	value   tool.Value
	failure *tool.Failure
	denied  bool // by a rule, which may allow the call later
}

type execution struct {
	*planner
	order  []string // the word in the order that the tools' declaration uses
	steps  []tool.Step
	keys   []string // by step: the call as text, so that no call is made twice
	values []tool.Value
	counts map[string]int
}

// execute runs the tools of the complete plan. If a tool fails, the planner backtracks:
// found is false and again is the configuration to continue from.
func (p *planner) execute(now space.Config) (again space.Config, found bool, err error) {
	x := &execution{planner: p, order: p.plan.Word, counts: map[string]int{}}
	if p.tools.Order == tool.OrderSteps && p.space.Backwards() {
		x.order = slices.Clone(x.order)
		slices.Reverse(x.order)
	}
	if x.steps, err = p.tools.Steps(x.order); err != nil {
		return now, false, source.NewError("plan.tools", "the plan cannot be executed: "+err.Error())
	}
	if p.known == nil {
		p.known, p.uses = map[string]outcome{}, map[string]int{}
	}
	for i := range x.steps {
		failure, err := x.step(i)
		if err != nil {
			return now, false, err
		}
		if failure != nil {
			again, err = p.afterFailure(now, failure, x.extent(i))
			return again, false, err
		}
	}
	result := p.tools.Combine(x.values)
	if p.tools.Order == tool.OrderPrefix && len(x.values) > 0 {
		result = x.values[len(x.values)-1]
	}
	p.plan.Result = &result
	if p.settings.Goal != nil {
		p.plan.Lacks = p.settings.Goal.Lacks(result)
		met := p.plan.Lacks == ""
		p.plan.Met = &met
	}
	return now, true, nil
}

func (x *execution) step(i int) (*tool.Failure, error) {
	s := x.steps[i]
	key := s.Symbol + "("
	args := make([]tool.Value, len(s.Args))
	e := ExecEvent{Kind: "plan.exec", N: i + 1, Symbol: s.Symbol, Text: x.label(s.Symbol), Inputs: []string{}, State: ExecDone}
	for n, a := range s.Args {
		args[n] = x.values[a]
		key += x.keys[a] + ","
		e.Inputs = append(e.Inputs, args[n].String())
	}
	key += ")"
	if x.tools.Order == tool.OrderSteps {
		x.counts[s.Symbol]++
		key = fmt.Sprint(s.Symbol, " ", x.counts[s.Symbol])
	}
	x.keys = append(x.keys, key)
	if s.Given {
		value, _ := x.tools.Input(s.Symbol)
		x.values = append(x.values, value)
		return nil, nil
	}
	done, ok := x.known[key]
	if ok {
		e.State = ExecKnown
	} else {
		var err error
		if done, err = x.call(s.Symbol, args); err != nil {
			return nil, err
		}
		if !done.denied {
			x.known[key] = done
		}
	}
	if done.failure != nil {
		e.State, e.Fault = ExecFailed, done.failure.Message
	} else {
		e.Output = done.value.String()
	}
	x.env.Emit(e)
	x.values = append(x.values, done.value)
	return done.failure, nil
}

// call runs a tool and retries transient failures.
func (x *execution) call(symbol string, args []tool.Value) (outcome, error) {
	for try := 1; ; try++ {
		made, denied, err := x.propose(symbol, args)
		if err != nil || denied != nil {
			return outcome{failure: denied, denied: true}, err
		}
		x.plan.Executed++
		x.uses[symbol]++
		value, err := x.tools.Call(tool.Context{Rand: x.env.Rand(), Count: x.uses[symbol]}, symbol, args)
		var question *tool.Question
		var failure *tool.Failure
		switch {
		case errors.As(err, &question):
			text, err := llm.Ask(x.env, process.Question{Prompt: question.Prompt})
			if err != nil {
				return outcome{}, err
			}
			value := question.Then
			value.Text = text
			return outcome{value: value}, x.returned(made, value)
		case errors.As(err, &failure):
			x.plan.Failed++
			if made != nil {
				if err := made.Error(x.env, failure.Message); err != nil {
					return outcome{}, err
				}
			}
			if failure.Transient && try < tries {
				continue
			}
			return outcome{failure: failure}, nil
		case err != nil:
			return outcome{}, err
		default:
			return outcome{value: value}, x.returned(made, value)
		}
	}
}

// propose judges a call by the rules. The fields of the event are the arguments, by their numbers
// from 1. The result is nil without rules.
func (x *execution) propose(symbol string, args []tool.Value) (*enforce.Made, *tool.Failure, error) {
	if x.rules == nil {
		return nil, nil, nil
	}
	fields := map[string]tool.Value{}
	for i, arg := range args {
		fields[strconv.Itoa(i+1)] = arg
	}
	text, _ := json.Marshal(fields) // values always marshal
	made, reason, err := x.rules.Call(x.env, enforce.Call{Agent: "planner", Tool: symbol, Fields: rules.Fields(string(text), nil), Tools: x.tools.Symbols()})
	if err == nil && made == nil {
		x.plan.Failed++
		return nil, &tool.Failure{Tool: symbol, Message: reason}, nil
	}
	return made, nil, err
}

// returned adds the result of a call to the run that the rules judge.
func (x *execution) returned(made *enforce.Made, value tool.Value) error {
	if made == nil {
		return nil
	}
	text, _ := json.Marshal(value) // values always marshal
	return made.Result(x.env, string(text))
}

func (x *execution) label(symbol string) string {
	if t, ok := x.space.Grammar().Lookup(symbol); ok {
		return x.space.Grammar().Label(t)
	}
	return symbol
}

// extent returns the last position in the word of the call of a step with its arguments.
func (x *execution) extent(i int) int {
	place := x.steps[i].At
	if x.tools.Order == tool.OrderSteps && x.space.Backwards() {
		place = len(x.order) - 1 - place
	}
	for _, a := range x.steps[i].Args {
		place = max(place, x.extent(a))
	}
	return place
}

// afterFailure backtracks to where the failure can be avoided. A tool that fails for every
// input is excluded from the remaining plan; look-ahead finds the last configuration that
// has a plan without it. If the arguments matter, afterFailure returns to the last choice
// within the call.
func (p *planner) afterFailure(now space.Config, f *tool.Failure, last int) (space.Config, error) {
	t, _ := p.space.Grammar().Lookup(f.Tool)
	p.trouble = append(p.trouble, fmt.Sprintf("%s failed (%s)", p.space.Grammar().Label(t), f.Message))
	ban := f.Always || f.Transient
	if ban {
		p.banned = append(p.banned, t)
		if left, err := p.anyLeft(); err != nil {
			return now, err
		} else if !left {
			p.points = nil
		}
	}
	for len(p.points) > 0 {
		at := p.points[len(p.points)-1].config
		useful := at.Len() <= last
		if ban {
			useful = !slices.Contains(at.Word(), t)
		}
		if useful {
			available := p.available(at)
			possible, err := p.space.Possible(available)
			if err != nil {
				return now, err
			}
			if possible && !ban {
				return p.backtrack(p.trouble[len(p.trouble)-1])
			}
			if possible {
				return p.again(available, p.trouble[len(p.trouble)-1])
			}
		}
		p.points = p.points[:len(p.points)-1]
	}
	return p.backtrack("")
}

// again offers the last choice again, without the failed tools.
func (p *planner) again(now space.Config, why string) (space.Config, error) {
	p.points = p.points[:len(p.points)-1]
	p.plan.Backtracks++
	var untried choices
	var err error
	if untried.Look, err = p.space.Look(now); err != nil {
		return now, err
	}
	p.env.Emit(BackEvent{Kind: "plan.back", Word: p.wordNames(now), Choices: len(untried.Moves), Why: why, Nodes: now.Nodes()})
	return p.take(now, untried)
}

// anyLeft reports whether some word of the grammar lacks all banned tools. The look-ahead
// considers limited tools only, so it would try longer and longer plans otherwise.
func (p *planner) anyLeft() (bool, error) {
	g := p.space.Grammar()
	caps := make([]int64, g.NumTerminals)
	for t := range caps {
		caps[t] = grammar.Unlimited
	}
	for _, t := range p.banned {
		caps[t] = 0
	}
	needs, err := grammar.ComputeNeeds(g, caps, p.env.Meter())
	if err != nil {
		return false, err
	}
	return needs.Fits(needs.Of(g.Start), needs.Budget(caps)), nil
}
