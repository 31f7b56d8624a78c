package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Methods by which a task is done.
const (
	MethodTeam  = "team"  // PMC
	MethodReAct = "react" // one agent with all tools
	MethodCoT   = "cot"   // one answer, thought through, without tools
	MethodSole  = "sole"  // one answer from what is known beforehand
)

// What is done where a sub-task has failed as often as it may.
const (
	OtherwiseDeliver = "deliver" // it is given to others who are able, and then done without
	OtherwisePerson  = "person"  // a person is asked
	OtherwiseStop    = "stop"    // the run fails
)

// What the supervisor does with the results of the sub-tasks directly before.
const (
	SupervisorRewrite = "rewrite" // it rewrites the sub-task with them
	SupervisorPass    = "pass"    // it hands them on as they are
)

// Settings of a run.
type Settings struct {
	Task string `json:"task,omitempty"`
	// Model is asked by everyone for whom Models has no other: by "manager",
	// "supervisor" and "deliverer", by "executors", by "executor NAME" and by
	// "task t1", the sub-task's executor.
	Model  llm.Spec            `json:"model"`
	Models map[string]llm.Spec `json:"models,omitempty"`
	Method string              `json:"method,omitempty"` // one of the Method constants; "": MethodTeam
	Known  string              `json:"known,omitempty"`  // what is known beforehand; of MethodSole

	Graph       *Graph   `json:"graph,omitempty"`       // in the place of the manager's
	Approve     bool     `json:"approve,omitempty"`     // a person looks at the graph before it is carried out
	Changes     []Change `json:"changes,omitempty"`     // to the graph, during the run
	Supervisor  string   `json:"supervisor,omitempty"`  // one of the Supervisor constants; "": SupervisorRewrite
	Otherwise   string   `json:"otherwise,omitempty"`   // one of the Otherwise constants; "": OtherwiseDeliver
	Environment string   `json:"environment,omitempty"` // of the executors, one of monitor's; "": tools where the workspace declares some
	Steps       int      `json:"steps,omitempty"`       // 0: the team's
	Retries     *int     `json:"retries,omitempty"`     // nil: the team's
	Concurrent  int      `json:"concurrent,omitempty"`  // 0: the team's

	MaxTokens   int         `json:"maxTokens,omitempty"` // of a call; 0: DefaultMaxTokens
	Temperature float64     `json:"temperature,omitempty"`
	Templates   Templates   `json:"templates,omitzero"`
	Budget      plan.Budget `json:"budget,omitzero"`
	// Without names the properties that cannot be judged, and are left out.
	Without []string `json:"without,omitempty"`
}

// DefaultMaxTokens is enough for a graph of a dozen sub-tasks, or an itinerary.
const DefaultMaxTokens = 2_048

// Change is another graph, from a place of the run on. What it leaves as it was keeps
// its results; what has begun and would come out otherwise is ended and done again
// (see [Graph.Consequences]). Answers alone do not say what the place is, for a team of
// simulated models gets none.
type Change struct {
	After int    `json:"after"`          // effects that were answered to their end by then
	Told  int    `json:"told,omitempty"` // states and replies that were told by then: see [StateEvent]
	Graph *Graph `json:"graph"`
}

// Templates are the prompts; one that is empty stands for its default.
type Templates struct {
	Manager    string `json:"manager,omitempty"`
	Executor   string `json:"executor,omitempty"`
	Supervisor string `json:"supervisor,omitempty"`
	Inference  string `json:"inference,omitempty"` // of the deliverer, in either role
	Reporting  string `json:"reporting,omitempty"`
	Alone      string `json:"alone,omitempty"` // of the baselines
}

// Setup is what a run has of its workspace.
type Setup struct {
	monitor.Setup
	Shape *Shape // nil: none is wanted
	// Play returns a model in the place of the settings', by whose it is: "manager",
	// "supervisor", "deliverer", "task t1", "executors" and "alone" where a method has no
	// team. It is asked once a conversation; nil, or a nil model: the settings'.
	Play func(who string) llm.Model
	// Show shows a graph in the place of its event; nil: the event is emitted as it is.
	Show func(env *process.Env, e GraphEvent)
}

