package session

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
				name := contractsFile(w.Workspace, declared.MCP(), server.URL)
				return func(env *process.Env) (any, error) {
					text, err := mcp.List(env, server)
					return File{Name: name, Text: text}, err
				}, nil
			}
		}
	}
	return nil, source.NewError("contracts.server", "agent-tools.json declares no MCP server at "+settings.Server)
}

// maxContractsPath bounds the part of a file's name that comes from the path of an address, in bytes.
const maxContractsPath = 60

// contractsFile returns the name of the file for the tools of a server: that of the file that has them
// already, otherwise HOST.mcp.json, or if another server has this file, HOST-PATH.mcp.json. A file
// without an address was written by an earlier version, for the server of the host that is declared first.
func contractsFile(w workspace.Workspace, declared []mcp.Server, url string) string {
	const ending = ".mcp.json"
	owners := map[string]string{}
	for _, f := range w.Files {
		if !strings.HasSuffix(f.Name, ending) {
			continue
		}
		tree, _ := json.Tree(f.Text)
		if owners[f.Name] = tree.TextOf("server"); owners[f.Name] == url {
			return f.Name
		}
	}
	host := web.Host(url)
	first := slices.IndexFunc(declared, func(s mcp.Server) bool { return web.Host(s.URL) == host })
	name := strings.ReplaceAll(host, ":", "-")
	if owner, taken := owners[name+ending]; !taken || owner == "" && declared[first].URL == url {
		return name + ending
	}
	_, rest, _ := strings.Cut(url, host)
	if at := strings.IndexAny(rest, "?#"); at >= 0 { // a query may contain a key
		rest = rest[:at]
	}
	plain := strings.Trim(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, rest), "-")
	if plain != "" {
		name += "-" + plain[:min(len(plain), maxContractsPath)]
	}
	out := name + ending
	for n := 2; ; n++ {
		if _, taken := owners[out]; !taken {
			return out
		}
		out = name + "-" + strconv.Itoa(n) + ending
	}
}
