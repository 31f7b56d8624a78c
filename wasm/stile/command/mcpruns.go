package command

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/stile-playground/stile/core/gate"
)

// maxRuns bounds the runs of a proxy. Requests of further runs are refused.
const maxRuns = 10_000

// mcpServer judges the calls of the requests to a server with streamable HTTP.
type mcpServer struct {
	guard   *gate.Guard
	options gate.Options
	path    string
	header  string // that names the run

	mu   sync.Mutex
	runs map[string]*mcpRun
	last int
}

func newMCPServer(guard *gate.Guard, o gate.Options, path, header string) *mcpServer {
	if header == "" {
		header = "Mcp-Session-Id"
	}
	return &mcpServer{guard: guard, options: o, path: path, header: header, runs: map[string]*mcpRun{}}
}

// run returns the run of a request, and a prefix that makes the request's identifiers unique: requests without
// a session may use the same identifiers.
func (s *mcpServer) run(r *http.Request) (run *mcpRun, scope string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Header.Get(s.header)
	if r.Header.Get("Mcp-Session-Id") == "" {
		s.last++
		scope = fmt.Sprintf("%d:", s.last)
	}
	if run = s.runs[key]; run == nil {
		if len(s.runs) >= maxRuns {
			return nil, "", fmt.Errorf("more than %d runs", maxRuns)
		}
		if run, err = newMCPRun(s.guard, s.options); err != nil {
			return nil, "", err
		}
		s.runs[key] = run
	}
	return run, scope, nil
}
