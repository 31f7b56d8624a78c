package session

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

// recordedFolder is a workspace with a recorded run, in the form of the gallery's.
const recordedFolder = "../../grammars/plaque"

func recordedFiles(t *testing.T) (files []File, recording []byte) {
	t.Helper()
	names, err := filepath.Glob(recordedFolder + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "recording.json" {
			recording = text
			continue
		}
		files = append(files, File{Name: filepath.Base(name), Text: string(text)})
	}
	return files, recording
}

func TestRecordedTeamRunNeedsNoModel(t *testing.T) {
	files, recording := recordedFiles(t)
	s := New()
	for _, f := range files {
		if got := result[LanguageCheckResult](t, s, "language.check", DocumentParams{Files: files, Name: f.Name}); len(got.Diagnostics) > 0 {
			t.Errorf("%s: %+v", f.Name, got.Diagnostics)
		}
	}
	var recorded RunLog
	if err := json.Unmarshal(recording, &recorded); err != nil {
		t.Fatal(err)
	}
	w := RunWorkspace{Files: files, Name: "plaque.team"}
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: w, Settings: recorded.Settings}).Run
	// Both look-ups are requested at the same time.
	first := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
	if len(first.Effects) != 2 {
		t.Fatalf("%+v", first.Effects)
	}
	var answers []process.Answer
	for i, said := range []string{`"1890, by the harbour master Ada Roe."`, `"112 ft to the gallery."`} {
		answers = append(answers, process.Answer{Effect: first.Effects[i].ID, Value: []byte(said)})
	}
	end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Answers: answers, Slice: 1 << 40})
	if end.State != process.StateDone {
		t.Fatalf("%+v", end)
	}
	var all []string
	for _, e := range append(first.Events, end.Events...) {
		all = append(all, string(e))
	}
	texts := strings.Join(all, "\n")
	for _, want := range []string{
		`unknown executor`, `does not hold: result.metres is 112`, `length(text) is 2`, `"output":"34.1"`, `"valid":true`, `is 34.1 metres tall."`,
	} {
		if !strings.Contains(texts, want) {
			t.Errorf("%s is not said in\n%s", want, texts)
		}
	}
	log := result[RunLogResult](t, s, "run.log", RunLogParams{Run: number}).Log
	raw, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, raw, "", " "); err != nil {
		t.Fatal(err)
	}
	indented.WriteByte('\n')
	if !bytes.Equal(recording, indented.Bytes()) {
		t.Errorf("the recording is another:\n%s", indented.String())
	}
	again := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: w, Log: &recorded}).Run
	if replayed := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: again, Slice: 1 << 40}); string(replayed.Result) != string(end.Result) {
		t.Errorf("played again it comes to %s", replayed.Result)
	}
}
