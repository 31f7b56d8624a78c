package host_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/apibank"
	corebench "github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/lab"
)

// gold is the data of a task that none of its prompts may contain.
type gold struct {
	texts   []string
	numbers []string // of answers, which the task does not mention
	answer  string   // of a question, as whole words outside of the texts that every question has
	outside func(prompt string) string
}

// add adds texts that are long enough to be no coincidence.
func (g *gold) add(texts ...string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); len(text) > 7 {
			g.texts = append(g.texts, text)
		}
	}
}

// bareNumber matches a number that is long enough to be no coincidence.
var bareNumber = regexp.MustCompile(`\b\d{3,}(?:\.\d+)?\b`)

// count adds the numbers of an answer that the given texts do not mention.
func (g *gold) count(answer string, given ...string) {
	known := bareNumber.FindAllString(strings.Join(given, " "), -1)
	for _, n := range bareNumber.FindAllString(answer, -1) {
		if !slices.Contains(known, n) {
			g.numbers = append(g.numbers, n)
		}
	}
}

// in returns the gold data that a prompt contains.
func (g *gold) in(prompt string) (out []string) {
	for _, text := range g.texts {
		if strings.Contains(prompt, text) {
			out = append(out, text)
		}
	}
	if g.answer != "" && hasWords(g.outside(prompt), g.answer) {
		out = append(out, g.answer)
	}
	numbers := bareNumber.FindAllString(prompt, -1)
	for _, n := range g.numbers {
		if slices.Contains(numbers, n) {
			out = append(out, n)
		}
	}
	return out
}

// hasWords reports whether a text contains words as a whole, in any case of their letters.
func hasWords(text, words string) bool {
	text, words = strings.ToLower(text), strings.ToLower(words)
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		at := strings.Index(text[from:], words)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+at])
		from += at + len(words)
		if after, _ := utf8.DecodeRuneInString(text[from:]); !letter(before) && !letter(after) {
			return true
		}
	}
}

// leaks returns the gold data that a request contains.
func (s *solutions) leaks(a asked) []string { return s.gold(a.cell).in(a.prompt() + "\n") }

// gold returns the data that no prompt of a task may contain.
func (s *solutions) gold(o lab.Outcome) *gold {
	g, known := s.golds[o.Key]
	if known {
		return g
	}
	g = &gold{}
	switch kind := s.methods[o.Method].Kind; {
	case kind == lab.MethodMonitor:
		s.questionGold(o, g)
	case kind == lab.MethodFormulate:
		s.formulationGold(o, g)
	case s.bank != nil:
		s.bankGold(o, g)
	case s.trips != nil:
		s.tripGold(o, g)
	default:
		s.toolsGold(o, g)
	}
	s.golds[o.Key] = g
	return g
}

// untold returns the gold data in the prompts of a model that answers with the reference which the
// model has not written before, in the same cell, and which none of its tools has returned: so the
// prompts that follow right answers, such as a supervisor's, contain none either.
func (s *solutions) untold(log []asked) (out []string) {
	known := map[string]string{}
	for _, a := range log {
		said := known[a.cell.Key]
		found := s.leaks(a)
		found = slices.DeleteFunc(found, func(text string) bool { return s.knows(a.cell, said, text) })
		if len(found) > 0 {
			found = slices.DeleteFunc(found, func(text string) bool { return s.knows(a.cell, said+s.returned(a.cell, said), text) })
		}
		for _, text := range found {
			out = append(out, a.cell.Key+": "+text)
		}
		known[a.cell.Key] = said + a.said + "\n"
	}
	return out
}

// knows reports whether a text contains a piece of gold data; a number only as a whole.
func (s *solutions) knows(o lab.Outcome, text, piece string) bool {
	if slices.Contains(s.gold(o).numbers, piece) {
		return slices.Contains(bareNumber.FindAllString(text, -1), piece)
	}
	if piece == s.gold(o).answer {
		return hasWords(text, piece)
	}
	return strings.Contains(text, piece)
}

