package team

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// accepted reports whether an expression has no fault, and otherwise the fault's code.
func accepted(text string) (ok bool, code string) {
	e, found := ParseExpression(text)
	if len(found) > 0 {
		return false, found[0].Code
	}
	return e != nil, ""
}

// Each limit of an expression is exact: the largest allowed one is accepted, and one more is
// not.
func TestLimitsOfExpressionsAreExact(t *testing.T) {
	padded := func(n int) string { return "true" + strings.Repeat(" ", n-4) }
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	nested := func(open, inner, end string) func(n int) string {
		return func(n int) string { return strings.Repeat(open, n) + inner + strings.Repeat(end, n) }
	}
	for _, c := range []struct {
		name string
		text func(n int) string
		most int
		code string
	}{
		{"bytes", padded, MaxExpression, "limit.expression"},
		{"parts", list, maxNodes - 1, "limit.expression"}, // the list is a part, too
		{"parentheses", nested("(", "1", ")"), maxNesting - 1, "limit.expression"},
		{"lists", nested("[", "1", "]"), maxNesting - 1, "limit.expression"},
		{"calls", nested("abs(", "1", ")"), maxNesting - 1, "limit.expression"},
		{"indices", nested("a[", "1", "]"), maxNesting - 1, "limit.expression"},
		{"not", nested("not ", "a", ""), maxNesting - 1, "limit.expression"},
		{"minus", nested("- ", "a", ""), maxNesting - 1, "limit.expression"},
		{"digits", nested("9", "", ""), maxDigits, "limit.number"},
	} {
		if ok, code := accepted(c.text(c.most)); !ok {
			t.Errorf("%s: %d are not accepted: %s", c.name, c.most, code)
		}
		if ok, code := accepted(c.text(c.most + 1)); ok || code != c.code {
			t.Errorf("%s: %d: accepted %v, %s", c.name, c.most+1, ok, code)
		}
	}
	// Only parts inside one another are nested.
	for _, text := range []string{
		strings.Repeat("(1) + ", 150) + "1", strings.Repeat("not a and ", 150) + "b", strings.Repeat("-a - ", 150) + "b", strings.Repeat("a[1] + ", 150) + "b",
	} {
		if ok, code := accepted(text); !ok {
			t.Errorf("%s… is not accepted: %s", text[:20], code)
		}
	}
}

// Every byte: which begin a name, which continue one, and which are digits.
func TestNamesAndNumbersAreASCII(t *testing.T) {
	for c := range 128 {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		digit := c >= '0' && c <= '9'
		if got := isNameByte(byte(c), true); got != letter {
			t.Errorf("%q begins a name: %v", rune(c), got)
		}
		if got := isNameByte(byte(c), false); got != (letter || digit) {
			t.Errorf("%q continues a name: %v", rune(c), got)
		}
		if letter || digit {
			e, found := ParseExpression("x" + string(rune(c)) + "x == 1." + string(rune(c)))
			if len(found) > 0 || (e.root.of[1].kind == kindLiteral) != digit { // otherwise a member, which a number lacks
				t.Errorf("1.%c: %v %v", rune(c), e, found)
			}
		}
	}
	for text, want := range map[string]string{
		"1": "1", "0": "0", "9": "9", "10.50": "10.5", "0.09": "0.09", "90.9": "90.9", "1 .5": "", "1.": "", ".5": "", "09": "9", "1.5.5": "", "1..5": "",
	} {
		e, found := ParseExpression(text)
		if want == "" {
			if len(found) == 0 {
				t.Errorf("%s is read as %s", text, e)
			}
			continue
		}
		if len(found) > 0 || e.String() != want {
			t.Errorf("%s is read as %s %v", text, e, found)
		}
	}
}

