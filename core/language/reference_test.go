package language_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

func TestReferenceCoversEveryKeyword(t *testing.T) {
	for kind, words := range map[workspace.Kind][]string{
		workspace.KindGrammar: grammar.Keywords(), workspace.KindPushdown: pushdown.Keywords(), workspace.KindFlow: flow.Keywords(),
		workspace.KindFormulas: ltl.Keywords(), workspace.KindAgent: agent.Keywords(), workspace.KindTeam: team.Keywords(),
		workspace.KindSMT: solve.Keywords(solve.Z3), workspace.KindLP: solve.Keywords(solve.HiGHS), workspace.KindPDDL: strips.Keywords(),
		workspace.KindTests: spectest.Keywords(),
	} {
		var said []string
		for _, e := range language.Table().Kind(kind).Words() {
			said = append(said, e.Words...)
			if e.Text == "" || !strings.HasSuffix(e.Text, ".") {
				t.Errorf("%s: %q says %q", kind, e.Words[0], e.Text)
			}
			f := workspace.File{Name: "a." + string(kind), Text: e.Example}
			if found := language.Table().Faults(f); len(found) > 0 {
				t.Errorf("%s: the example of %q: %s", kind, e.Words[0], found[0].Message)
			}
		}
		for _, word := range words {
			if n := count(said, word); n != 1 {
				t.Errorf("%s: %q is explained %d times", kind, word, n)
			}
		}
		for _, word := range said {
			if !slices.Contains(words, word) {
				t.Errorf("%s: %q is explained and is no word", kind, word)
			}
		}
	}
}

func count(list []string, wanted string) (n int) {
	for _, s := range list {
		if s == wanted {
			n++
		}
	}
	return n
}
