package monitor

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// longTrace is a conversation with n calls: consecutive calls of different tools, or calls
// of one tool in one message.
func longTrace(n int, together bool) string {
	call := func(i int) string {
		name := "Search"
		if !together {
			name = fmt.Sprintf("tool%d", i)
		}
		return fmt.Sprintf(`{"id":"c%d","function":{"name":"%s","arguments":"{\"a\":\"x\"}"}}`, i, name)
	}
	result := func(i int) string {
		return fmt.Sprintf(`,{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("r", 100))
	}
	var calls, results strings.Builder
	for i := range n {
		switch {
		case !together:
			calls.WriteString(`,{"role":"assistant","tool_calls":[` + call(i) + `]}` + result(i))
		case i > 0:
			calls.WriteString("," + call(i))
			results.WriteString(result(i))
		default:
			calls.WriteString(call(i))
			results.WriteString(result(i))
		}
	}
	middle := calls.String()
	if together {
		middle = `,{"role":"assistant","tool_calls":[` + middle + `]}` + results.String()
	}
	return `[{"role":"user","content":"q"}` + middle + `,{"role":"assistant","content":"a"}]`
}

// Quadratic work would take minutes here.
func TestLongConversationTakesLinearTime(t *testing.T) {
	n := effort.Of(20_000)
	for _, together := range []bool{false, true} {
		text := longTrace(n, together)
		parts := partsIn(t, text)
		name := "react/calculate.agent"
		if together {
			name = "pass/pass.agent"
		}
		mapped, report, err := MapTrace(find(t, name).agent, parts, nil, Roles{})
		if err != nil || len(report.Segments) != len(mapped) || len(mapped) < 2*n {
			t.Fatalf("%d states, %v", len(mapped), err)
		}
		last := mapped[len(mapped)-1]
		if last.Text != "a" {
			t.Errorf("it ends with %+v", last)
		}
		if !together {
			continue
		}
		whole, _ := json.Marshal(mapped[2*n+2].Text)
		if mapped[2*n+2].State != "Sum" || len(whole) < 100*n || report.Violation != nil {
			t.Errorf("%s of %d bytes, %+v", mapped[2*n+2].State, len(whole), report.Violation)
		}
	}
}
