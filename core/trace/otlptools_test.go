package trace

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// attribute is an attribute of a span with a value in OpenTelemetry's JSON.
func attribute(key, value string) string { return fmt.Sprintf(`{"key":%q,"value":%s}`, key, value) }

func stringAttribute(key, text string) string {
	quoted, _ := json.Marshal(text)
	return attribute(key, fmt.Sprintf(`{"stringValue":%s}`, quoted))
}

// spansOf is a trace of spans with these attributes.
func spansOf(spans ...[]string) string {
	var list []string
	for i, attributes := range spans {
		list = append(list, fmt.Sprintf(`{"traceId":"t","spanId":"s%d","name":"n","startTimeUnixNano":"%d","attributes":[%s]}`, i, 100+i, strings.Join(attributes, ",")))
	}
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(list, ",") + `]}]}]}`
}

// A span of an executed tool is compared with the call in the conversation: a difference
// of the arguments is an unread part at the attribute.
func TestArgumentsOfExecutedToolsAreCompared(t *testing.T) {
	chat := func(calls ...string) []string {
		return []string{
			stringAttribute("gen_ai.operation.name", "chat"),
			stringAttribute("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"q"}]}]`),
			stringAttribute("gen_ai.output.messages", `[{"role":"assistant","parts":[`+strings.Join(calls, ",")+`]}]`),
		}
	}
	call := func(id, arguments string) string {
		return fmt.Sprintf(`{"type":"tool_call","id":%q,"name":"pay","arguments":%s}`, id, arguments)
	}
	tool := func(id string, arguments ...string) []string {
		out := []string{stringAttribute("gen_ai.operation.name", "execute_tool"), stringAttribute("gen_ai.tool.name", "pay")}
		if id != "" {
			out = append(out, stringAttribute("gen_ai.tool.call.id", id))
		}
		for _, a := range arguments {
			if !strings.HasPrefix(a, `{"kvlistValue"`) {
				quoted, _ := json.Marshal(a)
				a = fmt.Sprintf(`{"stringValue":%s}`, quoted)
			}
			out = append(out, attribute("gen_ai.tool.call.arguments", a))
		}
		return out
	}
	const differ = `arguments of "pay" that differ from another record of the call`
	for name, c := range map[string]struct {
		chat   []string
		tools  [][]string
		unread string
	}{
		"equal":                     {chat(call("c", `{"to":"a","sum":3}`)), [][]string{tool("c", `{"to":"a","sum":3}`)}, ""},
		"other order and spacing":   {chat(call("c", `{"to":"a","sum":3}`)), [][]string{tool("c", "{ \"sum\": 3.0,\n\"to\": \"a\" }")}, ""},
		"a string of JSON":          {chat(call("c", `"{\"to\":\"a\"}"`)), [][]string{tool("c", `{"to":"a"}`)}, ""},
		"a list of keys and values": {chat(call("c", `{"to":"a","sum":3}`)), [][]string{tool("c", `{"kvlistValue":{"values":[{"key":"sum","value":{"intValue":"3"}},{"key":"to","value":{"stringValue":"a"}}]}}`)}, ""},
		"not recorded":              {chat(call("c", `{"to":"a"}`)), [][]string{tool("c")}, ""},
		"no arguments":              {chat(call("c", `{}`)), [][]string{tool("c", "")}, ""},
		"another value":             {chat(call("c", `{"to":"a"}`)), [][]string{tool("c", `{"to":"b"}`)}, differ},
		"another key":               {chat(call("c", `{"to":"a"}`)), [][]string{tool("c", `{"to":"a","all":true}`)}, differ},
		"another type":              {chat(call("c", `{"sum":"3"}`)), [][]string{tool("c", `{"sum":3}`)}, differ},
		"a large number":            {chat(call("c", `{"sum":9007199254740993}`)), [][]string{tool("c", `{"sum":9007199254740992}`)}, differ},
		"a list that differs":       {chat(call("c", `{"sum":3}`)), [][]string{tool("c", `{"kvlistValue":{"values":[{"key":"sum","value":{"intValue":"4"}}]}}`)}, differ},
		"none instead of some":      {chat(call("c", `{"to":"a"}`)), [][]string{tool("c", `{}`)}, differ},
		"no JSON":                   {chat(call("c", `{"to":"a"}`)), [][]string{tool("c", `to a`)}, differ},
		"of another call":           {chat(call("c", `{"to":"a"}`), call("d", `{"to":"b"}`)), [][]string{tool("c", `{"to":"b"}`), tool("d", `{"to":"b"}`)}, differ},
		"without identifiers":       {chat(call("", `{"to":"a"}`), call("", `{"to":"b"}`)), [][]string{tool(""), tool("", `{"to":"b"}`)}, ""},
		"arguments in one span":     {chat(call("", `{"to":"b"}`), call("", `{"to":"a"}`)), [][]string{tool(""), tool("", `{"to":"b"}`)}, ""},
		"executed twice":            {chat(call("", `{"to":"a"}`), call("", `{"to":"b"}`)), [][]string{tool("", `{"to":"b"}`), tool("", `{"to":"b"}`)}, ""},
		"executed but not asked":    {chat(call("c", `{}`)), [][]string{tool("d", `{}`)}, ""},
	} {
		text := spansOf(append([][]string{c.chat}, c.tools...)...)
		trace, err := openExactly(source.NewFile("trace.json", text), "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		unread := ""
		if len(trace.Unread) > 0 {
			unread = trace.Unread[0].Reason
		}
		if unread != c.unread || len(trace.Unread) > 1 {
			t.Errorf("%s: got %+v, want %q", name, trace.Unread, c.unread)
		}
		if c.unread == differ {
			if place := text[trace.Unread[0].Span.Start:trace.Unread[0].Span.End]; !strings.Contains(trace.Unread[0].Path, "attributes") || place == "" || strings.Contains(place, "gen_ai.tool.name") {
				t.Errorf("%s: reported at %s: %s", name, trace.Unread[0].Path, place)
			}
		}
	}
}
