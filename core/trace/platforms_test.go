package trace

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/stile-playground/stile/core/source"
)

// platformCalls are the calls of the traces of testdata/platforms.txtar that have others than "lookup" and "delete_all",
// although nothing of them is unread.
var platformCalls = map[string]string{
	"ak-http-proxy.jsonl":         "delete_all",
	"appworld-lm-calls.jsonl":     "", // a block of code, which a program may run or only show
	"botpress-messages.json":      "", // the messages of a chat without its tools
	"chatgpt-export.json":         "shop.lookup",
	"foundry-threads-otlp.json":   "delete_all",
	"a2a-task.json":               "lookup",
	"kotlin-koog.jsonl":           "lookup lookup delete_all delete_all", // results repeat the calls without identifiers
	"lmstudio-conversation.json":  "lookup",
	"openlit-otlp.json":           "delete_all",
	"rasa-tracker.json":           "action_lookup action_delete_all",
	"roo-ui.json":                 "lookup execute_command",
	"toolbench.json":              "lookup delete_all Finish",
	"toolsandbox-scenario.json":   "lookup",
	"mistral-tool-execution.json": "web_search",
}

// Each call of a trace of a platform is read in its order, or the trace is refused with the reason.
func TestTracesOfPlatforms(t *testing.T) {
	const file = "testdata/platforms.txtar"
	compareReadings(t, file, 200)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for i, f := range txtar.Parse(data).Files {
		trace, err := OpenRuns(source.NewFile(f.Name, string(f.Data)), "")
		if i%2 > 0 || err != nil || len(trace.Unread) > 0 {
			continue
		}
		read++
		var calls []string
		for _, run := range trace.Runs {
			for _, item := range run.Items {
				if item.Kind == Call {
					calls = append(calls, item.Tool)
				}
			}
		}
		want, listed := platformCalls[f.Name]
		if !listed {
			want = "lookup delete_all"
		}
		if got := strings.Join(calls, " "); got != want {
			t.Errorf("%s: calls %q, expected %q", f.Name, got, want)
		}
	}
	if read < 70 {
		t.Errorf("%d traces are read", read)
	}
}
