package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
	"github.com/stile-playground/stile/wasm/host/standin"
)

// canary is the key of every endpoint in these tests. It may occur only in requests.
const canary = "sk-canary-0123456789abcdef"

// oneRun is a [host.Handler] for one run with an arbitrary function as its body.
type oneRun struct {
	body    process.Func
	seed    uint64
	budget  meter.Budget
	process *process.Process
}

// Handle implements [host.Handler].
func (o *oneRun) Handle(_ context.Context, request []byte) ([]byte, error) {
	var r struct {
		Method string
		Params session.RunResumeParams
	}
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	var result any
	switch r.Method {
	case "run.start":
		o.process = process.New(o.body, o.seed, o.budget, nil)
		result = session.RunStartResult{Run: 1}
	case "run.resume":
		out, err := o.process.Resume(r.Params.Answers, r.Params.Slice)
		if err != nil {
			return nil, err
		}
		resumed := session.RunResumeResult{Effects: out.Effects, Cancel: out.Cancel, Events: out.Events, State: out.State, Result: out.Result}
		if out.Err != nil {
			resumed.Error = &session.Error{Code: "uncoded", Message: out.Err.Error()}
			var coded interface{ Code() string }
			if errors.As(out.Err, &coded) {
				resumed.Error.Code = coded.Code()
			}
		}
		result = resumed
	case "run.log":
		result = session.RunLogResult{Log: session.RunLog{Answers: o.process.Log()}}
	case "run.stop":
		o.process.Stop()
		result = session.RunResumeResult{}
	}
	return json.Marshal(map[string]any{"result": result})
}

// bench is a simulated provider with a host whose timers expire at once and whose requests take a quarter of
// a second.
type bench struct {
	*standin.Server
	t      *testing.T
	url    string
	run    string
	waits  []time.Duration
	events []json.RawMessage
	shown  strings.Builder // all that a run shows
}

func newBench(t *testing.T) *bench {
	s := standin.New(standin.Options{})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &bench{Server: s, t: t, url: server.URL, run: "r"}
}

// endpoint returns an endpoint of a format, with options of the standin.
func (b *bench) endpoint(format, model string, options ...string) llm.Endpoint {
	base := b.url + "/~" + strings.Join(append(options, "run="+b.run), ",")
	if format == "" || format == llm.FormatOpenAI || format == llm.FormatCompletions || format == llm.FormatResponses {
		base += "/v1"
	}
	if format == llm.FormatGemini {
		base += "/v1beta"
	}
	return llm.Endpoint{Name: "test", Format: format, URL: base, Model: model, Idle: 120_000}
}

func (b *bench) runner(h host.Handler) *host.Runner {
	b.waits, b.events = nil, nil
	return &host.Runner{
		Handler: h,
		Key:     func(string, string) string { return canary },
		After: func(d time.Duration) <-chan time.Time {
			b.waits = append(b.waits, d)
			rings := make(chan time.Time, 1)
			rings <- time.Time{}
			return rings
		},
		Stopwatch: func() func() time.Duration { return func() time.Duration { return 250 * time.Millisecond } },
		Event:     func(e json.RawMessage) { b.events = append(b.events, e) },
	}
}

// retries returns the waits that the run announced.
func (b *bench) retries() (out []llm.RetryEvent) {
	for _, raw := range b.events {
		var e llm.RetryEvent
		if json.Unmarshal(raw, &e) == nil && e.Kind == "llm.retry" {
			out = append(out, e)
		}
	}
	return out
}

// said is the result of one request.
type said struct {
	llm.Reply
	Deltas []string
	Tokens int64 // spent of the run's budget
	Money  int64
	Code   string
	Fault  string
}

// ask sends one request to an endpoint and stops reading after stopAfter deltas.
func (b *bench) ask(e llm.Endpoint, r llm.Request, stopAfter int) said {
	b.t.Helper()
	out := said{}
	body := func(env *process.Env) (any, error) {
		model, err := llm.New(llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e})
		if err != nil {
			return nil, err
		}
		out.Reply, err = model.Generate(env, r, func(delta string) bool {
			out.Deltas = append(out.Deltas, delta)
			return len(out.Deltas) != stopAfter
		})
		out.Tokens, out.Money = env.Meter().Spent(meter.Tokens), env.Meter().Spent(meter.Money)
		return "", err
	}
	outcome, err := b.runner(&oneRun{body: body, seed: 5, budget: meter.Budget{Tokens: 1 << 40}}).Run(context.Background(), session.RunStartParams{})
	var fault *host.CallError
	if errors.As(err, &fault) {
		out.Code, out.Fault = fault.Fault.Code, fault.Fault.Message
	} else if err != nil {
		b.t.Fatalf("%s %s: %v", e.Format, e.Model, err)
	}
	b.show(outcome, out)
	return out
}

