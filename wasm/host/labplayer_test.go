package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// asked is a request to the model of an experiment.
type asked struct {
	cell   lab.Outcome // that asks
	turns  []turnText
	number int    // of the request in its cell, from 0
	said   string // up to a stop sequence, with the end of its text that it repeats
}

type turnText struct{ Role, Content string }

// prompt returns all texts of a request.
func (a asked) prompt() string {
	var b strings.Builder
	for _, t := range a.turns {
		b.WriteString(t.Content + "\n")
	}
	return b.String()
}

// labPlayer is a server of an OpenAI endpoint that answers the requests of an experiment's cells
// with a function, and logs every prompt.
type labPlayer struct {
	t      *testing.T
	answer func(a asked) string
	web    func(r *http.Request) string // tools that search

	mu    sync.Mutex
	cell  lab.Outcome
	count int
	log   []asked
}

// RoundTrip implements [http.RoundTripper].
func (p *labPlayer) RoundTrip(r *http.Request) (*http.Response, error) {
	reply := func(kind, text string) *http.Response {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(text)), Request: r}
	}
	if r.URL.Host != "model.test" {
		return reply("application/json", p.web(r)), nil
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var request struct {
		Messages []turnText `json:"messages"`
		Stop     []string   `json:"stop"`
		Stream   bool       `json:"stream"`
	}
	if err := json.Unmarshal(raw, &request); err != nil {
		p.t.Errorf("%s: %v", raw, err)
	}
	p.mu.Lock()
	a := asked{cell: p.cell, turns: request.Messages, number: p.count}
	p.count++
	p.mu.Unlock()
	text, reason := p.answer(a), "stop"
	repeated := ""
	for written, n := a.written(), len(text); n > 0; n-- {
		if strings.HasSuffix(written, text[:n]) { // it continues where its text ends
			repeated, text = text[:n], text[n:]
			break
		}
	}
	for _, stop := range request.Stop {
		if before, _, found := strings.Cut(text, stop); found {
			text = before
		}
	}
	a.said = repeated + text
	p.mu.Lock()
	p.log = append(p.log, a)
	p.mu.Unlock()
	quoted, _ := json.Marshal(text)
	usage := `"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}`
	if !request.Stream {
		return reply("application/json", fmt.Sprintf(`{"choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":%q}],%s}`, quoted, reason, usage)), nil
	}
	return reply("text/event-stream", fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}],%s}\n\ndata: [DONE]\n\n", quoted, reason, usage)), nil
}

// playerSpec is the model of the player's endpoint.
const playerSpec = `{"kind":"endpoint","endpoint":{"name":"lab","format":"openai","url":"https://model.test/v1","model":"m"}}`

// play runs an experiment with the player's endpoint alone, one cell after the other. If the run
// stops at its maximum number of calls, the next one continues.
func (p *labPlayer) play(solve *host.Solvers, name string, w workspace.Workspace, settings lab.Settings) lab.Result {
	p.t.Helper()
	var spec llm.Spec
	if err := json.Unmarshal([]byte(playerSpec), &spec); err != nil {
		p.t.Fatal(err)
	}
	settings.Models = []lab.NamedModel{{Name: "lab", Spec: spec}}
	for {
		result := p.once(solve, name, w, settings)
		if known := len(settings.Earlier); result.Stopped == "" || len(result.Outcomes) == known {
			return result
		}
		settings.Earlier = result.Outcomes
	}
}

// once runs an experiment with the models of its settings, one cell after the other.
func (p *labPlayer) once(solve *host.Solvers, name string, w workspace.Workspace, settings lab.Settings) (result lab.Result) {
	p.t.Helper()
	settings.Concurrent = 1
	runner := &host.Runner{
		Handler: host.Native(session.New()), Client: &http.Client{Transport: p}, Solve: solve.Solve,
		Event: func(raw json.RawMessage) {
			var e lab.CellEvent
			if json.Unmarshal(raw, &e) == nil && e.Kind == "lab.cell" && e.Outcome.State == lab.StateRunning {
				p.mu.Lock()
				p.cell, p.count = e.Outcome, 0
				p.mu.Unlock()
			}
		},
	}
	raw, err := json.Marshal(settings)
	if err != nil {
		p.t.Fatal(err)
	}
	outcome, err := runner.Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: w.Files, Name: name + ".lab"}, Settings: raw})
	if err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(outcome.Result, &result); err != nil {
		p.t.Fatal(err)
	}
	return result
}
