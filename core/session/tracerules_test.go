package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/monitor"
)

const shopAgent = `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]"))
    (Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))
`

func TestRulesAreJudgedOnConversations(t *testing.T) {
	call := func(id, name, arguments, result string) string {
		return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":"` + strings.ReplaceAll(arguments, `"`, `\"`) + `"}}]},{"role":"tool","tool_call_id":"` + id + `","content":"` + strings.ReplaceAll(result, `"`, `\"`) + `"},`
	}
	run := func(calls ...string) string {
		return `{"messages":[{"role":"user","content":"refund A7"},` + strings.Join(calls, "") + `{"role":"assistant","content":"done"}]}`
	}
	good := run(call("1", "approve", `{"order":7,"limit":50}`, `{"ok":true}`), call("2", "refund", `{"order":7.0,"amount":50}`, "paid"))
	late := run(call("1", "refund", `{"order":7,"amount":50}`, "paid"), call("2", "approve", `{"order":7,"limit":50}`, "ok"))
	const approved = "approved: refund(order: ?o, amount: ?a) -> once approve(order: ?o, limit: ?l) & ?a <= ?l\n"
	for _, c := range []struct {
		about, rules, text string
		format             string
		verdict            agent.Verdict
		want               string
	}{
		{"an approved refund", approved, good, "auto", agent.VerdictValid, "approved holds"},
		{"a refund before its approval", approved, late, "auto", monitor.VerdictViolated, "approved violated violates approved for ?o = 7, ?a = 50 refund"},
		{"results with the arguments of their calls", "r: refund.result(input.order: 7, value: \"paid\") -> once approve.result(ok: true, input.limit: 50)\n", good, "auto", agent.VerdictValid, "r holds"},
		{"messages and the end", "m: end() -> once message.user(text: ~ \"A7\") & once message.assistant(text: \"done\")\nn: logout() -> false = true\n", good, "auto", agent.VerdictValid, "m holds, n untriggered"},
		{"a window, without times", "w: refund(order: ?o) -> once[10m] approve(order: ?o)\n", good, "auto", monitor.VerdictFault, "w fault the rule needs the times of events, which the run does not have"},
		{"the time of an event, without times", "w: refund(@time: ?t) -> ?t >= 0\n", good, "auto", monitor.VerdictFault, "w fault the rule needs the times of events, which the run does not have"},
		{"another spelling of a tool", "cap: refund(amount: ?a) -> ?a <= 10\nfew: logout() -> !once logout()\n", run(call("1", "Refund", `{"amount":50}`, "paid")), "auto", monitor.VerdictFault, `cap fault the run calls "Refund", another spelling of the tool "refund" of the rule, few untriggered`},
		{"another spelling and a violation", "cap: refund(amount: ?a) -> ?a <= 10\n", run(call("1", "Refund", `{"amount":50}`, "paid"), call("2", "refund", `{"amount":50}`, "paid")), "auto", monitor.VerdictViolated, "cap violated violates cap for ?a = 50 refund"},
		{"a rule with an error", approved + "b: refund(\n", good, "auto", monitor.VerdictFault, "approved holds, b fault the rule has an error"},
		{"no rules", "# nothing\n", good, "auto", monitor.VerdictFault, ""},
		{"a text", approved, "[User] refund\n[Answer] done\n", "", monitor.VerdictFault, "approved fault the text of a run has no calls with arguments"},
	} {
		got := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: shopAgent, Text: c.text, Format: c.format, Rules: c.rules})
		var all []string
		for _, r := range got.Rules {
			text := strings.TrimSpace(r.Name + " " + r.Verdict + " " + r.Reason)
			if r.To > 0 && strings.Contains(c.text[r.From:r.To], "refund") {
				text += " refund"
			}
			all = append(all, text)
		}
		if text := strings.Join(all, ", "); text != c.want || got.Verdict != c.verdict {
			t.Errorf("%s: %s %q, want %s %q", c.about, got.Verdict, text, c.verdict, c.want)
		}
	}
}
