package host_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/tool/mcp"
	"github.com/stile-playground/stile/core/tool/web"
	"github.com/stile-playground/stile/wasm/host"
	"github.com/stile-playground/stile/wasm/host/toolserver"
)

// ringsAtOnce is a deadline that expires at once in these tests.
const ringsAtOnce = 77_000

// toolbench is a tool server with a host whose short timers expire at once and whose long timers
// never do.
type toolbench struct {
	*toolserver.Server
	t      *testing.T
	url    string
	client *http.Client

	mu    sync.Mutex // timers are begun by several goroutines
	waits []time.Duration
}

func newToolbench(t *testing.T) *toolbench {
	s := toolserver.New()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &toolbench{Server: s, t: t, url: server.URL}
}

// call is a tool call of an agent: the name and the input.
type call struct{ tool, input string }

// run declares tools, connects and makes the calls, in one run. SERVER in the
// declaration is the server's address.
func (b *toolbench) run(declared string, calls ...call) (results []tool.Result, faults []*tool.CallFault, log []process.Answer) {
	b.t.Helper()
	d, found := agenttools.Parse(source.NewFile(agenttools.File, `{"tools":[`+strings.ReplaceAll(declared, "SERVER", b.url)+`]}`))
	found = append(found, d.Load(func(string) (string, bool) {
		return strings.ReplaceAll(toolserver.OpenAPI, "SERVER", "https://nowhere.example"), true
	})...)
	if len(found) > 0 {
		b.t.Fatalf("%s: %+v", declared, found)
	}
	body := func(env *process.Env) (any, error) {
		r := d.Registry()
		var err error
		if faults, err = r.Connect(env); err != nil {
			return nil, err
		}
		for _, c := range calls {
			result, err := r.RunText(env, c.tool, c.input)
			if err != nil {
				return nil, err
			}
			results = append(results, result)
		}
		r.Close(env)
		return "", nil
	}
	b.waits = nil
	runner := &host.Runner{
		Handler: &oneRun{body: body, seed: 1, budget: meter.Budget{}},
		Client:  b.client,
		ToolKey: func(name, _, _ string) string { return map[string]string{"shop": canary}[name] },
		Ask:     func(q process.Question) string { return "I say: " + q.Prompt },
		After: func(d time.Duration) <-chan time.Time {
			rings := make(chan time.Time, 1)
			if d == ringsAtOnce*time.Millisecond {
				rings <- time.Time{}
			} else if d < time.Minute {
				b.mu.Lock()
				b.waits = append(b.waits, d)
				b.mu.Unlock()
				rings <- time.Time{}
			}
			return rings
		},
	}
	outcome, err := runner.Run(context.Background(), session.RunStartParams{})
	if err != nil {
		b.t.Fatalf("%s: %v", declared, err)
	}
	return results, faults, outcome.Log.Answers
}

// messageOf returns the result of one call, or the code and text of its fault.
func messageOf(r tool.Result) string {
	if r.Err != nil {
		return r.Err.Code + ": " + r.Text
	}
	return r.Text
}

// one makes one call of a run.
func (b *toolbench) one(declared, name, input string) string {
	b.t.Helper()
	results, faults, _ := b.run(declared, call{name, input})
	text := messageOf(results[0])
	if len(faults) > 0 {
		text = "connect " + faults[0].Code + ": " + faults[0].Message
	}
	return strings.ReplaceAll(text, strings.TrimPrefix(b.url, "http://"), "HOST")
}

const milhouse = "Milhouse Mussolini Van Houten is a recurring character in The Simpsons. He is Bart's best friend. He has blue hair. He lives in Springfield. He wears red glasses."