// show collects the output of a run, to search it for the canary.
func (b *bench) show(outcome host.Outcome, more ...any) {
	for _, v := range append(more, outcome, b.events) {
		raw, err := json.Marshal(v)
		if err != nil {
			b.t.Fatal(err)
		}
		b.shown.Write(raw)
	}
}

// noKey fails if the canary occurs in the output of a run, or if no request had it.
func (b *bench) noKey() {
	b.t.Helper()
	if at := strings.Index(b.shown.String(), canary); at >= 0 {
		b.t.Errorf("the key is in what the run lets out: …%.200s", b.shown.String()[max(0, at-150):])
	}
	if b.shown.Len() == 0 {
		b.t.Error("nothing was let out")
	}
	for _, r := range b.Requests(b.run) {
		if r.Headers["authorization"] != "Bearer "+canary && r.Headers["x-api-key"] != canary && r.Headers["x-goog-api-key"] != canary {
			b.t.Errorf("%s %s had no key: %v", r.Method, r.Path, r.Headers)
		}
		if strings.Contains(r.Body+r.Path+r.Query, canary) {
			b.t.Errorf("%s %s has the key in its body", r.Method, r.Path)
		}
	}
}

var allFormats = []string{llm.FormatOpenAI, llm.FormatCompletions, llm.FormatResponses, llm.FormatAnthropic, llm.FormatOllama, llm.FormatOllamaGenerate, llm.FormatGemini, llm.FormatBedrock}

func asking(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: text}}}
}

func TestEveryFormatIsReadInAnyChunks(t *testing.T) {
	const text = "Grüße 🌍, 漢字 and Ωμέγα."
	for _, format := range allFormats {
		for _, options := range [][]string{{}, {"cut=1"}, {"cut=7", "crlf=on"}, {"stream=off"}, {"stream=off", "cut=3"}} {
			b := newBench(t)
			got := b.ask(b.endpoint(format, "unicode", options...), asking("Hello?"), 0)
			if got.Code != "" || got.Text != text || got.Reason != llm.StopEnd || strings.Join(got.Deltas, "") != text {
				t.Fatalf("%s %v: %+v", format, options, got)
			}
			if options == nil && len(got.Deltas) < 3 {
				t.Errorf("%s: it came as %q", format, got.Deltas)
			}
			if got.Usage.Completion != 5 || got.Usage.Prompt < 3 || got.Milliseconds != 250 {
				t.Errorf("%s %v: usage %+v in %d ms", format, options, got.Usage, got.Milliseconds)
			}
			if n := len(b.Requests("r")); n != 1 {
				t.Errorf("%s: %d requests", format, n)
			}
			b.noKey()
		}
	}
}

//stile:race
func TestEveryFormatStops(t *testing.T) {
	for _, format := range allFormats {
		for _, options := range [][]string{nil, {"server=plain"}} { // the plain server ignores stop texts
			b := newBench(t)
			r := asking("Count.")
			r.Stop = []string{"never", " 5", "\n", "4 x", "5"}
			got := b.ask(b.endpoint(format, "count", options...), r, 0)
			known := options != nil || format == llm.FormatAnthropic || format == llm.FormatOpenAI // these report it
			if got.Text != "1 2 3 4" || known && (got.Reason != llm.StopText || got.Stop != " 5") {
				t.Errorf("%s %v: %+v", format, options, got)
			}
			if known && got.Reason == llm.StopText && got.Usage.Completion == 0 {
				t.Errorf("%s %v: nothing is counted: %+v", format, options, got.Usage)
			}
			r = asking("Count.")
			r.MaxTokens = 3
			e := b.endpoint(format, "count")
			if caps := e.Known(); caps.Thinking > 0 { // thinking is granted in addition
				caps.Thinking = 0
				e.Capabilities = &caps
			}
			if got := b.ask(e, r, 0); got.Text != "1 2 3" || got.Reason != llm.StopLength {
				t.Errorf("%s: %+v", format, got)
			}
			if got := b.ask(b.endpoint(format, "count"), asking("Count."), 2); got.Reason != llm.StopAborted || got.Text != "1 2" || got.Usage.Completion == 0 {
				t.Errorf("%s: %+v", format, got)
			}
		}
	}
}

