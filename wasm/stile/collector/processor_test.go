package collector

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/backtest"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"
)

const shop = `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]") (:one-of "lookup" "refund"))
    (Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))
`

const limits = "once: refund() -> !(previous once refund())\n"

func configOf(t testing.TB, files ...string) *Config {
	t.Helper()
	c := defaultConfig()
	folder := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(folder, files[i])
		if err := os.WriteFile(name, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Specs = append(c.Specs, name)
	}
	return c
}

// rig is a processor whose time the test sets.
type rig struct {
	*stileProcessor
	sink *consumertest.TracesSink
	time time.Time
}

func open(t testing.TB, c *Config, next consumer.Traces) *rig {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	r := &rig{sink: &consumertest.TracesSink{}, time: time.Unix(1_000, 0)}
	if next == nil {
		next = r.sink
	}
	p, err := newProcessor(componenttest.NewNopTelemetrySettings(), c, next)
	if err != nil {
		t.Fatal(err)
	}
	p.now = func() time.Time { return r.time }
	r.stileProcessor = p
	return r
}

// after lets time pass.
func (r *rig) after(d time.Duration) {
	r.time = r.time.Add(d)
	r.flush(context.Background(), false)
}

func (r *rig) send(t testing.TB, traces ptrace.Traces) {
	t.Helper()
	if err := r.ConsumeTraces(context.Background(), traces); err != nil {
		t.Fatal(err)
	}
}

// last returns the attribute of the last span that was delivered.
func (r *rig) last(t *testing.T, name string) string {
	t.Helper()
	all := r.sink.AllTraces()
	if len(all) == 0 {
		t.Fatal("nothing was delivered")
	}
	spans := each(all[len(all)-1])
	v, _ := spans[len(spans)-1].Attributes().Get(name)
	return v.AsString()
}

func each(traces ptrace.Traces) (out []ptrace.Span) {
	for _, r := range traces.ResourceSpans().All() {
		for _, s := range r.ScopeSpans().All() {
			for _, span := range s.Spans().All() {
				out = append(out, span)
			}
		}
	}
	return out
}

// tool returns a span of the execution of a tool.
func tool(trace byte, conversation, name string, second int) ptrace.Traces {
	out := ptrace.NewTraces()
	r := out.ResourceSpans().AppendEmpty()
	r.Resource().Attributes().PutStr("service.name", "shop")
	span := r.ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	span.SetSpanID(pcommon.SpanID{byte(second), byte(second >> 8), trace, 1})
	span.SetTraceID(pcommon.TraceID{trace})
	span.SetName("execute_tool " + name)
	span.SetStartTimestamp(pcommon.NewTimestampFromTime(time.Unix(int64(second), 0)))
	span.SetEndTimestamp(span.StartTimestamp() + 1000)
	span.Attributes().PutStr("gen_ai.operation.name", "execute_tool")
	span.Attributes().PutStr("gen_ai.tool.name", name)
	span.Attributes().PutStr("gen_ai.tool.call.id", fmt.Sprintf("%d-%s-%d", trace, name, second))
	span.Attributes().PutStr("gen_ai.tool.call.arguments", `{"order":7}`)
	span.Attributes().PutStr("gen_ai.tool.call.result", `"ok"`)
	if conversation != "" {
		span.Attributes().PutStr("gen_ai.conversation.id", conversation)
	}
	return out
}

// fixtures returns the traces in OTLP that vendors' libraries wrote, and the agent that judges them.
func fixtures(t *testing.T) (texts map[string]string, agent string) {
	t.Helper()
	file, err := os.Open(filepath.FromSlash("../../../core/trace/testdata/traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return texts, agent
		}
		text, readErr := io.ReadAll(archive)
		if err = errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(header.Name, "shop.agent") {
			agent = string(text)
		}
		if strings.Contains(string(text), `"resourceSpans"`) {
			texts[header.Name] = string(text)
		}
	}
}