// Faults have the place of the wrong part and name the expected form.
func TestFaultsOfExpressions(t *testing.T) {
	for _, c := range []struct{ text, at, message string }{
		{"a = 1", "=", `write "=="`}, {"a & b", "&", `write "and"`}, {"a | b", "|", `write "or"`}, {"!a", "!", `write "not"`}, {"a ? b", "?", "unexpected character"},
		{"a == b == c", "==", `join them by "and"`}, {"a in b < c", "<", `join them by "and"`},
		{"'a", "'a", "missing closing quote"}, {`"a\"`, `"a\"`, "missing closing quote"},
		{"a.", "", "unexpected end; expected the name of a member"}, {"a.1", "1", "expected the name of a member, not 1"},
		{"a[1", "", `expected "]"`}, {"(a", "", `expected ")"`}, {"[a", "", `expected "]"`}, {"abs(a", "", `expected ")"`},
		{"a b", "b", "expected an operator"}, {"a )", ")", "expected an operator"}, {"", "", "expected a value"}, {"and", "and", "expected a value, not and"}, {"1 +", "", "expected a value"},
		{"cout(a)", "cout", `did you mean "count"?`}, {"frobnicate(a)", "frobnicate", "expected all, any,"},
		{"abs()", "abs", "abs expects one argument, not 0"}, {"abs(1, 2)", "abs", "abs expects one argument, not 2"},
		{"sum()", "sum", "sum expects one or two arguments, not 0"}, {"contains(a)", "contains", "contains expects two arguments, not 1"}, {"all(a)", "all", "all expects two arguments, not 1"},
		{"all(a, b)", "b", "all(list, x: …)"}, {"sum(a, 1: b)", "1", "sum(list, x: …)"}, {"sum(a, in: b)", "in", "sum(list, x: …)"},
	} {
		_, found := ParseExpression(c.text)
		if len(found) != 1 || !strings.Contains(found[0].Message, c.message) {
			t.Errorf("%s: %+v", c.text, found)
			continue
		}
		if s := found[0].Span; c.text[s.Start:s.End] != c.at {
			t.Errorf("%s: the fault is at %q", c.text, c.text[s.Start:s.End])
		}
	}
	for _, text := range []string{`'a\'b' == "a'b"`, `'\\' == "\\"`, "all(a, x: x)", "sum(a, x: 1)", "sum(a)", "contains(a, b)", "[]", "[1, 2]", "[1, ]", "a . b [ 'c' ]"} {
		if ok, code := accepted(text); !ok {
			t.Errorf("%s is not accepted: %s", text, code)
		}
	}
}

// The reference names the arguments of each function by its types.
func TestFormsOfFunctions(t *testing.T) {
	var forms []string
	for _, f := range Functions() {
		forms = append(forms, f.Form)
		if f.Text == "" {
			t.Errorf("%s has no description", f.Form)
		}
	}
	want := "all(list, x: condition); any(list, x: condition); count(list, x: condition); sum(list, x: number); min(list, x: number); max(list, x: number); " +
		"distinct(list, x: value); length(list); contains(list, item); has(path); number(text); abs(number); lower(text); of('executor')"
	if got := strings.Join(forms, "; "); got != want {
		t.Errorf("the forms are %s", got)
	}
}

