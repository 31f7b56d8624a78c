package monitor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// describe prints the parts of a conversation.
func describe(parts []Part) string {
	var out []string
	for _, p := range parts {
		text := p.Kind
		if p.Tool != "" || p.ID != "" {
			text += "(" + p.Tool + "#" + p.ID + ")"
		}
		out = append(out, text+"="+p.Text)
	}
	return strings.Join(out, "|")
}

// readTrace reads a trace and returns its format, its conversations and its unread parts.
func readTrace(t *testing.T, text, format string) (read, conversations, unread string) {
	t.Helper()
	trace, err := OpenTrace(source.NewFile("trace.json", text), format)
	if err != nil {
		return "", "", err.Error()
	}
	var parts, faults []string
	for _, c := range trace.Conversations {
		parts = append(parts, describe(c.Parts))
	}
	for _, u := range trace.Unread {
		faults = append(faults, u.Path+": "+u.Reason)
	}
	return trace.Format, strings.Join(parts, "\n"), strings.Join(faults, "; ")
}

// Every way in which endpoints write messages is read as parts.
func TestMessagesAreReadAsParts(t *testing.T) {
	for text, want := range map[string]string{
		`[{"role":"system","content":"s"},{"role":"developer","content":"d"},{"role":"user","content":"q"}]`:                                                                     "system=s|system=d|user=q",
		`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"input_text","text":"b"},"c"]}]`:                                                                          "user=a|user=b|user=c",
		`[{"role":"user","content":"q"},{"role":"model","content":"a"},{"role":"assistant","content":" "}]`:                                                                      "user=q|text=a",
		`[{"role":"assistant","reasoning_content":"r","content":"a","refusal":"no"}]`:                                                                                            "text=r|text=a|text=no",
		`[{"role":"assistant","reasoning":"r","thinking":"r","content":"a"}]`:                                                                                                    "text=r|text=a",
		`[{"role":"assistant","content":[{"type":"thinking","thinking":"r","signature":"x"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"a"}]}]`:               "text=r|text=a",
		`[{"role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"b"},{"type":"reasoning","content":"c"},{"type":"text","content":"d"}]}]`: "text=a|text=b|text=c|text=d",
		`[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"2","type":"custom","custom":{"name":"g","input":"x"}}]},{"role":"tool","tool_call_id":"2","content":"r"},{"role":"tool","tool_call_id":"1","content":"s"}]`: `call(f#1)={}|call(g#2)=x|result(g#2)=r|result(f#1)=s`,
		`[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"r"}]`:                                                                                                                                                          `call(f#)={}|result(f#)=r`,
		`[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","tool_name":"f","content":"r"}]`:                                                                                                                                                         `call(f#)={"a":1}|result(f#)=r`,
		`[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","content":"r"}]`:                                                                                                                                                                         `call(f#)={"a":1}|result(f#)=r`,
		`[{"role":"assistant","tool_calls":[{"id":"1","name":"f","arguments":{"a":1}}]},{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"r"},{"type":"text","text":"s"}]}]`:                                                                                                      "call(f#1)={\"a\":1}|result(f#1)=r\ns",
		`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"r"},{"type":"text","text":"q"}]}]`:                                                                                       `call(f#1)={}|result(f#1)=r|user=q`,
		`[{"role":"assistant","content":[{"type":"server_tool_use","id":"1","name":"f","input":{}},{"type":"web_search_tool_result","tool_use_id":"1","content":"r"}]}]`:                                                                                                                            `call(f#1)={}|result(f#1)=r`,
		`[{"role":"assistant","content":[{"type":"mcp_tool_use","id":"1","name":"f","input":{},"server_name":"s"},{"type":"tool_call_response","id":"1","response":"r"}]}]`:                                                                                                                         `call(f#1)={}|result(f#1)=r`,
		`[{"role":"assistant","content":[{"type":"tool_call","id":"1","name":"f","arguments":{}},{"type":"tool_call_response","id":"1","result":"r"}]}]`:                                                                                                                                            `call(f#1)={}|result(f#1)=r`,
		`[{"type":"function_call","call_id":"1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"r"}]`:                                                                                                                                                           `call(f#1)={}|result(f#1)=r`,
		`[{"type":"custom_tool_call","call_id":"1","name":"f","input":"x"},{"type":"custom_tool_call_output","call_id":"1","output":"r"}]`:                                                                                                                                                          `call(f#1)=x|result(f#1)=r`,
		`[{"type":"reasoning","summary":[{"type":"summary_text","text":"r"}]},{"type":"reasoning","content":[{"type":"reasoning_text","text":"s"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}]`:                                                           "text=r|text=s|text=a",
		`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}},{"type":"text","text":"q"}]}]`:                                                                                                                                                                                     "user=q",
		`{"instructions":"s","input":"q","output":"a"}`:                                                                                                                              "system=s|user=q|text=a",
		`{"instructions":"s","input":"q","output":[{"type":"message","role":"assistant","content":"a"}]}`:                                                                            "system=s|user=q|text=a",
		`{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"q"}],"output":"a"}`:                                                                            "system=s|user=q|text=a",
		`{"messages":[{"role":"user","content":"q"}],"choices":[{"index":0,"message":{"role":"assistant","content":"a"}},{"index":1,"message":{"role":"assistant","content":"b"}}]}`: "user=q|text=a\nuser=q|text=b",
		`[{"messages":[{"role":"user","content":"q"}]},{"messages":[{"role":"user","content":"p"}]}]`:                                                                                "user=q\nuser=p",
		`[[{"role":"user","content":"q"}],[{"role":"user","content":"p"}]]`:                                                                                                          "user=q\nuser=p",
		"{\"role\":\"user\",\"content\":\"q\"}\n{\"role\":\"assistant\",\"content\":\"a\"}\n":                                                                                        "user=q|text=a",
		"{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"p\"}]}\n":                                                           "user=q\nuser=p",
	} {
		format, parts, unread := readTrace(t, text, "")
		if parts != want || unread != "" {
			t.Errorf("%s as %s:\n%s\nnot %s; %s", text, format, parts, want, unread)
		}
	}
}