var lookUp = llm.Tool{Name: "look_up", Description: "Looks something up.", Parameters: []byte(`{"type":"object","properties":{"term":{"type":"string"},"n":{"type":"integer"}},"required":["term"]}`)}

//stile:race
func TestEveryChatCallsTools(t *testing.T) {
	for _, e := range []llm.Endpoint{
		{Format: llm.FormatOpenAI, Server: "vllm"}, {Format: llm.FormatOpenAI, Server: "openai"}, {Format: llm.FormatResponses}, {Format: llm.FormatAnthropic}, {Format: llm.FormatOllama},
		{Format: llm.FormatGemini}, {Format: llm.FormatBedrock},
	} {
		for _, options := range [][]string{{"cut=1"}, {"stream=off"}} {
			b := newBench(t)
			r := asking("Look up Zürich.")
			r.Tools = []llm.Tool{lookUp, {Name: "nothing"}}
			at := b.endpoint(e.Format, "tools-two", options...)
			at.Server = e.Server
			got := b.ask(at, r, 0)
			if got.Code != "" || got.Reason != llm.StopTools || len(got.ToolCalls) != 2 || got.ToolCalls[0].Name != "look_up" || got.ToolCalls[1].Name != "nothing" {
				t.Fatalf("%s %v: %+v", e.Format, options, got)
			}
			var arguments struct {
				Term string
				N    *int
			}
			if err := json.Unmarshal([]byte(got.ToolCalls[0].Arguments), &arguments); err != nil || arguments.Term != "Zürich" || arguments.N == nil {
				t.Errorf("%s %v: arguments %s", e.Format, options, got.ToolCalls[0].Arguments)
			}
			r.Messages = append(r.Messages, llm.Message{Role: "assistant", ToolCalls: got.ToolCalls},
				llm.Message{Role: "tool", ToolCallID: got.ToolCalls[0].ID, Content: "a city"}, llm.Message{Role: "tool", ToolCallID: got.ToolCalls[1].ID, Content: "void"})
			if got := b.ask(at, r, 0); got.Text != "The tool says: void" || len(got.ToolCalls) != 0 {
				t.Errorf("%s %v: %+v", e.Format, options, got)
			}
			r = asking("Look up nothing.")
			r.Tools, r.ToolChoice = []llm.Tool{lookUp, {Name: "nothing"}}, "nothing"
			at.Model = "tools"
			if got := b.ask(at, r, 0); len(got.ToolCalls) != 1 || got.ToolCalls[0].Name != "nothing" {
				t.Errorf("%s %v: %+v", e.Format, options, got.ToolCalls)
			}
			r.ToolChoice = "none"
			if got := b.ask(at, r, 0); len(got.ToolCalls) != 0 {
				t.Errorf("%s %v: %+v", e.Format, options, got.ToolCalls)
			}
		}
	}
}

func TestLogprobsWhereSupported(t *testing.T) {
	for _, c := range []struct {
		format, server string
		there          bool
	}{
		{llm.FormatOpenAI, "openai", true}, {llm.FormatOpenAI, "vllm", true}, {llm.FormatOpenAI, "", false},
		{llm.FormatCompletions, "", true}, {llm.FormatResponses, "openai", true}, {llm.FormatResponses, "vllm", false}, {llm.FormatAnthropic, "", false}, {llm.FormatOllama, "", true}, {llm.FormatOllamaGenerate, "", true},
	} {
		for _, options := range [][]string{{"cut=2"}, {"stream=off"}} {
			b := newBench(t)
			e := b.endpoint(c.format, "logprobs", options...)
			e.Server = c.server
			r := asking("Is it?")
			r.TopLogprobs = 3
			got := b.ask(e, r, 0)
			if got.Text != "yes it is" || (len(got.Logprobs) > 0) != c.there {
				t.Fatalf("%v: %+v", c, got)
			}
			if c.there && (len(got.Logprobs) != 3 || got.Logprobs[1].Token != " it" || len(got.Logprobs[1].Top) != 3 || got.Logprobs[1].Top[0].Token != " it" || got.Logprobs[1].Top[2].Logprob >= got.Logprobs[1].Top[1].Logprob) {
				t.Errorf("%v: %+v", c, got.Logprobs)
			}
		}
	}
}

