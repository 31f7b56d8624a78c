package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/team"
)

const researchTeam = `(define research
  (:executors
    (dates (:does "Finds years.") (:tools "Calculator"))
    (writer (:does "Writes.") (:agent "a.agent")))
  (:global (check "length(answer) > 0") "Be right.")
  (:shape "order.cfg"))
`

func teamFiles() []File {
	return []File{
		{Name: "r.team", Text: researchTeam}, {Name: "order.cfg", Text: "S -> dates writer | dates\n"},
		{Name: "a.agent", Text: `(define a (:states (Q (:text "[Question]")) (A (:text "[Answer]"))) (:behavior (next Q A)))`},
		{Name: "agent-tools.json", Text: `{"tools": [{"calculator": {}}]}`},
	}
}

const pair = `{"thought": "x", "subtasks": [{"id": "t1", "task": "6 * 7", "executor": "dates"}, {"id": "t2", "task": "say it", "executor": "writer", "needs": ["t1"]}]}`

func TestTeamIsAnalysed(t *testing.T) {
	s := New()
	got := result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: teamFiles(), Name: "r.team"})
	if got.Kind != "team" || got.Summary != "2 executors, 2 constraints" || len(got.Outline) != 2 || len(got.Diagnostics) > 0 || got.Drawing == nil || len(got.Drawing.Nodes) != 4 || len(got.Tokens) == 0 {
		t.Errorf("%+v", got)
	}
	if item := got.Outline[1]; researchTeam[item.From:item.To] != "writer" {
		t.Errorf("%+v", item)
	}
	format := result[DocumentFormatResult](t, s, "document.format", DocumentFormatParams{Name: "r.team", Text: `(define a (:executors (w (:does "x"))))`})
	if !format.Changed || format.Text != "(define a (:executors (w (:does \"x\"))))\n" {
		t.Errorf("%+v", format)
	}
	check := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: teamFiles(), Name: "r.team"})
	if len(check.Diagnostics) > 0 || check.Team == nil || check.Team.Checked != 1 || check.Team.Prose != 1 || check.Team.Executors[0].ReAct == "" || check.Team.Executors[1].ReAct != "" {
		t.Errorf("%+v %+v", check, check.Team)
	}
}

func TestMissingFilesAndToolsOfATeamAreReported(t *testing.T) {
	s := New()
	files := teamFiles()
	files[0].Text = strings.Replace(files[0].Text, `"Calculator"`, `"Calculater" "Search"`, 1)
	files[0].Text = strings.Replace(files[0].Text, `"a.agent"`, `"b.agent"`, 1)
	files[1].Text = "S -> dats writer\n"
	got := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: "r.team"})
	var said []string
	for _, d := range got.Diagnostics {
		said = append(said, d.Code+" "+files[0].Text[d.From:d.To]+": "+d.Message)
	}
	want := `team.tool-missing "Calculater": unknown tool "Calculater" in the workspace; did you mean "Calculator"?
team.tool-missing "Search": unknown tool "Search" in the workspace
team.file-missing "b.agent": unknown file "b.agent"
team.shape-word "order.cfg": unknown executor "dats" in order.cfg; did you mean "dates"?`
	if strings.Join(said, "\n") != want {
		t.Errorf("%s", strings.Join(said, "\n"))
	}
	params := RunStartParams{Workspace: RunWorkspace{Files: files, Name: "r.team"}, Settings: []byte(person)}
	if _, fault := call(t, s, "run.start", params); fault == nil || fault.Code != "source.invalid" {
		t.Errorf("%+v", fault)
	}
}

