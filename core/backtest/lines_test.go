package backtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stile-playground/stile/core/backtest"
)

// Runs of a list are judged one by one: their calls may have equal identifiers, and an unread
// part belongs to its run.
func TestListsOfRuns(t *testing.T) {
	s := specs(t)
	row := func(text string) string { return strings.Replace(text, `{"messages"`, `{"task_id": 1, "traj"`, 1) }
	unread := strings.NewReplacer(`"tool_calls"`, `"tool_colls"`, `"name"`, `"nome"`).Replace(messages("lookup", "done"))
	list := "[\n" + strings.Join([]string{row(messages("lookup", "done")), row(messages("refund", "done")), row(unread), row(messages("delete_all", "done"))}, ",\n") + "]\n"
	runs := s.JudgePart(backtest.Part{Name: "t.json", Text: list, Line: 10, Runs: 5}, backtest.Options{})
	var got []string
	for _, r := range runs {
		got = append(got, fmt.Sprintf("%d:%d:%s:%d", r.Number, r.Line, r.Outcome, r.Cells[0].Line))
	}
	if want := "6:12:held:0 7:13:held:0 8:14:unread:14 9:15:violated:15"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	for _, text := range []string{"[" + row(messages("lookup", "done")) + "]", `[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]`, list[:len(list)/2]} {
		if n := len(s.JudgePart(backtest.Part{Name: "t.json", Text: text}, backtest.Options{})); n != 1 {
			t.Errorf("%.40s: %d runs", text, n)
		}
	}
}

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
		{"states of one run", `{"messages":[{"role":"user","content":"x"}]}` + "\n" + `{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}` + "\n", false},
		{"runs with alike beginnings", `{"messages":[{"role":"user","content":"x"}]}` + "\n" + `{"messages":[{"role":"user","content":"xy"},{"role":"assistant","content":"y"}]}` + "\n", true},
		{"lists of messages", `[{"role":"user","content":"x"}]` + "\n[]\n", true},
		{"lists of numbers", "[1]\n[2]\n", false},
		{"messages", `{"role":"user","content":"x"}` + "\n" + `{"role":"assistant","content":"y"}` + "\n", false},
		{"events", `{"type":"x","messages":[]}` + "\n{}\n", false},
		{"an event whose key follows", `{"messages":[],"type":"x"}` + "\n{}\n", false},
		{"an object on several lines", "{\n\"messages\":[]}\n", false},
		{"a list with a message on each line", "{\"messages\":[\n{\"role\":\"user\",\"content\":\"x\"},\n{\"role\":\"assistant\",\"content\":\"y\"}]}\n", false},
		{"a message on each line of a list", "[{\"role\":\"user\",\"content\":\"x\"},\n{\"role\":\"assistant\",\"content\":\"y\"}]\n", false},
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

// A run keeps no part of the trace's text in memory: reports list the runs of files of any size.
func TestRunsDoNotKeepTheText(t *testing.T) {
	text := messages("delete_all", "done")
	from := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	within := func(s string) bool {
		at := uintptr(unsafe.Pointer(unsafe.StringData(s)))
		return s != "" && at >= from && at < from+uintptr(len(text))
	}
	for _, r := range specs(t).JudgePart(backtest.Part{Name: "t.json", Text: text}, backtest.Options{}) {
		kept := []string{r.Name, r.Reason}
		for _, c := range r.Cells {
			kept = append(kept, c.Tool, c.Reason)
		}
		for _, c := range r.Calls {
			kept = append(kept, c.Name)
		}
		if i := slices.IndexFunc(kept, within); i >= 0 || len(r.Calls) == 0 {
			t.Errorf("%q is a part of the text", kept)
		}
	}
}
