package formulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/choice"
	"github.com/stile-playground/stile/core/process"
)

// counted is a model whose calls are charged to the run's budget and counted for a stage.
type counted struct {
	r     *run
	stage string
	model llm.Model
}

// Generate implements [llm.Model].
func (c counted) Generate(env *process.Env, request llm.Request, yield func(string) bool) (llm.Reply, error) {
	s := c.r.spent
	if err := c.r.settings.Budget.Afford(s.Calls, s.Usage.Prompt+s.Usage.Completion, s.Money); err != nil {
		return llm.Reply{}, err
	}
	reply, err := c.model.Generate(env, request, yield)
	c.r.count(c.stage, Spent{Calls: 1, Usage: reply.Usage, Money: reply.Cost, Milliseconds: reply.Milliseconds})
	return reply, err
}

func (r *run) count(stage string, s Spent) {
	r.spent.add(s)
	r.stage(stage).Spent.add(s)
}

// simulates reports whether a model without an endpoint, a script or a person works at a stage.
func (r *run) simulates(stage string) bool {
	spec, own := r.settings.Models[stage]
	if !own {
		spec = r.settings.Model
	}
	return slices.Contains([]string{llm.KindUniform, llm.KindFirst, llm.KindRambler}, spec.Kind)
}

// modelFor returns the model of a stage. A script continues where it stopped.
func (r *run) modelFor(stage string) (llm.Model, error) {
	spec, own := r.settings.Models[stage]
	key := stage
	if !own {
		spec, key = r.settings.Model, ""
	}
	if r.simulates(stage) {
		return counted{r, stage, r.simulated(stage, spec)}, nil
	}
	if r.scripts[key] == nil {
		model, err := llm.New(spec)
		if err != nil {
			return nil, err
		}
		r.scripts[key] = model
	}
	return counted{r, stage, r.scripts[key]}, nil
}

// conversation is a conversation with the model of a stage.
type conversation struct {
	r       *run
	stage   string
	model   llm.Model
	request llm.Request
	attempt int
	said    string
}

// converse starts a conversation with a prompt.
func (r *run) converse(stage, prompt string) (*conversation, error) {
	model, err := r.modelFor(stage)
	if err != nil {
		return nil, err
	}
	t := &conversation{r: r, stage: stage, model: model, request: llm.Request{MaxTokens: r.settings.MaxTokens, Temperature: r.settings.Temperature}}
	if t.request.MaxTokens == 0 {
		t.request.MaxTokens = DefaultMaxTokens
	}
	if stage == StageAssessor {
		t.request.Constraint = &llm.Constraint{Schema: json.RawMessage(ratingSchema)}
	}
	t.say(prompt)
	return t, nil
}

// ratingSchema is the schema of a self-assessment, in the form that strict servers require.
// The products of the Formulator and the Formatter have members with free names, which such a
// schema cannot describe.
const ratingSchema = `{"type":"object","properties":{"steps":{"type":"array","items":{"type":"object","properties":{"step":{"type":"integer"},"reason":{"type":"string"},"right":{"type":"boolean"},"how":{"type":["string","null"]},"instead":{"type":["string","null"]}},"required":["step","reason","right","how","instead"],"additionalProperties":false}}},"required":["steps"],"additionalProperties":false}`

// say adds the next message to the model.
func (t *conversation) say(prompt string) {
	t.attempt++
	t.request.Messages = llm.BeforeFault(t.r.env, t.request.Messages)
	if t.said != "" {
		t.request.Messages = append(t.request.Messages, llm.Message{Role: "assistant", Content: t.said})
	}
	t.request.Messages = append(t.request.Messages, llm.Message{Role: "user", Content: prompt})
	t.r.state(t.stage, StateRunning, t.attempt, "")
	t.r.env.Emit(PromptEvent{Kind: "formulate.prompt", Stage: t.stage, Round: t.r.round, Attempt: t.attempt, Prompt: prompt})
}

// answer asks the model once; read returns the faults of its text.
func (t *conversation) answer(read func(text string) (faults []string)) ([]string, error) {
	r := t.r
	reply, err := t.model.Generate(r.env, t.request, func(delta string) bool {
		r.env.Emit(DeltaEvent{Kind: "formulate.delta", Stage: t.stage, Text: delta})
		return true
	})
	if err != nil {
		return nil, err
	}
	t.said = reply.Text
	faults := []string{}
	if len(reply.Text) > maxProduct {
		faults = append(faults, fmt.Sprintf("the answer has more than %d MB", maxProduct>>20))
	} else {
		faults = append(faults, read(reply.Text)...)
	}
	if reply.Reason == llm.StopLength && len(faults) > 0 {
		faults = append([]string{fmt.Sprintf("the answer was cut off after %d tokens; be brief", t.request.MaxTokens)}, faults...)
	}
	r.env.Emit(ReplyEvent{Kind: "formulate.reply", Stage: t.stage, Round: r.round, Attempt: t.attempt, Text: reply.Text, Faults: faults, Spent: r.spent})
	return faults, nil
}

// until asks the model until its text has no faults, repeating the request up to more
// times, and returns the faults of the last text.
func (t *conversation) until(more int, read func(text string) (faults []string)) ([]string, error) {
	for {
		faults, err := t.answer(read)
		if err != nil || len(faults) == 0 {
			return faults, err
		}
		if t.attempt > more {
			if why := choice.Unanswered(t.said); why != "" && !t.r.env.Earlier() {
				t.r.env.Revise()
				faults = append([]string{why}, faults...)
			}
			return faults, nil
		}
		t.say(again(faults))
	}
}

// again is the message that reports faults to the model.
func again(faults []string) string {
	return bullets("The answer is not usable:", faults) + "Write the complete answer again, in the requested form."
}

// leftOut maps each stage that settings can leave out to the text that replaces its
// product in prompts.
func leftOut() map[string]string {
	return map[string]string{
		StageDefiner:    "(Nobody has worked out what it is about. The goal, what is decided and what has to hold are to be taken from the problem and the question.)",
		StageFormulator: "(Nobody has laid down variables. They are to be chosen with the text.)",
	}
}

// values returns the placeholders' values for the prompts of the first three stages.
func (r *run) values(stage string) map[string]string {
	v := map[string]string{
		"task": strings.TrimSpace(r.p.Task), "query": r.query, "goal": strings.TrimSpace(r.goal), "variables": strings.TrimSpace(r.variables),
		"why": r.whyOf(), "notation": r.notationText() + r.namesOf(), "trouble": r.trouble[stage],
	}
	if r.current {
		v["kinds"] = kinds
	}
	for stage, text := range leftOut() {
		if slices.Contains(r.settings.Without, stage) {
			v[map[string]string{StageDefiner: "goal", StageFormulator: "variables"}[stage]] = text
		}
	}
	if data := strings.TrimSpace(r.p.Data); data != "" {
		v["data"] = "```json\n" + data + "\n```\n"
	}
	if api := strings.TrimSpace(r.p.API); api != "" && !r.steps() {
		v["api"] = "These definitions are given to the solver; a text may use them and must not define them anew:\n```\n" + api + "\n```\n"
	}
	if r.settings.Example && strings.TrimSpace(r.p.Example) != "" {
		v["example"] = "\nAn example of this kind of problem:\n" + strings.TrimSpace(r.p.Example) + "\n"
	}
	return v
}
