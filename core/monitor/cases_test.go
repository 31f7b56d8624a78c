package monitor

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/grammars"
)

// runCase is the input of a case of a run: an agent of the gallery, or the text of one, with
// settings, and the answers of a person.
type runCase struct {
	Agent    string   `json:"agent"`
	Spec     string   `json:"spec"`
	Settings Settings `json:"settings"`
	Answers  []string `json:"answers"`
}

// traceCase is the input of a case of a trace that an agent of the gallery, or the text of
// one, has to judge.
type traceCase struct {
	Agent   string          `json:"agent"`
	Spec    string          `json:"spec"`
	Format  string          `json:"format"`
	Mapping []Mapping       `json:"mapping"`
	Roles   Roles           `json:"roles"`
	Text    string          `json:"text"`  // of the trace; or
	Trace   json.RawMessage `json:"trace"` // its JSON
}

// Each case shows everything that a person sees: the events of a run, or the judgement
// of a trace.
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

// caseAgent returns an agent of the gallery, or that of a text.
func caseAgent(t *testing.T, name, spec string) shipped {
	t.Helper()
	if spec != "" {
		return shipped{agent: compile(t, spec)}
	}
	return find(t, name)
}

// showRun writes the events of a run, the pieces of a text as one.
func showRun(t *testing.T, c runCase) string {
	t.Helper()
	s := caseAgent(t, c.Agent, c.Spec)
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
	j, err := JudgeTrace(caseAgent(t, c.Agent, c.Spec).agent, file, c.Format, c.Mapping, c.Roles)
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

// rotatedStates returns the text of an agent whose states are declared in another order.
func rotatedStates(t *testing.T, text string, by int) string {
	t.Helper()
	begin := strings.Index(text, "(:states") + len("(:states")
	var states []string
	depth, from, quoted := 0, 0, false
	for at := begin; at < len(text); at++ {
		switch b := text[at]; {
		case b == '"' && text[at-1] != '\\':
			quoted = !quoted
		case quoted:
		case b == '(':
			if depth++; depth == 1 {
				from = at
			}
		case b == ')':
			if depth--; depth == 0 {
				states = append(states, text[from:at+1])
			}
			if depth < 0 {
				by %= len(states)
				return text[:begin] + " " + strings.Join(append(slices.Clone(states[by:]), states[:by]...), " ") + text[at:]
			}
		}
	}
	t.Fatal("no states in " + text)
	return ""
}

// The first state may be declared last, and the last one first: that changes neither a run
// nor the judgement of a trace. Of several thoughts or allowed states, the first declared one
// takes precedence.
func TestOrderOfStatesDoesNotMatter(t *testing.T) {
	texts := map[string]string{}
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		for _, f := range e.Files {
			texts[e.ID+"/"+f.Name] = f.Text
		}
	}
	compared := 0
	for _, name := range []string{"calls", "runs", "traces"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", "cases", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			title, input := strings.CutPrefix(f.Name, "in.")
			if !input {
				continue
			}
			var c runCase
			var recorded traceCase
			read(t, title, string(f.Data), &c)
			read(t, title, string(f.Data), &recorded)
			trace := strings.HasPrefix(title, "trace ")
			folder, _, _ := strings.Cut(c.Agent, "/")
			if !slices.Contains([]string{"react", "pass", "rewoo"}, folder) || !trace && (c.Settings.Model.Kind != llm.KindScripted || c.Settings.Forced || c.Settings.Eager || strings.Contains(title, "forced")) {
				continue
			}
			s := find(t, c.Agent)
			s.setup = s.setup.with(replayed{"Search", map[string]string{"a": "about a", "b": "about b"}}, replayed{"Lookup", map[string]string{"c": "about c"}})
			want := ""
			for _, by := range []int{0, 1, len(s.agent.States) - 1} {
				s.agent = compile(t, rotatedStates(t, texts[s.name], by))
				var b strings.Builder
				if trace {
					j, err := JudgeTrace(s.agent, source.NewFile("trace", cmp.Or(recorded.Text, string(recorded.Trace))), recorded.Format, recorded.Mapping, recorded.Roles)
					if err != nil {
						break
					}
					fmt.Fprintln(&b, j.Verdict)
					for _, conversation := range j.Conversations {
						fmt.Fprintln(&b, conversation.Verdict, conversation.Mapped, conversation.Report.Segments, len(conversation.Report.Next))
					}
					for _, u := range j.Unread {
						fmt.Fprintln(&b, u.Path, u.Reason)
					}
				} else {
					transcript, _, err := play(t, s, c.Settings, c.Answers...)
					if err != nil {
						fmt.Fprintln(&b, err)
					} else {
						fmt.Fprintln(&b, transcript.Text, transcript.Verdict, transcript.Stats.Violations, transcript.Stats.Corrections)
					}
				}
				if compared++; by == 0 {
					want = b.String()
				} else if b.String() != want {
					t.Errorf("%s: rotated by %d\n%s\nwant\n%s", title, by, b.String(), want)
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d judgements were compared", compared)
	}
}

// A text that fits is kept; a longer one is cut at a space so that it fits.
func TestTextsAreCutAtSpaces(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"one two", 7, "one two"}, {"one two", 6, "one"}, {"one two", 4, "one"}, {"one two", 3, "one"}, {"one two", 2, "on"}, {"über uns", 4, "über"}, {"a\nb c", 4, "a\nb"}, {"", 0, ""}, {" extraordinary", 5, "extr"},
	} {
		if got := cutCharacters(c.text, c.n); got != c.want {
			t.Errorf("%q in %d characters: %q, not %q", c.text, c.n, got, c.want)
		}
	}
}

