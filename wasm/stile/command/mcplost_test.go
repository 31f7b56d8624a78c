package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/gate"
)

// overServer is a server of runs that reports the end of each request.
type overServer struct {
	*mcpServer
	over chan struct{}
}

func (s *overServer) done(r *http.Request) {
	s.mcpServer.done(r)
	s.over <- struct{}{}
}

// servedRuns serves a proxy for two runs before a server. It returns the proxy, its address, and a function with the kinds of the
// events in the log.
func servedRuns(t *testing.T, now float64, header string, upstream http.HandlerFunc) (*overServer, string, func() []string) {
	t.Helper()
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var log []string
	o := gate.Options{Clock: func() float64 { return now }, Log: func(line string) error {
		mu.Lock()
		defer mu.Unlock()
		log = append(log, line)
		return nil
	}}
	server := httptest.NewServer(upstream)
	t.Cleanup(server.Close)
	s := &overServer{over: make(chan struct{}, 8)}
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		h := httpFlags{listen: "127.0.0.1:0"}
		_, err := h.serve(ctx, Streams{Out: in}, server.URL+"/mcp", func(path string) handler {
			s.mcpServer = newMCPServer(guard, o, path, header, time.Minute, func(string) {})
			s.most = 2
			return s
		})
		ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatal(line, err)
	}
	return s, address, func() (kinds []string) {
		mu.Lock()
		defer mu.Unlock()
		for _, line := range log {
			_, rest, _ := strings.Cut(line, `"kind":"`)
			kind, _, _ := strings.Cut(rest, `"`)
			kinds = append(kinds, kind)
		}
		log = nil
		return kinds
	}
}

// ask sends a message of a session, and reads the answer.
func ask(ctx context.Context, t *testing.T, address, method, session, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(text))
	if err != nil {
		t.Error(err)
		return
	}
	r.Header.Set(sessionHeader, session)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return // the connection was lost
	}
	_, _ = io.ReadAll(reply.Body) // the connection may be lost
	_ = reply.Body.Close()        // it was read
}

// TestMCPProxyForgetsLostCalls: a call whose answer is over without a result is an error of the run, which does not wait for it any
// more; a run that the server never had is dropped, so that its name does not keep others from a run.
func TestMCPProxyForgetsLostCalls(t *testing.T) {
	left := make(chan context.CancelFunc, 1)
	answers := map[string]http.HandlerFunc{
		"unknown": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no session", http.StatusNotFound) },
		"gateway": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no server", http.StatusBadGateway) },
		"page":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<!doctype html>") },
		"empty":   func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "application/json") },
		"other": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`)
		},
		"stream":  func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") },
		"dropped": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"left": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body) // so that the end of the connection is noticed
			(<-left)()
			<-r.Context().Done()
		},
	}
	for name, answer := range answers {
		s, address, kinds := servedRuns(t, 1000, "", func(w http.ResponseWriter, r *http.Request) { answer(w, r) })
		ctx, cancel := context.WithCancel(context.Background())
		if name == "left" {
			left <- cancel
		}
		ask(ctx, t, address, http.MethodPost, "a", callRPC("1", "login"))
		cancel()
		<-s.over
		run := s.runs["a"]
		if name == "unknown" {
			if got := kinds(); run != nil || !slices.Equal(got, []string{"call", "error", "end"}) {
				t.Errorf("%s: %v, %v", name, run, got)
			}
			continue
		}
		if got := kinds(); run == nil || run.waits() || len(run.calls) > 0 || !slices.Equal(got, []string{"call", "error"}) {
			t.Errorf("%s: %v, %v", name, run, got)
		}
	}
}

// TestMCPProxyKeepsKnownRuns: the status 404 of a later request does not end a run, nor does that of a request while a call waits.
func TestMCPProxyKeepsKnownRuns(t *testing.T) {
	s, address, kinds := servedRuns(t, 1000, "", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil || strings.Contains(string(text), "lookup") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, toolAnswer(string(text)))
	})
	for _, name := range []string{"login", "lookup"} {
		ask(context.Background(), t, address, http.MethodPost, "a", callRPC("1", name))
		<-s.over
	}
	if got := kinds(); s.runs["a"] == nil || s.runs["a"].waits() || !slices.Equal(got, []string{"call", "result", "call", "error"}) {
		t.Error(s.runs["a"], got)
	}
}

// TestMCPProxyEntersResultsOfLostCalls: the result of a call that the client cancelled, or whose stream ended before it and can be
// continued, is entered if it arrives, and the run is idle until then.
//
//stile:race
func TestMCPProxyEntersResultsOfLostCalls(t *testing.T) {
	waiting := make(chan string)
	s, address, kinds := servedRuns(t, 1000, "", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		switch {
		case r.Method == http.MethodGet:
			_, _ = fmt.Fprintf(w, "id: 2\ndata: %s\n\n", toolAnswer(callRPC("1", "login")))
		case strings.Contains(string(text), "cancelled"):
			w.WriteHeader(http.StatusAccepted)
		case strings.Contains(string(text), "lookup"):
			waiting <- ""
			_, _ = fmt.Fprintf(w, "data: %s\n\n", <-waiting)
		default:
			_, _ = io.WriteString(w, "id: 1\ndata: \n\n")
		}
	})
	ask(context.Background(), t, address, http.MethodPost, "a", callRPC("1", "login"))
	<-s.over
	run := s.runs["a"]
	if got := kinds(); run.waits() || len(run.calls) != 1 || !slices.Equal(got, []string{"call"}) {
		t.Fatal(run.calls, got)
	}
	ask(context.Background(), t, address, http.MethodGet, "a", "")
	<-s.over
	if got := kinds(); len(run.calls) != 0 || !slices.Equal(got, []string{"result"}) {
		t.Fatal(run.calls, got)
	}
	go ask(context.Background(), t, address, http.MethodPost, "a", callRPC("2", "lookup"))
	<-waiting
	if !run.waits() {
		t.Fatal("the run does not wait for a call")
	}
	ask(context.Background(), t, address, http.MethodPost, "a", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2.0}}`)
	<-s.over
	if run.waits() {
		t.Fatal("the run waits for a cancelled call")
	}
	waiting <- toolAnswer(callRPC("2", "lookup"))
	<-s.over
	if got := kinds(); len(run.calls) != 0 || !slices.Equal(got, []string{"call", "result"}) {
		t.Fatal(run.calls, got)
	}
}
