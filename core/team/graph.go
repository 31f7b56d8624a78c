package team

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Graph is a task divided into sub-tasks.
type Graph struct {
	Subtasks []Subtask `json:"subtasks"`
	Global   []string  `json:"global"` // constraints that several sub-tasks share, as the manager sees them
}

// Subtask is a node of the graph. Its identifier is t and a number.
type Subtask struct {
	ID       string   `json:"id"`
	Task     string   `json:"task"`
	Executor string   `json:"executor"`
	Needs    []string `json:"needs"` // sub-tasks whose results it starts from
	Local    []string `json:"local"` // constraints of its own, as the manager sees them
}

// GraphSchema is the JSON schema of what a manager answers.
const GraphSchema = `{"type":"object","properties":{` +
	`"thought":{"type":"string"},` +
	`"subtasks":{"type":"array","items":{"type":"object","properties":{` +
	`"id":{"type":"string"},"task":{"type":"string"},"executor":{"type":"string"},` +
	`"needs":{"type":"array","items":{"type":"string"}},"local":{"type":"array","items":{"type":"string"}}},` +
	`"required":["id","task","executor","needs","local"],"additionalProperties":false}},` +
	`"global":{"type":"array","items":{"type":"string"}}},` +
	`"required":["thought","subtasks","global"],"additionalProperties":false}`

// loose is the schema that an answer is held against: what can be left out may be,
// and what nobody asked for may be there.
const loose = `{"type":"object","properties":{"subtasks":{"type":"array","items":{"type":"object","properties":{` +
	`"id":{"type":"string"},"task":{"type":"string"},"executor":{"type":"string"},` +
	`"needs":{"type":"array","items":{"type":"string"}},"local":{"type":"array","items":{"type":"string"}}},` +
	`"required":["id","task","executor"]}},"global":{"type":"array","items":{"type":"string"}}},"required":["subtasks"]}`

// index returns the place of a sub-task, or -1.
func (g *Graph) index(id string) int {
	return slices.IndexFunc(g.Subtasks, func(s Subtask) bool { return s.ID == id })
}

// Subtask returns the sub-task of an identifier, or nil.
func (g *Graph) Subtask(id string) *Subtask {
	if i := g.index(id); i >= 0 {
		return &g.Subtasks[i]
	}
	return nil
}

// clone returns a copy that shares nothing.
func (g *Graph) clone() *Graph {
	out := &Graph{Global: slices.Clone(g.Global)}
	for _, s := range g.Subtasks {
		s.Needs, s.Local = slices.Clone(s.Needs), slices.Clone(s.Local)
		out.Subtasks = append(out.Subtasks, s)
	}
	return out
}

// told returns who is told of a sub-task's result: those that need it, or the deliverer.
func (g *Graph) told(id string) []string {
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

// Order returns the places of the sub-tasks so that each stands behind what it needs,
// and else in the graph's order. ok is false where there is a cycle.
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

// cycle returns sub-tasks of which each needs the next, the first being the last; nil
// where there are none.
func (g *Graph) cycle() []string {
	state := make([]byte, len(g.Subtasks)) // 0 new, 1 on the way, 2 done
	var way []string
	var found []string
	var visit func(i int)
	visit = func(i int) {
		state[i] = 1
		way = append(way, g.Subtasks[i].ID)
		for _, id := range g.Subtasks[i].Needs {
			j := g.index(id)
			if j < 0 || found != nil {
				continue
			}
			switch state[j] {
			case 0:
				visit(j)
			case 1:
				found = append(slices.Clone(way[slices.Index(way, id):]), id)
			}
		}
		way = way[:len(way)-1]
		state[i] = 2
	}
	for i := range g.Subtasks {
		if state[i] == 0 && found == nil {
			visit(i)
		}
	}
	return found
}

// Critical returns the sub-tasks that take longest one after the other, and how long
// that is, where each takes as long as its weight says.
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

// After returns the sub-tasks that have to be done again where some are, those among
// them: all that need them, by whatever way. They stand in the graph's order.
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

// Consequences returns the sub-tasks of a graph that have to be done although another
// was carried out before: those that are new or of which anything is otherwise, and
// all that need them. What global constraints the manager has named makes no
// difference to a sub-task.
func (g *Graph) Consequences(before *Graph) []string {
	var changed []string
	for _, s := range g.Subtasks {
		old := before.Subtask(s.ID)
		if old == nil || old.Task != s.Task || old.Executor != s.Executor || !slices.Equal(old.Local, s.Local) || !sameSet(old.Needs, s.Needs) {
			changed = append(changed, s.ID)
		}
	}
	return g.After(changed...)
}

func sameSet(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(id string) bool { return !slices.Contains(b, id) })
}

// normal gives the sub-tasks the identifiers t1, t2, … where they have others, and
// leaves no list out.
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
	if g.Global == nil {
		g.Global = []string{}
	}
}

// String writes the graph, a line each.
func (g *Graph) String() string {
	var b strings.Builder
	for _, s := range g.Subtasks {
		b.WriteString(s.ID + " " + s.Executor + ": " + s.Task)
		if len(s.Needs) > 0 {
			b.WriteString(" (needs " + strings.Join(s.Needs, ", ") + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// JSON writes the graph as a manager does.
func (g *Graph) JSON() string {
	text, err := json.Marshal(g)
	if err != nil {
		panic(err) // texts marshal
	}
	return string(text)
}
