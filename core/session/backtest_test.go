package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
)

// A run passes the matrix if and only if monitor.check reports it valid with the same
// formulas.
func TestMatrixAgreesWithMonitorCheck(t *testing.T) {
	s := New()
	spec := "(define shop (:states (User (:text \"[User]\") (:flags :env-input)) (Act (:text \"[Action]\") (:one-of \"lookup\" \"refund\")) (Inp (:text \"[Action Input]\")) (Obs (:text \"[Observation]\") (:flags :env-input)) (Ans (:text \"[Answer]\"))) (:behavior (next User (until (next Act Inp Obs) Ans))))"
	call := func(name string) string {
		return `,{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"` + name + `","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}`
	}
	user, answer := `{"role":"user","content":"x"}`, `,{"role":"assistant","content":"y"}`
	files := []File{{Name: "shop.agent", Text: spec}, {Name: "shop.ltl", Text: "acts: G (Act -> WX G !Act)\n"}}
	matrix := (*backtest.Matrix)(nil)
	passing := 0
	texts := []string{
		user + answer, user + call("lookup") + answer, user + call("lookup") + call("refund") + answer, user + call("drop") + answer,
		user, user + call("lookup"), answer[1:], user + answer + answer, user + `,{"role":"assistant","contents":"y"}`, "1",
	}
	for _, text := range texts {
		text = "[" + text + "]"
		p := TraceMatrixParams{Files: files, Traces: []backtest.Part{{Name: "t.json", Text: text}}, Matrix: matrix}
		got := result[TraceMatrixResult](t, s, "trace.matrix", p)
		want := false
		if found, err := s.monitorCheck(MonitorCheckParams{Source: spec, Text: text, Format: "auto", Properties: files[1].Text}); err == nil {
			want = found.Verdict == "valid"
		}
		if len(got.Runs) != 1 || got.Runs[0].Outcome.Passes() != want {
			t.Errorf("%s: %+v, want a pass: %t", text, got.Runs, want)
		}
		if got.Runs[0].Outcome.Passes() {
			passing++
		}
		matrix = got.Matrix
		if got.Passes != (passing == matrix.Total()) {
			t.Errorf("%s: passes: %t after %d of %d", text, got.Passes, passing, matrix.Total())
		}
	}
	if matrix.Total() != len(texts) || passing != 2 {
		t.Errorf("%d of %d runs pass", passing, matrix.Total())
	}
	files[1].Text = "acts: F Act\n"
	if _, err := s.traceMatrix(TraceMatrixParams{Files: files, Matrix: matrix}); err != nil {
		t.Errorf("a rule of the same name and place: %v", err)
	}
	files[1].Text = "ends: F Act\n"
	if _, err := s.traceMatrix(TraceMatrixParams{Files: files, Matrix: matrix}); err == nil || !strings.Contains(err.Error(), "other specs") {
		t.Errorf("a matrix of other specs: %v", err)
	}
}

func TestDiffOfVersions(t *testing.T) {
	version := func(tools string) []File {
		return []File{{Name: "a.agent", Text: `(define a (:states (User (:text "[User]") (:flags :env-input)) (Act (:text "[Action]") (:one-of ` + tools + `)) (Inp (:text "[Action Input]")) (Obs (:text "[Observation]") (:flags :env-input)) (Ans (:text "[Answer]"))) (:behavior (next User (until (next Act Inp Obs) Ans))))`}}
	}
	trace := backtest.Part{Name: "t.json", Text: `[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"pay","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"assistant","content":"y"}]`}
	got := result[backtest.Difference](t, New(), "trace.diff", TraceDiffParams{Before: version(`"pay"`), After: version(`"look"`), Traces: []backtest.Part{trace, trace}})
	if got.Runs != 2 || got.Stopped != 2 || len(got.Changes) != 2 || got.Changes[0].Rules[0].Tool != "pay" {
		t.Errorf("%+v", got)
	}
}
