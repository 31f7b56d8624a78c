package process_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	wire "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// ask is a process that asks a person n questions one after the other and
// draws a random number after each answer.
func ask(n int) process.Func {
	return func(env *process.Env) (any, error) {
		var got []string
		for i := range n {
			raw, err := env.Start(process.Request{Question: &process.Question{Prompt: strconv.Itoa(i)}}).Value()
			if err != nil {
				return nil, err
			}
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return nil, err
			}
			got = append(got, fmt.Sprintf("%s/%d", text, env.Rand().IntN(1000)))
			env.Emit(map[string]any{"kind": "got", "text": text})
		}
		return got, nil
	}
}

// concurrently is a process whose children each read a stream and add up.
func concurrently(children int) process.Func {
	return func(env *process.Env) (any, error) {
		sums := make([]string, children)
		tasks := make([]*process.Task, children)
		for i := range children {
			tasks[i] = env.Go(func(env *process.Env) error {
				stream := env.Start(process.Request{HTTP: &process.HTTP{Method: "GET", URL: strconv.Itoa(i), Stream: true}})
				for {
					chunk, ok, err := stream.Chunk()
					if err != nil {
						sums[i] += "!" + err.Error()
						return nil
					}
					if !ok {
						return nil
					}
					sums[i] += chunk
					if err := env.Meter().Step(10); err != nil {
						return err
					}
					env.Emit(map[string]any{"kind": "chunk", "task": i, "chunk": chunk})
				}
			})
		}
		for _, t := range tasks {
			if err := t.Wait(); err != nil {
				return nil, err
			}
		}
		return sums, nil
	}
}

func value(id, text string) process.Answer {
	raw, _ := json.Marshal(text)
	return process.Answer{Effect: id, Value: raw}
}

func chunk(id, text string) process.Answer { return process.Answer{Effect: id, Chunk: &text} }

