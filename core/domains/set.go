package domains

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// Names returns the names of the nine domains in LLMFP's order.
func Names() []string {
	return []string{"coffee", "workforce", "facility", "task_allocation", "warehouse", "blocksworld", "mystery_blocksworld", "movie", "gripper"}
}

// Set is a data set: a domain's queries with their answers.
type Set struct {
	name    string
	prose   prose
	steps   *stepProse // of a domain with steps
	data    *json.Node
	base    string
	queries []*json.Node
	records []Instance
	list    []Query
}

// Query is a query of a data set with its answer.
type Query struct {
	Index    int // index in the data set
	Question string
	Kind     string // the kind of query in the data set, or ""
	// Optimum is the cost of a best plan, or the number of steps of a shortest one; "" if
	// no plan exists.
	Optimum string
}

// Infeasible reports whether no plan exists.
func (q Query) Infeasible() bool { return q.Optimum == "" }

// Open parses a data set: an object with "data" and "queries" for a domain without steps,
// or an instance per line for one with steps. The error has code "domains.name" for an
// unknown domain, and "domains.data" for an invalid text.
func Open(name, text string) (*Set, error) {
	s := &Set{name: name}
	if p, ok := stepProses(name); ok {
		s.steps = &p
		return s, s.openSteps(text)
	}
	var ok bool
	if s.prose, ok = proses(name); !ok {
		return nil, source.NewError("domains.name", fmt.Sprintf("unknown domain %q (expected one of %s)", name, enumerated(Names())))
	}
	tree, fault := json.Tree(text)
	if fault != nil {
		return nil, source.NewError("domains.data", "the data of "+name+" cannot be read: "+fault.Message)
	}
	r := &reader{}
	s.data = r.get(tree, "data")
	if base, ok := tree.Get("base_optimum"); ok {
		s.base = r.number(base, "base_optimum").String()
	}
	s.queries = r.get(tree, "queries").Items
	for i, q := range s.queries {
		s.list = append(s.list, Query{i, r.text(q, "question"), q.TextOf("type"), r.optimum(q)})
	}
	return s, r.fault
}

// optimum reads the answer of a query.
func (r *reader) optimum(q *json.Node) string {
	for _, key := range []string{"ground_truth", "optimal_finish_time", "optimal_distance"} {
		if v, ok := q.Get(key); ok {
			if v.Kind == '"' && v.Text == "infeasible" {
				return ""
			}
			if number, ok := rational(v.Text); ok {
				return printedNumber(number)
			}
			r.fail("%q is not a number", key)
		}
	}
	r.fail("a query has no optimum")
	return ""
}

// record is an instance in the form of the data sets.
type record struct {
	Set                 string
	Instance            int
	Objects, Init, Goal []string
	Optimal             int `json:"optimal_plan_length"`
}

func (s *Set) openSteps(text string) error {
	trees, fault := json.Trees(text)
	if fault != nil {
		return source.NewError("domains.data", "the instances of "+s.name+" cannot be read: "+fault.Message)
	}
	for i, tree := range trees {
		var r record
		if err := json.Unmarshal([]byte(text[tree.At.Start:tree.At.End]), &r); err != nil {
			return source.NewError("domains.data", fmt.Sprintf("instance %d of %s: %s", i+1, s.name, err))
		}
		instance := Instance{Name: strings.ReplaceAll(s.name, "_", "-") + "-" + IntegerNumber(r.Instance).String(), Objects: r.Objects, Init: r.Init, Goal: r.Goal}
		for _, atom := range append(append([]string{}, r.Init...), r.Goal...) {
			if words := strings.Fields(atom); len(words) == 0 || s.steps.says[words[0]] == "" {
				return source.NewError("domains.data", fmt.Sprintf("instance %d of %s: missing predicate in %q", i+1, s.name, atom))
			}
		}
		s.records = append(s.records, instance)
		s.list = append(s.list, Query{i, strings.ReplaceAll(strings.TrimSpace(s.steps.query(instance)), "\n", " "), r.Set, IntegerNumber(r.Optimal).String()})
	}
	return nil
}

// Queries returns the queries with a text.
func (s *Set) Queries() []Query {
	var out []Query
	for _, q := range s.list {
		if strings.ContainsAny(strings.ToLower(q.Question), "abcdefghijklmnopqrstuvwxyz") {
			out = append(out, q)
		}
	}
	return out
}

// Title returns the domain's title.
func (s *Set) Title() string {
	if s.steps != nil {
		return s.steps.title
	}
	return s.prose.title
}

// Steps reports whether plans of the domain have steps.
func (s *Set) Steps() bool { return s.steps != nil }

// Base returns the cost of the plan without any query, or "".
func (s *Set) Base() string { return s.base }

// query returns the query at an index.
func (s *Set) query(index int) (Query, error) {
	if index < 0 || index >= len(s.list) {
		return Query{}, source.NewError("domains.query", fmt.Sprintf("unknown query %d: %s has queries 0 to %d", index, s.name, len(s.list)-1))
	}
	return s.list[index], nil
}

// Program returns the reference formulation of a query of a domain without steps.
func (s *Set) Program(index int) (*Program, error) {
	if _, err := s.query(index); err != nil {
		return nil, err
	}
	formulate, ok := Formulations(s.name)
	if !ok {
		return nil, source.NewError("domains.name", "plans of "+s.name+" have steps, and no program")
	}
	return formulate(s.data, s.queries[index])
}

// Spec returns our PDDL domain and a query's instance, parsed and as text. The error has code
// "domains.name" for a domain without steps.
func (s *Set) Spec(index int) (*strips.Spec, string, error) {
	if _, err := s.query(index); err != nil {
		return nil, "", err
	}
	if s.steps == nil {
		return nil, "", source.NewError("domains.name", "plans of "+s.name+" have no steps")
	}
	d := Steps(s.steps.domain)
	text := strips.Format(source.NewFile("model.pddl", s.steps.domain+"\n"+s.records[index].Problem(d)))
	spec, found := strips.Parse(source.NewFile("model.pddl", text))
	if found = append(found, strips.Check(spec.Domain, spec.Problem)...); source.HasErrors(found) {
		return nil, "", source.NewError("domains.data", fmt.Sprintf("instance %d of %s: %s", index, s.name, found[0].Message))
	}
	return spec, text, nil
}