// The calls of the transcript that Crouse et al. (2024) print for ReAct.
//
//stile:race
func TestWikipediaSearchMatchesReAct(t *testing.T) {
	b := newToolbench(t)
	for _, step := range []struct {
		name, options string
		calls         []call
		want          []string
	}{
		{"the printed transcript", "", []call{{"Search", "Milhouse"}, {"Lookup", "named after"}, {"Lookup", "named after"}, {"Lookup", "Named After"}}, []string{
			milhouse, "(Result 1 / 2) Milhouse was named after U.S. president Richard Nixon, whose middle name was Milhous.", "(Result 2 / 2) A toy was named after him, too.", "No more results."}},
		{"another text begins anew, and so does another page", "", []call{{"Search", "Milhouse"}, {"Lookup", "bullied"}, {"Lookup", "hair"}, {"Lookup", "bullied"}, {"Search", "High Plains (United States)"}, {"Lookup", "bullied"}, {"Lookup", "elevation"}}, []string{
			milhouse, "(Result 1 / 1) He is often bullied.", "(Result 1 / 1) He has blue hair.", "(Result 1 / 1) He is often bullied.",
			"The High Plains are a subregion of the Great Plains. From east to west, the High Plains rise in elevation from around 1,800 to 7,000 ft (550 to 2,130 m).", `No results for "bullied" in "High Plains (United States)".`,
			"(Result 1 / 1) From east to west, the High Plains rise in elevation from around 1,800 to 7,000 ft (550 to 2,130 m)."}},
		{"titles that are similar", "", []call{{"Search", "Van Houten"}, {"Search", "Zzz"}, {"Search", "High Plains"}, {"Search", "Mercury"}, {"Search", "Unmarked"}}, []string{
			"Could not find Van Houten. Similar: ['Milhouse Van Houten'].", "Could not find Zzz. Nothing similar was found.", "Could not find High Plains. Similar: ['High Plains (United States)'].",
			"Could not find Mercury. Similar: ['Mercury (planet)'].", "Could not find Unmarked. Nothing similar was found."}},
		{"a title in another case", "", []call{{"Search", "mercury (PLANET)"}}, []string{"Mercury is the first planet from the Sun. It is small."}},
		{"no page, no look-up; a page stays open when another is not found", "", []call{{"Lookup", "x"}, {"Search", "Milhouse"}, {"Search", "Zzz"}, {"Lookup", "glasses"}}, []string{
			"tool.lookup: Error: no page has been found yet; call Search first", milhouse, "Could not find Zzz. Nothing similar was found.", "(Result 1 / 1) He wears red glasses."}},
		{"odd titles", "", []call{{"Search", "a|b"}, {"Search", "<script>"}, {"Search", "Empty"}, {"Search", `"Milhouse"`}, {"Search", ""}, {"Search", strings.Repeat("x", 400)}}, []string{
			"Could not find a|b. Nothing similar was found.", "Could not find <script>. Nothing similar was found.", `The page "Empty" has no text.`, milhouse,
			"tool.arguments: Error: arguments.entity: has fewer than 1 characters; it has 0", "tool.arguments: Error: arguments.entity: has more than 300 characters; it has 400"}},
		{"a wiki without plain texts", "mode=plain", []call{{"Search", "Milhouse"}, {"Lookup", "named"}}, []string{
			"Milhouse Mussolini Van Houten is a recurring character in The Simpsons. He is Bart's best friend. Creation Milhouse was named after U.S. president Richard Nixon, whose middle name was Milhous.",
			"(Result 1 / 1) Milhouse was named after U.S. president Richard Nixon, whose middle name was Milhous."}},
	} {
		t.Run(step.name, func(t *testing.T) {
			b.t = t
			results, _, _ := b.run(`{"wikipedia":{"api":"SERVER/~`+step.options+`/wiki/api.php"}}`, step.calls...)
			for i, r := range results {
				if got := messageOf(r); got != step.want[i] {
					t.Errorf("%v: %s, want %s", step.calls[i], got, step.want[i])
				}
			}
		})
	}
}