// The first fix of a wrong content in an example is the allowed content that was meant.
func TestWrongContentsAreReplacedByNearestOnes(t *testing.T) {
	a := compile(t, react)
	for written, want := range map[string]string{"Lookp": "Lookup", "lookup": "Lookup", "Serch": "Search", "Search it": "Search", "LOOKUP c": "Lookup"} {
		text := "[Question] q\n[Thought] t\n[Action] " + written + "\n[Action Input] c\n[Observation] o\n[Final Thought] f\n[Answer] A"
		found := CheckExamples(a, text)
		if len(found) != 1 || len(found[0].Fixes) == 0 {
			t.Errorf("%s: %+v", written, found)
			continue
		}
		if got := apply(text, found[0].Fixes[0]); !strings.Contains(got, "[Action] "+want+"\n") || len(CheckExamples(a, got)) != 0 {
			t.Errorf("%s is replaced in\n%s", written, got)
		}
	}
}

// A prompt within a content begins another state, so that it is a fault, in all states but
// those of the task and the environment.
func TestPromptsWithinContentsAreFaults(t *testing.T) {
	for _, text := range []string{react, `(define say (:states (A (:text "[Say]")) (B (:text "[Think]")) (C (:text "[Hear]") (:flags :env-input))) (:behavior (next A B C)))`} {
		a := compile(t, text)
		check, err := NewContentCheck(a)
		if err != nil {
			t.Fatal(err)
		}
		question, asked := questionState(a)
		for i, s := range a.States {
			other := a.States[(i+1)%len(a.States)]
			if len(s.OneOf) > 0 {
				continue
			}
			fault := check.Fault(i, "so "+other.Text+" x")
			if text := s.EnvInput || asked && i == question; text != (fault == "") {
				t.Errorf("%s with the prompt of %s: %q", s.Name, other.Name, fault)
			}
		}
	}
}

// The instructions contain the examples of an agent, whether or not the template has a
// place for them, exactly once.
func TestInstructionsContainExamples(t *testing.T) {
	s := find(t, "react/react.agent")
	example, ok := s.setup.File(s.agent.Examples[0])
	if !ok {
		t.Fatal("the agent has no example")
	}
	line, _, _ := strings.Cut(strings.TrimSpace(example), "\n")
	for _, template := range []string{"", "{examples}\n{question}", "Be brief.", "Be brief: {states}"} {
		messages, err := instructions(s.agent, s.setup, nil, Settings{Question: "who?", Template: template})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, m := range messages {
			text += m.Content
		}
		if strings.Count(text, line) != 1 {
			t.Errorf("%q gives\n%s", template, text)
		}
	}
}

// The extreme values of the settings are valid, those beyond are not.
func TestExtremeSettings(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		valid    bool
	}{
		{Settings{MaxLoops: MaxLoops}, true}, {Settings{MaxLoops: MaxLoops + 1}, false}, {Settings{MaxLoops: -1}, false},
		{Settings{Samples: MaxSamples}, true}, {Settings{Samples: MaxSamples + 1}, false}, {Settings{Samples: -1}, false},
		{Settings{Temperature: 2}, true}, {Settings{Temperature: 2.1}, false}, {Settings{Temperature: -0.1}, false},
		{Settings{Alpha: 10}, true}, {Settings{Alpha: 10.1}, false}, {Settings{Alpha: -0.1}, false},
	} {
		c.settings.Model = llm.Spec{Kind: llm.KindFirst}
		if err := c.settings.Check(); (err == nil) != c.valid {
			t.Errorf("%+v: %v", c.settings, err)
		}
	}
}
