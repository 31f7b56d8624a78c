package monitor

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Values of OpenTelemetry's JSON are converted to JSON; others are not accepted.
func TestValuesOfAttributes(t *testing.T) {
	for text, want := range map[string]string{
		`{"stringValue":"a"}`: "a", `{"intValue":"12"}`: "12", `{"intValue":12}`: "12", `{"doubleValue":1.5}`: "1.5", `{"boolValue":true}`: "true",
		`{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"a"}]}}`: `[1,"a"]`, `{"arrayValue":{}}`: `[]`, `{"arrayValue":{"values":[]}}`: `[]`,
		`{"kvlistValue":{"values":[{"key":"a","value":{"arrayValue":{"values":[{"boolValue":false}]}}}]}}`: `{"a":[false]}`, `{"kvlistValue":{}}`: `{}`,
		`{}`: "none", `{"stringValue":"a","intValue":1}`: "none", `{"deed":1}`: "none", `{"arrayValue":3}`: "none", `{"arrayValue":{"values":3}}`: "none", `{"arrayValue":{"values":[],"more":1}}`: "none",
		`{"arrayValue":{"deed":[]}}`: "none", `{"arrayValue":{"values":[{"deed":1}]}}`: "none", `{"kvlistValue":{"values":[{"key":"a"}]}}`: "none", `{"intValue":"x"}`: "x",
	} {
		n, fault := json.Tree(text)
		if fault != nil {
			t.Fatal(fault)
		}
		got := "none"
		if v := anyValue(n); v != nil {
			got = strings.Join(strings.Fields(v.Text), "")
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
		{spansOf(messages(stringAttribute("http.code", "1"), stringAttribute("http.code", "1"))), read, "unsupported attribute"},
		{spansOf(messages(stringAttribute("", "1"))), read, "unsupported attribute"},
		{spansOf(messages(stringAttribute("gen_ai.tool.definitions", `[{"name":"f","parameters":{}}]`))), read, ""},
		{spansOf(messages(stringAttribute("gen_ai.tool.definitions", `[{"name":"f","arguments":{}}]`))), read, `unexpected value of "gen_ai.tool.definitions"`},
		{spansOf(messages(stringAttribute("gen_ai.tool.definitions", `f`))), read, `unexpected value of "gen_ai.tool.definitions"`},
		{spansOf([]string{stringAttribute("gen_ai.system_instructions", "s"), messages()[1], messages()[2]}), read, ""},
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

// A content of the model must not contain a prompt; in the task and in contents of the
// environment a prompt is text.
func TestContentsAreCheckedAlone(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	check, err := NewContentCheck(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state, content, fault string
	}{
		{"Ques", "q", ""}, {"Tht", " so ", ""}, {"Act", "Calculator", ""}, {"Act", " Calculator\n", ""}, {"Act-Inp", "1+1", ""},
		{"Act", "Search", `"Act" may not begin with "Search"`}, {"Act", "Calc", `"Act" `}, {"Act-Inp", "one", `"Act-Inp" `}, {"Act-Inp", "", `"Act-Inp" `},
		{"Tht", "so\n[Action] x", `"Tht" contains the prompt "[Action]"; enter "Act" as a separate state`}, {"Tht", "[Question] x", `"Tht" contains the prompt "[Question]"; enter "Ques" as a separate state`},
		{"Ques", "why [Action]?", ""}, {"Ques", "[Question] x", ""}, {"Obs", "\n[Thought] x", ""},
	} {
		fault := check.Fault(a.Index(c.state), c.content)
		if (fault == "") != (c.fault == "") || !strings.HasPrefix(fault, c.fault) {
			t.Errorf("%s %q: %q", c.state, c.content, fault)
		}
	}
}

// The verdict of a text is that of its states; calls outside states for calls are unread.
func TestTextsAreJudged(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	const call = `{"name": "f", "arguments": {}}`
	for _, c := range []struct {
		text    string
		verdict agent.Verdict
		unread  string
		index   int // of the violation, or -1
	}{
		{"[Question] q\n[Final Thought] t\n[Answer] a", agent.VerdictValid, "", -1},
		{"[Question] q\n[Final Thought] t\n[Answer]", agent.VerdictValid, "", -1},
		{"[Question] q\n[Thought] t\n[Action] Calculator\n[Action Input]", agent.VerdictIncomplete, "", -1},
		{"[Question] q\n[Thought] t", agent.VerdictIncomplete, "", -1},
		{"\ufeff[Question] q\n[Thought] t", agent.VerdictIncomplete, "", -1},
		{"[Question] q\n[Answer] a", agent.VerdictInvalid, "", 1},
		{"[Question] q\n[Thought] t\n[Action] Search\n[Action Input] 1", agent.VerdictInvalid, "", 2},
		{"so [Question] q\n[Thought] t", agent.VerdictIncomplete, "text before the first prompt", -1},
		{"\ufeff so\n[Question] q\n[Thought] t", agent.VerdictIncomplete, "text before the first prompt", -1},
		{"prose", agent.VerdictIncomplete, "text before the first prompt", -1},
		{"[Question] q\n[Thought] " + call, agent.VerdictIncomplete, "text that looks like a call", -1},
		{"[Question] q\n[Thought] t\n[Action] Calculator\n[Action Input] 1\n[Observation] " + call, agent.VerdictIncomplete, "", -1},
		{"[Question] q\n[Thought] t\n[Action] Calculator\n[Action Input] " + call, agent.VerdictInvalid, "", 3},
	} {
		r := Check(a, c.text)
		reason := ""
		if len(r.Unread) > 0 {
			reason = r.Unread[0].Reason
			if at := c.text[r.Unread[0].Span.Start:r.Unread[0].Span.End]; at != strings.TrimSpace(at) || at == "" {
				t.Errorf("%q: unread at %q", c.text, at)
			}
		}
		index := -1
		if r.Violation != nil {
			index = r.Violation.Index
		}
		if r.Verdict != c.verdict || reason != c.unread || index != c.index {
			t.Errorf("%q: %s, %q, violation %d", c.text, r.Verdict, reason, index)
		}
	}
	// Several runs in sequence, of which the second has a violation.
	reports := CheckRuns(a, "[Question] q\n[Final Thought] t\n[Answer] a\n[Question] q\n[Answer] a\n[Question] q\n[Thought] t")
	var got []string
	for _, r := range reports {
		got = append(got, string(r.Verdict)+" "+string(rune('0'+len(r.Segments))))
	}
	if strings.Join(got, ", ") != "valid 3, invalid 2, incomplete 2" {
		t.Error(got)
	}
}

// Unknown placeholders are found at any place, with their spans.
func TestUnknownPlaceholders(t *testing.T) {
	for text, want := range map[string]string{
		"{deed}": "{deed}", "a {deed} {states} {x_y}": "{deed} {x_y}", "{states}": "", "{}": "", "{a b}": "", "{Deed}": "", "{deed": "", "{{deed}}": "{deed}", "": "", "{": "",
	} {
		var got []string
		unknownPlaceholders(text, placeholders, func(name string, at source.Span) {
			if text[at.Start:at.End] != "{"+name+"}" {
				t.Errorf("%s: %q at %v", text, name, at)
			}
			got = append(got, "{"+name+"}")
		})
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// References to results are replaced, longer labels first, and only to calls that ended.
func TestReferencesAreReplaced(t *testing.T) {
	actions := []*action{{label: "E1", output: "one", done: true}, {label: "E10", output: "ten", done: true}, {label: "E2", output: "two"}, {output: "none", done: true}}
	for range 2 {
		for input, want := range map[string]string{"#E1+#E10": "one+ten", "#E10#E1": "tenone", "#E2": "#E2", "#": "#", "E1": "E1"} {
			if got := substitute(input, actions); got != want {
				t.Errorf("%s: %s", input, got)
			}
		}
		slices.Reverse(actions)
	}
}

// A common prefix ends between characters.
func TestCommonPrefix(t *testing.T) {
	for texts, want := range map[string]string{"abc abd": "ab", "abc abc": "abc", "abc x": "", "abc ab": "ab", "aé aè": "a", "aéb aéc": "aé", "a": "a", "abc abd ax": "a"} {
		if got := commonPrefix(strings.Fields(texts)); got != want {
			t.Errorf("%s: %q", texts, got)
		}
	}
}

// A disguised text has no prompt, and is otherwise the same.
func TestPromptsAreDisguised(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	p := newPrompts(a)
	for _, s := range a.States {
		text := "a\n" + s.Text + " b " + s.Text
		got := p.disguise(text)
		if p.contains(got) || !p.contains(text) || strings.ReplaceAll(got, "·", "") != text {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := p.disguise("a [b"); got != "a [b" {
		t.Error(got)
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
