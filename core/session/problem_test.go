package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/workspace"
)

// problemRecords returns the data set of a domain.
func problemRecords(t *testing.T, domain string) string {
	t.Helper()
	ending := ".json"
	if strings.Contains("blocksworld mystery_blocksworld movie gripper", domain) {
		ending = ".jsonl"
	}
	return records(t, "llmfp/"+domain+ending)
}

func TestQueriesOfAllDomainsBecomeProblemFolders(t *testing.T) {
	s := New()
	for _, domain := range domains.Names() {
		text := problemRecords(t, domain)
		set := result[ProblemTasksResult](t, s, "problem.tasks", ProblemTasksParams{Domain: domain, Text: text})
		task := set.Tasks[len(set.Tasks)/2]
		for _, notation := range append(set.Notations, "") {
			made := result[ProblemFilesResult](t, s, "problem.files", ProblemFilesParams{Domain: domain, Text: text, Index: task.Index, Notation: notation})
			w := workspace.Workspace{Files: made.Files}
			problem, err := formulate.Open(made.Name, func(name string) (string, bool) {
				f, ok := w.File(name)
				return f.Text, ok
			})
			if err != nil || made.Task != task || w.Check() != nil || w.Main() != made.Name {
				t.Fatalf("%s: %+v, %v, opened with %s", domain, made.Task, err, w.Main())
			}
			if models := []string{problem.SMT, problem.LP, problem.PDDL}; len(strings.Join(models, "")) != max(len(problem.SMT), len(problem.LP), len(problem.PDDL)) || set.Steps != (problem.PDDL != "") {
				t.Errorf("%s has not one formulation in %q", domain, notation)
			}
		}
	}
}

func TestOutcomesAreJudged(t *testing.T) {
	s := New()
	workforce, movie := problemRecords(t, "workforce"), problemRecords(t, "movie")
	for _, c := range []struct {
		params ProblemJudgeParams
		right  bool
		reason string
	}{
		{ProblemJudgeParams{Domain: "workforce", Text: workforce, Index: 0, Status: formulate.StatusSolved, Objective: "223", Answer: []byte("null")}, true, "optimal"},
		{ProblemJudgeParams{Domain: "workforce", Text: workforce, Index: 0, Status: formulate.StatusSolved, Objective: "446/2"}, true, "optimal"},
		{ProblemJudgeParams{Domain: "workforce", Text: workforce, Index: 0, Status: formulate.StatusFailed, Objective: "223"}, false, "neither"},
		{ProblemJudgeParams{Domain: "workforce", Text: workforce, Index: 0, Status: formulate.StatusUnchecked, Answer: []byte(`{"total_pay": 223, "work": {"Gu": ["Mon1"]}}`)}, false, "need."},
		{ProblemJudgeParams{Domain: "workforce", Text: workforce, Index: 56, Status: formulate.StatusInfeasible}, true, "no plan"},
		{ProblemJudgeParams{Domain: "movie", Text: movie, Index: 0, Status: formulate.StatusSolved, Plan: []string{"(get-chips object_0)", "(get-crackers object_4)", "(get-dip object_1)", "(start-movie)", "(rewind-movie)", "(reset-counter)"}}, true, "6 steps"},
	} {
		got := result[ProblemJudgeResult](t, s, "problem.judge", c.params)
		if got.Right != c.right || !strings.Contains(got.Reason, c.reason) || got.Task.Index != c.params.Index {
			t.Errorf("%s %s: %+v", c.params.Status, c.params.Objective, got)
		}
	}
}
