package session

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

const traceAgent = `(define react-agent
  (:states
    (Ques (:text "[Question]"))
    (Tht (:text "[Thought]"))
    (Act (:text "[Action]") (:one-of "Search" "Lookup"))
    (Act-Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Final-Tht (:text "[Final Thought]"))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next Tht Act Act-Inp Obs) Final-Tht) Ans)))`

// The same run, as endpoints and tracers write it.
var recorded = map[string]string{
	"openai": `{"model": "m", "messages": [
  {"role": "system", "content": "Be brief."},
  {"role": "user", "content": "Who is Milhouse named after?"},
  {"role": "assistant", "content": "I search.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "Search", "arguments": "{\"query\": \"Milhouse\"}"}}]},
  {"role": "tool", "tool_call_id": "c1", "content": "Milhouse is a character."},
  {"role": "assistant", "content": null, "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "Lookup", "arguments": "{\"text\": \"named after\"}"}}]},
  {"role": "tool", "tool_call_id": "c2", "content": "Named after Richard Nixon."},
  {"role": "assistant", "content": "Richard Nixon"}]}`,
	"anthropic": `{"system": "Be brief.", "messages": [
  {"role": "user", "content": "Who is Milhouse named after?"},
  {"role": "assistant", "content": [{"type": "thinking", "thinking": "I search."}, {"type": "tool_use", "id": "t1", "name": "Search", "input": {"query": "Milhouse"}}]},
  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Milhouse is a character."}]}]},
  {"role": "assistant", "content": [{"type": "tool_use", "id": "t2", "name": "Lookup", "input": {"text": "named after"}}]},
  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2", "content": "Named after Richard Nixon."}]},
  {"role": "assistant", "content": [{"type": "text", "text": "Richard Nixon"}]}]}`,
	"jsonl": `{"role": "user", "content": "Who is Milhouse named after?"}
{"role": "assistant", "content": "I search.", "tool_calls": [{"id": "c1", "function": {"name": "Search", "arguments": "{\"query\": \"Milhouse\"}"}}]}
{"role": "tool", "tool_call_id": "c1", "content": "Milhouse is a character."}
{"type": "function_call", "call_id": "c2", "name": "Lookup", "arguments": "{\"text\": \"named after\"}"}
{"type": "function_call_output", "call_id": "c2", "output": "Named after Richard Nixon."}
{"role": "assistant", "content": [{"type": "output_text", "text": "Richard Nixon"}]}
`,
	"otlp": `{"resourceSpans": [{"scopeSpans": [{"spans": [
  {"name": "chat m", "startTimeUnixNano": "20", "attributes": [
    {"key": "gen_ai.input.messages", "value": {"stringValue": "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Who is Milhouse named after?\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"I search.\"},{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":\"Search\",\"arguments\":{\"query\":\"Milhouse\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c1\",\"response\":\"Milhouse is a character.\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c2\",\"name\":\"Lookup\",\"arguments\":{\"text\":\"named after\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c2\",\"response\":\"Named after Richard Nixon.\"}]}]"}},
    {"key": "gen_ai.output.messages", "value": {"stringValue": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Richard Nixon\"}],\"finish_reason\":\"stop\"}]"}}]},
  {"name": "chat m", "startTimeUnixNano": "3", "attributes": [
    {"key": "gen_ai.input.messages", "value": {"stringValue": "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Who?\"}]}]"}}]}]}]}]}`,
}

const recordedStates = "Ques=Who is Milhouse named after?|Tht=I search.|Act=Search|Act-Inp=Milhouse|Obs=Milhouse is a character.|Tht=|Act=Lookup|Act-Inp=named after|Obs=Named after Richard Nixon.|Final-Tht=|Ans=Richard Nixon"

func statesOf(out MonitorCheckResult) string {
	var list []string
	for _, s := range out.Segments {
		list = append(list, s.State+"="+s.Content)
	}
	return strings.Join(list, "|")
}