// toolCall matches a call as an agent writes it.
var toolCall = regexp.MustCompile(`Action(?:\]|:) (.+)\n\[?Action Input(?:\]|:) (.+)`)

// returned returns the results of the tools that a model has called in a text: those that are
// recorded, or the solver's.
func (s *solutions) returned(o lab.Outcome, said string) string {
	var b strings.Builder
	if s.methods[o.Method].Kind == lab.MethodFormulate {
		for _, ending := range []string{"/model.smt2", "/model.pddl"} {
			if model := s.formulation(o, ending); model != "" && strings.Contains(said, model) {
				r := s.solved(o)
				b.WriteString(corebench.Written([]any{r.Objective, r.Solution, r.Steps, r.Base}))
			}
		}
		return b.String()
	}
	for _, call := range toolCall.FindAllStringSubmatch(said, -1) {
		tool, input := strings.TrimSpace(call[1]), strings.TrimSpace(call[2])
		if s.bank != nil {
			if c, err := apibank.CallOf(tool, []byte(input)); err == nil {
				b.Write(s.bank.Do(c).Output)
				b.WriteByte('\n')
			}
		}
		for _, step := range s.questions[taskOf(o)].Steps {
			if step.Tool == "Calculator" && tool == step.Tool && input == step.Input {
				b.WriteString(step.Result + "\n")
			}
		}
	}
	return b.String()
}

// unnoticed returns the gold data that untold does not report if the first prompt of a cell
// contains it.
func (s *solutions) unnoticed(log []asked) (out []string) {
	for _, a := range log {
		if a.number > 0 {
			continue
		}
		g := s.gold(a.cell)
		for _, piece := range slices.Concat(g.texts, g.numbers, []string{g.answer}) {
			planted := a
			planted.turns = []turnText{{"user", piece}}
			if piece != "" && !slices.Contains(s.untold([]asked{planted}), a.cell.Key+": "+piece) {
				out = append(out, a.cell.Key+": "+piece)
			}
		}
	}
	return out
}

func (s *solutions) toolsGold(o lab.Outcome, g *gold) {
	word, steps, _ := lab.BestPlan(s.w.Files, "openagi-tasks", indexOf(o))
	if len(steps) > 1 { // one step may be a part of any plan
		var plan strings.Builder
		for i, step := range steps {
			fmt.Fprintf(&plan, "Step %d: %s\n", i+1, step)
		}
		g.add(plan.String())
	}
	g.add(strings.Join(word, " "))
}

func (s *solutions) bankGold(o lab.Outcome, g *gold) {
	r := s.rehearsal(o)
	task := s.bank.Tasks()[indexOf(o)]
	g.add(r.Answer(make([]int, len(r.Parts)), 0), task.Response)
	g.count(task.Response, task.Requirement)
	for _, call := range task.Calls {
		if call.Name != apibank.Searcher {
			g.add(call.Name, call.Call().String())
			g.count(string(call.Input)+string(call.Output), task.Requirement)
		}
	}
}

func (s *solutions) tripGold(o lab.Outcome, g *gold) {
	r := s.rehearsal(o)
	g.add(r.Answer(make([]int, len(r.Parts)), 0))
	for _, t := range r.Graph.Subtasks {
		g.add(partMark.ReplaceAllString(t.Task, ""))
	}
	trip := s.trips[indexOf(o)]
	for _, day := range trip.Plan {
		g.add(corebench.Written(day))
	}
	given := trip.Query.Words()
	for _, f := range s.w.Files { // the prices of the records
		if f.Name == "travelplanner/data.json" {
			given += f.Text
		}
	}
	g.count(strconv.Itoa(s.db.Check(trip.Query, trip.Plan).Cost.Total), given)
	if m := s.methods[o.Method]; !m.Checked {
		g.add("minimum stay", "such as a budget", "No restaurant and no attraction occurs twice", "visits no other city twice", "Every stay has at least the minimum number", "a day without travel has three meals", "the budget covers it", "Use only information that a tool returned")
		if len(m.Hints) == 0 {
			g.add("No restaurant may be chosen twice", "not at an airport")
		}
	}
}

