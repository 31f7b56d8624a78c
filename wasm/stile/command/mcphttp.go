package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// mcpExchange is the run of a request, in its context.
type mcpExchange struct {
	run   *mcpRun
	scope string
	call  string // the key of the request in the calls of the run, "" if it is none
	tee   *eventTee
	fault string // why the request has no result

	unknown bool // the server answered with status 404
}

type mcpKey struct{}

func withExchange(ctx context.Context, x *mcpExchange) context.Context {
	return context.WithValue(ctx, mcpKey{}, x)
}

func exchangeOf(ctx context.Context) (*mcpExchange, bool) {
	x, ok := ctx.Value(mcpKey{}).(*mcpExchange)
	return x, ok
}

func (s *mcpServer) request(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path != s.path && !(s.path == "" && r.URL.Path == "/") {
		http.NotFound(w, r)
		return false
	}
	run, scope, err := s.run(r)
	if errors.Is(err, errEnded) {
		http.Error(w, err.Error(), http.StatusNotFound) // after which a client begins another session
		return false
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return false
	}
	x := &mcpExchange{run: run, scope: scope, fault: "the connection was lost"}
	*r = *r.WithContext(withExchange(r.Context(), x))
	if r.Method != http.MethodPost {
		return true
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return false
	}
	text, answer := run.fromClient(scope, text)
	if text == nil {
		status := http.StatusOK
		if answer == nil || bytes.Contains(answer, []byte(`"error":{`)) {
			status = http.StatusBadRequest
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(answer) // the client has left
		return false
	}
	if m, err := parseRPC(text); err == nil && m.Method == "tools/call" {
		x.call = scope + keyOf(m.ID)
	}
	forward(r, text)
	return true
}

// done enters an error for a call whose answer is over without a result. It drops a run that the server never had, so that names
// without a session do not keep others from a run.
func (s *mcpServer) done(r *http.Request) {
	x, ok := exchangeOf(r.Context())
	if !ok {
		return
	}
	if x.tee != nil && x.tee.named {
		x.run.lose(x.call) // the client may request the rest
	} else {
		x.run.fail(x.call, x.fault)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Header.Get(s.header)
	if x.unknown && !x.run.entered && key != "" && s.runs[key] == x.run && !x.run.waits() {
		x.run.end()
		delete(s.runs, key)
	}
}

// answered notes the status of an answer to a request.
func (s *mcpServer) answered(x *mcpExchange, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.fault = fmt.Sprintf("the answer with status %d has no result", status)
	x.unknown = status == http.StatusNotFound
	x.run.entered = x.run.entered || !x.unknown
	x.run.used = s.options.Clock()
}

// response enters the results in an answer before the client receives them.
func (s *mcpServer) response(r *http.Response) error {
	x, ok := exchangeOf(r.Request.Context())
	if !ok {
		return errors.New("the request has no run")
	}
	s.answered(x, r.StatusCode)
	if r.Request.Method == http.MethodDelete && r.StatusCode/100 == 2 {
		x.run.end()
		s.mu.Lock()
		delete(s.runs, r.Request.Header.Get(s.header))
		s.mu.Unlock()
	}
	switch kindOf(r) {
	case "text/event-stream":
		x.tee = &eventTee{ReadCloser: r.Body, events: events{event: func(data string) error {
			s.touch(x.run)
			x.run.fromServer(x.scope, []byte(data))
			return nil
		}}}
		r.Body = x.tee
	case "application/json":
		return deliver(r, func(text []byte) ([]byte, error) {
			s.touch(x.run)
			x.run.fromServer(x.scope, text)
			return text, nil
		})
	}
	return nil
}