func TestRecordedConversationsAreReadAsStates(t *testing.T) {
	s := New()
	for format, text := range recorded {
		for _, asked := range []string{format, "auto"} {
			out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: text, Format: asked, Properties: "G(Act -> X X Obs)\n\nlate: F(Obs & X Obs)\n\nG !Nobody"})
			if out.Verdict != "violated" || out.Spec != "valid" || out.Violation != nil || out.Format != format || statesOf(out) != recordedStates {
				t.Errorf("%s as %s: %s %s %+v\n%s", format, asked, out.Format, out.Verdict, out.Violation, statesOf(out))
				continue
			}
			for i, segment := range out.Segments {
				if segment.Implied != (segment.Content == "") || segment.From > segment.To || segment.To > len(text) {
					t.Errorf("%s: segment %d is %+v", format, i, segment)
				}
			}
			p := out.Properties
			if len(p) != 3 || !p[0].Holds || p[1].Holds || p[1].Reason == "" || p[2].Fault == "" {
				t.Errorf("%s: %+v", format, p)
			}
		}
	}
}

func TestFirstViolationOfAConversationHasItsPlace(t *testing.T) {
	s := New()
	for _, c := range []struct{ name, text, at, reason string }{
		{"a tool that is not listed", strings.Replace(recorded["openai"], `"name": "Lookup"`, `"name": "Delete"`, 1), `{"name": "Delete"`, `"Act" may not begin with "Delete"`},
		{"a result without a call", strings.Replace(recorded["openai"], `{"role": "assistant", "content": null, "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "Lookup", "arguments": "{\"text\": \"named after\"}"}}]},`, "", 1),
			`"Named after Richard Nixon."`, `"Obs" is not allowed here; expected "Tht" or "Final-Tht"`},
		{"calls at the same time", strings.Replace(recorded["openai"], `{"role": "tool", "tool_call_id": "c1", "content": "Milhouse is a character."},`, "", 1), `{"name": "Lookup"`, `"Act" is not allowed here; expected "Obs"`},
	} {
		out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: c.text, Format: "auto"})
		v := out.Violation
		if out.Verdict != "invalid" || v == nil || !strings.HasPrefix(v.Reason, c.reason) || !strings.HasPrefix(c.text[v.From:], c.at) {
			t.Errorf("%s: %s %+v", c.name, out.Verdict, v)
		}
	}
}

func TestMappingSelectsTheStatesOfParts(t *testing.T) {
	s := New()
	spec := `(define shop (:states (ask (:text "Ask:")) (find (:text "Find:")) (pay (:text "Pay:")) (done (:text "Done:"))) (:behavior (next ask (until find pay) done)))`
	call := func(name string) string {
		return `{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"` + name + `","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},`
	}
	text := func(calls ...string) string {
		return `[{"role":"user","content":"one book"},` + strings.Join(calls, "") + `{"role":"assistant","content":"bought"}]`
	}
	// The states have the names of the tools, so no mapping is needed.
	out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: spec, Text: text(call("find"), call("find"), call("pay")), Format: "openai",
		Mapping: []monitor.Mapping{{Part: "user", States: []string{"ask"}}}})
	if out.Verdict != "valid" || statesOf(out) != "ask=one book|find={}|find={}|pay={}|done=bought" {
		t.Errorf("%s %+v %s", out.Verdict, out.Violation, statesOf(out))
	}
	mapping := []monitor.Mapping{{Part: "user", States: []string{"ask"}}, {Part: "call", States: []string{}}, {Part: "call", Tool: "search_books", States: []string{"find"}}, {Part: "call", Tool: "checkout", States: []string{"pay"}}}
	out = result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: spec, Text: text(call("log"), call("search_books"), call("checkout"), call("checkout")), Format: "auto", Mapping: mapping})
	if out.Verdict != "invalid" || out.Violation.State != "pay" || out.Violation.Index != 3 || out.Violation.Allowed[0] != "done" {
		t.Errorf("%s %+v %s", out.Verdict, out.Violation, statesOf(out))
	}
	_, fault := call2(t, s, MonitorCheckParams{Source: spec, Text: text(), Format: "auto", Mapping: []monitor.Mapping{{Part: "user", States: []string{"dome"}}}})
	if fault == nil || fault.Code != "monitor.mapping" || !strings.Contains(fault.Message, `did you mean "done"`) {
		t.Errorf("%+v", fault)
	}
}

func call2(t *testing.T, s *Session, p MonitorCheckParams) (any, *Error) {
	t.Helper()
	raw, fault := call(t, s, "monitor.check", p)
	return raw, fault
}

