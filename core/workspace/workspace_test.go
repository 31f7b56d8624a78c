package workspace_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func one(name, text string) workspace.Workspace {
	return workspace.Workspace{Files: []workspace.File{{Name: name, Text: text}}}
}

var texts = []string{
	"", "\n", "S -> a\n", "S -> a", "a\r\nb\r\n", "-- x --\n", "a\n-- b.cfg --\nc\n", "> quoted\n", ">", "ε → ⊨ 🐑\n", "\n\n\n", "-- a --", "no\nend",
}

func TestArchiveRoundTrip(t *testing.T) {
	for _, a := range texts {
		for _, b := range texts {
			w := workspace.Workspace{Files: []workspace.File{{Name: "a.cfg", Text: a}, {Name: "dir/b (1).agent", Text: b}}}
			got, err := workspace.ParseArchive(w.Archive())
			if err != nil || !reflect.DeepEqual(got, w) {
				t.Errorf("%q, %q: got %+v, %v", a, b, got, err)
			}
		}
	}
}

func FuzzArchiveAndLinkRoundTrip(f *testing.F) {
	for _, text := range texts {
		f.Add("a.cfg", text, "")
	}
	f.Add("x", "y", `{"answers":[]}`)
	f.Fuzz(func(t *testing.T, name, text, run string) {
		w := one(name, text)
		if w.Check() != nil || source.NewFile(name, text+name).Check() != nil || source.NewFile("run", run).Check() != nil {
			t.Skip()
		}
		if got, err := workspace.ParseArchive(w.Archive()); err != nil || !reflect.DeepEqual(got, w) {
			t.Fatalf("archive: %+v, %v", got, err)
		}
		link, err := workspace.EncodeLink(w, run)
		if err != nil {
			t.Fatal(err)
		}
		got, gotRun, err := workspace.DecodeLink(link)
		if err != nil || gotRun != run || !reflect.DeepEqual(got, w) {
			t.Fatalf("link: %+v, %q, %v", got, gotRun, err)
		}
	})
}

func code(err error) string {
	var e *source.Error
	if errors.As(err, &e) {
		return e.ID
	}
	return ""
}

func TestCheckErrors(t *testing.T) {
	many := workspace.Workspace{Files: make([]workspace.File, workspace.MaxFiles+1)}
	for _, c := range []struct {
		w    workspace.Workspace
		code string
	}{
		{one("", ""), "workspace.name"},
		{one("../a.cfg", ""), "workspace.name"},
		{one("/a.cfg", ""), "workspace.name"},
		{one("a\nb", ""), "workspace.name"},
		{one(">a", ""), "workspace.name"},
		{one("\x94", ""), "workspace.name"},
		{one("a.cfg", "\x94"), "workspace.utf8"},
		{one("a (no newline)", ""), "workspace.name"},
		{one(strings.Repeat("a", 300), ""), "workspace.name"},
		{one("a", strings.Repeat("a", workspace.MaxSize+1)), "workspace.size"},
		{workspace.Workspace{Files: []workspace.File{{Name: "a"}, {Name: "a"}}}, "workspace.twice"},
		{many, "workspace.files"},
	} {
		if got := code(c.w.Check()); got != c.code {
			t.Errorf("%.40v: got %q, want %q", c.w, got, c.code)
		}
	}
}

func TestOpenTextOrArchive(t *testing.T) {
	w, err := workspace.Open(`C:\specs\plan.cfg`, []byte("S -> a\n"))
	if err != nil || !reflect.DeepEqual(w, one("plan.cfg", "S -> a\n")) {
		t.Errorf("%+v %v", w, err)
	}
	for name, want := range map[string]string{"trip.problem/task.md": "trip.problem/task.md", "/home/me/a.cfg": "a.cfg", "../up/a.cfg": "a.cfg", `sets\a.cfg`: "sets/a.cfg"} {
		if w, err := workspace.Open(name, []byte("S -> a\n")); err != nil || w.Files[0].Name != want {
			t.Errorf("%s: %+v %v", name, w, err)
		}
	}
	w, err = workspace.Open("all.txtar", []byte("a note\n-- a.agent --\n(x)\n-- b.cfg --\nS -> a\n"))
	if err != nil || len(w.Files) != 3 || w.Main() != "a.agent" || w.Files[2].Name != "comment.txt" {
		t.Errorf("%+v %v", w, err)
	}
	for _, c := range []struct {
		data string
		code string
		at   source.Pos
	}{
		{"ab\x00", "source.binary", 2}, {"abc\xff", "source.utf8", 3}, {"\xff\x00", "source.binary", 1},
	} {
		_, err := workspace.Open("a.cfg", []byte(c.data))
		var e *source.Error
		if !errors.As(err, &e) || e.ID != c.code || len(e.Diagnostics) != 1 || e.Diagnostics[0].Span.Start != c.at {
			t.Errorf("%q: %v", c.data, err)
		}
	}
	if _, err := workspace.Open("a.txtar", []byte("nothing")); code(err) != "workspace.empty" {
		t.Errorf("%v", err)
	}
}
