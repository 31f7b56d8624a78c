package session

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// RunLearn is the kind of run in which small models learn to plan from the rewards of
// their plans. Its workspace has tasks.json, tools.json and the grammars that the tasks
// name.
const RunLearn = "learn"

const tasksFile = "tasks.json"

// MaxTrajectoryLogs bounds the recorded runs that one request replays.
const MaxTrajectoryLogs = 200

// LearnTrajectoriesParams are plans to be written as lines for fine-tuning: recorded runs
// of kind "plan" in one workspace, trajectories of a run of kind "learn", or both.
type LearnTrajectoriesParams struct {
	Layout       string             `json:"layout"` // one of learn's Layout constants
	Workspace    RunWorkspace       `json:"workspace,omitempty"`
	Logs         []RunLog           `json:"logs,omitempty"`
	Trajectories []learn.Trajectory `json:"trajectories,omitempty"`
}

// LearnTrajectoriesResult is a text with one JSON object per line.
type LearnTrajectoriesResult struct {
	Text       string `json:"text"`
	Lines      int    `json:"lines"` // decisions
	Plans      int    `json:"plans"`
	Unfinished int    `json:"unfinished"` // recorded runs that have not ended, which are omitted
}

func learnMethods() []Method {
	return []Method{method("learn.trajectories", (*Session).learnTrajectories)}
}

func (s *Session) learnTrajectories(p LearnTrajectoriesParams) (LearnTrajectoriesResult, error) {
	if len(p.Logs) > MaxTrajectoryLogs {
		return LearnTrajectoriesResult{}, source.NewError("limit.logs", fmt.Sprintf("too many recorded runs (the maximum is %d)", MaxTrajectoryLogs))
	}
	var out LearnTrajectoriesResult
	list := append([]learn.Trajectory(nil), p.Trajectories...)
	for i, log := range p.Logs {
		t, ended, err := trajectoryOf(s.table, p.Workspace, log)
		switch {
		case err != nil:
			return out, fmt.Errorf("recorded run %d: %w", i+1, err)
		case ended:
			list = append(list, t)
		default:
			out.Unfinished++
		}
	}
	learn.Number(list)
	var err error
	out.Plans = len(list)
	out.Text, out.Lines, err = learn.Write(list, p.Layout)
	return out, err
}

// trajectoryOf replays a recorded run in a separate session.
func trajectoryOf(t Table, w RunWorkspace, log RunLog) (out learn.Trajectory, ended bool, err error) {
	if log.Kind != "" && log.Kind != RunPlan {
		return out, false, source.NewError("learn.log", fmt.Sprintf("the run is of kind %q; training requires runs of kind %q", log.Kind, RunPlan))
	}
	log.Kind = RunPlan
	var settings plan.Settings
	if err := decodeParams(log.Settings, &settings); err != nil {
		return out, false, err
	}
	own := With(t)
	started, err := own.runStart(RunStartParams{Workspace: w, Log: &log})
	if err != nil {
		return out, false, err
	}
	name := log.Name
	if name == "" {
		name = t.Notations.Main(w.Files)
	}
	recording := learn.NewRecording(name, settings)
	for {
		step, err := own.runResume(RunResumeParams{Run: started.Run})
		if err != nil {
			return out, false, err
		}
		for _, event := range step.Events {
			if err := recording.Add(event); err != nil {
				return out, false, err
			}
		}
		switch step.State {
		case process.StateWorking:
			continue
		case process.StateWaiting:
			return out, false, nil
		case process.StateFailed:
			// A log of another spec is an error; a run without a plan is a trajectory.
			if step.Error.Code == "run.log" || step.Error.Code == "internal" {
				return out, false, source.NewError(step.Error.Code, step.Error.Message)
			}
		}
		return recording.Trajectory(), true, nil
	}
}

func learnBody(w project, _ workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings learn.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	listed, ok := w.File(tasksFile)
	if !ok {
		return nil, missingFile(tasksFile, w.Workspace)
	}
	var p learn.Problem
	var err error
	if p.Tasks, err = learn.ReadTasks(listed.Text); err != nil {
		return nil, err
	}
	if p.Tools, err = workspaceTools(w.Workspace); err != nil {
		return nil, err
	}
	if p.Tools == nil {
		return nil, missingFile(language.ToolsFile, w.Workspace)
	}
	for _, file := range w.Files {
		if w.table.Of(file.Name).Kind != workspace.KindGrammar {
			continue
		}
		f := file.Source()
		g, found := language.CompileGrammar(f, "")
		if g == nil || source.HasErrors(found) {
			return nil, notation.Invalid(f, found)
		}
		limits := g.DeclaredLimits()
		if _, err := g.Caps(limits); err != nil {
			return nil, err
		}
		p.Specs = append(p.Specs, learn.Spec{Name: file.Name, Grammar: g, Limits: limits})
	}
	return func(env *process.Env) (any, error) { return p.Run(env, settings) }, nil
}