func TestInvalidTraces(t *testing.T) {
	s := New()
	for _, c := range []struct{ format, text, code string }{
		{"openai", `{"messages": [`, "trace.json"}, {"auto", `{"a": 1}`, "trace.empty"}, {"xml", "<a/>", "trace.format"}, {"otlp", `{"resourceSpans": []}`, ""},
		{"auto", "[Question] q", ""}, {"auto", "", ""}, {"jsonl", "{}\n{", "trace.json"}, {"anthropic", "[]", "trace.empty"},
		{"auto", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "trace.empty"}, {"openai", `[{"role":"user","content":"q"}]` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "trace.json"},
		{"auto", "\ufeff" + recorded["openai"], ""}, {"openai", "\ufeff" + recorded["openai"], ""}, {"jsonl", "\ufeff", "trace.json"},
	} {
		_, fault := call2(t, s, MonitorCheckParams{Source: traceAgent, Text: c.text, Format: c.format})
		if c.code == "" && fault != nil || c.code != "" && (fault == nil || fault.Code != c.code) {
			t.Errorf("%q as %s: %+v", c.text, c.format, fault)
		}
	}
}

func TestConversationsAreJudgedSeparately(t *testing.T) {
	s := New()
	line := func(role, text string) string { return `{"role":"` + role + `","content":"` + text + `"}` }
	one := `{"messages":[` + line("user", "q") + `,` + line("assistant", "a") + `]}` + "\n"
	bad := `{"messages":[` + line("user", "q") + `,` + line("user", "q") + `]}` + "\n"
	out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: one + bad + one, Format: "auto", Properties: "F Ans"})
	if out.Verdict != "invalid" || out.Runs != 3 || out.Violation.Index != 4 || out.Violation.Line != 2 || out.Properties[0].Holds {
		t.Errorf("%+v", out)
	}
	out = result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: one + one, Format: "jsonl", Properties: "F Ans"})
	if out.Verdict != "valid" || !out.Properties[0].Holds || out.Format != "jsonl" {
		t.Errorf("%+v", out)
	}
}

func TestEachConversationHasItsVerdict(t *testing.T) {
	s := New()
	line := func(role, text string) string { return `{"role":"` + role + `","content":"` + text + `"}` }
	one := `{"messages":[` + line("user", "q") + `,` + line("assistant", "a") + `]}` + "\n"
	bad := `{"messages":[` + line("user", "q") + `,` + line("user", "é") + `,` + line("user", "q") + `]}` + "\n"
	out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: one + bad + `{"messages":[` + line("user", "q") + "]}\n" + bad, Format: "auto"})
	want := []struct {
		verdict       string
		segment, part int
		violation     int
	}{{"valid", 0, 0, -1}, {"invalid", 3, 2, 4}, {"incomplete", 6, 5, -1}, {"invalid", 7, 6, 8}}
	if out.Agent != "react-agent" || len(out.Conversations) != len(want) {
		t.Fatalf("%+v", out)
	}
	for i, c := range out.Conversations {
		w, violation := want[i], -1
		if c.Violation != nil {
			violation = c.Violation.Index
		}
		if string(c.Verdict) != w.verdict || c.Segment != w.segment || c.Part != w.part || violation != w.violation {
			t.Errorf("conversation %d: %+v %+v", i+1, c, c.Violation)
		}
	}
	if v := out.Conversations[3].Violation; v.Line != 4 || v.From >= v.Start || !reflect.DeepEqual(out.Violation, out.Conversations[1].Violation) {
		t.Errorf("%+v", v)
	}
	out = result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: one, Format: "jsonl"})
	if len(out.Conversations) != 0 || out.Runs != 0 {
		t.Errorf("one conversation is listed: %+v", out.Conversations)
	}
}

