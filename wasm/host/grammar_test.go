package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
	"github.com/stile-playground/stile/wasm/host"
)

// A grammar is enforced in one request: the stand-in reads the Lark grammar of the request and draws
// a text from it, and the core's checker, which does not read Lark, accepts that text as a plan. Lark
// cannot express limits; a text that exceeds one is reported as invalid for that reason.
func TestGrammarIsEnforcedInOneRequest(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, e := range examples {
		for _, f := range e.Workspace().Files {
			if k := workspace.KindOf(f.Name); k != workspace.KindGrammar && k != workspace.KindPushdown && k != workspace.KindFlow {
				continue
			}
			tried++
			t.Run(e.ID+"/"+f.Name, func(t *testing.T) { inOneRequest(t, f) })
		}
	}
	if tried < 8 {
		t.Errorf("only %d specs", tried)
	}
}

func inOneRequest(t *testing.T, f workspace.File) {
	for _, option := range []string{"cut=7", "server=functions"} {
		b := newBench(t)
		e := b.endpoint(llm.FormatResponses, "rambler", option)
		settings, _ := json.Marshal(baseline.Settings{Task: "make a plan", Method: baseline.MethodGrammar, Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e}})
		outcome, err := b.runner(host.Native(session.New())).Run(context.Background(), session.RunStartParams{
			Kind: session.RunBaseline, Workspace: session.RunWorkspace{Files: []session.File{{Name: f.Name, Text: f.Text}}, Name: f.Name}, Settings: settings,
		})
		if err != nil {
			t.Fatal(err)
		}
		b.show(outcome)
		var done session.BaselineDone
		if err := json.Unmarshal(outcome.Result, &done); err != nil {
			t.Fatal(err)
		}
		b.noKey()
		requests := b.Requests("r")
		if option == "server=functions" {
			if done.Enforced || done.Check.Valid || len(requests) != 2 || strings.Contains(requests[1].Body, `"type":"custom"`) {
				t.Errorf("refused: %+v, %d requests", done, len(requests))
			}
			continue
		}
		if !done.Enforced || len(requests) != 1 || !strings.Contains(requests[0].Body, `"syntax":"lark"`) {
			t.Errorf("%+v, %d requests", done, len(requests))
		}
		limits := strings.Contains(requests[0].Body, "Not exported: limit ")
		if exceeds := limits && strings.Contains(done.Check.Fault, "may be used once"); !done.Check.Valid && !exceeds {
			t.Errorf("%+v: %s", done, requests[0].Body)
		}
	}
}
