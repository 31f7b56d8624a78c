package trace

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/traceset"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// textFormats are the formats whose calls are lines of a text without brackets. A text of such a format that ends early
// is a shorter text of the format, so that no reader can notice a cut. web/docs/command.md names them.
var textFormats = []string{"langchain-pretty", "langchain-pretty-anthropic", "langchain-pretty-responses", "agents-console"}

// valuePlaces returns the places of the objects and lists of a text, outermost ones only.
func valuePlaces(text string) (out []json.Range) {
	f, ok := values(text)
	if !ok || f.way == asPretty || f.way == asText {
		return nil
	}
	for _, root := range f.roots {
		if n := valueOfLine(root); (n.Kind == '{' || n.Kind == '[') && n.At.End > n.At.Start+1 {
			out = append(out, n.At)
		}
	}
	return out
}

// A file of a library that ends within a JSON value has an unread part, wherever it ends and also after a byte order
// mark and spaces.
func TestCutTracesAreUnread(t *testing.T) {
	traces, _, err := traceset.Read(filepath.Join("testdata", "traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(24, 25))
	texts := map[string]bool{}
	tried := 0
	for _, e := range traces {
		places := valuePlaces(e.Text)
		if len(places) == 0 {
			texts[filepath.Dir(e.File)] = true
			continue
		}
		for range effort.Sample(40, 6) {
			at := places[random.IntN(len(places))]
			cut := at.Start + 1 + random.IntN(at.End-at.Start-1)
			prefix := []string{"", "\ufeff", " \n", "\ufeff\n "}[random.IntN(4)]
			text := prefix + e.Text[:cut]
			read, err := OpenRuns(source.NewFile("t", text), "")
			tried++
			if err == nil && len(read.Unread) == 0 {
				t.Errorf("%s is read after %d bytes, the last of which are %q", e.File, cut, e.Text[max(0, cut-40):cut])
			}
		}
	}
	if tried == 0 {
		t.Error("no file was cut")
	}
	for name := range texts {
		if !strings.Contains(" "+strings.Join(textFormats, " ")+" ", " "+name+" ") {
			t.Errorf("%s has no values that can be cut", name)
		}
	}
}