func resume(t *testing.T, p *process.Process, slice int64, answers ...process.Answer) process.Output {
	t.Helper()
	out, err := p.Resume(answers, slice)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// settle resumes p while it is working, and joins its outputs.
func settle(t *testing.T, p *process.Process, slice int64, answers ...process.Answer) process.Output {
	t.Helper()
	all := resume(t, p, slice, answers...)
	for all.State == process.StateWorking {
		out := resume(t, p, slice)
		all.Effects = append(all.Effects, out.Effects...)
		all.Cancel = append(all.Cancel, out.Cancel...)
		all.Events = append(all.Events, out.Events...)
		all.State, all.Result, all.Err = out.State, out.Result, out.Err
	}
	return all
}

func ids(effects []process.Effect) string {
	var list []string
	for _, e := range effects {
		list = append(list, e.ID)
	}
	return strings.Join(list, " ")
}

func joinEvents(events []wire.RawMessage) string {
	var b strings.Builder
	for _, e := range events {
		b.Write(e)
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAnswersDriveTheProcess(t *testing.T) {
	p := process.New(ask(2), 1, meter.Budget{}, nil)
	out := resume(t, p, 0)
	if out.State != process.StateWaiting || ids(out.Effects) != "e1" {
		t.Fatalf("first resume: %+v", out)
	}
	out = resume(t, p, 0, value("e1", "a"))
	if ids(out.Effects) != "e2" || joinEvents(out.Events) != `{"seq":0,"kind":"got","text":"a"}`+"\n" {
		t.Fatalf("second resume: %+v", out)
	}
	out = resume(t, p, 0, value("e2", "b"))
	if out.State != process.StateDone || !strings.HasPrefix(string(out.Result), `["a/`) {
		t.Fatalf("third resume: %s %s", out.State, out.Result)
	}
}

func TestReplayAtEveryPointGivesTheSameRun(t *testing.T) {
	const children = 3
	script := []process.Answer{
		chunk("2.e1", "x"), chunk("1.e1", "a"), chunk("3.e1", "p"), chunk("1.e1", "b"), value("3.e1", ""),
		chunk("2.e1", "y"), value("1.e1", ""), chunk("2.e1", "z"), value("2.e1", ""),
	}
	whole := process.New(concurrently(children), 7, meter.Budget{}, nil)
	first := settle(t, whole, 0)
	want := settle(t, whole, 0, script...)
	wantEvents := joinEvents(first.Events) + joinEvents(want.Events)
	if want.State != process.StateDone || string(want.Result) != `["ab","xyz","p"]` {
		t.Fatalf("run: %s %s %v", want.State, want.Result, want.Err)
	}
	for cut := range len(script) + 1 {
		for _, slice := range []int64{0, 1, 15} {
			// Replay the log up to the cut, then answer live. The end is the same only if the cut
			// breaks no stream.
			p := process.New(concurrently(children), 7, meter.Budget{}, slices.Clone(script[:cut]))
			out := settle(t, p, slice)
			events := joinEvents(out.Events)
			if !strings.HasPrefix(wantEvents, events) && !strings.Contains(events, "!") {
				t.Fatalf("cut %d slice %d: events differ:\n%s", cut, slice, events)
			}
			if cut == len(script) && (string(out.Result) != string(want.Result) || events != wantEvents) {
				t.Fatalf("cut %d slice %d: %s\n%s", cut, slice, out.Result, events)
			}
		}
	}
}

func TestBatchingOfAnswersDoesNotMatter(t *testing.T) {
	script := []process.Answer{chunk("1.e1", "a"), chunk("2.e1", "x"), value("2.e1", ""), chunk("1.e1", "b"), value("1.e1", "")}
	var want string
	for mask := range 1 << (len(script) - 1) {
		p := process.New(concurrently(2), 3, meter.Budget{}, nil)
		events := joinEvents(settle(t, p, 0).Events)
		var batch []process.Answer
		var last process.Output
		for i, a := range script {
			batch = append(batch, a)
			if mask>>i&1 == 1 || i == len(script)-1 {
				last = settle(t, p, 5, batch...)
				events += joinEvents(last.Events)
				batch = nil
			}
		}
		got := string(last.Result) + events
		if mask == 0 {
			want = got
		}
		if got != want {
			t.Fatalf("batching %b changes the run:\n%s\nwant\n%s", mask, got, want)
		}
	}
}

func TestReplayRequestsOnlyUnansweredEffects(t *testing.T) {
	p := process.New(ask(3), 1, meter.Budget{}, []process.Answer{value("e1", "a"), value("e2", "b")})
	if out := settle(t, p, 0); ids(out.Effects) != "e3" || len(out.Events) != 2 {
		t.Fatalf("effects %q, %d events", ids(out.Effects), len(out.Events))
	}
}

func TestStreamCutOffByTheLogEndsInterrupted(t *testing.T) {
	p := process.New(concurrently(2), 1, meter.Budget{}, []process.Answer{chunk("1.e1", "ab")})
	out := settle(t, p, 0)
	if ids(out.Effects) != "2.e1" || len(out.Cancel) != 0 {
		t.Fatalf("effects %q cancel %v", ids(out.Effects), out.Cancel)
	}
	out = settle(t, p, 0, value("2.e1", ""))
	if want := `["ab!the run was interrupted before this reply was complete",""]`; string(out.Result) != want {
		t.Fatalf("result %s, want %s", out.Result, want)
	}
	again := settle(t, process.New(concurrently(2), 1, meter.Budget{}, p.Log()), 0)
	if string(again.Result) != string(out.Result) {
		t.Fatalf("its own log replays to %s", again.Result)
	}
}

func TestMismatchedLogIsAnError(t *testing.T) {
	p := process.New(ask(1), 1, meter.Budget{}, []process.Answer{value("3.e1", "a")})
	out := settle(t, p, 0)
	var fault *process.LogError
	if out.State != process.StateFailed || !errors.As(out.Err, &fault) || fault.Effect != "3.e1" || !strings.Contains(fault.Error(), `its answer 1 is for effect "3.e1"`) {
		t.Fatalf("%s %v", out.State, out.Err)
	}
}

func TestAnswersToUnknownEffectsAreRejectedAndLateOnesDropped(t *testing.T) {
	p := process.New(ask(2), 1, meter.Budget{}, nil)
	settle(t, p, 0)
	for _, id := range []string{"e2", "1.e1", "", "e0", "exx"} {
		if _, err := p.Resume([]process.Answer{value(id, "x")}, 0); err == nil {
			t.Errorf("answer to %q was taken", id)
		}
	}
	settle(t, p, 0, value("e1", "a"))
	if out := settle(t, p, 0, value("e1", "late")); out.State != process.StateWaiting || len(p.Log()) != 1 {
		t.Fatalf("%s, log of %d", out.State, len(p.Log()))
	}
}

func TestCancellingAnEffectNotifiesTheHost(t *testing.T) {
	p := process.New(func(env *process.Env) (any, error) {
		stream := env.Start(process.Request{HTTP: &process.HTTP{Method: "GET", Stream: true}})
		if _, _, err := stream.Chunk(); err != nil {
			return nil, err
		}
		stream.Cancel()
		_, err := stream.Value()
		return errors.Is(err, process.ErrCancelled), nil
	}, 1, meter.Budget{}, nil)
	settle(t, p, 0)
	out := settle(t, p, 0, chunk("e1", "x"), chunk("e1", "y"))
	if out.State != process.StateDone || !slices.Equal(out.Cancel, []string{"e1"}) || string(out.Result) != "true" {
		t.Fatalf("%+v", out)
	}
	if log := p.Log(); len(log) != 2 || log[0].Chunk == nil || log[1].Error == nil {
		t.Fatalf("the log is %v, want the chunk that was read and that the run cancelled the stream", log)
	}
}

// reader reads streams one after the other and cancels each at its first "!".
func reader(streams int) process.Func {
	return func(env *process.Env) (any, error) {
		var got []string
		for range streams {
			stream := env.Start(process.Request{HTTP: &process.HTTP{Method: "GET", Stream: true}})
			text := ""
			for {
				chunk, ok, err := stream.Chunk()
				if err != nil {
					return nil, err
				}
				if text += chunk; !ok || strings.Contains(chunk, "!") {
					break
				}
			}
			stream.Cancel()
			if _, err := env.Start(process.Request{Timer: &process.Timer{Milliseconds: len(text)}}).Value(); err != nil {
				return nil, err
			}
			got = append(got, text)
		}
		return got, nil
	}
}

func TestRunInterruptedAtAnyAnswerEndsWithTheSameLog(t *testing.T) {
	// drive answers every effect with the same text.
	resumeUntil := func(p *process.Process, stopAfter int) (process.Output, bool) {
		out := settle(t, p, 0)
		for given := 0; out.State == process.StateWaiting; {
			var answers []process.Answer
			for _, e := range out.Effects {
				switch {
				case e.Kind == "timer":
					answers = append(answers, process.Answer{Effect: e.ID, Value: []byte("null")})
				case e.ID == "e1":
					answers = append(answers, chunk("e1", "a"), chunk("e1", "b!"), chunk("e1", "c"))
				default:
					answers = append(answers, chunk(e.ID, "d"), chunk(e.ID, "e"), value(e.ID, ""))
				}
			}
			for _, a := range answers {
				if given == stopAfter {
					return out, false
				}
				given++
				out = settle(t, p, 0, a)
				if len(out.Effects) > 0 {
					break
				}
			}
		}
		return out, true
	}
	whole := process.New(reader(3), 1, meter.Budget{}, nil)
	want, ended := resumeUntil(whole, -1)
	if !ended || string(want.Result) != `["ab!","de","de"]` {
		t.Fatalf("%s %v", want.Result, want.Err)
	}
	for stopAfter := range len(whole.Log()) {
		cut := process.New(reader(3), 1, meter.Budget{}, nil)
		resumeUntil(cut, stopAfter)
		resumed := process.New(reader(3), 1, meter.Budget{}, process.Settled(cut.Log()))
		out, _ := resumeUntil(resumed, -1)
		if string(out.Result) != string(want.Result) || !reflect.DeepEqual(resumed.Log(), whole.Log()) {
			t.Errorf("interrupted after %d answers: %s %v\n%v", stopAfter, out.Result, out.Err, resumed.Log())
		}
	}
}

func TestStopUnwindsEveryTaskAndCancelsItsEffects(t *testing.T) {
	unwound := 0
	p := process.New(func(env *process.Env) (any, error) {
		for range 3 {
			env.Go(func(env *process.Env) error {
				defer func() { unwound++ }()
				_, err := env.Start(process.Request{Question: &process.Question{}}).Value()
				if !errors.Is(err, process.ErrCancelled) {
					t.Errorf("a stopped wait returns %v", err)
				}
				env.Emit(map[string]any{"kind": "never"})
				return err
			})
		}
		_, err := env.Start(process.Request{Question: &process.Question{}}).Value()
		return nil, err
	}, 1, meter.Budget{}, nil)
	settle(t, p, 0)
	out := p.Stop()
	if unwound != 3 || len(out.Cancel) != 4 || out.State != process.StateFailed || !errors.Is(out.Err, process.ErrCancelled) || len(out.Events) != 0 {
		t.Fatalf("unwound %d: %+v", unwound, out)
	}
	if out := p.Stop(); len(out.Cancel) != 0 {
		t.Fatalf("stopping twice cancels twice: %v", out.Cancel)
	}
}

func TestEndlessLoopYieldsAndCanBeStopped(t *testing.T) {
	ended := error(nil)
	p := process.New(func(env *process.Env) (any, error) {
		for {
			if err := env.Meter().Step(1); err != nil {
				ended = err
				return nil, err
			}
		}
	}, 1, meter.Budget{Steps: 1 << 40}, nil)
	for range 5 {
		if out := resume(t, p, 1000); out.State != process.StateWorking {
			t.Fatalf("state %s", out.State)
		}
	}
	p.Stop()
	if !errors.Is(ended, process.ErrCancelled) {
		t.Fatalf("the loop ended with %v", ended)
	}
}

func TestBudgetEndsARun(t *testing.T) {
	p := process.New(func(env *process.Env) (any, error) {
		for {
			if err := env.Meter().Spend(meter.Calls, 1); err != nil {
				return nil, err
			}
		}
	}, 1, meter.Budget{Calls: 10}, nil)
	out := settle(t, p, 0)
	var limit *meter.LimitError
	if !errors.As(out.Err, &limit) || limit.Code() != "limit.calls" {
		t.Fatalf("%v", out.Err)
	}
}

func TestPanicFailsOnlyTheRun(t *testing.T) {
	for name, f := range map[string]process.Func{
		"root": func(*process.Env) (any, error) { panic("boom") },
		"child": func(env *process.Env) (any, error) {
			return nil, env.Go(func(*process.Env) error { panic("boom") }).Wait()
		},
	} {
		out := settle(t, process.New(f, 1, meter.Budget{}, nil), 0)
		var fault *process.PanicError
		if out.State != process.StateFailed || !errors.As(out.Err, &fault) {
			t.Errorf("%s: %s %v", name, out.State, out.Err)
		}
	}
}

func TestDeadlockedTasksAreAnError(t *testing.T) {
	p := process.New(func(env *process.Env) (any, error) {
		var first, second *process.Task
		first = env.Go(func(*process.Env) error { return second.Wait() })
		second = env.Go(func(*process.Env) error { return first.Wait() })
		return nil, first.Wait()
	}, 1, meter.Budget{}, nil)
	if out := settle(t, p, 0); out.State != process.StateFailed {
		t.Fatalf("state %s", out.State)
	}
}

func TestStoppedTaskCancelsItsEffectsAndChildren(t *testing.T) {
	var ends []string
	p := process.New(func(env *process.Env) (any, error) {
		inner := func(name string) func(*process.Env) error {
			return func(env *process.Env) error {
				_, err := env.Start(process.Request{Question: &process.Question{Prompt: name}}).Value()
				ends = append(ends, fmt.Sprintf("%s %v", name, err))
				return err
			}
		}
		child := env.Go(func(env *process.Env) error {
			env.Go(inner("grandchild"))
			return inner("child")(env)
		})
		other := env.Go(inner("other"))
		never := false
		if _, err := env.Start(process.Request{Question: &process.Question{Prompt: "root"}}).Value(); err != nil {
			return nil, err
		}
		child.Stop()
		child.Stop()
		late := env.Go(func(*process.Env) error { never = true; return nil })
		late.Stop()
		if err := other.Wait(); err != nil {
			return nil, err
		}
		return never, nil
	}, 1, meter.Budget{}, nil)
	out := settle(t, p, 0)
	if len(out.Effects) != 4 {
		t.Fatalf("%d effects", len(out.Effects))
	}
	out = settle(t, p, 0, value("e1", `"x"`))
	if slices.Sort(out.Cancel); !slices.Equal(out.Cancel, []string{"1.1.e1", "1.e1"}) || out.State != process.StateWaiting {
		t.Fatalf("%+v", out)
	}
	out = settle(t, p, 0, value("1.e1", `"late"`), value("2.e1", `"y"`))
	if out.State != process.StateDone || string(out.Result) != "false" || out.Err != nil {
		t.Fatalf("%+v", out)
	}
	slices.Sort(ends)
	if want := []string{"child cancelled", "grandchild cancelled", "other <nil>"}; !slices.Equal(ends, want) {
		t.Errorf("%q", ends)
	}
}

func TestTagsApplyToEventsAndChildren(t *testing.T) {
	ready := false
	p := process.New(func(env *process.Env) (any, error) {
		env.Tag("run", "a")
		child := env.Go(func(env *process.Env) error {
			env.Tag("subtask", "t1")
			env.Emit(map[string]any{"kind": "x"})
			ready = true
			return nil
		})
		if err := env.Until(func() bool { return ready }); err != nil {
			return nil, err
		}
		env.Emit(map[string]any{})
		return env.Answered(), child.Wait()
	}, 1, meter.Budget{}, nil)
	out := settle(t, p, 0)
	if got := fmt.Sprintf("%s", out.Events); out.State != process.StateDone || got != `[{"seq":0,"run":"a","subtask":"t1","kind":"x"} {"seq":1,"run":"a"}]` {
		t.Errorf("%s %v", got, out.Err)
	}
}

func TestCancelledAnswerOfAHostReplays(t *testing.T) {
	body := func(env *process.Env) (any, error) {
		_, err := env.Start(process.Request{Timer: &process.Timer{}}).Value()
		var fault *process.EffectError
		if !errors.As(err, &fault) {
			return nil, err
		}
		return fault.Code, nil
	}
	p := process.New(body, 1, meter.Budget{}, nil)
	settle(t, p, 0)
	settle(t, p, 0, process.Answer{Effect: "e1", Error: &process.EffectError{Code: "cancelled", Message: "no"}})
	again := settle(t, process.New(body, 1, meter.Budget{}, p.Log()), 0)
	if again.State != process.StateDone || string(again.Result) != `"aborted"` {
		t.Errorf("%s %s %v", again.State, again.Result, again.Err)
	}
}
