package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/plan/prompt"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Methods.
const (
	MethodTeam  = "team"  // planning with multiple constraints, with a team
	MethodReAct = "react" // one agent with all tools
	MethodAct   = "act"   // the same agent without thoughts
	MethodCoT   = "cot"   // chain of thought: one answer without tools
	MethodSole  = "sole"  // one answer from given information
)

// Actions after the last failed attempt at a sub-task.
const (
	OtherwiseDeliver = "deliver" // another able executor takes over; without one, the delivery omits it
	OtherwisePerson  = "person"  // ask a person
	OtherwiseStop    = "stop"    // end the run with an error
)

// WordingNeutral is the wording of prompts whose examples name no constraint of a benchmark. Settings of
// runs that were recorded before it existed have no wording.
const WordingNeutral = "neutral"

// Uses of the direct predecessors' results by the supervisor.
const (
	SupervisorRewrite = "rewrite" // rewrite the sub-task with them
	SupervisorPass    = "pass"    // pass them on unchanged
)

// Settings of a run.
type Settings struct {
	Task string `json:"task,omitempty"`
	// Model is the default. Models replaces it by role: "manager", "supervisor",
	// "deliverer", "executors", "executor NAME", or "task t1" for the executor of a
	// sub-task.
	Model  llm.Spec            `json:"model"`
	Models map[string]llm.Spec `json:"models,omitempty"`
	Method string              `json:"method,omitempty"` // one of the Method constants; "": MethodTeam
	Known  string              `json:"known,omitempty"`  // given information for MethodSole
	// Hints are for the deliverer, or for the agent of a method without a team; those of the team are for all members.
	Hints []string `json:"hints,omitempty"`

	Graph       *Graph   `json:"graph,omitempty"`       // replaces the manager's
	Create      int      `json:"create,omitempty"`      // maximum number of executors that the manager may create; 0: none
	Approve     bool     `json:"approve,omitempty"`     // ask a person to approve the graph
	Changes     []Change `json:"changes,omitempty"`     // to the graph, during the run
	Supervisor  string   `json:"supervisor,omitempty"`  // one of the Supervisor constants; "": SupervisorRewrite
	Otherwise   string   `json:"otherwise,omitempty"`   // one of the Otherwise constants; "": OtherwiseDeliver
	Environment string   `json:"environment,omitempty"` // of the executors, an Environment constant of package monitor; "": tools if the workspace declares some
	Steps       int      `json:"steps,omitempty"`       // of an executor; 0: the team's
	TotalSteps  int      `json:"totalSteps,omitempty"`  // of all members together, calls of tools and answers; 0: no limit
	Retries     *int     `json:"retries,omitempty"`     // nil: the team's
	Concurrent  int      `json:"concurrent,omitempty"`  // 0: the team's

	MaxTokens   int          `json:"maxTokens,omitempty"` // of a call; 0: DefaultMaxTokens
	Temperature float64      `json:"temperature,omitempty"`
	Templates   Templates    `json:"templates,omitzero"`
	Wording     string       `json:"wording,omitempty"` // of the default prompts, WordingNeutral; "": that of earlier versions
	Budget      meter.Budget `json:"budget,omitzero"`
	// Without names the properties to leave out because they cannot be judged.
	Without []string `json:"without,omitempty"`
	// Rules is the text of a .rules file. A call that would violate one of its rules is not made.
	Rules string `json:"rules,omitempty"`
	// RulesObserved makes also the calls that violate a rule; the result has the violations.
	RulesObserved bool `json:"rulesObserved,omitempty"`
}

// DefaultMaxTokens suffices for a graph of a dozen sub-tasks, or an itinerary.
const DefaultMaxTokens = 2_048

// Change replaces the task graph at a point of the run. Unchanged sub-tasks keep their
// results; affected ones are cancelled and done again (see [Graph.Consequences]). The
// point is given by both the number of answered effects and the number of emitted events,
// because a team of simulated models has no effects.
type Change struct {
	After   int    `json:"after"`          // number of completely answered effects before it
	Answers int    `json:"told,omitempty"` // number of StateEvents and ReplyEvents before it
	Graph   *Graph `json:"graph"`
}

// Templates are the prompts; "" selects the default.
type Templates struct {
	Manager    string `json:"manager,omitempty"`
	Executor   string `json:"executor,omitempty"`
	Supervisor string `json:"supervisor,omitempty"`
	Inference  string `json:"inference,omitempty"` // of the deliverer, one for each role
	Reporting  string `json:"reporting,omitempty"`
	Alone      string `json:"alone,omitempty"` // of the baselines
}

// Setup connects a run with its workspace.
type Setup struct {
	monitor.Setup
	Shape *Shape // nil: any order is allowed
	// Play replaces the model of the settings for "manager", "supervisor", "deliverer",
	// "task t1", "executors", or "alone" in a baseline. It is called once for each
	// conversation. nil, or a nil model, keeps the model of the settings.
	Play func(who string) llm.Model
	// Show replaces the emission of a graph; nil: the event is emitted.
	Show func(env *process.Env, e GraphEvent)
}

