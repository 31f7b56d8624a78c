package backtest_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
)

func TestLinesAreRuns(t *testing.T) {
	run := messages("lookup", "done")
	for _, c := range []struct {
		about, text string
		want        bool
	}{
		{"runs", run + "\n" + run + "\n", true},
		{"runs with a byte order mark", "\ufeff" + run + "\r\n" + run + "\r\n", true},
		{"one run", run + "\n", false},
		{"one run without a line break", run, false},
		{"one run and blank lines", run + "\n \n\n", false},
		{"rows of a data set", `{"task_id":1,"reward":0.5,"info":{"a":[1,"]}"]},"traj":[{"role":"user"}]}` + "\n{}\n", true},
		{"a key in a string", `{"a":"\"messages\":[","b":[]}` + "\n{}\n", false},
		{"a key in an inner object", `{"a":{"messages":[]}}` + "\n{}\n", false},
		{"lists of messages", `[{"role":"user","content":"x"}]` + "\n[]\n", true},
		{"lists of numbers", "[1]\n[2]\n", false},
		{"messages", `{"role":"user","content":"x"}` + "\n" + `{"role":"assistant","content":"y"}` + "\n", false},
		{"events", `{"type":"x","messages":[]}` + "\n{}\n", false},
		{"an event whose key follows", `{"messages":[],"type":"x"}` + "\n{}\n", false},
		{"an object on several lines", "{\n\"messages\":[]}\n", false},
		{"a text", "[User] x\n[Answer] y\n", false},
		{"a long first line", `{"messages":[` + strings.Repeat(" ", 1000), true},
		{"a first line that ends in a key", `{"mess`, false},
		{"broken JSON", "{\"messages\" [\n{}\n", false},
		{"", "", false},
	} {
		if got := backtest.LinesAreRuns(c.text); got != c.want {
			t.Errorf("%s: %t", c.about, got)
		}
	}
}
