package enforce

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
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
		{Name: "secret", Verdict: "violated", Reason: `message.assistant(text: "the password is x") violates the rule "secret", which requires !message.assistant(text: ~ "password")`, Violations: 1},
		{Name: "ok", Verdict: "violated", Reason: `end() violates the rule "ok", which requires !(once pay.error())`, Violations: 1},
		{Name: "paid", Verdict: "violated", Reason: `pay.result(amount: 11, input: {"order":1}) violates the rule "paid", which requires 11 <= 10`, Violations: 1},
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

// Observed rules deny no call: the calls that violate them are events, and counted.
func TestObservedRulesDenyNothing(t *testing.T) {
	p := policy(t, "approved: refund(order: ?o) -> once approve(order: ?o)\nfew: count refund() <= 1\n")
	for _, observed := range []bool{false, true} {
		var reports []Report
		q := p
		if observed {
			q = p.Observed()
		}
		events, err := drive(t, func(env *process.Env) (err error) {
			r := q.Begin(0)
			for range 3 {
				made, reason, err := r.Call(env, Call{Tool: "refund", Fields: fields(`{"order":7}`)})
				if err != nil || (made != nil) != observed || (reason == "") != observed {
					t.Error(made, reason, err)
				}
			}
			reports, err = r.End(env)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []Report{{Name: "approved", Verdict: "untriggered", Denied: 3}, {Name: "few", Verdict: "holds"}}
		if observed {
			want = []Report{{Name: "approved", Verdict: "violated", Violations: 3}, {Name: "few", Verdict: "violated", Violations: 3}} // at two calls and the end
		}
		for i, r := range reports {
			if r.Reason = ""; r != want[i] {
				t.Errorf("observed %v: %+v, want %+v", observed, r, want[i])
			}
		}
		if len(events) != 4 || events[0].Denied == observed {
			t.Errorf("observed %v: %+v", observed, events)
		}
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

// A rule that a call violates for several assignments denies one call, and is listed once.
func TestRuleOfSeveralViolations(t *testing.T) {
	p := policy(t, "closed: close() & once open(id: ?i) -> once done(id: ?i)\nnever: !close()\n")
	var reports []Report
	events, err := drive(t, func(env *process.Env) error {
		r := p.Begin(0)
		for _, id := range []string{`{"id":1}`, `{"id":2}`} {
			if _, _, err := r.Call(env, Call{Tool: "open", Fields: fields(id)}); err != nil {
				return err
			}
		}
		made, reason, err := r.Call(env, Call{Tool: "close", Tools: []string{"open", "close"}})
		if err != nil {
			return err
		}
		if want := `close was not called because it violates the rule "closed", which requires once done(id: 1); allowed tools: open.`; made != nil || reason != want {
			t.Errorf("%q, want %q", reason, want)
		}
		reports, err = r.End(env)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(events[2].Rules, " "); got != "closed never" {
		t.Errorf("rules %q", got)
	}
	if reports[0].Denied != 1 || reports[1].Denied != 1 {
		t.Errorf("%+v", reports)
	}
}

// An event that cannot be prevented is reported with all rules that it violates, and the reason of
// the first.
func TestViolationsOfAnEvent(t *testing.T) {
	p := policy(t, "quiet: !message.assistant()\nopened: message.assistant() & once open(id: ?i) -> once done(id: ?i)\n")
	events, err := drive(t, func(env *process.Env) error {
		r := p.Begin(0)
		for _, id := range []string{`{"id":1}`, `{"id":2}`} {
			if _, _, err := r.Call(env, Call{Tool: "open", Fields: fields(id)}); err != nil {
				return err
			}
		}
		return r.Message(env, "assistant", "hi", "")
	})
	if err != nil {
		t.Fatal(err)
	}
	if e := events[2]; strings.Join(e.Rules, " ") != "quiet opened" || e.Reason != `message.assistant(text: "hi") violates the rule "quiet", which requires !message.assistant()` {
		t.Errorf("%+v", e)
	}
}

// The list of allowed tools of a denial is complete up to twenty tools.
func TestListOfAllowedTools(t *testing.T) {
	list := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = "t"
		}
		return out
	}
	for n, want := range map[int]string{0: ".", 1: "; allowed tools: t.", 20: "; allowed tools: " + strings.Repeat("t, ", 19) + "t.", 21: "; allowed tools: " + strings.Repeat("t, ", 19) + "t and 1 more."} {
		if got := mayCall(list(n)); got != want {
			t.Errorf("%d tools: %q", n, got)
		}
	}
}

// fake is a tool that returns a text or an error.
type fake struct {
	name, text string
	err        error
}

func (f fake) Name() string            { return f.name }
func (f fake) Description() string     { return "" }
func (f fake) Schema() json.RawMessage { return nil }
func (f fake) Call(*process.Env, json.RawMessage) (string, error) {
	return f.text, f.err
}

// The calls of a guarded registry, their results and the faults of its tools are events; a denied
// call is a fault with the reason, and other errors end the run.
func TestGuardedRegistry(t *testing.T) {
	p := policy(t, "once_only: pay() -> count pay() <= 1\n")
	broken := source.NewError("x.broken", "no network")
	events, err := drive(t, func(env *process.Env) error {
		registry := &tool.Registry{}
		for _, f := range []fake{{"pay", `{"amount":1}`, nil}, {"refuse", "", &tool.CallFault{Code: "x.fault", Message: "not today"}}, {"fail", "", broken}} {
			if err := registry.Add(f); err != nil {
				return err
			}
		}
		guarded := p.Begin(0).Guard(registry, "clerk")
		call := func(name string) (string, error) {
			for _, c := range guarded.List() {
				if c.Name() == name {
					return c.Call(env, json.RawMessage(`{}`))
				}
			}
			return "", source.NewError("x.missing", name)
		}
		if text, err := call("pay"); text != `{"amount":1}` || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		text, err := call("pay")
		var fault *tool.CallFault
		if text != "" || !errors.As(err, &fault) || fault.Code != CodeDenied || !strings.HasSuffix(fault.Message, "; allowed tools: refuse, fail.") {
			t.Errorf("%q, %v", text, err)
		}
		if text, err := call("refuse"); text != "" || !errors.As(err, &fault) || fault.Code != "x.fault" {
			t.Errorf("%q, %v", text, err)
		}
		if text, err := call("fail"); text != "" || !errors.Is(err, broken) {
			t.Errorf("%q, %v", text, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprintf("%s %s %v", e.Event.Name, *e.Event.Kind, e.Denied))
	}
	if want := "pay call false, pay result false, pay call true, refuse call false, refuse error false, fail call false"; strings.Join(got, ", ") != want {
		t.Errorf("%s", strings.Join(got, ", "))
	}
}

// A call is denied while a rule cannot be judged: if the call itself exceeds the limit of a rule, and
// after an event exceeded the limit.
func TestRulesBeyondTheirLimitDeny(t *testing.T) {
	p := policy(t, "sums: c() -> sum ?p for b(p: ?p) <= 9\nresults: c() -> sum ?p for b.result(p: ?p) <= 9\n")
	var reports []Report
	_, err := drive(t, func(env *process.Env) error {
		r := p.Begin(0)
		call := func(text string) (*Made, string) {
			made, reason, err := r.Call(env, Call{Tool: "b", Fields: fields(text)})
			if err != nil {
				t.Fatal(err)
			}
			return made, reason
		}
		made, _ := call(`{"p":1e999999999}`)
		if made == nil {
			t.Fatal("the first call is denied")
		}
		if made, reason := call(`{"p":1}`); made != nil || reason != `b was not called because the rule "sums" cannot be judged: its evaluation exceeds the limit of state or of steps.` {
			t.Errorf("%q", reason)
		}
		for _, text := range []string{`{"p":1e999999999}`, `{"p":1}`} {
			if err := made.Result(env, text); err != nil {
				return err
			}
		}
		if made, reason := call(`{}`); made != nil || !strings.HasPrefix(reason, `b was not called because the rule "results" cannot be judged: `) || strings.Contains(reason, "its state or its work") {
			t.Errorf("%q", reason)
		}
		var err error
		reports, err = r.End(env)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if reports[0].Denied != 1 || reports[1].Denied != 1 || reports[1].Verdict != "fault" || reports[1].Reason == "" {
		t.Errorf("%+v", reports)
	}
}

// A requirement of more than 300 bytes is shortened.
func TestLongRequirementIsShortened(t *testing.T) {
	for n, want := range map[int]int{299: 299, 300: 300, 301: 300 + len("…")} {
		if got := shorten(strings.Repeat("a", n)); len(got) != want {
			t.Errorf("%d bytes become %d", n, len(got))
		}
	}
}