func TestThoughtsAreNotAnswers(t *testing.T) {
	for _, format := range []string{llm.FormatOpenAI, llm.FormatResponses, llm.FormatAnthropic, llm.FormatOllama, llm.FormatOllamaGenerate, llm.FormatGemini, llm.FormatBedrock} {
		b := newBench(t)
		if got := b.ask(b.endpoint(format, "think", "cut=5"), asking("So?"), 0); got.Text != "So it is." {
			t.Errorf("%s: %+v", format, got)
		}
	}
}

// The constraints that a server enforces, and the extension that expresses them.
func TestEnforcementLevels(t *testing.T) {
	choices := &llm.Constraint{Choices: []string{"apple \"green\"", "ärger\nB"}}
	schema := &llm.Constraint{Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}
	for _, c := range []struct {
		format, server, of string // of: whose extensions the standin honours
		constraint         *llm.Constraint
		sent               string // is in the body
		constrained        bool
	}{
		{llm.FormatOpenAI, "openai", "", choices, `"json_schema"`, true},
		{llm.FormatOpenAI, "vllm", "vllm", choices, `"structured_outputs":{"choice"`, true},
		{llm.FormatOpenAI, "llamacpp", "llamacpp", choices, `"grammar":"root ::= `, true},
		{llm.FormatOpenAI, "vllm", "vllm", &llm.Constraint{Regex: `(?:ab|cd)[0-9]{2}`}, `"structured_outputs":{"regex"`, true},
		{llm.FormatOpenAI, "llamacpp", "llamacpp", &llm.Constraint{Grammar: "root ::= \"one\" | \"two\"\n"}, `"grammar":"root`, true},
		{llm.FormatOpenAI, "vllm", "vllm", &llm.Constraint{Grammar: "root ::= \"one\" | \"two\"\n"}, `"structured_outputs":{"grammar"`, true},
		{llm.FormatOpenAI, "openai", "", schema, `"response_format"`, true},
		{llm.FormatOpenAI, "", "", choices, ``, false},
		{llm.FormatOpenAI, "openai", "plain", choices, `"json_schema"`, false}, // it accepts the constraint and ignores it
		{llm.FormatOpenAI, "mistral", "", &llm.Constraint{Regex: "a"}, ``, false},
		{llm.FormatCompletions, "vllm", "vllm", choices, `"structured_outputs"`, true},
		{llm.FormatCompletions, "llamacpp", "llamacpp", choices, `"grammar"`, true},
		{llm.FormatResponses, "openai", "", choices, `"json_schema"`, true},
		{llm.FormatResponses, "openai", "", schema, `"json_schema"`, true},
		{llm.FormatResponses, "openai", "", &llm.Constraint{Regex: `(?:ab|cd)[0-9]{2}`}, `"syntax":"regex"`, true},
		{llm.FormatResponses, "openai", "", &llm.Constraint{Lark: "start: \"one\" | \"two\""}, `"syntax":"lark"`, true},
		{llm.FormatResponses, "openai", "functions", &llm.Constraint{Lark: "start: \"one\" | \"two\""}, `"syntax":"lark"`, false}, // refused, and omitted
		{llm.FormatResponses, "vllm", "", &llm.Constraint{Regex: "a"}, `"input"`, false},
		{llm.FormatAnthropic, "", "", choices, `"output_config":{"format":{"type":"json_schema"`, true},
		{llm.FormatAnthropic, "", "", schema, `"output_config"`, true},
		{llm.FormatGemini, "", "", choices, `"responseMimeType":"application/json","responseJsonSchema":{`, true},
		{llm.FormatGemini, "", "", schema, `"responseJsonSchema":{`, true},
		{llm.FormatGemini, "", "plain", choices, `"responseJsonSchema":{`, false},
		{llm.FormatBedrock, "", "", choices, `"outputConfig":{"textFormat":{"type":"json_schema"`, true},
		{llm.FormatBedrock, "", "", schema, `"outputConfig":{`, true},
		{llm.FormatOllama, "", "", choices, `"format":{"type":"object"`, true},
		{llm.FormatOllamaGenerate, "", "", schema, `"format":{"type":"object"`, true},
	} {
		b := newBench(t)
		var options []string
		if c.of != "" {
			options = append(options, "server="+c.of)
		}
		e := b.endpoint(c.format, "rambler", append(options, "cut=1")...)
		e.Server = c.server
		r := asking("Which one?")
		r.Constraint = c.constraint
		got := b.ask(e, r, 0)
		if got.Code != "" || got.Constrained != c.constrained || got.Text != strings.Join(got.Deltas, "") {
			t.Errorf("%+v: %+v", c, got)
			continue
		}
		if c.constrained && len(c.constraint.Choices) > 0 && !slices.Contains(c.constraint.Choices, got.Text) {
			t.Errorf("%+v: %q", c, got.Text)
		}
		if !c.constrained && !strings.HasPrefix(got.Text, "That depends") {
			t.Errorf("%+v: %q", c, got.Text)
		}
		if body := b.Requests("r")[0].Body; !strings.Contains(body, c.sent) {
			t.Errorf("%+v: %s", c, body)
		}
	}
}

