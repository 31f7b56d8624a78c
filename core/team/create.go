package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// MaxCreated is the maximum number of executors that a manager may create.
const MaxCreated = 12

// maxCreatedText bounds the instructions of a created executor, in bytes.
const maxCreatedText = 8_000

// Created is an executor that the manager creates for a task. It has the formulas of the executors
// whose tools it has, so that it evades none of them, and no checks of its own.
type Created struct {
	Name  string   `json:"name"`
	Does  string   `json:"does"`  // its instructions
	Tools []string `json:"tools"` // of the team's executors
}

// createdSchema is the schema of Graph.Executors, without the required keys.
const createdSchema = `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"does":{"type":"string"},"tools":{"type":"array","items":{"type":"string"}}},`

// graphSchema returns the schema of a manager's answer.
func (s Settings) graphSchema() string {
	if s.Create == 0 {
		return GraphSchema
	}
	return strings.Replace(strings.Replace(GraphSchema, `"global":{`, `"executors":`+createdSchema+`"required":["name","does","tools"],"additionalProperties":false}},"global":{`, 1),
		`"required":["thought","subtasks","global"]`, `"required":["thought","executors","subtasks","global"]`, 1)
}

// createPrompt is the part of a manager's prompt about creating executors; "" if it may create none.
func (r *run) createPrompt() string {
	if r.settings.Create == 0 {
		return ""
	}
	tools := "it has no tools, so the list is empty"
	if names := r.base.tools(); len(names) > 0 {
		tools = "its tools, each one of " + strings.Join(names, ", ") + ", or none"
	}
	return fmt.Sprintf(`

If no member can do a sub-task, you may create executors, at most %d. Add them to the object, before the sub-tasks:
"executors": [{"name": …, "does": …, "tools": […]}, …]
- name: a new name of letters, digits, - and _.
- does: the instructions of the executor in complete sentences; they are its prompt, for example "Finds train connections and their prices. Names the operator."
- tools: %s.
Without new executors, the list is empty.`, r.settings.Create, tools)
}

// tools returns the names of the tools of all executors.
func (s *Spec) tools() []string {
	var out []string
	for _, e := range s.Executors {
		for _, t := range e.Tools {
			if !slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, t.Name) }) {
				out = append(out, t.Name)
			}
		}
	}
	return out
}

// with returns the team with created executors; without any, the team itself.
func (s *Spec) with(created []Created) *Spec {
	if len(created) == 0 {
		return s
	}
	out := *s
	out.Executors = slices.Clone(s.Executors)
	for _, c := range created {
		e := Executor{Name: c.Name, Does: strings.TrimSpace(c.Does)}
		for _, name := range c.Tools {
			e.Tools = append(e.Tools, Tool{Name: s.tool(name)})
		}
		for _, o := range s.Executors {
			if slices.ContainsFunc(o.Tools, func(t Tool) bool {
				return slices.ContainsFunc(e.Tools, func(u Tool) bool { return strings.EqualFold(t.Name, u.Name) })
			}) {
				for _, k := range o.Constraints {
					if k.Formula != nil {
						e.Constraints = append(e.Constraints, k)
					}
				}
			}
		}
		out.Executors = append(out.Executors, e)
	}
	return &out
}

// tool returns the name of a tool as the team writes it.
func (s *Spec) tool(name string) string {
	for _, t := range s.tools() {
		if strings.EqualFold(t, name) {
			return t
		}
	}
	return name
}

// checkCreated reports the faults of created executors.
func (r Reader) checkCreated(list []Created, fault func(format string, arguments ...any)) {
	if len(list) > r.Create {
		if r.Create == 0 {
			fault("executors may not be created; assign each sub-task to one of %s", strings.Join(r.Spec.names(), ", "))
		} else {
			fault("there are %d new executors, but at most %d are allowed", len(list), r.Create)
		}
		return
	}
	names, tools := r.Spec.names(), r.Spec.tools()
	for i, e := range list {
		switch {
		case e.Name == "":
			fault("the new executor number %d has no name", i+1)
		case !createdName(e.Name):
			fault("the name of the new executor %q may contain letters, digits, - and _ only, at most 40", e.Name)
		case slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, e.Name) }):
			fault("the new executor %q has the name of another executor", e.Name)
		case isSubtask(e.Name) || slices.Contains([]string{Manager, Supervisor, Deliverer, Alone}, strings.ToLower(e.Name)):
			fault("the new executor %q has a reserved name", e.Name)
		}
		names = append(names, e.Name)
		switch does := strings.TrimSpace(e.Does); {
		case does == "":
			fault("the new executor %q has no instructions", e.Name)
		case len(does) > maxCreatedText:
			fault("the instructions of the new executor %q are longer than %d bytes", e.Name, maxCreatedText)
		}
		for j, t := range e.Tools {
			same := func(o string) bool { return strings.EqualFold(o, t) }
			switch {
			case !slices.ContainsFunc(tools, same):
				suggestion := " (no executor has tools)"
				if len(tools) > 0 {
					suggestion = " (expected " + strings.Join(tools, ", ") + ")"
				}
				if near := source.Nearest(t, tools); near != "" {
					suggestion = fmt.Sprintf("; did you mean %q?", near)
				}
				fault("the new executor %q has the unknown tool %q%s", e.Name, t, suggestion)
			case slices.ContainsFunc(e.Tools[:j], same):
				fault("the new executor %q has the tool %q twice", e.Name, t)
			}
		}
	}
}

func createdName(name string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return len(name) <= 40
}

// simulatedCreation adds an executor to the graph of a simulated manager that may create some; it
// examines the other results.
func (r *run) simulatedCreation(g *Graph) {
	if r.settings.Create == 0 || len(g.Subtasks) == 0 || len(g.Subtasks) >= min(r.base.Limits.Subtasks, MaxSubtasks) || r.base.Executor("examiner") != nil {
		return
	}
	g.Executors = []Created{{Name: "examiner", Does: "Examines the results of the others for contradictions and gaps, and lists them.", Tools: []string{}}}
	s := Subtask{ID: fmt.Sprintf("t%d", len(g.Subtasks)+1), Executor: "examiner", Task: "Examine the results for this task: " + r.task(), Needs: []string{}, Local: []string{}}
	for _, o := range g.Subtasks {
		s.Needs = append(s.Needs, o.ID)
	}
	g.Subtasks = append(g.Subtasks, s)
}
