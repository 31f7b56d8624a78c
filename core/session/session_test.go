package session

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/process"
)

// call makes one request and returns its result, or its error.
func call(t testing.TB, s *Session, method string, params any) (json.RawMessage, *Error) {
	t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	request := fmt.Sprintf(`{"id":7,"method":%q,"params":%s}`, method, raw)
	var reply struct {
		ID     int
		Result json.RawMessage
		Error  *Error
	}
	text := s.Handle([]byte(request))
	if err := json.Unmarshal(text, &reply); err != nil || reply.ID != 7 || (reply.Result == nil) == (reply.Error == nil) {
		t.Fatalf("%s: the reply is %s (%v)", method, text, err)
	}
	return reply.Result, reply.Error
}

// result makes a request that must succeed.
func result[R any](t testing.TB, s *Session, method string, params any) R {
	t.Helper()
	raw, fault := call(t, s, method, params)
	if fault != nil {
		t.Fatalf("%s: %s: %s", method, fault.Code, fault.Message)
	}
	var r R
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryRequestHasOneReply(t *testing.T) {
	s := New()
	for _, c := range []struct{ request, want string }{
		{``, `"code":"protocol.json"`},
		{`{`, `"code":"protocol.json"`},
		{`[]`, `"code":"protocol.json"`},
		{`{"id":1,}`, `(at byte 9 of 9)"`},
		{"\xff", `"code":"source.utf8","message":"the request is not UTF-8: byte 1 is wrong"`},
		{`{"id":"é` + "\xc3", `"message":"the request is not UTF-8: byte 10 is wrong"`},
		{`{"id":1,"method":"grammar.nxt"}`, `{"id":1,"error":{"code":"protocol.method","message":"unknown method \"grammar.nxt\"; did you mean grammar.next?"}}`},
		{`{"id":"x","method":"grammar.next","params":{"sorce":""}}`, `{"id":"x","error":{"code":"protocol.params","message":"invalid parameters: unknown field \"sorce\""}}`},
		{`{"id":2,"method":"grammar.next","params":{"source":3}}`, `"code":"protocol.params"`},
		{`{"id":3,"method":"grammar.next","params":{"source":"S -> a S b | ε","prefix":["a","a"]}}`, `{"id":3,"result":{"viable":true,"complete":false,"next":["a","b"]}}`},
		{`{"method":"grammar.next","params":{"source":"S -> a"}}`, `{"id":null,"result":{"viable":true,"complete":false,"next":["a"]}}`},
		{`{"id":4,"method":"run.resume","params":{"run":9}}`, `"code":"run.unknown"`},
	} {
		if got := string(s.Handle([]byte(c.request))); !strings.Contains(got, c.want) {
			t.Errorf("%q: got %s, want %s", c.request, got, c.want)
		}
	}
}

func TestSpecErrorsHavePlaces(t *testing.T) {
	_, fault := call(t, New(), "grammar.next", map[string]any{"source": "é -> b\nS a", "prefix": []string{}})
	if fault == nil || fault.Code != "source.invalid" || len(fault.Diagnostics) != 1 {
		t.Fatalf("got %+v", fault)
	}
	if d := fault.Diagnostics[0]; d.Line != 2 || d.Column != 1 || d.Start != 8 || d.From != 7 || d.To != 10 {
		t.Errorf("got %+v", d)
	}
}

func TestGrammarMethodsReturnTheExpectedData(t *testing.T) {
	type record struct {
		ID, Grammar, Start string
		Words              []struct {
			Word     []string
			Accepted bool
		}
		Prefixes []struct {
			Prefix           []string
			Viable, Accepted bool
			Next             []string
		}
	}
	s := New()
	for _, r := range conformance.Records[record](t, "cfg.jsonl") {
		if !strings.HasPrefix(r.ID, "fllm.") {
			continue
		}
		for _, w := range r.Words {
			got := result[GrammarAcceptsResult](t, s, "grammar.accepts", GrammarAcceptsParams{Source: r.Grammar, Start: r.Start, Word: w.Word})
			if got.Accepted != w.Accepted {
				t.Errorf("%s %v: %+v", r.ID, w.Word, got)
			}
		}
		for _, p := range r.Prefixes {
			got := result[GrammarNextResult](t, s, "grammar.next", GrammarNextParams{Source: r.Grammar, Start: r.Start, Prefix: p.Prefix})
			if p.Viable && (got.Viable != p.Viable || got.Complete != p.Accepted || !slices.Equal(got.Next, orEmpty(p.Next))) {
				t.Errorf("%s %v: %+v, want %+v", r.ID, p.Prefix, got, p)
			}
		}
	}
}

func TestCountsAndShortestWords(t *testing.T) {
	s := New()
	c := result[struct{ Words []int }](t, s, "grammar.count", GrammarCountParams{Source: anbn, MaxLength: 4})
	if !slices.Equal(c.Words, []int{1, 0, 1, 0, 1}) {
		t.Errorf("%+v", c)
	}
	for text, want := range map[string]string{anbn: `{"word":[]}`, "S -> S a": `{"word":null}`, "S -> a S | b c": `{"word":["b","c"]}`} {
		if raw, fault := call(t, s, "grammar.shortest", GrammarShortestParams{Source: text}); fault != nil || string(raw) != want {
			t.Errorf("%s: %s, %+v", text, raw, fault)
		}
	}
	if _, fault := call(t, s, "grammar.count", GrammarCountParams{Source: anbn, MaxLength: -1}); fault == nil || fault.Code != "limit.length" {
		t.Errorf("%+v", fault)
	}
}

func TestFormulaMethods(t *testing.T) {
	s := New()
	a := result[FormulaAutomatonResult](t, s, "formula.automaton", FormulaParams{Formula: "G(a -> F b)", Propositions: []string{"a", "b"}, Letters: "powerset"})
	if a.States != 3 || len(a.Transitions) != 3 || len(a.Letters) != 4 || !slices.Equal(a.Letters[3], []string{"a", "b"}) {
		t.Errorf("%+v", a)
	}
	v := result[FormulaVerdictResult](t, s, "formula.verdict", FormulaVerdictParams{Formula: "G !a", Propositions: []string{"a", "b"}, Letters: "onehot", Trace: [][]string{{"b"}, {"a"}}})
	if v.Holds || v.Verdict != "violated" {
		t.Errorf("%+v", v)
	}
	g := result[GrammarVerifyResult](t, s, "grammar.verify", GrammarVerifyParams{Source: anbn, Formula: "G(a -> X b)"})
	if g.Holds || g.Counterexample == nil || !slices.Equal(*g.Counterexample, []string{"a", "a", "b", "b"}) {
		t.Errorf("%+v", g)
	}
	for method, params := range map[string]any{
		"formula.automaton": FormulaParams{Formula: "a U", Propositions: []string{"a"}, Letters: "onehot"},
		"formula.verdict":   FormulaVerdictParams{Formula: "b", Propositions: []string{"a"}, Letters: "onehot"},
		"grammar.verify":    GrammarVerifyParams{Source: anbn, Formula: "F c"},
	} {
		if _, fault := call(t, s, method, params); fault == nil || fault.Code == "internal" {
			t.Errorf("%s: %+v", method, fault)
		}
	}
}

func TestMonitorCheckReportsPlaces(t *testing.T) {
	const source = `(define a (:states (Q (:text "[Q]")) (A (:text "[A]") (:one-of "yes" "no"))) (:behavior (next Q A)))`
	s := New()
	got := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: source, Text: "[Q] größer?\n[A] yes"})
	if got.Verdict != "valid" || got.Violation != nil || len(got.Segments) != 2 || got.Segments[1].Content != "yes" || got.Segments[1].Start != 14 || got.Segments[1].From != 12 {
		t.Errorf("%+v", got)
	}
	got = result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: source, Text: "[Q] x\n[Q] y"})
	if v := got.Violation; got.Verdict != "invalid" || v == nil || v.Index != 1 || v.State != "Q" || v.Line != 2 || v.Column != 1 || v.End-v.Start != 3 {
		t.Errorf("%+v %+v", got, v)
	}
	got = result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: source, Text: "[Q] x\n[A] perhaps"})
	if v := got.Violation; got.Verdict != "invalid" || v == nil || v.Index != 1 || !slices.Equal(v.Allowed, []string{"yes", "no"}) {
		t.Errorf("%+v %+v", got, v)
	}
}

