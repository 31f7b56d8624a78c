package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/stile-playground/stile/core/meter"
)

// asking makes two requests, draws a random number in between and spends, as a run does.
func asking(env *Env) (any, error) {
	first, err := env.Start(Request{HTTP: &HTTP{URL: "https://example.org/1", Stream: true}}).all()
	if err != nil {
		return nil, err
	}
	drawn := env.Rand().IntN(1000)
	if err := env.Meter().Spend(meter.Calls, 2); err != nil {
		return nil, err
	}
	second, err := env.Start(Request{HTTP: &HTTP{URL: "https://example.org/2"}}).Value()
	return fmt.Sprint(first, drawn, string(second)), err
}

// all reads a stream to its end and returns its text.
func (p *Pending) all() (string, error) {
	text := ""
	for {
		chunk, more, err := p.Chunk()
		if !more {
			return text, err
		}
		text += chunk
	}
}

// played runs a process to its end and answers each request with its address.
func played(t *testing.T, p *Process) Output {
	t.Helper()
	var answers []Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		if out.State == StateDone || out.State == StateFailed {
			return out
		}
		answers = nil
		for _, e := range out.Effects {
			if e.HTTP.Stream {
				for _, piece := range []string{"a", "b"} {
					answers = append(answers, Answer{Effect: e.ID, Chunk: &piece})
				}
			}
			value, _ := json.Marshal(e.HTTP.URL)
			answers = append(answers, Answer{Effect: e.ID, Value: value})
		}
	}
}

func TestNestedProcessReplaysAlone(t *testing.T) {
	var nested []NestedResult
	outer := func(env *Env) (any, error) {
		nested = make([]NestedResult, 3)
		var tasks []*Task
		for i := range nested {
			tasks = append(tasks, env.Go(func(env *Env) (err error) {
				nested[i], err = env.Nest(Nested{Body: asking, Seed: uint64(i)})
				return err
			}))
		}
		for _, task := range tasks {
			if err := task.Wait(); err != nil {
				return nil, err
			}
		}
		return env.Meter().Spent(meter.Calls), nil
	}
	p := New(outer, 9, meter.Budget{}, nil)
	if out := played(t, p); string(out.Result) != "6" {
		t.Fatalf("%s %v", out.Result, out.Err)
	}
	first := nested
	for i, n := range first {
		alone := New(asking, uint64(i), meter.Budget{}, nil)
		if out := played(t, alone); string(out.Result) != string(n.Result) || !reflect.DeepEqual(alone.Log(), n.Log) || n.Spent.Calls != 2 {
			t.Errorf("by itself %s, nested %s", out.Result, n.Result)
		}
		again, err := New(asking, uint64(i), meter.Budget{}, n.Log).Resume(nil, 0)
		if err != nil || string(again.Result) != string(n.Result) {
			t.Errorf("replayed %s %v", again.Result, err)
		}
	}
	replayed, err := New(outer, 9, meter.Budget{}, p.Log()).Resume(nil, 0)
	if err != nil || replayed.State != StateDone || !reflect.DeepEqual(first, nested) {
		t.Errorf("the whole replays otherwise: %v %v", replayed.State, err)
	}
}

func TestNestedProcessStopsWithItsParent(t *testing.T) {
	full := errors.New("full")
	for _, c := range []struct {
		law    string
		nested Nested
		budget meter.Budget
		want   string
	}{
		{"its own failure is a result", Nested{Body: func(*Env) (any, error) { return nil, full }}, meter.Budget{}, "done"},
		{"its own limit is a result", Nested{Body: asking, Budget: meter.Budget{Calls: 1}}, meter.Budget{}, "done"},
		{"the limit of the whole ends it", Nested{Body: asking}, meter.Budget{Calls: 1}, "failed"},
		{"what nobody can afford ends it", Nested{Body: asking, Afford: func(int) error { return full }}, meter.Budget{}, "failed"},
	} {
		p := New(func(env *Env) (any, error) {
			_, err := env.Nest(c.nested)
			return nil, err
		}, 1, c.budget, nil)
		if out := played(t, p); string(out.State) != c.want {
			t.Errorf("%s: %s %v", c.law, out.State, out.Err)
		}
	}
	p := New(func(env *Env) (any, error) {
		_, err := env.Nest(Nested{Body: asking})
		return nil, err
	}, 1, meter.Budget{}, nil)
	if _, err := p.Resume(nil, 0); err != nil {
		t.Fatal(err)
	}
	if out := p.Stop(); len(out.Cancel) != 1 {
		t.Errorf("stopped, and %v is cancelled", out.Cancel)
	}
}