// A started turn is continued in each server's format.
func TestPrefixIsContinued(t *testing.T) {
	for _, c := range []struct{ format, server string }{
		{llm.FormatOpenAI, "mistral"}, {llm.FormatOpenAI, "vllm"}, {llm.FormatOpenAI, "llamacpp"},
		{llm.FormatCompletions, ""}, {llm.FormatOllamaGenerate, ""},
	} {
		b := newBench(t)
		options := []string{"cut=1"}
		if c.server != "" {
			options = append(options, "server="+c.server)
		}
		e := b.endpoint(c.format, "count", options...)
		e.Server = c.server
		r := asking("Count.")
		r.Prefix = "1 2 3 4"
		if got := b.ask(e, r, 0); got.Text != " 5 6 7 8 9" {
			t.Errorf("%v: %+v", c, got)
		}
		r.Prefix = ""
		r.Constraint = &llm.Constraint{Choices: []string{"1 2 3 4 5 6 7 8 9", "1 2 3 4 x"}}
		caps := e.Known()
		caps.Choice = llm.ChoiceNone
		e.Capabilities = &caps
		if got := b.ask(e, r, 0); got.Text != "1 2 3 4 5 6 7 8 9" || got.Constrained {
			t.Errorf("%v, with a beginning that all choices share: %+v", c, got)
		}
		if last := b.Requests("r")[1].Body; !strings.Contains(last, "1 2 3 4") {
			t.Errorf("%v: the beginning is not forced: %s", c, last)
		}
	}
}

func TestMoneyAndTokensAreCountedOnce(t *testing.T) {
	b := newBench(t)
	e := b.endpoint(llm.FormatOpenAI, "fault-500-once")
	e.Price = &llm.Price{Prompt: 2, Completion: 10}
	e.Server = "openai"
	got := b.ask(e, asking("Hello?"), 0)
	if got.Code != "" || got.Usage != (llm.Usage{Prompt: 3, Completion: 4}) || got.Money != 2*3+10*4 || got.Cost != 46e-6 || len(b.Requests("r")) != 2 {
		t.Errorf("%+v, %d requests", got, len(b.Requests("r")))
	}
	if estimated := int64(5); got.Tokens != estimated+4 { // the prompt was estimated higher than it is
		t.Errorf("%d tokens were spent", got.Tokens)
	}
}