const anbn = "S -> a S b | ε\n"

func files(name, text string) []File { return []File{{Name: name, Text: text}} }

func TestDocumentsAreAnalysed(t *testing.T) {
	s := New()
	got := result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: files("g.cfg", "# é 𝄞\n"+anbn), Name: "g.cfg"})
	if got.Kind != "cfg" || got.Drawing == nil || len(got.Drawing.Nodes) != 3 || len(got.Diagnostics) != 0 || got.Summary != "1 nonterminal, 2 terminals, 2 productions" {
		t.Errorf("%+v", got)
	}
	// 𝄞 is two UTF-16 code units.
	if item := got.Outline[0]; item.Name != "S" || item.From != 7 || item.To != 8 {
		t.Errorf("%+v", item)
	}
	got = result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: files("README.md", "hello"), Name: "README.md"})
	if got.Drawing != nil || len(got.Diagnostics) != 0 {
		t.Errorf("%+v", got)
	}
	if _, fault := call(t, s, "document.analyze", DocumentParams{Files: files("a.cfg", ""), Name: "b.cfg"}); fault == nil || fault.Code != "workspace.missing" {
		t.Errorf("got %+v", fault)
	}
}

func TestInvalidTextGivesOneDiagnostic(t *testing.T) {
	var large strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&large, "N%d -> t%d N%d | t%d\n", i, i%97, (i+1)%5000, i%89)
	}
	s := New()
	for _, c := range []struct{ name, text, code string }{
		{"a.cfg", strings.Repeat("(", 1<<20), "cfg.symbol-long"},
		{"a.agent", strings.Repeat("(", 1<<20), "sexpr.depth"},
		{"a.cfg", large.String(), "cfg.large"},
		{"a.cfg", "S -> S | a\n", "cfg.cyclic"},
		{"a.cfg", "S -> a\x00b\n", "source.binary"},
	} {
		got := result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: files(c.name, c.text), Name: c.name})
		if len(got.Diagnostics) != 1 || got.Diagnostics[0].Code != c.code {
			t.Errorf("%s: %d diagnostics, %+v", c.code, len(got.Diagnostics), got.Diagnostics[:min(1, len(got.Diagnostics))])
		}
	}
	for _, c := range []struct {
		data []byte
		code string
	}{{[]byte("S -> \xe9\n"), "source.utf8"}, {[]byte{0, 1, 2}, "source.binary"}} {
		_, fault := call(t, s, "workspace.import", WorkspaceImportParams{Name: "x.cfg", Base64: base64.StdEncoding.EncodeToString(c.data)})
		if fault == nil || fault.Code != c.code {
			t.Errorf("%q: got %+v", c.data, fault)
		}
	}
	for fragment, code := range map[string]string{"#1:S85W": "share.truncated", "#2:x": "share.version", "#1:*": "share.damaged"} {
		_, fault := call(t, s, "share.decode", ShareDecodeParams{Fragment: fragment})
		if fault == nil || fault.Code != code {
			t.Errorf("%s: got %+v, want %s", fragment, fault, code)
		}
	}
}

