package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/apibank"
	corebench "github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/formulate"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// solutions has the reference answers of an experiment's tasks.
type solutions struct {
	t         *testing.T
	solvers   *host.Solvers
	name      string
	w         workspace.Workspace
	methods   map[string]lab.Method
	questions map[string]lab.Question
	trips     []travel.Sample
	db        *travel.DB
	bank      *apibank.Simulator
	labels    map[string]map[string]string // of the letters of grammars
	cells     map[string]lab.Cell          // of the simulated model, by method and task
	trip      map[string][]string          // steps of a trip that passes, by task
	results   map[string]formulate.Result  // of LLMFP's problems, by task
	golds     map[string]*gold             // by cell
}

func newSolutions(t *testing.T, s *host.Solvers, name string, w workspace.Workspace) *solutions {
	t.Helper()
	out := &solutions{
		t: t, solvers: s, name: name, w: w, methods: map[string]lab.Method{}, questions: map[string]lab.Question{}, labels: map[string]map[string]string{},
		cells: map[string]lab.Cell{}, trip: map[string][]string{}, results: map[string]formulate.Result{}, golds: map[string]*gold{},
	}
	x, found := lab.Parse(source.NewFile(name, w.Files[0].Text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	for _, m := range x.Methods {
		out.methods[m.Name] = m
	}
	cells, _, err := x.Cells(w.Files, lab.Settings{Models: []lab.NamedModel{{Name: "first", Spec: llm.Spec{Kind: llm.KindFirst}}}, Seeds: []uint64{1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		out.cells[c.Outcome.Method+" | "+taskOf(c.Outcome)] = c
	}
	for _, f := range w.Files {
		switch {
		case strings.HasSuffix(f.Name, ".jsonl") && strings.HasPrefix(f.Name, "questions/"):
			at := 0
			for line := range strings.Lines(f.Text) {
				var q lab.Question
				if err := json.Unmarshal([]byte(line), &q); err != nil {
					t.Fatal(err)
				}
				out.questions[fmt.Sprintf("%s %d", f.Name, at)] = q
				at++
			}
		case f.Name == "travelplanner/queries.json":
			if out.trips, err = travel.ParseSamples(f.Text); err != nil {
				t.Fatal(err)
			}
		case f.Name == "travelplanner/data.json":
			if out.db, err = travel.Open(f.Text); err != nil {
				t.Fatal(err)
			}
		case f.Name == "apibank/level3.jsonl":
			tasks, err := apibank.ReadTasks(f.Text)
			if err != nil {
				t.Fatal(err)
			}
			out.bank = apibank.NewSimulator(tasks)
		case strings.HasSuffix(f.Name, ".cfg"):
			labels := map[string]string{}
			for _, m := range regexp.MustCompile(`(?m)^(\w+) as "(.*)"`).FindAllStringSubmatch(f.Text, -1) {
				labels[m[1]] = m[2]
			}
			out.labels[f.Name] = labels
		}
	}
	return out
}

// allJudged reports cells without an outcome and methods without a score. Methods that learn ask no
// model.
func (s *solutions) allJudged(r lab.Result) {
	done, scored := map[string]bool{}, map[string]bool{}
	for _, o := range r.Outcomes {
		done[o.Method+" | "+taskOf(o)] = true
		for _, m := range o.Measures {
			scored[o.Method] = scored[o.Method] || m.Name == "score"
		}
	}
	for key, c := range s.cells {
		if s.methods[c.Outcome.Method].Kind != lab.MethodLearn && !done[key] {
			s.t.Errorf("%s: %s is not asked", s.name, key)
		}
	}
	for name, m := range s.methods {
		if m.Kind != lab.MethodLearn && !scored[name] {
			s.t.Errorf("%s: %s has no score", s.name, name)
		}
	}
}

// taskOf returns the source of a cell's task and its index there.
func taskOf(o lab.Outcome) string { return strings.Split(o.Key, " | ")[2] }

func indexOf(o lab.Outcome) int {
	task := taskOf(o)
	n, _ := strconv.Atoi(task[strings.LastIndexByte(task, ' ')+1:])
	return n
}

// answer is the reference's answer to a request.
func (s *solutions) answer(a asked) string {
	m := s.methods[a.cell.Method]
	switch m.Kind {
	case lab.MethodBaseline:
		_, steps, err := lab.BestPlan(s.w.Files, "openagi-tasks", indexOf(a.cell))
		if err != nil {
			s.t.Error(err)
		}
		for i := range steps {
			steps[i] = fmt.Sprintf("Step %d: %s", i+1, steps[i])
		}
		return strings.Join(steps, "\n")
	case lab.MethodPlan:
		return s.choose(a)
	case lab.MethodMonitor:
		return s.monitored(a, s.questions[taskOf(a.cell)])
	case lab.MethodBenchmark:
		return s.contested(a, m.Argument)
	default:
		return s.formulated(a)
	}
}

var (
	decidedStep = regexp.MustCompile(`(?m)^- `)
	choiceLine  = regexp.MustCompile(`(?m)^(\d+): (.*)$`)
)

// choose returns the number of the choice that the reference plan makes.
func (s *solutions) choose(a asked) string {
	prompt := a.turns[0].Content
	at, want := len(decidedStep.FindAllString(prompt, -1)), ""
	if s.trips != nil {
		if steps := s.tripSteps(a); at < len(steps) {
			want = steps[at]
		}
		for _, c := range choiceLine.FindAllStringSubmatch(prompt, -1) {
			if c[2] == want {
				return c[1]
			}
		}
		return "1"
	}
	word, _, err := lab.BestPlan(s.w.Files, "openagi-tasks", indexOf(a.cell))
	if err != nil {
		s.t.Error(err)
	}
	if at < len(word) {
		want = s.labels["openagi-tasks/"+s.cells[a.cell.Method+" | "+taskOf(a.cell)].Name][word[at]]
	}
	for _, c := range choiceLine.FindAllStringSubmatch(prompt, -1) {
		if c[2] == want || c[2] == "the output of "+want {
			return c[1]
		}
	}
	s.t.Errorf("%s: no choice is %q in\n%s", a.cell.Key, want, prompt)
	return "1"
}

var priced = regexp.MustCompile(`\$(\d+)`)

var placeName = regexp.MustCompile(`(?:see|at|flight) ([^($]+)`)

// cheapest returns the number of the cheapest choice of a trip, or now and then of another one.
// Places of the reference plan count as free. A meal that the trip may omit, because the next leg is
// a choice, too, is omitted: the leg is paid in any case.
func cheapest(prompt, plan string, random *rand.Rand, error float64) string {
	best, least := "1", 1<<30
	choices := choiceLine.FindAllStringSubmatch(prompt, -1)
	leaves := slices.ContainsFunc(choices, func(c []string) bool { return !strings.Contains(c[2], ": have ") })
	for _, c := range choices {
		price := 0
		if m := priced.FindStringSubmatch(c[2]); m != nil {
			price, _ = strconv.Atoi(m[1])
		}
		for _, m := range placeName.FindAllStringSubmatch(c[2], -1) {
			if strings.Contains(plan, strings.Trim(m[1], " ,")) {
				price = 0
			}
		}
		if leaves && strings.Contains(c[2], ": have ") {
			price += 10_000
		}
		if random.Float64() < error {
			price = random.IntN(1000)
		}
		if price < least {
			best, least = c[1], price
		}
	}
	return best
}

// tripSteps returns the steps of a trip that meets all constraints. The automaton has all of them
// but the budget, so that cheap choices lead to one.
func (s *solutions) tripSteps(a asked) []string {
	if steps, ok := s.trip[taskOf(a.cell)]; ok {
		return steps
	}
	c := s.cells[a.cell.Method+" | "+taskOf(a.cell)]
	trip := s.trips[indexOf(a.cell)]
	flow, err := s.db.Flow(trip.Query)
	if err != nil {
		s.t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 5))
	for try := range 200 {
		p := &labPlayer{t: s.t, answer: func(a asked) string {
			return cheapest(a.turns[0].Content, trip.Plan.JSON(), random, min(float64(try)/100, 0.3))
		}}
		outcome, err := (&host.Runner{Handler: host.Native(session.New()), Client: &http.Client{Transport: p}}).Run(context.Background(), session.RunStartParams{
			Kind: c.Kind, Workspace: session.RunWorkspace{Files: c.Files, Name: c.Name}, Settings: []byte(strings.Replace(string(c.Settings), `{"kind":"first"}`, playerSpec, 1))})
		if err != nil {
			s.t.Fatal(err)
		}
		var made struct {
			Word  []string `json:"word"`
			Steps []struct {
				Text string `json:"text"`
			} `json:"steps"`
		}
		if err := json.Unmarshal(outcome.Result, &made); err != nil {
			s.t.Fatal(err)
		}
		texts := make([]string, len(made.Steps))
		for i, step := range made.Steps {
			texts[i] = step.Text
		}
		if plan, err := flow.TripOf(trip.Query, made.Word, texts); err == nil && s.db.Check(trip.Query, plan).Final {
			s.trip[taskOf(a.cell)] = texts
			return texts
		}
	}
	s.t.Errorf("%s: no cheap trip passes", a.cell.Key)
	s.trip[taskOf(a.cell)] = nil
	return nil
}

// written returns the text that an agent has written so far.
func (a asked) written() string {
	for _, t := range slices.Backward(a.turns) {
		if t.Role == "assistant" {
			return t.Content
		}
	}
	return ""
}

func (s *solutions) monitored(a asked, q lab.Question) string {
	prompt, text := a.prompt(), a.written()
	mark := func(name string) string {
		if strings.Contains(a.cell.Method, "k = ") {
			return name + ":"
		}
		return "[" + name + "]"
	}
	call := func(i int, thought, label string) string {
		step := q.Steps[i]
		if label != "" {
			label = "[Action Label] " + label + "\n"
		}
		return mark(thought) + " " + step.Thought + "\n" + label + mark("Action") + " " + step.Tool + "\n" + mark("Action Input") + " " + step.Input + "\n"
	}
	final := mark("Final Thought") + " " + q.Final + "\n" + mark("Answer") + " " + q.Answer
	switch {
	case strings.HasPrefix(prompt, "The calls of a plan to answer"):
		return q.Answer
	case strings.HasPrefix(prompt, "An agent found these statements"):
		return q.Final
	case strings.HasPrefix(a.cell.Method, "Direct"):
		return "[Answer] " + q.Answer
	case strings.HasPrefix(a.cell.Method, "CoT"):
		return "[Thought] " + strings.ReplaceAll(q.Final, "\n", " ") + "\n[Answer] " + q.Answer
	case a.cell.Method == "ReWOO":
		var b strings.Builder
		for i := range q.Steps {
			b.WriteString(call(i, "Plan", fmt.Sprintf("#E%d", i+1)))
		}
		return b.String()
	case strings.HasPrefix(a.cell.Method, "PASS"):
		if at := strings.Count(text, "[Summary]"); at < len(q.Steps) {
			return call(at, "Thought", "") + "[Summary]"
		}
		return final
	}
	most := len(q.Steps)
	if strings.Contains(a.cell.Method, "k = ") {
		most = min(most, 3) // (:loops 3)
	}
	if at := strings.Count(text, mark("Observation")); at < most {
		return call(at, "Thought", "")
	}
	return final
}

// rehearsal returns the reference of a benchmark's task. Its sub-tasks are marked by their numbers.
func (s *solutions) rehearsal(o lab.Outcome) corebench.Rehearsal {
	r := corebench.Rehearsal{}
	if s.bank != nil {
		r = s.bank.Rehearsal(s.bank.Tasks()[indexOf(o)])
	} else {
		trip := s.trips[indexOf(o)]
		r = s.db.Rehearsal(trip.Query, trip.Plan)
	}
	subtasks := slices.Clone(r.Graph.Subtasks)
	for i := range subtasks {
		subtasks[i].Task = "(" + subtasks[i].ID + ") " + subtasks[i].Task
	}
	r.Graph.Subtasks = subtasks
	return r
}

var partMark = regexp.MustCompile(`\(t(\d+)\) `)

func (s *solutions) contested(a asked, method string) string {
	r := s.rehearsal(a.cell)
	right := make([]int, len(r.Parts))
	prompt := a.turns[0].Content
	observed := strings.Count(a.written(), "[Observation]")
	part := 0
	if m := partMark.FindStringSubmatch(a.turns[min(1, len(a.turns)-1)].Content); m != nil {
		part, _ = strconv.Atoi(m[1])
	}
	switch {
	case strings.HasPrefix(prompt, "You manage a team."):
		return corebench.Written(r.Graph)
	case strings.HasPrefix(prompt, "A team does a task in sub-tasks."):
		return corebench.Written(map[string]string{"task": fmt.Sprintf("(t%d) %s", part, "Do it with the results.")})
	case strings.HasPrefix(prompt, "A team has worked on a task."), method == "sole":
		return r.Answer(right, 0)
	case method == "team":
		texts := r.Parts[part-1].Variants[0]
		return texts[min(observed, len(texts)-1)]
	}
	var texts []string
	for _, p := range r.Parts {
		texts = append(texts, p.Variants[0][:len(p.Variants[0])-1]...)
	}
	texts = append(texts, corebench.FinalAnswer(r.Answer(right, 0)))
	text := texts[min(observed, len(texts)-1)]
	if method == "act" {
		text = text[max(strings.Index(text, "\n[A")+1, 0):]
	}
	return text
}

// solved returns the result of the simulated model that writes the reference formulation.
func (s *solutions) solved(o lab.Outcome) formulate.Result {
	task := taskOf(o)
	if result, ok := s.results[task]; ok {
		return result
	}
	c := s.cells["LLMFP | "+task]
	outcome, err := (&host.Runner{Handler: host.Native(session.New()), Solve: s.solvers.Solve}).Run(context.Background(), session.RunStartParams{
		Kind: c.Kind, Workspace: session.RunWorkspace{Files: c.Files, Name: c.Name}, Settings: c.Settings, Seed: 1})
	if err != nil {
		s.t.Fatal(err)
	}
	var made formulate.Result
	if err := json.Unmarshal(outcome.Result, &made); err != nil {
		s.t.Fatal(err)
	}
	s.results[task] = made
	return made
}

// formulation returns a file of a query's reference formulation.
func (s *solutions) formulation(o lab.Outcome, ending string) string {
	for _, f := range s.cells["LLMFP | "+taskOf(o)].Files {
		if strings.HasSuffix(f.Name, ending) {
			return f.Text
		}
	}
	return ""
}

func (s *solutions) formulated(a asked) string {
	prompt := a.turns[0].Content
	starts := func(text string) bool { return strings.HasPrefix(prompt, text) }
	switch {
	case starts("A solver will solve a planning problem exactly"):
		return s.formulation(a.cell, "/goal.md")
	case starts("A planning problem will be formulated for a solver. Describe"), starts("A solver will find a plan of several steps"):
		return s.formulation(a.cell, "/variables.json")
	case starts("Formulate a planning problem for a solver."), strings.Contains(prompt, "Formulate this problem for a solver."):
		for _, ending := range []string{"/model.smt2", "/model.pddl"} {
			if text := s.formulation(a.cell, ending); text != "" {
				return "```\n" + text + "\n```"
			}
		}
	case starts("A solver has solved"):
		return fmt.Sprintf(`{"answer": %s, "constraints": [], "sensible": {"holds": true, "reason": "It can be carried out."}}`, s.solved(a.cell).Answer)
	case starts("A planning problem was formulated"):
		var steps []string
		for i := range 1 + strings.Count(prompt, "\nStep ") {
			steps = append(steps, fmt.Sprintf(`{"step": %d, "reason": "It is right.", "right": true, "how": null, "instead": null}`, i+1))
		}
		return `{"steps": [` + strings.Join(steps, ", ") + `]}`
	}
	if s.solved(a.cell).Status == formulate.StatusInfeasible {
		return `{"no_plan": true}`
	}
	return string(s.solved(a.cell).Answer)
}
