package guard

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// TestClocksTimeEvents: events without a time have that of the session's clock, which is never
// earlier than the last event; without a clock, a rule that needs times is not judged.
func TestClocksTimeEvents(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "a.rules", Text: "window: refund(order: ?o) -> once[10m] approve(order: ?o)\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	call := func(name, id, time string) operation {
		return operation{Op: "allow", Event: event{Name: name, ID: id, Arguments: `{"order":7}`, Time: time}}
	}
	result := func(id string) operation {
		return operation{Op: "record", Event: event{Kind: "result", ID: id, Content: "done"}}
	}
	timed := request{Guard: text, Clock: []float64{100, 100.5, 700, 701, 600, 5, 1_700_000_000.25}, Ops: []operation{
		call("approve", "1", ""), result("1"),
		call("refund", "2", ""), // 600 seconds after the approval
		call("refund", "3", ""), // 601 seconds
		call("approve", "4", ""),
		call("refund", "5", "1300"), // 600 seconds after the last event, before which the clock was set back
		call("refund", "6", ""),     // at 1300, because the clock is at 5
		call("refund", "7", ""), {Op: "end"},
	}}
	untimed := request{Guard: text, Ops: []operation{call("approve", "1", "")}}
	for _, c := range []struct {
		request  request
		verdicts string
		reason   string // of the last decision but one, or of the only one
	}{
		{timed, "allow allow allow deny allow allow allow deny allow", "a.rules"},
		{untimed, "fault", `the rule "a.rules: window" cannot be judged: the rule needs the times of events, which the run does not have`},
	} {
		want := judgeInGo(t, c.request)
		var verdicts []string
		for _, d := range want.Decisions {
			verdicts = append(verdicts, string(d.Verdict))
		}
		if got := strings.Join(verdicts, " "); got != c.verdicts {
			t.Errorf("%s; want %s", got, c.verdicts)
		}
		last := want.Decisions[max(0, len(want.Decisions)-2)]
		if !strings.Contains(last.Reason+last.Rule, c.reason) {
			t.Errorf("%+v", last)
		}
		for _, d := range drivers(t) {
			if d.module != nil && c.request.Clock != nil {
				continue // its method has no clock
			}
			if got := d.judge(t, c.request); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v\nwant %+v", d.name, got, want)
			}
		}
	}
}

// An event for a guard without rules needs no time, so that its state is independent of the clock.
func TestClocksTimeRulesOnly(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "a.cfg", Text: "S -> a S | a"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Begin(gate.Options{Clock: func() float64 { t.Error("the clock was read"); return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	if d := s.Allow(gate.Event{Name: "a"}); d.Verdict != gate.Allow || strings.Contains(s.Save(), `"time":"0`) {
		t.Error(d, s.Save())
	}
}