func TestStepping(t *testing.T) {
	s := New()
	step := func(name, text string, word ...string) StepWalkResult {
		return result[StepWalkResult](t, s, "step.walk", StepWalkParams{Files: files(name, text), Name: name, Word: orEmpty(word)})
	}
	got := step("g.cfg", anbn, "a", "a", "b")
	if got.Verdict != "incomplete" || len(got.Next) != 1 || got.Next[0].Name != "b" || len(got.Configurations) != 1 || !slices.Equal(got.Configurations[0].Stack, []string{"b", "Z"}) || len(got.Active) == 0 {
		t.Errorf("%+v", got)
	}
	if got = step("g.cfg", anbn, "a", "b"); got.Verdict != "valid" || got.TreeDrawing == nil || len(got.Next) != 0 {
		t.Errorf("%+v", got)
	}
	if got = step("g.cfg", anbn, "a", "x", "b"); got.Verdict != "invalid" || got.Violation == nil || *got.Violation != 1 {
		t.Errorf("%+v", got)
	}
	if got = step("g.cfg", "S -> a S | b\nlimit 1 each\n", "a"); len(got.Next) != 1 || got.Uses[0] != (Use{Name: "a", Label: "a", Used: 1, Limit: 1}) {
		t.Errorf("%+v", got)
	}
	const agent = `(define a (:states (Q (:text "[Q]")) (A (:text "[A]"))) (:behavior (next Q A)))`
	if got = step("x.agent", agent, "Q"); got.Verdict != "incomplete" || got.Next[0].Label != "[A]" {
		t.Errorf("%+v", got)
	}
	if got = step("x.agent", agent, "A"); got.Verdict != "invalid" || *got.Violation != 0 {
		t.Errorf("%+v", got)
	}
}

