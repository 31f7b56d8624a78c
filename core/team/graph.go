package team

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Graph is a task that is divided into sub-tasks.
type Graph struct {
	Executors []Created `json:"executors,omitempty"` // that the manager creates
	Subtasks  []Subtask `json:"subtasks"`
	Global    []string  `json:"global"` // constraints on several sub-tasks, from the manager
}

// Subtask is a node of a graph. Its identifier is t and a number.
type Subtask struct {
	ID       string   `json:"id"`
	Task     string   `json:"task"`
	Executor string   `json:"executor"`
	Needs    []string `json:"needs"` // sub-tasks whose results it uses
	Local    []string `json:"local"` // constraints on it, from the manager
}

// GraphSchema is the JSON schema of a manager's answer.
const GraphSchema = `{"type":"object","properties":{` +
	`"thought":{"type":"string"},` +
	`"subtasks":{"type":"array","items":{"type":"object","properties":{` +
	`"id":{"type":"string"},"task":{"type":"string"},"executor":{"type":"string"},` +
	`"needs":{"type":"array","items":{"type":"string"}},"local":{"type":"array","items":{"type":"string"}}},` +
	`"required":["id","task","executor","needs","local"],"additionalProperties":false}},` +
	`"global":{"type":"array","items":{"type":"string"}}},` +
	`"required":["thought","subtasks","global"],"additionalProperties":false}`

// loose is the schema for checking an answer: it allows missing optional keys and further
// keys.
const loose = `{"type":"object","properties":{"subtasks":{"type":"array","items":{"type":"object","properties":{` +
	`"id":{"type":"string"},"task":{"type":"string"},"executor":{"type":"string"},` +
	`"needs":{"type":"array","items":{"type":"string"}},"local":{"type":"array","items":{"type":"string"}}},` +
	`"required":["id","task","executor"]}},"executors":` + createdSchema + `"required":["name","does"]}},"global":{"type":"array","items":{"type":"string"}}},"required":["subtasks"]}`

// index returns the index of a sub-task, or -1.
func (g *Graph) index(id string) int {
	return slices.IndexFunc(g.Subtasks, func(s Subtask) bool { return s.ID == id })
}

// Subtask returns the sub-task with an identifier, or nil.
func (g *Graph) Subtask(id string) *Subtask {
	if i := g.index(id); i >= 0 {
		return &g.Subtasks[i]
	}
	return nil
}

// clone returns an independent copy.
func (g *Graph) clone() *Graph {
	out := &Graph{Executors: slices.Clone(g.Executors), Global: slices.Clone(g.Global)}
	for _, s := range g.Subtasks {
		s.Needs, s.Local = slices.Clone(s.Needs), slices.Clone(s.Local)
		out.Subtasks = append(out.Subtasks, s)
	}
	return out
}

// recipients returns the recipients of a sub-task's result: its dependents, or the deliverer.
func (g *Graph) recipients(id string) []string {
	var out []string
	for _, s := range g.Subtasks {
		if slices.Contains(s.Needs, id) {
			out = append(out, s.ID)
		}
	}
	if out == nil {
		out = []string{Deliverer}
	}
	return out
}

// Order returns the indices of the sub-tasks in topological order; ties keep the order of
// the graph. ok is false if there is a cycle.
func (g *Graph) Order() (order []int, ok bool) {
	placed := make([]bool, len(g.Subtasks))
	for len(order) < len(g.Subtasks) {
		found := false
		for i, s := range g.Subtasks {
			if placed[i] || slices.ContainsFunc(s.Needs, func(id string) bool { return g.index(id) >= 0 && !placed[g.index(id)] }) {
				continue
			}
			placed[i], found = true, true
			order = append(order, i)
			break
		}
		if !found {
			return order, false
		}
	}
	return order, true
}

// cycle returns a list of sub-tasks in which each needs the next and the last equals the
// first, or nil if there is no cycle.
func (g *Graph) cycle() []string {
	state := make([]byte, len(g.Subtasks)) // 0 new, 1 on the path, 2 done
	var path []string
	var found []string
	var visit func(i int)
	visit = func(i int) {
		state[i] = 1
		path = append(path, g.Subtasks[i].ID)
		for _, id := range g.Subtasks[i].Needs {
			j := g.index(id)
			if j < 0 || found != nil {
				continue
			}
			switch state[j] {
			case 0:
				visit(j)
			case 1:
				found = append(slices.Clone(path[slices.Index(path, id):]), id)
			}
		}
		path = path[:len(path)-1]
		state[i] = 2
	}
	for i := range g.Subtasks {
		if state[i] == 0 && found == nil {
			visit(i)
		}
	}
	return found
}

