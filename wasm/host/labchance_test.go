package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	corebench "github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// freePlan is a plan in free text of the right form: one to four steps, each with a declared tool and
// an argument for each of its inputs, all drawn uniformly. An argument is an input of the task or the
// result of an earlier step.
type freePlan struct {
	task  *freeTask
	steps []freeStep
}

type freeStep struct {
	tool string
	args []int // below the number of inputs: of these; above: the earlier step
}

// freeTask is a task of OpenAGI as an author of random plans knows it.
type freeTask struct {
	Spec   string
	Inputs []struct {
		Symbol, Type, Text string
		Marks              []string
	}
	Goal   *tool.Goal
	tools  *tool.Set
	labels map[string]string
}

// freeTask returns the task of a cell.
func (s *solutions) freeTask(o lab.Outcome) *freeTask {
	s.t.Helper()
	var list struct{ Tasks []*freeTask }
	var set *tool.Set
	for _, f := range s.w.Files {
		switch f.Name {
		case "openagi-tasks/tasks.json":
			if err := json.Unmarshal([]byte(f.Text), &list); err != nil {
				s.t.Fatal(err)
			}
		case "openagi-tasks/tools.json":
			var found []source.Diagnostic
			if set, found = tool.Parse(f.Source()); len(found) > 0 {
				s.t.Fatal(found)
			}
		}
	}
	out := list.Tasks[indexOf(o)]
	inputs := map[string]tool.Value{}
	for _, in := range out.Inputs {
		inputs[in.Symbol] = tool.Value{Type: in.Type, Text: in.Text, Marks: in.Marks}
	}
	out.tools, out.labels = set.With(inputs), s.labels["openagi-tasks/"+out.Spec]
	return out
}

// plan draws a random plan.
func (t *freeTask) plan(random *rand.Rand) freePlan {
	var letters []string
	for _, name := range t.tools.Symbols() {
		if _, ok := t.tools.Takes(name); ok {
			letters = append(letters, name)
		}
	}
	p := freePlan{task: t}
	for k := range 1 + random.IntN(4) {
		step := freeStep{tool: letters[random.IntN(len(letters))]}
		takes, _ := t.tools.Takes(step.tool)
		for range takes {
			step.args = append(step.args, random.IntN(len(t.Inputs)+k))
		}
		p.steps = append(p.steps, step)
	}
	return p
}

