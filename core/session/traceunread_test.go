package session

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

const lookupAgent = `(define lookup-agent
  (:states
    (Ques (:text "[Question]"))
    (Tht (:text "[Thought]"))
    (Act (:text "[Action]") (:one-of "lookup"))
    (Act-Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (or Tht (next Act Act-Inp Obs)) Ans))))`

// frame is a conversation with a place for the messages of the model and a tool.
func frame(middle string) string {
	return `[{"role":"user","content":"q"},` + middle + `,{"role":"assistant","content":"done"}]`
}

func span(attributes ...string) string {
	var list []string
	for i := 0; i < len(attributes); i += 2 {
		list = append(list, fmt.Sprintf(`{"key":%q,"value":{"stringValue":%s}}`, attributes[i], strconv.Quote(attributes[i+1])))
	}
	return `"attributes":[` + strings.Join(list, ",") + `]`
}

func otlp(spans ...string) string {
	for i, s := range spans {
		spans[i] = fmt.Sprintf(`{"traceId":"t","spanId":"s%d","name":"chat","startTimeUnixNano":"%d",%s}`, i, 100+i, s)
	}
	return `{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`
}

const (
	chatIn   = `[{"role":"user","parts":[{"type":"text","content":"q"}]}]`
	chatOut  = `[{"role":"assistant","parts":[{"type":"text","content":"done"}]}]`
	chatCall = `[{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"delete_all","arguments":{}}]}]`
)