// A value that is neither read nor ignored by a rule is reported with its path.
func TestUnknownValuesAreUnread(t *testing.T) {
	calls := `{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}},{"id":"2","function":{"name":"g","arguments":"{}"}}]}`
	for text, want := range map[string]string{
		`[{"role":"boss","content":"q"}]`:                                                                                              `[0]: message with an unknown role "boss"`,
		`[{"role":"user"}]`:                                                                                                            `[0]: missing key "content"`,
		`[{"role":"user","content":3}]`:                                                                                                `[0].content: unexpected content`,
		`[{"role":"user","content":[3]}]`:                                                                                              `[0].content[0]: unexpected content`,
		`[{"role":"user","content":"q","deed":"x"}]`:                                                                                   `[0].deed: unknown key "deed"`,
		`[{"role":"user","content":"q","a b":"x"}]`:                                                                                    `[0]["a b"]: unknown key "a b"`,
		`[{"role":"user","content":"q","content":"p"}]`:                                                                                `[0].content: duplicate key "content"`,
		`[{"role":"user","content":"q"},3]`:                                                                                            `[1]: unexpected value`,
		`{"messages":[{"role":"user","content":"q"},3]}`:                                                                               `.messages[1]: unexpected value in a list of messages`,
		`[{"type":"deed","role":"user","content":"q"}]`:                                                                                `[0]: unknown type "deed"`,
		`[{"role":"user","content":[{"type":"deed","text":"q"}]}]`:                                                                     `[0].content[0]: block of unknown type "deed"`,
		`[{"role":"assistant","content":[{"type":"image","source":{}}]}]`:                                                              `[0].content[0]: block of unknown type "image"`,
		`[{"role":"assistant","content":["a"]}]`:                                                                                       `[0].content[0]: unexpected content`,
		`[{"role":"assistant"}]`:                                                                                                       `[0]: missing key "content"`,
		`[{"role":"user","content":"{\"name\":\"f\",\"arguments\":{}}"}]`:                                                              `[0].content: text that looks like a call`,
		`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}}]}]`:                                                     `[0].tool_calls[0]: call without a name or arguments`,
		`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":" ","arguments":{}}}]}]`:                                      `[0].tool_calls[0]: call without a name or arguments`,
		`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":3}}]}]`:                                       `[0].tool_calls[0]: call without a name or arguments`,
		`[{"role":"assistant","tool_calls":[{"id":"1","type":"deed","function":{"name":"f","arguments":{}}}]}]`:                        `[0].tool_calls[0]: unknown type "deed"`,
		`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{},"input":"x"}}]}]`:                          `[0].tool_calls[0].function.input: unknown key "input"`,
		`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":1,"a":2}}}]}]`:                           `[0].tool_calls[0].function.arguments.a: duplicate key "a"`,
		`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"a\":1,\"a\":2}"}}]}]`:                     `[0].tool_calls[0].function.arguments: duplicate key "a"`,
		`[{"role":"assistant","tool_calls":{"id":"1"}}]`:                                                                               `[0].tool_calls: unexpected value of "tool_calls"`,
		`[{"role":"tool","tool_call_id":"1","content":"r"}]`:                                                                           `[0].content: result of a call that is not in the trace`,
		`[{"role":"tool","content":"r"}]`:                                                                                              `[0].content: result without the identifier of its call`,
		`[` + calls + `,{"role":"tool","content":"r"}]`:                                                                                `[1].content: result without the identifier of its call`,
		`[` + calls + `,{"role":"tool","tool_call_id":"1","content":"r"},{"role":"tool","content":"r"}]`:                               ``,
		`[` + calls + `,{"role":"tool","tool_call_id":"1","content":"r"},{"role":"tool","content":"r"},{"role":"tool","content":"r"}]`: `[3].content: result without the identifier of its call`,
		`[` + calls + `,{"role":"tool","tool_call_id":"3","content":"r"}]`:                                                             `[1].content: result of a call that is not in the trace`,
		`[` + calls + `,{"role":"tool","tool_call_id":"1"}]`:                                                                           `[1]: missing key "content"`,
		`[` + calls + `,{"role":"tool","tool_call_id":"1","content":"<invoke name='f'>"}]`:                                             `[1].content: result that looks like a call`,
		`[` + calls + `,{"role":"tool","tool_call_id":"1","content":{"tool_calls":[]}}]`:                                               `[1].content: result that looks like a call`,
		`[` + calls + `,{"role":"tool","tool_call_id":"1","content":[{"type":"tool_use"}]}]`:                                           `[1].content[0]: block of unknown type "tool_use"`,
		`[` + calls + `,{"role":"tool","tool_call_id":"1","content":[{"type":"image","source":{}}]}]`:                                  ``,
		`{"input":3,"output":"a"}`:                                                                                                     `.input: unexpected value of "input"`,
		`{"messages":[{"role":"user","content":"q"}],"input":"p"}`:                                                                     `.input: unexpected value of "input"`,
		`{"messages":"q","output":"a"}`:                                                                                                `.messages: unexpected value of "messages"`,
		`{"messages":[{"role":"user","content":"q"}],"choices":[{}]}`:                                                                  `.choices[0]: missing key "message"`,
		`{"messages":[{"role":"user","content":"q"}],"plan":{"a":1}}`:                                                                  `.plan: unknown key "plan"`,
		"{\"role\":\"user\",\"content\":\"q\"}\n{\"role\":\"user\",\"content\":3}\n":                                                   `[1].content: unexpected content`,
	} {
		// A trace has at least one message.
		if strings.HasPrefix(text, "[") {
			text = strings.TrimSuffix(text, "]") + `,{"role":"user","content":"z"}]`
		}
		_, _, unread := readTrace(t, text, "")
		if want == "" && unread != "" || want != "" && !slices.Contains(strings.Split(unread, "; "), want) && !strings.HasPrefix(unread, want) {
			t.Errorf("%s: %q, not %q", text, unread, want)
		}
	}
}

