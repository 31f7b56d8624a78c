package draft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// compileDraft returns all that is wrong with a file.
func compileDraft(file *source.File) []source.Diagnostic {
	var found, more []source.Diagnostic
	switch {
	case strings.HasSuffix(file.Name, ".cfg"):
		var syntax *grammar.Syntax
		syntax, found = grammar.Parse(file)
		_, more = grammar.Compile(syntax, "")
	case strings.HasSuffix(file.Name, ".pda"):
		var syntax *pushdown.Syntax
		syntax, found = pushdown.Parse(file)
		_, more = pushdown.Compile(syntax)
	case strings.HasSuffix(file.Name, ".flow"):
		var syntax *flow.Syntax
		syntax, found = flow.Parse(file)
		_, more = flow.Compile(syntax)
	case strings.HasSuffix(file.Name, ".rules"):
		found = rules.Parse(file).Diagnostics
	default:
		_, found = ltl.Parse(file)
	}
	return append(found, more...)
}

func TestReferenceExamplesCompile(t *testing.T) {
	for language, text := range references() {
		if language == LanguageTeam || language == LanguageProblem {
			continue // core/session checks them as drafts
		}
		blocks := 0
		for i, block := range strings.Split(text, "```") {
			if i%2 == 0 {
				continue
			}
			blocks++
			info, body, _ := strings.Cut(block, "\n")
			if info != language {
				t.Errorf("a block of %s says that it is %s", language, info)
			}
			if found := compileDraft(source.NewFile("reference."+language, body)); len(found) > 0 {
				t.Errorf("%s\n%v", body, found)
			}
		}
		if blocks == 0 {
			t.Errorf("the reference of %s shows nothing", language)
		}
	}
	for language := range fileNames {
		if references()[language] == "" {
			t.Errorf("%s has no reference", language)
		}
	}
}

func TestFilesOfAnAnswer(t *testing.T) {
	both := []string{"cfg", "ltl"}
	for _, test := range []struct {
		answer    string
		languages []string
		want      string
	}{
		{"Here:\n```plan.cfg\nS -> a\n```\nand\n```properties.ltl\nF a\n```\n", both, "plan.cfg: S -> a|properties.ltl: F a"},
		{"```cfg\nS -> a\n```", both, "plan.cfg: S -> a"},
		{"```cfg day.cfg\nS -> a\n```", both, "day.cfg: S -> a"},
		{"**day.cfg**\n\n```\nS -> a\n```", both, "day.cfg: S -> a"},
		{"```\nS -> a\n```", []string{"cfg"}, "plan.cfg: S -> a"},
		{"```\nS -> a\n```", both, ""},
		{"~~~cfg\nS -> a\n~~~", both, "plan.cfg: S -> a"},
		{"-- plan.cfg --\nS -> a\n-- p.ltl --\nF a\n", both, "plan.cfg: S -> a|p.ltl: F a"},
		{"```txtar\n-- plan.cfg --\nS -> a\n-- p.ltl --\nF a\n```", both, "plan.cfg: S -> a|p.ltl: F a"},
		{"```python\nprint(1)\n```\n```cfg\nS -> b\n```\nno, rather\n```cfg\nS -> a", both, "plan.cfg: S -> a"},
		{"```../evil.cfg\nS -> a\n```", both, ""},
		{"I cannot do that.", both, ""},
	} {
		var got []string
		files, _ := readFiles(test.answer, test.languages)
		for _, f := range files {
			got = append(got, f.Name+": "+strings.TrimSpace(f.Text))
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%q: %v, not %s", test.answer, got, test.want)
		}
	}
}

func FuzzFilesOfAnAnswerHaveProperNames(f *testing.F) {
	f.Add("```cfg\nS -> a\n```")
	f.Add("-- a.ltl --\n``` x.cfg\n")
	f.Fuzz(func(t *testing.T, answer string) {
		files, _ := readFiles(answer, []string{"cfg", "ltl"})
		for _, file := range files {
			if !wantedFile(file.Name, []string{"cfg", "ltl"}) {
				t.Errorf("%q is no name", file.Name)
			}
		}
	})
}

