package host_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars/experiments"
)

// numberRange matches the numbers of choices in a planner's prompt.
var numberRange = regexp.MustCompile(`from 1 to (\d+)`)

// anyNumber returns a random number of the choices in a prompt, "" without choices.
func anyNumber(prompt string, random *rand.Rand) string {
	m := numberRange.FindStringSubmatch(prompt)
	if m == nil {
		return ""
	}
	n, _ := strconv.Atoi(m[1])
	return strconv.Itoa(1 + random.IntN(n))
}

// wellFormed returns a random answer of the right form: a random choice, plan or step of an agent, and
// otherwise an answer for another task.
func (s *solutions) wellFormed(a asked, random *rand.Rand) string {
	if text := anyNumber(a.prompt(), random); text != "" {
		return text
	}
	m := s.methods[a.cell.Method]
	switch m.Kind {
	case lab.MethodBaseline:
		return s.freeTask(a.cell).plan(random).text()
	case lab.MethodMonitor:
		names := make([]string, 0, len(s.questions))
		for name := range s.questions {
			names = append(names, name)
		}
		slices.Sort(names)
		other := s.questions[names[random.IntN(len(names))]]
		text := s.monitored(a, other)
		if strings.Contains(text, "[Action Label]") && strings.Contains(a.written(), "[Action Input]") {
			return "[Answer]" // the plan ends
		}
		if first, _, _ := strings.Cut(a.cell.Method, ","); strings.Contains(text, "Answer") && random.IntN(2) == 0 && (first == "ReAct" || first == "PASS") {
			step, form := other.Steps[random.IntN(len(other.Steps))], "[Thought] %s\n[Action] %s\n[Action Input] %s\n" // another call
			switch {
			case strings.Contains(a.cell.Method, "k = "):
				form = "Thought: %s\nAction: %s\nAction Input: %s\n"
			case first == "PASS":
				form += "[Summary]"
			}
			text = fmt.Sprintf(form, step.Thought, step.Tool, step.Input)
		}
		return text
	}
	return s.answer(a)
}

// openedLab returns the workspace of a ready experiment.
func openedLab(t *testing.T, name string) workspace.Workspace {
	t.Helper()
	w, err := experiments.Workspace(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Each ready experiment has a budget that is enough for all its cells with an endpoint that gives random
// answers of the right form, next to its simulated models, and with simulated models alone. The calls and
// tokens of a sample of its tasks are scaled to all of them, with a margin.
func TestBudgetsCompleteEveryTable(t *testing.T) {
	all, err := experiments.All()
	if err != nil {
		t.Fatal(err)
	}
	s := solvers(t)
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			whole := openedLab(t, e.Name)
			x, _ := lab.Parse(whole.Files[0].Source())
			w := sampled(t, whole, 1)
			ref := newSolutions(t, s, e.Name, w)
			random := rand.New(rand.NewPCG(5, 9))
			p := &labPlayer{t: t, web: func(*http.Request) string { return "{}" }, answer: func(a asked) string { return ref.wellFormed(a, random) }}
			settings := lab.Settings{Seeds: []uint64{1}, Endpoints: []llm.Endpoint{{Name: "lab", Format: llm.FormatOpenAI, URL: "https://model.test/v1", Model: "m"}}}
			result := p.once(s, e.Name, w, settings)
			if result.Stopped != "" || result.Table.Done != result.Table.Cells {
				t.Fatalf("%q with %d of %d cells", result.Stopped, result.Table.Done, result.Table.Cells)
			}
			asked, cells := 0, 0
			tokens := 0
			for _, a := range p.log {
				tokens += len(a.prompt())/3 + len(a.said)/3 + 300
			}
			for _, o := range result.Outcomes {
				if !o.Simulated {
					asked++
				}
			}
			list, _, err := x.Cells(whole.Files, lab.Settings{Endpoints: settings.Endpoints})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				if !c.Outcome.Simulated {
					cells++
				}
			}
			calls, most := len(p.log)*cells/asked, tokens/asked*cells
			t.Logf("%d of %d cells with %d requests: about %d calls and %d tokens in all, of %d and %d", asked, cells, len(p.log), calls, most, x.Budget.Calls, x.Budget.Tokens)
			if 2*calls > x.Budget.Calls || 2*most > x.Budget.Tokens {
				t.Errorf("about %d calls and %d tokens are more than half of the budget %+v", calls, most, x.Budget)
			}
			simulated := 0.0
			for _, o := range result.Outcomes {
				for _, m := range o.Measures {
					if o.Simulated && m.Name == "calls" {
						simulated += m.Count
					}
				}
			}
			if n := len(list) - cells; n > 0 && result.Table.Done > asked {
				if calls := int(simulated) * n / (result.Table.Done - asked); 2*calls > x.Budget.Calls {
					t.Errorf("about %d calls of simulated models are more than half of the budget %+v", calls, x.Budget)
				}
			}
		})
	}
}
