package session

import (
	"strings"
	"testing"
)

// TestRunsOfAListAreJudgedOneByOne has the same identifiers of calls in each run.
func TestRunsOfAListAreJudgedOneByOne(t *testing.T) {
	const spec = `(define shop (:states (User (:text "[User]") (:flags :env-input)) (look (:text "[Call look]")) (Answer (:text "[Answer]"))) (:behavior (next User look Answer)))`
	run := func(steps string) string {
		return `{"reward": 1, "traj": [` + conversationOf(strings.Fields(steps)) + `]}`
	}
	check := func(runs ...string) MonitorCheckResult {
		t.Helper()
		return result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: spec, Format: "auto", Text: "[\n" + strings.Join(runs, ",\n") + "\n]"})
	}
	if got := check(run("User look Answer"), run("User look Answer")); got.Verdict != "valid" || got.Runs != 2 || len(got.Segments) != 6 {
		t.Errorf("%+v", got)
	}
	got := check(run("User look Answer"), run("User look look Answer"), run("User look Answer"))
	if got.Verdict != "invalid" || got.Runs != 3 || got.Violation == nil || got.Violation.Line != 3 || got.Conversations[0].Verdict != "valid" || got.Conversations[2].Verdict != "valid" {
		t.Errorf("%+v", got)
	}
	got = check(run("User look Answer"), `{"reward": 1, "traj": [{"role":"user","content":"u"},{"role":"assistant","tool_use":[{"name":"x","input":{}}]}]}`)
	if got.Verdict != "unread" || len(got.Unread) == 0 || got.Unread[0].Line != 3 {
		t.Errorf("%+v", got)
	}
	var many []string
	for range maxListedRuns + 1 {
		many = append(many, run("User look Answer"))
	}
	if _, fault := call(t, New(), "monitor.check", MonitorCheckParams{Source: spec, Format: "auto", Text: "[" + strings.Join(many, ",") + "]"}); fault == nil || fault.Code != "trace.runs" || !strings.Contains(fault.Message, "51 runs") {
		t.Errorf("%+v", fault)
	}
}
