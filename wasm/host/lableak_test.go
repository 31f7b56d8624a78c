package host_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars/experiments"
)

// sampled returns an experiment that asks some of the tasks of each source, drawn with a seed; all
// of them with -long.
func sampled(t *testing.T, w workspace.Workspace, most int) workspace.Workspace {
	t.Helper()
	long := os.Getenv("STILE_LONG") != ""
	random := rand.New(rand.NewPCG(1, 23))
	draw := func(of []string, most int) string {
		of = slices.Clone(of)
		if long {
			most = len(of)
		}
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		return "(:pick " + strings.Join(of[:min(len(of), most)], " ") + ")"
	}
	numbers := func(n int) (out []string) {
		for i := range n {
			out = append(out, strconv.Itoa(i))
		}
		return out
	}
	text := w.Files[0].Text
	replace := func(pattern string, by func(m []string) string) {
		re := regexp.MustCompile(pattern)
		text = re.ReplaceAllStringFunc(text, func(found string) string { return by(re.FindStringSubmatch(found)) })
	}
	replace(`\(:pick ([\d\s]+)\)`, func(m []string) string { return draw(strings.Fields(m[1]), most) })
	replace(`\(:first (\d+)\)`, func(m []string) string { n, _ := strconv.Atoi(m[1]); return draw(numbers(n), 1) })
	replace(`\(questions "([^"]+)"\)`, func(m []string) string {
		of := 8
		if strings.Contains(m[1], "gsm8k") {
			of = 12
		}
		return `(questions "` + m[1] + `" ` + draw(numbers(of), most) + ")"
	})
	replace(`\(:tasks \(benchmark (\w+)\)\)`, func(m []string) string {
		return "(:tasks (benchmark " + m[1] + " " + draw(numbers(map[string]int{"travelplanner": 12, "apibank": 50}[m[1]]), most) + "))"
	})
	out := workspace.Workspace{Files: slices.Clone(w.Files)}
	out.Files[0].Text = text
	return out
}

// perfect returns the figures of a method that a perfect model does not have.
func perfect(table lab.Table, method string) (faults []string) {
	for _, r := range table.Rows {
		if r.Method != method || r.Reference != "" {
			continue
		}
		for i, v := range r.Values {
			c := table.Columns[i]
			effort := slices.Contains([]string{"calls", "tokens", "violations", "repeats", "cost", "fallbacks"}, c.Measure) || strings.HasSuffix(c.Measure, "-seconds")
			if v.Known && v.Value < 0.99999 && !effort || v.Known && v.Value > 0 && c.Measure == "repeats" {
				faults = append(faults, fmt.Sprintf("%s of %s is %v", c.Title, method, v.Value))
			}
		}
	}
	return faults
}

// merit reports whether a measure of a kind of method is of the answer, and 0 without one. An agent's
// run is valid whatever it answers, and so is a formulation of another problem.
func merit(kind, measure string) bool {
	return measure == "valid" && (kind == lab.MethodPlan || kind == lab.MethodBaseline) || slices.Contains([]string{"score", "met", "delivered", "final-pass", "correctness", "completeness", "tasks-with-exactly-the-gold-calls"}, measure) ||
		strings.HasSuffix(measure, "-macro") || strings.HasSuffix(measure, "-micro")
}

// constant is the cheat of a solver's text whose objective is the constant of the query's own optimum.
const constant = "a constant objective"

// copied is the cheat that answers with an example of the prompt.
const copied = "a copy of an example"

// guessed reports whether a cheat may be right by chance: the examples of Fever have its labels.
func guessed(o lab.Outcome, cheat string) bool { return cheat == copied && o.Group == "Fever" }

// unread reports rows of planners that do not state that no answer was read.
func (s *solutions) unread(t lab.Table) {
	for _, r := range t.Rows {
		if r.Reference != "" || s.methods[r.Method].Kind != lab.MethodPlan {
			continue
		}
		for i, c := range t.Columns {
			if v := r.Values[i]; c.Measure == "fallbacks" && v.Value == 0 || c.Measure == "valid" && v.Value > 0 {
				s.t.Errorf("without answers, %q of %s is %v", c.Title, r.Method, v.Value)
			}
		}
	}
}

