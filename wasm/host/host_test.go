package host_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/infer"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/grammars"
	"github.com/stile-playground/stile/wasm/host"
)

// built compiles both modules once for all tests; if the build tool did not provide them (see
// modulesEnv), it builds them.
var (
	built = sync.OnceValues(func() (*host.Module, error) { return buildModule("full") })
	first = sync.OnceValues(func() (*host.Module, error) { return buildModule("core") })
)

// The environment variables with the folder of the modules that the build tool made,
// which are those that the page fetches, and with that of compiled code.
const (
	modulesEnv = "STILE_MODULES"
	cacheEnv   = "STILE_WAZERO_CACHE"
)

func buildModule(name string) (*host.Module, error) {
	options := host.Options{CacheDir: os.Getenv(cacheEnv)}
	if made := os.Getenv(modulesEnv); made != "" {
		module, err := os.ReadFile(filepath.Join(made, "stile-"+name+".wasm"))
		if err != nil {
			return nil, err
		}
		return host.Compile(context.Background(), module, options)
	}
	dir, err := os.MkdirTemp("", "stile-module-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "stile.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", file, "../"+name)
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return host.Compile(context.Background(), module, options)
}

func module(t testing.TB) *host.Module {
	t.Helper()
	m, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The build tool runs this test before all others, so that they find compiled code in the cache.
func TestModulesCompile(t *testing.T) {
	module(t)
	firstModule(t)
}

func instance(t testing.TB) *host.Instance {
	i := module(t).Instance(nil)
	t.Cleanup(func() {
		if err := i.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return i
}

// benchmarks returns requests for the scores of plans and calls.
func benchmarks(t *testing.T, add func(method string, params any)) {
	var texts []string
	for _, name := range grammars.RecordFiles() {
		text, err := grammars.Records(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	var queries []map[string]any
	if err := json.Unmarshal([]byte(texts[1]), &queries); err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		plan, err := json.Marshal(q["annotated_plan"])
		if err != nil {
			t.Fatal(err)
		}
		for _, extra := range []string{"index", "annotated_plan", "expected"} {
			delete(q, extra)
		}
		params := map[string]any{"data": texts[:1], "query": q, "plan": string(plan)}
		add("travel.check", params)
		add("travel.itinerary", params)
		add("travel.team", params)
	}
	add("apibank.call", map[string]any{"tasks": texts[2], "text": "[ToolSearcher(keywords='weather reports')] [Teleport()]"})
	add("apibank.score", map[string]any{"tasks": texts[2], "transcripts": []map[string]any{{"sample_id": 3, "response": "The weather is fine."}}})
}

// gates adds requests of compiled guards.
func gates(t *testing.T, add func(method string, params any)) {
	t.Helper()
	files := []session.File{{Name: "g.cfg", Text: "S -> a S b | c"}, {Name: "p.ltl", Text: "calm: G(a -> X !c)"}, {Name: "r.rules", Text: "once: a(x: ?x) -> !previous once a(x: ?x)"},
		{Name: "t.mcp.json", Text: `{"tools":[{"name":"c","inputSchema":{"required":["y"]}}]}`}, {Name: "s.agent", Text: `(define s (:states (a (:text "[a]") (:one-of "x")) (c (:text "[c]"))) (:behavior (until a c)))`}}
	file, err := compile.Compile(language.Table(), files, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := compile.Text(file)
	if err != nil {
		t.Fatal(err)
	}
	add("guard.compile", session.GuardCompileParams{Files: files})
	add("guard.compile", session.GuardCompileParams{Files: files[1:2]})
	add("guard.decide", session.GuardDecideParams{Guard: text, Operations: []session.GuardOperation{
		{Op: "allow", Event: `{"name":"a","arguments":{"x":1,"password":"p"}}`}, {Op: "allow", Event: `{"name":"a","arguments":{"x":1.0}}`}, {Op: "allow", Event: `{"name":"c"}`},
		{Op: "feed", Event: `{"content":"[a"}`}, {Op: "feed", Event: `{"content":"] y"}`}, {Op: "discard"}, {Op: "end"},
	}})
	add("guard.decide", session.GuardDecideParams{Guard: text, State: "{}"})
}

// learning adds requests of specs from runs.
func learning(add func(method string, params any)) {
	text := `{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"assistant","content":"a"}]}`
	add("infer.runs", session.InferRunsParams{Traces: []backtest.Part{{Name: "a.json", Text: text}, {Name: "b.json", Text: `{"messages":`}}})
	steps := []string{infer.User, "look", "look", infer.Answer}
	var runs []infer.Run
	for n := range 12 {
		runs = append(runs, infer.Run{Name: fmt.Sprint(n), Steps: append(slices.Clone(steps[:1+n%3]), infer.Answer), Failed: n%3 == 2})
	}
	for _, refuse := range [][][]string{nil, {{infer.User, "look", infer.Answer}}} {
		add("infer.spec", session.InferSpecParams{Runs: runs, Refuse: refuse})
	}
	add("infer.properties", session.InferPropertiesParams{Runs: runs})
	const one, two = "(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until A B)))", "(define a (:states (A (:text \"[A]\"))) (:behavior A))"
	add("infer.ask", session.InferAskParams{Left: one, Right: two})
}

// requests returns requests of every method, valid and invalid, and those of the
// conformance data. Without -long they are the first of each method and one in three of the others.
func requests(t *testing.T) []string {
	const first, oneIn = 12, 4
	all := allRequests(t)
	if os.Getenv("STILE_LONG") != "" {
		return all
	}
	counts := map[string]int{}
	return slices.DeleteFunc(all, func(request string) bool {
		var r struct{ Method string }
		_ = json.Unmarshal([]byte(request), &r) // some are no JSON
		counts[r.Method]++
		n := counts[r.Method]
		return n > first && n%oneIn != 0
	})
}

// caseStep returns the distance between the cases of a list that are tried: 1 with -long, otherwise n.
func caseStep(n int) int {
	if os.Getenv("STILE_LONG") != "" {
		return 1
	}
	return n
}

func allRequests(t *testing.T) []string {
	var out []string
	add := func(method string, params any) {
		raw, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, len(out), method, raw))
	}
	for _, m := range session.Methods() {
		add(m.Name, map[string]any{})
		add(m.Name, map[string]any{"unknown": 1})
	}
	out = append(out, ``, `{`, "\xff", `{"method":"nope"}`, `null`)
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		for _, f := range e.Files {
			add("document.analyze", session.DocumentParams{Files: e.Files, Name: f.Name})
			add("document.format", session.DocumentFormatParams{Name: f.Name, Text: f.Text})
			add("language.folds", session.DocumentFormatParams{Name: f.Name, Text: f.Text})
			for at := 3; at < min(len(f.Text), 1_000); at += 397 {
				for _, method := range []string{"language.complete", "language.find", "language.hover"} {
					add(method, session.LanguagePlaceParams{Files: e.Files, Name: f.Name, At: at})
				}
				add("language.rename", session.LanguageRenameParams{Files: e.Files, Name: f.Name, At: at, To: "another"})
			}
			add("document.analyze", session.DocumentParams{Files: []session.File{{Name: f.Name, Text: f.Text[:len(f.Text)*2/3]}}, Name: f.Name})
		}
		for _, w := range e.Words {
			add("step.walk", session.StepWalkParams{Files: e.Files, Name: e.Main, Word: w.Word})
		}
		add("tests.run", session.TestsRunParams{Files: e.Files})
		for _, word := range [][]string{nil, {"Task", "Tht"}} {
			add("tests.add", session.TestsAddParams{Files: e.Files, Spec: e.Main, Form: "word", Word: word})
		}
		add("share.encode", session.ShareEncodeParams{Files: e.Files})
		for seed := range uint64(3) {
			add("run.start", session.RunStartParams{
				Workspace: session.RunWorkspace{Files: e.Files, Name: e.Main}, Seed: seed,
				Settings: []byte(`{"model":{"kind":"rambler","errorRate":0.5}}`),
			})
		}
	}
	learning(add)
	gates(t, add)
	benchmarks(t, add)
	for run := 1; run <= 9; run++ {
		for range 3 {
			add("run.resume", session.RunResumeParams{Run: run})
		}
		add("run.log", session.RunParams{Run: run})
	}
	for _, data := range []struct{ file, method, source string }{
		{"cfg.jsonl", "grammar.next", "grammar"}, {"agentspec.jsonl", "agent.check", "spec"},
	} {
		f, err := os.Open(filepath.Join("..", "..", "core", "testdata", data.file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var r map[string]any
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if data.method == "agent.check" {
				add(data.method, map[string]any{"source": r[data.source]})
				continue
			}
			prefixes, _ := r["prefixes"].([]any)
			for _, p := range prefixes {
				add(data.method, map[string]any{"source": r[data.source], "start": r["start"], "prefix": p.(map[string]any)["prefix"]})
			}
			add("grammar.check", map[string]any{"source": r[data.source], "start": r["start"]})
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestModuleAndNativeCoreAreByteEqual(t *testing.T) {
	ctx := context.Background()
	native, wasm := host.Native(session.New()), instance(t)
	list := requests(t)
	for _, request := range list {
		want, err := native.Handle(ctx, []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		got, err := wasm.Handle(ctx, []byte(request))
		if err != nil {
			t.Fatalf("%.300s: %v", request, err)
		}
		if string(got) != string(want) {
			t.Fatalf("%.300s:\nnative %.600s\nmodule %.600s", request, want, got)
		}
	}
	t.Logf("%d requests", len(list))
}

// Sessions share no mutable state, which the race detector confirms.
//
//stile:race
func TestConcurrentSessionsAgree(t *testing.T) {
	var some []string
	for i, request := range allRequests(t) {
		if i%53 == 0 {
			some = append(some, request)
		}
	}
	ask := func() (answers []string, err error) {
		native := host.Native(session.New())
		for _, request := range some {
			answer, err := native.Handle(context.Background(), []byte(request))
			if err != nil {
				return nil, err
			}
			answers = append(answers, string(answer))
		}
		return answers, nil
	}
	want, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			got, err := ask()
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("a session beside others answers otherwise, %v", err)
			}
		})
	}
	group.Wait()
}

func TestMillionParenthesesAreHarmless(t *testing.T) {
	ctx, wasm := context.Background(), instance(t)
	for _, name := range []string{"a.agent", "a.cfg"} {
		var out session.DocumentAnalyzeResult
		params := session.DocumentParams{Files: []session.File{{Name: name, Text: strings.Repeat("(", 1<<20)}}, Name: name}
		if err := host.Call(ctx, wasm, "document.analyze", params, &out); err != nil || len(out.Diagnostics) != 1 {
			t.Errorf("%s: %v, %d diagnostics", name, err, len(out.Diagnostics))
		}
	}
}

// trapping is a module with all exports whose handle traps.
var trapping = []byte{
	0, 'a', 's', 'm', 1, 0, 0, 0,
	1, 19, 4, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7f, 0, 0x60, 2, 0x7f, 0x7f, 1, 0x7e,
	3, 5, 4, 0, 1, 2, 3,
	5, 3, 1, 0, 1,
	7, 58, 6, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0, 11, '_', 'i', 'n', 'i', 't', 'i', 'a', 'l', 'i', 'z', 'e', 0, 0,
	5, 'a', 'l', 'l', 'o', 'c', 0, 1, 4, 'f', 'r', 'e', 'e', 0, 2, 6, 'h', 'a', 'n', 'd', 'l', 'e', 0, 3, 7, 'c', 'o', 'l', 'l', 'e', 'c', 't', 0, 0,
	10, 16, 4, 2, 0, 0x0b, 4, 0, 0x41, 16, 0x0b, 2, 0, 0x0b, 3, 0, 0x00, 0x0b,
}

func TestTrappedInstanceIsReplaced(t *testing.T) {
	ctx := context.Background()
	m, err := host.Compile(ctx, trapping, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(ctx)
	i := m.Instance(nil)
	for range 2 {
		_, err := i.Handle(ctx, []byte(`{}`))
		var trap *host.TrapError
		if !errors.As(err, &trap) || !strings.Contains(err.Error(), "unreachable") {
			t.Fatalf("got %v", err)
		}
	}
}

// server is a chat completions endpoint that always returns text, a few bytes at a time.
func server(t *testing.T, text string, seen func(*http.Request)) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen(r)
		w.Header().Set("Content-Type", "text/event-stream")
		body := ""
		for _, c := range text {
			quoted, _ := json.Marshal(string(c))
			body += `data: {"choices":[{"delta":{"content":` + string(quoted) + "}}]}\n\n"
		}
		body += "data: [DONE]\n\n"
		for len(body) > 0 {
			n := min(7, len(body))
			if _, err := w.Write([]byte(body[:n])); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			body = body[n:]
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func endpointRun(url string) session.RunStartParams {
	settings, _ := json.Marshal(map[string]any{"model": map[string]any{
		"kind": "endpoint", "endpoint": map[string]string{"name": "test", "url": url, "model": "m"},
	}})
	return session.RunStartParams{
		Workspace: session.RunWorkspace{Files: []session.File{{Name: "g.cfg", Text: "S -> a S b | ε\n"}}}, Settings: settings,
	}
}

//stile:race
func TestRunReplaysWithoutItsEndpoint(t *testing.T) {
	ctx := context.Background()
	var keys []string
	s := server(t, "é: 2", func(r *http.Request) { keys = append(keys, r.Header.Get("Authorization")) })
	var events []string
	runner := host.Runner{
		Handler: instance(t),
		Key:     func(name, _ string) string { return "secret-of-" + name },
		Event:   func(e json.RawMessage) { events = append(events, string(e)) },
	}
	params := endpointRun(s.URL)
	outcome, err := runner.Run(ctx, params)
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) != 1 || keys[0] != "Bearer secret-of-test" {
		t.Errorf("the endpoint saw %v", keys)
	}
	var plan struct{ Word []string }
	if json.Unmarshal(outcome.Result, &plan) != nil || len(plan.Word) != 0 {
		t.Errorf("the result is %s", outcome.Result)
	}
	log, _ := json.Marshal(outcome.Log)
	if strings.Contains(string(log), "secret-of") || !strings.Contains(strings.Join(events, ""), "é: 2") {
		t.Errorf("log %s\nevents %s", log, events)
	}
	s.Close()
	again, err := (&host.Runner{Handler: host.Native(session.New())}).Run(ctx, session.RunStartParams{Workspace: params.Workspace, Log: &outcome.Log})
	if err != nil || string(again.Result) != string(outcome.Result) {
		t.Errorf("the replay: %s, %v", again.Result, err)
	}
}

//stile:race
func TestCancelledRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		// A server detects an abort only after it has read the complete request.
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	}))
	defer s.Close()
	runner := host.Runner{Handler: host.Native(session.New())}
	if _, err := runner.Run(ctx, endpointRun(s.URL)); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("got %v", err)
	}
}