// The verdicts are those of `stile check` on the whole file, although the spans arrive one by one and in the reverse order.
func TestVerdictsEqualThoseOfCheck(t *testing.T) {
	texts, agent := fixtures(t)
	c := configOf(t, "shop.agent", agent)
	specs, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[backtest.Outcome]int{}
	for name, text := range texts {
		traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := backtest.Untriggered
		for _, run := range specs.JudgePart(backtest.Part{Name: name, Text: text}, backtest.Options{}) {
			want = backtest.Worse(want, run.Outcome)
		}
		r := open(t, c, nil)
		spans := 0
		resources := traces.ResourceSpans()
		for i := resources.Len() - 1; i >= 0; i-- {
			scopes := resources.At(i).ScopeSpans()
			for j := scopes.Len() - 1; j >= 0; j-- {
				for k := scopes.At(j).Spans().Len() - 1; k >= 0; k-- {
					one := ptrace.NewTraces()
					to := one.ResourceSpans().AppendEmpty()
					resources.At(i).Resource().CopyTo(to.Resource())
					to.Resource().Attributes().PutStr("gen_ai.conversation.id", "c") // some libraries write several traces
					scope := to.ScopeSpans().AppendEmpty()
					scopes.At(j).Scope().CopyTo(scope.Scope())
					scopes.At(j).Spans().At(k).CopyTo(scope.Spans().AppendEmpty())
					r.send(t, one)
					spans++
				}
			}
		}
		r.after(c.Wait)
		if got := r.sessions.byKey["gen_ai.conversation.id:c"]; got == nil || got.outcome != want {
			t.Errorf("%s: check finds %s, not %+v", name, want, r.sessions.byKey)
		}
		if r.sink.SpanCount() != spans {
			t.Errorf("%s: %d of %d spans were delivered", name, r.sink.SpanCount(), spans)
		}
		verdicts[want]++
	}
	if verdicts[backtest.Held] < 10 || verdicts[backtest.Violated] < 10 {
		t.Errorf("the fixtures have the verdicts %v", verdicts)
	}
}

// A violation marks the span at its place only, whatever the order in which the spans arrive.
func TestSpanOfViolationIsMarked(t *testing.T) {
	r := open(t, configOf(t, "shop.rules", limits), nil)
	for _, at := range []int{30, 10, 20} {
		r.send(t, tool(1, "", "refund", at))
	}
	if r.sink.SpanCount() != 0 {
		t.Error("a span was delivered before the time is over")
	}
	r.after(r.config.Wait)
	for _, span := range each(r.sink.AllTraces()[0]) {
		verdict, _ := span.Attributes().Get("stile.verdict")
		rule, _ := span.Attributes().Get("stile.rule")
		code, _ := span.Attributes().Get("stile.code")
		want := "held  ok"
		if span.StartTimestamp().AsTime().Unix() == 20 {
			want = "violated shop.rules: once rule"
		}
		if got := verdict.Str() + " " + rule.Str() + " " + code.Str(); got != want {
			t.Errorf("span at %s: %s, want %s", span.StartTimestamp(), got, want)
		}
	}
	r.send(t, tool(1, "", "lookup", 5))
	r.after(r.config.Wait)
	if r.last(t, "stile.late") != "true" || r.last(t, "stile.session.verdict") != "violated" {
		t.Error("a late span is not marked")
	}
}

// The traces of a conversation are one session, with those of their spans that do not name it.
func TestConversationsHaveSeveralTraces(t *testing.T) {
	r := open(t, configOf(t, "shop.rules", limits), nil)
	r.send(t, tool(1, "", "refund", 10))
	r.after(r.config.Wait) // the trace is a session until a span names the conversation
	r.send(t, tool(1, "a", "lookup", 11))
	r.send(t, tool(2, "a", "lookup", 12))
	r.after(r.config.Wait)
	r.send(t, tool(2, "", "refund", 13))
	r.send(t, tool(3, "b", "refund", 13))
	r.after(r.config.Wait)
	for key, want := range map[string]backtest.Outcome{"gen_ai.conversation.id:a": backtest.Violated, "gen_ai.conversation.id:b": backtest.Held} {
		if s := r.sessions.byKey[key]; s == nil || s.outcome != want {
			t.Errorf("%s: %+v", key, s)
		}
	}
	if len(r.sessions.byKey) != 2 {
		t.Errorf("%d sessions", len(r.sessions.byKey))
	}
}

