package team

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/choice"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// counted is a model whose calls are charged to the budget of the run and counted for the
// run and, unless w is nil, for a sub-task.
type counted struct {
	r     *run
	w     *work // nil: no sub-task
	model llm.Model
}

// Generate implements [llm.Model].
func (c counted) Generate(env *process.Env, request llm.Request, yield func(string) bool) (llm.Reply, error) {
	s := c.r.spent
	if err := c.r.settings.Budget.Afford(s.Calls, s.Usage.Prompt+s.Usage.Completion, s.Money); err != nil {
		return llm.Reply{}, err
	}
	c.count(Spent{Calls: 1}) // before the call, because other tasks may make calls while this one waits
	reply, err := c.model.Generate(env, request, yield)
	c.count(Spent{Usage: reply.Usage, Money: reply.Cost, Milliseconds: reply.Milliseconds})
	return reply, err
}

func (c counted) count(s Spent) {
	c.r.spent.add(s)
	if c.w != nil {
		c.w.spent.add(s)
	}
}

// script returns the model of a script, which continues where it stopped, or nil for other
// kinds of models, which keep no state.
func (r *run) script(key string, spec llm.Spec) (llm.Model, error) {
	if spec.Kind != llm.KindScripted {
		return nil, nil
	}
	if m, ok := r.scripts[key]; ok {
		return m, nil
	}
	m, err := llm.New(spec)
	r.scripts[key] = m
	return m, err
}

// play returns the model that the setup provides for a role, or nil.
func (r *run) play(who string) llm.Model {
	if r.setup.Play == nil {
		return nil
	}
	return r.setup.Play(who)
}

// roleModel returns the model that plays a role: a person, a script, or the one of the settings.
func (r *run) roleModel(role string, w *work) (llm.Model, error) {
	if play := r.play(role); play != nil {
		return counted{r, w, play}, nil
	}
	key, spec := r.settings.modelFor(role)
	model, err := r.script(key, spec)
	if model == nil && err == nil {
		switch spec.Kind {
		case llm.KindUniform, llm.KindFirst, llm.KindRambler:
			model = r.simulated(role, w, spec)
		default:
			model, err = llm.New(spec)
		}
	}
	return counted{r, w, model}, err
}

// codeTotal is the code of the error of a run that has used the steps of all its members.
const codeTotal = "team.total"

// step counts a call of a tool, or the answer of a member. It returns an error, which ends
// the run, if the run exceeds the total number of steps in its settings.
func (r *run) step() error {
	r.steps++
	if most := r.settings.TotalSteps; most > 0 && r.steps > most {
		return source.NewError(codeTotal, fmt.Sprintf("the team has reached its limit of %d steps", most))
	}
	return nil
}

// conversation asks a role until its answer is valid or no retry is left. read returns the
// faults of an answer. The returned faults are those of the last answer, none if it is
// valid.
func (r *run) conversation(env *process.Env, role string, w *work, prompt, schema string, read func(text string) (faults []string, err error)) (faults []string, err error) {
	model, err := r.roleModel(role, w)
	if err != nil {
		return nil, err
	}
	request := llm.Request{
		Messages: []llm.Message{{Role: "user", Content: prompt}}, MaxTokens: r.settings.MaxTokens, Temperature: r.settings.Temperature,
	}
	if schema != "" {
		request.Constraint = &llm.Constraint{Schema: json.RawMessage(schema)}
	}
	env.Emit(PromptEvent{Kind: "team.prompt", Role: role, Attempt: 1, Prompt: prompt})
	for attempt := 1; ; attempt++ {
		reply, err := model.Generate(env, request, func(delta string) bool {
			env.Emit(DeltaEvent{Kind: "team.delta", Role: role, Text: delta})
			return true
		})
		if err == nil {
			err = r.step()
		}
		if err != nil {
			return nil, err
		}
		if faults, err = read(reply.Text); err != nil {
			return nil, err
		}
		// Without a schema, a truncated reply cannot be detected by parsing.
		if reply.Reason == llm.StopLength && (len(faults) > 0 || schema == "") {
			faults = append([]string{fmt.Sprintf("the answer was cut off after %d tokens; be brief", r.settings.MaxTokens)}, faults...)
		}
		r.answers++
		e := ReplyEvent{Kind: "team.reply", Role: role, Attempt: attempt, Text: reply.Text, Faults: faults, Spent: r.spent, Answers: r.answers}
		if e.Faults == nil {
			e.Faults = []string{}
		}
		env.Emit(e)
		if len(faults) == 0 {
			return faults, nil
		}
		if attempt > r.retries {
			if why := choice.Unanswered(reply.Text); why != "" && !env.Earlier() {
				env.Revise()
				faults = append([]string{why}, faults...)
			}
			return faults, nil
		}
		again := bullets("The answer is not usable:", faults) + "\nWrite the complete answer again, in the requested form."
		env.Emit(PromptEvent{Kind: "team.prompt", Role: role, Attempt: attempt + 1, Prompt: again})
		request.Messages = append(llm.BeforeFault(env, request.Messages), llm.Message{Role: "assistant", Content: reply.Text}, llm.Message{Role: "user", Content: again})
	}
}
