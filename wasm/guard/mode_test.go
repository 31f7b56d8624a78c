package guard

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// A rule that cannot be judged permits in the mode shadow, asks in the mode ask, and closes only in the mode enforce; a cancelled
// call is a line of the log.
func TestModesOfRulesThatCannotBeJudged(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "pay.rules", Text: "calm: pay() -> count[60s] pay() <= 1\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := drivers(t)
	for _, c := range []struct {
		mode   gate.Mode
		time   string
		op     operation
		want   gate.Verdict
		code   string
		shadow int
		open   bool
	}{
		{gate.Enforce, "", allow("pay", "a", "{}"), gate.Fault, "rule.fault", 0, true},
		{gate.AskMode, "", allow("pay", "a", "{}"), gate.Ask, "rule.fault", 0, true},
		{gate.Shadow, "", allow("pay", "a", "{}"), gate.Allow, "ok", 1, true},
		{gate.Off, "", allow("pay", "a", "{}"), gate.Allow, "ok", 0, true},
		{gate.Enforce, "soon", allow("pay", "a", "{}"), gate.Fault, "rule.fault", 0, true},
		{gate.AskMode, "soon", allow("pay", "a", "{}"), gate.Ask, "rule.fault", 0, true},
		{gate.Shadow, "soon", allow("pay", "a", "{}"), gate.Allow, "ok", 1, true},
		{gate.Off, "soon", allow("pay", "a", "{}"), gate.Allow, "ok", 0, true},
		{gate.Enforce, "", user, gate.Fault, "rule.fault", 0, false},
		{gate.AskMode, "", user, gate.Ask, "rule.fault", 0, true},
		{gate.Shadow, "", user, gate.Allow, "ok", 1, true},
		{gate.Shadow, "soon", user, gate.Allow, "ok", 1, true},
		{gate.AskMode, "", operation{"record", event{Kind: "call", Name: "pay", ID: "a", Approved: true}}, gate.Allow, "ok", 1, true},
		{gate.Enforce, "", operation{"record", event{Kind: "call", Name: "pay", ID: "a", Approved: true}}, gate.Fault, "rule.fault", 0, false},
		{gate.Shadow, "", operation{"end", event{}}, gate.Allow, "ok", 1, false},
	} {
		c.op.Event.Time = c.time
		q := request{Guard: text, Modes: map[string]gate.Mode{"pay.rules: calm": c.mode}, Ops: []operation{c.op, {"cancel", event{ID: "a"}}, {"cancel", event{ID: "a"}}}}
		want := judgeInGo(t, q)
		d := want.Decisions[0]
		if d.Verdict != c.want || d.Code != c.code || len(d.Shadow) != c.shadow || strings.Contains(want.State, `"status":"open"`) != c.open {
			t.Errorf("%s, time %q, %s: %+v %s", c.mode, c.time, c.op.Op, d, want.State)
		}
		lines := 1
		if c.op.Op == "allow" && d.Verdict == gate.Allow {
			if lines = 2; !strings.Contains(want.Log[1], `"op":"cancel","kind":"call","name":"pay","id":"a"`) || !strings.Contains(want.Log[1], gate.Sum(want.Log[0])) {
				t.Error(want.Log)
			}
		}
		if len(want.Log) != lines {
			t.Errorf("%d lines instead of %d: %s", len(want.Log), lines, want.Log)
		}
		for _, other := range all {
			compare(t, other.name, q, want, other.judge(t, q))
		}
	}
}

// TestOptionalMessages: a spec that has no step for an optional message ignores it, and keeps its place; the other specs and the rules
// judge it, and enter it.
func TestOptionalMessages(t *testing.T) {
	desk := workspace.File{Name: "desk.agent", Text: `(define desk
  (:states (Ques (:text "[Question]") (:flags :env-input) (:matches "[a-z ]+")) (login (:text "[Login]")) (Ans (:text "[Answer]")))
  (:behavior (next Ques login Ans)))`}
	text, err := compiled([]workspace.File{desk, {Name: "m.rules", Text: "m: message.user() -> count login() <= 0\n\nn: end() -> !count message.user() <= 1\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	said := func(name, content string, optional bool) operation {
		return operation{"record", event{Kind: "message", Name: name, Content: content, Optional: optional, Final: name == "assistant"}}
	}
	login := operation{"allow", event{Name: "login", ID: "a"}}
	answer := said("assistant", "so", true)
	end := operation{"end", event{}}
	all := drivers(t)
	for _, c := range []struct {
		ops  []operation
		want []string
	}{
		{[]operation{said("user", "go on", true), said("user", "GO ON", true), login, answer, answer, end}, []string{"ok", "ok", "ok", "ok", "ok", "ok"}},
		{[]operation{answer, said("user", "go on", true), login, answer, end}, []string{"ok", "ok", "ok", "ok", "rule"}}, // one message of the user
		{[]operation{said("user", "go on", false), said("user", "go on", false), login}, []string{"ok", "order.event", "session.violated"}},
		{[]operation{said("user", "GO ON", true), login}, []string{"content", "session.violated"}}, // has a step
		{[]operation{said("user", "go on", true), login, said("user", "go on", true), answer}, []string{"ok", "ok", "rule", "session.violated"}},
		{[]operation{said("user", "go on", true), login, said("robot", "so", true), answer, end}, []string{"ok", "ok", "event.kind", "ok", "rule"}},
	} {
		q := request{Guard: text, Ops: c.ops}
		want := judgeInGo(t, q)
		var codes []string
		for _, d := range want.Decisions {
			codes = append(codes, d.Code)
		}
		if !slices.Equal(codes, c.want) {
			t.Errorf("%+v: %v, expected %v", c.ops, codes, c.want)
		}
		for _, other := range all {
			compare(t, other.name, q, want, other.judge(t, q))
		}
	}
}

// A time that cannot be read is not that of the session, and an enforced rule refuses it in every order of the files.
func TestUnreadableTimesAreNotKept(t *testing.T) {
	first := workspace.File{Name: "a.rules", Text: "calm: pay() -> count[60s] pay() <= 1\n"}
	second := workspace.File{Name: "b.rules", Text: "once: pay() -> !previous once pay()\n"}
	all := drivers(t)
	for _, c := range []struct {
		files []workspace.File
		modes map[string]gate.Mode
		want  gate.Verdict
	}{
		{[]workspace.File{first}, map[string]gate.Mode{"a.rules: calm": gate.Shadow}, gate.Allow},
		{[]workspace.File{first, second}, map[string]gate.Mode{"a.rules: calm": gate.Shadow}, gate.Fault},
		{[]workspace.File{first, second}, map[string]gate.Mode{"b.rules: once": gate.Off}, gate.Fault},
	} {
		text, err := compiled(c.files, compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, time := range []string{"soon", "inf", "-"} {
			bad := allow("pay", "a", "{}")
			bad.Event.Time = time
			q := request{Guard: text, Modes: c.modes, Ops: []operation{bad, allow("pay", "b", "{}"), user}}
			want := judgeInGo(t, q)
			if d := want.Decisions[0]; d.Verdict != c.want || strings.Contains(want.State, `"`+time+`"`) {
				t.Errorf("%v, time %q: %+v %s", c.modes, time, d, want.State)
			}
			for _, other := range all {
				compare(t, other.name, q, want, other.judge(t, q))
			}
		}
	}
}