// No session passes whose earlier spans are unknown.
func TestEvictedSessionsAreUnread(t *testing.T) {
	for _, c := range []struct {
		about string
		bound func(c *Config)
		evict func(t *testing.T, r *rig)
		code  string
	}{
		{"idle", func(c *Config) { c.Idle = time.Minute }, func(t *testing.T, r *rig) { r.after(time.Minute) }, codeReturned},
		{"too many sessions", func(c *Config) { c.MaxSessions = 1 }, func(t *testing.T, r *rig) { r.send(t, tool(9, "", "lookup", 1)); r.after(r.config.Wait) }, codeReturned},
		{"too many bytes", func(c *Config) { c.MaxBytes, c.MaxSessionBytes = 800, 800 }, func(t *testing.T, r *rig) { r.send(t, tool(9, "", "lookup", 1)); r.after(r.config.Wait) }, codeReturned},
		{"a long session", func(c *Config) { c.MaxSessionBytes = 1000 }, func(*testing.T, *rig) {}, codeFull},
		{"no session", func(c *Config) { c.Fallback = FallbackNone }, func(*testing.T, *rig) {}, codeMissing},
	} {
		t.Run(c.about, func(t *testing.T) {
			config := configOf(t, "shop.rules", limits)
			c.bound(config)
			r := open(t, config, nil)
			r.send(t, tool(1, "", "refund", 10))
			r.after(config.Wait)
			c.evict(t, r)
			r.send(t, tool(1, "", "refund", 20))
			r.after(config.Wait)
			if r.last(t, "stile.verdict") != "unread" || r.last(t, "stile.code") != c.code || r.last(t, "stile.reason") == "" {
				t.Errorf("verdict %s, code %s", r.last(t, "stile.verdict"), r.last(t, "stile.code"))
			}
			if r.sessions.bytes > config.MaxBytes || len(r.sessions.byKey) > config.MaxSessions {
				t.Errorf("%d sessions of %d bytes", len(r.sessions.byKey), r.sessions.bytes)
			}
		})
	}
}

// failing is a consumer that fails with an error while it is not nil.
type failing struct {
	consumertest.TracesSink
	err error
}

func (f *failing) ConsumeTraces(ctx context.Context, traces ptrace.Traces) error {
	if f.err != nil {
		return f.err
	}
	return f.TracesSink.ConsumeTraces(ctx, traces)
}

func TestNoSpanIsLost(t *testing.T) {
	c := configOf(t, "shop.rules", limits)
	c.MaxWaiting = 2
	next := &failing{err: errors.New("full")}
	r := open(t, c, next)
	r.send(t, tool(1, "", "lookup", 10))
	r.after(c.Wait)
	r.send(t, tool(1, "", "lookup", 11))
	if err := r.ConsumeTraces(context.Background(), tool(1, "", "lookup", 12)); !errors.Is(err, errFull) || consumererror.IsPermanent(err) {
		t.Errorf("more spans than may wait: %v", err)
	}
	if err := r.Shutdown(context.Background()); err == nil {
		t.Error("the end of a processor loses spans without an error")
	}
	next.err = nil
	other := ptrace.NewTraces()
	other.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty().SetName("GET /")
	r.send(t, other)
	if next.SpanCount() != 3 && next.SpanCount() != 1 {
		t.Errorf("%d spans", next.SpanCount())
	}
	r.after(c.Wait)
	if next.SpanCount() != 3 {
		t.Errorf("%d of 3 spans were delivered", next.SpanCount())
	}
	next.err = consumererror.NewPermanent(errors.New("refused"))
	r.send(t, tool(1, "", "lookup", 14))
	r.after(c.Wait)
	if r.waiting != 0 || len(r.unsent) != 0 {
		t.Errorf("%d spans wait after a permanent error", r.waiting)
	}
}