// A gate bounds the concurrent requests to each endpoint over all processes. Requests
// that exceed the budget are not sent, and those in progress are cancelled when the
// process ends.
func TestGateBoundsConcurrentRequestsPerEndpoint(t *testing.T) {
	const each, most = 5, 2
	busy := func(endpoint string) Func {
		return func(env *Env) (any, error) {
			var pending []*Pending
			for range each {
				pending = append(pending, env.Start(Request{HTTP: &HTTP{URL: "https://example.org/" + endpoint, Auth: endpoint}}))
			}
			pending[each-1].Cancel() // while it is queued
			for _, p := range pending[:each-1] {
				if _, err := p.Value(); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}
	}
	gate := NewGate(most)
	p := New(func(env *Env) (any, error) {
		var tasks []*Task
		for _, endpoint := range []string{"a", "b", "a", ""} {
			tasks = append(tasks, env.Go(func(env *Env) error {
				_, err := env.Nest(Nested{Body: busy(endpoint), Gate: gate})
				return err
			}))
		}
		for _, task := range tasks {
			if err := task.Wait(); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}, 1, meter.Budget{}, nil)
	under, asked, peak := map[string][]string{}, map[string]int{}, map[string]int{}
	var answers []Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil || out.State == StateFailed {
			t.Fatal(err, out.Err)
		}
		for _, e := range out.Effects {
			under[e.HTTP.Auth] = append(under[e.HTTP.Auth], e.ID)
			asked[e.HTTP.Auth]++
			peak[e.HTTP.Auth] = max(peak[e.HTTP.Auth], len(under[e.HTTP.Auth]))
		}
		if out.State == StateDone {
			break
		}
		answers = nil
		for _, endpoint := range []string{"b", "a", ""} {
			if list := under[endpoint]; len(list) > 0 {
				under[endpoint], answers = list[1:], []Answer{{Effect: list[0], Value: []byte("null")}}
				break
			}
		}
	}
	if !reflect.DeepEqual(peak, map[string]int{"a": most, "b": most, "": each - 1}) || !reflect.DeepEqual(asked, map[string]int{"a": 2 * (each - 1), "b": each - 1, "": each - 1}) {
		t.Errorf("at most %v at a time, %v in all", peak, asked)
	}
	if len(gate.under) != 2 || gate.under["a"] != 0 || gate.under["b"] != 0 {
		t.Errorf("at the end there are %v under way", gate.under)
	}
	replayed, err := New(func(env *Env) (any, error) {
		_, err := env.Nest(Nested{Body: busy("a"), Gate: gate, Afford: func(calls int) error { return errors.New("no more") }})
		return nil, err
	}, 1, meter.Budget{}, nil).Resume(nil, 0)
	if err != nil || replayed.State != StateFailed || len(replayed.Effects) > 0 || gate.under["a"] != 0 {
		t.Errorf("%v: %d requests were made that nobody could afford", err, len(replayed.Effects))
	}
}

// Before its requests are sent, a nested process reports how many calls it spent since the last ones.
func TestCallsAreAffordedOnce(t *testing.T) {
	var afforded []int
	body := func(env *Env) (any, error) {
		for n := 1; n <= 3; n++ {
			if err := env.Meter().Spend(meter.Calls, int64(n)); err != nil {
				return nil, err
			}
			if _, err := env.Start(Request{HTTP: &HTTP{URL: "https://example.org"}}).Value(); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	p := New(func(env *Env) (any, error) {
		return env.Nest(Nested{Body: body, Afford: func(calls int) error { afforded = append(afforded, calls); return nil }})
	}, 1, meter.Budget{}, nil)
	if out := played(t, p); out.State != StateDone || !reflect.DeepEqual(afforded, []int{1, 2, 3}) {
		t.Errorf("%v: %v calls", out.State, afforded)
	}
}

// A queued effect that is cancelled is never sent; the others of the queue are.
func TestCancelledEffectLeavesTheQueue(t *testing.T) {
	body := func(env *Env) (any, error) {
		var pending []*Pending
		for _, path := range []string{"1", "2", "3", "4"} {
			pending = append(pending, env.Start(Request{HTTP: &HTTP{URL: "https://example.org/" + path, Auth: "a"}}))
		}
		for i, p := range pending {
			if i == 2 {
				continue
			}
			if _, err := p.Value(); err != nil {
				return nil, err
			}
			pending[2].Cancel()
		}
		return nil, nil
	}
	p := New(func(env *Env) (any, error) { return env.Nest(Nested{Body: body, Gate: NewGate(1)}) }, 1, meter.Budget{}, nil)
	var sent []string
	var answers []Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
		answers = nil
		for _, e := range out.Effects {
			sent = append(sent, e.HTTP.URL[len("https://example.org/"):])
			answers = append(answers, Answer{Effect: e.ID, Value: []byte("null")})
		}
		if out.State == StateDone {
			break
		}
	}
	if !reflect.DeepEqual(sent, []string{"1", "2", "4"}) {
		t.Errorf("the requests %v were sent", sent)
	}
}

// A stopped process cancels its effects in the order of their names.
func TestEffectsAreCancelledInOrder(t *testing.T) {
	p := New(func(env *Env) (any, error) {
		var last *Pending
		for range 5 {
			last = env.Start(Request{HTTP: &HTTP{URL: "https://example.org"}})
		}
		_, err := last.Value()
		return nil, err
	}, 1, meter.Budget{}, nil)
	if _, err := p.Resume(nil, 0); err != nil {
		t.Fatal(err)
	}
	if out := p.Stop(); !reflect.DeepEqual(out.Cancel, []string{"e1", "e2", "e3", "e4", "e5"}) {
		t.Errorf("%v", out.Cancel)
	}
}
