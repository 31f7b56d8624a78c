package host_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
	"github.com/stile-playground/stile/wasm/host"
)

// shown returns a problem of the gallery.
func shown(t *testing.T, domain string) workspace.Workspace {
	t.Helper()
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		if e.ID == domain {
			return e.Workspace()
		}
	}
	t.Fatalf("the gallery has no %s", domain)
	return workspace.Workspace{}
}

// file returns the text of a problem's file.
func file(w workspace.Workspace, domain, name string) string {
	f, _ := w.File(domain + ".problem/" + name)
	return f.Text
}

// TestGalleryProblemsMatchTheirReadme solves the problems and the variants that their README files
// suggest.
func TestGalleryProblemsMatchTheirReadme(t *testing.T) {
	s := solvers(t)
	const forbid = `(assert (! (= ship.supplier3.roastery1 0) :named query.1))`
	for _, c := range []struct {
		name, domain string
		change       func(line string) string // of a line of the model
		want         string
	}{
		{"with the query", "coffee", nil, "2612"},
		{"before the query", "coffee", without(":named query."), "2470"},
		{"why", "coffee", func(line string) string {
			if strings.Contains(line, ":named query.demand.light") {
				return forbid
			}
			return without(":named query.")(line)
		}, "2810"},
		{"no beans", "coffee", without("ship.supplier1.roastery1 ship.supplier2.roastery1", ":named beans.", "ship.supplier1.roastery2 ship.supplier2.roastery2"), "1882"},
		{"with the query", "workforce", nil, "221"},
		{"before the query", "workforce", without(":named query."), "220"},
		{"why", "facility", nil, "210900"},
		{"before the query", "facility", without(":named query."), "210500"},
		{"with the query", "task_allocation", nil, "2405"},
		{"with the query", "warehouse", nil, "1.856563335"},
	} {
		t.Run(c.domain+" "+c.name, func(t *testing.T) {
			w := shown(t, c.domain)
			var model []string
			for _, line := range strings.Split(file(w, c.domain, "model.smt2"), "\n") {
				if c.change != nil {
					line = c.change(line)
				}
				model = append(model, line)
			}
			r := answer(t, s, solve.Z3, file(w, c.domain, "api.smt2")+strings.Join(model, "\n"))
			if got := reached(r); !alike(got, c.want) {
				t.Errorf("it comes to %s, not %s", got, c.want)
			}
		})
	}
	for _, c := range []struct {
		name, domain string
		formulas     string // in addition to those of the folder
		steps        int
	}{
		{"as it is", "blocksworld", "", 6},
		{"c nowhere to lay", "blocksworld", `G !"ontable c"`, 10},
		{"as it is", "mystery_blocksworld", "", 6},
		{"as it is", "movie", "", 7},
		{"with pop first", "movie", "G (start-movie -> have-pop)", 8},
		{"as it is", "gripper", "", 8},
		{"both go", "gripper", `F "at-robby robot1 room3"`, 9},
	} {
		t.Run(c.domain+" "+c.name, func(t *testing.T) { planShown(t, s, c.domain, c.formulas, c.steps) })
	}
}

// without removes lines that contain one of the words.
func without(words ...string) func(line string) string {
	return func(line string) string {
		for _, word := range words {
			if strings.Contains(line, word) {
				return ""
			}
		}
		return line
	}
}

// planShown searches for a shortest plan that satisfies the formulas of the workspace and one
// more.
func planShown(t *testing.T, s *host.Solvers, domain, more string, steps int) {
	w := shown(t, domain)
	spec, found := strips.Parse(source.NewFile("model.pddl", file(w, domain, "model.pddl")))
	if len(found) > 0 {
		t.Fatal(found[0].Message)
	}
	task, err := strips.Ground(spec.Domain, spec.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	encoding, err := task.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	text := more
	if text != "" {
		text = "more: " + text + "\n\n"
	}
	for _, f := range w.Files {
		if workspace.KindOf(f.Name) == workspace.KindFormulas {
			text += f.Text
		}
	}
	var all *ltl.Formula
	list, found := ltl.Parse(source.NewFile("x.ltl", text))
	if len(found) > 0 {
		t.Fatal(found[0].Message)
	}
	for _, named := range list {
		if more != "" && named.Name == "c_is_laid_down_once" {
			continue // c is not laid down at all
		}
		if all == nil {
			all = named.Formula
		} else {
			all = &ltl.Formula{Op: ltl.And, Left: all, Right: named.Formula}
		}
	}
	if err := encoding.Restrict(all, nil); err != nil {
		t.Fatal(err)
	}
	spent := 0
	plan, said, err := strips.Search(encoding, steps+1, solveSteps(t, s, &spent), nil)
	if err != nil || len(plan) != steps {
		t.Errorf("%d steps in the place of %d (%s, %v)\n%s", len(plan), steps, said, err, plan)
	}
}
