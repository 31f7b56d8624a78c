package session

import (
	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

func monitorBody(w workspace.Workspace, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings monitor.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	a, err := soundAgent(file.Source())
	if err != nil {
		return nil, err
	}
	setup, err := monitorSetup(w)
	if err != nil {
		return nil, err
	}
	if settings.Then != "" {
		if _, err := setup.Agent(settings.Then); err != nil {
			return nil, err
		}
	}
	return func(env *process.Env) (any, error) { return monitor.RunWith(env, a, setup, settings) }, nil
}

// monitorSetup returns what a workspace has for runs of its agents.
func monitorSetup(w workspace.Workspace) (monitor.Setup, error) {
	setup := monitor.Setup{
		File: func(name string) (string, bool) {
			f, ok := w.File(name)
			return f.Text, ok
		},
		Agent: func(name string) (*agent.Agent, error) {
			file, ok := w.File(name)
			if !ok {
				return nil, missingFile(name, w)
			}
			return soundAgent(file.Source())
		},
	}
	declared, err := agentTools(w)
	if err == nil && declared != nil {
		setup.Tools = declared.Registry
	}
	return setup, err
}

// agentTools returns what the workspace says of its agents' tools, or nil.
func agentTools(w workspace.Workspace) (*tool.Declaration, error) {
	file, ok := w.File(tool.AgentToolsFile)
	if !ok {
		return nil, nil
	}
	f := file.Source()
	declared, found := openAgentTools(f, w)
	if declared == nil || source.HasErrors(found) {
		return nil, invalid(f, found)
	}
	return declared, nil
}

// openAgentTools reads the file that says so, with the descriptions that it names.
func openAgentTools(f *source.File, w workspace.Workspace) (*tool.Declaration, []source.Diagnostic) {
	declared, found := tool.ParseAgentTools(f)
	if declared != nil {
		found = append(found, declared.Load(func(name string) (string, bool) {
			named, ok := w.File(name)
			return named.Text, ok
		})...)
	}
	return declared, found
}
