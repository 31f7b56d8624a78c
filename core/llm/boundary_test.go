package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// read decodes a body at once.
func read(format string, body string) []Delta {
	d := NewDecoder(format)
	return append(d.Write(body), d.End()...)
}

// calls returns the indices of the calls of deltas.
func calls(deltas []Delta) (out []int) {
	for _, d := range deltas {
		for _, c := range d.ToolCalls {
			out = append(out, c.Index)
		}
	}
	return out
}

// Each call of an answer has its own number, in every format.
func TestCallsAreNumbered(t *testing.T) {
	block := func(i int, id string) string {
		return event(fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":%q,"name":"look"}}`, i, id))
	}
	part := `{"functionCall":{"name":"look","args":{}}}`
	call := `{"id":"%s","function":{"name":"look","arguments":{"a":1}}}`
	for name, deltas := range map[string][]Delta{
		"anthropic": read(FormatAnthropic, block(1, "a")+block(2, "b")),
		"gemini":    read(FormatGemini, event(`{"candidates":[{"content":{"parts":[`+part+`,`+part+`]}}]}`)),
		"openai":    read(FormatOpenAI, `{"choices":[{"message":{"tool_calls":[`+fmt.Sprintf(call, "a")+","+fmt.Sprintf(call, "b")+`]},"finish_reason":"stop"}]}`),
		"stream":    read(FormatOpenAI, event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"x"}},{"index":1,"id":"b","function":{"name":"y"}}]}}]}`)),
		"one late":  append([]Delta{{ToolCalls: []ToolCallDelta{{}}}}, read(FormatOpenAI, event(`{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"y"}}]}}]}`))...),
	} {
		if got := fmt.Sprint(calls(deltas)); got != "[0 1]" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Arguments are a text with JSON, or an object.
func TestArgumentsAreTextsOrObjects(t *testing.T) {
	for raw, want := range map[string]string{`"{\"a\":1}"`: `{"a":1}`, `{"a":1}`: `{"a":1}`, `""`: "", `null`: "", `[1]`: "", `7`: ""} {
		deltas := read(FormatOpenAI, event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":`+raw+`}}]}}]}`))
		if len(deltas) == 0 || len(deltas[0].ToolCalls) != 1 || deltas[0].ToolCalls[0].Arguments != want {
			t.Errorf("%s: %+v", raw, deltas)
		}
	}
}

func TestAnthropicCountsCachedTokensAndFirstTexts(t *testing.T) {
	deltas := read(FormatAnthropic, event(`{"type":"message_start","message":{"usage":{"input_tokens":7,"cache_creation_input_tokens":3,"cache_read_input_tokens":5,"output_tokens":1}}}`))
	if len(deltas) != 1 || *deltas[0].Usage != (Usage{15, 1}) {
		t.Errorf("%+v", deltas)
	}
	for text, want := range map[string]int{"a": 1, "": 0} {
		if deltas := read(FormatAnthropic, event(`{"type":"content_block_start","content_block":{"type":"text","text":"`+text+`"}}`)); len(deltas) != want {
			t.Errorf("%q: %+v", text, deltas)
		}
	}
}

