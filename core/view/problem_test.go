package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/view"
)

// ofProblem returns the drawing of a case's problem for a solver, if it has one.
func ofProblem(t *testing.T, in map[string]string) (view.Drawing, bool) {
	t.Helper()
	for name, solver := range map[string]solve.Solver{"in.smt2": solve.Z3, "in.lp": solve.HiGHS} {
		if text, ok := in[name]; ok {
			file := source.NewFile(name, text)
			p, found := solve.Check(solver, file)
			if len(found) > 0 {
				t.Fatal(found)
			}
			return view.Solve(p, solve.Links(file, p), "Variables and constraints", view.Picture), true
		}
	}
	if text, ok := in["in.pddl"]; ok {
		spec, found := strips.Parse(source.NewFile("in.pddl", text))
		if len(found) > 0 {
			t.Fatal(found)
		}
		if spec.Problem == nil {
			return view.Actions(spec.Domain, view.Picture), true
		}
		return stateSpace(t, spec.Domain, spec.Problem), true
	}
	if text, ok := in["in.problem"]; ok {
		there := strings.Fields(text)
		return view.Problem("coffee.problem", func(file string) bool { return slices.Contains(there, file) }), true
	}
	return view.Drawing{}, false
}

func stateSpace(t *testing.T, d *strips.Domain, p *strips.Problem) view.Drawing {
	t.Helper()
	task, err := strips.Ground(d, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	space, err := task.Explore(view.MaxStates, nil)
	if err != nil {
		t.Fatal(err)
	}
	return view.StateSpace(task, space, view.Picture)
}

func TestPlanIsAPathInStateSpace(t *testing.T) {
	spec, _ := strips.Parse(source.NewFile("a.pddl", domains.Blocksworld+`(define (problem two) (:domain blocksworld) (:objects a b c)
  (:init (handempty) (ontable a) (ontable b) (ontable c) (clear a) (clear b) (clear c)) (:goal (on a b)))`))
	d := stateSpace(t, spec.Domain, spec.Problem)
	plan := strips.Plan{{Action: "pick-up", Arguments: []string{"a"}}, {Action: "stack", Arguments: []string{"a", "b"}}}
	at := 0
	for _, step := range plan {
		next := ""
		for _, e := range d.Edges {
			for _, l := range e.Lines {
				if l.ID == view.StateLine(at, step) {
					next = e.To
				}
			}
		}
		for i := range d.Nodes {
			if d.Nodes[i].ID == next {
				at = i
			}
		}
		if view.StateNode(at) != next {
			t.Fatalf("%s leads nowhere", step)
		}
	}
	if !d.Nodes[at].Accepting || len(d.Nodes) != 22 || d.Folded != 0 {
		t.Errorf("%d nodes, %d folded, the plan ends in %+v", len(d.Nodes), d.Folded, d.Nodes[at])
	}
}

func TestStageIdentifiersMatchRuns(t *testing.T) {
	d := view.Problem("a.problem", func(string) bool { return false })
	var ids []string
	for _, n := range d.Nodes {
		ids = append(ids, n.ID)
	}
	if !slices.Equal(ids, formulate.Stages) {
		t.Errorf("the nodes are %v", ids)
	}
}
