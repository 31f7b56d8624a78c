package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

const lampDomain = `; Two lamps and one fuse.
(define (domain lamps)
  (:requirements :strips :negative-preconditions)
  (:predicates (lamp ?l) (lit ?l) (fused))
  (:action light
    :parameters (?l)
    :precondition (and (lamp ?l) (not (lit ?l)))
    :effect (lit ?l))
  (:action fuse :parameters () :precondition () :effect (fused)))
`

const lampProblem = `(define (problem evening)
  (:domain lamps)
  (:objects hall porch)
  (:init (lamp hall) (lamp porch))
  (:goal (and (lit hall) (lit porch))))
`

func lampFiles(more ...File) []File {
	return append([]File{{Name: "lamps.pddl", Text: lampDomain}, {Name: "evening.pddl", Text: lampProblem}}, more...)
}

// stepsSolver answers a query for a number of steps by trying all plans, and enforces the
// formulas.
func stepsSolver(t *testing.T, formulas ...string) func(query solve.Query) string {
	t.Helper()
	o, found := strips.Open(source.NewFile("evening.pddl", lampProblem), []*source.File{source.NewFile("lamps.pddl", lampDomain)})
	if len(found) > 0 {
		t.Fatal(found)
	}
	task, err := strips.Ground(o.Domain, o.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(query solve.Query) string {
		horizon := strings.Count(query.Text, "\n; step ")
		keep := strings.Contains(query.Text, "; the formula")
		var search func(state []bool, plan strips.Plan) strips.Plan
		search = func(state []bool, plan strips.Plan) strips.Plan {
			if len(plan) == horizon {
				states, fault := strips.Validate(o.Domain, o.Problem, plan)
				if fault != nil {
					return nil
				}
				for _, text := range formulas {
					list, _ := ltl.Parse(source.NewFile("f.ltl", text))
					if trace, err := strips.Trace(o.Domain, o.Problem, list[0].Formula, plan, states); err != nil || keep && !list[0].Formula.Holds(trace) {
						return nil
					}
				}
				return plan
			}
			for i := range task.Operators {
				if next, ok := task.Next(state, &task.Operators[i]); ok {
					if found := search(next, append(plan[:len(plan):len(plan)], task.Operators[i].Step)); found != nil {
						return found
					}
				}
			}
			return nil
		}
		plan := search(task.Init, strips.Plan{})
		if plan == nil {
			return "unsat"
		}
		var b strings.Builder
		for i, s := range plan {
			fmt.Fprintf(&b, "(define-fun do/%s@%d () Bool true)", strings.Join(append([]string{s.Action}, s.Arguments...), "."), i+1)
		}
		return "sat\nstile.model\n(" + b.String() + ")"
	}
}

// stepsRunOf runs a search and answers each query.
func stepsRunOf(t *testing.T, files []File, name string, settings StepsSettings, answer func(solve.Query) string) (events []string, out StepsOutcome) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: files, Name: name}, Settings: raw}).Run
	params := RunResumeParams{Run: number}
	for range 100 {
		got := result[RunResumeResult](t, s, "run.resume", params)
		params.Answers = nil
		for _, e := range got.Events {
			events = append(events, string(e))
		}
		for _, e := range got.Effects {
			reply, _ := json.Marshal(solve.Reply{Text: answer(*e.Solve), Milliseconds: 3})
			params.Answers = append(params.Answers, process.Answer{Effect: e.ID, Value: reply})
		}
		switch got.State {
		case process.StateDone:
			if err := json.Unmarshal(got.Result, &out); err != nil {
				t.Fatal(err)
			}
			return events, out
		case process.StateFailed:
			t.Fatalf("the run failed: %+v", got.Error)
		}
	}
	t.Fatal("the run does not end")
	return nil, out
}