func TestEveryServerFaultIsReported(t *testing.T) {
	b := newToolbench(t)
	for _, kind := range []struct{ declared, tool, input, well string }{
		{`{"wikipedia":{"api":"SERVER/~RUN/wiki/api.php"}}`, "Search", "Mercury (planet)", "Mercury is the first planet from the Sun. It is small."},
		{`{"http":{"file":"api.json","server":"SERVER/~RUN/api","idle":1000}}`, "getPet", "7", `{"method":"GET","path":"/pets/7","query":"","trace":"","type":"","body":""}`},
	} {
		isWiki := kind.tool == "Search"
		for fault, want := range map[string]string{
			"none": kind.well, "500-once": kind.well, "503-once": kind.well, "429-once": kind.well, "redirect": kind.well,
			"401": `tool.key: Error: HOST denies access (status 401): {"error":"a fault of status 401"}`, "404": `tool.status: Error: HOST answered with status 404: {"error":"a fault of status 404"}`,
			"500": `tool.status: Error: HOST answered with status 500: {"error":"a fault of status 500"}`, "503": `tool.status: Error: HOST answered with status 503: {"error":"a fault of status 503"}`,
			"429": `tool.rate: Error: HOST limits the rate of requests (status 429): {"error":"too many requests"}`, "429-later": `tool.rate: Error: HOST limits the rate of requests (status 429): {"error":"come back in an hour"}`,
			"garbage": `?tool.answer: Error: expected the answer of a wiki from HOST, got (an answer of type "application/json", which is not text)|(an answer of type "application/json", which is not text)`,
			"html":    "?tool.answer: Error: expected the answer of a wiki from HOST, got Welcome Please sign in.|Welcome\nPlease sign in.",
			"empty":   "?tool.answer: Error: expected the answer of a wiki from HOST, got nothing|(status 200, empty answer)",
			"loop":    "tool.moved: Error: HOST redirects (status 302): ", "elsewhere": "tool.moved: Error: HOST redirects (status 301): ftp://elsewhere.example/; change the tool's address to it",
			"huge":   "?tool.long: Error: the answer of HOST was cut off after 4.2 MB|A sentence of the greatest length. A sentence",
			"cut":    "tool.cut: Error: HOST could not be reached: the connection broke off: unexpected EOF",
			"binary": `?tool.answer: Error: expected the answer of a wiki from HOST, got (an answer of type "image/png", which is not text)|(an answer of type "image/png", which is not text)`,
		} {
			t.Run(kind.tool+" "+fault, func(t *testing.T) {
				b.t = t
				if two, ok := strings.CutPrefix(want, "?"); ok {
					wiki, api, _ := strings.Cut(two, "|")
					if want = api; isWiki {
						want = wiki
					}
				}
				options := "fault=" + fault + ",run=" + kind.tool + fault
				if fault == "none" {
					options = "run=none"
				}
				if got := b.one(strings.ReplaceAll(kind.declared, "RUN", options), kind.tool, kind.input); !strings.HasPrefix(got, want) || want == "" || strings.HasPrefix(want, "{") && got != want {
					t.Errorf("%s, want %s", got, want)
				}
				if n := len(b.Requests(kind.tool + fault)); n > 5 {
					t.Errorf("%d requests", n)
				}
				if fault == "huge" && !isWiki {
					results, _, _ := b.run(strings.ReplaceAll(kind.declared, "RUN", options), call{kind.tool, kind.input})
					if r := results[0]; r.Left < 4_000_000 || len(r.Text) > tool.DefaultLimit+40 || !strings.HasSuffix(r.Text, "… (4.2 MB more left out)") {
						t.Errorf("%d left, %q", r.Left, r.Text[len(r.Text)-60:])
					}
				}
			})
		}
	}
	t.Run("waits", func(t *testing.T) {
		b.t = t
		b.one(`{"wikipedia":{"api":"SERVER/~fault=429-once,run=waits/wiki/api.php"}}`, "Search", "Mercury (planet)")
		if len(b.waits) != 1 || b.waits[0] != 2*time.Second {
			t.Errorf("%v", b.waits)
		}
	})
	t.Run("nobody is there", func(t *testing.T) {
		b.t = t
		if got := b.one(`{"wikipedia":{"api":"http://127.0.0.1:1/api.php"}}`, "Search", "x"); !strings.HasPrefix(got, "tool.network: Error: 127.0.0.1:1 could not be reached: ") || len(b.waits) != 2 {
			t.Error(got, b.waits)
		}
	})
}

