package team

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// maxFaults limits the faults in one message; a model does not fix more at once.
const maxFaults = 8

// maxGraph limits the length of an answer with a graph, in bytes.
const maxGraph = 1 << 20

// Reader reads task graphs for a team.
type Reader struct {
	Spec   *Spec        // without created executors
	Shape  *Shape       // nil: any order is allowed
	Meter  *meter.Meter // nil: no limit
	Create int          // the maximum number of created executors
}

// Read reads a manager's answer. It returns a graph, or descriptions of the faults that
// are precise enough for a model to fix them. The error is that of the meter.
func (r Reader) Read(text string) (g *Graph, faults []string, err error) {
	if len(text) > maxGraph {
		return nil, []string{fmt.Sprintf("the answer is longer than %d bytes", maxGraph)}, nil
	}
	tree, syntax, ok := json.Find(text)
	if !ok {
		if !strings.Contains(text, "{") {
			return nil, []string{"the answer contains no JSON; answer with only the JSON object"}, nil
		}
		return nil, []string{"the answer is not JSON" + json.Near(text, syntax)}, nil
	}
	if tree.Kind == '[' && len(tree.Items) > 0 && tree.Items[0].Kind == '{' { // only the list
		raw := `{"subtasks":` + tree.Text + `}`
		tree = &json.Node{Kind: '{', Text: raw}
	}
	raw := json.RawMessage(tree.Text)
	var fault *tool.CallFault
	if err := tool.Validate(json.RawMessage(loose), raw); errors.As(err, &fault) {
		return nil, []string{"the JSON does not have the required form: " + strings.TrimPrefix(fault.Message, "arguments.")}, nil
	} else if err != nil {
		return nil, []string{err.Error()}, nil
	}
	g = &Graph{}
	if err := json.Unmarshal(raw, g); err != nil {
		return nil, []string{"the JSON does not have the required form: " + err.Error()}, nil
	}
	if faults, err = r.Check(g); len(faults) > 0 || err != nil {
		return nil, faults, err
	}
	return g, nil, nil
}

// Check renames the sub-tasks to t1, t2, … and returns the faults of the graph, at most
// maxFaults. The error is that of the meter.
func (r Reader) Check(g *Graph) (faults []string, err error) {
	fault := func(format string, arguments ...any) {
		if len(faults) < maxFaults {
			faults = append(faults, fmt.Sprintf(format, arguments...))
		}
	}
	limit := min(r.Spec.Limits.Subtasks, MaxSubtasks)
	switch n := len(g.Subtasks); {
	case n == 0:
		return []string{"missing sub-tasks; at least one is required"}, nil
	case n > limit:
		return []string{fmt.Sprintf("there are %d sub-tasks, but at most %d are allowed; join those that belong together", n, limit)}, nil
	}
	r.checkCreated(g.Executors, fault)
	r.Spec = r.Spec.with(g.Executors)
	var ids []string
	for i, s := range g.Subtasks {
		switch {
		case strings.TrimSpace(s.ID) == "":
			fault("the sub-task number %d has no id", i+1)
		case slices.Contains(ids, s.ID):
			fault("two sub-tasks have the id %q", s.ID)
		}
		ids = append(ids, s.ID)
		if strings.TrimSpace(s.Task) == "" {
			fault("the sub-task %q has no task", s.ID)
		}
		if r.Spec.Executor(s.Executor) == nil {
			fault("unknown executor %q of the sub-task %q%s", s.Executor, s.ID, meant(s.Executor, r.Spec.names()))
		}
	}
	for _, s := range g.Subtasks {
		for _, id := range s.Needs {
			switch {
			case id == s.ID:
				fault("the sub-task %q needs itself", s.ID)
			case !slices.Contains(ids, id):
				fault("unknown sub-task %q, which the sub-task %q needs%s", id, s.ID, meant(id, ids))
			}
		}
	}
	if len(faults) == 0 {
		if cycle := g.cycle(); cycle != nil {
			fault("the sub-tasks %s depend on each other in a cycle; remove one of these dependencies", strings.Join(cycle, " → "))
		}
	}
	if len(faults) > 0 {
		return faults, nil
	}
	g.normal()
	if r.Shape != nil {
		fits, err := r.Shape.fits(g, r.Meter)
		if err != nil {
			return nil, err
		}
		if !fits {
			fault("no order of the sub-tasks has the executors in an order that %s permits%s", r.Shape.Name, r.Shape.hint())
		}
	}
	if len(faults) == 0 {
		for _, c := range r.Spec.Global {
			if c.Formula == nil {
				continue
			}
			can, err := satisfiable(g, r.Spec, c, r.Meter)
			if err != nil {
				return nil, err
			}
			if !can {
				fault("these sub-tasks contradict the order %s", c)
			}
		}
	}
	return faults, nil
}

// meant suggests a similar name or, if there is none, lists all names.
func meant(name string, names []string) string {
	if near := source.Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return " (expected " + strings.Join(names, ", ") + ")"
}
