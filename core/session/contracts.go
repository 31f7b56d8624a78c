package session

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/mcp"
	"github.com/stile-playground/stile/core/tool/web"
	"github.com/stile-playground/stile/core/workspace"
)

// RunContracts is the kind of run that reads the tools of a server of agent-tools.json.
const RunContracts = "contracts"

// ContractsSettings name a server by its address in agent-tools.json.
type ContractsSettings struct {
	Server string `json:"server"`
}

// contractsBody returns a run whose result is a file with the tools of the server, as its method
// tools/list returns them, with the names that runs give them. The error has the code
// "contracts.server" if agent-tools.json declares no such server, or that of the failed request.
func contractsBody(w project, _ workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings ContractsSettings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	declared, err := agentTools(w.Workspace)
	if err != nil {
		return nil, err
	}
	if declared != nil {
		for _, server := range declared.MCP() {
			if server.URL == settings.Server {
				return func(env *process.Env) (any, error) {
					text, err := mcp.List(env, server)
					return File{Name: strings.ReplaceAll(web.Host(server.URL), ":", "-") + ".mcp.json", Text: text}, err
				}, nil
			}
		}
	}
	return nil, source.NewError("contracts.server", "agent-tools.json declares no MCP server at "+settings.Server)
}
