package collector

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/backtest"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// built is a collector that the builder made, with the processor between an OTLP receiver and an OTLP exporter.
type built struct {
	*exec.Cmd
	receiver, metrics string // addresses
	log               bytes.Buffer
	ended             chan error // the result of the program

	mu       sync.Mutex
	verdicts map[string]map[string]int // spans by session and verdict
	sessions map[string]string         // the last verdict on each session
	spans    int
}

// configuration has the addresses of the receiver, the exporter and the metrics, and the specs.
const configuration = `receivers:
  otlp:
    protocols:
      http:
        endpoint: %s
processors:
  stile:
    specs: [%s]
    wait: 200ms
    max_sessions: 2000
    max_bytes: 16777216
exporters:
  otlp_http:
    endpoint: %s
    encoding: json
    compression: none
service:
  telemetry:
    metrics:
      readers:
        - pull:
            exporter:
              prometheus:
                host: 127.0.0.1
                port: %s
  pipelines:
    traces:
      receivers: [otlp]
      processors: [stile]
      exporters: [otlp_http]
`

// start runs the collector that STILE_COLLECTOR names.
func start(t *testing.T, specs ...string) *built {
	t.Helper()
	program := os.Getenv("STILE_COLLECTOR")
	if program == "" {
		t.Skip("STILE_COLLECTOR does not name a collector of the builder; go run ./build test -long collector sets it")
	}
	b := &built{verdicts: map[string]map[string]int{}, sessions: map[string]string{}}
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = b.receive(body)
		}
		if err != nil {
			t.Error(err)
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}") // the exporter repeats a request without an answer
	}))
	t.Cleanup(sink.Close)
	b.receiver, b.metrics = free(t), free(t)
	_, port, err := net.SplitHostPort(b.metrics)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, configuration, b.receiver, strings.Join(specs, ", "), sink.URL, port), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Cmd = exec.CommandContext(context.Background(), program, "--config", config)
	b.Stderr = &b.log
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	b.ended = make(chan error, 1)
	go func() { b.ended <- b.Wait() }()
	t.Cleanup(func() { _ = b.Process.Kill() }) // after a failure; otherwise it has ended
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		conn, err := net.Dial("tcp", b.receiver)
		if err == nil {
			_ = conn.Close() // only a test of the address
			return b
		}
		select {
		case err := <-b.ended:
			t.Fatalf("the collector does not start: %v\n%s", err, b.log.String())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the collector does not listen: ", err)
		}
	}
}

// free returns an address that nothing listens on.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // the collector opens it again
	return l.Addr().String()
}

// receive counts the spans that the collector exports.
func (b *built) receive(body []byte) error {
	traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(body)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, span := range each(traces) {
		b.spans++
		id, _ := span.Attributes().Get("stile.session.id")
		verdict, _ := span.Attributes().Get("stile.verdict")
		session, _ := span.Attributes().Get("stile.session.verdict")
		if b.verdicts[id.Str()] == nil {
			b.verdicts[id.Str()] = map[string]int{}
		}
		b.verdicts[id.Str()][verdict.Str()]++
		b.sessions[id.Str()] = session.Str()
	}
	return nil
}

// send sends spans as JSON of OTLP.
func (b *built) send(t *testing.T, traces ptrace.Traces) {
	t.Helper()
	body, err := (&ptrace.JSONMarshaler{}).MarshalTraces(traces)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		reply, err := http.Post("http://"+b.receiver+"/v1/traces", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		if err = errors.Join(err, reply.Body.Close()); err != nil {
			t.Fatal(err)
		}
		switch {
		case reply.StatusCode == http.StatusOK:
			return
		case reply.StatusCode != http.StatusServiceUnavailable && reply.StatusCode != http.StatusTooManyRequests || time.Now().After(deadline):
			t.Fatalf("%s: %s", reply.Status, text)
		}
	}
}

// await waits until a number of spans was exported.
func (b *built) await(t *testing.T, spans int) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		b.mu.Lock()
		got := b.spans
		b.mu.Unlock()
		if got >= spans {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d spans were exported", got, spans)
		}
	}
}