func TestMappingOfPartsIsReported(t *testing.T) {
	s := New()
	out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: recorded["openai"], Format: "auto"})
	want := []TraceMapped{
		{Part: "system", States: []string{}, Number: 1}, {Part: "user", States: []string{"Ques"}, Number: 1}, {Part: "text", States: []string{"Tht"}, Number: 1},
		{Part: "call", Tool: "Search", States: []string{"Act", "Act-Inp"}, Number: 1}, {Part: "result", Tool: "Search", States: []string{"Obs"}, Number: 1},
		{Part: "call", Tool: "Lookup", States: []string{"Act", "Act-Inp"}, Number: 1}, {Part: "result", Tool: "Lookup", States: []string{"Obs"}, Number: 1},
		{Part: "final", States: []string{"Ans"}, Number: 1},
	}
	if !reflect.DeepEqual(out.Mapped, want) {
		t.Errorf("%+v", out.Mapped)
	}
	// An explicit mapping equal to the guessed one changes nothing.
	var mapping []monitor.Mapping
	for _, m := range out.Mapped {
		mapping = append(mapping, monitor.Mapping{Part: m.Part, Tool: m.Tool, States: m.States})
	}
	again := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: recorded["openai"], Format: "auto", Mapping: mapping})
	if !reflect.DeepEqual(again, out) {
		t.Errorf("%+v\n%+v", again, out)
	}
}

func TestResultsOfConcurrentCallsAreJoined(t *testing.T) {
	s := New()
	spec := `(define shop (:states (ask (:text "Ask:")) (find (:text "Find:")) (got (:text "Got:") (:flags :env-input)) (done (:text "Done:"))) (:behavior (next ask (next find find) got done)))`
	text := `[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"find","arguments":"{}"}},{"id":"2","function":{"name":"find","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"1","content":"one"},{"role":"tool","tool_call_id":"2","content":"two"},{"role":"assistant","content":"bought"}]`
	out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: spec, Text: text, Format: "auto", Mapping: []monitor.Mapping{{Part: "user", States: []string{"ask"}}}})
	if out.Verdict != "valid" || statesOf(out) != "ask=q|find={}|find={}|got=one\ntwo|done=bought" {
		t.Fatalf("%s %s %+v", out.Verdict, statesOf(out), out.Violation)
	}
	if p := out.Parts; p[3].Joined != 0 || p[4].Joined != 4 || out.Mapped[2].Number != 2 || out.Mapped[2].Varies {
		t.Errorf("%+v %+v", p, out.Mapped)
	}
}

func TestTraceCheckIsLinear(t *testing.T) {
	s := New()
	var b strings.Builder
	b.WriteString(`[{"role":"user","content":"q"}`)
	for i := range 20_000 {
		n := strconv.Itoa(i)
		b.WriteString(`,{"role":"assistant","content":"so","tool_calls":[{"id":"` + n + `","function":{"name":"tool` + n + `","arguments":"{}"}}]}`)
	}
	b.WriteString("]")
	out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: b.String(), Format: "openai"})
	if out.Verdict != "invalid" || len(out.Mapped) != 20_002 {
		t.Errorf("%s, %d kinds", out.Verdict, len(out.Mapped))
	}
}

func TestTooLargeTraceIsRejected(t *testing.T) {
	s := New()
	text := "[Question] " + strings.Repeat("x", source.MaxFileSize-11)
	if out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: text}); out.Verdict != "incomplete" {
		t.Errorf("%s", out.Verdict)
	}
	if _, fault := call2(t, s, MonitorCheckParams{Source: traceAgent, Text: text + "x"}); fault == nil || fault.Code != "limit.trace" || !strings.Contains(fault.Message, "4 MiB") {
		t.Errorf("%+v", fault)
	}
}

func TestAgentNameAndExamplesAreReported(t *testing.T) {
	s := New()
	out := result[AgentCheckResult](t, s, "agent.check", AgentCheckParams{Source: exampleAgent})
	if out.Agent == "" || strings.Join(out.Examples, " ") != "examples/one.txt examples/none.txt" {
		t.Errorf("%q %q", out.Agent, out.Examples)
	}
}

// Some programs write a byte order mark at the start of a file.
func TestByteOrderMarkIsIgnored(t *testing.T) {
	s := New()
	for format, text := range recorded {
		out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: "\ufeff" + text, Format: "auto"})
		if out.Verdict != "valid" || out.Format != format {
			t.Errorf("%s: %s as %s", format, out.Verdict, out.Format)
		}
	}
}

func TestRolesWithoutAStateAreRejected(t *testing.T) {
	s := New()
	_, fault := call2(t, s, MonitorCheckParams{Source: traceAgent, Text: recorded["openai"], Format: "auto", Roles: monitor.Roles{Input: "Act-Imp"}})
	if fault == nil || fault.Code != "monitor.roles" || !strings.Contains(fault.Message, `did you mean "Act-Inp"?`) {
		t.Errorf("%+v", fault)
	}
}