// A variable hides the value of its name inside its function only.
func TestVariablesHideNames(t *testing.T) {
	for text, want := range map[string]bool{
		"answer.price < 3": true, "contains(text, 'a')": true, "length(results) == 1": false,
		"all(results, answer: answer.done)": false, "all(results, text: text == 'a')": false, "all(results, r: r.text == answer)": true,
		"all(results, text: true) and answer": true, "sum(text, text: 1) > 0": true, "all(results, r: any(r.result, text: text))": false,
		"all(results, answer: any(answer, x: x)) and all(text, x: x)": true, "[1, [text]] == [1]": true, "not has(answer)": true, "-answer == 1": true, "results[answer]": true,
	} {
		e, found := ParseExpression(text)
		if len(found) > 0 {
			t.Fatal(text, found)
		}
		if got := e.Delivery(); got != want {
			t.Errorf("%s: refers to the answer: %v", text, got)
		}
	}
	values := Scope{Values: map[string]Value{"x": integer(7), "l": mustRead(t, "[1, 2]"), "m": mustRead(t, "[[1, 2], [3]]")}}
	for text, want := range map[string]bool{
		"all(l, x: x < 3) and x == 7": true, "all(m, x: all(x, x: x < 4)) and x == 7": true, "sum(m, x: sum(x) + count(x, x: x > 1)) == 8": true,
		"all(l, y: x == 7)": true, "any(l, x: x == 7)": false,
	} {
		e, _ := ParseExpression(text)
		if got := e.Decide(values); got.Holds != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// The types of the parts are checked before a run: a part that has none of the needed types
// is reported, and one that may have a needed type is not.
func TestTypesOfParts(t *testing.T) {
	for _, c := range []struct {
		text   string
		global bool
		faults string // the texts of the parts
	}{
		{"result", false, ""}, {"result.a.b[0]['c']", false, ""}, {"text", false, "text"}, {"1 + 1", false, "1 + 1"}, {"'a'", false, "'a'"}, {"null", false, "null"}, {"[]", false, "[]"}, {"true", false, ""},
		{"not 1", false, "1"}, {"-'a' == 1", false, "'a'"}, {"1 and true", false, "1"}, {"true or 'a'", false, "'a'"},
		{"1 + 'a' == 2", false, "'a'"}, {"'a' - 1 == 2", false, "'a'"}, {"text * 2 == 1", false, "text"}, {"given / 2 == 1", false, "given"},
		{"1 < 'a'", false, "1 < 'a'"}, {"'a' < 'b'", false, ""}, {"true < 1", false, "true"}, {"1 >= [1]", false, "[1]"}, {"result > 'a'", false, ""}, {"text <= result.x", false, ""}, {"text > 1", false, "text > 1"},
		{"1 == 'a'", false, "1 == 'a'"}, {"1 != null", false, "1 != null"}, {"result == 1", false, ""}, {"text == result", false, ""}, {"[] == given", false, ""},
		{"1 in 2", false, "2"}, {"1 in [2]", false, ""}, {"1 in result", false, ""}, {"1 in text", false, "text"},
		{"text.a", false, "text"}, {"given.a", false, "given"}, {"given[0]", false, ""}, {"given[true]", false, "true"}, {"text[0]", false, "text"}, {"result[null]", false, "null"},
		{"length(1) == 1", false, "1"}, {"length(text) == 1", false, ""}, {"abs(text) == 1", false, "text"}, {"lower(1) == 'a'", false, "1"}, {"number(given) == 1", false, "given"}, {"contains(1, 2)", false, "1"},
		{"all(text, x: x)", false, "text"}, {"all(given, x: 1)", false, "1"}, {"count(given, x: 'a') == 1", false, "'a'"}, {"sum(given, x: 'a') == 1", false, "'a'"}, {"sum(given, x: x.a) == 1", false, ""}, {"distinct(given, x: 'a')", false, ""},
		{"sum(given, x: 1) == 'a'", false, "sum(given, x: 1) == 'a'"}, {"all(given, x: true) == 1", false, "all(given, x: true) == 1"},
		{"has(1)", false, "1"}, {"has(result.a)", false, ""}, {"has(given[0].result)", false, ""}, {"has(1 + 1)", false, "1 + 1"}, {"has([1][0])", false, "[1][0]"},
		{"of('a') == []", true, ""}, {"of('a') == []", false, "of"}, {"results == []", true, ""}, {"results == []", false, "results"}, {"given == []", true, "given"}, {"answer", true, ""}, {"answer", false, "answer"}, {"nothing", false, "nothing"},
		{"all(given, x: x)  and x", false, "x"},
	} {
		e, found := ParseExpression(c.text)
		if len(found) > 0 {
			t.Fatal(c.text, found)
		}
		var parts []string
		for _, d := range e.check(c.global) {
			parts = append(parts, c.text[d.Span.Start:d.Span.End])
		}
		got := strings.Join(parts, "; ")
		if c.faults == "of" && strings.HasPrefix(got, "of") {
			got = "of"
		}
		if got != c.faults {
			t.Errorf("%s (global %v): %q, want %q", c.text, c.global, got, c.faults)
		}
	}
}

func TestOnlyNumberOfAText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "no": "", "7": "7", "a7b": "7", "0.5": "0.5", "9.9 m": "9.9", "1,000": "1000", "1,250.00 a night": "1250", "12,5": "125", "10.": "10", "10,": "10", "10.m": "10", "10,m": "10", "10.:": "10", ",5": "5", ".5": "5", "1 2": "", "1-2": "", "1. 2": "",
		"-3": "-3", " -3": "-3", "(-3)": "-3", "a-3": "3", "--3": "3", "- 3": "3", "1.00,": "1", "1.0.0": "", "$0": "0", "90": "90", "09.90": "9.9",
		strings.Repeat("1", maxDigits): strings.Repeat("1", maxDigits), strings.Repeat("1", maxDigits+1): "",
	} {
		v, ok := onlyNumber(text)
		if ok != (want != "") || ok && v.String() != want {
			t.Errorf("%q: %s %v, want %q", text, v, ok, want)
		}
	}
}

