package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
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

func newMCPServer(guard *gate.Guard, o gate.Options, upstream, header string) (*mcpServer, error) {
	u, err := url.Parse(upstream)
	if err != nil {
		return nil, err
	}
	if header == "" {
		header = "Mcp-Session-Id"
	}
	if _, err := guard.Begin(o); err != nil {
		return nil, err
	}
	return &mcpServer{guard: guard, options: o, path: u.Path, header: header, runs: map[string]*mcpRun{}}, nil
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

// mcpExchange is the run of a request, in its context.
type mcpExchange struct {
	run   *mcpRun
	scope string
}

type mcpKey struct{}

func withExchange(ctx context.Context, x mcpExchange) context.Context {
	return context.WithValue(ctx, mcpKey{}, x)
}

func exchangeOf(ctx context.Context) (mcpExchange, bool) {
	x, ok := ctx.Value(mcpKey{}).(mcpExchange)
	return x, ok
}

func (s *mcpServer) request(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path != s.path && !(s.path == "" && r.URL.Path == "/") {
		http.NotFound(w, r)
		return false
	}
	run, scope, err := s.run(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return false
	}
	*r = *r.WithContext(withExchange(r.Context(), mcpExchange{run, scope}))
	if r.Method != http.MethodPost {
		return true
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return false
	}
	forward, answer := run.fromClient(scope, text)
	if forward == nil {
		status := http.StatusOK
		if answer == nil || bytes.Contains(answer, []byte(`"error":{`)) {
			status = http.StatusBadRequest
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(answer) // the client has left
		return false
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(forward)), int64(len(forward))
	r.Header.Del("Content-Length")
	return true
}

// response enters the results in an answer before the client receives them.
func (s *mcpServer) response(r *http.Response) error {
	x, ok := exchangeOf(r.Request.Context())
	if !ok {
		return errors.New("the request has no run")
	}
	if r.Request.Method == http.MethodDelete && r.StatusCode/100 == 2 {
		x.run.mu.Lock()
		x.run.session.End()
		x.run.mu.Unlock()
		s.mu.Lock()
		delete(s.runs, r.Request.Header.Get(s.header))
		s.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // "" for none
	switch kind {
	case "text/event-stream":
		r.Body = &eventTee{ReadCloser: r.Body, event: func(data string) { x.run.fromServer(x.scope, []byte(data)) }}
	case "application/json":
		text, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
		if err = errors.Join(err, r.Body.Close()); err != nil {
			return err
		}
		if len(text) > maxMessage {
			return fmt.Errorf("an answer is larger than %d bytes", maxMessage)
		}
		x.run.fromServer(x.scope, text)
		r.Body = io.NopCloser(bytes.NewReader(text))
	}
	return nil
}
