package session

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/guard"
)

const guardAgent = `(define desk
  (:states
    (Ask (:text "[Ask]"))
    (Act (:text "[Act]") (:one-of "lookup" "refund"))
    (Reply (:text "[Reply]")))
  (:behavior (next Ask (until Act Reply))))`

func TestGuardChecksStatesAndContents(t *testing.T) {
	s := New()
	now := result[GuardResult](t, s, "guard.open", GuardParams{Source: guardAgent, Properties: "G(Act -> X !Act)"})
	if strings.Join(now.Next, " ") != "Ask" || now.Done || now.Violation != nil {
		t.Fatalf("%+v", now)
	}
	enter := func(state string, content any) {
		t.Helper()
		p := GuardEnterParams{Source: guardAgent, Properties: "G(Act -> X !Act)", Run: &now.Run, State: state}
		if text, ok := content.(string); ok {
			p.Content = &text
		}
		now = result[GuardResult](t, s, "guard.enter", p)
	}
	refused := func(reason string) {
		t.Helper()
		if now.Violation == nil || !strings.Contains(now.Violation.Reason, reason) {
			t.Fatalf("%q: %+v", reason, now.Violation)
		}
		now = result[GuardResult](t, s, "guard.retract", GuardParams{Source: guardAgent, Properties: "G(Act -> X !Act)", Run: &now.Run})
	}
	enter("Ask", nil)
	refused(`missing content of "Ask"`)
	enter("Ask", "where is it?")
	enter("Act", "delete_user")
	refused(`"Act" may not begin with "delete_user"`)
	enter("Act", "lookup")
	enter("Act", "refund")
	refused(`violates the property "G (Act -> X !Act)"`)
	if end := result[GuardResult](t, s, "guard.end", GuardParams{Source: guardAgent, Properties: "G(Act -> X !Act)", Run: &now.Run}); end.Violation == nil || end.Violation.Reason != "the run is not complete; expected Reply" {
		t.Errorf("%+v", end)
	}
	enter("Reply", "it comes")
	if end := result[GuardResult](t, s, "guard.end", GuardParams{Source: guardAgent, Properties: "G(Act -> X !Act)", Run: &now.Run}); end.Violation != nil || !end.Run.Ended {
		t.Errorf("%+v", end)
	}
}

func TestGuardErrors(t *testing.T) {
	s := New()
	other := guard.Saved{Spec: "x"}
	for method, p := range map[string]any{
		"guard.open":    GuardParams{Source: guardAgent, Properties: "G !Actt"},
		"guard.enter":   GuardEnterParams{Source: guardAgent, State: "Ask"},
		"guard.end":     GuardParams{Source: guardAgent, Run: &other},
		"guard.retract": GuardParams{Source: "(define", Run: &other},
		"guard.check":   MonitorCheckParams{Source: guardAgent, Text: "[Ask] x\n[Reply] y", Properties: "G !Actt"},
	} {
		if raw, fault := call(t, s, method, p); fault == nil || !strings.HasPrefix(fault.Code, "guard.") {
			t.Errorf("%s: %s, %+v", method, raw, fault)
		}
	}
}

// A recorded run passes the guard if and only if monitor.check reports it valid and every
// property holds.
func TestGuardCheckIsTheOverallVerdict(t *testing.T) {
	s, r := New(), rand.New(rand.NewPCG(4, 8))
	properties := "F Act\n\nonce: !F(Act & X F Act)"
	passed := 0
	for range 300 {
		text := "[Ask] q\n"
		for range r.IntN(3) {
			text += "[Act] " + []string{"lookup", "refund", "delete", ""}[r.IntN(4)] + "\n"
		}
		text += []string{"", "[Reply] done", "[Reply]", "[Act] refund"}[r.IntN(4)]
		p := MonitorCheckParams{Source: guardAgent, Text: text, Format: "auto", Properties: properties}
		found := result[MonitorCheckResult](t, s, "monitor.check", p)
		valid := found.Verdict == agent.VerdictValid
		for _, f := range found.Properties {
			valid = valid && f.Holds
		}
		checked := result[GuardCheckResult](t, s, "guard.check", p)
		if (checked.Violation == nil) != valid || (CheckRun(p) == nil) != valid {
			t.Fatalf("%s: %+v, the guard %+v", text, found, checked)
		}
		if valid {
			passed++
		}
	}
	if passed < 10 {
		t.Errorf("only %d passed", passed)
	}
}

func TestExportedGuardHasAllPropertiesOrFails(t *testing.T) {
	s := New()
	spec := File{Name: "desk.agent", Text: guardAgent}
	plan := File{Name: "plan.cfg", Text: "S -> a S | b"}
	for _, c := range []struct {
		formulas, has, fault string
	}{
		{"", "const Properties = ``", ""},
		{"# none yet\n", "const Properties = ``", ""},
		{"G(Act -> X !Act)", "const Properties = `G (Act -> X !Act)`", ""},
		{"once: F Act\n\nG !b", "const Properties = `once: F Act\n\n# about another spec, not enforced here: G !b`", ""},
		{"G !b", "const Properties = ``", ""},
		{"G !Actt", "", `property "G !Actt" (p.ltl, line 1) cannot be judged: unknown symbol "Actt"; did you mean "Act"?`},
		{"G(b -> F Act)", "", `property "G (b -> F Act)" (p.ltl, line 1) cannot be judged: not judged: no single spec`},
		{"G !b & F Act", "const Properties = `# about another spec, not enforced here: G !b & F Act\n\nF Act`", ""},
		{"G (", "", "unexpected end of the formula; expected an argument"},
	} {
		raw, fault := call(t, s, "spec.export", SpecExportParams{Name: spec.Name, Text: spec.Text, Format: "guard-go", Files: []File{spec, plan, {Name: "p.ltl", Text: c.formulas}}})
		switch {
		case c.fault != "" && (fault == nil || !strings.Contains(fault.Message, c.fault)):
			t.Errorf("%q: %v", c.formulas, fault)
		case c.fault == "" && fault != nil:
			t.Errorf("%q: %v", c.formulas, fault)
		case c.fault == "" && !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(string(raw), `\n`, "\n"), `\"`, `"`), c.has):
			t.Errorf("%q: %s", c.formulas, raw)
		}
	}
}