func drafted(t *testing.T, s Settings, seed uint64) (*Result, []string) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	check := func(files []File) (problems []string, err error) {
		for _, f := range files {
			file := source.NewFile(f.Name, f.Text)
			for _, d := range compileDraft(file) {
				problems = append(problems, Problem(file, d))
			}
		}
		return problems, nil
	}
	var made *Result
	out, events := plantest.Play(t, func(env *process.Env) (_ any, err error) {
		made, err = Run(env, s, check)
		return made, err
	}, seed)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return made, events
}

func TestDraftIsRevisedUntilItCompiles(t *testing.T) {
	made, events := drafted(t, Settings{
		Description: "as many a as b", Languages: []string{"cfg", "ltl"},
		Model: llm.Spec{Kind: llm.KindScripted, Script: []string{
			"I would rather not.",
			"```cfg\nS -> a S b |\nT = x\n```\n```ltl\nG (a\n```",
			"```cfg\nS -> a S b | ε\n```",
			"```ltl\nends: F b\n```",
		}},
	}, 1)
	if !made.Clean || made.Rounds != 4 || made.Calls != 4 || len(made.Files) != 2 || made.Files[0].Text != "S -> a S b | ε\n" || made.Files[1].Text != "ends: F b\n" {
		t.Errorf("%+v", made)
	}
	all := strings.Join(events, "\n")
	for _, part := range []string{
		"as many a as b", "the answer contains no file", "plan.cfg, line 2, column", "in `T = x`", "properties.ltl, line 1", `"kind":"draft.round","round":3`, `"kind":"draft.done"`,
	} {
		if !strings.Contains(all, part) {
			t.Errorf("nothing says %q", part)
		}
	}
	made, _ = drafted(t, Settings{Description: "x", Rounds: 2, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"```cfg\nS = a\n```", "no"}}}, 1)
	if made.Clean || made.Rounds != 2 || len(made.Problems) != 1 || len(made.Files) != 1 {
		t.Errorf("%+v", made)
	}
}

func TestSimulatedDraftersTerminate(t *testing.T) {
	for _, language := range []string{"cfg", "pda", "flow", "ltl"} {
		fixed := false
		for seed := range uint64(12) {
			made, _ := drafted(t, Settings{
				Description: "anything", Languages: []string{language}, Examples: Examples{Pass: []string{"a b", "c"}}, Rounds: 20,
				Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.5},
			}, seed)
			if !made.Clean {
				t.Errorf("%s: %v\n%s", language, made.Problems, made.Files[0].Text)
			}
			fixed = fixed || made.Rounds > 1
		}
		if !fixed {
			t.Errorf("%s: there was nothing to mend", language)
		}
	}
	for _, s := range []Settings{
		{}, {Model: llm.Spec{Kind: llm.KindFirst}}, {Model: llm.Spec{Kind: llm.KindFirst}, Description: "x", Languages: []string{"bnf"}},
		{Model: llm.Spec{Kind: llm.KindFirst}, Description: "x", Languages: []string{"cfg", "pda"}},
		{Model: llm.Spec{Kind: llm.KindFirst}, Description: "x", Rounds: 99}, {Model: llm.Spec{Kind: llm.KindFirst}, Description: "x", Template: "{descripton}"},
	} {
		if s.Check() == nil {
			t.Errorf("%+v can be run", s)
		}
	}
}

// A simulated draft of an automaton has exactly the examples as its words, and a second
// answer begins differently from the first.
func TestSimulatedDraftsHaveTheExamplesAsWords(t *testing.T) {
	for language, want := range map[string]string{
		"cfg": "S -> a b c\n  | d\n", "pda": "start q\naccept end\nq -> q1_1 (a, ε; ε)\nq1_1 -> q1_2 (b, ε; ε)\nq1_2 -> end (c, ε; ε)\nq -> end (d, ε; ε)\n",
	} {
		made, _ := drafted(t, Settings{Description: "x", Languages: []string{language}, Examples: Examples{Pass: []string{" a b  c", "d"}}, Model: llm.Spec{Kind: llm.KindFirst}}, 1)
		if !made.Clean || made.Rounds != 1 || made.Files[0].Text != want {
			t.Errorf("%s: %q", language, made.Files[0].Text)
		}
	}
	said := func(messages int) (text string) {
		s := Settings{Description: "x", Languages: []string{"cfg"}, Examples: Examples{Pass: []string{"a"}}, Model: llm.Spec{Kind: llm.KindFirst}}
		plantest.Play(t, func(env *process.Env) (any, error) {
			model, err := drafter(s)
			if err != nil {
				return nil, err
			}
			reply, err := model.Generate(env, llm.Request{Messages: make([]llm.Message, messages)}, func(string) bool { return true })
			text = reply.Text
			return nil, err
		}, 1)
		return text
	}
	if first, again := said(1), said(3); !strings.HasPrefix(first, "Here is a first draft.") || !strings.HasPrefix(again, "Here is the corrected draft.") {
		t.Errorf("%q, %q", first, again)
	}
}

