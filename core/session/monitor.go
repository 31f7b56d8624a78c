package session

import (
	"slices"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/workspace"
)

func monitorBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings monitor.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	a, err := language.SoundAgent(file.Source())
	if err != nil {
		return nil, err
	}
	setup, err := monitorSetup(w.Workspace)
	if err != nil {
		return nil, err
	}
	setup.Judge = propertyJudge(w, settings.Without)
	if setup.Rules, err = policyOf(settings.Rules, settings.RulesObserved); err != nil {
		return nil, err
	}
	if settings.Then != "" {
		if _, err := setup.Agent(settings.Then); err != nil {
			return nil, err
		}
	}
	return func(env *process.Env) (any, error) { return monitor.Run(env, a, setup, settings) }, nil
}

// propertyJudge returns a function that judges the workspace's formulas on the states of
// a completed run, without the excluded ones that cannot be judged.
func propertyJudge(w project, without []string) func(*agent.Agent, []string) ([]monitor.Property, error) {
	text := ""
	for _, p := range w.table.Properties(w.Files) {
		text += p.File.Text + "\n\n"
	}
	if text == "" {
		return nil
	}
	return func(a *agent.Agent, states []string) ([]monitor.Property, error) {
		c := traceCheck{table: w.table, a: a, params: MonitorCheckParams{Properties: text, Others: w.Files}, runs: []traceStates{{states, true}}}
		err := c.properties()
		var out []monitor.Property
		for _, p := range c.out.Properties {
			if p.Fault != "" && slices.Contains(without, p.Name) { // of the others, the reason is reported
				p.Other, p.Fault, p.Holds = p.Verdict == "", "", p.Reason == ""
			}
			if p.Other {
				continue
			}
			out = append(out, monitor.Property{Name: p.Name, Holds: p.Holds, Reason: p.Reason, Fault: p.Fault})
		}
		return out, err
	}
}

// monitorSetup returns the files and tools for runs of the workspace's agents.
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
			return language.SoundAgent(file.Source())
		},
	}
	declared, err := agentTools(w)
	if err == nil && declared != nil {
		setup.Tools = declared.Registry
	}
	return setup, err
}

// agentTools returns the tools that the workspace declares for its agents, or nil.
func agentTools(w workspace.Workspace) (*agenttools.Declaration, error) {
	file, ok := w.File(agenttools.File)
	if !ok {
		return nil, nil
	}
	f := file.Source()
	declared, found := openAgentTools(f, w)
	if declared == nil || source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	return declared, nil
}

// openAgentTools reads the declaration of the tools, with the descriptions that it names.
func openAgentTools(f *source.File, w workspace.Workspace) (*agenttools.Declaration, []source.Diagnostic) {
	declared, found := agenttools.Parse(f)
	if declared != nil {
		found = append(found, declared.Load(func(name string) (string, bool) {
			named, ok := w.File(name)
			return named.Text, ok
		})...)
	}
	return declared, found
}
