package formulate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/strips"
)

// The ends of each range are accepted, the numbers next to them rejected.
func TestSettingsRanges(t *testing.T) {
	number := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		set                func(s *Settings, n int)
		least, most, limit int // limit 0: no greatest number
	}{
		"rounds":        {func(s *Settings, n int) { s.Rounds = number(n) }, 0, MaxRounds, 1},
		"regenerations": {func(s *Settings, n int) { s.Regenerations = number(n) }, 0, MaxRounds, 1},
		"horizon":       {func(s *Settings, n int) { s.Horizon = n }, 0, strips.MaxHorizon, 1},
		"temperature":   {func(s *Settings, n int) { s.Temperature = float64(n) }, 0, 2, 1},
		"tokens":        {func(s *Settings, n int) { s.MaxTokens = n }, 0, 1 << 20, 0},
		"calls":         {func(s *Settings, n int) { s.Budget.Calls = n }, 0, 1 << 20, 0},
		"mistakes":      {func(s *Settings, n int) { s.Mistakes = slices.Repeat([]string{MistakeQuery}, max(n, 0)) }, 1, MaxRounds, 1},
	} {
		for n, ok := range map[int]bool{c.least: true, c.most: true, c.least - 1: name == "mistakes", c.most + 1: c.limit == 0} {
			s := Settings{Model: simulatedModel}
			c.set(&s, n)
			if err := s.Check(); (err == nil) != ok {
				t.Errorf("%d %s: %v", n, name, err)
			}
		}
	}
	for _, s := range []Settings{
		{}, {Model: simulatedModel, Models: map[string]llm.Spec{StageSolver: simulatedModel}}, {Model: simulatedModel, Models: map[string]llm.Spec{StageDefiner: {}}},
		{Model: simulatedModel, Without: []string{StageGenerator}},
	} {
		if s.Check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	for _, s := range []Settings{
		{Model: simulatedModel, Models: map[string]llm.Spec{StageAssessor: simulatedModel, StageFormatter: simulatedModel}},
		{Model: simulatedModel, Without: []string{StageDefiner, StageFormulator}, Method: MethodCoT, Notation: NotationLP, From: StageSolver},
	} {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestQueryNames(t *testing.T) {
	for name, want := range map[string]bool{"query": true, "query.a": true, "query_a": true, "query.": true, "": false, "queryx": false, "a.query": false, "quer": false, "Query.a": false} {
		if isQuery(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// A name in SMT-LIB is quoted if, and only if, it has a character that no plain symbol has
// (SMT-LIB 2.6, §3.1).
func TestNamesAreQuotedWhereNeeded(t *testing.T) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$%^&*_-+=<>.?/"
	for c := rune(' '); c < 0x180; c++ {
		name := "a" + string(c) + "b"
		want := name
		if !strings.ContainsRune(plain, c) {
			want = "|" + name + "|"
		}
		if got := quoted(name); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		sort, value, want string
	}{
		{"Int", "3", "3"}, {"Int", "-3", "(- 3)"}, {"Int", "0", "0"}, {"Real", "3", "3.0"}, {"Real", "-1/2", "(- (/ 1.0 2.0))"}, {"Real", "2.5", "2.5"}, {"Bool", "true", "true"},
		{"String", "a", ""}, {"Real", "∞", ""}, {"Int", "-∞", ""},
	} {
		if got, ok := literal(solve.Value{Sort: c.sort, Value: c.value}); got != c.want || ok != (c.want != "") {
			t.Errorf("%s %s: %q", c.sort, c.value, got)
		}
	}
	if _, ok := literal(solve.Value{Sort: "Int", Value: "3", Params: []string{"Int"}}); ok {
		t.Error("a function is a literal")
	}
}

// examined returns the findings of a text with a solution, without a solver.
func examined(r *run, text, status string, model ...solve.Value) (out []Finding) {
	r.model, r.notation = text, or(r.notation, NotationSMT)
	_, _ = effectsOf(func(env *process.Env) error {
		r.env, r.round, r.found = env, 1, nil
		r.solved.status, r.solved.outcome = status, outcomeOf(solve.Result{Model: model})
		r.solved.outline = solve.Outlined(r.solver(), sourceOf(text))
		r.examine()
		return nil
	})
	return r.found
}

// effectsOf runs a process that needs no host.
func effectsOf(body func(env *process.Env) error) (process.Output, error) {
	return process.New(func(env *process.Env) (any, error) { return "", body(env) }, 1, meter.Budget{}, nil).Resume(nil, 0)
}

func messageOf(found []Finding, mistake string) string {
	for _, f := range found {
		if f.Mistake == mistake {
			return fmt.Sprintf("%s|%v|%d", f.Message, f.Certain, f.Line)
		}
	}
	return ""
}

func TestNegativeQuantitiesAreFound(t *testing.T) {
	value := func(name, v string) solve.Value { return solve.Value{Name: name, Sort: "Int", Value: v} }
	const declared = "(declare-const a Int)\n(declare-const b Int)\n(declare-const c Int)\n(declare-const d Int)\n(declare-const e Int)\n(assert (>= a 0))\n(assert (< (+ a b c d e) 9))\n(minimize e)"
	for _, c := range []struct {
		status string
		base   string // of b in the base plan
		model  []solve.Value
		want   string
	}{
		{StatusSolved, "", []solve.Value{value("b", "1"), value("c", "0")}, ""},
		{StatusSolved, "", []solve.Value{value("a", "-1"), value("other", "-1")}, ""},
		{StatusSolved, "", []solve.Value{value("a", "-1"), value("c", "-2")}, "c is -2: missing lower bound 0|true|3"},
		{StatusFeasible, "-7", []solve.Value{value("c", "-2")}, "c is -2, b is -7: missing lower bound 0|true|3"},
		{StatusSolved, "-7", nil, "b is -7: missing lower bound 0|true|2"},
		{StatusSolved, "", []solve.Value{value("b", "-1"), value("c", "-2"), value("d", "-3")}, "b is -1, c is -2, d is -3: missing lower bound 0|true|2"},
		{StatusSolved, "", []solve.Value{value("b", "-1"), value("c", "-2"), value("d", "-3"), value("e", "-4")}, "b is -1, c is -2, d is -3, and 1 more: missing lower bound 0|true|2"},
		{StatusUnbounded, "", nil, "unbounded objective: missing lower bound of b, c, d|true|2"},
		{StatusUnknown, "", []solve.Value{value("b", "-1")}, ""},
	} {
		r := &run{p: &Problem{}}
		if c.base != "" {
			r.solved.without = []solve.Value{value("b", c.base)}
		}
		text := declared
		if c.status == StatusUnbounded { // e is the objective's
			text = strings.Replace(text, "(< (+ a b c d e) 9)", "(= e (+ a b c d))", 1)
		}
		if got := messageOf(examined(r, text, c.status, c.model...), MistakeNegative); got != c.want {
			t.Errorf("%s %v: %q", c.status, c.model, got)
		}
	}
}

// The text has to use a quarter of the data's numbers, at most 3, or a given definition.
func TestIgnoredDataIsFound(t *testing.T) {
	for _, c := range []struct {
		data, text, api, want string
	}{
		{`{"a": [10, 20]}`, "", "", ""},
		{`{"a": [0, 1, 10, 20]}`, "", "", ""},
		{`{"a": [10, 20, 30]}`, "", "", "the text uses 0 of the 3 numbers in data.json|true|0"},
		{`{"a": [10, -20, {"b": 3.50}]}`, "(assert (> x 20))", "", ""},
		{`{"a": [10, -20, {"b": 3.50}]}`, "(assert (> y 3.5))", "", ""},
		{`[10, 20, 30, 40]`, "(assert (> x 20))", "", "the text uses 1 of the 4 numbers in data.json|false|0"},
		{`[10, 20, 30, 40]`, "(assert (> x 20))(assert (< x 40))", "", ""},
		{`[10, 20, 30, 40, 50, 60, 70, 80]`, "(assert (> x 20))(assert (< x 40))", "", "the text uses 2 of the 8 numbers in data.json|false|0"},
		{`[10, 20, 30, 40, 50, 60, 70, 80, 90, 11, 12, 13, 14, 15, 16, 17]`, "(assert (> x 20))(assert (< x 40))(assert (< x 50))", "", ""},
		{`[10, 20, 30]`, "(assert (> x (fee 7)))", teaAPI, ""},
		{`[10, 20, 30]`, "(assert (> x 7))", teaAPI, "the text uses neither the numbers of data.json nor fee, a given definition|true|0"},
		{`[10, 20, 30, 40]`, "(assert (> x 10))", teaAPI, "the text uses neither the numbers of data.json nor fee, a given definition|false|0"},
		{`[10, 20, 30]`, "(assert (> x 7))", "(declare-const z Int)", "the text uses 0 of the 3 numbers in data.json|true|0"},
		{`no JSON 10 20 30`, "", "", ""},
	} {
		r := &run{p: &Problem{Data: c.data, API: c.api}}
		text := "(declare-const x Int)(declare-const y Real)" + c.text
		if got := messageOf(examined(r, text, StatusSolved), MistakeOverwritten); got != c.want {
			t.Errorf("%s %s: %q", c.data, c.text, got)
		}
	}
}

// Kinds of variables are connected if a chain of constraints has them in common; those of the
// question and the objective do not count.
func TestUnconnectedKindsAreFound(t *testing.T) {
	const declared = "(declare-const a.1 Int)(declare-const a.2 Int)(declare-const b.1 Int)(declare-const c Int)"
	value := func(name, v string) solve.Value { return solve.Value{Name: name, Sort: "Int", Value: v} }
	used := []solve.Value{value("a.1", "0"), value("a.2", "2"), value("b.1", "3"), value("c", "1")}
	idle := []solve.Value{value("a.1", "1"), value("a.2", "2"), value("b.1", "0"), value("c", "0")}
	for _, c := range []struct {
		text  string
		model []solve.Value
		want  string
	}{
		{"(assert (= a.1 b.1))(assert (= b.1 c))", used, ""},
		{"(assert (= c b.1))(assert (= b.1 a.2))", used, ""},
		{"(assert (= (+ a.1 b.1) c))", used, ""},
		{"(assert (= a.1 b.1))", used, "no constraint connects: a, b | c|false|0"},
		{"(assert (= a.1 c))", idle, "no constraint connects: a, c | b; b is always 0: the plan does not use it|true|0"},
		{"(assert (= a.1 a.2))", idle, "no constraint connects: a | b | c; b is always 0: the plan does not use it|true|0"},
		{"(assert (= a.1 b.1))(assert (! (= b.1 c) :named query.x))", used, "no constraint connects: a, b | c|false|0"},
		{"(assert (= a.1 b.1))(minimize (+ b.1 c))", used, "no constraint connects: a, b | c|false|0"},
	} {
		if got := messageOf(examined(&run{p: &Problem{}}, declared+c.text, StatusSolved, c.model...), MistakeImplicit); got != c.want {
			t.Errorf("%s: %q", c.text, got)
		}
	}
	// Without a plan nothing is known to be unused; at most 5 groups of 3 names are listed.
	if got := messageOf(examined(&run{p: &Problem{}}, declared+"(assert (= a.1 b.1))", StatusUnknown, idle...), MistakeImplicit); got != "no constraint connects: a, b | c|false|0" {
		t.Errorf("%q", got)
	}
	var many strings.Builder
	for _, name := range strings.Fields("a b c d e f g h i j") {
		many.WriteString("(declare-const " + name + " Int)")
	}
	if got := messageOf(examined(&run{p: &Problem{}}, many.String()+"(assert (= a b c))(assert (= d e f g))", StatusUnknown), MistakeImplicit); got != "no constraint connects: a, b, c | d, e, f, … | h | i | j|false|0" {
		t.Errorf("%q", got)
	}
	if got := messageOf(examined(&run{p: &Problem{}}, many.String()+"(assert (= a b c d))", StatusUnknown), MistakeImplicit); got != "no constraint connects: a, b, c, … | e | f | g | h|false|0" {
		t.Errorf("%q", got)
	}
}

func TestFirstWord(t *testing.T) {
	for name, want := range map[string]string{"ship.a": "ship", "ship_a.b": "ship", "x[1]": "x", "x": "x", ".a": ".a", "a b": "a", "f(1)": "f", "_a": "_a"} {
		if got := firstWord(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestSolutionInPrompts(t *testing.T) {
	value := func(name, v string) solve.Value { return solve.Value{Name: name, Value: v} }
	many := make([]solve.Value, maxReported+50)
	for i := range many {
		many[i] = value("x", "2")
	}
	for _, c := range []struct {
		s    solved
		want string
	}{
		{solved{status: StatusSolved, outcome: outcome{objective: "3", model: []solve.Value{value("a", "1"), value("b", "0"), value("c", "false")}}}, "The solver found an optimal solution.\nobjective: 3\na = 1\n2 other variables are 0 or false"},
		{solved{status: StatusSolved, outcome: outcome{model: []solve.Value{value("a", "1")}}}, "The solver found an optimal solution.\na = 1"},
		{solved{status: StatusFeasible, outcome: outcome{objective: "3"}, result: &solve.Result{Bound: "2"}}, "The solver found a solution. Whether it is optimal is not proven.\nobjective: 3\nno solution is better than: 2"},
		{solved{status: StatusFeasible, outcome: outcome{objective: "3"}, result: &solve.Result{}}, "The solver found a solution. Whether it is optimal is not proven.\nobjective: 3"},
		{solved{status: StatusSolved, outcome: outcome{objective: "3"}, result: &solve.Result{Bound: "2"}}, "The solver found an optimal solution.\nobjective: 3"},
		{solved{status: StatusSolved, steps: &Steps{Plan: []string{"(a)", "(b)"}}}, "The solver found a shortest plan, of 2 steps:\n(a)\n(b)"},
		{solved{status: StatusInfeasible, message: "none"}, "The problem has no solution.\nnone"},
		{solved{status: StatusInfeasible, result: &solve.Result{}, steps: &Steps{}}, "The problem has no solution."},
		{solved{status: StatusInfeasible, result: &solve.Result{Core: []solve.Named{{Name: "a"}, {Name: "b"}}}}, "The problem has no solution.\nThese constraints contradict each other: a, b"},
		{solved{status: StatusUnbounded}, "The objective is unbounded: for every solution there is a better one."},
		{solved{status: StatusFailed, message: "line 1"}, "The solver cannot read the text.\nline 1"},
		{solved{status: StatusUnknown, base: &Comparison{Status: StatusSolved, Objective: "4"}}, "The solver found no answer.\nWithout the constraints of the question: solved, objective 4"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
	long := solved{status: StatusSolved, outcome: outcome{model: many}}
	if text := long.String(); strings.Count(text, "x = 2") != maxReported+1 || !strings.HasSuffix(text, "\n… and more") {
		t.Errorf("%d values are reported", strings.Count(text, "x = 2"))
	}
}

// The choices of a family, tables and lists are those of its cells that are not 0.
func TestReferencesToFamilies(t *testing.T) {
	var model []solve.Value
	for _, text := range strings.Fields("visit.1.a=0 visit.1.b=1 visit.2.a=1 visit.2.b=0 take.x=0 take.y=5 take.z=-2 lone=3 open_a=1 open_b=0") {
		name, v, _ := strings.Cut(text, "=")
		model = append(model, solve.Value{Name: name, Sort: "Int", Value: v})
	}
	o := outcomeOf(solve.Result{Model: model})
	for form, want := range map[string]string{
		`"{visit->}"`: `["b","a"]`, `"{VISIT->}"`: `["b","a"]`, `"{take->}"`: "", `"{take}"`: `{"y": 5, "z": -2}`, `"{visit}"`: `{"1": {"b": 1}, "2": {"a": 1}}`,
		`"{lone}"`: "3", `["{visit->} of each"]`: `["b","a"]`, `["{a}", "{b}"]`: "", `"{}"`: "", `"{lone"`: "", `"lone"`: "", `"{nothing->}"`: "", `"{objective}"`: "null",
		`{"visit": {"1": ["a"], "2": ["a"]}}`: "", `{"take": ["x"]}`: "",
	} {
		n, fault := json.Tree(form)
		if fault != nil {
			t.Fatal(fault)
		}
		if got := o.at(n, nil); got != want {
			t.Errorf("%s: %s", form, got)
		}
	}
	for form, want := range map[string]string{
		`{"visit": {"1": ["a"], "2": ["a"], "3": ["a"]}}`: `{"visit": {"1": ["b"], "2": ["a"], "3": []}}`,
		`{"take": ["x"], "open": ["a"], "lone": 0}`:       `{"take": ["y","z"], "open": ["a"], "lone": 3}`,
		`{"take": {"x": 1, "y": "how many", "q": 1}}`:     `{"take": {"x": 0, "y": 5, "q": null}}`,
		`{"Visit 1": {"B": 0}}`:                           `{"Visit 1": {"B": 1}}`,
	} {
		n, _ := json.Tree(form)
		got, complete := o.filled(n)
		if unknown := strings.Contains(want, "[]") || strings.Contains(want, "null"); got != want || complete == unknown {
			t.Errorf("%s: %s, complete %v", form, got, complete)
		}
	}
	steps := outcome{plan: []string{"(a)"}}
	for form, want := range map[string]string{`"{objective}"`: "1", `"{plan}"`: `["(a)"]`, `{"plan": ["step"]}`: "", `{"plan": "text"}`: ""} {
		n, _ := json.Tree(form)
		if got := steps.at(n, nil); got != want {
			t.Errorf("%s: %s", form, got)
		}
	}
	list, _ := json.Tree(`["step"]`)
	if got := steps.at(list, []string{"plan"}); got != `["(a)"]` {
		t.Errorf("plan: %s", got)
	}
	if got := o.at(list, []string{"plan"}); got != "" {
		t.Errorf("a plan without steps: %s", got)
	}
}

func TestNumbersOfSolutions(t *testing.T) {
	for value, want := range map[string]string{
		"": "null", "true": "true", "false": "false", "12": "12", "-3.5": "-3.5", "1/4": "0.25", "-1/3": "-0.333333333", "1.41?": "1.41", "1/0": `"1/0"`, "a/b": `"a/b"`, "1/b": `"1/b"`, "a/2": `"a/2"`, "∞": `"∞"`, "6/3": "2",
	} {
		if got := number(value); got != want {
			t.Errorf("%q: %s", value, got)
		}
	}
	for value, want := range map[string]bool{"0": true, "0.0": true, "-0": true, "0/7": true, "false": true, "10": false, "1/10": false, "true": false, "0.05": false} {
		if zero(value) != want {
			t.Errorf("%q is zero: %v", value, !want)
		}
	}
	for text, want := range map[string]string{"1.50": "1.5", "2.0": "2", "100": "100", "1.0e5": "1.0e5", "1.E2": "1.E2", "a": "a"} {
		if got := plain(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for _, c := range []struct {
		exact, short string
		want         bool
	}{{"6.928203", "6.93", true}, {"6.928203", "6.92", false}, {"6.928203", "7", false}, {"7", "7.0", true}, {"6.928203", "6.9e0", false}, {"x", "1.0", false}} {
		if rounds(c.exact, c.short) != c.want {
			t.Errorf("%s rounds %s: %v", c.short, c.exact, !c.want)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1000000", "1000001", true}, {"1000000", "1000002", false}, {"0.5", "0.5000009", true}, {"0.5", "0.500002", false}, {"1/3", "0.3333333", true}, {"a", "a", false}, {"a", "1", false}, {"1", "a", false}} {
		if near(c.a, c.b) != c.want {
			t.Errorf("%s is near %s: %v", c.a, c.b, !c.want)
		}
	}
}

// An objective better than the solution's is possible up to the bound.
func TestBetterObjectiveWithinBound(t *testing.T) {
	form, _ := json.Tree(`{"plan": {"cost": "{objective}"}, "other": 1}`)
	for _, c := range []struct {
		sense, bound, said string
		better             bool
	}{
		{"minimize", "8", "9", true}, {"minimize", "8", "8", true}, {"minimize", "8", "7.9999999", true}, {"minimize", "8", "7.9", false}, {"minimize", "8", "10", false}, {"minimize", "8", "11", false},
		{"minimize", "", "1", true}, {"maximize", "12", "11", true}, {"maximize", "12", "12", true}, {"maximize", "12", "12.1", false}, {"maximize", "12", "10", false}, {"maximize", "12", "9", false}, {"maximize", "", "99", true},
		{"minimize", "8", `"9"`, false}, {"minimize", "-8", "-8", true}, {"minimize", "-8", "-8.1", false},
		// The tolerance is relative.
		{"minimize", "-8000000", "-8000007", true}, {"minimize", "-8000000", "-8000009", false},
	} {
		o := outcome{objective: "10", aim: &solve.Objective{Sense: c.sense}, bound: c.bound}
		answer, _ := json.Tree(`{"other": 1, "plan": {"cost": ` + c.said + `}}`)
		if got := o.better(form, answer); (got != "") != c.better || c.better && got != c.said {
			t.Errorf("%+v: %q", c, got)
		}
		if o.aim = nil; o.better(form, answer) != "" {
			t.Error("a proven optimum is improved")
		}
	}
}

func TestMisfitsOfAnswers(t *testing.T) {
	const form = `{"cost": 0, "picked": {"hill": 1}, "days": [{"name": "a"}], "note": "why", "list": []}`
	for value, want := range map[string]string{
		`{"cost": 3, "picked": {"hill": 1}, "days": [], "note": 3, "list": [1]}`:                          "",
		`{"cost": null, "picked": {"hill": 1, "more": 2}, "days": [{"name": 1}], "note": {}, "list": []}`: "",
		`{"cost": "3", "picked": {}, "days": {}, "list": []}`:                                             `answer.cost is not a number; answer.picked has no "hill"; answer.days is not a list; answer has no "note"`,
		`{"cost": 3, "picked": 3, "days": [{"name": 1}, {"nam": 1}, 3], "note": "", "list": 1}`:           `answer.picked is not an object; answer.days[1] has no "name"; answer.list is not a list`,
		`[]`: "answer is not an object",
	} {
		f, _ := json.Tree(form)
		v, fault := json.Tree(value)
		if fault != nil {
			t.Fatal(fault)
		}
		if got := strings.Join(misfits(f, v, "answer"), "; "); got != want {
			t.Errorf("%s: %s", value, got)
		}
	}
}

// Values in messages are quoted if they are texts, and cut after 60 bytes between characters.
func TestShortValues(t *testing.T) {
	for text, want := range map[string]string{`"a"`: `"a"`, "12": "12", `"` + strings.Repeat("a", 58) + `"`: `"` + strings.Repeat("a", 58) + `"`, `"` + strings.Repeat("a", 59) + `"`: `"` + strings.Repeat("a", 59) + "…", `"` + strings.Repeat("a", 58) + `éé"`: `"` + strings.Repeat("a", 58) + "…"} {
		n, _ := json.Tree(text)
		if got := short(n); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := short(&json.Node{}); got != "not there" {
		t.Errorf("missing: %s", got)
	}
}

// applied makes a mistake and returns the lines that it changes, removes or adds.
func applied(mistake, stage, notation, text, api string) string {
	wrong, ok := applyMistake(mistake, stage, notation, text, api)
	if !ok {
		return "none"
	}
	var out []string
	before, after := strings.Split(text, "\n"), strings.Split(wrong, "\n")
	for _, l := range before {
		if !slices.Contains(after, l) {
			out = append(out, "-"+l)
		}
	}
	for _, l := range after {
		if strings.TrimSpace(l) != "" && !slices.Contains(before, l) {
			out = append(out, "+"+l)
		}
	}
	return strings.Join(out, "\n")
}

func TestMistakesInTexts(t *testing.T) {
	lp := func(row string) string {
		return "Minimize\n c: 2 x + 3.5 y\nSubject To\n r: x + y >= 20\n query_a: " + row + "\nGeneral\n x y\nEnd\n"
	}
	for _, c := range []struct{ mistake, stage, notation, text, want string }{
		{MistakeDirection, StageGenerator, NotationLP, lp("x = 0"), "- query_a: x = 0\n+ query_a: x >= 1"},
		{MistakeDirection, StageGenerator, NotationLP, lp("x = 1"), "- query_a: x = 1\n+ query_a: x = 0"},
		{MistakeDirection, StageGenerator, NotationLP, lp("x <= 0"), "- query_a: x <= 0\n+ query_a: x >= 1"},
		{MistakeDirection, StageGenerator, NotationLP, lp("x >= 1"), "- query_a: x >= 1\n+ query_a: x <= 0"},
		{MistakeDirection, StageGenerator, NotationLP, lp("x >= 0"), "none"},
		{MistakeDirection, StageGenerator, NotationLP, lp("x <= 1"), "none"},
		{MistakeDirection, StageGenerator, NotationLP, lp("x = 5"), "none"},
		{MistakeDirection, StageGenerator, NotationSMT, "(declare-const x Int)\n(assert (! (= x 0) :named query.a))\n(assert (! (= x 1) :named b))", "-(assert (! (= x 0) :named query.a))\n+(assert (! (not (= x 0)) :named query.a))"},
		{MistakeDirection, StageGenerator, NotationSMT, "(declare-const x Int)\n(assert (= x 0))", "none"},
		{MistakeSyntax, StageGenerator, NotationLP, lp("x = 0"), "-Subject To\n+Subjekt To"},
		{MistakeSyntax, StageGenerator, NotationLP, "Minimize\nEnd", "none"},
		{MistakeSyntax, StageGenerator, NotationSMT, "(a)\n(b)", "-(b)\n+(b"},
		{MistakeSyntax, StageGenerator, NotationSMT, ")", "-)"},
		{MistakeSyntax, StageGenerator, NotationSMT, "a", "none"},
		{MistakeSyntax, StageGenerator, NotationPDDL, "(a)", "-(a)\n+(a"},
		{MistakeQuery, StageGenerator, NotationPDDL, "(a)", "none"},
		{MistakeNegative, StageGenerator, NotationLP, lp("x = 0"), "+Bounds\n+ x free\n+ y free"},
		{MistakeNegative, StageGenerator, NotationLP, "Minimize\n x\nEnd\n", "+Bounds\n+ x free"},
		{MistakeNegative, StageGenerator, NotationLP, "Minimize\n x", "none"},
		{MistakeNegative, StageGenerator, NotationLP, "minimize\n x\nend\n", "+Bounds\n+ x free"},
		{MistakeObjective, StageGenerator, NotationLP, lp("x = 0"), "none"},
		{MistakeObjective, StageGenerator, NotationSMT, "(declare-const x Int)\n(minimize x)", "-(minimize x)"},
		{MistakeObjective, StageGenerator, NotationSMT, "(declare-const x Int)", "none"},
		{MistakeQuery, StageGenerator, NotationLP, lp("x = 0"), "- query_a: x = 0"},
		{MistakeOverwritten, StageGenerator, NotationLP, lp("x = 0"), "- c: 2 x + 3.5 y\n- r: x + y >= 20\n+ c: 1 x + 1 y\n+ r: x + y >= 1"},
		{MistakeOverwritten, StageGenerator, NotationSMT, "(declare-const x2 Real)\n(assert (> x2 25.5))\n(assert (> x2 190))", "-(assert (> x2 25.5))\n-(assert (> x2 190))\n+(assert (> x2 1.0))\n+(assert (> x2 1))"},
		{MistakeOverwritten, StageGenerator, NotationSMT, "(declare-const x Real)\n(assert (> x 1.0 0 1 0.0))", "none"},
		{MistakeImplicit, StageDefiner, NotationSMT, "## Goal\nleast\n## Constraints\n- a\n- b\n- c\n- d\n", "-- c\n-- d"},
		{MistakeImplicit, StageDefiner, NotationSMT, "## Goal\nleast\n## Constraints\n- a\n- b\n- c\n", "-- b\n-- c"},
		{MistakeImplicit, StageDefiner, NotationSMT, "## Goal\nleast\n## Constraints\n- a\n- b\n", "none"},
		{MistakeQuery, StageDefiner, NotationSMT, "## Goal\nleast\n## Constraints\n- a\n- b\n- c\n", "none"},
		{MistakeImplicit, StageFormulator, NotationSMT, "## Goal\nleast\n## Constraints\n- a\n- b\n- c\n", "none"},
		{MistakeHorizon, StageFormulator, NotationPDDL, "{\"goal\": {}\n}", "-{\"goal\": {}\n-}\n+{\"goal\": {},\n+  \"horizon\": {\"from\": 1, \"most\": 1}\n+}"},
		{MistakeHorizon, StageFormulator, NotationPDDL, "{\n\"horizon\": {\"from\": 3},\n\"goal\": {}}", "-\"horizon\": {\"from\": 3},\n+\"horizon\": {\"from\": 1, \"most\": 1},"},
		{MistakeHorizon, StageFormulator, NotationPDDL, "{}", "none"},
		{MistakeHorizon, StageFormulator, NotationPDDL, "[]", "none"},
		{MistakeHorizon, StageFormulator, NotationSMT, "{\"goal\": {}}", "none"},
		{MistakeHorizon, StageGenerator, NotationPDDL, "{\"goal\": {}}", "none"},
		{MistakeSyntax, StageFormulator, NotationPDDL, "{\"goal\": {}}", "none"},
	} {
		got := strings.ReplaceAll(applied(c.mistake, c.stage, c.notation, c.text, ""), "\n+}", "")
		if want := strings.ReplaceAll(strings.ReplaceAll(c.want, "\n+}", ""), "\n-}", ""); got != want {
			t.Errorf("%s of the %s, %s in\n%s: %q", c.mistake, c.stage, c.notation, c.text, got)
		}
	}
	// Later bounds of the text replace the free ones, so a greatest value is kept.
	bounded := "Minimize\n x\nSubject To\n r: x >= -9\nBounds\n x <= 7\nGeneral\n x\nEnd\n"
	if got, ok := applyMistake(MistakeNegative, StageGenerator, NotationLP, bounded, ""); !ok || got != strings.Replace(bounded, "Bounds\n", "Bounds\n x free\nBounds\n", 1) {
		t.Errorf("%q", got)
	}
	// A given function of numbers is replaced by 1; a function of another sort is removed.
	for api, want := range map[string]string{
		"(define-fun d ((a Int) (b Int)) Real (+ a b))":               "(define-fun d ((a Int) (b Int)) Real 1.0)",
		"(define-fun n () Int 7)":                                     "(define-fun n () Int 1)",
		"(define-fun p ((a Int)) Bool true)\n(define-fun n () Int 7)": "(define-fun n () Int 1)",
	} {
		if got, ok := applyMistake(MistakeOverwritten, StageGenerator, NotationSMT, "(assert true)", api); !ok || got != want+"\n(assert true)" {
			t.Errorf("%s: %s", api, got)
		}
	}
	for text, ok := range map[string]bool{"(define-fun d ((a Int)": false, "": false, "(define-fun p () Bool true)": false} {
		if _, got := constantDefinition(text); got != ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// The last object is the outermost one, and parentheses before it do not count.
func TestLastObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1}`: `{"a": 1}`, `x {"a": {"b": 1}} y`: `{"a": {"b": 1}}`, `{"a": 1} and {"b": 2}`: `{"b": 2}`, `{no} {"b": 2}`: `{"b": 2}`, `{`: "", ``: "", `}`: "", `{"a": 1`: "", `{a}`: "",
	} {
		n, faults := lastObject(text)
		if got := ""; n != nil {
			got = n.Text
			if got != want || len(faults) > 0 {
				t.Errorf("%s: %s, %q", text, got, faults)
			}
		} else if want != "" || len(faults) == 0 {
			t.Errorf("%s: none, %q", text, faults)
		}
	}
}

// At most eight faults are listed, and the first one of the syntax is a finding.
func TestFaultsOfTextsAreBounded(t *testing.T) {
	text := strings.Repeat("(assert (> nothing 1))\n", 9) + "(define-fun fee () Int 1)\n"
	r := &run{p: &Problem{API: teaAPI}, notation: NotationSMT}
	var faults []string
	if _, err := effectsOf(func(env *process.Env) error { r.env = env; faults = r.checkModel(text); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(faults) != 8 || !strings.HasPrefix(faults[0], "line 1: ") || !strings.HasPrefix(faults[7], "line 8: ") {
		t.Errorf("%q", faults)
	}
	if len(r.found) != 2 || r.found[0].Mistake != MistakeSyntax || r.found[1].Mistake != MistakeOverwritten || r.found[1].Line != 10 {
		t.Errorf("%+v", r.found)
	}
}

// An LP's plan is compared with the one without the rows of the question.
func TestLinearProblems(t *testing.T) {
	p := tea()
	p.SMT, p.LP, p.API = "", teaLP, ""
	reply := func(hill, lake, shop int, objective int) string {
		return fmt.Sprintf(`{"status": "optimal", "objective": %d, "bound": %[1]d, "names": ["pick_hill", "pick_lake", "send_shop"], "values": [%d, %d, %d]}`, objective, hill, lake, shop)
	}
	h := &host{solve: func(text string) string {
		switch fixed := strings.Contains(text, "pick_lake = 45\n"); {
		case fixed && strings.Contains(text, "query_lake"):
			return `{"status": "infeasible"}`
		case strings.Contains(text, "query_lake"):
			return reply(45, 0, 45, 495)
		default:
			return reply(0, 45, 45, 450)
		}
	}}
	r, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel}, h)
	if err != nil || r.Notation != NotationLP || r.Objective != "495" || r.Base == nil || r.Base.Objective != "450" || len(r.Base.Changed) != 2 || !r.Assessed || len(h.sent) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	if !strings.Contains(h.sent[2], "Bounds\n pick_hill = 0\n pick_lake = 45\n send_shop = 45\nGeneral\n") {
		t.Errorf("the direction is checked with\n%s", h.sent[2])
	}
	// The base plan need not be proved optimal.
	r, _, err = played(t, p, Setup{}, Settings{Model: simulatedModel}, &host{solve: func(text string) string {
		if strings.Contains(text, "query_lake") {
			return reply(45, 0, 45, 495)
		}
		return strings.Replace(strings.Replace(reply(0, 45, 45, 450), "optimal", "timeLimit", 1), `"bound": 450`, `"bound": 400`, 1)
	}})
	if err != nil || r.Base == nil || r.Base.Status != StatusFeasible || len(r.Base.Changed) != 2 {
		t.Errorf("%+v, %v", r.Base, err)
	}
	// The status reports a problem without an optimum, and a solver that gave up.
	for text, want := range map[string]string{`{"status": "unbounded"}`: StatusUnbounded, `{"status": "timeLimit"}`: StatusUnknown, `{"status": "memoryLimit"}`: StatusUnknown, `{"status": "infeasible"}`: StatusInfeasible} {
		none := 0
		r, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Rounds: &none}, &host{solve: func(string) string { return text }})
		if err != nil || r.Status != want || (r.Message == "") != (want == StatusUnbounded || want == StatusInfeasible) {
			t.Errorf("%s: %s %q, %v", text, r.Status, r.Message, err)
		}
	}
}

// The data, definitions and example are in the prompts if the problem has them.
func TestPromptsHaveTheFilesOfTheProblem(t *testing.T) {
	for _, example := range []bool{false, true} {
		p := tea()
		p.Example = "The example."
		_, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Example: example, Query: " Why not the hill? "}, &host{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range ofKind(events, "prompt") {
			if strings.Contains(e.Prompt, "\n\n\n") || strings.Contains(e.Prompt, p.Query) || !strings.Contains(e.Prompt, "Why not the hill?") {
				t.Errorf("%s: %s", e.Stage, e.Prompt)
			}
			if has := strings.Contains(e.Prompt, "An example of this kind of problem:\nThe example."); has != (example && e.Stage == StageFormulator) {
				t.Errorf("example in the prompt of the %s: %v", e.Stage, has)
			}
			if has := strings.Contains(e.Prompt, genericExamples); has != (!example && e.Stage == StageFormulator) {
				t.Errorf("general examples in the prompt of the %s with an example of the task %v: %v", e.Stage, example, has)
			}
			for _, part := range []string{"```json\n" + p.Data + "\n```\n", "These definitions are given to the solver"} {
				if strings.Contains(e.Prompt, part) != (e.Stage != StageFormatter) {
					t.Errorf("%.20s in the prompt of the %s", part, e.Stage)
				}
			}
			if has := strings.Contains(e.Prompt, whys()[AskWhyNot]); has != (e.Stage == StageFormulator || e.Stage == StageGenerator || e.Stage == StageAssessor) {
				t.Errorf("the kind of the question in the prompt of the %s: %v", e.Stage, has)
			}
		}
	}
	s := Settings{Model: simulatedModel, Templates: Templates{Definer: "Say {query}"}}
	_, events, err := played(t, tea(), Setup{}, s, &host{})
	if err != nil || ofKind(events, "prompt")[0].Prompt != "Say "+tea().Query {
		t.Errorf("a template is ignored: %v", err)
	}
}

func TestNotationOfProblem(t *testing.T) {
	for want, p := range map[string]Problem{NotationLP: {LP: "x", PDDL: "y"}, NotationPDDL: {PDDL: "y"}, NotationSMT: {SMT: "x", LP: "y", PDDL: "z"}} {
		if got := p.Notation(); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	if got := (&Problem{}).Notation(); got != NotationSMT {
		t.Error(got)
	}
}

// A rambler answers wrongly, and overlooks a mistake when it judges, each at half its error rate.
func TestRamblersErrAtHalfTheirRateInAnswers(t *testing.T) {
	const draws = 1_000
	for _, rate := range []float64{0, 0.3, 0.6, 1} {
		r := &run{p: tea(), notation: NotationSMT}
		r.solved.status, r.solved.outcome.objective, r.round = StatusSolved, "24", 1
		r.found = []Finding{{Mistake: MistakeQuery, Stage: StageGenerator, Certain: true}}
		spec := llm.Spec{Kind: llm.KindRambler, ErrorRate: rate}
		wrong, blind := 0, 0
		out, err := effectsOf(func(env *process.Env) error {
			for range draws {
				if strings.Contains(r.simulatedAnswer(env, spec), "249") {
					wrong++
				}
				reply, err := r.simulated(StageAssessor, spec).Generate(env, llm.Request{}, func(string) bool { return true })
				if err != nil {
					return err
				}
				if !strings.Contains(reply.Text, `"right":false`) {
					blind++
				}
			}
			return nil
		})
		if err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
		for _, n := range []int{wrong, blind} {
			if want := rate / 2 * draws; float64(n) < want-60 || float64(n) > want+60 || rate == 0 && n > 0 {
				t.Errorf("rate %v: %d wrong and %d blind of %d", rate, wrong, blind, draws)
			}
		}
	}
}

// Only complete numbers other than 0 and 1 are replaced.
func TestNumbersThatOverwritingReplaces(t *testing.T) {
	for text, want := range map[string]string{"20": "1", "2.5": "1", "0": "", "1": "", "1.0": "", "x2": "", "2x": "", " 7 ": "1", "(19)": "1", "+3": "1", "-3": "1", "\t3\n": "1", "a.5": "", "x": "", "": "", "20]": ""} {
		start := strings.IndexFunc(text, func(c rune) bool { return c >= '0' && c <= '9' })
		start = max(start, 0)
		end := numberEnd(text, start, len(text))
		if got, _ := oneInsteadOf(text, start, end, NotationLP); got != want {
			t.Errorf("%q: %q", text, got)
		}
		if want != "" && strings.Contains(text, ".") {
			if got, _ := oneInsteadOf(text, start, end, NotationSMT); got != "1.0" {
				t.Errorf("%q in SMT-LIB: %q", text, got)
			}
		}
	}
}

// At most six variables with faults are listed.
func TestFaultsOfVariablesAreBounded(t *testing.T) {
	for n := 1; n <= 9; n++ {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"v%d": %d`, i, i))
		}
		if _, faults := readVariables("{"+strings.Join(members, ", ")+"}", false); len(faults) != min(n, 6) {
			t.Errorf("%d variables: %d faults", n, len(faults))
		}
	}
}

// Without an answer in the folder, a simulated model fills the form with unknown values.
func TestSimulatedBaselineFillsTheForm(t *testing.T) {
	r, _, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Method: MethodDirect}, &host{})
	if err != nil || string(r.Answer) != `{"cost": null, "picked": null, "note": null}` {
		t.Errorf("%+v, %v", r, err)
	}
}