// A problem has the place, the line and the places of its notes.
func TestProblemsHaveTheirPlace(t *testing.T) {
	file := source.NewFile("a.cfg", "one\n  twö three  \n\n")
	for _, c := range []struct {
		at   source.Pos
		want string
	}{{0, "a.cfg, line 1, column 1: m — in `one`"}, {6, "a.cfg, line 2, column 3: m — in `twö three`"}, {11, "a.cfg, line 2, column 7: m — in `twö three`"}, {19, "a.cfg, line 3, column 1: m"}, {20, "a.cfg, line 4, column 1: m"}} {
		if got := Problem(file, source.Diagnostic{Message: "m", Span: source.Span{Start: c.at, End: c.at}}); got != c.want {
			t.Errorf("at %d: %q, want %q", c.at, got, c.want)
		}
	}
	d := source.Diagnostic{Message: "m", Notes: []source.Note{{Message: "here", Span: source.Span{Start: 6, End: 7}}}}
	if got := Problem(file, d); !strings.HasSuffix(got, " (here: line 2)") {
		t.Errorf("%q", got)
	}
}

// A request for a revision lists the first problems and the number of the others.
func TestRevisionsListTheFirstProblems(t *testing.T) {
	for more, want := range map[int]string{0: "", 3: "\n- … and 3 more"} {
		var problems []string
		for i := range maxProblems + more {
			problems = append(problems, fmt.Sprintf("problem %d", i))
		}
		p := process.New(func(env *process.Env) (any, error) {
			return Run(env, Settings{Description: "x", Languages: []string{"cfg"}, Model: llm.Spec{Kind: llm.KindPerson}, Rounds: 2}, func([]File) ([]string, error) { return problems, nil })
		}, 1, meter.Budget{}, nil)
		out, err := p.Resume(nil, 0)
		if err != nil || len(out.Effects) != 1 {
			t.Fatal(err, out)
		}
		out, err = p.Resume([]process.Answer{{Effect: out.Effects[0].ID, Value: []byte("\"```cfg\\nS -> a\\n```\"")}}, 0)
		if err != nil || len(out.Effects) != 1 {
			t.Fatal(err, out)
		}
		prompt := out.Effects[0].Question.Prompt
		if !strings.Contains(prompt, "\n\n- problem 0\n- problem 1") || !strings.Contains(prompt, fmt.Sprintf("- problem %d%s\n\nWrite each file", maxProblems-1, want)) {
			t.Errorf("%d more: %s", more, prompt)
		}
		p.Stop()
	}
}

// The files of a workspace have one heading.
func TestPromptHasTheFiles(t *testing.T) {
	got := Settings{Template: "{files}", Files: []File{{Name: "a.cfg", Text: "S -> a"}, {Name: "p.ltl", Text: "F a\n\n"}}}.prompt()
	if want := "The current files:\n\n```a.cfg\nS -> a\n```\n\n```p.ltl\nF a\n```"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A simulated draft has mistakes at its error rate.
func TestSimulatedDraftsHaveTheirErrorRate(t *testing.T) {
	for rate, clean := range map[float64]bool{0: true, 1: false} {
		made, _ := drafted(t, Settings{Description: "x", Languages: []string{"cfg"}, Examples: Examples{Pass: []string{"a"}}, Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: rate}, Rounds: 1}, 1)
		if made.Clean != clean {
			t.Errorf("error rate %v: %v", rate, made.Problems)
		}
	}
}
