package backtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/workspace"
)

// A trace may consist of the events that "rules.check" reads. Its rules see the events as they are.
func TestBareEvents(t *testing.T) {
	s := open(t, workspace.File{Name: "shop.agent", Text: shop}, workspace.File{Name: "shop.rules", Text: `
approved:  refund(order: ?o) -> once[60s] lookup.result(input.order: ?o, ok: true)

never:  !delete_all()

closed:  end() -> once message.assistant()
`})
	at := func(second int, rest string) string { return fmt.Sprintf(`{%s,"time":%d}`, rest, second) }
	run := []string{
		at(0, `"kind":"message","name":"user","fields":{"text":"refund A7"}`),
		at(1, `"name":"lookup","fields":{"order":"A7"},"id":"1"`),
		at(2, `"kind":"result","name":"lookup","fields":{"ok":true,"input":{"order":"A7"}},"id":"1"`),
		at(3, `"kind":"call","name":"refund","fields":{"order":"A7"}`),
		at(4, `"kind":"error","name":"refund","fields":{"text":"no money"}`),
		at(5, `"kind":"message","name":"assistant","fields":{"text":"failed"}`),
		at(6, `"kind":"end"`),
	}
	lines := strings.Join(run, "\n")
	for _, c := range []struct{ about, text, want, reason string }{
		{"lines", lines, "held: held held held held", ""},
		{"a list", "[" + strings.Join(run, ",\n") + "]", "held: held held held held", ""},
		{"an object", `{"events":[` + strings.Join(run, ",\n") + "]}", "held: held held held held", ""},
		{"a byte order mark", "\ufeff" + strings.Join(run, "\r\n"), "held: held held held held", ""},
		{"no end", strings.Join(run[:6], "\n"), "held: held held held untriggered", ""},
		{"the window", strings.Replace(lines, `"time":2`, `"time":-70`, 1), "fault: held fault fault fault", "is earlier than the event before"},
		{"too late", strings.NewReplacer(`"time":3`, `"time":63`, `"time":4`, `"time":64`, `"time":5`, `"time":65`, `"time":6}`, `"time":66}`).Replace(lines), "violated: held violated held held", "violates approved"},
		{"no times", strings.Replace(lines, `,"time":6`, "", 1), "fault: held fault held held", "does not state the time"},
		{"an event after the end", lines + "\n" + run[1], "violated: violated fault fault fault", "follows the end"},
		{"an unknown kind", strings.Replace(lines, `"error"`, `"fault"`, 1), "unread: unread unread unread unread", "not an event"},
		{"an unknown key", strings.Replace(lines, `"kind":"call",`, `"kind":"call","ok":true,`, 1), "unread: unread unread unread unread", "not an event"},
		{"a duplicate key", strings.Replace(lines, `"kind":"call"`, `"kind":"call","kind":"result"`, 1), "unread: unread unread unread unread", `duplicate key "kind"`},
		{"a duplicate key in fields", strings.Replace(lines, `{"order":"A7"},"id"`, `{"order":"A7","order":"A8"},"id"`, 1), "unread: unread unread unread unread", `duplicate key "order"`},
		{"fields that are no object", strings.Replace(lines, `{"order":"A7"},"id"`, `"A7","id"`, 1), "unread: unread unread unread unread", "not an event"},
		{"a text between events", lines + "\n" + `{"note":"x"}`, "unread: unread unread unread unread", `unknown key "note"`},
		{"a line that is cut off", lines[:len(lines)-4], "unread: unread unread unread unread", "invalid JSON"},
		{"a line of a log", "started\n" + lines, "unread: unread unread unread unread", "does not consist of events"},
		{"prefixes of a log", strings.ReplaceAll("\n"+lines, "\n", "\n12:00 INFO "), "unread: unread unread unread unread", "does not consist of events"},
		{"a message of nobody", strings.Replace(lines, `"name":"user"`, `"name":"robot"`, 1), "unread: unread unread unread unread", "unknown role"},
	} {
		runs := s.Judge("t.jsonl", c.text, backtest.Options{})
		got, reason := string(runs[0].Outcome)+":", runs[0].Reason
		for _, cell := range runs[0].Cells {
			got += " " + string(cell.Outcome)
			reason += " " + cell.Reason
		}
		if got != c.want || !strings.Contains(reason, c.reason) || len(runs) != 1 {
			t.Errorf("%s: %d runs, %s, want %s; %s, want %s", c.about, len(runs), got, c.want, reason, c.reason)
		}
	}
}

// A violation has the part of the rule that is false, the lines of the events that it depends on, and the agent that acts; a matrix
// counts violations by agent.
func TestEvidenceOfViolations(t *testing.T) {
	s := open(t, workspace.File{Name: "shop.rules", Text: `cap:  refund(order: ?o, amount: ?a) ->
    once approve(order: ?o, limit: ?l)
    & ?a <= ?l

never:  !delete_all()
`})
	text := strings.Join([]string{
		`{"name":"approve","agent":"desk","fields":{"order":7,"limit":50}}`,
		`{"name":"lookup","agent":"billing"}`,
		`{"name":"refund","agent":"billing","fields":{"order":7,"amount":60}}`,
		`{"name":"refund","agent":"billing","fields":{"order":8,"amount":1}}`,
		`{"name":"delete_all"}`,
	}, "\n")
	m := s.Matrix()
	for _, r := range s.Judge("t.jsonl", text, backtest.Options{}) {
		s.Add(m, r)
		if got, want := r.Cells[0].Evidence(), "?a <= ?l is false; see line 1"; got != want || r.Cells[0].Agent != "billing" || r.Cells[0].Line != 3 {
			t.Errorf("%q, want %q: %+v", got, want, r.Cells[0])
		}
		if got, want := r.Cells[1].Evidence(), "!delete_all() is false"; got != want || r.Cells[1].Agent != "" {
			t.Errorf("%q, want %q: %+v", got, want, r.Cells[1])
		}
	}
	other := s.Matrix()
	other.Merge(m)
	other.Merge(m)
	if got := fmt.Sprint(other.Rules[0].Agents, other.Rules[1].Agents); got != "[{billing 2}] [{ 2}]" {
		t.Error(got)
	}
	if got := (backtest.Cell{Part: "p", Near: []int{1, 2, 3, 4, 5, 6, 7}}).Evidence(); got != "p is false; see line 1, 2, 3, 4, 5 and 2 more" {
		t.Error(got)
	}
}