// text writes a plan as an endpoint does.
func (p freePlan) text() string {
	var b strings.Builder
	for k, step := range p.steps {
		fmt.Fprintf(&b, "Step %d: Use %s on ", k+1, p.task.labels[step.tool])
		for i, a := range step.args {
			if i > 0 {
				b.WriteString(" and ")
			}
			if a < len(p.task.Inputs) {
				b.WriteString(p.task.labels[p.task.Inputs[a].Symbol])
			} else {
				fmt.Fprintf(&b, "the result of step %d", a-len(p.task.Inputs)+1)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// score returns the score of a plan, without the checker and the judge of the Lab: a plan is a tree
// whose root is the last step, in which each tool occurs once and each argument has the type of its
// place.
func (p freePlan) score() (score float64, valid bool) {
	t, used := p.task, map[int]int{}
	tools := map[string]bool{}
	var values []tool.Value
	for _, in := range t.Inputs {
		v, _ := t.tools.Input(in.Symbol)
		values = append(values, v)
	}
	for _, step := range p.steps {
		takes, _ := t.tools.Takes(step.tool)
		if tools[step.tool] {
			return 0, false
		}
		tools[step.tool] = true
		var args []tool.Value
		for i, a := range step.args {
			if values[a].Type != takes[i] {
				return 0, false
			}
			used[a]++
			args = append(args, values[a])
		}
		v, err := t.tools.Call(tool.Context{Count: 1}, step.tool, args)
		if err != nil {
			return 0, false
		}
		values = append(values, v)
	}
	for k := range p.steps[:len(p.steps)-1] {
		if used[len(t.Inputs)+k] != 1 {
			return 0, false
		}
	}
	if last := values[len(values)-1]; last.Type == t.Goal.Type {
		return t.Goal.Share(last), true
	}
	return 0, false
}

// example returns the k-th example of a prompt as an answer, "" without one.
func (s *solutions) example(a asked, k int) string {
	prompt := a.prompt()
	switch s.methods[a.cell.Method].Kind {
	case lab.MethodBaseline:
		if found := exampleSteps.FindAllString(prompt, -1); k < len(found) {
			return found[k]
		}
	case lab.MethodFormulate:
		if found := exampleBlock.FindAllString(prompt, -1); k < len(found) {
			return found[k]
		}
	case lab.MethodMonitor:
		if found := exampleAnswer.FindAllStringSubmatch(prompt, -1); k < len(found) {
			if strings.Contains(a.cell.Method, "k = ") {
				return "Final Thought: As in the example.\nAnswer: " + found[k][1]
			}
			return "[Final Thought] As in the example.\n[Answer] " + found[k][1]
		}
	}
	return ""
}

var (
	exampleSteps  = regexp.MustCompile(`(?m)(?:^Step \d+: .*\n)+`)
	exampleBlock  = regexp.MustCompile("(?s)```.*?```")
	exampleAnswer = regexp.MustCompile(`(?m)^\[?Answer(?:\]|:) (.+)$`)
)

// scores returns the sum of the scores of a method's cells in a group, or in all, and their number.
func scores(r lab.Result, method, group string) (sum float64, n int) {
	for _, o := range r.Outcomes {
		for _, m := range o.Measures {
			if m.Name == "score" && o.Method == method && (group == "" || o.Group == group) {
				sum += m.Count / max(m.Of, 1)
				n++
			}
		}
	}
	return sum, n
}

// near reports whether a sum of n scores is within four standard deviations of its expectation.
func near(sum float64, n int, chance, deviation float64) bool {
	return n > 0 && math.Abs(sum-chance*float64(n)) <= 4*deviation*math.Sqrt(float64(n))
}

// chances are the expected scores of random answers of the right form, as docs/testing.md states them.
func chances(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| `+"`([^|]+)`"+` \| ([^|]+) \| [^|]+ \| ([\d.]+) \|$`).FindAllStringSubmatch(string(page), -1) {
		for _, name := range strings.Split(m[1], "`, `") {
			out[name+", "+m[2]] = m[3]
		}
	}
	return out
}

// planChance returns the mean and the deviation of the scores of random plans of all tasks of a free
// method, from a large sample without the Lab.
func (s *solutions) planChance(method string) (mean, deviation float64) {
	const plans = 10_000
	random := rand.New(rand.NewPCG(2, 3))
	squares, n := 0.0, 0.0
	for _, key := range slices.Sorted(maps.Keys(s.cells)) {
		if s.cells[key].Outcome.Method != method {
			continue
		}
		task := s.freeTask(s.cells[key].Outcome)
		for range plans {
			score, _ := task.plan(random).score()
			mean, squares, n = mean+score, squares+score*score, n+1
		}
	}
	mean /= n
	return mean, math.Sqrt(squares/n - mean*mean)
}

// A model that writes random plans of the right form scores at chance, which is computed from the same
// distribution without the Lab, plan by plan and in the mean; one that chooses at random under the
// automaton scores like the simulated model that chooses uniformly. A copy of any example scores less.
func TestRandomPlansScoreAtChance(t *testing.T) {
	s, documented := solvers(t), chances(t)
	for _, name := range []string{"formal-llm-1", "formal-llm-2"} {
		w := openedLab(t, name)
		ref := newSolutions(t, s, name, w)
		random := rand.New(rand.NewPCG(4, 4))
		made := map[string]freePlan{}
		p := &labPlayer{t: t, web: func(*http.Request) string { return "{}" }, answer: func(a asked) string {
			if text := anyNumber(a.prompt(), random); text != "" {
				return text
			}
			made[a.cell.Key] = ref.freeTask(a.cell).plan(random)
			return made[a.cell.Key].text()
		}}
		settings := lab.Settings{Seeds: []uint64{1, 2, 3, 4, 5, 6}}
		got := p.play(s, name, w, settings)
		for _, o := range got.Outcomes {
			plan, ok := made[o.Key]
			if !ok {
				continue
			}
			want, valid := plan.score()
			for _, m := range o.Measures {
				if m.Name == "score" && math.Abs(m.Count-want) > 1e-9 || m.Name == "valid" && (m.Count > 0) != valid {
					t.Errorf("%s: %s is %v, not %v:\n%s", o.Key, m.Name, m.Count, want, plan.text())
				}
			}
		}
		for method, m := range ref.methods {
			if m.Kind != lab.MethodBaseline {
				continue
			}
			mean, deviation := ref.planChance(method)
			sum, n := scores(got, method, "")
			t.Logf("%s, %s: chance is %.4f, random plans score %.4f in %d cells", name, method, mean, sum/float64(n), n)
			if !near(sum, n, mean, deviation) {
				t.Errorf("%s, %s: random plans score %.4f in %d cells, by chance %.4f", name, method, sum/float64(n), n, mean)
			}
			if want := documented[name+", free plans"]; fmt.Sprintf("%.2f", mean) != want {
				t.Errorf("%s, %s: the chance is %.4f, in the documentation %s", name, method, mean, want)
			}
			for k := range 3 {
				if m.Argument != "few-shot" {
					break
				}
				settings := lab.Settings{Seeds: []uint64{1}}
				p := &labPlayer{t: t, web: p.web, answer: func(a asked) string {
					if a.cell.Method != method {
						return "1"
					}
					text := ref.example(a, k)
					if text == "" {
						t.Errorf("%s has no example %d", a.cell.Key, k)
					}
					return text
				}}
				if sum, n := scores(p.play(s, name, w, settings), method, ""); sum > mean*float64(n) || n != 17 {
					t.Errorf("%s, %s: copies of example %d score %.4f in %d cells, by chance %.4f", name, method, k, sum/float64(n), n, mean)
				}
			}
		}
		if name == "formal-llm-2" {
			continue // the same choices
		}
		uniform := uniformly(t, name, w, settings)
		a, n := scores(got, "Formal-LLM", "")
		b, m := scores(uniform, "Formal-LLM", "")
		t.Logf("%s: random choices score %.3f, uniform ones %.3f in %d cells", name, a/float64(n), b/float64(m), n)
		if n != m || !near(a-b, n, 0, 0.35*math.Sqrt2) || n == 0 {
			t.Errorf("%s: random choices score %.3f, uniform ones %.3f in %d cells", name, a/float64(n), b/float64(m), n)
		}
		if want := documented[name+", choices"]; fmt.Sprintf("%.1f", b/float64(m)) != want {
			t.Errorf("%s: uniform choices score %.3f, in the documentation %s", name, b/float64(m), want)
		}
	}
}

// uniformly runs an experiment with the simulated model that chooses uniformly.
func uniformly(t *testing.T, name string, w workspace.Workspace, settings lab.Settings) (out lab.Result) {
	t.Helper()
	settings.Models = []lab.NamedModel{{Name: "uniform", Spec: llm.Spec{Kind: llm.KindUniform}}}
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := (&host.Runner{Handler: host.Native(session.New())}).Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: w.Files, Name: name + ".lab"}, Settings: raw})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(outcome.Result, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// anyTrip returns a trip of the right form for a query: each part of each day is that of a random day
// of a random reference plan.
func (s *solutions) anyTrip(random *rand.Rand, days int) travel.Plan {
	day := func() travel.Day {
		p := s.trips[random.IntN(len(s.trips))].Plan
		return p[random.IntN(len(p))]
	}
	out := make(travel.Plan, days)
	for i := range out {
		d := day()
		d.Transportation, d.Breakfast, d.Lunch, d.Dinner = day().Transportation, day().Breakfast, day().Lunch, day().Dinner
		d.Attraction, d.Accommodation = day().Attraction, day().Accommodation
		out[i] = d
	}
	return out
}

// In the tables of trips and of questions, random answers of the right form score at chance, too.
func TestRandomTripsAndAnswersScoreAtChance(t *testing.T) {
	s, documented := solvers(t), chances(t)
	none := func(*http.Request) string { return "{}" }
	w := sampled(t, openedLab(t, "formal-llm-5"), 6)
	ref := newSolutions(t, s, "formal-llm-5", w)
	random := rand.New(rand.NewPCG(6, 1))
	p := &labPlayer{t: t, web: none, answer: func(a asked) string {
		if text := anyNumber(a.prompt(), random); text != "" {
			return text
		}
		return corebench.FinalAnswer(ref.anyTrip(random, len(ref.trips[indexOf(a.cell)].Plan)).JSON())
	}}
	settings := lab.Settings{Seeds: []uint64{1, 2, 3, 4}}
	got := p.play(s, "formal-llm-5", w, settings)
	passed, trips := 0, 2_000
	for i := range trips {
		query := ref.trips[i%len(ref.trips)]
		if ref.db.Check(query.Query, ref.anyTrip(random, len(query.Plan))).Final {
			passed++
		}
	}
	if sum, n := scores(got, "ReAct", ""); passed > 0 || sum > 0 || n < 24 || documented["formal-llm-5, trips"] != "0" {
		t.Errorf("formal-llm-5: random trips score %v of %d; %d of %d pass by chance, in the documentation %s", sum, n, passed, trips, documented["formal-llm-5, trips"])
	}
	delivered := 0.0
	for _, o := range got.Outcomes {
		for _, m := range o.Measures {
			if o.Method == "ReAct" && m.Name == "delivered" {
				delivered += m.Count
			}
		}
	}
	if delivered == 0 {
		t.Error("random trips have not the right form")
	}
	a, n := scores(got, "Formal-LLM", "")
	b, m := scores(uniformly(t, "formal-llm-5", w, settings), "Formal-LLM", "")
	if n != m || !near(a-b, n, 0, 0.5*math.Sqrt2) {
		t.Errorf("formal-llm-5: random choices score %v, uniform ones %v of %d", a, b, n)
	}

	for _, name := range []string{"crouse-2023-1", "crouse-2024-1", "crouse-2024-2"} {
		w := openedLab(t, name)
		ref := newSolutions(t, s, name, w)
		answers, right := map[string][]string{}, map[string]float64{}
		for _, q := range ref.questions {
			answers[q.Group] = append(answers[q.Group], q.Answer)
		}
		answers["Fever"] = []string{"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}
		count := map[string]float64{}
		for _, q := range ref.questions {
			count[q.Group]++
			for _, answer := range answers[q.Group] {
				if monitor.SameAnswer(answer, q.Answer) {
					right[q.Group] += 1 / float64(len(answers[q.Group]))
				}
			}
		}
		p := &labPlayer{t: t, web: none, answer: func(a asked) string {
			list := slices.Sorted(slices.Values(answers[a.cell.Group]))
			answer := list[random.IntN(len(list))]
			switch {
			case strings.HasPrefix(a.prompt(), "The calls of a plan to answer"):
				return answer
			case strings.HasPrefix(a.cell.Method, "Direct") && !strings.Contains(a.prompt(), "[Final Thought]"):
				return "[Answer] " + answer
			case strings.Contains(a.cell.Method, "k = "):
				return "Final Thought: I guess.\nAnswer: " + answer
			}
			return "[Thought] I guess.\n[Final Thought] I guess.\n[Answer] " + answer
		}}
		got := p.play(s, name, w, lab.Settings{Seeds: []uint64{1, 2}})
		for group := range count {
			chance := right[group] / count[group]
			if want := documented[name+", "+group]; fmt.Sprintf("%.2f", chance) != want {
				t.Errorf("%s, %s: the chance is %.3f, in the documentation %s", name, group, chance, want)
			}
			for method := range ref.methods {
				if sum, n := scores(got, method, group); !near(sum, n, chance, math.Sqrt(chance*(1-chance))) {
					t.Errorf("%s, %s, %s: random answers score %v of %d, by chance %.3f", name, method, group, sum, n, chance)
				}
			}
		}
	}
}
