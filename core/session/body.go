package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// Kinds of runs.
const (
	RunPlan    = "plan"    // a model plans with a grammar, a pushdown automaton or a flowchart
	RunMonitor = "monitor" // a model acts as an agent
	RunProbe   = "probe"   // an endpoint is tested
)

// PlanDone is the event of a finished plan.
type PlanDone struct {
	Kind        string    `json:"kind"` // "plan.done"
	Plan        plan.Plan `json:"plan"`
	TreeDrawing *Drawing  `json:"treeDrawing,omitempty"` // of a derivation
}

// Events returns an example of every event that a run emits; each has its kind
// in the field "kind".
func Events() []any {
	list := []any{
		plan.OfferEvent{Kind: "plan.offer"}, plan.ReplyEvent{Kind: "plan.reply"}, plan.TakeEvent{Kind: "plan.take"},
		plan.DeltaEvent{Kind: "plan.delta"}, plan.BackEvent{Kind: "plan.back"}, plan.ExecEvent{Kind: "plan.exec"}, PlanDone{Kind: "plan.done"},
		AskDelta{Kind: "ask.delta"},
		llm.RetryEvent{Kind: "llm.retry"}, llm.ProbeEvent{Kind: "probe.step"},
		monitor.CallEvent{Kind: "monitor.call"}, monitor.DeltaEvent{Kind: "monitor.delta"},
		monitor.SegmentEvent{Kind: "monitor.segment"}, monitor.ViolationEvent{Kind: "monitor.violation"},
		monitor.CorrectionEvent{Kind: "monitor.correction"}, monitor.ToolEvent{Kind: "monitor.tool"}, monitor.SideEvent{Kind: "monitor.side"},
		monitor.KeepEvent{Kind: "monitor.keep"}, monitor.SampleEvent{Kind: "monitor.sample"}, monitor.DoneEvent{Kind: "monitor.done"},
	}
	return slices.Concat(list, baselineEvents(), draftEvents(), laterEvents())
}

// Settings returns an example of the settings of each kind of run.
func Settings() map[string]any {
	all := map[string]any{
		RunPlan: plan.Settings{}, RunMonitor: monitor.Settings{}, RunProbe: llm.ProbeSettings{}, RunAsk: AskSettings{},
		RunBaseline: plan.BaselineSettings{}, RunCompare: plan.CompareSettings{}, RunDraft: plan.DraftSettings{},
	}
	for kind, settings := range laterSettings() {
		all[kind] = settings
	}
	return all
}

// runKind is a kind of run.
type runKind struct {
	name  string
	specs []workspace.Kind // what it runs; none: it needs no spec
	body  func(w workspace.Workspace, file workspace.File, settings json.RawMessage) (process.Func, error)
	free  bool // the workspace's formulas are not about it, or it judges them itself
}

// runKinds are all kinds of runs. The first that fits a spec is what it is run
// with when nothing else is said.
func runKinds() []runKind {
	plannable := []workspace.Kind{workspace.KindGrammar, workspace.KindPushdown, workspace.KindFlow}
	return append([]runKind{
		{RunPlan, plannable, planBody, false},
		{RunMonitor, []workspace.Kind{workspace.KindAgent}, monitorBody, false},
		{RunBaseline, plannable, baselineBody, false},
		{RunCompare, plannable, compareBody, false},
		{RunDraft, nil, draftBody, true},
		{RunAsk, nil, askBody, true},
		{RunProbe, nil, func(_ workspace.Workspace, _ workspace.File, settings json.RawMessage) (process.Func, error) {
			return llm.ProbeRun(settings)
		}, true},
	}, laterKinds()...)
}

// runSolve is the kind of run of a text that may stand in its settings instead of in a
// spec that is named.
const runSolve = "solve"

// needsSpec reports whether a kind of run is made for a spec of the workspace.
func needsSpec(kind string, named bool) bool {
	for _, k := range runKinds() {
		if k.name == kind {
			return len(k.specs) > 0 && (named || kind != runSolve)
		}
	}
	return true
}

// consent says which properties that cannot be judged a run may start without.
type consent struct {
	without  []string // besides those of the settings
	recorded bool     // all of them: the run was recorded before properties were checked
}