// Check returns an error with code "team.settings", "team.template" or "llm.spec" for
// settings that cannot be run.
func (s Settings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	keys := make([]string, 0, len(s.Models))
	for key := range s.Models {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		kind, name, named := strings.Cut(key, " ")
		if !(named && name != "" && (kind == "executor" || kind == "task") || slices.Contains([]string{"manager", "supervisor", "deliverer", "executors"}, key)) {
			return settingsError(fmt.Sprintf(`nobody is called %q; models are named for "manager", "supervisor", "deliverer", "executors", "executor NAME" or "task t1"`, key))
		}
		if err := s.Models[key].Check(); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		what, value string
		names       []string
	}{
		{"method", s.Method, []string{MethodTeam, MethodReAct, MethodCoT, MethodSole}},
		{"supervisor", s.Supervisor, []string{SupervisorRewrite, SupervisorPass}},
		{"way on after a failure", s.Otherwise, []string{OtherwiseDeliver, OtherwisePerson, OtherwiseStop}},
		{"environment", s.Environment, []string{monitor.EnvironmentSimulated, monitor.EnvironmentPerson, monitor.EnvironmentTools}},
	} {
		if c.value != "" && !slices.Contains(c.names, c.value) {
			return settingsError(fmt.Sprintf("there is no %s %q (there is %s)", c.what, c.value, strings.Join(c.names, ", ")))
		}
	}
	switch {
	case s.Steps < 0 || s.Steps > MaxSteps:
		return settingsError(fmt.Sprintf("steps are from 1 to %d, not %d", MaxSteps, s.Steps))
	case s.Retries != nil && (*s.Retries < 0 || *s.Retries > MaxRetries):
		return settingsError(fmt.Sprintf("retries are from 0 to %d, not %d", MaxRetries, *s.Retries))
	case s.Concurrent < 0 || s.Concurrent > MaxConcurrent:
		return settingsError(fmt.Sprintf("from 1 to %d sub-tasks are done at the same time, not %d", MaxConcurrent, s.Concurrent))
	case s.Temperature < 0 || s.Temperature > 2:
		return settingsError(fmt.Sprintf("the temperature is from 0 to 2, not %v", s.Temperature))
	case s.Budget.Calls < 0 || s.Budget.Tokens < 0 || s.Budget.Money < 0:
		return settingsError("a budget cannot be negative")
	}
	for i, c := range s.Changes {
		if c.After < 0 || c.Told < 0 || c.Graph == nil || i > 0 && (c.After < s.Changes[i-1].After || c.Told < s.Changes[i-1].Told) {
			return settingsError("a change has a graph and the numbers of effects that were answered and of states that were told before it, and changes stand in their order")
		}
	}
	return s.Templates.check()
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
		if err := plan.CheckNames("team.template", c.template, c.names, c.needed); err != nil {
			return err
		}
	}
	return nil
}

// modelFor returns the first spec that is named.
func (s Settings) modelFor(keys ...string) (key string, spec llm.Spec) {
	for _, key := range keys {
		if spec, ok := s.Models[key]; ok {
			return key, spec
		}
	}
	return "", s.Model
}

// Problem is a team with what it needs to run.
type Problem struct {
	Spec  *Spec
	Setup Setup
}

// Run does a task. The error has code "team.graph" where no graph could be had,
// "team.failed" where a sub-task failed and nobody wanted to go on, "limit.calls" and
// the like where a budget is used up; all else is a model's, the meter's or the host's.
func (p Problem) Run(env *process.Env, s Settings) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	r, err := newRun(env, p, s)
	if err != nil {
		return nil, err
	}
	var result *Result
	if s.Method == "" || s.Method == MethodTeam {
		result, err = r.team()
	} else {
		result, err = r.alone()
	}
	if err != nil {
		return nil, err
	}
	env.Emit(DoneEvent{Kind: "team.done", Result: *result})
	return result, nil
}
