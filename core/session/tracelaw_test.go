package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	corejson "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// keyPlace is a key of an object in a trace, or in JSON in a string of it.
type keyPlace struct {
	name   string
	call   bool                   // of an object that is a call, or a part of one
	rename func(to string) string // the trace with another name for the key
}

// keyPlaces returns the keys of a text that is JSON.
func keyPlaces(text string, put func(string) string, depth int) []keyPlace {
	roots, fault := corejson.Trees(text)
	if fault != nil || depth > 3 {
		return nil
	}
	var out []keyPlace
	replaced := func(at corejson.Range, by string) string {
		quoted, _ := json.Marshal(by)
		return put(text[:at.Start] + string(quoted) + text[at.End:])
	}
	var walk func(n *corejson.Node, call bool)
	walk = func(n *corejson.Node, call bool) {
		for _, key := range []string{"function", "arguments", "toolUse", "functionCall", "call_id", "toolName"} {
			_, ok := n.Get(key)
			call = call || ok
		}
		call = call || strings.Contains(n.TextOf("type"), "_use") || strings.Contains(n.TextOf("type"), "call")
		for _, m := range n.Members {
			out = append(out, keyPlace{m.Key, call, func(to string) string { return replaced(m.At, to) }})
			walk(m.Value, call)
		}
		for _, item := range n.Items {
			walk(item, call)
		}
		if n.Kind == '"' && strings.ContainsAny(n.Text, "{") {
			out = append(out, keyPlaces(n.Text, func(inner string) string { return replaced(n.At, inner) }, depth+1)...)
		}
		if n.Kind == '"' && strings.HasPrefix(n.Text, "gen_ai.") { // the name of an attribute
			out = append(out, keyPlace{n.Text, false, func(to string) string { return replaced(n.At, to) }})
		}
	}
	for _, root := range roots {
		walk(root, false)
	}
	return out
}

// knownKeys are the new names of keys: names that are read, and names that a rule ignores.
var knownKeys = strings.Fields(`zz id object model created status index timestamp user metadata usage stop tools functions tool_choice function_call reasoning text response_format error
	thinking stop_reason finish_reason name phase annotations citations logprobs reasoning_details signature encrypted_content data cache_control namespace server_name refusal
	role type content messages input output choices message system instructions summary tool_calls function custom arguments call_id tool_call_id tool_use_id tool_name parts response result
	attributes events links resource scope status schemaUrl traceId spanId parentSpanId key value stringValue arrayValue spans startTimeUnixNano reasoning_content image_url source detail
	contents candidates functionCall functionResponse args thought thoughtSignature toolUse toolResult toolUseId input json reasoningContent usageMetadata generationConfig
	gen_ai.system_instructions gen_ai.input.messages gen_ai.output.messages gen_ai.tool.name gen_ai.tool.definitions gen_ai.usage.x gen_ai.request.x gen_ai.agent.name http.x`)

func judgedBy(t testing.TB, spec string) func(text string) agent.Verdict {
	a, err := openAgent(spec)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) agent.Verdict {
		j, err := monitor.JudgeTrace(a, source.NewFile("trace", text), "", nil, monitor.Roles{})
		if err != nil {
			return "error"
		}
		return j.Verdict
	}
}

// lawful are traces that are read, and are not runs of lookup-agent.
func lawful() map[string]string {
	out := map[string]string{
		"two questions":  frame(`{"role":"user","content":"word"}`),
		"two results":    frame(`{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function","function":{"name":"lookup","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"},{"role":"tool","tool_call_id":"c","content":"ok"}`),
		"no result":      frame(`{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function","function":{"name":"lookup","arguments":"{\"a\":1}"}}]}`),
		"no question":    `[{"role":"assistant","content":"done"}]`,
		"no answer":      `[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"lookup","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}]`,
		"two answers":    `{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"done"},{"role":"user","content":"more"}],"temperature":0,"tools":[{"type":"function","function":{"name":"lookup","parameters":{"type":"object"}}}]}`,
		"a response":     `{"id":"r","object":"response","model":"m","instructions":"word","output":[{"type":"message","role":"assistant","id":"m","content":[{"type":"output_text","text":"done","annotations":[]}]}],"usage":{"input_tokens":1}}`,
		"after the end":  otlp(span("gen_ai.operation.name", "chat", "gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"q"}]},{"role":"assistant","parts":[{"type":"text","content":"done"}]}]`, "gen_ai.output.messages", chatCall)),
		"only tools":     otlp(span("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "lookup", "gen_ai.tool.call.arguments", "{}")),
		"a flat subtree": `{"messages":[{"role":"user","content":"q"},{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"assistant","content":[{"type":"text","text":"done"}]}]}`,
	}
	for name, text := range forbidden {
		out[name] = text
	}
	for name, text := range recorded {
		out[name] = text // the agent does not have its tools
	}
	return out
}

// A renamed key hides a value from its reader. No new name improves the verdict of a
// trace.
func TestNoRenamedKeyMakesATraceValid(t *testing.T) {
	verdict := judgedBy(t, lookupAgent)
	random := rand.New(rand.NewPCG(19, 1))
	traces := lawful()
	for _, name := range slices.Sorted(maps.Keys(traces)) {
		text := traces[name]
		before := verdict(text)
		if before == "valid" {
			t.Fatalf("%s is valid", name)
		}
		for _, place := range keyPlaces(text, func(s string) string { return s }, 0) {
			for _, to := range renames(random) {
				if exempt[name][place.name] {
					continue
				}
				if changed := place.rename(to); to != place.name && verdict(changed) == "valid" {
					t.Errorf("%s: %s, with %q called %q, is valid\n%s", name, before, place.name, to, changed)
				}
			}
		}
	}
}

// exempt are keys outside calls that may be renamed to one that has another meaning.
var exempt = map[string]map[string]bool{
	"a response":                      {"id": true, "model": true, "object": true, "instructions": true}, // to "input": the question of the run
	"chat, an action beside":          {"action": true},                                                  // to "id", which is a word, too
	"otlp, no reply":                  {"gen_ai.operation.name": true, "gen_ai.input.messages": true},    // a span that is no chat needs no reply
	"otlp, no messages":               {"gen_ai.operation.name": true},                                   // to "http.x": a request
	"otlp, messages that are no JSON": {"gen_ai.output.messages": true},                                  // to "gen_ai.system_instructions", which are any text
}

// renames are some of the names, all of them in long tests.
func renames(random *rand.Rand) []string {
	if os.Getenv("STILE_LONG") != "" {
		return knownKeys
	}
	some := []string{"zz"}
	for range effort.Of(12) {
		some = append(some, knownKeys[random.IntN(len(knownKeys))])
	}
	return some
}

func FuzzNoRenamedKeyMakesATraceValid(f *testing.F) {
	for _, text := range lawful() {
		f.Add(text, uint16(3), "metadata")
		f.Add(text, uint16(8), "id")
	}
	verdict := judgedBy(f, lookupAgent)
	f.Fuzz(func(t *testing.T, text string, at uint16, to string) {
		places := keyPlaces(text, func(s string) string { return s }, 0)
		before := verdict(text)
		if len(places) == 0 || before == "valid" {
			return
		}
		place := places[int(at)%len(places)]
		if changed := place.rename(to); place.call && verdict(changed) == "valid" {
			t.Fatalf("%s, with %q called %q, is valid: %s", before, place.name, to, fmt.Sprint(changed))
		}
	})
}
