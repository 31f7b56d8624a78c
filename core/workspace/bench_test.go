package workspace_test

import (
	"os"
	"path"
	"testing"

	"github.com/stile-playground/stile/core/workspace"
)

// BenchmarkLink encodes and decodes links of files of the gallery, and reports their lengths in
// characters; build/peers packs the same files.
func BenchmarkLink(b *testing.B) {
	for _, c := range []struct{ name, file string }{{"grammar", "openagi/openagi.cfg"}, {"records", "travelplanner/queries.json"}} {
		text, err := os.ReadFile("../../grammars/" + c.file)
		if err != nil {
			b.Fatal(err)
		}
		w := one(path.Base(c.file), string(text))
		link, err := workspace.EncodeLink(w, "")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/encode", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := workspace.EncodeLink(w, ""); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(link)), "letters")
		})
		b.Run(c.name+"/decode", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, _, err := workspace.DecodeLink(link); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
