// Package matrix runs the core with each simulated provider, and writes the table of the
// results for the documentation. Requests stay in the process: there is no network.
package matrix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/wasm/host"
	"github.com/stile-playground/stile/wasm/host/standin"
)

// Surface is a way to use a model.
type Surface struct {
	Name  string
	Kind  string // of the run
	File  string // the spec
	Files []session.File
	// Settings are the run's settings, without the model.
	Settings map[string]any
	// Passes reports whether a result is the expected one.
	Passes func(result []byte) bool
}

const agent = `(define calculating
  (:states
    (Ques (:text "[Question]"))
    (Tht (:text "[Thought]"))
    (Act (:text "[Action]") (:one-of "Calculator"))
    (Act-Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Final-Tht (:text "[Final Thought]"))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next Tht Act Act-Inp Obs) Final-Tht) Ans)))
`

const team = `(define research
  (:executors
    (dates (:does "Finds years."))
    (writer (:does "Writes a sentence.")))
  (:limits (retries 1) (sub-tasks 4)))
`

var agentFiles = []session.File{{Name: "calculating.agent", Text: agent}, {Name: "agent-tools.json", Text: `{"tools": [{"calculator": {}}]}`}}

// Surfaces returns the columns of the table.
func Surfaces() []Surface {
	monitored := func(surface string) map[string]any {
		return map[string]any{"question": standin.Question, "environment": "tools", "surface": surface}
	}
	return []Surface{
		{
			Name: "plan", Kind: "plan", File: "p.cfg", Files: []session.File{{Name: "p.cfg", Text: "S -> a T | b\nT -> c | d\n"}},
			Settings: map[string]any{"task": "Make a plan."}, Passes: planned,
		},
		{Name: "monitored text", Kind: "monitor", File: "calculating.agent", Files: agentFiles, Settings: monitored("text"), Passes: answered},
		{Name: "native tools", Kind: "monitor", File: "calculating.agent", Files: agentFiles, Settings: monitored("tools"), Passes: answered},
		{
			Name: "team", Kind: "team", File: "research.team", Files: []session.File{{Name: "research.team", Text: team}},
			Settings: map[string]any{"task": "Write about the bridge."}, Passes: passes("valid", true),
		},
		{
			Name: "formulate", Kind: "formulate", File: "apples.problem/query.md", Files: []session.File{
				{Name: "apples.problem/task.md", Text: "Apples are bought. At least three are needed. The least number is wanted.\n"},
				{Name: "apples.problem/query.md", Text: "How many apples are bought, at most nine?\n"},
				{Name: "apples.problem/output.json", Text: `{"apples": "{apples}"}` + "\n"},
			},
			Settings: map[string]any{"notation": "smt2"}, Passes: passes("status", "solved"),
		},
	}
}

// passes returns a function that reports whether the field of a result has the value want.
func passes(field string, want any) func(result []byte) bool {
	return func(result []byte) bool {
		var fields map[string]any
		return json.Unmarshal(result, &fields) == nil && fields[field] == want
	}
}

// planned reports whether a result has a word of the grammar.
func planned(result []byte) bool {
	var plan struct{ Word []string }
	return json.Unmarshal(result, &plan) == nil && slices.Contains([]string{"b", "a c", "a d"}, strings.Join(plan.Word, " "))
}

// answered reports whether a transcript is valid and has the answer to the question.
func answered(result []byte) bool {
	var t struct{ Verdict, Answer string }
	return json.Unmarshal(result, &t) == nil && t.Verdict == "valid" && t.Answer == standin.Solved
}

// Outcome is the result of one run.
type Outcome struct {
	Passes   bool
	Code     string // of the error; "" without one
	Message  string
	Result   json.RawMessage
	Events   []json.RawMessage
	Requests []Request
	Ceiling  llm.SpentEvent // the last expense
}

// Request is a request of a run.
type Request struct {
	Path, Body string
	Status     int
}

