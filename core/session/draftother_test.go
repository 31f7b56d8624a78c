package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/draft"
	"github.com/stile-playground/stile/core/workspace"
)

// drafted runs a draft to its end.
func drafted(t *testing.T, s draft.Settings) (out draft.Result) {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	body, err := draftBody(New().project(nil), workspace.File{}, raw)
	if err != nil {
		t.Fatal(err)
	}
	result, _ := ran(t, body)
	if err := json.Unmarshal([]byte(result), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Drafts of teams and problems are checked as the editor checks them.
func TestTeamsAndProblemsAreDrafted(t *testing.T) {
	const task = "Describe the task.\n"
	team := "(define d (:executors (w (:does \"Writes.\")))  (:deliverer inference))\n"
	for _, c := range []struct {
		language string
		script   []string
		rounds   int
		clean    bool
		want     string
	}{
		{"team", []string{"```draft.team\n(define d (:executor))\n```", "```team\n" + team + "```"}, 2, true, "draft.team"},
		{"problem", []string{"```task.md\n" + task + "```\n```query.md\nWhat?\n```\n```data.json\n{\n```", "-- data.json --\n{}\n-- output.json --\n{\"a\": \"{objective}\"}\n"}, 2, true, "draft.problem/task.md draft.problem/query.md draft.problem/data.json draft.problem/output.json"},
		{"problem", []string{"```task.md\n" + task + "```", "```elsewhere.md\nno\n```"}, 2, false, "draft.problem/task.md"},
	} {
		settings := draft.Settings{Description: "Plan it.", Languages: []string{c.language}, Rounds: 2, Model: llm.Spec{Kind: llm.KindScripted, Script: c.script}}
		got := drafted(t, settings)
		var names []string
		for _, f := range got.Files {
			names = append(names, f.Name)
		}
		if got.Clean != c.clean || got.Rounds != c.rounds || strings.Join(names, " ") != c.want {
			t.Errorf("%s: clean %v after %d rounds, %v, %v", c.language, got.Clean, got.Rounds, names, got.Problems)
		}
	}
	for _, language := range []string{"team", "problem"} {
		for _, kind := range []string{llm.KindFirst, llm.KindRambler} {
			settings := draft.Settings{Description: "Plan “it”.", Languages: []string{language}, Rounds: 1, Model: llm.Spec{Kind: kind, ErrorRate: 1}}
			if kind == llm.KindFirst {
				settings.Model.ErrorRate = 0
			}
			if got := drafted(t, settings); got.Clean != (kind == llm.KindFirst) {
				t.Errorf("%s by %s: %v", language, kind, got.Problems)
			}
		}
		for _, s := range []draft.Settings{{Languages: []string{language, "ltl"}}, {Languages: []string{language}, Examples: draft.Examples{Pass: []string{"a"}}}} {
			s.Description, s.Model = "x", llm.Spec{Kind: llm.KindFirst}
			if s.Check() == nil {
				t.Errorf("%+v can be run", s)
			}
		}
		// The example in the manual of the prompt is a draft without problems.
		s := draft.Settings{Description: "x", Languages: []string{language}, Rounds: 1, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{draft.Reference(language)}}}
		if got := drafted(t, s); !got.Clean || len(got.Files) == 0 {
			t.Errorf("%s: the manual: %v", language, got.Problems)
		}
	}
}
