package matrix

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/wasm/host/standin"
)

// Every provider's thoughts are counted, also where only the total of the usage contains them.
func TestThoughtsAreCounted(t *testing.T) {
	for _, p := range standin.Providers() {
		out, err := Surfaces()[0].Run(EndpointOf(p, "http://standin.invalid"), standin.New(standin.Options{}), nil)
		if err != nil || !out.Passes {
			t.Fatalf("%s: %v %s", p.Name, err, out.Message)
		}
		answers := 0
		for _, r := range out.Requests {
			if r.Status == 200 {
				answers++
			}
		}
		if p.Usage == standin.UsageMissing {
			continue // estimated by the length of the text
		}
		least := answers * p.Thinks
		if slices.Contains(concessions(out, Surfaces()[0]), Higher) {
			least -= p.Thinks // the answer that ended within its thoughts
		}
		if out.Ceiling.Tokens < least || answers < 1 {
			t.Errorf("%s: %d tokens in %d answers, want at least %d", p.Name, out.Ceiling.Tokens, answers, least)
		}
		if p.Beside && !strings.Contains(p.Note, "total") {
			t.Errorf("%s: the note does not state the total", p.Name)
		}
	}
}

// A model that refuses a budget for thoughts thinks adaptively in all later requests, and the output
// format stays.
func TestAdaptiveThinkingFollowsTheRefusedBudget(t *testing.T) {
	for _, p := range standin.Providers() {
		if p.ID != "anthropic-adaptive" {
			continue
		}
		out, err := Surfaces()[0].Run(EndpointOf(p, "http://standin.invalid"), standin.New(standin.Options{}), nil)
		if err != nil || !out.Passes || len(out.Requests) < 2 {
			t.Fatalf("%v %+v", err, out)
		}
		for i, r := range out.Requests {
			adaptive := strings.Contains(r.Body, `"thinking":{"type":"adaptive","display":"summarized"}`) && strings.Contains(r.Body, `"effort":"high"`)
			if adaptive != (i > 0) || !strings.Contains(r.Body, `"json_schema"`) || (r.Status == 400) != (i == 0) {
				t.Errorf("request %d, status %d: %s", i+1, r.Status, r.Body)
			}
		}
		if why := strings.Join(out.retries(), "; "); why != "the model does not support a budget for thoughts: retrying with adaptive thinking" {
			t.Error(why)
		}
		return
	}
	t.Error("no such provider")
}
