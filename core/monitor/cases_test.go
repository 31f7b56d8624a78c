package monitor

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

// runCase is the input of a case of a run: an agent of the gallery with settings, and the
// answers of a person.
type runCase struct {
	Agent    string   `json:"agent"`
	Settings Settings `json:"settings"`
	Answers  []string `json:"answers"`
}

// traceCase is the input of a case of a trace that an agent of the gallery has to judge.
type traceCase struct {
	Agent   string          `json:"agent"`
	Format  string          `json:"format"`
	Mapping []Mapping       `json:"mapping"`
	Roles   Roles           `json:"roles"`
	Text    string          `json:"text"`  // of the trace; or
	Trace   json.RawMessage `json:"trace"` // its JSON
}

// Each case shows everything that a person sees of a run, its events, or of a trace, its
// judgement.
func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) (out []golden.File) {
		for _, name := range slices.Sorted(maps.Keys(in)) {
			title := strings.TrimPrefix(name, "in.")
			var text string
			if strings.HasPrefix(title, "trace ") {
				var c traceCase
				read(t, title, in[name], &c)
				text = showTrace(t, c)
			} else {
				var c runCase
				read(t, title, in[name], &c)
				text = showRun(t, c)
			}
			out = append(out, golden.File{Name: title, Text: text})
		}
		return out
	})
}

func read(t *testing.T, title, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(title, err)
	}
}

// showRun writes the events of a run, the pieces of a text as one.
func showRun(t *testing.T, c runCase) string {
	t.Helper()
	s := find(t, c.Agent)
	s.setup = s.setup.with(replayed{"Search", map[string]string{"a": "about a", "b": "about b"}}, replayed{"Lookup", map[string]string{"c": "about c"}})
	transcript, events, err := play(t, s, c.Settings, c.Answers...)
	if err == nil {
		conforms(t, s.agent, transcript)
	}
	var b strings.Builder
	said := ""
	flush := func() {
		if said != "" {
			fmt.Fprintf(&b, "delta %q\n", said)
		}
		said = ""
	}
	for _, e := range events {
		var event struct{ Kind, Text string }
		if err := json.Unmarshal([]byte(e), &event); err != nil {
			t.Fatal(err)
		}
		if event.Kind == "monitor.delta" {
			said += event.Text
			continue
		}
		flush()
		if event.Kind == "monitor.done" {
			continue
		}
		if _, rest, ok := strings.Cut(e, `"kind":"monitor.`); ok {
			e = `{"` + rest
		}
		b.WriteString(e + "\n")
	}
	flush()
	if err != nil {
		fmt.Fprintf(&b, "error %v\n", err)
		return b.String()
	}
	fmt.Fprintf(&b, "%s, answer %q\n", transcript.Verdict, transcript.Answer)
	for _, result := range []any{transcript.Stats, transcript.Samples, transcript.Votes} {
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != "null" {
			fmt.Fprintf(&b, "%s\n", text)
		}
	}
	return b.String()
}

// showTrace writes the judgement of a trace.
func showTrace(t *testing.T, c traceCase) string {
	t.Helper()
	text := c.Text
	if text == "" {
		text = string(c.Trace)
	}
	file := source.NewFile("trace", text)
	j, err := JudgeTrace(find(t, c.Agent).agent, file, c.Format, c.Mapping, c.Roles)
	if err != nil {
		return fmt.Sprintf("error %v\n", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", j.Format, j.Verdict)
	for _, conversation := range j.Conversations {
		fmt.Fprintf(&b, "conversation %q %s, states %s, next %q\n", conversation.Name, conversation.Verdict, conversation.Report.Verdict, conversation.Report.Next)
		for _, p := range conversation.Parts {
			fmt.Fprintf(&b, "  part %s of message %d, tool %q, call %q: %q at %q\n", p.Kind, p.Turn, p.Tool, p.ID, p.Text, file.Slice(p.Span))
		}
		for _, m := range conversation.Mapped {
			fmt.Fprintf(&b, "  state %s: %q of part %d %v", m.State, m.Text, m.Part, m.Joined)
			if m.Implied {
				b.WriteString(", implied")
			}
			b.WriteString("\n")
		}
		if len(conversation.Mapped) == 0 {
			for _, s := range conversation.Report.Segments {
				fmt.Fprintf(&b, "  segment %s: %q at %q\n", s.State, s.Text, file.Slice(s.Span))
			}
		}
		if v := conversation.Report.Violation; v != nil {
			fmt.Fprintf(&b, "  violation %d of %q at %q, content %v: %s; allowed %q\n", v.Index, v.State, file.Slice(v.Span), v.Content, v.Reason, v.Allowed)
		}
	}
	for _, u := range j.Unread {
		fmt.Fprintf(&b, "unread %s %q: %s; keys %q\n", u.Path, file.Slice(u.Span), u.Reason, u.Keys)
	}
	if j.More > 0 {
		fmt.Fprintf(&b, "%d more\n", j.More)
	}
	return b.String()
}
