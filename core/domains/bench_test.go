package domains

import (
	"testing"

	"github.com/stile-playground/stile/core/internal/conformance"
)

// BenchmarkEncode writes the first instance of each domain with steps in SMT-LIB, for as
// many steps as its shortest plan has: grounding, landmarks, exclusions and the text.
func BenchmarkEncode(b *testing.B) {
	for _, c := range steps {
		r := conformance.Records[instance](b, c.name+".jsonl")[0]
		d := Steps(c.text)
		b.Run(c.name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				e, err := task(b, d, c.name, r).Encode(nil)
				if err != nil {
					b.Fatal(err)
				}
				text, err := e.Text(r.Optimal, nil)
				if err != nil {
					b.Fatal(err)
				}
				size = len(text)
			}
			b.SetBytes(int64(size))
		})
	}
}
