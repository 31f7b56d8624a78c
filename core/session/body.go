package session

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// Kinds of runs.
const (
	RunPlan    = "plan"    // a model plans with a grammar
	RunMonitor = "monitor" // a model acts as an agent
)

// PlanDone is the event of a finished plan.
type PlanDone struct {
	Kind        string    `json:"kind"` // "plan.done"
	Plan        plan.Plan `json:"plan"`
	TreeDrawing *Drawing  `json:"treeDrawing"`
}

// Events returns an example of every event that a run emits; each has its kind
// in the field "kind".
func Events() []any {
	return []any{
		plan.OfferEvent{Kind: "plan.offer"}, plan.ReplyEvent{Kind: "plan.reply"}, plan.TakeEvent{Kind: "plan.take"},
		plan.BackEvent{Kind: "plan.back"}, PlanDone{Kind: "plan.done"},
		monitor.CallEvent{Kind: "monitor.call"}, monitor.DeltaEvent{Kind: "monitor.delta"},
		monitor.SegmentEvent{Kind: "monitor.segment"}, monitor.ViolationEvent{Kind: "monitor.violation"},
		monitor.CorrectionEvent{Kind: "monitor.correction"}, monitor.DoneEvent{Kind: "monitor.done"},
	}
}

// Settings returns an example of the settings of each kind of run.
func Settings() map[string]any {
	return map[string]any{RunPlan: plan.Settings{}, RunMonitor: monitor.Settings{}}
}

// runBody returns the process of a run of a kind ("" for the one that the spec
// is made for) and the kind. The spec and the settings are checked at once, so
// that a run which cannot begin is an error of the call that starts it.
func runBody(kind string, file workspace.File, settings json.RawMessage) (string, process.Func, error) {
	spec := workspace.KindOf(file.Name)
	fits := map[workspace.Kind]string{workspace.KindGrammar: RunPlan, workspace.KindAgent: RunMonitor}[spec]
	switch {
	case fits == "":
		return "", nil, source.NewError("run.kind", fmt.Sprintf("%s is neither a grammar nor an agent, so it cannot be run", file.Name))
	case kind != "" && kind != fits:
		message := fmt.Sprintf("%s is run with %q, not with %q", file.Name, fits, kind)
		return "", nil, source.NewError("run.kind", message)
	}
	var body process.Func
	var err error
	if fits == RunPlan {
		body, err = planBody(file, settings)
	} else {
		body, err = monitorBody(file, settings)
	}
	return fits, body, err
}

func planBody(file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings plan.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Model.Check(); err != nil {
		return nil, err
	}
	f := file.Source()
	g, found := compileGrammar(f, "")
	if g == nil || source.HasErrors(found) {
		return nil, invalid(f, found)
	}
	if settings.Limits != nil {
		if _, err := g.Caps(*settings.Limits); err != nil {
			return nil, err
		}
	}
	return func(env *process.Env) (any, error) {
		made, err := plan.Run(env, g, settings)
		if err != nil {
			return nil, err
		}
		drawing := planTree(made.Tree).Drawing("Derivation tree of the plan")
		env.Emit(PlanDone{Kind: "plan.done", Plan: *made, TreeDrawing: wireDrawing(drawing, nil)})
		return made, nil
	}, nil
}

func planTree(n *plan.Node) *view.Tree {
	out := &view.Tree{Symbol: n.Symbol, Label: n.Label, Terminal: n.Terminal}
	for _, child := range n.Children {
		out.Children = append(out.Children, planTree(child))
	}
	return out
}

func monitorBody(file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings monitor.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	f := file.Source()
	a, found := compileAgent(f)
	if a == nil || source.HasErrors(found) {
		return nil, invalid(f, found)
	}
	return func(env *process.Env) (any, error) { return monitor.Run(env, a, settings) }, nil
}