// Check returns an error with code "team.settings", "team.template" or "llm.spec" for
// invalid settings.
func (s Settings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	if err := s.checkModels(); err != nil {
		return err
	}
	if err := s.checkNames(); err != nil {
		return err
	}
	switch {
	case s.Steps < 0 || s.Steps > MaxSteps:
		return settingsError(fmt.Sprintf("steps must be from 1 to %d, not %d", MaxSteps, s.Steps))
	case s.TotalSteps < 0:
		return settingsError("the steps of all members cannot be negative")
	case s.Retries != nil && (*s.Retries < 0 || *s.Retries > MaxRetries):
		return settingsError(fmt.Sprintf("retries must be from 0 to %d, not %d", MaxRetries, *s.Retries))
	case s.Concurrent < 0 || s.Concurrent > MaxConcurrent:
		return settingsError(fmt.Sprintf("concurrent sub-tasks must be from 1 to %d, not %d", MaxConcurrent, s.Concurrent))
	case s.Create < 0 || s.Create > MaxCreated:
		return settingsError(fmt.Sprintf("created executors must be from 0 to %d, not %d", MaxCreated, s.Create))
	case s.Temperature < 0 || s.Temperature > 2:
		return settingsError(fmt.Sprintf("the temperature must be from 0 to 2, not %v", s.Temperature))
	case s.Budget.Negative():
		return settingsError("a budget cannot be negative")
	}
	if err := s.checkChanges(); err != nil {
		return err
	}
	return s.Templates.check()
}

// checkModels checks the models of single members, in the order of their keys.
func (s Settings) checkModels() error {
	keys := make([]string, 0, len(s.Models))
	for key := range s.Models {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		kind, name, named := strings.Cut(key, " ")
		if !(named && name != "" && (kind == "executor" || kind == "task") || slices.Contains([]string{"manager", "supervisor", "deliverer", "executors"}, key)) {
			return settingsError(fmt.Sprintf(`unknown role %q of a model (expected "manager", "supervisor", "deliverer", "executors", "executor NAME" or "task t1")`, key))
		}
		if err := s.Models[key].Check(); err != nil {
			return err
		}
	}
	return nil
}

func (s Settings) checkNames() error {
	for _, c := range []struct {
		what, value string
		names       []string
	}{
		{"method", s.Method, []string{MethodTeam, MethodReAct, MethodAct, MethodCoT, MethodSole}},
		{"supervisor", s.Supervisor, []string{SupervisorRewrite, SupervisorPass}},
		{"action after a failure", s.Otherwise, []string{OtherwiseDeliver, OtherwisePerson, OtherwiseStop}},
		{"wording", s.Wording, []string{WordingNeutral}},
		{"environment", s.Environment, []string{monitor.EnvironmentSimulated, monitor.EnvironmentPerson, monitor.EnvironmentTools}},
	} {
		if c.value != "" && !slices.Contains(c.names, c.value) {
			return settingsError(fmt.Sprintf("unknown %s %q (expected %s)", c.what, c.value, strings.Join(c.names, ", ")))
		}
	}
	return nil
}

func (s Settings) checkChanges() error {
	for i, c := range s.Changes {
		if c.After < 0 || c.Answers < 0 || c.Graph == nil || i > 0 && (c.After < s.Changes[i-1].After || c.Answers < s.Changes[i-1].Answers) {
			return settingsError("a change needs a graph and the numbers of effects and events before it, and changes must be in order")
		}
	}
	return nil
}

func settingsError(message string) error { return source.NewError("team.settings", message) }

func (t Templates) check() error {
	for _, c := range []struct {
		template, needed string
		names            []string
	}{
		{t.Manager, "task", managerNames}, {t.Executor, "does", executorNames}, {t.Supervisor, "subtask", supervisorNames},
		{t.Inference, "results", delivererNames}, {t.Reporting, "results", delivererNames}, {t.Alone, "task", aloneNames},
	} {
		if err := prompt.Check("team.template", c.template, c.names, c.needed); err != nil {
			return err
		}
	}
	return nil
}

// modelFor returns the first of the keys that has a model in Models, with its spec, or ""
// and the default.
func (s Settings) modelFor(keys ...string) (key string, spec llm.Spec) {
	for _, key := range keys {
		if spec, ok := s.Models[key]; ok {
			return key, spec
		}
	}
	return "", s.Model
}

// Problem is a team with its setup.
type Problem struct {
	Spec  *Spec
	Setup Setup
}

// Run does a task. The error has code "team.graph" if there is no valid graph, "team.failed" if the
// run stops after a failed sub-task, "team.total" if the steps of all members are used up, or
// "limit.calls", "limit.tokens" or "limit.money" if a budget is exhausted. Other errors come from a
// model, the meter or the host.
func (p Problem) Run(env *process.Env, s Settings) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	r, err := newRun(env, p, s)
	if err != nil {
		return nil, err
	}
	if err := r.asked(); err != nil {
		return nil, err
	}
	var result *Result
	if s.Method == "" || s.Method == MethodTeam {
		result, err = r.team()
	} else {
		result, err = r.baseline()
	}
	if err == nil {
		err = r.judgeRules(result)
	}
	if err != nil {
		return nil, err
	}
	env.Emit(DoneEvent{Kind: "team.done", Result: *result})
	return result, nil
}
