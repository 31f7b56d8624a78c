package domains

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// The notations of a formulation.
const (
	NotationSMT  = "smt2"
	NotationLP   = "lp"
	NotationPDDL = "pddl"
)

// Formulation is a query as the files of a problem's folder: the given files, and the
// reference formulation in the stages of LLMFP.
type Formulation struct {
	Query Query
	Files []File // in the order of the stages
}

// File is a file of a [Formulation].
type File struct{ Name, Text string }

// Formulation returns the files of a query. The default notation is SMT-LIB, or PDDL for a
// domain with steps. The error has code "domains.notation" for a notation that the domain
// does not have, and "domains.query" for an unknown query.
func (s *Set) Formulation(index int, notation string) (Formulation, error) {
	q, err := s.query(index)
	if err != nil {
		return Formulation{}, err
	}
	if notation == "" {
		notation = NotationSMT
		if s.steps != nil {
			notation = NotationPDDL
		}
	}
	if s.steps != nil {
		if notation != NotationPDDL {
			return Formulation{}, source.NewError("domains.notation", "plans of "+s.name+" have steps, and are formulated in "+NotationPDDL)
		}
		return s.stepFormulation(q)
	}
	p, err := s.Program(index)
	if err != nil {
		return Formulation{}, err
	}
	instance := Formulation{Query: q}
	add := func(name, text string) { instance.Files = append(instance.Files, File{name, text}) }
	add("task.md", s.prose.task)
	add("data.json", printed(s.data))
	if p.API != "" {
		add("api.smt2", strings.TrimRight(p.API, "\n")+"\n")
	}
	add("query.md", wrapped(q.Question))
	add("output.json", printed(s.form(p)))
	add("goal.md", s.prose.goal)
	add("variables.json", printed(s.described(p)))
	switch notation {
	case NotationSMT:
		add("model.smt2", p.Model())
	case NotationLP:
		add("model.lp", p.LP())
	default:
		return Formulation{}, source.NewError("domains.notation", "plans of "+s.name+" have no steps, and are formulated in "+NotationSMT+" or "+NotationLP)
	}
	return instance, nil
}

// Example returns the example of a task that LLMFP's Formulator receives for a query: another query
// of the same kind, with its reference variables. Its question, its optimum and its variables differ
// from those of the given query. The example is "" if there is no such query.
func (s *Set) Example(index int) (string, error) {
	q, err := s.query(index)
	if err != nil {
		return "", err
	}
	given, err := s.Formulation(index, "")
	if err != nil {
		return "", err
	}
	for i := len(s.list) - 1; i >= 0; i-- {
		other := s.list[i]
		if other.Kind != q.Kind || other.Index == index || other.Question == q.Question || other.Optimum == q.Optimum {
			continue
		}
		f, err := s.Formulation(other.Index, "")
		if err != nil {
			return "", err
		}
		if variables := f.file("variables.json"); variables != given.file("variables.json") {
			return "Query: " + other.Question + "\n\n```json\n" + strings.TrimSpace(variables) + "\n```\n", nil
		}
	}
	return "", nil
}

func (f Formulation) file(name string) string {
	for _, file := range f.Files {
		if file.Name == name {
			return file.Text
		}
	}
	return ""
}

// form returns the form of an answer.
func (s *Set) form(p *Program) *json.Node {
	root := object()
	set(root, s.prose.total[0], text(s.prose.total[1]))
	for _, l := range s.prose.leaves {
		if l.family == stations {
			set(root, stations, list(text(l.about)))
		}
		for _, v := range p.Variables {
			if v.Words[0] != l.family || len(v.Words) < 2 {
				continue
			}
			words := v.Words[1:]
			if l.list {
				words = words[:len(words)-1]
			}
			at := root
			path := append([]string{l.family}, words...)
			for _, word := range path[:len(path)-1] {
				at = within(at, word)
			}
			leaf := text(l.about)
			if l.list {
				leaf = list(leaf)
			}
			set(at, path[len(path)-1], leaf)
		}
	}
	return root
}

// described returns the Formulator's description of the program.
func (s *Set) described(p *Program) *json.Node {
	out := object()
	for i, d := range s.prose.variables {
		set(out, "variable_"+IntegerNumber(i+1).String(), d.node())
	}
	asked := append(append([]string{}, p.Changes...), p.Wishes...)
	for _, sentence := range asked {
		d := description{name: "query", source: "query", value: sentence, requirement: "a constraint of the query"}
		if contains(p.Changes, sentence) {
			d.requirement = "instead of the value in the data"
		}
		n := d.node()
		set(n, "SMT_variable", literal("null"))
		set(n, "number_of_variables", literal("null"))
		set(out, "variable_"+IntegerNumber(len(out.Members)+1).String(), n)
	}
	return out
}

func contains(list []string, word string) bool { return position(list, word) >= 0 }

