package trace

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
)

func TestCallsInTexts(t *testing.T) {
	for _, mark := range callMarks {
		if !CallText("so "+mark+" x") || !CallText("`so` "+strings.ToUpper(mark)+" x") || CallText(mark[1:len(mark)-1]) && !strings.Contains(mark, "to=") {
			t.Errorf("mark %s", mark)
		}
	}
	for text, want := range map[string]bool{
		"": false, "plain: text": false, `{"name": "f", "arguments": {}}`: true, `{"name": "f", "value": {}}`: true, `{"name": "f", "value": 3}`: false, `{"title": "f", "value": {}}`: false,
		`{"args": {"a": 1}}`: true, `{"args": 3}`: false, `[{"args": {}}]`: true, `{"args": "{}"}`: true, `{"name": "f", "x": " {"}`: true,
		`I call "tool_name": x`: true, `'action_input' : x`: true, `"name": "f", "args": 1`: true, `"args": 1, "name": "f"`: true, `"name": "f"`: false, `"args": 1`: false, `\"tool_calls\": []`: true,
		`name: f, args: 1`: false, `"NAME": "f", "INPUT": 2`: true, `"a": "b": "c"`: false, `<tool_call>`: true, `<p>`: false, "```tool_call\n": true, "```go\n": false, `"tool_calls`: false, `tool_calls":`: false,
	} {
		if CallText(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	for text, want := range map[string]string{`"a"`: "a", `x "a" `: "a", `'b'`: "b", `\"c\"`: "c", `a`: "", ``: "", `"`: "", `a"`: "", `"` + strings.Repeat("a", 24) + `"`: strings.Repeat("a", 24), `"` + strings.Repeat("a", 40) + `"`: ""} {
		if got := QuotedBefore(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for text, want := range map[string]bool{
		`{"a": 1}`: false, `{"role": "user"}`: true, `{"role": 3}`: false, `{"type": "tool_use"}`: true, `{"type": "text"}`: false, `{"name": "f", "args": 1}`: true, `{"name": 3, "args": 1}`: false, `{"name": "f"}`: false, `{"args": 1}`: false,
		`{"a": {"b": [{"toolCalls": 1}]}}`: true, `["<invoke>"]`: true, `"a"`: false,
	} {
		n, _ := json.Tree(text)
		if Callish(n) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
