package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
	"github.com/stile-playground/stile/wasm/host/standin"
)

// wireCase is a row of testdata/wire.json, which the browser's tests run as well: a
// request to an endpoint and its expected result.
type wireCase struct {
	Name     string
	Formats  []string
	Model    string
	Options  []string
	Server   string
	Idle     int
	Settings map[string]any
	Want     struct {
		Text, Reason, Stop string
		Texts              []string // it is one of these
		Any                bool     // it is something
		Deltas             int      // at least this many
		Completion         int      // tokens
		Logprobs           int
		Tools              []string
		Constrained        bool
		Code, Says         string
		Kept               bool // the received text is in the events
		Requests           int
	}
}

func TestWireTableNativelyAndInTheModule(t *testing.T) {
	raw, err := os.ReadFile("testdata/wire.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []wireCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for name, handler := range map[string]host.Handler{"native": host.Native(session.New()), "module": instance(t)} {
		for _, c := range cases {
			for _, format := range c.Formats {
				t.Run(name+"/"+c.Name+"/"+format, func(t *testing.T) { c.check(t, handler, format) })
			}
		}
	}
}

func (c wireCase) check(t *testing.T, handler host.Handler, format string) {
	b := newBench(t)
	e := b.endpoint(format, c.Model, c.Options...)
	e.Server = c.Server
	silent := c.Idle > 0 && !c.Want.Kept
	switch {
	case silent: // the limit ends every attempt, however slow the machine is
		e.Idle = c.Idle / 300
	case c.Idle > 0: // the first half must arrive before
		e.Idle = c.Idle / 5
	}
	settings := map[string]any{
		"model":    llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e},
		"messages": []llm.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Hello?"}},
	}
	for key, value := range c.Settings {
		settings[key] = value
	}
	sent, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := b.runner(handler).Run(context.Background(), session.RunStartParams{Kind: session.RunAsk, Settings: sent, Seed: 3})
	var fault host.CallError
	var failed *host.CallError
	if errors.As(err, &failed) {
		fault = *failed
	} else if err != nil {
		t.Fatal(err)
	}
	b.show(outcome, fault.Fault)
	var got session.AskResult
	if len(outcome.Result) > 0 {
		if err := json.Unmarshal(outcome.Result, &got); err != nil {
			t.Fatal(err)
		}
	}
	var deltas []string
	for _, raw := range b.events {
		var d session.AskDelta
		if json.Unmarshal(raw, &d) == nil && d.Kind == "ask.delta" {
			deltas = append(deltas, d.Text)
		}
	}
	w := c.Want
	switch {
	case fault.Fault.Code != w.Code || !strings.Contains(fault.Fault.Message, w.Says):
		t.Errorf("it ends with %q: %s", fault.Fault.Code, fault.Fault.Message)
	case w.Kept && strings.Join(deltas, "") != standin.Begun:
		t.Errorf("it keeps %q", deltas)
	case w.Code != "":
	case w.Any && got.Text == "", w.Text != "" && got.Text != w.Text, len(w.Texts) > 0 && !slices.Contains(w.Texts, got.Text):
		t.Errorf("it says %q", got.Text)
	case strings.Join(deltas, "") != got.Text || len(deltas) < w.Deltas:
		t.Errorf("it streams %q", deltas)
	case w.Reason != "" && got.Reason != w.Reason, got.Stop != w.Stop, got.Constrained != w.Constrained, len(got.Logprobs) != w.Logprobs:
		t.Errorf("it is %+v", got)
	case w.Completion > 0 && got.Usage.Completion != w.Completion:
		t.Errorf("it counts %+v", got.Usage)
	}
	var tools []string
	for _, call := range got.ToolCalls {
		tools = append(tools, call.Name)
	}
	if !slices.Equal(tools, w.Tools) {
		t.Errorf("it calls %v", tools)
	}
	if n := len(b.Requests(b.run)); n != w.Requests && !silent {
		t.Errorf("%d requests", n)
	}
	if n := len(b.retries()) + 1; n != w.Requests && silent { // some may end before they reach the server
		t.Errorf("%d attempts", n)
	}
	b.noKey()
}