// constant returns such a text, which has no plan.
func (s *solutions) constant(o lab.Outcome) string {
	optimum := "1"
	if s.methods[o.Method].Kind == lab.MethodFormulate {
		if best := s.solved(o).Objective; best != "" {
			optimum = best
		}
	}
	if over, under, ok := strings.Cut(optimum, "/"); ok {
		optimum = "(/ " + over + " " + under + ")"
	}
	return "```\n(declare-const x Real)(assert (! (= x " + optimum + ") :named query.a))(minimize x)\n```"
}

// For each of the papers' tables, with every method: a model that answers with the reference
// has a perfect score, one that cheats has none, and no prompt contains gold data.
func TestPapersTablesWithReferencesAndCheaters(t *testing.T) {
	all, err := experiments.All()
	if err != nil {
		t.Fatal(err)
	}
	s := solvers(t)
	prompts, answered, numbers := 0, 0, 0
	for i, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			w, err := experiments.Workspace(e.Name)
			if err != nil {
				t.Fatal(err)
			}
			w = sampled(t, w, 1)
			ref := newSolutions(t, s, e.Name, w)
			none := func(*http.Request) string { return "{}" }
			settings := lab.Settings{Seeds: []uint64{1}}
			p := &labPlayer{t: t, answer: ref.answer, web: none}
			result := p.play(s, e.Name, w, settings)
			for name := range ref.methods {
				for _, fault := range perfect(result.Table, name) {
					t.Error(fault)
				}
			}
			ref.allJudged(result)
			for _, o := range result.Outcomes {
				score := -1.0
				for _, m := range o.Measures {
					if m.Name == "score" || m.Name == "completeness" {
						if score = m.Count; m.Of > 0 {
							score /= m.Of
						}
					}
				}
				if o.State != lab.StateDone || score < 0.99999 {
					t.Errorf("with the reference %s is %s and scores %v: %s", o.Key, o.State, score, o.Reason)
				}
			}
			for _, text := range ref.untold(p.log) {
				t.Errorf("a prompt contains %q, which neither the model nor a tool has written", text)
			}
			for _, text := range ref.unnoticed(p.log) {
				t.Errorf("the search does not find %q in a prompt", text)
			}
			for _, o := range result.Outcomes {
				if ref.methods[o.Method].Kind != lab.MethodLearn && !slices.ContainsFunc(p.log, func(a asked) bool { return a.cell.Key == o.Key }) {
					t.Errorf("%s has no prompt to search", o.Key)
				}
			}
			answered += len(p.log)
			if t.Failed() {
				return
			}
			random := rand.New(rand.NewPCG(3, 1))
			for j, cheat := range []struct {
				name   string
				answer func(a asked) string
			}{
				{"an empty plan", func(asked) string { return "" }},
				{copied, func(a asked) string { return ref.example(a, 0) }},
				{"a copy of the prompt", func(a asked) string { return a.turns[len(a.turns)-1].Content }},
				{constant, func(a asked) string { return ref.constant(a.cell) }},
				{"random words", func(a asked) string {
					words := strings.Fields("plan the an of step use much null maybe {} [] search city result answer")
					if ref.methods[a.cell.Method].Kind == lab.MethodPlan { // words of an option choose it
						words = strings.Fields("lorem ipsum dolor sit amet null {} []")
					}
					random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
					return strings.Join(words[:5], " ")
				}},
			} {
				if (i+j)%caseStep(2) != 0 {
					continue
				}
				p := &labPlayer{t: t, answer: cheat.answer, web: none}
				result := p.play(s, e.Name, w, settings)
				ref.allJudged(result)
				for _, o := range result.Outcomes {
					for _, m := range o.Measures {
						if merit(ref.methods[o.Method].Kind, m.Name) && m.Count > 0 && !guessed(o, cheat.name) {
							t.Errorf("%s: %s has %v as its %s", cheat.name, o.Key, m.Count, m.Name)
						}
					}
				}
				for _, text := range ref.untold(p.log) { // later prompts may repeat what it has written
					t.Errorf("%s: a prompt contains %q, which neither the model nor a tool has written", cheat.name, text)
				}
				prompts += len(p.log)
				if cheat.name == "an empty plan" {
					ref.unread(result.Table)
				}
			}
			for _, g := range ref.golds {
				numbers += len(g.numbers)
			}
		})
	}
	if numbers < 20 {
		t.Errorf("only %d numbers of answers were searched for", numbers)
	}
	t.Logf("%d prompts after wrong answers and %d after right ones have no gold data, which has %d numbers", prompts, answered, numbers)
}