func TestFormatsOfTraces(t *testing.T) {
	for text, want := range map[string]string{
		"[Question] q": TraceText, "": TraceText, "[] q": TraceText, "[ { bad": TraceText, "[{\"role\":\"user\",\"content\":\"q\"}]": TraceOpenAI,
		"\ufeff[{\"role\":\"user\",\"content\":\"q\"}]": TraceOpenAI, "[ {\"role\":\"user\",\"content\":\"q\"}]": TraceOpenAI,
		`{"system":"s","messages":[{"role":"user","content":"q"}]}`:                             TraceAnthropic,
		`{"system":"s","input":"q"}`:                                                            TraceOpenAI,
		`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]}]`: TraceAnthropic,
		`[{"role":"assistant","content":[{"type":"text","text":"f"}]}]`:                         TraceOpenAI,
		`{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"f"}]}`:  TraceAnthropic,
		"{\"role\":\"user\",\"content\":\"q\"} {\"role\":\"user\",\"content\":\"q\"}":           TraceJSONL,
		`{"resourceSpans":[]}`: TraceOTLP, `{"scopeSpans":[]}`: TraceOTLP,
	} {
		if got, _, fault := readTrace(t, text, ""); got != want && (want != "" || fault == "") {
			t.Errorf("%s: %q, %s", text, got, fault)
		}
	}
	for text, want := range map[string]string{
		`{"a":{"b":1},"c":2}`: "no message found in this trace, which was read as openai; its keys are a, b, c",
		`{}`:                  "no message found in this trace, which was read as openai",
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1}`: "no message found in this trace, which was read as openai; its keys are a, b, c, d, e, f, g, h, i, j, k, l",
		`{"a":[{"a":1},{"b":2}]}`: "no message found in this trace, which was read as openai; its keys are a, b",
		`{"a":`:                   "invalid JSON",
	} {
		if _, _, fault := readTrace(t, text, ""); fault != want && !(want == "invalid JSON" && strings.HasPrefix(fault, want)) {
			t.Errorf("%s: %s", text, fault)
		}
	}
	if _, _, fault := readTrace(t, "[]", "prose"); !strings.HasPrefix(fault, `unknown trace format "prose"; expected "text"`) {
		t.Error(fault)
	}
	if format, _, fault := readTrace(t, `{"role":"user","content":"q"}`, TraceText); format != TraceText {
		t.Error(fault)
	}
}

// A list of unread parts is bounded; the others are counted.
func TestUnreadPartsAreBounded(t *testing.T) {
	for _, n := range []int{maxUnread - 1, maxUnread, maxUnread + 1, maxUnread + 7} {
		text := `[` + strings.TrimSuffix(strings.Repeat(`{"role":"user","content":3},`, n), ",") + `,{"role":"user","content":"q"}]`
		trace, err := OpenTrace(source.NewFile("t", text), "")
		if err != nil || len(trace.Unread) != min(n, maxUnread) || trace.More != max(n-maxUnread, 0) {
			t.Fatalf("%d: %d and %d more, %v", n, len(trace.Unread), trace.More, err)
		}
	}
	keys := `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"role":"boss"}`
	trace, err := OpenTrace(source.NewFile("t", `[{"role":"user","content":"q"},`+keys+`]`), "")
	if err != nil || len(trace.Unread[0].Keys) != maxKeys {
		t.Errorf("%+v, %v", trace, err)
	}
}

func TestFormsOfIgnoredValues(t *testing.T) {
	for _, c := range []struct {
		form     int
		yes, not []string
	}{
		{formWord, []string{`"a-b_c.d:1/2+3=@"`, `""`, `null`, `3`, `[]`, `"é"`}, []string{`"a b"`, `"a(b)"`, `{}`, `[1]`, `"{a}"`}},
		{formFigures, []string{`{"a": 1, "b": {"c": [2]}}`, `{"service_tier": "x"}`, `3`}, []string{`{"a": "x"}`, `{"service_tier": "x y"}`, `[1]`, `"x"`}},
		{formTools, []string{`[{"type":"function","function":{"name":"f","parameters":{}}}]`, `[{"name":"f","input_schema":{}}]`, `[]`}, []string{`[{"name":"f","arguments":{}}]`, `[3]`, `[{"type":"tool_call"}]`, `{}`, `"f"`, `[{"name":"f"},{"deed":1}]`}},
		{formWords, []string{`["a b", "c"]`}, []string{`["` + strings.Repeat("a", 100) + `"]`, `[1]`, `"a"`, `{}`, `[["a"]]`}},
		{formFlat, []string{`{"a": "b c", "d": 1}`, `{}`}, []string{`{"a": {}}`, `{"a": [1]}`, `{"a": "<invoke>"}`, `"a"`, `{"role": "x"}`, `[1]`}},
		{formMarks, []string{`[{"url": "a b", "start_index": 1}]`, `{"title": "x"}`}, []string{`[{"deed": 1}]`, `"x"`, `[{"text": "<invoke>"}]`}},
		{formSettings, []string{`{"a": {"b": "c d"}}`, `"auto"`, `[1, "a b"]`}, []string{`"a b"`, `{"name": "f", "arguments": {}}`, `["<invoke>"]`}},
	} {
		for _, text := range append(c.yes, c.not...) {
			n, fault := json.Tree(text)
			if fault != nil {
				t.Fatal(fault)
			}
			if want := slices.Contains(c.yes, text); fits(c.form, n) != want {
				t.Errorf("form %d, %s: %v", c.form, text, !want)
			}
		}
	}
	// A list contains exactly its words.
	for w, want := range map[string]bool{"ab": true, "cd": true, "b": false, "a": false, "": false, "ab cd": true, "c": false, "d": false, "e": true} {
		if trace.Word("ab cd e", w) != want || trace.Word(" ab cd e ", w) != want {
			t.Errorf("%q: %v", w, !want)
		}
	}
}

func TestOnlyValueOfArguments(t *testing.T) {
	for text, want := range map[string]string{`{"a":"b"}`: "b", `{"a":3}`: "3", `{"a":{"b":1}}`: `{"b":1}`, `{}`: `{}`, `{"a":1,"b":2}`: `{"a":1,"b":2}`, `x`: "x", `[1]`: `[1]`} {
		if got := onlyValue(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for name, want := range map[string]string{"Web-Search_2": "websearch2", "": "", "--": "", "Über": "über"} {
		if got := agent.PlainName(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The worse of two verdicts is the later one in the order of the documentation.
func TestWorseVerdicts(t *testing.T) {
	order := []agent.Verdict{agent.VerdictValid, agent.VerdictIncomplete, VerdictFault, VerdictUnread, VerdictViolated, agent.VerdictInvalid}
	for i, a := range order {
		for j, b := range order {
			if got := Worse(a, b); got != order[max(i, j)] {
				t.Errorf("%s, %s: %s", a, b, got)
			}
		}
		want := order[max(i, 3)]
		if got := (Report{Verdict: a, Unread: []Unread{{}}}).Overall(); got != want || (Report{Verdict: a}).Overall() != a {
			t.Errorf("%s: %s", a, got)
		}
	}
}

func TestNamesInMessages(t *testing.T) {
	names := strings.Fields("a b c d e f g h i j k")
	for n, want := range map[int]string{1: `"a"`, 2: `"a" or "b"`, 3: `"a", "b" or "c"`, 8: `"a", "b", "c", "d", "e", "f", "g" or "h"`, 9: `"a", "b", "c", "d", "e", "f", "g", "h" or one of 1 more`, 11: `"a", "b", "c", "d", "e", "f", "g", "h" or one of 3 more`} {
		if got := list(names[:n]); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	if got := StateReason("a", nil); got != `"a" is not allowed after the end of the run` {
		t.Error(got)
	}
	if got := StateReason("a", names[:2]); got != `"a" is not allowed here; expected "a" or "b"` {
		t.Error(got)
	}
	text := "aéb€"
	for n := 0; n <= len(text); n++ {
		want := n
		for want > 0 && want < len(text) && !strings.HasPrefix(text[want:], string([]rune(text[want:])[0])) {
			want--
		}
		if n == len(text) {
			continue
		}
		if got := commonRune(text, n); got != want {
			t.Errorf("%d: %d, not %d", n, got, want)
		}
	}
}

// partsOf builds a conversation from words: c1 is a call, r1 its result, t a text, u a message.
func partsOf(words string) (out []Part) {
	for i, w := range strings.Fields(words) {
		p := Part{Kind: map[byte]string{'c': PartCall, 'r': PartResult, 't': PartText, 'u': PartUser}[w[0]], Turn: i, Text: w}
		switch p.Kind {
		case PartCall, PartResult:
			p.ID, p.Tool = w[1:], "f"
		}
		out = append(out, p)
	}
	return out
}

// Results of concurrent calls are moved after their calls; all other parts keep their order.
func TestOrderOfConcurrentCalls(t *testing.T) {
	for words, want := range map[string]string{
		"": "", "u t": "", "c1 r1": "", "c1 c2": "", "u c1 c2 r1 r2 t": "u c1 r1 c2 r2 t", "c1 c2 r2 r1": "c1 r1 c2 r2", "c1 c2 c3 r3 r1": "c1 r1 c2 c3 r3",
		"c1 r1 c2 r2": "", "c1 c2 r1 t r2": "c1 r1 c2 t r2", "c1 c2 r1 r1 r2": "c1 r1 c2 r1 r2", "c1 c2 r9": "", "c1 c2 r9 r1": "c1 r1 c2 r9", "c1 c2 r1 r2 c3 c4 r4 r3": "c1 r1 c2 r2 c3 r3 c4 r4", "c1 c2 t c3 c4 r3 r4": "c1 c2 t c3 r3 c4 r4",
	} {
		parts := partsOf(words)
		order := callOrder(parts)
		var got []string
		for _, i := range order {
			got = append(got, parts[i].Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, not %s", words, got, want)
		}
		if order != nil {
			sorted := slices.Clone(order)
			slices.Sort(sorted)
			for i, k := range sorted {
				if i != k || len(sorted) != len(parts) {
					t.Errorf("%s: no permutation: %v", words, order)
				}
			}
		}
	}
	for words, want := range map[string]int{"": -1, "t": 0, "u t": 1, "t c1": -1, "t c1 r1": -1, "t u": 0, "c1 r1 t u": 2, "t t": 1} {
		if got := FinalPart(partsOf(words)); got != want {
			t.Errorf("%s: %d", words, got)
		}
	}
}

// A conversation is a run of the agent, with implied thoughts; mappings select other states.
func TestConversationsAreMappedToStates(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	const calc = `{"role":"assistant","content":%s,"tool_calls":[{"id":"1","function":{"name":"Calculator","arguments":"{\"e\":\"1+1\"}"}}]},{"role":"tool","tool_call_id":"1","content":"2"}`
	call := func(thought string) string { return fmt.Sprintf(calc, thought) }
	user, answer := `{"role":"user","content":"q"}`, `{"role":"assistant","content":"two"}`
	for _, c := range []struct {
		text    string
		mapping []Mapping
		want    string
		verdict agent.Verdict
	}{
		{"[" + user + "," + call("null") + "," + answer + "]", nil, "Ques=q Tht*= Act=Calculator Act-Inp=1+1 Obs=2 Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + call(`"so"`) + "," + answer + "]", nil, "Ques=q Tht=so Act=Calculator Act-Inp=1+1 Obs=2 Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + answer + "]", nil, "Ques=q Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + call(`"so"`) + "]", nil, "Ques=q Tht=so Act=Calculator Act-Inp=1+1 Obs=2", agent.VerdictIncomplete},
		{"[" + user + "," + user + "]", nil, "Ques=q Ques=q", agent.VerdictInvalid},
		{"[" + user + "," + strings.Replace(call("null"), "1+1", "one", 1) + "," + answer + "]", nil, "Ques=q Tht*= Act=Calculator Act-Inp=one Obs=2 Final-Tht*= Ans=two", agent.VerdictInvalid},
		{"[" + user + "," + strings.ReplaceAll(call("null"), "Calculator", "Search") + "," + answer + "]", nil, "Ques=q Tht*= Act=Search Act-Inp=1+1 Obs=2 Final-Tht*= Ans=two", agent.VerdictInvalid},
		{"[" + user + "," + answer + "]", []Mapping{{Part: PartFinal, States: []string{"Final-Tht", "Ans"}}}, "Ques=q Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + answer + "]", []Mapping{{Part: PartUser}}, "Final-Tht=two", agent.VerdictInvalid},
		{"[" + user + "," + call("null") + "," + answer + "]", []Mapping{{Part: PartCall, Tool: "Other", States: []string{"Obs"}}, {Part: PartCall, Tool: "Calculator"}, {Part: PartResult}}, "Ques=q Final-Tht*= Ans=two", agent.VerdictValid},
		{`[{"role":"user","content":"q"},{"role":"assistant","content":"[Thought] so [Action] Calculator [Action Input] 1+1"}]`, nil, "Ques=q Tht=so Act=Calculator Act-Inp=1+1", agent.VerdictIncomplete},
	} {
		conversations, _, err := ReadTrace(source.NewFile("t", c.text), "")
		if err != nil {
			t.Fatal(err)
		}
		mapped, report, err := MapTrace(a, conversations[0], c.mapping, Roles{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range mapped {
			mark := ""
			if m.Implied {
				mark = "*"
			}
			got = append(got, m.State+mark+"="+m.Text)
		}
		if strings.Join(got, " ") != c.want && c.verdict != agent.VerdictInvalid || report.Verdict != c.verdict || (report.Violation != nil) != (c.verdict == agent.VerdictInvalid) {
			t.Errorf("%s: %v, %s", c.text, got, report.Verdict)
		}
	}
	for _, m := range []Mapping{{Part: "deed"}, {Part: PartCall, States: []string{"Akt"}}} {
		if _, _, err := MapTrace(a, nil, []Mapping{m}, Roles{}); err == nil || !strings.Contains(err.Error(), "unknown") || m.Part == PartCall && !strings.HasSuffix(err.Error(), `; did you mean "Act"?`) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// A text of a model without a state for texts is not read as another state.
func TestTextsWithoutAStateAreNoActions(t *testing.T) {
	a := compile(t, `(define say (:states (Q (:text "[Question]")) (Act (:text "[Action]")) (Obs (:text "[Observation]") (:flags :env-input))) (:behavior (next Q Act Obs)))`)
	text := `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"hm"}]}`
	judged, err := JudgeTrace(a, source.NewFile("t.jsonl", text), "jsonl", nil, Roles{})
	if err != nil || len(judged.Conversations) != 1 {
		t.Fatal(judged, err)
	}
	if c := judged.Conversations[0]; c.Verdict != agent.VerdictIncomplete || len(c.Mapped) != 1 || c.Mapped[0].State != "Q" {
		t.Errorf("%s: %+v", c.Verdict, c.Mapped)
	}
}
