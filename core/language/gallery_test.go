package language_test

import (
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// everyPlace calls visit with every n-th position of the specs of the gallery.
func everyPlace(t *testing.T, step int, visit func(w workspace.Workspace, name string, at source.Pos)) {
	t.Helper()
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	step *= effort.SampleStep(3, 31) // coprime with the steps, so that the samples differ
	for _, e := range examples {
		w := workspace.Workspace{Files: e.Files}
		for _, f := range e.Files {
			if workspace.KindOf(f.Name) == workspace.KindText {
				continue
			}
			for at := 0; at <= min(len(f.Text), 4_000); at += step {
				visit(w, f.Name, source.Pos(at))
			}
		}
	}
}

func TestSpansContainThePosition(t *testing.T) {
	everyPlace(t, 7, func(w workspace.Workspace, name string, at source.Pos) {
		if c := language.Table().Complete(w, name, at); len(c.Items) > 0 && (c.Span.End != at || c.Span.Start > at) {
			t.Fatalf("%s at %d: items for %v", name, at, c.Span)
		}
		s := language.Table().Find(w, name, at)
		if s == nil {
			return
		}
		found := false
		for _, p := range s.Places {
			found = found || p.File == name && p.Span.Start <= at && at <= p.Span.End
		}
		if !found {
			t.Fatalf("%s at %d: %q is not among its own places", name, at, s.Name)
		}
	})
}

func TestRenameIsReversible(t *testing.T) {
	seen := map[string]bool{}
	renamed := 0
	everyPlace(t, 9, func(w workspace.Workspace, name string, at source.Pos) {
		s := language.Table().Find(w, name, at)
		if s == nil || seen[name+"\x00"+s.Kind+"\x00"+s.Name] {
			return
		}
		seen[name+"\x00"+s.Kind+"\x00"+s.Name] = true
		changes, err := language.Table().Rename(w, name, at, "fresh1")
		if err != nil {
			return // other tests cover names that cannot be renamed
		}
		renamed++
		there := workspace.Workspace{Files: append([]workspace.File{}, w.Files...)}
		moved := at
		for _, c := range changes {
			for i, f := range there.Files {
				if f.Name == c.File {
					there.Files[i].Text = source.Apply(f.Text, c.Edits)
				}
			}
			for _, e := range c.Edits {
				if c.File == name && e.Span.End < s.Span.Start {
					moved += source.Pos(len(e.Text)) - source.Pos(e.Span.Len())
				}
			}
		}
		moved += s.Span.Start - at
		back, err := language.Table().Rename(there, name, moved, s.Name)
		if err != nil {
			t.Fatalf("%s: %s %q: back: %v", name, s.Kind, s.Name, err)
		}
		for _, c := range back {
			before, _ := w.File(c.File)
			after, _ := there.File(c.File)
			if got := source.Apply(after.Text, c.Edits); got != before.Text {
				t.Fatalf("%s: %s %q: %q has changed:\n%s", name, s.Kind, s.Name, c.File, got)
			}
		}
	})
	if renamed < 150/effort.Step(15) {
		t.Errorf("only %d names were renamed", renamed)
	}
}

func TestHoverDescribesEveryName(t *testing.T) {
	seen := map[string]bool{}
	everyPlace(t, 11, func(w workspace.Workspace, name string, at source.Pos) {
		s := language.Table().Find(w, name, at)
		if s == nil || seen[name+"\x00"+s.Kind+"\x00"+s.Name] {
			return
		}
		seen[name+"\x00"+s.Kind+"\x00"+s.Name] = true
		if card := language.Table().Hover(w, name, at); card == nil || len(card.Lines) == 0 {
			t.Errorf("%s: nothing of the %s %q", name, s.Kind, s.Name)
		}
	})
}