func TestPlanSearchReportsItsStatus(t *testing.T) {
	const onePlan = "(light hall) (light porch)"
	for _, c := range []struct {
		name     string
		formula  string
		settings StepsSettings
		status   string
		plan     string
		message  string
		optimal  bool
		checks   string // "+" is true, "-" is false
	}{
		{"without formulas", "", StepsSettings{}, formulate.StatusSolved, onePlan, "", true, ""},
		{"with a formula that orders", "porch first: !\"lit hall\" U \"lit porch\"", StepsSettings{}, formulate.StatusSolved, "(light porch) (light hall)", "", true, "+"},
		{"with a formula that takes a step more", "safe: !light U fused", StepsSettings{}, formulate.StatusSolved, "(fuse) (light hall) (light porch)", "", true, "+"},
		{"with a formula that is only checked", "safe: !light U fused", StepsSettings{Properties: "check"}, formulate.StatusSolved, onePlan, "", true, "-"},
		{"with a formula that is ignored", "safe: !light U fused", StepsSettings{Properties: "ignore"}, formulate.StatusSolved, onePlan, "", true, ""},
		{"without a formula that cannot be judged", "G(x -> F y)", StepsSettings{Without: []string{"G (x -> F y)"}}, formulate.StatusSolved, onePlan, "", true, "-"},
		{"from more steps than it takes", "", StepsSettings{From: 3}, formulate.StatusSolved, onePlan + " (fuse)", "", false, ""},
		{"with fewer steps than it takes", "safe: !light U fused", StepsSettings{Most: 2}, formulate.StatusInfeasible, "",
			"with safe, no plan has at most 2 steps; without, there is one of 2 steps, and it violates safe: (light hall) (light porch)", false, ""},
		{"with a formula against the goal", "dark: G !\"lit hall\"", StepsSettings{Most: 4}, formulate.StatusInfeasible, "",
			"with dark, no plan has at most 4 steps; without, there is one of 2 steps, and it violates dark: (light hall) (light porch)", false, ""},
		{"with a formula against itself", "G fused & G !fused", StepsSettings{}, formulate.StatusInfeasible, "", "p.ltl: G fused & G !fused cannot hold in any plan", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := lampFiles()
			var formulas []string
			if c.formula != "" {
				name, text, named := strings.Cut(c.formula, ": ")
				if !named {
					name, text = "", c.formula
				}
				formula := text
				if name != "" {
					formula = strings.ReplaceAll(name, " ", "_") + ": " + text
					c.message = strings.ReplaceAll(c.message, name, strings.ReplaceAll(name, " ", "_"))
				}
				files = append(files, File{Name: "p.ltl", Text: formula + "\n"})
				if c.formula[0] != 'G' || strings.Contains(c.formula, "fused") {
					formulas = append(formulas, text)
				}
			}
			events, out := stepsRunOf(t, files, "evening.pddl", c.settings, stepsSolver(t, formulas...))
			if out.Status != c.status || strings.Join(out.Steps.Plan, " ") != c.plan || out.Message != c.message || out.Steps.Optimal != c.optimal {
				t.Errorf("it comes to %s, %v, %q, optimal %v", out.Status, out.Steps.Plan, out.Message, out.Steps.Optimal)
			}
			if c.plan != "" && len(out.Steps.States) != len(out.Steps.Plan)+1 {
				t.Errorf("there are %d states", len(out.Steps.States))
			}
			checks := ""
			for _, check := range out.Checks {
				if check.Holds {
					checks += "+"
				} else {
					checks += "-"
				}
				if check.Holds != (check.Reason == "") {
					t.Errorf("%+v", check)
				}
			}
			if checks != c.checks {
				t.Errorf("the checks are %+v", out.Checks)
			}
			if len(events) != 2*len(out.Steps.Tried) {
				t.Errorf("%d events of %d tries", len(events), len(out.Steps.Tried))
			}
		})
	}
}

