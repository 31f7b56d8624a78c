package trace

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// openExactly reads a trace in an exact format only.
func openExactly(file *source.File, format string) (*Trace, error) {
	t, _, err := openExact(file, format)
	return t, err
}

// describe prints the items of a run; a thought is a text.
func describe(items []*Item) string {
	var out []string
	for _, p := range items {
		text := p.Kind
		if text == Thought {
			text = Text
		}
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
	trace, err := openExactly(source.NewFile("trace.json", text), format)
	if err != nil {
		return "", "", err.Error()
	}
	var parts, faults []string
	for _, c := range trace.Runs {
		parts = append(parts, describe(c.Items))
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
		"[Question] q": FormatText, "": FormatText, "[] q": FormatText, "[ { bad": FormatText, "[{\"role\":\"user\",\"content\":\"q\"}]": FormatOpenAI,
		"\ufeff[{\"role\":\"user\",\"content\":\"q\"}]": FormatOpenAI, "[ {\"role\":\"user\",\"content\":\"q\"}]": FormatOpenAI,
		`{"system":"s","messages":[{"role":"user","content":"q"}]}`:                             FormatAnthropic,
		`{"system":"s","input":"q"}`:                                                            FormatOpenAI,
		`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]}]`: FormatAnthropic,
		`[{"role":"assistant","content":[{"type":"text","text":"f"}]}]`:                         FormatOpenAI,
		`{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"f"}]}`:  FormatAnthropic,
		"{\"role\":\"user\",\"content\":\"q\"} {\"role\":\"user\",\"content\":\"q\"}":           FormatJSONL,
		`{"resourceSpans":[]}`: FormatOTLP, `{"scopeSpans":[]}`: FormatOTLP,
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
	if format, _, fault := readTrace(t, `{"role":"user","content":"q"}`, FormatText); format != FormatText {
		t.Error(fault)
	}
}

// A list of unread parts is bounded; the others are counted.
func TestUnreadPartsAreBounded(t *testing.T) {
	for _, n := range []int{maxUnread - 1, maxUnread, maxUnread + 1, maxUnread + 7} {
		text := `[` + strings.TrimSuffix(strings.Repeat(`{"role":"user","content":3},`, n), ",") + `,{"role":"user","content":"q"}]`
		trace, err := openExactly(source.NewFile("t", text), "")
		if err != nil || len(trace.Unread) != min(n, maxUnread) || trace.More != max(n-maxUnread, 0) {
			t.Fatalf("%d: %d and %d more, %v", n, len(trace.Unread), trace.More, err)
		}
	}
	keys := `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"role":"boss"}`
	trace, err := openExactly(source.NewFile("t", `[{"role":"user","content":"q"},`+keys+`]`), "")
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
		if Word("ab cd e", w) != want || Word(" ab cd e ", w) != want {
			t.Errorf("%q: %v", w, !want)
		}
	}
}