// faults is the table of faults: the final code and message, the number of requests, and the kept
// text.
var faults = []struct {
	model    string
	code     string // "": the request succeeds in the end
	says     string
	requests int
	keeps    bool // the text before the fault
}{
	{"fault-401", "llm.key", "refused the key", 1, false},
	{"fault-401-echo", "llm.key", "•••", 1, false},
	{"fault-403", "llm.key", "may not use this model", 1, false},
	{"fault-404", "llm.path", "no model API found at this address", 1, false},
	{"fault-model", "llm.model", "unknown model", 1, false},
	{"fault-413", "llm.context", "too long", 1, false},
	{"fault-context", "llm.context", "shorten it", 1, false},
	{"fault-429", "llm.rate", "after 4 attempts", 4, false},
	{"fault-429-after", "llm.rate", "after 4 attempts", 4, false},
	{"fault-429-date", "llm.rate", "after 4 attempts", 4, false},
	{"fault-429-long", "llm.rate", "asks to wait 3600 s", 1, false},
	{"fault-429-once", "", "", 2, false},
	{"fault-quota", "llm.quota", "add credit", 1, false},
	{"fault-500", "llm.server", "failed with status 500", 4, false},
	{"fault-500-once", "", "", 2, false},
	{"fault-501", "llm.server", "status 501", 1, false},
	{"fault-503-once", "", "", 2, false},
	{"fault-529-once", "", "", 2, false},
	{"fault-request", "llm.request", "Something is wrong", 1, false},
	{"fault-temperature", "", "", 2, false},
	{"fault-redirect", "llm.path", "status 307", 1, false},
	{"fault-hang", "llm.timeout", "no data arrived", 4, false},
	{"fault-hang-midway", "llm.cut", "no data arrived", 1, true},
	{"fault-cut", "llm.cut", "broke off", 1, true},
	{"fault-cut-clean", "llm.cut", "ended in the middle of the answer", 1, true},
	{"fault-cut-once", "llm.cut", "broke off", 1, false}, // it had begun: it is paid for
	{"fault-garbage", "llm.garbage", "garbage", 1, true},
	{"fault-page", "llm.garbage", "doctype", 1, false},
	{"fault-empty", "llm.cut", "before it began", 4, false},
	{"fault-error", "llm.cut", "Overloaded", 1, true},
	{"fault-error-once", "", "", 2, false},
}

//stile:race
func TestEveryFaultEndsWithItsMessage(t *testing.T) {
	for i, format := range allFormats {
		for j, c := range faults {
			if (i+j)%caseStep(2) != 0 {
				continue // each fault occurs in every other format
			}
			t.Run(format+"/"+c.model, func(t *testing.T) {
				b := newBench(t)
				e := b.endpoint(format, c.model, "cut=11")
				switch c.model { // milliseconds
				case "fault-hang":
					e.Idle = 30
				case "fault-hang-midway":
					e.Idle = 2_000 // the first half must arrive before, even on a slow machine
				}
				got := b.ask(e, asking("Hello?"), 0)
				if got.Code != c.code || !strings.Contains(got.Fault, c.says) {
					t.Errorf("it ends with %q: %s", got.Code, got.Fault)
				}
				// A request that ends after 30 milliseconds of silence may not have reached the
				// server; the retries below count it.
				if n := len(b.Requests("r")); n != c.requests && (c.model != "fault-hang" || n > c.requests) {
					t.Errorf("%d requests", n)
				}
				if c.keeps && (got.Text != standin.Begun || got.Usage.Completion == 0 || !strings.Contains(got.Fault, "17 characters, which are kept")) {
					t.Errorf("it keeps %q, %+v: %s", got.Text, got.Usage, got.Fault)
				}
				if c.code == "" && (got.Text == "" || got.Usage.Completion != len(strings.Fields(got.Text))) {
					t.Errorf("the answer is %q, %+v", got.Text, got.Usage)
				}
				if c.code != "" && !c.keeps && (got.Text != "" || got.Usage.Completion != 0 || got.Money != 0) {
					t.Errorf("nothing came, but %q, %+v, %d", got.Text, got.Usage, got.Money)
				}
				if retries := b.retries(); len(retries) != c.requests-1 {
					t.Errorf("%d were said: %+v", len(retries), retries)
				}
				b.noKey()
			})
		}
	}
}

