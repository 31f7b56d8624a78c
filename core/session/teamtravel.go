//go:build !first

package session

import (
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
)

// Files of a workspace that mean something by their names. What teams may look up of
// trips is in the first; the others are for whoever shows or starts a run.
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

// addTravel adds the tools over the workspace's records to those that it declares. One
// that it declares under the same name comes in its place.
func addTravel(setup *monitor.Setup, w workspace.Workspace) error {
	db, err := workspaceTravel(w)
	if err != nil || db == nil {
		return err
	}
	declared := setup.Tools
	setup.Tools = func() *tool.Registry {
		out := &tool.Registry{}
		if declared != nil {
			out = declared()
		}
		for _, c := range db.Tools() {
			_ = out.Add(c)
		}
		return out
	}
	return nil
}
