package backtest_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/traceset"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

// shorter reports whether a text without its rest is also a complete text of its format: of lines without brackets, or of
// whole lines with values of their own. No reader can notice such a cut.
func shorter(file, text, rest string) bool {
	return strings.HasPrefix(file, "langchain-pretty") || text == "" || strings.HasSuffix(text, "\n") || strings.HasPrefix(rest, "\n")
}

// A file that ends early never passes: neither the rule that the complete file violates, nor the agent.
func TestCutTracesDoNotPass(t *testing.T) {
	traces, agent, err := traceset.Read(filepath.Join("..", "trace", "testdata", "traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	specs, err := backtest.Open(session.Notations(), []workspace.File{{Name: "shop.agent", Text: agent}, {Name: "never.rules", Text: "never: !delete_all()\n"}})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(25, 24))
	tried := 0
	for _, e := range traces {
		violated := false
		for _, r := range specs.Judge(e.File, e.Text, backtest.Options{}) {
			violated = violated || r.Cells[1].Outcome == backtest.Violated
		}
		for range effort.Sample(40, 4) {
			cut := 1 + random.IntN(len(strings.TrimRight(e.Text, " \r\n"))-1)
			if shorter(e.File, e.Text[:cut], e.Text[cut:]) {
				continue
			}
			tried++
			runs := specs.Judge(e.File, e.Text[:cut], backtest.Options{})
			agentPasses, rulePasses := true, violated
			for _, r := range runs {
				agentPasses, rulePasses = agentPasses && r.Cells[0].Outcome.Passes(), rulePasses && r.Cells[1].Outcome.Passes()
			}
			if agentPasses || rulePasses {
				t.Errorf("%s passes after %d bytes, the last of which are %q: %+v", e.File, cut, e.Text[max(0, cut-40):cut], runs[0].Cells)
			}
		}
	}
	if tried == 0 {
		t.Error("no file was cut")
	}
}