// drive runs a run to its end, answering questions, and returns its events.
func drive(t testing.TB, s *Session, number int, slice int64, answers ...string) (events []string, last RunResumeResult) {
	t.Helper()
	var given []process.Answer
	for {
		last = result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Answers: given, Slice: slice})
		for _, e := range last.Events {
			events = append(events, string(e))
		}
		given = nil
		for _, e := range last.Effects {
			if len(answers) == 0 {
				t.Fatalf("unexpected question: %+v", e)
			}
			value, _ := json.Marshal(answers[0])
			given, answers = append(given, process.Answer{Effect: e.ID, Value: value}), answers[1:]
		}
		if last.State == process.StateDone || last.State == process.StateFailed {
			return events, last
		}
	}
}

func start(t testing.TB, s *Session, name, text, settings string, seed uint64, log *RunLog) int {
	t.Helper()
	params := RunStartParams{Workspace: RunWorkspace{Files: files(name, text)}, Settings: []byte(settings), Seed: seed, Log: log}
	return result[RunStartResult](t, s, "run.start", params).Run
}

const person = `{"model":{"kind":"person"}}`

func TestRunReplaysFromItsLog(t *testing.T) {
	s := New()
	first, end := drive(t, s, start(t, s, "g.cfg", anbn, person, 3, nil), 0, "1", "many", "1", "2")
	if end.State != process.StateDone {
		t.Fatalf("%+v", end)
	}
	log := result[RunLogResult](t, s, "run.log", RunParams{Run: 1}).Log
	// Through the link, as a person would share it.
	fragment := result[ShareEncodeResult](t, s, "share.encode", ShareEncodeParams{Files: files("g.cfg", anbn), Log: &log}).Fragment
	shared := result[ShareDecodeResult](t, New(), "share.decode", ShareDecodeParams{Fragment: fragment})
	if shared.Log == nil || shared.Main != "g.cfg" {
		t.Fatalf("%+v", shared)
	}
	other := New()
	params := RunStartParams{Workspace: RunWorkspace{Files: shared.Files}, Log: shared.Log}
	again, replayed := drive(t, other, result[RunStartResult](t, other, "run.start", params).Run, 0)
	if !slices.Equal(first, again) || string(replayed.Result) != string(end.Result) {
		t.Errorf("the replay differs:\n%s\n%s", strings.Join(first, "\n"), strings.Join(again, "\n"))
	}
}

func TestForkIsIndependentOfItsParent(t *testing.T) {
	s := New()
	number := start(t, s, "g.cfg", anbn, person, 3, nil)
	_, end := drive(t, s, number, 0, "1", "1", "2")
	fork := result[RunStartResult](t, s, "run.fork", RunForkParams{Run: number, At: 1}).Run
	_, other := drive(t, s, fork, 0, "2")
	var one, two struct{ Word []string }
	if json.Unmarshal(end.Result, &one) != nil || json.Unmarshal(other.Result, &two) != nil {
		t.Fatal("no results")
	}
	if strings.Join(one.Word, "") != "aabb" || strings.Join(two.Word, "") != "ab" {
		t.Errorf("%v and %v", one.Word, two.Word)
	}
	if _, fault := call(t, s, "run.fork", RunForkParams{Run: number, At: 9}); fault == nil || fault.Code != "run.at" {
		t.Errorf("got %+v", fault)
	}
	// A model's state in one run does not affect the other.
	ask := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunAsk, Settings: []byte(`{"messages":[{"role":"user","content":"?"}],"model":{"kind":"scripted","script":["first","second"]}}`)}).Run
	fork = result[RunStartResult](t, s, "run.fork", RunForkParams{Run: ask}).Run
	for _, number := range []int{ask, fork} {
		_, end := drive(t, s, number, 0)
		var said AskResult
		if err := json.Unmarshal(end.Result, &said); err != nil || said.Text != "first" {
			t.Errorf("run %d: %s (%v)", number, end.Result, err)
		}
	}
}