// forbidden are traces with a call of a tool that lookup-agent does not have.
var forbidden = map[string]string{
	"chat":                        frame(`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"delete_all","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}`),
	"chat, function is a string":  frame(`{"role":"assistant","tool_calls":[{"id":"c","function":"delete_all","args":{}}]},{"role":"tool","tool_call_id":"c","content":"ok"}`),
	"chat, calls are an object":   frame(`{"role":"assistant","content":"","tool_calls":{"id":"c","function":{"name":"delete_all","arguments":"{}"}}}`),
	"chat, toolCalls":             frame(`{"role":"assistant","content":"","toolCalls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]}`),
	"chat, custom":                frame(`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"custom","custom":{"name":"delete_all","input":"x"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}`),
	"chat, function_call":         frame(`{"role":"assistant","content":null,"function_call":{"name":"delete_all","arguments":"{}"}},{"role":"function","name":"delete_all","content":"ok"}`),
	"chat, both kinds of calls":   frame(`{"role":"assistant","content":null,"function_call":{"name":"delete_all","arguments":"{}"},"tool_calls":[]},{"role":"function","name":"delete_all","content":"ok"}`),
	"chat, content is an object":  frame(`{"role":"assistant","content":{"tool":"delete_all"}}`),
	"chat, content is a number":   frame(`{"role":"assistant","content":3}`),
	"chat, the key twice":         frame(`{"role":"assistant","content":"a","tool_calls":[],"tool_calls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]}`),
	"chat, unknown role":          frame(`{"role":"ipython","content":"delete_all()"}`),
	"chat, an action beside":      frame(`{"role":"assistant","content":"a","action":"delete_all"}`),
	"chat, metadata":              frame(`{"role":"assistant","content":"a","metadata":{"tool":"delete_all","input":{}}}`),
	"chat, usage":                 frame(`{"role":"assistant","content":"a","usage":{"function":{"name":"delete_all","arguments":"{}"}}}`),
	"chat, nested messages":       frame(`{"role":"assistant","content":"a","messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]}]}`),
	"chat, JSON in the text":      frame(`{"role":"assistant","content":"{\"name\": \"delete_all\", \"arguments\": {}}"}`),
	"chat, marked text":           frame(`{"role":"assistant","content":"<tool_call>delete_all</tool_call>"}`),
	"chat, JSON said by the user": frame(`{"role":"user","content":"[{\"type\":\"function_call\",\"name\":\"delete_all\",\"arguments\":\"{}\"}]"}`),
	"chat, a result alone":        frame(`{"role":"tool","tool_call_id":"c","content":"all is deleted"}`),
	"chat, a null name":           frame(`{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":null,"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}`),
	"two answers":                 `{"messages":[{"role":"user","content":"q"}],"choices":[{"message":{"role":"assistant","content":"done"}},{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]}}]}`,
	"a streamed answer":           `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"done"}],"choices":[{"delta":{"tool_calls":[{"function":{"name":"delete_all"}}]}}]}`,
	"the first of two lines":      `{"messages":` + frame(`{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}`) + "}\n" + `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"done"}]}`,
	"the first of two lists":      `[` + frame(`{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}`) + `,[{"role":"user","content":"q"},{"role":"assistant","content":"done"}]]`,
	"a batch row":                 `[{"role":"user","content":"q"},{"role":"assistant","content":"done"}]` + "\n" + `{"custom_id":"1","response":{"body":{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]}}]}}}`,

	"anthropic, mcp_tool_use":    frame(`{"role":"assistant","content":[{"type":"mcp_tool_use","id":"c","name":"delete_all","server_name":"s","input":{}}]},{"role":"user","content":[{"type":"mcp_tool_result","tool_use_id":"c","content":[{"type":"text","text":"ok"}]}]}`),
	"anthropic, server_tool_use": frame(`{"role":"assistant","content":[{"type":"server_tool_use","id":"c","name":"delete_all","input":{}}]}`),
	"anthropic, new block":       frame(`{"role":"assistant","content":[{"type":"computer_use","id":"c","name":"delete_all","input":{}}]}`),
	"anthropic, no type":         frame(`{"role":"assistant","content":[{"name":"delete_all","input":{}}]}`),
	"bedrock":                    frame(`{"role":"assistant","content":[{"toolUse":{"toolUseId":"c","name":"delete_all","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c","content":[{"text":"ok"}]}}]}`),
	"gemini in a message":        frame(`{"role":"model","parts":[{"functionCall":{"name":"delete_all","args":{}}}]}`),
	"gemini":                     `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"delete_all","args":{}}}]},{"role":"model","parts":[{"text":"done"}]}]}`,
	"gemini, a response":         `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"delete_all","args":{}}},{"text":"done"}]},"finishReason":"STOP"}]}`,
	"gemini, a result":           `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"user","parts":[{"functionResponse":{"name":"delete_all","response":{"output":"ok"}}}]},{"role":"model","parts":[{"text":"done"}]}]}`,
	"gemini, code":               `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"delete_all()"}},{"text":"done"}]}]}`,
	"gemini, arguments in parts": `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"lookup","partialArgs":[{"jsonPath":"$.x","stringValue":"delete_all"}],"willContinue":true}},{"text":"done"}]}]}`,
	"bedrock, a response":        `{"messages":[{"role":"user","content":[{"text":"q"}]}],"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"c","name":"delete_all","input":{}}},{"text":"done"}]}},"stopReason":"tool_use"}`,
	"bedrock, a server's tool":   frame(`{"role":"assistant","content":[{"toolUse":{"toolUseId":"c","name":"lookup","input":{},"type":"server_tool_use","server":"delete_all"}}]}`),
	"agentdojo":                  frame(`{"role":"assistant","content":null,"tool_calls":[{"function":"delete_all","args":{},"id":"c","placeholder_args":null}]},{"role":"tool","content":"ok","tool_call_id":"c","tool_call":{"function":"delete_all","args":{}},"error":null}`),
	"vercel":                     frame(`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"delete_all","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c","toolName":"delete_all","output":{"type":"text","value":"ok"}}]}`),
	"langchain":                  `[{"type":"human","content":"q"},{"type":"ai","content":"","tool_calls":[{"name":"delete_all","args":{},"id":"c"}]},{"type":"ai","content":"done"}]`,

	"responses, mcp_call":         frame(`{"type":"mcp_call","id":"c","name":"delete_all","arguments":"{}","server_label":"s","output":"ok"}`),
	"responses, shell_call":       frame(`{"type":"shell_call","call_id":"c","action":{"commands":["rm -rf /"]}},{"type":"shell_call_output","call_id":"c","output":[]}`),
	"responses, computer_call":    frame(`{"type":"computer_call","call_id":"c","action":{"type":"click"}}`),
	"responses, apply_patch_call": frame(`{"type":"apply_patch_call","call_id":"c","operation":{"type":"delete_file","path":"/"}}`),
	"responses, web_search_call":  frame(`{"type":"web_search_call","id":"c","status":"completed"}`),
	"responses, item_reference":   frame(`{"type":"item_reference","id":"c"}`),
	"responses, callId":           frame(`{"type":"function_call","callId":"c","name":"delete_all","arguments":"{}"}`),
	"responses, output":           `{"object":"response","instructions":null,"input":"q","output":[{"type":"local_shell_call","action":{"command":["rm"]}},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}]}`,
	"responses, tools":            `{"object":"response","input":"q","tools":[{"type":"shell_call","action":{"command":["rm"]}}],"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}]}`,

	"otlp, the first of two agents":   otlp(span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatCall), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)),
	"otlp, execute_tool":              otlp(span("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "delete_all"), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)),
	"otlp, a span of a tool":          otlp(span("tool.name", "delete_all"), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)),
	"otlp, a span without a word":     otlp(span(), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)),
	"otlp, messages of its own":       otlp(span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut, "llm.output_messages.0.message.tool_calls.0.tool_call.function.name", "delete_all")),
	"otlp, no reply":                  otlp(span("gen_ai.operation.name", "chat", "gen_ai.input.messages", chatIn), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)),
	"otlp, no messages":               otlp(span("gen_ai.operation.name", "chat"), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)),
	"otlp, messages that are no JSON": otlp(span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", `[{"role":"assistant"`), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)),
	"otlp, two lists in a string":     otlp(span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut+chatCall)),
	"otlp, new part":                  otlp(span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"server_tool_call","name":"delete_all"},{"type":"text","content":"done"}]}]`)),
	"otlp, an event":                  otlp(span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut) + `,"events":[{"name":"tool_call","attributes":[{"key":"name","value":{"stringValue":"delete_all"}}]}]`),

	"text, before the prompts":     "Tool: delete_all\n[Question] q\n[Answer] done",
	"text, other prompts":          "[Question] q\n**[Action]** delete_all\n[Answer] done",
	"text, JSON in a thought":      "[Question] q\n[Thought] {\"tool\": \"delete_all\", \"args\": {}}\n[Answer] done",
	"text, a marked call":          "[Question] q\n[Thought] <tool_call>delete_all</tool_call>\n[Answer] done",
	"text, none of the prompts":    "User: q\nTool: delete_all\nAssistant: done",
	"text, an action":              "[Question] q\n[Action] delete_all\n[Action Input] x\n[Observation] y\n[Answer] done",
	"text, an action with nothing": "[Question] q\n[Action]\n[Action Input] x\n[Observation] y\n[Answer] done",
	"text before JSON":             "log:\n" + frame(`{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]}`),
}

func TestForbiddenCallIsInvalidInEveryShape(t *testing.T) {
	s := New()
	for name, text := range forbidden {
		for _, format := range []string{"auto", "openai", "anthropic", "gemini", "bedrock", "jsonl", "otlp", "text", ""} {
			raw, fault := call(t, s, "monitor.check", MonitorCheckParams{Source: lookupAgent, Text: text, Format: format})
			if fault != nil {
				continue
			}
			var out MonitorCheckResult
			if err := json.Unmarshal(raw, &out); err != nil {
				t.Fatal(err)
			}
			if out.Verdict == "valid" || out.Verdict == "incomplete" && format == "auto" {
				t.Errorf("%s as %q: %s as %s\n%s", name, format, out.Verdict, out.Format, statesOf(out))
			}
			if out.Verdict == "unread" && len(out.Unread) == 0 {
				t.Errorf("%s as %q: no place is named", name, format)
			}
		}
	}
}

func TestAllowedCallIsValid(t *testing.T) {
	s := New()
	for name, text := range map[string]string{
		"chat":      forbidden["chat"],
		"legacy":    forbidden["chat, function_call"],
		"custom":    forbidden["chat, custom"],
		"mcp":       forbidden["anthropic, mcp_tool_use"],
		"gemini":    `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"delete_all","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"delete_all","response":{"output":"ok"}}}]},{"role":"model","parts":[{"text":"done"}]}]}`,
		"bedrock":   forbidden["bedrock"],
		"two lines": forbidden["the first of two lines"],
		"two lists": forbidden["the first of two lists"],
	} {
		text = strings.ReplaceAll(text, "delete_all", "lookup")
		out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: lookupAgent, Text: text, Format: "auto"})
		if out.Verdict != "valid" {
			t.Errorf("%s: %s %+v %+v", name, out.Verdict, out.Unread, out.Violation)
		}
	}
}