func TestTeamRunsForkAndReplay(t *testing.T) {
	s := New()
	settings := `{"task":"6 * 7","model":{"kind":"person"},"models":{"manager":{"kind":"scripted","script":["no",` + quoteJSON(pair) + `]},
		"task t1":{"kind":"scripted","script":["[Thought] x\n[Action] Calculator\n[Action Input] 6 * 7","[Final Thought] x\n[Answer] 42"]}}}`
	params := RunStartParams{Workspace: RunWorkspace{Files: teamFiles(), Name: "r.team"}, Settings: []byte(settings)}
	number := result[RunStartResult](t, s, "run.start", params).Run
	events, end := drive(t, s, number, 0, `{"task": "say 42"}`, "It is 42.", `"42"`)
	if end.State != process.StateDone {
		t.Fatalf("%+v", end)
	}
	all := strings.Join(events, "\n")
	for _, want := range []string{`"kind":"team.graph"`, `"id":"t1\u003et2"`, `"subtask":"t1","kind":"monitor.tool"`, `"output":"42"`, `"valid":true`, "the answer contains no JSON"} {
		if !strings.Contains(all, want) && !strings.Contains(all, strings.ReplaceAll(want, `\u003e`, ">")) {
			t.Errorf("%s does not happen in\n%s", want, all)
		}
	}
	log := result[RunLogResult](t, s, "run.log", RunLogParams{Run: number}).Log
	if log.Kind != RunTeam {
		t.Errorf("%+v", log)
	}
	again := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: params.Workspace, Log: &log}).Run
	if _, replayed := drive(t, s, again, 0); string(replayed.Result) != string(end.Result) {
		t.Errorf("%s\nwant %s", replayed.Result, end.Result)
	}
	// Another graph after the first answer: unaffected sub-tasks remain.
	changed := strings.Replace(settings, `"task":"6 * 7",`, `"task":"6 * 7","changes":[{"after":1,"graph":`+strings.Replace(pair, `"say it"`, `"shout it"`, 1)+`}],`, 1)
	changed = strings.Replace(changed, `"thought": "x", "subtasks": [{"id": "t1", "task": "6 * 7", "executor": "dates"}, {"id": "t2", "task": "shout`, `"subtasks": [{"id": "t1", "task": "6 * 7", "executor": "dates"}, {"id": "t2", "task": "shout`, 1)
	fork := result[RunStartResult](t, s, "run.fork", RunForkParams{Run: number, At: 1, Settings: []byte(changed)}).Run
	events, end = drive(t, s, fork, 0, `{"task": "shout 42"}`, "42!", `"42!"`)
	if end.State != process.StateDone || !strings.Contains(strings.Join(events, "\n"), `"by":"person"`) || !strings.Contains(strings.Join(events, "\n"), `"again":["t2"]`) {
		t.Errorf("%+v\n%s", end, strings.Join(events, "\n"))
	}
}

func quoteJSON(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

func TestGraphIsCheckedAndDrawn(t *testing.T) {
	s := New()
	params := TeamGraphParams{Files: teamFiles(), Name: "r.team", Text: pair}
	got := result[TeamGraphResult](t, s, "team.graph", params)
	if len(got.Faults) > 0 || got.Graph == nil || len(got.Critical) != 2 || len(got.Again) != 2 || len(got.Drawing.Nodes) != 4 || len(got.Drawing.Edges) != 3 {
		t.Fatalf("%+v", got)
	}
	params.Before, params.Text = got.Graph, strings.Replace(pair, "say it", "shout it", 1)
	if got = result[TeamGraphResult](t, s, "team.graph", params); len(got.Again) != 1 || got.Again[0] != "t2" {
		t.Errorf("%+v", got)
	}
	for _, text := range []string{"no", strings.Replace(pair, `"writer"`, `"dates"`, 1), strings.Replace(pair, `["t1"]`, `["t2"]`, 1)} {
		params.Text = text
		if got = result[TeamGraphResult](t, s, "team.graph", params); len(got.Faults) != 1 || got.Drawing != nil {
			t.Errorf("%s: %+v", text, got)
		}
	}
	params.Graph = &team.Graph{Subtasks: []team.Subtask{{ID: "t1", Task: "x", Executor: "nobody"}}}
	if got = result[TeamGraphResult](t, s, "team.graph", params); len(got.Faults) != 1 {
		t.Errorf("%+v", got)
	}
	defaults := result[TeamDefaultsResult](t, s, "team.defaults", TeamDefaultsParams{})
	if !strings.Contains(defaults.Templates.Manager, "{executors}") || len(defaults.Functions) < 14 {
		t.Errorf("%+v", defaults)
	}
}
