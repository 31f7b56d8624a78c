package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// own is an experiment about a problem and a team of the workspace.
const own = `(experiment own
  (:tasks (problems "bakery.problem" (:optimum 7/2) (:group "bread")) (questions "asked.jsonl"))
  (:methods (formulate formulate) (team "desk.team") (team "desk.team" (:as react)))
  (:models (simulated first) (endpoint "lab")))
`

func workspaceFiles() []workspace.File {
	return []workspace.File{
		{Name: "own.lab", Text: own},
		{Name: "bakery.problem/task.md", Text: "Bread is baked."}, {Name: "bakery.problem/query.md", Text: "What is the\nleast cost?"},
		{Name: "bakery.problem/model.lp", Text: "Minimize x"}, {Name: "bakery.problem/answer.json", Text: "{}"}, {Name: "bakery.problem/assessment.md", Text: "well"},
		{Name: "never.ltl", Text: "a: G !bake"}, {Name: "other/never.ltl", Text: "a: G !bake"}, {Name: "notes.md", Text: "notes"},
		{Name: "desk.team", Text: `(define desk (:executors (clerk (:does "Answers."))))`},
		{Name: "asked.jsonl", Text: `{"question":"How many?","answer":"3","group":"easy"}`},
	}
}

func TestProblemsAndTeamsOfTheWorkspaceAreTasks(t *testing.T) {
	x := parsed(t, own)
	if again := parsed(t, x.Format()); len(again.Sources) != 2 || again.Sources[0].Optimum != "7/2" || again.Methods[2].As != team.MethodReAct || again.Methods[2].Name != "desk as react" {
		t.Errorf("formatted it is\n%s", x.Format())
	}
	if found := x.CheckFiles(workspaceFiles()); len(found) > 0 || len(x.Needs(workspaceFiles())) > 0 {
		t.Errorf("%+v, needs %q", found, x.Needs(workspaceFiles()))
	}
	cells, _, err := x.Cells(workspaceFiles(), Settings{Endpoints: []llm.Endpoint{{Name: "lab", URL: "https://models.example/v1", Model: "m"}}})
	if err != nil || len(cells) != 6 {
		t.Fatalf("%d cells, %v", len(cells), err)
	}
	for _, c := range cells {
		var names []string
		for _, f := range c.Files {
			names = append(names, f.Name)
		}
		got := strings.Join(names, " ")
		switch c.Outcome.Key {
		case "formulate | first | bakery.problem 0 | 1":
			if got != "bakery.problem/task.md bakery.problem/query.md bakery.problem/model.lp bakery.problem/answer.json never.ltl" || c.Outcome.Task != "What is the least cost?" || c.Outcome.Group != "bread" || c.Kind != "formulate" {
				t.Errorf("%s: %q, %+v", c.Outcome.Key, got, c.Outcome)
			}
		case "formulate | lab | bakery.problem 0 | 1":
			if got != "bakery.problem/task.md bakery.problem/query.md never.ltl" || !strings.Contains(string(c.Settings), `"notation":"lp"`) {
				t.Errorf("%s: %q with %s", c.Outcome.Key, got, c.Settings)
			}
		case "desk as react | first | asked.jsonl 0 | 1":
			if strings.Contains(got, "asked.jsonl") || c.Kind != "team" || c.Name != "desk.team" || !strings.Contains(string(c.Settings), `"method":"react","environment":"simulated"`) {
				t.Errorf("%s: %q with %s", c.Outcome.Key, got, c.Settings)
			}
		case "desk | lab | asked.jsonl 0 | 1":
			if strings.Contains(string(c.Settings), "environment") {
				t.Errorf("%s with %s", c.Outcome.Key, c.Settings)
			}
		}
	}
}