// Run runs a surface with an endpoint whose requests the handler answers. Timers expire at once,
// and the solver's answer is that of the surface "formulate".
func (s Surface) Run(e llm.Endpoint, handler http.Handler, settings map[string]any) (Outcome, error) {
	var out Outcome
	all := map[string]any{"model": llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e}}
	for _, more := range []map[string]any{s.Settings, settings} {
		for key, value := range more {
			all[key] = value
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return out, err
	}
	transport := &transport{handler: handler}
	runner := host.Runner{
		Handler: host.Native(session.New()), Client: &http.Client{Transport: transport},
		Key: func(string, string) string { return "sk-matrix" },
		Solve: func(context.Context, solve.Query) (solve.Reply, error) {
			return solve.Reply{Text: standin.SolvedSMT, Milliseconds: 1}, nil
		},
		After: func(time.Duration) <-chan time.Time {
			rings := make(chan time.Time, 1)
			rings <- time.Time{}
			return rings
		},
		Stopwatch: func() func() time.Duration { return func() time.Duration { return 0 } },
		Event:     func(e json.RawMessage) { out.Events = append(out.Events, e) },
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	outcome, err := runner.Run(ctx, session.RunStartParams{Kind: s.Kind, Workspace: session.RunWorkspace{Files: s.Files, Name: s.File}, Settings: raw, Seed: 1})
	out.Requests, out.Result = transport.made(), outcome.Result
	var fault *host.CallError
	switch {
	case errors.As(err, &fault):
		out.Code, out.Message = fault.Fault.Code, fault.Fault.Message
	case err != nil:
		return out, fmt.Errorf("%s: %w", s.Name, err)
	default:
		out.Passes = s.Passes(out.Result)
	}
	for _, raw := range out.Events {
		var spent llm.SpentEvent
		if json.Unmarshal(raw, &spent) == nil && spent.Kind == "llm.spent" {
			out.Ceiling = spent
		}
	}
	return out, nil
}

// retries returns the reasons of further attempts.
func (o Outcome) retries() (out []string) {
	for _, raw := range o.Events {
		var e llm.RetryEvent
		if json.Unmarshal(raw, &e) == nil && e.Kind == "llm.retry" {
			out = append(out, e.Why)
		}
	}
	return out
}

// transport answers requests by a handler in this process. The pieces of a body arrive as the
// handler writes them.
type transport struct {
	handler  http.Handler
	mu       sync.Mutex
	requests []Request
}

// made returns the requests so far.
func (t *transport) made() []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.requests)
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	t.mu.Lock()
	n := len(t.requests)
	t.requests = append(t.requests, Request{Path: r.URL.Path, Body: string(body)})
	t.mu.Unlock()
	reader, writer := io.Pipe()
	w := &response{body: writer, header: http.Header{}, begun: make(chan int, 1), context: r.Context()}
	go func() {
		defer func() {
			fault := recover()
			if fault != nil && fault != http.ErrAbortHandler {
				panic(fault)
			}
			w.WriteHeader(http.StatusOK)
			if fault != nil {
				_ = writer.CloseWithError(io.ErrUnexpectedEOF)
			}
			_ = writer.Close()
		}()
		t.handler.ServeHTTP(w, r)
	}()
	select {
	case status := <-w.begun:
		t.mu.Lock()
		t.requests[n].Status = status
		t.mu.Unlock()
		return &http.Response{StatusCode: status, Header: w.header.Clone(), Body: reader, Request: r, ProtoMajor: 1, ProtoMinor: 1}, nil
	case <-r.Context().Done():
		_ = reader.Close()
		return nil, r.Context().Err()
	}
}

// response is a response that its reader receives piece by piece.
type response struct {
	body    *io.PipeWriter
	header  http.Header
	once    sync.Once
	begun   chan int
	context context.Context
}

// Header implements [http.ResponseWriter].
func (w *response) Header() http.Header { return w.header }

// WriteHeader implements [http.ResponseWriter].
func (w *response) WriteHeader(status int) { w.once.Do(func() { w.begun <- status }) }

// Write implements [http.ResponseWriter].
func (w *response) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.context.Err() != nil {
		return 0, w.context.Err()
	}
	return w.body.Write(b)
}

// Flush implements [http.Flusher]; nothing is buffered.
func (w *response) Flush() {}
