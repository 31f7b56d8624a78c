package host_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/grammars/experiments"
)

// Queries without a plan: every method that states so scores, direct answers too. A text that is
// contradictory in itself does not, although the solver finds no plan for it; and a plan that exists cannot be denied.
func TestQueriesWithoutAPlan(t *testing.T) {
	s := solvers(t)
	none := func(*http.Request) string { return "{}" }
	for _, c := range []struct {
		name, tasks string
		answer      func(ref *solutions, a asked) string
		scores      func(method string) bool
	}{
		{"the reference", `(problems coffee (:pick 83)) (problems workforce (:pick 56 86 101))`, func(ref *solutions, a asked) string { return ref.answer(a) }, func(string) bool { return true }},
		{"a contradiction", `(problems coffee (:pick 83)) (problems workforce (:pick 56 86))`, func(*solutions, asked) string { return "```\n(assert false)\n```" }, func(string) bool { return false }},
		{"a contradiction without the data", `(problems coffee (:pick 83)) (problems workforce (:pick 56 86))`, func(*solutions, asked) string {
			return "```\n(declare-const x Int)\n(assert (! (> x 1) :named a))\n(assert (! (< x 0) :named query.b))\n```"
		}, func(string) bool { return false }},
		{"a denied plan", `(problems coffee (:pick 0)) (problems workforce (:pick 0))`, func(*solutions, asked) string { return `{"no_plan": true}` }, func(string) bool { return false }},
		{"a plan that does not exist, denied", `(problems coffee (:pick 83)) (problems workforce (:pick 56))`, func(*solutions, asked) string { return `It is impossible. {"no_plan": true}` }, func(method string) bool { return method == "direct" || method == "CoT" }},
		{"an answer that denies nothing", `(problems workforce (:pick 56))`, func(*solutions, asked) string { return `{"no_plan": false}` }, func(string) bool { return false }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := experiments.Workspace("llmfp-1")
			if err != nil {
				t.Fatal(err)
			}
			w.Files[0].Text = regexp.MustCompile(`(?s)\(:tasks.*?\(:methods`).ReplaceAllString(w.Files[0].Text, "(:tasks "+c.tasks+")\n(:methods")
			ref := newSolutions(t, s, "llmfp-1", w)
			p := &labPlayer{t: t, web: none, answer: func(a asked) string { return c.answer(ref, a) }}
			for _, o := range p.play(s, "llmfp-1", w, lab.Settings{Seeds: []uint64{1}}).Outcomes {
				score := 0.0
				for _, m := range o.Measures {
					if m.Name == "score" {
						score = m.Count
					}
				}
				if o.State != lab.StateDone || (score == 1) != c.scores(o.Method) {
					t.Errorf("%s is %s and scores %v: %s", o.Key, o.State, score, o.Reason)
				}
			}
			for _, a := range p.log {
				direct := a.cell.Method == "direct" || a.cell.Method == "CoT"
				if strings.Contains(a.prompt(), "no_plan") != direct && a.number == 0 {
					t.Errorf("%s: %s", a.cell.Key, a.prompt())
				}
			}
		})
	}
}
