package trace

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/traceset"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// hidden are values with a call of delete_all, or with its result, in the forms of many libraries.
var hidden = []string{
	`{"name":"delete_all","arguments":{"path":"/"}}`,
	`{"name":"delete_all","parameters":{"path":"/"}}`,
	`{"name":"delete_all","input":{"path":"/"}}`,
	`{"name":"delete_all","args":"/"}`,
	`{"tool":"delete_all","kwargs":{"path":"/"}}`,
	`{"tool_name":"delete_all","tool_args":{"path":"/"}}`,
	`{"action":"delete_all","action_input":"/"}`,
	`{"function":"delete_all","args":{"path":"/"}}`,
	`{"function_name":"delete_all","function_args":{"path":"/"}}`,
	`{"type":"tool_use","id":"x","name":"delete_all","input":{"path":"/"}}`,
	`{"type":"function_call","call_id":"x","name":"delete_all","arguments":"{}"}`,
	`{"type":"shell_call","action":{"commands":["rm"]}}`,
	`{"type":"computer_call","actions":[]}`,
	`{"type":"tool-delete_all","toolCallId":"x","state":"output-available","input":{"path":"/"},"output":"ok"}`,
	`{"type":"dynamic-tool","toolName":"delete_all","toolCallId":"x","input":{}}`,
	`{"function":{"name":"delete_all","arguments":"{}"}}`,
	`{"custom":{"name":"delete_all","input":"/"}}`,
	`{"toolUse":{"toolUseId":"x","name":"delete_all","input":{}}}`,
	`{"functionCall":{"name":"delete_all"}}`,
	`{"functionCall":{"name":"delete_all","args":{"path":"/"}}}`,
	`{"toolInvocation":{"toolName":"delete_all","args":{}}}`,
	`{"executableCode":{"code":"rm"}}`,
	`{"codeExecutionResult":{"output":"ok"}}`,
	`{"toolResult":{"toolUseId":"x","content":[{"text":"ok"}]}}`,
	`{"tool_call_id":"x","output":"ok"}`,
	`{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"delete_all","arguments":"{}"}}]}`,
	`{"role":"assistant","content":"deleted"}`,
	`{"messages":[{"role":"assistant","content":"deleted"}]}`,
	`{"tool_calls":[{"name":"delete_all","args":{}}]}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_all","arguments":{}}}`,
	`{"event":"on_tool_start","name":"delete_all","data":{"input":{"path":"/"}}}`,
	`{"run_type":"tool","id":"x","name":"delete_all","inputs":{"path":"/"}}`,
	`{"traceId":"t","spanId":"x","name":"execute_tool delete_all"}`,
	`{"trace_id":"t","span_id":"x","name":"delete_all","attributes":{"tool.name":"delete_all"}}`,
	`{"tool_name_0":"delete_all","tool_args_0":{"path":"/"}}`,
	`{"trajectory":[{"action":"rm","observation":"ok"}]}`,
	`{"lc":1,"id":["AIMessage"],"kwargs":{"content":"","tool_calls":[{"name":"delete_all","args":{}}]}}`,
	`{"type":"ai","content":"x","tool_calls":[{"name":"delete_all","args":{}}]}`,
	`{"stepType":"x","toolCalls":[{"toolName":"delete_all","args":{}}]}`,
	`{"action":"delete_all"}`,
	`{"command":"rm"}`,
	`"<tool_call>{}</tool_call>"`,
}