func TestSlicesDoNotChangeARun(t *testing.T) {
	const react = `(define r (:states (Q (:text "[Question]")) (T (:text "[Thought]")) (O (:text "[Observation]") (:flags :env-input)) (A (:text "[Answer]"))) (:behavior (next Q (until (next T O) A))))`
	const settings = `{"question":"why?","model":{"kind":"rambler","errorRate":0.5}}`
	var want []string
	for i, slice := range []int64{0, 1, 50, 5000} {
		s := New()
		events, end := drive(t, s, start(t, s, "r.agent", react, settings, 11, nil), slice)
		if end.State != process.StateDone {
			t.Fatalf("%+v", end)
		}
		if i == 0 {
			want = events
		} else if !slices.Equal(events, want) {
			t.Errorf("a slice of %d changes the run", slice)
		}
	}
}

func TestStoppedRunIsUnknown(t *testing.T) {
	s := New()
	number := start(t, s, "g.cfg", anbn, person, 1, nil)
	waiting := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number})
	if waiting.State != process.StateWaiting || len(waiting.Effects) != 1 {
		t.Fatalf("%+v", waiting)
	}
	if stopped := result[RunResumeResult](t, s, "run.stop", RunParams{Run: number}); !slices.Equal(stopped.Cancel, []string{"e1"}) {
		t.Errorf("%+v", stopped)
	}
	if _, fault := call(t, s, "run.resume", RunResumeParams{Run: number}); fault == nil || fault.Code != "run.unknown" {
		t.Errorf("got %+v", fault)
	}
}

func TestInvalidRunsReportErrors(t *testing.T) {
	s := New()
	for _, c := range []struct{ name, text, settings, code string }{
		{"notes.md", "hi", person, "run.kind"},
		{"g.cfg", "S a", person, "source.invalid"},
		{"g.cfg", anbn, `{"model":{"kind":"persn"}}`, "llm.spec"},
		{"g.cfg", anbn, `{"mdel":{}}`, "protocol.params"},
		{"g.cfg", anbn, `{"model":{"kind":"first"},"limits":{"x":1}}`, "limits.unknown"},
	} {
		params := RunStartParams{Workspace: RunWorkspace{Files: files(c.name, c.text)}, Settings: []byte(c.settings)}
		if _, fault := call(t, s, "run.start", params); fault == nil || fault.Code != c.code {
			t.Errorf("%s %s: got %+v, want %s", c.name, c.settings, fault, c.code)
		}
	}
}

func TestTooManyRunsExceedTheLimit(t *testing.T) {
	s := New()
	for range MaxRuns {
		start(t, s, "g.cfg", anbn, person, 1, nil)
	}
	params := RunStartParams{Workspace: RunWorkspace{Files: files("g.cfg", anbn)}, Settings: []byte(person)}
	if _, fault := call(t, s, "run.start", params); fault == nil || fault.Code != "limit.runs" {
		t.Errorf("got %+v", fault)
	}
}

func TestEventsHaveKinds(t *testing.T) {
	for _, e := range Events() {
		raw, err := json.Marshal(e)
		var kind struct{ Kind string }
		if err != nil || json.Unmarshal(raw, &kind) != nil || kind.Kind == "" {
			t.Errorf("%T: %s, %v", e, raw, err)
		}
	}
}

func FuzzHandle(f *testing.F) {
	f.Add([]byte(`{"id":1,"method":"step.walk","params":{"files":[{"name":"g.cfg","text":"S -> a"}],"name":"g.cfg","word":["a"]}}`))
	f.Add([]byte(`{"id":1,"method":"run.start","params":{"workspace":{"files":[]}}}`))
	f.Add([]byte(`{"id":{},"method":"share.decode","params":{"fragment":"#1:"}}`))
	f.Fuzz(func(t *testing.T, request []byte) {
		reply := New().Handle(request)
		if !json.Valid(reply) || strings.Contains(string(reply), "\n") || strings.Contains(string(reply), `"code":"internal"`) {
			t.Errorf("%q: %q", request, reply)
		}
	})
}

func BenchmarkAnalyse200Lines(b *testing.B) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "N%d -> t%d N%d | u%d\n", i, i, (i+1)%200, i)
	}
	s := New()
	params := DocumentParams{Files: files("g.cfg", text.String()), Name: "g.cfg"}
	for b.Loop() {
		call(b, s, "document.analyze", params)
	}
}
