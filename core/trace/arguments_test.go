package trace

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// Arguments that begin as an object or a list and are none are unread at their place, in every format.
func TestMalformedArgumentsAreUnread(t *testing.T) {
	for _, format := range []string{
		`[{"role":"user","content":"pay"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"pay","arguments":%s}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"assistant","content":"done"}]`,
		`[{"role":"user","content":"pay"},{"type":"function_call","call_id":"1","name":"pay","arguments":%s},{"type":"function_call_output","call_id":"1","output":"ok"}]`,
		`[{"role":"user","content":"pay"},{"type":"tool_call","id":"1","toolName":"pay","args":%s},{"type":"tool_result","id":"1","output":"ok"}]`,
	} {
		for _, arguments := range []string{`{"amount":1000000`, `{"amount":NaN}`, ` {"amount":1000000]`, `[1,`, `{"a":1}{"b":2}`, "\ufeff{"} {
			text := fmt.Sprintf(format, strconv.Quote(arguments))
			read, err := OpenRuns(source.NewFile("t", text), "")
			if err != nil {
				t.Errorf("%s: %v", text, err)
			} else if len(read.Unread) == 0 || !strings.Contains(text[read.Unread[0].Span.Start:read.Unread[0].Span.End], strconv.Quote(arguments)) {
				t.Errorf("%s: %+v", text, read.Unread)
			}
		}
		for _, arguments := range []string{`{"amount":1}`, `[1]`, ``, `pay 7`, `"x"`} {
			read, err := OpenRuns(source.NewFile("t", fmt.Sprintf(format, strconv.Quote(arguments))), "")
			if err == nil && len(read.Unread) > 0 && read.Unread[0].Reason != "call without a name or arguments" {
				t.Errorf("%q: %+v", arguments, read.Unread)
			}
		}
	}
}
