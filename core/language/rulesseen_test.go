package language

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/workspace"
)

// The bounds of the events from which rules are completed apply to all files together.
func TestSeenEventsAreBoundedInTotal(t *testing.T) {
	line := func(name string, size int) string {
		return `{"kind":"call","name":"` + name + `","fields":{"x":"` + strings.Repeat("y", size) + "\"}}\n"
	}
	half := strings.Repeat(line("big", 1000), maxSeenText/2/1050)
	files := []workspace.File{{Name: "notes.txt", Text: strings.Repeat("y", maxSeenText)}, {Name: "a.jsonl", Text: half}, {Name: "b.jsonl", Text: half}, {Name: "c.jsonl", Text: half}}
	size := 0
	for _, e := range seenEvents(files) {
		size += len(e.Raw().Fields)
	}
	if size > maxSeenText || size < maxSeenText*9/10 {
		t.Errorf("%d bytes", size)
	}
	many := strings.Repeat(line("small", 1), maxSeen) + line("last", 1) + line("long", maxSeenText)
	tests := workspace.File{Name: "a.tests", Text: "run valid\n" + strings.Repeat("  pay()\n", 50)}
	few := workspace.File{Name: "b.jsonl", Text: strings.Repeat(line("few", 1), maxSeen/2-10)}
	got := seenEvents([]workspace.File{{Name: "a.jsonl", Text: many}, few, tests, tests})
	if len(got) != maxSeen || got[maxSeen/2-1].Name != "last" || got[maxSeen/2].Name != "few" || got[maxSeen-1].Name != "pay" {
		t.Errorf("%d events", len(got))
	}
}