func TestPlanIsCheckedAgainstTheWorkspacesSpecs(t *testing.T) {
	spec, plan, states := &strips.Spec{}, strips.Plan{{Action: "fuse"}, {Action: "light", Arguments: []string{"hall"}}, {Action: "light", Arguments: []string{"porch"}}}, []strips.State(nil)
	o, _ := strips.Open(source.NewFile("evening.pddl", lampProblem), []*source.File{source.NewFile("lamps.pddl", lampDomain)})
	*spec = o.Spec
	states, fault := strips.Validate(o.Domain, o.Problem, plan)
	if fault != nil {
		t.Fatal(fault)
	}
	for _, c := range []struct {
		name, file, text string
		want             string // "": it holds; "none": it is not checked
	}{
		{"a grammar over actions", "a.cfg", "S -> fuse L\nL -> light L | light\n", ""},
		{"a grammar that the plan ends too early for", "a.cfg", "S -> fuse light light fuse\n", "the plan ends too early; expected fuse"},
		{"a grammar that it goes beyond", "a.cfg", "S -> fuse light | light\n", "unexpected step 3, (light porch)"},
		{"a grammar over steps", "a.cfg", "S -> fuse \"light porch\" \"light hall\"\n", "unexpected step 2, (light hall); expected light porch"},
		{"a grammar over steps in parentheses", "a.cfg", "S -> \"(fuse)\" \"(light hall)\" light\n", ""},
		{"a grammar that lacks an action", "a.cfg", "S -> light S | light\n", "step 1, (fuse), is not a symbol of the spec"},
		{"a grammar of other terminals", "a.cfg", "S -> fuse bake\n", "none"},
		{"an automaton", "a.pda", "start q0 Z\naccept q1\nq0 -> q1 (fuse, Z; Z)\nq1 -> q1 (light, Z; Z)\n", ""},
		{"a formula that holds", "a.ltl", "F \"lit porch\" & !light U fused\n", ""},
		{"a formula that does not", "a.ltl", "never: G !fused\n", "counting the first state as step 1:\nstep 1: not (G !fused)\n  step 2: not (!fused)\n    step 2: fused"},
		{"a formula that cannot be judged", "a.ltl", "G x\n", `not judged: unknown symbol "x": no spec of the workspace defines it`},
		{"a formula about what there is not", "a.ltl", "G !\"lit cellar\"\n", `a.ltl, line 1: unknown object "cellar" in "lit cellar" of the formula`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := RunWorkspace{Files: lampFiles(File{Name: c.file, Text: c.text})}
			got := "none"
			for _, check := range planChecker(New().project(w.Files))(spec, plan, states) {
				if got = check.Reason; check.Holds != (got == "") {
					t.Errorf("%+v", check)
				}
			}
			if got != c.want {
				t.Errorf("it says %q, want %q", got, c.want)
			}
		})
	}
}

func TestUnplannableFilesFailAtTheStart(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    []File
		file     string
		settings string
		code     string
	}{
		{"a domain without a problem", lampFiles()[:1], "lamps.pddl", `{}`, "steps.problem"},
		{"a problem without its domain", lampFiles()[1:], "evening.pddl", `{}`, "source.invalid"},
		{"a faulty text", []File{{Name: "a.pddl", Text: "(define"}}, "a.pddl", `{}`, "source.invalid"},
		{"too many steps", lampFiles(), "evening.pddl", `{"most": 200}`, "limit.horizon"},
		{"more steps than the most", lampFiles(), "evening.pddl", `{"from": 5, "most": 4}`, "limit.horizon"},
		{"a word that is none", lampFiles(), "evening.pddl", `{"properties": "maybe"}`, "steps.properties"},
		{"a formula about no object", lampFiles(File{Name: "a.ltl", Text: "G !\"lit cellar\"\n"}), "evening.pddl", `{}`, "strips.proposition"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, fault := call(t, New(), "run.start", RunStartParams{Workspace: RunWorkspace{Files: c.files, Name: c.file}, Settings: []byte(c.settings)})
			if fault == nil || fault.Code != c.code {
				t.Errorf("%+v", fault)
			}
		})
	}
}