func TestInvalidConfigurations(t *testing.T) {
	for _, c := range []struct {
		fields map[string]any
		want   string
	}{
		{map[string]any{}, "specs: expected the name"},
		{map[string]any{"specs": []string{"absent.agent"}}, "absent.agent"},
		{map[string]any{"wait": "0s"}, "wait and idle"},
		{map[string]any{"idle": "1s"}, "wait and idle"},
		{map[string]any{"fallback": "service"}, `fallback: unknown value "service"; expected trace_id or none`},
		{map[string]any{"fallback": "none", "session_attributes": []string{}}, "session_attributes"},
		{map[string]any{"max_sessions": 0}, "max_sessions: expected a positive number, not 0"},
		{map[string]any{"max_bytes": 1}, "max_bytes: expected at least max_session_bytes"},
		{map[string]any{"prefixes": []string{""}}, "prefixes"},
		{map[string]any{"max_session": 1}, "max_session"},
	} {
		config := NewFactory().CreateDefaultConfig().(*Config)
		err := confmap.NewFromStringMap(c.fields).Unmarshal(config)
		if err == nil {
			err = config.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.fields, err)
		}
	}
	bad := configOf(t, "shop.agent", "(define shop")
	if err := bad.Validate(); err == nil {
		t.Error("a spec with an error is accepted")
	}
}

// The factory's processor delivers spans by itself.
func TestProcessorRuns(t *testing.T) {
	c := configOf(t, "shop.agent", shop)
	c.Wait = 4 * time.Millisecond
	sink := &consumertest.TracesSink{}
	f := NewFactory()
	p, err := f.CreateTraces(context.Background(), processortest.NewNopSettings(f.Type()), c, sink)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(context.Background(), componenttest.NewNopHost()); err != nil {
		t.Fatal(err)
	}
	if err := p.ConsumeTraces(context.Background(), tool(1, "a", "lookup", 10)); err != nil {
		t.Fatal(err)
	}
	if err := p.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if sink.SpanCount() != 1 {
		t.Errorf("%d spans were delivered", sink.SpanCount())
	}
}

// TestLoad judges 500,000 spans, those of ten minutes at 50,000 a minute, or a tenth of them without STILE_LONG.
func TestLoad(t *testing.T) {
	total := 5_000
	if os.Getenv("STILE_LONG") != "" {
		total = 500_000
	}
	const perSession = 10
	c := configOf(t, "shop.rules", limits)
	c.MaxSessions, c.MaxBytes = 2_000, 16<<20
	delivered := 0
	r := open(t, c, countTo(&delivered))
	began, peak := time.Now(), uint64(0)
	var memory runtime.MemStats
	for i := range total {
		name := "lookup"
		if i%perSession == 3 || i%perSession == 7 && i/perSession%4 == 0 {
			name = "refund"
		}
		r.send(t, tool(byte(i), fmt.Sprint("c", i/perSession), name, i%30_000))
		if i%833 == 832 {
			r.after(time.Second)
		}
		if i%50_000 == 49_999 {
			runtime.ReadMemStats(&memory)
			peak = max(peak, memory.HeapAlloc)
		}
	}
	r.after(time.Minute)
	took := time.Since(began)
	if delivered != total || r.waiting != 0 {
		t.Errorf("%d of %d spans were delivered", delivered, total)
	}
	if r.sessions.bytes > c.MaxBytes || len(r.sessions.byKey) > c.MaxSessions || peak > 512<<20 {
		t.Errorf("%d sessions, %d bytes, heap %d", len(r.sessions.byKey), r.sessions.bytes, peak)
	}
	t.Logf("%d spans in %s, %.0f a second; heap at most %d MB", total, took.Round(time.Millisecond), float64(total)/took.Seconds(), peak>>20)
}

func countTo(n *int) consumer.Traces {
	next, _ := consumer.NewTraces(func(_ context.Context, traces ptrace.Traces) error {
		*n += traces.SpanCount()
		return nil
	})
	return next
}