// Signed thoughts are kept with the whole answer, whether they are readable or not.
func TestWholeContentNeedsThoughts(t *testing.T) {
	thinking := "hm"
	for name, c := range map[string]struct {
		block anthropicBlock
		kept  bool
	}{"text": {anthropicBlock{Type: "text", Text: "a"}, false}, "thinking": {anthropicBlock{Type: "thinking", Thinking: &thinking}, true}, "redacted": {anthropicBlock{Type: "redacted_thinking", Data: "x"}, true}} {
		if got := wholeContent([]anthropicBlock{c.block, {Type: "text", Text: "b"}}); (got != nil) != c.kept {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Opaque fields are counted in all their parts and dropped above the maximum.
func TestOpaqueFieldsAreBounded(t *testing.T) {
	var p opaqueParts
	p.add(&opaqueDelta{details: []reasoningDetail{{Text: "abc", Summary: "abcd", Data: "abcde"}}})
	if p.size != 12 || p.value() == nil {
		t.Errorf("%d, %+v", p.size, p.value())
	}
	most, one := strings.Repeat("x", maxAnswer-12), "x"
	if p.add(&opaqueDelta{reasoning: &most}); p.value() == nil {
		t.Error("the maximum is dropped")
	}
	if p.add(&opaqueDelta{reasoning: &one}); p.value() != nil || p.size != maxAnswer+1 {
		t.Errorf("%d bytes are kept", p.size)
	}
	if p.add(&opaqueDelta{reasoning: &one}); p.size != maxAnswer+1 {
		t.Errorf("%d bytes are collected", p.size)
	}
}

func TestCompletionsEnforceOnlyWithGrammars(t *testing.T) {
	for server, want := range map[string]string{"vllm": ChoiceStructured, "llamacpp": ChoiceGrammar, "openai": "", "": ""} {
		if got := (Endpoint{URL: "https://x/v1", Model: "m", Server: server, Format: FormatCompletions}).Known(); got.Choice != want || got.Schema != (want != "") || (got.MaxStops == 0) != (want != "") {
			t.Errorf("%s: %+v", server, got)
		}
	}
}

func TestSegmentsAreEncoded(t *testing.T) {
	if got := segment("azAZ09-._~: /@[`{€"); got != "azAZ09-._~:%20%2F%40%5B%60%7B%E2%82%AC" {
		t.Error(got)
	}
}

func TestModelsOfOllamaArePulled(t *testing.T) {
	for _, e := range []Endpoint{{Format: FormatOllama}, {Format: FormatOllamaGenerate}, {Format: FormatOpenAI, Server: "ollama"}, {Format: FormatOpenAI}} {
		e.Model = "m"
		if got := modelFix(e, nil); strings.Contains(got, "ollama pull m") != (e.Format != FormatOpenAI || e.Server != "") {
			t.Errorf("%+v: %s", e, got)
		}
		page := corsFix(e, "https://p")
		if strings.Contains(page, "OLLAMA_ORIGINS=https://p") != (e.Format != FormatOpenAI || e.Server != "") {
			t.Errorf("%+v: %s", e, page)
		}
	}
}

func TestExtrasOfTheMaximumAreAccepted(t *testing.T) {
	e := Endpoint{Name: "x", URL: "https://x/v1", Model: "m", Thinking: maxThinking}
	body := func(n int) json.RawMessage { return json.RawMessage(`{"a":"` + strings.Repeat("x", n-8) + `"}`) }
	if e.Body = []byte(body(maxExtraBody)); e.Check() != nil {
		t.Error(e.Check())
	}
	if e.Body = []byte(body(maxExtraBody + 1)); e.Check() == nil {
		t.Error("a longer body is accepted")
	}
	if e = (Endpoint{Thinking: 2_000}); e.withBudget(wire{Request: Request{MaxTokens: 2_000}}) != 4_000 || e.withBudget(wire{Request: Request{MaxTokens: 2_001}}) != 2_001 {
		t.Error("a limit of exactly the budget leaves no tokens for the answer")
	}
	var c concessions
	if got := c.concedeExtra("unknown field a", []byte(`{"a":1}`)); got != "" {
		t.Errorf("a letter is taken as a field: %s", got)
	}
	if got := c.concedeExtra("unknown field ab", []byte(`{"ab":1}`)); got == "" {
		t.Error("a field is not found")
	}
}

func TestHostFailuresNameTheirStage(t *testing.T) {
	for code, want := range map[string]string{"cut": "the reply was cut off", "network": "the request to the endpoint failed", "cors": "the request to the endpoint failed"} {
		if f := hostFailure(&process.EffectError{Code: code, Message: "x"}); !strings.HasPrefix(f.message, want) {
			t.Errorf("%s: %s", code, f.message)
		}
	}
}

// failures answers requests in turn and returns the error and the events of the run.
func failures(t *testing.T, s Spec, r Request, budget meter.Budget, answers ...func(id string) []process.Answer) (events []RetryEvent, timers []int, err error) {
	t.Helper()
	m, fault := New(s)
	if fault != nil {
		t.Fatal(fault)
	}
	p := process.New(func(env *process.Env) (any, error) {
		_, err := m.Generate(env, r, func(string) bool { return true })
		return nil, err
	}, 1, budget, nil)
	defer p.Stop()
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range out.Events {
			var e RetryEvent
			if json.Unmarshal(raw, &e) == nil && e.Kind == "llm.retry" {
				events = append(events, e)
			}
		}
		given = nil
		for _, e := range out.Effects {
			if e.Timer != nil {
				timers = append(timers, e.Timer.Milliseconds)
				given = append(given, process.Answer{Effect: e.ID, Value: []byte("null")})
				continue
			}
			given = append(given, answers[0](e.ID)...)
			if len(answers) > 1 {
				answers = answers[1:]
			}
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return events, timers, out.Err
		}
	}
}

// answering returns an answer with a status, headers and chunks.
func answering(status int, headers map[string]string, texts ...string) func(string) []process.Answer {
	return func(id string) []process.Answer {
		out := chunks(id, status, texts...)
		value, _ := json.Marshal(process.HTTPValue{Status: status, Headers: headers})
		out[len(out)-1].Value = value
		return out
	}
}

func failing(code string, texts ...string) func(string) []process.Answer {
	return func(id string) []process.Answer {
		out := chunks(id, 200, texts...)
		out[len(out)-1] = process.Answer{Effect: id, Error: &process.EffectError{Code: code, Message: "gone"}}
		return out
	}
}

func codeOf(err error) string {
	var coded interface{ Code() string }
	if errors.As(err, &coded) {
		return coded.Code()
	}
	var fault *source.Error
	if errors.As(err, &fault) {
		return fault.ID
	}
	return ""
}

func TestFailuresOfAttempts(t *testing.T) {
	long := map[string]string{"retry-after": "3600.5"}
	fine := answering(200, nil, textEvent("3"), event("[DONE]"))
	for _, c := range []struct {
		name    string
		code    string
		says    string
		never   string
		retries int
		answers []func(string) []process.Answer
	}{
		{"a wait that is too long is rounded up", "llm.rate", "wait 3601 s,", "attempts", 0, []func(string) []process.Answer{answering(429, long)}},
		{"the first attempt is not counted", "llm.key", "", "attempts", 0, []func(string) []process.Answer{answering(401, nil)}},
		{"several attempts are counted", "llm.network", "(after", "", 3, []func(string) []process.Answer{failing("network")}},
		{"text before an error of the network is an answer that broke off", CodeCut, "gone", "", 0, []func(string) []process.Answer{failing("network", textEvent("Hi"))}},
		{"the status of a refusal follows its body", "llm.key", "", "", 0, []func(string) []process.Answer{answering(401, nil, event("oops"), event("oops"), event("oops"))}},
		{"a status of 300 is a failure", CodePath, "", "", 0, []func(string) []process.Answer{answering(300, nil, textEvent("3"), event("[DONE]"))}},
		{"an interrupted request is repeated", "", "", "", 1, []func(string) []process.Answer{failing(process.CodeInterrupted), fine}},
	} {
		events, timers, err := failures(t, endpoint, Request{Messages: user("?")}, meter.Budget{}, c.answers...)
		if codeOf(err) != c.code || err != nil && (!strings.Contains(err.Error(), c.says) || c.never != "" && strings.Contains(err.Error(), c.never)) || len(events) != c.retries {
			t.Errorf("%s: %q %v, %+v", c.name, codeOf(err), err, events)
		}
		if c.code == "" && len(timers) > 0 {
			t.Errorf("%s: it waits %v", c.name, timers)
		}
	}
	// A concession is counted as the attempt that it follows.
	events, _, _ := failures(t, endpoint, Request{Messages: user("?"), Temperature: 1}, meter.Budget{}, answering(400, nil, `{"error":{"message":"unsupported parameter: temperature"}}`), fine)
	if len(events) != 1 || events[0].Attempt != 1 {
		t.Errorf("%+v", events)
	}
	// An empty answer of thoughts names the raised limit.
	thought := event(`{"choices":[{"delta":{"reasoning_content":"hm"},"finish_reason":"length"}]}`) + event("[DONE]")
	events, _, _ = failures(t, endpoint, Request{Messages: user("?"), MaxTokens: 100}, meter.Budget{}, answering(200, nil, thought), fine)
	if len(events) != 1 || !strings.HasSuffix(events[0].Why, fmt.Sprint("up to ", 100+MoreTokens)) {
		t.Errorf("%+v", events)
	}
}

// The bound of a run that an answer exceeds is named, of tokens or of dollars.
func TestExceededBudgetsAreNamed(t *testing.T) {
	e := *endpoint.Endpoint
	e.Price = &Price{Prompt: 1, Completion: 10}
	body := answering(200, nil, textEvent("hello"), event(`{"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":50}}`), event("[DONE]"))
	for _, c := range []struct {
		budget meter.Budget
		word   string
	}{{meter.Budget{Tokens: 20, Money: 1}, "token"}, {meter.Budget{Tokens: 1_000, Money: 0.0001}, "expensive"}, {meter.Budget{Tokens: 1_000, Money: 1}, ""}} {
		_, _, err := failures(t, Spec{Kind: KindEndpoint, Endpoint: &e}, Request{Messages: user("?")}, c.budget, body)
		if (err == nil) != (c.word == "") || err != nil && !strings.Contains(err.Error(), c.word) {
			t.Errorf("%+v: %v", c.budget, err)
		}
	}
}

func TestServersReportTheirStop(t *testing.T) {
	e := *endpoint.Endpoint
	e.Format = FormatAnthropic
	m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
	reply, _, err := charged(t, m, Request{Messages: user("?"), Stop: []string{"END"}}, func(e process.Effect) []process.Answer {
		return chunks(e.ID, 200, event(`{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`), event(`{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END"}}`), event(`{"type":"message_stop"}`))
	})
	if err != nil || reply.Stop != "END" || reply.Reason != StopText {
		t.Errorf("%+v, %v", reply, err)
	}
}

// Parts of an answer end at the maximum, and an echo or a forced beginning is complete at its length.
func TestPartsOfAnswersAreBounded(t *testing.T) {
	most := strings.Repeat("x", maxAnswer)
	a := &attempt{}
	a.think(most)
	a.takeCalls([]ToolCallDelta{{ID: "a", Arguments: most}})
	a.think("y")
	a.takeCalls([]ToolCallDelta{{ID: "a", Arguments: "y"}})
	if a.thinking.Len() != maxAnswer || len(a.reply.ToolCalls[0].Arguments) != maxAnswer {
		t.Errorf("%d and %d bytes", a.thinking.Len(), len(a.reply.ToolCalls[0].Arguments))
	}
	some := func(a *attempt) *attempt {
		a.yield, a.show, a.inline = func(string) bool { return true }, func(ThoughtEvent) {}, newInlineThoughts(Request{}, func() bool { return false })
		return a
	}
	echo := some(&attempt{echo: "[Act"})
	echo.write("[Act")
	if echo.finish(); echo.reply.Text != "" {
		t.Errorf("an echo is an answer: %q", echo.reply.Text)
	}
	lead := some(&attempt{lead: "Pa"})
	if lead.finish(); lead.reply.Text != "Pa" {
		t.Errorf("the forced beginning of an empty answer is lost: %q", lead.reply.Text)
	}
}

// Events up to the maximum are read, longer ones are reported.
func TestEventsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs a hundred megabytes")
	}
	faulty := func(deltas []Delta) bool {
		return len(deltas) > 0 && deltas[len(deltas)-1].Fault != nil && deltas[len(deltas)-1].Fault.Kind == FaultLong
	}
	most := strings.Repeat("x", maxEvent)
	for name, c := range map[string]struct {
		format, before, text string
		want                 bool
	}{
		"a line":               {FormatOpenAI, "data", most[:maxEvent-4], false},
		"a longer line":        {FormatOpenAI, "data", most[:maxEvent-3], true},
		"a value":              {FormatOpenAI, "{", most[:maxEvent-1], false},
		"a longer value":       {FormatOpenAI, "{", most, true},
		"data and a line":      {FormatOpenAI, "data:" + most[:maxEvent/2] + "\n", most[:maxEvent/2], false},
		"more data and a line": {FormatOpenAI, "data:" + most[:maxEvent/2] + "\n", most[:maxEvent/2+1], true},
		"a line of JSON":       {FormatOllama, "", most, false},
		"a longer one":         {FormatOllama, "x", most, true},
	} {
		d := NewDecoder(c.format)
		if got := faulty(append(d.Write(c.before), d.Write(c.text)...)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestOnlySystemMessagesAreAPrompt(t *testing.T) {
	e := Endpoint{URL: "http://localhost:11434", Model: "m", Format: FormatOllamaGenerate}
	if got := e.ollamaGenerate(wire{Request: Request{Messages: []Message{{Role: "system", Content: "a"}, {Role: "system", Content: "b"}}}}); got.System != "a\n\nb" {
		t.Errorf("%+v", got)
	}
}

// Lists of probabilities of old completions may be shorter than the tokens.
func TestShortListsOfLogprobs(t *testing.T) {
	deltas := read(FormatCompletions, event(`{"choices":[{"text":"ab","logprobs":{"tokens":["a","b"],"token_logprobs":[-1],"top_logprobs":[{"c":-2,"a":-1}]}}]}`))
	if len(deltas) == 0 || len(deltas[0].Logprobs) != 2 || deltas[0].Logprobs[0].Logprob != -1 || len(deltas[0].Logprobs[0].Top) != 2 || deltas[0].Logprobs[0].Top[0].Token != "a" || deltas[0].Logprobs[1].Logprob != 0 {
		t.Errorf("%+v", deltas)
	}
}

func TestKnownPrices(t *testing.T) {
	for _, c := range []struct {
		e    Endpoint
		want bool
	}{
		{Endpoint{URL: "https://x", Model: "gpt-4o"}, true},
		{Endpoint{URL: "https://x", Model: "unknown"}, false},
		{Endpoint{URL: "https://x", Model: "unknown", Price: &Price{}}, true},
		{Endpoint{URL: "http://localhost:1", Model: "unknown"}, true},
		{Endpoint{URL: "https://x.test/v1", Model: "unknown", Server: "vllm"}, false},
		{Endpoint{URL: "https://x.test/v1", Model: "unknown", Server: "llamacpp"}, false},
		{Endpoint{URL: "https://ollama.example", Model: "unknown", Format: FormatOllama}, false},
		{Endpoint{URL: "https://ollama.example", Model: "unknown", Format: FormatOllamaGenerate}, false},
		{Endpoint{URL: "http://gpu-box:8000/v1", Model: "unknown", Server: "lmstudio"}, true},
		{Endpoint{URL: "http://gpu-box:8000/v1", Model: "unknown"}, false},
		{Endpoint{URL: "http://10.0.0.7:11434", Model: "unknown", Format: FormatOllama}, true},
		{Endpoint{URL: "https://x", Model: "openai/gpt-4o"}, true},
		{Endpoint{URL: "https://x", Model: "reseller/gpt-4o"}, false},
		{Endpoint{URL: "https://x", Model: "reseller/openai/gpt-4o"}, false},
		{Endpoint{URL: "https://x", Model: "anthropic/gpt-4o"}, false},
	} {
		if c.e.PriceKnown() != c.want {
			t.Errorf("%+v: %v", c.e, !c.want)
		}
	}
	for url, want := range map[string]string{"http:///x": "", "http://?x": "", "http://:80": "", "http://A:80/x": "a", "http://[::1]:80": "[::1]", "http://[::1]": "[::1]", "http://u@b": "b"} {
		if got := hostOf(url); got != want {
			t.Errorf("%s: %q", url, got)
		}
	}
	if _, known := PriceOf(".amazon.nova-pro", Prices()); known {
		t.Error("a region without a name is read")
	}
}

func TestPrivateHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"gpu-box": true, "box.lan": true, "a.home.arpa": true, "a.internal": true, "a.local": true, "[fd00::1]": true, "[fc00::1]": true, "[fe80::1]": true,
		"10.1.2.3": true, "192.168.0.1": true, "169.254.1.1": true, "172.16.0.1": true, "172.31.0.1": true, "100.64.0.1": true, "100.127.0.1": true,
		"": false, "x.test": false, "lan": true, "[2001:db8::1]": false, "8.8.8.8": false, "192.169.0.1": false, "172.32.0.1": false, "172.15.0.1": false,
		"100.128.0.1": false, "100.63.0.1": false, "10.x.y.z": false, "10.0.0.1.example": false, "10.1.2": false, "134744072": false,
	} {
		if isPrivate(host) != want {
			t.Errorf("%s: %v", host, !want)
		}
	}
}

func TestWaitsAreParsed(t *testing.T) {
	for text, want := range map[string]int{"12": 0, "9s": 9_000, "90ms": 90, "10s": 10_000, "1m0s": 60_000, "": 0, "s": 0, "2h": 7_200_000, "1d": 86_400_000, "2x": 0, "0.5s": 500} {
		if got := spanOf(text); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
	if got := waitOf(map[string]string{"retry-after-ms": "0", "retry-after": "5"}); got != 5_000 {
		t.Error(got)
	}
	day := func(text string) int64 {
		n, ok := rfc3339(text + "T00:00:00Z")
		if !ok {
			t.Fatal(text)
		}
		return n / 86_400
	}
	for _, c := range []struct {
		from, to string
		days     int64
	}{{"2100-02-28", "2100-03-01", 1}, {"2000-02-28", "2000-03-01", 2}, {"2024-02-28", "2024-03-01", 2}, {"2025-02-28", "2025-03-01", 1}, {"2025-12-31", "2026-01-01", 1}, {"2025-01-01", "2026-01-01", 365}} {
		if got := day(c.to) - day(c.from); got != c.days {
			t.Errorf("%s to %s: %d days", c.from, c.to, got)
		}
	}
	january, ok := httpDate("Mon, 02 Jan 2006 15:04:05 GMT")
	february, also := httpDate("Thu, 02 Feb 2006 15:04:05 GMT")
	if !ok || !also || february-january != 31*86_400 {
		t.Error(january, february)
	}
}

// A simulated model and a person end at a stop text, also at the beginning of the answer.
func TestAnswersEndAtFirstStop(t *testing.T) {
	saying := func(text string) Simulate {
		return func(*process.Env, Request) (string, error) { return text, nil }
	}
	for _, c := range []struct {
		text   string
		limit  int
		want   string
		reason string
	}{{"END of it", 0, "", StopText}, {"12345678", 2, "12345678", StopEnd}, {"123456789", 2, "12345678", StopLength}, {"a END", 0, "a ", StopText}} {
		reply, _, _, err := ask(t, saying(c.text), Request{Stop: []string{"END"}, MaxTokens: c.limit}, 0, nil)
		if err != nil || reply.Text != c.want || reply.Reason != c.reason {
			t.Errorf("%q: %+v, %v", c.text, reply, err)
		}
	}
	person, _ := New(Spec{Kind: KindPerson})
	reply, _, _, err := ask(t, person, Request{Messages: user("?"), Stop: []string{"END"}}, 0, func(e process.Effect) []process.Answer {
		return []process.Answer{{Effect: e.ID, Value: []byte(`"END it"`)}}
	})
	if err != nil || reply.Text != "" || reply.Reason != StopText {
		t.Errorf("%+v, %v", reply, err)
	}
	var pieces []string
	p := process.New(func(env *process.Env) (any, error) {
		return saying(strings.Repeat("日本語 äöü € ", 20)).Generate(env, Request{}, func(piece string) bool {
			pieces = append(pieces, piece)
			return true
		})
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	if out, err := p.Resume(nil, 0); err != nil || out.Err != nil || len(pieces) < 5 {
		t.Fatal(err, out.Err, len(pieces))
	}
	for _, piece := range pieces {
		if !utf8.ValidString(piece) {
			t.Errorf("%q", piece)
		}
	}
}

// A request without a limit of tokens gets none for thoughts.
func TestUnlimitedRequestsStayUnlimited(t *testing.T) {
	m := &endpointModel{Endpoint: *endpoint.Endpoint, thinking: 5_000}
	if got := m.withThinking(Request{}).MaxTokens; got != 0 {
		t.Error(got)
	}
}

// Each trial of a probe leaves room for its answer, and tries the forms of a choice one after another.
func TestTrialsHaveTheirLimits(t *testing.T) {
	var limits []int
	var schemas []bool
	_, steps, err := probed(t, ProbeSettings{Endpoint: Endpoint{Name: "x", URL: "https://x/v1", Model: "m"}}, func(h *process.HTTP) (int, string) {
		var body struct {
			MaxTokens int `json:"max_tokens"`
		}
		if h.Method == "GET" {
			return 200, `{"data":[{"id":"m"}]}`
		}
		if err := json.Unmarshal([]byte(h.Body), &body); err != nil {
			t.Error(err)
		}
		limits = append(limits, body.MaxTokens)
		schemas = append(schemas, strings.Contains(h.Body, "json_schema"))
		return 200, says("ready")
	})
	if err != nil || fmt.Sprint(limits) != "[16 16 64 32 32 32 32 32 32]" {
		t.Errorf("%v, %v", limits, err)
	}
	if fmt.Sprint(schemas) != "[false false false true false false false false false]" {
		t.Error(schemas)
	}
	for _, s := range steps {
		if strings.Contains(s.Message, "thinks") {
			t.Errorf("%+v", s)
		}
	}
}

// An answer may exceed the ceiling up to the limit of its request, with that for thoughts, and is
// kept if it does so only by its reported usage.
func TestLimitsOfRequestsBoundAnswers(t *testing.T) {
	piece := textEvent(strings.Repeat("x", 400)) // 100 tokens
	for _, c := range []struct {
		server        string
		limit, pieces int
	}{{"", 1_000, 11}, {"groq", 0, 5}, {"groq", 104, 43}} {
		func() {
			endpoint.Endpoint.Server = c.server
			defer func() { endpoint.Endpoint.Server = "" }()
			if pieces, _, err := bounded(t, Request{Messages: user("?"), MaxTokens: c.limit}, meter.Budget{Tokens: 500}, nil, piece); pieces != c.pieces || err == nil {
				t.Errorf("%q with a limit of %d: %d pieces, %v", c.server, c.limit, pieces, err)
			}
		}()
	}
	m, _ := New(endpoint)
	p := process.New(func(env *process.Env) (any, error) {
		_, err := m.Generate(env, Request{Messages: user("?")}, func(string) bool { return true })
		return nil, err
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	p.SetCeiling(meter.Budget{Tokens: 20})
	out, err := p.Resume(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	body := textEvent("hello") + event(`{"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":50}}`) + event("[DONE]")
	if out, err = p.Resume(chunks(out.Effects[0].ID, 200, body), 0); err != nil || out.State != process.StateDone {
		t.Errorf("%v, %v", err, out.Err)
	}
}

func TestTurnsOfAnthropicAlternate(t *testing.T) {
	h, err := (Endpoint{URL: "https://x", Model: "m", Format: FormatAnthropic}).Encode(Request{Messages: append(user("a"), user("b")...)})
	if err != nil || strings.Count(h.Body, `"role"`) != 1 {
		t.Errorf("%s, %v", h.Body, err)
	}
}