//stile:race
func TestWaitsFollowRetryAfter(t *testing.T) {
	for model, want := range map[string]time.Duration{"fault-429-after": 7 * time.Second, "fault-429-date": 9 * time.Second} {
		b := newBench(t)
		b.ask(b.endpoint(llm.FormatOpenAI, model), asking("Hello?"), 0)
		if !slices.Equal(b.waits, []time.Duration{want, want, want}) {
			t.Errorf("%s: %v", model, b.waits)
		}
	}
	b := newBench(t)
	b.ask(b.endpoint(llm.FormatOpenAI, "fault-429"), asking("Hello?"), 0)
	if len(b.waits) != 3 || b.waits[0] > time.Second || b.waits[1] > 2*time.Second || b.waits[2] > 4*time.Second {
		t.Errorf("%v", b.waits)
	}
	first := slices.Clone(b.waits)
	if b.ask(b.endpoint(llm.FormatOpenAI, "fault-429"), asking("Hello?"), 0); !slices.Equal(first, b.waits) {
		t.Errorf("the same seed waits %v and %v", first, b.waits)
	}
}

func TestEndlessAnswerIsCut(t *testing.T) {
	for _, format := range allFormats {
		b := newBench(t)
		e := b.endpoint(format, "long10mb")
		caps := e.Known()
		e.Capabilities = &caps
		r := asking("Go on.")
		r.MaxTokens = 1 << 24
		got := b.ask(e, r, 0)
		if got.Code != "llm.long" || len(got.Text) < 8<<20 || len(got.Text) > 9<<20 || got.Usage.Completion < 2_000_000 || len(b.Requests("r")) != 1 {
			t.Errorf("%s: %q %s, %d bytes, %+v", format, got.Code, got.Fault, len(got.Text), got.Usage)
		}
	}
}

// A page must not send a header that the preflight of the format rejects.
func TestRequestsPassThePreflight(t *testing.T) {
	b := newBench(t)
	for _, format := range allFormats {
		for _, options := range []string{"cors=on", "cors=off"} {
			e := b.endpoint(format, "echo", options)
			h, err := e.Encode(asking("Hello?"))
			if err != nil {
				t.Fatal(err)
			}
			names := []string{"authorization"}
			if h.AuthHeader != "" {
				names = []string{h.AuthHeader}
			}
			for name := range h.Headers {
				names = append(names, strings.ToLower(name))
			}
			slices.Sort(names)
			request, err := http.NewRequest(http.MethodOptions, h.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Origin", "https://stile.example")
			request.Header.Set("Access-Control-Request-Headers", strings.Join(names, ","))
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			allowed := response.Header.Get("Access-Control-Allow-Origin") == "*"
			for _, name := range names {
				allowed = allowed && strings.Contains(response.Header.Get("Access-Control-Allow-Headers"), name)
			}
			if allowed != (options == "cors=on") {
				t.Errorf("%s %s: %v, %v", format, options, names, response.Header)
			}
		}
	}
}

// The same through the complete core, natively and as the module: each format produces a plan, and
// each fault ends the run with its code.
func TestPlanWithEveryFormatAndFault(t *testing.T) {
	for name, handler := range map[string]host.Handler{"native": host.Native(session.New()), "module": instance(t)} {
		for _, format := range allFormats {
			b := newBench(t)
			plan := func(e llm.Endpoint) (string, *host.CallError) {
				settings, _ := json.Marshal(map[string]any{"model": llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e}})
				outcome, err := b.runner(handler).Run(context.Background(), session.RunStartParams{
					Workspace: session.RunWorkspace{Files: []session.File{{Name: "g.cfg", Text: "S -> a S b | c\n"}}}, Settings: settings, Seed: 3,
				})
				b.show(outcome, fmt.Sprint(err))
				var fault *host.CallError
				if err != nil && !errors.As(err, &fault) {
					t.Fatalf("%s %s: %v", name, format, err)
				}
				return string(outcome.Result), fault
			}
			result, fault := plan(b.endpoint(format, "choice", "cut=5"))
			if fault != nil || !strings.Contains(result, `"word":[`) {
				t.Errorf("%s %s: %s %v", name, format, result, fault)
			}
			for _, c := range faults {
				e := b.endpoint(format, c.model, "cut=11")
				if c.code == "" || strings.HasPrefix(c.model, "fault-hang") {
					continue
				}
				if _, fault := plan(e); fault == nil || fault.Fault.Code != c.code || !strings.Contains(fault.Fault.Message, c.says) {
					t.Errorf("%s %s %s: %+v", name, format, c.model, fault)
				}
			}
			b.noKey()
		}
	}
}
