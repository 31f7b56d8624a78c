package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
)

// No conversation of a trace with unread parts is valid: such a part may belong to it.
func TestNoConversationIsValidNextToAnUnreadPart(t *testing.T) {
	const spec = `(define shop (:states (User (:text "[User]")) (Answer (:text "[Answer]"))) (:behavior (next User Answer)))`
	const line = `{"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]}`
	for _, c := range []struct {
		text string
		want agent.Verdict
	}{
		{line + "\n" + line, agent.VerdictValid},
		{line + "\n" + strings.Replace(line, `{"messages"`, `{"actions":[{"delete":"all"}],"messages"`, 1), "unread"},
	} {
		got := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: spec, Text: c.text, Format: "auto"})
		if got.Verdict != c.want || len(got.Conversations) != 2 {
			t.Errorf("%s: %s, %d conversations", c.text, got.Verdict, len(got.Conversations))
		}
		for _, run := range got.Conversations {
			if run.Verdict != c.want {
				t.Errorf("%s: conversation %s", c.text, run.Verdict)
			}
		}
	}
}