//stile:race
func TestSilentServerTimesOut(t *testing.T) {
	b := newToolbench(t)
	body := func(env *process.Env) (any, error) {
		search, _ := web.NewWikipedia(web.Wikipedia{Remote: web.Remote{URL: b.url + "/~fault=hang/wiki/api.php", Idle: 20}})
		_, err := search.Call(env, []byte(`{"entity":"x"}`))
		var fault *tool.CallFault
		if !errors.As(err, &fault) || fault.Code != "tool.timeout" || !strings.HasSuffix(fault.Message, "could not be reached: no data arrived for too long; try again later or ask for less") {
			t.Errorf("%v", err)
		}
		return "", nil
	}
	runner := &host.Runner{Handler: &oneRun{body: body, seed: 1}, After: func(time.Duration) <-chan time.Time {
		rings := make(chan time.Time, 1)
		rings <- time.Time{}
		return rings
	}}
	if _, err := runner.Run(context.Background(), session.RunStartParams{}); err != nil {
		t.Fatal(err)
	}
}

func TestOpenAPIDescriptionBecomesTools(t *testing.T) {
	b := newToolbench(t)
	const declared = `{"http":{"file":"api.json","server":"SERVER/~run=api,key=` + canary + `/api/","auth":"shop","authHeader":"x-api-key"}}`
	for _, c := range []struct{ tool, input, want string }{
		{"listPets", "cat", `{"method":"GET","path":"/pets","query":"kind=cat","trace":"","type":"","body":""}`},
		{"list_pets", `{"kind":"dog","tags":["a&b","ü c"],"where":{"age":3,"name":"x]y"},"limit":5,"X-Trace":"t1"}`, `{"method":"GET","path":"/pets","query":"kind=dog&tags=a%26b&tags=%C3%BC%20c&where%5Bage%5D=3&where%5Bname%5D=x%5Dy&limit=5","trace":"t1","type":"","body":""}`},
		{"listPets", "bird", `tool.arguments: Error: arguments.kind: must be one of: "cat", "dog"`},
		{"listPets", `{"kind":"cat","limit":0}`, `tool.arguments: Error: arguments.limit: must be at least 1; it is 0`},
		{"listPets", `{"kind":"cat","X-Trace":"a\r\nHost: b"}`, `tool.arguments: Error: arguments.X-Trace: a header may only contain printable ASCII characters`},
		{"getPet", "a/b?c#d", `{"method":"GET","path":"/pets/a%2Fb%3Fc%23d","query":"","trace":"","type":"","body":""}`},
		{"getPet", "..", `tool.arguments: Error: arguments.id: ".." cannot be part of a path`},
		{"getPet", "none", `tool.status: Error: HOST answered with status 404: {"message":"there is no such pet"}`},
		{"addPet", "Rex", `{"method":"POST","path":"/pets","query":"","trace":"","type":"application/json","body":"{\"name\":\"Rex\"}"}`},
		{"addPet", `{"name":"Rex","age":"old"}`, `tool.arguments: Error: arguments.age: is a string; expected an integer`},
		{"changePet", `{"id":"7","body":{"name":"Max"}}`, `{"method":"PUT","path":"/pets/7","query":"","trace":"","type":"application/json","body":"{\"name\":\"Max\"}"}`},
		{"changePet", `{"id":"7","body":{}}`, `tool.arguments: Error: arguments.body.name: is missing`},
		{"changePet", `7`, `tool.arguments: Error: changePet takes a JSON object: {"id": …, "body": …}`},
		{"removePet", `7`, `(status 204, empty answer)`},
		{"sendForm", `{"a":"x y&z","b":[1,2]}`, `{"method":"POST","path":"/form","query":"","trace":"","type":"application/x-www-form-urlencoded","body":"a=x%20y%26z&b=1&b=2"}`},
	} {
		if got := b.one(declared, c.tool, c.input); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.tool, c.input, got, c.want)
		}
	}
	_, _, log := b.run(strings.Replace(declared, `"auth":"shop"`, `"auth":"other"`, 1), call{"getPet", "7"})
	raw, err := json.Marshal(log)
	if err != nil || strings.Contains(string(raw), canary) || !strings.Contains(string(raw), `"code":"consent"`) {
		t.Errorf("%s, %v", raw, err)
	}
	for _, r := range b.Requests("api") {
		if r.Headers.Get("Authorization") != "" {
			t.Errorf("the key is in two headers: %v", r.Headers)
		}
	}
}