func TestTheVerdictIsTheWorstOfAll(t *testing.T) {
	s := New()
	other := File{Name: "other.agent", Text: `(define other (:states (Go (:text "Go:")) (Stop (:text "Stop:"))) (:behavior (next Go Stop)))`}
	run := "[Question] q\n[Thought] t\n[Action] Search\n[Action Input] x\n[Observation] o\n[Final Thought] f\n[Answer] a\n"
	for _, c := range []struct {
		name, text, properties string
		others                 []File
		verdict, spec          string
	}{
		{"nothing else", run, "", nil, "valid", "valid"},
		{"a property that holds", run, "F Ans", nil, "valid", "valid"},
		{"a property that does not hold", run, "G !Obs", nil, "violated", "valid"},
		{"a property that does not hold at the end", run, "F(Obs & X Obs)", nil, "violated", "valid"},
		{"an unknown state", run, "G !Osb", nil, "fault", "valid"},
		{"an unknown state in a conjunct", run, "F Ans & G !Osb", nil, "fault", "valid"},
		{"an unknown state beside a conjunct that does not hold", run, "G !Obs & G !Osb", nil, "violated", "valid"},
		{"an unknown state after a property that does not hold", run, "G !Obs\n\nG !Osb", nil, "violated", "valid"},
		{"no formula", run, "G (", nil, "fault", "valid"},
		{"a formula beside one that is none", run, "G !Obs\n\nG (", nil, "violated", "valid"},
		{"only a comment", run, "# nothing", nil, "valid", "valid"},
		{"a property of another spec", run, "G(Go -> X Stop)", []File{other}, "valid", "valid"},
		{"a property of another spec that is not given", run, "G(Go -> X Stop)", nil, "fault", "valid"},
		{"a property of both", run, "G(Go -> X Ans)", []File{other}, "fault", "valid"},
		{"an open property of an open run", "[Question] q\n", "F Ans", nil, "incomplete", "incomplete"},
		{"a broken property of an open run", "[Question] q\n", "G !Ques", nil, "violated", "incomplete"},
		{"a fault of an open run", "[Question] q\n", "G !Qeus", nil, "fault", "incomplete"},
		{"an unread part", "Tool: x\n" + run, "F Ans", nil, "unread", "valid"},
		{"an unread part and a fault", "Tool: x\n" + run, "G !Osb", nil, "unread", "valid"},
		{"an unread part and a broken property", "Tool: x\n" + run, "G !Obs", nil, "violated", "valid"},
		{"a state that may not come", run + run, "G !Obs", nil, "invalid", "invalid"},
		{"a content that its state does not allow", strings.Replace("Tool: x\n"+run, "Search", "Delete", 1), "", nil, "invalid", "invalid"},
		{"an empty content", strings.Replace(run, "[Action] Search", "[Action]", 1), "", nil, "invalid", "invalid"},
		{"a content that is not written yet", strings.Replace(run[:strings.Index(run, "Search")], "Search", "", 1), "", nil, "incomplete", "incomplete"},
	} {
		out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: traceAgent, Text: c.text, Properties: c.properties, Others: c.others})
		if string(out.Verdict) != c.verdict || string(out.Spec) != c.spec {
			t.Errorf("%s: %s, the states %s; want %s and %s (%+v)", c.name, out.Verdict, out.Spec, c.verdict, c.spec, out.Properties)
		}
	}
}

func TestTraceWithUnknownPartsListsThem(t *testing.T) {
	s := New()
	for text, names := range map[string]string{
		`{"contents":[{"role":"user","parts":[]}]}`: "contents, role, parts",
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"GET","attributes":[{"key":"http.method","value":{"stringValue":"GET"}},{"key":"traceloop.entity.name","value":{"stringValue":"x"}}]}]}]}]}`: "http.method, traceloop.entity.name",
		`[{"kind":"human","text":"q"}]`: "kind, text",
	} {
		_, fault := call2(t, s, MonitorCheckParams{Source: traceAgent, Text: text, Format: "auto"})
		if fault == nil || fault.Code != "trace.empty" || !strings.Contains(fault.Message, names) {
			t.Errorf("%s: %+v", text, fault)
		}
	}
}