// counted returns the sum of the samples of a metric whose labels contain a text.
func (b *built) counted(t *testing.T, metric, label string) (sum float64) {
	t.Helper()
	reply, err := http.Get("http://" + b.metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }() // it was read
	for lines := bufio.NewScanner(reply.Body); lines.Scan(); {
		line := lines.Text()
		if at := strings.LastIndexByte(line, ' '); strings.HasPrefix(line, metric) && strings.Contains(line, label) {
			value, err := strconv.ParseFloat(line[at+1:], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += value
		}
	}
	return sum
}

// stop ends the collector, and returns its largest resident memory in bytes, or 0 if the system does not report it.
func (b *built) stop(t *testing.T) (peak int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.Process.Pid))
	if err == nil {
		for line := range strings.Lines(string(status)) {
			if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmHWM:" {
				kilobytes, _ := strconv.Atoi(fields[1]) // 0 for another form
				peak = kilobytes << 10
			}
		}
	}
	if err := b.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-b.ended; err != nil {
		t.Fatalf("%v\n%s", err, b.log.String())
	}
	return peak
}

// The collector of the builder receives the spans of libraries over OTLP, and exports them with the verdicts of
// `stile check`.
func TestBuiltCollectorJudgesFixtures(t *testing.T) {
	texts, agent := fixtures(t)
	c := configOf(t, "shop.agent", agent)
	specs, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	b := start(t, c.Specs...)
	want, total := map[string]backtest.Outcome{}, 0
	for name, text := range texts {
		traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		outcome := backtest.Untriggered
		for _, run := range specs.JudgePart(backtest.Part{Name: name, Text: text}, backtest.Options{}) {
			outcome = backtest.Worse(outcome, run.Outcome)
		}
		want["gen_ai.conversation.id:"+name] = outcome
		for _, r := range traces.ResourceSpans().All() {
			r.Resource().Attributes().PutStr("gen_ai.conversation.id", name)
		}
		for _, span := range each(traces) { // the name of the file is the conversation
			span.Attributes().Remove("gen_ai.conversation.id")
			id := span.TraceID()
			id[0] ^= byte(len(want)) // fixtures of one program may share identifiers
			id[1] ^= byte(len(want) >> 8)
			span.SetTraceID(id)
		}
		total += traces.SpanCount()
		b.send(t, traces)
	}
	b.await(t, total)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spans != total {
		t.Errorf("%d of %d spans were exported", b.spans, total)
	}
	judged := map[backtest.Outcome]int{}
	for id, outcome := range want {
		judged[outcome]++
		if got := b.sessions[id]; got != string(outcome) {
			t.Errorf("%s: %q, check finds %s", id, got, outcome)
		}
	}
	if judged[backtest.Held] < 10 || judged[backtest.Violated] < 10 {
		t.Errorf("the fixtures have the verdicts %v", judged)
	}
	for _, outcome := range []string{"held", "violated"} {
		spans := 0
		for _, verdicts := range b.verdicts {
			spans += verdicts[outcome]
		}
		if got := b.counted(t, "stile_spans", `verdict="`+outcome+`"`); spans == 0 || int(got) != spans {
			t.Errorf("the metric stile_spans has %g %s spans, %d were exported", got, outcome, spans)
		}
	}
	b.stop(t)
}

// The collector of the builder loses none of the spans of a minute at the promised rate, and judges those of each session.
func TestBuiltCollectorKeepsEverySpan(t *testing.T) {
	const total, perSession, perRequest = 50_000, 10, 100
	c := configOf(t, "shop.rules", limits)
	b := start(t, c.Specs...)
	began := time.Now()
	for first := 0; first < total; first += perRequest {
		batch := ptrace.NewTraces()
		for i := first; i < first+perRequest; i++ {
			name := "lookup"
			if i%perSession == 3 || i%perSession == 7 && i/perSession%4 == 0 {
				name = "refund"
			}
			tool(byte(i/perSession), fmt.Sprint("c", i/perSession), name, 1+i%perSession).ResourceSpans().MoveAndAppendTo(batch.ResourceSpans())
		}
		b.send(t, batch)
	}
	b.await(t, total)
	took := time.Since(began)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range total / perSession {
		want := "held"
		if i%4 == 0 {
			want = "violated"
		}
		id := fmt.Sprint("gen_ai.conversation.id:c", i)
		if got := b.sessions[id]; got != want {
			t.Fatalf("%s: %q, want %s", id, got, want)
		}
		if b.verdicts[id]["held"]+b.verdicts[id]["violated"] != perSession {
			t.Fatalf("%s has the verdicts %v", id, b.verdicts[id])
		}
	}
	if b.spans != total || int(b.counted(t, "stile_spans", "verdict=")) != total || b.counted(t, "stile_spans_dropped", "") != 0 {
		t.Errorf("%d of %d spans were exported", b.spans, total)
	}
	peak := b.stop(t)
	if peak > 512<<20 {
		t.Errorf("%d MB of memory", peak>>20)
	}
	t.Logf("%d spans in %s over OTLP, %.0f a second; resident memory at most %d MB", total, took.Round(time.Millisecond), total/took.Seconds(), peak>>20)
}
