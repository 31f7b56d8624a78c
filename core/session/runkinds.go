package session

import (
	"slices"

	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/plan/compare"
	"github.com/stile-playground/stile/core/plan/draft"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// Kinds of runs.
const (
	RunPlan    = notation.RunPlan // a model plans with a grammar, a pushdown automaton or a flowchart
	RunMonitor = "monitor"        // a model acts as an agent
	RunProbe   = "probe"          // an endpoint is tested
)

// runKind describes a kind of run: its settings, and the function that performs it.
type runKind struct {
	name     string
	spec     bool // it needs a spec whose notation has this kind of runs
	body     func(w project, file workspace.File, settings json.RawMessage) (process.Func, error)
	free     bool // the workspace's formulas are not about the run, or the run judges them itself
	settings any  // an example
}

func runKinds() []runKind {
	return []runKind{
		{RunPlan, true, planBody, false, plan.Settings{}},
		{RunMonitor, true, monitorBody, false, monitor.Settings{}},
		{RunBaseline, true, baselineBody, false, baseline.Settings{}},
		{RunCompare, true, compareBody, false, compare.Settings{}},
		{RunDraft, false, draftBody, true, draft.Settings{}},
		{RunAsk, false, askBody, true, AskSettings{}},
		{RunProbe, false, probeBody, true, llm.ProbeSettings{}},
		{RunTeam, true, teamBody, false, team.Settings{}},
		{RunSolve, true, solveBody, true, SolveSettings{}},
		{RunProve, false, proveBody, true, ProveSettings{}},
		{RunSteps, true, stepsBody, false, StepsSettings{}},
		{RunFormulate, true, formulateBody, true, formulate.Settings{}},
		{RunBenchmark, false, benchmarkBody, true, BenchmarkSettings{}},
		{RunLearn, false, learnBody, true, learn.Settings{}},
		{RunLab, true, labBody, false, lab.Settings{}},
		{RunContracts, false, contractsBody, true, ContractsSettings{}},
	}
}

func probeBody(_ project, _ workspace.File, settings json.RawMessage) (process.Func, error) {
	return llm.ProbeRun(settings)
}

// Settings returns an example of the settings of each kind of run.
func Settings() map[string]any {
	all := map[string]any{}
	for _, k := range runKinds() {
		all[k.name] = k.settings
	}
	return all
}

// Events returns an example of every event that a run emits. The field "kind" of an event names its
// kind.
func Events() []any {
	list := []any{
		plan.OfferEvent{Kind: "plan.offer"}, plan.ReplyEvent{Kind: "plan.reply"}, plan.TakeEvent{Kind: "plan.take"}, plan.ScoreEvent{Kind: "plan.score"}, plan.BeamEvent{Kind: "plan.beam"},
		plan.DeltaEvent{Kind: "plan.delta"}, plan.BackEvent{Kind: "plan.back"}, plan.ExecEvent{Kind: "plan.exec"}, PlanDone{Kind: "plan.done"},
		AskDelta{Kind: "ask.delta"}, enforce.Event{Kind: "rules.event"},
		llm.RetryEvent{Kind: "llm.retry"}, llm.ThoughtEvent{Kind: "llm.thought"}, llm.SpentEvent{Kind: "llm.spent"}, llm.ProbeEvent{Kind: "probe.step"},
		monitor.CallEvent{Kind: "monitor.call"}, monitor.DeltaEvent{Kind: "monitor.delta"},
		monitor.SegmentEvent{Kind: "monitor.segment"}, monitor.ViolationEvent{Kind: "monitor.violation"},
		monitor.CorrectionEvent{Kind: "monitor.correction"}, monitor.ToolEvent{Kind: "monitor.tool"}, monitor.SideEvent{Kind: "monitor.side"},
		monitor.KeepEvent{Kind: "monitor.keep"}, monitor.SampleEvent{Kind: "monitor.sample"}, monitor.DoneEvent{Kind: "monitor.done"},
	}
	return slices.Concat(list, baselineEvents(), draftEvents(), teamEvents(), benchmarkEvents(), formulateEvents(), stepsEvents(), proveEvents(), learn.Events(), labEvents())
}
