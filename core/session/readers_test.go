package session

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
	tracing "github.com/stile-playground/stile/core/trace"
	"golang.org/x/tools/txtar"
)

// calledTools are the tools of the calls that the readers of specs of agents find, and those that the reader of
// rules about data finds. known is false if one of them does not read the whole trace.
func calledTools(text string) (agents, rules string, several, known bool) {
	read, ok := tracing.Read(text)
	judged, err := monitor.Open(source.NewFile("trace", text), "").Runs()
	if !ok || err != nil || len(read.Unread)+len(judged.Unread) > 0 {
		return "", "", false, false
	}
	for _, c := range judged.Conversations {
		for _, p := range c.Parts {
			if p.Kind == tracing.Call {
				agents += " " + p.Tool
			}
		}
	}
	for _, run := range read.Runs {
		for _, item := range run.Items {
			if item.Kind == tracing.Call {
				rules += " " + item.Tool
			}
		}
	}
	return agents, rules, len(judged.Conversations) != len(read.Runs), true
}

// The reader that judges specs of agents and the reader that judges rules about data find the same calls in
// each trace that both read.
func TestReadersAgreeOnCalls(t *testing.T) {
	texts := map[string]string{}
	traces, _ := libraryTraces(t)
	for _, e := range traces {
		texts[e.File] = e.Text
	}
	data, err := os.ReadFile("../trace/testdata/outside.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse(data).Files {
		texts[f.Name] = string(f.Data)
	}
	compared := 0
	for name, text := range texts {
		agents, rules, several, known := calledTools(text)
		if known {
			compared++
		}
		if parts := [2][]string{strings.Fields(agents), strings.Fields(rules)}; several {
			slices.Sort(parts[0]) // a conversation for each agent
			slices.Sort(parts[1])
			agents, rules = strings.Join(parts[0], " "), strings.Join(parts[1], " ")
		}
		if agents != rules {
			t.Errorf("%s: specs of agents see%s, rules see%s", name, agents, strings.TrimRight(rules, " "))
		}
	}
	t.Log(compared, "of", len(texts), "traces are read by both")
	if compared < 250 {
		t.Errorf("%d of %d traces are read by both", compared, len(texts))
	}
}

// No trace of another format in which a forbidden tool is called is valid.
func TestNoTraceFromOutsideIsValid(t *testing.T) {
	_, spec := libraryTraces(t)
	verdict := judgedBy(t, spec)
	archive, err := txtar.ParseFile("../trace/testdata/outside.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if got := verdict(string(f.Data)); got == "valid" || got == "incomplete" {
			t.Errorf("%s: %s", f.Name, got)
		}
	}
}

// A call in the text of a model makes a run unread, also for an agent that has any text as its answer.
func TestCallsInTextsAreUnread(t *testing.T) {
	for text, unread := range map[string]bool{
		`[{"role":"user","content":"q"},{"role":"assistant","content":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}]`:                                                                                                                                          true,
		`[{"role":"user","content":"q"},{"role":"assistant","content":"<use_mcp_tool><tool_name>f</tool_name></use_mcp_tool>"}]`:                                                                                                                                             true,
		`[{"role":"user","content":"q"},{"role":"assistant","content":"Use <b> for bold."}]`:                                                                                                                                                                                 false,
		`[{"role":"user","content":"q"},{"role":"assistant","content":"<tool_call>f</tool_call>","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"},{"role":"assistant","content":"a"}]`: false,
	} {
		read, err := monitor.Open(source.NewFile("trace", text), "").Runs()
		if err != nil || (len(read.Unread) > 0) != unread {
			t.Errorf("%s: %v %+v", text, err, read)
		}
	}
}