func TestNumbersOfJSONHaveALimit(t *testing.T) {
	for text, ok := range map[string]bool{
		"1e400": true, "1e401": false, "1e-400": true, "1e-401": false, "1E+400": true, "1e99999999999999999999": false, "1.5e3": true, "-7": true,
		strings.Repeat("9", 400): true, strings.Repeat("9", 401): false,
	} {
		v, got := readNumber(text)
		if got != ok || (v.Number != nil) != ok || v.Kind != '0' || !ok && v.Text != text {
			t.Errorf("%.20s: %v %+v", text, got, v)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"1", "1.0", true}, {"1", "2", false}, {"1e999", "1e999", true}, {"1e999", "1e998", false}, {"1e999", "1", false}, {"1", "1e999", false}, {`"1"`, "1", false}, {"[1, 2]", "[1, 2.0]", true}, {"[1]", "[1, 1]", false}, {"[1, 2]", "[2, 1]", false},
		{`{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`, true}, {`{"a": 1}`, `{"a": 1, "b": 2}`, false}, {`{"a": 1, "b": 2}`, `{"a": 1}`, false}, {`{"a": 1}`, `{"a": 2}`, false}, {`{"a": 1, "a": 2}`, `{"a": 1}`, true}, {"null", "null", true}, {"null", "false", false},
	} {
		if got := same(mustRead(t, "["+c.a+"]"), mustRead(t, "["+c.b+"]")); got != c.want {
			t.Errorf("%s and %s are the same: %v", c.a, c.b, got)
		}
	}
}