func TestDomainRunsWithItsProblem(t *testing.T) {
	_, out := stepsRunOf(t, lampFiles(), "lamps.pddl", StepsSettings{}, stepsSolver(t))
	if out.Status != formulate.StatusSolved || len(out.Steps.Plan) != 2 {
		t.Errorf("%+v", out)
	}
}

func TestProblemIsEncodedForOtherTools(t *testing.T) {
	s := New()
	got := result[StepsEncodeResult](t, s, "steps.encode", StepsEncodeParams{Files: lampFiles(), Name: "evening.pddl", Steps: -1})
	if got.Steps != 2 || got.Least != 2 || !got.Reachable || got.Facts != 3 || got.Operators != 3 || !strings.Contains(got.Text, "(check-sat)") {
		t.Errorf("%+v", got)
	}
	if _, found := strips.Parse(source.NewFile("again.pddl", got.Domain+got.Problem)); len(found) > 0 {
		t.Errorf("%v in\n%s%s", found, got.Domain, got.Problem)
	}
	if _, found := solve.Check(solve.Z3, source.NewFile("a.smt2", got.Text)); source.HasErrors(found) {
		t.Errorf("%v", found[0])
	}
	for _, p := range []StepsEncodeParams{{Files: lampFiles(), Name: "none.pddl"}, {Files: lampFiles(), Name: "evening.pddl", Steps: 1_000}, {Files: lampFiles(File{Name: "a.cfg", Text: "S -> a"}), Name: "a.cfg"}} {
		if _, fault := call(t, s, "steps.encode", p); fault == nil || fault.Code == "internal" {
			t.Errorf("%s, %d steps: %+v", p.Name, p.Steps, fault)
		}
	}
}

func TestGivenPlanIsValidated(t *testing.T) {
	files := lampFiles(File{Name: "a.ltl", Text: "F fused\n"})
	for _, c := range []struct {
		name, plan string
		states     int
		code, at   string
		literal    string
		checks     int
	}{
		{"a sound plan", "(light hall)\n(light porch)", 3, "", "", "", 1},
		{"without parentheses", "1. light hall\n2. light porch ; the last\n", 3, "", "", "", 1},
		{"a step that cannot be done", "(light hall)(LIGHT hall)", 2, strips.FaultPrecondition, "(LIGHT hall)", "(not (lit hall))", 0},
		{"an action that there is not", "lite hall", 1, strips.FaultAction, "lite hall", "", 0},
		{"an object that there is not", "(light attic)", 1, strips.FaultArguments, "(light attic)", "", 0},
		{"a goal that is not reached", "(light hall)", 2, strips.FaultGoal, "", "(lit porch)", 0},
		{"no step", "(light (hall))", 0, "strips.step", "(light (hall))", "", 0},
		{"nothing", "", 1, strips.FaultGoal, "", "(lit hall)", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := result[StepsValidateResult](t, New(), "steps.validate", StepsValidateParams{Files: files, Name: "evening.pddl", Plan: c.plan})
			if len(got.States) != c.states || len(got.Checks) != c.checks {
				t.Errorf("%+v", got)
			}
			switch {
			case c.code == "":
				if got.Fault != nil || len(got.Diagnostics) > 0 || len(got.Steps) != 2 || c.plan[got.Steps[1].From:got.Steps[1].From+1] == " " {
					t.Errorf("%+v", got)
				}
			case len(got.Diagnostics) != 1 || got.Diagnostics[0].Code != c.code || c.plan[got.Diagnostics[0].From:got.Diagnostics[0].To] != c.at:
				t.Errorf("%+v", got.Diagnostics)
			case got.Fault != nil && got.Fault.Literal != c.literal:
				t.Errorf("%+v", got.Fault)
			}
		})
	}
}
