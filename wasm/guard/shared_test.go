package guard

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// refused requires that no runtime reads a damaged guard.
func refused(t *testing.T, all []*driver, damaged, change string) {
	t.Helper()
	if _, err := gate.Read(damaged); err == nil {
		t.Errorf("%s is read", change)
	}
	for _, d := range all {
		if got := d.judge(t, request{Guard: damaged}); got.Error != "guard.file" {
			t.Errorf("%s, %s: %+v", d.name, change, got)
		}
	}
}

// agree requires the wanted reply of all runtimes, also if the state moves from each to the next one.
func agree(t *testing.T, r *rand.Rand, all []*driver, q request, want reply) {
	t.Helper()
	for i, d := range all {
		compare(t, d.name, q, want, d.judge(t, q))
		moved(t, r, d, all[(i+1)%len(all)], q, want)
	}
}

// galleryGuard is the guard of a file of the gallery.
type galleryGuard struct {
	name  string
	guard *gate.Guard
	tests string // the text of its tests
}

// galleryGuards returns the guards of the files that are specs, except those that no guard represents exactly.
func galleryGuards(t *testing.T) (out []galleryGuard) {
	t.Helper()
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		texts := map[string]string{}
		for _, f := range e.Files {
			texts[f.Name] = f.Text
		}
		for _, f := range e.Files {
			text, err := compiled([]workspace.File{{Name: f.Name, Text: f.Text}}, compile.Options{})
			if err != nil {
				continue
			}
			g, err := gate.Read(text)
			if err != nil {
				t.Fatal(e.ID, f.Name, err)
			}
			out = append(out, galleryGuard{e.ID + "/" + f.Name, g, texts[strings.TrimSuffix(f.Name, path.Ext(f.Name))+".tests"]})
		}
	}
	return out
}
