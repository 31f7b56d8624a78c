package session

import (
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
)

// Reserved file names of a workspace: the first has the records of trips that teams
// search, the others are used to show or start a run.
const (
	travelFile      = "travelplanner.json"
	travelQueryFile = "trip-query.json"
	teamScriptFile  = "team-script.json"
)

// workspaceTravel returns the workspace's records of trips, or nil.
func workspaceTravel(w workspace.Workspace) (*travel.DB, error) {
	file, ok := w.File(travelFile)
	if !ok {
		return nil, nil
	}
	return travel.Open(file.Text)
}

// addRecords adds the tools over the workspace's records to its declared tools. A
// declared tool with the same name takes precedence.
func addRecords(setup *monitor.Setup, w workspace.Workspace) error {
	tools, err := recordTools(w)
	if err != nil || len(tools) == 0 {
		return err
	}
	declared := setup.Tools
	setup.Tools = func() *tool.Registry {
		out := &tool.Registry{}
		if declared != nil {
			out = declared()
		}
		for _, c := range tools {
			_ = out.Add(c)
		}
		return out
	}
	return nil
}

// recordTools returns the tools over the records of benchmarks in the workspace.
func recordTools(w workspace.Workspace) ([]tool.Callable, error) {
	var out []tool.Callable
	db, err := workspaceTravel(w)
	if err != nil {
		return nil, err
	}
	if db != nil {
		out = db.Tools()
	}
	sim, err := workspaceApibank(w)
	if err != nil {
		return nil, err
	}
	if sim != nil {
		out = append(out, sim.Tools()...)
	}
	return out, nil
}
