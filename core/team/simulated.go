package team

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/sexpr"
)

// simulated returns a model that plays a role without an endpoint. The kind "first" gives
// every executor one sub-task, the last of which needs all others; the other kinds draw
// the needs at random. A rambler also makes the mistakes of the role at its rate.
func (r *run) simulated(role string, w *work, spec llm.Spec) llm.Model {
	return llm.Simulate(func(env *process.Env, _ llm.Request) (string, error) {
		errs := spec.Kind == llm.KindRambler && env.Rand().Float64() < spec.ErrorRate
		switch role {
		case Manager:
			g := r.simulatedGraph(env, spec.Kind == llm.KindFirst)
			r.simulatedCreation(g)
			if errs {
				return r.mistake(env, g), nil
			}
			return g.JSON(), nil
		case Supervisor:
			if errs {
				return `{"task": `, nil
			}
			given := make([]string, len(w.sub.Needs))
			for i, b := range r.before(w) {
				given[i] = b.text
			}
			text, err := json.Marshal(map[string]string{"task": w.sub.Task + " Given: " + strings.Join(given, "; ")})
			return string(text), err
		}
		if errs {
			return "That depends.", nil
		}
		var b strings.Builder
		for _, w := range r.works {
			if w.state == StateDone {
				fmt.Fprintf(&b, "%s: %s\n", w.executor.Name, w.text)
			}
		}
		if b.Len() == 0 {
			return "This is what I think of it.", nil
		}
		return b.String(), nil
	})
}

func (r *run) simulatedGraph(env *process.Env, first bool) *Graph {
	g := &Graph{Global: []string{}}
	n := min(len(r.spec.Executors), r.spec.Limits.Subtasks)
	for i := range n {
		e := r.spec.Executors[i]
		s := Subtask{ID: fmt.Sprintf("t%d", i+1), Executor: e.Name, Task: strings.TrimSuffix(e.Does, ".") + ", for this task: " + r.task(), Needs: []string{}, Local: []string{}}
		for j := range i {
			if first && i == n-1 || !first && env.Rand().IntN(3) == 0 {
				s.Needs = append(s.Needs, fmt.Sprintf("t%d", j+1))
			}
		}
		g.Subtasks = append(g.Subtasks, s)
	}
	return g
}

// mistake returns a faulty answer of the manager: text without a graph, or a graph with a random fault.
func (r *run) mistake(env *process.Env, g *Graph) string {
	first := &g.Subtasks[0]
	switch env.Rand().IntN(6) {
	case 0:
		return "I would first look around, and then write everything down."
	case 1:
		return strings.TrimSuffix(g.JSON(), "}")
	case 2:
		first.Executor += "-office"
	case 3:
		first.Needs = append(first.Needs, "t99")
	case 4:
		first.Needs = append(first.Needs, g.Subtasks[len(g.Subtasks)-1].ID)
		g.Subtasks[len(g.Subtasks)-1].Needs = []string{first.ID}
	default:
		first.Task = ""
	}
	return g.JSON()
}

// quotedNames returns names as strings of an s-expression.
func quotedNames(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = sexpr.Quote(n)
	}
	return strings.Join(out, " ")
}
