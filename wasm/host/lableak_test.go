package host_test

import (
	"context"
	"encoding/json"
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
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars/experiments"
	"github.com/stile-playground/stile/wasm/host"
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
			effort := slices.Contains([]string{"calls", "tokens", "violations", "repeats", "cost"}, c.Measure) || strings.HasSuffix(c.Measure, "-seconds")
			if v.Known && v.Value < 0.99999 && !effort || v.Known && v.Value > 0 && c.Measure == "repeats" {
				faults = append(faults, fmt.Sprintf("%s of %s is %v", c.Title, method, v.Value))
			}
		}
	}
	return faults
}

// merit reports whether a measure is of the answer, and 0 without one.
func merit(measure string) bool {
	return slices.Contains([]string{"score", "met", "delivered", "final-pass", "correctness", "completeness", "tasks-with-exactly-the-gold-calls"}, measure) ||
		strings.HasSuffix(measure, "-macro") || strings.HasSuffix(measure, "-micro")
}

// constant is the cheat of a solver's text whose objective is the constant of the query's own optimum.
const constant = "a constant objective"

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
						if merit(m.Name) && m.Count > 0 {
							t.Errorf("%s: %s has %v as its %s", cheat.name, o.Key, m.Count, m.Name)
						}
					}
				}
				if cheat.name == constant { // later prompts may repeat the optimum that it has written
					for _, text := range ref.untold(p.log) {
						t.Errorf("a prompt contains %q, which neither the model nor a tool has written", text)
					}
				}
				for _, a := range p.log {
					prompts++
					if found := ref.leaks(a); len(found) > 0 && cheat.name != constant {
						t.Errorf("%s: a prompt contains %q:\n%.2000s", a.cell.Key, found, a.prompt())
						break
					}
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

// A model that answers at random scores at chance: like the simulated model that chooses uniformly
// under the automaton, one claim in three of Fever's, and nothing elsewhere.
func TestRandomAnswersScoreAtChance(t *testing.T) {
	s := solvers(t)
	random := rand.New(rand.NewPCG(9, 2))
	score := func(outcomes []lab.Outcome, method, group string) (sum float64, n int) {
		for _, o := range outcomes {
			for _, m := range o.Measures {
				if m.Name == "score" && strings.HasPrefix(o.Method, method) && !strings.Contains(o.Method, "RLTF") && (group == "" || o.Group == group) {
					sum += m.Count / max(m.Of, 1)
					n++
				}
			}
		}
		return sum, n
	}
	numbers := regexp.MustCompile(`from 1 to (\d+)`)
	p := &labPlayer{t: t, web: func(*http.Request) string { return "{}" }, answer: func(a asked) string {
		if m := numbers.FindStringSubmatch(a.prompt()); m != nil {
			n, _ := strconv.Atoi(m[1])
			return strconv.Itoa(1 + random.IntN(n))
		}
		if strings.Contains(a.cell.Method, "k = ") {
			return "Final Thought: I guess.\nAnswer: " + []string{"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}[random.IntN(3)]
		}
		return "Step 1: Use " + []string{"Colorization", "Image Captioning", "Text Summarization", "Object Detection"}[random.IntN(4)] + " twice"
	}}
	open := func(name string, most int) workspace.Workspace {
		w, err := experiments.Workspace(name)
		if err != nil {
			t.Fatal(err)
		}
		return sampled(t, w, most)
	}
	for _, c := range []struct {
		name  string
		tasks int
		free  []string // methods that ask for plans in free text
	}{{"formal-llm-1", 2, []string{"zero-shot", "few-shot"}}, {"formal-llm-2", 6, []string{"zero-shot"}}, {"formal-llm-5", 2, []string{"ReAct"}}} {
		w := open(c.name, c.tasks)
		settings := lab.Settings{Seeds: []uint64{1, 2, 3, 4, 5, 6, 7, 8}}
		got := p.play(s, c.name, w, settings).Outcomes
		settings.Models = []lab.NamedModel{{Name: "uniform", Spec: llm.Spec{Kind: llm.KindUniform}}}
		raw, err := json.Marshal(settings)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := (&host.Runner{Handler: host.Native(session.New())}).Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: w.Files, Name: c.name + ".lab"}, Settings: raw})
		if err != nil {
			t.Fatal(err)
		}
		var uniform lab.Result
		if err := json.Unmarshal(outcome.Result, &uniform); err != nil {
			t.Fatal(err)
		}
		a, n := score(got, "Formal-LLM", "")
		b, m := score(uniform.Outcomes, "Formal-LLM", "")
		t.Logf("%s: random choices score %.3f, uniform ones %.3f in %d cells", c.name, a/float64(n), b/float64(m), n)
		if n == 0 || n != m || max(a-b, b-a)/float64(n) > 0.12 {
			t.Errorf("%s: random choices score %.3f, uniform ones %.3f in %d cells", c.name, a/float64(n), b/float64(m), n)
		}
		for _, method := range c.free {
			if a, n := score(got, method, ""); a > 0 || n == 0 {
				t.Errorf("%s: random plans of %s score %v in %d cells", c.name, method, a, n)
			}
		}
	}
	got := p.play(s, "crouse-2023-1", open("crouse-2023-1", 8), lab.Settings{Seeds: []uint64{1}}).Outcomes
	if a, n := score(got, "ReAct", "Fever"); n < 64 || a/float64(n) < 0.15 || a/float64(n) > 0.52 {
		t.Errorf("random labels score %v of %d", a, n)
	}
	for _, group := range []string{"HotpotQA", "GSM8K"} {
		if a, n := score(got, "ReAct", group); a > 0 || n < 64 {
			t.Errorf("%s: random labels score %v of %d", group, a, n)
		}
	}
}
