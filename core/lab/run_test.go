package lab

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
)

// twelve is an experiment of twelve cells, each of which asks as often as [world] sets.
const twelve = `(experiment twelve
  (:tasks (plans "things"))
  (:methods (baseline zero-shot) (baseline grammar))
  (:models (simulated first))
  (:seeds 1 2)
  (:measures valid calls)
  (:concurrent 3))
`

var twelveFiles = []workspace.File{
	{Name: "twelve.lab", Text: twelve},
	{Name: "things/tasks.json", Text: `{"tasks":[{"text":"one","spec":"a.cfg"},{"text":"two","spec":"a.cfg"},{"text":"three","spec":"a.cfg"}]}`},
}

// world performs the effects of a run of an experiment: each cell makes a number of
// sequential rounds with a number of concurrent requests.
type world struct {
	t           *testing.T
	rounds, per int
	order       int // which pending request is answered next: 0 the oldest, 1 the newest, others by turns

	asked, peak int // requests in total, and the maximum in flight
	cells       []Outcome
	cancelled   int
	begun       int
}

func (w *world) setup() Setup {
	return Setup{Begin: func(string, workspace.Workspace, string, json.RawMessage) (process.Func, error) {
		w.begun++
		return func(env *process.Env) (any, error) {
			for range w.rounds {
				var pending []*process.Pending
				for range w.per {
					if err := env.Meter().Spend(meter.Calls, 1); err != nil {
						return nil, err
					}
					pending = append(pending, env.Start(process.Request{HTTP: &process.HTTP{URL: "https://models.example", Auth: "endpoint:lab"}}))
				}
				for _, p := range pending {
					if _, err := p.Value(); err != nil {
						return nil, err
					}
				}
			}
			return map[string]any{"check": map[string]any{"valid": env.Rand().IntN(2) == 0}}, nil
		}, nil
	}}
}

