package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/apibank"
)

// goldText lists the gold calls of a task, one per line.
func goldText(task ApibankTask) string {
	var b strings.Builder
	for _, c := range task.Calls {
		b.WriteString(c.Text + "\n")
	}
	return b.String()
}

func TestApibankJudgesGoldAndOtherCalls(t *testing.T) {
	s, tasks := New(), records(t, "apibank/level3.jsonl")
	about := result[ApibankTasksResult](t, s, "apibank.tasks", ApibankTasksParams{Tasks: tasks})
	if len(about.Tasks) != 50 || len(about.Tools) == 0 || about.Tools[0].Name != apibank.Searcher {
		t.Fatalf("%d tasks, %d tools", len(about.Tasks), len(about.Tools))
	}
	for _, task := range about.Tasks {
		got := result[ApibankJudgeResult](t, s, "apibank.judge", ApibankJudgeParams{Tasks: tasks, Sample: task.Sample, Text: goldText(task), Response: task.Response}).Scores
		if !got.Accurate || got.Correctness.Share != 1 || got.Completeness.Share != 1 || got.Repeats != 0 || got.Rouge.F < 0.999 || len(got.Missing) != 0 {
			t.Errorf("sample %d: %+v", task.Sample, got)
		}
	}
	task := about.Tasks[1]
	for _, c := range []struct{ name, text, why string }{
		{"a text that has no end", "[QueryMeeting(user_name='Mary)]", "unterminated"},
		{"another input", "[QueryMeeting(user_name='Nobody')]", "no recorded result"},
		{"a parameter of another name", "[QueryMeeting(name='Mary')]", "no parameter"},
		{"a tool of another task", "[TravelStatus(member_name='John')]", "does not call TravelStatus"},
		{"a tool that is nowhere", "[Teleport(to='Mars')]", "unknown tool"},
	} {
		got := result[ApibankJudgeResult](t, s, "apibank.judge", ApibankJudgeParams{Tasks: tasks, Sample: task.Sample, Text: "First " + c.text + "\n" + goldText(task), Response: ""})
		first := got.Scores.Calls[0]
		if len(got.Scores.Calls) != 5 || first.Correct || !strings.Contains(first.Why, c.why) || got.Scores.Correctness.Count != 4 || got.Scores.Accurate {
			t.Errorf("%s: %+v", c.name, got.Scores)
		}
		if (len(got.Diagnostics) == 1) != (c.why == "unterminated") {
			t.Errorf("%s: %+v", c.name, got.Diagnostics)
		}
	}
	if _, fault := call(t, s, "apibank.judge", json.RawMessage(`{"tasks":`+quote(t, tasks)+`,"sample":99,"response":""}`)); fault == nil || fault.Code != apibank.CodeSample {
		t.Errorf("%+v", fault)
	}
}

// callsOf returns the calls of a run's executors as the judge expects them.
func callsOf(t *testing.T, end RunResumeResult) []apibank.Made {
	t.Helper()
	var out []apibank.Made
	for _, text := range eventsOf(end, "monitor.tool") {
		var e struct{ Tool, Input string }
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, apibank.Made{Name: e.Tool, Input: []byte(e.Input)})
	}
	return out
}

func TestTeamSolvesEveryTaskOfLevelThreeByTheGoldCalls(t *testing.T) {
	s, tasks := New(), records(t, "apibank/level3.jsonl")
	atOnce := 0
	var transcripts []apibank.Transcript
	for _, task := range result[ApibankTasksResult](t, s, "apibank.tasks", ApibankTasksParams{Tasks: tasks}).Tasks {
		made := result[BenchmarkTeamResult](t, s, "apibank.team", ApibankJudgeParams{Tasks: tasks, Sample: task.Sample, Text: goldText(task), Response: task.Response})
		files := append(made.Files, File{Name: apibankFile, Text: tasks})
		if check := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: made.Name}); len(check.Diagnostics) > 0 || check.Team == nil || len(check.Team.Tools) < 20 {
			t.Fatalf("%+v\n%s", check.Diagnostics, files[0].Text)
		}
		script := scriptOf(t, made)
		if strings.Count(script["manager"][0], `"needs":[]`) > 1 {
			atOnce++
		}
		end, answer, valid := playTranscript(t, s, files, script, made.Task)
		if !valid {
			t.Errorf("sample %d: not all is met", task.Sample)
		}
		transcripts = append(transcripts, apibank.Transcript{Sample: task.Sample, Calls: callsOf(t, end), Response: answer})
	}
	scores := result[ApibankScoreResult](t, s, "apibank.score", ApibankScoreParams{Tasks: tasks, Transcripts: transcripts}).Scores
	if scores.Correctness.Share != 1 || scores.Completeness.Count != 245 || scores.Repeats != 0 || scores.Rouge < 0.999 {
		scores.Tasks = nil
		t.Errorf("%+v", scores)
	}
	if atOnce < 10 {
		t.Errorf("%d tasks have parts that can be done at the same time", atOnce)
	}
}

// A team exists even if the calls cannot be executed.
func TestBrokenCallsMakeARunnableTeam(t *testing.T) {
	s, tasks := New(), records(t, "apibank/level3.jsonl")
	for _, text := range []string{
		"", "nothing of the kind", "[ToolSearcher(keywords='meeting')]", "[Teleport(to='Mars')]", "[QueryMeeting(user_name='Nobody')]", "[123(a=1)]", "[Füße(a='ü\"\\\\')] [Füße(b=1)] [É(a=1)]",
		"[QueryMeeting(user_name='Mary', user_name='John')]", strings.Repeat("[QueryMeeting(user_name='John')] [TravelStatus(member_name='John')] ", 100),
	} {
		made := result[BenchmarkTeamResult](t, s, "apibank.team", ApibankJudgeParams{Tasks: tasks, Sample: 1, Text: text, Response: ""})
		files := append(made.Files, File{Name: apibankFile, Text: tasks})
		if check := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: made.Name}); len(check.Diagnostics) > 0 {
			t.Errorf("%.60q: %+v\n%.2000s", text, check.Diagnostics, files[0].Text)
			continue
		}
		made.Diagnostics = nil // malformed calls were reported, and are omitted
		playTranscript(t, s, files, scriptOf(t, made), made.Task)
	}
}
