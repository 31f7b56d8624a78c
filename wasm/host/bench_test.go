package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// longGrammar returns a grammar of n lines whose last line ends with a word.
func longGrammar(lines int, word string) string {
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "N%d -> t%d N%d | u%d\n", i, i, (i+1)%lines, i)
	}
	return strings.TrimSuffix(text.String(), "\n") + " | " + word + "\n"
}

// BenchmarkMemory edits a grammar of 200 lines a thousand times and reports how large the
// module's memory is after a hundred edits and at the end. It measures no time, so one iteration
// suffices.
func BenchmarkMemory(b *testing.B) {
	for _, cut := range []struct {
		name  string
		built func() (*host.Module, error)
	}{{"first", first}, {"whole", built}} {
		b.Run(cut.name, func(b *testing.B) {
			m, err := cut.built()
			if err != nil {
				b.Fatal(err)
			}
			for range b.N {
				ctx, i := context.Background(), m.Instance(nil)
				for k := range 1_000 {
					params := session.DocumentParams{Files: []session.File{{Name: "g.cfg", Text: longGrammar(200, fmt.Sprint("w", k))}}, Name: "g.cfg"}
					raw, err := json.Marshal(params)
					if err != nil {
						b.Fatal(err)
					}
					reply, err := i.Handle(ctx, fmt.Appendf(nil, `{"id":%d,"method":"document.analyze","params":%s}`, k, raw))
					if err != nil || !strings.Contains(string(reply), `"result"`) {
						b.Fatal(string(reply), err)
					}
					if err := i.Collect(ctx); err != nil {
						b.Fatal(err)
					}
					if k+1 == 100 {
						b.ReportMetric(float64(i.Memory())/1e6, "MB-at-100")
					}
				}
				b.ReportMetric(float64(i.Memory())/1e6, "MB-at-1000")
				if err := i.Close(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
