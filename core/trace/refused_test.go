package trace

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/stile-playground/stile/core/source"
)

// A trace without a run in a format that is known by name is refused with the reason of that format.
func TestRefusedFormatsAreNamed(t *testing.T) {
	refused := 0
	for _, name := range []string{"libraries", "outside", "platforms", "variants"} {
		data, err := os.ReadFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			read, ok := Read(string(f.Data))
			_, err := Open(source.NewFile(f.Name, string(f.Data)), "")
			if !ok || err == nil || !read.refused(nil) {
				continue
			}
			if refused++; !strings.HasPrefix(err.Error(), read.Unread[0].Reason+"; its keys are ") {
				t.Errorf("%s: %v; expected %s", f.Name, err, read.Unread[0].Reason)
			}
		}
	}
	if refused == 0 {
		t.Error("no trace is refused")
	}
}