// A result is reused as long as the inputs and the expected result of its cell are
// unchanged.
func TestChangedProblemOrTeamIsRunAgain(t *testing.T) {
	cells := func(files []workspace.File) []Cell {
		t.Helper()
		out, _, err := parsed(t, files[0].Text).Cells(files, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var earlier []Outcome
	for _, c := range cells(workspaceFiles()) {
		c.Outcome.State = StateDone
		earlier = append(earlier, c.Outcome)
	}
	for _, c := range []struct{ law, file, old, new, again string }{
		{"nothing", "notes.md", "notes", "notes", ""},
		{"the query", "bakery.problem/query.md", "least", "greatest", "formulate"},
		{"the formulation", "bakery.problem/model.lp", "x", "y", "formulate"},
		{"what is looked up beside a problem", "never.ltl", "bake", "sell", "formulate desk desk as react"},
		{"a formula somewhere else", "other/never.ltl", "bake", "sell", "desk desk as react"},
		{"what the best costs", "own.lab", "7/2", "4", "formulate"},
		{"the team", "desk.team", "Answers.", "Asks.", "desk desk as react"},
		{"the question", "asked.jsonl", "many", "few", "desk desk as react"},
		{"the answer", "asked.jsonl", `"3"`, `"4"`, "desk desk as react"},
		{"one question more", "asked.jsonl", "}", "}\n{\"question\":\"Why?\"}", ""},
	} {
		files := workspaceFiles()
		for i, f := range files {
			if f.Name == c.file {
				files[i].Text = strings.Replace(f.Text, c.old, c.new, 1)
			}
		}
		now := cells(files)
		known, notes := Earlier(now, earlier)
		var again []string
		for i, cell := range now[:3] {
			if _, ok := known[i]; !ok {
				again = append(again, cell.Outcome.Method)
			}
		}
		if got := strings.Join(again, " "); got != c.again || (len(notes) > 0) != (c.again != "") || len(notes) > 0 && !strings.Contains(notes[0], "settings or files of their cells have changed") {
			t.Errorf("%s: %q is run again, %q", c.law, got, notes)
		}
	}
}

func TestInvalidFilesAreReportedAtTheirNames(t *testing.T) {
	for _, c := range []struct{ law, old, new, code, at, says string }{
		{"a problem that is there", `"bakery.problem"`, `"bakary.problem"`, "lab.problem", `"bakary.problem"`, `did you mean "bakery.problem"?`},
		{"none that is like it", `"bakery.problem"`, `"x.problem"`, "lab.problem", `"x.problem"`, `it has "bakery.problem"`},
		{"a domain or a folder", `"bakery.problem"`, `"bakery"`, "lab.problems", `"bakery"`, "a problem of the workspace is the name of its folder"},
		{"a team that is there", `(team "desk.team")`, `(team "dest.team")`, "lab.file", `"dest.team"`, `did you mean "desk.team"?`},
		{"a file of a team", `(team "desk.team")`, `(team "desk.tea")`, "lab.team", `"desk.tea"`, "a team is a file"},
		{"a team", `(team "desk.team")`, `(team)`, "lab.team", "team", "a team is a file"},
		{"questions that are there", `"asked.jsonl"`, `"aked.jsonl"`, "lab.file", `"aked.jsonl"`, `did you mean "asked.jsonl"?`},
		{"an agent that is there", `(team "desk.team")`, `(monitor "desk.agent")`, "lab.file", `"desk.agent"`, `no file "desk.agent" with an agent`},
		{"an optimum that is one", "7/2", "cheap", "lab.optimum", ":optimum", "the cost of the best plan"},
		{"an optimum that numbers hold", "7/2", "7/0", "lab.optimum", ":optimum", "the cost of the best plan"},
		{"one optimum", "7/2", "7 2", "lab.optimum", ":optimum", "the cost of the best plan"},
		{"no optimum of a domain", `"bakery.problem"`, "coffee", "lab.part", ":optimum", "the data of a domain contains it"},
		{"no kind of a problem", "(:optimum 7/2)", `(:kind "a")`, "lab.part", ":kind", "has one query"},
		{"a way to be alone", "(:as react)", "(:as reakt)", "lab.word", "reakt", `did you mean "react"?`},
		{"parts that a team has", "(:as react)", "(:without definer)", "lab.part", ":without", "is allowed only in (formulate"},
	} {
		text := strings.Replace(own, c.old, c.new, 1)
		x, found := Parse(source.NewFile("own.lab", text))
		found = append(found, x.CheckFiles(workspaceFiles())...)
		if !slices.ContainsFunc(found, func(d source.Diagnostic) bool {
			return d.Code == c.code && text[d.Span.Start:d.Span.End] == c.at && strings.Contains(d.Message, c.says) && d.Severity == source.SeverityError
		}) {
			t.Errorf("%s: %+v", c.law, found)
		}
		// A run of the invalid experiment reports the line, too.
		if _, _, err := x.Cells(workspaceFiles(), Settings{}); (c.code == "lab.problem" || c.code == "lab.file") && (err == nil || !strings.HasPrefix(err.Error(), "line ")) {
			t.Errorf("%s: run, it is %v", c.law, err)
		}
	}
	// Errors inside a file are reported, too; a missing folder may be an example.
	files := workspaceFiles()
	files[1].Text, files[9].Text = " ", "(define desk"
	x := parsed(t, own)
	if found := x.CheckFiles(files); len(found) != 3 || !strings.Contains(found[0].Message, "no task.md") || !strings.Contains(found[1].Message, "desk.team, line 1: ") {
		t.Errorf("%+v", found)
	}
	away := parsed(t, strings.NewReplacer("bakery.problem", "coffee/coffee.problem", "desk.team", "plaque/plaque.team").Replace(own))
	if needs := strings.Join(away.Needs(workspaceFiles()), " "); needs != "coffee plaque" || len(away.CheckFiles(workspaceFiles())) > 0 {
		t.Errorf("needs %q, %+v", needs, away.CheckFiles(workspaceFiles()))
	}
}

// resultOf is a run with a result or, without one, with an error of the model.
func resultOf(t *testing.T, result any) process.NestedResult {
	t.Helper()
	if result == nil {
		return process.NestedResult{Err: source.NewError("team.failed", "nobody could")}
	}
	raw, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return process.NestedResult{Result: raw}
}

// shares formats the measures that are shares, without the omitted ones.
func shares(o Outcome) string {
	var out []string
	for _, m := range o.Measures {
		if m.Of > 0 {
			out = append(out, m.Name+" "+string(rune('0'+int(m.Count)))+"/"+string(rune('0'+int(m.Of))))
		}
	}
	return strings.Join(out, ", ")
}

func TestScoresRequireAnExpectedResult(t *testing.T) {
	steps := func(n int, optimal bool) *formulate.Steps {
		return &formulate.Steps{Plan: make([]string, n), Optimal: optimal}
	}
	for _, c := range []struct {
		law, optimum string
		result       any
		want, says   string
	}{
		{"the best that was said", "3.5", formulate.Result{Status: formulate.StatusSolved, Objective: "7/2"}, "valid 1/1, solved 1/1, optimal 1/1, score 1/1", "as the experiment expects"},
		{"another", "4", formulate.Result{Status: formulate.StatusSolved, Objective: "7/2"}, "valid 1/1, solved 1/1, optimal 1/1, score 0/1", "expects an optimum of 4"},
		{"no task", "", formulate.Result{Status: formulate.StatusSolved, Objective: "7/2"}, "valid 1/1, solved 1/1, optimal 1/1", "the best plan costs 7/2"},
		{"nothing is the best", "", formulate.Result{Status: formulate.StatusSolved}, "valid 1/1, solved 1/1", "a plan exists"},
		{"nothing is the best, though it was said", "4", formulate.Result{Status: formulate.StatusSolved}, "valid 1/1, solved 1/1, score 0/1", "a plan exists; "},
		{"no plan, as was said", "infeasible", formulate.Result{Status: formulate.StatusInfeasible}, "valid 1/1, solved 0/1, score 1/1", "no plan exists"},
		{"no plan where there is one", "4", formulate.Result{Status: formulate.StatusInfeasible}, "valid 1/1, solved 0/1, score 0/1", "no plan exists; "},
		{"a plan where there is none", "infeasible", formulate.Result{Status: formulate.StatusSolved, Objective: "4"}, "valid 1/1, solved 1/1, optimal 1/1, score 0/1", "the experiment expects no plan"},
		{"what nobody has solved", "4", formulate.Result{Status: formulate.StatusUnchecked, Objective: "4"}, "valid 0/1, solved 0/1, optimal 0/1", "neither right nor wrong"},
		{"what the solver gave up", "4", formulate.Result{Status: formulate.StatusUnknown}, "valid 0/1, solved 0/1, optimal 0/1, score 0/1", "unknown; "},
		{"as many steps as was said", "2", formulate.Result{Status: formulate.StatusSolved, Steps: steps(2, true)}, "valid 1/1, solved 1/1, optimal 1/1, score 1/1", "2 steps, as"},
		{"steps that may be too many", "2", formulate.Result{Status: formulate.StatusSolved, Steps: steps(3, false)}, "valid 1/1, solved 1/1, optimal 0/1, score 0/1", "3 steps; "},
		{"steps that break a formula", "2", formulate.Result{Status: formulate.StatusSolved, Steps: steps(2, true), Checks: []formulate.Check{{Holds: true}, {}}}, "valid 1/1, solved 1/1, optimal 1/1, checks 1/2, score 0/1", "violates a further condition"},
		{"nothing was made of it", "2", nil, "valid 0/1, solved 0/1, optimal 0/1, score 0/1", "nobody could"},
		{"nothing was made of it, of which no task", "", nil, "valid 0/1, solved 0/1, optimal 0/1", "nobody could"},
	} {
		cell := Cell{Kind: MethodFormulate, task: task{local: &localProblem{optimum: c.optimum}}}
		if o := cell.judge(resultOf(t, c.result), Setup{}); shares(o) != c.want || !strings.Contains(o.Reason, c.says) || o.State != StateDone {
			t.Errorf("%s: %s, %s %q", c.law, shares(o), o.State, o.Reason)
		}
	}
	done := team.Result{Valid: true, Answer: "It is so. Answer: three", Subtasks: []team.Done{{State: team.StateDone}, {State: team.StateFailed}}}
	for _, c := range []struct {
		law, answer string
		endpoint    *llm.Endpoint
		result      any
		want        string
	}{
		{"the answer", "Three", &llm.Endpoint{}, done, "valid 1/1, score 1/1, sub-tasks 1/2"},
		{"another", "four", &llm.Endpoint{}, done, "valid 1/1, score 0/1, sub-tasks 1/2"},
		{"nobody knows it", "", &llm.Endpoint{}, team.Result{}, "valid 0/1"},
		{"nobody was asked", "three", nil, done, "valid 1/1, sub-tasks 1/2"},
		{"nothing came of it", "three", &llm.Endpoint{}, nil, "valid 0/1, score 0/1"},
		{"nothing came of it, and nobody was asked", "three", nil, nil, "valid 0/1"},
	} {
		cell := Cell{Kind: MethodTeam, endpoint: c.endpoint, task: task{question: &Question{Answer: c.answer}}}
		if o := cell.judge(resultOf(t, c.result), Setup{}); shares(o) != c.want || o.State != StateDone {
			t.Errorf("%s: %s, %s %q", c.law, shares(o), o.State, o.Reason)
		}
	}
	// The same holds of agents.
	if list, err := judgeAnswer(process.NestedResult{Result: []byte(`{}`)}, ""); err != nil || slices.ContainsFunc(list, func(m Measure) bool { return m.Name == "score" }) {
		t.Errorf("no answer is the right one: %+v, %v", list, err)
	}
}

func TestCompletionAndHoverOfProblemsAndTeams(t *testing.T) {
	at := func(text string) (workspace.Workspace, source.Pos) {
		before, after, _ := strings.Cut(text, "¦")
		files := workspaceFiles()
		files[0].Text = before + after
		return workspace.Workspace{Files: files}, source.Pos(len(before))
	}
	for _, c := range []struct{ text, has, hasNot string }{
		{"(experiment a (:tasks (problems ¦", `"bakery.problem" coffee`, `"desk.team"`},
		{`(experiment a (:tasks (problems "bak¦`, `"bakery.problem"`, ""},
		{`(experiment a (:tasks (problems "bakery.problem" (¦`, ":optimum :group", ":name"},
		{`(experiment a (:tasks (plans "x" (¦`, ":pick", ":optimum"},
		{`(experiment a (:tasks (problems "bakery.problem" (:optimum ¦`, "infeasible", ""},
		{"(experiment a (:methods (¦", "team formulate", ":as"},
		{"(experiment a (:methods (team ¦", `"desk.team"`, `"bakery.problem" react`},
		{`(experiment a (:methods (team "desk.team" (¦`, ":as :name", ":without"},
		{`(experiment a (:methods (team "desk.team" (:as ¦`, "react cot", "sole"},
		{`(experiment a (:methods (team "desk.team")) (:measures ¦`, "sub-tasks violations", "solves"},
		{`(experiment a (:tasks (problems "bakery.problem")) (:columns ("a" score (:of ¦`, `"bakery"`, ""},
	} {
		w, pos := at(c.text)
		var got []string
		for _, item := range Complete(w, "own.lab", pos).Items {
			if item.Insert != "" {
				item.Label = item.Insert
			}
			got = append(got, item.Label)
		}
		offers(t, c.text, got, c.has, c.hasNot)
	}
	for _, c := range []struct{ text, kind, says string }{
		{`(experiment a (:tasks (problems "bak¦ery.problem")))`, "problem", "What is the least cost? Simulated models write the formulation in that folder, model.lp."},
		{`(experiment a (:tasks (problems "bar¦kery.problem")))`, "problem", `did you mean "bakery.problem"?`},
		{`(experiment a (:methods (team "de¦sk.team")))`, "team", "clerk: Answers."},
		{`(experiment a (:methods (team "de¦st.team")))`, "team", `did you mean "desk.team"?`},
		{`(experiment a (:methods (te¦am "desk.team")))`, "keyword", "Its constraints"},
		{`(experiment a (:tasks (problems "bakery.problem" (:opt¦imum 3))))`, "keyword", "cells are not judged"},
		{`(experiment a (:measures sub-¦tasks))`, "measure", "sub-tasks that were done"},
	} {
		w, pos := at(c.text)
		if card := Hover(w, "own.lab", pos); card == nil || card.Kind != c.kind || !strings.Contains(strings.Join(card.Lines, " "), c.says) {
			t.Errorf("%s: %+v", c.text, card)
		}
	}
}

// A measure by groups is a row, and each method has a column for each group.
func TestGroupsAreColumns(t *testing.T) {
	x := parsed(t, `(experiment a (:tasks (benchmark travelplanner)) (:methods (benchmark team)) (:models (simulated first))
  (:columns ("Budget, easy" budget (:of "easy")) ("Budget, hard" budget (:of "hard")) ("Cuisine, hard" cuisine (:of "hard")) ("calls" calls)) (:across groups)
  (:reference (table "P, table 1" (row "team" "GPT" 10% 20% 30% 4))))`)
	text := x.Table([]Outcome{{Method: "team", Model: "first", Group: "hard", State: StateDone, Measures: []Measure{{"budget", 1, 2}, {"cuisine", 1, 1}, {"calls", 3, 0}}}}).Markdown()
	for _, line := range []string{
		"|  | team, first (simulated), easy | team, first (simulated), hard | team, first (simulated) | team, *GPT*, easy | team, *GPT*, hard | team, *GPT* |\n|---|---:|---:|---:|---:|---:|---:|\n",
		"| Budget | – | 50 % |  | *10 %* | *20 %* |  |\n", "| Cuisine |  | 100 % |  |  | *30 %* |  |\n", "| calls |  |  | 3 |  |  | *4* |\n", "| cells | 1 |  |  |  |  |  |\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
}