// Critical returns the critical path and its length, with the weights as durations of the
// sub-tasks.
func (g *Graph) Critical(weight func(id string) int) (path []string, length int) {
	order, _ := g.Order()
	ends := make([]int, len(g.Subtasks))
	from := make([]int, len(g.Subtasks))
	last := -1
	for _, i := range order {
		from[i] = -1
		for _, id := range g.Subtasks[i].Needs {
			if j := g.index(id); j >= 0 && (from[i] < 0 || ends[j] > ends[from[i]]) {
				from[i] = j
			}
		}
		ends[i] = weight(g.Subtasks[i].ID)
		if from[i] >= 0 {
			ends[i] += ends[from[i]]
		}
		if last < 0 || ends[i] > ends[last] {
			last = i
		}
	}
	path = []string{}
	for i := last; i >= 0; i = from[i] {
		path = append(path, g.Subtasks[i].ID)
		length = max(length, ends[i])
	}
	slices.Reverse(path)
	return path, length
}

// After returns the sub-tasks with the given identifiers and all that depend on them,
// directly or indirectly, in the order of the graph.
func (g *Graph) After(again ...string) []string {
	set := map[string]bool{}
	for _, id := range again {
		set[id] = true
	}
	order, _ := g.Order()
	for _, i := range order {
		for _, id := range g.Subtasks[i].Needs {
			if set[id] {
				set[g.Subtasks[i].ID] = true
			}
		}
	}
	out := []string{}
	for _, s := range g.Subtasks {
		if set[s.ID] {
			out = append(out, s.ID)
		}
	}
	return out
}

// Consequences returns the sub-tasks that must be done after a change from the graph
// before: new and changed sub-tasks, and all that depend on them. The manager's global
// constraints do not affect sub-tasks.
func (g *Graph) Consequences(before *Graph) []string {
	var changed []string
	for _, s := range g.Subtasks {
		old := before.Subtask(s.ID)
		if old == nil || slices.ContainsFunc(g.Executors, func(e Created) bool { return e.Name == s.Executor && !before.creates(e) }) || old.Task != s.Task || old.Executor != s.Executor || !slices.Equal(old.Local, s.Local) || !sameSet(old.Needs, s.Needs) {
			changed = append(changed, s.ID)
		}
	}
	return g.After(changed...)
}

// creates reports whether the graph creates an equal executor.
func (g *Graph) creates(e Created) bool {
	return slices.ContainsFunc(g.Executors, func(o Created) bool { return o.Name == e.Name && o.Does == e.Does && sameSet(o.Tools, e.Tools) })
}

func sameSet(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(id string) bool { return !slices.Contains(b, id) })
}

// normal renames the sub-tasks to t1, t2, … and replaces nil lists with empty ones.
func (g *Graph) normal() {
	if slices.ContainsFunc(g.Subtasks, func(s Subtask) bool { return !isSubtask(s.ID) }) {
		names := map[string]string{}
		for i, s := range g.Subtasks {
			names[s.ID] = "t" + strconv.Itoa(i+1)
		}
		for i := range g.Subtasks {
			s := &g.Subtasks[i]
			s.ID = names[s.ID]
			for j, id := range s.Needs {
				s.Needs[j] = names[id]
			}
		}
	}
	for i := range g.Subtasks {
		s := &g.Subtasks[i]
		needs := []string{}
		for _, id := range s.Needs {
			if !slices.Contains(needs, id) {
				needs = append(needs, id)
			}
		}
		s.Needs = needs
		if s.Local == nil {
			s.Local = []string{}
		}
	}
	for i := range g.Executors {
		if g.Executors[i].Tools == nil {
			g.Executors[i].Tools = []string{}
		}
	}
	if g.Global == nil {
		g.Global = []string{}
	}
}

// String prints the graph, one line for each sub-task.
func (g *Graph) String() string {
	var b strings.Builder
	for _, e := range g.Executors {
		b.WriteString("new executor " + e.Name)
		if len(e.Tools) > 0 {
			b.WriteString(" (with " + strings.Join(e.Tools, ", ") + ")")
		}
		b.WriteString(": " + strings.TrimSpace(e.Does) + "\n")
	}
	for _, s := range g.Subtasks {
		b.WriteString(s.ID + " " + s.Executor + ": " + s.Task)
		if len(s.Needs) > 0 {
			b.WriteString(" (needs " + strings.Join(s.Needs, ", ") + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// JSON encodes the graph in the form of a manager's answer.
func (g *Graph) JSON() string {
	text, err := json.Marshal(g)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(text)
}
