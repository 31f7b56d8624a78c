package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
)

// A new run with a key in the URL of an endpoint is refused. A recorded one still opens.
func TestAKeyInAURLIsNotRecorded(t *testing.T) {
	settings := json.RawMessage(`{"task":"t","model":{"kind":"endpoint","endpoint":{"name":"e","url":"https://g.example/v1?api-key=s","model":"m"}}}`)
	start := RunStartParams{Workspace: RunWorkspace{Files: []File{{Name: "a.cfg", Text: "S -> a"}}, Name: "a.cfg"}, Kind: "plan", Settings: settings}
	if _, fault := call(t, New(), "run.start", start); fault == nil || fault.Code != "llm.spec" || !strings.Contains(fault.Message, "api-key") {
		t.Errorf("a new run: %+v", fault)
	}
	start.Log = &RunLog{Version: 2, Kind: "plan", Name: "a.cfg", Settings: settings}
	if _, fault := call(t, New(), "run.start", start); fault != nil {
		t.Errorf("a recorded run: %+v", fault)
	}
}
