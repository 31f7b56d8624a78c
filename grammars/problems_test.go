package grammars_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// problems maps each of LLMFP's domains to the index, in its data set, of the query in the
// gallery.
var problems = map[string]int{
	"coffee": 0, "workforce": 6, "facility": 68, "task_allocation": 0, "warehouse": 1,
	"blocksworld": 9, "mystery_blocksworld": 5, "movie": 2, "gripper": 2,
}

// isProblem reports whether an example is a problem for a model to formulate and a solver to
// solve.
func isProblem(e grammars.Example) bool { return workspace.KindOf(e.Main) == workspace.KindProblem }

// isSteps reports whether an example is a problem in PDDL, whose runs have neither a model nor a task.
func isSteps(e grammars.Example) bool { return workspace.KindOf(e.Main) == workspace.KindPDDL }

// dataSet opens a domain's data set.
func dataSet(t *testing.T, domain string) *domains.Set {
	t.Helper()
	name := "llmfp/" + domain + ".json"
	if !slices.Contains(grammars.RecordFiles(), name) {
		name += "l"
	}
	text, err := grammars.Records(name)
	if err != nil {
		t.Fatal(err)
	}
	set, err := domains.Open(domain, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Tasks and questions of all data sets are recognised as choices or as plans with steps, without
// their formulation.
func TestPlansWithStepsAreRecognised(t *testing.T) {
	for _, domain := range domains.Names() {
		set := dataSet(t, domain)
		for _, q := range set.Queries() {
			instance, err := set.Formulation(q.Index, "")
			if err != nil {
				t.Fatal(err)
			}
			p, err := formulate.Open(domain+".problem/task.md", func(name string) (string, bool) {
				for _, f := range instance.Files {
					if name == domain+formulate.Ending+"/"+f.Name {
						return f.Text, true
					}
				}
				return "", false
			})
			if err != nil {
				t.Fatal(err)
			}
			if p.Output = ""; p.SeemsSteps() != set.Steps() {
				t.Errorf("%s %d: steps: %v", domain, q.Index, p.SeemsSteps())
				break
			}
		}
	}
}

// TestGalleryProblemsMatchTheDataSets compares their files with those generated from the data
// sets; -update writes them. Examples and answers are written by hand, and the answers checked.
func TestGalleryProblemsMatchTheDataSets(t *testing.T) {
	for _, domain := range domains.Names() {
		instance, err := dataSet(t, domain).Formulation(problems[domain], "")
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(domain, domain+formulate.Ending)
		known := []string{formulate.FileExample, formulate.FileAnswer}
		for _, f := range instance.Files {
			known = append(known, f.Name)
			name := filepath.Join(folder, f.Name)
			if *update {
				if err := os.MkdirAll(folder, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(f.Text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := os.ReadFile(name); err != nil || string(got) != f.Text {
				t.Errorf("%s is not what the data set says; go test ./grammars -update writes it (%v)", name, err)
			}
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !slices.Contains(known, e.Name()) {
				t.Errorf("%s/%s comes from nowhere", folder, e.Name())
			}
		}
	}
}

// TestAnswersAreOptimal executes the stored answers; and checks plans with steps against the specs
// in the problem's workspace.
func TestAnswersAreOptimal(t *testing.T) {
	for _, domain := range domains.Names() {
		set, e := dataSet(t, domain), example(t, domain)
		answer, _ := e.Workspace().File(domain + formulate.Ending + "/" + formulate.FileAnswer)
		j, err := set.Judge(problems[domain], domains.Outcome{Answer: answer.Text})
		if err != nil || !j.Right || !j.Plan.Feasible {
			t.Errorf("%s: %+v, %v", domain, j, err)
		}
		if set.Steps() && err == nil {
			holdPlan(t, e, set, answer.Text)
		}
	}
}

func holdPlan(t *testing.T, e grammars.Example, set *domains.Set, answer string) {
	t.Helper()
	spec, _, err := set.Spec(problems[e.ID])
	if err != nil {
		t.Fatal(err)
	}
	var stored struct{ Plan []string }
	if err := json.Unmarshal([]byte(answer), &stored); err != nil {
		t.Fatal(err)
	}
	plan, _ := strips.ParsePlan(source.NewFile("plan", strings.Join(stored.Plan, "\n")))
	states, fault := strips.Validate(spec.Domain, spec.Problem, plan)
	if fault != nil {
		t.Fatal(fault.Message)
	}
	var word []string
	for _, s := range plan {
		word = append(word, s.Action)
	}
	task, err := strips.Ground(spec.Domain, spec.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	encoding, err := task.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	formulas, grammarsHeld := 0, 0
	for _, f := range e.Files {
		switch workspace.KindOf(f.Name) {
		case workspace.KindFormulas:
			list, _ := ltl.Parse(f.Source())
			for _, named := range list {
				formulas++
				trace, err := encoding.Trace(named.Formula, plan, states)
				if err != nil || !named.Formula.Holds(trace) {
					t.Errorf("%s: %s does not hold of the plan (%v)", e.ID, named.Name, err)
				}
			}
		case workspace.KindGrammar:
			grammarsHeld++
			got := call[session.StepWalkResult](t, session.New(), "step.walk", session.StepWalkParams{Files: e.Files, Name: f.Name, Word: word})
			if got.Verdict != "valid" {
				t.Errorf("%s: the plan's word %v is %s to %s", e.ID, word, got.Verdict, f.Name)
			}
		}
	}
	if formulas == 0 || grammarsHeld == 0 {
		t.Errorf("%s has %d formulas and %d grammars of its plans", e.ID, formulas, grammarsHeld)
	}
}
