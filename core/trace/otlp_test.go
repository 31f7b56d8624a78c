package trace

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
)

// Values of OpenTelemetry's JSON are converted to JSON; others are not accepted.
func TestValuesOfAttributes(t *testing.T) {
	for text, want := range map[string]string{
		`{"stringValue":"a"}`: "a", `{"intValue":"12"}`: "12", `{"intValue":12}`: "12", `{"doubleValue":1.5}`: "1.5", `{"boolValue":true}`: "true",
		`{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"a"}]}}`: `[1,"a"]`, `{"arrayValue":{}}`: `[]`, `{"arrayValue":{"values":[]}}`: `[]`,
		`{"kvlistValue":{"values":[{"key":"a","value":{"arrayValue":{"values":[{"boolValue":false}]}}}]}}`: `{"a":[false]}`, `{"kvlistValue":{}}`: `{}`,
		`{}`: "null", `{"stringValue":"a","intValue":1}`: "none", `{"deed":1}`: "none", `{"arrayValue":3}`: "none", `{"arrayValue":{"values":3}}`: "none", `{"arrayValue":{"values":[],"more":1}}`: "none",
		`{"arrayValue":{"deed":[]}}`: "none", `{"arrayValue":{"values":[{"deed":1}]}}`: "none", `{"kvlistValue":{"values":[{"key":"a"}]}}`: "none", `{"intValue":"x"}`: "x",
	} {
		n, fault := json.Tree(text)
		if fault != nil {
			t.Fatal(fault)
		}
		got := "none"
		if v := anyValue(n); v != nil {
			got = v.Text
			if v.Kind == '{' || v.Kind == '[' {
				got = string(v.Append(nil))
			}
		}
		if got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}

// Spans give conversations; attributes, events and links that may be actions are unread.
func TestSpansAreReadAsConversations(t *testing.T) {
	messages := func(more ...string) []string {
		return append([]string{
			stringAttribute("gen_ai.system_instructions", `[{"type":"text","content":"s"}]`),
			stringAttribute("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"q"}]}]`),
			stringAttribute("gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"a"}]}]`),
		}, more...)
	}
	one := spansOf(messages())
	with := func(members string) string { return strings.Replace(one, `"name":"n",`, `"name":"n",`+members+`,`, 1) }
	event := func(name, attributes string) string {
		return strings.Replace(spansOf(nil), `"name":"n",`, `"name":"n","events":[{"name":"gen_ai.user.message","attributes":[`+stringAttribute("content", "q")+`]},{"name":"`+name+`","attributes":[`+attributes+`]}],`, 1)
	}
	const read = "system=s|user=q|text=a"
	for _, c := range []struct{ text, parts, unread string }{
		{one, read, ""},
		{spansOf(messages(stringAttribute("gen_ai.request.model", "m"), stringAttribute("http.url", "x"))), read, ""},
		{spansOf(messages(stringAttribute("deed", "m"))), read, `unknown attribute "deed"`},
		{spansOf(messages(stringAttribute("deed", ""))), read, ""},
		{spansOf(messages(stringAttribute("gen_ai.request.model", `{"a":1}`))), read, `unknown attribute "gen_ai.request.model"`},
		{spansOf(messages(attribute("gen_ai.request.stop", `{"kvlistValue":{"values":[{"key":"a","value":{"intValue":1}}]}}`))), read, `unknown attribute "gen_ai.request.stop"`},
		{spansOf(messages(attribute("http.code", `{"deed":1}`))), read, "unsupported attribute"},
		{spansOf(messages(attribute("http.code", `{}`))), read, "unsupported attribute"},
		{spansOf(messages(stringAttribute("http.code", "1"), stringAttribute("http.code", "1"))), read, "unsupported attribute"},
		{spansOf(messages(stringAttribute("", "1"))), read, "unsupported attribute"},
		{spansOf(messages(stringAttribute("gen_ai.tool.definitions", `[{"name":"f","parameters":{}}]`))), read, ""},
		{spansOf(messages(stringAttribute("gen_ai.tool.definitions", `[{"name":"f","arguments":{}}]`))), "system=s|user=q|call(f#)={}|text=a", `unexpected value of "gen_ai.tool.definitions"`},
		{spansOf(messages(stringAttribute("gen_ai.tool.definitions", `f`))), read, `unexpected value of "gen_ai.tool.definitions"`},
		{spansOf([]string{stringAttribute("gen_ai.system_instructions", "be brief"), messages()[1], messages()[2]}), "system=be brief|user=q|text=a", ""},
		{spansOf(messages(), []string{stringAttribute("gen_ai.output.messages", `a`)}), read, `unexpected value of "gen_ai.output.messages"`},
		{spansOf(messages(), []string{stringAttribute("gen_ai.input.messages", `[{"role":"boss","parts":[]}]`)}), read, `message with an unknown role "boss"`},
		{with(`"links":[{"traceId":"t","spanId":"s","attributes":[],"flags":1}]`), read, ""},
		{with(`"links":[{"traceId":"t","deed":"s"}]`), read, "unsupported links"},
		{with(`"links":[{"traceId":"a b"}]`), read, "unsupported links"},
		{with(`"links":["deed"]`), read, "unsupported links"},
		{with(`"links":[]`), read, ""},
		{with(`"deed":"x"`), read, `unknown key "deed"`},
		{with(`"events":{"a":1}`), read, `unexpected value of "events"`},
		{with(`"events":[{"name":"exception.x"}]`), read, ""},
		{with(`"events":[{"name":"deed"}]`), read, `unknown event "deed"`},
		{event("gen_ai.choice", stringAttribute("content", "a")), "user=q|text=a", ""},
		{event("gen_ai.choice", stringAttribute("message", `{"role":"assistant","content":"a"}`)), "user=q|text=a", ""},
		{event("gen_ai.choice", stringAttribute("gen_ai.event.content", `{"message":{"content":"a"}}`)), "user=q|text=a", ""},
		{event("gen_ai.content.completion", stringAttribute("gen_ai.completion", `[{"role":"assistant","content":"a"}]`)), "user=q|text=a", ""},
		{event("gen_ai.assistant.message", stringAttribute("tool_calls", `[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]`)), "user=q|call(f#1)={}", ""},
		{event("gen_ai.choice", stringAttribute("content", "a")+","+stringAttribute("message", "b")), "", `unknown attribute "message"`},
		{event("gen_ai.client.inference.operation.details", messages()[2]), "user=q|text=a", ""},
	} {
		_, parts, unread := readTrace(t, c.text, "")
		reasons := []string{}
		for _, u := range strings.Split(unread, "; ") {
			_, reason, _ := strings.Cut(u, ": ")
			reasons = append(reasons, reason)
		}
		if c.parts != "" && parts != c.parts || c.unread != "" && !slices.Contains(reasons, c.unread) || c.unread == "" && unread != "" {
			t.Errorf("%s:\n%s; %s\nnot %s; %s", c.text, parts, unread, c.parts, c.unread)
		}
	}
}

// The identifier of a tool's event is that of the call.
func TestEventsOfToolsNameTheirCalls(t *testing.T) {
	event := func(name string, attributes ...string) string {
		return `{"name":"` + name + `","attributes":[` + strings.Join(attributes, ",") + `]}`
	}
	call := event("gen_ai.assistant.message", stringAttribute("tool_calls", `[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}]`))
	for _, result := range []string{
		event("gen_ai.tool.message", stringAttribute("content", "r"), stringAttribute("id", "2")),
		event("gen_ai.tool.message", stringAttribute("gen_ai.event.content", `{"content":"r","id":"2"}`)),
	} {
		text := strings.Replace(spansOf(nil), `"name":"n",`, `"name":"n","events":[`+call+","+result+`],`, 1)
		if _, parts, unread := readTrace(t, text, ""); parts != "call(f#1)={}|call(g#2)={}|result(g#2)=r" || unread != "" {
			t.Errorf("%s: %s; %s", text, parts, unread)
		}
	}
}
