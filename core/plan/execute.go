package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// How an execution ended.
const (
	ExecDone   = "done"
	ExecFailed = "failed"
	ExecKnown  = "known" // it was done for an earlier plan, and its result was kept
)

// ExecEvent is a tool that was used.
type ExecEvent struct {
	Kind   string   `json:"kind"` // "plan.exec"
	N      int      `json:"n"`    // the step, from 1
	Symbol string   `json:"symbol"`
	Text   string   `json:"text"` // what a person reads for the symbol
	Inputs []string `json:"inputs"`
	State  string   `json:"state"` // one of the Exec constants
	Output string   `json:"output,omitempty"`
	Fault  string   `json:"fault,omitempty"`
}

// tries is how often a call is made that may succeed another time.
const tries = 3

// outcome is how a call ended.
type outcome struct {
	value   tool.Value
	failure *tool.Failure
}

// execution is one plan being carried out.
type execution struct {
	*planner
	order  []string // the word in the order that the tools are declared for
	steps  []tool.Step
	keys   []string // by step: the call as a text, so that the same is not made twice
	values []tool.Value
	counts map[string]int
}

// execute carries the finished plan out. Where a tool fails, the planner goes back
// and found is false: again is the configuration to go on from.
func (p *planner) execute(now config) (again config, found bool, err error) {
	x := &execution{planner: p, order: p.plan.Word, counts: map[string]int{}}
	if p.tools.Order == tool.OrderSteps && p.space.backwards() {
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

// step carries one step out.
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
		x.known[key] = done
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

// call uses a tool, again where that may help.
func (x *execution) call(symbol string, args []tool.Value) (outcome, error) {
	for try := 1; ; try++ {
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
			return outcome{value: value}, nil
		case errors.As(err, &failure):
			x.plan.Failed++
			if failure.Transient && try < tries {
				continue
			}
			return outcome{failure: failure}, nil
		case err != nil:
			return outcome{}, err
		default:
			return outcome{value: value}, nil
		}
	}
}

func (x *execution) label(symbol string) string {
	if t, ok := x.space.grammar().Lookup(symbol); ok {
		return x.space.grammar().Label(t)
	}
	return symbol
}

// extent returns where in the word a call ends, with all that it takes.
func (x *execution) extent(i int) int {
	place := x.steps[i].At
	if x.tools.Order == tool.OrderSteps && x.space.backwards() {
		place = len(x.order) - 1 - place
	}
	for _, a := range x.steps[i].Args {
		place = max(place, x.extent(a))
	}
	return place
}

// afterFailure goes back to where the failure can be avoided. A tool that fails
// whatever it is given is planned without from now on, and what was recorded of
// earlier configurations says, by look-ahead, which is the last from which that is
// possible. Where the arguments matter, it is the last choice within the call.
func (p *planner) afterFailure(now config, f *tool.Failure, last int) (config, error) {
	t, _ := p.space.grammar().Lookup(f.Tool)
	p.trouble = append(p.trouble, fmt.Sprintf("%s failed (%s)", p.space.grammar().Label(t), f.Message))
	ban := f.Always || f.Transient
	if ban {
		p.banned = append(p.banned, t)
	}
	for len(p.points) > 0 {
		at := p.points[len(p.points)-1].config
		useful := at.word.len() <= last
		if ban {
			useful = !slices.Contains(at.word.all(), t)
		}
		if useful {
			still, err := p.still(at)
			if err != nil {
				return now, err
			}
			possible, err := p.space.possible(still)
			if err != nil {
				return now, err
			}
			if possible && !ban {
				return p.backtrack(p.trouble[len(p.trouble)-1])
			}
			if possible {
				return p.again(still, p.trouble[len(p.trouble)-1])
			}
		}
		p.points = p.points[:len(p.points)-1]
	}
	return p.backtrack("")
}

// again puts the last choice once more, without what was found to fail.
func (p *planner) again(now config, why string) (config, error) {
	p.points = p.points[:len(p.points)-1]
	p.plan.Backtracks++
	seen, err := p.space.look(now)
	if err != nil {
		return now, err
	}
	p.env.Emit(BackEvent{Kind: "plan.back", Word: p.wordNames(now), Choices: len(seen.moves), Why: why, Nodes: now.nodes})
	return p.take(now, seen)
}
