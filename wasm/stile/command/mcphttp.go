package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
)

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
	if errors.Is(err, errEnded) {
		http.Error(w, err.Error(), http.StatusNotFound) // after which a client begins another session
		return false
	}
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
	forward(r, text)
	return true
}

// response enters the results in an answer before the client receives them.
func (s *mcpServer) response(r *http.Response) error {
	x, ok := exchangeOf(r.Request.Context())
	if !ok {
		return errors.New("the request has no run")
	}
	s.touch(x.run)
	if r.Request.Method == http.MethodDelete && r.StatusCode/100 == 2 {
		x.run.end()
		s.mu.Lock()
		delete(s.runs, r.Request.Header.Get(s.header))
		s.mu.Unlock()
	}
	switch kindOf(r) {
	case "text/event-stream":
		r.Body = &eventTee{ReadCloser: r.Body, events: events{event: func(data string) error {
			s.touch(x.run)
			x.run.fromServer(x.scope, []byte(data))
			return nil
		}}}
	case "application/json":
		return deliver(r, func(text []byte) ([]byte, error) {
			s.touch(x.run)
			x.run.fromServer(x.scope, text)
			return text, nil
		})
	}
	return nil
}