// check returns the error of [checkProperties], unless the settings ignore properties.
func (c consent) check(w workspace.Workspace, raw json.RawMessage) error {
	var settings struct {
		Properties string   `json:"properties"`
		Without    []string `json:"without"`
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &settings); err != nil {
			return err
		}
	}
	if c.recorded || settings.Properties == "ignore" {
		return nil
	}
	return checkProperties(w.Files, slices.Concat(settings.Without, c.without))
}

// runBody returns the process of a run of a kind ("" for the one that the spec
// is made for) and the kind. The spec, the settings and the workspace's properties are
// checked at once, so that a run which cannot begin is an error of the call that starts
// it.
func runBody(kind string, w workspace.Workspace, file workspace.File, settings json.RawMessage, agreed consent) (string, process.Func, error) {
	spec := workspace.KindOf(file.Name)
	var fits, all []string
	for _, k := range runKinds() {
		all = append(all, k.name)
		right := len(k.specs) == 0 || slices.Contains(k.specs, spec) || k.name == runSolve && file.Name == ""
		if right && (kind == k.name || kind == "" && len(k.specs) > 0) {
			if !k.free && agreed.recorded {
				w.Files = withoutUnjudged(w.Files)
			}
			body, err := k.body(w, file, settings)
			if err == nil && !k.free {
				err = agreed.check(w, settings)
			}
			return k.name, body, err
		}
		if right && len(k.specs) > 0 {
			fits = append(fits, k.name)
		}
	}
	switch {
	case kind != "" && !slices.Contains(all, kind):
		message := fmt.Sprintf("there is no kind of run %q", kind)
		if near := source.Nearest(kind, all); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		return "", nil, source.NewError("run.kind", message)
	case len(fits) == 0:
		return "", nil, source.NewError("run.kind", file.Name+" is no spec that can be run")
	default:
		return "", nil, source.NewError("run.kind", fmt.Sprintf("%s is run with %q, not with %q", file.Name, strings.Join(fits, "\", \""), kind))
	}
}

func planBody(w workspace.Workspace, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings plan.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	spec, err := openPlannable(w, file, settings.Limits, settings.Properties != "ignore")
	if err != nil {
		return nil, err
	}
	tools, err := workspaceTools(w)
	if err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) {
		problem, err := spec.problem(env.Meter())
		if err != nil {
			return nil, err
		}
		problem.Tools = tools
		made, err := problem.Run(env, settings)
		if err != nil {
			return nil, err
		}
		done := PlanDone{Kind: "plan.done", Plan: *made}
		if made.Tree != nil {
			done.TreeDrawing = wireDrawing(planTree(made.Tree).Drawing("Derivation tree of the plan"), nil)
		}
		env.Emit(done)
		return made, nil
	}, nil
}

// workspaceTools returns what the workspace says of its tools, or nil.
func workspaceTools(w workspace.Workspace) (*tool.Set, error) {
	file, ok := w.File(toolsFile)
	if !ok {
		return nil, nil
	}
	f := file.Source()
	tools, found := openTools(f, w)
	if tools == nil || source.HasErrors(found) {
		return nil, invalid(f, found)
	}
	return tools, nil
}

// workspaceProperties returns the workspace's formulas about a spec, each without the
// conjuncts that refer to more than the spec's letters: those are about other specs, or
// [checkProperties] reports them.
func workspaceProperties(w workspace.Workspace, letters []string) ([]plan.Property, error) {
	var out []plan.Property
	for _, file := range w.Files {
		if workspace.KindOf(file.Name) != workspace.KindFormulas {
			continue
		}
		f := file.Source()
		formulas, found := ltl.Parse(f)
		if source.HasErrors(found) {
			return nil, invalid(f, found)
		}
		for _, n := range formulas {
			if f := (subject{letters: letters}).part(n.Formula); f != nil {
				out = append(out, plan.Property{Name: propertyName(n), Formula: f})
			}
		}
	}
	return out, nil
}

func planTree(n *plan.Node) *view.Tree {
	out := &view.Tree{Symbol: n.Symbol, Label: n.Label, Terminal: n.Terminal}
	for _, child := range n.Children {
		out.Children = append(out.Children, planTree(child))
	}
	return out
}
