package enforce

import (
	"errors"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/tool"
)

// guarded is a tool whose calls a run judges.
type guarded struct {
	tool.Callable
	run   *Run
	agent string
	tools func() []tool.Callable
}

// Guard makes the run judge the calls of all tools of a registry, including those that servers
// list later. A denied call is a fault of the tool, which the model reads.
func (r *Run) Guard(registry *tool.Registry, agent string) *tool.Registry {
	var out *tool.Registry
	out = registry.Wrapped(func(c tool.Callable) tool.Callable {
		return &guarded{Callable: c, run: r, agent: agent, tools: func() []tool.Callable { return out.List() }}
	})
	return out
}

// Call implements [tool.Callable].
func (g *guarded) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	names := []string{}
	for _, c := range g.tools() {
		names = append(names, c.Name())
	}
	made, reason, err := g.run.Call(env, Call{Agent: g.agent, Tool: g.Name(), Fields: rules.Fields(string(arguments), nil), Tools: names})
	if err != nil {
		return "", err
	}
	if made == nil {
		return "", &tool.CallFault{Code: CodeDenied, Message: reason}
	}
	text, err := g.Callable.Call(env, arguments)
	var fault *tool.CallFault
	switch {
	case err == nil:
		return text, made.Result(env, text)
	case errors.As(err, &fault):
		if failed := made.Error(env, fault.Message); failed != nil {
			return "", failed
		}
	}
	return "", err
}
