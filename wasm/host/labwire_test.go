package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/grammars/experiments"
	"github.com/stile-playground/stile/wasm/host"
	"github.com/stile-playground/stile/wasm/host/standin"
)

// labBench is a simulated provider that counts concurrent requests, with a host that reaches no other
// server: requests of tools fail.
type labBench struct {
	*bench
	handler host.Handler
	solvers *host.Solvers

	mu      sync.Mutex
	now     int
	peak    int
	hold    int // the first n requests wait for each other
	held    chan struct{}
	arrived int
	strange []string // addresses that were given the key, and are not the standin's

	outcomes []lab.Outcome // done or failed, as the events of the last run had them
	cancelAt int           // outcomes after which a run is cancelled; 0: never
}

func newLabBench(t *testing.T) *labBench {
	b := &labBench{bench: &bench{Server: standin.New(standin.Options{}), t: t, run: "r"}, handler: host.Native(session.New()), held: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

func (b *labBench) serve(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.now++
	b.peak = max(b.peak, b.now)
	b.arrived++
	wait := b.arrived <= b.hold
	if b.arrived == b.hold {
		close(b.held)
	}
	b.mu.Unlock()
	if wait {
		<-b.held
	}
	b.ServeHTTP(&last{ResponseWriter: w, over: sync.OnceFunc(func() {
		b.mu.Lock()
		b.now--
		b.mu.Unlock()
	})}, r)
}

// last counts a request as finished before its reply is sent, because a client may send the next
// one as soon as it has read the end.
type last struct {
	http.ResponseWriter
	over func()
}

// Write implements [http.ResponseWriter].
func (l *last) Write(p []byte) (int, error) {
	l.over()
	return l.ResponseWriter.Write(p)
}

// RoundTrip implements [http.RoundTripper].
func (b *labBench) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasPrefix(r.URL.String(), b.url) {
		return http.DefaultTransport.RoundTrip(r)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, values := range r.Header {
		if strings.Contains(strings.Join(values, " "), canary) {
			b.strange = append(b.strange, name+" of "+r.URL.String())
		}
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
}

// experiment runs a ready experiment.
func (b *labBench) experiment(name string, settings lab.Settings) (result lab.Result, outcome host.Outcome, err error) {
	b.t.Helper()
	w, err := experiments.Workspace(name)
	if err != nil {
		b.t.Fatal(err)
	}
	raw, err := json.Marshal(settings)
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.outcomes, b.events = nil, nil
	runner := &host.Runner{
		Handler: b.handler,
		Client:  &http.Client{Transport: b},
		Key:     func(string, string) string { return canary },
		After: func(time.Duration) <-chan time.Time {
			rings := make(chan time.Time, 1)
			rings <- time.Time{}
			return rings
		},
		Stopwatch: func() func() time.Duration { return func() time.Duration { return 250 * time.Millisecond } },
		Event: func(raw json.RawMessage) {
			b.events = append(b.events, raw)
			var e lab.CellEvent
			if json.Unmarshal(raw, &e) == nil && e.Kind == "lab.cell" && (e.Outcome.State == lab.StateDone || e.Outcome.State == lab.StateFailed) {
				if b.outcomes = append(b.outcomes, e.Outcome); len(b.outcomes) == b.cancelAt {
					cancel()
				}
			}
		},
	}
	if b.solvers != nil {
		runner.Solve = b.solvers.Solve
	}
	outcome, err = runner.Run(ctx, session.RunStartParams{Workspace: session.RunWorkspace{Files: w.Files, Name: name + ".lab"}, Settings: raw})
	b.show(outcome)
	if err == nil {
		if err := json.Unmarshal(outcome.Result, &result); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, form := range lab.Forms {
		var out session.LabExportResult
		if err := host.Call(context.Background(), b.handler, "lab.export", session.LabExportParams{Files: w.Files, Name: name + ".lab", Outcomes: b.outcomes, Form: form}, &out); err != nil {
			b.t.Fatal(err)
		}
		b.show(host.Outcome{}, out.Text)
		if strings.Contains(out.Text, b.url) {
			b.t.Errorf("%s as %s has the endpoint's address", name, form)
		}
	}
	return result, outcome, err
}

// lab returns the endpoint that ready experiments name.
func (b *labBench) lab(format, model string, options ...string) llm.Endpoint {
	e := b.endpoint(format, model, options...)
	e.Name = "lab"
	return e
}

func (b *labBench) check() {
	b.t.Helper()
	b.noKey()
	if len(b.strange) > 0 {
		b.t.Errorf("the key went to %q", b.strange)
	}
}

// The ready experiments run with an endpoint, all in one wire format and one per paper in each
// format: each cell makes the number of calls that it reports, within the limit, and replays from
// its log.
func TestEveryPaperRunsWithEndpoints(t *testing.T) {
	all, err := experiments.All()
	if err != nil {
		t.Fatal(err)
	}
	s := solvers(t)
	for i, format := range allFormats {
		names := []string{"formal-llm-5", "crouse-2023-1", "pmc-4", "llmfp-1"}
		if os.Getenv("STILE_LONG") == "" {
			names = names[i%len(names):][:1] // an experiment reaches an endpoint in one way, whatever its format
		}
		if format == llm.FormatOpenAI {
			names = nil
			for i := 0; i < len(all); i += caseStep(2) {
				names = append(names, all[i].Name)
			}
		}
		for _, name := range names {
			t.Run(format+"/"+name, func(t *testing.T) {
				b := newLabBench(t)
				b.solvers, b.hold = s, 2
				result, outcome, err := b.experiment(name, lab.Settings{Endpoints: []llm.Endpoint{b.lab(format, "choice")}, Tasks: 1, Seeds: []uint64{1}, Concurrent: 2})
				if err != nil {
					t.Fatal(err)
				}
				if result.Table.Failed > 0 || result.Table.Done != result.Table.Cells || result.Stopped != "" {
					for _, o := range result.Outcomes {
						if o.State == lab.StateFailed {
							t.Errorf("%s: %s", o.Key, o.Reason)
						}
					}
					t.Errorf("%s", result.Table.Markdown())
				}
				asked, rows := 0.0, map[string]bool{}
				for _, o := range result.Outcomes {
					for _, m := range o.Measures {
						if o.Model == "lab" && m.Name == "calls" {
							asked += m.Count
							rows[o.Method] = m.Count > 0
						}
					}
				}
				if n := len(b.Requests("r")); float64(n) != asked {
					t.Errorf("%d requests for %v calls", n, asked)
				}
				for _, r := range result.Table.Rows {
					if r.Model == "lab" && (!rows[r.Method] || r.Cells == 0) {
						t.Errorf("%s asked nothing", r)
					}
				}
				if len(rows) < 2 && name != "llmfp-5" || b.peak != 2 { // llmfp-5 has one method
					t.Errorf("%d rows, %d requests at a time", len(rows), b.peak)
				}
				for _, left := range []string{"Nobody has worked out what it is about", "Nobody has laid down variables"} {
					n := 0
					for _, r := range b.Requests("r") {
						if strings.Contains(r.Body, left) {
							n++
						}
					}
					if (n > 0) != (name == "llmfp-3") {
						t.Errorf("%d requests say %q", n, left)
					}
				}
				again, err := (&host.Runner{Handler: b.handler}).Run(context.Background(), session.RunStartParams{Workspace: workspaceOf(t, name), Log: &outcome.Log})
				if err != nil || string(again.Result) != string(outcome.Result) {
					t.Errorf("played again it is another: %v", err)
				}
				b.check()
			})
		}
	}
}

// Every ready experiment completes its table with simulated models, and to the same table with
// sequential and concurrent cells.
func TestReadyExperimentsProduceEqualTables(t *testing.T) {
	all, err := experiments.All()
	if err != nil {
		t.Fatal(err)
	}
	s := solvers(t)
	for i, e := range all {
		if step := caseStep(2); i%step != step-1 { // TestEveryPaperRunsWithEndpoints tries the others
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			var want lab.Table
			for _, concurrent := range []int{1, 7} {
				b := newLabBench(t)
				b.solvers = s
				got, _, err := b.experiment(e.Name, lab.Settings{Tasks: 1, Seeds: []uint64{1}, Concurrent: concurrent})
				if err != nil {
					t.Fatal(err)
				}
				keys := map[string]bool{}
				for _, o := range got.Outcomes {
					keys[o.Key] = true
				}
				if got.Table.Failed > 0 || got.Table.Done != got.Table.Cells || len(keys) != got.Table.Cells || len(b.Requests("r")) > 0 {
					t.Errorf("%s", got.Table.Markdown())
				}
				for i, c := range got.Table.Columns {
					if strings.HasSuffix(c.Measure, "-seconds") { // the time of a solver
						for _, r := range got.Table.Rows {
							r.Values[i] = lab.Value{}
						}
					}
				}
				if concurrent == 1 {
					want = got.Table
				} else if !reflect.DeepEqual(got.Table, want) {
					t.Errorf("%s\nnot\n%s", got.Table.Markdown(), want.Markdown())
				}
			}
		})
	}
}

func workspaceOf(t *testing.T, name string) session.RunWorkspace {
	t.Helper()
	w, err := experiments.Workspace(name)
	if err != nil {
		t.Fatal(err)
	}
	return session.RunWorkspace{Files: w.Files, Name: name + ".lab"}
}

// An experiment interrupted by a budget or a person and continued produces the table of an
// uninterrupted run, and makes no request beyond the budget.
//
//stile:race
func TestInterruptedExperimentContinuesToTheSameTable(t *testing.T) {
	const name = "formal-llm-1"
	settings := func(b *labBench) lab.Settings {
		return lab.Settings{Endpoints: []llm.Endpoint{b.lab("", "choice")}, Tasks: 4, Seeds: []uint64{1, 2}, Concurrent: 4}
	}
	b := newLabBench(t)
	b.hold = 4
	want, _, err := b.experiment(name, settings(b))
	if err != nil || want.Table.Done != want.Table.Cells || b.peak != 4 {
		t.Fatalf("%v: %d at a time, %s", err, b.peak, want.Table.Markdown())
	}
	calls := len(b.Requests("r"))
	b.check()

	b = newLabBench(t)
	var earlier []lab.Outcome
	runs := 0
	for {
		before := len(b.Requests("r"))
		s := settings(b)
		s.Earlier, s.Budget = earlier, &meter.Budget{Calls: 60}
		got, _, err := b.experiment(name, s)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(b.Requests("r")) - before; n > 60 {
			t.Fatalf("%d requests were made of 60", n)
		}
		if earlier, runs = b.outcomes, runs+1; got.Stopped == "" {
			if !reflect.DeepEqual(got.Table, want.Table) || runs < 2 || runs > 20 {
				t.Errorf("in %d runs with %d requests for %d it is %s", runs, len(b.Requests("r")), calls, got.Table.Markdown())
			}
			break
		}
		if runs > 20 {
			t.Fatalf("it never ends: %s", got.Table.Markdown())
		}
	}
	b.check()

	b = newLabBench(t)
	b.cancelAt = 17
	if _, _, err := b.experiment(name, settings(b)); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled it ends with %v", err)
	}
	done := b.outcomes
	b.cancelAt = 0
	s := settings(b)
	s.Earlier = done
	got, _, err := b.experiment(name, s)
	if err != nil || !reflect.DeepEqual(got.Table, want.Table) || got.Spent.Cells != want.Table.Cells-len(done) {
		t.Errorf("cancelled with %d cells done and gone on with it is %v, %d were run, %s", len(done), err, got.Spent.Cells, got.Table.Markdown())
	}
	b.check()
}

// A request rejected once is retried; requests that are always rejected fail only their own cells,
// with a reason that does not contain the key.
func TestRejectionsAreRetriedOrReported(t *testing.T) {
	for _, c := range []struct {
		model  string
		failed bool
		says   string
	}{
		{"fault-429-once", false, ""}, {"fault-500-once", false, ""}, {"fault-529-once", false, ""}, {"fault-cut-once", false, ""},
		{"fault-429", true, "after 4 attempts"}, {"fault-500", true, "after 4 attempts"}, {"fault-429-long", true, "longer than the maximum wait of a run"}, {"fault-401-echo", true, "key"},
		{"fault-garbage", true, ""}, {"fault-page", true, ""}, {"unknown-model", true, "model"},
	} {
		for _, format := range []string{llm.FormatOpenAI, llm.FormatResponses, llm.FormatAnthropic, llm.FormatOllama, llm.FormatGemini, llm.FormatBedrock} {
			b := newLabBench(t)
			good, bad := b.lab(format, "choice"), b.lab(format, c.model)
			bad.Name = "bad"
			endpoint := func(e llm.Endpoint) llm.Spec { return llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e} }
			got, _, err := b.experiment("formal-llm-1", lab.Settings{
				Models: []lab.NamedModel{{Name: "good", Spec: endpoint(good)}, {Name: "bad", Spec: endpoint(bad)}}, Tasks: 2, Seeds: []uint64{1}, Concurrent: 3,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range got.Outcomes {
				wrong := o.Model == "bad" && c.failed
				if (o.State == lab.StateFailed) != wrong || wrong && (o.Reason == "" || !strings.Contains(o.Reason, c.says)) {
					t.Errorf("%s, %s: %s is %s: %q", format, c.model, o.Key, o.State, o.Reason)
				}
			}
			if len(got.Outcomes) != 30 || c.failed && got.Table.Failed != 15 {
				t.Errorf("%s, %s: %s", format, c.model, got.Table.Markdown())
			}
			b.check()
		}
	}
}
