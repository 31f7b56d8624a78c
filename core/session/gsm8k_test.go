package session

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/process"
)

var calculation = regexp.MustCompile(`<<([^=]*)=[^>]*>>`)

// worked returns the calls of a solver that follows the worked solution with the
// calculator.
func worked(solution, final string) []string {
	var calls []string
	text, _, _ := strings.Cut(solution, "\n####")
	for _, line := range strings.Split(text, "\n") {
		for _, c := range calculation.FindAllStringSubmatch(line, -1) {
			calls = append(calls, "[Thought] "+calculation.ReplaceAllString(line, "")+"\n[Action] Calculator\n[Action Input] "+c[1]+"\n[Observation]")
		}
	}
	return append(calls, "[Final Thought] That is all.\n[Answer] It is "+final+".")
}

// solving resumes a run in slices with answers of the script, and leaves it paused if the
// script has not ended.
func solving(t *testing.T, s *Session, run int, script []string, given, until int) RunResumeResult {
	t.Helper()
	var answers []process.Answer
	for {
		out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: run, Answers: answers, Slice: 150})
		answers = nil
		if out.State != process.StateWaiting {
			if out.State == process.StateDone || out.State == process.StateFailed {
				return out
			}
			continue
		}
		if given == until {
			return out
		}
		for _, e := range out.Effects {
			value, _ := json.Marshal(script[given])
			answers = append(answers, process.Answer{Effect: e.ID, Value: value})
			given++
		}
	}
}

// Every problem is solved twice: in one run, and in a run that is interrupted in the
// middle and resumed by another session from the recording.
func TestInterruptedRunsHaveTheSameSolutions(t *testing.T) {
	type problem struct{ ID, Question, Answer, Final string }
	files := galleryFiles(t, "react")
	right := 0
	problems := conformance.Records[problem](t, "gsm8k.jsonl")
	for _, p := range problems {
		script := worked(p.Answer, p.Final)
		settings, _ := json.Marshal(map[string]any{"question": p.Question, "environment": "tools", "maxSteps": 100, "model": map[string]string{"kind": "person"}})
		begin := RunStartParams{Workspace: RunWorkspace{Files: files, Name: "calculate.agent"}, Settings: settings, Seed: 3}
		whole := New()
		run := result[RunStartResult](t, whole, "run.start", begin).Run
		want := solving(t, whole, run, script, 0, -1)
		var transcript monitor.Transcript
		if err := json.Unmarshal(want.Result, &transcript); err != nil {
			t.Fatalf("%s: %+v", p.ID, want.Error)
		}
		if monitor.SameNumber(transcript.Answer, transcript.Text, p.Final) && transcript.Stats.ToolCalls == len(script)-1 && transcript.Stats.Violations == 0 {
			right++
		}
		killed := New()
		first := result[RunStartResult](t, killed, "run.start", begin).Run
		if out := solving(t, killed, first, script, 0, len(script)/2); out.State != process.StateWaiting {
			t.Fatalf("%s is %s in the middle", p.ID, out.State)
		}
		log := result[RunLogResult](t, killed, "run.log", RunLogParams{Run: first}).Log
		again := begin
		again.Log = &log
		resumed := New()
		second := result[RunStartResult](t, resumed, "run.start", again).Run
		got := solving(t, resumed, second, script, len(script)/2, -1)
		if string(got.Result) != string(want.Result) {
			t.Errorf("%s: %.300s %+v, want %.300s", p.ID, got.Result, got.Error, want.Result)
		}
		if a, b := result[RunLogResult](t, resumed, "run.log", RunLogParams{Run: second}).Log, result[RunLogResult](t, whole, "run.log", RunLogParams{Run: run}).Log; !reflect.DeepEqual(plain(t, a), plain(t, b)) {
			t.Errorf("%s: the recordings differ", p.ID)
		}
	}
	if len(problems) != 56 || right != 56 {
		t.Errorf("%d of %d are right", right, len(problems))
	}
}