// node formats a description with the six fields of LLMFP.
func (d description) node() *json.Node {
	n := object()
	or := func(s string) *json.Node {
		switch {
		case s == "":
			return literal("null")
		case strings.Trim(s, "0123456789") == "":
			return literal(s)
		}
		return text(s)
	}
	set(n, "name", or(d.name))
	smt := "false"
	if d.solved {
		smt = "true"
	}
	set(n, "SMT_variable", literal(smt))
	set(n, "number_of_variables", or(d.number))
	set(n, "data_source", or(d.source))
	set(n, "value", or(d.value))
	set(n, "specific_requirement", or(d.requirement))
	return n
}

// EarlierForm returns the form of the answer that queries had before 2026-11-28, "" for domains without
// steps: it shows an action on the first objects, which may be a step of the plan. Only recordings of
// that time use it.
func (s *Set) EarlierForm(index int) (string, error) {
	if s.steps == nil {
		return "", nil
	}
	spec, _, err := s.Spec(index)
	if err != nil {
		return "", err
	}
	a := spec.Domain.Actions[0]
	step := strips.Step{Action: a.Name}
	taken := map[string]bool{}
	for _, p := range a.Parameters {
		for _, o := range spec.Problem.Objects {
			if o.Type == p.Type && !taken[o.Name] {
				taken[o.Name] = true
				step.Arguments = append(step.Arguments, o.Name)
				break
			}
		}
	}
	return formOfSteps("such as " + step.String()), nil
}

// formOfSteps returns the form of a plan with steps. The example of a step has no action of the problem.
func formOfSteps(example string) string {
	form := object()
	set(form, "plan", list(text("a step: an action and its objects in parentheses, "+example)))
	return printed(form)
}

func (s *Set) stepFormulation(q Query) (Formulation, error) {
	spec, pddl, err := s.Spec(q.Index)
	if err != nil {
		return Formulation{}, err
	}
	return Formulation{q, []File{
		{"task.md", s.steps.task},
		{"query.md", s.steps.query(s.records[q.Index])},
		{"output.json", formOfSteps("(action object …)")},
		{"variables.json", printed(s.staged(spec))},
		{"model.pddl", pddl},
	}}, nil
}

// staged returns the Formulator's description of an instance with steps, in five stages.
func (s *Set) staged(spec *strips.Spec) *json.Node {
	out := object()
	stages := map[string]*json.Node{}
	for _, name := range []string{"objects", "predicates", "actions", "update", "goal"} {
		stages[name] = within(out, name)
	}
	variables, steps := 0, 0
	variable := func(stage string, d description) {
		variables++
		set(stages[stage], "variable_"+IntegerNumber(variables).String(), d.node())
	}
	step := func(stage string, d description) {
		steps++
		n := d.node()
		set(n, "SMT_variable", literal("null"))
		set(n, "number_of_variables", literal("null"))
		set(stages[stage], "step_"+IntegerNumber(steps).String(), n)
	}
	variable("objects", description{"objects", false, IntegerNumber(len(spec.Problem.Objects)).String(), "query", objectsOf(spec), ""})
	for _, p := range spec.Domain.Predicates {
		variable("predicates", description{p.Name, true, "one for each choice of objects and each step", "query, variable_1", "whether " + keyed(p.Name, p.Parameters) + " holds after a step", "before the first step: true if the query states it, else false"})
	}
	for _, a := range spec.Domain.Actions {
		variable("actions", description{a.Name, true, "one for each choice of objects and each step", "variable_1", "whether " + keyed(a.Name, a.Parameters) + " is done in a step", ""})
	}
	for _, a := range spec.Domain.Actions {
		step("update", description{name: a.Name, source: a.Name, value: "the preconditions and effects of " + a.Name, requirement: "before: " + conjunct(a.Precondition) + "; after: " + conjunct(a.Effect)})
	}
	step("update", description{name: "one at a time", source: "actions", value: "in each step one action is done", requirement: "exactly one"})
	step("update", description{name: "frame", source: "predicates, actions", value: "facts that the action of a step does not change stay as they are", requirement: "the compiler of PDDL adds this"})
	step("goal", description{name: "goal", source: "query", value: "after the last step", requirement: conjunct(spec.Problem.Goal)})
	horizon := object()
	set(horizon, "from", literal("1"))
	set(horizon, "most", literal("30"))
	set(out, "horizon", horizon)
	return out
}

// objectsOf lists the objects by type.
func objectsOf(spec *strips.Spec) string {
	var parts []string
	before := ""
	for _, o := range spec.Problem.Objects {
		if n := len(parts); n > 0 && o.Type == before {
			parts[n-1] += ", " + o.Name
		} else {
			parts = append(parts, o.Type+": "+o.Name)
		}
		before = o.Type
	}
	return strings.Join(parts, "; ")
}

// keyed formats a predicate or an action with its parameters.
func keyed(name string, parameters []strips.Typed) string {
	text := "(" + name
	for _, p := range parameters {
		text += " ?" + p.Name
	}
	return text + ")"
}

func conjunct(list []strips.Literal) string {
	if len(list) == 0 {
		return "nothing"
	}
	var parts []string
	for _, l := range list {
		parts = append(parts, l.String())
	}
	return strings.Join(parts, ", ")
}