// places are the keys under which values are hidden: names that are read, and names that a rule ignores.
func placesForHidden() []string {
	out := strings.Fields(readAttributes + eventAttributes + mediaKeys + markKeys + toolKeys + partKeys + wordKeys +
		" zz role type content messages input output choices message system instructions summary tool_calls function custom arguments call_id tool_call_id tool_use_id tool_name parts response result contents candidates")
	for _, rule := range ignored {
		out = append(out, strings.Fields(rule.keys)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// withMember returns a text with a further member in one of its objects, perhaps of JSON in a string.
func withMember(text, member string, random *rand.Rand) string {
	roots, fault := json.Trees(text)
	if fault != nil {
		return text
	}
	var at []*node
	for _, root := range roots {
		All(root, func(_ string, n *node) bool {
			if n.Kind == '{' && len(n.Members) > 0 || n.Kind == '"' && Written(n.Text) {
				at = append(at, n)
			}
			return true
		})
	}
	if len(at) == 0 {
		return text
	}
	n := at[random.IntN(len(at))]
	if n.Kind == '"' {
		return text[:n.At.Start] + strconv.Quote(withMember(n.Text, member, random)) + text[n.At.End:]
	}
	return text[:n.At.Start+1] + member + "," + text[n.At.Start+1:]
}

// missing returns a call, a result or an unread part that another reading of a trace has in addition, or "".
func missing(exact, other *Trace) string {
	known := map[string]bool{}
	for _, run := range exact.Runs {
		for _, item := range run.Items {
			known[item.Kind+" "+item.Tool] = true
		}
	}
	for _, run := range other.Runs {
		for _, item := range run.Items {
			if seen := item.Kind + " " + item.Tool; (item.Kind == Call || item.Kind == Result) && !known[seen] {
				return seen
			}
		}
	}
	if len(other.Unread) > 0 && (len(exact.Runs) < 2 || !strings.Contains(other.Unread[0].Reason, "another record")) { // both records are judged
		return other.Unread[0].Path + ": " + other.Unread[0].Reason
	}
	return ""
}

// exactBases are traces that are read exactly.
func exactBases(t *testing.T) map[string]string {
	out := map[string]string{
		"openai":    `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"x"}}]},{"role":"assistant","content":"a","annotations":[{"type":"url_citation","url":"u"}],"tool_calls":[{"id":"c","type":"function","function":{"name":"lookup","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"ok"}]},{"role":"assistant","content":"done"}],"tools":[{"type":"function","function":{"name":"lookup","parameters":{"type":"object"}}}],"metadata":{"a":"b"}}`,
		"response":  `{"id":"r","object":"response","model":"m","instructions":"s","input":"q","output":[{"type":"reasoning","id":"x","summary":[{"type":"summary_text","text":"t"}]},{"type":"function_call","id":"f","call_id":"c","name":"lookup","arguments":"{}"},{"type":"message","role":"assistant","id":"m","content":[{"type":"output_text","text":"done","annotations":[]}]}],"usage":{"input_tokens":1}}`,
		"choices":   `{"id":"r","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"usage":{"x":{"y":1}}}`,
		"anthropic": `{"system":"s","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"x"},{"type":"tool_use","id":"c","name":"lookup","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"ok"}]}]},{"role":"assistant","content":[{"type":"text","text":"done","citations":[{"cited_text":"x"}]}]}]}`,
		"gemini":    `{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"q"},{"inlineData":{"mimeType":"image/png","data":"eA=="}}]},{"role":"model","parts":[{"functionCall":{"name":"lookup","args":{"a":1}},"thoughtSignature":"eA=="}]},{"role":"user","parts":[{"functionResponse":{"name":"lookup","response":{"output":"ok"}}}]},{"role":"model","parts":[{"text":"done"}]}],"generationConfig":{"temperature":0},"tools":[{"functionDeclarations":[{"name":"lookup","parameters":{"type":"object"}}]}]}`,
		"bedrock":   `{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"r","signature":"eA=="}}},{"toolUse":{"toolUseId":"c","name":"lookup","input":{"a":1}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c","content":[{"json":{"a":1}}],"status":"success"}}]},{"role":"assistant","content":[{"text":"done"}]}],"inferenceConfig":{"maxTokens":1}}`,
		"otlp": spansOf([]string{
			stringAttribute("gen_ai.operation.name", "chat"), stringAttribute("gen_ai.request.model", "m"),
			stringAttribute("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"q"}]}]`),
			stringAttribute("gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"lookup","arguments":{"a":1}}]}]`),
		}),
		"events of spans": strings.Replace(spansOf(nil), `"name":"n",`, `"name":"n","status":{"code":1},"events":[{"name":"gen_ai.user.message","attributes":[`+stringAttribute("content", "q")+`]},{"name":"gen_ai.choice","attributes":[`+stringAttribute("message", `{"role":"assistant","content":"a"}`)+`]}],`, 1),
	}
	traces, _, err := traceset.Read(filepath.Join("testdata", "traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range traces {
		if e.Variant == "plain" {
			out[e.File] = e.Text
		}
	}
	for name, text := range out {
		if read, err := openExactly(source.NewFile("t", text), ""); err != nil || read.Format == FormatText || len(read.Unread) > 0 {
			delete(out, name)
		}
	}
	return out
}

// A trace that is read exactly has no call, no result and no unread part that only the tables of keys find.
func TestExactReadingMissesNoCall(t *testing.T) {
	bases := exactBases(t)
	names, keys := slices.Sorted(maps.Keys(bases)), placesForHidden()
	random := rand.New(rand.NewPCG(9, 1))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	complete := 0
	for range effort.Sample(1_000_000, 20_000) {
		text, value := bases[pick(names)], pick(hidden)
		switch random.IntN(3) {
		case 0:
			value = "[" + value + "]"
		case 1:
			value = strconv.Quote(value)
		}
		changed := withMember(text, strconv.Quote(pick(keys))+":"+value, random)
		exact, err := openExactly(source.NewFile("t", changed), "")
		if err != nil || len(exact.Unread) > 0 {
			continue
		}
		complete++
		other, _ := Read(changed)
		if missed := missing(exact, other); missed != "" {
			t.Errorf("%s in\n%s", missed, changed)
		}
	}
	t.Log(complete, "traces are complete")
}
