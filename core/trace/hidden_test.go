package trace

import (
	"strings"
	"testing"
)

// No call is lost without a note: of a span without a type, and of an identifier that two calls have.
func TestCallsWithoutTypesOrIdentifiersAreNoted(t *testing.T) {
	const call = `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"pay","arguments":"{}"}}]}`
	const result = `{"role":"tool","tool_call_id":"c","content":"ok"}`
	lines := []string{`{"role":"user","content":"q"}`, call, result, call, result}
	wrapped := func(key string) string { return `{"` + key + `":` + strings.Join(lines, "}\n{\""+key+`":`) + "}" }
	spans := func(attributes string) string {
		return `[{"trace_id":"t","span_id":"1","name":"agent","attributes":{"input.value":"q","output.value":"done"}},` +
			`{"trace_id":"t","span_id":"2","parent_id":"1","name":"delete_all","attributes":{` + attributes + `}}]`
	}
	for text, reason := range map[string]string{
		spans(`"input.value":"{\"path\":\"/\"}","output.value":"deleted"`):                     "without a type",
		spans(`"call.parameters":"{\"path\":\"/\"}"`):                                          "without a type",
		`{"traceId":"t","spanId":"1","name":"delete_all","attributes":{"input":{"path":"/"}}}`: "without a type",
		spansOf([]string{stringAttribute("input.value", `{"path":"/"}`)}):                      "without a type",
		wrapped("data"):           "the earlier call already has a result",
		wrapped("message"):        "the earlier call already has a result",
		strings.Join(lines, "\n"): "the earlier call already has a result",
		strings.Replace(lines[0]+"\n"+call, "}}]", `}},{"id":"c","type":"function","function":{"name":"pay","arguments":"{}"}}]`, 1): "that of the preceding call",
	} {
		if read, ok := Read(text); !ok || len(read.Unread) == 0 || !strings.Contains(read.Unread[0].Reason, reason) {
			t.Errorf("%s: expected %q: %+v", text, reason, read)
		}
	}
}