// Every directed graph of three sub-tasks: an order exists, and respects the needs, if and
// only if there is no cycle, and a reported cycle is one.
func TestOrdersAndCycles(t *testing.T) {
	pairs := [][2]int{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}
	for set := range 1 << len(pairs) {
		g := &Graph{}
		for i := range 3 {
			g.Subtasks = append(g.Subtasks, Subtask{ID: fmt.Sprintf("t%d", i+1), Executor: "a"})
		}
		reach := [3][3]bool{}
		for i, p := range pairs {
			if set>>i&1 == 1 {
				g.Subtasks[p[0]].Needs = append(g.Subtasks[p[0]].Needs, g.Subtasks[p[1]].ID)
				reach[p[0]][p[1]] = true
			}
		}
		for k := range 3 {
			for i := range 3 {
				for j := range 3 {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		cyclic := reach[0][0] || reach[1][1] || reach[2][2]
		order, ok := g.Order()
		if ok == cyclic || ok && len(order) != 3 {
			t.Fatalf("%s: the order is %v, %v", g, order, ok)
		}
		for at, i := range order {
			for _, id := range g.Subtasks[i].Needs {
				if !slices.Contains(order[:at], g.index(id)) {
					t.Fatalf("%s: the order is %v", g, order)
				}
			}
		}
		path := g.cycle()
		if (path != nil) != cyclic || cyclic && path[0] != path[len(path)-1] {
			t.Fatalf("%s: the cycle is %v", g, path)
		}
		for i := 1; i < len(path); i++ {
			if !slices.Contains(g.Subtask(path[i-1]).Needs, path[i]) {
				t.Fatalf("%s: the cycle is %v", g, path)
			}
		}
	}
}

// An answer is read up to its limit, and the number of reported faults is limited.
func TestLimitsOfGraphsAreExact(t *testing.T) {
	reader := Reader{Spec: mustTeam(t, research)}
	padded := diamond + strings.Repeat(" ", maxGraph-len(diamond))
	if g, faults, err := reader.Read(padded); g == nil || len(faults) > 0 || err != nil {
		t.Errorf("%q %v", faults, err)
	}
	if g, faults, _ := reader.Read(padded + " "); g != nil || len(faults) != 1 || !strings.Contains(faults[0], "longer than") {
		t.Errorf("%q", faults)
	}
	limit := reader.Spec.Limits.Subtasks
	made := func(n int) *Graph {
		g := &Graph{}
		for i := range n {
			g.Subtasks = append(g.Subtasks, Subtask{ID: fmt.Sprintf("t%d", i+1), Task: "x", Executor: "dates"})
		}
		return g
	}
	if faults, err := reader.Check(made(limit)); len(faults) > 0 || err != nil {
		t.Errorf("%d sub-tasks: %q %v", limit, faults, err)
	}
	if faults, _ := reader.Check(made(limit + 1)); len(faults) != 1 {
		t.Errorf("%d sub-tasks: %q", limit+1, faults)
	}
	bad := made(limit)
	for i := range bad.Subtasks {
		bad.Subtasks[i].Task, bad.Subtasks[i].Executor = "", "nobody"
	}
	if faults, _ := reader.Check(bad); len(faults) != min(maxFaults, 2*limit) || 2*limit <= maxFaults {
		t.Errorf("%d faults: %q", len(faults), faults)
	}
	other := made(2)
	other.Subtasks[0].ID, other.Subtasks[1].Needs = "a", []string{"a", "a"}
	if faults, _ := reader.Check(other); len(faults) > 0 || other.String() != "t1 dates: x\nt2 dates: x (needs t1)\n" || other.Global == nil || other.Subtasks[0].Local == nil {
		t.Errorf("%q %s", faults, other)
	}
}

// Each setting is accepted from its least to its greatest value.
func TestRangesOfSettings(t *testing.T) {
	number := func(n int) *int { return &n }
	g := &Graph{}
	for i, c := range []struct {
		s  Settings
		ok bool
	}{
		{Settings{}, true},
		{Settings{Steps: MaxSteps}, true}, {Settings{Steps: MaxSteps + 1}, false}, {Settings{Steps: -1}, false},
		{Settings{Retries: number(0)}, true}, {Settings{Retries: number(MaxRetries)}, true}, {Settings{Retries: number(MaxRetries + 1)}, false}, {Settings{Retries: number(-1)}, false},
		{Settings{Concurrent: MaxConcurrent}, true}, {Settings{Concurrent: MaxConcurrent + 1}, false}, {Settings{Concurrent: -1}, false},
		{Settings{Temperature: 2}, true}, {Settings{Temperature: 2.01}, false}, {Settings{Temperature: -0.01}, false},
		{Settings{Changes: []Change{{Graph: g}, {Graph: g}}}, true}, {Settings{Changes: []Change{{After: 1, Graph: g}, {After: 2, Answers: 1, Graph: g}}}, true},
		{Settings{Changes: []Change{{After: 2, Graph: g}, {After: 1, Graph: g}}}, false}, {Settings{Changes: []Change{{Answers: 2, Graph: g}, {Answers: 1, Graph: g}}}, false},
		{Settings{Changes: []Change{{After: -1, Graph: g}}}, false}, {Settings{Changes: []Change{{Answers: -1, Graph: g}}}, false}, {Settings{Changes: []Change{{}}}, false},
		{Settings{Models: map[string]llm.Spec{"task t1": person}}, true}, {Settings{Models: map[string]llm.Spec{"executor x": person}}, true}, {Settings{Models: map[string]llm.Spec{"executors": person}}, true},
		{Settings{Models: map[string]llm.Spec{"executor": person}}, false}, {Settings{Models: map[string]llm.Spec{"manager x": person}}, false},
		{Settings{Method: MethodSole, Supervisor: SupervisorPass, Otherwise: OtherwiseStop, Environment: "tools"}, true},
	} {
		c.s.Model = person
		if err := c.s.Check(); (err == nil) != c.ok {
			t.Errorf("case %d, %+v: %v", i, c.s, err)
		}
	}
}

// simulate runs a team of simulated models and returns its graph.
func simulate(t *testing.T, spec *Spec, seed uint64, model llm.Spec) *Graph {
	t.Helper()
	var graph *Graph
	p := process.New(func(env *process.Env) (any, error) {
		return Problem{Spec: spec}.Run(env, Settings{Task: "the bridge", Model: model})
	}, seed, meter.Budget{Steps: 1 << 32}, nil)
	out, err := p.Resume(nil, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range out.Events {
		var e GraphEvent
		if json.Unmarshal(raw, &e) == nil && e.Kind == "team.graph" {
			graph = &e.Graph
		}
	}
	if graph == nil && out.Err == nil {
		t.Fatal("no graph is shown")
	}
	return graph
}

// The first simulated manager gives each executor one sub-task, and the last one needs all
// others; the others draw the needs.
func TestSimulatedManagers(t *testing.T) {
	spec := mustTeam(t, research)
	n := len(spec.Executors)
	drawn := map[string]bool{}
	for seed := range uint64(30) {
		first := simulate(t, spec, seed, llm.Spec{Kind: llm.KindFirst})
		for i, s := range first.Subtasks {
			if want := map[bool]int{true: n - 1}[i == n-1]; s.Executor != spec.Executors[i].Name || len(s.Needs) != want {
				t.Fatalf("%s", first)
			}
		}
		g := simulate(t, spec, seed, llm.Spec{Kind: llm.KindUniform})
		drawn[g.String()] = true
		if len(g.Subtasks) != n {
			t.Fatalf("%s", g)
		}
	}
	if len(drawn) < 4 {
		t.Errorf("%d different graphs are drawn", len(drawn))
	}
}

// Each mistake of a simulated manager is a fault of its answer.
func TestMistakesOfSimulatedManagersAreFaults(t *testing.T) {
	spec := mustTeam(t, research)
	made := map[string]bool{}
	for seed := range uint64(60) {
		p := process.New(func(env *process.Env) (any, error) {
			r := &run{spec: spec, settings: Settings{Task: "the bridge"}}
			return r.mistake(env, r.simulatedGraph(env, true)), nil
		}, seed, meter.Budget{}, nil)
		out, err := p.Resume(nil, 0)
		if err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
		var text string
		if err := json.Unmarshal(out.Result, &text); err != nil {
			t.Fatal(err)
		}
		made[text] = true
		if g, faults, err := (Reader{Spec: spec}).Read(text); g != nil && len(faults) == 0 && err == nil {
			t.Errorf("no fault in %s", text)
		}
	}
	if len(made) != 6 {
		t.Errorf("%d different mistakes", len(made))
	}
}

func TestPromptOfASubtaskHasTheResultsItNeeds(t *testing.T) {
	const title = "The results that it needs:"
	spec := mustTeam(t, research)
	before := &work{sub: Subtask{ID: "t1", Task: "find it"}, executor: &spec.Executors[0], task: "find it", text: "1883"}
	for _, c := range []struct {
		supervisor string
		needs      []string
		want       string
	}{
		{SupervisorPass, []string{"t1"}, title + "\n[t1] find it\n1883"}, {SupervisorPass, nil, ""}, {"", []string{"t1"}, ""},
	} {
		r := &run{spec: spec, settings: Settings{Supervisor: c.supervisor}, works: []*work{before}}
		got := r.executorPrompt(&work{sub: Subtask{ID: "t2", Task: "write", Needs: c.needs}, executor: &spec.Executors[2], task: "write"}, "")
		if strings.Contains(got, title) != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%q of %v: %s", c.supervisor, c.needs, got)
		}
	}
}

func TestConstraintsHaveAText(t *testing.T) {
	e, _ := ParseExpression("result.price <= 10")
	list, _ := ltl.Parse(source.NewFile("a.ltl", "F a"))
	for _, c := range []struct {
		constraint Constraint
		want       string
	}{{Constraint{}, ""}, {Constraint{Text: "cheap", Check: e}, "cheap"}, {Constraint{Check: e}, "result.price <= 10"}, {Constraint{Formula: list[0].Formula}, "F a"}} {
		if got := c.constraint.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
