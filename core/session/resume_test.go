package session

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/process"
)

// galleryFiles returns an example's files.
func galleryFiles(t testing.TB, id string) []File {
	t.Helper()
	folder := filepath.Join("..", "..", "grammars", id)
	var out []File
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		out = append(out, File{Name: filepath.ToSlash(strings.TrimPrefix(name, folder+string(filepath.Separator))), Text: string(text)})
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatal(err)
	}
	return out
}

// endpointAnswers returns the answer of a chat endpoint: a number that depends only on
// the request, in a stream of two pieces.
func endpointAnswers(e process.Effect) []process.Answer {
	if e.Kind == "timer" {
		return []process.Answer{{Effect: e.ID, Value: []byte("null")}}
	}
	h := fnv.New32a()
	h.Write([]byte(e.HTTP.Body))
	n := 1 + h.Sum32()%3
	if h.Sum32()%7 == 0 {
		n = 99 // an unreadable answer, which is requested again
	}
	text := fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":\"I take %d.\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n", n)
	cut := len(text) / 3
	first, second := text[:cut], text[cut:]
	return []process.Answer{{Effect: e.ID, Chunk: &first}, {Effect: e.ID, Chunk: &second}, {Effect: e.ID, Value: []byte(`{"status":200,"headers":{"content-type":"text/event-stream"},"milliseconds":20}`)}}
}

// driveUntil drives a run until this many answers were delivered (-1: to its end), and
// returns its recording and its result.
func driveUntil(t testing.TB, s *Session, number, stopAfter int) (RunLog, RunResumeResult) {
	t.Helper()
	var answers []process.Answer
	var out RunResumeResult
	for given := 0; ; {
		var next []process.Answer
		if len(answers) > 0 && given != stopAfter {
			next, answers = answers[:1], answers[1:]
			given++
		}
		out = result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Answers: next})
		for _, e := range out.Effects {
			answers = append(answers, endpointAnswers(e)...)
		}
		if out.State == process.StateDone || out.State == process.StateFailed || out.State == process.StateWaiting && given == stopAfter {
			return result[RunLogResult](t, s, "run.log", RunLogParams{Run: number}).Log, out
		}
	}
}

func TestRunInterruptedAtAnyAnswerHasTheSameResult(t *testing.T) {
	endpoint := `"model":{"kind":"endpoint","endpoint":{"name":"mine","url":"https://models.example/v1","model":"m"}}`
	for _, c := range []struct{ example, name, settings string }{
		{"openagi", "openagi.cfg", `{"task":"t","execute":true,` + endpoint + `}`},
		{"daily", "daily.pda", `{"task":"t",` + endpoint + `}`},
		{"risk", "risk.flow", `{"task":"t",` + endpoint + `}`},
		{"react", "react.agent", `{"question":"t",` + endpoint + `}`},
		{"cot", "cot.agent", `{"question":"t","samples":3,"then":"pass.agent",` + endpoint + `}`},
	} {
		t.Run(c.example, func(t *testing.T) {
			begin := RunStartParams{Workspace: RunWorkspace{Files: galleryFiles(t, c.example), Name: c.name}, Settings: []byte(c.settings), Seed: 5}
			whole := New()
			want, end := driveUntil(t, whole, result[RunStartResult](t, whole, "run.start", begin).Run, -1)
			if len(want.Answers) == 0 || end.State == process.StateFailed && end.Error.Code == "internal" {
				t.Fatalf("%d answers, %+v", len(want.Answers), end.Error)
			}
			step := max(1, len(want.Answers)/effort.Sample(60, 20))
			for stop := 0; stop < len(want.Answers); stop += step {
				killed := New()
				log, _ := driveUntil(t, killed, result[RunStartResult](t, killed, "run.start", begin).Run, stop)
				resumed := New() // a new module has only the recording
				again := begin
				again.Log = &log
				got, last := driveUntil(t, resumed, result[RunStartResult](t, resumed, "run.start", again).Run, -1)
				if string(last.Result) != string(end.Result) || !reflect.DeepEqual(plain(t, got), plain(t, want)) {
					t.Fatalf("killed after %d of %d answers: %s %+v, want %s", stop, len(want.Answers), last.Result, last.Error, end.Result)
				}
			}
		})
	}
}

func plain(t testing.TB, log RunLog) string {
	t.Helper()
	text, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEveryPlannableExampleRuns(t *testing.T) {
	for _, c := range []struct{ example, name, contains string }{
		{"openagi", "openagi.cfg", `"function"`},
		{"daily", "daily.pda", `–20:00 Have supper"`},
		{"risk", "risk.flow", `"end":{"name"`},
	} {
		s := New()
		number := result[RunStartResult](t, s, "run.start", RunStartParams{
			Workspace: RunWorkspace{Files: galleryFiles(t, c.example), Name: c.name}, Settings: []byte(`{"model":{"kind":"uniform"}}`), Seed: 2,
		}).Run
		_, last := driveUntil(t, s, number, -1)
		if last.State != process.StateDone || !strings.Contains(string(last.Result), c.contains) {
			t.Errorf("%s: %s %+v %s", c.name, last.State, last.Error, last.Result)
		}
	}
}

func TestForkAcceptsOtherSettings(t *testing.T) {
	s := New()
	begin := RunStartParams{Workspace: RunWorkspace{Files: galleryFiles(t, "openagi")}, Settings: []byte(`{"model":{"kind":"first"}}`)}
	number := result[RunStartResult](t, s, "run.start", begin).Run
	_, first := driveUntil(t, s, number, -1)
	fork := result[RunStartResult](t, s, "run.fork", RunForkParams{Run: number, Settings: []byte(`{"model":{"kind":"first"},"take":[{"offer":1,"choice":[4]}]}`)}).Run
	log, second := driveUntil(t, s, fork, -1)
	if string(first.Result) == string(second.Result) || !strings.Contains(string(log.Settings), "take") || !strings.Contains(string(second.Result), `"word":["d1"`) {
		t.Errorf("%s\n%s", first.Result, second.Result)
	}
	if _, fault := call(t, s, "run.fork", RunForkParams{Run: number, Settings: []byte(`{"model":{"kind":"frist"}}`)}); fault == nil || fault.Code != "llm.spec" {
		t.Errorf("got %+v", fault)
	}
	tail := result[RunLogResult](t, s, "run.log", RunLogParams{Run: number, From: 0})
	if len(tail.Log.Answers) != 0 {
		t.Errorf("%v", tail)
	}
	if _, fault := call(t, s, "run.log", RunLogParams{Run: number, From: 7}); fault == nil || fault.Code != "run.at" {
		t.Errorf("got %+v", fault)
	}
}
