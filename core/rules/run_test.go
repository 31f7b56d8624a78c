package rules_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/rules"
)

func TestRunsAreReadFromText(t *testing.T) {
	run, found := rules.ReadRun("# a run\r\n  refund(order: 7, \"a b\".c: \"x\", a.b: -1.50, @agent: \"bob\", @id: 3, @time: 60)\r\n\n" +
		"login.result(ok: true)\nmessage.user(text: \"hi\")\n\"odd name\".error()\n" + `{"kind":"call","name":"a","fields":{"l":[1]},"time":80}` + "\nend(@time: 81)")
	if len(found) > 0 {
		t.Fatal(found)
	}
	var got []string
	for _, e := range run.Events {
		got = append(got, e.Time.String()+" "+e.Describe())
	}
	want := `60 refund(a: {"b":-1.5}, a b: {"c":"x"}, order: 7)|1 login.result(ok: true)|2 message.user(text: "hi")|3 "odd name".error()|80 a(l: [1])|81 end()`
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if e := run.Events[0]; string(e.Agent.JSON()) != `"bob"` || string(e.ID.JSON()) != "3" {
		t.Errorf("%+v", e)
	}
	for text, want := range map[string]string{
		"a(": "expected", "*(x: 1)": "name of a tool", "a(x: ?x)": "not a pattern", "a(x: > 3)": "not a pattern", "a(x: 1, x.y: 2)": "duplicate", "a(x: 1, x: 2)": "duplicate",
		"a(@time: \"x\")": "seconds", "a() b()": "end of the line", `{"kind":1}`: "kind", `{"fields":[]}`: "object", "message(text: 1)": "role", "a.foo()": "unknown kind", "once a()": "reserved",
	} {
		_, found := rules.ReadRun(text)
		if len(found) != 1 || found[0].Code != "rules.event" || !strings.Contains(found[0].Message, want) {
			t.Errorf("%s: %+v, want %q", text, found, want)
		}
	}
}
