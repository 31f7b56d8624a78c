package language

import (
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Rules about the order of calls are proved for specs whose letters include their tools; rules about
// data are not.
func TestRulesOfOrderAreProved(t *testing.T) {
	const text = `approved: refund() -> once approve()
closed: end() -> !((!close()) since open())
ended: end() -> once close()
data: refund(order: ?o) -> once approve(order: ?o)
foreign: deploy() -> once review()
`
	for name, c := range map[string]struct {
		spec     string
		expected []string
	}{
		"shop.cfg": {"S -> approve refund S | open S close S | ε\n", []string{
			"rules.holds: proved for every word of shop.cfg", "rules.holds: proved for every word of shop.cfg", "rules.violated: counterexample in shop.cfg: the empty word",
		}},
		"shop.agent": {`(define shop (:states (open (:text "Open:")) (close (:text "Close:")) (approve (:text "Approve:")) (refund (:text "Refund:")))
  (:behavior (next open (or (next approve refund close) (next refund approve)))))
`, []string{
			"rules.violated: counterexample in shop.agent: open refund approve", "rules.violated: counterexample in shop.agent: open refund approve", "rules.violated: counterexample in shop.agent: open refund approve",
		}},
	} {
		files := []workspace.File{{Name: name, Text: c.spec}, {Name: "policy.rules", Text: text}}
		a := analyzeRules(&notation.Scope{Table: Table(), File: source.NewFile("policy.rules", text), Files: files})
		var got []string
		for _, d := range a.Diagnostics {
			if d.Code == "rules.holds" || d.Code == "rules.violated" {
				got = append(got, d.Code+": "+d.Message)
			}
		}
		if !slices.Equal(got, c.expected) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
