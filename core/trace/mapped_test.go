package trace

import (
	"strings"
	"testing"
)

const shopMap = `{"items": ".steps[]", "rows": [
{"kind": "user", "where": {".type": "question"}, "text": ".body"},
{"kind": "call", "where": {".type": "action"}, "tool": ".name", "arguments": ".params", "id": ".ref", "time": ".at", "agent": ".who[0].name"},
{"kind": "result", "where": {".type": "action"}, "id": ".ref", "text": ".output", "error": ".failure"},
{"kind": "text", "where": {".type": "reply"}, "text": ".[\"the body\"]"},
{"kind": "ignored", "where": {".type": "heartbeat"}}]}`

// mapped lists the items of the runs that a description reads, and the reasons of unread values.
func mapped(t *testing.T, description, text string) string {
	t.Helper()
	m, err := ParseMap(description)
	if err != nil {
		t.Fatal(err)
	}
	read, ok := ReadMapped(text, m)
	if !ok {
		return "no values"
	}
	var out []string
	for _, r := range read.Runs {
		var list []string
		for _, i := range r.Items {
			entry := i.Kind
			for _, part := range []string{i.Tool, i.ID, i.Text, i.Agent, i.Time} {
				if part != "" {
					entry += " " + part
				}
			}
			if i.Fault {
				entry += " fault"
			}
			list = append(list, entry)
		}
		out = append(out, strings.Join(list, "; "))
	}
	for _, u := range read.Unread {
		out = append(out, "unread "+u.Path+": "+u.Reason)
	}
	return strings.Join(out, "\n")
}

func TestDescribedFormatsAreRead(t *testing.T) {
	for _, c := range []struct{ name, description, text, want string }{
		{"items of a document", shopMap, `{"steps":[{"type":"question","body":"refund A7"},{"type":"heartbeat","x":{"name":"y","arguments":{}}},
{"type":"action","name":"look","params":{"id":"A7"},"ref":"1","at":"2026-01-01T00:00:00Z","who":[{"name":"main"}],"output":"paid"},
{"type":"action","name":"pay","ref":"2","failure":"no money"},{"type":"reply","the body":"done"}]}`,
			"user refund A7; call look 1 {\"id\":\"A7\"} main 1767225600; result look 1 paid; call pay 2; result pay 2 no money fault; text done"},
		{"two documents", shopMap, `{"steps":[{"type":"question","body":"a"}]}` + "\n" + `{"steps":[{"type":"question","body":"b"}]}`, "user a\nuser b"},
		{"a step without a row", shopMap, `{"steps":[{"type":"question","body":"a"},{"type":"deed","body":"b"}]}`, "user a\nunread .steps[1]: no row of the description applies"},
		{"a call that no path reads", shopMap, `{"steps":[{"type":"question","body":"a","extra":{"name":"pay","arguments":{}}}]}`, "user a\nunread .steps[0].extra: unknown key \"extra\""},
		{"a step without its text", shopMap, `{"steps":[{"type":"question"}]}`, "unread .steps[0]: no value at the path of the text"},
		{"a step without its tool", shopMap, `{"steps":[{"type":"action"}]}`, "unread .steps[0]: no value at the path of the tool"},
		{"no steps", shopMap, `{"step":[]}`, "unread : no items at the path of the description"},
		{"lines of two runs", `{"run": ".session", "rows": [{"kind": "user", "where": {".k": "u"}, "text": ".t"}, {"kind": "text", "where": {".k": "m"}, "text": ".t"}]}`,
			`{"session":"a","k":"u","t":"1"}` + "\n" + `{"session":"b","k":"u","t":"2"}` + "\n" + `{"session":"a","k":"m","t":"3"}` + "\n" + `{"k":"m","t":"4"}`,
			"user 1; text 3\nuser 2\nunread [3]: no value at the path of the run"},
		{"no values", shopMap, ``, "no values"},
	} {
		if got := mapped(t, c.description, c.text); got != c.want {
			t.Errorf("%s:\n%s\nexpected\n%s", c.name, got, c.want)
		}
	}
}

func TestFaultsOfDescriptions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{`, "not JSON"},
		{`{}`, "expected rows"},
		{`{"rows": [{"kind": "deed"}]}`, `unknown kind "deed"`},
		{`{"rows": [{"kind": "user"}]}`, "needs the path of the text"},
		{`{"rows": [{"kind": "call"}]}`, "needs the path of the tool"},
		{`{"rows": [{"kind": "result", "text": ".a"}]}`, "needs the path of the tool or"},
		{`{"rows": [{"kind": "user", "text": "a"}]}`, `invalid path "a"`},
		{`{"rows": [{"kind": "user", "text": ".a[]"}]}`, `invalid path ".a[]"`},
		{`{"rows": [{"kind": "user", "text": ".a[x]"}]}`, `invalid path ".a[x]"`},
		{`{"rows": [{"kind": "user", "text": ".[\"a"}]}`, `invalid path`},
		{`{"rows": [{"kind": "user", "text": ".a..b"}]}`, `invalid path ".a..b"`},
		{`{"rows": [{"kind": "user", "text": 1}]}`, "invalid path"},
		{`{"rows": [{"kind": "user", "words": ".a"}]}`, `unknown key "words"`},
		{`{"item": ".a"}`, `unknown key "item"`},
		{`{"items": "a"}`, "invalid path"},
	} {
		if _, err := ParseMap(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %s", c.text, err, c.want)
		}
	}
}