// run runs the experiment and stops it after a number of answers (0: never).
func (w *world) run(s Settings, budget meter.Budget, stop int) (out Result, ended process.Output) {
	w.t.Helper()
	x := parsed(w.t, twelve)
	p := process.New(func(env *process.Env) (any, error) { return x.Run(env, twelveFiles, w.setup(), s) }, 1, budget, nil)
	var under []string
	var answers []process.Answer
	for n := 0; ; n++ {
		got, err := p.Resume(answers, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		w.hear(got.Events)
		for _, id := range got.Cancel {
			w.cancelled++
			for i := range under {
				if under[i] == id {
					under = append(under[:i], under[i+1:]...)
					break
				}
			}
		}
		for _, e := range got.Effects {
			w.asked++
			under = append(under, e.ID)
		}
		w.peak = max(w.peak, len(under))
		if got.State == process.StateDone || got.State == process.StateFailed {
			if got.State == process.StateDone {
				if err := json.Unmarshal(got.Result, &out); err != nil {
					w.t.Fatal(err)
				}
			}
			return out, got
		}
		if stop > 0 && n == stop {
			ended = p.Stop()
			w.cancelled += len(ended.Cancel)
			w.hear(ended.Events)
			return out, ended
		}
		answers = nil
		if len(under) == 0 {
			if got.State == process.StateWaiting {
				w.t.Fatal("it waits for nothing")
			}
			continue
		}
		at := []int{0, len(under) - 1, n % len(under)}[w.order]
		answers = []process.Answer{{Effect: under[at], Value: []byte(`{"status":200}`)}}
		under = append(under[:at], under[at+1:]...)
	}
}

func (w *world) hear(events []json.RawMessage) {
	for _, raw := range events {
		var e CellEvent
		if json.Unmarshal(raw, &e) == nil && e.Kind == "lab.cell" && e.Outcome.State == StateDone {
			w.cells = append(w.cells, e.Outcome)
		}
	}
}

func TestEndpointLimitDoesNotChangeResults(t *testing.T) {
	var want Table
	for _, concurrent := range []int{0, 1, 2, 5, MaxConcurrent, 1000} {
		for order := range 3 {
			w := &world{t: t, rounds: 2, per: 4, order: order}
			got, ended := w.run(Settings{Concurrent: concurrent}, meter.Budget{}, 0)
			if ended.Err != nil || got.Stopped != "" || w.asked != 12*8 || got.Spent.Calls != 12*8 {
				t.Fatalf("%d at a time: %v %q, %d requests", concurrent, ended.Err, got.Stopped, w.asked)
			}
			if most := min(max(concurrent, 1), MaxConcurrent); concurrent > 0 && w.peak > most || concurrent == 0 && w.peak != 3 || concurrent == 5 && w.peak != 5 {
				t.Errorf("%d at a time: %d requests were under way", concurrent, w.peak)
			}
			if want.Columns == nil {
				want = got.Table
			}
			if !reflect.DeepEqual(got.Table, want) || want.Done != 12 {
				t.Errorf("%d at a time: %s, not %s", concurrent, got.Table.Markdown(), want.Markdown())
			}
		}
	}
}

func TestNoRequestIsMadeBeyondTheBudget(t *testing.T) {
	whole, _ := (&world{t: t, rounds: 5, per: 2}).run(Settings{}, meter.Budget{}, 0)
	for _, concurrent := range []int{1, 3, 12} {
		for _, calls := range []int{10, 33, 120, 121} {
			for order := range 3 {
				var earlier []Outcome
				runs := 0
				for {
					w := &world{t: t, rounds: 5, per: 2, order: order}
					got, ended := w.run(Settings{Concurrent: concurrent, Budget: &meter.Budget{Calls: calls}, Earlier: earlier}, meter.Budget{}, 0)
					if ended.Err != nil || w.asked > calls || got.Spent.Calls != w.asked {
						t.Fatalf("%d calls, %d at a time: %v, %d requests, %d counted", calls, concurrent, ended.Err, w.asked, got.Spent.Calls)
					}
					earlier = w.cells
					if got.Stopped == "" {
						if got.Table.Notes = nil; got.Table.Done != 12 || got.Table.Markdown() != whole.Table.Markdown() {
							t.Errorf("%d calls, %d at a time: %s", calls, concurrent, got.Table.Markdown())
						}
						break
					}
					if calls >= 120 || !strings.Contains(got.Stopped, fmt.Sprintf("%d calls", calls)) || w.cancelled > 0 && w.cancelled > w.asked {
						t.Fatalf("%d calls, %d at a time: stopped for %q with %d done", calls, concurrent, got.Stopped, got.Table.Done)
					}
					// With one request at a time, a budget for one cell is enough to make progress.
					if runs++; concurrent > 1 && runs == 3 || runs > 12 {
						break
					}
				}
				if concurrent == 1 && runs > 11 {
					t.Errorf("%d calls at a time never come to an end", calls)
				}
			}
		}
	}
}

// An exceeded limit of the run is no failure of its cells: the finished ones remain.
func TestRunLimitStopsExperimentThatCanContinue(t *testing.T) {
	w := &world{t: t, rounds: 3, per: 1}
	got, ended := w.run(Settings{}, meter.Budget{Calls: 20}, 0)
	if ended.Err != nil || !strings.Contains(got.Stopped, "20") || got.Table.Done == 0 || got.Table.Done == 12 || got.Table.Failed > 0 || w.asked > 20 {
		t.Fatalf("%v: %q with %d done after %d requests", ended.Err, got.Stopped, got.Table.Done, w.asked)
	}
	rest, _ := (&world{t: t, rounds: 3, per: 1}).run(Settings{Earlier: w.cells}, meter.Budget{}, 0)
	whole, _ := (&world{t: t, rounds: 3, per: 1}).run(Settings{}, meter.Budget{}, 0)
	if rest.Spent.Cells != 12-got.Table.Done || !reflect.DeepEqual(rest.Table, whole.Table) {
		t.Errorf("%d cells were run: %s", rest.Spent.Cells, rest.Table.Markdown())
	}
}

// An experiment that is stopped cancels its running cells and keeps the finished ones, so that it
// can be continued.
func TestCancelledExperimentContinues(t *testing.T) {
	whole, _ := (&world{t: t, rounds: 2, per: 2}).run(Settings{}, meter.Budget{}, 0)
	for stop := 1; stop < 48; stop += 5 {
		w := &world{t: t, rounds: 2, per: 2, order: stop % 3}
		if _, ended := w.run(Settings{}, meter.Budget{}, stop); ended.State != process.StateFailed {
			t.Fatalf("after %d answers it is %s", stop, ended.State)
		}
		if w.asked-w.cancelled != stop {
			t.Errorf("after %d answers %d of %d requests were cancelled", stop, w.cancelled, w.asked)
		}
		next := &world{t: t, rounds: 2, per: 2}
		got, _ := next.run(Settings{Earlier: w.cells}, meter.Budget{}, 0)
		if next.begun != 12-len(w.cells) || !reflect.DeepEqual(got.Table, whole.Table) {
			t.Errorf("stopped after %d answers with %d cells done, %d were run: %s", stop, len(w.cells), next.begun, got.Table.Markdown())
		}
	}
}
