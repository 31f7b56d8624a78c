package grammars_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

func call[R any](t *testing.T, s *session.Session, method string, params any) R {
	t.Helper()
	request, err := json.Marshal(map[string]any{"id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Result R
		Error  *session.Error
	}
	if err := json.Unmarshal(s.Handle(request), &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Error != nil {
		t.Fatalf("%s: %s", method, reply.Error.Message)
	}
	return reply.Result
}

func examples(t *testing.T) []grammars.Example {
	t.Helper()
	list, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestFilesHaveNoProblems(t *testing.T) {
	for _, e := range examples(t) {
		for _, f := range e.Files {
			got := call[session.DocumentAnalyzeResult](t, session.New(), "document.analyze", session.DocumentParams{Files: e.Files, Name: f.Name})
			for _, d := range got.Diagnostics {
				// Proofs are reported as notes. A trip satisfies its query only if a run enforces
				// it, and one agent is meant to be refuted. Rules of policies mean the previous event
				// of any kind.
				if d.Code == "rules.previous" && d.Severity == "info" {
					continue
				}
				if d.Code != "ltl.holds" && d.Code != "agent.never-ends" && (d.Code != "ltl.violated" || e.ID != "travel" && f.Name != "hasty.ltl") {
					t.Errorf("%s/%s: %+v", e.ID, f.Name, d)
				}
			}
			formatted := call[session.DocumentFormatResult](t, session.New(), "document.format", session.DocumentFormatParams{Name: f.Name, Text: f.Text})
			if formatted.Changed {
				t.Errorf("%s/%s is not formatted", e.ID, f.Name)
			}
		}
	}
}

func TestWordsHaveExpectedVerdicts(t *testing.T) {
	for _, e := range examples(t) {
		if workspace.KindOf(e.Main) == workspace.KindTeam || isProblem(e) || isSteps(e) {
			continue // a team's run is not a word, and a problem has plans
		}
		tested := call[session.TestsRunResult](t, session.New(), "tests.run", session.TestsRunParams{Files: e.Files})
		if len(e.Words)+tested.Passed < 2 {
			t.Errorf("%s shows %d words and %d tests", e.ID, len(e.Words), tested.Passed)
		}
		if tested.Verdict != "pass" && tested.Verdict != "none" {
			t.Errorf("%s: %+v %+v", e.ID, tested.Cases, tested.Faults)
		}
		for _, w := range e.Words {
			got := call[session.StepWalkResult](t, session.New(), "step.walk", session.StepWalkParams{Files: e.Files, Name: e.Main, Word: w.Word})
			if (got.Verdict == "valid") != w.Pass {
				t.Errorf("%s: %v is %s", e.ID, w.Word, got.Verdict)
			}
		}
	}
}

func TestExamplesRun(t *testing.T) {
	for _, e := range examples(t) {
		if isProblem(e) {
			continue // these need a solver; wasm/host tests them
		}
		all := []string{
			`{"model":{"kind":"uniform"}}`,
			`{"model":{"kind":"first"}}`,
			`{"model":{"kind":"rambler","errorRate":0.3}}`,
		}
		if isSteps(e) {
			all = []string{`{}`}
		}
		if _, ok := e.Workspace().File("tools.json"); ok {
			all = append(all, `{"model":{"kind":"uniform"},"execute":true}`)
		}
		if workspace.KindOf(e.Main) == workspace.KindTeam {
			for i, settings := range all {
				all[i] = strings.Replace(settings, "{", `{"environment":"simulated",`, 1) // also answers the look-ups of a person
			}
		}
		for _, settings := range all {
			t.Run(e.ID+settings, func(t *testing.T) {
				s := session.New()
				params := session.RunStartParams{
					Workspace: session.RunWorkspace{Files: e.Files, Name: e.Main},
					Settings:  []byte(settings), Seed: 5,
				}
				run := call[session.RunStartResult](t, s, "run.start", params).Run
				out := call[session.RunResumeResult](t, s, "run.resume", session.RunResumeParams{Run: run, Slice: 1 << 40})
				if out.State != process.StateDone {
					t.Errorf("%s %+v", out.State, out.Error)
				}
			})
		}
	}
}

func TestExamplesRoundTripAndHaveValidTools(t *testing.T) {
	for _, e := range examples(t) {
		w, err := workspace.ParseArchive(e.Workspace().Archive())
		if err != nil || !reflect.DeepEqual(w, e.Workspace()) {
			t.Errorf("%s is not what its archive holds, %v", e.ID, err)
		}
		if w.Main() != e.Main {
			t.Errorf("%s opens with %s, its archive with %s", e.ID, e.Main, w.Main())
		}
		tools(t, e) // fails if they are invalid
		for _, f := range e.Files {
			if strings.HasSuffix(f.Name, ".json") && !json.Valid([]byte(f.Text)) {
				t.Errorf("%s/%s is not JSON", e.ID, f.Name)
			}
		}
		if e.Tasks > 0 {
			for i, task := range listed(t, e) {
				if _, ok := e.Workspace().File(task.Spec); !ok || task.ID != i || task.Text == "" {
					t.Errorf("%s: task %d is %+v", e.ID, i, task)
				}
			}
		}
	}
}

func TestEveryExampleHasADescription(t *testing.T) {
	for _, e := range examples(t) {
		if e.Title == "" || e.Paper == "" || e.Summary == "" || e.Task == "" || e.Source == "" || e.Goal == "" || e.Terms == "" {
			t.Errorf("%s lacks a line of its header: %+v", e.ID, e)
		}
		for _, f := range e.Files {
			if strings.HasPrefix(f.Text, "---\n") {
				t.Errorf("%s/%s shows its header", e.ID, f.Name)
			}
		}
	}
}

// searches are queries of people who do not know an example's title, each with an example that it
// has to find. The page looks for each of their words in the same texts.
var searches = map[string]string{
	"pddl": "gripper", "state machine": "payment", "tool use": "react", "approval": "payment", "approval workflow": "support",
	"human in the loop": "payment", "workflow": "saga", "regex": "sql", "regular expression": "sql", "json schema": "filter",
	"structured output": "filter", "constrained decoding": "filter", "function calling": "filter", "guardrail": "coder",
	"prompt injection": "payment", "jailbreak": "chatpolicy", "moderation": "chatpolicy", "retry": "retries", "backoff": "retries",
	"rollback": "saga", "transaction": "saga", "undo": "saga", "multi-agent": "plaque", "orchestration": "plaque",
	"scheduling": "workforce", "linear programming": "coffee", "z3": "warehouse", "smt-lib": "warehouse", "optimization": "facility",
	"rag": "citations", "retrieval": "citations", "hallucination": "citations", "database": "sql", "flowchart": "support",
	"decision tree": "support", "chatbot": "chatbot", "customer service": "support", "permission": "oncall", "planning": "blocksworld",
	"strips": "blocksworld", "chain of thought": "cot", "cot": "cot", "self-consistency": "direct", "plan and execute": "rewoo",
	"pushdown": "anbn", "stack": "saga", "context-free grammar": "anbn", "temporal logic": "coder", "verification": "payment",
	"recipe": "cooking", "trip": "travel", "itinerary": "travel", "calendar": "daily", "checklist": "risk", ".pda": "saga",
	"supply chain": "coffee", "shortest path": "warehouse", "fsm": "react", "devops": "oncall", "git": "coder",
}

func TestSearchesFindExamples(t *testing.T) {
	list := examples(t)
	for query, id := range searches {
		var found []string
		for _, e := range list {
			text := strings.ToLower(strings.Join([]string{e.Title, e.Summary, e.Goal, e.Terms, e.Paper, e.Source, e.Main}, " "))
			if !slices.ContainsFunc(strings.Fields(query), func(word string) bool { return !strings.Contains(text, word) }) {
				found = append(found, e.ID)
			}
		}
		if !slices.Contains(found, id) {
			t.Errorf("%q finds %v, not %s", query, found, id)
		}
	}
}

func TestExamplesOfAGoalAreAdjacent(t *testing.T) {
	var goals []string
	for _, e := range examples(t) {
		switch {
		case len(goals) > 0 && goals[len(goals)-1] == e.Goal:
		case slices.Contains(goals, e.Goal):
			t.Errorf("%s is apart from the others with the goal %q", e.ID, e.Goal)
		default:
			goals = append(goals, e.Goal)
		}
	}
}
