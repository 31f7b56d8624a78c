package monitor

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

// A content of the model must not contain a prompt; in the task and in contents of the
// environment a prompt is text.
func TestContentsAreCheckedAlone(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	check, err := NewContentCheck(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state, content, fault string
	}{
		{"Ques", "q", ""}, {"Tht", " so ", ""}, {"Act", "Calculator", ""}, {"Act", " Calculator\n", ""}, {"Act-Inp", "1+1", ""},
		{"Act", "Search", `"Act" may not begin with "Search"`}, {"Act", "Calc", `"Act" `}, {"Act-Inp", "one", `"Act-Inp" `}, {"Act-Inp", "", `"Act-Inp" `},
		{"Tht", "so\n[Action] x", `"Tht" contains the prompt "[Action]"; enter "Act" as a separate state`}, {"Tht", "[Question] x", `"Tht" contains the prompt "[Question]"; enter "Ques" as a separate state`},
		{"Ques", "why [Action]?", ""}, {"Ques", "[Question] x", ""}, {"Obs", "\n[Thought] x", ""},
	} {
		fault := check.Fault(a.Index(c.state), c.content)
		if (fault == "") != (c.fault == "") || !strings.HasPrefix(fault, c.fault) {
			t.Errorf("%s %q: %q", c.state, c.content, fault)
		}
	}
}

// The verdict of a text is that of its states; calls outside states for calls are unread.
func TestTextsAreJudged(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	const call = `{"name": "f", "arguments": {}}`
	for _, c := range []struct {
		text    string
		verdict agent.Verdict
		unread  string
		index   int // of the violation, or -1
	}{
		{"[Question] q\n[Final Thought] t\n[Answer] a", agent.VerdictValid, "", -1},
		{"[Question] q\n[Final Thought] t\n[Answer]", agent.VerdictValid, "", -1},
		{"[Question] q\n[Thought] t\n[Action] Calculator\n[Action Input]", agent.VerdictIncomplete, "", -1},
		{"[Question] q\n[Thought] t", agent.VerdictIncomplete, "", -1},
		{"\ufeff[Question] q\n[Thought] t", agent.VerdictIncomplete, "", -1},
		{"[Question] q\n[Answer] a", agent.VerdictInvalid, "", 1},
		{"[Question] q\n[Thought] t\n[Action] Search\n[Action Input] 1", agent.VerdictInvalid, "", 2},
		{"so [Question] q\n[Thought] t", agent.VerdictIncomplete, "text before the first prompt", -1},
		{"\ufeff so\n[Question] q\n[Thought] t", agent.VerdictIncomplete, "text before the first prompt", -1},
		{"prose", agent.VerdictIncomplete, "text before the first prompt", -1},
		{"[Question] q\n[Thought] " + call, agent.VerdictIncomplete, "text that looks like a call", -1},
		{"[Question] q\n[Thought] t\n[Action] Calculator\n[Action Input] 1\n[Observation] " + call, agent.VerdictIncomplete, "", -1},
		{"[Question] q\n[Thought] t\n[Action] Calculator\n[Action Input] " + call, agent.VerdictInvalid, "", 3},
	} {
		r := Check(a, c.text)
		reason := ""
		if len(r.Unread) > 0 {
			reason = r.Unread[0].Reason
			if at := c.text[r.Unread[0].Span.Start:r.Unread[0].Span.End]; at != strings.TrimSpace(at) || at == "" {
				t.Errorf("%q: unread at %q", c.text, at)
			}
		}
		index := -1
		if r.Violation != nil {
			index = r.Violation.Index
		}
		if r.Verdict != c.verdict || reason != c.unread || index != c.index {
			t.Errorf("%q: %s, %q, violation %d", c.text, r.Verdict, reason, index)
		}
	}
	// Several runs in sequence, of which the second has a violation.
	reports := CheckRuns(a, "[Question] q\n[Final Thought] t\n[Answer] a\n[Question] q\n[Answer] a\n[Question] q\n[Thought] t")
	var got []string
	for _, r := range reports {
		got = append(got, string(r.Verdict)+" "+string(rune('0'+len(r.Segments))))
	}
	if strings.Join(got, ", ") != "valid 3, invalid 2, incomplete 2" {
		t.Error(got)
	}
}

// Unknown placeholders are found at any place, with their spans.
func TestUnknownPlaceholders(t *testing.T) {
	for text, want := range map[string]string{
		"{deed}": "{deed}", "a {deed} {states} {x_y}": "{deed} {x_y}", "{states}": "", "{}": "", "{a b}": "", "{Deed}": "", "{deed": "", "{{deed}}": "{deed}", "": "", "{": "",
	} {
		var got []string
		unknownPlaceholders(text, placeholders, func(name string, at source.Span) {
			if text[at.Start:at.End] != "{"+name+"}" {
				t.Errorf("%s: %q at %v", text, name, at)
			}
			got = append(got, "{"+name+"}")
		})
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// References to results are replaced, longer labels first, and only to calls that ended.
func TestReferencesAreReplaced(t *testing.T) {
	actions := []*action{{label: "E1", output: "one", done: true}, {label: "E10", output: "ten", done: true}, {label: "E2", output: "two"}, {output: "none", done: true}}
	for range 2 {
		for input, want := range map[string]string{"#E1+#E10": "one+ten", "#E10#E1": "tenone", "#E2": "#E2", "#": "#", "E1": "E1"} {
			if got := substitute(input, actions); got != want {
				t.Errorf("%s: %s", input, got)
			}
		}
		slices.Reverse(actions)
	}
}

// A common prefix ends between characters.
func TestCommonPrefix(t *testing.T) {
	for texts, want := range map[string]string{"abc abd": "ab", "abc abc": "abc", "abc x": "", "abc ab": "ab", "aé aè": "a", "aéb aéc": "aé", "a": "a", "abc abd ax": "a"} {
		if got := commonPrefix(strings.Fields(texts)); got != want {
			t.Errorf("%s: %q", texts, got)
		}
	}
}

// A disguised text has no prompt, and is otherwise the same.
func TestPromptsAreDisguised(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	p := newPrompts(a)
	for _, s := range a.States {
		text := "a\n" + s.Text + " b " + s.Text
		got := p.disguise(text)
		if p.contains(got) || !p.contains(text) || strings.ReplaceAll(got, "·", "") != text {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := p.disguise("a [b"); got != "a [b" {
		t.Error(got)
	}
}
