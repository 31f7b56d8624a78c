package session

import (
	"fmt"
	"strings"
	"testing"
)

const exampleAgent = `(define a
  (:prompt "prompt.txt")
  (:examples "examples/one.txt" "examples/none.txt")
  (:states
    (Q (:text "[Question]"))
    (T (:text "[Thought]"))
    (A (:text "[Action]") (:one-of "Search" "Lookup"))
    (O (:text "[Observation]") (:flags :env-input) (:from summary "sum.txt"))
    (E (:text "[End]")))
  (:behavior (next Q (until (next T A O) E))))
`

// fixed applies a fix to an ASCII text.
func fixed(text string, f Fix) string {
	for _, e := range f.Edits {
		text = text[:e.From] + e.Text + text[e.To:]
	}
	return text
}

func TestExamplesAreCheckedAgainstTheBehaviour(t *testing.T) {
	s := New()
	for _, c := range []struct{ name, text, code, at, message, fix string }{
		{"a run that conforms", "[Question] q\n[Thought] t\n[Action] Search\n[Observation] o\n[End] e\n", "", "", "", ""},
		{"two runs", "Two runs:\n[Question] q\n[End] e\n\n[Question] q\n[End] e\n", "", "", "", ""},
		{"a state that is left out", "[Question] q\n[Thought] t\n[Observation] o\n[End] e\n",
			"example.violation", "[Observation]", `"O" is not allowed here; expected "A"`, "[Question] q\n[Thought] t\n[Action] o\n[End] e\n"},
		{"a fault in the second run", "[Question] q\n[End] e\n[Question] q\n[Action] Search\n[Observation] o\n[End] e\n[Question] q\n[End] e\n",
			"example.violation", "[Action]", `"A" is not allowed here`, ""},
		{"a content off the list", "[Question] q\n[Thought] t\n[Action] Serch\n[Observation] o\n[End] e\n",
			"example.violation", "Serch", `"A" may not continue with "rch"`, "[Question] q\n[Thought] t\n[Action] Search\n[Observation] o\n[End] e\n"},
		{"an end that is missing", "[Question] q\n[Thought] t\n[Action] Search\n", "example.incomplete", "[Action]", "incomplete example",
			"[Question] q\n[Thought] t\n[Action] Search\n[Observation] …\n"},
		{"no run at all", "Question: q\nAnswer: a\n", "example.none", "Question: q", "contains no prompt of a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := []File{
				{Name: "a.agent", Text: exampleAgent}, {Name: "examples/one.txt", Text: c.text}, {Name: "sum.txt", Text: "{results}"},
				{Name: "examples/none.txt", Text: "[Question] q\n[End] e\n"}, {Name: "prompt.txt", Text: "{examples}"},
			}
			out := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "examples/one.txt"})
			if out.About != "example of a" {
				t.Errorf("it is said to be %q", out.About)
			}
			spec := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "a.agent"})
			if c.code == "" {
				if len(out.Diagnostics)+len(spec.Diagnostics) > 0 {
					t.Fatalf("%+v %+v", out.Diagnostics, spec.Diagnostics)
				}
				return
			}
			if len(out.Diagnostics) != 1 || len(spec.Diagnostics) != 1 || spec.Diagnostics[0].Code != "agent.file" {
				t.Fatalf("%+v %+v", out.Diagnostics, spec.Diagnostics)
			}
			d := out.Diagnostics[0]
			if got := c.text[d.From:d.To]; d.Code != c.code || got != c.at || !strings.Contains(d.Message, c.message) {
				t.Errorf("%s at %q: %s", d.Code, got, d.Message)
			}
			if c.fix != "" && (len(d.Fixes) == 0 || fixed(c.text, d.Fixes[0]) != c.fix) {
				t.Errorf("%+v", d.Fixes)
			}
		})
	}
}

func TestPromptFaultsAndMissingFilesAreReported(t *testing.T) {
	s := New()
	files := []File{{Name: "a.agent", Text: exampleAgent}, {Name: "prompt.txt", Text: "use {tols} and {\"json\": 1}"}, {Name: "sum.txt", Text: "{tools}"}}
	out := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "prompt.txt"})
	if len(out.Diagnostics) != 1 || out.Diagnostics[0].From != 4 || fixed(files[1].Text, out.Diagnostics[0].Fixes[0]) != "use {tools} and {\"json\": 1}" {
		t.Errorf("%+v", out.Diagnostics)
	}
	out = result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "sum.txt"})
	if len(out.Diagnostics) != 1 || out.About != "prompt for O of a" {
		t.Errorf("%+v", out)
	}
	out = result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "a.agent"})
	var codes []string
	for _, d := range out.Diagnostics {
		codes = append(codes, d.Code)
	}
	if strings.Join(codes, " ") != "agent.file agent.file-missing agent.file-missing agent.file" {
		t.Errorf("%v", codes)
	}
}

func TestAgentFactsAreReported(t *testing.T) {
	s := New()
	files := []File{
		{Name: "a.agent", Text: exampleAgent},
		{Name: "agent-tools.json", Text: `{"tools":[{"calculator":{}},{"person":{"name":"Ask"}},{"mcp":{"url":"http://localhost:3001/mcp"}}]}`},
	}
	for _, c := range []struct{ name, says, want string }{
		{"with tools", "", "[summary] prompt.txt [Calculator Ask] 1"},
		{"a way that only the prompt's word tells", `(define b (:states (Q (:text "Q:")) (O (:text "Observation:") (:flags :env-input)) (E (:text "Evaluation:") (:flags :env-input)) (P (:text "User:") (:flags :env-input))) (:behavior (next Q O E P)))`, "[tools evaluator person]  [Calculator Ask] 1"},
		{"an agent that is broken", `(define b (:states (Q (:text "Q:")))`, "[]  [Calculator Ask] 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := append([]File{}, files...)
			if c.says != "" {
				files[0].Text = c.says
			}
			facts := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "a.agent"}).Agent
			if got := fmt.Sprint(facts.Sources, " ", facts.Prompt, " ", facts.Tools, " ", facts.Servers); got != c.want {
				t.Errorf("got %s", got)
			}
		})
	}
	if out := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "agent-tools.json"}); out.Agent != nil {
		t.Errorf("%+v", out.Agent)
	}
}