// fileNames matches the files that an agent names.
var fileNames = regexp.MustCompile(`"([^"]+\.(?:txt|agent))"`)

// listNumber matches the number of a line in a list of results.
var listNumber = regexp.MustCompile(`^\d+[.:)] `)

// outside returns a prompt of a question without the texts that are the same for every question: the
// question itself, which names the three labels of Fever, the descriptions of tools, the numbers of lists, and, each as often
// as the agent has them, the lines of its instructions and examples. These may contain an answer.
func (s *solutions) outside(o lab.Outcome, prompt string) string {
	most := map[string]int{}
	c, m := s.cells[o.Method+" | "+taskOf(o)], s.methods[o.Method]
	agents := []string{c.Name, m.Then}
	for _, then := range m.Thens {
		agents = append(agents, then.Agent)
	}
	text := map[string]string{}
	for _, f := range c.Files {
		text[f.Name] = f.Text
	}
	for _, agent := range agents {
		lines := map[string]int{}
		for _, name := range fileNames.FindAllStringSubmatch(text[agent], -1) {
			for line := range strings.Lines(text[name[1]]) {
				lines[strings.TrimSpace(line)]++
			}
		}
		for line, n := range lines {
			most[line] = max(most[line], n)
		}
	}
	// Agents normalise the spaces of a question.
	question := s.questions[taskOf(o)].Question
	prompt = strings.ReplaceAll(prompt, question, "")
	prompt = strings.ReplaceAll(prompt, strings.Join(strings.Fields(question), " "), "")
	var b strings.Builder
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		tool := slices.ContainsFunc([]string{"Search: ", "Lookup: ", "Calculator: "}, func(name string) bool { return strings.HasPrefix(line, name) })
		if most[line]--; most[line] < 0 && !tool {
			b.WriteString(listNumber.ReplaceAllString(line, "") + "\n")
		}
	}
	return b.String()
}

func (s *solutions) questionGold(o lab.Outcome, g *gold) {
	q := s.questions[taskOf(o)]
	given := q.Question
	for _, f := range s.w.Files {
		if strings.HasPrefix(f.Name, "agents") { // their examples
			given += f.Text
		}
	}
	add := func(text string) {
		if !strings.Contains(q.Question, text) {
			g.add(text)
		}
	}
	g.answer, g.outside = q.Answer, func(prompt string) string { return s.outside(o, prompt) }
	if q.Final != "That is all." {
		add(q.Final)
	}
	g.count(q.Answer+" "+q.Final, given)
	for _, step := range q.Steps {
		add(step.Thought)
		add(step.Result)
		g.count(step.Result, given)
	}
}

func (s *solutions) formulationGold(o lab.Outcome, g *gold) {
	given := ""
	for _, name := range []string{"/task.md", "/data.json", "/api.smt2", "/query.md", "/output.json"} {
		given += s.formulation(o, name)
	}
	for line := range strings.Lines(s.formulation(o, "/model.smt2")) {
		if line = strings.TrimSpace(line); len(line) > 30 && !strings.Contains(given, line) {
			g.add(line)
		}
	}
	g.add(s.formulation(o, "/model.pddl"), s.formulation(o, "/goal.md"), s.formulation(o, "/variables.json"))
	solved := s.solved(o)
	if solved.Steps != nil { // a single step is gold, too, unless the domain's own text has it
		own := s.formulation(o, "/task.md") + s.formulation(o, "/query.md")
		for _, step := range solved.Steps.Plan {
			if !strings.Contains(own, step) && !slices.Contains(g.texts, step) {
				g.add(step)
			}
		}
	}
	if answer := string(solved.Answer); answer != "null" {
		g.add(answer)
		g.count(answer, given)
	}
	g.count(solved.Objective, given)
}