//stile:race
func TestMCPRepliesInEveryForm(t *testing.T) {
	for _, options := range []string{"", "mode=nosession", "mode=pages", "mode=batch", "mode=sse", "mode=sse,cut=1", "mode=sse+noisy", "mode=sse+noisy,cut=1", "mode=sse+break", "mode=forget", "mode=forget+sse", "mode=forget+refuses", "key=" + canary, "mode=modern", "mode=modern+pages", "mode=modern+sse,cut=1", "mode=modern+sse+noisy", "mode=modern,key=" + canary} {
		t.Run(options, func(t *testing.T) {
			b := newToolbench(t)
			results, faults, _ := b.run(`{"mcp":{"url":"SERVER/~`+options+`/mcp","auth":"shop"}}`,
				call{"echo", "Grüße 🌍"}, call{"add", `{"a":2,"b":0.5}`}, call{"add", `{"a":2}`}, call{"fail", ""}, call{"refuse", ""}, call{"mixed", ""}, call{"structured", ""}, call{"bare", ""}, call{"long", ""}, call{"Echo", `{"message":"again"}`})
			if len(faults) > 0 {
				t.Fatalf("%+v", faults[0])
			}
			for i, want := range []string{
				"You said: Grüße 🌍", "2.5", "tool.arguments: Error: arguments.b: is missing", "tool.failed: Error: the disk is full", "tool.remote: Error: HOST reports error -32602: Unknown tool: refuse",
				"seen\n(image of type image/png, 3 KB, which is not text)\nnotes file:///notes\ninside\n(a part of type \"odd\")", `{"answer":[1,2]}`, "(nothing)", "many words", "You said: again",
			} {
				got := strings.ReplaceAll(messageOf(results[i]), strings.TrimPrefix(b.url, "http://"), "HOST")
				if want == "many words" && strings.HasPrefix(got, want) && results[i].Left > 10_000 {
					continue
				}
				if got != want {
					t.Errorf("%d: %.200s, want %s", i, got, want)
				}
			}
			if n := b.Sessions(); n != 0 && options != "mode=nosession" {
				t.Errorf("%d sessions are left open", n)
			}
		})
	}
	t.Run("tools are chosen and named", func(t *testing.T) {
		b := newToolbench(t)
		results, faults, _ := b.run(`{"mcp":{"url":"SERVER/mcp","prefix":"m_","only":["echo","none"],"limit":200}},{"person":{}}`, call{"m_echo", strings.Repeat("long ", 100)}, call{"add", "1"}, call{"Ask", "Why?"})
		if len(faults) != 1 || !strings.HasSuffix(faults[0].Message, "the server has no tool none") || results[0].Left == 0 || len(results[0].Text) > 240 || messageOf(results[2]) != "I say: Why?" {
			t.Errorf("%+v, %+v", faults, results)
		}
		if got := messageOf(results[1]); got != `tool.unknown: Error: unknown tool "add" (expected Ask, m_echo)` {
			t.Error(got)
		}
	})
	t.Run("a stateless server gets no replies", func(t *testing.T) {
		b := newToolbench(t)
		b.run(`{"mcp":{"url":"SERVER/~mode=modern+sse+noisy,run=stateless/mcp"}}`, call{"echo", "x"})
		var sent []string
		for _, r := range b.Requests("stateless") {
			sent = append(sent, r.Method+" "+r.Headers.Get("Mcp-Method")+" "+r.Headers.Get("Mcp-Name"))
		}
		if got := strings.Join(sent, ", "); got != "POST server/discover , POST tools/list , POST tools/call echo" {
			t.Error(got)
		}
	})
	t.Run("what a server asks is answered", func(t *testing.T) {
		b := newToolbench(t)
		b.run(`{"mcp":{"url":"SERVER/~mode=sse+noisy,run=asks/mcp"}}`, call{"echo", "x"})
		said := ""
		for _, r := range b.Requests("asks") {
			if !strings.Contains(r.Body, `"method":"tools`) && !strings.Contains(r.Body, `"method":"init`) && !strings.Contains(r.Body, `"method":"server`) {
				said += r.Body + "\n"
			}
		}
		for _, want := range []string{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":"p1","result":{}}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,`} {
			if !strings.Contains(said, want) {
				t.Errorf("%s is not in %s", want, said)
			}
		}
	})
}

