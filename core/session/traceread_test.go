package session

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/traceset"
)

func libraryTraces(t *testing.T) ([]traceset.Trace, string) {
	t.Helper()
	traces, spec, err := traceset.Read(filepath.Join("..", "trace", "testdata", "traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return traces, spec
}

func TestTracesAreReadAsEvents(t *testing.T) {
	s := New()
	const text = `{"role":"user","content":"q","timestamp":"2026-11-22T16:00:00.5Z"}
{"role":"assistant","content":"","tool_calls":[{"id":"c","name":"pay","args":{"amount":1.50}}]}
{"role":"tool","tool_call_id":"c","content":"{\"ok\":true}"}
{"role":"assistant","content":"done"}`
	got := replied(t, "trace.read", must(t, TraceReadParams{Text: text}))
	want := `"runs":[{"events":[{"kind":"message","name":"user","fields":{"text":"q"},"time":1795363200.5},{"kind":"call","name":"pay","fields":{"amount":1.50},"time":1795363200.5,"id":"c"},` +
		`{"kind":"result","name":"pay","fields":{"ok":true,"input":{"amount":1.50}},"time":1795363200.5,"id":"c"},{"kind":"message","name":"assistant","fields":{"text":"done"},"time":1795363200.5},{"kind":"end","name":"","fields":{},"time":1795363200.5}]}],"unread":[],"diagnostics":[]`
	if !strings.Contains(got, want) {
		t.Errorf("%s\nhas not\n%s", got, want)
	}
	if got := replied(t, "trace.read", must(t, TraceReadParams{Text: "prose"})); !strings.HasPrefix(got, "trace.empty: ") {
		t.Error(got)
	}
	unread := result[TraceReadResult](t, s, "trace.read", TraceReadParams{Text: `[{"role":"user","content":"q"},{"type":"deed","do":"all"}]`})
	if len(unread.Unread) != 1 || unread.Unread[0].Path != "[1]" {
		t.Errorf("%+v", unread)
	}
}

// A text that is refused has the reason of its format in each method, and each format has the times of its messages.
func TestTracesAreOpenedInOneWay(t *testing.T) {
	for text, reason := range map[string]string{
		"> Entering new AgentExecutor chain...\nok {\n": "LangChain AgentExecutor output, which does not mark where results end",
		"***** Suggested tool call (x): pay *****\nok":  "AutoGen console output, which does not mark where messages end",
	} {
		for method, params := range map[string]any{"trace.read": TraceReadParams{Text: text}, "monitor.check": MonitorCheckParams{Source: traceAgent, Text: text, Format: "auto"}} {
			if got := replied(t, method, must(t, params)); !strings.HasPrefix(got, "trace.empty: "+reason) {
				t.Errorf("%s: %s", method, got)
			}
		}
	}
	const timed = `[{"role":"user","content":"q","timestamp":"2026-11-22T16:00:00Z"},{"role":"assistant","content":null,"timestamp":"2026-11-22T16:00:01Z","tool_calls":[{"id":"c","type":"function","function":{"name":"pay","arguments":"{}"}}]}]`
	if got := replied(t, "trace.read", must(t, TraceReadParams{Text: timed})); !strings.Contains(got, `"fields":{},"time":1795363201,"id":"c"`) {
		t.Error(got)
	}
}

func must(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// No new name of a key in a call makes a trace with a forbidden call valid, in any format.
func TestNoRenamedKeyMakesALibraryTraceValid(t *testing.T) {
	traces, spec := libraryTraces(t)
	verdict := judgedBy(t, spec)
	random := rand.New(rand.NewPCG(24, 1))
	for _, e := range traces {
		if e.Variant != "forbidden" {
			continue
		}
		var places []keyPlace
		for _, place := range keyPlaces(e.Text, func(s string) string { return s }, 0) {
			if place.call {
				places = append(places, place)
			}
		}
		for range min(effort.Of(30), len(places)) {
			place := places[random.IntN(len(places))]
			to := "zz"
			if random.IntN(2) == 0 {
				to = knownKeys[random.IntN(len(knownKeys))]
			}
			if to != place.name && verdict(place.rename(to)) == "valid" {
				t.Errorf("%s with %q called %q is valid", e.File, place.name, to)
			}
		}
	}
}

func TestDescribedFormatsBecomeEvents(t *testing.T) {
	got := result[TraceReadResult](t, New(), "trace.read", TraceReadParams{Text: `{"k":"act","n":"look"}`, Map: `{"rows": [{"kind": "call", "where": {".k": "act"}, "tool": ".n"}]}`})
	if got.Format != "mapped" || len(got.Runs) != 1 || string(got.Runs[0].Events) != `[{"kind":"call","name":"look","fields":{}}]` {
		t.Errorf("%+v", got)
	}
	if _, fault := call(t, New(), "trace.read", TraceReadParams{Text: "{}", Map: "{}"}); fault == nil || fault.Code != "trace.map" {
		t.Errorf("%+v", fault)
	}
}
