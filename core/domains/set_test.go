package domains

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// opened returns a domain's data set.
func opened(t *testing.T, name string) *Set {
	t.Helper()
	ending := ".json"
	if _, ok := stepProses(name); ok {
		ending = ".jsonl"
	}
	text, err := os.ReadFile(filepath.Join("..", "testdata", name+ending))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryQueryHasAFormulationWithValidFiles(t *testing.T) {
	for _, name := range Names() {
		s := opened(t, name)
		if len(s.Queries()) < 9 || s.Title() == "" || s.Steps() != strings.Contains("blocksworld mystery_blocksworld movie gripper", name) {
			t.Errorf("%s has %d queries and the title %q", name, len(s.Queries()), s.Title())
		}
		notations := []string{NotationSMT, NotationLP}
		if s.Steps() {
			notations = []string{NotationPDDL}
		}
		for i, q := range s.Queries() {
			if i%effort.Step(8) > 0 {
				continue
			}
			for _, notation := range notations {
				instance, err := s.Formulation(q.Index, notation)
				if err != nil {
					t.Fatalf("%s, query %d: %v", name, q.Index, err)
				}
				api, model := "", ""
				for _, f := range instance.Files {
					if !strings.HasSuffix(f.Text, "\n") || strings.HasSuffix(f.Text, "\n\n") {
						t.Errorf("%s, query %d: %s does not end with its last line", name, q.Index, f.Name)
					}
					switch filepath.Ext(f.Name) {
					case ".json":
						if tree, fault := json.Tree(f.Text); fault != nil || printed(tree) != f.Text {
							t.Fatalf("%s, query %d: %s is\n%s", name, q.Index, f.Name, f.Text)
						}
					case ".smt2":
						api, model = model, f.Text
					case ".lp", ".pddl":
						model = f.Text
					}
				}
				solver := solve.Z3
				switch notation {
				case NotationPDDL:
					continue // Spec has checked the PDDL
				case NotationLP:
					solver, api = solve.HiGHS, ""
				}
				if _, found := solve.Check(solver, source.NewFile("model", api+model)); len(found) > 0 {
					t.Errorf("%s, query %d, %s: %s", name, q.Index, notation, found[0].Message)
				}
			}
		}
	}
}

func TestTextsOfAFormulationStateTheQuery(t *testing.T) {
	for _, c := range []struct {
		domain string
		index  int
		file   string
		says   string
	}{
		{"coffee", 0, "query.md", "cafe cafe2's demand grows by 29%?"},
		{"coffee", 0, "model.smt2", "(assert (! (>= (+ dark.roastery1.cafe2 dark.roastery2.cafe2) 20) :named demand.dark.cafe2))"},
		{"coffee", 0, "model.smt2", "(assert (! (>= (+ dark.roastery1.cafe2 dark.roastery2.cafe2) 26) :named query.demand.dark.cafe2))"},
		{"coffee", 0, "variables.json", "cafe2 needs 26 units of dark coffee instead of 20: 29 % more, in whole units"},
		{"coffee", 50, "model.smt2", "(assert (! (= ship.supplier3.roastery1 0) :named query.ship.supplier3.roastery1))"},
		{"coffee", 87, "model.smt2", "; A unit from supplier3 to roastery2 costs 1 instead of 7."},
		{"workforce", 86, "model.smt2", ":named query.apart."},
		{"workforce", 56, "model.smt2", "; Mon1 needs 5 workers instead of 1."},
		{"facility", 68, "model.smt2", "(assert (! (not open.4) :named query.open.4))"},
		{"facility", 17, "model.smt2", "(assert (! (= ship.3.3 1.0) :named query.ship.3.3))"},
		{"task_allocation", 0, "output.json", `"Robot A": {"Task A": "number of tasks"`},
		{"warehouse", 1, "model.smt2", "(distance 10 3)"},
		{"warehouse", 1, "api.smt2", "(define-fun distance ((a Int) (b Int)) Real"},
		{"blocksworld", 0, "query.md", "b is\nclear. Nothing else is true."},
		{"blocksworld", 0, "query.md", "Goal: a is on c and d is on a."},
		{"blocksworld", 0, "output.json", "its objects in parentheses, (action object …)"},
		{"gripper", 0, "output.json", "its objects in parentheses, (action object …)"},
		{"gripper", 0, "query.md", "rgripper1 of robot1 is free"},
		{"gripper", 0, "variables.json", `"robot: robot1; gripper: rgripper1, lgripper1; room: room1, room2; ball: ball1,`},
	} {
		instance, err := opened(t, c.domain).Formulation(c.index, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range instance.Files {
			if f.Name == c.file && !strings.Contains(f.Text, c.says) {
				t.Errorf("%s, query %d: %s does not say %q:\n%s", c.domain, c.index, c.file, c.says, f.Text)
			}
		}
	}
}

func TestOutcomeIsComparedWithTheDataSet(t *testing.T) {
	for _, c := range []struct {
		name    string
		domain  string
		index   int
		outcome Outcome
		right   bool
		says    string
	}{
		{"the optimum", "coffee", 0, Outcome{Objective: "2612"}, true, "the claimed cost is 2612, which is optimal"},
		{"another", "coffee", 0, Outcome{Objective: "2613"}, false, "the optimum is 2612"},
		{"nothing", "coffee", 0, Outcome{}, false, "neither a plan nor a cost is given"},
		{"no plan where there is one", "coffee", 0, Outcome{Infeasible: true}, false, "the data set has a plan that costs 2612"},
		{"no plan where there is none", "workforce", 86, Outcome{Infeasible: true}, true, "no plan exists, as in the data set"},
		{"a plan where there is none", "workforce", 86, Outcome{Objective: "220"}, false, "the data set states that no plan exists"},
		{"no JSON", "coffee", 0, Outcome{Answer: "2612"}, false, "expected a JSON object"},
		{"nothing shipped", "coffee", 0, Outcome{Answer: `{"total_cost": 2612, "ship": {}}`}, false, "demand.light.cafe1 does not hold: 0 must be >= 20"},
		{"a way that is not there", "coffee", 0, Outcome{Answer: `{"ship": {"supplier9": {"roastery1": 3}}}`}, false, `unknown decision "ship supplier9 roastery1"`},
		{"coffee from nowhere", "coffee", 0, Outcome{Answer: `{"light": {"roastery1": {"cafe1": 20, "cafe2": 39}, "roastery2": {"cafe3": 40}}}`}, false, "coffee.light.roastery1 does not hold"},
		{"less than nothing", "coffee", 0, Outcome{Answer: `{"ship": {"supplier1": {"roastery1": -5}}}`}, false, "ship.supplier1.roastery1 is negative"},
		{"half a unit", "coffee", 0, Outcome{Answer: `{"ship": {"supplier1": {"roastery1": "7/2"}}}`}, false, "ship.supplier1.roastery1 is not whole"},
		{"what the robots do", "task_allocation", 0, Outcome{Answer: `{"finish": 9, "assign": {"Robot A": {"Task A": 0, "Task B": 0, "Task C": 63}, "Robot B": {"Task A": 1, "Task B": 41}, "Robot C": {"Task A": 53, "Task B": 16, "Task C": 11}}}`}, true, "the plan costs 2405, which is optimal"},
		{"one robot does all", "task_allocation", 0, Outcome{Answer: `{"assign": {"Robot C": {"Task A": 54, "Task B": 57, "Task C": 74}}}`}, false, "the plan costs 7847; the optimum is 2405"},
		{"a way", "warehouse", 1, Outcome{Answer: `{"stations": [3, 7, 5, 0, 5]}`}, true, "which is optimal"},
		{"a way with the origin", "warehouse", 1, Outcome{Answer: `{"stations": [10, 3, 7, 5, 0, 5, 10]}`}, true, "which is optimal"},
		{"a longer way", "warehouse", 1, Outcome{Answer: `{"stations": [4, 7, 5, 0, 5]}`}, false, "the optimum is 1.856563335"},
		{"a station that cannot", "warehouse", 1, Outcome{Answer: `{"stations": [9, 7, 5, 0, 5]}`}, false, `unknown decision "visit 1 9"`},
		{"a station too many", "warehouse", 1, Outcome{Answer: `{"stations": [3, 7, 5, 0, 5, 5]}`}, false, "cannot be executed"},
		{"a shortest plan", "gripper", 0, Outcome{Answer: `{"plan": ["(move robot1 room1 room2)", "(pick robot1 ball4 room2 rgripper1)", "(pick robot1 ball5 room2 lgripper1)", "(move robot1 room2 room1)", "(drop robot1 ball4 room1 rgripper1)", "(drop robot1 ball5 room1 lgripper1)"]}`}, true, "the plan costs 6 steps, which is optimal"},
		{"a plan without its last step", "gripper", 0, Outcome{Answer: "(move robot1 room1 room2)"}, false, "cannot be executed"},
		{"no plan at all", "gripper", 0, Outcome{Answer: "move there"}, false, "cannot be executed"},
	} {
		j, err := opened(t, c.domain).Judge(c.index, c.outcome)
		if err != nil {
			t.Fatal(err)
		}
		if j.Right != c.right || !strings.Contains(j.Reason+"\n"+strings.Join(j.Plan.Faults, "\n"), c.says) {
			t.Errorf("%s: %+v", c.name, j)
		}
	}
}

func TestUnknownNamesAreReported(t *testing.T) {
	coffee := opened(t, "coffee")
	_, unknown := Open("tea", "{}")
	_, broken := Open("coffee", "{")
	_, empty := Open("coffee", "{}")
	_, strange := Open("movie", `{"objects": ["a"], "init": ["dances a"], "goal": []}`)
	_, far := coffee.Formulation(1_000, "")
	_, notation := coffee.Formulation(0, "pddl")
	_, steps := opened(t, "movie").Formulation(0, "smt2")
	for _, c := range []struct {
		err  error
		want string
	}{
		{unknown, `unknown domain "tea" (expected one of coffee, workforce`},
		{broken, "the data of coffee cannot be read"},
		{empty, `the data has no "data"`},
		{strange, `missing predicate in "dances a"`},
		{far, "unknown query 1000: coffee has queries 0 to 128"},
		{notation, "plans of coffee have no steps"},
		{steps, "plans of movie have steps"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v does not say %q", c.err, c.want)
		}
	}
}