func TestEveryMCPFaultIsReported(t *testing.T) {
	for options, want := range map[string]string{
		"mode=old":           "connect tool.protocol: HOST: unsupported revision 2023-01-01 of MCP (expected 2026-07-28, 2025-06-18, 2025-11-25, 2025-03-26, 2024-11-05)",
		"mode=future":        "connect tool.protocol: HOST: unsupported revision 2031-01-01 of MCP (expected 2026-07-28, 2025-06-18, 2025-11-25, 2025-03-26, 2024-11-05)",
		"mode=modern":        "You said: x",
		"mode=endless":       "connect tool.long: HOST: the list of tools has too many pages",
		"mode=notools":       "connect tool.remote: HOST reports error -32601: Method not found",
		"fault=401":          `connect tool.key: HOST denies access (status 401): {"error":"a fault of status 401"}`,
		"fault=404":          `connect tool.status: HOST answered with status 404: {"error":"a fault of status 404"}; expected an MCP server over streamable HTTP, whose path is often /mcp`,
		"fault=500":          `connect tool.status: HOST answered with status 500: {"error":"a fault of status 500"}`,
		"fault=garbage":      "connect tool.protocol: HOST did not answer the request",
		"fault=html":         "connect tool.answer: expected the answer of an MCP server from HOST, got Welcome Please sign in.",
		"fault=empty":        "connect tool.protocol: HOST did not answer the request",
		"fault=redirect":     "connect tool.moved: HOST redirects (status 302): ",
		"fault=huge":         "connect tool.long: the answer of HOST was cut off after 8.4 MB",
		"fault=cut":          "connect tool.cut: HOST could not be reached: ",
		"fault=hang":         "connect tool.timeout: HOST did not answer within 77 seconds",
		"mode=amnesia":       "tool.protocol: Error: HOST lost two sessions in a row",
		"mode=sse+breaks":    "tool.network: Error: HOST could not be reached: ",
		"mode=nosession":     "You said: x",
		"mode=sse+nosession": "You said: x",
	} {
		t.Run(options, func(t *testing.T) {
			b := newToolbench(t)
			deadline := ""
			if options == "fault=hang" {
				deadline = `,"deadline":77000`
			}
			if got := b.one(`{"mcp":{"url":"SERVER/~`+options+`/mcp"`+deadline+`}}`, "echo", "x"); !strings.HasPrefix(strings.ReplaceAll(got, "\n", " "), want) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// A server that keeps a call open with comments is ended by the deadline.
//
//stile:race
func TestMCPCallEndsAtItsDeadline(t *testing.T) {
	b := newToolbench(t)
	body := func(env *process.Env) (any, error) {
		// The session begins without a deadline; its tools are called with a short one.
		tools, err := mcp.Connect(env, mcp.Server{Remote: web.Remote{URL: b.url + "/~mode=sse+silent/mcp"}})
		if err != nil {
			return nil, err
		}
		_, err = tools[0].Call(env, []byte(`{"message":"x"}`))
		var fault *tool.CallFault
		if !errors.As(err, &fault) || fault.Code != "tool.timeout" || !fault.Transient {
			t.Errorf("%v", err)
		}
		return "", nil
	}
	called := make(chan time.Time)
	runner := &host.Runner{
		Handler: &oneRun{body: body, seed: 1, budget: meter.Budget{}},
		Client:  &http.Client{Transport: &watching{text: `"tools/call"`, seen: called}},
		// The timers of earlier requests have expired by then and are ignored.
		After: func(time.Duration) <-chan time.Time { return called },
	}
	if _, err := runner.Run(context.Background(), session.RunStartParams{}); err != nil {
		t.Fatal(err)
	}
}

// watching closes a channel when a request contains a text.
type watching struct {
	text string
	seen chan time.Time
	once sync.Once
}

// RoundTrip implements [http.RoundTripper].
func (w *watching) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if strings.Contains(string(body), w.text) {
		w.once.Do(func() { close(w.seen) })
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultTransport.RoundTrip(r)
}

// agentFiles are a workspace whose agent has a tool of every kind.
func agentFiles(url string) session.RunWorkspace {
	return session.RunWorkspace{Files: []session.File{
		{Name: "all.agent", Text: `(define all-agent
  (:states
    (Ques (:text "[Question]"))
    (Act (:text "[Action]"))
    (Act-Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next Act Act-Inp Obs) Ans))))
`},
		{Name: agenttools.File, Text: strings.ReplaceAll(`{"tools":[{"calculator":{}},{"wikipedia":{"api":"SERVER/wiki/api.php"}},{"http":{"file":"api.json","server":"SERVER/api","only":["getPet"]}},{"mcp":{"url":"SERVER/~mode=sse+noisy/mcp","prefix":"remote_","only":["add"]}},{"person":{"name":"Ask"}}]}`, "SERVER", url)},
		{Name: "api.json", Text: toolserver.OpenAPI},
	}}
}

//stile:race
func TestAgentCallsToolsNativelyAndInTheModule(t *testing.T) {
	s := toolserver.New()
	server := httptest.NewServer(s)
	defer server.Close()
	steps := []struct{ tool, input, want string }{
		{"Calculator", "(48 / 2 + 48) * 1,000", "72000"}, {"Calculator", "1/0", "division by zero"}, {"Search", "Milhouse", "recurring character"}, {"lookup", "named after", "(Result 1 / 2) Milhouse was named after U.S. president"},
		{"getPet", "7", `"path":"/pets/7"`}, {"getPet", "none", "there is no such pet"}, {"remote_add", `{"a": 1, "b": 2}`, "3"}, {"Ask", "Why?", "Because."}, {"Fly", "away", "unknown tool"},
	}
	var script []string
	for _, step := range steps {
		script = append(script, "[Action] "+step.tool+"\n[Action Input] "+step.input+"\n[Observation]")
	}
	settings, err := json.Marshal(map[string]any{
		"question": "What can you do?", "environment": "tools", "maxSteps": 100, "model": llm.Spec{Kind: llm.KindScripted, Script: append(script, "[Answer] All of it.")},
	})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]string{}
	for name, handler := range map[string]host.Handler{"native": host.Native(session.New()), "module": instance(t)} {
		runner := &host.Runner{Handler: handler, Ask: func(process.Question) string { return "Because." }}
		outcome, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunMonitor, Workspace: agentFiles(server.URL), Settings: settings})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		results[name] = string(outcome.Result)
		var transcript struct {
			Segments []struct{ State, Text string }
		}
		if err := json.Unmarshal(outcome.Result, &transcript); err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, segment := range transcript.Segments {
			if segment.State == "Obs" {
				seen = append(seen, segment.Text)
			}
		}
		if len(seen) != len(steps) {
			t.Fatalf("%s: %q", name, seen)
		}
		for i, step := range steps {
			if !strings.Contains(seen[i], step.want) {
				t.Errorf("%s, %s: %s, want %s", name, step.tool, seen[i], step.want)
			}
		}
		if n := s.Sessions(); n != 0 {
			t.Errorf("%s leaves %d sessions open", name, n)
		}
	}
	if results["native"] != results["module"] {
		t.Errorf("the module: %s\nnatively: %s", results["module"], results["native"])
	}
}
