package enforce

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func policy(t *testing.T, text string) *Policy {
	t.Helper()
	p, found := New(source.NewFile("x.rules", text))
	if p == nil {
		t.Fatal(found)
	}
	return p
}

// drive runs a process whose clock has the given readings, and returns its events.
func drive(t *testing.T, f func(env *process.Env) error, clock ...string) (events []Event, err error) {
	t.Helper()
	p := process.New(func(env *process.Env) (any, error) { return nil, f(env) }, 1, meter.Budget{}, nil)
	var answers []process.Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range out.Events {
			var e Event
			if err := json.Unmarshal(raw, &e); err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
		}
		answers = nil
		for _, e := range out.Effects {
			if e.Kind != "clock" || len(clock) == 0 {
				t.Fatalf("unexpected effect %s", e.Kind)
			}
			answers = append(answers, process.Answer{Effect: e.ID, Value: json.RawMessage(clock[0])})
			clock = clock[1:]
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return events, out.Err
		}
	}
}

func fields(text string) *rules.Value { return rules.Fields(text, nil) }

// The times of events never decrease, even if the clock of the host does.
func TestClockThatIsSetBack(t *testing.T) {
	p := policy(t, "a: pay() -> count[10s] pay() <= 1\n")
	events, err := drive(t, func(env *process.Env) error {
		r := p.Begin(0)
		for range 3 {
			if _, _, err := r.Call(env, Call{Tool: "pay"}); err != nil {
				return err
			}
		}
		return nil
	}, "100.25", "40", "111")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprint(string(e.Event.Time), " ", e.Denied))
	}
	if want := "100.25 false, 100.25 true, 111 false"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
	for _, answer := range []string{`"x"`, `{}`} {
		if _, err := drive(t, func(env *process.Env) error { return p.Begin(0).Message(env, "user", "x", "") }, answer); err == nil || source.ErrorCode(err) != "rules.run" {
			t.Errorf("a clock that answers %s: %v", answer, err)
		}
	}
}

// Results, errors and messages are events, and their violations are in the report.
func TestReportOfARun(t *testing.T) {
	p := policy(t, `secret: !message.assistant(text: ~ "password")
ok: end() -> !(once pay.error())
paid: pay.result(input.order: ?o, amount: ?a) -> ?a <= 10
never: refund() -> once pay()
`)
	var reports []Report
	events, err := drive(t, func(env *process.Env) error {
		r := p.Begin(3)
		made, _, err := r.Call(env, Call{Tool: "pay", Fields: fields(`{"order":1}`), Agent: "clerk"})
		if err != nil {
			return err
		}
		if err := made.Result(env, `{"amount":11}`); err != nil {
			return err
		}
		if made, _, err = r.Call(env, Call{Tool: "pay", Fields: fields(`{"order":2}`)}); err != nil {
			return err
		}
		if err := made.Error(env, "no money"); err != nil {
			return err
		}
		if err := r.Message(env, "assistant", "the password is x", ""); err != nil {
			return err
		}
		if _, err = r.End(env); err == nil {
			reports, err = r.End(env) // the second end is no event
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Report{
		{Name: "secret", Verdict: "violated", Reason: `message.assistant(text: "the password is x") violates the rule "secret", which requires !message.assistant(text: ~ "password")`},
		{Name: "ok", Verdict: "violated", Reason: `end() violates the rule "ok", which requires !(once pay.error())`},
		{Name: "paid", Verdict: "violated", Reason: `pay.result(amount: 11, input: {"order":1}) violates the rule "paid", which requires 11 <= 10`},
		{Name: "never", Verdict: "untriggered"},
	}
	for i, r := range reports {
		if r != want[i] {
			t.Errorf("%+v, want %+v", r, want[i])
		}
	}
	if len(events) != 6 || events[0].Sample != 3 || string(events[1].Event.ID) != `"call_1"` || string(events[1].Event.Agent) != `"clerk"` || string(events[5].Event.Time) != "5" {
		t.Errorf("%d events, %+v", len(events), events)
	}
}

// The reason names the rule, its requirement and the allowed tools.
func TestReasonOfADenial(t *testing.T) {
	var names []string
	for i := range 23 {
		names = append(names, fmt.Sprintf("t%d", i))
	}
	p := policy(t, "a: t1(x: ?x, y: ?y) -> ?x = ?y\nb: t1() -> false = true\nc: !t2()\n")
	_, err := drive(t, func(env *process.Env) error {
		r := p.Begin(0)
		for tools, want := range map[string]string{
			"":   `t1 was not called because it violates the rule "a", which requires 1 = "z".`,
			"t3": `t1 was not called because it violates the rule "a", which requires 1 = "z"; allowed tools: t3.`,
			"*": `t1 was not called because it violates the rule "a", which requires 1 = "z"; allowed tools: ` +
				`t0, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20, t21 and 1 more.`,
		} {
			list := names
			if tools != "*" {
				list = append([]string{"t1", "t2"}, strings.Fields(tools)...)
			}
			made, reason, err := r.Call(env, Call{Tool: "t1", Fields: fields(`{"x":1,"y":"z"}`), Tools: list})
			if err != nil {
				return err
			}
			if made != nil || reason != want {
				t.Errorf("%q, want %q", reason, want)
			}
		}
		if _, err := r.End(env); err != nil {
			return err
		}
		_, reason, err := r.Call(env, Call{Tool: "t3", Tools: names})
		if want := "t3 was not called because the rules cannot be judged: event 1 follows the end of the run."; reason != want {
			t.Errorf("%q, want %q", reason, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
