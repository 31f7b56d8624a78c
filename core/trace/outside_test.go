package trace

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// refusedOutside are the traces of testdata/outside.txtar that are not read, each with a part of the
// reason; "" means that the text has no values that are recognised.
var refusedOutside = map[string]string{
	"autogen-0.2-console.txt":             "AutoGen console output",
	"cline-api-history-xml.json":          "text that looks like a call",
	"har-chat-base64.json":                "content in base64",
	"langchain-agentexecutor-verbose.txt": "LangChain AgentExecutor output",
	"mcp-inspector-log.txt":               "unrecognized line",
	"responses-sse.txt":                   "stream that ends before its value",
}

// outsideCalls are the calls of the traces that have others than "lookup" and "delete_all".
var outsideCalls = map[string]string{
	"claude-code-sidechain-2.0.jsonl": "Task lookup delete_all",
	"dspy-react-trajectory.json":      "lookup delete_all finish",
	"mini-swe-agent-1.1.json":         "", // its commands are blocks of Markdown
	"smolagents-code.json":            "python_interpreter python_interpreter",
	"smolagents-memory-1.20.json":     "lookup delete_all final_answer",
	"whowhen.json":                    "WebSurfer",
}

// Each call of a trace is read in its order, or the trace is refused with the reason.
func TestTracesFromOutside(t *testing.T) {
	data, err := os.ReadFile("testdata/outside.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := txtar.Parse(data).Files
	if len(files) < 50 {
		t.Fatalf("%d files", len(files))
	}
	for _, f := range files {
		read, ok := Read(string(f.Data))
		if reason, refused := refusedOutside[f.Name]; refused {
			has := reason == "" && !ok
			for i := 0; ok && i < len(read.Unread); i++ {
				has = has || reason != "" && strings.Contains(read.Unread[i].Reason, reason)
			}
			if !has {
				t.Errorf("%s: expected the reason %q: %+v", f.Name, reason, read)
			}
			continue
		}
		if !ok || len(read.Runs) != 1 || len(read.Unread) > 0 {
			t.Errorf("%s: %+v", f.Name, read)
			continue
		}
		want, listed := outsideCalls[f.Name]
		if !listed {
			want = "lookup delete_all"
		}
		var calls []string
		for _, item := range read.Runs[0].Items {
			if item.Kind == Call {
				calls = append(calls, item.Tool)
				if value := item.Text; !listed && !strings.Contains(value, "A7") && !strings.Contains(value, "/") {
					t.Errorf("%s: arguments of %s: %q", f.Name, item.Tool, value)
				}
			}
		}
		if got := strings.Join(calls, " "); got != want {
			t.Errorf("%s: calls %q, expected %q", f.Name, got, want)
		}
	}
}

// A model's text that is a call is refused, unless the message has its calls as a list.
func TestCallsInTextsOfModelsAreRefused(t *testing.T) {
	const call = `<tool_call>{\"name\":\"delete_all\",\"arguments\":{}}</tool_call>`
	for text, refused := range map[string]bool{
		`[{"role":"user","content":"q"},{"role":"assistant","content":"` + call + `"}]`:                                                                                               true,
		`[{"role":"user","content":"q"},{"role":"assistant","content":"` + call + `","tool_calls":[{"id":"c","type":"function","function":{"name":"delete_all","arguments":"{}"}}]}]`: false,
		`[{"role":"user","content":"q"},{"role":"assistant","content":"Write a < b, or a [link]."}]`:                                                                                  false,
	} {
		read, ok := Read(text)
		if !ok || (len(read.Unread) > 0) != refused {
			t.Errorf("%s: %+v", text, read)
		}
	}
}

// Attributes that are nested objects have the same calls and results as keys with dots.
func TestNestedAttributesAreThoseWithDots(t *testing.T) {
	const span = `{"name":"lookup","context":{"trace_id":"0x1","span_id":"0x3"},"start_time":"2025-10-01T10:00:02Z","attributes":`
	for _, attributes := range []string{
		`{"openinference.span.kind":"TOOL","tool.name":"lookup","input.value":"{\"order\":\"A7\"}","output.value":"paid"}`,
		`{"openinference":{"span":{"kind":"TOOL"}},"tool":{"name":"lookup"},"input":{"value":"{\"order\":\"A7\"}"},"output":{"value":"paid"}}`,
		`{"openinference":{"span":{"kind":"TOOL"}},"tool":{"name":"lookup","parameters":{"order":"A7"}},"output":{"value":"paid"}}`,
	} {
		read, ok := Read(span + attributes + "}")
		if !ok || len(read.Runs) != 1 || len(read.Unread) > 0 || len(read.Runs[0].Items) != 2 {
			t.Errorf("%s: %+v", attributes, read)
			continue
		}
		call, result := read.Runs[0].Items[0], read.Runs[0].Items[1]
		if call.Kind != Call || call.Tool != "lookup" || !strings.Contains(call.Text, "A7") || result.Kind != Result || result.Text != "paid" {
			t.Errorf("%s: %+v, %+v", attributes, call, result)
		}
	}
}