func TestQuestionWithoutPersonEndsRun(t *testing.T) {
	params := endpointRun("http://x")
	params.Settings = []byte(`{"model":{"kind":"person"}}`)
	runner := host.Runner{Handler: host.Native(session.New())}
	if _, err := runner.Run(context.Background(), params); err == nil || !strings.Contains(err.Error(), "question") {
		t.Errorf("got %v", err)
	}
	runner.Ask = func(process.Question) string { return "2" }
	if _, err := runner.Run(context.Background(), params); err != nil {
		t.Errorf("with a person: %v", err)
	}
}

//stile:race
func TestUnreachableEndpointIsReported(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	address := s.URL
	s.Close()
	_, err := (&host.Runner{Handler: host.Native(session.New())}).Run(context.Background(), endpointRun(address))
	if err == nil || !strings.Contains(err.Error(), "request to the endpoint failed") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkNextUnderWazero(b *testing.B) {
	ctx, i := context.Background(), instance(b)
	request := []byte(`{"id":1,"method":"grammar.next","params":{"source":"S -> a S b | ε","prefix":["a","a"]}}`)
	for b.Loop() {
		if _, err := i.Handle(ctx, request); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNextNatively(b *testing.B) {
	ctx, h := context.Background(), host.Native(session.New())
	request := []byte(`{"id":1,"method":"grammar.next","params":{"source":"S -> a S b | ε","prefix":["a","a"]}}`)
	for b.Loop() {
		if _, err := h.Handle(ctx, request); err != nil {
			b.Fatal(err)
		}
	}
}
