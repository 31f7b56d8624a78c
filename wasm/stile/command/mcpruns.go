package command

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/wasm/stile/sidecar"
)

// maxRuns bounds the runs of a proxy. A further run makes room by ending an idle one, or is refused.
const maxRuns = 10_000

// defaultIdle is the time without messages after which a run may be ended.
const defaultIdle = time.Hour

// lostAfter is the time without messages after which a call is not expected to have a result any more, because its connection
// was lost or its client does not return.
const lostAfter = 24 * time.Hour

// sessionHeader is the header of a session, whose name the server chose.
const sessionHeader = "Mcp-Session-Id"

// errEnded refuses the requests of a run that was ended because it was idle.
var errEnded = errors.New("the run of this session was ended, because it was idle; begin another session")

// mcpServer judges the calls of the requests to a server with streamable HTTP.
type mcpServer struct {
	guard   *gate.Guard
	options gate.Options // with a clock
	path    string
	header  string        // that names the run
	most    int           // runs
	idle    time.Duration // after which a run may be ended
	say     func(line string)

	mu    sync.Mutex
	runs  map[string]*mcpRun
	last  int
	ended sidecar.Ended // runs, so that their clients cannot begin them again
}

func newMCPServer(guard *gate.Guard, o gate.Options, path, header string, idle time.Duration, say func(line string)) *mcpServer {
	if header == "" {
		header = sessionHeader
	}
	return &mcpServer{guard: guard, options: o, path: path, header: header, most: maxRuns, idle: idle, say: say, runs: map[string]*mcpRun{}}
}

// run returns the run of a request, and a prefix that makes the request's identifiers unique: requests without
// a session may use the same identifiers. The error [errEnded] is that of a run that was ended.
func (s *mcpServer) run(r *http.Request) (run *mcpRun, scope string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Header.Get(s.header)
	if r.Header.Get(sessionHeader) == "" {
		s.last++
		scope = fmt.Sprintf("%d:", s.last)
	}
	if run = s.runs[key]; run == nil {
		if s.ended.Has(key) {
			return nil, "", errEnded
		}
		if err := s.makeRoom(); err != nil {
			return nil, "", err
		}
		if run, err = newMCPRun(s.guard, s.options); err != nil {
			return nil, "", err
		}
		s.runs[key] = run
	}
	run.used = s.options.Clock()
	return run, scope, nil
}

// touch notes that a run is not idle.
func (s *mcpServer) touch(run *mcpRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run.used = s.options.Clock()
}

// makeRoom ends the run that was not used for the longest time, if there are too many runs and it is idle. The run of the requests
// without a session is never ended, because each session begins with such a request. A run of another header is ended after
// lostAfter only, because the next request of its name begins another run, which does not know the calls before: a client cannot
// choose another name, and would otherwise be refused forever.
func (s *mcpServer) makeRoom() error {
	if len(s.runs) < s.most {
		return nil
	}
	sessions := s.ofSessions()
	oldest, found, now := "", (*mcpRun)(nil), s.options.Clock()
	for key, run := range s.runs {
		if key != "" && (found == nil || run.used < found.used || run.used == found.used && key < oldest) && s.isIdle(run, now) {
			oldest, found = key, run
		}
	}
	if found == nil && !sessions {
		return fmt.Errorf("the proxy has %d runs, and that of each value of the header %q had a message in the last %v; end one with the DELETE of its session, or restart the proxy, which forgets all runs", len(s.runs), s.header, lostAfter)
	}
	if found == nil {
		return fmt.Errorf("the proxy has %d runs, and each had a message in the last %v or waits for a result; end a session with DELETE, or lower -idle", len(s.runs), s.idle)
	}
	found.end()
	delete(s.runs, oldest)
	if sessions {
		s.ended.Add(oldest)
	}
	hash := sidecar.HashOf(oldest) // the name itself permits to use the session
	s.say(fmt.Sprintf("ended the run of the session with the hash %x: idle for %.0f s, and %d runs are open", hash[:6], now-found.used, s.most))
	return nil
}

// isIdle reports whether a run may be ended at a time in seconds.
func (s *mcpServer) isIdle(run *mcpRun, now float64) bool {
	idle := now - run.used
	if !s.ofSessions() {
		return idle > lostAfter.Seconds()
	}
	return idle > s.idle.Seconds() && (idle > lostAfter.Seconds() || !run.waits())
}

// ofSessions reports whether the runs are sessions, whose names the server chooses.
func (s *mcpServer) ofSessions() bool { return strings.EqualFold(s.header, sessionHeader) }
