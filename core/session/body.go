package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// PlanDone is the event of a finished plan.
type PlanDone struct {
	Kind        string    `json:"kind"` // "plan.done"
	Plan        plan.Plan `json:"plan"`
	TreeDrawing *Drawing  `json:"treeDrawing,omitempty"` // of a derivation
}

// runSolve is the kind of run whose text may be in the settings instead of in a spec.
const runSolve = "solve"

// needsSpec reports whether a kind of run requires a spec of the workspace.
func needsSpec(kind string, named bool) bool {
	for _, k := range runKinds() {
		if k.name == kind {
			return k.spec && (named || kind != runSolve)
		}
	}
	return true
}

// consent lists the unjudged properties that a run may start without.
type consent struct {
	without  []string // in addition to those of the settings
	recorded bool     // all properties: the run was recorded before properties were checked
}

// check returns the error of [language.CheckProperties], unless the settings ignore properties.
func (c consent) check(w project, raw json.RawMessage) error {
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
	return language.CheckProperties(w.table, w.Files, slices.Concat(settings.Without, c.without))
}

// kindOf returns the kind of a run, for which "" selects the default of the spec.
func kindOf(kind string, w project, file workspace.File) string {
	if fits := w.table.Of(file.Name).Runs; kind == "" && len(fits) > 0 {
		return fits[0]
	}
	return kind
}

// wordings has the wording of the prompts of new runs, by the kind of run.
func wordings() map[string]string {
	return map[string]string{
		RunPlan: plan.WordingPaper, RunCompare: plan.WordingPaper, RunTeam: team.WordingNeutral, RunBenchmark: team.WordingNeutral,
		RunFormulate: formulate.WordingFull, RunLab: lab.WordingCurrent,
	}
}

// withWording returns the settings of a new run. A run whose prompts have several wordings, unless it is
// a planner with a template, gets the current one, which the log of the run then contains: recorded
// runs without a wording keep their prompts.
func withWording(kind string, raw json.RawMessage) json.RawMessage {
	text := bytes.TrimSpace(raw)
	if len(text) == 0 || string(text) == "null" {
		text = []byte("{}")
	}
	var s struct {
		Template string `json:"template"`
	}
	word := wordings()[kind]
	if word == "" || json.Unmarshal(text, &s) != nil || s.Template != "" || wordingOf(text) != "" {
		return raw
	}
	wording := `{"wording":"` + word + `"`
	rest := bytes.TrimSpace(text[1:])
	if rest[0] != '}' {
		wording += ","
	}
	return append(json.RawMessage(wording), rest...)
}

// wordingOf returns the wording in settings of a run, or "".
func wordingOf(raw json.RawMessage) string {
	var s struct {
		Wording string `json:"wording"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s.Wording
}

// runBody returns the process of a run and its kind; the kind "" selects the default of the spec.
// It checks the spec, the settings and the properties of the workspace first, so that run.start
// reports a run that cannot begin.
func runBody(kind string, w project, file workspace.File, settings json.RawMessage, agreed consent) (string, process.Func, error) {
	fits, wanted := w.table.Of(file.Name).Runs, kindOf(kind, w, file)
	var all []string
	for _, k := range runKinds() {
		all = append(all, k.name)
		right := !k.spec || slices.Contains(fits, k.name) || k.name == runSolve && file.Name == ""
		if right && wanted == k.name {
			if !k.free && agreed.recorded {
				w.Files = language.WithoutUnjudged(w.table, w.Files)
			}
			body, err := k.body(w, file, settings)
			if err == nil && !k.free {
				err = agreed.check(w, settings)
			}
			return k.name, body, err
		}
	}
	switch {
	case kind != "" && !slices.Contains(all, kind):
		message := fmt.Sprintf("unknown kind of run %q", kind)
		if near := source.Nearest(kind, all); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		return "", nil, source.NewError("run.kind", message)
	case len(fits) == 0:
		return "", nil, source.NewError("run.kind", file.Name+" has no kind of run")
	default:
		return "", nil, source.NewError("run.kind", fmt.Sprintf(`%s is run with "%s", not with %q`, file.Name, strings.Join(fits, "\", \""), kind))
	}
}

func planBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
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
	tools, err := workspaceTools(w.Workspace)
	if err != nil {
		return nil, err
	}
	policy, err := policyOf(settings.Rules, settings.RulesObserved)
	if err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) {
		problem, err := spec.problem(env.Meter())
		if err != nil {
			return nil, err
		}
		problem.Tools, problem.Rules = tools, policy
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

func workspaceTools(w workspace.Workspace) (*tool.Set, error) {
	file, ok := w.File(language.ToolsFile)
	if !ok {
		return nil, nil
	}
	f := file.Source()
	tools, found := language.OpenTools(f, w)
	if tools == nil || source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	return tools, nil
}

// workspaceProperties returns the formulas of the workspace about a spec, each without the
// conjuncts that refer to symbols outside the spec: those are about other specs, or
// [language.CheckProperties] reports them.
func workspaceProperties(w project, letters []string) ([]space.Property, error) {
	var out []space.Property
	for _, p := range w.table.Properties(w.Files) {
		if source.HasErrors(p.Found) {
			return nil, notation.Invalid(p.File, p.Found)
		}
		for _, n := range p.Formulas {
			if f := (notation.Subject{Letters: letters}).Part(n.Formula); f != nil {
				out = append(out, space.Property{Name: language.PropertyName(n), Formula: f})
			}
		}
	}
	return out, nil
}

func planTree(n *space.Node) *view.Tree {
	out := &view.Tree{Symbol: n.Symbol, Label: n.Label, Terminal: n.Terminal}
	for _, child := range n.Children {
		out.Children = append(out.Children, planTree(child))
	}
	return out
}
