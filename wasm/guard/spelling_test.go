package guard

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// A rule cannot be evaded by another spelling of the tool that it names: the specs of an agent know "Refund" as "refund", and the
// rules would not apply to it.
func TestSpellingsDoNotEvadeRules(t *testing.T) {
	desk := workspace.File{Name: "desk.agent", Text: `(define desk
  (:states (Ques (:text "[Question]") (:flags :env-input)) (refund (:text "[Refund]")) (Obs (:text "[Result]") (:flags :env-input)) (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next refund Obs) Ans))))`}
	limit := workspace.File{Name: "cap.rules", Text: "cap: refund(amount: ?a) -> ?a <= 100\n"}
	both := workspace.File{Name: "cap.rules", Text: "cap: refund(amount: ?a) -> ?a <= 100\n\nother: re_fund(amount: ?a) -> ?a <= 7\n\nlog: Refund(amount: ?a) -> ?a <= 9\n"}
	const big, small = `{"amount":1000}`, `{"amount":1}`
	only := map[string]gate.Mode{"cap.rules: cap": gate.Shadow}
	all := drivers(t)
	for _, c := range []struct {
		files     []workspace.File
		tools     []string
		modes     map[string]gate.Mode
		tool      string
		arguments string
		verdict   gate.Verdict
		code      string
		shadow    int
	}{
		{[]workspace.File{desk, limit}, nil, nil, "refund", big, gate.Deny, "rule", 0},
		{[]workspace.File{desk, limit}, nil, nil, "refund", small, gate.Allow, "ok", 0},
		{[]workspace.File{desk, limit}, nil, nil, "Refund", big, gate.Deny, "rule.tool", 0},
		{[]workspace.File{desk, limit}, nil, nil, "re-fund", small, gate.Deny, "rule.tool", 0},
		{[]workspace.File{desk, limit}, nil, nil, "REFUND ", big, gate.Deny, "rule.tool", 0},
		{[]workspace.File{desk, limit}, nil, nil, "refund\x00", big, gate.Deny, "rule.tool", 0},
		{[]workspace.File{desk, limit}, nil, only, "Refund", big, gate.Allow, "ok", 1},
		{[]workspace.File{desk, limit}, nil, map[string]gate.Mode{"cap.rules: cap": gate.AskMode}, "Refund", big, gate.Ask, "rule.tool", 0},
		{[]workspace.File{desk, limit}, nil, map[string]gate.Mode{"cap.rules: cap": gate.Off}, "Refund", big, gate.Allow, "ok", 0},
		{[]workspace.File{limit}, nil, nil, "Refund", big, gate.Deny, "rule.tool", 0},
		{[]workspace.File{limit}, []string{"refund", "Refund"}, nil, "Refund", big, gate.Allow, "ok", 0}, // another tool
		{[]workspace.File{limit}, nil, nil, "r\u0435fund", big, gate.Allow, "ok", 0},                     // likewise
		{[]workspace.File{limit}, nil, nil, "lookup", big, gate.Allow, "ok", 0},
		{[]workspace.File{both}, nil, nil, "Refund", `{"amount":10}`, gate.Deny, "rule", 0},
		{[]workspace.File{both}, nil, nil, "re-fund", small, gate.Deny, "rule.tool", 0},
		{[]workspace.File{both}, nil, only, "re-fund", small, gate.Deny, "rule.tool", 1},
	} {
		text, err := compiled(c.files, compile.Options{Tools: c.tools})
		if err != nil {
			t.Fatal(err)
		}
		ops := []operation{allow(c.tool, "a", c.arguments), allow(c.tool, "b", c.arguments)}
		if len(c.files) > 1 {
			ops = append([]operation{user}, ops[0])
		}
		q := request{Guard: text, Modes: c.modes, Ops: ops}
		want := judgeInGo(t, q)
		d := want.Decisions[len(ops)-1]
		if d.Verdict != c.verdict || d.Code != c.code || len(d.Shadow) != c.shadow {
			t.Errorf("%q %s, modes %v: %+v", c.tool, c.arguments, c.modes, d)
		}
		for _, other := range all {
			compare(t, other.name+": "+c.tool, q, want, other.judge(t, q))
		}
	}
}

// A spec in the mode off follows the run, so that the mode enforce judges the rest of the run, also in another runtime.
func TestSpecsThatAreOffFollowTheRun(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "desk.cfg", Text: "S -> login refund logout\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	off := map[string]gate.Mode{"desk.cfg": gate.Off}
	all := drivers(t)
	for _, c := range []struct {
		run  []string
		next string
		code string
	}{
		{[]string{"login"}, "refund", "ok"},
		{[]string{"login", "refund"}, "login", "order.call"},
		{[]string{"login", "refund"}, "logout", "ok"},
		{[]string{"login", "refund", "refund"}, "logout", "order.lost"},
		{[]string{"delete"}, "login", "order.lost"},
	} {
		var ops []operation
		for i, tool := range c.run {
			ops = append(ops, allow(tool, string(rune('a'+i)), "{}"))
		}
		before := judgeInGo(t, request{Guard: text, Modes: off, Ops: ops})
		if slices.ContainsFunc(before.Decisions, func(d gate.Decision) bool { return d.Verdict != gate.Allow }) {
			t.Errorf("%v: %+v", c.run, before.Decisions)
		}
		q := request{Guard: text, State: before.State, Ops: []operation{allow(c.next, "z", "{}")}}
		want := judgeInGo(t, q)
		if want.Decisions[0].Code != c.code {
			t.Errorf("%v, then %s: %+v", c.run, c.next, want.Decisions[0])
		}
		for _, other := range all {
			compare(t, other.name+": "+strings.Join(c.run, " "), request{Guard: text, Modes: off, Ops: ops}, before, other.judge(t, request{Guard: text, Modes: off, Ops: ops}))
			compare(t, other.name+": "+c.next, q, want, other.judge(t, q))
		}
	}
}

// A state that was saved after its log could not be written is closed, and no runtime calls this a violation of the spec.
func TestLostLogIsNoViolation(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "desk.cfg", Text: "S -> login S | login\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state := strings.Replace(judgeInGo(t, request{Guard: text}).State, `"status":"open","reason":""`, `"status":"violated","reason":"a decision could not be logged: no space"`, 1)
	q := request{Guard: text, State: state, Ops: []operation{allow("login", "a", "{}"), {"end", event{}}}}
	want := judgeInGo(t, q)
	for _, d := range want.Decisions {
		if d.Verdict != gate.Deny || d.Reason != "the session is closed: a decision could not be logged: no space; begin another session" {
			t.Errorf("%+v", d)
		}
	}
	for _, other := range drivers(t) {
		compare(t, other.name, q, want, other.judge(t, q))
	}
}
